// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// flitloom check FABRIC --rule west-first: reports whether messages can lock if routers choose their ways.
#include <inttypes.h>
#include <string.h>

#include <flitloom/routes/rule_freedom.h>
#include <flitloom/routes/table_file.h>

#include "cli.h"
#include "cli_html.h"

#define ROWS_MOST 16 // of a circle in the table; the JSON has all
#define VIA_MOST 6   // nodes of a row there

struct rule_findings {
	const struct cli_request *request;
	struct loom_topo topo;
	unsigned rule;
	struct loom_turns turns;
	bool is_best;            // these turns were searched for
	uint64_t turns_at_least; // then no fewer can be forbidden
	struct loom_rule_freedom freedom;
};

static int search(struct rule_findings *f, const struct cli_request *request, struct loom_err *err)
{
	int rc = cli_fabric_parse(&f->topo, request, request->words[0], err);
	f->rule = request->rule;
	if (rc == 0 && f->rule == LOOM_RULE_TURNS && !request->turns)
		return loom_fail(err, LOOM_EINPUT,
		                 "--rule: turns of which file? " CLI_TURNS "FILE, or " CLI_TURNS "best");
	f->is_best = request->turns && strcmp(request->turns, CLI_TURNS "best") == 0;
	if (rc == 0 && request->turns)
		rc = cli_fabric_turns(&f->turns, &f->turns_at_least, &f->topo, request->turns, request, err);
	if (rc == 0)
		rc = loom_rule_freedom_find(&f->freedom, &f->topo, f->rule, request->turns ? &f->turns : NULL, err);
	return rc;
}

// Returns the highest number of a lane.
static uint32_t highest_number(const struct rule_findings *f)
{
	uint32_t highest = 0;
	for (size_t i = 0; f->freedom.number && i < (size_t)loom_topo_channels(&f->topo) * f->topo.n_vcs; i++)
		if (f->freedom.number[i] != LOOM_RULE_NO_NUMBER && f->freedom.number[i] > highest)
			highest = f->freedom.number[i];
	return highest;
}

static const char *waited_for(const struct rule_findings *f)
{
	return f->rule == LOOM_RULE_DUATO ? "escape lanes" : "lanes";
}

static void print_wait(FILE *out, const struct rule_findings *f, const struct loom_rule_wait *w)
{
	char name[48], node[LOOM_TABLE_NODE];
	loom_topo_channel_name(&f->topo, w->channel, name);
	if (f->topo.n_vcs > 1) {
		const size_t used = strlen(name);
		(void)snprintf(name + used, sizeof name - used, " virtual %u", w->vc);
	}
	loom_table_node(node, &f->topo, w->source);
	(void)fprintf(out, "  %-24s held by a message from %s", name, node);
	loom_table_node(node, &f->topo, w->destination);
	(void)fprintf(out, " to %s", node);
	for (size_t k = 0; k < w->n_via && k < VIA_MOST; k++) {
		loom_table_node(node, &f->topo, w->via[k]);
		(void)fprintf(out, "%s %s", k ? "," : " that goes on to", node);
	}
	(void)fputs(w->n_via > VIA_MOST ? ", ...\n" : "\n", out);
}

static void print_circle(FILE *out, const struct rule_findings *f)
{
	const struct loom_rule_freedom *freedom = &f->freedom;
	const size_t n_rows = freedom->n_waits > ROWS_MOST ? ROWS_MOST - 1 : freedom->n_waits;
	(void)fprintf(out, "\n%s: each lane held by a message that waits for the next one\n", loom_rule_name(f->rule));
	for (size_t k = 0; k < n_rows; k++)
		print_wait(out, f, &freedom->wait[k]);
	if (n_rows < freedom->n_waits)
		(void)fprintf(out, "  and %zu more\n", freedom->n_waits - n_rows);
}

