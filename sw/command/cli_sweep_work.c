// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Estimates how long the rows of a sweep take, and starts the longest first, so that no long row starts when all others
// are done. Rows are still reported in their own order.
#include <flitloom/routes/failures.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli_sweep.h"

// The unit is a message that crosses a channel in a model.
#define WORK_OF_CYCLE 4.0      // a node of the RTL in a cycle
#define PART_IF_FULL (1.0 / 8) // a load that the channels cannot carry is recognised this early
#define PAIRS 16u

// Computes how many channels a message crosses, on average over a few pairs of nodes. Ignores failures.
static double mean_hops(const struct sweep_curve *c)
{
	struct loom_failure_facts failed;
	const struct loom_topo *topo = loom_topo_failure_facts(&failed, &c->topo) ? failed.whole : &c->topo;
	const uint32_t n = loom_topo_hosts(topo);
	uint64_t sum = 0;
	for (uint32_t k = 0; k < PAIRS; k++) {
		const uint32_t from = (uint32_t)((uint64_t)k * n / PAIRS), to = (from + k * 7919u + 1) % n;
		sum += loom_route_length(topo, from, to, LOOM_RULE_ASCENDING);
	}
	return (double)sum / PAIRS;
}

static double mean_flits(const struct cli_request *r)
{
	return r->lengths_text ? loom_lengths_mean(&r->lengths) : r->flits;
}

// Estimates a load or a batch: computed, or a part of it on the RTL.
static double work_of_load(const struct sweep *s, const struct sweep_row *row)
{
	const struct cli_request *r = s->request;
	const struct sweep_curve *c = row->curve;
	const double nodes = loom_topo_hosts(&c->topo), cycles = (double)(r->warmup_cycles + r->measure_cycles),
		     most = isnan(c->capacity) ? 1 : c->capacity, load = row->load > 0 ? row->load : most / 2,
		     messages = r->batch ? nodes * (double)r->batch : nodes * cycles * load / mean_flits(r),
		     computed = messages * mean_hops(c),
		     on_rtl = c->topo.n_nodes * (r->batch ? (double)r->batch * mean_flits(r) / most : cycles) *
	                      WORK_OF_CYCLE;
	const double work = (loom_run_is_computed(r->link) ? computed : on_rtl) + (row->is_checked ? on_rtl : 0);
	return load > most && !r->batch ? work * PART_IF_FULL : work;
}

static double work_of_size(const struct sweep_row *row)
{
	const double flits = (double)row->size.planned_flits;
	return row->is_checked ? flits * (1 + WORK_OF_CYCLE) : flits;
}

static void estimate_work(struct sweep *s)
{
	for (size_t i = 0; i < s->n_rows; i++)
		s->rows[i].work = s->kind->side_by_side ? work_of_load(s, &s->rows[i]) : work_of_size(&s->rows[i]);
}

// A row, and the values by which rows are sorted.
struct place {
	size_t row;
	const char *fabric;
	double of_fabric, work; // of_fabric: the most work of a row of its fabric, if these share a chip; else 0
};

static int longer_first(const void *a, const void *b)
{
	const struct place *p = a, *q = b;
	if (p->of_fabric != q->of_fabric)
		return p->of_fabric > q->of_fabric ? -1 : 1;
	if (p->of_fabric > 0 && strcmp(p->fabric, q->fabric) != 0)
		return strcmp(p->fabric, q->fabric);
	if (p->work != q->work)
		return p->work > q->work ? -1 : 1;
	return p->row < q->row ? -1 : p->row > q->row;
}

// Sets of_fabric of rows that run in turn on chips, so that those of a fabric stay together.
static void keep_together(struct place *places, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < n; k++)
			if (places[k].work > places[i].of_fabric && strcmp(places[k].fabric, places[i].fabric) == 0)
				places[i].of_fabric = places[k].work;
}

static void put_longest_first(struct place *places, const struct sweep *s)
{
	for (size_t i = 0; i < s->n_rows; i++)
		places[i].work = s->rows[i].work;
	if (!s->kind->side_by_side && !loom_run_is_computed(s->request->link))
		keep_together(places, s->n_rows);
	qsort(places, s->n_rows, sizeof *places, longer_first);
}

int sweep_order(size_t **out, struct sweep *s, bool several_at_a_time, struct loom_err *err)
{
	struct place *places = calloc(s->n_rows, sizeof *places);
	size_t *order = calloc(s->n_rows, sizeof *order);
	const bool shared = several_at_a_time || s->request->journal;
	if (!places || !order) {
		free(places);
		free(order);
		return loom_fail(err, LOOM_ENOMEM, "out of memory for the order of %zu points", s->n_rows);
	}
	estimate_work(s);
	for (size_t i = 0; i < s->n_rows; i++)
		places[i] = (struct place){.row = i, .fabric = s->rows[i].curve->topo.name};
	if (shared && !s->request->merge)
		put_longest_first(places, s);
	for (size_t i = 0; i < s->n_rows; i++)
		order[i] = places[i].row;
	free(places);
	*out = order;
	return 0;
}

int sweep_tell_rest(const struct sweep *s, size_t from, size_t least, sweep_row_done *done, struct loom_err *err)
{
	int rc = 0;
	for (size_t i = from; i < s->n_rows; i++)
		least = sweep_row_is_over(&s->rows[i]) ? i + 1 : least;
	for (size_t i = from; rc == 0 && i < least; i++)
		rc = done(s, &s->rows[i], err);
	return rc;
}
