// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The engine whose routers choose. Messages that have ways: each cycle as on the engine that moves flits and knows no choice. Messages
// by rule: none locks, each goes a shortest way over lanes that its rule has, and preferences do what they say. LOOM_RUNS: number of random lists of each
// (make test-adaptive: 10,000).
#include "machine/adaptive.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <flitloom/routes/choice.h>

#include "base/rng.h"
#include "machine/lanes.h"
#include "machine/network.h"
#include "reference/ref_adaptive.h"
#include "unit/help/random_turns.h"
#include "reference/reference.h"
#include "unit/help/some_nets.h"

enum { MOST = 512, WAY_MOST = 32, NODES_MOST = 144, CYCLES_MOST = 100000 };

struct message {
	uint32_t source, destination, flits, n_way;
	uint64_t release;
	uint32_t way[WAY_MOST];
	struct loom_engine_arrival arrival;
	bool has_arrived;
};

struct scene {
	struct loom_topo topo;
	struct loom_machine_network network;
	unsigned rule;          // of messages without ways
	bool has_ways, goes_on; // goes_on: the network is that of the list before, whose routers remember it
	size_t n;
	struct message message[MOST];
	size_t next[NODES_MOST]; // by node: the message from which the search for its next one begins
	const struct loom_engine_kind *kind;
	struct loom_engine *engine;
	uint64_t until; // the last cycle that is run; 0: until all is over
};

static unsigned runs(unsigned usual)
{
	const char *text = getenv("LOOM_RUNS");
	return text ? (unsigned)strtoul(text, NULL, 10) : usual;
}

static bool next(void *user, struct loom_engine_message *out, uint32_t node, uint64_t from)
{
	struct scene *s = user;
	(void)from;
	while (s->next[node] < s->n && s->message[s->next[node]].source != node)
		s->next[node]++;
	if (s->next[node] == s->n)
		return false;
	const struct message *m = &s->message[s->next[node]];
	*out = (struct loom_engine_message){.release = m->release,
	                                    .flits = m->flits,
	                                    .n_way = m->n_way,
	                                    .way = s->has_ways ? m->way : NULL,
	                                    .id = s->next[node]++,
	                                    .rule = (uint8_t)s->rule,
	                                    .destination = m->destination};
	return true;
}

static void arrived(void *user, const struct loom_engine_arrival *arrival)
{
	struct message *m = &((struct scene *)user)->message[arrival->id];
	assert_false(m->has_arrived);
	m->has_arrived = true;
	m->arrival = *arrival;
}

static void begin(struct scene *s, const char *fabric)
{
	memset(s, 0, sizeof *s);
	assert_int_equal(loom_topo_parse(&s->topo, fabric, NULL), 0);
	assert_true(s->topo.n_nodes <= NODES_MOST);
}

static void end(struct scene *s)
{
	loom_topo_free(&s->topo);
}

static void find_way(struct message *m, const struct scene *s)
{
	struct loom_route route;
	loom_route_begin(&route, &s->topo, m->source, m->destination,
	                 s->rule == LOOM_RULE_TURNS ? LOOM_RULE_TURNS : LOOM_RULE_ASCENDING);
	m->n_way = loom_machine_way(m->way, WAY_MOST, &route);
	assert_true(m->n_way <= WAY_MOST);
}

static void draw(struct scene *s, struct loom_rng *rng, size_t n, uint32_t flits_most, uint64_t release_most)
{
	s->n = n;
	for (size_t i = 0; i < n; i++) {
		struct message *m = &s->message[i];
		*m = (struct message){.source = (uint32_t)loom_rng_below(rng, s->topo.n_nodes),
		                      .flits = 1 + (uint32_t)loom_rng_below(rng, flits_most),
		                      .release = loom_rng_below(rng, release_most + 1)};
		do
			m->destination = (uint32_t)loom_rng_below(rng, s->topo.n_nodes);
		while (m->destination == m->source);
		find_way(m, s);
	}
}

