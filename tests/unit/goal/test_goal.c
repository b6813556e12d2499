// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// GOAL: text to programs by hand, and against the slow interpreter.
#include <flitloom/goal.h>

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "unit/help/goal_programs.h"

static const struct loom_pattern_options plain = {.flits = 17, .flit_bytes = 4};

static int read_text(struct loom_pattern *out, const char *text, uint32_t n_nodes, struct loom_err *err)
{
	struct loom_goal goal = {0};
	int code = loom_goal_parse(&goal, text, strlen(text), "text", err);
	if (code == 0)
		code = loom_pattern_from_goal(out, "text", n_nodes, &goal, &plain, err);
	loom_goal_free(&goal);
	return code;
}

// Compares the programs of the pattern, as a line: "0: s1/3 d5 w1.2 | 1: ..."
static void assert_programs(const char *text, uint32_t n_nodes, const char *wanted, uint64_t n_serialised)
{
	struct loom_pattern p = {0};
	struct loom_err err = {0};
	char shown[512];
	if (read_text(&p, text, n_nodes, &err) != 0)
		fail_msg("%s", err.text);
	goal_programs_show(shown, sizeof shown, &p);
	assert_string_equal(shown, wanted);
	assert_int_equal(p.timing->n_serialised, n_serialised);
	goal_programs_compare(text, &p, &plain);
	loom_pattern_free(&p);
}

static void test_by_hand(void **state)
{
	(void)state;
	// 100 bytes: 25 flits and the header.
	assert_programs("num_ranks 2\n"
	                "rank 0 {\nl1: send 100b to 1 tag 3 cpu 0 nic 0\nl2: recv 5b from 1\n}\n"
	                "rank 1 {\nl1: recv 100b from 0 tag 3\nl2: calc 200\nl3: send 5b to 0\n"
	                "l2 requires l1\nl3 requires l2\n}\n",
	                2, "0: s1/26 w1.1 | 1: w0.1 d200 s0/3", 0);
	// On one line, with comments, ranks in another order, and a processor without a rank.
	assert_programs("/* two\nlines */ num_ranks 2\n rank 1 { l3: recv 0b from 0; l4: calc 7; } // none\n"
	                "rank 0 { send 0b to 1 }",
	                3, "0: s1/1 | 1: d7 w0.1 | 2:", 0);
}

static void test_order(void **state)
{
	(void)state;
	// Sends do not wait for what they do not need; a receive stands where it is needed.
	assert_programs("num_ranks 2\n"
	                "rank 0 {\na: recv 4b from 1\nb: calc 9\nb requires a\nc: send 4b to 1\nd: calc 3\n}\n"
	                "rank 1 {\na: recv 4b from 0\nb: send 4b to 0\nb requires a\n}\n",
	                2, "0: s1/2 d3 w1.1 d9 | 1: w0.1 s0/2", 0);
	// Through a calc of no cycles it needs both receives: the one whose message comes first stands first.
	assert_programs("num_ranks 3\n"
	                "rank 0 {\nx: calc 0\nx requires b\nx requires a\na: recv 40b from 1\nb: recv 4b from 2\n"
	                "c: send 4b to 2\nc requires x\n}\n"
	                "rank 1 {\nsend 40b to 0\n}\nrank 2 {\nsend 4b to 0\nrecv 4b from 0\n}\n",
	                3, "0: w2.1 w1.1 s2/2 | 1: s0/11 | 2: s0/2 w0.1", 0);
	// The second calc needs neither the receive nor, being of another cpu, the first calc, which is there earlier.
	assert_programs("num_ranks 2\n"
	                "rank 0 {\na: recv 4b from 1\nb: calc 50 cpu 1\nb requires a\nc: calc 60\nd: calc 70\n"
	                "d requires c\n}\nrank 1 {\nsend 4b to 0\n}\n",
	                2, "0: d60 w1.1 d120 | 1: s0/2", 2);
}

static void test_irequires(void **state)
{
	(void)state;
	// A start of a receive depends on what the receive requires, but not on its message.
	assert_programs("num_ranks 2\n"
	                "rank 0 {\na: calc 5\nb: recv 4b from 1\nb requires a\nc: send 4b to 1\nc irequires b\n}\n"
	                "rank 1 {\na: recv 4b from 0\nb: send 4b to 0\nb requires a\n}\n",
	                2, "0: d5 s1/2 w1.1 | 1: w0.1 s0/2", 0);
	// Two calcs on two cpus, where one needs the start of the other: they run one after the other, which is
	// counted.
	assert_programs(
		"num_ranks 2\n"
		"rank 0 {\na: calc 5 cpu 1\nb: calc 6\nb irequires a\nsend 4b to 1\n}\nrank 1 {\nrecv 4b from 0\n}\n",
		2, "0: s1/2 d11 | 1: w0.1", 1);
}

