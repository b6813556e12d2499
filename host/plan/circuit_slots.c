// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the schedule of circuit switches that carries the messages of a plan. Programs wait only for cycles, so the
// cycle in which each message leaves is known. A switch can turn while it carries nothing for as long as a turn
// takes. All messages between two such silences use one matching.
#include "plan/circuit_slots.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/circuits.h>

#include "base/numbers.h"
#include "topo/topo_ocs.h"

// A message under way on a switch: its flits leave in cycles begin .. end - 1, counted from 0.
struct flight {
	uint64_t begin, end;
	uint32_t on, from, to; // the switch, and its ports
	size_t message;
	bool is_new; // the flight has added its pair to the present matching
};

struct finding {
	const struct loom_plan *plan;
	struct loom_circuit_schedule s;
	struct flight *flight; // in order of switch and begin
	size_t n_flights;
	uint32_t *to, *from; // the present matching, by input and by output
	bool keeps;          // the slots are stored; otherwise they are only looked for
	struct loom_err *err;
};

static int no_memory(struct loom_err *err)
{
	return loom_fail(err, LOOM_ENOMEM, "out of memory for the slots of circuit switches");
}

// Moves *now past the gates at a place. *now is the cycle, from 1, in which the next entry of a processor's program
// begins.
static int pass_gates(uint64_t *now, const struct finding *f, size_t place)
{
	const struct loom_timing *t = f->plan->timing;
	for (size_t g = t->first[place]; g < t->first[place + 1]; g++) {
		const struct loom_gate *gate = &t->gate[g];
		if (gate->kind == LOOM_GATE_WAIT)
			return loom_fail(
				f->err, LOOM_EINPUT,
				"message %zu waits for another one, and the light of %.60s goes by cycles: give "
				"the cycle (at)",
				place, f->plan->topo.name);
		if (gate->kind == LOOM_GATE_AT)
			*now = gate->value > *now ? gate->value : *now;
		else
			*now += gate->value;
	}
	return 0;
}

static int by_switch_and_begin(const void *a, const void *b)
{
	const struct flight *x = a, *y = b;
	int by = loom_order(x->on, y->on);
	by = by ? by : loom_order(x->begin, y->begin);
	return by ? by : loom_order(x->message, y->message);
}

static int find_flights(struct finding *f)
{
	const struct loom_plan *plan = f->plan;
	const uint32_t n = f->s.n_nodes;
	int rc = 0;
	uint64_t *now = calloc(plan->topo.n_nodes, sizeof *now);
	f->flight = calloc(plan->n_messages + 1, sizeof *f->flight);
	if (!now || !f->flight)
		rc = no_memory(f->err);
	for (uint32_t v = 0; rc == 0 && v < plan->topo.n_nodes; v++)
		now[v] = 1;
	for (size_t i = 0; rc == 0 && i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		const uint32_t u = plan->map[m->source], v = plan->map[m->destination];
		rc = pass_gates(&now[m->source], f, i);
		if (rc != 0 || !loom_plan_uses_network(plan, m))
			continue;
		if (u / n != v / n)
			rc = loom_fail(f->err, LOOM_EINPUT,
			               "message %zu goes from a port of switch %" PRIu32 " to one of switch %" PRIu32
			               " of %.60s: there is no way",
			               i, u / n, v / n, plan->topo.name);
		f->flight[f->n_flights++] = (struct flight){
			now[m->source] - 1, now[m->source] - 1 + m->flits, u / n, u % n, v % n, i, false};
		now[m->source] += m->flits;
	}
	if (rc == 0)
		qsort(f->flight, f->n_flights, sizeof *f->flight, by_switch_and_begin);
	free(now);
	return rc;
}

// Adds a pair to the matching. Returns false if an end of it has another partner. *is_new: the matching did not have
// the pair.
static bool join(bool *is_new, struct finding *f, const struct flight *flight)
{
	const uint32_t to = f->to[flight->from], from = f->from[flight->to];
	*is_new = to == LOOM_CIRCUIT_NO_PORT && from == LOOM_CIRCUIT_NO_PORT;
	if (!*is_new && (to != flight->to || from != flight->from))
		return false;
	f->to[flight->from] = flight->to;
	f->from[flight->to] = flight->from;
	return true;
}

// Adds the pairs of all these flights to the matching and returns true, if they fit beside the pairs that it has.
// Otherwise leaves it unchanged.
static bool take(struct finding *f, struct flight *flight, size_t n)
{
	size_t i = 0;
	while (i < n && join(&flight[i].is_new, f, &flight[i]))
		i++;
	if (i == n)
		return true;
	while (i-- > 0)
		if (flight[i].is_new)
			f->to[flight[i].from] = f->from[flight[i].to] = LOOM_CIRCUIT_NO_PORT;
	return false;
}

static void clear(struct finding *f)
{
	for (uint32_t p = 0; p < f->s.n_nodes; p++)
		f->to[p] = f->from[p] = LOOM_CIRCUIT_NO_PORT;
}

// Reports the first two of these flights that no matching can carry together.
static int refuse(struct finding *f, struct flight *flight, size_t n)
{
	size_t b = 1, a = 0;
	clear(f);
	(void)take(f, flight, 1);
	while (b < n && take(f, &flight[b], 1))
		b++;
	while (a + 1 < b && flight[a].from != flight[b].from && flight[a].to != flight[b].to)
		a++;
	return loom_fail(f->err, LOOM_EINPUT,
	                 "messages %zu (%" PRIu32 " to %" PRIu32 ", cycles %" PRIu64 " to %" PRIu64
	                 ") and %zu (%" PRIu32 " to %" PRIu32 ", %" PRIu64 " to %" PRIu64 "): switch %" PRIu32
	                 " of %.60s cannot turn between them, for which all of it has to be silent for %" PRIu32
	                 " cycles",
	                 flight[a].message, flight[a].from, flight[a].to, flight[a].begin + 1, flight[a].end,
	                 flight[b].message, flight[b].from, flight[b].to, flight[b].begin + 1, flight[b].end,
	                 flight[b].on, f->plan->topo.name, f->s.dark);
}

