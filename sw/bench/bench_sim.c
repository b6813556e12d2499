// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Speed of verilated fabrics with nodes and monitors, all messages in one pass and every node always having one of 20
// flits to send; the same fabrics under random traffic, its messages streamed in and out; and how long their models take to
// build: usage
//   bench_sim [FABRIC...]
//   bench_sim --ratio FABRIC
// The second says how fast streamed traffic is simulated beside messages that were loaded before, with as many channels busy;
// the status is 1 if it is too slow (docs/load.md). A model that is in the cache (FLITLOOM_CACHE) is not built. What mesh:16x16
// has to reach is said with it.
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include <flitloom/back_to_back.h>
#include <flitloom/machine.h>
#include <flitloom/run.h>
#include <flitloom/traffic.h>

#include "base/rng.h"

#define FLITS 20u
#define MESSAGES_PER_NODE 200u
#define STREAM_LOAD 0.3
#define RATIO_ROUNDS 9
#define RATIO_TARGET 0.9
#define MACHINE_ROUNDS 5
#define IDLE_CYCLES 20000u
#define JUDGED "mesh:16x16"
#define BUILD_TARGET_S 90.0
#define SPEED_TARGET 20000.0 // cycles/s, uniform

// The simulated link, with a clock around the cycles that it is asked to run.
static struct {
	struct loom_link_kind kind;
	double run_s;
	uint64_t run_cycles;
	double stream_from_s, stream_to_s; // the first cycles that were streamed begin, the last ones end
} meter;

// The cost of the cycles of a run in which the network works: microseconds for a cycle, and channels that carry a flit.
struct cost {
	double us, busy;
};

