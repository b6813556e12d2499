// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "machine/play.h"

#include <stdlib.h>

#include <flitloom/routes/choice.h>

#include "base/numbers.h"
#include "machine/network.h"
#include "machine/pairs.h"

#define AHEAD 4u // entries between the present one and the one whose memory is prefetched

// The state of a node's program. The entries of the present pass go from `first` to just before `after`; `entry` is
// the next one to carry out, or the one under way.
struct loom_play_node {
	size_t first, after, entry;
	uint64_t earliest; // `entry` begins in this cycle at the earliest: the one after the entry before it was done
	bool sends;        // `entry` is a message, and the engine has it
	bool stands;       // `entry` waits for a message that has not arrived
};

static struct loom_play_node *node_of(const struct loom_play *play, uint32_t v)
{
	return &play->node[play->plan->map[v]];
}

// --- Programs -------------------------------------------------------------------------------------------------------

// Makes the programs of a free run. If a node sends nothing in a pass, it has a delay of as many cycles as a message
// has flits.
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

// Fills in the message of an entry for the engine. It writes the members one by one, because copying a struct that
// was just written would wait for all of its stores.
static void fill_message(struct loom_engine_message *out, const struct loom_play *play,
                         const struct loom_play_entry *sent, uint64_t release)
{
	__builtin_prefetch(sent + AHEAD);
	out->release = release;
	out->flits = sent->flits;
	out->n_way = sent->n_way;
	out->id = sent->message;
	if (sent->n_way == 0) {
		out->way = NULL;
		out->rule = play->chooses ? play->plan->messages[sent->message].rule : 0;
		out->destination = (uint32_t)sent->way;
		return;
	}
	out->way = play->way + sent->way;
	__builtin_prefetch(out->way + out->n_way); // that of the next message
}

// Carries out the program of a node up to its next message, which it writes to *out. False: the program has no more
// messages in this pass, or has stopped at a wait.
static bool go_on(struct loom_play *play, struct loom_engine_message *out, struct loom_play_node *node)
{
	for (; node->entry < node->after; node->entry++) {
		const struct loom_play_entry *played = &play->entry[node->entry];
		const uint64_t begin = loom_larger(node->earliest, played->at);
		if (play->began)
			play->began[node->entry] = begin;
		if (played->flits > 0) {
			fill_message(out, play, played, begin);
			node->sends = true;
			return true;
		}
		const struct loom_entry *entry = &play->programs.entry[node->entry];
		uint64_t tail;
		switch (entry->kind) {
		case LOOM_ENTRY_SEND: break; // not reached: it has flits
		case LOOM_ENTRY_DELAY: node->earliest = begin + entry->value; break;
		case LOOM_ENTRY_WAIT:
			node->stands = entry->message == SIZE_MAX ||
			               !loom_pairs_tail(&tail, play->pairs, entry->message, entry->value);
			if (node->stands)
				return false;
			node->earliest = loom_larger(begin, tail + 2) + 1;
			break;
		}
	}
	return false;
}

// --- The engine's calls
// -----------------------------------------------------------------------------------------------

static bool next(void *user, struct loom_engine_message *out, uint32_t u, uint64_t from)
{
	struct loom_play *play = user;
	struct loom_play_node *node = &play->node[u];
	if (node->sends) { // the tail of that message crosses the injection channel in cycle from - 1
		node->sends = false;
		node->entry++;
		node->earliest = from;
	}
	return go_on(play, out, node);
}

static void arrived(void *user, const struct loom_engine_arrival *a)
{
	struct loom_play *play = user;
	play->last = loom_larger(play->last, a->tail);
	if (play->times) {
		play->times[a->id] =
			(struct loom_machine_times){.offered = a->offer, .header = a->header, .tail = a->tail};
		play->arrived[play->n_arrived++] = (uint32_t)a->id;
	}
	if (!play->pairs) // no program waits
		return;
	loom_pairs_arrive(play->pairs, a->id, a->tail);
	const uint32_t u = play->plan->map[play->plan->messages[a->id].destination];
	if (!play->node[u].stands)
		return;
	const struct loom_entry *entry = &play->programs.entry[play->node[u].entry];
	uint64_t tail;
	if (entry->message == SIZE_MAX || !loom_pairs_tail(&tail, play->pairs, entry->message, entry->value))
		return;
	play->node[u].stands = false;
	play->kind->offer(play->engine, u);
}

