// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Patterns cut into passes, on verilated networks: usage
//   e2e_passes [perms=N] [lists=N] [seed=N] FABRIC:PLANNER ...      (mesh:5x8:mesh, omega:64:greedy)
// perms: random permutations by that planner; lists: random message lists, several per node, 1 to 300 flits. Each must
// run with a verdict without differences, one message to a channel in each pass and no blocked cycle, the passes one by
// one and back to back. Of lists, 90% must be in at most one pass more than messages on the busiest channel; of planners
// mesh and torus, permutations in as many as the longer side has. Prints what fails, then "N passed, N failed".
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/rng.h"
#include "rig.h"

#define LONGEST 300 // flits

static struct {
	unsigned passed, failed;
	uint64_t seed;
} test = {.seed = 1};

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

// How far the passes of one fabric are from the bound.
struct tally {
	unsigned runs, met, one_more;
};

static void run_one(struct tally *tally, struct rig *rig, struct run *run, const char *planner, unsigned i)
{
	const struct loom_plan_options by = {.planner = planner, .map = "identity"};
	struct loom_err err = {0};
	const char *what = run->pattern.name, *fabric = rig->fabric;
	if (!check(loom_plan_make(&run->plan, &rig->topo, &run->pattern, &by, &err) == 0, "%s %u on %s: %s", what, i,
	           fabric, err.text) ||
	    !check(rig_run_plan(rig, run, i % 2 ? LOOM_MACHINE_PAPER : LOOM_MACHINE_FAST, test.seed), "%s %u on %s",
	           what, i, fabric))
		return;
	const struct loom_verdict *v = &run->verdict;
	check(v->n_mismatches == 0, "%s %u on %s by %s: %zu mismatches, first: %s", what, i, fabric, planner,
	      v->n_mismatches, v->mismatches[0]);
	check(v->measured_contention <= 1 && v->blocked_cycles == 0,
	      "%s %u on %s by %s: contention %" PRIu32 ", %" PRIu64 " blocked cycles", what, i, fabric, planner,
	      v->measured_contention, v->blocked_cycles);
	check(run->plan.n_passes < 2 || v->measured_back_to_back_cycles > 0, "%s %u on %s: no run back to back", what,
	      i, fabric);
	tally->runs++;
	tally->met += run->plan.n_passes == run->plan.passes_bound;
	tally->one_more += run->plan.n_passes <= run->plan.passes_bound + 1;
}

static void random_permutation(struct tally *tally, struct rig *rig, const char *planner, unsigned i,
                               struct loom_rng *rng)
{
	struct loom_pattern_options options = {.flits = 1 + (uint32_t)loom_rng_below(rng, 40),
	                                       .seed = loom_rng_next(rng)};
	struct loom_err err = {0};
	struct run run = {0};
	const struct loom_topo *t = &rig->topo;
	uint32_t longer = t->extent[0] > t->extent[1] ? t->extent[0] : t->extent[1];
	if (check(loom_pattern_parse(&run.pattern, "random-perm", t->n_nodes, &options, &err) == 0, "%s", err.text))
		run_one(tally, rig, &run, planner, i);
	if (strcmp(planner, "mesh") == 0 || strcmp(planner, "torus") == 0)
		check(run.plan.n_passes == longer, "permutation %u on %s: %" PRIu32 " passes, not %" PRIu32, i,
		      rig->fabric, run.plan.n_passes, longer);
	run_free(&run);
}

static void random_list(struct tally *tally, struct rig *rig, const char *planner, unsigned i, struct loom_rng *rng)
{
	uint32_t nodes = rig->topo.n_nodes;
	size_t n = 1 + loom_rng_below(rng, 4 * nodes);
	struct loom_err err = {0};
	struct run run = {0};
	struct loom_message *messages = calloc(n, sizeof *messages);
	if (!messages)
		abort();
	for (size_t k = 0; k < n; k++)
		messages[k] = (struct loom_message){.source = (uint32_t)loom_rng_below(rng, nodes),
		                                    .destination = (uint32_t)loom_rng_below(rng, nodes),
		                                    .flits = 1 + (uint32_t)loom_rng_below(rng, LONGEST)};
	if (check(loom_pattern_from_messages(&run.pattern, "random list", nodes, messages, n, &err) == 0, "%s",
	          err.text))
		run_one(tally, rig, &run, planner, i);
	free(messages);
	run_free(&run);
}

static void fabric_by_planner(const char *word, unsigned long perms, unsigned long lists)
{
	char fabric[64];
	const char *colon = strrchr(word, ':');
	struct loom_rng rng;
	struct rig rig;
	(void)snprintf(fabric, sizeof fabric, "%.*s", colon ? (int)(colon - word) : 0, word);
	if (!colon || !rig_open(&rig, fabric, NULL)) {
		test.failed++;
		return;
	}
	time_t start = time(NULL);
	struct tally of_perms = {0}, of_lists = {0};
	loom_rng_init(&rng, test.seed ^ 0x706173736573); // "passes"
	for (unsigned i = 0; i < perms; i++)
		random_permutation(&of_perms, &rig, colon + 1, i, &rng);
	for (unsigned i = 0; i < lists; i++)
		random_list(&of_lists, &rig, colon + 1, i, &rng);
	rig_close(&rig);
	check(of_lists.one_more * 10 >= of_lists.runs * 9, "%s: only %u of %u lists in one pass more than the bound",
	      word, of_lists.one_more, of_lists.runs);
	printf("%s: permutations %u, in as few passes as the busiest channel has messages %u; lists %u, as few %u, at "
	       "most one more "
	       "%u; %ld s\n",
	       word, of_perms.runs, of_perms.met, of_lists.runs, of_lists.met, of_lists.one_more,
	       (long)(time(NULL) - start));
}

static unsigned long number(const char *text, const char *name, unsigned long otherwise)
{
	size_t length = strlen(name);
	return strncmp(text, name, length) == 0 && text[length] == '=' ? strtoul(text + length + 1, NULL, 0)
	                                                               : otherwise;
}

int main(int argc, char **argv)
{
	unsigned long perms = 0, lists = 0;
	(void)setvbuf(stdout, NULL, _IOLBF, 0);
	for (int i = 1; i < argc; i++) {
		perms = number(argv[i], "perms", perms);
		lists = number(argv[i], "lists", lists);
		test.seed = number(argv[i], "seed", test.seed);
		if (!strchr(argv[i], '='))
			fabric_by_planner(argv[i], perms, lists);
	}
	printf("%u passed, %u failed\n", test.passed, test.failed);
	return test.failed ? 1 : 0;
}
