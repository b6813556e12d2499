// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// A run from end to end, and its parts.
#include <flitloom/run.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/routes/choice.h>
#include <flitloom/routes/via.h>

#include "base/err_add.h"
#include "check/light_loss.h"
#include "links/links.h"
#include "run/run_failing.h"
#include "run/run_streamed.h"

#define CHANNELS_NAMED 4
#define MESSAGES_NAMED 3

// Has the link have routers that send messages as those of the plan go.
static void set_routers(struct loom_link_options *options, const struct loom_plan *plan)
{
	const unsigned rule = plan->n_messages ? plan->messages[0].rule : LOOM_RULE_ASCENDING;
	options->turns = options->turns || rule == LOOM_RULE_TURNS;
	options->adaptive = options->adaptive || (loom_rule_chooses_on(&plan->topo, rule) && rule != LOOM_RULE_TURNS);
	options->via = options->via || loom_rule_has_via(rule);
}

int loom_run_check(const struct loom_plan *plan, const char *link, const struct loom_link_options *options,
                   const struct loom_image_options *image, struct loom_err *err)
{
	struct loom_link_options of_plan = options ? *options : (struct loom_link_options){0};
	struct loom_chip chip;
	of_plan.fabric = plan->topo.name;
	of_plan.topo = &plan->topo;
	set_routers(&of_plan, plan);
	const struct loom_link_kind *kind;
	const char *argument;
	int code = loom_image_check(plan, image, err);
	if (code == 0)
		code = loom_link_expect(&chip, link, &of_plan, err);
	if (code != 0 || chip.kind == 0)
		return code;
	code = loom_image_fits(plan, &chip, image, err);
	if (code == LOOM_EFIT && loom_link_find(&kind, &argument, link, options, NULL) == 0 &&
	    loom_run_streams(plan, &chip, kind->stream != NULL, image))
		code = 0;
	return code;
}

// A simulated chip is known before it is asked. One that says of itself that it checks less would be checked less.
static int check_chip(const struct loom_chip *chip, const char *link, const struct loom_link_options *options,
                      struct loom_err *err)
{
	struct loom_chip expected;
	int code = loom_link_expect(&expected, link, options, err);
	if (code == 0 && expected.kind != 0 && memcmp(&expected, chip, sizeof expected) != 0)
		code = loom_fail(err, LOOM_EHARDWARE,
		                 "the discovery registers behind link %.60s are not those of the chip that it "
		                 "simulates",
		                 link);
	return code;
}

int loom_run_open(struct loom_link *link_out, struct loom_device **device_out, const char *link,
                  const struct loom_link_options *options, struct loom_err *err)
{
	struct loom_link opened = {0};
	struct loom_device *device = NULL;
	int code = loom_link_open(&opened, link, options, err);
	if (code)
		return code;
	struct loom_link before = *link_out;
	*link_out = opened; // the device keeps where it is
	code = loom_device_open(&device, link_out, err);
	if (code == 0)
		code = check_chip(loom_device_chip(device), link, options, err);
	if (code) {
		loom_device_close(device);
		loom_link_close(link_out);
		*link_out = before;
		return code;
	}
	*device_out = device;
	return 0;
}

// --- Why a run was given up: what stands where, by the names that the plan has for it

// Names the channels that headers wait for; returns their number.
static size_t name_waiting(struct loom_device *device, const struct loom_topo *topo, struct loom_err *err)
{
	uint32_t n_channels = loom_topo_channels(topo), *waiting = calloc(n_channels, sizeof *waiting);
	size_t n = 0;
	if (!waiting || loom_device_waiting(device, waiting, n_channels, &n, NULL) != 0)
		n = 0;
	for (size_t i = 0; i < n && i < CHANNELS_NAMED; i++) {
		char name[48] = "";
		if (waiting[i] < n_channels)
			loom_topo_channel_name(topo, waiting[i], name);
		loom_err_add(err, "%s%s", i ? ", " : "; by name: ", name);
	}
	loom_err_add_more(err, n, CHANNELS_NAMED);
	free(waiting);
	return n;
}

// A message that lost its way or its tail may block others although no header waits. The channels whose counts differ
// from the plan then show where it is.
static void name_short(struct loom_device *device, const struct loom_plan *plan, struct loom_err *err)
{
	uint32_t n_channels = loom_topo_channels(&plan->topo), pass = 0;
	struct loom_count *counts = calloc(n_channels, sizeof *counts);
	uint64_t *flits = NULL;
	size_t n = 0;
	if (!counts || loom_device_counts(device, &pass, counts, NULL) != 0 || pass >= plan->n_passes ||
	    loom_plan_flits(&flits, plan, NULL) != 0)
		goto out;
	for (uint32_t c = 0; c < n_channels; c++) {
		uint64_t wanted = flits[(size_t)pass * n_channels + c];
		char name[48];
		if (counts[c].flits == wanted || n++ >= CHANNELS_NAMED)
			continue;
		loom_topo_channel_name(&plan->topo, c, name);
		loom_err_add(err, "%s%s carried %" PRIu32 " of %" PRIu64 " flits", n > 1 ? ", " : "; ", name,
		             counts[c].flits, wanted);
	}
	loom_err_add_more(err, n, CHANNELS_NAMED);
out:
	free(flits);
	free(counts);
}

