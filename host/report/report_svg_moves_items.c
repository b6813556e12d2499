// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The items of a plan of moves: of each its messages in order, and the way that a dot goes.
#include "report/report_svg_moves.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "report/report_svg_blocks.h"

#define DOT 0.15     // radius of a dot, of the pitch
#define ASIDE 0.2    // from the middle, of an item that has others beside it
#define ARC_POINTS 6 // of the way along an arc

struct loom_svg_point loom_moves_middle(const struct loom_moves_drawing *d, uint32_t node)
{
	struct loom_svg_point at;
	loom_svg_blocks_place(&at.x, &at.y, &d->panel->plan->topo, node);
	at.x = d->x + at.x * d->pitch;
	at.y = d->y + at.y * d->pitch;
	return at;
}

double loom_moves_time(const struct loom_moves_drawing *d, uint32_t step)
{
	return (LOOM_MOVES_BEFORE + LOOM_MOVES_STEP * step) / d->seconds;
}

struct items {
	const struct loom_plan *plan;
	size_t *root;  // of each message: the one that began with its item
	size_t *first; // of each message that is a root: where the item's begin in `order`
	size_t *order; // messages by item, ascending
};

static void free_items(struct items *items)
{
	free(items->root);
	free(items->first);
	free(items->order);
}

static int sort_items(struct items *out, const struct loom_plan *plan)
{
	size_t n = plan->n_messages, sum = 0;
	*out = (struct items){.plan = plan,
	                      .root = calloc(n + 1, sizeof *out->root),
	                      .first = calloc(n + 2, sizeof *out->first),
	                      .order = calloc(n + 1, sizeof *out->order)};
	if (!out->root || !out->first || !out->order) {
		free_items(out);
		return LOOM_ENOMEM;
	}
	for (size_t i = 0; i < n; i++) {
		out->root[i] = plan->messages[i].from_slot ? out->root[plan->messages[i].origin] : i;
		out->first[out->root[i] + 1]++;
	}
	for (size_t i = 0; i <= n; i++) {
		sum += out->first[i];
		out->first[i] = sum;
	}
	for (size_t i = n; i-- > 0;) // from behind, so that first[] ends where it should
		out->order[--out->first[out->root[i] + 1]] = i;
	return 0;
}

// Finds the messages of the item of message i, a root: order[*begin] to order[*end - 1].
static void range_of(size_t *begin, size_t *end, const struct items *items, size_t i)
{
	size_t n = items->plan->n_messages;
	*begin = items->first[i + 1];
	*end = *begin;
	while (*end < n && items->root[items->order[*end]] == i)
		++*end;
}

// Finds where a dot rests in its node: items that are kept lie round the middle, by their slots.
static struct loom_svg_point rest_at(const struct loom_moves_drawing *d, uint32_t node, unsigned slot)
{
	struct loom_svg_point at = loom_moves_middle(d, node);
	if (slot > 1) {
		double angle = 0.8 * (slot - 2) + 0.4;
		at.x += ASIDE * d->pitch * cos(angle);
		at.y += ASIDE * d->pitch * sin(angle);
	}
	return at;
}

static void put_time(FILE *stream, double at)
{
	(void)fprintf(stream, ";%.5g", at);
}

// The moments of message i's step: along light more than two.
static unsigned moments_of(const struct loom_plan *plan, size_t i)
{
	const struct loom_plan_message *m = &plan->messages[i];
	uint32_t n = plan->topo.extent[0] * plan->topo.extent[0];
	return plan->map[m->source] / n == plan->map[m->destination] / n ? 1 : ARC_POINTS;
}

// keyTimes, then values relative to where the dot is drawn: one function for both, so that they agree.
static void put_track(FILE *stream, const struct loom_moves_drawing *d, const struct items *items, size_t begin,
                      size_t end, bool times, struct loom_svg_point home)
{
	struct loom_svg_point at = home;
	(void)fputs(times ? "0" : "0 0", stream);
	for (size_t k = begin; k < end; k++) {
		const struct loom_plan_message *m = &items->plan->messages[items->order[k]];
		struct loom_svg_point to = rest_at(d, items->plan->map[m->destination], m->keep_slot);
		unsigned n = moments_of(items->plan, items->order[k]);
		double start = loom_moves_time(d, m->pass), way = LOOM_MOVES_WAY / d->seconds;
		if (m->source == m->destination)
			continue;
		if (times)
			put_time(stream, start);
		else
			(void)fprintf(stream, ";%.1f %.1f", at.x - home.x, at.y - home.y);
		for (unsigned moment = 1; moment <= n; moment++) {
			struct loom_svg_point here = to;
			if (moment < n)
				loom_svg_arc_at(&here.x, &here.y, at.x, at.y, to.x, to.y, (double)moment / n);
			if (times)
				put_time(stream, start + way * moment / n);
			else
				(void)fprintf(stream, ";%.1f %.1f", here.x - home.x, here.y - home.y);
		}
		at = to;
	}
	if (times)
		(void)fputs(";1", stream);
	else
		(void)fprintf(stream, ";%.1f %.1f", at.x - home.x, at.y - home.y);
}

static bool moves_at_all(const struct items *items, size_t begin, size_t end)
{
	for (size_t k = begin; k < end; k++)
		if (items->plan->messages[items->order[k]].source != items->plan->messages[items->order[k]].destination)
			return true;
	return false;
}

static void put_item(FILE *stream, const struct loom_moves_drawing *d, const struct items *items, size_t i)
{
	const struct loom_plan *plan = items->plan;
	size_t begin, end;
	char colour[8];
	range_of(&begin, &end, items, i);
	uint32_t source = plan->map[plan->messages[i].source],
		 last = plan->map[plan->messages[items->order[end - 1]].destination];
	struct loom_svg_point home = rest_at(d, source, 0);
	for (size_t k = begin; d->pass && k < end && plan->messages[items->order[k]].pass < *d->pass; k++)
		home = rest_at(d, plan->map[plan->messages[items->order[k]].destination],
		               plan->messages[items->order[k]].keep_slot);
	loom_report_path_colour(colour, last, plan->topo.n_nodes);
	(void)fprintf(stream,
	              "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.2f\" fill=\"%s\"><title>from %" PRIu32 " to %" PRIu32
	              "</title>",
	              home.x, home.y, DOT * d->pitch, colour, source, last);
	if (!d->pass && moves_at_all(items, begin, end)) {
		(void)fprintf(stream,
		              "<animateTransform attributeName=\"transform\" type=\"translate\" dur=\"%gs\" "
		              "repeatCount=\"indefinite\" keyTimes=\"",
		              d->seconds);
		put_track(stream, d, items, begin, end, true, home);
		(void)fputs("\" values=\"", stream);
		put_track(stream, d, items, begin, end, false, home);
		(void)fputs("\"/>", stream);
	}
	(void)fputs("</circle>\n", stream);
}

int loom_moves_items(FILE *stream, const struct loom_moves_drawing *d)
{
	struct items items;
	int rc = sort_items(&items, d->panel->plan);
	if (rc != 0)
		return rc;
	for (size_t i = 0; i < items.plan->n_messages; i++)
		if (items.root[i] == i)
			put_item(stream, d, &items, i);
	free_items(&items);
	return 0;
}
