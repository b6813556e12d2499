// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "chip/programs.h"

#include <stdlib.h>

#include <flitloom/link/regmap.h>
#include <flitloom/routes/via.h>

#include "plan/plan_timing.h"

#define ENTRIES_MOST ((uint64_t)1 << 24) // 4096 nodes with 4096 entries each

// The code goes through the entries twice: to count them and, with `out` set, to write them.
struct writer {
	const struct loom_plan *plan;
	struct loom_entry *out; // NULL while they are counted
	size_t *next;           // by processor: the index of its next entry; while counting, the number of its entries
	size_t *wanted;         // by waiting gate: the message
	uint32_t *at;           // by processor: the cycle for which its next entry has to wait
	uint64_t n;
};

static void add(struct writer *w, uint32_t v, struct loom_entry entry)
{
	entry.at = w->at[v];
	w->at[v] = 0;
	w->n++;
	if (w->out)
		w->out[w->next[v]] = entry;
	w->next[v]++;
}

static void add_delay(struct writer *w, uint32_t v, uint32_t cycles)
{
	uint32_t n_full = cycles / LOOM_ENTRY_CYCLES_MOST, rest = cycles % LOOM_ENTRY_CYCLES_MOST;
	for (; n_full > 0 && w->n <= ENTRIES_MOST; n_full--)
		add(w, v, (struct loom_entry){.kind = LOOM_ENTRY_DELAY, .value = LOOM_ENTRY_CYCLES_MOST});
	if (rest)
		add(w, v, (struct loom_entry){.kind = LOOM_ENTRY_DELAY, .value = rest});
}

static void add_gates(struct writer *w, uint32_t v, size_t place)
{
	const struct loom_timing *t = w->plan->timing;
	for (size_t g = t ? t->first[place] : 0; t && g < t->first[place + 1]; g++) {
		const struct loom_gate *gate = &t->gate[g];
		if (gate->kind == LOOM_GATE_AT)
			w->at[v] = gate->value > w->at[v] ? gate->value : w->at[v];
		else if (gate->kind == LOOM_GATE_DELAY)
			add_delay(w, v, gate->value);
		else
			add(w, v,
			    (struct loom_entry){.kind = LOOM_ENTRY_WAIT,
			                        .value = gate->value,
			                        .source = gate->source,
			                        .message = w->wanted[g]});
	}
}

static void add_all(struct writer *w)
{
	const struct loom_plan *plan = w->plan;
	w->n = 0;
	for (size_t i = 0; i < plan->n_messages; i++) {
		add_gates(w, plan->messages[i].source, i);
		if (loom_plan_uses_network(plan, &plan->messages[i]))
			add(w, plan->messages[i].source, (struct loom_entry){.kind = LOOM_ENTRY_SEND, .message = i});
	}
	for (uint32_t v = 0; v < plan->topo.n_nodes; v++) {
		add_gates(w, v, plan->n_messages + v);
		if (w->at[v])
			add(w, v, (struct loom_entry){.kind = LOOM_ENTRY_DELAY, .value = 1});
	}
}

void loom_entry_words(uint32_t word[2], const struct loom_entry *entry, const struct loom_plan *plan,
                      const uint32_t *label)
{
	const struct loom_plan_message *m = entry->kind == LOOM_ENTRY_SEND ? &plan->messages[entry->message] : NULL;
	switch (entry->kind) {
	case LOOM_ENTRY_SEND:
		word[0] = m->flits << LOOM_PROGRAM0_FLITS_LOW | m->pass << LOOM_PROGRAM0_PASS_LOW;
		if (loom_rule_has_via(m->rule))
			word[0] |= loom_topo_label(&plan->topo, m->via) << LOOM_PROGRAM0_VIA_LOW;
		word[1] = (label ? label[entry->message] : m->destination) << LOOM_PROGRAM1_DESTINATION_LOW |
		          (uint32_t)m->rule << LOOM_PROGRAM1_RULE_LOW |
		          (uint32_t)m->from_slot << LOOM_PROGRAM1_FROM_LOW |
		          (uint32_t)m->keep_slot << LOOM_PROGRAM1_KEEP_LOW;
		break;
	case LOOM_ENTRY_DELAY:
		word[0] = entry->value << LOOM_PROGRAM0_FLITS_LOW;
		word[1] = UINT32_C(1) << LOOM_PROGRAM1_SILENT_LOW;
		break;
	case LOOM_ENTRY_WAIT:
		word[0] = entry->value << LOOM_PROGRAM0_FLITS_LOW;
		word[1] = UINT32_C(1) << LOOM_PROGRAM1_WAIT_LOW | entry->source << LOOM_PROGRAM1_DESTINATION_LOW;
		break;
	}
}

int loom_programs_make(struct loom_programs *out, const struct loom_plan *plan, struct loom_err *err)
{
	struct loom_programs p = {0};
	struct writer w = {.plan = plan};
	uint32_t n_nodes = plan->topo.n_nodes;
	int code = 0;
	p.first = calloc((size_t)n_nodes + 1, sizeof *p.first);
	w.next = calloc(n_nodes, sizeof *w.next);
	w.at = calloc(n_nodes, sizeof *w.at);
	if (!p.first || !w.next || !w.at)
		code = loom_fail(err, LOOM_ENOMEM, "no memory for the programs of %u nodes", n_nodes);
	if (code == 0 && plan->timing)
		code = loom_plan_wanted(&w.wanted, plan, err);
	if (code == 0) {
		add_all(&w);
		for (uint32_t v = 0; v < n_nodes; v++) {
			p.first[v + 1] = p.first[v] + w.next[v];
			w.next[v] = p.first[v];
		}
	}
	if (code == 0 && w.n > ENTRIES_MOST)
		code = loom_fail(
			err, LOOM_EFIT,
			"the programs have more than %llu entries, each delay being one for every %u cycles: no board "
			"holds that many",
			(unsigned long long)ENTRIES_MOST, LOOM_ENTRY_CYCLES_MOST);
	if (code == 0 && !(p.entry = calloc(w.n + 1, sizeof *p.entry)))
		code = loom_fail(err, LOOM_ENOMEM, "no memory for the programs of %u nodes", n_nodes);
	if (code == 0) {
		w.out = p.entry;
		add_all(&w);
		*out = p;
		p = (struct loom_programs){0};
	}
	loom_programs_free(&p);
	free(w.wanted);
	free(w.next);
	free(w.at);
	return code;
}

bool loom_programs_send_several(const struct loom_programs *programs, const struct loom_plan *plan)
{
	for (uint32_t v = 0; v < plan->topo.n_nodes; v++)
		for (size_t e = programs->first[v] + 1; e < programs->first[v + 1]; e++)
			if (plan->messages[programs->entry[e - 1].message].pass ==
			    plan->messages[programs->entry[e].message].pass)
				return true;
	return false;
}

void loom_programs_free(struct loom_programs *programs)
{
	if (!programs)
		return;
	free(programs->entry);
	free(programs->first);
	*programs = (struct loom_programs){0};
}
