// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Speed of verilated fabrics with nodes and monitors, all messages in one pass and every node always having one of 20
// flits to send; the same fabrics under random traffic, its messages streamed in and out; and how long their models take to
// build: usage
//   bench_sim [FABRIC...]
//   bench_sim --rule RULE FABRIC...
//   bench_sim --ratio FABRIC
// The second has routers that choose, by an adaptive rule (docs/adaptive.md), and all messages loaded before; what cube:8 has to
// reach is said with it. The third says how fast streamed traffic is simulated beside messages that were loaded before, with as many channels busy;
// the status is 1 if it is too slow (docs/load.md). A model that is in the cache (FLITLOOM_CACHE) is not built. What mesh:16x16
// has to reach is said with it.
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/routes/choice.h>
#include <flitloom/run.h>
#include <flitloom/traffic.h>

#include "metered.h"

#define FLITS 20u
#define MESSAGES_PER_NODE 200u
#define STREAM_LOAD 0.3
#define RATIO_ROUNDS 9
#define RATIO_TARGET 0.9
#define IDLE_CYCLES 20000u
#define JUDGED "mesh:16x16"
#define BUILD_TARGET_S 90.0
#define SPEED_TARGET 20000.0 // cycles/s, uniform
#define CHOOSING "cube:8"    // judged by a rule by which routers choose
#define CHOOSING_TARGET 15000.0
#define ROUNDS 5 // of a row that is judged: the best one counts, as other work on the machine only slows a run

// The cost of the cycles of a run in which the network works: microseconds for a cycle, and channels that carry a flit.
struct cost {
	double us, busy;
};

static int fail(const struct loom_err *err)
{
	fprintf(stderr, "bench_sim: %s\n", err->text);
	return 1;
}

static void tell(const char *name, const struct loom_topo *topo, double speed, double accepted, double crossings,
                 bool good)
{
	printf("%-12s %-8s %8llu cycles  %9.0f cycles/s (CPU time, one core)  %.3f flits/cycle/node  %.0f channels "
	       "busy  verdict %s",
	       name, topo->name, (unsigned long long)metered_read().cycles, speed, accepted, crossings,
	       good ? "pass" : "FAIL");
}

// Random traffic at this load. The time is that of everything: messages are made, fed, taken out and checked. With `cost`
// nothing is printed, and the time is that from the first cycle to the last one.
static int stream(struct metered *fabric, double load, struct cost *cost)
{
	const struct loom_topo *topo = &fabric->topo;
	struct loom_err err = {0};
	struct loom_traffic traffic;
	struct loom_load_point point;
	const struct loom_pattern_options pattern_options = {.flits = FLITS};
	const struct loom_load_options options = {.load = load,
	                                          .flits = FLITS,
	                                          .seed = 1,
	                                          .warmup_cycles = 2000,
	                                          .measure_cycles = 20000,
	                                          .latency_limit = 1e6};
	struct loom_count *counts = calloc(loom_topo_channels(topo), sizeof *counts);
	uint32_t *map = calloc(topo->n_nodes, sizeof *map), pass;
	double crossings = 0;
	char name[16];
	if (!counts || !map)
		return 1;
	for (uint32_t v = 0; v < topo->n_nodes; v++)
		map[v] = v;
	metered_reset();
	if (loom_traffic_parse(&traffic, "uniform", topo, &pattern_options, &err))
		return fail(&err);
	double start = now_s();
	if (loom_load_run(&point, fabric->device, topo, &traffic, map, &options, &err))
		return fail(&err);
	double run_s = now_s() - start;
	const struct meter meter = metered_read();
	if (loom_device_counts(fabric->device, &pass, counts, &err))
		return fail(&err);
	for (uint32_t c = 0; c < loom_topo_channels(topo); c++)
		crossings += counts[c].flits;
	if (cost) {
		*cost = (struct cost){.us = (meter.stream_to_s - meter.stream_from_s) * 1e6 / (double)meter.cycles,
		                      .busy = crossings / (double)meter.cycles};
	} else {
		(void)snprintf(name, sizeof name, "at load %.2f", load);
		tell(name, topo, (double)meter.cycles / run_s, point.accepted, crossings / (double)meter.cycles,
		     point.n_mismatches == 0);
		putchar('\n');
		fflush(stdout);
	}
	loom_traffic_free(&traffic);
	free(counts);
	free(map);
	return point.n_mismatches != 0;
}

