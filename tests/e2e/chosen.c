// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Random messages on routes that were chosen for them, on fabrics whose routers have tables; on chosen lanes, too,
// if links have several.
#include <flitloom/routes/virtual_networks.h>

#include "e2e.h"
#include "plan/routes/box.h"

#define MESSAGES_MOST 200
#define LONGEST 120 // flits

static bool has_tables(const struct loom_topo *topo)
{
	return topo->kind->spare_label_bits != 0 && !topo->graph; // for graphs the reference knows only the usual lanes
}

static bool take_list(struct e2e *t, struct run *run, const struct rig *rig, const struct loom_message *messages,
                      size_t n)
{
	struct loom_err err = {0};
	loom_pattern_free(&run->pattern);
	return check(t,
	             loom_pattern_from_messages(&run->pattern, "random list", loom_topo_hosts(&rig->topo), messages, n,
	                                        &err) == 0,
	             "%s", err.text);
}

// Plans the messages, each by a random rule. Each rule has its own lane, so messages cannot lock unless there are
// rings.
static bool plan_by_rules(struct e2e *t, struct run *run, const struct rig *rig, struct loom_rng *rng)
{
	struct loom_err err = {0};
	if (!plan_by_hand(t, run, rig, LOOM_RULE_ASCENDING))
		return false;
	for (size_t i = 0; i < run->plan.n_messages; i++)
		run->plan.messages[i].rule = (uint8_t)loom_rng_below(rng, loom_topo_rules_count(&rig->topo));
	return check(t, loom_plan_predict(&run->plan, &err) == 0, "%s on %s: %s", run->pattern.name, rig->fabric,
	             err.text);
}

// Chooses routes by BLOCK or in dimension order, and their lanes; gives up some routes so that the lanes suffice. A
// network without coordinates keeps the usual routes, as planned. The planners do the same, and look for a bound.
static int choose(struct run *run, const struct rig *rig, const struct loom_message *messages, struct loom_rng *rng,
                  struct loom_err *err)
{
	struct loom_plan *plan = &run->plan;
	size_t n = plan->n_messages;
	uint32_t n_lanes, *lane = calloc(n, sizeof *lane), most = rig->topo.n_vcs;
	unsigned how = (unsigned)loom_rng_below(rng, 4);
	if (!loom_box_has(&rig->topo)) { // no order of dimensions, nor routes to give up in favour of it
		free(lane);
		return 0;
	}
	if (!lane)
		abort();
	int rc = how >= 2 ? loom_routes_block(&plan->routes, &rig->topo, messages, n, LOOM_LOAD_FLITS, err)
	                  : loom_routes_in_order(&plan->routes, &rig->topo, messages, n, (enum loom_rule)how, err);
	if (rc == 0)
		rc = loom_routes_fit_lanes(&plan->routes, lane, &n_lanes,
		                           &(struct loom_lanes_task){&rig->topo, messages, LOOM_LOAD_FLITS, most}, err);
	for (size_t i = 0; rc == 0 && i < n; i++)
		plan->messages[i].rule = (uint8_t)(lane[i] < most ? lane[i] : most - 1);
	free(lane);
	return rc == 0 ? loom_plan_predict(plan, err) : rc;
}

bool plan_routes(struct e2e *t, struct run *run, const struct rig *rig, const struct loom_message *messages, size_t n,
                 struct loom_rng *rng)
{
	const struct loom_image_options of_image = {.machine = LOOM_MACHINE_FAST};
	struct loom_err err = {0};
	for (int rc = -1; rc != 0; n /= 2) {
		loom_plan_free(&run->plan);
		if (!check(t, n > 0, "no list fits %s: %s", rig->fabric, err.text) ||
		    !take_list(t, run, rig, messages, n) || !plan_by_hand(t, run, rig, LOOM_RULE_ASCENDING))
			return false;
		rc = choose(run, rig, messages, rng, &err);
		if (!check(t, rc == 0, "%s: %s", rig->fabric, err.text))
			return false;
		rc = loom_image_check(&run->plan, &of_image, &err);
	}
	return true;
}

static void test_lists(struct e2e *t, struct rig *rig, struct loom_rng *rng)
{
	bool by_rules = rig->topo.n_vcs > 1 && !rig->topo.kind->wraps;
	for (unsigned i = 0; i < t->lists; i++) {
		struct loom_message messages[MESSAGES_MOST];
		struct run run = {0};
		size_t n = 1 + loom_rng_below(rng, MESSAGES_MOST);
		uint32_t longest = loom_rng_below(rng, 4) ? 24 : LONGEST;
		enum loom_machine machine = any_machine(rng);
		for (size_t k = 0; k < n; k++)
			messages[k] = (struct loom_message){
				.source = (uint32_t)loom_rng_below(rng, loom_topo_hosts(&rig->topo)),
				.destination = (uint32_t)loom_rng_below(rng, loom_topo_hosts(&rig->topo)),
				.flits = 1 + (uint32_t)loom_rng_below(rng, longest)};
		if ((by_rules && i % 5 == 0 ? take_list(t, &run, rig, messages, n) && plan_by_rules(t, &run, rig, rng)
		                            : plan_routes(t, &run, rig, messages, n, rng)) &&
		    check(t, rig_run_plan(rig, &run, machine, loom_rng_next(rng)),
		          "list %u does not run on %s, seed %" PRIu64, i, rig->fabric, t->seed)) {
			check_verdict(t, &run, "list", i);
			check_reference(t, &run, machine, "list", i);
		}
		run_free(&run);
	}
}

const struct subject chosen_lists = {"random lists on chosen routes", has_tables, test_lists};
