// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/verdict.h>

#include "reference/reference.h"
#include "plan_reference.h"
#include "verdict_scene.h"

// Returns the number of message i in its sender's program.
static uint32_t number_of(const struct loom_plan *plan, size_t i)
{
	uint32_t number = 0;
	for (size_t k = 0; k < i; k++)
		if (plan->messages[k].source == plan->messages[i].source &&
		    plan->messages[k].source != plan->messages[k].destination)
			number++;
	return number;
}

struct loom_count *scene_count_at(struct scene *s, uint32_t pass, uint32_t node, uint32_t k)
{
	return &s->trace.counts[pass * s->trace.n_channels + node * (s->plan.topo.n_dims + 2) + k];
}

static void cross(struct scene *s, const struct loom_plan_message *m, uint32_t node, uint32_t k)
{
	struct loom_count *count = scene_count_at(s, m->pass, node, k);
	count->worms++;
	count->flits += m->flits;
}

static void play_message(struct scene *s, size_t i, const struct plan_reference *r)
{
	const struct loom_plan *plan = &s->plan;
	const struct loom_plan_message *m = &plan->messages[i];
	uint32_t n = plan->topo.n_dims, at = plan->map[m->source], to = plan->map[m->destination];
	size_t root = i;
	while (plan->messages[root].from_slot)
		root = plan->messages[root].origin;
	s->trace.arrivals[s->trace.n_arrivals++] = (struct loom_arrival){
		.node = to,
		.source = plan->map[plan->messages[root].source],
		.number = number_of(plan, root),
		.destination = to,
		.pass = m->pass,
		.flits = m->flits,
		.first_cycle = (uint32_t)r->header[i],
		.last_cycle = (uint32_t)r->tail[i],
		.intact = true,
		.rule = m->rule,
		.keep_slot = m->keep_slot,
		.signature = ref_payload_signature(SEED, 11, 2, 16, 12, plan->map[plan->messages[root].source],
	                                           number_of(plan, root), m->flits),
	};
	s->trace.sent[at]++;
	cross(s, m, at, n + 1);
	for (uint32_t k = 0; k < n; k++) {
		uint32_t d = m->rule == LOOM_RULE_ASCENDING ? k : n - 1 - k;
		if ((at ^ to) >> d & 1) {
			cross(s, m, at, d);
			at ^= UINT32_C(1) << d;
		}
	}
	cross(s, m, to, n);
}

void scene_set_up(struct scene *s, const char *fabric, const uint32_t *map, unsigned n_order, const unsigned *order,
                  const struct loom_plan_message *messages, size_t n_messages, uint32_t n_passes)
{
	struct loom_plan *plan = &s->plan;
	memset(s, 0, sizeof *s);
	assert_int_equal(loom_topo_parse(&plan->topo, fabric, NULL), 0);
	plan->n_passes = n_passes;
	plan->n_members = 1;
	plan->n_messages = n_messages;
	plan->messages = calloc(n_messages + 1, sizeof *plan->messages);
	plan->map = calloc(plan->topo.n_nodes, sizeof *plan->map);
	plan->member_of_pass = calloc(n_passes, sizeof *plan->member_of_pass);
	assert_true(plan->messages && plan->map && plan->member_of_pass);
	for (size_t i = 0; i < n_messages; i++) {
		plan->messages[i] = messages[i];
		if (!messages[i].from_slot)
			plan->messages[i].origin = (uint32_t)i;
	}
	memcpy(plan->map, map, plan->topo.n_nodes * sizeof *map);
	plan->n_order = n_order;
	for (unsigned d = 0; d < n_order; d++)
		plan->order[d] = order[d];
	if (loom_plan_predict(plan, &s->err) != 0)
		fail_msg("%s", s->err.text);

	s->trace.n_nodes = plan->topo.n_nodes;
	s->trace.n_channels = loom_topo_channels(&plan->topo);
	s->trace.n_passes = n_passes;
	s->trace.payload = (struct loom_payload){
		.seed = SEED, .flit_bits = 11, .label_bits = 2, .state_bits = 16, .signature_bits = 12};
	s->trace.arrivals = calloc(ROOM, sizeof *s->trace.arrivals);
	s->trace.counts = calloc((size_t)n_passes * s->trace.n_channels, sizeof *s->trace.counts);
	s->trace.sent = calloc(plan->topo.n_nodes, sizeof *s->trace.sent);
	s->trace.corrupt = calloc(plan->topo.n_nodes, sizeof *s->trace.corrupt);
	assert_true(s->trace.arrivals && s->trace.counts && s->trace.sent && s->trace.corrupt);
	struct plan_reference r;
	assert_int_equal(plan_reference_make(&r, plan, LOOM_MACHINE_FAST), 0);
	for (size_t i = 0; i < n_messages; i++)
		if (messages[i].source != messages[i].destination)
			play_message(s, i, &r);
	for (size_t at = 0; at < (size_t)n_passes * s->trace.n_channels; at++)
		s->trace.counts[at].blocked_cycles = (uint32_t)r.channel[at].n_blocked;
	plan_reference_free(&r);
}

