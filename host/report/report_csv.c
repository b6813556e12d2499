// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes tables for a spreadsheet (RFC 4180, lines end in a newline). docs/results.md describes the columns.
#include <inttypes.h>
#include <stdlib.h>

#include <flitloom/report.h>

#include "base/file.h"
#include "base/text.h"
#include "check/due.h"
#include "check/offered.h"
#include "report/report_state.h"

// Writes a cell; an unknown value is an empty cell.
static void put_number(FILE *stream, bool known, uint64_t number)
{
	if (known)
		(void)fprintf(stream, ",%" PRIu64, number);
	else
		(void)fputc(',', stream);
}

// --- Messages ------------------------------------------------------------------------------------------------------

struct messages {
	const struct loom_plan *plan;
	const struct loom_fate *fates; // NULL: nothing was measured
	struct loom_due due;           // owned
};

// Writes the cells that come from the nodes' logs of a message, from "offered" on.
static void put_measured(FILE *stream, const struct loom_plan *plan, const struct loom_plan_message *m,
                         const struct loom_fate *f)
{
	const bool known = f->earliest != 0 && f->earliest == f->latest;
	const bool done = known && f->arrival && f->arrival->last_cycle >= f->earliest;
	uint64_t waited = 0;
	put_number(stream, known, f->earliest);
	put_number(stream, f->arrival != NULL, f->arrival ? f->arrival->first_cycle : 0);
	put_number(stream, f->arrival != NULL, f->arrival ? f->arrival->last_cycle : 0);
	const bool in_time = loom_fate_waited(&waited, f);
	put_number(stream, in_time, waited);
	(void)fprintf(stream, ",%s", loom_report_state(plan, m, f));
	put_number(stream, f->earliest != 0, f->earliest);
	put_number(stream, f->latest != 0, f->latest);
	put_number(stream, done, done ? f->arrival->last_cycle - f->earliest + 1 : 0);
}

static void put_predicted(FILE *stream, const struct messages *all, size_t i)
{
	uint64_t waited = 0;
	const bool known = loom_due_waited(&waited, &all->due, all->plan, i);
	const struct loom_machine_times *times = known ? &all->due.times[i] : &(struct loom_machine_times){0};
	put_number(stream, known, times->offered);
	put_number(stream, known, times->header);
	put_number(stream, known, times->tail);
	put_number(stream, known, waited);
}

static int put_messages(FILE *stream, const void *user)
{
	const struct messages *all = user;
	const struct loom_plan *plan = all->plan;
	const bool has_vias = loom_plan_has_vias(plan);
	(void)fprintf(
		stream,
		"message,pass,source,destination,source_node,destination_node,flits,hops,offered,header,tail,waited,"
		"state,offered_earliest,offered_latest,latency,predicted_offered,predicted_header,predicted_tail,"
		"predicted_waited%s\n",
		has_vias ? ",via" : "");
	for (size_t i = 0; i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		const bool sent = loom_plan_uses_network(plan, m);
		(void)fprintf(stream,
		              "%zu,%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32, i,
		              m->pass, m->source, m->destination, plan->map[m->source], plan->map[m->destination],
		              m->flits, sent ? loom_plan_route_length(plan, i) - 2 : 0);
		if (all->fates)
			put_measured(stream, plan, m, &all->fates[i]);
		else
			(void)fprintf(stream, ",,,,,%s,,,", sent ? "" : "local");
		put_predicted(stream, all, i);
		if (has_vias)
			put_number(stream, sent, m->via);
		(void)fputc('\n', stream);
	}
	return 0;
}

// trace NULL: nothing was measured.
static int write_messages(const char *path, const struct loom_plan *plan, const struct loom_trace *trace,
                          enum loom_machine machine, struct loom_err *err)
{
	struct loom_fate *fates = NULL;
	struct messages all = {.plan = plan};
	int code = trace ? loom_offered_make(&fates, plan, trace, err) : 0;
	if (code == 0)
		code = loom_due_predict(&all.due, plan, machine, err);
	all.fates = fates;
	if (code == 0)
		code = loom_file_write(path, put_messages, &all, err);
	loom_due_free(&all.due);
	free(fates);
	return code;
}

