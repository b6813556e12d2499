// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <string.h>
#include <strings.h>

#include <flitloom/circuits.h>
#include <flitloom/routes/certificate.h>
#include <flitloom/routes/table_file.h>
#include <flitloom/report.h>

#include "cli_html.h"
#include "cli_picture.h"
#include "cli_terminal.h"

enum { IDENTITY, BEST, N_COMPARED };
static const char *const compared_maps[N_COMPARED] = {"identity", "best"};

// Prints the table or JSON of one plan, unless the plan goes to a file and no other output is requested.
static int show(FILE *json, const struct cli_request *request, const char *map, const struct loom_plan *plan,
                struct loom_err *err)
{
	struct loom_verdict verdict;
	struct cli_asked asked = {0};
	if (!request->json && (request->quiet || request->output || request->standard_output))
		return 0;
	int rc = loom_verdict_predict(&verdict, plan, request->machine, err);
	if (rc != 0)
		return rc;
	if (!request->json)
		rc = loom_report_table(stdout, plan, &verdict, false, cli_colour(), err);
	else if ((rc = cli_asked(&asked, request, map, loom_plan_how_made(plan)->own_lengths, err)) == 0)
		rc = loom_report_json(json, plan, &verdict, false, &asked.said, err);
	cli_asked_free(&asked);
	if (rc == 0 && !request->json)
		cli_loggops_say(stdout, request);
	if (rc == 0 && !request->json && request->machine == LOOM_MACHINE_PAPER)
		(void)puts(CLI_PAPER);
	if (rc == 0 && !request->json)
		cli_say_budget(request, plan);
	loom_verdict_free(&verdict);
	return rc;
}

static bool names_square(const char *path)
{
	const char *ending = strrchr(path, '.');
	return ending && (strcasecmp(ending, ".csv") == 0 || strcasecmp(ending, ".npy") == 0);
}

// True if a name asks for the schedule of circuit switches.
static bool names_schedule(const struct loom_plan *plan, const char *path)
{
	const char *ending = strrchr(path, '.');
	return plan->topo.kind->router == LOOM_ROUTER_CIRCUITS && ending &&
	       (strcmp(ending, ".csv") == 0 || strcmp(ending, ".txt") == 0);
}

// Finds the schedule that the planner has made with the plan, or NULL. LOOM_EINPUT: a plan of circuit switches that
// has come without one. option: what needs it.
static int find_circuits(const struct loom_circuits **out, const struct loom_plan *plan, const char *option,
                         struct loom_err *err)
{
	*out = loom_plan_how_made(plan)->circuits;
	if (*out || plan->topo.kind->router != LOOM_ROUTER_CIRCUITS)
		return 0;
	return loom_fail(err, LOOM_EINPUT,
	                 "%s: a planner such as light makes the schedule of %.60s, and neither messages with releases "
	                 "nor a plan's file have one; give FABRIC and a pattern without releases",
	                 option, plan->topo.name);
}

// A name in .csv or .npy asks for a Latin square, any other for the plan; .csv or .txt on circuit switches for the schedule.
static int write_output(const struct loom_plan *plan, const char *path, struct loom_err *err)
{
	struct loom_err why = {0};
	const struct loom_circuits *circuits;
	int rc = names_schedule(plan, path) ? find_circuits(&circuits, plan, "--output", err) : 0;
	if (rc != 0)
		return rc;
	if (names_schedule(plan, path))
		return loom_circuit_write(path, &circuits->schedule, err);
	if (!names_square(path))
		return loom_plan_write(plan, path, err);
	rc = loom_report_latin(path, plan, &why);
	return rc == 0 ? 0 : loom_fail(err, rc, "%s%s", rc == LOOM_EINPUT ? "--output: " : "", why.text);
}

// Refuses a Latin square or a schedule of a plan that has none, before any file is written.
static int check_output(const struct loom_plan *plan, const char *path, struct loom_err *err)
{
	const bool wants = path && (names_square(path) || names_schedule(plan, path));
	const bool has = strcmp(plan->planner, "latin") == 0 || loom_plan_how_made(plan)->circuits;
	return wants && !has ? write_output(plan, path, err) : 0; // which refuses it
}

