// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks the invariants that plan.h states.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/routes/failures.h>

#include "plan/circuit_slots.h"
#include "plan/plan_adaptive.h"
#include "plan/plan_internal.h"
#include "topo/graph.h"
#include "topo/topo_ocs.h"

// Loads that a plan may hold (512 MiB of them): no file and no planner can ask for more than a machine has.
#define LOADS_MAX ((uint64_t)1 << 27)
#define SLOTS 256 // from_slot and keep_slot are bytes

int loom_plan_check_passes(const struct loom_topo *topo, uint64_t n_passes, struct loom_err *err)
{
	uint64_t most = LOADS_MAX / loom_topo_channels(topo);
	if (n_passes <= most)
		return 0;
	return loom_fail(err, LOOM_EINPUT, "%" PRIu64 " passes on %s: 1 to %" PRIu64 " is possible", n_passes,
	                 topo->name, most);
}

static int check_shape(const struct loom_plan *plan, struct loom_err *err)
{
	int rc = loom_plan_check_passes(&plan->topo, plan->n_passes, err);
	if (rc != 0)
		return rc;
	if (plan->n_passes < 1)
		return loom_fail(err, LOOM_EINPUT, "no passes; there is at least one");
	if (plan->n_messages > LOOM_PLAN_MESSAGES_MAX)
		return loom_fail(err, LOOM_EINPUT, "%zu messages, %d at most", plan->n_messages,
		                 LOOM_PLAN_MESSAGES_MAX);
	if (plan->n_members < 1 || plan->n_members > plan->n_passes)
		return loom_fail(err, LOOM_EINPUT, "%" PRIu32 " members in %" PRIu32 " passes: every member has a pass",
		                 plan->n_members, plan->n_passes);
	for (uint32_t pass = 0; pass < plan->n_passes; pass++)
		if (plan->member_of_pass[pass] >= plan->n_members)
			return loom_fail(err, LOOM_EINPUT,
			                 "pass %" PRIu32 " is of member %" PRIu32 ", there are %" PRIu32, pass,
			                 plan->member_of_pass[pass], plan->n_members);
	unsigned n_groups = loom_topo_groups(&plan->topo);
	if (plan->n_theory != 0 && plan->n_theory != (size_t)plan->n_passes * n_groups)
		return loom_fail(err, LOOM_EINPUT, "%zu theoretical loads for %" PRIu32 " passes of %u groups",
		                 plan->n_theory, plan->n_passes, n_groups);
	return 0;
}

static int check_map(const struct loom_plan *plan, struct loom_err *err)
{
	uint32_t n_nodes = plan->topo.n_nodes;
	uint32_t *place = calloc(n_nodes, sizeof *place);
	if (!place)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for a map of %" PRIu32 " nodes", n_nodes);
	int rc = loom_plan_check_permutation(plan->map, n_nodes, place, "the node of each processor", err);
	free(place);
	if (rc != 0)
		return rc;

	unsigned order[LOOM_GF2_MAX], n = loom_plan_order_of_map(order, plan->map, n_nodes);
	if (plan->n_order != n || memcmp(order, plan->order, n * sizeof order[0]) != 0)
		return loom_fail(err, LOOM_EINPUT, "the bit order is not that of the map (%s)",
		                 n ? "which has one" : "which has none");
	return 0;
}

// Checks that processors sit at nodes that have one. Other nodes have no store, so they cannot relay data.
static int check_hosts(const struct loom_plan *plan, size_t i, struct loom_err *err)
{
	const struct loom_topo *t = &plan->topo;
	const struct loom_plan_message *m = &plan->messages[i];
	const uint32_t n = loom_topo_has_circuits(t) ? t->n_nodes : loom_topo_hosts(t);
	if (plan->map[m->source] < n && plan->map[m->destination] < n)
		return 0;
	const uint32_t at = plan->map[plan->map[m->source] < n ? m->destination : m->source];
	return loom_fail(err, LOOM_EINPUT,
	                 "message %zu: from %" PRIu32 " to %" PRIu32
	                 ", and %.60s has no processor to send, keep or receive it; nodes 0..%" PRIu32 " have",
	                 i, m->source, m->destination, t->graph->wires.name[at], n - 1);
}

