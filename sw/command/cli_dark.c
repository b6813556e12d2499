// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// A sweep over dark times of circuit switches, beside fabrics without such switches: --dark A:B:STEP.
#include <string.h>

#include <flitloom/circuits.h>

#include "cli_sweep.h"

static bool is_of_circuits(const struct loom_topo *topo)
{
	return topo->kind->router == LOOM_ROUTER_CIRCUITS;
}

static bool has_circuits(const struct sweep *s)
{
	for (size_t i = 0; i < s->n_curves; i++)
		if (is_of_circuits(&s->curves[i].topo))
			return true;
	return false;
}

uint32_t sweep_darks_count(const struct cli_request *r, const struct loom_topo *topo)
{
	return r->darks.n && is_of_circuits(topo) ? r->darks.n : 1;
}

uint32_t sweep_dark_at(const struct cli_request *r, uint32_t i)
{
	return (uint32_t)(r->dark + i * r->darks.step);
}

void sweep_dark_request(struct cli_request *request, const struct sweep *s, const struct sweep_curve *c)
{
	request->dark = sweep_dark_at(s->request, c->i_dark);
	request->darks = (struct cli_darks){0};
	if (is_of_circuits(&c->topo) || !has_circuits(s))
		return;
	cli_set_drop(&request->given, CLI_DARK);
	request->relay = false;
}

bool sweep_is_over_darks(const struct sweep *s)
{
	return !s->many_flits && s->request->darks.n > 1 && has_circuits(s);
}

// True if the spread is over all seeds; a mean over some of them is not shown.
static bool is_known(const struct sweep *s, const struct sweep_spread *spread)
{
	return spread->n == s->n_seeds;
}

void sweep_dark_cells(struct sweep_cell out[SWEEP_DARK_CELLS], const struct sweep *s, const struct sweep_row *row)
{
	const struct sweep_size *it = &row->size;
	const bool darks = s->request->darks.n > 0, known = is_known(s, &it->makespan);
	const struct sweep_cell cells[SWEEP_DARK_CELLS] = {
		{darks ? " dark" : NULL, 6, darks ? "dark" : NULL, darks ? "dark" : NULL,
	         sweep_count(sweep_dark_at(s->request, row->curve->i_dark), is_of_circuits(&row->curve->topo)), true},
		{NULL, 0, darks ? "makespan" : NULL, darks ? "circuits.makespan" : NULL,
	         sweep_real(it->makespan.mean, s->n_seeds > 1 ? 1 : 0, known), false},
		{darks ? " bound" : NULL, 9, darks ? "makespan_bound" : NULL, darks ? "circuits.bound" : NULL,
	         sweep_real(it->bound.mean, s->n_seeds > 1 ? 1 : 0, known), false},
		{darks ? " dark %" : NULL, 7, NULL, NULL, sweep_real(100 * it->dark_share, 1, known), false},
		{NULL, 0, darks ? "dark_share" : NULL, darks ? "circuits.dark_share" : NULL,
	         sweep_real(it->dark_share, 4, known), false},
		{NULL, 0, darks ? "utilisation" : NULL, darks ? "circuits.utilisation" : NULL,
	         sweep_real(it->utilisation, 4, known), false},
	};
	memcpy(out, cells, sizeof cells);
}

void sweep_dark_note(struct sweep_size *it, const struct loom_plan *plan,
                     void (*add)(struct sweep_spread *spread, uint64_t value))
{
	const struct loom_circuits *c = loom_plan_how_made(plan)->circuits;
	struct loom_circuit_facts f;
	if (!c)
		return;
	loom_circuit_facts_of(&f, &c->schedule, &c->demand, &c->bound);
	add(&it->makespan, f.makespan);
	add(&it->bound, f.bound);
	it->dark_share += (f.dark_share - it->dark_share) / it->makespan.n;
	it->utilisation += (f.utilisation - it->utilisation) / it->makespan.n;
}
