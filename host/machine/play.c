// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "machine/play.h"

#include <stdlib.h>

#include "machine/network.h"
#include "machine/pairs.h"

// A node's program. Entries from `first` up to `after` are of the present pass.
struct loom_play_node {
	size_t first, after, entry;
	uint64_t earliest; // the cycle after the one in which what stands before `entry` was done
	bool sends;        // `entry` is a message, and the engine has it
	bool stands;       // `entry` waits for a message that has not come
};

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

// --- Programs -------------------------------------------------------------------------------------------------------

// In a free run a node that sends nothing in a pass is silent for as long as a message takes.
static int make_free_programs(struct loom_programs *out, const struct loom_plan *plan, struct loom_err *err)
{
	const size_t n_nodes = plan->topo.n_nodes, n = n_nodes * plan->n_passes;
	struct loom_programs p = {calloc(n + 1, sizeof *p.entry), calloc(n_nodes + 1, sizeof *p.first)};
	if (!p.entry || !p.first) {
		loom_programs_free(&p);
		return loom_fail(err, LOOM_ENOMEM, "no memory for the programs of %zu nodes", n_nodes);
	}
	for (size_t e = 0; e < n; e++)
		p.entry[e] = (struct loom_entry){.kind = LOOM_ENTRY_DELAY, .value = plan->messages[0].flits};
	for (size_t v = 0; v <= n_nodes; v++)
		p.first[v] = v * plan->n_passes;
	for (size_t i = 0; i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		if (loom_plan_uses_network(plan, m))
			p.entry[p.first[m->source] + m->pass] =
				(struct loom_entry){.kind = LOOM_ENTRY_SEND, .message = i};
	}
	*out = p;
	return 0;
}

// Goes on in a program until a message is to be sent, in which case it is *out. False: the pass has no more of them, or the
// program stands at a wait.
static bool go_on(struct loom_play *play, struct loom_engine_message *out, uint32_t v)
{
	const struct loom_plan *plan = play->plan;
	struct loom_play_node *node = &play->node[v];
	for (; node->entry < node->after; node->entry++) {
		const struct loom_entry *entry = &play->programs.entry[node->entry];
		const uint64_t begin = later(node->earliest, entry->at);
		uint64_t tail;
		play->began[node->entry] = begin;
		switch (entry->kind) {
		case LOOM_ENTRY_SEND: {
			const size_t k = entry->message - play->first_message;
			*out = (struct loom_engine_message){
				.release = begin,
				.flits = plan->messages[entry->message].flits,
				.n_way = (uint32_t)(play->first_way[k + 1] - play->first_way[k]),
				.way = play->way + play->first_way[k],
				.id = entry->message};
			play->times[entry->message].offered = begin;
			node->sends = true;
			return true;
		}
		case LOOM_ENTRY_DELAY: node->earliest = begin + entry->value; break;
		case LOOM_ENTRY_WAIT:
			node->stands = entry->message == SIZE_MAX ||
			               !loom_pairs_tail(&tail, play->pairs, entry->message, entry->value);
			if (node->stands)
				return false;
			node->earliest = later(begin, tail + 2) + 1;
			break;
		}
	}
	return false;
}

// --- What the engine asks -------------------------------------------------------------------------------------------

static bool next(void *user, struct loom_engine_message *out, uint32_t u, uint64_t from)
{
	struct loom_play *play = user;
	const uint32_t v = play->processor_on[u];
	struct loom_play_node *node = &play->node[v];
	if (node->sends) { // its tail crosses the injection channel in the cycle before
		node->sends = false;
		node->entry++;
		node->earliest = from;
	}
	return go_on(play, out, v);
}

static void arrived(void *user, const struct loom_engine_arrival *a)
{
	struct loom_play *play = user;
	const uint32_t v = play->plan->messages[a->id].destination;
	play->times[a->id].header = a->header;
	play->times[a->id].tail = a->tail;
	play->arrived[play->n_arrived++] = (uint32_t)a->id;
	loom_pairs_arrive(play->pairs, a->id, a->tail);
	if (!play->node[v].stands)
		return;
	const struct loom_entry *entry = &play->programs.entry[play->node[v].entry];
	uint64_t tail;
	if (entry->message == SIZE_MAX || !loom_pairs_tail(&tail, play->pairs, entry->message, entry->value))
		return;
	play->node[v].stands = false;
	play->kind->offer(play->engine, play->plan->map[v]);
}

// --- Passes ---------------------------------------------------------------------------------------------------------

// The ways of the messages of the pass, one behind the other.
static int make_ways(struct loom_play *play, struct loom_err *err)
{
	const struct loom_plan *plan = play->plan;
	const size_t n = play->after_message - play->first_message;
	size_t n_lanes = 0;
	play->first_way = calloc(n + 1, sizeof *play->first_way);
	for (size_t k = 0; play->first_way && k < n; k++) {
		play->first_way[k] = n_lanes;
		n_lanes += loom_plan_route_length(plan, play->first_message + k);
	}
	play->way = play->first_way ? malloc((n_lanes + 1) * sizeof *play->way) : NULL;
	if (!play->way)
		return loom_fail(err, LOOM_ENOMEM, "no memory for the ways of %zu messages", n);
	play->first_way[n] = n_lanes;
	for (size_t k = 0; k < n; k++) {
		struct loom_route route;
		loom_plan_route_begin(&route, plan, play->first_message + k);
		(void)loom_machine_way(play->way + play->first_way[k], &route);
	}
	return 0;
}

