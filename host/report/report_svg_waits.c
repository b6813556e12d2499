// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "report/report_svg_waits.h"

#include <inttypes.h>
#include <stdlib.h>

#include <flitloom/verdict.h>

int loom_svg_programs_end(uint64_t *end, const struct loom_panel *panel, struct loom_err *err)
{
	struct loom_verdict verdict;
	const int code = loom_verdict_make(&verdict, panel->plan, panel->trace, err);
	if (code)
		return code;
	*end = verdict.measured_cycles;
	loom_verdict_free(&verdict);
	return 0;
}

int loom_svg_waits_make(struct loom_svg_waits *out, const struct loom_panel *panel)
{
	const struct loom_trace *trace = panel->trace;
	*out = (struct loom_svg_waits){.panel = panel};
	const int code = loom_due_predict(&out->due, panel->plan, trace ? trace->machine : panel->machine, NULL);
	if (code)
		out->due.stuck.code = code;
	const int seen = code != LOOM_ENOMEM && trace ? loom_offered_make(&out->fates, panel->plan, trace, NULL) : 0;
	if (code == LOOM_ENOMEM || seen == LOOM_ENOMEM)
		return LOOM_ENOMEM;
	const int ended = trace && panel->plan->timing ? loom_svg_programs_end(&out->programs_end, panel, NULL) : 0;
	return ended == LOOM_ENOMEM ? ended : 0;
}

void loom_svg_waits_free(struct loom_svg_waits *waits)
{
	loom_due_free(&waits->due);
	free(waits->fates);
	*waits = (struct loom_svg_waits){0};
}

// Cycles that somebody waited, or is to wait; NULL: it is not known.
static void put(FILE *stream, const char *who, const uint64_t *measured, const uint64_t *predicted)
{
	const uint64_t *first = measured ? measured : predicted;
	if (!first || (*first == 0 && (!predicted || *predicted == 0)))
		return;
	(void)fprintf(stream, "; %s%" PRIu64 " cycle%s", who, *first, *first == 1 ? "" : "s");
	if (measured && predicted && *measured != *predicted)
		(void)fprintf(stream, ", predicted %" PRIu64, *predicted);
}

static uint64_t blocked(const struct loom_plan *plan, const struct loom_trace *trace, const uint32_t *pass,
                        uint32_t channel)
{
	if (pass || plan->free_running)
		return loom_trace_blocked(trace, plan, pass ? *pass : 0, channel);
	uint64_t sum = 0;
	for (uint32_t p = 0; p < plan->n_passes; p++)
		sum += loom_trace_blocked(trace, plan, p, channel);
	return sum;
}

void loom_svg_waits_channel(FILE *stream, const struct loom_svg_waits *waits, const uint32_t *pass, uint32_t channel)
{
	const struct loom_plan *plan = waits->panel->plan;
	const struct loom_trace *trace = waits->panel->trace;
	const bool known = loom_due_is_known(&waits->due);
	const uint64_t measured = trace ? blocked(plan, trace, pass, channel) : 0;
	const uint64_t predicted = known ? blocked(plan, &waits->due.trace, pass, channel) : 0;
	put(stream, trace ? "headers waited " : "headers wait ", trace ? &measured : NULL, known ? &predicted : NULL);
}

void loom_svg_waits_message(FILE *stream, const struct loom_svg_waits *waits, size_t i)
{
	const struct loom_plan *plan = waits->panel->plan;
	uint64_t measured = 0, predicted = 0;
	const bool seen = waits->fates && loom_fate_waited(&measured, &waits->fates[i]);
	const bool known = loom_due_waited(&predicted, &waits->due, plan, i);
	put(stream,
	    seen                  ? "waited "
	    : waits->panel->trace ? "predicted to wait "
	                          : "waits ",
	    seen ? &measured : NULL, known ? &predicted : NULL);
}
