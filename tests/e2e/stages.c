// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks the mathematical properties of multistage networks.
#include <flitloom/math/admissible.h>

#include "e2e.h"
#include "topo/topo_min.h"

#define ADMISSIBLE 4096 // as many of the 8! permutations of 8 nodes pass: each of the 12 switches has two settings

static bool is_one_way(const struct loom_topo *topo)
{
	return is_multistage(topo) && !topo->kind->two_directions;
}

// Runs the rows of the Latin square, one after the other without a barrier, by a loaded or a generated schedule: they
// take n F + m cycles, and no message waits. Without messages from nodes to themselves each node pauses for the time of
// that message.
static void run_square(struct e2e *t, struct rig *rig, const char *spec, uint32_t flits,
                       enum loom_image_schedule schedule)
{
	struct run run = {0};
	struct loom_image_options image = {.schedule = schedule, .seed = t->seed};
	uint32_t n = rig->topo.n_nodes;
	uint64_t last_row = (uint64_t)n * flits + rig->topo.label_bits;
	bool with_self = !strcmp(spec, "all-to-all");
	if (parse(t, &run, rig, spec, flits, 0) && plan(t, &run, rig, "latin", NULL) &&
	    check(t, rig_run_image(rig, &run, &image), "%s on %s did not run", spec, rig->fabric)) {
		check_verdict(t, &run, schedule == LOOM_SCHEDULE_TABLE ? "loaded" : "generated", flits);
		check(t,
		      run.verdict.blocked_cycles == 0 && loom_plan_contention(&run.plan) == (n > 2) &&
		              run.verdict.measured_contention == (n > 2),
		      "%s on %s: contention %u, blocked %" PRIu64, spec, rig->fabric, run.verdict.measured_contention,
		      run.verdict.blocked_cycles);
		check(t, run.verdict.delivered_messages == (uint64_t)n * (n - !with_self),
		      "%s on %s: %" PRIu64 " delivered", spec, rig->fabric, run.verdict.delivered_messages);
		check(t, !with_self || run.verdict.measured_cycles == last_row,
		      "%s on %s: %" PRIu64 " cycles, not %" PRIu64, spec, rig->fabric, run.verdict.measured_cycles,
		      last_row);
	}
	run_free(&run);
}

static void test_all_to_all(struct e2e *t, struct rig *rig, struct loom_rng *rng)
{
	(void)rng;
	run_square(t, rig, "all-to-all", 20, LOOM_SCHEDULE_GENERATED);
	run_square(t, rig, "all-to-all", 3, LOOM_SCHEDULE_TABLE);
	run_square(t, rig, "all-to-others", 5, LOOM_SCHEDULE_GENERATED);
	run_square(t, rig, "all-to-others", 4, LOOM_SCHEDULE_TABLE);
}

// Runs one pass, self-routed or preset. Both have the same arrivals in the same cycles.
static void one_pass(struct e2e *t, struct rig *rig, const uint32_t *to, bool passes)
{
	struct run run = {0};
	struct loom_image_options image = {.seed = t->seed};
	struct loom_err err = {0};
	if (permutation(t, &run, to, rig->topo.n_nodes, 6) && plan(t, &run, rig, "direct", NULL) &&
	    check(t, rig_run_image(rig, &run, &image), "%s did not run", rig->fabric)) {
		check_verdict(t, &run, "one pass", passes);
		check(t, (run.verdict.measured_contention == 1) == passes, "%s: contention %u of a permutation that %s",
		      rig->fabric, run.verdict.measured_contention, passes ? "passes" : "does not pass");
	}
	image.preset = true;
	if (passes && run.trace.arrivals) {
		loom_verdict_free(&run.verdict);
		loom_trace_free(&run.trace);
		if (check(t, rig_run_image(rig, &run, &image), "%s did not run preset", rig->fabric))
			check_verdict(t, &run, "preset", passes);
	} else if (run.trace.arrivals) {
		struct loom_image words = {0};
		int code = loom_image_make(&words, &run.plan, loom_device_chip(rig->device), &image, &err);
		check(t, code == LOOM_EINPUT && strstr(err.text, "switch"), "%s: an impossible preset gives \"%s\"",
		      rig->fabric, err.text);
		loom_image_free(&words);
	}
	run_free(&run);
}

static bool is_admissible(const struct loom_min *net, const uint32_t *to)
{
	bool passes = false;
	struct loom_err err = {0};
	(void)loom_admissible_check(&passes, NULL, NULL, net, to, &err);
	return passes;
}

static bool has_8_nodes(const struct loom_topo *topo)
{
	return is_one_way(topo) && topo->n_nodes == 8;
}

// Runs every 16th of the permutations that pass in one pass, or all of them, and random ones that do not.
static void test_admissible(struct e2e *t, struct rig *rig, struct loom_rng *rng)
{
	struct loom_min net;
	uint32_t to[8] = {0, 1, 2, 3, 4, 5, 6, 7};
	unsigned n_passing = 0, step = t->all ? 1 : 16;
	(void)loom_topo_min(&net, &rig->topo, LOOM_RULE_ASCENDING);
	do {
		if (is_admissible(&net, to) && n_passing++ % step == 0)
			one_pass(t, rig, to, true);
	} while (next_permutation(to, 8));
	check(t, n_passing == ADMISSIBLE, "%u permutations pass %s", n_passing, rig->fabric);
	for (unsigned i = 0; i < t->others;) {
		shuffle(rng, to, 8);
		if (!is_admissible(&net, to)) {
			one_pass(t, rig, to, false);
			i++;
		}
	}
}

const struct subject all_to_all = {"all-to-all", is_one_way, test_all_to_all};
const struct subject admissible = {"permutations in one pass", has_8_nodes, test_admissible};