int loom_report_messages(const char *path, const struct loom_plan *plan, const struct loom_trace *trace,
                         struct loom_err *err)
{
	return write_messages(path, plan, trace, trace->machine, err);
}

int loom_report_predicted_messages(const char *path, const struct loom_plan *plan, enum loom_machine machine,
                                   struct loom_err *err)
{
	return write_messages(path, plan, NULL, machine, err);
}

// --- Channels ------------------------------------------------------------------------------------------------------

struct channels {
	const struct loom_plan *plan;
	const struct loom_trace *trace; // NULL: nothing was measured
	struct loom_due due;            // owned
	uint64_t *flits;                // owned: by the routes
};

static void put_channel(FILE *stream, const struct channels *all, uint32_t pass, uint32_t c)
{
	const struct loom_topo *topo = &all->plan->topo;
	const size_t at = (size_t)pass * loom_topo_channels(topo) + c;
	const bool measured = all->trace != NULL, known = loom_due_is_known(&all->due);
	const struct loom_count *n = measured ? &all->trace->counts[at] : &(struct loom_count){0};
	char name[48], group[16];
	loom_topo_channel_name(topo, c, name);
	loom_topo_group_name(topo, loom_topo_group_of(topo, c), group);
	(void)fprintf(stream, "%" PRIu32 ",", pass);
	loom_text_put_csv(stream, name);
	(void)fputc(',', stream);
	loom_text_put_csv(stream, group);
	put_number(stream, measured, n->worms);
	put_number(stream, measured, n->flits);
	put_number(stream, measured, n->blocked_cycles);
	const struct loom_count *chosen = all->plan->most && known ? &all->due.trace.counts[at] : NULL;
	put_number(stream, chosen || !all->plan->most, chosen ? chosen->worms : all->plan->load[at]);
	put_number(stream, chosen || !all->plan->most, chosen ? chosen->flits : all->flits[at]);
	put_number(stream, known, known ? all->due.trace.counts[at].blocked_cycles : 0);
	(void)fputc('\n', stream);
}

static int put_channels(FILE *stream, const void *user)
{
	const struct channels *all = user;
	const struct loom_topo *topo = &all->plan->topo;
	(void)fputs("pass,channel,group,messages,flits,blocked,predicted_messages,predicted_flits,predicted_blocked\n",
	            stream);
	for (uint32_t pass = 0; pass < all->plan->n_passes; pass++)
		for (uint32_t c = 0; c < loom_topo_channels(topo); c++)
			if (loom_topo_channel_exists(topo, c))
				put_channel(stream, all, pass, c);
	return 0;
}

static int write_channels(const char *path, const struct loom_plan *plan, const struct loom_trace *trace,
                          enum loom_machine machine, struct loom_err *err)
{
	struct channels all = {.plan = plan, .trace = trace};
	int code = loom_plan_flits(&all.flits, plan, err);
	if (code == 0)
		code = loom_due_predict(&all.due, plan, machine, err);
	if (code == 0)
		code = loom_file_write(path, put_channels, &all, err);
	loom_due_free(&all.due);
	free(all.flits);
	return code;
}

int loom_report_channels(const char *path, const struct loom_plan *plan, const struct loom_trace *trace,
                         struct loom_err *err)
{
	const uint32_t n_channels = loom_topo_channels(&plan->topo);
	if (trace->n_channels != n_channels || trace->n_passes != plan->n_passes)
		return loom_fail(err, LOOM_EINTERNAL,
		                 "the trace has %" PRIu32 " channels and %" PRIu32 " passes, the plan %" PRIu32
		                 " and %" PRIu32,
		                 trace->n_channels, trace->n_passes, n_channels, plan->n_passes);
	return write_channels(path, plan, trace, trace->machine, err);
}

int loom_report_predicted_channels(const char *path, const struct loom_plan *plan, enum loom_machine machine,
                                   struct loom_err *err)
{
	return write_channels(path, plan, NULL, machine, err);
}
