// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Lists the rules that let routers choose, and says on which fabrics they are defined.
#include <flitloom/routes/choice.h>

#include <string.h>

#include "topo/choice_ways.h"
#include "topo/turn_sets.h"

#define LANES_OF_A_NODE 64 // struct loom_choice has a bit for each

// Returns all lanes of the links that the turns leave.
static struct loom_choice choice_by_turns(const struct loom_topo *t, uint32_t here, unsigned came, uint32_t destination)
{
	const uint64_t of_link = (UINT64_C(1) << t->n_vcs) - 1;
	struct loom_choice out = {0, 0};
	for (uint32_t links = loom_turn_sets_links(t->turns, here, came, destination); links; links &= links - 1)
		out.lanes |= of_link << (unsigned)__builtin_ctz(links) * t->n_vcs;
	return out;
}

static struct loom_choice choice_at_source(const struct loom_topo *t, uint32_t source, uint32_t here,
                                           uint32_t destination)
{
	(void)source;
	return choice_by_turns(t, here, 0, destination);
}

static struct loom_choice (*const choices[LOOM_RULES_NAMED])(const struct loom_topo *, uint32_t, uint32_t, uint32_t) = {
	[LOOM_RULE_NEGATIVE_FIRST] = loom_choice_negative_first,
	[LOOM_RULE_WEST_FIRST] = loom_choice_west_first,
	[LOOM_RULE_NORTH_LAST] = loom_choice_north_last,
	[LOOM_RULE_ODD_EVEN] = loom_choice_odd_even,
	[LOOM_RULE_DUATO] = loom_choice_duato,
	[LOOM_RULE_TURNS] = choice_at_source,
};

bool loom_rule_is_adaptive(unsigned rule)
{
	return rule < LOOM_RULES_NAMED && choices[rule];
}

bool loom_rule_chooses_on(const struct loom_topo *t, unsigned rule)
{
	return loom_rule_is_adaptive(rule) && (t->kind->router != LOOM_ROUTER_TABLE || rule >= LOOM_LANES_MAX);
}

const char *loom_rule_other_name(unsigned rule)
{
	return rule == LOOM_RULE_NEGATIVE_FIRST ? "p-cube" : rule == LOOM_RULE_ASCENDING ? "e-cube" : NULL;
}

unsigned loom_rule_by_name(const char *name)
{
	for (unsigned rule = 0; rule < LOOM_RULES_NAMED; rule++) {
		const char *other = loom_rule_other_name(rule);
		if (strcmp(loom_rule_name(rule), name) == 0 || (other && strcmp(other, name) == 0))
			return rule;
	}
	return LOOM_RULES_NAMED;
}

static int check_duato(const struct loom_topo *t, struct loom_err *err)
{
	const unsigned n = loom_duato_escapes(t) + 1;
	if (t->n_vcs >= n)
		return 0;
	return loom_fail(err, LOOM_EINPUT, "rule duato on %.120s: links have %u lane%s and it needs %u: give v%u",
	                 t->name, t->n_vcs, t->n_vcs == 1 ? "" : "s", n, n);
}

static int fail_lanes(const struct loom_topo *t, unsigned rule, struct loom_err *err)
{
	return loom_fail(
		err, LOOM_EINPUT,
		"rule %s on %.120s: a node has %u links of %u lanes, and a router chooses among %u lanes at most",
		loom_rule_name(rule), t->name, loom_topo_links(t), t->n_vcs, LANES_OF_A_NODE);
}

static int check_turns(const struct loom_topo *t, struct loom_err *err)
{
	if (!t->turns)
		return loom_fail(
			err, LOOM_EINPUT,
			"rule turns on %.120s: which turns? turns:FILE has those of a file, turns:best few that "
			"are enough",
			t->name);
	if (loom_topo_links(t) * t->n_vcs > LANES_OF_A_NODE)
		return fail_lanes(t, LOOM_RULE_TURNS, err);
	return 0;
}

int loom_rule_check(const struct loom_topo *t, unsigned rule, struct loom_err *err)
{
	const char *name = rule < LOOM_RULES_NAMED ? loom_rule_name(rule) : "?";
	if (!loom_rule_is_adaptive(rule))
		return loom_fail(
			err, LOOM_EINPUT,
			"rule %s lets no router choose; negative-first, west-first, north-last, odd-even, duato and "
			"turns do",
			name);
	if (rule == LOOM_RULE_TURNS)
		return check_turns(t, err);
	if (t->kind->router != LOOM_ROUTER_ORDER)
		return loom_fail(err, LOOM_EINPUT,
		                 "rule %s is for cube, line, mesh, ring and torus, whose routers go by coordinates, "
		                 "and not for %.120s%s",
		                 name, t->name,
		                 t->kind->router == LOOM_ROUTER_TABLE ? "; turns:best serves networks with tables"
		                                                      : "");
	if (loom_topo_links(t) * t->n_vcs > LANES_OF_A_NODE)
		return fail_lanes(t, rule, err);
	if (rule == LOOM_RULE_DUATO)
		return check_duato(t, err);
	if (t->kind->wraps)
		return loom_fail(err, LOOM_EINPUT,
		                 "rule %s forbids turns, and round the rings of %.120s messages can lock without any "
		                 "turn; by rule duato they cannot, with v%u",
		                 name, t->name, loom_duato_escapes(t) + 1);
	if (rule == LOOM_RULE_ODD_EVEN && (t->kind->complements_bits || t->n_dims != 2))
		return loom_fail(err, LOOM_EINPUT, "rule odd-even is for meshes of two dimensions, and not for %.120s",
		                 t->name);
	return 0;
}

struct loom_choice loom_rule_choice(const struct loom_topo *t, unsigned rule, uint32_t source, uint32_t here,
                                    uint32_t destination)
{
	return choices[rule](t, source, here, destination);
}

struct loom_choice loom_rule_choice_behind(const struct loom_topo *t, unsigned rule, uint32_t source, uint32_t here,
                                           unsigned came, uint32_t destination)
{
	return rule == LOOM_RULE_TURNS ? choice_by_turns(t, here, came, destination)
	                               : loom_rule_choice(t, rule, source, here, destination);
}

const char *loom_select_name(unsigned select)
{
	static const char *const names[] = {[LOOM_SELECT_FIXED] = "fixed",
	                                    [LOOM_SELECT_RANDOM] = "random",
	                                    [LOOM_SELECT_LRU] = "lru",
	                                    [LOOM_SELECT_CREDITS] = "credits"};
	return select < sizeof names / sizeof names[0] ? names[select] : NULL;
}
