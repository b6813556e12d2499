// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// flitloom check: whether messages on a network can lock, whatever is sent.
#include <inttypes.h>
#include <string.h>

#include <flitloom/deadlock.h>
#include <flitloom/topo.h>

#include "cli.h"

#define ROWS_MOST 16 // of a circle in the table; the JSON has all

enum { ASCENDING = 1 << LOOM_RULE_ASCENDING, DESCENDING = 1 << LOOM_RULE_DESCENDING };

static const struct {
	const char *name;
	unsigned rules;
} choices[] = {
	{"ascending", ASCENDING},
	{"descending", DESCENDING},
	{"mixed", ASCENDING | DESCENDING},
};
enum { N_CHOICES = sizeof choices / sizeof choices[0] };

const char *cli_rule_name(size_t i)
{
	return i < N_CHOICES ? choices[i].name : NULL;
}

static bool is_mixed(size_t i)
{
	return (choices[i].rules & (choices[i].rules - 1)) != 0;
}

struct findings {
	struct loom_topo topo;
	bool wanted[N_CHOICES];
	struct loom_circle circle[N_CHOICES];
};

// Without --rule each rule by itself decides. What both do in one pass is told as well; that a plan has such a pass is
// rare, and it is checked message by message.
static bool is_free(const struct findings *f, const struct cli_request *request)
{
	for (size_t i = 0; i < N_CHOICES; i++)
		if (f->circle[i].n_channels && (!is_mixed(i) || request->given & CLI_BIT(CLI_RULE)))
			return false;
	return true;
}

static int search(struct findings *f, const struct cli_request *request, struct loom_err *err)
{
	bool one = request->given & CLI_BIT(CLI_RULE), one_way = f->topo.kind->two_directions;
	int rc = 0;
	if (one && is_mixed(request->rule) && one_way)
		return loom_fail(err, LOOM_EINPUT,
		                 "--rule: on %s all messages of a pass go by one rule; it is ascending or descending",
		                 f->topo.name);
	for (size_t i = 0; rc == 0 && i < N_CHOICES; i++) {
		f->wanted[i] = one ? i == request->rule : !(is_mixed(i) && one_way);
		if (f->wanted[i])
			rc = loom_deadlock_find_in_routing(&f->circle[i], &f->topo, choices[i].rules, err);
	}
	return rc;
}

static void print_circle(const struct loom_topo *topo, const struct loom_circle *circle)
{
	size_t n_rows = circle->n_channels > ROWS_MOST ? ROWS_MOST - 1 : circle->n_channels;
	for (size_t k = 0; k < n_rows; k++) {
		const struct loom_circle_channel *at = &circle->channel[k];
		char name[48];
		loom_topo_channel_name(topo, at->channel, name);
		(void)printf("  %-24s held by a message from %" PRIu32 " to %" PRIu32 ", %s\n", name, at->source,
		             at->destination, choices[at->rule].name);
	}
	if (n_rows < circle->n_channels)
		(void)printf("  and %zu more\n", circle->n_channels - n_rows);
}

static void print_table(const struct findings *f)
{
	bool any = false;
	(void)printf("%s  %" PRIu32 " nodes  all messages from everywhere to everywhere\n\n%-15s circle of channels\n",
	             f->topo.name, f->topo.n_nodes, "rule");
	for (size_t i = 0; i < N_CHOICES; i++) {
		if (!f->wanted[i])
			continue;
		any = any || f->circle[i].n_channels;
		(void)printf("%-15s ", choices[i].name);
		if (f->circle[i].n_channels == 0)
			(void)puts("none: no deadlock is possible");
		else if (is_mixed(i))
			(void)printf("%zu: a pass with messages of both rules can lock\n", f->circle[i].n_channels);
		else
			(void)printf("%zu: a pass with contention can lock\n", f->circle[i].n_channels);
	}
	for (size_t i = 0; i < N_CHOICES; i++) {
		if (f->circle[i].n_channels == 0)
			continue;
		(void)printf("\n%s: each channel held by a message that asks for the next one\n", choices[i].name);
		print_circle(&f->topo, &f->circle[i]);
	}
	if (any)
		(void)puts("\nrun and plan refuse a pass whose own messages make a circle.");
}

static void print_json(const struct findings *f, bool is_free_of_it)
{
	const char *comma = "";
	(void)printf("{\"fabric\":\"%s\",\"nodes\":%" PRIu32 ",\"deadlock_free\":%s,\"rules\":[", f->topo.name,
	             f->topo.n_nodes, is_free_of_it ? "true" : "false");
	for (size_t i = 0; i < N_CHOICES; i++) {
		const struct loom_circle *circle = &f->circle[i];
		if (!f->wanted[i])
			continue;
		(void)printf("%s{\"rule\":\"%s\",\"deadlock_free\":%s,\"circle\":[", comma, choices[i].name,
		             circle->n_channels ? "false" : "true");
		for (size_t k = 0; k < circle->n_channels; k++) {
			const struct loom_circle_channel *at = &circle->channel[k];
			char name[48];
			loom_topo_channel_name(&f->topo, at->channel, name);
			(void)printf("%s{\"channel\":\"%s\",\"source\":%" PRIu32 ",\"destination\":%" PRIu32
			             ",\"rule\":\"%s\"}",
			             k ? "," : "", name, at->source, at->destination, choices[at->rule].name);
		}
		(void)fputs("]}", stdout);
		comma = ",";
	}
	(void)puts("]}");
}

int cli_check(const struct cli_request *request, struct loom_err *err)
{
	struct findings f = {0};
	int rc = loom_topo_parse(&f.topo, request->words[0], err);
	if (rc == 0)
		rc = search(&f, request, err);
	if (rc == 0 && request->json)
		print_json(&f, is_free(&f, request));
	else if (rc == 0 && !request->quiet)
		print_table(&f);
	if (rc == 0 && !is_free(&f, request))
		rc = CLI_DIFFERS;
	for (size_t i = 0; i < N_CHOICES; i++)
		loom_circle_free(&f.circle[i]);
	return rc;
}
