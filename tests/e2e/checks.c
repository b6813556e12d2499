// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <stdarg.h>

#include "against_reference.h"
#include "e2e.h"

bool is_cube(const struct loom_topo *topo)
{
	return topo->kind->complements_bits;
}

bool is_multistage(const struct loom_topo *topo)
{
	return topo->kind->router == LOOM_ROUTER_STAGES;
}

bool has_order(const struct loom_topo *topo)
{
	return topo->graph || (topo->kind->router == LOOM_ROUTER_ORDER && (!topo->kind->wraps || topo->n_vcs > 1)) ||
	       (topo->kind->router == LOOM_ROUTER_OTIS && topo->n_vcs > 1);
}

bool check(struct e2e *t, bool ok, const char *format, ...)
{
	if (ok) {
		t->passed++;
		return true;
	}
	va_list args;
	va_start(args, format);
	printf("FAIL ");
	(void)vprintf(format, args);
	printf("\n");
	va_end(args);
	t->failed++;
	return false;
}

void check_verdict(struct e2e *t, const struct run *run, const char *what, uint64_t i)
{
	check(t, run->verdict.n_mismatches == 0,
	      "%s %" PRIu64 ", %s on %s, seed %" PRIu64 ": %zu mismatches, first: %s", what, i, run->pattern.name,
	      run->plan.topo.name, t->seed, run->verdict.n_mismatches, run->verdict.mismatches[0]);
}

void check_reference(struct e2e *t, const struct run *run, enum loom_machine machine, const char *what, uint64_t i)
{
	const struct loom_topo *topo = &run->plan.topo;
	bool knows =
		!topo->kind->two_directions && !run->plan.free_running; // benes: of two networks the one or the other
	if (!knows || topo->n_nodes > t->reference)
		return;
	struct disagreement d = against_reference(run, machine);
	check(t, d.code == 0 && d.messages == 0 && d.channels == 0,
	      "%s %" PRIu64 ", %s on %s, %s, seed %" PRIu64
	      ": the reference ends with %d; %zu messages at other cycles, %zu channels count otherwise",
	      what, i, run->pattern.name, topo->name, machine == LOOM_MACHINE_PAPER ? "paper" : "fast", t->seed, d.code,
	      d.messages, d.channels);
}
