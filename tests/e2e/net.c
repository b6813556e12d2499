// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Verilated direct networks against the slow reference: usage
//   e2e_net [lists=N] [perms=N] [seed=N] [FABRIC ...]
// lists: random message lists on each fabric on which no circle of channels exists; perms: random permutations on each,
// cut into passes in which no channel carries two messages. Both timings, all rules of the network. Prints what
// fails, then "N passed, N failed".
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "against_reference.h"
#include "base/rng.h"

#define REFERENCE_NODES 64 // of the largest network that the reference machine is asked about: it is slow
#define LISTS_LONGEST 300  // flits
#define FABRICS_MAX 32

static struct {
	unsigned passed, failed;
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

static void check_run(const struct run *run, enum loom_machine machine, unsigned i)
{
	const char *what = run->pattern.name, *fabric = run->plan.topo.name;
	check(run->verdict.n_mismatches == 0, "%s %u on %s, seed %" PRIu64 ": %zu mismatches, first: %s", what, i,
	      fabric, test.seed, run->verdict.n_mismatches, run->verdict.mismatches[0]);
	if (run->plan.topo.n_nodes > REFERENCE_NODES)
		return;
	struct disagreement d = against_reference(run, machine);
	check(d.code == 0 && d.messages == 0 && d.channels == 0,
	      "%s %u on %s, %s, seed %" PRIu64
	      ": the reference ends with %d; %zu messages at other cycles, %zu channels "
	      "count otherwise",
	      what, i, fabric, machine == LOOM_MACHINE_PAPER ? "paper" : "fast", test.seed, d.code, d.messages,
	      d.channels);
}

// The pattern as it is in one pass, by this rule. loom_plan_make refuses what can lock; here it is yet to be cut.
static bool plan_by_hand(struct run *run, const struct loom_topo *topo, enum loom_rule rule)
{
	struct loom_plan *plan = &run->plan;
	const struct loom_pattern *pattern = &run->pattern;
	struct loom_err err = {0};
	*plan = (struct loom_plan){.topo = *topo,
	                           .n_passes = 1,
	                           .n_members = 1,
	                           .n_messages = pattern->n_messages,
	                           .messages = calloc(pattern->n_messages + 1, sizeof *plan->messages),
	                           .map = calloc(topo->n_nodes, sizeof *plan->map),
	                           .member_of_pass = calloc(1, sizeof *plan->member_of_pass)};
	if (!plan->messages || !plan->map || !plan->member_of_pass)
		abort();
	(void)snprintf(plan->pattern, sizeof plan->pattern, "%s", pattern->name);
	(void)snprintf(plan->planner, sizeof plan->planner, "by hand");
	for (uint32_t v = 0; v < topo->n_nodes; v++)
		plan->map[v] = v;
	while (UINT32_C(1) << plan->n_order < topo->n_nodes)
		plan->n_order++;
	if (UINT32_C(1) << plan->n_order != topo->n_nodes)
		plan->n_order = 0; // the identity is an order of address bits only where there are address bits
	for (unsigned d = 0; d < plan->n_order; d++)
		plan->order[d] = d;
	for (size_t i = 0; i < pattern->n_messages; i++) {
		const struct loom_message *m = &pattern->messages[i];
		plan->messages[i] = (struct loom_plan_message){.source = m->source,
		                                               .destination = m->destination,
		                                               .flits = m->flits,
		                                               .rule = (uint8_t)rule,
		                                               .origin = (uint32_t)i};
	}
	return check(loom_plan_predict(plan, &err) == 0, "%s on %s: %s", pattern->name, topo->name, err.text);
}

static bool plan_and_run(struct rig *rig, struct run *run, enum loom_rule rule, enum loom_machine machine,
                         bool (*cut)(struct run *run))
{
	return plan_by_hand(run, &rig->topo, rule) && (!cut || cut(run)) &&
	       check(rig_run_plan(rig, run, machine, test.seed), "%s does not run on %s, seed %" PRIu64,
	             run->pattern.name, rig->fabric, test.seed);
}

// Cubes serve headers that come together in the order of their sources, but only under e-cube, so that only this one can
// be compared with the reference machine.
static enum loom_rule any_rule(const struct rig *rig, struct loom_rng *rng)
{
	unsigned n_rules = rig->topo.kind->complements_bits ? 1 : loom_topo_rules(&rig->topo);
	return (enum loom_rule)loom_rng_below(rng, n_rules);
}

static void random_list(struct rig *rig, unsigned i, struct loom_rng *rng)
{
	uint32_t nodes = rig->topo.n_nodes;
	size_t n_messages = 1 + loom_rng_below(rng, nodes <= 16 ? 100 : 400);
	unsigned style = (unsigned)loom_rng_below(rng, 3); // uniform, bursts to one node, bursts from one node
	uint32_t longest = loom_rng_below(rng, 4) ? 24 : LISTS_LONGEST;
	uint32_t focus = (uint32_t)loom_rng_below(rng, nodes);
	enum loom_machine machine = loom_rng_below(rng, 2) ? LOOM_MACHINE_PAPER : LOOM_MACHINE_FAST;
	enum loom_rule rule = any_rule(rig, rng);
	struct loom_err err = {0};
	struct run run = {0};
	struct loom_message *messages = calloc(n_messages, sizeof *messages);
	if (!messages)
		abort();
	for (size_t k = 0; k < n_messages; k++) {
		bool burst = loom_rng_below(rng, 2);
		messages[k].source = style == 2 && burst ? focus : (uint32_t)loom_rng_below(rng, nodes);
		messages[k].destination = style == 1 && burst ? focus : (uint32_t)loom_rng_below(rng, nodes);
		messages[k].flits = 1 + (uint32_t)loom_rng_below(rng, longest);
	}
	if (check(loom_pattern_from_messages(&run.pattern, "random list", nodes, messages, n_messages, &err) == 0, "%s",
	          err.text) &&
	    plan_and_run(rig, &run, rule, machine, NULL))
		check_run(&run, machine, i);
	free(messages);
	run_free(&run);
}

static int by_pass(const void *a, const void *b)
{
	const struct loom_plan_message *x = a, *y = b;
	return x->pass != y->pass ? (x->pass < y->pass ? -1 : 1) : x->source < y->source ? -1 : x->source > y->source;
}

// Each message in the first pass in which all its channels are free.
static bool cut_into_passes(struct run *run)
{
	struct loom_plan *plan = &run->plan;
	struct loom_err err = {0};
	uint32_t n_channels = loom_topo_channels(&plan->topo), n_passes = 1;
	bool *taken = calloc((plan->n_messages + 1) * n_channels, sizeof *taken);
	if (!taken)
		abort();
	for (size_t i = 0; i < plan->n_messages; i++) {
		struct loom_plan_message *m = &plan->messages[i];
		struct loom_route route;
		uint32_t channel, pass = 0;
		bool fits = false;
		for (pass = 0; !fits && m->source != m->destination; pass += !fits) {
			fits = true;
			for (loom_route_begin(&route, &plan->topo, plan->map[m->source], plan->map[m->destination],
			                      (enum loom_rule)m->rule);
			     loom_route_next(&route, &channel);)
				fits = fits && !taken[pass * n_channels + channel];
		}
		m->pass = pass;
		n_passes = pass + 1 > n_passes ? pass + 1 : n_passes;
		for (loom_route_begin(&route, &plan->topo, plan->map[m->source], plan->map[m->destination],
		                      (enum loom_rule)m->rule);
		     m->source != m->destination && loom_route_next(&route, &channel);)
			taken[pass * n_channels + channel] = true;
	}
	free(taken);
	qsort(plan->messages, plan->n_messages, sizeof *plan->messages, by_pass);
	for (size_t i = 0; i < plan->n_messages; i++)
		plan->messages[i].origin = (uint32_t)i;
	uint32_t *members = calloc(n_passes, sizeof *members);
	if (!members)
		abort();
	free(plan->member_of_pass);
	plan->member_of_pass = members;
	plan->n_passes = n_passes;
	return check(loom_plan_predict(plan, &err) == 0, "%s in %u passes: %s", run->pattern.name, n_passes,
	             err.text) &&
	       check(loom_plan_contention(plan) <= 1, "%s in %u passes has contention", run->pattern.name, n_passes);
}

static void random_permutation(struct rig *rig, unsigned i, struct loom_rng *rng)
{
	enum loom_machine machine = loom_rng_below(rng, 2) ? LOOM_MACHINE_PAPER : LOOM_MACHINE_FAST;
	enum loom_rule rule = any_rule(rig, rng);
	struct loom_pattern_options options = {.flits = 1 + (uint32_t)loom_rng_below(rng, 40),
	                                       .seed = loom_rng_next(rng)};
	struct loom_err err = {0};
	struct run run = {0};
	if (check(loom_pattern_parse(&run.pattern, "random-perm", rig->topo.n_nodes, &options, &err) == 0, "%s",
	          err.text) &&
	    plan_and_run(rig, &run, rule, machine, cut_into_passes)) {
		check_run(&run, machine, i);
		check(run.verdict.blocked_cycles == 0,
		      "permutation %u on %s, seed %" PRIu64 ": %" PRIu64 " blocked cycles", i, rig->fabric, test.seed,
		      run.verdict.blocked_cycles);
	}
	run_free(&run);
}

static unsigned long number(const char *text, const char *name, unsigned long otherwise)
{
	size_t length = strlen(name);
	return strncmp(text, name, length) == 0 && text[length] == '=' ? strtoul(text + length + 1, NULL, 0)
	                                                               : otherwise;
}

int main(int argc, char **argv)
{
	const char *fabrics[FABRICS_MAX] = {"line:2", "mesh:3x5",  "mesh:4x3x2", "ring:3",
	                                    "ring:8", "torus:2x2", "torus:5x3",  "cube:3"};
	unsigned long lists = 20, perms = 20;
	size_t n_fabrics = 0;
	time_t start = time(NULL);
	(void)setvbuf(stdout, NULL, _IOLBF, 0);
	test.seed = 1;
	for (int i = 1; i < argc; i++) {
		lists = number(argv[i], "lists", lists);
		perms = number(argv[i], "perms", perms);
		test.seed = number(argv[i], "seed", test.seed);
		if (!strchr(argv[i], '=') && n_fabrics < FABRICS_MAX)
			fabrics[n_fabrics++] = argv[i];
	}
	for (size_t f = 0; n_fabrics ? f < n_fabrics : fabrics[f] != NULL; f++) {
		struct loom_rng rng;
		struct rig rig;
		if (!rig_open(&rig, fabrics[f], NULL)) {
			test.failed++;
			continue;
		}
		loom_rng_init(&rng, test.seed ^ 0x6e6574); // "net"
		for (unsigned i = 0; i < lists && !rig.topo.kind->wraps; i++)
			random_list(&rig, i, &rng);
		for (unsigned i = 0; i < perms; i++)
			random_permutation(&rig, i, &rng);
		rig_close(&rig);
		fprintf(stderr, "e2e_net: %s done, %u checks passed, %u failed, %ld s\n", fabrics[f], test.passed,
		        test.failed, (long)(time(NULL) - start));
	}
	printf("e2e_net: seed %" PRIu64 ", %lu message lists, %lu permutations on each fabric, %ld s\n", test.seed,
	       lists, perms, (long)(time(NULL) - start));
	printf("%u passed, %u failed\n", test.passed, test.failed);
	return test.failed ? 1 : 0;
}
