// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Random permutations, all permutations and random message lists (several per node, 1 to 300 flits), cut into passes by
// the planner that is named after the fabric: PLANNER[,half][,one-way]. Each must run with a verdict without differences,
// at most one message to a channel in each pass and no blocked cycle, the passes one by one and back to back; with half
// duplex no link may have carried messages both ways in a pass. Planners mesh and torus must take as many passes as the
// longer side has for a permutation, as many as the busiest row sends or the busiest column receives for a list; the others
// for 90% of the lists at most one more than messages on the busiest channel.
#include "e2e.h"

#define LONGEST 300     // flits of a list's message
#define PASSES_MOST 256 // numbers of passes that are counted apart

// The request to the planner, and the number of passes it took.
struct task {
	char planner[16];
	bool half_duplex, one_way;
	unsigned n_runs, n_optimal, n_met, n_one_more; // n_met: in as few passes as the busiest channel has messages
	unsigned n_of[PASSES_MOST];
};

static struct task task_of(const struct e2e *t)
{
	struct task task = {.half_duplex = strstr(t->by, ",half"), .one_way = strstr(t->by, ",one-way")};
	(void)snprintf(task.planner, sizeof task.planner, "%.*s", (int)strcspn(t->by, ","), t->by);
	return task;
}

// Counts, from the measurement, the links that carried messages both ways in a pass.
static unsigned links_used_both_ways(const struct run *run)
{
	const struct loom_topo *topo = &run->plan.topo;
	uint32_t per_tile = loom_topo_channels_per_tile(topo), v;
	unsigned n_both = 0, q;
	for (uint32_t pass = 0; pass < run->plan.n_passes; pass++) {
		const struct loom_count *of_pass = run->trace.counts + (size_t)pass * run->trace.n_channels;
		for (uint32_t u = 0; u < topo->n_nodes; u++)
			for (unsigned p = 0; p < loom_topo_links(topo); p++)
				n_both += topo->kind->link(topo, u, p, &v, &q) && (u < v || (u == v && p < q)) &&
				          of_pass[u * per_tile + p].worms && of_pass[v * per_tile + q].worms;
	}
	return n_both;
}

static void check_passes(struct e2e *t, const struct run *run, const struct task *task, const char *what, unsigned i)
{
	const struct loom_verdict *v = &run->verdict;
	const char *fabric = run->plan.topo.name;
	check_verdict(t, run, what, i);
	check(t, v->measured_contention <= 1 && v->blocked_cycles == 0,
	      "%s %u on %s by %s: contention %" PRIu32 ", %" PRIu64 " blocked cycles", what, i, fabric, t->by,
	      v->measured_contention, v->blocked_cycles);
	check(t, run->plan.n_passes < 2 || v->measured_back_to_back_cycles > 0,
	      "%s %u on %s by %s: no run back to back", what, i, fabric, t->by);
	if (task->half_duplex)
		check(t, links_used_both_ways(run) == 0, "%s %u on %s by %s: %u links used both ways in a pass", what,
		      i, fabric, t->by, links_used_both_ways(run));
}

// Plans, runs and checks run->pattern.
static void run_in_passes(struct e2e *t, struct rig *rig, struct run *run, struct task *task, const char *what)
{
	const struct loom_plan_options by = {.planner = task->planner,
	                                     .map = "identity",
	                                     .half_duplex = task->half_duplex,
	                                     .rule = task->one_way ? "one-way" : NULL};
	struct loom_err err = {0};
	unsigned i = task->n_runs++;
	enum loom_machine machine = i % 2 ? LOOM_MACHINE_PAPER : LOOM_MACHINE_FAST;
	if (check(t, loom_plan_make(&run->plan, &rig->topo, &run->pattern, &by, &err) == 0, "%s %u on %s by %s: %s",
	          what, i, rig->fabric, t->by, err.text) &&
	    check(t, rig_run_plan(rig, run, machine, t->seed), "%s %u by %s does not run on %s", what, i, t->by,
	          rig->fabric)) {
		uint32_t n_passes = run->plan.n_passes;
		check_passes(t, run, task, what, i);
		task->n_optimal += loom_plan_is_optimal(&run->plan);
		task->n_met += n_passes == run->plan.passes_bound;
		task->n_one_more += n_passes <= run->plan.passes_bound + 1;
		if (n_passes < PASSES_MOST)
			task->n_of[n_passes]++;
	}
}

// True if rows and columns alone set the planner's number of passes. The test computes it for two dimensions.
static bool goes_by_sides(const struct task *task, const struct loom_topo *topo)
{
	return topo->n_dims == 2 && (strcmp(task->planner, "mesh") == 0 || strcmp(task->planner, "torus") == 0);
}