// Names the link that failed during the run, if messages stand before it.
static void name_failed(struct loom_device *device, const struct loom_plan *plan, const struct loom_image *image,
                        const struct loom_failures *failing, struct loom_err *err)
{
	struct loom_trace trace = {0};
	size_t *missing = calloc(plan->n_messages + 1, sizeof *missing), n = 0;
	uint32_t last = 0;
	if (missing && loom_device_logs(device, image, &last, &trace, NULL) == 0 &&
	    loom_verdict_missing(missing, plan->n_messages, &n, plan, &trace, last, NULL) == 0)
		loom_run_name_failed(plan, failing, missing, n, err);
	free(missing);
	loom_trace_free(&trace);
}

// Names what circuit switches lost.
static void name_lost(struct loom_device *device, const struct loom_topo *topo, struct loom_err *err)
{
	struct loom_light_loss *lost = NULL;
	uint32_t n = 0;
	if (loom_device_lost(device, &lost, &n, NULL) != 0)
		return;
	for (uint32_t on = 0; on < n; on++) {
		char text[LOOM_LIGHT_LOSS_TEXT];
		loom_light_loss_tell(text, topo, on, &lost[on]);
		if (lost[on].flits)
			loom_err_add(err, "; %s", text);
	}
	free(lost);
}

static void name_missing(struct loom_device *device, const struct loom_plan *plan, const struct loom_image *image,
                         struct loom_err *err)
{
	struct loom_trace trace = {0};
	size_t missing[MESSAGES_NAMED], n = 0;
	uint32_t last = 0; // of a free run its last pass: all
	if (loom_device_logs(device, image, &last, &trace, NULL) != 0 ||
	    loom_verdict_missing(missing, MESSAGES_NAMED, &n, plan, &trace, last, NULL) != 0)
		n = 0;
	for (size_t i = 0; i < n && i < MESSAGES_NAMED; i++) {
		const struct loom_plan_message *m = &plan->messages[missing[i]];
		loom_err_add(err, "%smessage %zu (%" PRIu32 " to %" PRIu32 ", pass %" PRIu32 ")",
		             i ? ", " : "; not arrived: ", missing[i], m->source, m->destination, m->pass);
	}
	loom_err_add_more(err, n, MESSAGES_NAMED);
	loom_trace_free(&trace);
}

// Adds to err, the message of a run of this plan that failed with `code`, what the chip reports about it. Other codes than
// LOOM_ESTUCK and LOOM_ELIMIT leave it as it is. err NULL: nothing.
static void add_why(struct loom_device *device, const struct loom_plan *plan, const struct loom_image *image, int code,
                    struct loom_err *err)
{
	if (!err)
		return;
	if (code == LOOM_ESTUCK || code == LOOM_ELIMIT)
		name_lost(device, &plan->topo, err);
	if (code == LOOM_ESTUCK && name_waiting(device, &plan->topo, err) == 0)
		name_short(device, plan, err);
	if (code == LOOM_ELIMIT) {
		name_missing(device, plan, image, err);
		if (!plan->free_running)
			name_short(device, plan, err);
	}
}

// --- The run of a plan, and all of it

// Makes the verdict of what was got, which becomes *trace, or is freed.
static int judge(struct loom_trace *trace, struct loom_verdict *verdict, const struct loom_plan *plan,
                 struct loom_trace *got, struct loom_err *err)
{
	const int code = loom_verdict_make(verdict, plan, got, err);
	if (code == 0)
		*trace = *got;
	else
		loom_trace_free(got);
	return code;
}

static int run_streamed(struct loom_trace *trace, struct loom_verdict *verdict, struct loom_device *device,
                        const struct loom_plan *plan, const struct loom_image_options *image,
                        const struct loom_run_options *run, struct loom_err *err)
{
	struct loom_trace got;
	int code = loom_run_streamed(&got, device, plan, image, run, err);
	if (code)
		return code;
	return judge(trace, verdict, plan, &got, err);
}

