// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
// The ranks' programs as messages with gates in front of them.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "goal/goal_internal.h"
#include "pattern/pattern_internal.h"

#define FLIT_BYTES 4
#define BYTE_BITS 8

struct maker {
	const struct loom_goal *goal;
	const struct loom_pattern_options *options;
	size_t *match;
	struct loom_goal_costs costs;
	struct loom_goal_order order;
	uint32_t *number;           // by operation: of a send, which it is of those to its destination
	uint32_t *by_rank, *newest; // by rank, for one program at a time
	struct loom_message *messages;
	size_t n_messages;
	struct loom_gate *gates, *behind; // in front of messages, in order; behind each rank's last one
	size_t n_gates, n_behind;
	size_t *first, *first_behind; // by message, by rank: where they begin
	struct loom_arrays arrays;    // owns the arrays
};

static int cost_of_send(uint32_t *out, const struct maker *m, const struct loom_goal_op *op, struct loom_err *err)
{
	const struct loom_pattern_options *o = m->options;
	const uint64_t width = o->flit_bytes ? o->flit_bytes : o->flit_bits ? o->flit_bits / BYTE_BITS : FLIT_BYTES;
	uint64_t flits = op->size / width + (op->size % width > 0) + 1;
	if (flits > LOOM_FLITS_MOST)
		return loom_goal_fail(m->goal, op->line, err,
		                      "a message of %" PRIu64 " bytes has %" PRIu64 " flits of %" PRIu64
		                      " bytes and a header; it may have %u in all",
		                      op->size, flits - 1, width, LOOM_FLITS_MOST);
	*out = (uint32_t)flits;
	return 0;
}

static int cost_of_calc(uint32_t *out, const struct maker *m, const struct loom_goal_op *op, struct loom_err *err)
{
	uint64_t times = m->options->calc_cycles ? m->options->calc_cycles : 1;
	uint64_t units = m->options->calc_units ? m->options->calc_units : 1, cycles;
	if (__builtin_mul_overflow(op->size, times, &cycles) || cycles / units >= LOOM_GATE_CYCLES_MOST)
		return loom_goal_fail(m->goal, op->line, err,
		                      "a calc of %" PRIu64 " units, %" PRIu64 " cycles for %" PRIu64
		                      ", takes more than %u cycles; --calc-cycles can make it fewer",
		                      op->size, times, units, LOOM_GATE_CYCLES_MOST);
	*out = (uint32_t)(cycles / units + (cycles % units > 0));
	return 0;
}

static int find_costs(struct maker *m, struct loom_err *err)
{
	int code = 0;
	for (size_t i = 0; code == 0 && i < m->goal->n_ops; i++) {
		const struct loom_goal_op *op = &m->goal->ops[i];
		// A message to the rank itself never leaves it, and takes no time.
		if (op->kind == LOOM_GOAL_SEND && op->peer != op->rank)
			code = cost_of_send(&m->costs.flits[i], m, op, err);
		else if (op->kind == LOOM_GOAL_CALC)
			code = cost_of_calc(&m->costs.cycles[i], m, op, err);
	}
	return code;
}

static int number_sends(struct maker *m, struct loom_err *err)
{
	for (uint32_t r = 0; r < m->goal->n_ranks; r++) {
		memset(m->by_rank, 0, m->goal->n_ranks * sizeof *m->by_rank);
		for (size_t k = m->order.first[r]; k < m->order.first[r + 1]; k++) {
			size_t i = m->order.entry[k];
			const struct loom_goal_op *op = &m->goal->ops[i];
			if (op->kind != LOOM_GOAL_SEND)
				continue;
			m->number[i] = ++m->by_rank[op->peer];
			if (m->number[i] > LOOM_GATE_WAIT_MOST)
				return loom_goal_fail(m->goal, op->line, err,
				                      "more than %u messages from rank %" PRIu32 " to rank %" PRIu32
				                      ": a processor counts no more of one sender",
				                      LOOM_GATE_WAIT_MOST, r, op->peer);
		}
	}
	return 0;
}

static void put_calc(struct maker *m, size_t in_front, uint32_t cycles)
{
	struct loom_gate *before = m->n_gates > in_front ? &m->gates[m->n_gates - 1] : NULL;
	if (before && before->kind == LOOM_GATE_DELAY && cycles <= LOOM_GATE_CYCLES_MOST - before->value)
		before->value += cycles;
	else
		m->gates[m->n_gates++] = (struct loom_gate){.kind = LOOM_GATE_DELAY, .value = cycles};
}

// Writes the waits for k receives that stand side by side. The messages of a sender arrive in the order of its
// program, so a wait for the third covers the second. by_rank: the highest number that is waited for here; newest:
// the number that was waited for earlier.
static void put_waits(struct maker *m, const size_t *entry, size_t k)
{
	for (size_t e = 0; e < k; e++)
		m->by_rank[m->goal->ops[entry[e]].peer] = 0;
	for (size_t e = 0; e < k; e++) {
		uint32_t *most = &m->by_rank[m->goal->ops[entry[e]].peer], number = m->number[m->match[entry[e]]];
		*most = number > *most ? number : *most;
	}
	for (size_t e = 0; e < k; e++) {
		const struct loom_goal_op *op = &m->goal->ops[entry[e]];
		uint32_t number = m->number[m->match[entry[e]]];
		if (number != m->by_rank[op->peer] || number <= m->newest[op->peer])
			continue;
		m->newest[op->peer] = number;
		m->gates[m->n_gates++] =
			(struct loom_gate){.kind = LOOM_GATE_WAIT, .value = number, .source = op->peer};
	}
}

