// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// flitloom check FABRIC --tables FILE: reports the errors of the user's own tables, or what the tables do.
#include <inttypes.h>

#include <flitloom/routes/table_file.h>

#include "cli_html.h"

#define ROWS_MOST 20 // of faults, and of a circle, in the table; the JSON has more

struct tables_findings {
	const struct cli_request *request;
	struct loom_topo topo;
	struct loom_table_file own;
	struct loom_table_faults faults;
	// For tables without faults:
	struct loom_route_tables tables;
	struct loom_table_ways ways;
	struct loom_lane_circle circle;
};

static bool is_good(const struct tables_findings *f)
{
	return f->faults.n_all == 0 && f->circle.n == 0;
}

static int search(struct tables_findings *f, const struct cli_request *request, struct loom_err *err)
{
	int rc = cli_fabric_parse(&f->topo, request, request->words[0], err);
	if (rc == 0)
		rc = loom_table_file_read(&f->own, &f->topo, request->tables, err);
	if (rc == 0)
		rc = loom_table_file_check(&f->faults, &f->own, &f->topo, err);
	if (rc != 0 || f->faults.n_all)
		return rc;
	rc = loom_route_tables_of_file(&f->tables, &f->own, &f->topo, err);
	if (rc == 0)
		rc = loom_table_ways_count(&f->ways, &f->tables, &f->topo, err);
	if (rc == 0)
		rc = loom_table_ways_circle(&f->circle, &f->tables, &f->topo, err);
	return rc;
}

static void print_faults(FILE *out, const struct loom_table_faults *faults, const struct loom_topo *topo)
{
	char node[LOOM_TABLE_NODE];
	for (size_t i = 0; i < faults->n && i < ROWS_MOST; i++) {
		const struct loom_table_fault *fault = &faults->fault[i];
		loom_table_node(node, topo, fault->node);
		(void)fprintf(out, "node %s, network %" PRIu32 ", label %" PRIu32 ": %s\n", node, fault->network,
		              fault->label, fault->what);
	}
	if (faults->n_all > ROWS_MOST)
		(void)fprintf(out, "and %zu more\n", faults->n_all - ROWS_MOST);
}

static void print_circle(FILE *out, const struct tables_findings *f)
{
	const struct loom_lane_circle *circle = &f->circle;
	(void)fprintf(out, "\nEach channel held by a message that asks for the next one:\n");
	for (size_t i = 0; i < circle->n && i < ROWS_MOST; i++) {
		char name[48], lane[24] = "";
		loom_topo_channel_name(&f->topo, circle->at[i].channel, name);
		if (f->topo.n_vcs > 1)
			(void)snprintf(lane, sizeof lane, "lane %" PRIu32 ", ", circle->at[i].lane);
		(void)fprintf(out, "  %-24s %sheld by a message with label %" PRIu32 "\n", name, lane,
		              circle->at[i].message);
	}
	if (circle->n > ROWS_MOST)
		(void)fprintf(out, "  and %zu more\n", circle->n - ROWS_MOST);
	(void)fputs("\nrun and plan refuse messages that make a circle.\n", out);
}

static void print_table(FILE *out, const struct tables_findings *f)
{
	const struct loom_table_ways *ways = &f->ways;
	uint64_t n = f->topo.n_nodes;
	(void)fprintf(out, "%s  %" PRIu64 " nodes  tables of %zu entries\n", f->topo.name, n, f->own.n);
	cli_fabric_put_links(out, &f->topo, false);
	(void)fputc('\n', out);
	if (f->faults.n_all) {
		print_faults(out, &f->faults, &f->topo);
		return;
	}
	(void)fprintf(out, "labels               %" PRIu32 ", and there is room for %" PRIu32 "\n", ways->n_labels,
	              f->topo.n_vcs << f->topo.label_bits);
	(void)fprintf(out, "pairs reached        %" PRIu64 " of %" PRIu64 "\n", ways->n_pairs, n * (n - 1));
	(void)fprintf(out, "longest way          %" PRIu32 " link%s\n", ways->longest, ways->longest == 1 ? "" : "s");
	if (ways->most) {
		char name[48];
		loom_topo_channel_name(&f->topo, ways->most_channel, name);
		(void)fprintf(out, "busiest channel      %s, %" PRIu64 " of the ways\n", name, ways->most);
	}
	if (f->circle.n == 0) {
		(void)fputs("circle of channels   none: no deadlock is possible\n", out);
		return;
	}
	(void)fprintf(out, "circle of channels   %zu: messages by these tables can lock\n", f->circle.n);
	print_circle(out, f);
}

