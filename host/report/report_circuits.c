// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "report/report_circuits.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <flitloom/circuits.h>

#include "base/json.h"
#include "topo/topo_ocs.h"

static bool find_facts(struct loom_circuit_facts *out, const struct loom_plan *plan)
{
	const struct loom_circuits *c = loom_plan_how_made(plan)->circuits;
	if (c)
		loom_circuit_facts_of(out, &c->schedule, &c->demand, &c->bound);
	return c != NULL;
}

// Writes the settings of the 2x2 switches of a slot: a string for each stage, a letter for each switch. Not 0: out of
// memory.
static int settings_to(json_t *slot, uint8_t *crossed, unsigned stages, const uint32_t *to, uint32_t n)
{
	struct loom_err err;
	int bad = loom_circuit_settings(crossed, to, n, &err);
	json_t *settings = json_array();
	char *text = calloc(n / 2 + 1, 1);
	for (unsigned s = 0; text && s < stages; s++) {
		for (uint32_t q = 0; q < n / 2; q++)
			text[q] = crossed[(size_t)s * (n / 2) + q] ? '1' : '0';
		bad |= json_array_append_new(settings, json_string(text));
	}
	bad |= text == NULL;
	free(text);
	return bad | json_object_set_new(slot, "settings", settings);
}

static int slots_to(json_t *object, const struct loom_circuit_schedule *s, unsigned stages)
{
	int bad = 0;
	json_t *switches = json_array();
	uint8_t *crossed = malloc((size_t)stages * (s->n_nodes / 2) + 1);
	if (!crossed)
		return -1;
	for (uint32_t on = 0; on < s->n_switches; on++) {
		json_t *list = json_array();
		for (size_t k = 0; k < s->on[on].n_slots; k++) {
			const struct loom_circuit_slot *slot = &s->on[on].slot[k];
			json_t *one = json_object(), *to = json_array();
			for (uint32_t i = 0; i < s->n_nodes; i++)
				bad |= json_array_append_new(to, slot->to[i] == LOOM_CIRCUIT_NO_PORT
				                                         ? json_null()
				                                         : loom_json_number(slot->to[i]));
			bad |= json_object_set_new(one, "cycles", loom_json_number(slot->cycles));
			bad |= json_object_set_new(one, "to", to);
			if (stages > 0)
				bad |= settings_to(one, crossed, stages, slot->to, s->n_nodes);
			bad |= json_array_append_new(list, one);
		}
		bad |= json_array_append_new(switches, list);
	}
	free(crossed);
	return bad | json_object_set_new(object, "slots", switches);
}

int loom_report_circuits_to(json_t *root, const struct loom_plan *plan)
{
	struct loom_circuit_facts f;
	if (!find_facts(&f, plan))
		return 0;
	const struct loom_circuit_schedule *s = &loom_plan_how_made(plan)->circuits->schedule;
	int bad = 0;
	json_t *object = json_object();
	bad |= json_object_set_new(object, "switches", loom_json_number(s->n_switches));
	bad |= json_object_set_new(object, "dark", loom_json_number(s->dark));
	bad |= json_object_set_new(object, "makespan", loom_json_number(f.makespan));
	bad |= json_object_set_new(object, "bound", loom_json_number(f.bound));
	bad |= json_object_set_new(object, "gap", json_real(f.gap));
	bad |= json_object_set_new(object, "optimal",
	                           json_boolean(f.makespan == f.bound ||
	                                        (s->optimal && !loom_plan_how_made(plan)->circuits->bound.relay)));
	bad |= json_object_set_new(object, "light_cycles", loom_json_number(f.light));
	bad |= json_object_set_new(object, "dark_cycles", loom_json_number(f.dark));
	bad |= json_object_set_new(object, "dark_share", json_real(f.dark_share));
	bad |= json_object_set_new(object, "utilisation", json_real(f.utilisation));
	bad |= json_object_set_new(object, "demand_flits", loom_json_number(f.flits));
	bad |= json_object_set_new(object, "relayed_messages", loom_json_number(f.n_relayed));
	const unsigned stages = loom_topo_circuit_stages(&plan->topo);
	uint64_t n_turns = 0;
	struct loom_err err;
	if (stages > 0) {
		bad |= loom_circuit_count_turns(&n_turns, s, &err);
		bad |= json_object_set_new(object, "stages", loom_json_number(stages));
		bad |= json_object_set_new(object, "turns", loom_json_number(n_turns));
	}
	bad |= slots_to(object, s, stages);
	return bad | json_object_set_new(root, "circuits", object);
}

static uint64_t percent(double part)
{
	return (uint64_t)lround(part * 100);
}

static void add_stages(struct loom_table *t, const struct loom_plan *plan, const struct loom_circuit_schedule *s)
{
	const unsigned stages = loom_topo_circuit_stages(&plan->topo);
	uint64_t n_turns = 0;
	struct loom_err err;
	char text[160];
	if (stages == 0)
		return;
	(void)snprintf(text, sizeof text, "2x2 switches, in %u stage%s%s", stages, loom_table_plural(stages),
	               s->n_switches > 1 ? " of each switch" : "");
	loom_table_sum(t, "stages", (uint64_t)stages * (s->n_nodes / 2) * s->n_switches, 0, LOOM_NO_MEASUREMENT, text);
	if (loom_circuit_count_turns(&n_turns, s, &err) == 0)
		loom_table_sum(t, "", n_turns, 0, LOOM_NO_MEASUREMENT, "turns of them, from slot to slot");
}

void loom_table_circuits(struct loom_table *t, const struct loom_plan *plan)
{
	struct loom_circuit_facts f;
	char text[160];
	if (!find_facts(&f, plan))
		return;
	const struct loom_circuits *c = loom_plan_how_made(plan)->circuits;
	const uint32_t n = c->schedule.n_switches;
	(void)snprintf(text, sizeof text, "cycles of light and dark, in %zu slot%s of %" PRIu32 " switch%s", f.n_slots,
	               loom_table_plural(f.n_slots), n, n == 1 ? "" : "es");
	loom_table_sum(t, "makespan", f.makespan, 0, LOOM_NO_MEASUREMENT, text);
	if (f.makespan == f.bound || (c->schedule.optimal && !c->bound.relay))
		(void)snprintf(text, sizeof text, "cycles or more are needed by any schedule%s",
		               f.makespan == f.bound ? ": met" : "; all were looked through: none is shorter");
	else
		(void)snprintf(text, sizeof text, "cycles or more are needed by any schedule: this one has %.1f%% more",
		               100 * f.gap);
	loom_table_sum(t, "", f.bound, 0, LOOM_NO_MEASUREMENT, text);
	(void)snprintf(text, sizeof text, "%% of that time, in which switches turn; %" PRIu64 " cycles", f.dark);
	loom_table_sum(t, "dark", percent(f.dark_share), 0, LOOM_NO_MEASUREMENT, text);
	(void)snprintf(text, sizeof text, "%% of it, in which a port sends what somebody wants%s",
	               f.n_relayed ? ", hops through others counted once" : "");
	loom_table_sum(t, "utilisation", percent(f.utilisation), 0, LOOM_NO_MEASUREMENT, text);
	if (f.n_relayed)
		loom_table_sum(t, "relayed", f.n_relayed, 0, LOOM_NO_MEASUREMENT, "messages through another node");
	add_stages(t, plan, &c->schedule);
}
