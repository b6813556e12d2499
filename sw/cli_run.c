// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "image.h"
#include "link.h"
#include "report.h"
#include "trace.h"
#include "verdict.h"

#define WAITING_NAMED 4

// What one run is made of and brings back. Two of them make a comparison.
struct run {
	const char *title, *map;
	struct loom_plan plan;
	struct loom_trace trace;
	struct loom_verdict verdict;
};

struct session {
	const struct cli_request *request;
	struct cli_progress progress;
	struct loom_link link;
	struct loom_device *device;
};

static void free_run(struct run *run)
{
	loom_verdict_free(&run->verdict);
	loom_trace_free(&run->trace);
	loom_plan_free(&run->plan);
}

static int open_session(struct session *s, const struct cli_request *request, const char *fabric, struct loom_err *err)
{
	s->request = request;
	cli_progress_init(&s->progress, request);
	const struct loom_link_options options = {.fabric = fabric,
	                                          .trace_file = request->trace,
	                                          .timeout_ms = request->timeout_ms,
	                                          .progress = cli_progress_text,
	                                          .user = &s->progress};
	int rc = loom_link_open(&s->link, request->link, &options, err);
	if (rc == 0)
		rc = loom_device_open(&s->device, &s->link, err);
	cli_progress_end(&s->progress);
	return rc;
}

static void close_session(struct session *s)
{
	cli_progress_end(&s->progress);
	loom_device_close(s->device);
	loom_link_close(&s->link);
}

// Adds to a stuck fabric's message what the plan calls the channels that headers wait for.
static size_t name_waiting(struct session *s, const struct loom_topo *topo, struct loom_err *err)
{
	uint32_t n_channels = loom_topo_channels(topo), *waiting = calloc(n_channels, sizeof *waiting);
	size_t n = 0, used = strlen(err->text);
	struct loom_err ignored;
	if (!waiting || loom_device_waiting(s->device, waiting, n_channels, &n, &ignored) != 0)
		n = 0;
	for (size_t i = 0; i < n && i < WAITING_NAMED && used < sizeof err->text; i++) {
		char name[48] = "";
		if (waiting[i] < n_channels)
			topo->kind->channel_name(topo, waiting[i], name);
		used += (size_t)snprintf(err->text + used, sizeof err->text - used, "%s%s",
		                         i ? ", " : "; by name: ", name);
	}
	if (n > WAITING_NAMED && used < sizeof err->text)
		(void)snprintf(err->text + used, sizeof err->text - used, " and %zu more", n - WAITING_NAMED);
	free(waiting);
	return n;
}

// A worm that lost its way or its tail may hold everything up while no header waits: the channels which have not
// carried what they were to then tell where it is.
static void name_short(struct session *s, const struct loom_plan *plan, struct loom_err *err)
{
	uint32_t n_channels = loom_topo_channels(&plan->topo), pass = 0;
	struct loom_count *counts = calloc(n_channels, sizeof *counts);
	uint64_t *flits = NULL;
	size_t n = 0, used = strlen(err->text);
	struct loom_err ignored;
	if (!counts || loom_device_counts(s->device, &pass, counts, &ignored) != 0 || pass >= plan->n_passes ||
	    loom_plan_flits(&flits, plan, &ignored) != 0)
		goto out;
	for (uint32_t c = 0; c < n_channels; c++) {
		uint64_t wanted = flits[(size_t)pass * n_channels + c];
		char name[48];
		if (counts[c].flits == wanted || n++ >= WAITING_NAMED || used >= sizeof err->text)
			continue;
		plan->topo.kind->channel_name(&plan->topo, c, name);
		used += (size_t)snprintf(err->text + used, sizeof err->text - used,
		                         "%s%s carried %" PRIu32 " of %" PRIu64 " flits", n > 1 ? ", " : "; ", name,
		                         counts[c].flits, wanted);
	}
	if (n > WAITING_NAMED && used < sizeof err->text)
		(void)snprintf(err->text + used, sizeof err->text - used, " and %zu more", n - WAITING_NAMED);
out:
	free(flits);
	free(counts);
}

static int run_plan(struct session *s, struct run *run, struct loom_err *err)
{
	const struct cli_request *request = s->request;
	const struct loom_image_options image_options = {.machine = request->machine, .seed = request->seed};
	const struct loom_run_options run_options = {
		.max_cycles = request->max_cycles, .progress = cli_progress_pass, .user = &s->progress};
	struct loom_image image;
	int rc = loom_image_make(&image, &run->plan, loom_device_chip(s->device), &image_options, err);
	if (rc != 0)
		return rc;
	rc = loom_device_load(s->device, &image, err);
	if (rc == 0) {
		rc = loom_device_run(s->device, &image, &run_options, &run->trace, err);
		if (rc == LOOM_EHARDWARE && strstr(err->text, "stuck") && name_waiting(s, &run->plan.topo, err) == 0)
			name_short(s, &run->plan, err);
	}
	cli_progress_end(&s->progress);
	loom_image_free(&image);
	return rc == 0 ? loom_verdict_make(&run->verdict, &run->plan, &run->trace, err) : rc;
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
	return cli_flush(err);
}

static int draw(const struct cli_request *request, const struct run *runs, size_t n, struct loom_err *err)
{
	struct loom_panel panels[2];
	for (size_t i = 0; i < n; i++)
		panels[i] = (struct loom_panel){.title = runs[i].title, .plan = &runs[i].plan, .trace = &runs[i].trace};
	return loom_report_svg(request->svg, panels, n, err);
}

int cli_run(const struct cli_request *request, struct loom_err *err)
{
	struct run runs[2] = {{.title = cli_title(request)}, {.title = "best", .map = "best"}};
	size_t n = request->compare && !cli_is_file(request) ? 2 : 1;
	struct session session = {0};
	bool differs = false;
	if (n == 2)
		runs[0].title = runs[0].map = "identity";
	if (n == 2 && request->trace_json)
		return loom_fail(err, LOOM_EINPUT, "--trace-json and --compare: the file takes one run");
	int rc = cli_check_outputs(request, err);
	for (size_t i = 0; rc == 0 && i < n; i++)
		rc = cli_make_plan(&runs[i].plan, request, runs[i].map, err);
	if (rc == 0)
		rc = open_session(&session, request, runs[0].plan.topo.name, err);
	for (size_t i = 0; rc == 0 && i < n; i++) {
		rc = run_plan(&session, &runs[i], err);
		if (rc == 0)
			rc = show(request, &runs[i], i == 0, err);
		differs = differs || runs[i].verdict.n_mismatches > 0;
	}
	close_session(&session);
	if (rc == 0 && request->svg)
		rc = draw(request, runs, n, err);
	if (rc == 0 && request->trace_json)
		rc = loom_report_trace(request->trace_json, &runs[0].trace, err);
	for (size_t i = 0; i < n; i++)
		free_run(&runs[i]);
	return rc != 0 ? rc : differs ? CLI_DIFFERS : 0;
}
