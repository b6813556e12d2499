// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes a number of cycles which no run of a plan can take, so that one which never ends is ended.
//
// A pass free of contention takes the cycles that are predicted, or the fabric did not do as planned.
//
// In any other pass, each cycle up to the last tail is one of two sorts.
// - A flit crosses some channel. A message's flits cross each of its channels once, so of these cycles there are at
//   most as many as the sum of flits times channels, over the messages.
// - No flit crosses any. Something is outstanding, and it is no deadlock, or the watchdog ends the pass. So some header
//   is being handed over: it has reached the head of a buffer, or of a program, and its channel is free, but it has not
//   left yet. That takes a fixed number of cycles for each header and channel, at most HAND_OVER: one in a buffer, two
//   in a program, one until the far buffer is seen to be empty (the machine of [Hou01]). Of these cycles there are at
//   most HAND_OVER times the sum of channels over the messages.
// Behind an optical link each flit has a way to go that is no channel, as slow as light, and so has the word of it that comes
// back: in each cycle of a third sort one of the two is under way, or a flit moves at their end.
// In a free run there is one sort more: in a pass in which a node has no message, it waits for as long as a message
// takes. There are at most as many of these cycles as if the nodes waited one after the other.
// If programs have timing there are cycles of other sorts, in which all that is under way is up to the programs: a
// delay goes on (at most as many as all delays have together), a cycle is waited for that has not come (at most as many
// as the latest of these), or a message that was waited for has just come (HAND_OVER for each wait).
// A pass also takes START cycles whatever it does. The sum is then doubled: a limit that is too large only delays the
// end of a faulty run, while one that is too small would end a good run.
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
	uint64_t most = START + 2 * timing_limit(plan); // there may be no message
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
