// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/closed_check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <flitloom/plan.h>
#include <flitloom/routes/choice.h>
#include <flitloom/routes/via.h>

#include "topo/channel_graph.h"
#include "traffic/shares.h"

#define CHANNELS_NAMED 6u

enum loom_rule loom_load_reply_rule(const struct loom_topo *t, enum loom_rule rule)
{
	const bool has_networks = loom_topo_network(t, LOOM_RULE_DESCENDING) == LOOM_RULE_DESCENDING;
	if (!has_networks || loom_topo_rules_by_ends(t) || (unsigned)rule >= loom_topo_rules_count(t))
		return rule;
	return (enum loom_rule)(((unsigned)rule + 1) % loom_topo_rules_count(t));
}

int loom_closed_check(const struct loom_load_options *o, const struct loom_topo *topo, struct loom_err *err)
{
	const struct loom_load_closed *c = &o->closed;
	if (o->batch > LOOM_BATCH_MOST)
		return loom_fail(err, LOOM_EINPUT, "a batch of %" PRIu64 " messages of each node: %u at most", o->batch,
		                 LOOM_BATCH_MOST);
	if (c->reply_flits > LOOM_FLITS_MOST)
		return loom_fail(err, LOOM_EINPUT, "replies of %" PRIu32 " flits: %u at most", c->reply_flits,
		                 LOOM_FLITS_MOST);
	if (c->reply_flits > 0 && (unsigned)c->reply_rule >= loom_topo_rules_count(topo) &&
	    !loom_rule_is_adaptive(c->reply_rule) && !loom_rule_has_via(c->reply_rule))
		return loom_fail(err, LOOM_EINPUT, "replies: %s has no rule \"%s\"", topo->name,
		                 loom_rule_name(c->reply_rule));
	if ((c->reply_flits > 0 || c->window > 0) &&
	    (c->service_cycles < LOOM_SERVICE_LEAST || c->service_cycles > LOOM_SERVICE_MOST))
		return loom_fail(err, LOOM_EINPUT, "a service of %" PRIu32 " cycles: %u to %u", c->service_cycles,
		                 LOOM_SERVICE_LEAST, LOOM_SERVICE_MOST);
	if (o->batch > 0 && c->reply_flits > 0 && c->window == 0)
		return loom_fail(err, LOOM_EINPUT,
		                 "a batch with replies: say how many requests of a node may be under way");
	if (c->reply_queue > 0 && c->reply_flits == 0)
		return loom_fail(err, LOOM_EINPUT, "a queue of replies, and there are none");
	return 0;
}

// --- Descriptions of circles -----------------------------------------------------------------------------------------

static size_t put_channel(char *out, size_t size, size_t used, const struct loom_topo *topo, uint32_t channel, size_t i)
{
	char name[48];
	loom_topo_channel_name(topo, channel, name);
	if (used < size)
		used += (size_t)snprintf(out + used, size - used, "%s%s", i ? ", " : "", name);
	return used;
}

static void put_rest(char *out, size_t size, size_t used, size_t n)
{
	if (used >= size)
		return;
	if (n > CHANNELS_NAMED)
		(void)snprintf(out + used, size - used, ", %zu more, and back", n - CHANNELS_NAMED);
	else
		(void)snprintf(out + used, size - used, ", and back");
}

void loom_closed_circle_text(char *out, size_t size, const struct loom_dependency_cycle *circle,
                             const struct loom_topo *topo)
{
	size_t used = 0;
	for (size_t i = 0; i < circle->n_channels && i < CHANNELS_NAMED; i++)
		used = put_channel(out, size, used, topo, circle->channel[i].channel, i);
	put_rest(out, size, used, circle->n_channels);
}

// --- The queue of replies -------------------------------------------------------------------------------------------

struct check {
	const struct loom_topo *topo;
	const struct loom_traffic *traffic;
	const uint32_t *map;
	const struct loom_load_options *options;
	// owned: the number of processors that send to each one; a sender with several flows counts once
	uint32_t *n_from;
	uint32_t *seen; // owned: the last sender that was found for each one
};

// Returns the most requests that processor w may have to answer at a time, or UINT64_MAX if there is no limit.
static uint64_t most_owed(const struct check *c, uint32_t w)
{
	const uint64_t window = c->options->closed.window;
	return c->n_from[w] == 0 ? 0 : window == 0 ? UINT64_MAX : window * c->n_from[w];
}

static bool can_fill(const struct check *c, uint32_t w)
{
	return most_owed(c, w) > c->options->closed.reply_queue;
}

static int count_senders(struct check *c, struct loom_err *err)
{
	const uint32_t n = c->topo->n_nodes;
	struct loom_shares shares;
	struct loom_share share;
	c->n_from = calloc(n, sizeof *c->n_from);
	c->seen = calloc(n, sizeof *c->seen);
	if (!c->n_from || !c->seen)
		return loom_fail(err, LOOM_ENOMEM, "no memory for %" PRIu32 " queues of replies", n);
	for (uint32_t v = 0; v < n; v++)
		for (loom_shares_begin(&shares, c->traffic, v); loom_shares_next(&shares, &share);)
			if (c->seen[share.destination] != v + 1) {
				c->seen[share.destination] = v + 1;
				c->n_from[share.destination]++;
			}
	return 0;
}

