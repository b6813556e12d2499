// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Collectives: carries the operations out on numbers and checks the result of every rank; and checks that text and
// pattern agree.
#include <flitloom/goal.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "unit/help/goal_programs.h"

enum { RANKS_MOST = 40, PIECE = 12 };

static const uint32_t sizes[] = {2, 3, 4, 5, 6, 7, 8, 9, 12, 15, 16, 17, 23, 31, 32, 33, 40};
#define N_SIZES (sizeof sizes / sizeof sizes[0])

static void make(struct loom_goal *out, const char *spec, uint32_t n, uint64_t bytes)
{
	struct loom_err err = {0};
	if (loom_goal_collective(out, spec, n, bytes, &err) != 0)
		fail_msg("%s of %u: %s", spec, n, err.text);
}

// Each rank holds, in a reduction, how often each contribution is in each piece; in an exchange, which block is in each place.
// A message carries what its sender held when it sent.
struct message {
	uint32_t from, to, tag;
	uint64_t size;
	unsigned held[RANKS_MOST][RANKS_MOST];
	bool is_taken;
};

struct play {
	const struct loom_goal *goal;
	uint32_t n, n_pieces;
	unsigned (*held)[RANKS_MOST][RANKS_MOST]; // by rank: [piece][contributor], or [block][0]
	struct message *messages;
	size_t n_messages;
};

static struct message *find(struct play *p, const struct loom_goal_op *recv)
{
	for (size_t k = 0; k < p->n_messages; k++) {
		struct message *m = &p->messages[k];
		if (!m->is_taken && m->from == recv->peer && m->to == recv->rank && m->tag == recv->tag)
			return m;
	}
	return NULL;
}

static bool is_done(const struct play *p, const bool *done, size_t i)
{
	for (size_t k = 0; k < p->goal->n_needs; k++)
		if (p->goal->needs[k].op == i && !done[p->goal->needs[k].on])
			return false;
	return true;
}

// True if a calc that needs the receive follows it. Then the received data is added, otherwise it replaces the old
// data.
static bool is_summed(const struct loom_goal *g, size_t i)
{
	for (size_t k = 0; k < g->n_needs; k++)
		if (g->needs[k].on == i && g->ops[g->needs[k].op].kind == LOOM_GOAL_CALC)
			return true;
	return false;
}

typedef void take_fn(struct play *p, const struct message *m, size_t op);

// Carries all operations out, each once what it needs is done. What a calc adds is there with its receive: nothing else may
// happen between them, as all that is behind the receive needs the calc.
static void play(struct play *p, take_fn *take)
{
	const struct loom_goal *g = p->goal;
	bool *done = calloc(g->n_ops, sizeof *done), news = true;
	p->messages = calloc(g->n_ops, sizeof *p->messages);
	assert_true(done && p->messages);
	while (news) {
		news = false;
		for (size_t i = 0; i < g->n_ops; i++) {
			const struct loom_goal_op *op = &g->ops[i];
			if (done[i] || !is_done(p, done, i))
				continue;
			if (op->kind == LOOM_GOAL_SEND) {
				struct message *m = &p->messages[p->n_messages++];
				*m = (struct message){
					.from = op->rank, .to = op->peer, .tag = op->tag, .size = op->size};
				memcpy(m->held, p->held[op->rank], sizeof m->held);
			} else if (op->kind == LOOM_GOAL_RECV) {
				struct message *m = find(p, op);
				// The send of a step goes first: it carries the data from before the step.
				if (!m ||
				    (i > 0 && op[-1].kind == LOOM_GOAL_SEND && op[-1].rank == op->rank && !done[i - 1]))
					continue;
				assert_int_equal(m->size, op->size);
				m->is_taken = true;
				take(p, m, i);
			}
			done[i] = news = true;
		}
	}
	for (size_t i = 0; i < g->n_ops; i++)
		assert_true(done[i]);
	for (size_t k = 0; k < p->n_messages; k++)
		assert_true(p->messages[k].is_taken);
	free(done);
	free(p->messages);
}

// Takes pieces of a reduction. The tag is the first piece of the message.
static void take_pieces(struct play *p, const struct message *m, size_t op)
{
	bool summed = is_summed(p->goal, op);
	uint64_t n = p->goal->ops[op].size / PIECE;
	assert_true(m->size % PIECE == 0 && m->tag + n <= p->n_pieces);
	for (uint64_t piece = m->tag; piece < m->tag + n; piece++)
		for (uint32_t whose = 0; whose < p->n; whose++)
			p->held[m->to][piece][whose] =
				m->held[piece][whose] + (summed ? p->held[m->to][piece][whose] : 0);
}

