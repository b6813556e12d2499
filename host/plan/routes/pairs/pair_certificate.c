// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Routes of all pairs as a file that somebody else can check: tools/check_certificate.py has the format.
#include <flitloom/routes/pair_routes.h>

#include <inttypes.h>
#include <stdlib.h>

#include <flitloom/routes/table_file.h>

#include "base/file.h"
#include "plan/routes/pairs/pair_net.h"

struct certificate {
	const struct loom_pair_routes *routes;
	const struct loom_topo *topo;
	struct loom_pair_net net;
	uint32_t *link_of; // owned: of each channel that is a link
	uint32_t *load;    // owned: [link * n_lanes + lane]
};

static void put_nodes(FILE *stream, const struct certificate *c)
{
	(void)fputs("\"nodes\":[", stream);
	for (uint32_t v = 0; v < c->net.n_nodes; v++) {
		char name[LOOM_TABLE_NODE];
		loom_table_node(name, c->topo, v);
		(void)fprintf(stream, "%s\"%s\"", v ? "," : "", name); // no name has a quotation mark or a backslash
	}
	(void)fputs("],\n\"links\":[", stream);
	for (uint32_t a = 0; a < c->net.n_links; a++)
		(void)fprintf(stream, "%s[%" PRIu32 ",%" PRIu32 "]", a ? "," : "", c->net.tail[a], c->net.head[a]);
	(void)fputs("],\n", stream);
}

// A list for each link, of a figure for each lane.
static void put_lanes(FILE *stream, const struct certificate *c, const char *name, bool is_load)
{
	const uint32_t n_lanes = c->routes->n_lanes;
	(void)fprintf(stream, "\"%s\":[", name);
	for (uint32_t a = 0; a < c->net.n_links; a++) {
		const uint32_t *figure = is_load ? c->load + (size_t)a * n_lanes
		                                 : c->routes->number + (size_t)c->net.channel[a] * n_lanes;
		for (uint32_t lane = 0; lane < n_lanes; lane++)
			(void)fprintf(stream, "%s%" PRIu32, lane ? "," : a ? ",[" : "[", figure[lane]);
		(void)fputc(']', stream);
	}
	(void)fputs("],\n", stream);
}

static int put_certificate(FILE *stream, const void *user)
{
	const struct certificate *c = user;
	const struct loom_pair_routes *r = c->routes;
	const size_t n = r->n_nodes;
	const char *comma = "";
	(void)fprintf(stream, "{\"fabric\":\"%s\",\"lanes\":%" PRIu32 ",\n", c->topo->name, r->n_lanes);
	if (c->net.n_hosts < c->net.n_nodes)
		(void)fprintf(stream, "\"hosts\":%" PRIu32 ",\n", c->net.n_hosts);
	put_nodes(stream, c);
	put_lanes(stream, c, "numbers", false);
	put_lanes(stream, c, "loads", true);
	(void)fputs("\"routes\":[", stream);
	for (size_t i = 0; i < n * n; i++) {
		if (!loom_pair_is_wanted(&c->net, i))
			continue;
		(void)fprintf(stream, "%s\n[%zu,%zu,%u,[", comma, i / n, i % n, r->lane[i]);
		for (size_t k = r->routes.first[i]; k < r->routes.first[i + 1]; k++)
			(void)fprintf(stream, "%s%" PRIu32, k > r->routes.first[i] ? "," : "",
			              c->link_of[r->routes.channel[k]]);
		(void)fputs("]]", stream);
		comma = ",";
	}
	(void)fputs("]}\n", stream);
	return 0;
}

static int count_loads(struct certificate *c, struct loom_err *err)
{
	const struct loom_pair_routes *r = c->routes;
	const size_t n = r->n_nodes;
	c->link_of = calloc((size_t)loom_topo_channels(c->topo) + 1, sizeof *c->link_of);
	c->load = calloc((size_t)c->net.n_links * r->n_lanes + 1, sizeof *c->load);
	if (!c->link_of || !c->load)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for the loads of %" PRIu32 " links", c->net.n_links);
	for (uint32_t a = 0; a < c->net.n_links; a++)
		c->link_of[c->net.channel[a]] = a;
	for (size_t i = 0; i < n * n; i++)
		for (size_t k = r->routes.first[i]; k < r->routes.first[i + 1]; k++)
			c->load[(size_t)c->link_of[r->routes.channel[k]] * r->n_lanes + r->lane[i]]++;
	return 0;
}

int loom_pair_routes_certify(const struct loom_pair_routes *routes, const struct loom_topo *topo, const char *path,
                             struct loom_err *err)
{
	struct certificate c = {.routes = routes, .topo = topo};
	int rc = loom_pair_net_make(&c.net, topo, err);
	if (rc != 0)
		return rc;
	rc = count_loads(&c, err);
	if (rc == 0)
		rc = loom_file_write(path, put_certificate, &c, err);
	loom_pair_net_free(&c.net);
	free(c.link_of);
	free(c.load);
	return rc;
}
