// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Random permutations with a plan and without one, on verilated networks: the table of docs/passes.md. Usage
//   bench_passes [perms=N] FABRIC ...
// Planned: of all planners' plans in which no message waits the one with the fewest cycles, passes back to back, barriers
// included. Unplanned: planner ad_hoc. Both are measured from one START to
// the last tail, on the same permutations, and must pass their verdict. Then from which of the lengths on the plan is faster on the
// mean, at that length and all larger ones.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/back_to_back.h>
#include <flitloom/planner.h>

#include "../../tests/e2e/rig.h"

enum { PLANNED, UNPLANNED, N_WAYS };
static const uint32_t lengths[] = {1, 16, 24, 32, 48, 64, 256};
enum { N_LENGTHS = sizeof lengths / sizeof lengths[0] };

// Per length: true if the plan is faster on the mean.
struct outcome {
	const char *fabric;
	bool pays[N_LENGTHS];
};

// A run of one pass is not made back to back: its cycles count from the first flits, so what comes before is added.
static uint64_t from_start(const struct run *run)
{
	return run->plan.n_passes > 1 ? run->verdict.measured_back_to_back_cycles
	                              : run->verdict.measured_cycles + LOOM_READY_CYCLES;
}

static int plan_by(struct loom_plan *out, const struct rig *rig, const struct loom_pattern *pattern,
                   const char *planner, struct loom_err *err)
{
	const struct loom_plan_options by = {.planner = planner, .map = "identity"};
	return loom_plan_make(out, &rig->topo, pattern, &by, err);
}

// Counts the cycles of a plan in which no message waits, with a barrier at each pass.
static uint64_t cycles_with_barriers(const struct loom_plan *plan)
{
	uint64_t sum = 0;
	for (uint32_t pass = 0; pass < plan->n_passes; pass++)
		sum += LOOM_READY_CYCLES + plan->cycles[pass] + LOOM_NOTICE_CYCLES;
	return sum;
}

// Makes the plan with the fewest cycles of all in which no message waits.
static int plan_apart(struct loom_plan *out, const struct rig *rig, const struct loom_pattern *pattern,
                      struct loom_err *err)
{
	const struct loom_planner *planner;
	uint64_t least = UINT64_MAX;
	for (size_t i = 0; (planner = loom_planner_at(i)); i++) {
		struct loom_plan plan;
		if (planner->only_by_name || !planner->accepts(&rig->topo, pattern) || // not for every chip
		    plan_by(&plan, rig, pattern, planner->name, err) != 0)
			continue;
		const uint64_t cycles = loom_plan_contention(&plan) > 1 ? UINT64_MAX : cycles_with_barriers(&plan);
		if (cycles < least) {
			loom_plan_free(out);
			*out = plan;
			least = cycles;
		} else {
			loom_plan_free(&plan);
		}
	}
	return least == UINT64_MAX ? LOOM_EINPUT : 0;
}

static bool measure(uint64_t *cycles, uint32_t *passes, struct rig *rig, unsigned way, uint32_t flits, uint64_t seed)
{
	const struct loom_pattern_options options = {.flits = flits, .seed = seed};
	struct loom_err err = {0};
	struct run run = {0};
	bool good = loom_pattern_parse(&run.pattern, "random-perm", rig->topo.n_nodes, &options, &err) == 0;
	if (good)
		good = (way == PLANNED ? plan_apart(&run.plan, rig, &run.pattern, &err)
		                       : plan_by(&run.plan, rig, &run.pattern, "ad_hoc", &err)) == 0;
	if (!good)
		printf("FAIL %s: %s\n", rig->fabric, err.text);
	good = good && rig_run_plan(rig, &run, LOOM_MACHINE_FAST, seed);
	if (good && run.verdict.n_mismatches != 0)
		printf("FAIL %s by %s: %s\n", rig->fabric, run.plan.planner, run.verdict.mismatches[0]);
	good = good && run.verdict.n_mismatches == 0;
	*cycles = good ? from_start(&run) : 0;
	*passes = run.plan.n_passes;
	run_free(&run);
	return good;
}

static bool row(bool *pays, struct rig *rig, uint32_t flits, unsigned perms)
{
	uint64_t cycles[N_WAYS], sum[N_WAYS] = {0}, sum_passes[N_WAYS] = {0};
	unsigned faster = 0;
	for (unsigned seed = 1; seed <= perms; seed++) {
		for (unsigned w = 0; w < N_WAYS; w++) {
			uint32_t passes;
			if (!measure(&cycles[w], &passes, rig, w, flits, seed))
				return false;
			sum[w] += cycles[w];
			sum_passes[w] += passes;
		}
		faster += cycles[PLANNED] < cycles[UNPLANNED];
	}
	double n = perms;
	printf("| `%s` | %" PRIu32 " | %.1f | %.0f | %.1f | %.0f | %.2f | %u |\n", rig->fabric, flits,
	       (double)sum_passes[PLANNED] / n, (double)sum[PLANNED] / n, (double)sum_passes[UNPLANNED] / n,
	       (double)sum[UNPLANNED] / n, (double)sum[PLANNED] / (double)sum[UNPLANNED], faster);
	*pays = sum[PLANNED] < sum[UNPLANNED];
	return true;
}

static bool measure_fabric(struct outcome *out, const char *fabric, unsigned perms)
{
	struct rig rig;
	bool good = rig_open(&rig, fabric, NULL);
	if (!good)
		return false;
	out->fabric = fabric;
	for (size_t k = 0; good && k < N_LENGTHS; k++)
		good = row(&out->pays[k], &rig, lengths[k], perms);
	rig_close(&rig);
	return good;
}

static void put_outcome(const struct outcome *outcome)
{
	size_t first = N_LENGTHS; // from here on it pays
	while (first > 0 && outcome->pays[first - 1])
		first--;
	printf("| `%s` | ", outcome->fabric);
	if (first == N_LENGTHS)
		printf("none of the lengths");
	else
		printf("%" PRIu32, lengths[first]);
	if (first == 0 || first == N_LENGTHS)
		printf(" | |\n");
	else
		printf(" | %" PRIu32 " |\n", lengths[first - 1]);
}

int main(int argc, char **argv)
{
	unsigned perms = 100;
	(void)setvbuf(stdout, NULL, _IOLBF, 0);
	for (int i = 1; i < argc; i++)
		if (strncmp(argv[i], "perms=", 6) == 0)
			perms = (unsigned)strtoul(argv[i] + 6, NULL, 0);
	printf("| fabric | flits | passes, planned | cycles, planned | passes, unplanned | cycles, unplanned | planned "
	       "/ "
	       "unplanned | planned is faster, of %u |\n| --- | --- | --- | --- | --- | --- | --- | --- |\n",
	       perms);
	struct outcome *outcomes = calloc((size_t)argc, sizeof *outcomes);
	size_t n = 0;
	bool good = outcomes != NULL;
	for (int i = 1; good && i < argc; i++)
		if (!strchr(argv[i], '='))
			good = measure_fabric(&outcomes[n++], argv[i], perms);
	if (good)
		printf("\n| fabric | a plan pays from (flits) | not yet at |\n| --- | --- | --- |\n");
	for (size_t i = 0; good && i < n; i++)
		put_outcome(&outcomes[i]);
	free(outcomes);
	return good ? 0 : 1;
}