int loom_run_plan(struct loom_trace *trace, struct loom_verdict *verdict, struct loom_device *device,
                  const struct loom_plan *plan, const struct loom_image_options *image,
                  const struct loom_run_options *run, struct loom_err *err)
{
	struct loom_run_options options = run ? *run : (struct loom_run_options){0};
	struct loom_image words;
	struct loom_trace got = {0};
	const struct loom_chip *chip = loom_device_chip(device);
	int code = loom_image_make(&words, plan, chip, image, err);
	if (code == LOOM_EFIT && !options.failing &&
	    loom_run_streams(plan, chip, loom_device_stream_possible(device, NULL) == 0, image))
		return run_streamed(trace, verdict, device, plan, image, &options, err);
	if (code)
		return code;
	// The watchdog first: it knows of what is stuck for which channels headers wait.
	if (options.max_cycles == 0)
		options.max_cycles = loom_plan_cycle_limit(plan) + words.watchdog_cycles;
	code = loom_device_load(device, &words, err);
	if (code == 0 && options.failing) {
		options.back_to_back = false;
		code = loom_run_fail_links(device, &plan->topo, options.failing, err);
	}
	if (code == 0) {
		code = loom_device_run(device, &words, &options, &got, err);
		add_why(device, plan, &words, code, err);
		if (err && options.failing && (code == LOOM_ESTUCK || code == LOOM_ELIMIT))
			name_failed(device, plan, &words, options.failing, err);
	}
	loom_image_free(&words);
	if (code == 0)
		return judge(trace, verdict, plan, &got, err);
	loom_trace_free(&got);
	return code;
}

bool loom_run_is_computed(const char *link)
{
	const struct loom_link_kind *kind;
	const char *argument;
	return loom_link_find(&kind, &argument, link, NULL, NULL) == 0 && kind == &loom_link_model;
}

int loom_run_compute(struct loom_trace *trace, struct loom_verdict *verdict, const struct loom_plan *plan,
                     const struct loom_machine_options *options, struct loom_err *err)
{
	struct loom_machine_options with = options ? *options : (struct loom_machine_options){0};
	struct loom_trace got;
	if (with.run.max_cycles == 0)
		with.run.max_cycles = loom_plan_cycle_limit(plan);
	int code = loom_machine_run(&got, plan, &with, err);
	if (code)
		return code;
	return judge(trace, verdict, plan, &got, err);
}

// Opens link and chip, runs the plan on it, and closes both.
static int run_on_chip(struct loom_run *run, const struct loom_run_request *request, const char *spec,
                       const struct loom_link_options *options, struct loom_err *err)
{
	struct loom_link link = {0};
	struct loom_device *device = NULL;
	int code = loom_run_open(&link, &device, spec, options, err);
	if (code == 0)
		code = loom_run_plan(&run->trace, &run->verdict, device, &run->plan, &request->image, &request->run,
		                     err);
	loom_device_close(device);
	loom_link_close(&link);
	return code;
}

static int make_plan(struct loom_plan *out, const struct loom_run_request *request, const struct loom_topo *topo,
                     struct loom_err *err)
{
	uint32_t extent[LOOM_DIMS_MAX];
	struct loom_pattern_options options = request->pattern_options;
	struct loom_pattern pattern;
	if (request->pattern)
		return loom_plan_make(out, topo, request->pattern, request->plan, err);
	if (!request->spec)
		return loom_fail(err, LOOM_EINPUT, "no pattern for %.60s; such as: bit-reverse", topo->name);
	if (options.n_dims == 0) {
		options.n_dims = loom_topo_shape(extent, topo);
		options.extent = extent;
	}
	options.flits += options.flits == 0;
	options.flit_bits = options.flit_bits ? options.flit_bits : topo->flit_bits;
	int code = loom_pattern_parse(&pattern, request->spec, loom_topo_hosts(topo), &options, err);
	if (code)
		return code;
	code = loom_plan_make(out, topo, &pattern, request->plan, err);
	loom_pattern_free(&pattern);
	return code;
}

int loom_run(struct loom_run *out, const struct loom_run_request *request, struct loom_err *err)
{
	const char *spec = request->link ? request->link : "sim";
	struct loom_link_options options = request->link_options;
	struct loom_topo topo = {0};
	struct loom_run run = {0};
	int code = 0;
	if (request->topo)
		loom_topo_copy(&topo, request->topo);
	else if (request->fabric)
		code = loom_topo_parse(&topo, request->fabric, err);
	else
		code = loom_fail(err, LOOM_EINPUT, "no fabric; such as: cube:4");
	if (code == 0)
		code = make_plan(&run.plan, request, &topo, err);
	if (code == 0)
		set_routers(&options, &run.plan);
	if (code == 0)
		code = loom_run_check(&run.plan, spec, &options, &request->image, err);
	options.fabric = topo.name;
	options.topo = &topo;
	const struct loom_machine_options computed = {.image = request->image, .run = request->run};
	if (code == 0)
		code = loom_run_is_computed(spec)
		               ? loom_run_compute(&run.trace, &run.verdict, &run.plan, &computed, err)
		               : run_on_chip(&run, request, spec, &options, err);
	loom_topo_free(&topo);
	if (code)
		loom_run_free(&run);
	else
		*out = run;
	return code;
}

void loom_run_free(struct loom_run *run)
{
	if (!run)
		return;
	loom_verdict_free(&run->verdict);
	loom_trace_free(&run->trace);
	loom_plan_free(&run->plan);
}
