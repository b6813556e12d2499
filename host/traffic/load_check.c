// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks the request for a run at a load.
#include <flitloom/traffic.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/routes/choice.h>
#include <flitloom/routes/via.h>
#include <flitloom/routes/deadlock.h>
#include <flitloom/routes/failures.h>
#include <flitloom/routes/pair_routes.h>
#include <flitloom/plan.h>

#include "plan/plan_adaptive.h"
#include "topo/topo_ocs.h"
#include "topo/turn_sets.h"
#include "traffic/closed_check.h"
#include "traffic/load_exchange.h"
#include "traffic/routing.h"
#include "traffic/shares.h"

// Checks the options that only loads have.
static int check_load(const struct loom_load_options *o, struct loom_err *err)
{
	if (!(o->load > 0 && o->load <= 1)) // also false for a value that is not a number
		return loom_fail(
			err, LOOM_EINPUT,
			"a load of %g: it is above 0 and at most 1 flit per cycle and node, because a node injects one "
			"flit a cycle",
			o->load);
	if (o->measure_cycles == 0 || o->warmup_cycles > LOOM_LOAD_CYCLES_MOST ||
	    o->measure_cycles > LOOM_LOAD_CYCLES_MOST - o->warmup_cycles)
		return loom_fail(err, LOOM_EINPUT,
		                 "%" PRIu64 " cycles of warm-up and %" PRIu64
		                 " of measurement: at least one is measured, and "
		                 "together they are %u at most",
		                 o->warmup_cycles, o->measure_cycles, LOOM_LOAD_CYCLES_MOST);
	return 0;
}

// Most changes on-off between two messages of a node, on average; more would only take time
#define SWITCHES_MOST 1000000

// Checks that every node can make its messages in time.
static int check_arrivals(const struct loom_traffic *t, const struct loom_load_options *o, struct loom_err *err)
{
	const double most = loom_load_most(t, o);
	if (o->injection == LOOM_INJECTION_BURST &&
	    (o->on_cycles == 0 || o->off_cycles == 0 || o->on_cycles > LOOM_BURST_CYCLES_MOST ||
	     o->off_cycles > LOOM_BURST_CYCLES_MOST))
		return loom_fail(err, LOOM_EINPUT, "bursts of %" PRIu32 " cycles, %" PRIu32 " apart: 1 to %u each",
		                 o->on_cycles, o->off_cycles, LOOM_BURST_CYCLES_MOST);
	if (o->load > most * (1 + 1e-12))
		return loom_fail(
			err, LOOM_EINPUT,
			"a load of %g: with arrivals %s a node makes one message in a cycle at most, which is a "
			"load of %.6g here",
			o->load, loom_injection_name(o->injection), most);
	for (uint32_t v = 0; o->injection == LOOM_INJECTION_BURST && v < t->n_nodes; v++)
		if (loom_traffic_rate(t, v) > 0 &&
		    loom_shares_gap(t, o, v) > (double)SWITCHES_MOST * ((double)o->on_cycles + o->off_cycles))
			return loom_fail(err, LOOM_EINPUT,
			                 "a load of %g: processor %" PRIu32
			                 " is on more than %d times for one message; make "
			                 "bursts longer",
			                 o->load, v, SWITCHES_MOST);
	return 0;
}

static struct loom_plan_message message_of(const struct loom_topo *topo, const uint32_t *map, uint32_t source,
                                           uint32_t destination, enum loom_rule rule)
{
	return (struct loom_plan_message){.source = source,
	                                  .destination = destination,
	                                  .flits = 1,
	                                  .rule = (uint8_t)loom_topo_rule(topo, map[source], map[destination], rule)};
}

// Checks all messages of the traffic, and the replies to them, as a plan of one pass. Later messages on the same ways
// add no dependences.
static int check_flows(const struct loom_topo *topo, const struct loom_traffic *t, const uint32_t *map,
                       const struct loom_load_options *o, struct loom_err *err)
{
	struct loom_plan plan = {.topo = *topo, .n_passes = 1, .n_lanes = 1};
	struct loom_shares shares;
	struct loom_share share;
	const bool replies = o->closed.reply_flits > 0;
	const size_t n = loom_shares_count(t) * (replies ? 2 : 1);
	plan.messages = calloc(n, sizeof *plan.messages);
	plan.map = malloc(t->n_nodes * sizeof *plan.map);
	int rc = plan.messages && plan.map ? 0 : loom_fail(err, LOOM_ENOMEM, "no memory for %zu messages", n);
	for (uint32_t v = 0; rc == 0 && v < t->n_nodes; v++) {
		plan.map[v] = map[v];
		for (loom_shares_begin(&shares, t, v); loom_shares_next(&shares, &share);) {
			plan.messages[plan.n_messages++] = message_of(topo, map, v, share.destination, o->rule);
			if (replies)
				plan.messages[plan.n_messages++] =
					message_of(topo, map, share.destination, v, o->closed.reply_rule);
		}
	}
	for (size_t i = 0; i < plan.n_messages; i++)
		plan.messages[i].origin = (uint32_t)i;
	rc = rc == 0 ? loom_deadlock_check(&plan, err) : rc;
	free(plan.messages);
	free(plan.map);
	return rc;
}

