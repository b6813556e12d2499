// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Planners and links that a program brings along in the options.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/link.h>
#include <flitloom/planner.h>

static bool accepts_cubes(const struct loom_topo *topo, const struct loom_pattern *pattern)
{
	(void)pattern;
	return strcmp(topo->kind->name, "cube") == 0;
}

static bool never(const struct loom_topo *topo, const struct loom_pattern *pattern)
{
	(void)topo, (void)pattern;
	return false;
}

static int plan_as_it_is(struct loom_plan *plan, const struct loom_planner_request *request, struct loom_err *err)
{
	(void)request;
	return loom_plan_predict(plan, err);
}

static int lose_last(struct loom_plan *plan, const struct loom_planner_request *request, struct loom_err *err)
{
	plan->n_messages--;
	return plan_as_it_is(plan, request, err);
}

// A planner that loses message 3 and moves the later ones one place to the front.
static int lose_third(struct loom_plan *plan, const struct loom_planner_request *request, struct loom_err *err)
{
	plan->n_messages--;
	for (uint32_t i = 3; i < plan->n_messages; i++) {
		plan->messages[i] = plan->messages[i + 1];
		plan->messages[i].origin = i;
	}
	return plan_as_it_is(plan, request, err);
}

static int shorten_fifth(struct loom_plan *plan, const struct loom_planner_request *request, struct loom_err *err)
{
	plan->messages[5].flits--;
	return plan_as_it_is(plan, request, err);
}

static int add_one(struct loom_plan *plan, const struct loom_planner_request *request, struct loom_err *err)
{
	uint32_t last = (uint32_t)plan->n_messages++;
	struct loom_plan_message *more = realloc(plan->messages, plan->n_messages * sizeof *more);
	assert_non_null(more);
	plan->messages = more;
	more[last] = more[2];
	more[last].origin = last;
	return plan_as_it_is(plan, request, err);
}

static const struct loom_planner eager = {
	.name = "eager", .help = "x", .accepts = accepts_cubes, .plan = plan_as_it_is, .bound = LOOM_BOUND_ANY};
static const struct loom_planner shy = {
	.name = "shy", .help = "x", .accepts = accepts_cubes, .volunteers = never, .plan = plan_as_it_is};
static const struct loom_planner loser = {
	.name = "loser", .help = "x", .accepts = accepts_cubes, .volunteers = never, .plan = lose_last};
static const struct loom_planner third = {.name = "third", .help = "x", .accepts = accepts_cubes, .plan = lose_third};
static const struct loom_planner fifth = {
	.name = "fifth", .help = "x", .accepts = accepts_cubes, .plan = shorten_fifth};
static const struct loom_planner adder = {.name = "adder", .help = "x", .accepts = accepts_cubes, .plan = add_one};
static const struct loom_planner *const both[] = {&shy, &eager, NULL}, *const only_shy[] = {&shy, NULL},
					*const losers[] = {&loser, &third, &fifth, &adder, NULL},
					*const none[] = {NULL};

static int make(struct loom_plan *out, const char *fabric, const struct loom_plan_options *options,
                struct loom_err *err)
{
	struct loom_topo topo;
	struct loom_pattern pattern;
	const struct loom_pattern_options flits = {.flits = 5};
	assert_int_equal(loom_topo_parse(&topo, fabric, err), 0);
	assert_int_equal(loom_pattern_parse(&pattern, "transpose", topo.n_nodes, &flits, err), 0);
	int code = loom_plan_make(out, &topo, &pattern, options, err);
	loom_pattern_free(&pattern);
	return code;
}

static void planned_by(const char *fabric, const char *name, const struct loom_planner *const *own, const char *planner,
                       enum loom_bound bound)
{
	const struct loom_plan_options options = {.planner = name, .planners = own};
	struct loom_plan plan;
	struct loom_err err = {0};
	assert_int_equal(make(&plan, fabric, &options, &err), 0);
	assert_string_equal(plan.planner, planner);
	assert_int_equal(plan.bound, bound);
	loom_plan_free(&plan);
}

static void refused(const char *fabric, const char *name, const struct loom_planner *const *own, int code,
                    const char *says)
{
	const struct loom_plan_options options = {.planner = name, .planners = own};
	struct loom_plan plan;
	struct loom_err err = {0};
	assert_int_equal(make(&plan, fabric, &options, &err), code);
	if (!strstr(err.text, says))
		fail_msg("\"%s\" does not say \"%s\"", err.text, says);
}

