// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs traffic at one load in blocks of cycles. Before each block it makes the messages of the next block, and offers
// the carrier those for which it has room. Then it runs the block and takes the arrivals.
#include "traffic/load_phases.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/cache_lines.h"
#include "topo/topo_span.h"
#include "traffic/injection.h"
#include "traffic/load_exchange.h"
#include "traffic/load_log.h"
#include "traffic/load_measure.h"
#include "traffic/load_queue.h"
#include "traffic/shares.h"

#define BLOCK_CYCLES LOOM_LOAD_BLOCK_CYCLES
#define AHEAD 8u        // arrivals whose sources are prefetched
#define FEED_CYCLES 32u // the most cycles from when a chip is given a message until its node has it
#define QUIET_CYCLES LOOM_LOAD_QUIET_CYCLES

// A source. It makes messages by a random sequence of its own, and offers them to the carrier, which holds a limited
// number of them.
struct source {
	struct loom_injection_of injection;
	uint64_t next;                  // the cycle of the next message to be made; 0: this processor sends nothing
	struct loom_load_queue waiting; // made, and not yet given to the carrier
};

struct phases {
	const struct loom_load_options *options;
	const struct loom_carrier *carrier;
	const struct loom_traffic *traffic;
	uint32_t n_sources;
	uint64_t most_under_way;   // of a source
	uint64_t *n_under_way;     // owned, by processor: messages given to the carrier that have not arrived
	struct source *source;     // owned, by processor
	struct loom_queued *queue; // owned: the memory that is lent to each queue
	struct loom_load_measure measure;
	uint64_t now, made_to; // cycles that have run; the cycle up to which all messages have been made
	uint64_t last_arrival; // the time at which it was seen
	uint64_t n_given, n_arrived;
};

uint64_t loom_load_most_under_way(const struct loom_topo *topo, uint32_t flits)
{
	const uint64_t on_way = topo->buffers * (uint64_t)loom_topo_most_links(topo) + 2 * (uint64_t)topo->light_cycles;
	return LOOM_CARRIER_LEAD_CYCLES + FEED_CYCLES + (BLOCK_CYCLES + on_way) / flits + 1;
}

static int make_sources(struct phases *p, const struct loom_topo *topo, struct loom_err *err)
{
	const uint32_t n = p->n_sources = topo->n_nodes;
	p->source = loom_cache_lines_zeroed(n * sizeof *p->source);
	p->queue = loom_cache_lines((size_t)n * LOOM_LOAD_QUEUE_LENT * sizeof *p->queue);
	p->n_under_way = calloc(n, sizeof *p->n_under_way);
	if (!p->source || !p->queue || !p->n_under_way)
		return loom_fail(err, LOOM_ENOMEM, "no memory for %u sources", n);
	for (uint32_t v = 0; v < n; v++) {
		struct source *s = &p->source[v];
		loom_load_queue_begin(&s->waiting, &p->queue[(size_t)v * LOOM_LOAD_QUEUE_LENT]);
		if (!loom_traffic_sends(p->traffic, topo, v))
			continue;
		loom_injection_begin(&s->injection, p->options, loom_shares_gap(p->traffic, p->options, v), v);
		s->next = loom_injection_next(&s->injection);
	}
	return 0;
}

static void free_sources(struct phases *p)
{
	for (uint32_t v = 0; p->source && v < p->n_sources; v++)
		loom_load_queue_free(&p->source[v].waiting);
	free(p->source);
	free(p->queue);
	free(p->n_under_way);
}

// Gives the carrier as many messages of source v as it may have.
static int give(struct phases *p, uint32_t v, struct loom_err *err)
{
	struct source *s = &p->source[v];
	int rc = 0;
	for (; rc == 0 && s->waiting.n > 0 && p->n_under_way[v] < p->most_under_way; p->n_under_way[v]++) {
		const struct loom_queued m = loom_load_queue_take(&s->waiting);
		rc = p->carrier->offer(p->carrier->self, v, &m, err);
		p->n_given++;
	}
	return rc;
}

// Makes the messages of the next block. Offers each one to the carrier as soon as it is made, after those that had to
// wait. So a block visits the memory of each source once.
static int make_block(struct phases *p, struct loom_err *err)
{
	int rc = 0;
	p->made_to += BLOCK_CYCLES;
	for (uint32_t v = 0; v < p->n_sources; v++) {
		struct source *s = &p->source[v];
		if (rc == 0)
			rc = give(p, v, err);
		while (rc == 0 && s->next && s->next <= p->made_to) {
			const struct loom_drawn drawn = loom_injection_draw(&s->injection, p->traffic, p->options, v);
			const struct loom_queued m = {.destination = drawn.destination,
			                              .release = (uint32_t)s->next,
			                              .flits = drawn.flits,
			                              .of_class = drawn.of_class};
			rc = loom_load_queue_put(&s->waiting, &m, err);
			loom_load_measure_made(&p->measure, v, &m);
			s->next = loom_injection_next(&s->injection);
			if (rc == 0)
				rc = give(p, v, err);
		}
	}
	return rc;
}

