// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/sources.h"

#include <stdlib.h>

#include "base/cache_lines.h"
#include "traffic/injection.h"
#include "traffic/load_queue.h"

struct source {
	struct loom_injection_of injection;
	uint64_t next;                  // the cycle of the message to be made next; 0: this processor sends nothing
	struct loom_load_queue waiting; // made, and not given to the carrier yet
	uint64_t n_under_way;           // given to it, not arrived
};

struct loom_sources {
	const struct loom_traffic *traffic;
	const struct loom_load_options *options;
	uint64_t most_under_way;
	uint32_t n;
	struct source *source;     // owned, by processor
	struct loom_queued *queue; // owned: what is lent to each one's queue
};

int loom_sources_make(struct loom_sources **out, const struct loom_traffic *traffic, const struct loom_topo *topo,
                      const struct loom_load_options *o, uint64_t most_under_way, struct loom_err *err)
{
	const uint32_t n = topo->n_nodes;
	struct loom_sources *s = calloc(1, sizeof *s);
	if (s)
		*s = (struct loom_sources){
			.traffic = traffic,
			.options = o,
			.most_under_way = most_under_way,
			.n = n,
			.source = loom_cache_lines_zeroed(n * sizeof *s->source),
			.queue = loom_cache_lines((size_t)n * LOOM_LOAD_QUEUE_LENT * sizeof *s->queue)};
	if (!s || !s->source || !s->queue) {
		loom_sources_free(s);
		return loom_fail(err, LOOM_ENOMEM, "no memory for %u sources", n);
	}
	for (uint32_t v = 0; v < n; v++) {
		loom_load_queue_begin(&s->source[v].waiting, &s->queue[(size_t)v * LOOM_LOAD_QUEUE_LENT]);
		if (!loom_traffic_sends(traffic, topo, v))
			continue;
		loom_injection_begin(&s->source[v].injection, o, loom_shares_gap(traffic, o, v), v);
		s->source[v].next = loom_injection_next(&s->source[v].injection);
	}
	*out = s;
	return 0;
}

void loom_sources_free(struct loom_sources *s)
{
	for (uint32_t v = 0; s && s->source && v < s->n; v++)
		loom_load_queue_free(&s->source[v].waiting);
	if (s) {
		free(s->source);
		free(s->queue);
	}
	free(s);
}

int loom_sources_make_until(struct loom_sources *sources, uint64_t cycle,
                            void (*made)(void *user, uint32_t source, const struct loom_queued *message), void *user,
                            struct loom_err *err)
{
	int rc = 0;
	for (uint32_t v = 0; v < sources->n; v++) {
		struct source *s = &sources->source[v];
		while (rc == 0 && s->next && s->next <= cycle) {
			const struct loom_drawn drawn =
				loom_injection_draw(&s->injection, sources->traffic, sources->options, v);
			const struct loom_queued m = {.destination = drawn.destination,
			                              .release = (uint32_t)s->next,
			                              .flits = drawn.flits,
			                              .of_class = drawn.of_class};
			rc = loom_load_queue_put(&s->waiting, &m, err);
			made(user, v, &m);
			s->next = loom_injection_next(&s->injection);
		}
	}
	return rc;
}

int loom_sources_give(struct loom_sources *sources, uint64_t *n_given, const struct loom_carrier *carrier,
                      struct loom_err *err)
{
	int rc = 0;
	for (uint32_t v = 0; v < sources->n; v++) {
		struct source *s = &sources->source[v];
		for (; rc == 0 && s->waiting.n > 0 && s->n_under_way < sources->most_under_way; s->n_under_way++) {
			const struct loom_queued m = loom_load_queue_take(&s->waiting);
			rc = carrier->offer(carrier->self, v, &m, err);
			++*n_given;
		}
	}
	return rc;
}

void loom_sources_foresee(const struct loom_sources *sources, uint32_t source)
{
	__builtin_prefetch(&sources->source[source].n_under_way, 1);
}

void loom_sources_arrived(struct loom_sources *sources, uint32_t source)
{
	sources->source[source].n_under_way--;
}
