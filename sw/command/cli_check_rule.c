// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// flitloom check FABRIC --rule west-first: tells whether messages can lock if routers choose their ways.
#include <inttypes.h>
#include <string.h>

#include <flitloom/routes/rule_freedom.h>
#include <flitloom/routes/table_file.h>

#include "cli.h"

#define ROWS_MOST 16 // of a circle in the table; the JSON has all
#define VIA_MOST 6   // nodes of a row there

struct rule_findings {
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

static void print_wait(const struct rule_findings *f, const struct loom_rule_wait *w)
{
	char name[48], node[LOOM_TABLE_NODE];
	loom_topo_channel_name(&f->topo, w->channel, name);
	if (f->topo.n_vcs > 1) {
		const size_t used = strlen(name);
		(void)snprintf(name + used, sizeof name - used, " virtual %u", w->vc);
	}
	loom_table_node(node, &f->topo, w->source);
	(void)printf("  %-24s held by a message from %s", name, node);
	loom_table_node(node, &f->topo, w->destination);
	(void)printf(" to %s", node);
	for (size_t k = 0; k < w->n_via && k < VIA_MOST; k++) {
		loom_table_node(node, &f->topo, w->via[k]);
		(void)printf("%s %s", k ? "," : " that goes on to", node);
	}
	(void)puts(w->n_via > VIA_MOST ? ", ..." : "");
}

static void print_circle(const struct rule_findings *f)
{
	const struct loom_rule_freedom *freedom = &f->freedom;
	const size_t n_rows = freedom->n_waits > ROWS_MOST ? ROWS_MOST - 1 : freedom->n_waits;
	(void)printf("\n%s: each lane held by a message that waits for the next one\n", loom_rule_name(f->rule));
	for (size_t k = 0; k < n_rows; k++)
		print_wait(f, &freedom->wait[k]);
	if (n_rows < freedom->n_waits)
		(void)printf("  and %zu more\n", freedom->n_waits - n_rows);
}

static void print_facts(const struct rule_findings *f)
{
	const struct loom_rule_freedom *freedom = &f->freedom;
	if (f->rule == LOOM_RULE_TURNS)
		(void)printf("\nturns %14" PRIu64 "  of %" PRIu64 " nobody takes", f->turns.n_forbidden,
		             f->turns.n_turns);
	if (f->is_best)
		(void)printf("; at least %" PRIu64 " have to go", f->turns_at_least);
	(void)putchar('\n');
	if (!loom_rule_has_via(f->rule))
		(void)printf("ways         %7.4f  of the shortest ones are left, the mean over all pairs of nodes\n",
		             freedom->adaptiveness);
	(void)printf("longest      %7" PRIu32 "  links; ", freedom->most_hops);
	if (freedom->most_detour == 0)
		(void)puts("all ways are shortest ones, so no message goes round for ever");
	else
		(void)printf("at most %" PRIu32 " more than a shortest way, and each link leads nearer%s\n",
		             freedom->most_detour, loom_rule_has_via(f->rule) ? " to one end" : "");
	if (freedom->is_free)
		(void)printf("numbers 0 to %4" PRIu32 "  of %s, rising from each to those that its holders wait for\n",
		             highest_number(f), waited_for(f));
}

static void print_table(const struct rule_findings *f)
{
	const struct loom_rule_freedom *freedom = &f->freedom;
	char here[LOOM_TABLE_NODE], to[LOOM_TABLE_NODE], size[48];
	loom_topo_size_text(size, &f->topo);
	(void)printf("%s  %s  all messages from everywhere to everywhere, %s\n", f->topo.name, size,
	             loom_rule_has_via(f->rule) ? "whatever is drawn" : "as routers choose");
	cli_fabric_put_links(stdout, &f->topo, false);
	(void)printf("\n%-20s circle of %s\n%-20s ", "rule", waited_for(f), loom_rule_name(f->rule));
	loom_table_node(here, &f->topo, freedom->here);
	loom_table_node(to, &f->topo, freedom->destination);
	if (freedom->has_gap)
		(void)printf("not looked for: at %s a message to %s has no way on\n", here, to);
	else if (freedom->goes_round)
		(void)printf("not looked for: a message to %s can come back to %s for ever\n", to, here);
	else if (freedom->n_waits)
		(void)printf("%zu: messages can lock\n", freedom->n_waits);
	else
		(void)puts("none: no deadlock is possible");
	if (freedom->has_gap || freedom->goes_round)
		return;
	if (freedom->n_waits)
		print_circle(f);
	print_facts(f);
}

static void print_circle_json(const struct rule_findings *f)
{
	(void)fputs("\"circle\":[", stdout);
	for (size_t i = 0; i < f->freedom.n_waits; i++) {
		const struct loom_rule_wait *w = &f->freedom.wait[i];
		char name[48];
		loom_topo_channel_name(&f->topo, w->channel, name);
		(void)printf("%s{\"channel\":\"%s\",\"virtual\":%u,\"source\":%" PRIu32 ",\"destination\":%" PRIu32
		             ",\"via\":[",
		             i ? "," : "", name, w->vc, w->source, w->destination);
		for (size_t k = 0; k < w->n_via; k++)
			(void)printf("%s%" PRIu32, k ? "," : "", w->via[k]);
		(void)fputs("]}", stdout);
	}
	(void)putchar(']');
}

static void print_turns_json(const struct rule_findings *f)
{
	const uint32_t per_tile = loom_topo_channels_per_tile(&f->topo);
	const char *comma = "";
	(void)printf(",\"turns\":{\"all\":%" PRIu64 ",", f->turns.n_turns);
	if (f->is_best)
		(void)printf("\"at_least\":%" PRIu64 ",", f->turns_at_least);
	(void)fputs("\"forbidden\":[", stdout);
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
				(void)printf("%s[%" PRIu32 ",%" PRIu32 ",%" PRIu32 "]", comma, from / per_tile, u, v);
				comma = ",";
			}
	(void)fputs("]}", stdout);
}

