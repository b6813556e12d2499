// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Tables for a spreadsheet (RFC 4180, lines end in a newline). docs/results.md says what the columns are.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/report.h>

#include "base/file.h"
#include "base/text.h"
#include "check/offered.h"

// An empty cell is what is not known.
static void put_cycle(FILE *stream, bool known, uint64_t cycle)
{
	if (known)
		(void)fprintf(stream, ",%" PRIu64, cycle);
	else
		(void)fputc(',', stream);
}

// --- Messages ------------------------------------------------------------------------------------------------------

struct messages {
	const struct loom_plan *plan;
	const struct loom_fate *fates;
};

// The state of a message, in a word: the first that holds.
static const char *state_of(const struct loom_plan *plan, const struct loom_plan_message *m, const struct loom_fate *f)
{
	if (!loom_plan_uses_network(plan, m))
		return "local";
	return !f->arrival                                     ? "missing"
	       : f->n_arrived > 1                              ? "repeated"
	       : f->arrival->node != plan->map[m->destination] ? "elsewhere"
	       : f->arrival->flits != m->flits                 ? "cut"
	       : !f->arrival->intact                           ? "corrupt"
	                                                       : "delivered";
}

// The arrival of a header that is offered when this one was, at the latest, and waits nowhere.
static uint64_t earliest_arrival(const struct loom_fate *f)
{
	return f->latest + f->hops + 1 + f->delay;
}

static bool arrives_in_time(const struct loom_fate *f)
{
	return f->arrival && f->earliest != 0 && f->earliest == f->latest &&
	       f->arrival->first_cycle >= earliest_arrival(f);
}

static int put_messages(FILE *stream, const void *user)
{
	const struct messages *all = user;
	const struct loom_plan *plan = all->plan;
	(void)fputs(
		"message,pass,source,destination,source_node,destination_node,flits,hops,offered,header,tail,waited,"
		"state,offered_earliest,offered_latest,latency\n",
		stream);
	for (size_t i = 0; i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		const struct loom_fate *f = &all->fates[i];
		bool known = f->earliest != 0 && f->earliest == f->latest;
		(void)fprintf(stream, "%zu,%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%u",
		              i, m->pass, m->source, m->destination, plan->map[m->source], plan->map[m->destination],
		              m->flits, f->hops);
		put_cycle(stream, known, f->earliest);
		put_cycle(stream, f->arrival != NULL, f->arrival ? f->arrival->first_cycle : 0);
		put_cycle(stream, f->arrival != NULL, f->arrival ? f->arrival->last_cycle : 0);
		put_cycle(stream, arrives_in_time(f),
		          arrives_in_time(f) ? f->arrival->first_cycle - earliest_arrival(f) : 0);
		(void)fprintf(stream, ",%s", state_of(plan, m, f));
		put_cycle(stream, f->earliest != 0, f->earliest);
		put_cycle(stream, f->latest != 0, f->latest);
		bool done = known && f->arrival && f->arrival->last_cycle >= f->earliest;
		put_cycle(stream, done, done ? f->arrival->last_cycle - f->earliest + 1 : 0);
		(void)fputc('\n', stream);
	}
	return 0;
}

int loom_report_messages(const char *path, const struct loom_plan *plan, const struct loom_trace *trace,
                         struct loom_err *err)
{
	struct loom_fate *fates = NULL;
	int rc = loom_offered_make(&fates, plan, trace, err);
	if (rc != 0)
		return rc;
	const struct messages all = {plan, fates};
	rc = loom_file_write(path, put_messages, &all, err);
	free(fates);
	return rc;
}

// --- Channels ------------------------------------------------------------------------------------------------------

struct channels {
	const struct loom_topo *topo;
	const struct loom_trace *trace;
};

static int put_channels(FILE *stream, const void *user)
{
	const struct channels *all = user;
	const struct loom_topo *topo = all->topo;
	(void)fputs("pass,channel,group,messages,flits,blocked\n", stream);
	for (uint32_t pass = 0; pass < all->trace->n_passes; pass++)
		for (uint32_t c = 0; c < all->trace->n_channels; c++) {
			const struct loom_count *n = &all->trace->counts[(size_t)pass * all->trace->n_channels + c];
			char name[48], group[16];
			if (!loom_topo_channel_exists(topo, c))
				continue;
			loom_topo_channel_name(topo, c, name);
			loom_topo_group_name(topo, loom_topo_group_of(topo, c), group);
			(void)fprintf(stream, "%" PRIu32 ",", pass);
			loom_text_put_csv(stream, name);
			(void)fputc(',', stream);
			loom_text_put_csv(stream, group);
			(void)fprintf(stream, ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 "\n", n->worms, n->flits,
			              n->blocked_cycles);
		}
	return 0;
}

int loom_report_channels(const char *path, const struct loom_plan *plan, const struct loom_trace *trace,
                         struct loom_err *err)
{
	const struct channels all = {&plan->topo, trace};
	if (trace->n_channels != loom_topo_channels(&plan->topo))
		return loom_fail(err, LOOM_EINTERNAL, "the trace has %" PRIu32 " channels, the plan's fabric %" PRIu32,
		                 trace->n_channels, loom_topo_channels(&plan->topo));
	return loom_file_write(path, put_channels, &all, err);
}
