// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Optical circuit switches: random schedules of every planner, with each message's cycles and each port's counts
// compared with a walk through the programs that is independent of the library's machine; and faulty schedules, whose
// lost flits must be named.
#include <flitloom/circuits.h>
#include <flitloom/link/regmap.h>

#include "e2e.h"
#include "topo/topo_ocs.h"

#define SPACE 0xf0000000u
#define SLOT_LOW 12

// Returns the cycle, from 1, in which each message leaves its port: its planned cycle, or a later one if the message
// before it is still leaving. 0: a message to its own node.
static uint64_t *walk(const struct loom_plan *plan)
{
	uint64_t *leaves = calloc(plan->n_messages + 1, sizeof *leaves),
		 *free_from = calloc(plan->topo.n_nodes, sizeof *free_from);
	for (size_t i = 0; leaves && free_from && i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		uint64_t at = 1;
		for (size_t g = plan->timing->first[i]; g < plan->timing->first[i + 1]; g++)
			at = plan->timing->gate[g].value;
		if (m->source == m->destination)
			continue;
		leaves[i] = at > free_from[m->source] ? at : free_from[m->source];
		free_from[m->source] = leaves[i] + m->flits;
	}
	free(free_from);
	return leaves;
}

// Checks that each message arrives a cycle after it left its port and without a pause, and that each port has carried
// the sum of its messages' flits.
static void check_cycles(struct e2e *t, const struct run *run, const char *what, uint64_t i)
{
	const struct loom_plan *plan = &run->plan;
	const uint32_t n = plan->topo.n_nodes;
	uint64_t *leaves = walk(plan), *sum = calloc(2 * (size_t)n, sizeof *sum), end = 0;
	size_t *which = calloc(run->trace.n_arrivals + 1, sizeof *which), n_sent = 0;
	struct loom_err err = {0};
	if (!check(t, leaves && sum && which && loom_verdict_arrivals(which, plan, &run->trace, &err) == 0,
	           "%s %" PRIu64 ": %s", what, i, err.text))
		goto out;
	for (size_t k = 0; k < plan->n_messages; k++) {
		const struct loom_plan_message *m = &plan->messages[k];
		if (m->source == m->destination)
			continue;
		n_sent++;
		sum[m->source] += m->flits;
		sum[n + m->destination] += m->flits;
		end = leaves[k] + m->flits > end ? leaves[k] + m->flits : end;
	}
	check(t, run->trace.n_arrivals == n_sent, "%s %" PRIu64 ": %zu of %zu messages arrived", what, i,
	      run->trace.n_arrivals, n_sent);
	for (size_t a = 0; a < run->trace.n_arrivals; a++) {
		const struct loom_arrival *arrival = &run->trace.arrivals[a];
		if (!check(t, which[a] < plan->n_messages, "%s %" PRIu64 ": an arrival of no message", what, i))
			continue;
		const uint64_t header = leaves[which[a]] + 1, tail = leaves[which[a]] + plan->messages[which[a]].flits;
		check(t, arrival->first_cycle == header && arrival->last_cycle == tail,
		      "%s %" PRIu64 ": message %zu came in cycles %u to %u, not %" PRIu64 " to %" PRIu64, what, i,
		      which[a], arrival->first_cycle, arrival->last_cycle, header, tail);
	}
	for (uint32_t u = 0; u < n; u++)
		check(t, run->trace.counts[2 * u].flits == sum[n + u] && run->trace.counts[2 * u + 1].flits == sum[u],
		      "%s %" PRIu64 ": ports of node %u carried %u in and %u out, not %" PRIu64 " and %" PRIu64, what,
		      i, u, run->trace.counts[2 * u].flits, run->trace.counts[2 * u + 1].flits, sum[n + u], sum[u]);
	check(t, run->verdict.measured_cycles == end && run->verdict.blocked_cycles == 0,
	      "%s %" PRIu64 ": %" PRIu64 " cycles, not %" PRIu64 "; %" PRIu64 " blocked", what, i,
	      run->verdict.measured_cycles, end, run->verdict.blocked_cycles);
out:
	free(which);
	free(sum);
	free(leaves);
}

