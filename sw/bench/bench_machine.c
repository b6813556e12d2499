// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Speed of the machine that computes runs (flitloom/machine.h), in turn with the same runs on the RTL, and with BookSim2 under the
// same kind of traffic; then what large networks take: usage
//   bench_machine [--booksim PROGRAM] [ROW...]
// A row is as printed, FABRIC/load, or FABRIC/PATTERN/FLITS of any fabric, PATTERN uniform or bit-reverse; without rows those with
// targets are run. Of the RTL and of the machine the cycles/s of
// processor time are those of the network alone, all messages loaded before; "whole" is the time from the plan to its cycles,
// routes included. BookSim2 is timed from its start to its end. The status is 1 if a target is missed or a cycle differs.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <flitloom/back_to_back.h>
#include <flitloom/machine.h>
#include <flitloom/run.h>
#include <flitloom/traffic.h>

#include "machine/network.h"
#include "machine/play.h"
#include "metered.h"

#define ROUNDS 5
#define OWN_MESSAGES 100u   // of each node
#define LATENCY_MOST 5000.0 // cycles
#define GIB_MOST 16.0

// Targets are multiples of the speeds of the RTL and of BookSim2; 0: none.
struct row {
	const char *fabric, *pattern;
	uint32_t flits, n_each;
	double target_rtl, target_booksim;
	const char *booksim; // settings of the same network
};

#define CUBE_8 "topology = mesh; k = 2; n = 8; routing_function = dim_order;"

static const struct row rows[] = {
	{"cube:8", "uniform", 20, 400, 80, 1000, CUBE_8 " traffic = uniform;"},
	{"cube:8", "bit-reverse", 20, 400, 250, 4000, CUBE_8 " traffic = bitrev;"},
	{"mesh:16x16", "uniform", 20, 200, 60, 0, NULL},
	{"omega:256", "uniform", 20, 400, 90, 0, NULL},
	{"torus:16x16v2", "uniform", 20, 200, 22, 0, NULL},
	{"torus:8x8v2", "uniform", 20, 400, 13, 0, NULL},
	{"cube:8", "uniform", 1, 1000, 2, 0, NULL},
};

// Networks that no RTL carries, under uniform traffic of 20 flits.
struct large {
	const char *name, *fabric;
	double load;     // flits per cycle and node
	uint64_t cycles; // of the measurement
	double target;   // cycles/s; 0: none
};

static const struct large larges[] = {{"cube:16/load", "cube:16", 0.3, 1000, 2500},
                                      {"cube:20/load", "cube:20", 0.3, 100, 0},
                                      {"mesh:1024x1024/load", "mesh:1024x1024", 0.001, 1000, 0}};

struct speeds {
	double rtl, alone, whole, booksim; // cycles/s
};

static int fail(const char *row, const struct loom_err *err)
{
	fprintf(stderr, "bench_machine: %s: %s\n", row, err->text);
	return 1;
}

static const char *judge(double got, double target, bool *missed)
{
	if (target <= 0)
		return "";
	*missed = *missed || got < target;
	return got < target ? " MISSED" : " met";
}

// The name of a row, which is valid until the next call.
static const char *name_of(const struct row *row)
{
	static char name[256];
	(void)snprintf(name, sizeof name, "%s/%s/%u", row->fabric, row->pattern, row->flits);
	return name;
}

// --- The machine ----------------------------------------------------------------------------------------------------

// The network alone: the programs and ways of the plan's one pass are made before the clock runs.
static int run_alone(double *s, const struct loom_plan *plan, struct loom_err *err)
{
	struct loom_machine_network network = {0};
	struct loom_play play = {0};
	enum loom_engine_state state = LOOM_ENGINE_TIME;
	int code = loom_machine_network_make(&network, &plan->topo, LOOM_RULE_ASCENDING, err);
	if (code == 0)
		code = loom_play_begin(&play, plan, true, err);
	if (code == 0)
		code = loom_play_pass_begin(&play, &network.net, loom_machine_engine(&network.net), false, 0, err);
	const double start = now_s();
	if (code == 0)
		code = play.kind->run(play.engine, &state, UINT32_MAX, err);
	*s = now_s() - start;
	if (code == 0 && state != LOOM_ENGINE_IDLE)
		code = loom_fail(err, LOOM_ESTUCK, "the machine does not end");
	if (play.kind)
		loom_play_pass_end(&play);
	loom_play_free(&play);
	loom_machine_network_free(&network);
	return code;
}

static int run_machine(struct speeds *best, const struct loom_plan *plan, uint64_t measured, struct loom_err *err)
{
	uint64_t cycles = 0;
	double alone = 0;
	const double start = now_s();
	int code = loom_machine_cycles(&cycles, plan, LOOM_MACHINE_FAST, err);
	const double whole = now_s() - start;
	if (code == 0)
		code = run_alone(&alone, plan, err);
	if (code == 0 && cycles != measured + LOOM_READY_CYCLES)
		code = loom_fail(err, LOOM_EHARDWARE, "the machine says %llu cycles, the RTL %llu",
		                 (unsigned long long)cycles, (unsigned long long)(measured + LOOM_READY_CYCLES));
	best->whole = fmax(best->whole, (double)measured / whole);
	best->alone = fmax(best->alone, (double)measured / alone);
	return code;
}

