// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Any messages on a multistage network in as few passes without conflict as colouring their conflict graph finds.
#include <stdlib.h>

#include <flitloom/min_passes.h>
#include "plan/planners/planners.h"

#include "topo/topo_min.h"

static bool accepts(const struct loom_topo *topo, const struct loom_pattern *pattern)
{
	struct loom_min net;
	return loom_topo_min(&net, topo, LOOM_RULE_ASCENDING) && pattern->n_messages != 0;
}

// Messages with their passes, to be put in order.
struct entry {
	struct loom_plan_message message;
	size_t place;
};

static int compare_passes(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	if (x->message.pass != y->message.pass)
		return x->message.pass < y->message.pass ? -1 : 1;
	return x->place < y->place ? -1 : x->place > y->place;
}

// Scratch for the messages of one member.
struct scratch {
	uint32_t *source, *destination, *pass;
	struct entry *entries;
};

static int allocate(struct scratch *s, size_t n, struct loom_err *err)
{
	s->source = calloc(n, sizeof *s->source);
	s->destination = calloc(n, sizeof *s->destination);
	s->pass = calloc(n, sizeof *s->pass);
	s->entries = calloc(n, sizeof *s->entries);
	if (s->source && s->destination && s->pass && s->entries)
		return 0;
	return loom_fail(err, LOOM_ENOMEM, "out of memory for the passes of %zu messages", n);
}

static void release(struct scratch *s)
{
	free(s->source);
	free(s->destination);
	free(s->pass);
	free(s->entries);
}

// Members follow each other; the passes of one begin where those of the one before end.
static int plan_min_passes(struct loom_plan *plan, const struct loom_pattern *pattern, const char *objective,
                           bool map_is_free, struct loom_err *err)
{
	(void)map_is_free;
	struct loom_min net;
	struct scratch s = {0};
	uint32_t n_passes = 0, *member_of_pass = NULL;
	(void)loom_topo_min(&net, &plan->topo, LOOM_RULE_ASCENDING);
	int rc = allocate(&s, plan->n_messages, err);
	for (size_t first = 0, end; rc == 0 && first < plan->n_messages; first = end) {
		struct loom_min_passes found;
		uint32_t member = plan->messages[first].pass;
		size_t n = 0;
		for (end = first; end < plan->n_messages && plan->messages[end].pass == member; end++, n++) {
			s.source[n] = plan->map[plan->messages[end].source];
			s.destination[n] = plan->map[plan->messages[end].destination];
		}
		rc = loom_min_passes_schedule(s.pass, &found, &net, s.source, s.destination, n, err);
		if (rc != 0)
			break;
		uint32_t *more = realloc(member_of_pass, (n_passes + found.n_passes) * sizeof *more);
		if (!more) {
			rc = loom_fail(err, LOOM_ENOMEM, "out of memory for %u passes", n_passes + found.n_passes);
			break;
		}
		member_of_pass = more;
		for (uint32_t p = 0; p < found.n_passes; p++)
			member_of_pass[n_passes + p] = member;
		for (size_t i = 0; i < n; i++) {
			s.entries[first + i] = (struct entry){plan->messages[first + i], first + i};
			s.entries[first + i].message.pass = n_passes + s.pass[i];
		}
		n_passes += found.n_passes;
	}
	if (rc == 0) {
		qsort(s.entries, plan->n_messages, sizeof *s.entries, compare_passes);
		for (size_t i = 0; i < plan->n_messages; i++) {
			plan->messages[i] = s.entries[i].message;
			plan->messages[i].origin = (uint32_t)i;
		}
		free(plan->member_of_pass);
		plan->member_of_pass = member_of_pass;
		member_of_pass = NULL;
		plan->n_passes = n_passes;
		if (pattern->n_members > 1 || objective)
			(void)snprintf(plan->objective, sizeof plan->objective, "%s", objective ? objective : "maxmax");
		rc = loom_plan_predict(plan, err);
	}
	if (rc == 0)
		plan->lower_bound = loom_plan_contention(plan); // 1, or 0 where there is but one stage
	free(member_of_pass);
	release(&s);
	return rc;
}

const struct loom_planner loom_planner_min_passes = {
	.name = "min_passes",
	.help = "any messages on a multistage network, in few passes without conflict (colouring)",
	.accepts = accepts,
	.plan = plan_min_passes,
	.bound = LOOM_BOUND_ANY,
};
