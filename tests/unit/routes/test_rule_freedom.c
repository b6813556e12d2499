// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Rules that let routers choose: which are free of deadlocks, mutants of each that are not, and what they load. tests/e2e/test_rules.py
// has their definitions and a slow search for circles.
#include <flitloom/routes/rule_freedom.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "plan/routes/rule_internal.h"
#include "plan/rule_ways.h"
#include "topo/choice_ways.h"

static void parse(struct loom_topo *t, const char *fabric)
{
	struct loom_err err = {0};
	if (loom_topo_parse(t, fabric, &err) != 0)
		fail_msg("%s", err.text);
}

static void test_names(void **state)
{
	(void)state;
	assert_int_equal(loom_rule_by_name("p-cube"), LOOM_RULE_NEGATIVE_FIRST);
	assert_int_equal(loom_rule_by_name("e-cube"), LOOM_RULE_ASCENDING);
	assert_int_equal(loom_rule_by_name("duat"), LOOM_RULES_NAMED);
	for (unsigned rule = 0; rule < LOOM_RULES_NAMED; rule++)
		assert_int_equal(loom_rule_by_name(loom_rule_name(rule)), rule);
	assert_null(loom_rule_name(LOOM_RULES_NAMED));
	assert_string_equal(loom_select_name(LOOM_SELECT_FIXED), "fixed");
	assert_string_equal(loom_select_name(LOOM_SELECT_CREDITS), "credits");
	assert_null(loom_select_name(LOOM_SELECT_CREDITS + 1));
}

