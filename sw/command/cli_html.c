// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The document that --html writes. It contains the report as the command prints it, to a stream in memory.
#include <stdlib.h>

#include <flitloom/pattern.h>
#include <flitloom/topo.h>

#include "base/text.h"
#include "cli_html.h"

// Has `print` print into *out, malloc'ed.
static int catch_text(char **out, cli_html_print *print, bool json, const void *user, struct loom_err *err)
{
	char *text = NULL;
	size_t size = 0;
	FILE *memory = open_memstream(&text, &size);
	if (!memory)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for a report");
	int rc = print(memory, user, json, err);
	if ((fclose(memory) != 0 || !text) && rc == 0)
		rc = loom_fail(err, LOOM_ENOMEM, "out of memory for a report");
	if (rc == 0)
		*out = text;
	else
		free(text);
	return rc;
}

int cli_html_write(const struct cli_request *request, const char *title, cli_html_print *print, bool table,
                   const void *user, const struct loom_html *html, struct loom_err *err)
{
	char *json = NULL, *text = NULL;
	if (!request->html)
		return 0;
	int rc = catch_text(&json, print, true, user, err);
	if (rc == 0 && table)
		rc = catch_text(&text, print, false, user, err);
	struct loom_html all = html ? *html : (struct loom_html){0};
	all.title = title;
	all.report = json;
	all.table = text;
	if (rc == 0)
		rc = loom_report_html(request->html, &all, err);
	free(json);
	free(text);
	return rc;
}

// --- A network alone -----------------------------------------------------------------------------------------------

// Makes a plan without traffic: each processor has a message to itself.
static int make_idle_plan(struct loom_plan *out, const struct loom_topo *topo, struct loom_err *err)
{
	struct loom_pattern pattern;
	const struct loom_pattern_options pattern_options = {.flits = 1};
	const struct loom_plan_options options = {.map = "identity", .planner = "direct"};
	int rc = loom_pattern_parse(&pattern, "identity", loom_topo_hosts(topo), &pattern_options, err);
	if (rc != 0)
		return rc;
	rc = loom_plan_make(out, topo, &pattern, &options, err);
	loom_pattern_free(&pattern);
	return rc;
}

int cli_html_network(const struct cli_request *request, const struct loom_topo *topo, cli_html_print *print,
                     const void *user, struct loom_err *err)
{
	char title[LOOM_TOPO_NAME + 16];
	struct loom_plan plan = {0};
	struct loom_err why = {0};
	if (!request->html)
		return 0;
	const bool has_plan = make_idle_plan(&plan, topo, &why) == 0;
	(void)snprintf(plan.pattern, sizeof plan.pattern, "the network, with nobody sending,");
	const struct loom_panel panel = {.title = topo->name, .plan = &plan};
	const struct loom_html html = {.panels = &panel, .n_panels = has_plan};
	(void)snprintf(title, sizeof title, "%s of %s", request->command->name, topo->name);
	int rc = cli_html_write(request, title, print, true, user, &html, err);
	loom_plan_free(&plan);
	return rc;
}

int cli_tell_network(const struct cli_request *request, const struct loom_topo *topo, cli_html_print *print,
                     const void *user, struct loom_err *err)
{
	int rc = 0;
	if (request->json || (!request->quiet && !request->standard_output))
		rc = print(stdout, user, request->json, err);
	return rc == 0 ? cli_html_network(request, topo, print, user, err) : rc;
}

// --- Runs and plans -------------------------------------------------------------------------------------------------

struct runs {
	const struct cli_request *request;
	const struct cli_html_run *run;
	size_t n;
	bool same;
};

static int put_json(FILE *stream, const struct cli_request *request, const struct cli_html_run *run,
                    struct loom_err *err)
{
	struct cli_asked asked;
	int rc = cli_asked(&asked, request, run->map, loom_plan_how_made(run->plan)->own_lengths, err);
	if (rc == 0)
		rc = loom_report_json(stream, run->plan, run->verdict, run->trace != NULL, &asked.said, err);
	cli_asked_free(&asked);
	return rc;
}

static int put_compared(FILE *out, const struct runs *r, struct loom_err *err)
{
	struct cli_compared compared = {0};
	int rc = cli_compared_begin(&compared, err);
	for (size_t i = 0; rc == 0 && i < r->n; i++)
		rc = put_json(compared.stream, r->request, &r->run[i], err);
	if (rc == 0)
		rc = cli_compared_put(out, &compared, r->request, loom_plan_how_made(r->run[0].plan)->own_lengths,
		                      r->same, err);
	cli_compared_free(&compared);
	return rc;
}

static int print_runs(FILE *out, const void *user, bool json, struct loom_err *err)
{
	const struct runs *r = user;
	int rc = 0;
	if (json)
		return r->n > 1 ? put_compared(out, r, err) : put_json(out, r->request, &r->run[0], err);
	for (size_t i = 0; rc == 0 && i < (r->same ? 1 : r->n); i++) {
		(void)fputs(i ? "\n" : "", out);
		rc = loom_report_table(out, r->run[i].plan, r->run[i].verdict, r->run[i].trace != NULL, false, err);
	}
	cli_loggops_say(out, r->request);
	if (r->request->machine == LOOM_MACHINE_PAPER)
		(void)fprintf(out, "%s\n", CLI_PAPER);
	return rc;
}

int cli_html_runs(const struct cli_request *request, const struct cli_html_run *runs, size_t n, bool same,
                  struct loom_err *err)
{
	struct loom_panel panels[2];
	const struct runs all = {.request = request, .run = runs, .n = n, .same = same};
	char title[LOOM_TEXT_NAME + LOOM_TOPO_NAME + 8], pattern[LOOM_TEXT_NAME];
	if (!request->html)
		return 0;
	for (size_t i = 0; i < n; i++)
		panels[i] = (struct loom_panel){.title = runs[i].title,
		                                .plan = runs[i].plan,
		                                .trace = runs[i].trace,
		                                .machine = request->machine};
	loom_text_show(pattern, sizeof pattern, runs[0].plan->pattern);
	(void)snprintf(title, sizeof title, "%s on %s", pattern, runs[0].plan->topo.name);
	const struct loom_html html = {.panels = panels, .n_panels = same ? 1 : n};
	return cli_html_write(request, title, print_runs, true, &all, &html, err);
}
