// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// A planner and a link of one's own, handed to the library: the planner sends one message a pass, the link counts the
// words that go through the simulation.
//
//   cc extend.c -o extend $(pkg-config --cflags --libs flitloom) && ./extend
#include <stdio.h>
#include <stdlib.h>

#include <flitloom.h>

// --- A planner -----------------------------------------------------------------------------------------------------

static bool accepts(const struct loom_topo *topo, const struct loom_pattern *pattern)
{
	(void)topo;
	return pattern->n_members == 1 && pattern->n_messages > 0;
}

static int one_by_one(struct loom_plan *plan, const struct loom_planner_request *request, struct loom_err *err)
{
	const uint32_t n = (uint32_t)plan->n_messages;
	(void)request; // keeps the map
	for (uint32_t i = 0; i < n; i++)
		plan->messages[i].pass = i;
	int code = loom_planner_set_messages(plan, plan->messages, n, n, err);
	if (code == 0)
		code = loom_planner_bound_placement(plan, err);
	return code ? code : loom_plan_predict(plan, err);
}

static const struct loom_planner my_planner = {
	.name = "one-by-one",
	.help = "one message a pass",
	.accepts = accepts,
	.plan = one_by_one,
	.bound = LOOM_BOUND_PLACEMENT,
};

// --- A link --------------------------------------------------------------------------------------------------------

struct counted {
	struct loom_link inner;
	size_t n_words;
};

static int counted_open(struct loom_link *link, const char *argument, const struct loom_link_options *options,
                        struct loom_err *err)
{
	struct counted *c = calloc(1, sizeof *c);
	if (!c)
		return loom_fail(err, LOOM_ENOMEM, "no memory for a link");
	int code = loom_link_open(&c->inner, argument, options, err);
	if (code) {
		free(c);
		return code;
	}
	link->state = c;
	return 0;
}

static int counted_transfer(struct loom_link *link, const struct loom_transfer *list, size_t n, unsigned timeout_ms,
                            struct loom_err *err)
{
	struct counted *c = link->state;
	for (size_t i = 0; i < n; i++)
		c->n_words += list[i].n_words;
	return c->inner.kind->transfer(&c->inner, list, n, timeout_ms, err);
}

static int counted_run(struct loom_link *link, uint64_t n_cycles, struct loom_err *err)
{
	struct counted *c = link->state;
	return c->inner.kind->run(&c->inner, n_cycles, err);
}

static void counted_close(struct loom_link *link)
{
	struct counted *c = link->state;
	printf("%zu words\n", c->n_words);
	loom_link_close(&c->inner);
	free(c);
}

static const struct loom_link_kind my_link = {
	.name = "counted",
	.argument = "LINK",
	.help = "another link, its words counted",
	.open = counted_open,
	.transfer = counted_transfer,
	.run = counted_run,
	.close = counted_close,
};

// --- Both at work --------------------------------------------------------------------------------------------------

int main(int argc, char **argv)
{
	const char *fabric = argc > 1 ? argv[1] : "cube:2";
	const struct loom_planner *const planners[] = {&my_planner, NULL};
	const struct loom_link_kind *const kinds[] = {&my_link, NULL};
	const struct loom_plan_options plan_options = {.planner = "one-by-one", .planners = planners};
	const struct loom_run_request request = {.fabric = fabric,
	                                         .spec = "bit-reverse",
	                                         .pattern_options = {.flits = 9},
	                                         .plan = &plan_options,
	                                         .link = "counted:sim",
	                                         .link_options = {.kinds = kinds},
	                                         .image = {.seed = 1}};
	struct loom_run run = {0};
	struct loom_err err = {0};
	int code = loom_run(&run, &request, &err), status = loom_code_status(code);
	if (code == 0) {
		printf("%s by %s: %u passes, %s\n", run.plan.pattern, run.plan.planner, run.plan.n_passes,
		       run.verdict.n_mismatches ? run.verdict.mismatches[0] : "PASS");
		status = run.verdict.n_mismatches ? 1 : 0;
	} else {
		(void)fprintf(stderr, "extend: %s\n", err.text);
	}
	loom_run_free(&run);
	return status;
}
