// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The verilated multistage networks against what the mathematics promises: usage
//   e2e_min [nodes=N] [others=N] [two=N] [seed=N]
// nodes: largest network for all-to-all (a power of two); others: random permutations that do not pass in one pass;
// two: random permutations of min(nodes, 64) nodes in two passes. Prints what fails, then "N passed, N failed".
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/admissible.h>

#include "base/rng.h"
#include "rig.h"
#include "topo/topo_min.h"

#define NETWORKS 6
static const char *const networks[NETWORKS] = {"baseline", "omega", "icube", "rbaseline", "romega", "ricube"};

static struct {
	unsigned passed, failed;
	struct loom_rng rng;
	uint64_t seed;
} test;

static bool check(bool ok, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool check(bool ok, const char *format, ...)
{
	if (ok) {
		test.passed++;
		return true;
	}
	va_list args;
	va_start(args, format);
	printf("FAIL ");
	(void)vprintf(format, args);
	printf("\n");
	va_end(args);
	test.failed++;
	return false;
}

static bool open_network(struct rig *rig, const char *name, unsigned n)
{
	char fabric[32];
	(void)snprintf(fabric, sizeof fabric, "%s:%u", name, n);
	return check(rig_open(rig, fabric, NULL), "%s does not open", fabric);
}

static bool plan(struct run *run, const struct rig *rig, const char *planner)
{
	struct loom_err err = {0};
	struct loom_plan_options options = {.planner = planner};
	return check(loom_plan_make(&run->plan, &rig->topo, &run->pattern, &options, &err) == 0, "%s on %s: %s",
	             run->pattern.name, rig->fabric, err.text);
}

static bool check_verdict(const struct run *run, const char *what)
{
	return check(run->verdict.n_mismatches == 0, "%s, %s on %s, seed %" PRIu64 ": %zu mismatches, first: %s", what,
	             run->pattern.name, run->plan.topo.name, test.seed, run->verdict.n_mismatches,
	             run->verdict.mismatches[0]);
}

// Rows of the Latin square, one after the other without a barrier: n F + m cycles, nobody ever waits, whoever makes
// up the schedule. Without the messages to oneself everybody keeps the time of a message in their place.
static void all_to_all(struct rig *rig, const char *spec, uint32_t flits, enum loom_image_schedule schedule)
{
	struct run run = {0};
	struct loom_err err = {0};
	struct loom_pattern_options pattern = {.flits = flits};
	struct loom_image_options image = {.schedule = schedule, .seed = test.seed};
	uint32_t n = rig->topo.n_nodes;
	uint64_t last_row = (uint64_t)n * flits + rig->topo.label_bits;
	bool with_self = !strcmp(spec, "all-to-all");
	if (check(loom_pattern_parse(&run.pattern, spec, n, &pattern, &err) == 0, "%s: %s", spec, err.text) &&
	    plan(&run, rig, "latin") &&
	    check(rig_run_image(rig, &run, &image), "%s on %s did not run", spec, rig->fabric)) {
		check_verdict(&run, schedule == LOOM_SCHEDULE_TABLE ? "loaded" : "generated");
		check(run.verdict.blocked_cycles == 0 && loom_plan_contention(&run.plan) == (n > 2) &&
		              run.verdict.measured_contention == (n > 2),
		      "%s on %s: contention %u, blocked %" PRIu64, spec, rig->fabric, run.verdict.measured_contention,
		      run.verdict.blocked_cycles);
		check(run.verdict.delivered_messages == (uint64_t)n * (n - !with_self),
		      "%s on %s: %" PRIu64 " delivered", spec, rig->fabric, run.verdict.delivered_messages);
		check(!with_self || run.verdict.measured_cycles == last_row,
		      "%s on %s: %" PRIu64 " cycles, not %" PRIu64, spec, rig->fabric, run.verdict.measured_cycles,
		      last_row);
	}
	run_free(&run);
}

static void test_all_to_all(unsigned largest)
{
	for (int k = 0; k < NETWORKS; k++)
		for (unsigned n = 2; n <= largest; n *= 2) {
			struct rig rig;
			if (n > 64 && k != 1) // one of them is enough at that size; the others are sampled below
				continue;
			if (!open_network(&rig, networks[k], n))
				continue;
			all_to_all(&rig, "all-to-all", 20, LOOM_SCHEDULE_GENERATED);
			all_to_all(&rig, "all-to-all", 3, LOOM_SCHEDULE_TABLE);
			all_to_all(&rig, "all-to-others", 5, LOOM_SCHEDULE_GENERATED);
			all_to_all(&rig, "all-to-others", 4, LOOM_SCHEDULE_TABLE);
			rig_close(&rig);
		}
}

static void random_permutation(uint32_t *to, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		to[i] = i;
	for (uint32_t i = n - 1; i > 0; i--) {
		uint32_t j = (uint32_t)loom_rng_below(&test.rng, i + 1), other = to[j];
		to[j] = to[i];
		to[i] = other;
	}
}

static bool permutation(struct run *run, const uint32_t *to, uint32_t n, uint32_t flits)
{
	struct loom_err err = {0};
	struct loom_message messages[1024];
	for (uint32_t i = 0; i < n; i++)
		messages[i] = (struct loom_message){.source = i, .destination = to[i], .flits = flits};
	return check(loom_pattern_from_messages(&run->pattern, "a permutation", n, messages, n, &err) == 0, "%s",
	             err.text);
}

// One pass, self-routed or preset. What arrives when is the same either way.
static void one_pass(struct rig *rig, const uint32_t *to, bool passes)
{
	struct run run = {0};
	struct loom_image_options image = {.seed = test.seed};
	struct loom_err err = {0};
	if (permutation(&run, to, rig->topo.n_nodes, 6) && plan(&run, rig, "direct") &&
	    check(rig_run_image(rig, &run, &image), "%s did not run", rig->fabric)) {
		check_verdict(&run, passes ? "admissible" : "not admissible");
		check((run.verdict.measured_contention == 1) == passes, "%s: contention %u of a permutation that %s",
		      rig->fabric, run.verdict.measured_contention, passes ? "passes" : "does not pass");
	}
	image.preset = true;
	if (passes && run.trace.arrivals) {
		loom_verdict_free(&run.verdict);
		loom_trace_free(&run.trace);
		if (check(rig_run_image(rig, &run, &image), "%s did not run preset", rig->fabric))
			check_verdict(&run, "preset");
	} else if (run.trace.arrivals) {
		struct loom_image words = {0};
		int code = loom_image_make(&words, &run.plan, loom_device_chip(rig->device), &image, &err);
		check(code == LOOM_EINPUT && strstr(err.text, "switch"), "%s: an impossible preset gives \"%s\"",
		      rig->fabric, err.text);
		loom_image_free(&words);
	}
	run_free(&run);
}

static bool next_permutation(uint32_t *to, uint32_t n)
{
	uint32_t i = n - 1;
	while (i > 0 && to[i - 1] > to[i])
		i--;
	if (i == 0)
		return false;
	uint32_t j = n - 1, other = to[i - 1];
	while (to[j] < other)
		j--;
	to[i - 1] = to[j];
	to[j] = other;
	for (j = n - 1; i < j; i++, j--) {
		other = to[i];
		to[i] = to[j];
		to[j] = other;
	}
	return true;
}

// Every `step`-th of the 4096 permutations of 8 nodes that pass, and n_others random ones that do not.
static void test_permutations(const char *name, unsigned step, unsigned n_others)
{
	struct rig rig;
	struct loom_min net;
	uint32_t to[8] = {0, 1, 2, 3, 4, 5, 6, 7};
	unsigned n_passing = 0;
	if (!open_network(&rig, name, 8))
		return;
	(void)loom_topo_min(&net, &rig.topo, LOOM_RULE_ASCENDING);
	do {
		bool passes = false;
		struct loom_err err = {0};
		(void)loom_admissible_check(&passes, NULL, NULL, &net, to, &err);
		if (passes && n_passing++ % step == 0)
			one_pass(&rig, to, true);
	} while (next_permutation(to, 8));
	check(n_passing == 4096, "%u permutations pass %s", n_passing, rig.fabric);
	while (n_others) {
		bool passes = true;
		struct loom_err err = {0};
		random_permutation(to, 8);
		(void)loom_admissible_check(&passes, NULL, NULL, &net, to, &err);
		if (!passes) {
			one_pass(&rig, to, false);
			n_others--;
		}
	}
	rig_close(&rig);
}

// Any permutation through an inverse omega and an omega network, and whatever goes wrong without a relay.
static void test_two_pass(unsigned n, unsigned n_permutations)
{
	struct rig rig;
	if (!open_network(&rig, "benes", n))
		return;
	for (unsigned i = 0; i < n_permutations; i++) {
		struct run run = {0};
		uint32_t to[1024];
		random_permutation(to, n);
		if (permutation(&run, to, n, 1 + (uint32_t)loom_rng_below(&test.rng, 30)) && plan(&run, &rig, NULL) &&
		    check(rig_run_plan(&rig, &run, i % 2 ? LOOM_MACHINE_PAPER : LOOM_MACHINE_FAST, i), "%s did not run",
		          rig.fabric)) {
			check_verdict(&run, "two passes");
			check(run.plan.n_passes == 2 && run.verdict.blocked_cycles == 0 &&
			              !strcmp(run.plan.planner, "two_pass"),
			      "%s: %u passes, blocked %" PRIu64 ", planner %s", rig.fabric, run.plan.n_passes,
			      run.verdict.blocked_cycles, run.plan.planner);
			check(run.verdict.measured_back_to_back_cycles > run.verdict.measured_cycles &&
			              run.verdict.measured_back_to_back_cycles ==
			                      run.verdict.predicted_back_to_back_cycles,
			      "%s: back to back in %" PRIu64 " cycles, not %" PRIu64, rig.fabric,
			      run.verdict.measured_back_to_back_cycles, run.verdict.predicted_back_to_back_cycles);
		}
		run_free(&run);
	}
	rig_close(&rig);
}

// Message lists with contention: counts of every channel as the paths say, nothing lost.
static void test_uniform(const char *name, unsigned n, unsigned n_lists)
{
	struct rig rig;
	if (!open_network(&rig, name, n))
		return;
	for (unsigned i = 0; i < n_lists; i++) {
		struct run run = {0};
		struct loom_err err = {0};
		struct loom_pattern_options pattern = {.flits = 1 + i % 9, .seed = test.seed + i};
		if (check(loom_pattern_parse(&run.pattern, "uniform:200", n, &pattern, &err) == 0, "%s", err.text) &&
		    plan(&run, &rig, i % 3 ? "direct" : "min_passes") &&
		    check(rig_run_plan(&rig, &run, i % 2 ? LOOM_MACHINE_PAPER : LOOM_MACHINE_FAST, i), "%s did not run",
		          rig.fabric))
			check_verdict(&run, "uniform");
		run_free(&run);
	}
	rig_close(&rig);
}

// Passes with barriers from one start, with contention and without, the switches set by themselves and by the host: as
// long as their tails and barriers say (the verdict), and as the plan says where it does.
static void test_back_to_back(const char *name, unsigned n)
{
	struct rig rig;
	if (!open_network(&rig, name, n))
		return;
	for (unsigned i = 0; i < 6; i++) {
		struct run run = {0};
		struct loom_err err = {0};
		struct loom_pattern_options pattern = {.flits = 1 + 3 * i, .seed = test.seed};
		struct loom_image_options image = {.machine = i % 2 ? LOOM_MACHINE_PAPER : LOOM_MACHINE_FAST,
		                                   .preset = i >= 4};
		if (check(loom_pattern_parse(&run.pattern, i == 1 ? "fft" : "all-to-all", n, &pattern, &err) == 0, "%s",
		          err.text) &&
		    plan(&run, &rig, i == 1 ? "direct" : "min_passes") &&
		    check(rig_run_image(&rig, &run, &image), "%s did not run", rig.fabric)) {
			uint64_t predicted = run.verdict.predicted_back_to_back_cycles,
				 measured = run.verdict.measured_back_to_back_cycles;
			check_verdict(&run, "back to back");
			check(run.plan.n_passes > 1 &&
			              measured > run.verdict.measured_cycles + 11 * (run.plan.n_passes - 1) &&
			              (predicted == measured || (i == 1 && predicted == LOOM_CYCLES_UNKNOWN)),
			      "%s: %u passes, %" PRIu64 " cycles, back to back %" PRIu64 ", not %" PRIu64, rig.fabric,
			      run.plan.n_passes, run.verdict.measured_cycles, measured, predicted);
		}
		run_free(&run);
	}
	rig_close(&rig);
}

static unsigned option(int argc, char **argv, const char *name, unsigned otherwise)
{
	size_t length = strlen(name);
	for (int i = 1; i < argc; i++)
		if (!strncmp(argv[i], name, length) && argv[i][length] == '=')
			return (unsigned)strtoul(argv[i] + length + 1, NULL, 0);
	return otherwise;
}

int main(int argc, char **argv)
{
	unsigned nodes = option(argc, argv, "nodes", 8), others = option(argc, argv, "others", 50);
	test.seed = option(argc, argv, "seed", 1);
	loom_rng_init(&test.rng, test.seed);
	test_all_to_all(nodes);
	unsigned step = others < 1000 ? 16 : 1; // the long run takes them all
	test_permutations("omega", step, others);
	test_permutations("romega", step, others);
	if (nodes > 64)
		for (int k = 0; k < NETWORKS; k++)
			if (k != 1)
				test_uniform(networks[k], 256, 2);
	for (int k = 0; k < NETWORKS; k++)
		test_uniform(networks[k], nodes < 64 ? nodes : 64, 12);
	for (int k = 0; k < NETWORKS; k++)
		test_back_to_back(networks[k], 8);
	test_two_pass(nodes < 64 ? nodes : 64, option(argc, argv, "two", 40));
	printf("%u passed, %u failed\n", test.passed, test.failed);
	return test.failed != 0;
}
