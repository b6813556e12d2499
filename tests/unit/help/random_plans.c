// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "random_plans.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <flitloom/link/image.h>

#include "base/rng.h"
#include "chip/chosen_labels.h"
#include "reference/reference.h"
#include "topo/topo_ocs.h"

enum { SLOTS = 3, MESSAGES_MAX = 256, ROUTE_MAX = 40 };

static uint32_t below(struct loom_rng *rng, uint32_t bound)
{
	return (uint32_t)loom_rng_below(rng, bound);
}

// --- Plans ---------------------------------------------------------------------------------------------------------

// The nodes that send and receive; the others are switches, behind them.
static uint32_t n_ends(const struct loom_topo *t)
{
	return loom_topo_has_circuits(t) ? t->n_nodes : loom_topo_hosts(t);
}

static void make_map(struct loom_plan *plan, struct loom_rng *rng)
{
	uint32_t n = plan->topo.n_nodes;
	plan->map = calloc(n, sizeof *plan->map);
	assert_non_null(plan->map);
	for (uint32_t v = 0; v < n; v++) {
		uint32_t other = v < n_ends(&plan->topo) ? below(rng, v + 1) : v;
		plan->map[v] = plan->map[other];
		plan->map[other] = v;
	}
	// Now and then an order of address bits; small maps are one by chance.
	if (below(rng, 3) == 0)
		for (uint32_t v = 0; v < n; v++)
			plan->map[v] = v;
	unsigned bits = 0;
	while (1u << bits < n)
		bits++;
	plan->n_order = bits;
	for (uint32_t v = 0; v < n; v++) {
		uint32_t sum = 0;
		for (unsigned k = 0; k < bits; k++)
			sum += v >> k & 1 ? plan->map[1u << k] : 0;
		if (sum != plan->map[v] || plan->map[0] != 0 || 1u << bits != n)
			plan->n_order = 0;
	}
	for (unsigned k = 0; plan->n_order && k < bits; k++)
		for (unsigned d = 0; d < bits; d++)
			if (plan->map[1u << k] == 1u << d)
				plan->order[d] = k;
}

// The message that each slot of each processor's store holds, from 1; 0: nothing.
struct stores {
	uint32_t before[32][SLOTS + 1], after[32][SLOTS + 1];
	bool taken[32][SLOTS + 1]; // in this pass
};

static void add_message(struct loom_plan *plan, struct stores *s, enum random_plan_kind kind, uint32_t pass,
                        uint32_t source, uint8_t rule, struct loom_rng *rng)
{
	uint32_t i = (uint32_t)plan->n_messages++;
	struct loom_plan_message *m = &plan->messages[i];
	*m = (struct loom_plan_message){.pass = pass,
	                                .source = source,
	                                .destination = below(rng, n_ends(&plan->topo)),
	                                .flits = 1 + below(rng, 12),
	                                .rule = rule,
	                                .origin = i};
	if (kind == RANDOM_FREE)
		m->flits = plan->messages[0].flits;
	if (kind != RANDOM_RELAYED)
		return;
	uint8_t slot = (uint8_t)(1 + below(rng, SLOTS));
	bool stays = m->source == m->destination && !plan->topo.kind->self_uses_network;
	if (s->before[source][slot] && below(rng, 3)) {
		m->from_slot = slot;
		m->origin = s->before[source][slot] - 1;
		m->flits = plan->messages[m->origin].flits;
	}
	slot = (uint8_t)(1 + below(rng, SLOTS));
	if (!stays && below(rng, 2) && !s->taken[m->destination][slot]) {
		m->keep_slot = slot;
		s->taken[m->destination][slot] = true;
		s->after[m->destination][slot] = i + 1;
	}
}