static int print_json(const struct rule_findings *f, const struct cli_request *request, struct loom_err *err)
{
	const struct loom_rule_freedom *freedom = &f->freedom;
	const bool is_measured = !freedom->has_gap && !freedom->goes_round;
	(void)putchar('{');
	int rc = cli_put_asked(stdout, request, err);
	if (rc != 0)
		return rc;
	(void)printf(",\"fabric\":\"%s\",\"nodes\":%" PRIu32
	             ",\"deadlock_free\":%s,\"rule\":\"%s\",\"lanes\":%u,\"escapes\":%u,",
	             f->topo.name, f->topo.n_nodes, freedom->is_free ? "true" : "false", loom_rule_name(f->rule),
	             f->topo.n_vcs, f->rule == LOOM_RULE_DUATO ? loom_duato_escapes(&f->topo) : 0);
	if (is_measured)
		(void)printf("\"longest\":%" PRIu32 ",\"detour\":%" PRIu32 ",", freedom->most_hops,
		             freedom->most_detour);
	if (is_measured && loom_rule_has_via(f->rule))
		(void)fputs("\"adaptiveness\":null,\"stuck\":null,", stdout);
	else if (is_measured)
		(void)printf("\"adaptiveness\":%.6f,\"stuck\":null,", freedom->adaptiveness);
	else
		(void)printf("\"longest\":null,\"detour\":null,\"adaptiveness\":null,\"stuck\":{\"here\":%" PRIu32
		             ",\"destination\":%" PRIu32 ",\"goes_round\":%s},",
		             freedom->here, freedom->destination, freedom->goes_round ? "true" : "false");
	if (freedom->is_free)
		(void)printf("\"highest_number\":%" PRIu32 ",", highest_number(f));
	else
		(void)fputs("\"highest_number\":null,", stdout);
	print_circle_json(f);
	if (f->rule == LOOM_RULE_TURNS)
		print_turns_json(f);
	cli_fabric_put_links(stdout, &f->topo, true);
	(void)puts("}");
	return 0;
}

int cli_check_rule(const struct cli_request *request, struct loom_err *err)
{
	struct rule_findings f = {0};
	int rc = search(&f, request, err);
	if (rc == 0 && request->certificate)
		rc = loom_rule_certify(&f.freedom, &f.topo, f.rule, request->turns ? &f.turns : NULL,
		                       request->certificate, err);
	if (rc == 0 && request->json)
		rc = print_json(&f, request, err);
	else if (rc == 0 && !request->quiet)
		print_table(&f);
	if (rc == 0 && !f.freedom.is_free)
		rc = CLI_DIFFERS;
	loom_rule_freedom_free(&f.freedom);
	loom_turns_free(&f.turns);
	loom_topo_free(&f.topo);
	return rc;
}
