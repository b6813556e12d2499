// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The runs of a point over several seeds: their number, and their results together.
#include <inttypes.h>
#include <stdlib.h>

#include "cli_sweep.h"

uint32_t sweep_load_seeds_most(const struct cli_request *r)
{
	return r->n_seeds ? r->n_seeds : r->precision ? LOOM_PRECISION_MOST : 1;
}

uint32_t sweep_load_pilots_count(const struct sweep *s)
{
	return cli_finds_warmup(s->request);
}

double sweep_load_confidence(const struct cli_request *r)
{
	return r->precision ? LOOM_PRECISION_CONFIDENCE : LOOM_INTERVAL_CONFIDENCE;
}

// --- Figures over runs -----------------------------------------------------------------------------------------------

enum figure {
	LOAD,
	OFFERED,
	ACCEPTED,
	MEAN,
	WITHOUT_WAIT,
	P50,
	P95,
	AT_SOURCE,
	IN_NETWORK,
	WORST_SHARE,
	JAIN,
	P99,
	FINISH,
	FINISH_MEAN,
	REQUEST,
	REPLY,
	WAIT,
	FIGURES
};

static double value_of(const struct loom_load_point *p, enum figure figure)
{
	const double value[FIGURES] = {
		[LOAD] = p->load,
		[OFFERED] = p->offered,
		[ACCEPTED] = p->accepted,
		[MEAN] = p->mean,
		[WITHOUT_WAIT] = p->without_wait,
		[P50] = (double)p->p50,
		[P95] = (double)p->p95,
		[AT_SOURCE] = p->at_source,
		[IN_NETWORK] = p->in_network,
		[WORST_SHARE] = p->worst_share,
		[JAIN] = p->jain,
		[P99] = (double)p->p99,
		[FINISH] = (double)p->finish.cycle,
		[FINISH_MEAN] = p->finish.mean,
		[REQUEST] = p->request.mean,
		[REPLY] = p->reply.mean,
		[WAIT] = p->wait_for_place,
	};
	return value[figure];
}

// Computes a figure's mean over n runs, with its interval. `values` has room for n.
static struct loom_interval over(double *values, const struct sweep_run *runs, uint32_t n, enum figure figure,
                                 double confidence)
{
	struct loom_interval out;
	for (uint32_t i = 0; i < n; i++)
		values[i] = value_of(&runs[i].found.point, figure);
	loom_interval_of(&out, values, n, confidence);
	return out;
}

static uint32_t saturated_count(const struct sweep_run *runs, uint32_t n)
{
	uint32_t n_saturated = 0;
	for (uint32_t i = 0; i < n; i++)
		n_saturated += runs[i].found.point.saturated;
	return n_saturated;
}

// False also if memory runs out: then the runs go on to the limit.
static bool is_narrow(const struct sweep_run *runs, uint32_t n, const struct cli_request *r)
{
	double *values = calloc(n, sizeof *values);
	bool narrow = false;
	if (values) {
		const struct loom_interval mean = over(values, runs, n, MEAN, sweep_load_confidence(r));
		narrow = loom_precision_is_met(&mean, r->precision_part);
	}
	free(values);
	return narrow;
}

// --- Calls of the jobs -----------------------------------------------------------------------------------------------

uint32_t sweep_load_n_runs(const struct sweep *s, const struct sweep_row *row)
{
	const struct cli_request *r = s->request;
	const uint32_t n_pilots = sweep_load_pilots_count(s), most = sweep_load_seeds_most(r);
	if (row->n_runs < n_pilots)
		return n_pilots;
	const uint32_t n = row->n_runs - n_pilots;
	const struct sweep_run *runs = row->runs ? row->runs + n_pilots : NULL;
	if (n > 0 && (!r->precision || saturated_count(runs, n) > 0 || is_narrow(runs, n, r)))
		return row->n_runs;
	const uint32_t next = r->precision ? loom_precision_next(n) : most;
	return n_pilots + (next < most ? next : most);
}

