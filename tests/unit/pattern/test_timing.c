// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Programs that wait: what is refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/pattern.h>

#include "base/rng.h"
#include "unit/help/random_programs.h"

#define PLACES 8

// Messages and gates of 4 processors by hand.
struct by_hand {
	struct loom_message message[PLACES];
	size_t n;
	struct {
		size_t place;
		struct loom_gate gate;
	} at[PLACES]; // in ascending order of place
	size_t n_gates;
};

static struct loom_timing *timing_of(const struct by_hand *h)
{
	struct loom_timing *t = loom_timing_new(h->n, 4, h->n_gates);
	assert_non_null(t);
	for (size_t place = 0, g = 0; place < h->n + 4; place++) {
		while (g < h->n_gates && h->at[g].place == place) {
			t->gate[g] = h->at[g].gate;
			g++;
		}
		t->first[place + 1] = g;
	}
	return t;
}

static int check(const struct by_hand *h, struct loom_err *err)
{
	struct loom_timing *t = timing_of(h);
	int code = loom_timing_check(t, 4, h->message, h->n, err);
	loom_timing_free(t);
	return code;
}

#define WAIT(k, from)                                                                                                  \
	{                                                                                                              \
		LOOM_GATE_WAIT, k, from                                                                                \
	}

static void test_values(void **state)
{
	(void)state;
	static const struct {
		struct loom_gate gate; // of processor 1, behind its last message
		const char *text;      // NULL: it is fine
	} cases[] = {
		{{LOOM_GATE_AT, 1, 0}, NULL},
		{{LOOM_GATE_AT, LOOM_GATE_CYCLES_MOST, 0}, NULL},
		{{LOOM_GATE_AT, 0, 0}, "processor 1 is to go on at cycle 0: cycles are 1 to 2147483647"},
		{{LOOM_GATE_AT, LOOM_GATE_CYCLES_MOST + 1, 0}, "at cycle 2147483648"},
		{{LOOM_GATE_DELAY, 1, 0}, NULL},
		{{LOOM_GATE_DELAY, LOOM_GATE_CYCLES_MOST, 0}, NULL},
		{{LOOM_GATE_DELAY, 0, 0}, "processor 1 computes for 0 cycles: 1 to 2147483647"},
		{{LOOM_GATE_DELAY, LOOM_GATE_CYCLES_MOST + 1, 0}, "computes for 2147483648"},
		{WAIT(1, 0), NULL},
		{WAIT(2, 0), NULL},
		{WAIT(3, 0), "processor 1 waits for message 3 from 0, which sends it 2"},
		{WAIT(1, 2), "processor 1 waits for message 1 from 2, which sends it 0"},
		{WAIT(1, 3), "processor 1 waits for message 1 from 3, which sends it 0"},
		{WAIT(0, 0), "processor 1 waits for message 0 from 0: they count from 1"},
		{WAIT(65536, 0), "a node counts to 65535"},
		{WAIT(1, 4), "processor 1 waits for a message from 4; processors are 0..3"},
		{WAIT(1, 1), "processor 1 waits for a message of its own"},
		{{(enum loom_gate_kind)3, 1, 0}, "gate of kind 3"},
	};
	struct by_hand h = {.message = {{0, 1, 5, 0}, {3, 2, 5, 0}, {1, 0, 5, 0}, {0, 1, 5, 0}, {1, 1, 5, 0}}, .n = 5};
	h.n_gates = 1;
	h.at[0].place = 5 + 1;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct loom_err err = {0};
		h.at[0].gate = cases[i].gate;
		int code = check(&h, &err);
		if (code != (cases[i].text ? LOOM_EINPUT : 0) || (cases[i].text && !strstr(err.text, cases[i].text)))
			fail_msg("case %zu: %d, %s", i, code, err.text);
	}
}

