// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// flitloom check: reports whether messages on a network can lock, whatever is sent. The user's own tables:
// cli_check_tables.c.
#include <inttypes.h>
#include <string.h>

#include <flitloom/routes/certificate.h>
#include <flitloom/routes/deadlock.h>
#include <flitloom/routes/graph.h>
#include <flitloom/topo.h>

#include "cli_html.h"

#define ROWS_MOST 16 // of a circle in the table; the JSON has all

// The choices to search: messages of one rule, or of all that the network has in one pass.
enum { MIXED = CLI_RULE_MIXED, N_CHOICES };

struct findings {
	const struct cli_request *request;
	struct loom_topo topo;
	bool wanted[N_CHOICES];
	struct loom_dependency_cycle circle[N_CHOICES];
};

// True if the network is free of circles. Without --rule it must be so for ascending and for descending messages, each
// by itself. The output also reports messages that go one way, and those of several rules in one pass; a plan has these
// only if the user asks for them, and it is checked message by message.
static bool is_free(const struct findings *f)
{
	for (size_t i = 0; i < N_CHOICES; i++)
		if (f->circle[i].n_channels && (i <= LOOM_RULE_DESCENDING || cli_given(f->request, CLI_RULE)))
			return false;
	return true;
}

static int search(struct findings *f, const struct cli_request *request, struct loom_err *err)
{
	const struct loom_topo *t = &f->topo;
	bool one = cli_given(request, CLI_RULE), by_ends = loom_topo_rules_by_ends(t);
	const unsigned n_all = by_ends ? 1 : loom_topo_rules_count(t);
	const unsigned n_rules =
		n_all < LOOM_RULES_MAX ? n_all : LOOM_RULES_MAX; // a lane's way from 4 on is that of one below
	int rc = 0;
	if (one && by_ends)
		return loom_fail(err, LOOM_EINPUT,
		                 "--rule: on %.200s the lane of a message follows from its ends: leave it out",
		                 t->name);
	if (one && request->rule == MIXED && t->kind->two_directions)
		return loom_fail(err, LOOM_EINPUT,
		                 "--rule: on %s all messages of a pass go by one rule; it is ascending or descending",
		                 t->name);
	if (one && request->rule != MIXED && request->rule >= n_rules)
		return loom_fail(err, LOOM_EINPUT, "--rule: %s has no rule %s, as it has no rings", t->name,
		                 cli_rule_name(request->rule));
	for (unsigned i = 0; rc == 0 && i < N_CHOICES; i++) {
		bool there = i == MIXED ? !t->kind->two_directions && !by_ends : i < n_rules;
		f->wanted[i] = one ? i == request->rule : there;
		if (f->wanted[i])
			rc = loom_deadlock_find_in_routing(&f->circle[i], t, i == MIXED ? (1u << n_all) - 1 : 1u << i,
			                                   err);
	}
	return rc;
}

// Returns the name of a row. On a graph there is one row, whose name is no rule that could be requested.
static const char *row_name(const struct findings *f, size_t i)
{
	struct loom_graph_facts graph;
	if (!loom_topo_graph_facts(&graph, &f->topo))
		return cli_rule_name(i);
	return graph.routing == LOOM_GRAPH_SHORTEST ? "shortest" : "up-down";
}

// True if rule i has the circle that an earlier rule has; *first is that one.
static bool is_repeated(size_t *first, const struct findings *f, size_t i)
{
	const struct loom_dependency_cycle *circle = &f->circle[i];
	for (size_t k = 0; k < i; k++) {
		const struct loom_dependency_cycle *other = &f->circle[k];
		bool same = other->n_channels == circle->n_channels;
		for (size_t c = 0; same && c < circle->n_channels; c++)
			same = other->channel[c].channel == circle->channel[c].channel &&
			       other->channel[c].vc == circle->channel[c].vc &&
			       other->channel[c].source == circle->channel[c].source &&
			       other->channel[c].destination == circle->channel[c].destination;
		*first = k;
		if (same)
			return true;
	}
	return false;
}

static void print_circle(FILE *out, const struct loom_topo *topo, const struct loom_dependency_cycle *circle)
{
	size_t n_rows = circle->n_channels > ROWS_MOST ? ROWS_MOST - 1 : circle->n_channels;
	for (size_t k = 0; k < n_rows; k++) {
		const struct loom_dependency_channel *at = &circle->channel[k];
		char name[48];
		loom_topo_channel_name(topo, at->channel, name);
		if (topo->n_vcs > 1) {
			size_t used = strlen(name);
			(void)snprintf(name + used, sizeof name - used, " virtual %u", at->vc);
		}
		(void)fprintf(out, "  %-24s held by a message from %" PRIu32 " to %" PRIu32 ", %s\n", name, at->source,
		              at->destination, cli_rule_name(at->rule % LOOM_RULES_MAX));
	}
	if (n_rows < circle->n_channels)
		(void)fprintf(out, "  and %zu more\n", circle->n_channels - n_rows);
}