static enum loom_engine_state run(struct scene *s, const struct loom_engine_kind *kind, bool paper, unsigned select)
{
	const struct loom_engine_user user = {.next = next, .arrived = arrived, .user = s};
	enum loom_engine_state state;
	memset(s->next, 0, sizeof s->next);
	for (size_t i = 0; i < s->n; i++)
		s->message[i].has_arrived = false;
	if (!s->goes_on)
		assert_int_equal(loom_machine_network_make(&s->network, &s->topo, LOOM_RULE_ASCENDING, NULL), 0);
	if (kind == &loom_engine_adaptive && !s->goes_on)
		assert_int_equal(loom_machine_network_choose(&s->network, &s->topo, select, NULL), 0);
	s->kind = kind;
	assert_int_equal(kind->open(&s->engine, &s->network.net, paper, &user, NULL), 0);
	assert_int_equal(kind->run(s->engine, &state, s->until ? s->until : CYCLES_MOST, NULL), 0);
	return state;
}

static void stop(struct scene *s)
{
	s->kind->close(s->engine);
	loom_machine_network_free(&s->network);
}

static struct loom_engine_count count(const struct scene *s, uint32_t channel)
{
	struct loom_engine_count out;
	s->kind->count(s->engine, channel, &out);
	return out;
}

// --- Messages that have ways -----------------------------------------------------------------------------------------

// Checks that both engines find the same circle.
static void assert_same_circle(const struct scene *s, const struct scene *other, const char *name, unsigned k)
{
	struct loom_engine_wait *a = NULL, *b = NULL;
	size_t n = 0, n_b = 0;
	assert_int_equal(loom_lanes_lock(s->engine, &a, &n, NULL), 0);
	assert_int_equal(loom_adaptive_lock(other->engine, &b, &n_b, NULL), 0);
	bool is_same = n > 1 && n == n_b;
	for (size_t i = 0; is_same && i < n; i++)
		is_same = a[i].lane == b[i].lane && a[i].message == b[i].message && a[i].is_header == b[i].is_header;
	if (!is_same)
		fail_msg("%s, list %u: other circles, of %zu and %zu", name, k, n, n_b);
	free(a);
	free(b);
}

static void assert_same_counts(const struct scene *s, const struct scene *other, const char *name, unsigned k)
{
	for (uint32_t c = 0; c < loom_topo_channels(&s->topo); c++) {
		const struct loom_engine_count a = count(s, c), b = count(other, c);
		if (a.messages != b.messages || a.flits != b.flits || a.blocked != b.blocked)
			fail_msg("%s, list %u, channel %u: %" PRIu64 ", %" PRIu64 ", %" PRIu64 " and %" PRIu64
			         ", %" PRIu64 ", %" PRIu64,
			         name, k, c, a.messages, a.flits, a.blocked, b.messages, b.flits, b.blocked);
	}
}

// Runs both engines and compares them. Returns true if the list locks.
static bool assert_same(struct scene *s, struct scene *other, bool paper, const char *name, unsigned k)
{
	const enum loom_engine_state state = run(s, &loom_engine_lanes, paper, 0);
	*other = *s;
	if (run(other, &loom_engine_adaptive, paper, k % 3) != state ||
	    (state != LOOM_ENGINE_LOCKED && state != LOOM_ENGINE_IDLE))
		fail_msg("%s, list %u: other ends", name, k);
	for (size_t i = 0; i < s->n; i++) {
		const struct message *a = &s->message[i], *b = &other->message[i];
		if (a->has_arrived != b->has_arrived ||
		    (a->has_arrived && memcmp(&a->arrival, &b->arrival, sizeof a->arrival) != 0))
			fail_msg("%s, list %u, message %zu: %" PRIu64 " to %" PRIu64 " and %" PRIu64 " to %" PRIu64,
			         name, k, i, a->arrival.header, a->arrival.tail, b->arrival.header, b->arrival.tail);
	}
	assert_same_counts(s, other, name, k);
	if (other->kind->cycle(other->engine) != s->kind->cycle(s->engine))
		fail_msg("%s, list %u: the last cycles are %" PRIu64 " and %" PRIu64, name, k,
		         s->kind->cycle(s->engine), other->kind->cycle(other->engine));
	if (state == LOOM_ENGINE_LOCKED)
		assert_same_circle(s, other, name, k);
	stop(s);
	stop(other);
	return state == LOOM_ENGINE_LOCKED;
}