static void make_messages(struct loom_plan *plan, enum random_plan_kind kind, uint32_t most_rules, struct loom_rng *rng)
{
	uint32_t n_rules = loom_topo_rules_count(&plan->topo);
	n_rules = n_rules < most_rules ? n_rules : most_rules;
	uint32_t n = n_ends(&plan->topo);
	struct stores stores = {0};
	plan->messages = calloc(MESSAGES_MAX, sizeof *plan->messages);
	assert_non_null(plan->messages);
	for (uint32_t pass = 0; pass < plan->n_passes; pass++) {
		const uint32_t sizes[] = {0, 1, 2, 3, n / 2, n, 2 * n};
		uint32_t n_wanted = sizes[below(rng, 7)];
		uint8_t rule = (uint8_t)below(rng, n_rules);
		bool mixed = !plan->topo.kind->two_directions && !plan->topo.kind->self_uses_network;
		bool has_sent[32] = {false};
		memset(stores.taken, 0, sizeof stores.taken);
		for (uint32_t k = 0; k < n_wanted && plan->n_messages < MESSAGES_MAX; k++) {
			uint32_t source = below(rng, n);
			if (kind == RANDOM_FREE && has_sent[source])
				continue;
			has_sent[source] = true;
			add_message(plan, &stores, kind, pass, source, mixed ? (uint8_t)below(rng, n_rules) : rule,
			            rng);
			struct loom_plan_message *m = &plan->messages[plan->n_messages - 1];
			m->rule = (uint8_t)loom_topo_rule(&plan->topo, plan->map[m->source], plan->map[m->destination],
			                                  m->rule);
		}
		memcpy(stores.before, stores.after, sizeof stores.before);
	}
}

// True if a chip can run the plan: nothing waits for ever, and a network of two directions need not change its
// direction within a pass.
static bool can_run(const struct loom_plan *plan)
{
	return loom_image_check(plan, &(struct loom_image_options){0}, NULL) == 0;
}

static void draw(struct loom_plan *out, enum random_plan_kind kind, const char *fabric, uint32_t most_rules,
                 struct loom_rng *rng)
{
	static const char *const objectives[] = {"", "maxmax", "maxsum", "sumsum"};
	struct loom_err err = {0};
	memset(out, 0, sizeof *out);
	if (loom_topo_parse(&out->topo, fabric, &err) != 0)
		fail_msg("%s: %s", fabric, err.text);
	(void)snprintf(out->pattern, sizeof out->pattern, "random");
	(void)snprintf(out->planner, sizeof out->planner, "random");
	(void)snprintf(out->objective, sizeof out->objective, "%s", objectives[below(rng, 4)]);
	out->n_members = 1 + below(rng, 3);
	out->n_passes = out->n_members + below(rng, 3);
	out->member_of_pass = calloc(out->n_passes, sizeof *out->member_of_pass);
	assert_non_null(out->member_of_pass);
	for (uint32_t pass = 0; pass < out->n_passes; pass++)
		out->member_of_pass[pass] = below(rng, out->n_members);
	out->free_running = kind == RANDOM_FREE;
	make_map(out, rng);
	make_messages(out, kind, most_rules, rng);
	if (loom_plan_predict(out, &err) != 0)
		fail_msg("%s: %s", fabric, err.text);
}

void random_plan_on(struct loom_plan *out, enum random_plan_kind kind, const char *fabric, uint64_t seed)
{
	struct loom_rng rng;
	loom_rng_init(&rng, seed * RANDOM_KINDS + kind);
	for (draw(out, kind, fabric, LOOM_RULES_MAX, &rng); !can_run(out);
	     draw(out, kind, fabric, LOOM_RULES_MAX, &rng))
		loom_plan_free(out);
}

void random_plan(struct loom_plan *out, enum random_plan_kind kind, uint64_t seed)
{
	static const char *const fabrics[] = {"cube:1",      "cube:2",   "cube:3",   "cube:4",    "omega:2",
	                                      "omega:8",     "benes:4",  "benes:8",  "benes:16",  "baseline:4",
	                                      "rbaseline:8", "icube:16", "ricube:8", "romega:16", "line:4",
	                                      "ring:5",      "mesh:3x2", "mesh:3x5", "torus:3x3", "torus:2x4"};
	static const char *const with_light[] = {"otis-mesh:4", "otis-mesh:4l3v2", "otis-mesh:4w2",
	                                         "otis-mesh:4l5w3v2"};
	struct loom_rng rng;
	loom_rng_init(&rng, seed * RANDOM_KINDS + kind);
	const char *fabric = fabrics[below(&rng, sizeof fabrics / sizeof fabrics[0])];
	if (seed % 6 == 0 && kind != RANDOM_FREE) // there is no prediction of free runs with light
		fabric = with_light[seed / 6 % (sizeof with_light / sizeof with_light[0])];
	for (draw(out, kind, fabric, 2, &rng); !can_run(out); draw(out, kind, fabric, 2, &rng))
		loom_plan_free(out);
}

// --- The reference's view ------------------------------------------------------------------------------------------

