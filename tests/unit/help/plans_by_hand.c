// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/plan.h>

#include "base/rng.h"
#include "plans_by_hand.h"

struct loom_topo cube_of(unsigned n)
{
	char text[16];
	struct loom_topo t;
	(void)snprintf(text, sizeof text, "cube:%u", n);
	assert_int_equal(loom_topo_parse(&t, text, NULL), 0);
	return t;
}

struct loom_pattern pattern_by_hand(struct loom_rng *rng, uint32_t n_nodes, size_t n_messages, uint32_t n_members)
{
	struct loom_pattern p = {.n_nodes = n_nodes, .n_messages = n_messages, .n_members = n_members};
	(void)snprintf(p.name, sizeof p.name, "by hand");
	p.messages = calloc(n_messages + 1, sizeof *p.messages);
	assert_non_null(p.messages);
	for (size_t i = 0; i < n_messages; i++)
		p.messages[i] = (struct loom_message){
			.source = (uint32_t)loom_rng_below(rng, n_nodes),
			.destination = (uint32_t)loom_rng_below(rng, n_nodes),
			.flits = 1 + (uint32_t)loom_rng_below(rng, 100),
			.member = (uint32_t)(i * n_members / n_messages),
		};
	return p;
}

struct loom_plan make_plan(const struct loom_topo *topo, const struct loom_pattern *pattern, const char *map,
                           const char *planner, const char *objective)
{
	struct loom_plan plan;
	struct loom_err err = {0};
	const struct loom_plan_options options = {.map = map, .planner = planner, .objective = objective};
	if (loom_plan_make(&plan, topo, pattern, &options, &err) != 0)
		fail_msg("%s", err.text);
	return plan;
}

struct loom_plan relay_plan(unsigned n)
{
	struct loom_rng rng;
	loom_rng_init(&rng, 6);
	struct loom_topo t = cube_of(n);
	uint32_t last = t.n_nodes - 1;
	struct loom_pattern p = pattern_by_hand(&rng, t.n_nodes, 6, 2);
	struct loom_plan plan = make_plan(&t, &p, "identity", "direct", "sumsum");
	loom_pattern_free(&p);
	const struct loom_plan_message messages[] = {
		{0, 0, last, 9, 0, 0, 3, 0, 0},   {0, 1, last - 1, 9, 0, 0, 3, 1, 0},
		{1, last, 0, 9, 1, 3, 255, 0, 0}, {1, last - 1, 1, 9, 1, 3, 0, 1, 0},
		{2, 0, 1, 9, 0, 255, 0, 2, 0},    {2, last, last, 4, 0, 0, 0, 5, 0},
	};
	memcpy(plan.messages, messages, sizeof messages);
	plan.n_passes = 3;
	free(plan.member_of_pass);
	plan.member_of_pass = calloc(3, sizeof *plan.member_of_pass);
	assert_non_null(plan.member_of_pass);
	plan.member_of_pass[2] = 1;
	plan.lower_bound = 0;
	struct loom_err err = {0};
	if (loom_plan_predict(&plan, &err) != 0)
		fail_msg("%s", err.text);
	plan.lower_bound = 1;
	return plan;
}

void map_by_chance(struct loom_rng *rng, const struct loom_topo *t, char *text)
{
	uint32_t map[1024];
	for (uint32_t v = 0; v < t->n_nodes; v++)
		map[v] = v;
	text[0] = '\0';
	for (uint32_t v = t->n_nodes; v > 0; v--) {
		uint32_t other = (uint32_t)loom_rng_below(rng, v), node = map[other];
		map[other] = map[v - 1];
		text += sprintf(text, "%u%s", node, v > 1 ? "," : "");
	}
}

void check_prediction(const struct loom_plan *plan, uint64_t seed)
{
	unsigned n = plan->topo.n_dims;
	uint32_t n_channels = plan->topo.n_nodes * (n + 2), contention = 0, *member = calloc(plan->n_members, 4);
	uint64_t sum = 0;
	bool known = true;
	assert_non_null(member);
	for (uint32_t pass = 0; pass < plan->n_passes; pass++) {
		uint32_t *load = calloc(n_channels, sizeof *load), network = 0;
		uint64_t cycles = 0;
		bool crowded = false;
		assert_non_null(load);
		for (size_t i = 0; i < plan->n_messages; i++) {
			const struct loom_plan_message *m = &plan->messages[i];
			if (m->pass != pass || m->source == m->destination)
				continue;
			uint32_t at = plan->map[m->source], to = plan->map[m->destination];
			uint64_t hops = (uint64_t)__builtin_popcount(at ^ to);
			load[at * (n + 2) + n + 1]++;
			for (unsigned step = 0; step < n; step++) {
				unsigned d = m->rule ? n - 1 - step : step;
				if ((at & 1u << d) != (to & 1u << d)) {
					load[at * (n + 2) + d]++;
					at ^= 1u << d;
				}
			}
			load[to * (n + 2) + n]++;
			assert_int_equal(loom_plan_message_cycles(plan, m), m->flits + hops + 1);
			cycles = m->flits + hops + 1 > cycles ? m->flits + hops + 1 : cycles;
		}
		for (uint32_t c = 0; c < n_channels; c++) {
			crowded = crowded || load[c] > 1;
			if (c % (n + 2) < n && load[c] > network)
				network = load[c];
			if (load[c] != plan->load[pass * n_channels + c])
				fail_msg("seed %llu: pass %u, channel %u: %u, predicted %u", (unsigned long long)seed,
				         pass, c, load[c], plan->load[pass * n_channels + c]);
		}
		assert_int_equal(loom_plan_pass_contention(plan, pass), network);
		assert_true(plan->cycles[pass] == (crowded ? LOOM_CYCLES_UNKNOWN : cycles));
		uint32_t *of_member = &member[plan->member_of_pass[pass]];
		*of_member = network > *of_member ? network : *of_member;
		contention = network > contention ? network : contention;
		known = known && !crowded;
		sum += cycles;
		free(load);
	}
	assert_memory_equal(member, plan->member_contention, plan->n_members * sizeof *member);
	assert_int_equal(loom_plan_contention(plan), contention);
	assert_true(loom_plan_cycles(plan) == (known ? sum : LOOM_CYCLES_UNKNOWN));
	assert_true(plan->lower_bound <= contention);
	free(member);
}

void check_same_messages(const struct loom_plan *a, const struct loom_plan *b)
{
	assert_int_equal(a->n_messages, b->n_messages);
	for (size_t i = 0; i < a->n_messages; i++) { // compares fields, because padding bytes have any value
		const struct loom_plan_message *x = &a->messages[i], *y = &b->messages[i];
		assert_true(x->pass == y->pass && x->source == y->source && x->destination == y->destination &&
		            x->flits == y->flits && x->rule == y->rule && x->from_slot == y->from_slot &&
		            x->keep_slot == y->keep_slot && x->origin == y->origin && x->via == y->via);
	}
}
