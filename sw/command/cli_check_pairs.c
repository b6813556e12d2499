// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// flitloom check FABRIC --all-pairs: finds the routes of all pairs of nodes that load the links least, for some numbers
// of lanes of each link.
#include <inttypes.h>

#include <flitloom/routes/certificate.h>
#include <flitloom/routes/pair_routes.h>

#include "cli_html.h"
#include "cli_terminal.h"

#define LANES_TRIED 4 // if --lanes is not given
#define ENOUGH 1.3    // times the bound: with this load a number of lanes is good enough to be recommended

// The routes found for one number of lanes.
struct pairs_row {
	uint32_t n_lanes;
	struct loom_pair_facts facts;
};

struct pairs_findings {
	const struct cli_request *request;
	struct loom_topo topo;
	struct loom_pair_routes best; // for the recommended row
	struct pairs_row row[LANES_TRIED];
	uint32_t n_rows, lower_bound, recommended; // index of a row
	bool by_destination;
};

static bool is_stopped(void *user)
{
	(void)user;
	return cli_interrupted();
}

static void tell(void *user, uint32_t largest_load)
{
	char text[64];
	(void)snprintf(text, sizeof text, "%" PRIu32 " pairs on the busiest link", largest_load);
	cli_progress_text(user, text);
}

static bool is_enough(const struct pairs_row *row, uint32_t lower_bound)
{
	return row->facts.largest_load <= ENOUGH * lower_bound;
}

// More lanes can do what fewer do: if the search did worse with more lanes, they get the previous routes.
static void take_over(struct pairs_findings *f, struct pairs_row *row)
{
	const struct pairs_row *before = row - 1;
	if (f->n_rows && before->facts.largest_load < row->facts.largest_load)
		row->facts = before->facts;
}

// True if the last row replaces the recommended one, because that is not good enough and this one is better.
static bool is_better(const struct pairs_findings *f)
{
	const struct pairs_row *row = &f->row[f->n_rows - 1], *present = &f->row[f->recommended];
	return !is_enough(present, f->lower_bound) && row->facts.largest_load < present->facts.largest_load;
}

static int add_row(struct pairs_findings *f, uint32_t n_lanes, const struct cli_request *request,
                   struct cli_progress *progress, struct loom_err *err)
{
	const struct loom_pair_options options = {.n_lanes = n_lanes,
	                                          .seed = request->seed,
	                                          .budget_seconds = request->budget_seconds,
	                                          .by_destination = request->by_destination,
	                                          .stopped = is_stopped,
	                                          .progress = tell,
	                                          .user = progress};
	struct loom_pair_routes routes;
	struct pairs_row *row = &f->row[f->n_rows];
	int rc = loom_pair_routes_search(&routes, &f->topo, &options, err);
	if (rc == 0)
		rc = loom_pair_routes_check(&routes, &f->topo, err);
	if (rc == 0)
		rc = loom_pair_routes_facts(&row->facts, &routes, &f->topo, err);
	row->n_lanes = n_lanes;
	if (rc != 0)
		return rc;
	take_over(f, row);
	f->n_rows++;
	if (f->n_rows == 1 || is_better(f)) {
		const struct loom_pair_routes worse = f->best;
		f->best = routes;
		routes = worse;
		f->recommended = f->n_rows - 1;
	}
	loom_pair_routes_free(&routes);
	return 0;
}

static int search(struct pairs_findings *f, const struct cli_request *request, struct loom_err *err)
{
	struct cli_progress progress;
	int rc = cli_fabric_parse(&f->topo, request, request->words[0], err);
	if (rc == 0)
		rc = loom_pair_bound(&f->lower_bound, &f->topo, err);
	if (rc != 0)
		return rc;
	const uint32_t first = request->n_lanes ? request->n_lanes : 1, last = request->n_lanes ? first : LANES_TRIED;
	cli_progress_init(&progress, request);
	cli_interrupt_begin();
	for (uint32_t n_lanes = first; rc == 0 && n_lanes <= last; n_lanes++) {
		rc = add_row(f, n_lanes, request, &progress, err);
		if (rc == LOOM_EINPUT && n_lanes < last) // with few lanes there may be no routes if links lead one way
			rc = 0;
		if (cli_interrupted() && f->n_rows)
			break;
	}
	cli_interrupt_end();
	cli_progress_end(&progress);
	return rc;
}