// Checks from the plan alone that on each switch two messages with just one common port, which need two matchings, have
// the cycles of a turn between them.
static void check_turns(struct e2e *t, const struct loom_plan *plan, const char *what, uint64_t i)
{
	const uint32_t n = plan->topo.extent[0];
	uint64_t *leaves = walk(plan);
	for (size_t a = 0; leaves && a < plan->n_messages; a++)
		for (size_t b = 0; b < plan->n_messages; b++) {
			const struct loom_plan_message *x = &plan->messages[a], *y = &plan->messages[b];
			if (leaves[a] == 0 || leaves[b] == 0 || leaves[a] > leaves[b] || x->source / n != y->source / n)
				continue;
			const bool other = (x->source == y->source) != (x->destination == y->destination);
			if (other && leaves[b] < leaves[a] + x->flits + plan->dark)
				check(t, false, "%s %" PRIu64 ": messages %zu and %zu need a turn between them", what,
				      i, a, b);
		}
	free(leaves);
}

static bool make(struct e2e *t, struct run *run, const struct rig *rig, struct loom_rng *rng)
{
	static const char *const planners[] = {"light", "rotor", "birkhoff", "solstice", "eclipse"};
	static const uint32_t darks[] = {0, 1, 5, 10, 20};
	const uint32_t n = loom_topo_hosts(&rig->topo);
	char spec[64];
	struct loom_err err = {0};
	const struct loom_pattern_options options = {.flits = 1 + (uint32_t)loom_rng_below(rng, 30),
	                                             .seed = loom_rng_below(rng, 1000)};
	const struct loom_plan_options wanted = {.planner = planners[loom_rng_below(rng, 5)],
	                                         .dark = darks[loom_rng_below(rng, 5)],
	                                         .dark_given = true,
	                                         .most_steps = 100000,
	                                         .relay = loom_rng_below(rng, 3) == 0};
	switch (loom_rng_below(rng, 4)) {
	case 0: (void)snprintf(spec, sizeof spec, "random-perm"); break;
	case 1: (void)snprintf(spec, sizeof spec, "hotspot:%u", (unsigned)loom_rng_below(rng, n)); break;
	case 2: (void)snprintf(spec, sizeof spec, "all-to-all"); break;
	default: (void)snprintf(spec, sizeof spec, "uniform:%u", 1 + (unsigned)loom_rng_below(rng, 5 * n)); break;
	}
	return check(t, loom_pattern_parse(&run->pattern, spec, n, &options, &err) == 0, "%s: %s", spec, err.text) &&
	       check(t, loom_plan_make(&run->plan, &rig->topo, &run->pattern, &wanted, &err) == 0, "%s by %s: %s", spec,
	             wanted.planner, err.text);
}

// --- Faulty schedules ---------------------------------------------------------------------------------------------------

// Finds the first message to leave through switch 0 that has at least two flits. False: there is none.
static bool first_message(size_t *out, uint64_t *leaves_in, const struct loom_plan *plan)
{
	uint64_t *leaves = walk(plan);
	bool found = false;
	for (size_t i = 0; leaves && i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		if (leaves[i] == 0 || m->flits < 2 || m->source >= plan->topo.extent[0] ||
		    (found && leaves[*out] <= leaves[i]))
			continue;
		*out = i;
		*leaves_in = leaves[i];
		found = true;
	}
	free(leaves);
	return found;
}

enum wrong { DARK_PORT, OTHER_PORT, CUT_SHORT, WRONGS, SET_WRONG };

// Writes the wrong word into the image of slot 0 of switch 0.
static void spoil(struct loom_image *image, const struct loom_plan *plan, enum wrong wrong, size_t message,
                  uint64_t leaves)
{
	const struct loom_plan_message *m = &plan->messages[message];
	for (size_t i = 0; i < image->n_blocks; i++) {
		const struct loom_block *block = &image->blocks[i];
		uint32_t *words = image->pool + (block->words - image->pool);
		if (block->address == LOOM_WINDOW_CIRCUIT_SETTING && wrong == SET_WRONG) {
			const uint32_t last = block->n_words - (plan->topo.extent[0] + 63) / 64, q = m->destination / 2;
			words[last + q / 32] ^= UINT32_C(1)
			                        << q % 32; // of the last stage: receivers 2 q and 2 q + 1 change places
		}
		if (block->address == LOOM_WINDOW_CIRCUIT_TO && wrong < CUT_SHORT)
			words[m->source] = wrong == DARK_PORT ? 0
			                                      : UINT32_C(1) << LOOM_CIRCUIT_TO_LIT_LOW |
			                                                ((m->destination + 1) % plan->topo.extent[0]);
		if (block->address == LOOM_WINDOW_CIRCUIT_CYCLES && wrong == CUT_SHORT)
			words[0] = (uint32_t)(leaves + m->flits - 2);
	}
}