static void run_permutation(struct e2e *t, struct rig *rig, const uint32_t *to, uint32_t flits, struct task *task)
{
	const struct loom_topo *topo = &rig->topo;
	uint32_t longer = topo->extent[0] > topo->extent[1] ? topo->extent[0] : topo->extent[1];
	struct run run = {0};
	if (permutation(t, &run, to, topo->n_nodes, flits))
		run_in_passes(t, rig, &run, task, "permutation");
	if (goes_by_sides(task, topo))
		check(t, run.plan.n_passes == longer, "permutation %u on %s: %" PRIu32 " passes, not %" PRIu32,
		      task->n_runs - 1, rig->fabric, run.plan.n_passes, longer);
	run_free(&run);
}

static void tell(const struct e2e *t, const struct rig *rig, const struct task *task, const char *what)
{
	printf("%s by %s: %u %s; in the fewest passes for certain %u, as few as the busiest channel has messages %u, "
	       "at most "
	       "one more %u; passes:",
	       rig->fabric, t->by, task->n_runs, what, task->n_optimal, task->n_met, task->n_one_more);
	for (unsigned k = 0; k < PASSES_MOST; k++)
		if (task->n_of[k])
			printf(" %u in %u,", task->n_of[k], k);
	printf("\n");
}

static uint32_t *new_permutation(uint32_t n)
{
	uint32_t *to = calloc(n, sizeof *to);
	if (!to)
		abort();
	for (uint32_t x = 0; x < n; x++)
		to[x] = x;
	return to;
}

static void test_perms(struct e2e *t, struct rig *rig, struct loom_rng *rng)
{
	struct task task = task_of(t);
	uint32_t *to = new_permutation(rig->topo.n_nodes);
	for (unsigned i = 0; i < t->perms; i++) {
		shuffle(rng, to, rig->topo.n_nodes);
		run_permutation(t, rig, to, 1 + (uint32_t)loom_rng_below(rng, 40), &task);
	}
	tell(t, rig, &task, "random permutations");
	free(to);
}

static void test_all_perms(struct e2e *t, struct rig *rig, struct loom_rng *rng)
{
	(void)rng;
	struct task task = task_of(t);
	uint32_t *to = new_permutation(rig->topo.n_nodes);
	do
		run_permutation(t, rig, to, 1 + task.n_runs % 7, &task);
	while (next_permutation(to, rig->topo.n_nodes));
	tell(t, rig, &task, "permutations, all that there are");
	free(to);
}

static bool random_list(struct e2e *t, struct run *run, uint32_t nodes, struct loom_rng *rng)
{
	size_t n = 1 + loom_rng_below(rng, 4 * nodes);
	struct loom_err err = {0};
	struct loom_message *messages = calloc(n, sizeof *messages);
	if (!messages)
		abort();
	for (size_t k = 0; k < n; k++) {
		messages[k].source = (uint32_t)loom_rng_below(rng, nodes);
		messages[k].destination = (uint32_t)loom_rng_below(rng, nodes);
		messages[k].flits = 1 + (uint32_t)loom_rng_below(rng, LONGEST);
	}
	int code = loom_pattern_from_messages(&run->pattern, "random list", nodes, messages, n, &err);
	free(messages);
	return check(t, code == 0, "%s", err.text);
}

// Returns the most messages that one row sends or one column receives, in two dimensions.
static uint32_t busiest_side(const struct loom_topo *topo, const struct loom_pattern *pattern)
{
	uint32_t width = topo->extent[0], most = 0;
	for (uint32_t side = 0; side < topo->n_nodes; side++) {
		uint32_t sent = 0, received = 0;
		for (size_t i = 0; i < pattern->n_messages; i++) {
			sent += pattern->messages[i].source / width == side;
			received += pattern->messages[i].destination % width == side;
		}
		most = sent > most ? sent : most;
		most = received > most ? received : most;
	}
	return most;
}

static void test_lists(struct e2e *t, struct rig *rig, struct loom_rng *rng)
{
	struct task task = task_of(t);
	for (unsigned i = 0; i < t->lists; i++) {
		struct run run = {0};
		if (random_list(t, &run, rig->topo.n_nodes, rng)) {
			run_in_passes(t, rig, &run, &task, "list");
			uint32_t side = busiest_side(&rig->topo, &run.pattern);
			check(t, !goes_by_sides(&task, &rig->topo) || run.plan.n_passes == side,
			      "list %u on %s by %s: %" PRIu32 " passes, not %" PRIu32, i, rig->fabric, t->by,
			      run.plan.n_passes, side);
		}
		run_free(&run);
	}
	check(t, goes_by_sides(&task, &rig->topo) || task.n_one_more * 10 >= task.n_runs * 9,
	      "%s by %s: only %u of %u lists in one pass more than the bound", rig->fabric, t->by, task.n_one_more,
	      task.n_runs);
	tell(t, rig, &task, "random lists");
}

static bool is_any(const struct loom_topo *topo)
{
	return topo->n_nodes > 0;
}

static bool is_small(const struct loom_topo *topo)
{
	return topo->n_nodes <= 8; // 8! runs
}

const struct subject perms_in_passes = {"random permutations by a planner", is_any, test_perms};
const struct subject all_perms_in_passes = {"all permutations by a planner", is_small, test_all_perms};
const struct subject lists_in_passes = {"random lists by a planner", is_any, test_lists};
