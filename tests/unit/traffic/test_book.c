// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The book of the messages of a streamed run: latencies without waiting on networks whose ways there and back differ, what
// channels must have counted, and everything that can be wrong with an arrival, each by its text.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "unit/help/chips.h"
#include "traffic/book.h"

enum { FLITS = 5, SEED = 77 };

struct scene {
	struct loom_topo topo;
	struct loom_chip chip;
	struct loom_book book;
	struct loom_err err;
	uint32_t flits; // of every message
};

static void set_up(struct scene *s, const char *fabric, enum loom_rule rule, uint32_t flits)
{
	memset(s, 0, sizeof *s);
	assert_int_equal(loom_topo_parse(&s->topo, fabric, &s->err), 0);
	s->chip = chip_for(&s->topo);
	s->chip.payload_bits = 32;
	s->chip.signature_bits = 16;
	s->chip.program_depth = 8;
	const struct loom_routing routing = {.topo = &s->topo, .rule = rule};
	assert_int_equal(loom_book_begin(&s->book, &routing, &routing, &s->chip, SEED, &s->err), 0);
	s->flits = flits;
}

static void tear_down(struct scene *s)
{
	loom_book_free(&s->book);
	assert_null(s->book.source);
	loom_topo_free(&s->topo);
}

// Returns the arrival of a message at its destination in the first possible cycle.
static struct loom_arrival arrival(const struct scene *s, uint32_t source, uint32_t destination, uint32_t number,
                                   uint32_t last)
{
	return (struct loom_arrival){
		.node = destination,
		.destination = destination,
		.source = source,
		.number = number,
		.flits = s->flits,
		.first_cycle = last - s->flits + 1,
		.last_cycle = last,
		.intact = true,
		.signature =
			loom_payload_signature(&s->book.payload, loom_topo_label(&s->topo, source), number, s->flits),
	};
}

static void offer(struct scene *s, uint32_t source, uint32_t destination, uint32_t release)
{
	assert_int_equal(loom_book_offer(&s->book, source,
	                                 &(struct loom_queued){
						 .destination = destination, .release = release, .flits = s->flits},
	                                 &s->err),
	                 0);
}

static void assert_says(const struct scene *s, size_t n, const char *text)
{
	assert_int_equal(s->book.n_mismatches, n);
	if (n && strcmp(s->book.mismatch, text) != 0)
		fail_msg("\"%s\", not \"%s\"", s->book.mismatch, text);
}

static uint32_t without_wait(struct scene *s, uint32_t source, uint32_t destination)
{
	return loom_book_without_wait(&s->book, source,
	                              &(struct loom_queued){.destination = destination, .flits = s->flits});
}

// Asks for each pair twice, in any order.
static void test_without_wait(void **unused)
{
	(void)unused;
	struct scene s;
	set_up(&s, "ring:8", LOOM_RULE_ONE_WAY, FLITS);
	for (int round = 0; round < 2; round++)
		for (uint32_t v = 0; v < 8; v++)
			for (uint32_t w = 0; w < 8; w++)
				if (v != w)
					assert_int_equal(without_wait(&s, v, w), FLITS + (w + 8 - v) % 8 + 1);
	tear_down(&s);
	set_up(&s, "line:4", LOOM_RULE_ASCENDING, 65535); // more than the book keeps in 16 bits
	for (int round = 0; round < 2; round++) {
		assert_int_equal(without_wait(&s, 0, 3), 65535 + 3 + 1);
		assert_int_equal(without_wait(&s, 3, 1), 65535 + 2 + 1);
	}
	tear_down(&s);
	set_up(&s, "line:4", LOOM_RULE_ASCENDING, 65532); // UINT16_MAX cycles, and one more
	for (int round = 0; round < 2; round++) {
		assert_int_equal(without_wait(&s, 0, 2), 65535);
		assert_int_equal(without_wait(&s, 0, 3), 65536);
	}
	tear_down(&s);
}