// Runs a faulty schedule. Without guards flits are lost, and the report names them; with guards they wait, and the
// report names every difference from the plan.
static void run_spoiled(struct e2e *t, struct rig *rig, const struct run *run, enum wrong wrong, bool preset)
{
	const struct loom_plan *plan = &run->plan;
	const struct loom_image_options options = {.seed = t->seed, .preset = preset, .watchdog_cycles = 5000};
	const struct loom_run_options run_options = {.max_cycles = loom_plan_cycle_limit(plan) + 20000};
	struct loom_image image = {0};
	struct loom_trace trace = {0};
	struct loom_verdict verdict = {0};
	struct loom_err err = {0};
	struct loom_light_loss *lost = NULL;
	uint32_t n = 0;
	size_t message = 0;
	uint64_t leaves = 0;
	char named[200];
	if (!first_message(&message, &leaves, plan) ||
	    !check(t, loom_image_make(&image, plan, loom_device_chip(rig->device), &options, &err) == 0, "%s",
	           err.text))
		return;
	spoil(&image, plan, wrong, message, leaves);
	const struct loom_plan_message *m = &plan->messages[message];
	const uint64_t cycle = wrong == CUT_SHORT ? leaves + m->flits - 1 : leaves;
	(void)snprintf(named, sizeof named, "the first in cycle %" PRIu64 ": from node %u to node %u, %s", cycle,
	               m->source, m->destination,
	               wrong == OTHER_PORT ? "whose light led elsewhere" : "sent in the dark");
	int code = loom_device_load(rig->device, &image, &err);
	if (check(t, code == 0, "%s: %s", rig->fabric, err.text))
		code = loom_device_run(rig->device, &image, &run_options, &trace, &err);
	if (code == 0)
		check(t, loom_verdict_make(&verdict, plan, &trace, &err) == 0, "%s", err.text);
	check(t, code == 0 || code == LOOM_ESTUCK || code == LOOM_ELIMIT, "%s, wrong %d: %s", rig->fabric, wrong,
	      err.text);
	check(t, loom_device_lost(rig->device, &lost, &n, &err) == 0 && n == plan->topo.n_nodes / plan->topo.extent[0],
	      "%s: %s", rig->fabric, err.text);
	if (wrong == SET_WRONG && lost) {
		check(t, lost[0].flits == 0 && (code != 0 || verdict.n_mismatches > 0),
		      "%s, settings: %u lost, %zu differences", rig->fabric, lost[0].flits, verdict.n_mismatches);
	} else if (preset && lost) {
		check(t,
		      lost[0].flits > 0 && lost[0].cycle == cycle && lost[0].source == m->source &&
		              lost[0].destination == m->destination && lost[0].lit == (wrong == OTHER_PORT),
		      "%s, wrong %d: lost %u, in cycle %u from %u to %u, not %s", rig->fabric, wrong, lost[0].flits,
		      lost[0].cycle, lost[0].source, lost[0].destination, named);
		check(t,
		      code != 0 ||
		              (strstr(verdict.mismatches[0], "switch 0 lost ") && strstr(verdict.mismatches[0], named)),
		      "%s, wrong %d: \"%s\" names no loss; %s", rig->fabric, wrong, verdict.mismatches[0], named);
	} else if (lost) {
		check(t, lost[0].flits == 0 && (code != 0 || verdict.n_mismatches > 0),
		      "%s, wrong %d: %u lost with guards, %zu differences", rig->fabric, wrong, lost[0].flits,
		      verdict.n_mismatches);
	}
	free(lost);
	loom_verdict_free(&verdict);
	loom_trace_free(&trace);
	loom_image_free(&image);
}

static void test_circuits(struct e2e *t, struct rig *rig, struct loom_rng *rng)
{
	for (uint64_t i = 0; i < (t->all ? 50 : 12); i++) {
		struct run run = {0};
		struct loom_image_options image = {.seed = t->seed, .preset = i % 4 == 3};
		if (make(t, &run, rig, rng) &&
		    check(t, rig_run_image(rig, &run, &image), "%s did not run", rig->fabric)) {
			check_verdict(t, &run, "circuits", i);
			check_cycles(t, &run, "circuits", i);
			check_turns(t, &run.plan, "circuits", i);
			if (i < 6)
				run_spoiled(t, rig, &run, (enum wrong)(i % WRONGS), i >= 3);
			if (i >= 6 && i < 9)
				run_spoiled(t, rig, &run, (enum wrong)(i % WRONGS), true);
			if (i < 4 && loom_topo_circuit_stages(&rig->topo) > 0)
				run_spoiled(t, rig, &run, SET_WRONG, i % 2);
		}
		run_free(&run);
	}
}

const struct subject circuits = {"circuits", loom_topo_has_circuits, test_circuits};