static void crossed(void *user, const struct loom_engine_crossing *c)
{
	const struct loom_play *play = user;
	struct loom_machine_crossing *at = &play->crossings->at[play->crossings->first[c->id] + c->place];
	if (c->is_tail) {
		at->tail = c->cycle;
		return;
	}
	at->asked = c->asked;
	at->header = c->cycle;
}

// --- Passes ---------------------------------------------------------------------------------------------------------

// Finds the entries of each program that belong to the pass.
static void find_entries(struct loom_play *play)
{
	const struct loom_plan *plan = play->plan;
	for (uint32_t v = 0; v < plan->topo.n_nodes; v++) {
		struct loom_play_node *node = node_of(play, v);
		const size_t end = play->programs.first[v + 1];
		node->first = node->after;
		while (node->after < end &&
		       (plan->timing || plan->free_running ||
		        plan->messages[play->programs.entry[node->after].message].pass == play->pass))
			node->after++;
	}
}

// True if two messages of one node take the same route.
static bool share_way(const struct loom_plan *plan, size_t i, size_t j)
{
	const struct loom_plan_message *a = &plan->messages[i], *b = &plan->messages[j];
	return plan->routes.n == 0 && a->destination == b->destination && a->rule == b->rule && a->via == b->via;
}

// Assigns each sending entry of the pass a place in the list of lanes (loom_play.way), and returns the length of the
// list. If a message takes the same route as the message before it, the two share a place. If routers choose the
// route of a message, or the engine computes it, the message has no place.
static size_t place_ways(struct loom_play *play, bool knows_ways)
{
	const struct loom_plan *plan = play->plan;
	size_t n_lanes = 0;
	for (uint32_t v = 0; v < plan->topo.n_nodes; v++) {
		const struct loom_play_entry *before = NULL;
		size_t message = 0;
		for (size_t e = node_of(play, v)->first; e < node_of(play, v)->after; e++) {
			const size_t i = play->programs.entry[e].message;
			if (play->programs.entry[e].kind != LOOM_ENTRY_SEND)
				continue;
			struct loom_play_entry *sent = &play->entry[e];
			const struct loom_plan_message *m = &plan->messages[i];
			if (knows_ways || loom_rule_chooses_on(&plan->topo, m->rule)) {
				sent->way = plan->map[m->destination];
				sent->n_way = 0;
			} else if (before && share_way(plan, i, message)) {
				sent->way = before->way;
				sent->n_way = before->n_way;
			} else {
				sent->way = n_lanes;
				sent->n_way = loom_plan_route_length(plan, i);
				n_lanes += sent->n_way;
			}
			sent->flits = m->flits;
			before = sent->n_way > 0 ? sent : NULL;
			message = i;
		}
	}
	return n_lanes;
}

// Fills the list of lanes with the routes of the pass, one behind the other.
static int make_ways(struct loom_play *play, bool knows_ways, struct loom_err *err)
{
	const size_t n_lanes = place_ways(play, knows_ways);
	size_t n_made = 0;
	play->way = malloc((n_lanes + 1) * sizeof *play->way);
	if (!play->way)
		return loom_fail(err, LOOM_ENOMEM, "no memory for ways of %zu lanes", n_lanes);
	for (uint32_t v = 0; v < play->plan->topo.n_nodes; v++)
		for (size_t e = node_of(play, v)->first; e < node_of(play, v)->after; e++) {
			struct loom_route route;
			if (play->entry[e].n_way == 0 || play->entry[e].way < n_made)
				continue;
			loom_plan_route_begin(&route, play->plan, play->entry[e].message);
			n_made +=
				loom_machine_way(play->way + n_made, UINT32_MAX, &route); // place_ways has counted them
		}
	return 0;
}

// True if the engine itself computes the routes of all messages of the pass.
static bool knows_ways(const struct loom_play *play, const struct loom_engine_net *net,
                       const struct loom_engine_kind *kind)
{
	const struct loom_plan *plan = play->plan;
	if (kind != &loom_engine_worms || plan->routes.n > 0)
		return false;
	for (uint32_t u = 0; u < plan->topo.n_nodes; u++)
		for (size_t e = play->node[u].first; e < play->node[u].after; e++)
			if (play->programs.entry[e].kind == LOOM_ENTRY_SEND &&
			    !loom_machine_knows_ways(net, plan->messages[play->entry[e].message].rule))
				return false;
	return net->n_dims > 0;
}