static int check_message(const struct loom_plan *plan, size_t i, struct loom_err *err)
{
	const struct loom_plan_message *m = &plan->messages[i];
	uint32_t n_nodes = plan->topo.n_nodes;
	if (m->pass >= plan->n_passes)
		return loom_fail(err, LOOM_EINPUT, "message %zu: pass %" PRIu32 ", there are %" PRIu32, i, m->pass,
		                 plan->n_passes);
	if (i > 0 && m->pass < plan->messages[i - 1].pass)
		return loom_fail(err, LOOM_EINPUT, "message %zu: pass %" PRIu32 " after pass %" PRIu32, i, m->pass,
		                 plan->messages[i - 1].pass);
	if (m->source >= n_nodes || m->destination >= n_nodes)
		return loom_fail(err, LOOM_EINPUT,
		                 "message %zu: from %" PRIu32 " to %" PRIu32 ", processors are 0..%" PRIu32, i,
		                 m->source, m->destination, n_nodes - 1);
	if (check_hosts(plan, i, err) != 0)
		return LOOM_EINPUT;
	if (m->flits < 1)
		return loom_fail(err, LOOM_EINPUT, "message %zu: no flits, the header is one", i);
	// Other rules are checked by loom_plan_check_adaptive and loom_plan_check_via.
	const bool is_usual = !loom_rule_chooses_on(&plan->topo, m->rule) && !loom_rule_has_via(m->rule);
	const bool are_lanes = loom_topo_rules_by_ends(&plan->topo) ||
	                       (plan->topo.kind->router == LOOM_ROUTER_TABLE && plan->topo.n_vcs > 1);
	if (m->rule >= LOOM_RULES_MAX && is_usual && !are_lanes)
		return loom_fail(err, LOOM_EINPUT,
		                 "message %zu: rule %d; 0 is ascending and 1 descending, 2 and 3 the same one way", i,
		                 m->rule);
	if (is_usual && m->rule >= loom_topo_rules_count(&plan->topo) && are_lanes)
		return loom_fail(err, LOOM_EINPUT, "message %zu: rule %d is a lane, and links of %s have %u", i,
		                 m->rule, plan->topo.name, plan->topo.n_vcs);
	if (is_usual && m->rule >= loom_topo_rules_count(&plan->topo))
		return loom_fail(err, LOOM_EINPUT, "message %zu: rule %d is one way round, and %s has no rings", i,
		                 m->rule, plan->topo.name);
	if (m->from_slot == 0 && m->origin != i)
		return loom_fail(err, LOOM_EINPUT, "message %zu: generated data, but origin %" PRIu32, i, m->origin);
	if (!loom_plan_uses_network(plan, m) && m->keep_slot != 0)
		return loom_fail(err, LOOM_EINPUT,
		                 "message %zu: to oneself, it never enters a store, but is to be kept in slot %d", i,
		                 m->keep_slot);
	return 0;
}