static void test_circles_by_hand(void **state)
{
	(void)state;
	// 2 sends to 1 what it has from 3; 3 to 2 what it has from 1; and 1 to 3 when it has the second one from 2.
	struct by_hand h = {.message = {{2, 1, 5, 0}, {3, 2, 5, 0}, {2, 1, 5, 0}, {1, 3, 5, 0}, {0, 1, 5, 0}},
	                    .n = 5,
	                    .at = {{2, WAIT(1, 3)}, {3, WAIT(2, 2)}},
	                    .n_gates = 2};
	struct loom_err err = {0};
	assert_int_equal(check(&h, &err), 0);
	h.at[2] = h.at[1];
	h.at[1] = h.at[0];
	h.at[0].place = 1;
	h.at[0].gate = (struct loom_gate)WAIT(1, 1);
	h.n_gates = 3;
	assert_int_equal(check(&h, &err), LOOM_EINPUT);
	assert_string_equal(err.text,
	                    "waits that are never met: processor 1 waits for message 2 from 2, which waits for "
	                    "message 1 from 3, which waits for message 1 from 1");
	h.at[2].gate.value = 1; // the first one from 2 comes
	assert_int_equal(check(&h, &err), 0);
}

// A circle of many is not named in full.
static void test_long_circle(void **state)
{
	(void)state;
	enum { N = 9 };
	struct loom_message messages[N];
	struct loom_timing *t = loom_timing_new(N, N, N);
	struct loom_err err = {0};
	assert_non_null(t);
	for (uint32_t v = 0; v < N; v++) {
		messages[v] = (struct loom_message){.source = v, .destination = (v + 1) % N, .flits = 1};
		t->gate[v] = (struct loom_gate)WAIT(1, (v + N - 1) % N);
	}
	for (size_t place = 0; place < 2 * N; place++)
		t->first[place + 1] = place < N ? place + 1 : N;
	assert_int_equal(loom_timing_check(t, N, messages, N, &err), LOOM_EINPUT);
	assert_non_null(strstr(err.text, "processor 0 waits for message 1 from 8, which waits for message 1 from 7, "));
	assert_non_null(strstr(err.text, "from 3, and so on through 9 processors back to 0"));
	loom_timing_free(t);
}

// True if each of the named waits is in a program, and the last one waits for the first.
static bool is_circle(const char *text, const struct loom_pattern *p)
{
	unsigned v = 0, first, k, source;
	int length;
	if (sscanf(text, "waits that are never met: processor %u%n", &v, &length) != 1)
		return false;
	for (first = v, text += length; *text; text += length, v = source) {
		bool found = false;
		if (strncmp(text, ", which", 7) == 0)
			text += 7;
		if (sscanf(text, " waits for message %u from %u%n", &k, &source, &length) != 2)
			return false;
		for (size_t place = 0; place < p->n_messages + p->n_nodes; place++)
			for (size_t g = p->timing->first[place]; g < p->timing->first[place + 1]; g++) {
				const struct loom_gate *gate = &p->timing->gate[g];
				uint32_t owner = place < p->n_messages ? p->messages[place].source
				                                       : (uint32_t)(place - p->n_messages);
				found = found || (gate->kind == LOOM_GATE_WAIT && owner == v && gate->value == k &&
				                  gate->source == source);
			}
		if (!found)
			return false;
	}
	return v == first;
}

// The slow way gives the same answer; what is called a circle is one.
static void test_random_programs(void **state)
{
	(void)state;
	struct loom_rng rng;
	unsigned ends = 0;
	loom_rng_init(&rng, 15);
	for (unsigned round = 0; round < 3000; round++) {
		const struct random_programs what = {.n_nodes = 2 + (uint32_t)loom_rng_below(&rng, 5),
		                                     .n_messages = 1 + (size_t)loom_rng_below(&rng, 30),
		                                     .most_flits = 9,
		                                     .most_cycles = 20,
		                                     .may_lock = round % 4 != 0};
		struct loom_pattern p = random_programs(&what, &rng);
		struct loom_err err = {0};
		int code = loom_timing_check(p.timing, p.n_nodes, p.messages, p.n_messages, &err);
		bool end = programs_end(&p);
		if ((code == 0) != end || (code != 0 && code != LOOM_EINPUT) || (!what.may_lock && !end))
			fail_msg("round %u: %d, the slow way says %d: %s", round, code, end, err.text);
		ends += end;
		if (code && !is_circle(err.text, &p))
			fail_msg("round %u: %s", round, err.text);
		loom_pattern_free(&p);
	}
	print_message("%u of 3000 come to their ends\n", ends);
	assert_true(ends > 1000 && ends < 2800);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_circles_by_hand),
		cmocka_unit_test(test_long_circle),
		cmocka_unit_test(test_random_programs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