void play_of(struct ref_play *out, const struct loom_plan *plan)
{
	const struct loom_topo *t = &plan->topo;
	uint32_t n_channels = loom_topo_channels(t), *routes = calloc(plan->n_messages + 1, ROUTE_MAX * sizeof *routes);
	struct ref_worm *worm = calloc(plan->n_messages + 1, sizeof *worm);
	unsigned *group = calloc(n_channels, sizeof *group);
	bool *is_local = calloc(n_channels, sizeof *is_local);
	unsigned *late = calloc(n_channels, sizeof *late), *keeps = calloc(n_channels, sizeof *keeps);
	assert_true(routes && worm && group && is_local && late && keeps);
	for (size_t i = 0; i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		uint32_t *route = routes + i * ROUTE_MAX;
		worm[i] = (struct ref_worm){m->pass,           m->source, m->destination, m->flits, m->from_slot != 0,
		                            m->keep_slot != 0, 0,         route};
		if (m->source != m->destination || t->kind->self_uses_network) {
			struct loom_route on;
			uint32_t channel;
			for (loom_plan_route_begin(&on, plan, i); loom_route_next(&on, &channel);) {
				assert_true(worm[i].length < ROUTE_MAX);
				route[worm[i].length++] = channel;
			}
		}
	}
	for (uint32_t c = 0; c < n_channels; c++) {
		char name[48];
		loom_topo_channel_name(t, c, name);
		group[c] = loom_topo_group_of(t, c);
		is_local[c] = strncmp(name, "inject", 6) == 0 || strncmp(name, "eject", 5) == 0;
		bool is_light = strstr(name, "optical");
		late[c] = is_light ? t->light_cycles + t->light_ratio - 1 : 0;
		keeps[c] = is_light ? t->light_ratio : 1;
	}
	*out = (struct ref_play){.n_worms = plan->n_messages,
	                         .worm = worm,
	                         .n_passes = plan->n_passes,
	                         .n_channels = n_channels,
	                         .n_nodes = t->n_nodes,
	                         .n_members = plan->n_members,
	                         .n_groups = loom_topo_groups(t),
	                         .member_of_pass = plan->member_of_pass,
	                         .group_of_channel = group,
	                         .is_local = is_local,
	                         .late = late,
	                         .keeps = keeps,
	                         .free_running = plan->free_running};
	if (plan->n_messages == 0)
		free(routes);
}

void play_free(struct ref_play *play)
{
	if (play->n_worms)
		free((void *)(uintptr_t)play->worm[0].channel);
	free((void *)(uintptr_t)play->worm);
	free((void *)(uintptr_t)play->group_of_channel);
	free((void *)(uintptr_t)play->is_local);
	free((void *)(uintptr_t)play->late);
	free((void *)(uintptr_t)play->keeps);
}

// --- Flawless hardware ---------------------------------------------------------------------------------------------

static size_t first_sender(const struct loom_plan *plan, size_t i)
{
	return plan->messages[i].from_slot ? first_sender(plan, plan->messages[i].origin) : i;
}

// Orders arrivals as a node's log has them.
static int by_arrival(const void *a, const void *b)
{
	const struct loom_arrival *x = a, *y = b;
	if (x->node != y->node)
		return x->node < y->node ? -1 : 1;
	if (x->logged_pass != y->logged_pass)
		return x->logged_pass < y->logged_pass ? -1 : 1;
	return (x->first_cycle > y->first_cycle) - (x->first_cycle < y->first_cycle);
}

static void log_messages(struct loom_trace *out, const struct ref_play *p, const struct plan_reference *r)
{
	const struct loom_plan *plan = r->plan;
	const unsigned label_bits = plan->topo.label_bits;
	uint32_t *destination = calloc(plan->n_messages + 1, sizeof *destination);
	assert_non_null(destination);
	assert_int_equal(loom_chosen_labels_destinations(destination, plan, NULL), 0);
	for (size_t i = 0; i < p->n_worms; i++) {
		const size_t first = first_sender(plan, i);
		const struct ref_worm *w = &p->worm[i];
		if (!w->length)
			continue;
		const uint32_t source = plan->map[p->worm[first].source], number = r->number[first];
		out->arrivals[out->n_arrivals++] = (struct loom_arrival){
			.node = plan->map[w->destination],
			.source = source,
			.number = number,
			.destination = destination[i],
			.pass = w->pass,
			.flits = w->flits,
			.first_cycle = (uint32_t)r->header[i],
			.last_cycle = (uint32_t)r->tail[i],
			.intact = true,
			.rule = plan->messages[i].rule,
			.keep_slot = plan->messages[i].keep_slot,
			.logged_pass = plan->free_running ? p->n_passes - 1 : w->pass,
			.release = out->released ? out->released[out->first_entry[source] + number] : 0,
			.signature = ref_payload_signature(0, 32, label_bits, 32, 32,
		                                           loom_topo_label(&plan->topo, source), number, w->flits)};
		out->sent[plan->map[w->source]]++;
	}
	qsort(out->arrivals, out->n_arrivals, sizeof *out->arrivals, by_arrival);
	free(destination);
}

