// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Random programs of sends, waits, delays and cycles to wait for. Every message's release, first and last cycle, and
// every channel's counts must be those of the slow reference machine. Each program runs in both timings.
#include "unit/help/random_programs.h"
#include "unit/help/timed_reference.h"
#include "e2e.h"

#include <flitloom/link/image.h>

// Counts the messages whose cycles are not those of the reference machine.
static size_t compare_messages(const struct timed_reference *c, const struct loom_trace *trace)
{
	const struct loom_plan *plan = c->plan;
	size_t wrong = 0;
	uint32_t *entry = calloc(plan->n_messages + 1, sizeof *entry);
	if (!entry || loom_image_numbers(entry, plan, NULL) != 0)
		abort();
	for (size_t i = 0; i < plan->n_messages; i++) {
		const struct ref_arrival *r = c->number[i] == SIZE_MAX ? NULL : &c->arrivals[c->number[i]];
		const struct loom_arrival *a = NULL;
		for (size_t k = 0; k < trace->n_arrivals; k++)
			if (trace->arrivals[k].source == plan->map[plan->messages[i].source] &&
			    trace->arrivals[k].number == entry[i])
				a = &trace->arrivals[k];
		wrong += !a != !r || (a && (a->release != r->offer_cycle || a->first_cycle != r->first_cycle ||
		                            a->last_cycle != r->done_cycle));
	}
	free(entry);
	return wrong;
}

static size_t compare_channels(const struct timed_reference *c, const struct loom_trace *trace)
{
	size_t wrong = 0;
	for (size_t k = 0; k < trace->n_channels; k++) {
		const struct loom_count *count = &trace->counts[k];
		const struct ref_channel *r = &c->channels[k];
		wrong += count->worms != r->n_worms || count->flits != r->n_flits ||
		         count->blocked_cycles != r->n_blocked;
	}
	return wrong;
}

// Counts the entries of programs that began in other cycles.
static size_t compare_entries(const struct timed_reference *c, const struct loom_trace *trace)
{
	size_t wrong = 0;
	for (uint32_t node = 0; node < trace->n_nodes; node++) {
		const struct ref_program *p = &c->programs[node];
		if (trace->first_entry[node + 1] - trace->first_entry[node] != p->n)
			return SIZE_MAX;
		for (size_t i = 0; i < p->n; i++)
			wrong += trace->released[trace->first_entry[node] + i] != *p->entry[i].begin;
	}
	return wrong;
}

static void compare(struct e2e *t, const struct run *run, enum loom_machine machine, unsigned i)
{
	const char *timing = machine == LOOM_MACHINE_PAPER ? "paper" : "fast";
	size_t entries = 0, messages = 0, channels = 0;
	struct timed_reference c;
	timed_reference_make(&c, &run->plan, machine);
	int code = timed_reference_run(&c);
	if (code == 0) {
		entries = compare_entries(&c, &run->trace);
		messages = compare_messages(&c, &run->trace);
		channels = compare_channels(&c, &run->trace);
	}
	check(t, code == 0 && entries == 0 && messages == 0 && channels == 0,
	      "program %u on %s, %s, seed %" PRIu64
	      ": the reference ends with %d; %zu entries began and %zu messages came at "
	      "other cycles, %zu channels count otherwise",
	      i, run->plan.topo.name, timing, t->seed, code, entries, messages, channels);
	check(t, code != 0 || run->verdict.measured_cycles == timed_reference_end(&c),
	      "program %u on %s, %s, seed %" PRIu64 ": %" PRIu64 " cycles instead of %" PRIu64, i, run->plan.topo.name,
	      timing, t->seed, run->verdict.measured_cycles, timed_reference_end(&c));
	timed_reference_free(&c);
}

static void test_programs(struct e2e *t, struct rig *rig, struct loom_rng *rng)
{
	for (unsigned i = 0; i < t->programs; i++) {
		const uint32_t nodes = rig->topo.n_nodes;
		const struct random_programs what = {
			.n_nodes = nodes,
			.n_messages = 1 + loom_rng_below(rng, 12 * (uint64_t)nodes),
			.most_flits = loom_rng_below(rng, 3) ? 1 + (uint32_t)loom_rng_below(rng, 20) : 100,
			.most_cycles = 1 + (uint32_t)loom_rng_below(rng, 60)};
		struct run run = {.pattern = random_programs(&what, rng)};
		char map[1024] = "";
		uint32_t to[64] = {0};
		for (uint32_t v = 0; v < nodes && nodes <= 64; v++)
			to[v] = v;
		shuffle(rng, to, nodes);
		for (uint32_t v = 0; v < nodes; v++)
			(void)snprintf(map + strlen(map), sizeof map - strlen(map), "%s%u", v ? "," : "", to[v]);
		if (!plan(t, &run, rig, NULL, i % 2 ? map : "identity")) {
			run_free(&run);
			continue;
		}
		for (unsigned paper = 0; paper < 2; paper++) {
			enum loom_machine machine = paper ? LOOM_MACHINE_PAPER : LOOM_MACHINE_FAST;
			if (check(t, rig_run_plan(rig, &run, machine, loom_rng_next(rng)),
			          "program %u does not run on %s, seed %" PRIu64, i, rig->fabric, t->seed)) {
				check_verdict(t, &run, "program", i);
				compare(t, &run, machine, i);
			}
			loom_verdict_free(&run.verdict);
			loom_trace_free(&run.trace);
		}
		run_free(&run);
	}
}

static bool is_small(const struct loom_topo *topo)
{
	return topo->n_nodes <= 64;
}

const struct subject programs = {"random programs", is_small, test_programs};
