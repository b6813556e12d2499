// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the failures of a network from a user's text. Over 400 lines because names, nodes, shares and files form one
// grammar.
#include <flitloom/routes/failures.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/routes/graph.h>

#include "base/file.h"
#include "base/rng.h"
#include "base/text.h"
#include "topo/graph.h"
#include "topo/named_node.h"
#include "topo/topo_ocs.h"

#define BYTES_MAX ((size_t)1 << 24)
#define RANDOM "random:"
#define NOTHING "none"

// The failures of a request so far.
struct reading {
	const struct loom_topo *topo;
	bool *link, *node; // owned: by channel, at the number of a link; by node
	bool any;
	uint64_t in_cycle; // the same for all; 0 if none was given
};

// A part of the text.
struct piece {
	const char *at;
	size_t length;
};

#define SHOWN 60
static const char *show(char out[SHOWN], struct piece p)
{
	return loom_text_quote(out, SHOWN, p.at, p.length);
}

static struct piece trimmed(struct piece p)
{
	while (p.length && strchr(" \t\r", p.at[p.length - 1]))
		p.length--;
	while (p.length && strchr(" \t", *p.at))
		p = (struct piece){p.at + 1, p.length - 1};
	return p;
}

static bool is_text(struct piece p, const char *text)
{
	return strlen(text) == p.length && memcmp(text, p.at, p.length) == 0;
}

static bool find_node(uint32_t *out, const struct loom_topo *t, struct piece name)
{
	return loom_named_node(out, t, name.at, name.length);
}

static int fail_node(const struct loom_topo *t, struct piece name, struct loom_err *err)
{
	char shown[SHOWN];
	struct loom_graph_facts graph;
	if (name.length && name.at[name.length - 1] == '-')
		return loom_fail(
			err, LOOM_EINPUT,
			"\"%s\" is no node of %.100s; a shell takes > for itself: quote links, \"0->1\", or write "
			"0--1",
			show(shown, name), t->name);
	if (loom_topo_graph_facts(&graph, t))
		return loom_fail(err, LOOM_EINPUT, "\"%s\" is no node of %.100s, whose nodes have names: %s is one",
		                 show(shown, name), t->name, graph.wires->name[0]);
	return loom_fail(err, LOOM_EINPUT,
	                 "\"%s\" is no node of %.100s, which has nodes 0 to %" PRIu32
	                 "; a link is 0->1, and random:5%%:1 takes 5%% of them",
	                 show(shown, name), t->name, t->n_nodes - 1);
}

// Returns the number of a link: the lower number of its channels.
static uint32_t number_of(const struct loom_topo *t, uint32_t u, unsigned p)
{
	const uint32_t per_tile = loom_topo_channels_per_tile(t);
	uint32_t v, w, there = u * per_tile + p;
	unsigned q, back;
	if (!t->kind->link(t, u, p, &v, &q) || !t->kind->link(t, v, q, &w, &back))
		return there;
	const uint32_t other = v * per_tile + q;
	return other < there ? other : there;
}

static int fail_link(const struct loom_topo *t, uint32_t u, struct piece item, struct loom_err *err)
{
	char shown[SHOWN], others[160] = "";
	size_t used = 0;
	for (unsigned p = 0; p < loom_topo_links(t) && used + 60 < sizeof others; p++) {
		char name[48];
		uint32_t v;
		unsigned q;
		if (!t->kind->link(t, u, p, &v, &q))
			continue;
		loom_topo_channel_name(t, u * loom_topo_channels_per_tile(t) + p, name);
		used += (size_t)snprintf(others + used, sizeof others - used, "%s%s", used ? ", " : "", name);
	}
	return loom_fail(err, LOOM_EINPUT, "there is no link \"%s\" in %.100s; there is: %s", show(shown, item),
	                 t->name, used ? others : "none that leaves that node");
}

static int fail_twice(struct piece item, struct loom_err *err)
{
	char shown[SHOWN];
	return loom_fail(err, LOOM_EINPUT,
	                 "\"%s\" is there twice: a link fails with both of its directions, so name it once",
	                 show(shown, item));
}

