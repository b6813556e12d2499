// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "machine_check.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <flitloom/machine.h>

static uint64_t compared[3];

void machine_compared(uint64_t out[3])
{
	for (int i = 0; i < 3; i++)
		out[i] = compared[i];
}

// A comparison, of which only the first difference is printed.
struct comparison {
	const char *fabric;
	const struct loom_plan *plan;
	bool differs;
};

static void __attribute__((format(printf, 2, 3))) differ(struct comparison *c, const char *format, ...)
{
	va_list list;
	if (c->differs)
		return;
	c->differs = true;
	printf("FAIL %s %s %s: the machine and the RTL differ: ", c->fabric, c->plan->pattern, c->plan->planner);
	va_start(list, format);
	(void)vprintf(format, list);
	va_end(list);
	(void)putchar('\n');
}

static void compare_arrivals(struct comparison *c, const struct loom_trace *x, const struct loom_trace *y)
{
	if (x->n_arrivals != y->n_arrivals)
		differ(c, "%zu arrivals, %zu", x->n_arrivals, y->n_arrivals);
	for (size_t i = 0; !c->differs && i < x->n_arrivals; i++) {
		const struct loom_arrival *a = &x->arrivals[i], *b = &y->arrivals[i];
		if (a->node != b->node || a->source != b->source || a->number != b->number ||
		    a->destination != b->destination || a->pass != b->pass || a->logged_pass != b->logged_pass ||
		    a->flits != b->flits || a->intact != b->intact || a->rule != b->rule ||
		    a->keep_slot != b->keep_slot || a->release != b->release || a->first_cycle != b->first_cycle ||
		    a->last_cycle != b->last_cycle)
			differ(c,
			       "node %u: message %u of %u for %u in pass %u (%u), %u flits, released %u, cycles %u to "
			       "%u; "
			       "node %u: message %u of %u for %u in pass %u (%u), %u flits, released %u, cycles %u to "
			       "%u",
			       a->node, a->number, a->source, a->destination, a->pass, a->logged_pass, a->flits,
			       a->release, a->first_cycle, a->last_cycle, b->node, b->number, b->source, b->destination,
			       b->pass, b->logged_pass, b->flits, b->release, b->first_cycle, b->last_cycle);
	}
	compared[1] += x->n_arrivals;
}

static void compare_counts(struct comparison *c, const struct loom_count *x, const struct loom_count *y, size_t n)
{
	for (size_t i = 0; !c->differs && i < n; i++)
		if (x[i].worms != y[i].worms || x[i].flits != y[i].flits || x[i].blocked_cycles != y[i].blocked_cycles)
			differ(c, "count %zu: %u messages, %u flits, %u blocked; %u, %u, %u", i, x[i].worms, x[i].flits,
			       x[i].blocked_cycles, y[i].worms, y[i].flits, y[i].blocked_cycles);
	compared[2] += n;
}

// In a free run a chip counts blocked cycles in the pass whose worms the channel carried last.
static void join_blocked(const struct loom_trace *t)
{
	for (size_t c = 0; c < t->n_channels; c++)
		for (size_t pass = 1; pass < t->n_passes; pass++) {
			t->counts[c].blocked_cycles += t->counts[pass * t->n_channels + c].blocked_cycles;
			t->counts[pass * t->n_channels + c].blocked_cycles = 0;
		}
}

static void compare_releases(struct comparison *c, const struct loom_trace *x, const struct loom_trace *y)
{
	if (!x->released != !y->released)
		differ(c, "releases are told by one alone");
	for (size_t u = 0; !c->differs && x->released && u <= x->n_nodes; u++)
		if (x->first_entry[u] != y->first_entry[u])
			differ(c, "node %zu has another number of entries", u);
	for (size_t e = 0; !c->differs && x->released && e < x->first_entry[x->n_nodes]; e++)
		if (x->released[e] != y->released[e])
			differ(c, "entry %zu begins in cycle %u; %u", e, x->released[e], y->released[e]);
}

static void compare_nodes(struct comparison *c, const struct loom_trace *x, const struct loom_trace *y)
{
	for (uint32_t u = 0; u < x->n_nodes; u++)
		if (x->sent[u] != y->sent[u] || x->corrupt[u] != y->corrupt[u])
			differ(c, "node %u sent %u messages, %u", u, x->sent[u], y->sent[u]);
}

bool machine_agrees(const char *fabric, const struct loom_plan *plan, const struct loom_image_options *options,
                    const struct loom_trace *trace)
{
	struct comparison c = {.fabric = fabric, .plan = plan};
	const struct loom_machine_options with = {.image = *options,
	                                          .run = {.back_to_back = trace->back_to_back != NULL}};
	struct loom_trace computed;
	struct loom_err err = {0};
	if (loom_machine_run(&computed, plan, &with, &err) != 0) {
		differ(&c, "%s", err.text);
		return false;
	}
	const size_t n_channels = computed.n_channels;
	if (computed.n_nodes != trace->n_nodes || n_channels != trace->n_channels ||
	    computed.n_passes != trace->n_passes)
		differ(&c, "they have other shapes");
	compare_arrivals(&c, &computed, trace);
	if (plan->free_running) {
		join_blocked(&computed);
		join_blocked(trace);
	}
	compare_counts(&c, computed.counts, trace->counts, n_channels * computed.n_passes);
	compare_nodes(&c, &computed, trace);
	compare_releases(&c, &computed, trace);
	if (trace->back_to_back && !computed.back_to_back)
		differ(&c, "the passes ran back to back on the RTL alone");
	if (trace->back_to_back && computed.back_to_back) {
		compare_arrivals(&c, computed.back_to_back, trace->back_to_back);
		compare_counts(&c, computed.back_to_back->counts, trace->back_to_back->counts, n_channels);
		compare_releases(&c, computed.back_to_back, trace->back_to_back);
		if (computed.back_to_back->began != trace->back_to_back->began)
			differ(&c, "the last pass began in cycle %" PRIu64 "; %" PRIu64, computed.back_to_back->began,
			       trace->back_to_back->began);
	}
	compared[0]++;
	loom_trace_free(&computed);
	return !c.differs;
}
