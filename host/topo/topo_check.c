// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "topo/topo_check.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <flitloom/routes/failures.h>

#include "base/rng.h"
#include "topo/graph.h"
#include "topo/grid.h"
#include "topo/topo_cube.h"
#include "topo/topo_direct.h"

#define NODES_CHECKED 65536 // the most nodes of a fabric that is checked
#define NODES_WALKED 64     // nodes up to which all ways are followed
#define LINKS_WALKED 16384  // links that are followed on larger ones, about

static int wrong(const struct loom_topo_kind *kind, struct loom_err *err, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
static int wrong(const struct loom_topo_kind *kind, struct loom_err *err, const char *format, ...)
{
	char text[300];
	va_list arguments;
	va_start(arguments, format);
	(void)vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	return loom_fail(err, LOOM_EINTERNAL, "mistake in kind %.31s: %s", kind->name, text);
}

// --- The kind's row --------------------------------------------------------------------------------------------------

static const char *what_is_missing(const struct loom_topo_kind *k)
{
	const bool direct = k->link || k->next || k->link_name;
	const struct {
		bool there;
		const char *name;
	} needed[] = {
		{k->sizes, "sizes"},
		{k->size_is, "size_is"},
		{k->help, "help"},
		{k->is_in_file || k->make ? k->parse != NULL : k->read_size != NULL,
	         k->is_in_file || k->make ? "parse" : "read_size"},
		{k->parse || k->write_size, "write_size"},
		{k->parse || k->size_near, "size_near"},
		{k->code, "code"},
		{k->dims_of_coordinate, "dims_of_coordinate"},
		{!direct || k->link, "link"},
		{!direct || k->next, "next"},
		{!direct || k->link_name, "link_name"},
		{!direct || k->router != LOOM_ROUTER_STAGES, "router; LOOM_ROUTER_TABLE takes any next"},
		{direct || k->route_next, "link, next and link_name, nor a route_next"},
		{!direct || k->one_way, "one_way"},
		{k->rule_of, "rule_of"},
		{k->bound, "bound"},
		{k->route_next, "route_next"},
		{k->groups, "groups"},
		{k->group_of, "group_of"},
		{k->group_name, "group_name"},
		{k->channel_name, "channel_name"},
	};
	for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++)
		if (!needed[i].there)
			return needed[i].name;
	return NULL;
}

int loom_topo_check_kind(const struct loom_topo_kind *kind, struct loom_err *err)
{
	const struct loom_topo_kind *other;
	const char *missing = what_is_missing(kind);
	if (missing)
		return wrong(kind, err, "it has no %s", missing);
	// Routes can be chosen on the links of a grid or a cube. On a list of links a search finds them.
	if (kind->spare_label_bits && !kind->parse && kind->link != loom_grid_link && kind->link != loom_cube_link)
		return wrong(kind, err,
		             "spare_label_bits %u, and its link is neither loom_grid_link nor loom_cube_link; "
		             "leave it 0",
		             kind->spare_label_bits);
	for (size_t i = 0; (other = loom_topo_kind_at(i)); i++) {
		if (other == kind)
			continue;
		if (other->code == kind->code && !(kind->code == LOOM_GRAPH_CODE && other->parse && kind->parse))
			return wrong(kind, err, "its code, %" PRIu32 ", is that of %s; take one that is free",
			             kind->code, other->name);
		if (strcmp(other->name, kind->name) == 0)
			return wrong(kind, err, "two kinds have this name");
	}
	return 0;
}

// --- The shape -----------------------------------------------------------------------------------------------------

static int check_extents(const struct loom_topo *t, struct loom_err *err)
{
	uint64_t product = 1;
	if (t->n_dims < 1 || t->n_dims > LOOM_DIMS_MAX)
		return wrong(t->kind, err, "read_size gives n_dims %u; 1 to %d are possible", t->n_dims, LOOM_DIMS_MAX);
	for (unsigned d = 0; d < t->n_dims; d++) {
		product *= t->extent[d];
		if (product == 0 || product > LOOM_NODES_MAX)
			break;
	}
	if (product != t->n_nodes)
		return wrong(t->kind, err,
		             "read_size gives n_nodes %" PRIu32 ", and the product of its %u extents is %" PRIu64
		             "%s; they must be the same",
		             t->n_nodes, t->n_dims, product, product > LOOM_NODES_MAX ? " or more" : "");
	return 0;
}