static int print_json(FILE *out, const struct tables_findings *f, struct loom_err *err)
{
	bool has_faults = f->faults.n_all != 0;
	(void)fputc('{', out);
	int rc = cli_put_asked(out, f->request, err);
	if (rc != 0)
		return rc;
	(void)fprintf(out,
	              ",\"fabric\":\"%s\",\"nodes\":%" PRIu32 ",\"entries\":%zu,\"faults_in_all\":%zu,\"faults\":[",
	              f->topo.name, f->topo.n_nodes, f->own.n, f->faults.n_all);
	for (size_t i = 0; i < f->faults.n; i++) {
		const struct loom_table_fault *fault = &f->faults.fault[i];
		(void)fprintf(out,
		              "%s{\"node\":%" PRIu32 ",\"network\":%" PRIu32 ",\"label\":%" PRIu32 ",\"what\":\"%s\"}",
		              i ? "," : "", fault->node, fault->network, fault->label, fault->what);
	}
	(void)fprintf(out, "],\"labels_room\":%" PRIu32, f->topo.n_vcs << f->topo.label_bits);
	cli_fabric_put_links(out, &f->topo, true);
	(void)fputc(',', out);
	if (has_faults) {
		(void)fprintf(
			out, "%s\n",
			"\"labels\":null,\"pairs\":null,\"longest\":null,\"most_ways\":null,\"deadlock_free\":null,"
			"\"circle\":[]}");
		return 0;
	}
	(void)fprintf(out,
	              "\"labels\":%" PRIu32 ",\"pairs\":%" PRIu64 ",\"longest\":%" PRIu32 ",\"most_ways\":%" PRIu64
	              ",\"deadlock_free\":%s,\"circle\":[",
	              f->ways.n_labels, f->ways.n_pairs, f->ways.longest, f->ways.most, f->circle.n ? "false" : "true");
	for (size_t i = 0; i < f->circle.n; i++) {
		const struct loom_lane *at = &f->circle.at[i];
		char name[48];
		loom_topo_channel_name(&f->topo, at->channel, name);
		(void)fprintf(out, "%s{\"channel\":\"%s\",\"virtual\":%" PRIu32 ",\"label\":%" PRIu32 "}", i ? "," : "",
		              name, at->lane, at->message);
	}
	(void)fputs("]}\n", out);
	return 0;
}

static int print(FILE *out, const void *user, bool json, struct loom_err *err)
{
	const struct tables_findings *f = user;
	if (json)
		return print_json(out, f, err);
	print_table(out, f);
	return 0;
}

int cli_check_tables(const struct cli_request *request, struct loom_err *err)
{
	struct tables_findings f = {.request = request};
	if (cli_given(request, CLI_RULE))
		return loom_fail(err, LOOM_EINPUT, "--rule and --tables: messages go by the tables");
	int rc = search(&f, request, err);
	if (rc == 0)
		rc = cli_tell_network(request, &f.topo, print, &f, err);
	if (rc == 0 && !is_good(&f))
		rc = CLI_DIFFERS;
	loom_topo_free(&f.topo);
	loom_table_file_free(&f.own);
	loom_table_faults_free(&f.faults);
	loom_route_tables_free(&f.tables);
	loom_lane_circle_free(&f.circle);
	return rc;
}