// Takes FROM->TO, or FROM->TO (LINK). arrow: the place of "->".
static int take_link(struct reading *r, struct piece item, size_t arrow, struct loom_err *err)
{
	const struct loom_topo *t = r->topo;
	struct piece from = trimmed((struct piece){item.at, arrow}),
		     to = trimmed((struct piece){item.at + arrow + 2, item.length - arrow - 2}), which = {NULL, 0};
	uint32_t u, v, n_found = 0, n_side_by_side = 0;
	uint64_t place = 0; // the number of a link among parallel ones, as in channel names: a->b #2
	for (size_t k = 0; to.length && to.at[to.length - 1] == ')' && k < to.length; k++)
		if (to.at[k] == '(') {
			which = (struct piece){to.at + k + 1, to.length - k - 2};
			to = trimmed((struct piece){to.at, k});
		}
	if (!find_node(&u, t, from))
		return fail_node(t, from, err);
	for (size_t k = to.length; !find_node(&v, t, to) && k-- > 0;)
		if (to.at[k] == '#' && loom_text_number(&place, to.at + k + 1, to.length - k - 1))
			to = trimmed((struct piece){to.at, k});
	if (!find_node(&v, t, to))
		return fail_node(t, to, err);
	for (unsigned p = 0; p < loom_topo_links(t); p++) {
		char name[16];
		uint32_t w;
		unsigned q;
		if (!t->kind->link(t, u, p, &w, &q) || w != v)
			continue;
		t->kind->link_name(t, p, name);
		if ((which.at && !is_text(which, name)) || (++n_side_by_side != place && place != 0))
			continue;
		if (r->link[number_of(t, u, p)] && n_found == 0)
			return fail_twice(item, err);
		r->link[number_of(t, u, p)] = true;
		n_found++;
	}
	return n_found ? 0 : fail_link(t, u, item, err);
}

static int take_node(struct reading *r, struct piece item, struct loom_err *err)
{
	static const char word[] = "node ";
	const size_t length = strlen(word);
	uint32_t u;
	struct piece name = item;
	if (item.length > length && memcmp(item.at, word, length) == 0)
		name = trimmed((struct piece){item.at + length, item.length - length});
	if (!find_node(&u, r->topo, item) && !find_node(&u, r->topo, name))
		return fail_node(r->topo, name, err);
	if (r->node[u]) {
		char shown[SHOWN];
		return loom_fail(err, LOOM_EINPUT, "node \"%s\" is there twice; name it once", show(shown, name));
	}
	r->node[u] = true;
	return 0;
}

// --- Random failures -------------------------------------------------------------------------------------------------

static int take_random(struct reading *r, double part, uint64_t seed, struct loom_err *err)
{
	const struct loom_topo *t = r->topo;
	const uint32_t per_tile = loom_topo_channels_per_tile(t), n_all = t->n_nodes * loom_topo_links(t);
	uint32_t *link = malloc(((size_t)n_all + 1) * sizeof *link), n = 0, n_wanted;
	struct loom_rng rng;
	if (!link)
		return loom_fail(err, LOOM_ENOMEM, "no memory for the links of %.100s", t->name);
	for (uint32_t u = 0; u < t->n_nodes; u++)
		for (unsigned p = 0; p < loom_topo_links(t); p++) {
			uint32_t v;
			unsigned q;
			if (t->kind->link(t, u, p, &v, &q) && number_of(t, u, p) == u * per_tile + p)
				link[n++] = u * per_tile + p;
		}
	n_wanted = (uint32_t)lround(part * n);
	n_wanted = n_wanted == 0 && part > 0 && n > 0 ? 1 : n_wanted;
	loom_rng_init(&rng, seed);
	for (uint32_t i = 0; i < n_wanted; i++) {
		const uint32_t k = i + (uint32_t)loom_rng_below(&rng, n - i), chosen = link[k];
		link[k] = link[i];
		r->link[chosen] = true;
	}
	free(link);
	return 0;
}