// Starts the programs of the pass in cycle 1: makes the routes, and opens the engine.
static int begin_programs(struct loom_play *play, const struct loom_engine_net *net,
                          const struct loom_engine_kind *kind, bool paper, struct loom_err *err)
{
	const struct loom_engine_user user = {
		.next = next, .arrived = arrived, .crossed = play->crossings ? crossed : NULL, .user = play};
	for (uint32_t u = 0; u < play->plan->topo.n_nodes; u++) {
		struct loom_play_node *node = &play->node[u];
		*node = (struct loom_play_node){
			.first = node->first, .after = node->after, .entry = node->first, .earliest = 1};
	}
	struct loom_engine_net as_asked = *net;
	const bool knows = knows_ways(play, net, kind);
	int code = make_ways(play, knows, err);
	if (code)
		return code;
	as_asked.n_dims = knows ? net->n_dims : 0;
	play->last = 0;
	play->kind = kind;
	play->chooses = net->topo != NULL;
	return kind->open(&play->engine, &as_asked, paper, &user, err);
}

int loom_play_pass_begin(struct loom_play *play, const struct loom_engine_net *net, const struct loom_engine_kind *kind,
                         bool paper, uint32_t pass, struct loom_err *err)
{
	play->pass = pass;
	find_entries(play);
	return begin_programs(play, net, kind, paper, err);
}

int loom_play_pass_again(struct loom_play *play, const struct loom_engine_net *net, const struct loom_engine_kind *kind,
                         bool paper, struct loom_err *err)
{
	play->kind->close(play->engine);
	play->engine = NULL;
	play->n_arrived = 0; // there will be no trace
	loom_pairs_forget(play->pairs);
	free(play->way);
	play->way = NULL;
	return begin_programs(play, net, kind, paper, err);
}

const struct loom_entry *loom_play_waits(const struct loom_play *play, uint32_t v)
{
	const struct loom_play_node *node = node_of(play, v);
	return node->stands ? &play->programs.entry[node->entry] : NULL;
}

bool loom_play_is_done(const struct loom_play *play)
{
	for (uint32_t u = 0; u < play->plan->topo.n_nodes; u++)
		if (play->node[u].entry < play->node[u].after)
			return false;
	return true;
}

void loom_play_pass_end(struct loom_play *play)
{
	for (uint32_t v = 0; v < play->plan->topo.n_nodes; v++)
		play->end[v] = node_of(play, v)->earliest - 1;
	if (play->engine)
		play->kind->close(play->engine);
	play->engine = NULL;
	free(play->way);
	play->way = NULL;
}

// --- Before and after -----------------------------------------------------------------------------------------------

int loom_play_begin(struct loom_play *play, const struct loom_plan *plan, bool cycles_only, struct loom_err *err)
{
	const uint32_t n_nodes = plan->topo.n_nodes;
	*play = (struct loom_play){.plan = plan};
	int code = plan->free_running ? make_free_programs(&play->programs, plan, err)
	                              : loom_programs_make(&play->programs, plan, err);
	if (code == 0)
		code = loom_pairs_make(&play->pairs, plan, err);
	if (code)
		return code;
	LOOM_ARRAY(&play->arrays, play->entry, play->programs.first[n_nodes]);
	if (!cycles_only) {
		LOOM_ARRAY(&play->arrays, play->began, play->programs.first[n_nodes]);
		LOOM_ARRAY(&play->arrays, play->times, plan->n_messages);
		LOOM_ARRAY(&play->arrays, play->arrived, plan->n_messages);
	}
	LOOM_ARRAY(&play->arrays, play->end, n_nodes);
	LOOM_ARRAY(&play->arrays, play->node, n_nodes);
	if (play->arrays.is_short)
		return loom_fail(err, LOOM_ENOMEM, "no memory for a run of %zu messages", plan->n_messages);
	for (size_t e = 0; e < play->programs.first[n_nodes]; e++) {
		play->entry[e].at = play->programs.entry[e].at;
		play->entry[e].message = (uint32_t)play->programs.entry[e].message;
	}
	for (uint32_t v = 0; v < n_nodes; v++)
		node_of(play, v)->after = play->programs.first[v];
	return 0;
}

void loom_play_free(struct loom_play *play)
{
	loom_programs_free(&play->programs);
	loom_pairs_free(play->pairs);
	loom_arrays_free(&play->arrays);
	free(play->way);
	*play = (struct loom_play){0};
}
