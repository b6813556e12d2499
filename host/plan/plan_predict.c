// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Predicts the load of every channel and the cycles of a plan, by a walk of each message along its route.
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/routes/via.h>

#include "plan/cycles/objective.h"
#include "plan/light.h"
#include "plan/plan_adaptive.h"
#include "plan/plan_internal.h"
#include "topo/topo_ocs.h"
#include "topo/topo_span.h"

uint64_t loom_plan_message_cycles(const struct loom_plan *plan, const struct loom_plan_message *message)
{
	size_t i = (size_t)(message - plan->messages);
	uint32_t length = loom_plan_route_length(plan, i);
	if (length == 0)
		return 0;
	const struct loom_light light = loom_plan_light(plan, i);
	uint64_t begins = plan->free_running ? (uint64_t)message->pass * message->flits : 0;
	return begins + length + light.delay + loom_light_length(&light, message->flits, length - 1);
}

// --- Messages on every channel in every pass -------------------------------------------------------------------------

// Adds a message's load as a difference: 1 at the first link of its row or ring, and -1 behind the last one. sum_up
// turns the differences into loads. (A negative difference wraps round below 0; the sums are still right.)
static void add_span(uint32_t *load, const struct loom_topo *t, const struct loom_span *span, uint32_t source,
                     uint32_t destination)
{
	uint32_t per_tile = loom_topo_channels_per_tile(t), end = span->first + span->n;
	load[(size_t)source * per_tile + t->ports]++;
	load[(size_t)destination * per_tile + t->ports - 1]++;
	if (span->n == 0)
		return;
	load[(size_t)span->first * per_tile + span->port]++;
	if (end > t->n_nodes) {
		load[span->port]++;
		end -= t->n_nodes;
	}
	if (end < t->n_nodes)
		load[(size_t)end * per_tile + span->port]--;
}

static void sum_up(uint32_t *load, const struct loom_topo *t)
{
	uint32_t per_tile = loom_topo_channels_per_tile(t);
	for (size_t u = 1; u < t->n_nodes; u++)
		for (uint32_t k = 0; k + 1 < t->ports; k++)
			load[u * per_tile + k] += load[(u - 1) * per_tile + k];
}

static void add_loads(uint32_t *load, const struct loom_plan *plan)
{
	const struct loom_topo *t = &plan->topo;
	size_t n_channels = loom_topo_channels(t);
	const bool by_spans = loom_topo_has_spans(t) && plan->routes.n == 0 && !loom_plan_has_vias(plan);
	for (size_t i = 0; i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		uint32_t *of_pass = load + m->pass * n_channels, source = plan->map[m->source],
			 destination = plan->map[m->destination], channel;
		struct loom_route route;
		struct loom_span span;
		if (!loom_plan_uses_network(plan, m))
			continue;
		if (by_spans && loom_topo_span(&span, t, source, destination, (enum loom_rule)m->rule))
			add_span(of_pass, t, &span, source, destination);
		else
			for (loom_plan_route_begin(&route, plan, i); loom_route_next(&route, &channel);)
				of_pass[channel]++;
	}
	for (size_t pass = 0; by_spans && pass < plan->n_passes; pass++)
		sum_up(load + pass * n_channels, t);
}

// True if message i keeps each channel at the same distance from every sender that uses it. Only then do the passes of
// a free run never meet. place[c] is the place of channel c on the routes, counted from 1.
static bool keeps_step(uint32_t *place, const struct loom_plan *plan, size_t i)
{
	struct loom_route route;
	uint32_t channel;
	for (loom_plan_route_begin(&route, plan, i); loom_route_next(&route, &channel);) {
		if (place[channel] != 0 && place[channel] != route.step)
			return false;
		place[channel] = route.step;
	}
	return true;
}

