// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Picks the cheapest known way to move a set of items.
#include "plan/otis/otis_choose.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "plan/otis/otis_bit_routes.h"
#include "plan/otis/otis_moves.h"
#include "plan/otis/otis_recolour.h"
#include "plan/otis/otis_slots.h"

#define ROUTES 500u      // routes that each search for linear middles examines, if there is no budget
#define CHANGES 4000000u // changes of middles, likewise
#define SEARCHES 10      // searches that share a budget, for a BPC permutation

struct choice {
	const struct loom_otis_task *task;
	uint32_t *item_on; // by node: the number of its item, if each node has one; else NULL
	bool *stays_home;  // by item
	uint32_t *middle;  // by item (otis_any.c)
	bool is_bpc;
	struct loom_otis_moves best;
	uint8_t *keep; // of the best moves; NULL if there are none
	uint32_t n_slots;
};

static int no_memory(const struct choice *c, struct loom_err *err)
{
	return loom_fail(err, LOOM_ENOMEM, "out of memory to choose moves of %" PRIu32 " items", c->task->n_items);
}

// True if these moves are better: a chip can make them and not the best ones; else they cost less, or have fewer steps,
// or fewer hops. If all are equal, the former moves stay.
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

static void tell(const struct choice *c)
{
	const struct loom_plan_options *o = c->task->options;
	char text[160];
	(void)snprintf(text, sizeof text,
	               "%" PRIu32 " electronic and %" PRIu32 " OTIS moves by %s; none cost less than %" PRIu32
	               " and %" PRIu32,
	               c->best.electronic, c->best.otis, c->best.by, c->task->bound.electronic, c->task->bound.otis);
	if (o && o->progress)
		o->progress(o->user, text);
}

// Compares moves with the best ones and keeps the better ones. Takes ownership of the moves.
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
		tell(c);
		return 0;
	}
	loom_otis_moves_free(m);
	free(keep);
	return rc == LOOM_EINPUT ? 0 : rc; // too many slots: other moves may need fewer
}

// Does the same for moves whose items have the numbers of the nodes on which they begin.
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
		rc = loom_otis_bits_of_sequence(&of_sequence, (enum loom_otis_sequence)s, side, err);
		if (rc != 0 || !loom_otis_bits_same(&of_sequence, bits))
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

// Indexes the items, one on each node, and their destinations by the nodes on which they begin.
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

// Begins the budget of a search: a share of the time, or the number of steps.
static void begin_search(struct loom_budget *budget, struct loom_plan_options *options, const struct choice *c,
                         uint64_t steps)
{
	*options = c->task->options ? *c->task->options : (struct loom_plan_options){0};
	options->budget_seconds /= c->is_bpc ? SEARCHES : 1;
	loom_budget_begin(budget, options, steps);
}

// True if no moves can be cheaper, so that there is nothing to search for.
static bool is_best(const struct choice *c)
{
	const struct loom_otis_task *t = c->task;
	return c->keep && c->n_slots <= loom_otis_slots_of_a_chip(t->side) &&
	       loom_otis_cost_of(&t->cost, c->best.electronic, c->best.otis) <=
	               loom_otis_cost_of(&t->cost, t->bound.electronic, t->bound.otis);
}

#define XOR (1u << LOOM_OTIS_PAIR_XOR)
#define PLACE (1u << LOOM_OTIS_PAIR_PLACE)
#define GROUP (1u << LOOM_OTIS_PAIR_GROUP)
#define EXCHANGE (1u << LOOM_OTIS_PAIR_EXCHANGE)

// The search does not model that items which meet wait for one another. So it counts light at more than its cost, to
// avoid too many meetings. Routes of the first kind give middles for any permutation, which recolouring may improve.
static const struct {
	unsigned allowed;
	double otis; // times the cost of an OTIS move
} searches[] = {{XOR, 1},         {XOR | EXCHANGE, 1},      {0, 1},
                {XOR | PLACE, 1}, {XOR | GROUP, 1},         {XOR | PLACE | GROUP | EXCHANGE, 1},
                {XOR | PLACE, 3}, {XOR | PLACE | GROUP, 3}, {XOR | PLACE | GROUP | EXCHANGE, 2}};

// True if moves that need at least `count` steps can be the best.
static bool may_be_better(const struct choice *c, struct loom_otis_step_counts count)
{
	const struct loom_otis_cost *cost = &c->task->cost;
	return !c->keep || loom_otis_cost_of(cost, count.electronic, count.otis) <
	                           loom_otis_cost_of(cost, c->best.electronic, c->best.otis);
}

static int enter_routes(struct choice *c, const struct loom_otis_bits *bits, struct loom_err *err)
{
	int rc = 0;
	for (unsigned k = 0; rc == 0 && k < sizeof searches / sizeof searches[0] && !is_best(c); k++) {
		struct loom_otis_bit_route route;
		struct loom_plan_options options;
		struct loom_budget budget;
		struct loom_otis_moves m;
		const struct loom_otis_cost cost = {c->task->cost.electronic, c->task->cost.otis * searches[k].otis};
		begin_search(&budget, &options, c, (uint64_t)ROUTES * LOOM_OTIS_ROUTE_STEPS);
		loom_otis_bit_route_search(&route, bits, &cost, searches[k].allowed, &budget);
		for (uint32_t i = 0; k == 0 && i < c->task->n_items; i++)
			c->middle[i] = loom_otis_bit_route_middle(&route, c->task->source[i]);
		if (!may_be_better(c, loom_otis_bit_route_count(&route, bits)))
			continue;
		rc = loom_otis_bit_route_play(&m, c->task->side, &route, bits, err);
		if (rc == 0)
			rc = enter_numbered_by_node(c, &m, err);
	}
	return rc;
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
	if (!is_bpc)
		return rc;
	c->is_bpc = true;
	rc = enter_papers(c, &bits, err);
	return rc != 0 ? rc : enter_routes(c, &bits, err);
}

