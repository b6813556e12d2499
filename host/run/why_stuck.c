// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Says of a run that was given up what stands where, by the names that the plan has for it.
#include "run/why_stuck.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/verdict.h>

#define CHANNELS_NAMED 4
#define MESSAGES_NAMED 3

// Adds to the message, as far as there is room.
static void add(struct loom_err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add(struct loom_err *err, const char *format, ...)
{
	size_t used = strlen(err->text);
	va_list arguments;
	va_start(arguments, format);
	(void)vsnprintf(err->text + used, sizeof err->text - used, format, arguments);
	va_end(arguments);
}

static void add_more(struct loom_err *err, size_t n, size_t n_named)
{
	if (n > n_named)
		add(err, " and %zu more", n - n_named);
}

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
		add(err, "%s%s", i ? ", " : "; by name: ", name);
	}
	add_more(err, n, CHANNELS_NAMED);
	free(waiting);
	return n;
}

// A message that lost its way or its tail may block others while no header waits. The channels that have not carried
// what the plan says then show where it is.
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
		add(err, "%s%s carried %" PRIu32 " of %" PRIu64 " flits", n > 1 ? ", " : "; ", name, counts[c].flits,
		    wanted);
	}
	add_more(err, n, CHANNELS_NAMED);
out:
	free(flits);
	free(counts);
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
		add(err, "%smessage %zu (%" PRIu32 " to %" PRIu32 ", pass %" PRIu32 ")",
		    i ? ", " : "; not arrived: ", missing[i], m->source, m->destination, m->pass);
	}
	add_more(err, n, MESSAGES_NAMED);
	loom_trace_free(&trace);
}

void loom_why_stuck(struct loom_device *device, const struct loom_plan *plan, const struct loom_image *image, int code,
                    struct loom_err *err)
{
	if (!err)
		return;
	if (code == LOOM_ESTUCK && name_waiting(device, &plan->topo, err) == 0)
		name_short(device, plan, err);
	if (code == LOOM_ELIMIT) {
		name_missing(device, plan, image, err);
		if (!plan->free_running)
			name_short(device, plan, err);
	}
}