static void reduce(const char *spec, uint32_t n, uint32_t n_pieces)
{
	struct loom_goal goal = {0};
	struct play p = {.goal = &goal, .n = n, .n_pieces = n_pieces, .held = calloc(n, sizeof *p.held)};
	assert_non_null(p.held);
	make(&goal, spec, n, (uint64_t)n_pieces * PIECE);
	for (uint32_t r = 0; r < n; r++)
		for (uint32_t piece = 0; piece < n_pieces; piece++)
			p.held[r][piece][r] = 1;
	play(&p, take_pieces);
	for (uint32_t r = 0; r < n; r++)
		for (uint32_t piece = 0; piece < n_pieces; piece++)
			for (uint32_t whose = 0; whose < n; whose++)
				if (p.held[r][piece][whose] != 1)
					fail_msg("%s of %u: rank %u has the contribution of %u to piece %u %u times",
					         spec, n, r, whose, piece, p.held[r][piece][whose]);
	loom_goal_free(&goal);
	free(p.held);
}

static void test_allreduce(void **state)
{
	(void)state;
	for (size_t k = 0; k < N_SIZES; k++) {
		uint32_t n = sizes[k], power = 1;
		while (power * 2 <= n)
			power *= 2;
		reduce("allreduce:ring", n, n);
		reduce("allreduce:recursive-doubling", n, 3);
		reduce("allreduce:rabenseifner", n, power);
	}
}

static void test_broadcast(void **state)
{
	(void)state;
	for (size_t k = 0; k < N_SIZES; k++) {
		struct loom_goal goal = {0};
		uint32_t n = sizes[k];
		struct play p = {.goal = &goal, .n = n, .n_pieces = 1, .held = calloc(n, sizeof *p.held)};
		assert_non_null(p.held);
		make(&goal, "broadcast:binomial", n, PIECE);
		p.held[0][0][0] = 1;
		play(&p, take_pieces);
		assert_int_equal(p.n_messages, n - 1);
		for (uint32_t r = 0; r < n; r++)
			assert_int_equal(p.held[r][0][0], 1);
		loom_goal_free(&goal);
		free(p.held);
	}
}

// Returns the name of a block, from its owner and its receiver.
static unsigned block(uint32_t whose, uint32_t whom)
{
	return 1 + whose * RANKS_MOST + whom;
}

// Takes the sender's blocks for the receiver.
static void take_own(struct play *p, const struct message *m, size_t op)
{
	(void)op;
	assert_int_equal(p->held[m->to][m->from][1], 0); // once
	p->held[m->to][m->from][1] = m->held[m->to][0];
	assert_int_equal(m->size, PIECE);
}

// Takes the blocks whose number has the bit in the tag.
static void take_bruck(struct play *p, const struct message *m, size_t op)
{
	uint64_t n_blocks = 0;
	(void)op;
	for (uint32_t i = 0; i < p->n; i++)
		if (i >> m->tag & 1) {
			p->held[m->to][i][0] = m->held[i][0];
			n_blocks++;
		}
	assert_int_equal(m->size, n_blocks * PIECE);
}

static void test_alltoall(void **state)
{
	(void)state;
	for (size_t k = 0; k < 2 * N_SIZES; k++) {
		struct loom_goal goal = {0};
		bool bruck = k % 2;
		uint32_t n = sizes[k / 2];
		struct play p = {.goal = &goal, .n = n, .held = calloc(n, sizeof *p.held)};
		assert_non_null(p.held);
		make(&goal, bruck ? "alltoall:bruck" : "alltoall:pairwise", n, PIECE);
		for (uint32_t r = 0; r < n; r++)
			for (uint32_t i = 0; i < n; i++)
				p.held[r][i][0] = bruck ? block(r, (r + i) % n) : block(r, i);
		play(&p, bruck ? take_bruck : take_own);
		for (uint32_t r = 0; r < n; r++)
			for (uint32_t i = 0; i < n; i++)
				if (bruck)
					assert_int_equal(p.held[r][i][0], block((r + n - i) % n, r));
				else if (i != r)
					assert_int_equal(p.held[r][i][1], block(i, r));
		loom_goal_free(&goal);
		free(p.held);
	}
}

// In step k of pairwise a rank sends to the one that is k away: by exclusive or if the ranks are a power of two, else round the ring.
static void test_pairwise_partners(void **state)
{
	(void)state;
	for (size_t s = 0; s < N_SIZES; s++) {
		uint32_t n = sizes[s], step[RANKS_MOST] = {0}, heard[RANKS_MOST] = {0};
		struct loom_goal goal = {0};
		make(&goal, "alltoall:pairwise", n, PIECE);
		bool by_bits = n == 2 || n == 4 || n == 8 || n == 16 || n == 32;
		for (size_t i = 0; i < goal.n_ops; i++) {
			const struct loom_goal_op *op = &goal.ops[i];
			uint32_t k = op->kind == LOOM_GOAL_SEND ? ++step[op->rank] : ++heard[op->rank];
			if (op->kind == LOOM_GOAL_SEND)
				assert_int_equal(op->peer, by_bits ? op->rank ^ k : (op->rank + k) % n);
			else
				assert_int_equal(op->peer, by_bits ? op->rank ^ k : (op->rank + n - k) % n);
		}
		for (uint32_t r = 0; r < n; r++)
			assert_true(step[r] == n - 1 && heard[r] == n - 1);
		loom_goal_free(&goal);
	}
}

