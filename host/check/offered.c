// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "check/offered.h"

#include <stdlib.h>

#include <flitloom/link/image.h>

#include "check/expected.h"
#include "plan/light.h"

// A node's next offer, and its time. earliest is 0 if nothing is known until the next pass.
struct sender {
	uint32_t pass; // the pass of the next offer
	uint64_t earliest, latest;
};

static int find_arrivals(struct loom_fate *fates, const struct loom_plan *plan, const struct loom_trace *trace,
                         struct loom_err *err)
{
	struct loom_expected *expected = NULL;
	size_t n = 0;
	int rc = loom_expected_make(&expected, &n, plan, err);
	for (size_t i = 0; rc == 0 && i < trace->n_arrivals; i++) {
		struct loom_expected *e = loom_expected_find(expected, n, &trace->arrivals[i]);
		if (!e)
			continue;
		if (e->n_arrived++ == 0)
			fates[e->message].arrival = &trace->arrivals[i];
		fates[e->message].n_arrived = e->n_arrived;
	}
	free(expected);
	return rc;
}

// Moves a sender on to the pass of message m. After a barrier the node begins again. In a free run a pass in which the
// node sends nothing takes as long as a message.
static void go_to_pass(struct sender *s, const struct loom_plan *plan, const struct loom_plan_message *m)
{
	if (!plan->free_running) {
		if (m->pass != s->pass || s->latest == UINT64_MAX)
			*s = (struct sender){.pass = m->pass, .earliest = 1, .latest = 1};
		return;
	}
	if (s->latest == UINT64_MAX)
		*s = (struct sender){.pass = 0, .earliest = 1, .latest = 1};
	if (s->earliest && m->pass > s->pass) {
		uint64_t silent = (uint64_t)(m->pass - s->pass) * m->flits;
		s->earliest += silent;
		s->latest += silent;
	}
	s->pass = m->pass;
}

// Takes the release that the node reports. With timing it is taken unchanged. Without timing it is taken only for a
// message that came once, and only if it agrees with the arrivals, because a chip's value for an entry that has not
// begun is undefined.
static void take_release(struct loom_fate *fate, const struct loom_plan *plan, uint64_t cycle)
{
	const bool known = fate->earliest != 0;
	if (plan->timing ||
	    (fate->n_arrived == 1 && cycle > 0 && (!known || (cycle >= fate->earliest && cycle <= fate->latest))))
		fate->earliest = fate->latest = cycle;
}

static int take_releases(struct loom_fate *fates, const struct loom_plan *plan, const struct loom_trace *trace,
                         struct loom_err *err)
{
	uint32_t *numbers = calloc(plan->n_messages + 1, sizeof *numbers);
	int rc = numbers ? loom_image_numbers(numbers, plan, err)
	                 : loom_fail(err, LOOM_ENOMEM, "no memory for %zu messages", plan->n_messages);
	for (size_t i = 0; rc == 0 && i < plan->n_messages; i++) {
		uint32_t node = plan->map[plan->messages[i].source];
		if (loom_plan_uses_network(plan, &plan->messages[i]) &&
		    numbers[i] < trace->first_entry[node + 1] - trace->first_entry[node])
			take_release(&fates[i], plan, trace->released[trace->first_entry[node] + numbers[i]]);
	}
	free(numbers);
	return rc;
}

// Returns the flits for which there is room on the way of message i, which has `hops` hops.
static uint64_t room_of(const struct loom_plan *plan, size_t i, unsigned hops)
{
	return (uint64_t)plan->topo.buffers * (hops + 1) + loom_plan_light(plan, i).room;
}

static void follow(struct sender *s, struct loom_fate *fate, const struct loom_plan *plan, size_t i)
{
	const struct loom_plan_message *m = &plan->messages[i];
	const struct loom_arrival *a = fate->arrival;
	uint64_t way = fate->hops + 1 + fate->delay, room = room_of(plan, i, fate->hops);
	bool usual = a && fate->n_arrived == 1 && a->flits == m->flits && a->node == plan->map[m->destination];
	go_to_pass(s, plan, m);
	if (usual)
		s->latest = a->first_cycle <= way              ? 0
		            : s->latest > a->first_cycle - way ? a->first_cycle - way
		                                               : s->latest;
	if (s->earliest > s->latest) // too early for any network: nothing can be concluded
		s->earliest = s->latest = 0;
	fate->earliest = s->earliest;
	fate->latest = s->latest;
	if (!usual || !s->earliest) {
		s->earliest = s->latest = 0;
		return;
	}
	uint64_t filled = m->flits > room ? (uint64_t)a->first_cycle + m->flits - room : 0;
	s->earliest += m->flits;
	s->earliest = filled > s->earliest ? filled : s->earliest;
	s->latest = a->last_cycle > way ? a->last_cycle - way + 1 : 1;
	s->pass += plan->free_running;
}

bool loom_fate_waited(uint64_t *out, const struct loom_fate *fate)
{
	// A header that was offered in this cycle and never waits arrives in that one.
	const uint64_t soonest = fate->latest + fate->hops + 1 + fate->delay;
	if (!fate->arrival || fate->earliest == 0 || fate->earliest != fate->latest ||
	    fate->arrival->first_cycle < soonest)
		return false;
	*out = fate->arrival->first_cycle - soonest;
	return true;
}

int loom_offered_make(struct loom_fate **out, const struct loom_plan *plan, const struct loom_trace *trace,
                      struct loom_err *err)
{
	const struct loom_topo *topo = &plan->topo;
	if (plan->timing && !trace->released)
		return loom_fail(err, LOOM_EINTERNAL, "the trace has no releases, and the plan has timing");
	if (trace->n_nodes != topo->n_nodes || trace->n_passes != plan->n_passes)
		return loom_fail(err, LOOM_EINTERNAL, "the trace has %u nodes and %u passes; the plan %u and %u",
		                 trace->n_nodes, trace->n_passes, topo->n_nodes, plan->n_passes);
	struct loom_fate *fates = calloc(plan->n_messages + 1, sizeof *fates);
	struct sender *senders = calloc(topo->n_nodes, sizeof *senders);
	int rc = fates && senders ? 0 : loom_fail(err, LOOM_ENOMEM, "no memory for %zu messages", plan->n_messages);
	if (rc == 0)
		rc = find_arrivals(fates, plan, trace, err);
	for (uint32_t node = 0; rc == 0 && node < topo->n_nodes; node++)
		senders[node].latest = UINT64_MAX; // has not begun
	for (size_t i = 0; rc == 0 && i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		if (!loom_plan_uses_network(plan, m))
			continue;
		uint32_t source = plan->map[m->source];
		fates[i].hops = loom_plan_route_length(plan, i) - 2;
		fates[i].delay = loom_plan_light(plan, i).delay;
		if (!plan->timing)
			follow(&senders[source], &fates[i], plan, i);
	}
	if (rc == 0 && trace->released)
		rc = take_releases(fates, plan, trace, err);
	free(senders);
	if (rc != 0)
		free(fates);
	else
		*out = fates;
	return rc;
}