static void test_check(void **state)
{
	(void)state;
	static const struct {
		const char *fabric;
		unsigned rule;
		const char *says; // NULL: it is defined there
	} cases[] = {
		{"cube:8v8", LOOM_RULE_WEST_FIRST, NULL},
		{"cube:9v8", LOOM_RULE_WEST_FIRST, "9 links of 8 lanes"},
		{"cube:3", LOOM_RULE_DUATO, "give v2"},
		{"torus:4x4v2", LOOM_RULE_DUATO, NULL},
		{"torus:4x5v2", LOOM_RULE_DUATO, "give v3"},
		{"torus:4x5v3", LOOM_RULE_DUATO, NULL},
		{"torus:4x4", LOOM_RULE_NORTH_LAST, "rings"},
		{"line:4", LOOM_RULE_ODD_EVEN, "two dimensions"},
		{"cube:2", LOOM_RULE_ODD_EVEN, "two dimensions"},
		{"mesh:2x2x2", LOOM_RULE_ODD_EVEN, "two dimensions"},
		{"mesh:1x9", LOOM_RULE_ODD_EVEN, NULL},
		{"omega:8", LOOM_RULE_DUATO, "not for omega:8"},
		{"table-mesh:4x4", LOOM_RULE_WEST_FIRST, "not for table-mesh:4x4"},
		{"mesh:4x4", LOOM_RULE_ASCENDING, "ascending lets no router choose"},
		{"mesh:4x4", LOOM_RULES_NAMED, "lets no router choose"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct loom_topo t;
		struct loom_err err = {0};
		parse(&t, cases[i].fabric);
		const int rc = loom_rule_check(&t, cases[i].rule, &err);
		assert_int_equal(rc, cases[i].says ? LOOM_EINPUT : 0);
		if (cases[i].says && !strstr(err.text, cases[i].says))
			fail_msg("%s: %s", cases[i].fabric, err.text);
		loom_topo_free(&t);
	}
}

static void test_free_rules(void **state)
{
	(void)state;
	static const char *const turned[] = {"cube:3",      "cube:5", "cube:8",   "mesh:8x8",  "mesh:4x4x4",
	                                     "mesh:16x4v2", "line:9", "mesh:1x7", "mesh:7x1v3"};
	static const char *const escaped[] = {"cube:3v2",    "cube:8v2", "mesh:8x8v2",  "mesh:4x4x4v3",
	                                      "line:9v2",    "ring:9v3", "torus:8x8v3", "torus:4x4v2",
	                                      "torus:9x2v4", "ring:2v2", "ring:4v2"};
	struct loom_rule_freedom freedom;
	struct loom_topo t;
	for (size_t i = 0; i < sizeof turned / sizeof turned[0]; i++)
		for (unsigned rule = LOOM_RULE_NEGATIVE_FIRST; rule <= LOOM_RULE_ODD_EVEN; rule++) {
			parse(&t, turned[i]);
			if (rule == LOOM_RULE_ODD_EVEN && loom_rule_check(&t, rule, NULL) != 0)
				continue;
			assert_int_equal(loom_rule_freedom_find(&freedom, &t, rule, NULL, NULL), 0);
			assert_true(freedom.is_free && freedom.number && freedom.n_waits == 0 &&
			            freedom.most_detour == 0);
			assert_true(freedom.adaptiveness > 0 && freedom.adaptiveness <= 1);
			loom_rule_freedom_free(&freedom);
		}
	for (size_t i = 0; i < sizeof escaped / sizeof escaped[0]; i++) {
		parse(&t, escaped[i]);
		assert_int_equal(loom_rule_freedom_find(&freedom, &t, LOOM_RULE_DUATO, NULL, NULL), 0);
		assert_true(freedom.is_free && freedom.number && freedom.adaptiveness > 0.999999);
		loom_rule_freedom_free(&freedom);
	}
	parse(&t, "cube:11");
	assert_int_equal(loom_rule_freedom_find(&freedom, &t, LOOM_RULE_WEST_FIRST, NULL, NULL), LOOM_EINPUT);
	parse(&t, "torus:4x4");
	assert_int_equal(loom_rule_freedom_find(&freedom, &t, LOOM_RULE_WEST_FIRST, NULL, NULL), LOOM_EINPUT);
}

// --- Mutants ---------------------------------------------------------------------------------------------------------

// A mutant that offers one positive way beside the negative ones.
static struct loom_choice too_early(const struct loom_states *s, uint32_t state)
{
	struct loom_ways ways = loom_ways_of(s->topo, state, s->destination);
	if (ways.minus)
		ways.plus &= 1;
	return (struct loom_choice){loom_ways_lanes(s->topo, ways, 0), 0};
}

// A mutant that offers west beside the other ways.
static struct loom_choice west_any_time(const struct loom_states *s, uint32_t state)
{
	return (struct loom_choice){loom_ways_lanes(s->topo, loom_ways_of(s->topo, state, s->destination), 0), 0};
}

// A mutant in which north is last only for messages to the east.
static struct loom_choice north_before_west(const struct loom_states *s, uint32_t state)
{
	struct loom_ways ways = loom_ways_of(s->topo, state, s->destination);
	if (ways.plus & 1)
		ways.plus &= 1;
	return (struct loom_choice){loom_ways_lanes(s->topo, ways, 0), 0};
}

// A mutant in which a message to the east may leave its row in every column.
static struct loom_choice any_column(const struct loom_states *s, uint32_t state)
{
	const uint32_t here = loom_states_node(s, state);
	return loom_rule_choice(s->topo, LOOM_RULE_ODD_EVEN, here, here, s->destination);
}

// A mutant in which messages to odd destinations escape by the highest dimension first.
static struct loom_choice two_orders(const struct loom_states *s, uint32_t state)
{
	const struct loom_ways ways = loom_ways_of(s->topo, state, s->destination);
	struct loom_choice choice = loom_rule_choice(s->topo, LOOM_RULE_DUATO, state, state, s->destination);
	const uint64_t low = loom_ways_lanes(s->topo, ways, 0) & UINT64_C(0x5555555555555555);
	if (s->destination % 2) {
		choice.escape = UINT64_C(1) << (63 - __builtin_clzll(low));
		choice.lanes |= choice.escape;
	}
	return choice;
}

// A mutant with one escape lane round a long ring.
static struct loom_choice one_escape(const struct loom_states *s, uint32_t state)
{
	const struct loom_ways ways = loom_ways_of(s->topo, state, s->destination);
	const uint64_t way = loom_ways_lanes(s->topo, ways, 0) & UINT64_C(0x5555555555555555),
		       escape = way & (~way + 1);
	return (struct loom_choice){loom_ways_lanes(s->topo, ways, 1) | escape, escape};
}

// Checks that a message to the destination can hold the named lane, and request the next one where the wait ends.
static void hold_ways(struct loom_states *states, const struct loom_rule_wait *w, const struct loom_rule_wait *next)
{
	const uint32_t per_tile = loom_topo_channels_per_tile(states->topo);
	const struct loom_rule_wait *lanes[] = {w, next};
	if (states->n_memories > 1)
		return; // states are not nodes then
	loom_states_turn_to(states, w->destination);
	for (size_t i = 0; i < 2; i++) {
		const struct loom_choice choice = states->choice(states, lanes[i]->channel / per_tile);
		const uint64_t may = i == 1 && states->has_escapes ? choice.escape : choice.lanes;
		assert_true(may >> (lanes[i]->channel % per_tile * states->topo->n_vcs + lanes[i]->vc) & 1);
	}
}

static void test_mutants(void **state)
{
	(void)state;
	static const struct {
		const char *fabric;
		unsigned rule;
		struct loom_choice (*choice)(const struct loom_states *s, uint32_t state);
	} cases[] = {
		{"mesh:3x3", LOOM_RULE_NEGATIVE_FIRST, too_early},
		{"cube:3", LOOM_RULE_NEGATIVE_FIRST, too_early},
		{"mesh:3x3", LOOM_RULE_WEST_FIRST, west_any_time},
		{"mesh:2x2x2", LOOM_RULE_WEST_FIRST, west_any_time},
		{"mesh:3x3", LOOM_RULE_NORTH_LAST, north_before_west},
		{"mesh:4x4", LOOM_RULE_ODD_EVEN, any_column},
		{"cube:3v2", LOOM_RULE_DUATO, two_orders},
		{"mesh:3x3v2", LOOM_RULE_DUATO, two_orders},
		{"ring:5v2", LOOM_RULE_DUATO, one_escape},
		{"torus:3x6v2", LOOM_RULE_DUATO, one_escape},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct loom_topo t;
		struct loom_rule_freedom freedom;
		struct loom_states states;
		parse(&t, cases[i].fabric);
		if (loom_states_init(&states, &t, cases[i].rule, NULL, NULL) !=
		    0) { // too few lanes: as on a fabric that has them
			t.n_vcs = 3;
			assert_int_equal(loom_states_init(&states, &t, cases[i].rule, NULL, NULL), 0);
			t.n_vcs = 2;
		}
		states.choice = cases[i].choice;
		assert_int_equal(loom_rule_freedom_of_states(&freedom, &states, NULL), 0);
		if (freedom.is_free || freedom.number || freedom.n_waits < 2)
			fail_msg("%s, mutant of %s: not found out", cases[i].fabric, loom_rule_name(cases[i].rule));
		for (size_t k = 0; k < freedom.n_waits; k++) { // each begins where the one before it ends
			const struct loom_rule_wait *w = &freedom.wait[k],
						    *next = &freedom.wait[(k + 1) % freedom.n_waits];
			const uint32_t per_tile = loom_topo_channels_per_tile(&t);
			uint32_t end;
			unsigned q;
			assert_true(t.kind->link(&t, w->channel / per_tile, w->channel % per_tile, &end, &q));
			end = w->n_via ? w->via[w->n_via - 1] : end;
			assert_int_equal(next->channel / per_tile, end);
			assert_true(w->source != w->destination && w->vc < t.n_vcs);
			assert_true(w->source < t.n_nodes && w->destination < t.n_nodes);
			hold_ways(&states, w, next);
		}
		loom_rule_freedom_free(&freedom);
		loom_states_free(&states);
	}
}

// --- Escape lanes at random, against a slow version ------------------------------------------------------------------

enum { LINKS_MOST = 64 };

// Any way on lane 1, and by chance here and there another way than dimension order on lane 0.
static uint64_t chance_seed; // the seed of the current random functions

static struct loom_choice by_chance(const struct loom_states *s, uint32_t state)
{
	const struct loom_ways ways = loom_ways_of(s->topo, state, s->destination);
	const uint64_t way = loom_ways_lanes(s->topo, ways, 0) & UINT64_C(0x5555555555555555);
	struct loom_rng rng;
	loom_rng_init(&rng, chance_seed * 4096 + state * 64 + s->destination);
	const bool is_usual = loom_rng_below(&rng, 10) != 0;
	const uint64_t escape = is_usual ? way & (~way + 1) : UINT64_C(1) << (63 - __builtin_clzll(way));
	return (struct loom_choice){loom_ways_lanes(s->topo, ways, 1) | escape, escape};
}

// Adds what a message waits for that holds a lane: in the state, and if `later` in all that come behind it.
static void add_behind(bool *behind, const struct loom_states *s, uint32_t state, bool later)
{
	const struct loom_choice choice = by_chance(s, state);
	behind[state * loom_topo_links(s->topo) + (unsigned)__builtin_ctzll(choice.escape) / 2] = true;
	for (unsigned p = 0; later && p < loom_topo_links(s->topo); p++)
		if (loom_states_lanes(s, choice.lanes, p) && loom_states_next(s, state, p) != s->destination)
			add_behind(behind, s, loom_states_next(s, state, p), true);
}

static bool slow_circle(struct loom_states *s, bool later)
{
	static const bool none[LINKS_MOST][LINKS_MOST];
	bool leads[LINKS_MOST][LINKS_MOST];
	const unsigned n_links = loom_topo_links(s->topo), n = s->topo->n_nodes * n_links;
	memcpy(leads, none, sizeof leads);
	assert_true(n <= LINKS_MOST);
	for (uint32_t d = 0; d < s->topo->n_nodes; d++)
		for (uint32_t u = 0; u < s->topo->n_nodes; u++) {
			loom_states_turn_to(s, d);
			const unsigned p = u == d ? 0 : (unsigned)__builtin_ctzll(by_chance(s, u).escape) / 2;
			if (u != d && loom_states_next(s, u, p) != d)
				add_behind(leads[u * n_links + p], s, loom_states_next(s, u, p), later);
		}
	for (unsigned k = 0; k < n; k++)
		for (unsigned i = 0; i < n; i++)
			for (unsigned j = 0; leads[i][k] && j < n; j++)
				leads[i][j] = leads[i][j] || leads[k][j];
	for (unsigned i = 0; i < n; i++)
		if (leads[i][i])
			return true;
	return false;
}

static void test_chance(void **state)
{
	(void)state;
	static const char *const fabrics[] = {"cube:3v2", "mesh:3x3v2", "mesh:2x4v2"};
	unsigned n[2][2] = {{0}}; // by whether there is a circle, and whether lanes next to each other make one
	for (chance_seed = 0; chance_seed < 600; chance_seed++) {
		struct loom_topo t;
		struct loom_rule_freedom freedom;
		struct loom_states states;
		parse(&t, fabrics[chance_seed % 3]);
		assert_int_equal(loom_states_init(&states, &t, LOOM_RULE_DUATO, NULL, NULL), 0);
		states.choice = by_chance;
		assert_int_equal(loom_rule_freedom_of_states(&freedom, &states, NULL), 0);
		const bool is_circle = slow_circle(&states, true), is_direct = slow_circle(&states, false);
		assert_int_equal(freedom.is_free, !is_circle);
		n[is_circle][is_direct]++;
		loom_rule_freedom_free(&freedom);
		loom_states_free(&states);
	}
	if (n[0][0] < 20 || n[1][1] < 20 || n[1][0] < 5)
		fail_msg("%u free, %u circles, %u that take other lanes between", n[0][0], n[1][1], n[1][0]);
}

// A faulty rule: no link leads on from node 3 to node 0, and at node 1 messages turn round for ever.
static struct loom_choice dead_end(const struct loom_states *s, uint32_t state)
{
	return state == 3 && s->destination == 0 ? (struct loom_choice){0, 0} : west_any_time(s, state);
}

static struct loom_choice no_escape(const struct loom_states *s, uint32_t state)
{
	struct loom_choice choice = loom_rule_choice(s->topo, LOOM_RULE_DUATO, state, state, s->destination);
	if (state == 3 && s->destination == 0)
		choice.escape = 0;
	return choice;
}

static struct loom_choice away(const struct loom_states *s, uint32_t state)
{
	struct loom_choice choice = west_any_time(s, state);
	if (state == 3 && s->destination == 0)
		choice.lanes |= loom_ways_lanes(s->topo, (struct loom_ways){1, 1}, 0);
	return choice;
}

static void test_stuck(void **state)
{
	(void)state;
	static const struct {
		const char *fabric;
		struct loom_choice (*choice)(const struct loom_states *s, uint32_t state);
		bool has_gap;
	} cases[] = {{"cube:2", dead_end, true}, {"cube:2v2", no_escape, true}, {"line:5", away, false}};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct loom_topo t;
		struct loom_rule_freedom freedom;
		struct loom_states states;
		parse(&t, cases[i].fabric);
		const unsigned rule = t.n_vcs > 1 ? LOOM_RULE_DUATO : LOOM_RULE_WEST_FIRST;
		assert_int_equal(loom_states_init(&states, &t, rule, NULL, NULL), 0);
		states.choice = cases[i].choice;
		assert_int_equal(loom_rule_freedom_of_states(&freedom, &states, NULL), 0);
		assert_true(!freedom.is_free && !freedom.number && freedom.has_gap == cases[i].has_gap &&
		            freedom.goes_round != cases[i].has_gap && freedom.destination == 0);
		assert_true(!cases[i].has_gap || freedom.here == 3);
		loom_rule_freedom_free(&freedom);
		loom_states_free(&states);
	}
}

