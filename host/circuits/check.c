// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
// Checks a schedule against its demand. It shares no code with the planners.
#include <inttypes.h>
#include <stdlib.h>

#include "base/arrays.h"
#include "circuits/circuits_internal.h"

struct checking {
	const struct loom_circuit_schedule *s;
	const struct loom_demand *demand;
	uint64_t **begin; // [switch][slot]
	uint64_t *left;   // [pair]: flits of the demand that have not arrived yet
	uint32_t *seen;   // [node]
	struct loom_err *err;
	struct loom_arrays arrays; // owns the arrays
};

static int check_matching(struct checking *c, uint32_t on, size_t k)
{
	const struct loom_circuit_slot *slot = &c->s->on[on].slot[k];
	if (slot->cycles == 0)
		return loom_fail(c->err, LOOM_EINPUT, "schedule: slot %zu of switch %" PRIu32 " has 0 cycles of light",
		                 k, on);
	for (uint32_t i = 0; i < c->s->n_nodes; i++)
		c->seen[i] = LOOM_CIRCUIT_NO_PORT;
	for (uint32_t i = 0; i < c->s->n_nodes; i++) {
		const uint32_t j = slot->to[i];
		if (j == LOOM_CIRCUIT_NO_PORT)
			continue;
		if (j >= c->s->n_nodes || j == i)
			return loom_fail(c->err, LOOM_EINPUT,
			                 "schedule: slot %zu of switch %" PRIu32 " sends node %" PRIu32 " to %" PRIu32
			                 "; there are other nodes below %" PRIu32,
			                 k, on, i, j, c->s->n_nodes);
		if (c->seen[j] != LOOM_CIRCUIT_NO_PORT)
			return loom_fail(c->err, LOOM_EINPUT,
			                 "schedule: slot %zu of switch %" PRIu32 " joins nodes %" PRIu32 " and %" PRIu32
			                 " to node %" PRIu32 ", which takes one",
			                 k, on, c->seen[j], i, j);
		c->seen[j] = i;
	}
	return 0;
}

static int fail_parcel(const struct checking *c, size_t p, const char *why)
{
	const struct loom_circuit_parcel *m = &c->s->parcel[p];
	return loom_fail(c->err, LOOM_EINPUT,
	                 "schedule: parcel %zu, from node %" PRIu32 " to %" PRIu32 " in slot %" PRIu32
	                 " of switch %" PRIu32 ", %s",
	                 p, m->source, m->destination, m->slot, m->on, why);
}

static int check_relay(const struct checking *c, size_t p)
{
	const struct loom_circuit_schedule *s = c->s;
	const struct loom_circuit_parcel *m = &s->parcel[p];
	if (m->before == 0)
		return m->source == m->from ? 0 : fail_parcel(c, p, "has not been brought to where it begins");
	if (m->before > s->n_parcels)
		return fail_parcel(c, p, "is sent on from one that does not exist");
	const struct loom_circuit_parcel *b = &s->parcel[m->before - 1];
	if (b->from != m->from || b->to != m->to || b->destination != m->source || b->flits != m->flits || b->before)
		return fail_parcel(c, p, "is not what was brought to it");
	const struct loom_circuit_slot *slot = &s->on[b->on].slot[b->slot];
	if (c->begin[m->on][m->slot] + m->begin < c->begin[b->on][b->slot] + slot->cycles + s->relay_cycles)
		return fail_parcel(c, p, "is sent on before it has arrived");
	return 0;
}

static bool follows(const struct loom_circuit_parcel *a, const struct loom_circuit_parcel *b)
{
	if (a->on != b->on)
		return a->on < b->on;
	if (a->slot != b->slot)
		return a->slot < b->slot;
	if (a->source != b->source)
		return a->source < b->source;
	return (uint64_t)a->begin + a->flits <= b->begin;
}

