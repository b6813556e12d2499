// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Of all ways to move some items the cheapest.
#include "plan/otis/otis_choose.h"

#include <inttypes.h>
#include <stdlib.h>

#include "plan/otis/otis_bits.h"
#include "plan/otis/otis_moves.h"
#include "plan/otis/otis_plain_middle.h"
#include "plan/otis/otis_slots.h"

struct choice {
	const struct loom_otis_task *task;
	uint32_t *item_on; // by node, where each node has an item: its number; else NULL
	bool *stays_home;  // by item
	struct loom_otis_moves best;
	uint8_t *keep; // of the best; NULL: there is none
	uint32_t n_slots;
};

static int no_memory(const struct choice *c, struct loom_err *err)
{
	return loom_fail(err, LOOM_ENOMEM, "out of memory to choose moves of %" PRIu32 " items", c->task->n_items);
}

// What a chip can do comes first, then what is cheap, takes few steps, and few hops. Of equals the first stays.
static bool is_better(const struct choice *c, const struct loom_otis_moves *m, uint32_t n_slots)
{
	uint32_t chip = loom_otis_slots_of_a_chip(m->side);
	double cost = loom_otis_cost_of(&c->task->cost, m->electronic, m->otis),
	       best = loom_otis_cost_of(&c->task->cost, c->best.electronic, c->best.otis);
	if (!c->keep)
		return true;
	if ((n_slots <= chip) != (c->n_slots <= chip))
		return n_slots <= chip;
	if (cost < best || cost > best)
		return cost < best;
	if (m->n_steps != c->best.n_steps)
		return m->n_steps < c->best.n_steps;
	return m->first[m->n_steps] < c->best.first[c->best.n_steps];
}

// Takes the moves over.
static int enter(struct choice *c, struct loom_otis_moves *m, struct loom_err *err)
{
	uint32_t n_slots = 0;
	int rc = loom_otis_moves_trim_to(m, c->stays_home, err);
	uint8_t *keep = malloc(m->first[m->n_steps] + 1);
	if (rc == 0)
		rc = keep ? loom_otis_slots(keep, &n_slots, m, err) : no_memory(c, err);
	if (rc == 0 && is_better(c, m, n_slots)) {
		loom_otis_moves_free(&c->best);
		free(c->keep);
		c->best = *m;
		c->keep = keep;
		c->n_slots = n_slots;
		return 0;
	}
	loom_otis_moves_free(m);
	free(keep);
	return rc == LOOM_EINPUT ? 0 : rc; // too many slots: another way will do
}

// The same of moves whose items are numbered by the nodes that they begin on.
static int enter_numbered_by_node(struct choice *c, struct loom_otis_moves *m, struct loom_err *err)
{
	for (size_t k = 0; k < m->first[m->n_steps]; k++)
		m->hop[k].item = c->item_on[m->hop[k].item];
	for (uint32_t i = 0; i < m->n_items; i++)
		m->at[i] = c->task->destination[i];
	return enter(c, m, err);
}

static int enter_papers(struct choice *c, const struct loom_otis_bits *bits, struct loom_err *err)
{
	uint32_t side = c->task->side;
	struct loom_otis_moves m;
	int rc = 0;
	for (unsigned s = 0; rc == 0 && s < LOOM_OTIS_SEQUENCES; s++) {
		struct loom_otis_bits of_sequence;
		if (!loom_otis_bits_of_sequence(&of_sequence, s, side) || !loom_otis_bits_same(&of_sequence, bits))
			continue;
		rc = loom_otis_sequence(&m, side, (enum loom_otis_sequence)s, err);
		if (rc == 0)
			rc = enter_numbered_by_node(c, &m, err);
	}
	for (int how = LOOM_OTIS_EXCHANGE_K; rc == 0 && how <= LOOM_OTIS_EXCHANGE_OTHERS; how++) {
		rc = loom_otis_general_bits(&m, side, bits, (enum loom_otis_general)how, err);
		if (rc == 0)
			rc = enter_numbered_by_node(c, &m, err);
	}
	return rc;
}

