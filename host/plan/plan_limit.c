// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes a limit that the cycles of a plan's run stay below, so that a run that never ends can be stopped.
//
// A pass free of contention takes the predicted cycles, unless the fabric is faulty.
//
// In any other pass, each cycle up to the last tail is of one of two sorts.
// - A flit crosses some channel. A message's flits cross each of its channels once. So the number of these cycles is at
//   most the sum of flits times channels over the messages.
// - No flit crosses any channel. Messages are outstanding and there is no deadlock, or the watchdog would end the pass.
//   So some header is being handed over: it has reached the head of a buffer or of a program, and its channel is free,
//   but it has not left yet. That takes a fixed number of cycles for each header and channel, at most HAND_OVER: one in
//   a buffer, two in a program, one until the far buffer is seen to be empty (the machine of [Hou01]). So the number of
//   these cycles is at most HAND_OVER times the sum of channels over the messages.
// On an optical or slow link a flit is under way for some cycles, and so is its credit. So there is a third sort of
// cycle: one of the two is under way, or a flit moves at an end of the link.
// A free run has a further sort: in a pass in which a node has no message, it waits for as long as a message takes. The
// number of these cycles is largest if the nodes wait one after the other.
// Programs with timing add cycles in which they wait. In such a cycle a delay goes on (at most the sum of all delays),
// an entry waits for a later cycle (at most the latest of these), or an awaited message has just come (HAND_OVER for
// each wait).
// A pass also takes START cycles in any case. The sum is then doubled: a limit that is too large only delays the end of
// a faulty run, but a limit that is too small would end a good run.
#include <flitloom/plan.h>

#include "base/numbers.h"
#include "plan/light.h"

enum { HAND_OVER = 8, START = 64, PREDICTED_TIMES = 4 };

static uint64_t message_limit(const struct loom_plan *plan, const struct loom_plan_message *m)
{
	uint64_t channels = loom_plan_route_length(plan, (size_t)(m - plan->messages));
	const struct loom_light light = loom_plan_light(plan, (size_t)(m - plan->messages));
	const bool may_be_slower = light.mixed && loom_plan_is_adaptive(plan);
	const uint64_t delay =
		may_be_slower ? (uint64_t)light.hops * (plan->topo.link_delay + plan->topo.router_delay) : light.delay;
	uint64_t in_light = 2 * (delay + light.hops) * m->flits;
	return channels * (m->flits + (uint64_t)HAND_OVER) + in_light;
}

static uint64_t predicted_limit(uint64_t cycles)
{
	return START + PREDICTED_TIMES * cycles;
}

static uint64_t free_limit(const struct loom_plan *plan)
{
	uint64_t predicted = loom_plan_cycles(plan), sum = 0, longest = 1;
	uint64_t n_silent = (uint64_t)plan->topo.n_nodes * plan->n_passes;
	if (predicted != LOOM_CYCLES_UNKNOWN)
		return predicted_limit(predicted);
	for (size_t i = 0; i < plan->n_messages; i++) {
		sum += message_limit(plan, &plan->messages[i]);
		n_silent -= loom_plan_uses_network(plan, &plan->messages[i]);
		longest = loom_larger(longest, plan->messages[i].flits);
	}
	return START + 2 * (sum + n_silent * (longest + HAND_OVER));
}

static uint64_t timing_limit(const struct loom_plan *plan)
{
	const struct loom_timing *t = plan->timing;
	uint64_t sum = 0, latest = 0;
	size_t n_gates = t ? t->first[plan->n_messages + plan->topo.n_nodes] : 0;
	for (size_t g = 0; g < n_gates; g++)
		switch (t->gate[g].kind) {
		case LOOM_GATE_AT: latest = loom_larger(latest, t->gate[g].value); break;
		case LOOM_GATE_DELAY: sum += t->gate[g].value; break;
		case LOOM_GATE_WAIT: sum += HAND_OVER; break;
		}
	return sum + latest;
}

uint64_t loom_plan_cycle_limit(const struct loom_plan *plan)
{
	uint64_t most = START + 2 * timing_limit(plan); // a plan may have no messages
	if (plan->free_running)
		return free_limit(plan);
	for (size_t i = 0; i < plan->n_messages;) {
		uint32_t pass = plan->messages[i].pass;
		uint64_t sum = timing_limit(plan);
		for (; i < plan->n_messages && plan->messages[i].pass == pass; i++)
			sum += message_limit(plan, &plan->messages[i]);
		uint64_t cycles = plan->cycles[pass];
		most = loom_larger(most, cycles != LOOM_CYCLES_UNKNOWN ? predicted_limit(cycles) : START + 2 * sum);
	}
	return most;
}