static void test_ways(void **state)
{
	(void)state;
	static const char *const fabrics[] = {
		"cube:3",   "cube:4v2",       "mesh:3x4",   "mesh:4x4v3", "torus:4x4",  "torus:3x5v2",
		"ring:7v2", "line:6",         "ring:8",     "cube:3b5",   "mesh:3x3d3", "torus:4x4v2b7d5",
		"cube:3r2", "mesh:4x3v2d1r3", "cube:4v5b3", "mesh:12x11", "torus:8x8v2"};
	static struct scene s, other;
	struct loom_rng rng;
	loom_rng_init(&rng, 31);
	for (unsigned k = 0; k < runs(300); k++) {
		const char *name = fabrics[k % (sizeof fabrics / sizeof fabrics[0])];
		begin(&s, name);
		draw(&s, &rng, 1 + loom_rng_below(&rng, MOST / 2), k % 5 ? 12 : 1, k % 4 ? 60 : 0);
		s.has_ways = true;
		(void)assert_same(&s, &other, k % 2, name, k);
		end(&s);
	}
}

// Messages that go half way round a ring, by any lanes, lock, and circles go through all lanes.
static void test_any_lane(void **state)
{
	(void)state;
	static const char *const fabrics[] = {"ring:5v2", "ring:4v3", "ring:6v2b4d2"};
	static struct scene s, other;
	struct loom_rng rng;
	unsigned n_locked = 0;
	loom_rng_init(&rng, 47);
	for (unsigned k = 0; k < 60; k++) {
		const char *name = fabrics[k % (sizeof fabrics / sizeof fabrics[0])];
		begin(&s, name);
		draw(&s, &rng, 60, 30, 0);
		s.has_ways = true;
		const uint32_t n_vcs = s.topo.n_vcs;
		for (struct message *m = s.message; m < s.message + s.n; m++) {
			m->destination = (m->source + s.topo.n_nodes / 2) % s.topo.n_nodes;
			find_way(m, &s);
			for (uint32_t j = 1; j + 1 < m->n_way; j++)
				m->way[j] += (uint32_t)loom_rng_below(&rng, n_vcs) - m->way[j] % n_vcs;
		}
		n_locked += assert_same(&s, &other, k % 2, name, k);
		end(&s);
	}
	assert_true(n_locked > 10);
}

// In the middle of a run, when headers wait, channels have counted the same.
static void test_midway(void **state)
{
	(void)state;
	static const char *const fabrics[] = {"cube:3", "mesh:3x4",     "torus:4x4v2",
	                                      "ring:8", "mesh:3x3v3b4", "cube:3d2"};
	static struct scene s, other;
	struct loom_rng rng;
	uint64_t blocked = 0;
	loom_rng_init(&rng, 13);
	for (unsigned k = 0; k < 120; k++) {
		const char *name = fabrics[k % (sizeof fabrics / sizeof fabrics[0])];
		begin(&s, name);
		draw(&s, &rng, 1 + loom_rng_below(&rng, 60), 9, 30);
		s.has_ways = true;
		s.until = 1 + loom_rng_below(&rng, 60);
		const enum loom_engine_state end_state = run(&s, &loom_engine_lanes, k / 6 % 2, 0);
		other = s;
		assert_int_equal(run(&other, &loom_engine_adaptive, k / 6 % 2, k % 3), end_state);
		assert_int_equal(other.kind->cycle(other.engine), s.kind->cycle(s.engine));
		assert_same_counts(&s, &other, name, k);
		for (uint32_t c = 0; c < loom_topo_channels(&s.topo); c++)
			blocked += count(&s, c).blocked;
		stop(&s);
		stop(&other);
		end(&s);
	}
	assert_true(blocked > 1000);
}

