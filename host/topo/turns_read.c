// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the forbidden turns.
#include <flitloom/routes/forbidden_turns.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "topo/choice_ways.h"
#include "topo/named_node.h"

#define BYTES_MAX ((size_t)1 << 24)
#define SHOWN 40
#define WANTED "a line is two directions, such as -x +y, or three nodes, such as 0->1->2"

// A part of the text.
struct piece {
	const char *at;
	size_t length;
};

// A direction: up or down in a dimension.
struct direction {
	unsigned d;
	bool minus;
};

static struct piece next_word(struct piece *rest)
{
	const char *end = rest->at + rest->length;
	struct piece word = {rest->at, 0};
	while (word.at < end && strchr(" \t\r", *word.at))
		word.at++;
	while (word.at + word.length < end && !strchr(" \t\r", word.at[word.length]))
		word.length++;
	*rest = (struct piece){word.at + word.length, (size_t)(end - word.at) - word.length};
	return word;
}

// --- Turns between two directions ------------------------------------------------------------------------------------

// Reads a direction: a sign and the name of a dimension, such as "x", or on a cube its number.
static bool read_direction(struct direction *out, const struct loom_topo *t, struct piece word)
{
	for (unsigned d = 0; d < t->n_dims; d++)
		for (unsigned minus = 0; minus < 2; minus++) {
			char name[16];
			if (t->kind->complements_bits)
				(void)snprintf(name, sizeof name, "%c%u", minus ? '-' : '+', d);
			else
				t->kind->link_name(t, 2 * d + minus, name);
			if (strlen(name) != word.length || memcmp(name, word.at, word.length) != 0)
				continue;
			*out = (struct direction){d, minus};
			return true;
		}
	return false;
}

// Forbids a turn from one direction to another at every node. On a cube a link upward in a dimension enters a node
// whose bit is 1, and leaves a node whose bit is 0.
static void forbid_everywhere(struct loom_turns *turns, const struct loom_topo *t, struct direction from,
                              struct direction to)
{
	const uint32_t per_tile = loom_topo_channels_per_tile(t);
	const unsigned in = loom_ways_link(t, from.d, from.minus), out = loom_ways_link(t, to.d, to.minus);
	for (uint32_t u = 0; u < t->n_nodes; u++)
		for (unsigned q = 0; q < turns->n_links; q++) {
			const uint32_t channel = turns->from[u * turns->n_links + q];
			uint32_t v;
			unsigned back;
			if (channel == LOOM_TURNS_NONE || channel % per_tile != in ||
			    !t->kind->link(t, u, out, &v, &back))
				continue;
			if (t->kind->complements_bits &&
			    ((u >> from.d & 1) == from.minus || (u >> to.d & 1) != to.minus))
				continue;
			loom_turns_forbid(turns, u, q, out, true);
		}
}

static int take_directions(struct loom_turns *turns, const struct loom_topo *t, struct piece first, struct piece second,
                           struct loom_err *err)
{
	struct direction from, to;
	char shown[SHOWN];
	if (t->kind->router != LOOM_ROUTER_ORDER)
		return loom_fail(err, LOOM_EINPUT, "%.80s has no directions: a line is three nodes, such as 0->1->2",
		                 t->name);
	const bool is_first = read_direction(&from, t, first);
	if (!is_first || !read_direction(&to, t, second)) {
		const struct piece *bad = is_first ? &second : &first;
		return loom_fail(err, LOOM_EINPUT, "\"%s\" is no direction of %.80s; such are %s",
		                 loom_text_quote(shown, sizeof shown, bad->at, bad->length), t->name,
		                 t->kind->complements_bits ? "+0 and -1, for dimensions 0 and 1" : "+x and -y");
	}
	if (from.d == to.d && from.minus != to.minus)
		return loom_fail(err, LOOM_EINPUT,
		                 "a message never goes straight back: forbid turns between dimensions");
	forbid_everywhere(turns, t, from, to);
	return 0;
}

// --- Turns at three nodes --------------------------------------------------------------------------------------------