// Predicts the cycles that each pass adds to a free run: its own cycles so far as they exceed the longest pass before
// it.
static void predict_free_run(uint64_t *cycles, const struct loom_plan *plan, bool in_step)
{
	bool known = in_step;
	for (uint32_t pass = 0; pass < plan->n_passes; pass++)
		known = known && cycles[pass] != LOOM_CYCLES_UNKNOWN;
	uint64_t before = 0;
	for (uint32_t pass = 0; pass < plan->n_passes; pass++) {
		uint64_t until = cycles[pass] > before ? cycles[pass] : before;
		cycles[pass] = known ? until - before : LOOM_CYCLES_UNKNOWN;
		before = until;
	}
}

static uint32_t largest(const struct loom_plan *plan, const uint32_t *load, bool with_local)
{
	uint32_t most = 0, n_channels = loom_topo_channels(&plan->topo);
	for (uint32_t c = 0; c < n_channels; c++)
		if (load[c] > most && (with_local || !loom_topo_is_local(&plan->topo, c)))
			most = load[c];
	return most;
}

// Computes the value of the plan's objective. t holds T_ri: the largest load of group i in the passes of member r.
// Local channels do not count.
static int objective_value(uint64_t *out, const struct loom_plan *plan, const uint32_t *load)
{
	const struct loom_topo *topo = &plan->topo;
	uint32_t n_channels = loom_topo_channels(topo);
	unsigned n_groups = loom_topo_groups(topo);
	uint64_t maxmax = 0, maxsum = 0, sumsum = 0;
	uint32_t *t = calloc((size_t)plan->n_members * n_groups, sizeof *t);
	if (!t)
		return -1;
	for (uint32_t pass = 0; pass < plan->n_passes; pass++)
		for (uint32_t c = 0; c < n_channels; c++) {
			uint32_t value = load[(size_t)pass * n_channels + c];
			if (value == 0 || loom_topo_is_local(topo, c))
				continue;
			uint32_t *worst =
				&t[(size_t)plan->member_of_pass[pass] * n_groups + loom_topo_group_of(topo, c)];
			*worst = value > *worst ? value : *worst;
		}
	for (unsigned g = 0; g < n_groups; g++) {
		uint64_t sum = 0;
		for (uint32_t r = 0; r < plan->n_members; r++) {
			uint32_t value = t[(size_t)r * n_groups + g];
			sum += value;
			maxmax = value > maxmax ? value : maxmax;
		}
		maxsum = sum > maxsum ? sum : maxsum;
		sumsum += sum;
	}
	free(t);
	*out = maxmax;
	if (strcmp(plan->objective, "maxsum") == 0)
		*out = maxsum;
	if (strcmp(plan->objective, "sumsum") == 0)
		*out = sumsum;
	return 0;
}

// Returns the largest number of messages that one node must itself send or receive. With relays the planner chooses the
// routes, so no other data counts. `sum` has an element for each channel, at least two for each node.
static uint32_t bound_relayed(const struct loom_plan *plan, uint32_t member, uint32_t *sum)
{
	uint32_t n = plan->topo.n_nodes, most = 0;
	memset(sum, 0, 2 * n * sizeof *sum);
	for (size_t i = 0; i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		if (plan->member_of_pass[m->pass] != member || !loom_plan_uses_network(plan, m))
			continue;
		sum[m->source] += !m->from_slot;
		sum[n + m->destination] += !m->keep_slot;
	}
	for (uint32_t k = 0; k < 2 * n; k++)
		most = sum[k] > most ? sum[k] : most;
	return most;
}

bool loom_plan_relays(const struct loom_plan *plan)
{
	for (size_t i = 0; i < plan->n_messages; i++)
		if (plan->messages[i].from_slot)
			return true;
	return false;
}

// Finds the other direction of a link. Returns false if the channel is no link.
static bool other_direction(uint32_t *out, const struct loom_topo *t, uint32_t channel)
{
	uint32_t per_tile = loom_topo_channels_per_tile(t), k = channel % per_tile, v;
	unsigned q;
	if (k >= loom_topo_links(t) || !t->kind->link(t, channel / per_tile, k, &v, &q))
		return false;
	*out = v * per_tile + q;
	return true;
}

