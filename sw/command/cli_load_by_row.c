// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// A row of figures by a key.
#include <inttypes.h>
#include <math.h>

#include "cli_sweep.h"

static double half_width(const struct loom_load_group *g, double confidence)
{
	const double n = g->n_means;
	if (g->n_means < 2)
		return NAN;
	const double squares = g->sum_squares - g->sum_means * g->sum_means / n;
	return loom_student_quantile((1 + confidence) / 2, g->n_means - 1) * sqrt(fmax(squares, 0) / (n - 1) / n);
}

static void name_key(struct sweep_by_row *out, const struct sweep_row *row, const struct loom_load_group *g)
{
	const struct loom_topo *topo = &row->curve->topo;
	out->number = g->key;
	if (row->groups.key == LOOM_LOAD_BY_FLOW) {
		(void)snprintf(out->key, sizeof out->key, "%" PRIu64 "->%" PRIu64, g->key / topo->n_nodes,
		               g->key % topo->n_nodes);
	} else if (row->groups.key == LOOM_LOAD_BY_CHANNEL) {
		const uint32_t n = loom_topo_channels(topo);
		char name[48];
		loom_topo_channel_name(topo, (uint32_t)(g->key % n), name);
		(void)snprintf(out->key, sizeof out->key, "%s", name);
		out->first = g->key / n * row->groups.window_cycles + 1;
		out->number = g->key % n;
	} else {
		(void)snprintf(out->key, sizeof out->key, "%" PRIu64, g->key);
		out->is_number = true;
	}
}

void sweep_by_row_of(struct sweep_by_row *out, const struct sweep *s, const struct sweep_row *row, size_t i)
{
	const struct loom_load_groups *all = &row->groups;
	const struct loom_load_group *g = &all->group[i];
	const bool has_latency = all->key < LOOM_LOAD_BY_LATENCY && g->n_messages && !row->point.saturated;
	const double n = (double)g->n_messages;
	*out = (struct sweep_by_row){.n_messages = g->n_messages,
	                             .blocked = g->blocked,
	                             .flits_per_cycle = (double)g->flits / (double)all->cycles,
	                             .mean = NAN,
	                             .half_width = NAN,
	                             .at_source = NAN,
	                             .in_network = NAN,
	                             .p50 = NAN,
	                             .p95 = NAN,
	                             .p99 = NAN,
	                             .finish = NAN};
	name_key(out, row, g);
	if (all->key == LOOM_LOAD_BY_LATENCY)
		out->flits_per_cycle = NAN;
	if (s->request->batch && g->n_means)
		out->finish = (double)g->finish / g->n_means;
	if (!has_latency)
		return;
	out->mean = (double)g->sum_latency / n;
	out->half_width = half_width(g, sweep_load_confidence(s->request));
	out->at_source = (double)g->sum_at_source / n;
	out->in_network = out->mean - out->at_source;
	out->p50 = loom_load_group_percentile(all, g, 50);
	out->p95 = loom_load_group_percentile(all, g, 95);
	out->p99 = loom_load_group_percentile(all, g, 99);
}