static void test_stencil(void **state)
{
	(void)state;
	struct loom_goal goal = {0};
	unsigned n_of[12][12] = {{0}};
	make(&goal, "stencil2d:3x4", 16, 100);
	assert_int_equal(goal.n_ranks, 12);
	for (size_t i = 0; i < goal.n_ops; i++)
		if (goal.ops[i].kind == LOOM_GOAL_SEND)
			n_of[goal.ops[i].rank][goal.ops[i].peer]++;
	for (int a = 0; a < 12; a++)
		for (int b = 0; b < 12; b++) {
			int far = abs(a / 4 - b / 4) + abs(a % 4 - b % 4);
			assert_int_equal(n_of[a][b], far == 1);
		}
	loom_goal_free(&goal);
}

// The pattern by name, and that of the text which is written of the same collective; both as the slow interpreter reads the text.
static void compare(const char *spec, uint32_t n, uint64_t bytes)
{
	struct loom_pattern_options options = {.flits = 17, .flit_bytes = 8, .calc_cycles = 3, .calc_units = 2};
	struct loom_pattern a = {0}, b = {0};
	struct loom_goal goal = {0}, again = {0};
	struct loom_err err = {0};
	char *text = NULL;
	size_t length = 0;
	options.bytes = bytes;
	options.has_bytes = true;
	make(&goal, spec, n, bytes);
	assert_int_equal(loom_goal_write(&text, &length, &goal, &err), 0);
	assert_int_equal(loom_goal_parse(&again, text, length, "text", &err), 0);
	goal_programs_assert_same(&goal, &again);
	if (loom_pattern_parse(&a, spec, n, &options, &err) != 0)
		fail_msg("%s", err.text);
	assert_int_equal(loom_pattern_from_goal(&b, spec, n, &again, &options, &err), 0);
	assert_int_equal(a.n_messages, b.n_messages);
	assert_memory_equal(a.messages, b.messages, a.n_messages * sizeof *a.messages);
	assert_int_equal(a.timing->n_serialised, 0); // the text has the operations in the order of the run
	goal_programs_compare(text, &a, &options);
	goal_programs_compare(text, &b, &options);
	goal_programs_run(NULL, &a);
	loom_pattern_free(&a);
	loom_pattern_free(&b);
	loom_goal_free(&goal);
	loom_goal_free(&again);
	free(text);
}

static void test_text(void **state)
{
	(void)state;
	static const char *const specs[] = {"allreduce:ring",         "allreduce:recursive-doubling",
	                                    "allreduce:rabenseifner", "broadcast:binomial",
	                                    "alltoall:pairwise",      "alltoall:bruck",
	                                    "stencil2d:4x4",          "stencil2d:2x5"};
	for (size_t k = 0; k < sizeof specs / sizeof specs[0]; k++) {
		compare(specs[k], 16, 100);
		if (k < 6) {
			compare(specs[k], 8, 1024);
			compare(specs[k], 11, 7); // some pieces are empty
			compare(specs[k], 2, 0);
		}
	}
}

static void test_refused(void **state)
{
	(void)state;
	static const struct {
		const char *spec;
		uint32_t n;
		const char *wanted;
	} cases[] = {
		{"allreduce:rnig", 8, "did you mean \"allreduce:ring\"?"},
		{"allreduce", 8, "unknown collective"},
		{"broadcast:ring", 8, "unknown collective"},
		{"stencil2d:4", 8, "\"4\" is not a grid AxB"},
		{"stencil2d:3x3", 8, "a grid 3x3 is not of 2 to 8 ranks"},
		{"stencil2d:0x3", 8, "not a grid"},
		{"stencil2d:1x1", 8, "not of 2 to 8"},
		{"allreduce:ring", 1024, "has 2095104 messages; it may have at most 1048576"},
		{"alltoall:pairwise", 1025, "has 1049600 messages"},
		{"alltoall:bruck", 1, "a collective of 1 ranks"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct loom_goal goal = {0};
		struct loom_err err = {0};
		assert_int_equal(loom_goal_collective(&goal, cases[i].spec, cases[i].n, 64, &err), LOOM_EINPUT);
		if (!strstr(err.text, cases[i].wanted))
			fail_msg("\"%s\" does not say \"%s\"", err.text, cases[i].wanted);
		assert_null(goal.ops);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_allreduce), cmocka_unit_test(test_broadcast),
		cmocka_unit_test(test_alltoall),  cmocka_unit_test(test_pairwise_partners),
		cmocka_unit_test(test_stencil),   cmocka_unit_test(test_text),
		cmocka_unit_test(test_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