void scene_tear_down(struct scene *s)
{
	loom_verdict_free(&s->verdict);
	loom_trace_free(&s->trace);
	loom_plan_free(&s->plan);
}

void scene_two_passes(struct scene *s)
{
	static const uint32_t map[] = {2, 3, 0, 1};
	static const struct loom_plan_message messages[] = {
		{.pass = 0, .source = 0, .destination = 1, .flits = 5},
		{.pass = 0, .source = 2, .destination = 2, .flits = 7},
		{.pass = 0, .source = 3, .destination = 0, .flits = 4},
		{.pass = 1, .source = 0, .destination = 3, .flits = 9},
		{.pass = 1, .source = 0, .destination = 2, .flits = 1},
		{.pass = 1, .source = 1, .destination = 3, .flits = 6, .rule = LOOM_RULE_DESCENDING},
	};
	scene_set_up(s, "cube:2", map, 0, NULL, messages, sizeof messages / sizeof messages[0], 2);
}

struct loom_arrival *scene_arrival_of(struct scene *s, size_t message)
{
	size_t at = 0;
	for (size_t i = 0; i < message; i++)
		at += s->plan.messages[i].source != s->plan.messages[i].destination;
	return &s->trace.arrivals[at];
}

void scene_remove_arrival(struct scene *s, size_t message)
{
	*scene_arrival_of(s, message) = s->trace.arrivals[--s->trace.n_arrivals];
}

void scene_add_arrival(struct scene *s, struct loom_arrival arrival)
{
	assert_true(s->trace.n_arrivals < ROOM);
	s->trace.arrivals[s->trace.n_arrivals++] = arrival;
}

void scene_judge(struct scene *s, ...)
{
	va_list expected;
	const char *text;
	size_t n = 0;
	loom_verdict_free(&s->verdict);
	if (loom_verdict_make(&s->verdict, &s->plan, &s->trace, &s->err) != 0)
		fail_msg("%s", s->err.text);
	va_start(expected, s);
	while ((text = va_arg(expected, const char *)) != NULL) {
		if (n >= s->verdict.n_mismatches)
			fail_msg("%zu differences, not \"%s\"", n, text);
		assert_string_equal(s->verdict.mismatches[n], text);
		n++;
	}
	va_end(expected);
	if (s->verdict.n_mismatches != n)
		fail_msg("%zu differences instead of %zu, such as \"%s\"", s->verdict.n_mismatches, n,
		         s->verdict.mismatches[n]);
}

void assert_group(const struct loom_group_count *group, const char *name, uint32_t max, uint64_t sum)
{
	assert_string_equal(group->name, name);
	assert_int_equal(group->max, max);
	assert_int_equal(group->sum, sum);
}