// On circuit switches a certificate is that of the bound, with the schedule.
static int certify(const struct loom_plan *plan, const char *path, struct loom_err *err)
{
	const struct loom_circuits *circuits;
	const int rc = find_circuits(&circuits, plan, "--certificate", err);
	if (rc != 0)
		return rc;
	return circuits ? loom_circuit_certify(path, circuits, err) : loom_plan_certify(plan, path, err);
}

static int write_tables(const struct loom_plan *plan, const char *path, struct loom_err *err)
{
	struct loom_route_tables tables;
	struct loom_err why = {0};
	int rc = loom_route_tables_of_plan(&tables, plan, &why);
	if (rc != 0)
		return loom_fail(err, rc, "--tables-out: %.300s", why.text);
	rc = loom_table_file_write(&tables, &plan->topo, path, err);
	loom_route_tables_free(&tables);
	return rc;
}

// Plans the same messages in the same places, by another planner, which need not know the first one's options. If the
// messages are placed, task i was on node i before.
static int make_before(struct loom_plan *out, const struct cli_request *request, struct loom_err *err)
{
	struct cli_request before = *request;
	before.planner = request->before;
	before.load = NULL;
	before.tables = NULL;
	before.detours = 0;
	before.cost = NULL;
	before.relay = false;
	before.objective = NULL;
	cli_set_drop(&before.given, CLI_RULE);
	before.select = 0;
	bool is_kept = request->map && !loom_plan_map_is_placed(request->map);
	return cli_make_plan(out, &before, is_kept ? request->map : "identity", err);
}

// `before` is zeroed unless it was asked for.
static int draw(const struct cli_request *request, const struct loom_plan *before, const struct loom_plan *plan,
                struct loom_err *err)
{
	char titles[2][48];
	struct loom_panel panels[2] = {
		{.title = titles[0], .plan = before, .machine = request->machine, .pass = cli_pass(request)},
		{.title = cli_title(request), .plan = plan, .machine = request->machine, .pass = cli_pass(request)}};
	if (!request->before)
		return cli_picture_draw(request, &panels[1], 1, err);
	(void)snprintf(titles[0], sizeof titles[0], "before: %s", before->planner);
	(void)snprintf(titles[1], sizeof titles[1], "after: %s", plan->planner);
	panels[1].title = titles[1];
	return cli_picture_draw(request, panels, 2, err);
}

// Writes the document of a plan, or of two that are compared.
static int write_html(const struct cli_request *request, const struct loom_plan *plans, const struct loom_panel *panels,
                      size_t n, bool same, struct loom_err *err)
{
	struct loom_verdict verdicts[N_COMPARED] = {0};
	struct cli_html_run of[N_COMPARED];
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < n; i++) {
		rc = loom_verdict_predict(&verdicts[i], &plans[i], request->machine, err);
		of[i] = (struct cli_html_run){panels[i].title, n > 1 ? compared_maps[i] : NULL, &plans[i], NULL,
		                              &verdicts[i]};
	}
	if (rc == 0)
		rc = cli_html_runs(request, of, n, same, err);
	for (size_t i = 0; i < n; i++)
		loom_verdict_free(&verdicts[i]);
	return rc;
}