static void print_table(FILE *out, const struct findings *f)
{
	bool any = false;
	char size[48];
	loom_topo_size_text(size, &f->topo);
	(void)fprintf(out, "%s  %s  all messages from everywhere to everywhere\n", f->topo.name, size);
	cli_fabric_put_links(out, &f->topo, false);
	(void)fprintf(out, "\n%-20s circle of channels\n", "rule");
	for (size_t i = 0; i < N_CHOICES; i++) {
		if (!f->wanted[i])
			continue;
		any = any || f->circle[i].n_channels;
		(void)fprintf(out, "%-20s ", row_name(f, i));
		if (f->circle[i].n_channels == 0)
			(void)fputs("none: no deadlock is possible\n", out);
		else if (i == MIXED)
			(void)fprintf(out, "%zu: a pass with messages of several rules can lock\n",
			              f->circle[i].n_channels);
		else
			(void)fprintf(out, "%zu: a pass with contention can lock\n", f->circle[i].n_channels);
	}
	for (size_t i = 0, first; i < N_CHOICES; i++) {
		if (f->circle[i].n_channels == 0)
			continue;
		if (is_repeated(&first, f, i)) {
			(void)fprintf(out, "\n%s: the same as %s\n", cli_rule_name(i), cli_rule_name(first));
			continue;
		}
		(void)fprintf(out, "\n%s: each channel held by a message that asks for the next one\n",
		              cli_rule_name(i));
		print_circle(out, &f->topo, &f->circle[i]);
	}
	if (any)
		(void)fputs("\nrun and plan refuse a pass whose own messages make a circle.\n", out);
}

static int print_json(FILE *out, const struct findings *f, struct loom_err *err)
{
	const char *comma = "";
	(void)fputc('{', out);
	int rc = cli_put_asked(out, f->request, err);
	if (rc != 0)
		return rc;
	(void)fprintf(out, ",\"fabric\":\"%s\",\"nodes\":%" PRIu32 ",\"deadlock_free\":%s,\"rules\":[", f->topo.name,
	              f->topo.n_nodes, is_free(f) ? "true" : "false");
	for (size_t i = 0; i < N_CHOICES; i++) {
		const struct loom_dependency_cycle *circle = &f->circle[i];
		if (!f->wanted[i])
			continue;
		(void)fprintf(out, "%s{\"rule\":\"%s\",\"deadlock_free\":%s,\"circle\":[", comma, row_name(f, i),
		              circle->n_channels ? "false" : "true");
		for (size_t k = 0; k < circle->n_channels; k++) {
			const struct loom_dependency_channel *at = &circle->channel[k];
			char name[48];
			loom_topo_channel_name(&f->topo, at->channel, name);
			(void)fprintf(out,
			              "%s{\"channel\":\"%s\",\"virtual\":%u,\"source\":%" PRIu32
			              ",\"destination\":%" PRIu32 ",\"rule\":\"%s\"}",
			              k ? "," : "", name, at->vc, at->source, at->destination,
			              cli_rule_name(at->rule % LOOM_RULES_MAX));
		}
		(void)fputs("]}", out);
		comma = ",";
	}
	(void)fputc(']', out);
	cli_fabric_put_links(out, &f->topo, true);
	(void)fputs("}\n", out);
	return 0;
}

static int print(FILE *out, const void *user, bool json, struct loom_err *err)
{
	const struct findings *f = user;
	if (json)
		return print_json(out, f, err);
	print_table(out, f);
	return 0;
}

int cli_check(const struct cli_request *request, struct loom_err *err)
{
	struct findings f = {.request = request};
	enum cli_option needless;
	int rc = cli_check_outputs(request, err);
	if (rc != 0)
		return rc;
	if (request->all_pairs)
		return cli_check_pairs(request, err);
	if (cli_is_refused(&needless, request, CLI_WITHOUT_ALL_PAIRS) && (needless != CLI_LANES || !request->fail))
		return loom_fail(err, LOOM_EINPUT, "--%s goes with --all-pairs", cli_option_name(needless));
	if (request->certificate && (request->tables || request->rule == MIXED))
		return loom_fail(
			err, LOOM_EINPUT,
			"--certificate: of the routes of one rule, or with --all-pairs; plan has one of its messages "
			"and tables");
	if (request->tables)
		return cli_check_tables(request, err);
	if (cli_given(request, CLI_RULE) && request->rule >= LOOM_RULES_MAX && request->rule != MIXED)
		return cli_check_rule(request, err);
	rc = cli_fabric_parse(&f.topo, request, request->words[0], err);
	if (rc == 0)
		rc = search(&f, request, err);
	if (rc == 0 && request->certificate)
		rc = loom_routing_certify(&f.topo, (enum loom_rule)request->rule, request->certificate, err);
	if (rc == 0)
		rc = cli_tell_network(request, &f.topo, print, &f, err);
	if (rc == 0 && !is_free(&f))
		rc = CLI_DIFFERS;
	for (size_t i = 0; i < N_CHOICES; i++)
		loom_dependency_cycle_free(&f.circle[i]);
	loom_topo_free(&f.topo);
	return rc;
}
