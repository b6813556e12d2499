// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "report/report_circuits.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include <flitloom/circuits.h>

#include "base/json.h"

static bool find_facts(struct loom_circuit_facts *out, const struct loom_plan *plan)
{
	const struct loom_circuits *c = loom_plan_how_made(plan)->circuits;
	if (c)
		loom_circuit_facts_of(out, &c->schedule, &c->demand, &c->bound);
	return c != NULL;
}

static int slots_to(json_t *object, const struct loom_circuit_schedule *s)
{
	int bad = 0;
	json_t *switches = json_array();
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
			bad |= json_array_append_new(list, one);
		}
		bad |= json_array_append_new(switches, list);
	}
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
	bad |= slots_to(object, s);
	return bad | json_object_set_new(root, "circuits", object);
}

static uint64_t percent(double part)
{
	return (uint64_t)lround(part * 100);
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
	               f.n_relayed ? ", hops by way of others counted once" : "");
	loom_table_sum(t, "utilisation", percent(f.utilisation), 0, LOOM_NO_MEASUREMENT, text);
	if (f.n_relayed)
		loom_table_sum(t, "relayed", f.n_relayed, 0, LOOM_NO_MEASUREMENT, "messages by way of another node");
}
