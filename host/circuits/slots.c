// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
// Keeps lists of slots, and the slots of a schedule.
#include <stdlib.h>
#include <string.h>

#include "circuits/circuits_internal.h"

int loom_circuit_no_memory(struct loom_err *err)
{
	return loom_fail(err, LOOM_ENOMEM, "no memory for the demand or its schedule");
}

static void set_matching(uint32_t *out, const uint32_t *to, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		out[i] = to ? to[i] : LOOM_CIRCUIT_NO_PORT;
}

int loom_circuit_list_add(struct loom_circuit_list *list, uint32_t cycles, const uint32_t *to, struct loom_err *err)
{
	if (list->n_slots == list->room) {
		const size_t room = list->room ? list->room * 2 : 16;
		uint32_t *c = realloc(list->cycles, room * sizeof *c);
		if (!c)
			return loom_circuit_no_memory(err);
		list->cycles = c;
		uint32_t *t = realloc(list->to, room * list->n * sizeof *t);
		if (!t)
			return loom_circuit_no_memory(err);
		list->to = t;
		list->room = room;
	}
	list->cycles[list->n_slots] = cycles;
	set_matching(list->to + list->n_slots++ * list->n, to, list->n);
	return 0;
}

void loom_circuit_list_free(struct loom_circuit_list *list)
{
	if (!list)
		return;
	free(list->cycles);
	free(list->to);
	*list = (struct loom_circuit_list){0};
}

int loom_circuit_append(struct loom_circuit_schedule *s, uint32_t on, uint32_t cycles, const uint32_t *to,
                        struct loom_err *err)
{
	struct loom_circuit_switch *sw = &s->on[on];
	uint32_t *copy = malloc(s->n_nodes * sizeof *copy);
	if (!copy)
		return loom_circuit_no_memory(err);
	if ((sw->n_slots & (sw->n_slots - 1)) == 0) { // there is room for the next power of two
		struct loom_circuit_slot *more = realloc(sw->slot, (sw->n_slots ? sw->n_slots * 2 : 1) * sizeof *more);
		if (!more) {
			free(copy);
			return loom_circuit_no_memory(err);
		}
		sw->slot = more;
	}
	set_matching(copy, to, s->n_nodes);
	sw->slot[sw->n_slots++] = (struct loom_circuit_slot){.cycles = cycles, .to = copy};
	return 0;
}

bool loom_circuit_stays(const struct loom_circuit_schedule *schedule, uint32_t on, size_t slot)
{
	const struct loom_circuit_slot *s = schedule->on[on].slot;
	return slot > 0 && memcmp(s[slot].to, s[slot - 1].to, schedule->n_nodes * sizeof *s->to) == 0;
}

void loom_circuit_begins(uint64_t *begin, const struct loom_circuit_schedule *schedule, uint32_t on)
{
	const struct loom_circuit_switch *sw = &schedule->on[on];
	uint64_t now = 0;
	for (size_t s = 0; s < sw->n_slots; s++) {
		if (s > 0 && !loom_circuit_stays(schedule, on, s))
			now += schedule->dark;
		begin[s] = now;
		now += sw->slot[s].cycles;
	}
	begin[sw->n_slots] = now;
}

uint64_t loom_circuit_end(const struct loom_circuit_schedule *s)
{
	uint64_t end = 0;
	for (uint32_t on = 0; on < s->n_switches; on++) {
		uint64_t now = 0;
		for (size_t k = 0; k < s->on[on].n_slots; k++)
			now += s->on[on].slot[k].cycles +
			       (k > 0 && !loom_circuit_stays(s, on, k) ? (uint64_t)s->dark : 0);
		end = now > end ? now : end;
	}
	return end;
}

void loom_circuit_schedule_free(struct loom_circuit_schedule *schedule)
{
	if (!schedule)
		return;
	for (uint32_t on = 0; schedule->on && on < schedule->n_switches; on++) {
		for (size_t k = 0; k < schedule->on[on].n_slots; k++)
			free(schedule->on[on].slot[k].to);
		free(schedule->on[on].slot);
	}
	free(schedule->on);
	free(schedule->parcel);
	*schedule = (struct loom_circuit_schedule){0};
}