// --- Loads -----------------------------------------------------------------------------------------------------------

// Follows every way of a message, one after the other.
struct ways {
	const struct loom_topo *t;
	unsigned rule;
	uint32_t source, destination;
	size_t n;             // ways so far
	size_t uses[4096];    // of each channel
	uint32_t channel[64]; // of the way that is followed
};

static void follow(struct ways *w, uint32_t here, size_t n)
{
	if (here == w->destination) {
		w->n++;
		for (size_t i = 0; i < n; i++)
			w->uses[w->channel[i]]++;
		return;
	}
	const uint64_t lanes = loom_rule_choice(w->t, w->rule, w->source, here, w->destination).lanes;
	for (unsigned p = 0; p < loom_topo_links(w->t); p++) {
		uint32_t v;
		unsigned q;
		if (!(lanes >> p * w->t->n_vcs & ((UINT64_C(1) << w->t->n_vcs) - 1)))
			continue;
		assert_true(w->t->kind->link(w->t, here, p, &v, &q));
		w->channel[n] = here * loom_topo_channels_per_tile(w->t) + p;
		follow(w, v, n + 1);
	}
}

struct tally {
	uint32_t least[4096], most[4096];
};

static void count(void *user, uint32_t channel, bool is_only)
{
	struct tally *tally = user;
	tally->least[channel] += is_only;
	tally->most[channel]++;
}