// Fails if messages can wait for one another in a circle.
static int check_circle(const struct loom_topo *topo, const struct loom_traffic *t, const uint32_t *map,
                        const struct loom_load_options *o, struct loom_err *err)
{
	struct loom_dependency_cycle circle = {0};
	char words[160];
	if (!loom_shares_are_all(t))
		return check_flows(topo, t, map, o, err);
	if (t->n_nodes > LOOM_LOAD_CIRCLE_NODES)
		return 0;
	int rc = loom_deadlock_find_in_routing(&circle, topo, 1u << o->rule | 1u << loom_exchange_rule(o, true), err);
	if (rc == 0 && circle.n_channels > 0 && loom_exchange_rule(o, true) != o->rule) {
		loom_closed_circle_text(words, sizeof words, &circle, topo);
		rc = loom_fail(err, LOOM_EINPUT,
		               "requests by rule %s and replies by rule %s, from everybody to everybody, can: %s",
		               loom_rule_name(o->rule), loom_rule_name(o->closed.reply_rule), words);
	} else if (rc == 0 && circle.n_channels > 0) {
		rc = loom_fail(err, LOOM_EINPUT, "messages from everybody to everybody can (flitloom check %s)",
		               topo->name);
	}
	loom_dependency_cycle_free(&circle);
	return rc;
}

static bool find_more_lanes(char name[LOOM_TOPO_NAME], const struct loom_topo *topo, const struct loom_traffic *t,
                            const uint32_t *map, const struct loom_load_options *o)
{
	bool found = false;
	for (unsigned n_vcs = 2; !found && n_vcs <= LOOM_LANES_MAX; n_vcs++) {
		struct loom_topo with;
		loom_topo_copy(&with, topo);
		found = n_vcs > topo->n_vcs && loom_topo_set_vcs(&with, n_vcs, NULL) == 0 &&
		        check_circle(&with, t, map, o, NULL) == 0;
		(void)snprintf(name, LOOM_TOPO_NAME, "%s", with.name);
		loom_topo_free(&with);
	}
	return found;
}

// Finds the same network with more lanes, on which messages cannot lock. By rule tables have no datelines on any number
// of lanes, so for them it tries the network without tables.
static bool find_lanes(char name[LOOM_TOPO_NAME], const struct loom_topo *topo, const struct loom_traffic *t,
                       const uint32_t *map, const struct loom_load_options *o)
{
	static const char tables[] = "table-";
	struct loom_topo without;
	if (find_more_lanes(name, topo, t, map, o))
		return true;
	if (strncmp(topo->name, tables, strlen(tables)) != 0 ||
	    loom_topo_parse(&without, topo->name + strlen(tables), NULL) != 0)
		return false;
	(void)snprintf(name, LOOM_TOPO_NAME, "%s", without.name);
	const bool found = check_circle(&without, t, map, o, NULL) == 0 || find_more_lanes(name, &without, t, map, o);
	loom_topo_free(&without);
	return found;
}

// Writes advice for messages that can lock on these ways, or "" if there is none.
static void advise(char *out, size_t size, const struct loom_topo *topo, const struct loom_traffic *t,
                   const uint32_t *map, const struct loom_load_options *o)
{
	char with[LOOM_TOPO_NAME];
	const bool has = find_lanes(with, topo, t, map, o);
	const bool by_planner = topo->kind->router == LOOM_ROUTER_TABLE && !o->closed.reply_flits &&
	                        loom_shares_are_few(t) && topo->n_nodes <= LOOM_PAIR_NODES_MAX;
	(void)snprintf(out, size, "%s%s%s%s", has ? "; on fabric " : "", has ? with : "", has ? " they cannot" : "",
	               !by_planner ? ""
	               : has       ? ", nor by the ways of planner all-pairs"
	                           : "; by the ways of planner all-pairs they cannot");
}