// Requests and replies between two nodes, which go by rules of their own: these may overtake one another, but none those of its rule; and
// channels carry each of them by its rule.
static void test_classes(void **unused)
{
	(void)unused;
	struct scene s;
	struct loom_book_entry e;
	set_up(&s, "table-mesh:2x2v2", LOOM_RULE_ASCENDING, FLITS);
	loom_book_free(&s.book);
	const struct loom_routing up = {.topo = &s.topo, .rule = LOOM_RULE_ASCENDING},
				  down = {.topo = &s.topo, .rule = LOOM_RULE_DESCENDING};
	assert_int_equal(loom_book_begin(&s.book, &up, &down, &s.chip, SEED, &s.err), 0);
	static const bool is_reply[] = {false, true, false, true};
	static const uint32_t order[] = {1, 0, 3, 2};
	for (uint32_t i = 0; i < 4; i++) {
		const struct loom_queued m = {
			.destination = 3, .release = 10 + i, .flits = FLITS, .is_reply = is_reply[i]};
		assert_int_equal(loom_book_offer(&s.book, 0, &m, &s.err), 0);
	}
	for (uint32_t i = 0; i < 4; i++) {
		struct loom_arrival a = arrival(&s, 0, 3, order[i], 100 + i);
		a.rule = is_reply[order[i]];
		assert_true(loom_book_arrive(&s.book, &a, &e));
		assert_int_equal(e.is_reply, is_reply[order[i]]);
		assert_int_equal(e.number, order[i]);
		assert_says(&s, 0, "");
	}
	struct loom_count *counts = calloc(loom_topo_channels(&s.topo), sizeof *counts);
	for (int rule = 0; rule < 2; rule++) {
		struct loom_route route;
		uint32_t c;
		for (loom_route_begin(&route, &s.topo, 0, 3, (enum loom_rule)rule); loom_route_next(&route, &c);) {
			counts[c].worms += 2;
			counts[c].flits += 2 * FLITS;
		}
	}
	assert_int_equal(loom_book_compare(&s.book, counts, &s.err), 0);
	assert_says(&s, 0, "");
	counts[loom_topo_channels_per_tile(&s.topo)].worms++;
	assert_int_equal(loom_book_compare(&s.book, counts, &s.err), 0);
	assert_int_equal(s.book.n_mismatches > 0,
	                 loom_topo_channel_exists(&s.topo, loom_topo_channels_per_tile(&s.topo)));
	free(counts);
	tear_down(&s);
	set_up(&s, "table-mesh:2x2v2", LOOM_RULE_ASCENDING, FLITS); // messages of one rule never overtake each other
	for (uint32_t i = 0; i < 2; i++) {
		const struct loom_queued m = {
			.destination = 3, .release = 10 + i, .flits = FLITS, .is_reply = is_reply[i]};
		assert_int_equal(loom_book_offer(&s.book, 0, &m, &s.err), 0);
	}
	const struct loom_arrival second = arrival(&s, 0, 3, 1, 100);
	assert_true(loom_book_arrive(&s.book, &second, &e));
	assert_says(&s, 1, "node 3 received message 1 from 0 before message 0");
	tear_down(&s);
}