static int read_random(struct reading *r, struct piece item, struct loom_err *err)
{
	char shown[SHOWN];
	struct piece rest = {item.at + strlen(RANDOM), item.length - strlen(RANDOM)};
	const char *colon = memchr(rest.at, ':', rest.length);
	const size_t first = colon ? (size_t)(colon - rest.at) : rest.length;
	double percent = 0;
	uint64_t seed = 0;
	const bool good = first > 1 && rest.at[first - 1] == '%' && loom_text_real(&percent, rest.at, first - 1) &&
	                  colon && loom_text_number(&seed, colon + 1, rest.length - first - 1) && seed < UINT64_MAX &&
	                  percent > 0 && percent <= 100;
	if (!good)
		return loom_fail(
			err, LOOM_EINPUT,
			"\"%s\": random:P%%:SEED takes P percent of the links, above 0 and at most 100; such as "
			"random:5%%:1",
			show(shown, item));
	return take_random(r, percent / 100, seed, err);
}

// --- Items and files -------------------------------------------------------------------------------------------------

static size_t find_arrow(struct piece item)
{
	for (size_t k = 0; k + 1 < item.length; k++)
		if (item.at[k] == '-' && (item.at[k + 1] == '>' || item.at[k + 1] == '-'))
			return k;
	return item.length;
}

// Takes "@CYCLE" from the end of an item. All items must have the same cycle.
static int split_cycle(struct reading *r, struct piece *item, struct loom_err *err)
{
	char shown[SHOWN];
	uint64_t cycle = 0;
	const struct piece whole = *item;
	for (size_t k = item->length; k-- > 0;)
		if (item->at[k] == '@') {
			if (!loom_text_number(&cycle, item->at + k + 1, item->length - k - 1) || cycle == 0 ||
			    cycle > UINT32_MAX)
				return loom_fail(
					err, LOOM_EINPUT,
					"\"%s\": behind the @ comes the cycle from which on it fails, 1 or more; "
					"such as 0->1@100",
					show(shown, whole));
			*item = trimmed((struct piece){item->at, k});
			break;
		}
	if (r->any && cycle != r->in_cycle)
		return loom_fail(err, LOOM_EINPUT,
		                 "\"%s\": all that fails does so in the same cycle, or was out before; give each the "
		                 "same @CYCLE, or none",
		                 show(shown, whole));
	r->any = true;
	r->in_cycle = cycle;
	return 0;
}

static int take_item(struct reading *r, struct piece item, struct loom_err *err)
{
	item = trimmed(item);
	int rc = item.length ? split_cycle(r, &item, err)
	                     : loom_fail(err, LOOM_EINPUT,
	                                 "a name is missing between two commas; a link is 0->1, a node 5");
	if (rc != 0)
		return rc;
	if (item.length >= strlen(RANDOM) && memcmp(item.at, RANDOM, strlen(RANDOM)) == 0)
		return read_random(r, item, err);
	const size_t arrow = find_arrow(item);
	return arrow < item.length ? take_link(r, item, arrow, err) : take_node(r, item, err);
}

static int take_list(struct reading *r, const char *list, struct loom_err *err)
{
	int rc = 0;
	for (const char *at = list; rc == 0; at++) {
		const size_t length = strcspn(at, ",");
		rc = take_item(r, (struct piece){at, length}, err);
		at += length;
		if (*at == '\0')
			break;
	}
	return rc;
}

static int take_lines(struct reading *r, const char *text, size_t length, const char *file, struct loom_err *err)
{
	int rc = 0;
	uint32_t number = 1;
	for (size_t at = 0; rc == 0 && at < length; number++) {
		const char *end = memchr(text + at, '\n', length - at);
		const size_t of_line = end ? (size_t)(end - text) - at : length - at;
		const char *comment = memchr(text + at, '#', of_line);
		struct piece item = {text + at, comment ? (size_t)(comment - text) - at : of_line};
		struct loom_err why = {0};
		char where[91];
		if (trimmed(item).length)
			rc = take_item(r, item, &why);
		if (rc != 0)
			rc = loom_fail(err, rc, "%s: line %" PRIu32 ": %.300s",
			               loom_text_where(where, sizeof where, file), number, why.text);
		at += of_line + 1;
	}
	return rc;
}