// Adds the present matching to a switch, as a slot with light in cycles begin .. end - 1.
static int add_slot(struct finding *f, struct loom_circuit_switch *sw, uint64_t begin, uint64_t end)
{
	const size_t bytes = f->s.n_nodes * sizeof *f->to;
	if (end - begin > UINT32_MAX)
		return loom_fail(f->err, LOOM_EINPUT, "a slot of %" PRIu64 " cycles, %" PRIu32 " at most", end - begin,
		                 UINT32_MAX);
	if (!f->keeps)
		return 0;
	uint32_t *to = malloc(bytes);
	if (!to)
		return no_memory(f->err);
	memcpy(to, f->to, bytes);
	sw->slot[sw->n_slots++] = (struct loom_circuit_slot){.cycles = (uint32_t)(end - begin), .to = to};
	return 0;
}

// Finds the slots of a switch from its n flights.
static int find_slots(struct finding *f, struct loom_circuit_switch *sw, struct flight *flight, size_t n)
{
	uint64_t begin = 0, end = 0; // bounds of the present slot
	int rc = 0;
	if (f->keeps && !(sw->slot = calloc(n + 1, sizeof *sw->slot)))
		return no_memory(f->err);
	clear(f);
	for (size_t first = 0, next; rc == 0 && first < n; first = next) {
		uint64_t until = flight[first].end;
		for (next = first + 1; next < n && flight[next].begin < until + f->s.dark; next++)
			until = flight[next].end > until ? flight[next].end : until;
		if (first > 0 && !take(f, flight + first, next - first)) {
			rc = add_slot(f, sw, begin, flight[first].begin - f->s.dark);
			begin = flight[first].begin;
			clear(f);
			if (rc == 0 && !take(f, flight + first, next - first))
				rc = refuse(f, flight + first, next - first);
		} else if (first == 0 && !take(f, flight, next)) {
			rc = refuse(f, flight, next);
		}
		end = until;
	}
	if (rc == 0 && n > 0)
		rc = add_slot(f, sw, begin, end);
	f->s.makespan = end > f->s.makespan ? end : f->s.makespan;
	return rc;
}

static int find(struct loom_circuit_schedule *out, const struct loom_plan *plan, bool keeps, struct loom_err *err)
{
	const struct loom_topo *t = &plan->topo;
	if (!loom_topo_has_circuits(t))
		return loom_fail(err, LOOM_EINPUT, "%.60s has no circuit switches; ocs:8 has one", t->name);
	const uint32_t n = t->extent[0];
	struct finding f = {.plan = plan,
	                    .s = {.n_nodes = n, .n_switches = t->n_nodes / n, .dark = plan->dark},
	                    .keeps = keeps,
	                    .err = err};
	int rc = 0;
	f.s.on = calloc(f.s.n_switches, sizeof *f.s.on);
	f.to = malloc(n * sizeof *f.to);
	f.from = malloc(n * sizeof *f.from);
	if (!f.s.on || !f.to || !f.from)
		rc = no_memory(err);
	for (size_t i = 0; rc == 0 && !plan->timing && i < plan->n_messages; i++)
		if (loom_plan_uses_network(plan, &plan->messages[i]))
			rc = loom_fail(
				err, LOOM_EINPUT,
				"message %zu of a plan on %.60s has no cycle in which it leaves (at): the light is "
				"not always on",
				i, t->name);
	if (rc == 0 && plan->timing)
		rc = find_flights(&f);
	for (size_t first = 0, next; rc == 0 && first < f.n_flights; first = next) {
		const uint32_t on = f.flight[first].on;
		for (next = first; next < f.n_flights && f.flight[next].on == on;)
			next++;
		rc = find_slots(&f, &f.s.on[on], f.flight + first, next - first);
	}
	free(f.flight);
	free(f.to);
	free(f.from);
	if (rc == 0)
		*out = f.s;
	else
		loom_circuit_schedule_free(&f.s);
	return rc;
}

int loom_plan_circuits(struct loom_circuit_schedule *out, const struct loom_plan *plan, struct loom_err *err)
{
	return find(out, plan, true, err);
}

int loom_plan_check_circuits(const struct loom_plan *plan, struct loom_err *err)
{
	struct loom_circuit_schedule s;
	if (!loom_topo_has_circuits(&plan->topo))
		return plan->dark == 0
		               ? 0
		               : loom_fail(err, LOOM_EINPUT,
		                           "%" PRIu32 " dark cycles on %.60s, which has no circuit switches; ocs:8 has",
		                           plan->dark, plan->topo.name);
	int rc = find(&s, plan, false, err);
	if (rc == 0)
		loom_circuit_schedule_free(&s);
	return rc;
}

int loom_plan_check_machine(const struct loom_plan *plan, enum loom_machine machine, struct loom_err *err)
{
	if (machine != LOOM_MACHINE_PAPER || !loom_topo_has_circuits(&plan->topo))
		return 0;
	return loom_fail(err, LOOM_EINPUT, "machine paper: its messages wait for empty buffers, and %.60s has none",
	                 plan->topo.name);
}