static int enter_by_one(struct choice *c, struct loom_err *err)
{
	const struct loom_otis_task *t = c->task;
	struct loom_otis_moves m;
	bool possible = false;
	int rc = loom_otis_by_one(&m, &possible, t->side, t->source, t->destination, t->n_items, err);
	return rc != 0 || !possible ? rc : enter(c, &m, err);
}

// Enters the moves by the present middles.
static int enter_middle(struct choice *c, const char *by, struct loom_err *err)
{
	const struct loom_otis_task *t = c->task;
	struct loom_otis_moves m;
	int rc = loom_otis_by_middle(&m, t->side, t->source, t->destination, c->middle, t->n_items, err);
	if (rc != 0)
		return rc;
	(void)snprintf(m.by, sizeof m.by, "%s", by);
	return enter(c, &m, err);
}

// True if the groups of these nodes have each middle at most once. taken: by group and middle, zeroed.
static bool is_spread(bool *taken, uint32_t n, const uint32_t *node, const uint32_t *middle, uint32_t n_items)
{
	for (uint32_t i = 0; i < n_items; i++) {
		bool *place = &taken[node[i] / n * n + middle[i]];
		if (*place)
			return false;
		*place = true;
	}
	return true;
}

// Makes middles without edge colouring (loom_otis_by_middle): of each item the place of its destination, or of its
// source. Then only two of the three local permutations move items. Sets *possible to false if two items from one
// group, or to one group, share a middle. Returns LOOM_ENOMEM if memory runs out.
static int plain_middle(uint32_t *middle, bool *possible, const struct loom_otis_task *task, bool of_source,
                        struct loom_err *err)
{
	const uint32_t *end = of_source ? task->source : task->destination, n = task->side * task->side;
	bool *taken = calloc((size_t)n * n, sizeof *taken);
	if (!taken)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for the middles of an OTIS-Mesh's moves");
	for (uint32_t i = 0; i < task->n_items; i++)
		middle[i] = end[i] % n;
	// At one end the nodes of all items differ, so middles from that end do not clash there.
	*possible = is_spread(taken, n, of_source ? task->destination : task->source, middle, task->n_items);
	free(taken);
	return 0;
}

// Enters moves by edge colouring, and if possible moves with two local permutations around two OTIS moves: the
// embeddings of section 3 and Theorem 3. Keeps the middles of the last moves that are possible.
static int enter_found_middles(struct choice *c, struct loom_err *err)
{
	const struct loom_otis_task *t = c->task;
	bool possible = false;
	int rc = loom_otis_first_middle(c->middle, t->side, t->source, t->destination, t->n_items, err);
	if (rc == 0)
		rc = enter_middle(c, "edge colouring", err);
	for (unsigned of_source = 0; rc == 0 && of_source < 2 && !possible; of_source++) {
		uint32_t *middle = malloc((t->n_items + (size_t)1) * sizeof *middle);
		if (!middle)
			return no_memory(c, err);
		rc = plain_middle(middle, &possible, t, of_source, err);
		uint32_t *unused = possible ? c->middle : middle;
		c->middle = possible ? middle : c->middle;
		free(unused);
		if (rc == 0 && possible)
			rc = enter_middle(c, "two local permutations", err);
	}
	return rc;
}

static int enter_any(struct choice *c, struct loom_err *err)
{
	const struct loom_otis_task *t = c->task;
	struct loom_plan_options options;
	struct loom_budget budget;
	int rc = c->is_bpc ? 0 : enter_found_middles(c, err); // else a search for routes has found the middles
	if (rc != 0 || is_best(c))
		return rc;
	begin_search(&budget, &options, c, CHANGES);
	rc = loom_otis_recolour(c->middle, t->side, t->source, t->destination, t->n_items, &budget, err);
	return rc != 0 ? rc : enter_middle(c, "edge colouring, searched", err);
}

int loom_otis_choose(struct loom_otis_moves *out, uint8_t **keep, const struct loom_otis_task *task,
                     struct loom_err *err)
{
	struct choice c = {.task = task,
	                   .stays_home = malloc(task->n_items + (size_t)1),
	                   .middle = malloc((task->n_items + (size_t)1) * sizeof *c.middle)};
	int rc = c.stays_home && c.middle ? 0 : no_memory(&c, err);
	for (uint32_t i = 0; rc == 0 && i < task->n_items; i++)
		c.stays_home[i] = task->source[i] == task->destination[i];
	if (rc == 0)
		rc = enter_by_one(&c, err);
	if (rc == 0 && !is_best(&c))
		rc = enter_bpc(&c, err);
	if (rc == 0 && !is_best(&c))
		rc = enter_any(&c, err);
	if (rc == 0 && !c.keep)
		rc = loom_fail(err, LOOM_EINPUT, "no way of moving %" PRIu32 " items needs few enough slots",
		               task->n_items);
	free(c.item_on);
	free(c.stays_home);
	free(c.middle);
	if (rc != 0) {
		loom_otis_moves_free(&c.best);
		free(c.keep);
		return rc;
	}
	*out = c.best;
	*keep = c.keep;
	return 0;
}