// --- Messages by rule ------------------------------------------------------------------------------------------------

// All lists end, every message arrives, and channels have carried what shortest ways take.
static void assert_minimal(struct scene *s, const char *name, unsigned k)
{
	uint64_t wanted = 0, carried = 0, flits_wanted = 0, flits = 0;
	for (size_t i = 0; i < s->n; i++) {
		const struct message *m = &s->message[i];
		if (!m->has_arrived)
			fail_msg("%s by rule %s, list %u: message %zu never arrived", name, loom_rule_name(s->rule), k,
			         i);
		if (m->arrival.tail + 1 < m->arrival.offer + m->n_way + m->flits - 1)
			fail_msg("%s by rule %s, list %u: message %zu came too soon", name, loom_rule_name(s->rule), k,
			         i);
		wanted += m->n_way;
		flits_wanted += (uint64_t)m->n_way * m->flits;
	}
	for (uint32_t c = 0; c < loom_topo_channels(&s->topo); c++) {
		carried += count(s, c).messages;
		flits += count(s, c).flits;
	}
	if (carried != wanted || flits != flits_wanted)
		fail_msg("%s by rule %s, list %u: channels carried %" PRIu64 " messages, %" PRIu64 " flits; %" PRIu64
		         ", %" PRIu64 " by shortest ways",
		         name, loom_rule_name(s->rule), k, carried, flits, wanted, flits_wanted);
}

static void test_rules(void **state)
{
	(void)state;
	static const char *const fabrics[] = {"cube:4",     "mesh:4x4",    "torus:4x4v2",  "cube:4v2",
	                                      "mesh:4x4v2", "torus:5x5v3", "cube:3v8",     "mesh:3x3x3",
	                                      "line:8",     "ring:8v3",    "mesh:4x4b4d2", "torus:4x4v3r1"};
	static struct scene s;
	struct loom_rng rng;
	size_t n_runs = 0;
	loom_rng_init(&rng, 1);
	for (unsigned rule = 0; loom_rule_name(rule); rule++)
		for (size_t f = 0; loom_rule_is_adaptive(rule) && f < sizeof fabrics / sizeof fabrics[0]; f++) {
			begin(&s, fabrics[f]);
			const bool is_slow = s.topo.link_delay + s.topo.router_delay > 0;
			for (unsigned k = 0; loom_rule_check(&s.topo, rule, NULL) == 0 && k < runs(25); k++) {
				draw(&s, &rng, MOST, k % 3 ? 16 : 3, k % 4 ? 0 : 100);
				s.rule = rule;
				if (run(&s, &loom_engine_adaptive, k % 2, k / 2 % (is_slow ? 3 : 4)) !=
				    LOOM_ENGINE_IDLE)
					fail_msg("%s by rule %s, list %u: locked", fabrics[f], loom_rule_name(rule), k);
				assert_minimal(&s, fabrics[f], k);
				stop(&s);
				n_runs++;
			}
			end(&s);
		}
	print_message("%zu lists\n", n_runs);
	assert_true(n_runs > 0);
}