// The cycles/s that uniform traffic has to reach; 0: no row to judge.
static double target_of(const char *fabric, const char *rule)
{
	return strcmp(fabric, rule ? CHOOSING : JUDGED) ? 0 : rule ? CHOOSING_TARGET : SPEED_TARGET;
}

// By `rule`, or the fabric's own with NULL. With `cost` nothing is printed; the host runs the chip for longer than the pass
// lasts, and those cycles are not counted.
static int run(struct metered *fabric, const char *name, bool uniform, const char *rule, struct cost *cost)
{
	const struct loom_topo *topo = &fabric->topo;
	const struct loom_plan_options plan_options = {.map = "identity", .planner = "direct", .rule = rule};
	const struct loom_image_options image_options = {.machine = LOOM_MACHINE_FAST, .seed = 1};
	struct loom_err err = {0};
	struct loom_pattern pattern = {0};
	struct loom_plan plan = {0};
	struct loom_trace trace = {0};
	struct loom_verdict verdict = {0};
	struct meter meter = {0};
	const double target = uniform && !cost ? target_of(topo->name, rule) : 0;
	bool is_good = true;
	if (saturating_pattern(&pattern, topo, name, uniform, MESSAGES_PER_NODE, FLITS, &err) ||
	    loom_plan_make(&plan, topo, &pattern, &plan_options, &err))
		return fail(&err);
	for (int round = 0; round < (target > 0 ? ROUNDS : 1); round++) {
		loom_verdict_free(&verdict);
		loom_trace_free(&trace);
		metered_reset();
		if (loom_run_plan(&trace, &verdict, fabric->device, &plan, &image_options, NULL, &err))
			return fail(&err);
		is_good &= verdict.n_mismatches == 0;
		if (round == 0 || metered_read().run_s < meter.run_s)
			meter = metered_read();
	}
	double speed = (double)meter.cycles / meter.run_s, crossings = 0;
	for (uint32_t c = 0; c < trace.n_channels; c++)
		crossings += trace.counts[c].flits;
	if (cost) {
		double cycles = (double)verdict.measured_cycles, idle = (double)meter.cycles - cycles;
		*cost = (struct cost){.us = (meter.run_s - idle * metered_idle_s(fabric, IDLE_CYCLES, &err)) * 1e6 /
		                            cycles,
		                      .busy = crossings / cycles};
	} else {
		tell(rule ? rule : name, topo, speed,
		     (double)verdict.delivered_flits / (double)verdict.measured_cycles / topo->n_nodes,
		     crossings / (double)meter.cycles, is_good);
		if (target > 0)
			printf("  best of %d, target %.0f cycles/s %s", ROUNDS, target,
			       speed >= target ? "met" : "MISSED");
		putchar('\n');
		fflush(stdout);
	}
	loom_verdict_free(&verdict);
	loom_trace_free(&trace);
	loom_plan_free(&plan);
	loom_pattern_free(&pattern);
	return is_good ? 0 : 1;
}

// On a machine that is busy with other work the wall-clock time means nothing. On two idle cores it is at least half
// of the processor time, and not much more, because everything but Verilator itself runs on both.
static void tell_build(const char *fabric, double wall, double processor)
{
	if (processor < 1) {
		printf("model of %s: found in the cache (FLITLOOM_CACHE=$(mktemp -d) builds anew)\n", fabric);
	} else {
		printf("model of %s: built in %.1f s by the clock; %.1f s of processor time, half of it %.1f s", fabric,
		       wall, processor, processor / 2);
		if (strcmp(fabric, JUDGED) == 0)
			printf("  target %.0f s %s", BUILD_TARGET_S,
			       wall < BUILD_TARGET_S            ? "met"
			       : processor / 2 < BUILD_TARGET_S ? "met by half the processor time"
			                                        : "MISSED");
		putchar('\n');
	}
	fflush(stdout);
}