// Each message arrives once, in order, with a queue that grows: there is no error, and each entry belongs to its
// message.
static void test_arrive(void **unused)
{
	(void)unused;
	struct scene s;
	struct loom_book_entry e;
	set_up(&s, "cube:3", LOOM_RULE_ASCENDING, FLITS);
	for (uint32_t round = 0; round < 5; round++) {
		const uint32_t n = round < 2 ? 100 : 300, base = 1000 * round;
		for (uint32_t i = 0; i < n; i++)
			offer(&s, 2, i % 2 ? 7 : 3, base + i);
		assert_int_equal(s.book.n_outstanding, n);
		// First all but one to 3 arrive, then those to 7: messages behind the oldest are crossed out first.
		for (int odd = 0; odd < 2; odd++)
			for (uint32_t i = (uint32_t)odd; i < n; i += 2) {
				const uint32_t number = (uint32_t)((s.book.source[2].n_offered - n + i) % 8);
				struct loom_arrival a = arrival(&s, 2, odd ? 7 : 3, number, 100000 + i);
				assert_true(loom_book_arrive(&s.book, &a, &e));
				assert_int_equal(e.release, base + i);
				assert_int_equal(e.destination, odd ? 7 : 3);
				assert_int_equal(e.without_wait, FLITS + (odd ? 2 : 1) + 1);
				assert_false(e.arrived);
			}
		assert_int_equal(s.book.n_outstanding, 0);
		assert_int_equal(s.book.source[2].n, 0);
	}
	loom_book_close(&s.book);
	assert_says(&s, 0, "");
	assert_int_equal(s.book.n_offered, 1100);
	tear_down(&s);
}

// A message that was crossed out leaves its room at once: a queue whose messages arrive does not grow.
static void test_room(void **unused)
{
	(void)unused;
	struct scene s;
	struct loom_book_entry e;
	set_up(&s, "cube:3", LOOM_RULE_ASCENDING, FLITS);
	for (uint32_t i = 0; i < 1000; i++) {
		offer(&s, 1, 4, i + 1);
		if (i < 40)
			continue;
		struct loom_arrival a = arrival(&s, 1, 4, (i - 40) % 8, i + 100);
		assert_true(loom_book_arrive(&s.book, &a, &e));
		assert_int_equal(e.release, i - 40 + 1);
	}
	assert_says(&s, 0, "");
	assert_int_equal(s.book.source[1].size, 64);
	assert_int_equal(s.book.n_outstanding, 40);
	tear_down(&s);
}

// One arrival is not as it must be. Message 0 and 2 of node 2 go to 3, message 1 to 7; the least cycle is 20 + 7 - 1.
static void test_wrong(void **unused)
{
	(void)unused;
	static const struct {
		const char *what;
		struct loom_arrival put; // what is not 0 here is so
		uint32_t flip, last;     // of the signature; 0: 100
		bool torn, accepted;
		const char *says;
	} cases[] = {
		{"all well", {.node = 3}, 0, 0, false, true, ""},
		{"in time", {.node = 3}, 0, 26, false, true, ""},
		{"too early",
	         {.node = 3},
	         0,
	         25,
	         false,
	         true,
	         "message 0 from 2 to 3, released in cycle 20, arrived in cycle 25; it takes until 26 at least"},
		{"in fewer cycles than flits",
	         {.node = 3, .first_cycle = 97},
	         0,
	         0,
	         false,
	         true,
	         "message 0 from 2 to 3, released in cycle 20, arrived in cycle 100; it takes until 26 at least"},
		{"with a gap", {.node = 3, .first_cycle = 95}, 0, 0, false, true, ""},
		{"elsewhere", {.node = 4}, 0, 0, false, false, "node 4 received a message from 2 to 3"},
		{"from no node",
	         {.node = 3, .source = 8},
	         0,
	         0,
	         false,
	         false,
	         "node 3 received a message from no node (8)"},
		{"never sent",
	         {.node = 3, .number = 5},
	         0,
	         0,
	         false,
	         false,
	         "node 3 received message 5 from 2: it was never sent, or had arrived"},
		{"another's number",
	         {.node = 3, .number = 1},
	         0,
	         0,
	         false,
	         false,
	         "node 3 received message 1 from 2: it was never sent, or had arrived"},
		{"out of order",
	         {.node = 3, .number = 2},
	         0,
	         0,
	         false,
	         true,
	         "node 3 received message 2 from 2 before message 0"},
		{"short",
	         {.node = 3, .flits = 4},
	         0,
	         0,
	         false,
	         true,
	         "message 0 from 2 to 3 arrived with 4 flits of 5"},
		{"damaged", {.node = 3}, 0, 0, true, true, NULL},
		{"with another signature", {.node = 3}, 0x10, 0, false, true, NULL},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct scene s;
		struct loom_book_entry e;
		set_up(&s, "cube:3", LOOM_RULE_ASCENDING, FLITS);
		offer(&s, 2, 3, 20);
		offer(&s, 2, 7, 20);
		offer(&s, 2, 3, 20);
		const struct loom_arrival *p = &cases[i].put;
		struct loom_arrival a = arrival(&s, 2, 3, p->number, cases[i].last ? cases[i].last : 100);
		a.node = p->node;
		a.source = p->source ? p->source : a.source;
		a.flits = p->flits ? p->flits : a.flits;
		a.first_cycle = p->first_cycle ? p->first_cycle : a.first_cycle;
		a.signature ^= cases[i].flip;
		a.intact = !cases[i].torn;
		assert_int_equal(loom_book_arrive(&s.book, &a, &e), cases[i].accepted);
		if (!cases[i].says) {
			assert_int_equal(s.book.n_mismatches, 1);
			const uint32_t wanted = a.signature ^ cases[i].flip;
			char says[120];
			(void)snprintf(says, sizeof says,
			               "message 0 from 2 to 3 arrived damaged: signature 0x%08x, not 0x%08x",
			               a.signature, wanted);
			assert_string_equal(s.book.mismatch, says);
		} else {
			assert_says(&s, cases[i].says[0] != '\0', cases[i].says);
		}
		assert_int_equal(s.book.n_outstanding, cases[i].accepted ? 2 : 3);
		tear_down(&s);
	}
}