// Where each node has an item: these by their nodes, and where they go by theirs.
static int index_nodes(struct choice *c, uint32_t *to, struct loom_err *err)
{
	const struct loom_otis_task *t = c->task;
	c->item_on = malloc(t->n_items * sizeof *c->item_on);
	if (!c->item_on)
		return no_memory(c, err);
	for (uint32_t i = 0; i < t->n_items; i++) {
		c->item_on[t->source[i]] = i;
		to[t->source[i]] = t->destination[i];
	}
	return 0;
}

static int enter_bpc(struct choice *c, struct loom_err *err)
{
	const struct loom_otis_task *t = c->task;
	struct loom_otis_bits bits;
	if (t->n_items != loom_otis_nodes(t->side) || (t->side & (t->side - 1)) != 0)
		return 0;
	uint32_t *to = malloc(t->n_items * sizeof *to);
	int rc = to ? index_nodes(c, to, err) : no_memory(c, err);
	bool is_bpc = rc == 0 && loom_otis_bits_of_map(&bits, 2 * loom_otis_bits_of_side(t->side), to);
	free(to);
	return is_bpc ? enter_papers(c, &bits, err) : rc;
}

static int enter_any(struct choice *c, struct loom_err *err)
{
	const struct loom_otis_task *t = c->task;
	struct loom_otis_moves m;
	bool possible = false;
	int rc = loom_otis_by_one(&m, &possible, t->side, t->source, t->destination, t->n_items, err);
	if (rc == 0 && possible)
		rc = enter(c, &m, err);
	if (rc == 0)
		rc = loom_otis_any(&m, t->side, t->source, t->destination, t->n_items, err);
	return rc != 0 ? rc : enter(c, &m, err);
}

// Two local permutations around two OTIS moves, where nothing is in the way: the embeddings of section 3 and Theorem 3.
static int enter_plain(struct choice *c, struct loom_err *err)
{
	const struct loom_otis_task *t = c->task;
	struct loom_otis_moves m;
	int rc = 0;
	uint32_t *middle = malloc((t->n_items + (size_t)1) * sizeof *middle);
	if (!middle)
		return no_memory(c, err);
	for (unsigned of_source = 0; rc == 0 && of_source < 2; of_source++) {
		bool possible = false;
		rc = loom_otis_plain_middle(middle, &possible, t->side, t->source, t->destination, t->n_items,
		                            of_source, err);
		if (rc == 0 && possible)
			rc = loom_otis_by_middle(&m, t->side, t->source, t->destination, middle, t->n_items, err);
		if (rc == 0 && possible)
			rc = enter(c, &m, err);
	}
	free(middle);
	return rc;
}

int loom_otis_choose(struct loom_otis_moves *out, uint8_t **keep, const struct loom_otis_task *task,
                     struct loom_err *err)
{
	struct choice c = {.task = task, .stays_home = malloc(task->n_items + (size_t)1)};
	int rc = c.stays_home ? 0 : no_memory(&c, err);
	for (uint32_t i = 0; rc == 0 && i < task->n_items; i++)
		c.stays_home[i] = task->source[i] == task->destination[i];
	if (rc == 0)
		rc = enter_bpc(&c, err);
	if (rc == 0)
		rc = enter_any(&c, err);
	if (rc == 0)
		rc = enter_plain(&c, err);
	if (rc == 0 && !c.keep)
		rc = loom_fail(err, LOOM_EINPUT, "no way of moving %" PRIu32 " items needs few enough slots",
		               task->n_items);
	free(c.item_on);
	free(c.stays_home);
	if (rc != 0) {
		loom_otis_moves_free(&c.best);
		free(c.keep);
		return rc;
	}
	*out = c.best;
	*keep = c.keep;
	return 0;
}