// --- The RTL --------------------------------------------------------------------------------------------------------

static int run_rtl(struct speeds *best, uint64_t *measured, struct metered *fabric, const struct loom_plan *plan,
                   struct loom_err *err)
{
	const struct loom_image_options options = {.machine = LOOM_MACHINE_FAST, .seed = 1};
	struct loom_trace trace = {0};
	struct loom_verdict verdict = {0};
	metered_reset();
	int code = loom_run_plan(&trace, &verdict, fabric->device, plan, &options, NULL, err);
	if (code)
		return code;
	const struct meter meter = metered_read();
	best->rtl = fmax(best->rtl, (double)meter.cycles / meter.run_s);
	*measured = verdict.measured_cycles;
	if (verdict.n_mismatches)
		code = loom_fail(err, LOOM_EHARDWARE, "the RTL's verdict has %zu differences",
		                 (size_t)verdict.n_mismatches);
	loom_verdict_free(&verdict);
	loom_trace_free(&trace);
	return code;
}

// --- BookSim2 -------------------------------------------------------------------------------------------------------

static const char booksim_common[] =
	"num_vcs = 1; vc_buf_size = 2; packet_size = 20; injection_rate = 1.0; "
	"injection_rate_uses_flits = 1; sim_type = throughput; warmup_periods = 0; "
	"sample_period = 2000; max_samples = 3; sim_count = 1; latency_thres = 1000000000.0;";

// Every node always has a packet to send, for some 6,000 cycles.
static int run_booksim(struct speeds *best, const char *program, const struct row *row, struct loom_err *err)
{
	char file[] = "/tmp/bench-machine-XXXXXX", command[512], line[256];
	double cycles = 0;
	const int fd = mkstemp(file);
	if (fd < 0 || dprintf(fd, "%s %s\n", row->booksim, booksim_common) < 0)
		return loom_fail(err, LOOM_EFILE, "cannot write %s", file);
	(void)close(fd);
	(void)snprintf(command, sizeof command, "'%s' '%s' 2>/dev/null", program, file);
	const double before = children_s();
	FILE *pipe = popen(command, "r");
	while (pipe && fgets(line, sizeof line, pipe))
		(void)sscanf(line, "Time taken is %lf cycles", &cycles);
	if (pipe)
		(void)pclose(pipe);
	(void)remove(file);
	if (cycles <= 0)
		return loom_fail(err, LOOM_EFILE,
		                 "%s prints no cycles: it should be the program that BookSim2's make builds", program);
	best->booksim = fmax(best->booksim, cycles / (children_s() - before));
	return 0;
}

// --- Rows -----------------------------------------------------------------------------------------------------------

static void tell(uint64_t measured, const struct row *row, const struct speeds *best, bool *missed)
{
	const double times = best->alone / best->rtl;
	printf("%-24s %7llu cycles; cycles/s: RTL %.0f, machine %.0f, whole %.0f; %.1f times the RTL", name_of(row),
	       (unsigned long long)measured, best->rtl, best->alone, best->whole, times);
	if (row->target_rtl > 0)
		printf(" (target %.0f%s)", row->target_rtl, judge(times, row->target_rtl, missed));
	if (best->booksim > 0) {
		const double beside = best->alone / best->booksim;
		printf("; BookSim2 %.0f, %.0f times", best->booksim, beside);
		printf(" (target %.0f%s)", row->target_booksim, judge(beside, row->target_booksim, missed));
	}
	putchar('\n');
	fflush(stdout);
}

static int run_row(const struct row *row, const char *booksim, bool *missed)
{
	const struct loom_plan_options plan_options = {.map = "identity", .planner = "direct"};
	const bool uniform = strcmp(row->pattern, "uniform") == 0;
	struct loom_err err = {0};
	struct metered fabric;
	struct loom_pattern pattern = {0};
	struct loom_plan plan = {0};
	struct speeds best = {0};
	uint64_t measured = 0;
	int code = metered_open(&fabric, row->fabric, false, &err);
	if (code == 0)
		code = saturating_pattern(&pattern, &fabric.topo, row->pattern, uniform, row->n_each, row->flits, &err);
	if (code == 0)
		code = loom_plan_make(&plan, &fabric.topo, &pattern, &plan_options, &err);
	for (int round = 0; code == 0 && round < ROUNDS; round++) {
		code = run_rtl(&best, &measured, &fabric, &plan, &err);
		for (int k = 0; code == 0 && k < ROUNDS; k++)
			code = run_machine(&best, &plan, measured, &err);
		if (code == 0 && booksim && row->booksim)
			code = run_booksim(&best, booksim, row, &err);
	}
	if (code == 0)
		tell(measured, row, &best, missed);
	loom_plan_free(&plan);
	loom_pattern_free(&pattern);
	metered_close(&fabric);
	return code ? fail(name_of(row), &err) : 0;
}

// --- Large networks -------------------------------------------------------------------------------------------------

struct computed {
	uint64_t n_cycles;
	double speed; // cycles/s of processor time, traffic included
};