// Runs the list on the reference and on the engine: the same cycles and counts. The engine is then to be closed.
static void compare_with(struct scene *s, const struct ref_machine *machine, const char *name, unsigned select,
                         unsigned k)
{
	static struct ref_message list[MOST];
	static struct ref_arrival due[MOST];
	static struct ref_channel channels[CHANNELS_MAX];
	for (size_t i = 0; i < s->n; i++)
		list[i] = (struct ref_message){s->message[i].source, s->message[i].destination, s->message[i].flits};
	assert_int_equal(ref_machine_run(due, channels, machine, list, s->n), 0);
	assert_int_equal(run(s, &loom_engine_adaptive, machine->timing == REF_PAPER, select), LOOM_ENGINE_IDLE);
	for (size_t i = 0; i < s->n; i++)
		if (s->message[i].arrival.header != due[i].first_cycle ||
		    s->message[i].arrival.tail != due[i].done_cycle)
			fail_msg("%s by rule %s, %s, list %u, message %zu: %" PRIu64 " to %" PRIu64
			         ", by the reference %" PRIu64 " to %" PRIu64,
			         name, loom_rule_name(s->rule), loom_select_name(select), k, i,
			         s->message[i].arrival.header, s->message[i].arrival.tail, due[i].first_cycle,
			         due[i].done_cycle);
	for (uint32_t c = 0; c < loom_topo_channels(&s->topo); c++) {
		const struct loom_engine_count is = count(s, c);
		if (is.messages != channels[c].n_worms || is.flits != channels[c].n_flits ||
		    is.blocked != channels[c].n_blocked)
			fail_msg("%s by rule %s, %s, list %u, channel %u: %" PRIu64 ", %" PRIu64 ", %" PRIu64
			         ", by the reference %" PRIu64 ", %" PRIu64 ", %" PRIu64,
			         name, loom_rule_name(s->rule), loom_select_name(select), k, c, is.messages, is.flits,
			         is.blocked, channels[c].n_worms, channels[c].n_flits, channels[c].n_blocked);
	}
}

// The slow reference machine, whose sets and preferences are its own, gives the same cycles and counts; now and then
// once more, and yet again, with what routers remember of the runs before.
static void assert_as_reference(struct scene *s, const char *name, bool paper, unsigned select, unsigned k)
{
	static unsigned rules[MOST];
	struct ref_net net = net_of(name);
	unsigned char *forbidden = random_turns_told(&s->topo);
	net.forbidden = forbidden;
	struct ref_machine machine = {.n_slots = s->topo.buffers,
	                              .timing = paper ? REF_PAPER : REF_FAST,
	                              .tie = ref_machine_tie(&net),
	                              .net = &net,
	                              .adaptive = ref_adaptive_new(&net, (enum ref_select)select),
	                              .rules = rules};
	for (size_t i = 0; i < s->n; i++)
		rules[i] = s->rule;
	assert_non_null(machine.adaptive);
	s->goes_on = false;
	for (unsigned passes = k % 3 ? 1 : 3; passes > 0; passes--) {
		compare_with(s, &machine, name, select, k);
		s->kind->close(s->engine);
		s->goes_on = true;
	}
	loom_machine_network_free(&s->network);
	ref_adaptive_free(machine.adaptive);
	free(forbidden);
}

static void test_reference(void **state)
{
	(void)state;
	static const char *const fabrics[] = {"cube:4",   "mesh:4x4",    "torus:4x4v2", "cube:3v3",   "mesh:3x4v2",
	                                      "ring:7v3", "torus:5x3v4", "line:5v2",    "mesh:3x3b4", "cube:3b3d2r1"};
	static struct scene s;
	struct loom_rng rng;
	size_t n_runs = 0;
	loom_rng_init(&rng, 7);
	for (unsigned k = 0; k < runs(400); k++) {
		const char *name = fabrics[k % (sizeof fabrics / sizeof fabrics[0])];
		const unsigned rule = LOOM_RULES_MAX + k / 10 % (LOOM_RULES_NAMED - LOOM_RULES_MAX);
		begin(&s, name);
		const bool is_slow = s.topo.link_delay + s.topo.router_delay > 0;
		if (loom_rule_is_adaptive(rule) && loom_rule_check(&s.topo, rule, NULL) == 0) {
			s.rule = rule;
			draw(&s, &rng, 1 + loom_rng_below(&rng, 200), k % 3 ? 16 : 3, 0);
			assert_as_reference(&s, name, k % 2, (unsigned)loom_rng_below(&rng, is_slow ? 3 : 4), k);
			n_runs++;
		}
		end(&s);
	}
	print_message("%zu lists\n", n_runs);
}