static void print_table(FILE *out, const struct pairs_findings *f)
{
	char size[48];
	loom_topo_size_text(size, &f->topo);
	(void)fprintf(out, "%s  %s  a route for each pair of nodes, %son one lane from end to end\n", f->topo.name,
	              size, f->by_destination ? "by destination, " : "");
	cli_fabric_put_links(out, &f->topo, false);
	(void)fputc('\n', out);
	(void)fprintf(out, "lanes  largest load  of the bound  mean hops  longest\n");
	for (uint32_t i = 0; i < f->n_rows; i++) {
		const struct loom_pair_facts *facts = &f->row[i].facts;
		(void)fprintf(out, "%5" PRIu32 "%c %13" PRIu32 "  %12.2f  %9.3f  %7" PRIu32 "\n", f->row[i].n_lanes,
		              i == f->recommended && f->n_rows > 1 ? '*' : ' ', facts->largest_load,
		              f->lower_bound ? (double)facts->largest_load / f->lower_bound : 1.0, facts->mean_hops,
		              facts->most_hops);
	}
	const struct loom_pair_facts *facts = &f->row[f->recommended].facts;
	(void)fprintf(out, "\nlower bound %8" PRIu32 "  pairs on the busiest link, whatever the routes and lanes\n",
	              f->lower_bound);
	(void)fprintf(out, "shortest routes       %22.3f  %7" PRIu32 "\n", facts->mean_least, facts->most_least);
	if (f->n_rows > 1)
		(void)fprintf(out, "*  the fewest lanes that come within %.1f of the bound, or the best there is\n",
		              ENOUGH);
	(void)fputs("circle of channels    none: no deadlock is possible\n", out);
}

static int print_json(FILE *out, const struct pairs_findings *f, struct loom_err *err)
{
	const struct pairs_row *best = &f->row[f->recommended];
	char channel[48] = "";
	(void)fputc('{', out);
	int rc = cli_put_asked(out, f->request, err);
	if (rc != 0)
		return rc;
	if (best->facts.largest_load)
		loom_topo_channel_name(&f->topo, best->facts.busiest_channel, channel);
	(void)fprintf(out,
	              ",\"fabric\":\"%s\",\"nodes\":%" PRIu32 ",\"deadlock_free\":true,\"lanes\":%" PRIu32
	              ",\"largest_load\":%" PRIu32 ",\"busiest_channel\":\"%s\",\"lower_bound\":%" PRIu32
	              ",\"hops\":{\"mean\":%.6f,\"most\":%" PRIu32 ",\"mean_shortest\":%.6f,\"most_shortest\":%" PRIu32
	              "},\"rows\":[",
	              f->topo.name, f->topo.n_nodes, best->n_lanes, best->facts.largest_load, channel, f->lower_bound,
	              best->facts.mean_hops, best->facts.most_hops, best->facts.mean_least, best->facts.most_least);
	for (uint32_t i = 0; i < f->n_rows; i++)
		(void)fprintf(out,
		              "%s{\"lanes\":%" PRIu32 ",\"largest_load\":%" PRIu32
		              ",\"mean_hops\":%.6f,\"most_hops\":%" PRIu32 "}",
		              i ? "," : "", f->row[i].n_lanes, f->row[i].facts.largest_load, f->row[i].facts.mean_hops,
		              f->row[i].facts.most_hops);
	(void)fprintf(out, "]%s", f->by_destination ? ",\"by_destination\":true" : "");
	cli_fabric_put_links(out, &f->topo, true);
	(void)fputs("}\n", out);
	return 0;
}

static int print(FILE *out, const void *user, bool json, struct loom_err *err)
{
	const struct pairs_findings *f = user;
	if (json)
		return print_json(out, f, err);
	print_table(out, f);
	return 0;
}

int cli_check_pairs(const struct cli_request *request, struct loom_err *err)
{
	struct pairs_findings f = {.request = request, .by_destination = request->by_destination};
	if (cli_given(request, CLI_RULE) || request->tables)
		return loom_fail(err, LOOM_EINPUT, "--all-pairs chooses the routes: it does not go with --%s",
		                 request->tables ? "tables" : "rule");
	int rc = search(&f, request, err);
	if (rc == 0 && request->certificate)
		rc = loom_pair_routes_certify(&f.best, &f.topo, request->certificate, err);
	if (rc == 0)
		rc = cli_tell_network(request, &f.topo, print, &f, err);
	loom_pair_routes_free(&f.best);
	loom_topo_free(&f.topo);
	return rc;
}