// Checks that messages go between nodes that take part, if some nodes do not.
static int check_parts(const struct loom_topo *topo, const struct loom_traffic *t, const uint32_t *map,
                       struct loom_err *err)
{
	struct loom_shares shares;
	struct loom_share share;
	struct loom_err why = {0};
	int rc = 0;
	for (uint32_t v = 0; loom_topo_parts_count(topo) < topo->n_nodes && v < t->n_nodes; v++)
		for (loom_shares_begin(&shares, t, v); rc == 0 && loom_shares_next(&shares, &share);)
			rc = loom_topo_check_part(topo, map[v], map[share.destination], &why);
	return rc == 0 ? 0 : loom_fail(err, rc, "%.60s on %.120s: %.240s", t->name, topo->name, why.text);
}

static int check_rule(const struct loom_topo *topo, const struct loom_load_options *o, struct loom_err *err)
{
	const struct loom_load_closed *c = &o->closed;
	const char *name = loom_rule_name(o->rule);
	if (!loom_rule_is_adaptive(o->rule) && o->select)
		return loom_fail(err, LOOM_EINPUT,
		                 "select %s: it is for a rule that lets routers choose, such as duato",
		                 loom_select_name(o->select));
	const bool is_adaptive = loom_rule_is_adaptive(o->rule);
	if (!is_adaptive && !loom_rule_has_via(o->rule))
		return (unsigned)o->rule < loom_topo_rules_count(topo)
		               ? 0
		               : loom_fail(err, LOOM_EINPUT, "%s has no rule %d", topo->name, (int)o->rule);
	int rc = is_adaptive ? loom_rule_check(topo, o->rule, err) : loom_via_check(topo, o->rule, err);
	if (rc == 0)
		rc = loom_turn_sets_check(topo, o->rule, err);
	if (rc == 0)
		rc = loom_select_check(topo, o->select, err);
	if (rc == 0 && o->routes)
		rc = loom_fail(err, LOOM_EINPUT, "rule %s %s, and there are ways that a planner chose", name,
		               is_adaptive ? "lets routers choose" : "draws the way of each message");
	if (rc == 0 && c->reply_flits && c->reply_rule != o->rule)
		rc = loom_fail(err, LOOM_EINPUT, "requests by rule %s: %s, and replies go by the same rule", name,
		               is_adaptive ? "routers choose" : "their ways are drawn");
	if (rc == 0 && c->reply_queue)
		rc = loom_fail(err, LOOM_EINPUT,
		               "a queue of replies with rule %s: its check needs ways that are known in advance", name);
	return rc;
}

int loom_load_check(const struct loom_topo *topo, const struct loom_traffic *t, const uint32_t *map,
                    const struct loom_load_options *options, struct loom_err *err)
{
	char advice[LOOM_TOPO_NAME + 96];
	struct loom_err why = {0};
	int rc = options->lengths || (options->flits > 0 && options->flits <= LOOM_FLITS_MOST)
	                 ? loom_closed_check(options, topo, err)
	                 : loom_fail(err, LOOM_EINPUT, "messages of %" PRIu32 " flits: 1 to %u", options->flits,
	                             LOOM_FLITS_MOST);
	if (rc == 0 && !options->batch)
		rc = check_load(options, err);
	if (rc == 0 && options->groups && options->groups->key == LOOM_LOAD_BY_CHANNEL &&
	    options->groups->window_cycles == 0)
		rc = loom_fail(err, LOOM_EINPUT, "channels by windows of 0 cycles: 1 or more");
	if (rc == 0 && !options->batch)
		rc = check_arrivals(t, options, err);
	if (rc == 0)
		rc = loom_topo_refuse_circuits(topo, "random traffic", err);
	if (rc == 0 && topo->kind->two_directions)
		rc = loom_fail(err, LOOM_EINPUT,
		               "%s: all messages of a pass go the same way through it, so it carries no traffic at "
		               "random times; "
		               "omega has one direction",
		               topo->name);
	if (rc == 0)
		rc = check_rule(topo, options, err);
	if (rc == 0)
		rc = check_parts(topo, t, map, err);
	if (rc != 0 || options->routes)
		return rc != 0 ? rc : loom_routing_check(topo, t, map, options, err);
	if (loom_rule_is_adaptive(options->rule) ||
	    loom_rule_has_via(options->rule)) // check_rule has found that messages by this rule cannot lock
		return 0;
	rc = check_circle(topo, t, map, options, &why);
	if (rc == LOOM_EINPUT) {
		char *passes = strstr(why.text, "; send them in different passes"); // traffic has no passes
		if (passes)
			*passes = '\0';
		advise(advice, sizeof advice, topo, t, map, options);
		return loom_fail(err, rc, "%s: messages can lock, waiting for one another for ever: %.300s%s",
		                 topo->name, why.text, advice);
	}
	return rc != 0 ? loom_fail(err, rc, "%s", why.text) : loom_closed_check_queue(topo, t, map, options, err);
}
