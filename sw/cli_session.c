// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// A chip behind a link, and plans run on it.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

#define WAITING_NAMED 4

struct loom_image_options cli_image_options(const struct cli_request *request)
{
	return (struct loom_image_options){.machine = request->machine,
	                                   .seed = request->seed,
	                                   .schedule = request->schedule,
	                                   .preset = request->preset};
}

int cli_session_open(struct cli_session *s, const struct cli_request *request, const char *fabric, struct loom_err *err)
{
	s->request = request;
	cli_progress_init(&s->progress, request);
	int rc = cli_waveform_begin(&s->waveform, request->trace, err);
	if (rc != 0)
		return rc;
	const struct loom_link_options options = {.fabric = fabric,
	                                          .trace_file = s->waveform.temporary,
	                                          .timeout_ms = request->timeout_ms,
	                                          .progress = cli_progress_text,
	                                          .user = &s->progress};
	rc = loom_link_open(&s->link, request->link, &options, err);
	if (rc == 0)
		rc = loom_device_open(&s->device, &s->link, err);
	cli_progress_end(&s->progress);
	return rc;
}

int cli_session_close(struct cli_session *s, struct loom_err *err)
{
	cli_progress_end(&s->progress);
	loom_device_close(s->device);
	loom_link_close(&s->link);
	return cli_waveform_end(&s->waveform, s->ran, err);
}

// Adds to a stuck fabric's message what the plan calls the channels that headers wait for.
static size_t name_waiting(struct cli_session *s, const struct loom_topo *topo, struct loom_err *err)
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
static void name_short(struct cli_session *s, const struct loom_plan *plan, struct loom_err *err)
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

int cli_session_run(struct cli_session *s, const struct loom_plan *plan, struct loom_trace *trace,
                    struct loom_verdict *verdict, struct loom_err *err)
{
	const struct cli_request *request = s->request;
	const struct loom_image_options image_options = cli_image_options(request);
	const struct loom_run_options run_options = {.max_cycles = request->max_cycles};
	struct loom_image image;
	int rc = loom_image_make(&image, plan, loom_device_chip(s->device), &image_options, err);
	if (rc != 0)
		return rc;
	cli_progress_init(&s->progress, request);
	if (plan->free_running && loom_plan_cycles(plan) != LOOM_CYCLES_UNKNOWN)
		s->progress.cycles_predicted = loom_plan_cycles(plan);
	loom_device_watch(s->device, cli_progress_watch, &s->progress);
	cli_interrupt_begin();
	rc = loom_device_load(s->device, &image, err);
	if (rc == 0) {
		s->ran = true;
		rc = loom_device_run(s->device, &image, &run_options, trace, err);
		if (rc == LOOM_EHARDWARE && strstr(err->text, "stuck") && name_waiting(s, &plan->topo, err) == 0)
			name_short(s, plan, err);
	}
	if (rc == LOOM_ETIMEOUT && cli_interrupted()) {
		const struct loom_err why = *err;
		rc = loom_fail(err, LOOM_ETIMEOUT, "interrupted: %.300s", why.text);
	}
	cli_interrupt_end();
	cli_progress_end(&s->progress);
	loom_image_free(&image);
	return rc == 0 ? loom_verdict_make(verdict, plan, trace, err) : rc;
}
