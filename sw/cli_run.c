// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <flitloom/report.h>

#include "cli.h"

// What one run is made of and brings back. Two of them make a comparison.
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

static int show(const struct cli_request *request, const struct run *run, bool first, struct loom_err *err)
{
	if (request->json)
		return loom_report_json(stdout, &run->plan, &run->verdict, 1, err);
	if (request->quiet)
		return 0;
	if (!first)
		(void)putchar('\n');
	(void)loom_report_table(stdout, &run->plan, &run->verdict, 1, cli_colour());
	if (request->machine == LOOM_MACHINE_PAPER)
		(void)puts("machine         paper  the timing of the machine of [Hou01], docs/references.md");
	return cli_flush(err);
}

static int draw(const struct cli_request *request, const struct run *runs, size_t n, struct loom_err *err)
{
	struct loom_panel panels[2];
	for (size_t i = 0; i < n; i++)
		panels[i] = (struct loom_panel){.title = runs[i].title,
		                                .plan = &runs[i].plan,
		                                .trace = &runs[i].trace,
		                                .pass = cli_pass(request)};
	return loom_report_svg(request->svg, panels, n, err);
}

// The plan, and whatever can be said against it before a model is built.
static int check_plan(struct run *run, const struct cli_request *request, struct loom_err *err)
{
	const struct loom_image_options options = cli_image_options(request);
	int rc = cli_make_plan(&run->plan, request, run->map, err);
	return rc == 0 ? loom_image_check(&run->plan, &options, err) : rc;
}

int cli_run(const struct cli_request *request, struct loom_err *err)
{
	struct run runs[2] = {{.title = cli_title(request)}, {.title = "best", .map = "best"}};
	size_t n = request->compare && !cli_is_file(request) ? 2 : 1;
	struct cli_session session = {0};
	bool differs = false;
	if (n == 2)
		runs[0].title = runs[0].map = "identity";
	if (n == 2 && request->trace_json)
		return loom_fail(err, LOOM_EINPUT, "--trace-json and --compare: the file takes one run");
	int rc = cli_check_outputs(request, err);
	for (size_t i = 0; rc == 0 && i < n; i++)
		rc = check_plan(&runs[i], request, err);
	if (rc == 0)
		rc = cli_session_open(&session, request, runs[0].plan.topo.name, err);
	for (size_t i = 0; rc == 0 && i < n; i++) {
		rc = cli_session_run(&session, &runs[i].plan, &runs[i].trace, &runs[i].verdict, err);
		if (rc == 0)
			rc = show(request, &runs[i], i == 0, err);
		differs = differs || runs[i].verdict.n_mismatches > 0;
	}
	struct loom_err late;
	int closed = cli_session_close(&session, rc == 0 ? err : &late);
	rc = rc == 0 ? closed : rc;
	if (rc == 0 && request->svg)
		rc = draw(request, runs, n, err);
	if (rc == 0 && request->trace_json)
		rc = loom_report_trace(request->trace_json, &runs[0].trace, err);
	for (size_t i = 0; i < n; i++)
		free_run(&runs[i]);
	return rc != 0 ? rc : differs ? CLI_DIFFERS : 0;
}
