// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Lists the kinds of fabric, and the rules.
#include "topo/topo_kinds.h"

#include "topo/topo_defaults.h"

static const struct loom_topo_kind *const kinds[] = {
#define X(kind) &loom_topo_kind_##kind,
	LOOM_TOPO_KINDS(X)
#undef X
};

const struct loom_topo_kind *loom_topo_kind_at(size_t i)
{
	return i < sizeof kinds / sizeof kinds[0] ? kinds[i] : NULL;
}

const struct loom_topo_kind *loom_topo_kind_by_code(uint32_t code)
{
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
		if (kinds[i]->code == code)
			return kinds[i];
	return NULL;
}

unsigned loom_topo_rules_count(const struct loom_topo *t)
{
	if (t->kind->router == LOOM_ROUTER_TABLE)
		return t->n_vcs > 1 ? t->n_vcs : LOOM_RULE_ONE_WAY;
	return t->kind->wraps ? LOOM_RULES_MAX : LOOM_RULE_ONE_WAY;
}

unsigned loom_topo_rule(const struct loom_topo *t, uint32_t source, uint32_t destination, unsigned rule)
{
	return rule == LOOM_RULE_TURNS ? rule : t->kind->rule_of(t, source, destination, rule);
}

bool loom_topo_rules_by_ends(const struct loom_topo *t)
{
	return t->kind->rule_of != loom_default_rule_of;
}

const char *loom_rule_name(unsigned rule)
{
	static const char *const names[LOOM_RULES_NAMED] = {
		[LOOM_RULE_ASCENDING] = "ascending",
		[LOOM_RULE_DESCENDING] = "descending",
		[LOOM_RULE_ONE_WAY] = "one-way",
		[LOOM_RULE_ONE_WAY_DESCENDING] = "one-way-descending",
		[LOOM_RULE_NEGATIVE_FIRST] = "negative-first",
		[LOOM_RULE_WEST_FIRST] = "west-first",
		[LOOM_RULE_NORTH_LAST] = "north-last",
		[LOOM_RULE_ODD_EVEN] = "odd-even",
		[LOOM_RULE_DUATO] = "duato",
		[LOOM_RULE_O1TURN] = "o1turn",
		[LOOM_RULE_ROMM] = "romm",
		[LOOM_RULE_VALIANT] = "valiant",
		[LOOM_RULE_TURNS] = "turns",
	};
	return rule < LOOM_RULES_NAMED ? names[rule] : NULL;
}