static int check_parcel(struct checking *c, size_t p)
{
	const struct loom_circuit_schedule *s = c->s;
	const struct loom_circuit_parcel *m = &s->parcel[p];
	const uint32_t n = s->n_nodes;
	if (m->on >= s->n_switches || m->slot >= s->on[m->on].n_slots || m->source >= n || m->from >= n || m->to >= n)
		return fail_parcel(c, p, "is not of this schedule");
	const struct loom_circuit_slot *slot = &s->on[m->on].slot[m->slot];
	if (slot->to[m->source] != m->destination)
		return fail_parcel(c, p, "has no light");
	if (m->flits == 0 || (uint64_t)m->begin + m->flits > slot->cycles)
		return fail_parcel(c, p, "does not fit");
	if (p > 0 && !follows(m - 1, m))
		return fail_parcel(c, p, "meets the one before it");
	if (m->destination != m->to)
		return 0;
	uint64_t *left = &c->left[(size_t)m->from * n + m->to];
	if (*left < m->flits)
		return fail_parcel(c, p, "is more than the demand");
	*left -= m->flits;
	return 0;
}

// Checks that each first hop precedes exactly one second hop.
static int check_sent_on(const struct checking *c)
{
	const struct loom_circuit_schedule *s = c->s;
	uint8_t *on = calloc(s->n_parcels + 1, 1);
	int rc = on ? 0 : loom_circuit_no_memory(c->err);
	for (size_t p = 0; rc == 0 && p < s->n_parcels; p++) {
		rc = check_relay(c, p);
		if (rc == 0 && s->parcel[p].before && on[s->parcel[p].before - 1]++)
			rc = fail_parcel(c, p, "is sent on a second time");
	}
	for (size_t p = 0; rc == 0 && p < s->n_parcels; p++)
		if (!on[p] && s->parcel[p].destination != s->parcel[p].to)
			rc = fail_parcel(c, p, "is not sent on");
	free(on);
	return rc;
}

static int check_carried(const struct checking *c)
{
	const size_t n = c->demand->n;
	for (size_t p = 0; p < n * n; p++)
		if (c->left[p])
			return loom_fail(c->err, LOOM_EINPUT,
			                 "schedule: %" PRIu64 " flits from node %zu to node %zu are left over",
			                 c->left[p], p / n, p % n);
	if (c->s->makespan != loom_circuit_end(c->s))
		return loom_fail(c->err, LOOM_EINPUT, "schedule: its makespan is %" PRIu64 ", not %" PRIu64,
		                 loom_circuit_end(c->s), c->s->makespan);
	return 0;
}

static int check_all(struct checking *c)
{
	const struct loom_circuit_schedule *s = c->s;
	int rc = 0;
	for (uint32_t on = 0; rc == 0 && on < s->n_switches; on++) {
		for (size_t k = 0; rc == 0 && k < s->on[on].n_slots; k++)
			rc = check_matching(c, on, k);
		LOOM_ARRAY(&c->arrays, c->begin[on], s->on[on].n_slots + 1);
		if (c->arrays.is_short)
			return loom_circuit_no_memory(c->err);
		loom_circuit_begins(c->begin[on], s, on);
	}
	for (size_t i = 0; rc == 0 && i < (size_t)s->n_nodes * s->n_nodes; i++)
		c->left[i] = c->demand->flits[i];
	for (size_t p = 0; rc == 0 && p < s->n_parcels; p++)
		rc = check_parcel(c, p);
	if (rc == 0)
		rc = check_sent_on(c);
	return rc ? rc : check_carried(c);
}

int loom_circuit_check(const struct loom_circuit_schedule *schedule, const struct loom_demand *demand,
                       struct loom_err *err)
{
	const size_t n = demand->n;
	struct checking c = {.s = schedule, .demand = demand, .err = err};
	if (schedule->n_nodes != n)
		return loom_fail(err, LOOM_EINPUT, "a schedule of %" PRIu32 " nodes, and a demand of %zu",
		                 schedule->n_nodes, n);
	LOOM_ARRAY(&c.arrays, c.begin, (size_t)schedule->n_switches + 1);
	LOOM_ARRAY(&c.arrays, c.left, n * n);
	LOOM_ARRAY(&c.arrays, c.seen, n);
	const int rc = c.arrays.is_short ? loom_circuit_no_memory(err) : check_all(&c);
	loom_arrays_free(&c.arrays);
	return rc;
}
