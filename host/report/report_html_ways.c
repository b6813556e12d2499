// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "report/report_html_ways.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/room.h"

static int fail(struct loom_err *err)
{
	return loom_fail(err, LOOM_ENOMEM, "out of memory for the ways of messages");
}

// True if the word of a route has a sign for the channel. Injection and ejection have none.
static bool is_told(const struct loom_html_ways *w, uint32_t channel)
{
	return !loom_topo_is_local(&w->plan->topo, channel);
}

// Returns the place of a channel among those behind another one, which it is added to if it is new. UINT32_MAX: no memory.
static uint32_t place_behind(struct loom_html_next *next, uint32_t channel)
{
	for (uint32_t k = 0; k < next->n; k++)
		if (next->channel[k] == channel)
			return k;
	if (!LOOM_ROOM(next->channel, next->room, next->n + 1))
		return UINT32_MAX;
	next->channel[next->n] = channel;
	return next->n++;
}

// Adds the steps of a route that lead straight on, or the others.
static bool add_way(struct loom_html_ways *w, size_t i, bool straight)
{
	const uint32_t per_tile = loom_topo_channels_per_tile(&w->plan->topo);
	struct loom_route route;
	uint32_t channel, before = UINT32_MAX;
	loom_plan_route_begin(&route, w->plan, i);
	for (; loom_route_next(&route, &channel); before = channel)
		if (before != UINT32_MAX && is_told(w, channel) &&
		    straight == (before % per_tile == channel % per_tile) &&
		    place_behind(&w->next[w->place[before]], channel) == UINT32_MAX)
			return false;
	return true;
}

static bool add_ways(struct loom_html_ways *w, bool straight)
{
	bool ok = true;
	for (size_t i = 0; ok && i < w->plan->n_messages; i++)
		ok = !loom_plan_uses_network(w->plan, &w->plan->messages[i]) || add_way(w, i, straight);
	return ok;
}

int loom_html_ways_make(struct loom_html_ways *out, const struct loom_plan *plan, struct loom_err *err)
{
	const struct loom_topo *topo = &plan->topo;
	const uint32_t n_channels = loom_topo_channels(topo);
	*out = (struct loom_html_ways){.plan = plan,
	                               .place = calloc(n_channels, sizeof *out->place),
	                               .next = calloc(n_channels, sizeof *out->next)};
	if (!out->place || !out->next)
		return fail(err);
	for (uint32_t c = 0; c < n_channels; c++)
		out->place[c] = loom_topo_channel_exists(topo, c) ? out->n_places++ : UINT32_MAX;
	return add_ways(out, true) && add_ways(out, false) ? 0 : fail(err);
}

void loom_html_ways_free(struct loom_html_ways *ways)
{
	for (uint32_t k = 0; ways->next && k < ways->n_places; k++)
		free(ways->next[k].channel);
	free(ways->next);
	free(ways->place);
	*ways = (struct loom_html_ways){0};
}

// --- Words ----------------------------------------------------------------------------------------------------------

// Steps of a word; the last one is not written yet.
struct word {
	FILE *stream;
	uint32_t step, n; // the number of repetitions; 0: there is no step to write
};

static void end_step(struct word *word)
{
	enum { MOST = 26 };
	while (word->n) {
		const uint32_t n = word->n < MOST ? word->n : MOST;
		if (word->step < 36)
			(void)fputc("0123456789abcdefghijklmnopqrstuvwxyz"[word->step], word -> stream);
		else
			(void)fprintf(word->stream, "(%" PRIu32 ")", word->step);
		if (n > 1)
			(void)fputc('A' + (int)n - 1, word->stream);
		word->n -= n;
	}
}

static void add_step(struct word *word, uint32_t step)
{
	if (word->n && word->step != step)
		end_step(word);
	word->step = step;
	word->n++;
}

static void put_word(FILE *stream, const struct loom_html_ways *w, size_t i, bool lanes)
{
	struct word word = {.stream = stream};
	struct loom_route route;
	uint32_t channel, before = UINT32_MAX;
	loom_plan_route_begin(&route, w->plan, i);
	for (; loom_route_next(&route, &channel); before = channel) {
		if (lanes)
			add_step(&word, loom_topo_is_local(&w->plan->topo, channel) ? 0 : route.vc);
		else if (before != UINT32_MAX && is_told(w, channel))
			add_step(&word, place_behind(&w->next[w->place[before]], channel)); // it is there
	}
	end_step(&word);
}

static void put_words(FILE *stream, const struct loom_html_ways *w, bool lanes)
{
	for (size_t i = 0; i < w->plan->n_messages; i++) {
		(void)fputs(i ? " " : "", stream);
		if (loom_plan_uses_network(w->plan, &w->plan->messages[i]))
			put_word(stream, w, i, lanes);
		else
			(void)fputc('-', stream);
	}
}

void loom_html_put_ways(FILE *stream, const struct loom_html_ways *w)
{
	(void)fputs("\"next\":[", stream);
	for (uint32_t k = 0; k < w->n_places; k++) {
		(void)fputs(k ? ",[" : "[", stream);
		for (uint32_t j = 0; j < w->next[k].n; j++)
			(void)fprintf(stream, "%s%" PRIu32, j ? "," : "", w->place[w->next[k].channel[j]]);
		(void)fputc(']', stream);
	}
	(void)fputs("],\"ways\":\"", stream);
	put_words(stream, w, false);
	(void)fputc('"', stream);
	if (w->plan->topo.n_vcs < 2)
		return;
	(void)fputs(",\"lanes\":\"", stream);
	put_words(stream, w, true);
	(void)fputc('"', stream);
}