static void test_loads(void **state)
{
	(void)state;
	static const struct {
		const char *fabric;
		unsigned rule;
	} cases[] = {{"mesh:4x4", LOOM_RULE_WEST_FIRST},   {"mesh:5x3v2", LOOM_RULE_ODD_EVEN},
	             {"cube:4", LOOM_RULE_NEGATIVE_FIRST}, {"torus:4x3v2", LOOM_RULE_DUATO},
	             {"mesh:3x3x2", LOOM_RULE_NORTH_LAST}, {"ring:6v3", LOOM_RULE_DUATO}};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct loom_topo t;
		struct loom_rng rng;
		struct loom_rule_ways found;
		parse(&t, cases[i].fabric);
		const uint32_t n_channels = loom_topo_channels(&t), per_tile = loom_topo_channels_per_tile(&t);
		assert_int_equal(loom_rule_ways_begin(&found, &t, NULL), 0);
		loom_rng_init(&rng, 31 + i);
		for (size_t k = 0; k < 80; k++) {
			const uint32_t source = (uint32_t)loom_rng_below(&rng, t.n_nodes);
			const uint32_t destination = (uint32_t)loom_rng_below(&rng, t.n_nodes);
			struct ways w = {.t = &t, .rule = cases[i].rule, .source = source, .destination = destination};
			struct tally tally = {{0}, {0}};
			if (source == destination)
				continue;
			follow(&w, source, 0);
			w.uses[source * per_tile + t.ports] = w.uses[destination * per_tile + t.ports - 1] = w.n;
			loom_rule_ways_visit(&found, cases[i].rule, source, destination, count, &tally);
			for (uint32_t c = 0; c < n_channels; c++) {
				assert_int_equal(tally.least[c], w.uses[c] == w.n);
				assert_int_equal(tally.most[c], w.uses[c] > 0);
			}
		}
		loom_rule_ways_end(&found);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),   cmocka_unit_test(test_check),  cmocka_unit_test(test_free_rules),
		cmocka_unit_test(test_mutants), cmocka_unit_test(test_chance), cmocka_unit_test(test_stuck),
		cmocka_unit_test(test_loads),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