// The text has the names and the number of the messages that never arrived.
static void test_close(void **unused)
{
	(void)unused;
	struct scene s;
	struct loom_book_entry e;
	set_up(&s, "cube:3", LOOM_RULE_ASCENDING, FLITS);
	for (uint32_t i = 0; i < 12; i++)
		offer(&s, 5, i == 10 ? 1 : 0, 1 + i);
	for (uint32_t i = 0; i < 10; i++) {
		struct loom_arrival a = arrival(&s, 5, 0, i % 8, 1000 + i);
		assert_true(loom_book_arrive(&s.book, &a, &e));
	}
	struct loom_arrival last = arrival(&s, 5, 0, 11 % 8, 2000);
	assert_true(loom_book_arrive(&s.book, &last, &e));
	loom_book_close(&s.book);
	assert_says(&s, 1, "message 2 from 5 to 1 never arrived"); // the eleventh
	tear_down(&s);
}

// Messages of one pair of different lengths: each has its own latency and signature, and channels count the flits of all.
static void test_lengths(void **unused)
{
	(void)unused;
	static const uint32_t lengths[] = {4, 1, 9, 1};
	struct scene s;
	struct loom_book_entry e;
	set_up(&s, "line:4", LOOM_RULE_ASCENDING, FLITS);
	const uint32_t n_channels = loom_topo_channels(&s.topo);
	struct loom_count *counts = calloc(n_channels, sizeof *counts);
	assert_non_null(counts);
	for (uint32_t i = 0; i < 4; i++) {
		s.flits = lengths[i];
		offer(&s, 0, 2, 1);
	}
	for (uint32_t i = 0; i < 4; i++) {
		s.flits = lengths[i];
		struct loom_arrival a = arrival(&s, 0, 2, i, 100 + 10 * i);
		assert_true(loom_book_arrive(&s.book, &a, &e));
		assert_int_equal(e.flits, lengths[i]);
		assert_int_equal(e.without_wait, lengths[i] + 2 + 1);
	}
	assert_says(&s, 0, "");
	for (uint32_t c = 0; c < n_channels; c++) {
		struct loom_route route;
		uint32_t channel;
		loom_route_begin(&route, &s.topo, 0, 2, LOOM_RULE_ASCENDING);
		while (loom_route_next(&route, &channel))
			if (channel == c)
				counts[c] = (struct loom_count){.worms = 4, .flits = 4 + 1 + 9 + 1};
	}
	assert_int_equal(loom_book_compare(&s.book, counts, &s.err), 0);
	assert_says(&s, 0, "");
	s.flits = 4;
	offer(&s, 0, 2, 300);
	s.flits = 5; // another length than was sent
	struct loom_arrival a = arrival(&s, 0, 2, 4, 400);
	assert_true(loom_book_arrive(&s.book, &a, &e));
	assert_says(&s, 1, "message 4 from 0 to 2 arrived with 5 flits of 4");
	free(counts);
	tear_down(&s);
}

