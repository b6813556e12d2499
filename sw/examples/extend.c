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

static int one_by_one(struct loom_plan *plan, const struct loom_pattern *pattern, const char *objective,
                      bool map_is_free, struct loom_err *err)
{
	uint32_t *member_of_pass = calloc(plan->n_messages, sizeof *member_of_pass);
	(void)pattern, (void)objective, (void)map_is_free;
	if (!member_of_pass)
		return loom_fail(err, LOOM_ENOMEM, "no memory for %zu passes", plan->n_messages);
	free(plan->member_of_pass);
	plan->member_of_pass = member_of_pass; // all of the pattern's only member, 0
	plan->n_passes = (uint32_t)plan->n_messages;
	for (uint32_t i = 0; i < plan->n_passes; i++)
		plan->messages[i].pass = i;
	int code = loom_planner_bound_placement(plan, err);
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
	const struct loom_link_options link_options = {.fabric = fabric, .kinds = kinds};
	const struct loom_image_options image_options = {.seed = 1};
	const struct loom_run_options run_options = {0};
	struct loom_topo topo = {0};
	struct loom_pattern pattern = {0};
	struct loom_plan plan = {0};
	struct loom_link link = {0};
	struct loom_device *device = NULL;
	struct loom_image image = {0};
	struct loom_trace trace = {0};
	struct loom_verdict verdict = {0};
	struct loom_err err = {0};
	int code, status = 3;

	if ((code = loom_topo_parse(&topo, fabric, &err)) == 0 &&
	    (code = loom_pattern_parse(&pattern, "bit-reverse", topo.n_nodes,
	                               &(struct loom_pattern_options){.flits = 9}, &err)) == 0 &&
	    (code = loom_plan_make(&plan, &topo, &pattern, &plan_options, &err)) == 0 &&
	    (code = loom_link_open(&link, "counted:sim", &link_options, &err)) == 0 &&
	    (code = loom_device_open(&device, &link, &err)) == 0 &&
	    (code = loom_image_make(&image, &plan, loom_device_chip(device), &image_options, &err)) == 0 &&
	    (code = loom_device_load(device, &image, &err)) == 0 &&
	    (code = loom_device_run(device, &image, &run_options, &trace, &err)) == 0 &&
	    (code = loom_verdict_make(&verdict, &plan, &trace, &err)) == 0) {
		printf("%s by %s: %u passes, %s\n", plan.pattern, plan.planner, plan.n_passes,
		       verdict.n_mismatches ? verdict.mismatches[0] : "PASS");
		status = verdict.n_mismatches ? 1 : 0;
	} else {
		(void)fprintf(stderr, "extend: %s\n", err.text);
		status = loom_code_status(code);
	}
	loom_verdict_free(&verdict);
	loom_trace_free(&trace);
	loom_image_free(&image);
	loom_device_close(device);
	loom_link_close(&link);
	loom_plan_free(&plan);
	loom_pattern_free(&pattern);
	loom_topo_free(&topo);
	return status;
}