// True if the host reads when entries began, because the plan alone does not tell: it has timing, or a node sends twice
// in a pass.
static bool tells_releases(const struct ref_play *p, const struct loom_plan *plan)
{
	bool twice = false;
	for (size_t i = 0; i < p->n_worms; i++)
		for (size_t k = 0; k < i; k++)
			twice = twice || (p->worm[i].length && p->worm[k].length &&
			                  p->worm[i].pass == p->worm[k].pass && p->worm[i].source == p->worm[k].source);
	return plan->timing || (twice && !plan->free_running);
}

static void tell_releases(struct loom_trace *out, const struct plan_reference *r)
{
	const size_t n_entries = r->first_entry[out->n_nodes];
	out->first_entry = calloc((size_t)out->n_nodes + 1, sizeof *out->first_entry);
	out->released = calloc(n_entries + 1, sizeof *out->released);
	assert_true(out->first_entry && out->released);
	memcpy(out->first_entry, r->first_entry, ((size_t)out->n_nodes + 1) * sizeof *out->first_entry);
	for (size_t e = 0; e < n_entries; e++)
		out->released[e] = (uint32_t)r->began[e];
}

// A free run's channel counts cycles in which headers wait in the pass whose messages it has carried last.
static void count_channels(struct loom_trace *out, const struct ref_play *p, const struct plan_reference *r)
{
	for (uint32_t c = 0; c < p->n_channels; c++) {
		uint64_t waited = p->free_running ? r->channel[c].n_blocked : 0;
		for (uint32_t pass = p->n_passes; pass-- > 0;) {
			const size_t at = (size_t)pass * p->n_channels + c;
			struct loom_count *count = &out->counts[at];
			*count = (struct loom_count){.worms = ref_play_load(p, pass, c),
			                             .flits = (uint32_t)ref_play_flits(p, pass, c)};
			if (p->free_running && count->worms) {
				count->blocked_cycles = (uint32_t)waited;
				waited = 0;
			}
			if (!p->free_running) {
				assert_int_equal(r->channel[at].n_worms, count->worms);
				assert_int_equal(r->channel[at].n_flits, count->flits);
				count->blocked_cycles = (uint32_t)r->channel[at].n_blocked;
			}
		}
	}
}

void flawless_trace_of(struct loom_trace *out, const struct plan_reference *r, enum loom_machine machine)
{
	struct ref_play p;
	play_of(&p, r->plan);
	*out = (struct loom_trace){.n_nodes = p.n_nodes,
	                           .n_channels = p.n_channels,
	                           .n_passes = p.n_passes,
	                           .machine = machine,
	                           .payload = {.flit_bits = 32,
	                                       .label_bits = r->plan->topo.label_bits,
	                                       .state_bits = 32,
	                                       .signature_bits = 32}};
	out->arrivals = calloc(p.n_worms + 1, sizeof *out->arrivals);
	out->counts = calloc((size_t)p.n_passes * p.n_channels, sizeof *out->counts);
	out->sent = calloc(p.n_nodes, sizeof *out->sent);
	out->corrupt = calloc(p.n_nodes, sizeof *out->corrupt);
	assert_true(out->arrivals && out->counts && out->sent && out->corrupt);
	if (tells_releases(&p, r->plan))
		tell_releases(out, r);
	log_messages(out, &p, r);
	count_channels(out, &p, r);
	play_free(&p);
}

void flawless_trace(struct loom_trace *out, const struct loom_plan *plan, enum loom_machine machine)
{
	struct plan_reference r;
	if (plan_reference_make(&r, plan, machine) != 0)
		fail_msg("%s: it locks", plan->topo.name);
	flawless_trace_of(out, &r, machine);
	plan_reference_free(&r);
}