// Forbids the turn at `at` from all links that come from one node to all links that lead to another.
static bool forbid_between(struct loom_turns *turns, const struct loom_topo *t, uint32_t before, uint32_t at,
                           uint32_t behind)
{
	const uint32_t per_tile = loom_topo_channels_per_tile(t);
	bool any = false;
	for (unsigned q = 0; q < turns->n_links; q++)
		for (unsigned p = 0; p < turns->n_links; p++) {
			const uint32_t channel = turns->from[at * turns->n_links + q];
			uint32_t v;
			unsigned back;
			if (channel == LOOM_TURNS_NONE || channel / per_tile != before ||
			    !t->kind->link(t, at, p, &v, &back) || v != behind)
				continue;
			loom_turns_forbid(turns, at, q, p, true);
			any = true;
		}
	return any;
}

static const char *find_arrow(const char *at, const char *end)
{
	while (at + 1 < end && !(at[0] == '-' && at[1] == '>'))
		at++;
	return at + 1 < end ? at : end;
}

static int take_nodes(struct loom_turns *turns, const struct loom_topo *t, struct piece word, struct loom_err *err)
{
	const char *end = word.at + word.length, *at = word.at;
	uint32_t node[3];
	char shown[SHOWN];
	for (unsigned k = 0; k < 3; k++) {
		const char *arrow = k < 2 ? find_arrow(at, end) : end;
		const struct piece name = {at, (size_t)(arrow - at)};
		if (k < 2 && arrow == end)
			return loom_fail(err, LOOM_EINPUT, "\"%s\": " WANTED,
			                 loom_text_quote(shown, sizeof shown, word.at, word.length));
		if (!loom_named_node(&node[k], t, name.at, name.length))
			return loom_fail(err, LOOM_EINPUT, "\"%s\" is no node of %.80s",
			                 loom_text_quote(shown, sizeof shown, name.at, name.length), t->name);
		at = arrow + 2;
	}
	if (!forbid_between(turns, t, node[0], node[1], node[2]))
		return loom_fail(err, LOOM_EINPUT, "\"%s\": %.80s has no such two links one after the other",
		                 loom_text_quote(shown, sizeof shown, word.at, word.length), t->name);
	if (node[0] == node[2])
		return loom_fail(err, LOOM_EINPUT, "\"%s\": a message never goes straight back",
		                 loom_text_quote(shown, sizeof shown, word.at, word.length));
	return 0;
}

// --- Lines -----------------------------------------------------------------------------------------------------------

static int take_line(struct loom_turns *turns, const struct loom_topo *t, struct piece line, struct loom_err *err)
{
	char shown[SHOWN];
	const struct piece whole = line, first = next_word(&line), second = next_word(&line), third = next_word(&line);
	if (first.length == 0)
		return 0;
	if (third.length == 0 && second.length == 0)
		return take_nodes(turns, t, first, err);
	if (third.length == 0)
		return take_directions(turns, t, first, second, err);
	return loom_fail(err, LOOM_EINPUT, "\"%s\": " WANTED,
	                 loom_text_quote(shown, sizeof shown, whole.at, whole.length));
}

int loom_turns_parse(struct loom_turns *out, const struct loom_topo *t, const char *text, size_t n_bytes,
                     const char *where, struct loom_err *err)
{
	struct loom_turns turns;
	int rc = loom_turns_init(&turns, t, err);
	if (rc != 0)
		return rc;
	uint32_t number = 1;
	for (size_t at = 0; rc == 0 && at < n_bytes; number++) {
		const char *end = memchr(text + at, '\n', n_bytes - at);
		const size_t of_line = end ? (size_t)(end - text) - at : n_bytes - at;
		const char *comment = memchr(text + at, '#', of_line);
		const struct piece line = {text + at, comment ? (size_t)(comment - text) - at : of_line};
		struct loom_err why = {0};
		char file[91];
		rc = take_line(&turns, t, line, &why);
		if (rc != 0)
			rc = loom_fail(err, rc, "%s: line %" PRIu32 ": %.300s",
			               loom_text_where(file, sizeof file, where), number, why.text);
		at += of_line + 1;
	}
	if (rc == 0)
		*out = turns;
	else
		loom_turns_free(&turns);
	return rc;
}

int loom_turns_read(struct loom_turns *out, const struct loom_topo *t, const char *path, struct loom_err *err)
{
	char *text = NULL;
	size_t length = 0;
	int rc = loom_file_read(&text, &length, path, BYTES_MAX, err);
	if (rc == 0)
		rc = loom_turns_parse(out, t, text, length, path, err);
	free(text);
	return rc;
}