static void add_directions(uint32_t *load, const struct loom_topo *t)
{
	uint32_t n_channels = loom_topo_channels(t), other;
	for (uint32_t c = 0; c < n_channels; c++)
		if (other_direction(&other, t, c) && other > c)
			load[c] = load[other] = load[c] + load[other];
}

static int check_half_duplex(const struct loom_plan *plan, const uint32_t *load, struct loom_err *err)
{
	uint32_t n_channels = loom_topo_channels(&plan->topo), other;
	for (uint32_t pass = 0; plan->half_duplex && pass < plan->n_passes; pass++)
		for (uint32_t c = 0; c < n_channels; c++) {
			const uint32_t *of_pass = load + (size_t)pass * n_channels;
			char name[48];
			if (of_pass[c] == 0 || !other_direction(&other, &plan->topo, c) || of_pass[other] == 0)
				continue;
			loom_topo_channel_name(&plan->topo, c, name);
			return loom_fail(err, LOOM_EINPUT,
			                 "pass %" PRIu32
			                 " uses both directions of the link %s, and the plan is half duplex",
			                 pass, name);
		}
	return 0;
}

// Computes the least number of passes without contention: in such a pass each channel carries one message, and members
// share no pass. Returns -1 if memory runs out.
static int bound_passes(uint32_t *out, const struct loom_plan *plan, const uint32_t *load)
{
	uint32_t n_channels = loom_topo_channels(&plan->topo);
	bool relayed = loom_plan_relays(plan);
	uint32_t *sum = calloc(n_channels, sizeof *sum);
	*out = 0;
	for (uint32_t member = 0; sum && member < plan->n_members; member++) {
		if (relayed) {
			*out += bound_relayed(plan, member, sum);
			continue;
		}
		memset(sum, 0, n_channels * sizeof *sum);
		for (uint32_t pass = 0; pass < plan->n_passes; pass++)
			for (uint32_t c = 0; plan->member_of_pass[pass] == member && c < n_channels; c++)
				sum[c] += load[(size_t)pass * n_channels + c];
		if (plan->half_duplex)
			add_directions(sum, &plan->topo);
		*out += largest(plan, sum, true);
	}
	if (loom_topo_has_circuits(&plan->topo)) // one pass of circuit switches is a whole schedule
		*out = *out > 0;
	free(sum);
	return sum ? 0 : -1;
}

int loom_plan_predict(struct loom_plan *plan, struct loom_err *err)
{
	int rc = loom_plan_check(plan, err);
	if (rc != 0)
		return rc;

	uint32_t n_channels = loom_topo_channels(&plan->topo);
	uint64_t value = 0;
	rc = LOOM_ENOMEM;
	uint32_t *load = calloc((size_t)plan->n_passes * n_channels, sizeof *load);
	uint64_t *cycles = calloc(plan->n_passes, sizeof *cycles);
	uint32_t *contention = calloc(plan->n_members, sizeof *contention);
	uint32_t *place = calloc(n_channels, sizeof *place);
	const bool is_adaptive = loom_plan_is_adaptive(plan);
	uint32_t *most_load = is_adaptive ? calloc((size_t)plan->n_passes * n_channels, sizeof *most_load) : NULL;
	bool in_step = true;
	if ((is_adaptive && !most_load) || !load || !cycles || !contention || !place)
		goto fail;

	if (!is_adaptive)
		add_loads(load, plan);
	else if (loom_plan_may_load(load, most_load, plan, err) != 0)
		goto fail;
	for (size_t i = 0; i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		uint64_t alone = loom_plan_message_cycles(plan, m);
		cycles[m->pass] = alone > cycles[m->pass] ? alone : cycles[m->pass];
		in_step = in_step && (!plan->free_running || keeps_step(place, plan, i));
	}
	rc = check_half_duplex(plan, load, err);
	if (rc != 0)
		goto fail;
	rc = LOOM_ENOMEM;
	for (uint32_t pass = 0; pass < plan->n_passes; pass++) {
		const uint32_t *of_pass = load + (size_t)pass * n_channels;
		uint32_t most = largest(plan, of_pass, false), *worst = &contention[plan->member_of_pass[pass]];
		*worst = most > *worst ? most : *worst;
		// Two messages to one node wait for each other even if the network is free, and programs with timing
		// wait by themselves.
		const uint32_t *met = is_adaptive ? most_load + (size_t)pass * n_channels : of_pass;
		// If links have different delays, the choice of the routers is not known either.
		if (largest(plan, met, true) > 1 || plan->timing ||
		    (is_adaptive && loom_topo_link_delays_differ(&plan->topo)))
			cycles[pass] = LOOM_CYCLES_UNKNOWN;
	}
	if (plan->free_running) // light and slow links break the step in different ways, so nothing is promised
		predict_free_run(cycles, plan, in_step && !loom_light_matters(&plan->topo));
	if (bound_passes(&plan->passes_bound, plan, load) != 0)
		goto fail;
	const bool weighs_loads = plan->objective[0] && !loom_objective_is_cycles(plan->objective);
	if (weighs_loads && objective_value(&value, plan, load) != 0)
		goto fail;

	free(place);
	free(plan->load);
	free(plan->cycles);
	free(plan->member_contention);
	plan->load = load;
	free(plan->most);
	plan->most = most_load;
	plan->cycles = cycles;
	plan->member_contention = contention;
	plan->objective_value = weighs_loads || !plan->objective[0] ? value : plan->objective_value;
	return loom_plan_settle_lanes(plan, err);

fail:
	free(place);
	free(load);
	free(most_load);
	free(cycles);
	free(contention);
	return rc != LOOM_ENOMEM ? rc
	                         : loom_fail(err, LOOM_ENOMEM, "out of memory for %" PRIu32 " passes on %s",
	                                     plan->n_passes, plan->topo.name);
}