static void test_planners(void **state)
{
	(void)state;
	planned_by("cube:4", NULL, both, "eager", LOOM_BOUND_ANY); // asked before flitloom's own
	planned_by("cube:4", NULL, only_shy, "lcc", LOOM_BOUND_ORDERS);
	planned_by("cube:4", "shy", only_shy, "shy", LOOM_BOUND_PLACEMENT);
	planned_by("cube:4", "direct", both, "direct", LOOM_BOUND_PLACEMENT);
	planned_by("cube:4", NULL, none, "lcc", LOOM_BOUND_ORDERS);
	planned_by("omega:16", NULL, both, "min_passes",
	           LOOM_BOUND_ANY); // what it does not accept goes to the other planners
	refused("omega:16", "shy", both, LOOM_EINPUT, "planner shy (x) cannot plan");
	refused("cube:4", "egaer", both, LOOM_EINPUT, "did you mean \"eager\"");
	refused("cube:4", "zzzzzzzz", both, LOOM_EINPUT, "there is: shy, eager, lcc");
	refused("cube:4", "eager", NULL, LOOM_EINPUT, "unknown planner");
	for (size_t i = 0; loom_planner_at(i); i++)
		refused("cube:4", "zzzzzzzz", NULL, LOOM_EINPUT, loom_planner_at(i)->name);
	// Held to the pattern like others: it says which message is wrong.
	refused("cube:4", "loser", losers, LOOM_EINTERNAL,
	        "planner loser loses message 15 of \"transpose\", 5 flits from 15 to 15 of member 0 (it delivers 15 of "
	        "16 messages)");
	refused("cube:4", "third", losers, LOOM_EINTERNAL,
	        "planner third loses message 3 of \"transpose\", 5 flits from 3 to 12 of member 0 (it delivers 15 of "
	        "16 "
	        "messages)");
	refused("cube:4", "fifth", losers, LOOM_EINTERNAL,
	        "planner fifth loses message 5 of \"transpose\", 5 flits from 5 to 5 of member 0; nobody asked for "
	        "message 5 of its plan, 4 flits from 5 to 5 for member 0 (it delivers 16 of 16 messages)");
	refused("cube:4", "adder", losers, LOOM_EINTERNAL,
	        "planner adder delivers what \"transpose\" does not ask for: message 16 of its plan, 5 flits from 2 to "
	        "8 "
	        "for member 0 (17 messages, 16 wanted)");
}

static int mine_open(struct loom_link *link, const char *argument, const struct loom_link_options *options,
                     struct loom_err *err)
{
	(void)options, (void)err;
	link->state = strdup(argument);
	return link->state ? 0 : LOOM_ENOMEM;
}

static void mine_close(struct loom_link *link)
{
	free(link->state);
}

static const struct loom_link_kind mine = {.name = "mine", .argument = "TEXT", .open = mine_open, .close = mine_close};
static const struct loom_link_kind my_sim = {.name = "sim", .argument = "", .open = mine_open, .close = mine_close};
static const struct loom_link_kind *const kinds[] = {&mine, &my_sim, NULL};

static void test_links(void **state)
{
	const struct loom_link_options options = {.kinds = kinds};
	const struct loom_link_kind *found;
	const char *argument;
	struct loom_link link;
	struct loom_err err = {0};
	(void)state;
	assert_int_equal(loom_link_open(&link, "mine:to you", &options, &err), 0);
	assert_string_equal(link.state, "to you");
	loom_link_close(&link);
	assert_int_equal(loom_link_find(&found, &argument, "sim", &options, &err), 0);
	assert_ptr_equal(found, &my_sim); // a program's own goes before flitloom's
	assert_int_equal(loom_link_find(&found, &argument, "uart:x", &options, &err), 0);
	assert_string_equal(found->name, "uart");
	assert_int_equal(loom_link_open(&link, "mine", NULL, &err), LOOM_EINPUT);
	assert_int_equal(loom_link_open(&link, "mime", &options, &err), LOOM_EINPUT);
	assert_non_null(strstr(err.text, "did you mean \"mine\""));
	assert_int_equal(loom_link_open(&link, "zzzzzzzz", &options, &err), LOOM_EINPUT);
	assert_non_null(strstr(err.text, "there is: mine, sim, sim, model, sim-uart"));
	assert_int_equal(loom_link_open(&link, "fault:flip=1e-3:mine:x", &options, &err), LOOM_EINPUT);
	assert_non_null(strstr(err.text, "\"mine\" carries no bytes"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_planners),
		cmocka_unit_test(test_links),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
