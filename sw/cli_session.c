// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// A chip behind a link, and plans run on it.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

#define WAITING_NAMED 4
#define MISSING_NAMED 3

struct loom_image_options cli_image_options(const struct cli_request *request)
{
	return (struct loom_image_options){.machine = request->machine,
	                                   .seed = request->seed,
	                                   .schedule = request->schedule,
	                                   .preset = request->preset};
}

int cli_session_check(const struct cli_request *request, const struct loom_plan *plan, struct loom_err *err)
{
	const struct loom_image_options image = cli_image_options(request);
	const struct loom_link_options options = {.fabric = plan->topo.name, .topo = &plan->topo};
	struct loom_chip chip;
	int rc = loom_image_check(plan, &image, err);
	if (rc == 0)
		rc = loom_link_expect(&chip, request->link, &options, err);
	if (rc == 0 && chip.kind != 0)
		rc = loom_image_fits(plan, &chip, &image, err);
	return rc;
}

// A simulated chip is known before it is asked. One that says of itself that it checks less would be checked less.
static int is_expected(const struct loom_chip *chip, const char *link, const struct loom_link_options *options,
                       struct loom_err *err)
{
	struct loom_chip expected;
	int rc = loom_link_expect(&expected, link, options, err);
	if (rc == 0 && expected.kind != 0 && memcmp(&expected, chip, sizeof expected) != 0)
		rc = loom_fail(err, LOOM_EHARDWARE,
		               "the discovery registers behind link %.60s are not those of the chip that it simulates",
		               link);
	return rc;
}

int cli_session_open(struct cli_session *s, const struct cli_request *request, const struct loom_topo *topo,
                     struct loom_err *err)
{
	s->request = request;
	cli_progress_init(&s->progress, request);
	bool window = (request->given & (CLI_BIT(CLI_TRACE_FROM) | CLI_BIT(CLI_TRACE_CYCLES))) != 0;
	if (window && !request->trace)
		return loom_fail(
			err, LOOM_EINPUT,
			"--trace-from, --trace-cycles: they choose what --trace records, and there is no --trace");
	int rc = cli_waveform_begin(&s->waveform, request->trace, err);
	s->waveform.from = window ? request->trace_from : 0;
	if (rc != 0)
		return rc;
	cli_interrupt_begin(); // within the waveform's handlers, to which a second signal is left
	s->listens = true;
	const struct loom_link_options options = {.fabric = topo->name,
	                                          .topo = topo,
	                                          .trace_file = s->waveform.temporary,
	                                          .trace_from = window ? request->trace_from : 0,
	                                          .trace_cycles = window ? request->trace_cycles : 0,
	                                          .timeout_ms = request->timeout_ms,
	                                          .progress = cli_progress_model,
	                                          .user = &s->progress};
	rc = loom_link_open(&s->link, request->link, &options, err);
	if (rc == 0)
		rc = loom_device_open(&s->device, &s->link, err);
	if (rc == 0)
		rc = is_expected(loom_device_chip(s->device), request->link, &options, err);
	cli_progress_end(&s->progress);
	return rc;
}

int cli_session_close(struct cli_session *s, struct loom_err *err)
{
	cli_progress_end(&s->progress);
	loom_device_close(s->device);
	loom_link_close(&s->link);
	if (s->listens)
		cli_interrupt_end();
	s->listens = false;
	return cli_waveform_end(&s->waveform, s->ran && !s->stopped, err);
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
			loom_topo_channel_name(topo, waiting[i], name);
		used += (size_t)snprintf(err->text + used, sizeof err->text - used, "%s%s",
		                         i ? ", " : "; by name: ", name);
	}
	if (n > WAITING_NAMED && used < sizeof err->text)
		(void)snprintf(err->text + used, sizeof err->text - used, " and %zu more", n - WAITING_NAMED);
	free(waiting);
	return n;
}

// A message that lost its way or its tail may block others while no header waits. The channels that have not carried
// what the plan says then show where it is.
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
		loom_topo_channel_name(&plan->topo, c, name);
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

// Names the messages that have not arrived in a run that was given up.
static void name_missing(struct cli_session *s, const struct loom_plan *plan, const struct loom_image *image,
                         struct loom_err *err)
{
	struct loom_trace trace = {0};
	size_t missing[MISSING_NAMED], n = 0, used = strlen(err->text);
	uint32_t last = 0; // of a free run its last pass: all
	struct loom_err ignored;
	if (loom_device_logs(s->device, image, &last, &trace, &ignored) != 0 ||
	    loom_verdict_missing(missing, MISSING_NAMED, &n, plan, &trace, last, &ignored) != 0)
		n = 0;
	for (size_t i = 0; i < n && i < MISSING_NAMED && used < sizeof err->text; i++) {
		const struct loom_plan_message *m = &plan->messages[missing[i]];
		used += (size_t)snprintf(err->text + used, sizeof err->text - used,
		                         "%smessage %zu (%" PRIu32 " to %" PRIu32 ", pass %" PRIu32 ")",
		                         i ? ", " : "; not arrived: ", missing[i], m->source, m->destination, m->pass);
	}
	if (n > MISSING_NAMED && used < sizeof err->text)
		(void)snprintf(err->text + used, sizeof err->text - used, " and %zu more", n - MISSING_NAMED);
	loom_trace_free(&trace);
}

int cli_session_run(struct cli_session *s, const struct loom_plan *plan, struct loom_trace *trace,
                    struct loom_verdict *verdict, struct loom_err *err)
{
	const struct cli_request *request = s->request;
	const struct loom_image_options image_options = cli_image_options(request);
	struct loom_image image;
	int rc = loom_image_make(&image, plan, loom_device_chip(s->device), &image_options, err);
	if (rc != 0)
		return rc;
	// The watchdog first: it knows of what is stuck for which channels headers wait.
	const struct loom_run_options run_options = {.max_cycles = request->max_cycles ? request->max_cycles
	                                                                               : loom_plan_cycle_limit(plan) +
	                                                                                         image.watchdog_cycles,
	                                             .back_to_back = true};
	cli_progress_init(&s->progress, request);
	if (plan->free_running && loom_plan_cycles(plan) != LOOM_CYCLES_UNKNOWN)
		s->progress.cycles_predicted = loom_plan_cycles(plan);
	loom_device_watch(s->device, cli_progress_watch, &s->progress);
	rc = loom_device_load(s->device, &image, err);
	if (rc == 0) {
		s->ran = true;
		rc = loom_device_run(s->device, &image, &run_options, trace, err);
		if (rc == LOOM_ESTUCK && name_waiting(s, &plan->topo, err) == 0)
			name_short(s, plan, err);
		if (rc == LOOM_ELIMIT) {
			name_missing(s, plan, &image, err);
			if (!plan->free_running)
				name_short(s, plan, err);
		}
	}
	if (rc == LOOM_ETIMEOUT && cli_interrupted()) {
		const struct loom_err why = *err;
		rc = loom_fail(err, LOOM_ETIMEOUT, "interrupted: %.300s", why.text);
		s->stopped = true;
	}
	cli_progress_end(&s->progress);
	loom_image_free(&image);
	return rc == 0 ? loom_verdict_make(verdict, plan, trace, err) : rc;
}
