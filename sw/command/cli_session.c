// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// A chip behind a link, and plans run on it.
#include <stdio.h>
#include <string.h>

#include "cli.h"
#include "cli_session.h"
#include "cli_terminal.h"

struct loom_image_options cli_image_options(const struct cli_request *request)
{
	return (struct loom_image_options){.machine = request->machine,
	                                   .seed = request->seed,
	                                   .schedule = request->schedule,
	                                   .preset = request->preset};
}

// Adds to an error of the link sim that the machine could run it.
static void suggest_model(const struct cli_request *request, struct loom_err *err)
{
	const size_t used = strlen(err->text);
	if (request->n_checked) // it already computes
		(void)snprintf(err->text + used, sizeof err->text - used, "; without --check-on no RTL is run");
	else if (strcmp(request->link, "sim") == 0)
		(void)snprintf(err->text + used, sizeof err->text - used, "; --link model computes it, without RTL");
}

int cli_session_check(const struct cli_request *request, const struct loom_plan *plan, struct loom_err *err)
{
	const struct loom_image_options image = cli_image_options(request);
	int rc = loom_run_check(plan, request->link, NULL, &image, err);
	if (rc != 0 && loom_run_check(plan, "model", NULL, &image, NULL) == 0)
		suggest_model(request, err);
	return rc;
}

// Finds the links that fail during the run; *fails: there are some.
static int session_failing(struct loom_failures *out, bool *fails, const struct cli_request *request,
                           const struct loom_topo *topo, struct loom_err *err)
{
	struct loom_failure_facts failed;
	*fails = false;
	if (!request->fail || request->command->bit != CLI_OF_RUN || loom_topo_failure_facts(&failed, topo))
		return 0;
	struct loom_err why = {0};
	int rc = loom_failures_parse(out, topo, request->fail, &why);
	*fails = rc == 0 && out->in_cycle > 0;
	return rc == 0 ? 0 : loom_fail(err, rc, "--fail: %.300s", why.text);
}

int cli_session_open(struct cli_session *s, const struct cli_request *request, const struct loom_topo *topo,
                     unsigned rule, struct loom_err *err)
{
	s->request = request;
	cli_progress_init(&s->progress, request);
	s->computed = loom_run_is_computed(request->link);
	s->is_open = true;
	bool window = cli_given(request, CLI_TRACE_FROM) || cli_given(request, CLI_TRACE_CYCLES);
	if (window && !request->trace)
		return loom_fail(
			err, LOOM_EINPUT,
			"--trace-from, --trace-cycles: they choose what --trace records, and there is no --trace");
	if (s->computed && request->trace)
		return loom_fail(
			err, LOOM_EINPUT,
			"--trace: link model runs no routers whose signals a waveform could show; --link sim does");
	if (s->computed && cli_given(request, CLI_TIMEOUT))
		return loom_fail(err, LOOM_EINPUT, "--timeout: link model has no line that could stand still");
	int rc = cli_waveform_begin(&s->waveform, request->trace, err);
	s->waveform.from = window ? request->trace_from : 0;
	if (rc != 0)
		return rc;
	cli_interrupt_begin(); // within the waveform's handlers, to which a second signal is left
	s->listens = true;
	if (s->computed)
		return 0;
	bool fails;
	rc = session_failing(&s->failing, &fails, request, topo, err);
	if (rc != 0)
		return rc;
	const struct loom_link_options options = {.fabric = topo->name,
	                                          .topo = topo,
	                                          .failing = fails,
	                                          .turns = rule == LOOM_RULE_TURNS,
	                                          .adaptive = loom_rule_chooses_on(topo, rule),
	                                          .via = loom_rule_has_via(rule),
	                                          .trace_file = s->waveform.temporary,
	                                          .trace_from = window ? request->trace_from : 0,
	                                          .trace_cycles = window ? request->trace_cycles : 0,
	                                          .timeout_ms = request->timeout_ms,
	                                          .progress = cli_progress_model,
	                                          .user = &s->progress};
	rc = loom_run_open(&s->link, &s->device, request->link, &options, err);
	cli_progress_end(&s->progress);
	if (rc != 0 && !cli_interrupted())
		suggest_model(request, err);
	return rc;
}

int cli_session_close(struct cli_session *s, struct loom_err *err)
{
	cli_progress_end(&s->progress);
	loom_device_close(s->device);
	loom_link_close(&s->link);
	loom_failures_free(&s->failing);
	if (s->listens)
		cli_interrupt_end();
	s->listens = s->is_open = false;
	return cli_waveform_end(&s->waveform, s->ran && !s->stopped, err);
}

// The first look at a run comes as soon as the plan is loaded.
static bool watch(void *session, const struct loom_progress *progress)
{
	struct cli_session *s = session;
	s->ran = s->ran || progress->stage == LOOM_STAGE_RUN;
	return cli_progress_watch(&s->progress, progress);
}

int cli_session_run(struct cli_session *s, const struct loom_plan *plan, struct loom_trace *trace,
                    struct loom_verdict *verdict, struct loom_err *err)
{
	const struct loom_image_options image = cli_image_options(s->request);
	const struct loom_run_options run = {.max_cycles = s->request->max_cycles,
	                                     .back_to_back = true,
	                                     .failing = s->failing.in_cycle ? &s->failing : NULL};
	cli_progress_init(&s->progress, s->request);
	if (plan->free_running && loom_plan_cycles(plan) != LOOM_CYCLES_UNKNOWN)
		s->progress.cycles_predicted = loom_plan_cycles(plan);
	int rc;
	if (s->computed) {
		const struct loom_machine_options options = {.image = image, .run = run, .watch = watch, .user = s};
		rc = loom_run_compute(trace, verdict, plan, &options, err);
	} else {
		loom_device_watch(s->device, watch, s);
		rc = loom_run_plan(trace, verdict, s->device, plan, &image, &run, err);
	}
	if (rc == LOOM_ETIMEOUT && cli_interrupted()) {
		const struct loom_err why = *err;
		rc = loom_fail(err, LOOM_ETIMEOUT, "interrupted: %.300s", why.text);
		s->stopped = true;
	}
	cli_progress_end(&s->progress);
	return rc;
}