// Finds the entries of each program up to the end of the pass.
static void find_entries(struct loom_play *play)
{
	const struct loom_plan *plan = play->plan;
	for (uint32_t v = 0; v < plan->topo.n_nodes; v++) {
		struct loom_play_node *node = &play->node[v];
		const size_t end = play->programs.first[v + 1];
		node->first = node->after;
		while (node->after < end &&
		       (plan->timing || plan->free_running ||
		        plan->messages[play->programs.entry[node->after].message].pass == play->pass))
			node->after++;
	}
}

// The pass begins in cycle 1.
static int begin_programs(struct loom_play *play, const struct loom_engine_net *net,
                          const struct loom_engine_kind *kind, bool paper, struct loom_err *err)
{
	const struct loom_engine_user user = {next, arrived, play};
	for (uint32_t v = 0; v < play->plan->topo.n_nodes; v++) {
		struct loom_play_node *node = &play->node[v];
		*node = (struct loom_play_node){
			.first = node->first, .after = node->after, .entry = node->first, .earliest = 1};
	}
	play->kind = kind;
	return kind->open(&play->engine, net, paper, &user, err);
}

int loom_play_pass_begin(struct loom_play *play, const struct loom_engine_net *net, const struct loom_engine_kind *kind,
                         bool paper, uint32_t pass, struct loom_err *err)
{
	const struct loom_plan *plan = play->plan;
	play->pass = pass;
	play->first_message = play->after_message;
	play->after_message = plan->n_messages;
	if (!plan->free_running)
		for (play->after_message = play->first_message;
		     play->after_message < plan->n_messages && plan->messages[play->after_message].pass == pass;)
			play->after_message++;
	int code = make_ways(play, err);
	if (code)
		return code;
	find_entries(play);
	play->n_arrived_before = play->n_arrived;
	return begin_programs(play, net, kind, paper, err);
}

int loom_play_pass_again(struct loom_play *play, const struct loom_engine_net *net, const struct loom_engine_kind *kind,
                         bool paper, struct loom_err *err)
{
	play->kind->close(play->engine);
	play->engine = NULL;
	play->n_arrived = play->n_arrived_before;
	loom_pairs_forget(play->pairs);
	return begin_programs(play, net, kind, paper, err);
}

const struct loom_entry *loom_play_waits(const struct loom_play *play, uint32_t v)
{
	const struct loom_play_node *node = &play->node[v];
	return node->stands ? &play->programs.entry[node->entry] : NULL;
}

bool loom_play_is_done(const struct loom_play *play)
{
	for (uint32_t v = 0; v < play->plan->topo.n_nodes; v++)
		if (play->node[v].entry < play->node[v].after)
			return false;
	return true;
}

void loom_play_pass_end(struct loom_play *play)
{
	for (uint32_t v = 0; v < play->plan->topo.n_nodes; v++)
		play->end[v] = play->node[v].earliest - 1;
	if (play->engine)
		play->kind->close(play->engine);
	play->engine = NULL;
	free(play->first_way);
	free(play->way);
	play->first_way = NULL;
	play->way = NULL;
}

// --- Before and after -----------------------------------------------------------------------------------------------

int loom_play_begin(struct loom_play *play, const struct loom_plan *plan, struct loom_err *err)
{
	const uint32_t n_nodes = plan->topo.n_nodes;
	*play = (struct loom_play){.plan = plan};
	int code = plan->free_running ? make_free_programs(&play->programs, plan, err)
	                              : loom_programs_make(&play->programs, plan, err);
	if (code == 0)
		code = loom_pairs_make(&play->pairs, plan, err);
	if (code)
		return code;
	play->began = calloc(play->programs.first[n_nodes] + 1, sizeof *play->began);
	play->times = calloc(plan->n_messages + 1, sizeof *play->times);
	play->arrived = calloc(plan->n_messages + 1, sizeof *play->arrived);
	play->end = calloc((size_t)n_nodes + 1, sizeof *play->end);
	play->processor_on = calloc((size_t)n_nodes + 1, sizeof *play->processor_on);
	play->node = calloc((size_t)n_nodes + 1, sizeof *play->node);
	if (!play->began || !play->times || !play->arrived || !play->end || !play->processor_on || !play->node)
		return loom_fail(err, LOOM_ENOMEM, "no memory for a run of %zu messages", plan->n_messages);
	for (uint32_t v = 0; v < n_nodes; v++) {
		play->processor_on[plan->map[v]] = v;
		play->node[v].after = play->programs.first[v];
	}
	return 0;
}

void loom_play_free(struct loom_play *play)
{
	if (play->kind && play->engine)
		play->kind->close(play->engine);
	loom_programs_free(&play->programs);
	loom_pairs_free(play->pairs);
	free(play->began);
	free(play->times);
	free(play->arrived);
	free(play->end);
	free(play->processor_on);
	free(play->node);
	free(play->first_way);
	free(play->way);
	*play = (struct loom_play){0};
}
