// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs several passes with barriers from one start, with contention and without; switches are set by themselves or by
// the host.
#include <string.h>

#include "e2e.h"

enum where { CUBE, STAGES, BOTH_WAYS, OTHER };

static const struct {
	enum where where;
	uint32_t least, most; // nodes
	const char *spec, *planner, *map;
	uint32_t flits;
	bool paper, preset;
} runs[] = {
	{CUBE, 8, 8, "all-to-all", "exchange", NULL, 1, false, false},
	{CUBE, 8, 8, "all-to-all", "exchange", NULL, 20, true, false},
	{CUBE, 16, 16, "all-to-all", "exchange", NULL, 2, false, false},
	{CUBE, 32, 32, "all-to-all", "exchange", NULL, 5, true, false},
	{CUBE, 64, 64, "all-to-all", "exchange", NULL, 3, false, false},
	{CUBE, 16, 16, "random-perm", "two_pass", NULL, 9, false, false},
	{CUBE, 32, 32, "random-perm", "two_pass", NULL, 9, true, false},
	{CUBE, 16, 16, "fft", NULL, "best", 6, false, false},
	{CUBE, 16, 16, "example5", NULL, "identity", 6, true, false},
	{STAGES, 8, 8, "all-to-all", "min_passes", NULL, 1, false, false},
	{STAGES, 8, 8, "fft", "direct", NULL, 4, true, false},
	{STAGES, 8, 8, "all-to-all", "min_passes", NULL, 7, false, false},
	{STAGES, 8, 8, "all-to-all", "min_passes", NULL, 10, true, false},
	{STAGES, 8, 8, "all-to-all", "min_passes", NULL, 13, false, true},
	{STAGES, 8, 8, "all-to-all", "min_passes", NULL, 16, true, true},
	{BOTH_WAYS, 4, 64, "random-perm", "two_pass", NULL, 1, false, false},
	{BOTH_WAYS, 4, 64, "random-perm", "two_pass", NULL, 9, true, false},
	{BOTH_WAYS, 4, 64, "bit-reverse", "two_pass", NULL, 12, false, true},
	{OTHER, 3, 24, "all-to-all", "greedy", NULL, 2, false, false},
	{OTHER, 3, 24, "all-to-all", "greedy", NULL, 7, true, false},
};

static enum where where_is(const struct loom_topo *topo)
{
	return is_cube(topo) ? CUBE : topo->kind->two_directions ? BOTH_WAYS : is_multistage(topo) ? STAGES : OTHER;
}

static bool runs_at(const struct loom_topo *topo, size_t i)
{
	return runs[i].where == where_is(topo) && topo->n_nodes >= runs[i].least && topo->n_nodes <= runs[i].most;
}

static bool has_runs(const struct loom_topo *topo)
{
	for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++)
		if (runs_at(topo, i))
			return true;
	return false;
}

// The chip takes eight cycles before the first pass, and eleven from the last tail of a pass to the next pass, which
// begins seventeen after this one at the earliest.
static uint64_t cycles_of(const struct run *run)
{
	uint64_t cycles = 8;
	for (uint32_t pass = 0; pass < run->plan.n_passes; pass++) {
		uint64_t last = 0;
		for (size_t k = 0; k < run->trace.n_arrivals; k++)
			if (run->trace.arrivals[k].pass == pass && run->trace.arrivals[k].last_cycle > last)
				last = run->trace.arrivals[k].last_cycle;
		cycles += pass == run->plan.n_passes - 1 ? last : last > 6 ? last + 11 : 17;
	}
	return cycles;
}

static void check_cycles(struct e2e *t, const struct run *run, const char *spec)
{
	const struct loom_plan *plan = &run->plan;
	uint64_t measured = run->verdict.measured_back_to_back_cycles, expected = cycles_of(run),
		 predicted = run->verdict.predicted_back_to_back_cycles;
	check(t, plan->n_passes > 1 && measured == expected,
	      "%s back to back on %s: %u passes, %" PRIu64 " cycles, not %" PRIu64, spec, plan->topo.name,
	      plan->n_passes, measured, expected);
	check(t, predicted == expected, "%s back to back on %s: %" PRIu64 " predicted", spec, plan->topo.name,
	      predicted);
}

// Checks that channels carry the same in each pass when each pass has a start of its own, and a run with the chip's
// counters all to itself.
static void check_counts(struct e2e *t, struct rig *rig, const struct run *run,
                         const struct loom_image_options *options, const char *spec)
{
	const struct loom_plan *plan = &run->plan;
	struct loom_trace trace = {0};
	struct loom_verdict verdict = {0};
	bool ran = loom_run_plan(&trace, &verdict, rig->device, plan, options, NULL, NULL) == 0;
	check(t,
	      ran && trace.back_to_back == NULL &&
	              memcmp(trace.counts, run->trace.counts,
	                     (size_t)plan->n_passes * trace.n_channels * sizeof *trace.counts) == 0,
	      "%s pass by pass on %s: other counts", spec, plan->topo.name);
	loom_verdict_free(&verdict);
	loom_trace_free(&trace);
}

static void test_back_to_back(struct e2e *t, struct rig *rig, struct loom_rng *rng)
{
	(void)rng;
	for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
		struct run run = {0};
		const struct loom_image_options image = {.machine =
		                                                 runs[i].paper ? LOOM_MACHINE_PAPER : LOOM_MACHINE_FAST,
		                                         .preset = runs[i].preset,
		                                         .seed = i};
		if (runs_at(&rig->topo, i) && parse(t, &run, rig, runs[i].spec, runs[i].flits, t->seed) &&
		    plan(t, &run, rig, runs[i].planner, runs[i].map) &&
		    check(t, rig_run_image(rig, &run, &image), "%s does not run on %s", runs[i].spec, rig->fabric)) {
			check_verdict(t, &run, "back to back", i);
			check_cycles(t, &run, runs[i].spec);
			check_counts(t, rig, &run, &image, runs[i].spec);
		}
		run_free(&run);
	}
}

const struct subject back_to_back = {"back to back", has_runs, test_back_to_back};
