// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads fabrics from names, makes, copies and frees them, and answers questions about them. Over 400 lines because it
// holds all functions of a fabric, which are a few lines each and call its kind.
#include <flitloom/topo.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/numbers.h"
#include "base/suggest.h"
#include "topo/graph.h"
#include "topo/topo_check.h"
#include "topo/topo_direct.h"
#include "topo/topo_kinds.h"
#include "topo/topo_ocs.h"
#include "topo/topo_suffix.h"
#include "topo/turn_sets.h"

static const char *kind_name_at(size_t i)
{
	const struct loom_topo_kind *kind = loom_topo_kind_at(i);
	return kind ? kind->name : NULL;
}

static bool is_fabric(const char *text)
{
	struct loom_topo t = {0};
	int rc = loom_topo_parse(&t, text, NULL);
	loom_topo_free(&t);
	return rc == 0;
}

// Finds the fabric for a name without a colon, such as mesh4x4 or meash-4x4, or for the name of a graph's file.
static bool find_colon(char name[LOOM_TOPO_NAME], const char *text)
{
	char word[32];
	const size_t n = strcspn(text, "0123456789"), n_word = n > 0 && strchr("-_=/ ", text[n - 1]) ? n - 1 : n;
	if (strchr(text, ':') || strlen(text) >= LOOM_TOPO_NAME - sizeof word)
		return false;
	(void)snprintf(word, sizeof word, "%.*s", (int)n_word, text);
	const char *kind = text[n] ? loom_suggest(word, kind_name_at) : NULL;
	struct stat st;
	if (!kind && (stat(text, &st) != 0 || !S_ISREG(st.st_mode)))
		return false; // a pipe, on which a read would wait
	(void)snprintf(name, LOOM_TOPO_NAME, "%s:%s", kind ? kind : "graph", kind ? text + n : text);
	return is_fabric(name);
}

static int fail_unknown_kind(const char *text, const char *word, struct loom_err *err)
{
	char hint[330], name[LOOM_TOPO_NAME];
	if (find_colon(name, text))
		(void)snprintf(hint, sizeof hint, "did you mean \"%.200s\"?", name);
	else
		loom_suggest_hint(hint, sizeof hint, word, kind_name_at);
	return loom_fail(err, LOOM_EINPUT, "fabric \"%.60s\": unknown kind \"%.31s\"; %s", text, word, hint);
}

static const struct loom_topo_kind *kind_called(const char *name, size_t length)
{
	const struct loom_topo_kind *kind;
	for (size_t i = 0; (kind = loom_topo_kind_at(i)); i++)
		if (strlen(kind->name) == length && memcmp(kind->name, name, length) == 0)
			return kind;
	return NULL;
}

#define TABLE_BITS 12 // bits of an address in the window of a route table: rule and label

unsigned loom_topo_label_bits(const struct loom_topo *t)
{
	unsigned sum = 0;
	if (t->kind->router != LOOM_ROUTER_ORDER) {
		unsigned bits = loom_bits_for(t->n_nodes), with_spare = bits + t->kind->spare_label_bits,
			 most = TABLE_BITS - loom_bits_for(t->n_vcs);
		return bits > most ? bits : with_spare < most ? with_spare : most;
	}
	for (unsigned d = 0; d < t->n_dims; d++)
		sum += loom_bits_for(t->extent[d]);
	return sum;
}

#define USUAL_VCS 1

// Returns the most virtual channels of a link: two on an OTIS-Mesh (loom_otis_vc), a virtual network each if routers
// have tables, and by dimension order those of loom_grid_vc and loom_cube_vc.
static unsigned most_vcs(const struct loom_topo_kind *kind)
{
	switch (kind->router) {
	case LOOM_ROUTER_TABLE:
	case LOOM_ROUTER_ORDER: return LOOM_LANES_MAX;
	case LOOM_ROUTER_OTIS: return 2;
	default: return 1;
	}
}

static void write_name(struct loom_topo *t)
{
	char size[40];
	t->kind->write_size(t, size);
	(void)snprintf(t->name, sizeof t->name, "%s:%s", t->kind->name, size);
	if (t->n_vcs != USUAL_VCS) {
		size_t used = strlen(t->name);
		(void)snprintf(t->name + used, sizeof t->name - used, "v%u", t->n_vcs);
	}
	const struct loom_topo_suffix as_it_is = {0};
	(void)loom_topo_suffix_set(t, &as_it_is, NULL); // names with sizes leave room for it
}

