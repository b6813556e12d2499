// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "topo/choice_states.h"

#include <stdlib.h>

#include <flitloom/routes/failures.h>

#include "topo/choice_ways.h"
#include "topo/turns_states.h"

bool loom_states_is_end(const struct loom_topo *t, uint32_t node)
{
	return node < loom_topo_hosts(t) && loom_topo_takes_part(t, node);
}

// --- Rules that ask for nothing but node and destination -------------------------------------------------------------

static struct loom_choice choice_plain(const struct loom_states *s, uint32_t state)
{
	return loom_rule_choice(s->topo, s->rule, state, state, s->destination);
}

static unsigned start_plain(const struct loom_states *s, uint32_t source)
{
	(void)s;
	(void)source;
	return 0;
}

static unsigned next_plain(const struct loom_states *s, uint32_t state, unsigned link)
{
	(void)s;
	(void)state;
	(void)link;
	return 0;
}

// --- odd-even: memory 1 in the source's column, where it began and which it never comes back to ----------------------

static struct loom_choice choice_by_column(const struct loom_states *s, uint32_t state)
{
	const uint32_t here = loom_states_node(s, state), beside = here % s->topo->extent[0] ? here - 1 : here + 1;
	return loom_rule_choice(s->topo, s->rule, state % 2 ? here : beside, here, s->destination);
}

static unsigned start_in_column(const struct loom_states *s, uint32_t source)
{
	(void)s;
	(void)source;
	return 1;
}

static unsigned next_by_column(const struct loom_states *s, uint32_t state, unsigned link)
{
	(void)s;
	return state % 2 && link / 2 == 1;
}

// --- All -------------------------------------------------------------------------------------------------------------

uint32_t loom_states_next(const struct loom_states *s, uint32_t state, unsigned p)
{
	uint32_t v = 0;
	unsigned q;
	(void)s->topo->kind->link(s->topo, loom_states_node(s, state), p, &v, &q);
	return v * s->n_memories + s->next(s, state, p);
}

int loom_states_init(struct loom_states *out, const struct loom_topo *t, unsigned rule, const struct loom_turns *turns,
                     struct loom_err *err)
{
	struct loom_states s = {.topo = t,
	                        .rule = rule,
	                        .n_memories = 1,
	                        .has_escapes = rule == LOOM_RULE_DUATO,
	                        .choice = choice_plain,
	                        .start = start_plain,
	                        .next = next_plain};
	int rc = 0;
	if (rule == LOOM_RULE_TURNS && turns)
		rc = loom_turns_states(&s, turns, err);
	else
		rc = loom_rule_check(t, rule, err);
	if (rc == 0 && rule == LOOM_RULE_ODD_EVEN) {
		s.n_memories = 2;
		s.choice = choice_by_column;
		s.start = start_in_column;
		s.next = next_by_column;
	}
	if (rc == 0)
		*out = s;
	else
		loom_states_free(&s);
	return rc;
}

void loom_states_free(struct loom_states *s)
{
	free(s->distance);
	free(s->queue);
	*s = (struct loom_states){0};
}

void loom_states_turn_to(struct loom_states *s, uint32_t destination)
{
	s->destination = destination;
	if (s->turns)
		loom_turns_measure(s);
}