// Checks that routers by dimension order have the links of a grid or of a cube.
static int check_order(const struct loom_topo *t, struct loom_err *err)
{
	unsigned links = t->n_dims * (t->kind->complements_bits ? 1 : 2);
	if (t->ports != links + 1)
		return wrong(t->kind, err,
		             "read_size gives ports %u, and LOOM_ROUTER_ORDER needs %u in %u dimensions; "
		             "LOOM_ROUTER_TABLE takes any",
		             t->ports, links + 1, t->n_dims);
	if (t->kind->complements_bits && t->kind->wraps)
		return wrong(t->kind, err, "wraps, and complements_bits, whose dimensions are no rings");
	for (unsigned d = 0; t->kind->complements_bits && d < t->n_dims; d++)
		if (t->extent[d] != 2)
			return wrong(t->kind, err, "complements_bits, and extent[%u] is %" PRIu32 ", not 2", d,
			             t->extent[d]);
	return 0;
}

int loom_topo_check_shape(const struct loom_topo *t, struct loom_err *err)
{
	const unsigned direct = t->kind->link != NULL;
	if (t->n_nodes < 2 || t->n_nodes > LOOM_NODES_MAX)
		return wrong(t->kind, err, "read_size gives n_nodes %" PRIu32 "; 2 to %d are possible", t->n_nodes,
		             LOOM_NODES_MAX);
	if (direct ? t->n_tiles != t->n_nodes : t->n_tiles < 1 || t->n_tiles > LOOM_NODES_MAX)
		return wrong(t->kind, err, "read_size gives n_nodes %" PRIu32 " and n_tiles %" PRIu32 "; %s",
		             t->n_nodes, t->n_tiles,
		             direct ? "a direct network has a tile per node" : "there must be tiles");
	if (t->ports < 1 + direct || t->ports > LOOM_LINKS_MAX + 1)
		return wrong(t->kind, err,
		             "read_size gives ports %u; %u to %d are possible, of a direct network one more than links",
		             t->ports, 1 + direct, LOOM_LINKS_MAX + 1);
	int rc = check_extents(t, err);
	return rc == 0 && t->kind->router == LOOM_ROUTER_ORDER ? check_order(t, err) : rc;
}

// --- Links ---------------------------------------------------------------------------------------------------------

static int check_names(const struct loom_topo *t, struct loom_err *err)
{
	char name[LOOM_LINKS_MAX][16];
	for (unsigned p = 0; p + 1 < t->ports; p++) {
		t->kind->link_name(t, p, name[p]);
		for (unsigned i = 0; i < p; i++)
			if (strcmp(name[i], name[p]) == 0)
				return wrong(t->kind, err, "links %u and %u are both called \"%s\"", i, p, name[p]);
	}
	return 0;
}

static int check_link(const struct loom_topo *t, uint32_t u, unsigned p, struct loom_err *err)
{
	const unsigned links = t->ports - 1;
	uint32_t v = UINT32_MAX, back = UINT32_MAX;
	unsigned q = UINT32_MAX, from = UINT32_MAX;
	if (!t->kind->link(t, u, p, &v, &q))
		return 0;
	if (v >= t->n_nodes)
		return wrong(t->kind, err,
		             "link %u of node %" PRIu32 " leads to node %" PRIu32 "; there are nodes 0 to %" PRIu32, p,
		             u, v, t->n_nodes - 1);
	if (q >= links)
		return wrong(t->kind, err,
		             "link %u of node %" PRIu32 " leads to node %" PRIu32
		             " and back by its link %u; there are links 0 to %u",
		             p, u, v, q, links - 1);
	if (!t->kind->link(t, v, q, &back, &from) && !t->kind->one_way(t, v, q, &back, &from))
		return wrong(t->kind, err,
		             "link %u of node %" PRIu32 " leads to node %" PRIu32
		             " and back by its link %u, which does not exist",
		             p, u, v, q);
	if (back != u || from != p)
		return wrong(t->kind, err,
		             "link %u of node %" PRIu32 " leads to node %" PRIu32
		             " and back by its link %u, but that one leads to node %" PRIu32 " and back by link %u",
		             p, u, v, q, back, from);
	return 0;
}

static int check_links(const struct loom_topo *t, struct loom_err *err)
{
	const bool all = t->n_nodes <= NODES_CHECKED;
	struct loom_rng rng;
	int rc = 0;
	loom_rng_init(&rng, 1);
	for (uint32_t i = 0; rc == 0 && i < (all ? t->n_nodes : NODES_CHECKED); i++) {
		uint32_t u = all ? i : (uint32_t)loom_rng_below(&rng, t->n_nodes);
		for (unsigned p = 0; rc == 0 && p + 1 < t->ports; p++)
			rc = check_link(t, u, p, err);
	}
	return rc;
}

// --- Ways ----------------------------------------------------------------------------------------------------------