static void print_facts(FILE *out, const struct rule_findings *f)
{
	const struct loom_rule_freedom *freedom = &f->freedom;
	if (f->rule == LOOM_RULE_TURNS)
		(void)fprintf(out, "\nturns %14" PRIu64 "  of %" PRIu64 " nobody takes", f->turns.n_forbidden,
		              f->turns.n_turns);
	if (f->is_best)
		(void)fprintf(out, "; at least %" PRIu64 " have to go", f->turns_at_least);
	(void)fputc('\n', out);
	if (!loom_rule_has_via(f->rule))
		(void)fprintf(out,
		              "ways         %7.4f  of the shortest ones are left, the mean over all pairs of nodes\n",
		              freedom->adaptiveness);
	(void)fprintf(out, "longest      %7" PRIu32 "  links; ", freedom->most_hops);
	if (freedom->most_detour == 0)
		(void)fputs("all ways are shortest ones, so no message goes round for ever\n", out);
	else
		(void)fprintf(out, "at most %" PRIu32 " more than a shortest way, and each link leads nearer%s\n",
		              freedom->most_detour, loom_rule_has_via(f->rule) ? " to one end" : "");
	if (freedom->is_free)
		(void)fprintf(out,
		              "numbers 0 to %4" PRIu32 "  of %s, rising from each to those that its holders wait for\n",
		              highest_number(f), waited_for(f));
}

static void print_table(FILE *out, const struct rule_findings *f)
{
	const struct loom_rule_freedom *freedom = &f->freedom;
	char here[LOOM_TABLE_NODE], to[LOOM_TABLE_NODE], size[48];
	loom_topo_size_text(size, &f->topo);
	(void)fprintf(out, "%s  %s  all messages from everywhere to everywhere, %s\n", f->topo.name, size,
	              loom_rule_has_via(f->rule) ? "whatever is drawn" : "as routers choose");
	cli_fabric_put_links(out, &f->topo, false);
	(void)fprintf(out, "\n%-20s circle of %s\n%-20s ", "rule", waited_for(f), loom_rule_name(f->rule));
	loom_table_node(here, &f->topo, freedom->here);
	loom_table_node(to, &f->topo, freedom->destination);
	if (freedom->has_gap)
		(void)fprintf(out, "not looked for: at %s a message to %s has no way on\n", here, to);
	else if (freedom->goes_round)
		(void)fprintf(out, "not looked for: a message to %s can come back to %s for ever\n", to, here);
	else if (freedom->n_waits)
		(void)fprintf(out, "%zu: messages can lock\n", freedom->n_waits);
	else
		(void)fputs("none: no deadlock is possible\n", out);
	if (freedom->has_gap || freedom->goes_round)
		return;
	if (freedom->n_waits)
		print_circle(out, f);
	print_facts(out, f);
}

static void print_circle_json(FILE *out, const struct rule_findings *f)
{
	(void)fputs("\"circle\":[", out);
	for (size_t i = 0; i < f->freedom.n_waits; i++) {
		const struct loom_rule_wait *w = &f->freedom.wait[i];
		char name[48];
		loom_topo_channel_name(&f->topo, w->channel, name);
		(void)fprintf(out,
		              "%s{\"channel\":\"%s\",\"virtual\":%u,\"source\":%" PRIu32 ",\"destination\":%" PRIu32
		              ",\"via\":[",
		              i ? "," : "", name, w->vc, w->source, w->destination);
		for (size_t k = 0; k < w->n_via; k++)
			(void)fprintf(out, "%s%" PRIu32, k ? "," : "", w->via[k]);
		(void)fputs("]}", out);
	}
	(void)fputc(']', out);
}