// Adds a run to the counts of the row, and its first difference.
static void add_run(struct sweep_row *row, const struct sweep_run *run, uint64_t seed)
{
	struct loom_load_point *sum = &row->point;
	const struct loom_load_point *p = &run->found.point;
	const bool is_first = sum->n_cycles == 0;
	sum->saturated = sum->saturated || p->saturated;
	sum->n_measured += p->n_measured;
	sum->n_messages += p->n_messages;
	sum->n_cycles += p->n_cycles;
	sum->least = is_first || p->least < sum->least ? p->least : sum->least;
	sum->most = p->most > sum->most ? p->most : sum->most;
	sum->request.most = p->request.most > sum->request.most ? p->request.most : sum->request.most;
	sum->reply.most = p->reply.most > sum->reply.most ? p->reply.most : sum->reply.most;
	sum->finish.n_flits += p->finish.n_flits;
	sum->finish.least = is_first || p->finish.least < sum->finish.least ? p->finish.least : sum->finish.least;
	if (run->found.n_mismatches && !row->n_mismatches)
		(void)snprintf(row->reason, sizeof row->reason, "seed %" PRIu64 ": %.160s", seed, run->found.reason);
	row->n_mismatches += run->found.n_mismatches;
}

static bool sum_up_seeds(const struct sweep *s, struct sweep_row *row, const struct sweep_run *runs, uint32_t n)
{
	const struct cli_request *r = s->request;
	const double confidence = sweep_load_confidence(r);
	struct sweep_load *all = &row->over_seeds;
	double *values = calloc(n, sizeof *values);
	if (!values)
		return false;
	row->point = (struct loom_load_point){.saturated = false};
	for (uint32_t i = 0; i < n; i++)
		add_run(row, &runs[i], r->seed + i);
	*all = (struct sweep_load){.n = n,
	                           .n_saturated = saturated_count(runs, n),
	                           .load = over(values, runs, n, LOAD, confidence),
	                           .accepted = over(values, runs, n, ACCEPTED, confidence),
	                           .mean = over(values, runs, n, MEAN, confidence),
	                           .p50 = over(values, runs, n, P50, confidence),
	                           .p95 = over(values, runs, n, P95, confidence),
	                           .p99 = over(values, runs, n, P99, confidence),
	                           .at_source = over(values, runs, n, AT_SOURCE, confidence),
	                           .in_network = over(values, runs, n, IN_NETWORK, confidence),
	                           .worst_share = over(values, runs, n, WORST_SHARE, confidence),
	                           .jain = over(values, runs, n, JAIN, confidence),
	                           .finish = over(values, runs, n, FINISH, confidence)};
	row->point.request.mean = over(values, runs, n, REQUEST, confidence).mean;
	row->point.reply.mean = over(values, runs, n, REPLY, confidence).mean;
	row->point.wait_for_place = over(values, runs, n, WAIT, confidence).mean;
	row->point.finish.mean = over(values, runs, n, FINISH_MEAN, confidence).mean;
	row->point.load = all->load.mean;
	row->point.offered = over(values, runs, n, OFFERED, confidence).mean;
	row->point.accepted = all->accepted.mean;
	row->point.mean = all->mean.mean;
	row->point.without_wait = over(values, runs, n, WITHOUT_WAIT, confidence).mean;
	row->point.at_source = all->at_source.mean;
	row->point.in_network = all->in_network.mean;
	row->point.worst_share = all->worst_share.mean;
	row->point.jain = all->jain.mean;
	all->warmup = sweep_load_pilots_count(s)
	                      ? row->runs[0].found.warmup
	                      : (struct loom_load_warmup){.cycles = r->warmup_cycles, .steady = true};
	all->settled = all->warmup.steady && !row->cut_short &&
	               (!r->precision || loom_precision_is_met(&all->mean, r->precision_part));
	free(values);
	return true;
}

static bool merge_groups(const struct sweep *s, struct sweep_row *row, const struct sweep_run *runs, uint32_t n)
{
	bool good = true;
	if (!s->request->by)
		return true;
	loom_load_groups_free(&row->groups);
	row->groups = sweep_by_none(s->request);
	for (uint32_t i = 0; good && i < n; i++)
		good = loom_load_groups_merge(&row->groups, &runs[i].groups, NULL) == 0;
	loom_load_groups_sort(&row->groups);
	return good;
}

bool sweep_load_sum_up(const struct sweep *s, struct sweep_row *row, uint32_t n)
{
	const uint32_t n_pilots = sweep_load_pilots_count(s), least = cli_replicates(s->request) ? 2 : 1;
	if (n < n_pilots + least)
		return false;
	if (!merge_groups(s, row, row->runs + n_pilots, n - n_pilots))
		return false;
	if (least > 1)
		return sum_up_seeds(s, row, row->runs + n_pilots, n - n_pilots);
	const struct sweep_found *found = &row->runs[0].found;
	row->point = found->point;
	row->n_mismatches = found->n_mismatches;
	(void)snprintf(row->reason, sizeof row->reason, "%s", found->reason);
	return true;
}