// Checks relayed data: at the start of each pass, slot k of a sender's store must hold the data that message `origin`
// brought. It simulates the stores pass by pass, so it also notices a slot that was overwritten in between.
static int check_relays(const struct loom_plan *plan, struct loom_err *err)
{
	bool any = false;
	for (size_t i = 0; i < plan->n_messages; i++)
		any = any || plan->messages[i].from_slot || plan->messages[i].keep_slot;
	if (!any)
		return 0;
	int rc = 0;
	uint32_t *held = calloc((size_t)plan->topo.n_nodes * SLOTS, sizeof *held); // index of a message + 1; 0: nothing
	if (!held)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for the stores of %" PRIu32 " nodes",
		                 plan->topo.n_nodes);
	for (size_t first = 0, end; rc == 0 && first < plan->n_messages; first = end) {
		uint32_t pass = plan->messages[first].pass;
		for (end = first; end < plan->n_messages && plan->messages[end].pass == pass; end++) {
			const struct loom_plan_message *m = &plan->messages[end];
			size_t slot = (size_t)m->source * SLOTS + m->from_slot;
			if (rc == 0 && m->from_slot && held[slot] != (uint64_t)m->origin + 1)
				rc = loom_fail(err, LOOM_EINPUT,
				               "message %zu: in pass %" PRIu32 " slot %d of processor %" PRIu32
				               " does not hold what its origin, message %" PRIu32 ", brought",
				               end, pass, m->from_slot, m->source, m->origin);
		}
		for (size_t i = first; rc == 0 && i < end; i++) {
			const struct loom_plan_message *m = &plan->messages[i];
			uint32_t *slot = &held[(size_t)m->destination * SLOTS + m->keep_slot];
			if (m->keep_slot && *slot > first)
				rc = loom_fail(err, LOOM_EINPUT,
				               "message %zu: slot %d of processor %" PRIu32
				               " is taken by message %" PRIu32 " of the same pass",
				               i, m->keep_slot, m->destination, *slot - 1);
			if (m->keep_slot)
				*slot = (uint32_t)i + 1;
		}
	}
	free(held);
	return rc;
}

// Checks the invariants by which the passes of a free run stay in step (see plan.h). Messages are in ascending order of
// pass.
static int check_free_running(const struct loom_plan *plan, struct loom_err *err)
{
	if (!plan->free_running)
		return 0;
	int rc = 0;
	uint32_t *sent = calloc(plan->topo.n_nodes, sizeof *sent); // pass of a node's last message, from 1
	if (!sent)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for %" PRIu32 " nodes", plan->topo.n_nodes);
	for (size_t i = 0; rc == 0 && i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		if (m->flits != plan->messages[0].flits)
			rc = loom_fail(err, LOOM_EINPUT,
			               "message %zu: %" PRIu32 " flits and others %" PRIu32
			               ": in a free run all have the same",
			               i, m->flits, plan->messages[0].flits);
		else if (m->from_slot || m->keep_slot)
			rc = loom_fail(err, LOOM_EINPUT,
			               "message %zu: relayed, which takes a barrier between the passes", i);
		else if (sent[m->source] > m->pass)
			rc = loom_fail(err, LOOM_EINPUT,
			               "message %zu: processor %" PRIu32 " sends two messages in pass %" PRIu32
			               " of a free run",
			               i, m->source, m->pass);
		sent[m->source] = m->pass + 1;
	}
	free(sent);
	return rc;
}

int loom_plan_check_parts(const struct loom_plan *plan, struct loom_err *err)
{
	struct loom_err why = {0};
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		if (loom_plan_uses_network(plan, m))
			rc = loom_topo_check_part(&plan->topo, plan->map[m->source], plan->map[m->destination], &why);
	}
	return rc == 0 ? 0 : loom_fail(err, rc, "%.150s: %.300s", plan->topo.name, why.text);
}

int loom_plan_check(const struct loom_plan *plan, struct loom_err *err)
{
	int rc = check_shape(plan, err);
	if (rc == 0)
		rc = check_map(plan, err);
	for (size_t i = 0; rc == 0 && i < plan->n_messages; i++)
		rc = check_message(plan, i, err);
	if (rc == 0)
		rc = loom_plan_check_adaptive(plan, err);
	if (rc == 0)
		rc = loom_plan_check_via(plan, err);
	if (rc == 0)
		rc = loom_plan_check_parts(plan, err);
	if (rc == 0)
		rc = loom_plan_check_routes(plan, err);
	if (rc == 0)
		rc = loom_plan_check_labels(plan, err);
	if (rc == 0)
		rc = check_relays(plan, err);
	if (rc == 0)
		rc = check_free_running(plan, err);
	if (rc == 0)
		rc = loom_plan_check_timing(plan, err);
	return rc == 0 ? loom_plan_check_circuits(plan, err) : rc;
}