static int take_file(struct reading *r, const char *file, struct loom_err *err)
{
	char *text = NULL, where[91];
	size_t length = 0;
	int rc = loom_file_read(&text, &length, file, BYTES_MAX, err);
	if (rc != 0)
		return rc;
	rc = take_lines(r, text, length, file, err);
	free(text);
	if (rc == 0 && !r->any)
		rc = loom_fail(err, LOOM_EINPUT,
		               "%s: nothing that failed is in it; a line is a link, 0->1, or a node, 5",
		               loom_text_where(where, sizeof where, file));
	return rc;
}

static bool is_file(const struct loom_topo *t, const char *text)
{
	const struct piece whole = {text, strlen(text)};
	uint32_t node;
	return find_arrow(whole) == whole.length && strpbrk(text, "./") && strncmp(text, RANDOM, strlen(RANDOM)) != 0 &&
	       !find_node(&node, t, whole);
}

// --- All items -------------------------------------------------------------------------------------------------------

static int begin(struct reading *r, const struct loom_topo *topo, struct loom_err *err)
{
	*r = (struct reading){.topo = topo};
	if (loom_topo_links(topo) == 0)
		return loom_fail(err, LOOM_EINPUT,
		                 "%.100s: its links lead through %s, one way for each pair of nodes, so none can "
		                 "fail; those of direct networks can, such as mesh:4x4",
		                 topo->name, loom_topo_has_circuits(topo) ? "circuit switches" : "stages");
	if (topo->n_nodes > LOOM_FAILURES_NODES_MAX)
		return loom_fail(err, LOOM_EINPUT,
		                 "%.100s has %" PRIu32 " nodes; there are routes round what failed for up to %d",
		                 topo->name, topo->n_nodes, LOOM_FAILURES_NODES_MAX);
	r->link = calloc(loom_topo_channels(topo), sizeof *r->link);
	r->node = calloc(topo->n_nodes, sizeof *r->node);
	return r->link && r->node ? 0 : loom_fail(err, LOOM_ENOMEM, "no memory for the links of %.100s", topo->name);
}

static bool list(uint32_t **out, size_t *n_out, const bool *has, uint32_t n)
{
	*out = malloc(((size_t)n + 1) * sizeof **out);
	for (uint32_t i = 0; *out && i < n; i++)
		if (has[i])
			(*out)[(*n_out)++] = i;
	return *out != NULL;
}

// Hands over the failures, unless an error came up.
static int finish(struct loom_failures *out, struct reading *r, const char *text, int rc, struct loom_err *err)
{
	struct loom_failures f = {.in_cycle = r->in_cycle};
	if (rc == 0) {
		f.text = strdup(text);
		const bool good = f.text && list(&f.link, &f.n_links, r->link, loom_topo_channels(r->topo)) &&
		                  list(&f.node, &f.n_nodes, r->node, r->topo->n_nodes);
		rc = good ? 0 : loom_fail(err, LOOM_ENOMEM, "no memory for the links of %.100s", r->topo->name);
	}
	free(r->link);
	free(r->node);
	if (rc == 0)
		*out = f;
	else
		loom_failures_free(&f);
	return rc;
}

int loom_failures_parse(struct loom_failures *out, const struct loom_topo *topo, const char *text, struct loom_err *err)
{
	struct reading r;
	int rc = begin(&r, topo, err);
	if (rc == 0)
		rc = strcmp(text, NOTHING) == 0 ? 0
		     : text[0] == '@'           ? take_file(&r, text + 1, err)
		     : is_file(topo, text)      ? take_file(&r, text, err)
		                                : take_list(&r, text, err);
	return finish(out, &r, text, rc, err);
}

int loom_failures_random(struct loom_failures *out, const struct loom_topo *topo, double part, uint64_t seed,
                         struct loom_err *err)
{
	struct reading r;
	char text[80];
	int rc = begin(&r, topo, err);
	if (rc == 0 && !(part >= 0 && part <= 1))
		rc = loom_fail(err, LOOM_EINPUT, "a part of %g of the links: 0 to 1", part);
	if (rc == 0)
		rc = take_random(&r, part, seed, err);
	(void)snprintf(text, sizeof text, RANDOM "%.10g%%:%" PRIu64, 100 * part, seed);
	return finish(out, &r, text, rc, err);
}