// Random turns: no list locks, ways are the shortest that the turns allow, and the reference does the same.
static void test_turns(void **state)
{
	(void)state;
	static const char *const fabrics[] = {"cube:4",      "mesh:4x4",         "random:16,4,1", "mesh:3x4v2",
	                                      "torus:4x4b3", "table-mesh:3x4v2", "cube:3d2"},
				 *const told[] = {"cube:3v2", "mesh:3x4", "torus:3x4v2", "table-mesh:3x3v2",
	                                          "mesh:3x3b3d2"};
	static struct scene s;
	struct loom_rng rng;
	loom_rng_init(&rng, 11);
	for (size_t f = 0; f < sizeof fabrics / sizeof fabrics[0]; f++) {
		begin(&s, fabrics[f]);
		s.rule = LOOM_RULE_TURNS;
		for (unsigned k = 0; k < runs(25); k++) {
			if (k % 25 == 0)
				random_turns(&s.topo, &rng);
			draw(&s, &rng, MOST, k % 3 ? 16 : 3, k % 4 ? 0 : 100);
			if (run(&s, &loom_engine_adaptive, k % 2, k / 2 % 3) != LOOM_ENGINE_IDLE)
				fail_msg("%s by turns, list %u: locked", fabrics[f], k);
			assert_minimal(&s, fabrics[f], k);
			stop(&s);
		}
		end(&s);
	}
	for (unsigned k = 0; k < runs(40); k++) {
		const char *name = told[k % (sizeof told / sizeof told[0])];
		begin(&s, name);
		s.rule = LOOM_RULE_TURNS;
		random_turns(&s.topo, &rng);
		draw(&s, &rng, 1 + loom_rng_below(&rng, 100), k % 3 ? 16 : 3, 0);
		assert_as_reference(&s, name, k % 2, (unsigned)loom_rng_below(&rng, 3), k);
		end(&s);
	}
}

// A message whose lowest lane is taken goes another way without waiting.
static void test_goes_round(void **state)
{
	(void)state;
	static struct scene s;
	begin(&s, "mesh:3x3");
	s.rule = LOOM_RULE_WEST_FIRST;
	s.n = 2;
	// From 0 to 8 by +x, the lowest lane; 1 to 5 finds +x of node 1 taken, and goes up.
	s.message[0] = (struct message){.source = 0, .destination = 8, .flits = 50};
	s.message[1] = (struct message){.source = 1, .destination = 5, .flits = 5, .release = 10};
	assert_int_equal(run(&s, &loom_engine_adaptive, false, 0), LOOM_ENGINE_IDLE);
	assert_int_equal(s.message[1].arrival.tail, 9 + 5 + 2 + 1);
	stop(&s);
	end(&s);
}

// A link whose two lanes are free keeps its turn while a message waits for one of them.
static void test_turn_is_kept(void **state)
{
	(void)state;
	static const uint32_t list[][3] = {{7, 3, 4}, {7, 4, 1}, {6, 2, 2}, {4, 6, 1}, {8, 7, 3},
	                                   {6, 5, 1}, {5, 6, 3}, {8, 0, 1}, {6, 4, 1}};
	static struct scene s;
	begin(&s, "mesh:3x3v2");
	s.rule = LOOM_RULE_DUATO;
	s.n = sizeof list / sizeof list[0];
	for (size_t i = 0; i < s.n; i++)
		s.message[i] = (struct message){.source = list[i][0], .destination = list[i][1], .flits = list[i][2]};
	assert_as_reference(&s, "mesh:3x3v2", false, 0, 0);
	end(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ways),   cmocka_unit_test(test_rules),      cmocka_unit_test(test_reference),
		cmocka_unit_test(test_turns),  cmocka_unit_test(test_goes_round), cmocka_unit_test(test_turn_is_kept),
		cmocka_unit_test(test_midway), cmocka_unit_test(test_any_lane),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