// Every channel of the routes counts every message that went over it, and no other counts one.
static void test_compare(void **unused)
{
	(void)unused;
	static const struct {
		uint32_t source, destination, n;
	} sent[] = {{0, 3, 4}, {3, 0, 1}, {2, 1, 3}, {1, 2, 2}};
	// On a row of nodes: 0->1, 1->2 and 2->3 and their ways back; then what is injected and what is ejected at 0..3.
	static const uint32_t right[] = {4, 6, 4}, left[] = {1, 4, 1}, in[] = {4, 2, 3, 1}, out[] = {1, 3, 2, 4};
	struct scene s;
	set_up(&s, "line:4", LOOM_RULE_ASCENDING, FLITS);
	const uint32_t n_channels = loom_topo_channels(&s.topo);
	struct loom_count *counts = calloc(n_channels, sizeof *counts);
	assert_non_null(counts);
	for (size_t i = 0; i < sizeof sent / sizeof sent[0]; i++)
		for (uint32_t k = 0; k < sent[i].n; k++)
			offer(&s, sent[i].source, sent[i].destination, 1);
	for (uint32_t c = 0; c < n_channels; c++) {
		char name[48];
		unsigned a = 0, b = 0;
		if (!loom_topo_channel_exists(&s.topo, c))
			continue;
		loom_topo_channel_name(&s.topo, c, name);
		if (sscanf(name, "%u->%u", &a, &b) == 2)
			counts[c].worms = b > a ? right[a] : left[b];
		else if (sscanf(name, "inject %u", &a) == 1)
			counts[c].worms = in[a];
		else if (sscanf(name, "eject %u", &a) == 1)
			counts[c].worms = out[a];
		else
			fail_msg("%s", name);
		counts[c].flits = FLITS * counts[c].worms;
	}
	assert_int_equal(loom_book_compare(&s.book, counts, &s.err), 0);
	assert_says(&s, 0, "");
	for (uint32_t c = 0; c < n_channels; c++)
		for (int k = 0; k < 4; k++) {
			const struct loom_count kept = counts[c];
			counts[c].worms += k == 0 ? 1u : k == 1 ? UINT32_MAX : 0u;
			counts[c].flits += k == 2 ? 1u : k == 3 ? UINT32_MAX : 0u;
			s.book.n_mismatches = 0;
			assert_int_equal(loom_book_compare(&s.book, counts, &s.err), 0);
			assert_int_equal(s.book.n_mismatches, loom_topo_channel_exists(&s.topo, c));
			if (s.book.n_mismatches) {
				char name[48], says[200];
				loom_topo_channel_name(&s.topo, c, name);
				(void)snprintf(says, sizeof says,
				               "channel %s carried %u messages, %u flits; the routes say %u, %u", name,
				               counts[c].worms, counts[c].flits, kept.worms, kept.flits);
				assert_says(&s, 1, says);
			}
			counts[c] = kept;
		}
	free(counts);
	tear_down(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_without_wait), cmocka_unit_test(test_classes), cmocka_unit_test(test_arrive),
		cmocka_unit_test(test_room),         cmocka_unit_test(test_wrong),   cmocka_unit_test(test_close),
		cmocka_unit_test(test_lengths),      cmocka_unit_test(test_compare),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