int loom_topo_finish(struct loom_topo *t, struct loom_err *err)
{
	int rc = loom_topo_check_kind(t->kind, err);
	if (rc == 0)
		rc = loom_topo_check_shape(t, err);
	if (rc != 0)
		return rc;
	t->label_bits = loom_topo_label_bits(t);
	t->no_link = loom_topo_links(t) ? loom_direct_missing(t) : 0;
	return loom_topo_check_network(t, err);
}

int loom_topo_of_size(struct loom_topo *out, const struct loom_topo_kind *kind, const char *size, struct loom_err *err)
{
	struct loom_topo t = {.kind = kind, .n_vcs = USUAL_VCS, .buffers = LOOM_BUFFERS_USUAL};
	int rc = loom_topo_check_kind(kind, err);
	if (rc == 0)
		rc = kind->read_size(&t, size, err);
	if (rc == 0)
		rc = loom_topo_check_shape(&t, err);
	if (rc != 0)
		return rc;
	write_name(&t);
	if ((rc = loom_topo_finish(&t, err)) == 0)
		*out = t;
	return rc;
}

// Sets the lanes of a graph. Its routes depend on the lanes, so they are made again.
static int set_vcs_of_graph(struct loom_topo *t, unsigned n_vcs, struct loom_err *err)
{
	const char *colon = t->kind->is_in_file ? ":" : "";
	char name[LOOM_TOPO_NAME + 4];
	struct loom_topo with = {.kind = t->kind,
	                         .buffers = t->buffers,
	                         .link_delay = t->link_delay,
	                         .router_delay = t->router_delay,
	                         .flit_bits = t->flit_bits};
	struct loom_topo_suffix suffix;
	size_t length = loom_topo_suffix_split(&suffix, t->name) - (t->n_vcs > 1 ? strlen(colon) + strlen("v2") : 0);
	if (t->n_vcs == n_vcs)
		return 0;
	(void)snprintf(name, sizeof name, "%.*s", (int)length, t->name);
	if (n_vcs > 1)
		(void)snprintf(name + length, sizeof name - length, "%sv%u", colon, n_vcs % 10);
	int rc = loom_graph_fill(&with, name, &t->graph->wires, n_vcs, err);
	if (rc == 0)
		rc = loom_topo_finish(&with, err);
	if (rc == 0)
		rc = loom_topo_suffix_set(&with, &suffix, err);
	if (rc == 0) {
		loom_graph_free(t->graph);
		with.turns = t->turns;
		*t = with;
	} else {
		loom_graph_free(with.graph);
	}
	return rc;
}

int loom_topo_set_vcs(struct loom_topo *t, unsigned n_vcs, struct loom_err *err)
{
	unsigned most = most_vcs(t->kind);
	if (t->graph && t->graph->damage)
		return t->n_vcs == n_vcs ? 0 : t->graph->damage->set_vcs(t, n_vcs, err);
	if (t->graph)
		return set_vcs_of_graph(t, n_vcs, err);
	if (n_vcs < 1 || n_vcs > most)
		return loom_fail(err, LOOM_EINPUT, "%u virtual channels of each link; a %.31s has %s", n_vcs,
		                 t->kind->name,
		                 most > 2   ? "1 to 8 (v8)"
		                 : most > 1 ? "1, or 2 (v2)"
		                            : "1");
	t->n_vcs = n_vcs;
	t->label_bits = loom_topo_label_bits(t);
	write_name(t);
	return 0;
}

int loom_topo_set_light(struct loom_topo *t, uint32_t cycles, uint32_t ratio, struct loom_err *err)
{
	if (t->kind->router != LOOM_ROUTER_OTIS || cycles > LOOM_LIGHT_CYCLES_MAX || ratio < 1 ||
	    ratio > LOOM_LIGHT_RATIO_MAX)
		return loom_fail(err, LOOM_EINPUT,
		                 "light that is %" PRIu32 " cycles slower and takes %" PRIu32
		                 " cycles for a flit, on %.60s; an otis-mesh has 0 to %d and 1 to %d",
		                 cycles, ratio, t->name, LOOM_LIGHT_CYCLES_MAX, LOOM_LIGHT_RATIO_MAX);
	if ((t->link_delay > 0 || t->router_delay > 0) && (cycles > 0 || ratio > 1))
		return loom_fail(err, LOOM_EINPUT,
		                 "%.60s: light that is no wire does not go with slower links or routers", t->name);
	t->light_cycles = cycles;
	t->light_ratio = ratio;
	write_name(t);
	return 0;
}

// Takes "v2" from the end of a size. Leaves *n_vcs unchanged if there is no such end.
static void split_vcs(char *size, unsigned *n_vcs)
{
	char *v = strrchr(size, 'v');
	if (!v || v[1] < '0' || v[1] > '9' || v[2] != '\0')
		return;
	*n_vcs = (unsigned)(v[1] - '0');
	*v = '\0';
}