// Adds the waits of a message on its way. A request enters a full queue only when a reply has left the queue by the
// injection channel.
static int add_message(struct loom_channel_graph *g, const struct check *c, uint32_t v, uint32_t w, bool is_reply)
{
	const struct loom_topo *t = c->topo;
	const enum loom_rule rule = is_reply ? c->options->closed.reply_rule : c->options->rule;
	struct loom_route route;
	uint32_t held = UINT32_MAX, channel;
	int rc = 0;
	loom_route_begin(&route, t, c->map[v], c->map[w],
	                 (enum loom_rule)loom_topo_rule(t, c->map[v], c->map[w], rule));
	while (rc == 0 && loom_route_next(&route, &channel)) {
		const uint32_t lane = channel * t->n_vcs + (loom_topo_is_local(t, channel) ? 0 : route.vc);
		if (held != UINT32_MAX)
			rc = loom_channel_graph_add(g, held, lane, v);
		held = lane;
	}
	if (rc != 0 || is_reply || !can_fill(c, w) || held == UINT32_MAX)
		return rc;
	loom_route_begin(&route, t, c->map[w], c->map[v],
	                 (enum loom_rule)loom_topo_rule(t, c->map[w], c->map[v], c->options->closed.reply_rule));
	return loom_route_next(&route, &channel) ? loom_channel_graph_add(g, held, channel * t->n_vcs, w) : 0;
}

// Describes a circle in which a full queue can lock. Returns 0 if there is none, 1 if there is one, and a negative
// number if memory runs out.
static int find_circle(char *out, size_t size, const struct check *c)
{
	const struct loom_topo *t = c->topo;
	struct loom_channel_graph g = {0};
	struct loom_shares shares;
	struct loom_share share;
	uint32_t *edges = NULL;
	size_t n = 0, used = 0;
	int rc = loom_channel_graph_init(&g, loom_topo_channels(t) * t->n_vcs);
	for (uint32_t v = 0; rc == 0 && v < t->n_nodes; v++)
		for (loom_shares_begin(&shares, c->traffic, v); rc == 0 && loom_shares_next(&shares, &share);) {
			rc = add_message(&g, c, v, share.destination, false);
			if (rc == 0)
				rc = add_message(&g, c, share.destination, v, true);
		}
	if (rc == 0)
		rc = loom_channel_graph_circle(&edges, &n, &g);
	for (size_t i = 0; rc == 0 && i < n && i < CHANNELS_NAMED; i++)
		used = put_channel(out, size, used, t, g.edge[edges[i]].from / t->n_vcs, i);
	if (rc == 0 && n > 0)
		put_rest(out, size, used, n);
	free(edges);
	loom_channel_graph_free(&g);
	return rc != 0 ? rc : n > 0;
}

static int fail_queue(const struct check *c, uint32_t w, struct loom_err *err)
{
	const uint64_t owed = most_owed(c, w);
	const uint32_t room = c->options->closed.reply_queue;
	char circle[240] = "", wanted[64] = "with a window of requests there would be a bound";
	const int has = find_circle(circle, sizeof circle, c);
	if (has < 0)
		return loom_fail(err, LOOM_ENOMEM, "no memory to look for a circle on %s", c->topo->name);
	if (owed != UINT64_MAX)
		(void)snprintf(wanted, sizeof wanted, "it can owe %" PRIu64 "; a queue of as many never fills", owed);
	if (has)
		return loom_fail(err, LOOM_EINPUT,
		                 "%s: a queue of %" PRIu32 " replies can lock: while it is full, requests stand in the "
		                 "ejection channel, which has one lane, replies behind them, and what they hold is "
		                 "waited for: %s; processor %" PRIu32 ": %s",
		                 c->topo->name, room, circle, w, wanted);
	return loom_fail(err, LOOM_EINPUT,
	                 "%s: a queue of %" PRIu32 " replies can be full, and nodes take in whatever comes; processor "
	                 "%" PRIu32 ": %s",
	                 c->topo->name, room, w, wanted);
}

int loom_closed_check_queue(const struct loom_topo *topo, const struct loom_traffic *traffic, const uint32_t *map,
                            const struct loom_load_options *options, struct loom_err *err)
{
	struct check c = {.topo = topo, .traffic = traffic, .map = map, .options = options};
	uint32_t most = 0;
	if (options->closed.reply_queue == 0)
		return 0;
	if (!loom_shares_are_few(traffic))
		return loom_fail(err, LOOM_EINPUT,
		                 "a queue of replies on %s: of traffic to all others that is looked at up to %u nodes",
		                 topo->name, LOOM_TRAFFIC_PAIRS_NODES);
	int rc = count_senders(&c, err);
	for (uint32_t w = 1; rc == 0 && w < topo->n_nodes; w++)
		most = most_owed(&c, w) > most_owed(&c, most) ? w : most;
	if (rc == 0 && can_fill(&c, most))
		rc = fail_queue(&c, most, err);
	free(c.n_from);
	free(c.seen);
	return rc;
}
