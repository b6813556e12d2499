// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <flitloom/report.h>

#include "cli_html.h"
#include "cli_picture.h"
#include "cli_session.h"
#include "cli_terminal.h"

// The parts and the results of one run. A comparison has two of them.
struct run {
	const char *title, *map;
	struct loom_plan plan;
	struct loom_trace trace;
	struct loom_verdict verdict;
};

static void free_run(struct run *run)
{
	loom_verdict_free(&run->verdict);
	loom_trace_free(&run->trace);
	loom_plan_free(&run->plan);
}

static int show_json(FILE *stream, const struct cli_request *request, const struct run *run, struct loom_err *err)
{
	struct cli_asked asked;
	int rc = cli_asked(&asked, request, run->map, loom_plan_how_made(&run->plan)->own_lengths, err);
	if (rc == 0)
		rc = loom_report_json(stream, &run->plan, &run->verdict, true, &asked.said, err);
	cli_asked_free(&asked);
	return rc;
}

static int show(FILE *json, const struct cli_request *request, const struct run *run, bool first, struct loom_err *err)
{
	if (request->json)
		return show_json(json, request, run, err);
	if (request->quiet || request->standard_output)
		return 0;
	if (!first)
		(void)putchar('\n');
	int rc = loom_report_table(stdout, &run->plan, &run->verdict, true, cli_colour(), err);
	if (rc != 0)
		return rc;
	cli_loggops_say(stdout, request);
	if (request->machine == LOOM_MACHINE_PAPER)
		(void)puts(CLI_PAPER);
	if (loom_run_is_computed(request->link))
		(void)puts("link            model  computed, no routers were run: docs/exactness.md");
	cli_say_budget(request, &run->plan);
	return cli_flush(err);
}

// ran false: only checks that such a picture exists.
static int draw(const struct cli_request *request, const struct run *runs, size_t n, bool ran, struct loom_err *err)
{
	struct loom_panel panels[2];
	for (size_t i = 0; i < n; i++)
		panels[i] = (struct loom_panel){.title = runs[i].title,
		                                .plan = &runs[i].plan,
		                                .trace = ran ? &runs[i].trace : NULL,
		                                .pass = cli_pass(request)};
	return ran ? cli_picture_draw(request, panels, n, err) : cli_picture_suits(request, panels, n, err);
}

static int write_html(const struct cli_request *request, const struct run *runs, size_t n, bool same,
                      struct loom_err *err)
{
	struct cli_html_run of[2];
	for (size_t i = 0; i < n; i++)
		of[i] = (struct cli_html_run){runs[i].title, runs[i].map, &runs[i].plan, &runs[i].trace,
		                              &runs[i].verdict};
	return cli_html_runs(request, of, n, same, err);
}

static int run_plans(const struct cli_request *request, struct loom_err *err)
{
	struct run runs[2] = {{.title = cli_title(request)}, {.title = "best", .map = "best"}};
	size_t n = request->compare && !cli_is_file(request) ? 2 : 1;
	struct cli_session session = {0};
	struct cli_compared compared = {0};
	bool differs = false, same = false; // same: both plans of a comparison are one
	bool is_long = false;
	if (request->stages)
		return cli_fft(request, err);
	const int done = cli_long(request, &is_long, err);
	if (is_long)
		return done;
	if (cli_given(request, CLI_POINTS) || cli_given(request, CLI_COSTS))
		return loom_fail(err, LOOM_EINPUT, "--points, --costs: they are for --stages, which is missing");
	if (n == 2)
		runs[0].title = runs[0].map = "identity";
	enum cli_option option;
	if (n == 2 && cli_is_refused(&option, request, CLI_WITH_COMPARE))
		return loom_fail(err, LOOM_EINPUT, "--%s and --compare: the file takes one run",
		                 cli_option_name(option));
	int rc = cli_check_outputs(request, err);
	for (size_t i = 0; rc == 0 && i < n; i++)
		if ((rc = cli_make_plan(&runs[i].plan, request, runs[i].map, err)) == 0)
			rc = cli_session_check(request, &runs[i].plan, err);
	if (rc == 0 && n == 2 && cli_same_plan(&runs[0].plan, &runs[1].plan)) {
		same = true;
		runs[0].title = CLI_SAME_TITLE;
		n = request->json || request->html ? n : 1; // in JSON each has its own report
	}
	if (rc == 0)
		rc = draw(request, runs, same ? 1 : n, false, err);
	const bool compares = rc == 0 && n == 2 && request->json;
	if (compares)
		rc = cli_compared_begin(&compared, err);
	if (rc == 0)
		rc = cli_session_open(&session, request, &runs[0].plan.topo,
		                      runs[0].plan.n_messages ? runs[0].plan.messages[0].rule : LOOM_RULE_ASCENDING,
		                      err);
	for (size_t i = 0; rc == 0 && i < n; i++) {
		rc = cli_session_run(&session, &runs[i].plan, &runs[i].trace, &runs[i].verdict, err);
		if (rc == 0 && (i == 0 || !same || request->json))
			rc = show(compares ? compared.stream : stdout, request, &runs[i], i == 0, err);
		differs = differs || runs[i].verdict.n_mismatches > 0;
	}
	struct loom_err late;
	int closed = cli_session_close(&session, rc == 0 ? err : &late);
	rc = rc == 0 ? closed : rc;
	if (rc == 0 && compares)
		rc = cli_compared_put(stdout, &compared, request, loom_plan_how_made(&runs[0].plan)->own_lengths, same,
		                      err);
	cli_compared_free(&compared);
	if (rc == 0 && same && !request->json && !request->quiet && !request->standard_output)
		(void)puts("\n" CLI_SAME_PLAN);
	if (rc == 0 && request->svg)
		rc = draw(request, runs, same ? 1 : n, true, err);
	if (rc == 0 && request->html)
		rc = write_html(request, runs, n, same, err);
	if (rc == 0 && request->perfetto)
		rc = loom_report_perfetto(request->perfetto,
		                          &(struct loom_panel){.plan = &runs[0].plan, .trace = &runs[0].trace}, err);
	if (rc == 0 && request->trace_json)
		rc = loom_report_trace(request->trace_json, &runs[0].trace, err);
	if (rc == 0 && request->messages)
		rc = loom_report_messages(request->messages, &runs[0].plan, &runs[0].trace, err);
	if (rc == 0 && request->channels)
		rc = loom_report_channels(request->channels, &runs[0].plan, &runs[0].trace, err);
	for (size_t i = 0; i < 2; i++)
		free_run(&runs[i]);
	return rc != 0 ? rc : differs ? CLI_DIFFERS : 0;
}

int cli_run(const struct cli_request *request, struct loom_err *err)
{
	return cli_loggops_beside(request, run_plans, err);
}