void loom_topo_copy(struct loom_topo *out, const struct loom_topo *t)
{
	*out = *t;
	if (t->graph)
		atomic_fetch_add(&t->graph->n_users, 1);
	if (t->turns)
		atomic_fetch_add(&t->turns->n_users, 1);
}

void loom_topo_free(struct loom_topo *t)
{
	if (!t)
		return;
	loom_graph_free(t->graph);
	loom_turn_sets_free(t->turns);
	*t = (struct loom_topo){0};
}

static int parse_whole(struct loom_topo *out, const struct loom_topo_kind *kind, const char *text, struct loom_err *err)
{
	struct loom_topo t = {.kind = kind, .buffers = LOOM_BUFFERS_USUAL};
	int rc = kind->parse(&t, text, err);
	if (rc == 0)
		rc = loom_topo_finish(&t, err);
	if (rc == 0)
		*out = t;
	else
		loom_topo_free(&t);
	return rc;
}

// Refuses names such as "omega:8v2", which ask for lanes on links that have one (most).
static int fail_lanes(const char *text, unsigned most, struct loom_err *err)
{
	const char *v = strrchr(text, 'v'), *colon = strchr(text, ':');
	char plain[64];
	if (!colon || !v || v < colon || v[1] <= '0' || v[1] > '9' || v[2] != '\0' || (unsigned)(v[1] - '0') <= most)
		return 0;
	(void)snprintf(plain, sizeof plain, "%.*s", (int)(v - text), text);
	if (!is_fabric(plain))
		return 0; // the size is wrong, too
	if (most == 1)
		return loom_fail(err, LOOM_EINPUT, "fabric \"%.60s\": links of %s have 1 lane: give %s, without v%s",
		                 text, plain, plain, v + 1);
	return 0;
}

// Reads a name without a suffix.
static int parse_network(struct loom_topo *out, const char *text, struct loom_err *err)
{
	const char *colon = strchr(text, ':');
	size_t length = colon ? (size_t)(colon - text) : strlen(text);
	char word[32];
	(void)snprintf(word, sizeof word, "%.*s", (int)(length < sizeof word ? length : sizeof word), text);
	const struct loom_topo_kind *kind = kind_called(text, length);
	if (!kind)
		return fail_unknown_kind(text, word, err);

	if (kind->parse)
		return parse_whole(out, kind, colon ? colon + 1 : "", err);
	if (fail_lanes(text, most_vcs(kind), err) != 0)
		return LOOM_EINPUT;
	struct loom_err why = {0};
	struct loom_topo t;
	char size[64];
	unsigned n_vcs = USUAL_VCS;
	bool splits = most_vcs(kind) > 1 && colon && strlen(colon + 1) < sizeof size;
	(void)snprintf(size, sizeof size, "%s", splits ? colon + 1 : "");
	if (splits)
		split_vcs(size, &n_vcs);
	int rc = loom_topo_of_size(&t, kind, splits ? size : colon ? colon + 1 : "", &why);
	if (rc == 0)
		rc = loom_topo_set_vcs(&t, n_vcs, &why);
	if (rc == 0)
		*out = t;
	return rc ? loom_fail(err, rc, "fabric \"%.60s\": %.300s", text, why.text) : 0;
}

int loom_topo_parse(struct loom_topo *out, const char *text, struct loom_err *err)
{
	struct loom_topo_suffix suffix;
	const size_t length = loom_topo_suffix_split(&suffix, text);
	char *network = strndup(text, length);
	struct loom_topo t = {0};
	int rc = network ? parse_network(&t, network, err)
	                 : loom_fail(err, LOOM_ENOMEM, "no memory for the name of a fabric");
	free(network);
	if (rc == 0)
		rc = loom_topo_suffix_set(&t, &suffix, err);
	if (rc == 0) {
		*out = t;
		return 0;
	}
	loom_topo_free(&t);
	char ordered[LOOM_TOPO_NAME];
	if (err && rc != LOOM_ENOMEM && loom_topo_suffix_order(ordered, text) && is_fabric(ordered))
		return loom_fail(err, rc,
		                 "fabric \"%.60s\": lanes, buffers, delays and flits stand in another order; did you "
		                 "mean \"%s\"?",
		                 text, ordered);
	return rc;
}

int loom_topo_near(struct loom_topo *out, const char *kind, uint32_t n_nodes, struct loom_err *err)
{
	char text[96], size[40];
	const struct loom_topo_kind *k = kind_called(kind, strlen(kind));
	if (!k)
		return fail_unknown_kind(kind, kind, err);
	if (k->parse)
		return loom_fail(err, LOOM_EINPUT, "a %s has no sizes to choose from: %s:%s", k->name, k->name,
		                 k->sizes);
	k->size_near(size, n_nodes);
	(void)snprintf(text, sizeof text, "%.32s:%s", kind, size);
	return loom_topo_parse(out, text, err);
}