static unsigned next_by_order(const struct loom_topo *t, uint32_t here, uint32_t destination, enum loom_rule rule)
{
	uint32_t differ = here ^ destination;
	if (!t->kind->complements_bits)
		return loom_grid_next(t, here, destination, rule);
	return (unsigned)(!(rule & LOOM_RULE_DESCENDING) ? __builtin_ctz(differ) : 31 - __builtin_clz(differ));
}

static int take_step(uint32_t *v, const struct loom_topo *t, uint32_t here, uint32_t destination, enum loom_rule rule,
                     struct loom_err *err)
{
	unsigned p = t->kind->next(t, here, destination, rule), q;
	*v = here;
	if (p + 1 >= t->ports || !t->kind->link(t, here, p, v, &q))
		return wrong(t->kind, err,
		             "next says that a message to node %" PRIu32 " leaves node %" PRIu32
		             " by link %u, and it has no such link",
		             destination, here, p);
	if (*v >= t->n_nodes) // a node that check_links has not visited
		return wrong(t->kind, err,
		             "link %u of node %" PRIu32 " leads to node %" PRIu32 "; there are nodes 0 to %" PRIu32, p,
		             here, *v, t->n_nodes - 1);
	unsigned order = t->kind->router == LOOM_ROUTER_ORDER ? next_by_order(t, here, destination, rule) : p;
	if (p != order)
		return wrong(
			t->kind, err,
			"next says that a message to node %" PRIu32 " leaves node %" PRIu32
			" by link %u, and its routers (LOOM_ROUTER_ORDER) take link %u; LOOM_ROUTER_TABLE follows next",
			destination, here, p, order);
	return 0;
}

static int check_way(uint64_t *n_links, const struct loom_topo *t, uint32_t source, uint32_t destination,
                     enum loom_rule rule, struct loom_err *err)
{
	uint32_t at = source;
	int rc = 0;
	for (uint32_t n = 0; rc == 0 && at != destination; n++, ++*n_links) {
		if (n == t->n_nodes)
			return wrong(t->kind, err,
			             "by next a message from node %" PRIu32 " to node %" PRIu32
			             " never arrives: after %" PRIu32 " links it is at node %" PRIu32,
			             source, destination, n, at);
		rc = take_step(&at, t, at, destination, rule, err);
	}
	return rc;
}

static int check_by_all_rules(uint64_t *n_links, const struct loom_topo *t, uint32_t source, uint32_t destination,
                              struct loom_err *err)
{
	int rc = 0;
	if (!loom_topo_takes_part(t, source) || !loom_topo_takes_part(t, destination))
		return 0;
	for (unsigned rule = 0; rc == 0 && rule < loom_topo_rules_count(t); rule++)
		rc = check_way(n_links, t, source, destination, (enum loom_rule)rule, err);
	return rc;
}

static int check_ways(const struct loom_topo *t, struct loom_err *err)
{
	uint64_t n_links = 0;
	uint32_t n = t->n_nodes;
	struct loom_rng rng;
	int rc = 0;
	for (uint32_t i = 0; rc == 0 && n <= NODES_WALKED && i < n * n; i++)
		rc = check_by_all_rules(&n_links, t, i % n, i / n, err);
	loom_rng_init(&rng, 1);
	for (uint32_t i = 0; rc == 0 && n > NODES_WALKED && n_links < LINKS_WALKED && i < LINKS_WALKED; i++) {
		uint32_t source = (uint32_t)loom_rng_below(&rng, n), destination = (uint32_t)loom_rng_below(&rng, n);
		rc = check_by_all_rules(&n_links, t, source, destination, err);
	}
	return rc;
}

// Checks that read_size accepts the size in the fabric's own name. A chip reports only its extents. The host makes a
// name from them, and reads that.
static int check_size(const struct loom_topo *t, struct loom_err *err)
{
	const char *size = strchr(t->name, ':') + 1;
	struct loom_topo same = {.kind = t->kind};
	if (t->kind->parse)
		return 0;
	if (t->kind->read_size(&same, size, NULL) != 0 || same.n_nodes != t->n_nodes || same.n_dims != t->n_dims ||
	    memcmp(same.extent, t->extent, sizeof same.extent) != 0)
		return wrong(t->kind, err, "of its own extents it makes the size \"%s\", and read_size reads another",
		             size);
	return 0;
}

int loom_topo_check_network(const struct loom_topo *t, struct loom_err *err)
{
	int rc = check_size(t, err);
	if (rc != 0 || loom_topo_links(t) == 0)
		return rc;
	rc = check_names(t, err);
	if (rc == 0)
		rc = check_links(t, err);
	return rc == 0 ? check_ways(t, err) : rc;
}