// Rounds of the streamed run and of the two patterns with loaded messages; the line through these two says what a cycle costs
// with as many channels busy. Other work on the machine only ever makes a run slower, so the least of each is taken.
static int ratio(struct metered *fabric)
{
	const struct loom_topo *topo = &fabric->topo;
	struct cost streamed, few, many;
	double streamed_us = HUGE_VAL, few_us = HUGE_VAL, many_us = HUGE_VAL;
	if (!has_reversal(topo) || !fabric->link.kind->stream) {
		fprintf(stderr, "bench_sim: --ratio takes a simulated fabric with 2^n nodes, not %s\n", topo->name);
		return 1;
	}
	for (int i = 0; i < RATIO_ROUNDS; i++) {
		if (run(fabric, "bit-reverse", false, NULL, &few) || stream(fabric, STREAM_LOAD, &streamed) ||
		    run(fabric, "uniform", true, NULL, &many))
			return 1;
		printf("%s  us/cycle: bit-reverse %.2f with %.0f channels busy, uniform %.2f with %.0f; streamed %.2f "
		       "with "
		       "%.0f\n",
		       topo->name, few.us, few.busy, many.us, many.busy, streamed.us, streamed.busy);
		fflush(stdout);
		few_us = fmin(few_us, few.us);
		streamed_us = fmin(streamed_us, streamed.us);
		many_us = fmin(many_us, many.us);
	}
	double loaded_us = few_us + (many_us - few_us) * (streamed.busy - few.busy) / (many.busy - few.busy);
	double got = loaded_us / streamed_us;
	printf("%s  the least of %d rounds: streamed at load %.1f %.0f cycles/s, loaded with as many channels busy "
	       "%.0f; ratio "
	       "%.3f, target %.2f %s\n",
	       topo->name, RATIO_ROUNDS, STREAM_LOAD, 1e6 / streamed_us, 1e6 / loaded_us, got, RATIO_TARGET,
	       got >= RATIO_TARGET ? "met" : "MISSED");
	return got < RATIO_TARGET;
}

static int bench(const char *name, const char *rule, bool ratio_only)
{
	struct loom_err err = {0};
	struct metered fabric;
	if (metered_open(&fabric, name, rule && loom_rule_is_adaptive(loom_rule_by_name(rule)), &err)) {
		metered_close(&fabric);
		return fail(&err);
	}
	tell_build(name, fabric.build_s, fabric.compilers_s);
	int failed = 0;
	if (ratio_only) {
		failed = ratio(&fabric);
	} else if (rule) {
		failed = run(&fabric, "uniform", true, rule, NULL);
	} else {
		failed |= has_reversal(&fabric.topo) ? run(&fabric, "bit-reverse", false, NULL, NULL) : 0;
		failed |= run(&fabric, "uniform", true, NULL, NULL);
		failed |= fabric.link.kind->stream ? stream(&fabric, STREAM_LOAD, NULL) : 0;
	}
	metered_close(&fabric);
	return failed;
}

int main(int argc, char **argv)
{
	static const char *const usual[] = {"cube:8", "omega:256"};
	const char *rule = NULL;
	int failed = 0, first = 1;
	if (argc == 3 && strcmp(argv[1], "--ratio") == 0)
		return bench(argv[2], NULL, true);
	if (argc > 3 && strcmp(argv[1], "--rule") == 0) {
		rule = argv[2];
		first = 3;
	}
	if (argc < 2)
		for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
			failed |= bench(usual[i], NULL, false);
	for (int i = first; i < argc; i++)
		failed |= bench(argv[i], rule, false);
	return failed;
}