// Messages of a program, and the gates in front of each and behind the last one.
static void put_program(struct maker *m, uint32_t rank)
{
	size_t in_front = m->n_gates, end = m->order.first[rank + 1];
	memset(m->newest, 0, m->goal->n_ranks * sizeof *m->newest);
	for (size_t k = m->order.first[rank], run = k; k < end; k = run) {
		size_t i = m->order.entry[k];
		const struct loom_goal_op *op = &m->goal->ops[i];
		while (run < end && m->goal->ops[m->order.entry[run]].kind == LOOM_GOAL_RECV)
			run++;
		if (run > k) {
			put_waits(m, m->order.entry + k, run - k);
			continue;
		}
		run = k + 1;
		if (op->kind == LOOM_GOAL_CALC) {
			put_calc(m, in_front, m->costs.cycles[i]);
			continue;
		}
		m->first[m->n_messages] = in_front;
		m->messages[m->n_messages++] =
			(struct loom_message){.source = rank, .destination = op->peer, .flits = m->costs.flits[i]};
		in_front = m->n_gates;
	}
	m->first_behind[rank] = m->n_behind;
	memcpy(m->behind + m->n_behind, m->gates + in_front, (m->n_gates - in_front) * sizeof *m->gates);
	m->n_behind += m->n_gates - in_front;
	m->n_gates = in_front;
}

static struct loom_timing *make_timing(const struct maker *m, uint32_t n_nodes)
{
	struct loom_timing *t = loom_timing_new(m->n_messages, n_nodes, m->n_gates + m->n_behind);
	if (!t)
		return NULL;
	memcpy(t->gate, m->gates, m->n_gates * sizeof *t->gate);
	memcpy(t->gate + m->n_gates, m->behind, m->n_behind * sizeof *t->gate);
	memcpy(t->first, m->first, m->n_messages * sizeof *t->first);
	for (uint32_t v = 0; v <= n_nodes; v++)
		t->first[m->n_messages + v] = m->n_gates + (v < m->goal->n_ranks ? m->first_behind[v] : m->n_behind);
	t->n_serialised = m->order.n_serialised;
	return t;
}

static int make_pattern(struct loom_pattern *out, const char *name, uint32_t n_nodes, struct maker *m,
                        struct loom_err *err)
{
	struct loom_pattern p = {0};
	for (uint32_t r = 0; r < m->goal->n_ranks; r++)
		put_program(m, r);
	if (m->n_messages == 0)
		return loom_goal_fail(m->goal, 0, err,
		                      "no rank sends a message to another one: there is nothing to run");
	int code = loom_pattern_from_messages(&p, name, n_nodes, m->messages, m->n_messages, err);
	if (code)
		return code;
	p.own_lengths = true;
	p.timing = make_timing(m, n_nodes);
	if (!p.timing) {
		loom_pattern_free(&p);
		return loom_pattern_no_memory(err);
	}
	*out = p;
	return 0;
}

static int init(struct maker *m, struct loom_err *err)
{
	size_t n = m->goal->n_ops + 1, n_ranks = m->goal->n_ranks;
	LOOM_ARRAY(&m->arrays, m->match, n);
	LOOM_ARRAY(&m->arrays, m->costs.flits, n);
	LOOM_ARRAY(&m->arrays, m->costs.cycles, n);
	LOOM_ARRAY(&m->arrays, m->order.entry, n);
	LOOM_ARRAY(&m->arrays, m->order.first, n_ranks + 1);
	LOOM_ARRAY(&m->arrays, m->number, n);
	LOOM_ARRAY(&m->arrays, m->by_rank, n_ranks);
	LOOM_ARRAY(&m->arrays, m->newest, n_ranks);
	LOOM_ARRAY(&m->arrays, m->messages, n);
	LOOM_ARRAY(&m->arrays, m->gates, n);
	LOOM_ARRAY(&m->arrays, m->behind, n);
	LOOM_ARRAY(&m->arrays, m->first, n);
	LOOM_ARRAY(&m->arrays, m->first_behind, n_ranks);
	return m->arrays.is_short ? loom_pattern_no_memory(err) : 0;
}

int loom_pattern_from_goal(struct loom_pattern *out, const char *name, uint32_t n_nodes, const struct loom_goal *goal,
                           const struct loom_pattern_options *options, struct loom_err *err)
{
	struct loom_goal settled = *goal;
	struct loom_goal_op *ops = NULL;
	struct maker m = {.goal = &settled, .options = options};
	if (goal->n_ranks > n_nodes)
		return loom_goal_fail(goal, 0, err, "%" PRIu32 " ranks are more than the %" PRIu32 " processors",
		                      goal->n_ranks, n_nodes);
	int code = loom_goal_settle(&ops, goal, err);
	if (ops)
		settled.ops = ops;
	if (code == 0)
		code = init(&m, err);
	if (code == 0)
		code = find_costs(&m, err);
	if (code == 0)
		code = loom_goal_match(m.match, &settled, err);
	if (code == 0)
		code = loom_goal_order(&m.order, &settled, m.match, &m.costs, err);
	if (code == 0)
		code = number_sends(&m, err);
	if (code == 0)
		code = make_pattern(out, name, n_nodes, &m, err);
	loom_arrays_free(&m.arrays);
	free(ops);
	return code;
}