static void print_turns_json(FILE *out, const struct rule_findings *f)
{
	const uint32_t per_tile = loom_topo_channels_per_tile(&f->topo);
	const char *comma = "";
	(void)fprintf(out, ",\"turns\":{\"all\":%" PRIu64 ",", f->turns.n_turns);
	if (f->is_best)
		(void)fprintf(out, "\"at_least\":%" PRIu64 ",", f->turns_at_least);
	(void)fputs("\"forbidden\":[", out);
	for (uint32_t u = 0; u < f->turns.n_nodes; u++)
		for (unsigned q = 0; q < f->turns.n_links; q++)
			for (unsigned p = 0; p < f->turns.n_links; p++) {
				const uint32_t from = f->turns.from[u * f->turns.n_links + q];
				uint32_t v;
				unsigned back;
				if (p == q || from == LOOM_TURNS_NONE ||
				    !(f->turns.forbidden[u * f->turns.n_links + q] >> p & 1) ||
				    !f->topo.kind->link(&f->topo, u, p, &v, &back))
					continue;
				(void)fprintf(out, "%s[%" PRIu32 ",%" PRIu32 ",%" PRIu32 "]", comma, from / per_tile, u,
				              v);
				comma = ",";
			}
	(void)fputs("]}", out);
}

static int print_json(FILE *out, const struct rule_findings *f, struct loom_err *err)
{
	const struct loom_rule_freedom *freedom = &f->freedom;
	const bool is_measured = !freedom->has_gap && !freedom->goes_round;
	(void)fputc('{', out);
	int rc = cli_put_asked(out, f->request, err);
	if (rc != 0)
		return rc;
	(void)fprintf(out,
	              ",\"fabric\":\"%s\",\"nodes\":%" PRIu32
	              ",\"deadlock_free\":%s,\"rule\":\"%s\",\"lanes\":%u,\"escapes\":%u,",
	              f->topo.name, f->topo.n_nodes, freedom->is_free ? "true" : "false", loom_rule_name(f->rule),
	              f->topo.n_vcs, f->rule == LOOM_RULE_DUATO ? loom_duato_escapes(&f->topo) : 0);
	if (is_measured)
		(void)fprintf(out, "\"longest\":%" PRIu32 ",\"detour\":%" PRIu32 ",", freedom->most_hops,
		              freedom->most_detour);
	if (is_measured && loom_rule_has_via(f->rule))
		(void)fputs("\"adaptiveness\":null,\"stuck\":null,", out);
	else if (is_measured)
		(void)fprintf(out, "\"adaptiveness\":%.6f,\"stuck\":null,", freedom->adaptiveness);
	else
		(void)fprintf(out,
		              "\"longest\":null,\"detour\":null,\"adaptiveness\":null,\"stuck\":{\"here\":%" PRIu32
		              ",\"destination\":%" PRIu32 ",\"goes_round\":%s},",
		              freedom->here, freedom->destination, freedom->goes_round ? "true" : "false");
	if (freedom->is_free)
		(void)fprintf(out, "\"highest_number\":%" PRIu32 ",", highest_number(f));
	else
		(void)fputs("\"highest_number\":null,", out);
	print_circle_json(out, f);
	if (f->rule == LOOM_RULE_TURNS)
		print_turns_json(out, f);
	cli_fabric_put_links(out, &f->topo, true);
	(void)fputs("}\n", out);
	return 0;
}

static int print(FILE *out, const void *user, bool json, struct loom_err *err)
{
	const struct rule_findings *f = user;
	if (json)
		return print_json(out, f, err);
	print_table(out, f);
	return 0;
}

int cli_check_rule(const struct cli_request *request, struct loom_err *err)
{
	struct rule_findings f = {.request = request};
	int rc = search(&f, request, err);
	if (rc == 0 && request->certificate)
		rc = loom_rule_certify(&f.freedom, &f.topo, f.rule, request->turns ? &f.turns : NULL,
		                       request->certificate, err);
	if (rc == 0)
		rc = cli_tell_network(request, &f.topo, print, &f, err);
	if (rc == 0 && !f.freedom.is_free)
		rc = CLI_DIFFERS;
	loom_rule_freedom_free(&f.freedom);
	loom_turns_free(&f.turns);
	loom_topo_free(&f.topo);
	return rc;
}