int loom_topo_of_extents(struct loom_topo *out, const struct loom_topo_kind *kind, unsigned n_dims,
                         const uint32_t *extent, struct loom_err *err)
{
	if (kind->parse)
		return loom_fail(err, LOOM_EINPUT, "the extents of a %s do not determine which one it is", kind->name);
	struct loom_topo t = {.kind = kind,
	                      .n_dims = n_dims < LOOM_DIMS_MAX ? n_dims : LOOM_DIMS_MAX,
	                      .n_vcs = USUAL_VCS,
	                      .buffers = LOOM_BUFFERS_USUAL};
	memcpy(t.extent, extent, t.n_dims * sizeof t.extent[0]);
	write_name(&t);
	return loom_topo_parse(out, t.name, err);
}

uint32_t loom_topo_hosts(const struct loom_topo *t)
{
	if (loom_topo_has_circuits(t))
		return t->extent[0];
	return t->n_nodes - (t->graph ? t->graph->wires.n_switches : 0);
}

void loom_topo_size_text(char out[48], const struct loom_topo *t)
{
	const uint32_t hosts = loom_topo_hosts(t);
	const uint32_t switches = loom_topo_has_circuits(t) ? t->n_nodes / hosts : t->n_nodes - hosts;
	const int used = snprintf(out, 48, "%" PRIu32 " nodes", hosts);
	if (switches)
		(void)snprintf(out + used, 48 - (size_t)used, ", %" PRIu32 " switch%s", switches,
		               switches == 1 ? "" : "es");
}

unsigned loom_topo_shape(uint32_t extent[LOOM_DIMS_MAX], const struct loom_topo *t)
{
	if (t->graph && t->graph->damage)
		return loom_topo_shape(extent, &t->graph->damage->whole);
	unsigned n = 0, together = t->kind->dims_of_coordinate;
	if (t->graph && t->graph->wires.n_dims > 0) {
		memcpy(extent, t->graph->wires.extent, t->graph->wires.n_dims * sizeof *extent);
		return t->graph->wires.n_dims;
	}
	if (t->graph || loom_topo_has_circuits(t)) {
		extent[0] = loom_topo_hosts(t);
		return 1;
	}
	for (unsigned d = 0; d < t->n_dims; d++) {
		if (d % together == 0)
			extent[n++] = 1;
		extent[n - 1] *= t->extent[d];
	}
	return n;
}

void loom_topo_channel_name(const struct loom_topo *t, uint32_t channel, char out[48])
{
	t->kind->channel_name(t, channel, out);
}

unsigned loom_topo_groups(const struct loom_topo *t)
{
	return t->kind->groups(t);
}

unsigned loom_topo_group_of(const struct loom_topo *t, uint32_t channel)
{
	return t->kind->group_of(t, channel);
}

void loom_topo_group_name(const struct loom_topo *t, unsigned group, char out[16])
{
	t->kind->group_name(t, group, out);
}

int loom_topo_bound(uint32_t *out, const struct loom_topo *t, const uint32_t *source, const uint32_t *destination,
                    size_t n, struct loom_err *err)
{
	return t->kind->bound(out, t, source, destination, n, err);
}

uint32_t loom_topo_label(const struct loom_topo *t, uint32_t node)
{
	uint32_t label = 0;
	if (t->kind->router != LOOM_ROUTER_ORDER)
		return node;
	for (unsigned d = 0, low = 0; d < t->n_dims; low += loom_bits_for(t->extent[d]), d++) {
		label |= node % t->extent[d] << low;
		node /= t->extent[d];
	}
	return label;
}

bool loom_topo_node_of_label(uint32_t *out, const struct loom_topo *t, uint32_t label)
{
	uint32_t node = label, stride = 1;
	if (t->kind->router == LOOM_ROUTER_ORDER)
		node = 0;
	for (unsigned d = 0; t->kind->router == LOOM_ROUTER_ORDER && d < t->n_dims; d++) {
		unsigned bits = loom_bits_for(t->extent[d]);
		uint32_t coordinate = label & ((UINT32_C(1) << bits) - 1);
		if (coordinate >= t->extent[d])
			return false;
		node += coordinate * stride;
		stride *= t->extent[d];
		label >>= bits;
	}
	if (t->kind->router == LOOM_ROUTER_ORDER ? label != 0 : node >= t->n_nodes)
		return false;
	*out = node;
	return true;
}