static int compute(struct computed *out, const struct large *large)
{
	const struct loom_pattern_options pattern_options = {.flits = 20};
	const struct loom_load_options options = {.load = large->load,
	                                          .flits = 20,
	                                          .seed = 1,
	                                          .measure_cycles = large->cycles,
	                                          .latency_limit = LATENCY_MOST};
	struct loom_err err = {0};
	struct loom_topo topo;
	struct loom_traffic traffic;
	struct loom_load_point point;
	if (loom_topo_parse(&topo, large->fabric, &err))
		return fail(large->name, &err);
	uint32_t *map = calloc(topo.n_nodes, sizeof *map);
	for (uint32_t v = 0; map && v < topo.n_nodes; v++)
		map[v] = v;
	if (!map || loom_traffic_parse(&traffic, "uniform", &topo, &pattern_options, &err))
		return fail(large->name, &err);
	const double start = now_s();
	if (loom_load_compute(&point, &topo, &traffic, map, &options, &err))
		return fail(large->name, &err);
	*out = (struct computed){point.n_cycles, (double)point.n_cycles / (now_s() - start)};
	loom_traffic_free(&traffic);
	loom_topo_free(&topo);
	free(map);
	return 0;
}

// Computes in a process of its own, whose memory is then known. False: it failed.
static bool compute_apart(struct computed *out, double *gib, const struct large *large)
{
	int ends[2], status = 1;
	struct rusage usage;
	fflush(stdout);
	if (pipe(ends))
		return false;
	const pid_t child = fork();
	if (child == 0) {
		struct computed computed;
		_exit(compute(&computed, large) || write(ends[1], &computed, sizeof computed) != sizeof computed);
	}
	close(ends[1]);
	const bool is_told = child > 0 && read(ends[0], out, sizeof *out) == sizeof *out;
	close(ends[0]);
	if (child < 0 || wait4(child, &status, 0, &usage) < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
		return false;
	*gib = (double)usage.ru_maxrss / (1024.0 * 1024.0);
	return is_told;
}

// The best of ROUNDS, as of the other rows, if there is a target.
static int run_large(const struct large *large, bool *missed)
{
	struct computed best = {0};
	double most_gib = 0;
	for (int round = 0; round < (large->target > 0 ? ROUNDS : 1); round++) {
		struct computed one;
		double gib;
		if (!compute_apart(&one, &gib, large))
			return 1;
		best = one.speed > best.speed ? one : best;
		most_gib = fmax(most_gib, gib);
	}
	printf("%-24s %7llu cycles; cycles/s: machine with its traffic %.0f", large->name,
	       (unsigned long long)best.n_cycles, best.speed);
	if (large->target > 0)
		printf(" (target %.0f%s)", large->target, judge(best.speed, large->target, missed));
	printf("; %.2f GiB (at most %.0f%s)\n", most_gib, GIB_MOST, judge(GIB_MOST, most_gib, missed));
	return 0;
}

// --- All ------------------------------------------------------------------------------------------------------------

// Reads FABRIC/PATTERN/FLITS into a row without targets, whose words are those of `text`, which is cut up. False: it is none.
static bool read_row(struct row *out, char *text)
{
	char *flits = strrchr(text, '/');
	if (!flits || atoi(flits + 1) < 1)
		return false;
	*flits = '\0';
	char *pattern = strrchr(text, '/');
	if (!pattern || (strcmp(pattern, "/uniform") != 0 && strcmp(pattern, "/bit-reverse") != 0))
		return false;
	*pattern = '\0';
	*out = (struct row){
		.fabric = text, .pattern = pattern + 1, .flits = (uint32_t)atoi(flits + 1), .n_each = OWN_MESSAGES};
	return true;
}

static int run_named(char *name, const char *booksim, bool *missed)
{
	struct row own;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if (strcmp(name, name_of(&rows[i])) == 0)
			return run_row(&rows[i], booksim, missed);
	for (size_t i = 0; i < sizeof larges / sizeof larges[0]; i++)
		if (strcmp(name, larges[i].name) == 0)
			return run_large(&larges[i], missed);
	if (read_row(&own, name))
		return run_row(&own, booksim, missed);
	fprintf(stderr, "bench_machine: a row is FABRIC/PATTERN/FLITS, such as cube:3/uniform/5, or cube:16/load, "
	                "cube:20/load, mesh:1024x1024/load\n");
	return 2;
}

int main(int argc, char **argv)
{
	const char *booksim = NULL;
	int failed = 0;
	bool missed = false;
	if (argc > 2 && strcmp(argv[1], "--booksim") == 0) {
		booksim = argv[2];
		argc -= 2;
		argv += 2;
	}
	for (int i = 1; i < argc; i++) {
		const int status = run_named(argv[i], booksim, &missed);
		if (status == 2)
			return status;
		failed |= status;
	}
	if (argc < 2) {
		for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
			failed |= run_row(&rows[i], booksim, &missed);
		for (size_t i = 0; i < sizeof larges / sizeof larges[0]; i++)
			failed |= run_large(&larges[i], &missed);
	}
	return failed ? failed : missed;
}
