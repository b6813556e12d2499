// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "plan/cycles/descent.h"

#include <inttypes.h>
#include <stdio.h>

#include <flitloom/machine.h>

#define LEAST_STEPS 300 // the least cost of a run, however short it is

int loom_descent_count(uint64_t *out, const struct loom_descent *d, struct loom_err *err)
{
	struct loom_err why = {0};
	int code = loom_machine_cycles(out, d->plan, LOOM_MACHINE_FAST, &why);
	if (code == LOOM_ESTUCK || code == LOOM_EFIT)
		*out = LOOM_CYCLES_UNKNOWN;
	return code == 0 || code == LOOM_ESTUCK || code == LOOM_EFIT ? 0 : loom_fail(err, code, "%s", why.text);
}

uint64_t loom_descent_steps(const struct loom_plan *plan)
{
	uint64_t n = 0;
	for (size_t i = 0; i < plan->n_messages; i++)
		n += loom_plan_route_length(plan, i);
	return n < LEAST_STEPS ? LEAST_STEPS : n;
}

void loom_descent_tell(const struct loom_descent *d)
{
	const struct loom_plan_options *o = d->budget.options;
	char text[96], least[40] = "";
	if (!o->progress)
		return;
	if (d->least)
		(void)snprintf(least, sizeof least, ", at least %" PRIu64, d->least);
	(void)snprintf(text, sizeof text, "%s: %" PRIu64 " cycles%s", d->name, d->cycles, least);
	o->progress(o->user, text);
}

// Decides if the last change stays.
static int judge(bool *stays, struct loom_descent *d, const struct loom_change *change, struct loom_err *err)
{
	uint64_t cycles;
	int code = loom_descent_count(&cycles, d, err);
	*stays = code == 0 && cycles <= d->cycles;
	if (*stays && change->check)
		code = change->check(stays, change->user, err);
	if (code || !*stays)
		return code;
	const bool is_better = cycles < d->cycles;
	d->cycles = cycles;
	if (!is_better)
		return 0;
	if (d->better)
		d->better(d->user);
	loom_descent_tell(d);
	return 0;
}

int loom_descent_run(struct loom_descent *d, const struct loom_change *changes, size_t n, struct loom_err *err)
{
	int code = 0;
	while (code == 0 && d->cycles > d->least && loom_budget_spend(&d->budget, d->steps)) {
		const struct loom_change *change = &changes[n > 1 ? loom_rng_below(&d->rng, n) : 0];
		bool is_made = false, stays = false;
		code = change->make(&is_made, change->user, &d->rng, err);
		if (code || !is_made)
			continue;
		code = judge(&stays, d, change, err);
		if (!stays || code)
			change->undo(change->user);
	}
	return code;
}