static void tell_each(const struct loom_load_options *o, const struct loom_carried *a)
{
	if (!o->each)
		return;
	const struct loom_load_message message = loom_load_message_of(a);
	o->each(o->each_user, &message);
}

static int run_block(struct phases *p, struct loom_err *err)
{
	const struct loom_carried *arrived = NULL;
	const struct loom_load_options *o = p->options;
	size_t n = 0;
	if (p->now + BLOCK_CYCLES > p->carrier->most_cycles)
		return loom_fail(err, LOOM_EFIT,
		                 "messages are under way at cycle %" PRIu64
		                 ", and the chip's logs cover a run of %" PRIu64 " cycles at most",
		                 p->now, p->carrier->most_cycles);
	p->now += BLOCK_CYCLES;
	int rc = p->carrier->run(p->carrier->self, p->now, &arrived, &n, err);
	for (size_t i = 0; rc == 0 && i < n; i++) {
		if (i + AHEAD < n) {
			__builtin_prefetch(&p->n_under_way[arrived[i + AHEAD].source], 1);
			loom_load_measure_fetch(&p->measure, arrived[i + AHEAD].source);
		}
		p->n_under_way[arrived[i].source]--;
		tell_each(o, &arrived[i]);
		rc = loom_load_measure_arrived(&p->measure, &arrived[i], err);
		if (rc == 0)
			rc = loom_load_log_add(o->log, &arrived[i], err);
	}
	if (rc != 0)
		return rc;
	p->n_arrived += n;
	if (n > 0 || p->n_arrived == p->n_given)
		p->last_arrival = p->now;
	else if (p->now - p->last_arrival > QUIET_CYCLES)
		rc = p->carrier->check(p->carrier->self, err);
	if (rc == 0 && o->watch && o->watch(o->user, p->now, o->warmup_cycles + o->measure_cycles))
		rc = loom_fail(err, LOOM_ETIMEOUT, "given up at cycle %" PRIu64, p->now);
	return rc;
}

static bool is_lost(const struct phases *p)
{
	return p->now - p->last_arrival > QUIET_CYCLES && p->now > p->made_to;
}

static int run(struct phases *p, struct loom_err *err)
{
	struct loom_load_measure *m = &p->measure;
	int rc = make_block(p, err); // makes messages one block ahead
	loom_load_measure_pass(m);
	while (rc == 0 && !loom_load_measure_is_over(m, p->now) && !m->saturated && !is_lost(p)) {
		rc = make_block(p, err);
		if (rc == 0)
			rc = run_block(p, err);
		loom_load_measure_release(m);
		m->saturated = rc == 0 && loom_load_measure_is_saturated(m, p->now);
		m->n_cycles = p->now;
	}
	// Only messages that were given to the carrier are waited for.
	while (rc == 0 && p->n_arrived < p->n_given && !is_lost(p))
		rc = run_block(p, err);
	return rc;
}

int loom_load_phases_run(struct loom_load_point *out, uint64_t *n_lost, const struct loom_carrier *carrier,
                         const struct loom_topo *topo, const struct loom_traffic *traffic, const uint32_t *map,
                         const struct loom_load_options *o, struct loom_err *err)
{
	struct phases p = {.options = o, .carrier = carrier, .traffic = traffic};
	if (o->warmup_cycles + o->measure_cycles > carrier->most_cycles)
		return loom_fail(err, LOOM_EFIT,
		                 "%" PRIu64 " cycles of warm-up and %" PRIu64
		                 " of measurement; the chip's logs cover a run of %" PRIu64 " cycles at most",
		                 o->warmup_cycles, o->measure_cycles, carrier->most_cycles);
	// Closed traffic itself holds back messages that may not leave yet, and must know all messages that were made.
	uint32_t least_flits, most_flits;
	loom_shares_lengths(&least_flits, &most_flits, traffic, o);
	p.most_under_way = loom_exchange_is_wanted(o) ? UINT64_MAX : loom_load_most_under_way(topo, least_flits);
	int rc = make_sources(&p, topo, err);
	if (rc == 0)
		rc = loom_load_measure_begin(&p.measure, topo, traffic, map, o, err);
	if (rc == 0)
		rc = run(&p, err);
	if (rc == 0) {
		loom_load_measure_tell(out, &p.measure);
		out->n_messages = p.n_given;
		out->n_cycles = p.now;
		*n_lost = p.n_given - p.n_arrived;
	}
	loom_load_measure_free(&p.measure);
	free_sources(&p);
	return rc;
}

int loom_load_phases_check(const struct loom_load_point *point, const struct loom_load_options *o, struct loom_err *err)
{
	if (point->saturated || point->n_measured > 0 || point->n_mismatches > 0)
		return 0;
	return loom_fail(err, LOOM_EINPUT,
	                 "no message was released in the %" PRIu64
	                 " cycles measured: at a load of %g measure for longer",
	                 o->measure_cycles, o->load);
}
