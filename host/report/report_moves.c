// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "report/report_moves.h"

#include <stdio.h>

#include "base/json.h"
#include "topo/topo_otis.h"

void loom_report_step_name(char out[48], const struct loom_topo *topo, uint32_t links)
{
	size_t used = 0;
	(void)snprintf(out, 48, "-");
	for (unsigned p = 0; p < loom_topo_links(topo); p++) {
		char name[16] = "light";
		if (!(links >> p & 1))
			continue;
		if (p != LOOM_OTIS_OPTICAL)
			topo->kind->link_name(topo, p, name);
		used += (size_t)snprintf(out + used, 48 - used, "%s%s", used ? "," : "", name);
	}
}

static json_t *step_of(const struct loom_plan *plan, uint32_t pass, const struct loom_step *s)
{
	int bad = 0;
	char name[48];
	json_t *step = json_object();
	loom_report_step_name(name, &plan->topo, s->links);
	bad |= json_object_set_new(step, "pass", loom_json_number(pass));
	bad |= json_object_set_new(step, "step", s->links ? json_string(name) : json_null());
	bad |= json_object_set_new(step, "messages", loom_json_number(s->messages));
	bad |= json_object_set_new(step, "cycles",
	                           s->cycles == LOOM_CYCLES_UNKNOWN ? json_null() : loom_json_number(s->cycles));
	if (!bad)
		return step;
	json_decref(step);
	return NULL;
}

static json_t *moves_of(const struct loom_move_counts *moves)
{
	json_t *object = json_object();
	if (json_object_set_new(object, "electronic", loom_json_number(moves->electronic)) == 0 &&
	    json_object_set_new(object, "otis", loom_json_number(moves->otis)) == 0)
		return object;
	json_decref(object);
	return NULL;
}

int loom_report_moves_to(json_t *object, const struct loom_plan *plan, uint32_t n_steps, const struct loom_step *steps,
                         const struct loom_move_counts *moves)
{
	if (n_steps == 0)
		return 0;
	json_t *list = json_array();
	int bad = json_object_set_new(object, "moves", moves_of(moves));
	for (uint32_t pass = 0; pass < n_steps; pass++)
		bad |= json_array_append_new(list, step_of(plan, pass, &steps[pass]));
	return bad | json_object_set_new(object, "steps", list);
}

int loom_report_moves_claim_to(json_t *object, const struct loom_plan *plan)
{
	const struct loom_plan_moves *m = &loom_plan_how_made(plan)->moves;
	const struct loom_move_counts bound = {m->bound_electronic, m->bound_otis};
	if (!m->by[0])
		return 0;
	int bad = json_object_set_new(object, "moves_by", json_string(m->by));
	return bad | json_object_set_new(object, "moves_bound", moves_of(&bound));
}

// Prints the method by which planner otis found the moves, and the lower bound.
static void put_way(struct loom_table *t, const struct loom_plan *plan)
{
	const struct loom_plan_moves *m = &loom_plan_how_made(plan)->moves;
	char text[128];
	if (!m->by[0])
		return;
	(void)snprintf(text, sizeof text, "OTIS: no moves cost less; taken: %s", m->by);
	loom_table_sum(t, "least moves", m->bound_electronic, 0, LOOM_NO_MEASUREMENT, "electronic, and");
	loom_table_sum(t, "", m->bound_otis, 0, LOOM_NO_MEASUREMENT, text);
}

void loom_table_moves(struct loom_table *t, const struct loom_plan *plan, const struct loom_verdict *v)
{
	if (v->n_steps == 0)
		return;
	loom_table_sum(t, "moves", v->predicted_moves.electronic, v->measured_moves.electronic, LOOM_BOTH,
	               "electronic: steps by one hop in one direction");
	loom_table_sum(t, "", v->predicted_moves.otis, v->measured_moves.otis, LOOM_BOTH, "OTIS: steps by light");
	put_way(t, plan);
}
