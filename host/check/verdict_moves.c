// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Counts the moves of each pass along each sort of link, predicted and measured, for plans of moves.
#include <stdlib.h>

#include "check/verdict_internal.h"
#include "topo/topo_otis.h"

// Adds n messages on channel c.
static void add(struct loom_step *step, const struct loom_topo *t, uint32_t c, uint32_t n)
{
	uint32_t link = c % loom_topo_channels_per_tile(t);
	if (n == 0 || link >= loom_topo_links(t))
		return;
	step->links |= UINT32_C(1) << link;
	step->messages += n;
}

static void sum_up(struct loom_move_counts *out, const struct loom_step *steps, uint32_t n)
{
	const uint32_t light = UINT32_C(1) << LOOM_OTIS_OPTICAL;
	*out = (struct loom_move_counts){0};
	for (uint32_t pass = 0; pass < n; pass++) {
		out->electronic += (steps[pass].links & ~light) != 0;
		out->otis += (steps[pass].links & light) != 0;
	}
}

int loom_verdict_predict_moves(struct loom_verdict *v, const struct loom_plan *plan, struct loom_err *err)
{
	const struct loom_topo *t = &plan->topo;
	uint32_t n_channels = loom_topo_channels(t);
	if (!loom_plan_is_of_moves(plan))
		return 0;
	v->predicted_steps = calloc(plan->n_passes, sizeof *v->predicted_steps);
	v->measured_steps = calloc(plan->n_passes, sizeof *v->measured_steps);
	if (!v->predicted_steps || !v->measured_steps)
		return loom_fail(err, LOOM_ENOMEM, "no memory for the moves of a verdict");
	v->n_steps = plan->n_passes;
	for (uint32_t pass = 0; pass < plan->n_passes; pass++) {
		for (uint32_t c = 0; c < n_channels; c++)
			add(&v->predicted_steps[pass], t, c, plan->load[(size_t)pass * n_channels + c]);
	}
	sum_up(&v->predicted_moves, v->predicted_steps, v->n_steps);
	return 0;
}

void loom_verdict_count_moves(struct loom_verdict *v, const struct loom_plan *plan, const struct loom_trace *trace,
                              const uint64_t *last)
{
	for (uint32_t pass = 0; pass < v->n_steps; pass++) {
		for (uint32_t c = 0; c < trace->n_channels; c++)
			add(&v->measured_steps[pass], &plan->topo, c,
			    trace->counts[(size_t)pass * trace->n_channels + c].worms);
		v->measured_steps[pass].cycles = last[pass];
	}
	sum_up(&v->measured_moves, v->measured_steps, v->n_steps);
}