uint32_t loom_plan_pass_contention(const struct loom_plan *plan, uint32_t pass)
{
	assert(pass < plan->n_passes);
	return largest(plan, plan->load + (size_t)pass * loom_topo_channels(&plan->topo), false);
}

uint32_t loom_plan_contention(const struct loom_plan *plan)
{
	uint32_t most = 0;
	for (uint32_t pass = 0; pass < plan->n_passes; pass++) {
		uint32_t of_pass = loom_plan_pass_contention(plan, pass);
		most = of_pass > most ? of_pass : most;
	}
	return most;
}

uint32_t loom_plan_passes_least(enum loom_proof *proof, const struct loom_plan *plan)
{
	bool proved = plan->passes_proved > plan->passes_bound;
	*proof = proved ? plan->proof : plan->passes_bound ? LOOM_PROOF_LOAD : LOOM_PROOF_NONE;
	return proved ? plan->passes_proved : plan->passes_bound;
}

bool loom_plan_is_optimal(const struct loom_plan *plan)
{
	enum loom_proof proof;
	uint32_t n_channels = loom_topo_channels(&plan->topo), least = loom_plan_passes_least(&proof, plan);
	if (plan->n_passes > least && plan->n_passes > plan->n_members)
		return false;
	if (!plan->load) // planned by formula, each member in one pass: there are no messages to count
		return plan->passes_bound <= plan->n_passes;
	for (uint32_t pass = 0; pass < plan->n_passes; pass++)
		if (largest(plan, plan->load + (size_t)pass * n_channels, true) > 1)
			return false;
	return true;
}

const char *loom_proof_name(enum loom_proof proof)
{
	static const char *const names[] = {
		[LOOM_PROOF_LOAD] = "load", [LOOM_PROOF_CLIQUE] = "clique", [LOOM_PROOF_SEARCH] = "search"};
	return proof < sizeof names / sizeof names[0] ? names[proof] : NULL;
}

uint64_t loom_plan_cycles(const struct loom_plan *plan)
{
	uint64_t sum = 0;
	for (uint32_t pass = 0; pass < plan->n_passes; pass++) {
		if (plan->cycles[pass] == LOOM_CYCLES_UNKNOWN)
			return LOOM_CYCLES_UNKNOWN;
		sum += plan->cycles[pass];
	}
	return sum;
}