static int plan_one(const struct cli_request *request, struct loom_err *err)
{
	struct loom_plan plan = {0}, before = {0};
	// The plan to compare with comes first: it usually takes no time, and if it is impossible no search is lost.
	int rc = request->before ? make_before(&before, request, err) : 0;
	if (rc == 0)
		rc = cli_make_plan(&plan, request, NULL, err);
	// Files that not every plan can have come first, so that a refusal leaves none behind.
	if (rc == 0)
		rc = check_output(&plan, request->output, err);
	if (rc == 0 && request->certificate)
		rc = certify(&plan, request->certificate, err);
	if (rc == 0 && request->tables_out)
		rc = write_tables(&plan, request->tables_out, err);
	if (rc == 0 && request->svg)
		rc = draw(request, &before, &plan, err);
	if (rc == 0 && request->html)
		rc = write_html(request, &plan, &(struct loom_panel){.title = cli_title(request)}, 1, false, err);
	if (rc == 0 && request->perfetto)
		rc = loom_report_perfetto(request->perfetto,
		                          &(struct loom_panel){.plan = &plan, .machine = request->machine}, err);
	if (rc == 0 && request->messages)
		rc = loom_report_predicted_messages(request->messages, &plan, request->machine, err);
	if (rc == 0 && request->channels)
		rc = loom_report_predicted_channels(request->channels, &plan, request->machine, err);
	if (rc == 0 && request->output)
		rc = write_output(&plan, request->output, err);
	if (rc == 0) // the last one: what cannot be written is refused, and nothing is reported
		rc = show(stdout, request, NULL, &plan, err);
	loom_plan_free(&plan);
	loom_plan_free(&before);
	return rc;
}

static int compare(const struct cli_request *request, struct loom_err *err)
{
	struct loom_plan plans[N_COMPARED] = {0};
	struct loom_panel panels[N_COMPARED];
	bool table = !request->json && !request->quiet && !request->standard_output;
	struct cli_compared compared = {0};
	bool same = false;
	int rc = request->json ? cli_compared_begin(&compared, err) : 0;
	for (size_t i = 0; rc == 0 && i < N_COMPARED; i++) {
		rc = cli_make_plan(&plans[i], request, compared_maps[i], err);
		panels[i] = (struct loom_panel){.title = compared_maps[i],
		                                .plan = &plans[i],
		                                .machine = request->machine,
		                                .pass = cli_pass(request)};
	}
	same = rc == 0 && cli_same_plan(&plans[IDENTITY], &plans[BEST]);
	if (same)
		panels[IDENTITY].title = CLI_SAME_TITLE;
	if (rc == 0 && request->svg)
		rc = cli_picture_draw(request, panels, same ? 1 : N_COMPARED, err);
	if (rc == 0 && request->html)
		rc = write_html(request, plans, panels, N_COMPARED, same, err);
	for (size_t i = 0; rc == 0 && i < N_COMPARED; i++) {
		if (i > 0 && table)
			(void)putchar('\n');
		if (i > 0 && same && table)
			(void)puts(CLI_SAME_PLAN);
		else
			rc = show(compared.stream, request, compared_maps[i], &plans[i], err);
	}
	if (rc == 0 && request->json)
		rc = cli_compared_put(stdout, &compared, request, loom_plan_how_made(&plans[IDENTITY])->own_lengths,
		                      same, err);
	cli_compared_free(&compared);
	for (size_t i = 0; i < N_COMPARED; i++)
		loom_plan_free(&plans[i]);
	return rc;
}

int cli_plan(const struct cli_request *request, struct loom_err *err)
{
	if (request->compare && (request->output || request->tables_out))
		return loom_fail(err, LOOM_EINPUT, "--%s and --compare: a file holds one plan, a comparison is of two",
		                 request->output ? "output" : "tables-out");
	enum cli_option option;
	if (request->compare && cli_is_refused(&option, request, CLI_WITH_COMPARE))
		return loom_fail(err, LOOM_EINPUT, "--%s and --compare: the file takes one plan",
		                 cli_option_name(option));
	if (request->compare && request->before)
		return loom_fail(err, LOOM_EINPUT, "--before and --compare: each draws a comparison of its own");
	unsigned n;
	if (!cli_is_file(request) && loom_formula_is_for(&n, request->words[0]))
		return cli_formula(request, n, err);
	int rc = cli_check_outputs(request, err);
	if (rc != 0)
		return rc;
	return cli_loggops_beside(request, request->compare && !cli_is_file(request) ? compare : plan_one, err);
}
