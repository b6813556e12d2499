// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "report/report_html_data.h"

#include <inttypes.h>
#include <string.h>

#include "report/report_state.h"

static bool is_as_predicted(const struct loom_html_data *d, size_t i)
{
	const struct loom_fate *f = &d->fates[i];
	if (!loom_plan_uses_network(d->plan, &d->plan->messages[i]))
		return true;
	if (!loom_due_is_known(&d->due) || !f->arrival ||
	    strcmp(loom_report_state(d->plan, &d->plan->messages[i], f), "delivered") != 0)
		return false;
	return f->arrival->first_cycle == d->due.times[i].header && f->arrival->last_cycle == d->due.times[i].tail;
}

// True if any message differs from its prediction.
static bool put_measured_messages(const struct loom_html_data *d)
{
	bool first = true;
	(void)fputs(",\"m\":[", d->stream);
	for (size_t i = 0; i < d->plan->n_messages; i++) {
		const struct loom_fate *f = &d->fates[i];
		if (is_as_predicted(d, i))
			continue;
		(void)fprintf(d->stream, "%s[%zu,\"%s\",", first ? "" : ",", i,
		              loom_report_state(d->plan, &d->plan->messages[i], f));
		first = false;
		if (f->earliest != 0 && f->earliest == f->latest)
			(void)fprintf(d->stream, "%" PRIu64, f->earliest);
		else
			(void)fputs("null", d->stream);
		if (f->arrival)
			(void)fprintf(d->stream, ",%" PRIu32 ",%" PRIu32 "]", f->arrival->first_cycle,
			              f->arrival->last_cycle);
		else
			(void)fputs(",null,null]", d->stream);
	}
	(void)fputc(']', d->stream);
	return !first;
}

static void put_measured_channels(const struct loom_html_data *d)
{
	const struct loom_trace *trace = d->panel->trace;
	bool first = true;
	(void)fputs(",\"c\":[", d->stream);
	for (size_t at = 0; at < (size_t)trace->n_passes * trace->n_channels; at++) {
		const struct loom_count *n = &trace->counts[at];
		const uint32_t place = d->ways.place[at % trace->n_channels];
		const bool known = loom_due_is_known(&d->due);
		const uint32_t blocked = known ? d->due.trace.counts[at].blocked_cycles : n->blocked_cycles;
		if (place == UINT32_MAX || (n->worms == d->plan->load[at] && n->flits == d->flits[at] &&
		                            n->blocked_cycles == blocked && (known || blocked == 0)))
			continue;
		(void)fprintf(d->stream, "%s[%zu,%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 "]", first ? "" : ",",
		              at / trace->n_channels, place, n->worms, n->flits, n->blocked_cycles);
		first = false;
	}
	(void)fputc(']', d->stream);
}

// Puts the cycle of the last tail of each pass.
static void put_last(const struct loom_html_data *d)
{
	const uint32_t n = d->plan->free_running ? 1 : d->plan->n_passes;
	(void)fputs(",\"last\":[", d->stream);
	for (uint32_t pass = 0; pass < n; pass++) {
		uint32_t last = 0;
		for (size_t i = 0; i < d->plan->n_messages; i++) {
			const struct loom_arrival *a = d->fates[i].arrival;
			if (a && (d->plan->free_running || d->plan->messages[i].pass == pass) && a->last_cycle > last)
				last = a->last_cycle;
		}
		(void)fprintf(d->stream, "%s%" PRIu32, pass ? "," : "", last);
	}
	(void)fputc(']', d->stream);
}

void loom_html_put_measured(const struct loom_html_data *d)
{
	if (put_measured_messages(d))
		put_last(d);
	put_measured_channels(d);
}