static void test_matching(void **state)
{
	(void)state;
	// The receive that is needed first needs the last message: after that wait no other wait is needed.
	assert_programs("num_ranks 2\n"
	                "rank 0 {\nsend 4b to 1 tag 1\nsend 8b to 1 tag 2\nrecv 0b from 1\n}\n"
	                "rank 1 {\na: recv 8b from 0 tag 2\nb: send 0b to 0\nb requires a\nc: recv 4b from 0 tag 1\n"
	                "d: calc 3\nd requires c\nd requires b\n}\n",
	                2, "0: s1/2 s1/3 w1.1 | 1: w0.2 s0/1 d3", 0);
	// Side by side, only the later one is waited for; any tag takes the first that is left.
	assert_programs("num_ranks 2\n"
	                "rank 0 {\nsend 4b to 1 tag 1\nsend 4b to 1 tag 2\nsend 4b to 1 tag 1\n}\n"
	                "rank 1 {\na: recv 4b from 0 tag -1\nb: recv 4b from 0 tag 1\nc: recv 4b from 0 tag 2\n"
	                "d: calc 3\nd requires a\nd requires c\ne: calc 3\ne requires b\n}\n",
	                2, "0: s1/2 s1/2 s1/2 | 1: w0.2 d3 w0.3 d3", 1);
	// To itself nothing is sent; what needs that receive needs the send.
	assert_programs("num_ranks 2\n"
	                "rank 0 {\na: calc 9\nb: send 4b to 0\nb requires a\nc: recv 4b from 0\nd: send 4b to 1\nd "
	                "requires c\n}\n"
	                "rank 1 {\nrecv 4b from 0\n}\n",
	                2, "0: d9 s1/2 | 1: w0.1", 0);
	assert_programs("num_ranks 2\n"
	                "rank 0 {\na: recv 0b from 1\nb: send 4b to 0\nb requires a\nc: recv 4b from 0\nd: calc 7\n"
	                "d requires c\n}\nrank 1 {\nsend 0b to 0\n}\n",
	                2, "0: w1.1 d7 | 1: s0/1", 0);
}

static void assert_refused(const char *text, const char *wanted)
{
	struct loom_pattern p = {0};
	struct loom_err err = {0};
	assert_int_equal(read_text(&p, text, 4, &err), LOOM_EINPUT);
	if (!strstr(err.text, wanted))
		fail_msg("\"%s\" does not say \"%s\"", err.text, wanted);
	assert_null(p.messages);
}