static double now_s(void)
{
	struct timespec t;
	(void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double wall_s(void)
{
	struct timespec t;
	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

// The processor time of all that was started and has ended, so of the compilers.
static double children_s(void)
{
	struct rusage r;
	(void)getrusage(RUSAGE_CHILDREN, &r);
	return (double)r.ru_utime.tv_sec + (double)r.ru_utime.tv_usec / 1e6;
}

static const struct loom_link_kind *metered;

static int metered_run(struct loom_link *link, uint64_t n_cycles, struct loom_err *err)
{
	double start = now_s();
	int code = metered->run(link, n_cycles, err);
	meter.run_s += now_s() - start;
	meter.run_cycles += n_cycles;
	return code;
}

static int metered_stream(struct loom_link *link, struct loom_stream *stream, uint64_t n_cycles, struct loom_err *err)
{
	if (meter.stream_from_s == 0)
		meter.stream_from_s = now_s();
	int code = metered->stream(link, stream, n_cycles, err);
	meter.stream_to_s = now_s();
	meter.run_cycles += n_cycles;
	return code;
}

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
	       name, topo->name, (unsigned long long)meter.run_cycles, speed, accepted, crossings,
	       good ? "pass" : "FAIL");
}

// Random traffic at this load. The time is that of everything: messages are made, fed, taken out and checked. With `cost`
// nothing is printed, and the time is that from the first cycle to the last one.
static int stream(struct loom_device *device, const struct loom_topo *topo, double load, struct cost *cost)
{
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
	meter.run_cycles = 0;
	meter.stream_from_s = 0;
	if (loom_traffic_parse(&traffic, "uniform", topo, &pattern_options, &err))
		return fail(&err);
	double start = now_s();
	if (loom_load_run(&point, device, topo, &traffic, map, &options, &err))
		return fail(&err);
	double run_s = now_s() - start;
	if (loom_device_counts(device, &pass, counts, &err))
		return fail(&err);
	for (uint32_t c = 0; c < loom_topo_channels(topo); c++)
		crossings += counts[c].flits;
	if (cost) {
		*cost = (struct cost){.us = (meter.stream_to_s - meter.stream_from_s) * 1e6 / (double)meter.run_cycles,
		                      .busy = crossings / (double)meter.run_cycles};
	} else {
		(void)snprintf(name, sizeof name, "at load %.2f", load);
		tell(name, topo, (double)meter.run_cycles / run_s, point.accepted, crossings / (double)meter.run_cycles,
		     point.n_mismatches == 0);
		putchar('\n');
		fflush(stdout);
	}
	loom_traffic_free(&traffic);
	free(counts);
	free(map);
	return point.n_mismatches != 0;
}

// The time of a cycle in which the network stands still.
static double idle_s(struct loom_link *link, struct loom_err *err)
{
	double start = now_s();
	return metered->run(link, IDLE_CYCLES, err) ? 0 : (now_s() - start) / IDLE_CYCLES;
}

// The machine computes the same run, at once after it: the least of a few times, from the plan to its cycles.
static int tell_machine(const struct loom_plan *plan, uint64_t measured, double rtl, struct loom_err *err)
{
	double least_s = HUGE_VAL;
	uint64_t cycles = 0;
	for (int i = 0; i < MACHINE_ROUNDS; i++) {
		const double start = now_s();
		if (loom_machine_cycles(&cycles, plan, LOOM_MACHINE_FAST, err))
			return fail(err);
		least_s = fmin(least_s, now_s() - start);
	}
	const double speed = (double)measured / least_s;
	printf("; computed: %.0f cycles/s, %.0f times", speed, speed / rtl);
	return cycles == measured + LOOM_READY_CYCLES ? 0 : 1;
}

// With `cost` nothing is printed; the host runs the chip for longer than the pass lasts, and those cycles are not counted.
static int run(struct loom_device *device, struct loom_link *link, const struct loom_topo *topo, const char *name,
               int uniform, struct cost *cost)
{
	struct loom_err err = {0};
	struct loom_pattern pattern = {0};
	struct loom_plan plan = {0};
	struct loom_trace trace = {0};
	struct loom_verdict verdict = {0};
	struct loom_rng rng;
	size_t n = (size_t)topo->n_nodes * MESSAGES_PER_NODE;
	int failed = 0;
	struct loom_message *messages = calloc(n, sizeof *messages);
	if (!messages)
		return 1;
	loom_rng_init(&rng, 1);
	for (size_t i = 0; i < n; i++) {
		uint32_t x = (uint32_t)(i % topo->n_nodes), y = 0;
		for (unsigned k = 0; k < topo->label_bits; k++)
			y |= (x >> k & 1) << (topo->label_bits - 1 - k);
		messages[i] =
			(struct loom_message){x, uniform ? (uint32_t)loom_rng_below(&rng, topo->n_nodes) : y, FLITS, 0};
	}
	const struct loom_plan_options plan_options = {.map = "identity", .planner = "direct"};
	const struct loom_image_options image_options = {.machine = LOOM_MACHINE_FAST, .seed = 1};
	meter.run_s = 0;
	meter.run_cycles = 0;
	if (loom_pattern_from_messages(&pattern, name, topo->n_nodes, messages, n, &err) ||
	    loom_plan_make(&plan, topo, &pattern, &plan_options, &err) ||
	    loom_run_plan(&trace, &verdict, device, &plan, &image_options, NULL, &err))
		return fail(&err);
	double speed = (double)meter.run_cycles / meter.run_s, crossings = 0;
	for (uint32_t c = 0; c < trace.n_channels; c++)
		crossings += trace.counts[c].flits;
	if (cost) {
		double cycles = (double)verdict.measured_cycles, idle = (double)meter.run_cycles - cycles;
		*cost = (struct cost){.us = (meter.run_s - idle * idle_s(link, &err)) * 1e6 / cycles,
		                      .busy = crossings / cycles};
	} else {
		tell(name, topo, speed,
		     (double)verdict.delivered_flits / (double)verdict.measured_cycles / topo->n_nodes,
		     crossings / (double)meter.run_cycles, verdict.n_mismatches == 0);
		if (uniform && strcmp(topo->name, JUDGED) == 0)
			printf("  target %.0f cycles/s %s", SPEED_TARGET, speed >= SPEED_TARGET ? "met" : "MISSED");
		failed = tell_machine(&plan, verdict.measured_cycles, speed, &err);
		putchar('\n');
		fflush(stdout);
	}
	failed |= verdict.n_mismatches != 0;
	loom_verdict_free(&verdict);
	loom_trace_free(&trace);
	loom_plan_free(&plan);
	loom_pattern_free(&pattern);
	free(messages);
	return failed;
}

// On a machine that is busy with other work the time on the clock says nothing. Two idle cores take half of the
// processor time at least, and not much more: all but Verilator itself is spread over both.
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

static bool has_reversal(const struct loom_topo *topo)
{
	return topo->n_nodes == UINT32_C(1) << topo->label_bits;
}

static double least(double a, double b)
{
	return a < b ? a : b;
}

// Rounds of the streamed run and of the two patterns with loaded messages; the line through these two says what a cycle costs
// with as many channels busy. Other work on the machine only ever makes a run slower, so the least of each is taken.
static int ratio(struct loom_device *device, struct loom_link *link, const struct loom_topo *topo)
{
	struct cost streamed, few, many;
	double streamed_us = HUGE_VAL, few_us = HUGE_VAL, many_us = HUGE_VAL;
	if (!has_reversal(topo) || !metered->stream) {
		fprintf(stderr, "bench_sim: --ratio takes a simulated fabric with 2^n nodes, not %s\n", topo->name);
		return 1;
	}
	for (int i = 0; i < RATIO_ROUNDS; i++) {
		if (run(device, link, topo, "bit-reverse", 0, &few) || stream(device, topo, STREAM_LOAD, &streamed) ||
		    run(device, link, topo, "uniform", 1, &many))
			return 1;
		printf("%s  us/cycle: bit-reverse %.2f with %.0f channels busy, uniform %.2f with %.0f; streamed %.2f "
		       "with "
		       "%.0f\n",
		       topo->name, few.us, few.busy, many.us, many.busy, streamed.us, streamed.busy);
		fflush(stdout);
		few_us = least(few_us, few.us);
		streamed_us = least(streamed_us, streamed.us);
		many_us = least(many_us, many.us);
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

static int bench(const char *fabric, bool ratio_only)
{
	struct loom_err err = {0};
	struct loom_topo topo;
	struct loom_link link = {0};
	struct loom_device *device = NULL;
	const struct loom_link_options options = {.fabric = fabric};
	if (loom_topo_parse(&topo, fabric, &err))
		return fail(&err);
	double start = wall_s(), started = children_s();
	if (loom_link_open(&link, "sim", &options, &err))
		return fail(&err);
	tell_build(fabric, wall_s() - start, children_s() - started);
	metered = link.kind;
	meter.kind = *link.kind;
	meter.kind.run = metered_run;
	meter.kind.stream = metered->stream ? metered_stream : NULL;
	link.kind = &meter.kind;
	if (loom_device_open(&device, &link, &err))
		return fail(&err);
	int failed = 0;
	if (ratio_only) {
		failed = ratio(device, &link, &topo);
	} else {
		failed |= has_reversal(&topo) ? run(device, &link, &topo, "bit-reverse", 0, NULL) : 0;
		failed |= run(device, &link, &topo, "uniform", 1, NULL);
		failed |= metered->stream ? stream(device, &topo, STREAM_LOAD, NULL) : 0;
	}
	loom_device_close(device);
	loom_link_close(&link);
	loom_topo_free(&topo);
	return failed;
}

int main(int argc, char **argv)
{
	static const char *const usual[] = {"cube:8", "omega:256"};
	int failed = 0;
	if (argc == 3 && strcmp(argv[1], "--ratio") == 0)
		return bench(argv[2], true);
	if (argc < 2)
		for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
			failed |= bench(usual[i], false);
	for (int i = 1; i < argc; i++)
		failed |= bench(argv[i], false);
	return failed;
}