static void test_refused(void **state)
{
	(void)state;
#define TWO(zero, one) "num_ranks 2\nrank 0 {\n" zero "}\nrank 1 {\n" one "}\n"
	static const struct {
		const char *text, *wanted;
	} cases[] = {
		{"", "num_ranks is missing"},
		{"rank 0 {\n}\n", "num_ranks must stand in front of the first rank"},
		{"ranks 3\n", "line 1, column 1: \"ranks\", where there should be num_ranks"},
		{"num_ranks 0\n", "there is at least 1"},
		{"num_ranks 9\nrank 1 {\nsend 4b to 0\n}\nrank 0 {\nrecv 4b from 1\n}\n",
	         "9 ranks are more than the 4"},
		{"num_ranks 2\nrank 2 {\n}\n", "line 2, column 6: \"2\" is out of range for a rank: 0..1"},
		{"num_ranks 2\nrank 1 {\n}\nrank 1 {\n}\n", "line 4: rank 1 is there for the second time"},
		{"num_ranks 2\nrank 1 {\ncalc 1\n", "which begins in line 2, has no closing }"},
		{"num_ranks 2 /* no\nend", "line 1, column 13: a comment that begins here has no end"},
		{TWO("send 4b to 2\n", ""), "line 3, column 12: \"2\" is out of range for a rank: 0..1"},
		{TWO("send 4 to 1\n", ""), "line 3, column 8: \"to\", where there should be \"b\""},
		{TWO("send 4b from 1\n", ""), "\"from\", where there should be \"to\""},
		{TWO("send 4b to -1\n", ""), "line 3, column 12: a send to any rank"},
		{TWO("recv 4b from -2\n", ""), "\"2\", where there should be \"1\""},
		{TWO("recv 4b from -1\n", ""), "no message comes for line 3, rank 0: recv from any rank"},
		{TWO("recv 4b from -1\n", "send 4b to 0\nsend 4b to 0\n"),
	         "no rank receives the message of line 7, rank 1: send to 0"},
		{TWO("send 4b to 1 tag -1\n", ""), "only a receive can have it"},
		{TWO("send 4b to 1 tag 1 tag 1\n", ""), "nothing that was already said"},
		{TWO("calc 4 tag 1\n", ""), "\"tag\", where there should be cpu, nic or the line's end"},
		{TWO("calc x\n", ""), "\"x\", where there should be a number of units"},
		{TWO("a: calc 1\na: calc 2\n", ""), "line 4, column 1: label \"a\" was already given to line 3"},
		{TWO("a: calc 1\na requires b\n", ""), "line 4, column 12: no operation of rank 0 has the label \"b\""},
		{TWO("a: calc 1\n", "b: calc 1\nb requires a\n"), "no operation of rank 1 has the label \"a\""},
		{TWO("a: calc 1\nb: calc 2\nb requires a b\n", ""), "\"b\", where there should be the line's end or ;"},
		{TWO("a: calc 1\nb: calc 2\nb irequires 7\n", ""), "\"7\", where there should be a label"},
		{TWO("a calc 1\n", ""), "a colon, requires or irequires behind the label"},
		{TWO("a: wait 1\n", ""), "\"wait\", where there should be send, recv or calc"},
		{TWO("calc 1 calc 2\n", ""), "cpu, nic or the line's end"},
		{TWO("calc 1\n", ""), "no rank sends a message to another one"},
		{TWO("send 4b to 1\n", ""),
	         "text, line 3: rank 0 sends a message with tag 0 which rank 1 does not receive"},
		{TWO("send 4b to 1\n", "recv 4b from 0 tag 5\n"), "line 3: rank 0 sends a message with tag 0"},
		{TWO("send 4b to 1\n", "recv 4b from 0\nrecv 4b from 0\n"),
	         "line 7: rank 1 receives a message with tag 0 which rank 0 does not send"},
		{TWO("a: calc 1\nb: send 4b to 1\na requires b\nb requires a\n", "recv 4b from 0\n"),
	         "in a circle, each the next: (line 3, rank 0: calc), (line 4, rank 0: send to 1)"},
		{TWO("calc 1\nsend 4b to 1\na: calc 1\nb: calc 1\na requires b\nb requires a\n", "recv 4b from 0\n"),
	         "line 5: operations need one another in a circle, each the next: (line 5, rank 0: calc), (line 6, "
	         "rank 0: "
	         "calc)"}, // an operation that is done is not part of the circle
		{TWO("a: send 4b to 1\nb: recv 4b from 1\na requires b\n",
	             "a: send 4b to 0\nb: recv 4b from 0\na requires b\n"),
	         "in a circle, each the next: (line 3, rank 0: send to 1), (line 4, rank 0: recv from 1), (line 8, "
	         "rank 1: send to "
	         "0), (line 9, rank 1: recv from 0)"},
		{TWO("a: calc 1\na irequires a\nsend 4b to 1\n", "recv 4b from 0\n"),
	         "line 3: operations need one another"},
		{TWO("send 99999999b to 1\n", "recv 4b from 0\n"),
	         "line 3: a message of 99999999 bytes has 25000000 flits"},
		{TWO("calc 4294967295\nsend 4b to 1\n", "recv 4b from 0\n"), "line 3: a calc of 4294967295 units"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		assert_refused(cases[i].text, cases[i].wanted);
}

// A comment may stand wherever a blank may, also over a line's end; one without an end is named where it begins.
static void test_comments(void **state)
{
	(void)state;
	static const char text[] =
		"num_ranks 2\nrank 0 {\na: send 4b to 1 tag 3 cpu 0\nb: recv 4b from 1\nb requires a\n"
		"b irequires a ; calc 5 nic 1\n}\nrank 1 { recv 4b from 0 tag 3 ; send 4b to 0 }\n";
	struct loom_goal plain_goal = {0};
	unsigned line = 1, column = 1, n = 0;
	assert_int_equal(loom_goal_parse(&plain_goal, text, strlen(text), "text", NULL), 0);
	for (const char *at = text; *at; at++, column++) {
		if (*at == ' ' || *at == '\n') {
			char whole[400], open[400], wanted[80];
			struct loom_goal goal = {0};
			struct loom_err err = {0};
			const int before = (int)(at - text);
			(void)snprintf(whole, sizeof whole, "%.*s/* a\nb **/%s", before, text, at);
			(void)snprintf(open, sizeof open, "%.*s/*%s", before, text, at);
			(void)snprintf(wanted, sizeof wanted,
			               "line %u, column %u: a comment that begins here has no end", line, column);
			if (loom_goal_parse(&goal, whole, strlen(whole), "text", &err) != 0)
				fail_msg("%s\n%s", err.text, whole);
			assert_int_equal(goal.n_ops, plain_goal.n_ops);
			loom_goal_free(&goal);
			assert_refused(open, wanted);
			n++;
		}
		if (*at == '\n') {
			line++;
			column = 0;
		}
	}
	assert_true(n > 40);
	loom_goal_free(&plain_goal);
}

// --- Random texts --------------------------------------------------------------------------------------------------

enum { RANKS_MOST = 6, OPS_MOST = 80 };

static unsigned below(struct loom_rng *rng, unsigned bound)
{
	return (unsigned)loom_rng_below(rng, bound);
}

// Operations in an order that could be carried out, each a line of its rank, of which some need some that come earlier; then
// the lines of each rank are shuffled.
static char *random_text(struct loom_rng *rng, unsigned n_ranks)
{
	static char line[OPS_MOST + 2][80], need[2 * OPS_MOST + 4][40];
	unsigned rank[OPS_MOST + 2], need_rank[2 * OPS_MOST + 4], pending[OPS_MOST + 2], n_pending = 0, n = 0,
											 n_needs = 0;
	unsigned n_ops = 4 + below(rng, OPS_MOST - 4), to[OPS_MOST + 2], tag[OPS_MOST + 2];
	char *text = NULL;
	size_t size = 0;
	while (n < n_ops || n_pending > 0) {
		unsigned kind = below(rng, 3);
		if (n + n_pending >= n_ops || (kind == 2 && n_pending > 0)) { // a receive of what is under way
			unsigned k = below(rng, n_pending), send = pending[k];
			rank[n] = to[send];
			(void)snprintf(line[n], 80, "l%u: recv 4b from %u tag %u", n, rank[send], tag[send]);
			pending[k] = pending[--n_pending];
		} else if (kind == 0) {
			rank[n] = below(rng, n_ranks);
			(void)snprintf(line[n], 80, "l%u: calc %u cpu %u", n, below(rng, 30), below(rng, 2));
		} else {
			rank[n] = below(rng, n_ranks);
			to[n] = below(rng, n_ranks);
			tag[n] = n; // a different tag and length for each message, so that the test can identify them
			(void)snprintf(line[n], 80, "l%u: send %ub to %u tag %u", n, 4 * n, to[n], tag[n]);
			pending[n_pending++] = n;
		}
		for (unsigned k = 0; k < 2 && n > 0; k++) {
			unsigned on = below(rng, n);
			if (rank[on] != rank[n])
				continue;
			need_rank[n_needs] = rank[n];
			(void)snprintf(need[n_needs++], 40, "l%u %s l%u", n, below(rng, 4) ? "requires" : "irequires",
			               on);
		}
		n++;
	}
	FILE *f = open_memstream(&text, &size);
	assert_non_null(f);
	(void)fprintf(f, "num_ranks %u\n", n_ranks);
	for (unsigned r = 0; r < n_ranks; r++) {
		(void)fprintf(f, "rank %u {\n", r);
		unsigned step = 1 + 2 * below(rng, 64), start = below(rng, 128);
		for (unsigned k = 0; k < 128; k++) {
			unsigned i = (start + k * step) % 128;
			if (i < n && rank[i] == r)
				(void)fprintf(f, "%s\n", line[i]);
		}
		for (unsigned k = 0; k < n_needs; k++)
			if (need_rank[k] == r)
				(void)fprintf(f, "%s\n", need[k]);
		(void)fprintf(f, "}\n");
	}
	assert_int_equal(fclose(f), 0);
	return text;
}

// --- The order that a run must keep, from the text alone -----------------------------------------------------------

struct times {
	uint64_t begin[OPS_MOST + 2], end[OPS_MOST + 2]; // the earliest begin and end of each operation
	bool known[OPS_MOST + 2];
	uint64_t release[OPS_MOST + 2], tail[OPS_MOST + 2]; // measured, by tag, for sends to other ranks
};

static void find_times(struct times *t, const struct loom_goal *g, size_t i)
{
	const struct loom_goal_op *op = &g->ops[i];
	if (t->known[i])
		return;
	t->known[i] = true;
	t->begin[i] = t->end[i] = 1; // the first cycle of what may follow
	for (size_t k = 0; k < g->n_needs; k++)
		if (g->needs[k].op == i) {
			size_t on = g->needs[k].on;
			find_times(t, g, on);
			uint64_t least = g->needs[k].start ? t->begin[on] : t->end[on];
			t->begin[i] = least > t->begin[i] ? least : t->begin[i];
		}
	t->end[i] = t->begin[i];
	if (op->kind == LOOM_GOAL_CALC) {
		t->end[i] += op->size;
	} else if (op->peer == op->rank) {
		for (size_t k = 0; k < g->n_ops && op->kind == LOOM_GOAL_RECV; k++)
			if (g->ops[k].kind == LOOM_GOAL_SEND && g->ops[k].tag == op->tag) {
				find_times(t, g, k);
				t->end[i] = t->end[k] > t->end[i] ? t->end[k] : t->end[i];
			}
	} else if (op->kind == LOOM_GOAL_RECV) {
		uint64_t there = t->tail[op->tag] + 3;
		t->end[i] = there > t->end[i] ? there : t->end[i];
	} else {
		if (t->release[op->tag] < t->begin[i])
			fail_msg("message %u is released in %" PRIu64 ", what it needs is done in %" PRIu64, op->tag,
			         t->release[op->tag], t->begin[i]);
		t->begin[i] = t->release[op->tag];
		t->end[i] = t->begin[i] + op->size / 4 + 1;
	}
}

// Lengths are 4 bytes for each of a send's tag.
static void assert_needs_kept(const char *text, const struct loom_pattern *p)
{
	static struct times t;
	struct ref_arrival arrival[OPS_MOST + 2];
	struct loom_goal g = {0};
	memset(&t, 0, sizeof t);
	assert_int_equal(loom_goal_parse(&g, text, strlen(text), "text", NULL), 0);
	goal_programs_run(arrival, p);
	for (size_t i = 0; i < p->n_messages; i++) {
		t.release[p->messages[i].flits - 1] = arrival[i].offer_cycle;
		t.tail[p->messages[i].flits - 1] = arrival[i].done_cycle;
	}
	for (size_t i = 0; i < g.n_ops; i++)
		find_times(&t, &g, i);
	loom_goal_free(&g);
}

// The programs are those of the slow interpreter, every wait in them is necessary, and the run keeps the order of the
// text.
static void test_random(void **state)
{
	(void)state;
	unsigned n_run = 0;
	for (uint64_t seed = 1; seed <= 400; seed++) {
		struct loom_rng rng;
		struct loom_pattern p = {0};
		struct loom_err err = {0};
		loom_rng_init(&rng, seed);
		unsigned n_ranks = 2 + below(&rng, RANKS_MOST - 1);
		char *text = random_text(&rng, n_ranks);
		if (read_text(&p, text, 8, &err) != 0) {
			if (!strstr(err.text, "no rank sends"))
				fail_msg("seed %" PRIu64 ": %s\n%s", seed, err.text, text);
			free(text);
			continue;
		}
		goal_programs_compare(text, &p, &plain);
		assert_needs_kept(text, &p);
		loom_pattern_free(&p);
		free(text);
		n_run++;
	}
	assert_true(n_run > 300);
}

// A pattern that is written and read stays the same.
static void test_text(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 100; seed++) {
		struct loom_rng rng;
		struct loom_goal a = {0}, b = {0};
		struct loom_err err = {0};
		char *again = NULL;
		size_t length = 0;
		loom_rng_init(&rng, seed);
		char *text = random_text(&rng, 3);
		assert_int_equal(loom_goal_parse(&a, text, strlen(text), "a", &err), 0);
		assert_int_equal(loom_goal_write(&again, &length, &a, &err), 0);
		assert_int_equal(length, strlen(again));
		if (loom_goal_parse(&b, again, length, "b", &err) != 0)
			fail_msg("%s\n%s", err.text, again);
		goal_programs_assert_same(&a, &b);
		loom_goal_free(&a);
		loom_goal_free(&b);
		free(text);
		free(again);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_by_hand),  cmocka_unit_test(test_order),    cmocka_unit_test(test_irequires),
		cmocka_unit_test(test_matching), cmocka_unit_test(test_refused),  cmocka_unit_test(test_random),
		cmocka_unit_test(test_text),     cmocka_unit_test(test_comments),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
