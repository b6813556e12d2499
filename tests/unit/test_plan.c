// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <dirent.h>
#include <jansson.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include <flitloom/plan.h>
#include <flitloom/planner.h>

#include "base/rng.h"

static struct loom_topo cube(unsigned n)
{
	char text[16];
	struct loom_topo t;
	(void)snprintf(text, sizeof text, "cube:%u", n);
	assert_int_equal(loom_topo_parse(&t, text, NULL), 0);
	return t;
}

// A pattern written down by hand, so that it is whatever this test wants. Freed by loom_pattern_free.
static struct loom_pattern random_pattern(struct loom_rng *rng, uint32_t n_nodes, size_t n_messages, uint32_t n_members)
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

static struct loom_plan make(const struct loom_topo *topo, const struct loom_pattern *pattern, const char *map,
                             const char *planner, const char *objective)
{
	struct loom_plan plan;
	struct loom_err err = {0};
	const struct loom_plan_options options = {.map = map, .planner = planner, .objective = objective};
	if (loom_plan_make(&plan, topo, pattern, &options, &err) != 0)
		fail_msg("%s", err.text);
	return plan;
}

// --- Maps ----------------------------------------------------------------------------------------------------------

static void test_maps(void **state)
{
	(void)state;
	struct loom_rng rng;
	loom_rng_init(&rng, 1);
	for (unsigned n = 1; n <= 10; n++) {
		struct loom_topo t = cube(n);
		struct loom_pattern p = random_pattern(&rng, t.n_nodes, 5, 1);
		const char *const same[] = {NULL, "best", "identity"};
		for (size_t i = 0; i < 3; i++) {
			struct loom_plan plan = make(&t, &p, same[i], "direct", NULL);
			assert_int_equal(plan.n_order, n);
			for (unsigned d = 0; d < n; d++)
				assert_int_equal(plan.order[d], d);
			for (uint32_t v = 0; v < t.n_nodes; v++)
				assert_int_equal(plan.map[v], v);
			assert_string_equal(plan.planner, "direct");
			assert_string_equal(plan.pattern, "by hand");
			assert_int_equal(plan.n_passes, 1);
			loom_plan_free(&plan);
		}

		// Bit orders and the same as a list of nodes; then a list which is no bit order.
		char bits[64] = "", *nodes = calloc(t.n_nodes, 8);
		unsigned order[10];
		assert_non_null(nodes);
		for (unsigned d = 0; d < n; d++)
			order[d] = d;
		for (unsigned d = n; d > 1; d--) {
			unsigned other = (unsigned)loom_rng_below(&rng, d), swapped = order[d - 1];
			order[d - 1] = order[other];
			order[other] = swapped;
		}
		for (unsigned d = 0; d < n; d++)
			(void)sprintf(bits + strlen(bits), "%s%u", d ? "," : "", order[d]);
		struct loom_plan by_bits = make(&t, &p, bits, "direct", NULL);
		assert_int_equal(by_bits.n_order, n);
		for (uint32_t v = 0; v < t.n_nodes; v++) {
			uint32_t node = 0;
			for (unsigned d = 0; d < n; d++)
				if (v & 1u << order[d])
					node += 1u << d;
			assert_int_equal(by_bits.map[v], node);
			(void)sprintf(nodes + strlen(nodes), "%s%u", v ? ", " : "", node);
		}
		struct loom_plan by_nodes = make(&t, &p, nodes, "direct", NULL);
		assert_memory_equal(by_bits.map, by_nodes.map, t.n_nodes * sizeof *by_bits.map);
		assert_int_equal(by_nodes.n_order, n);
		assert_memory_equal(by_bits.order, by_nodes.order, n * sizeof *by_bits.order);
		loom_plan_free(&by_bits);
		loom_plan_free(&by_nodes);

		nodes[0] = '\0';
		for (uint32_t v = 0; v < t.n_nodes; v++)
			(void)sprintf(nodes + strlen(nodes), "%s%u", v ? "," : "", t.n_nodes - 1 - v);
		by_nodes = make(&t, &p, nodes, "direct", NULL);
		assert_int_equal(by_nodes.n_order, 0);
		for (uint32_t v = 0; v < t.n_nodes; v++)
			assert_int_equal(by_nodes.map[v], t.n_nodes - 1 - v);
		loom_plan_free(&by_nodes);
		free(nodes);
		loom_pattern_free(&p);
	}
}

static void refused(const struct loom_topo *t, const struct loom_pattern *p, struct loom_plan_options options,
                    const char *says)
{
	struct loom_plan plan, before;
	struct loom_err err = {0};
	memset(&plan, 0xa5, sizeof plan);
	memcpy(&before, &plan, sizeof plan);
	assert_int_equal(loom_plan_make(&plan, t, p, &options, &err), LOOM_EINPUT);
	assert_int_equal(err.code, LOOM_EINPUT);
	if (!strstr(err.text, says))
		fail_msg("\"%s\" does not say \"%s\"", err.text, says);
	assert_memory_equal(&plan, &before, sizeof plan);
	assert_int_equal(loom_plan_make(&plan, t, p, &options, NULL), LOOM_EINPUT);
}

static void test_map_errors(void **state)
{
	(void)state;
	static const struct {
		const char *map, *says;
	} cases[] = {
		{"", "3 numbers (a bit order) or 8 numbers (a node for each processor)"},
		{"bset", "did you mean \"best\"?"},
		{"identty", "did you mean \"identity\"?"},
		{"BEST", "\"best\""},
		{"0,1", "2 numbers, but cube:3 takes 3 (a bit order) or 8"},
		{"0", "1 number, but cube:3 takes 3"},
		{"0,1,2,3", "4 numbers, but"},
		{"0,1,2,3,4,5,6,7,8", "9 numbers, but"},
		{"0,1,1", "1 is repeated, at places 2 and 3: 3 numbers are a bit order, each of 0..2 once"},
		{"0,1,3", "3 at place 3 is out of range: 3 numbers are a bit order, 0..2"},
		{"0,1,2,3,4,5,6,8", "8 at place 8 is out of range: 8 numbers are the node of each processor, 0..7"},
		{"0,1,2,3,4,5,6,0", "0 is repeated, at places 1 and 8"},
		{"0,1,4294967296", "the number at place 3 is out of range"},
		{"0,1,99999999999999999999999", "the number at place 3 is out of range"},
		{"0,,1", "no number at character 3"},
		{"0,1,2,", "no number at character 7"},
		{",0,1,2", "no number at character 1"},
		{"0,1,-2", "no number at character 5"},
		{"0,1,2x", "no number at character 6"},
		{"0 1 2", "no number at character 3"},
		{"0,1,2\n", "no number at character 6"},
		{"[0,1,2]", "no number at character 1"},
	};
	struct loom_rng rng;
	loom_rng_init(&rng, 2);
	struct loom_topo t = cube(3);
	struct loom_pattern p = random_pattern(&rng, 8, 5, 1);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		refused(&t, &p, (struct loom_plan_options){.map = cases[i].map}, cases[i].says);

	char *many = malloc(400001); // far more numbers than nodes
	assert_non_null(many);
	for (size_t i = 0; i < 200000; i++)
		memcpy(many + 2 * i, "7,", 2);
	many[399999] = '\0';
	refused(&t, &p, (struct loom_plan_options){.map = many}, "200000 numbers, but");
	free(many);
	loom_pattern_free(&p);
}

// The rule that was asked for is that of every message, and of the planners only those are chosen that leave it so.
static void test_rule(void **state)
{
	(void)state;
	static const char *const fabrics[] = {"cube:4", "mesh:4x4", "torus:4x4", "ring:16"};
	static const char *const planners[] = {NULL, "greedy", "direct"};
	for (size_t f = 0; f < sizeof fabrics / sizeof fabrics[0]; f++)
		for (size_t k = 0; k < sizeof planners / sizeof planners[0]; k++) {
			struct loom_topo t;
			struct loom_pattern p;
			assert_int_equal(loom_topo_parse(&t, fabrics[f], NULL), 0);
			assert_int_equal(loom_pattern_parse(&p, "perm:1,0,3,2,5,4,7,6,9,8,11,10,13,12,15,14", 16,
			                                    &(struct loom_pattern_options){.flits = 5}, NULL),
			                 0);
			for (unsigned rule = 0; rule < loom_topo_rules(&t); rule++) {
				const struct loom_plan_options options = {.planner = planners[k],
				                                          .rule = loom_rule_name(rule)};
				struct loom_plan plan;
				struct loom_err err = {0};
				int rc = loom_plan_make(&plan, &t, &p, &options, &err);
				if (rule >= LOOM_RULE_ONE_WAY && k != 1) { // round the whole ring: it can lock
					assert_int_equal(rc, LOOM_EINPUT);
					assert_non_null(strstr(err.text, "can lock"));
					continue;
				}
				if (rc != 0)
					fail_msg("%s, %s: %s", t.name, options.rule, err.text);
				assert_string_equal(plan.planner, k ? planners[k] : "direct");
				for (size_t i = 0; i < plan.n_messages; i++)
					assert_int_equal(plan.messages[i].rule, rule);
				loom_plan_free(&plan);
			}
			loom_pattern_free(&p);
		}
}

static void test_request_errors(void **state)
{
	(void)state;
	struct loom_rng rng;
	loom_rng_init(&rng, 3);
	struct loom_topo t = cube(3);
	struct loom_pattern p = random_pattern(&rng, 8, 12, 1), set = random_pattern(&rng, 8, 12, 3);
	refused(&t, &p, (struct loom_plan_options){.planner = "dirct"}, "did you mean \"direct\"?");
	refused(&t, &p, (struct loom_plan_options){.planner = "zzzzzzzzzz"},
	        "there is: lcc, lcc_set, latin, exchange, two_pass, min_passes, mesh, torus, line, ring, exact, "
	        "greedy, ad_hoc, direct, xy, yx, block, reroute, routes+passes");
	refused(&t, &p, (struct loom_plan_options){.planner = "lcc"},
	        "planners that can: exact, greedy, ad_hoc, direct, xy, yx, block, reroute, routes+passes");
	refused(&t, &p, (struct loom_plan_options){.objective = "maxmax"}, "no set");
	refused(&t, &p, (struct loom_plan_options){.rule = "one-way"}, "cube:3 has no rule one-way");
	refused(&t, &p, (struct loom_plan_options){.rule = "upward"}, "cube:3 has: ascending, descending");
	refused(&t, &p, (struct loom_plan_options){.rule = "descending", .planner = "two_pass"},
	        "planner two_pass settles by which rule messages go; planners that take");
	refused(&t, &p, (struct loom_plan_options){.rule = "ascending", .planner = "two_pass"},
	        "by a given one: exact, greedy, direct");
	refused(&t, &set, (struct loom_plan_options){.objective = "minmax"}, "minmax");
	p.n_nodes = 4;
	refused(&t, &p, (struct loom_plan_options){0}, "4 processors, but cube:3 has 8 nodes");
	p.n_nodes = 8;
	p.n_messages = LOOM_MESSAGES_MAX + 1;
	refused(&t, &p, (struct loom_plan_options){0}, "1048577 messages");
	loom_pattern_free(&p);
	loom_pattern_free(&set);
	loom_plan_free(NULL);
}

// --- Predictions ---------------------------------------------------------------------------------------------------

// Every message is walked again, one bit at a time; two messages of one pass are never counted together.
static void check_prediction(const struct loom_plan *plan, uint64_t seed)
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

static void random_map(struct loom_rng *rng, const struct loom_topo *t, char *text)
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

static void test_predictions(void **state)
{
	(void)state;
	static char map[1024 * 6];
	for (unsigned n = 1; n <= 10; n++)
		for (uint64_t seed = 1; seed <= 12; seed++) {
			struct loom_rng rng;
			loom_rng_init(&rng, seed * 1000 + n);
			struct loom_topo t = cube(n);
			uint32_t n_members = seed % 3 == 0 ? 3 : 1;
			size_t n_messages = seed < 5 ? (seed - 1) * n_members : (size_t)loom_rng_below(&rng, 700) + 3;
			struct loom_pattern p = random_pattern(&rng, t.n_nodes, n_messages, n_members);
			random_map(&rng, &t, map);
			struct loom_plan plan = make(&t, &p, seed % 2 ? map : NULL, "direct", NULL);
			assert_int_equal(plan.n_messages, n_messages);
			assert_int_equal(plan.n_passes, n_members);
			for (size_t i = 0; i < n_messages; i++) {
				const struct loom_plan_message *m = &plan.messages[i];
				assert_int_equal(m->source, p.messages[i].source);
				assert_int_equal(m->destination, p.messages[i].destination);
				assert_int_equal(m->flits, p.messages[i].flits);
				assert_int_equal(m->pass, p.messages[i].member);
				assert_int_equal(m->origin, i);
				assert_int_equal(m->rule, LOOM_RULE_ASCENDING);
				assert_int_equal(m->from_slot + m->keep_slot, 0);
			}
			check_prediction(&plan, seed);
			for (size_t i = 0; i < n_messages; i++) // again with mixed rules
				plan.messages[i].rule = (uint8_t)loom_rng_below(&rng, 2);
			plan.lower_bound = 0;
			assert_int_equal(loom_plan_predict(&plan, NULL), 0);
			check_prediction(&plan, seed);
			loom_plan_free(&plan);
			assert_null(plan.messages);
			loom_pattern_free(&p);
		}
}

// The figures of [Hou01], Table 1: neighbour exchange L' + 2, bit reversal after mapping L' + 9, L' = L + 1.
static void test_known_cycles(void **state)
{
	(void)state;
	struct loom_topo t = cube(8);
	static const uint32_t lengths[] = {17, 65, 257, 1025};
	for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
		uint32_t flits = lengths[i];
		struct loom_pattern p;
		struct loom_err err = {0};
		const struct loom_pattern_options options = {.flits = flits};
		if (loom_pattern_parse(&p, "bit-reverse", 256, &options, &err) != 0)
			fail_msg("%s", err.text);
		struct loom_plan best = make(&t, &p, "best", NULL, NULL), direct = make(&t, &p, NULL, "direct", NULL);
		assert_string_equal(best.planner, "lcc");
		assert_int_equal(loom_plan_cycles(&best), flits + 9);
		assert_int_equal(loom_plan_contention(&best), 1);
		assert_int_equal(loom_plan_contention(&direct), 8);
		assert_true(loom_plan_cycles(&direct) == LOOM_CYCLES_UNKNOWN);
		check_prediction(&best, 0);
		check_prediction(&direct, 0);
		for (uint32_t x = 0; x < 256; x++)
			p.messages[x].destination = p.messages[x].source ^ 128;
		p.n_lccs = 0;
		struct loom_plan neighbour = make(&t, &p, NULL, "direct", NULL);
		assert_int_equal(loom_plan_cycles(&neighbour), flits + 2);
		loom_plan_free(&best);
		loom_plan_free(&direct);
		loom_plan_free(&neighbour);
		loom_pattern_free(&p);
	}
}

static void test_no_message_in_the_network(void **state)
{
	(void)state;
	struct loom_rng rng;
	loom_rng_init(&rng, 4);
	struct loom_topo t = cube(4);
	struct loom_pattern p = random_pattern(&rng, 16, 16, 1);
	for (uint32_t i = 0; i < 16; i++)
		p.messages[i].source = p.messages[i].destination = i;
	struct loom_plan plan = make(&t, &p, NULL, "direct", NULL);
	assert_int_equal(loom_plan_cycles(&plan), 0);
	assert_int_equal(loom_plan_contention(&plan), 0);
	assert_int_equal(loom_plan_message_cycles(&plan, &plan.messages[3]), 0);
	loom_plan_free(&plan);
	// Two messages for one node by different ways: the network is free, the node is not.
	p.n_messages = 2;
	p.messages[0] = (struct loom_message){.source = 1, .destination = 0, .flits = 5};
	p.messages[1] = (struct loom_message){.source = 2, .destination = 0, .flits = 5};
	plan = make(&t, &p, NULL, "direct", NULL);
	assert_int_equal(loom_plan_contention(&plan), 1);
	assert_true(loom_plan_cycles(&plan) == LOOM_CYCLES_UNKNOWN);
	loom_plan_free(&plan);
	loom_pattern_free(&p);
}

static void test_objectives(void **state)
{
	(void)state;
	// Two members on cube:2. Member 0: twice 0->1 and once 0->2; member 1: 0->1 and 2->3, three times 0->2.
	// T: dim 0 is 2 and 1, dim 1 is 1 and 3.
	static const uint32_t ends[][3] = {{0, 1, 0}, {0, 1, 0}, {0, 2, 0}, {0, 1, 1},
	                                   {2, 3, 1}, {0, 2, 1}, {0, 2, 1}, {0, 2, 1}};
	struct loom_rng rng;
	loom_rng_init(&rng, 5);
	struct loom_topo t = cube(2);
	struct loom_pattern p = random_pattern(&rng, 4, 8, 2);
	for (size_t i = 0; i < 8; i++)
		p.messages[i] = (struct loom_message){ends[i][0], ends[i][1], 3, ends[i][2]};
	static const struct {
		const char *asked, *name;
		uint64_t value;
	} cases[] = {{NULL, "maxmax", 3}, {"maxmax", "maxmax", 3}, {"maxsum", "maxsum", 4}, {"sumsum", "sumsum", 7}};
	for (size_t i = 0; i < 4; i++) {
		struct loom_plan plan = make(&t, &p, NULL, NULL, cases[i].asked);
		assert_string_equal(plan.planner, "direct");
		assert_string_equal(plan.objective, cases[i].name);
		assert_int_equal(plan.objective_value, cases[i].value);
		assert_int_equal(plan.n_members, 2);
		assert_int_equal(plan.member_contention[0], 2);
		assert_int_equal(plan.member_contention[1], 3);
		loom_plan_free(&plan);
	}
	loom_pattern_free(&p);
}

// --- Invariants ----------------------------------------------------------------------------------------------------

// Two members in three passes; the data of the first two messages is stored and sent on, of the first one twice.
static struct loom_plan relay_plan(unsigned n)
{
	struct loom_rng rng;
	loom_rng_init(&rng, 6);
	struct loom_topo t = cube(n);
	uint32_t last = t.n_nodes - 1;
	struct loom_pattern p = random_pattern(&rng, t.n_nodes, 6, 2);
	struct loom_plan plan = make(&t, &p, "identity", "direct", "sumsum");
	loom_pattern_free(&p);
	const struct loom_plan_message messages[] = {
		{0, 0, last, 9, 0, 0, 3, 0},     {0, 1, last - 1, 9, 0, 0, 3, 1}, {1, last, 0, 9, 1, 3, 255, 0},
		{1, last - 1, 1, 9, 1, 3, 0, 1}, {2, 0, 1, 9, 0, 255, 0, 2},      {2, last, last, 4, 0, 0, 0, 5},
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

static void test_relays(void **state)
{
	(void)state;
	for (unsigned n = 2; n <= 10; n++) {
		struct loom_plan plan = relay_plan(n), saved;
		struct loom_plan_message *m = plan.messages;
		check_prediction(&plan, 6);
		struct loom_plan_message before[6];
		memcpy(before, m, sizeof before);
		saved = plan;
#define REFUSED(change, says)                                                                                          \
	do {                                                                                                           \
		struct loom_err err = {0};                                                                             \
		change;                                                                                                \
		assert_int_equal(loom_plan_predict(&plan, &err), LOOM_EINPUT);                                         \
		if (!strstr(err.text, says))                                                                           \
			fail_msg("\"%s\" does not say \"%s\"", err.text, says);                                        \
		assert_memory_equal(&plan, &saved, sizeof plan);                                                       \
		memcpy(m, before, sizeof before);                                                                      \
	} while (0)
		REFUSED(m[2].origin = 1, "slot 3");
		REFUSED(m[2].origin = 2, "slot 3");
		REFUSED(m[2].origin = 5, "slot 3");
		REFUSED(m[2].origin = UINT32_MAX, "slot 3");
		REFUSED(m[2].from_slot = 4, "slot 4");
		REFUSED(m[2].from_slot = 0, "generated");
		REFUSED(m[0].keep_slot = 0, "slot 3");
		REFUSED(m[2].pass = 0, "does not hold"); // not there before the pass begins
		REFUSED(m[2].source = 1, "slot 3");
		REFUSED(m[4].origin = 0, "slot 255"); // message 2 brought it there, from message 0
		REFUSED(m[1].destination = m[0].destination, "same pass");
		REFUSED((m[3].destination = 0, m[3].keep_slot = 255), "same pass");
		REFUSED(m[5].origin = 4, "generated");
		REFUSED(m[1].pass = 2, "after pass");
		REFUSED(m[5].pass = 3, "pass 3, there are 3");
		REFUSED(m[5].flits = 0, "no flits");
		REFUSED(m[5].rule = 2, "rule 2 is one way round, and cube:");
		REFUSED(m[5].rule = 4, "rule 4; 0 is ascending");
		REFUSED(m[5].source = plan.topo.n_nodes, "processors are");
		REFUSED(m[5].destination = UINT32_MAX, "processors are");
#undef REFUSED
		assert_int_equal(loom_plan_predict(&plan, NULL), 0);
		loom_plan_free(&plan);
	}
}

// --- JSON ----------------------------------------------------------------------------------------------------------

static char directory[] = "/tmp/test_plan.XXXXXX";

static int make_directory(void **state)
{
	(void)state;
	return mkdtemp(directory) ? 0 : -1;
}

static size_t files_in(const char *path)
{
	size_t n = 0;
	DIR *dir = opendir(path);
	assert_non_null(dir);
	while (readdir(dir))
		n++;
	(void)closedir(dir);
	return n - 2;
}

static int remove_directory(void **state)
{
	(void)state;
	return rmdir(directory); // fails if a test left a file
}

static const char *path_of(const char *name)
{
	static char path[256];
	(void)snprintf(path, sizeof path, "%s/%s", directory, name);
	return path;
}

static void assert_same_plan(const struct loom_plan *a, const struct loom_plan *b)
{
	uint32_t n_channels = loom_topo_channels(&a->topo);
	assert_ptr_equal(a->topo.kind, b->topo.kind);
	assert_string_equal(a->topo.name, b->topo.name);
	assert_int_equal(a->topo.n_nodes, b->topo.n_nodes);
	assert_int_equal(a->topo.ports, b->topo.ports);
	assert_string_equal(a->pattern, b->pattern);
	assert_string_equal(a->planner, b->planner);
	assert_int_equal(a->n_passes, b->n_passes);
	assert_int_equal(a->n_messages, b->n_messages);
	for (size_t i = 0; i < a->n_messages; i++) {
		const struct loom_plan_message *x = &a->messages[i], *y = &b->messages[i];
		assert_int_equal(x->pass, y->pass);
		assert_int_equal(x->source, y->source);
		assert_int_equal(x->destination, y->destination);
		assert_int_equal(x->flits, y->flits);
		assert_int_equal(x->rule, y->rule);
		assert_int_equal(x->from_slot, y->from_slot);
		assert_int_equal(x->keep_slot, y->keep_slot);
		assert_int_equal(x->origin, y->origin);
	}
	assert_memory_equal(a->map, b->map, a->topo.n_nodes * sizeof *a->map);
	assert_int_equal(a->n_order, b->n_order);
	assert_memory_equal(a->order, b->order, a->n_order * sizeof *a->order);
	assert_memory_equal(a->load, b->load, (size_t)a->n_passes * n_channels * sizeof *a->load);
	assert_memory_equal(a->cycles, b->cycles, a->n_passes * sizeof *a->cycles);
	assert_int_equal(a->lower_bound, b->lower_bound);
	assert_string_equal(a->objective, b->objective);
	assert_int_equal(a->objective_value, b->objective_value);
	assert_int_equal(a->n_members, b->n_members);
	assert_memory_equal(a->member_contention, b->member_contention, a->n_members * sizeof *a->member_contention);
	assert_memory_equal(a->member_of_pass, b->member_of_pass, a->n_passes * sizeof *a->member_of_pass);
	assert_int_equal(a->n_theory, b->n_theory);
	if (a->n_theory)
		assert_memory_equal(a->theory, b->theory, a->n_theory * sizeof *a->theory);
}

static void round_trip(const struct loom_plan *plan)
{
	struct loom_plan back;
	struct loom_err err = {0};
	const char *path = path_of("plan.json");
	if (loom_plan_write(plan, path, &err) != 0 || loom_plan_read(&back, path, &err) != 0)
		fail_msg("%s", err.text);
	assert_same_plan(plan, &back);
	assert_int_equal(files_in(directory), 1);
	assert_int_equal(unlink(path), 0);
	loom_plan_free(&back);
}

static void test_round_trips(void **state)
{
	(void)state;
	static char map[1024 * 6];
	struct loom_rng rng;
	uint64_t seed = 7;
	print_message("seed %llu\n", (unsigned long long)seed);
	loom_rng_init(&rng, seed);
	for (unsigned n = 1; n <= 10; n++) {
		struct loom_topo t = cube(n);
		for (unsigned round = 0; round < 4; round++) {
			uint32_t n_members = 1 + round % 2;
			size_t n_messages = round ? 2u << (3 * round) : 0;
			struct loom_pattern p = random_pattern(&rng, t.n_nodes, n_messages, n_members);
			random_map(&rng, &t, map);
			const char *objective = round == 3 ? "sumsum" : NULL;
			struct loom_plan plan = make(&t, &p, round < 2 ? map : NULL, "direct", objective);
			round_trip(&plan);
			loom_plan_free(&plan);
			loom_pattern_free(&p);
		}
		if (n >= 2) {
			struct loom_plan relays = relay_plan(n);
			round_trip(&relays);
			loom_plan_free(&relays);
		}
	}
	// With an order, theory and a bound of its own: what the planner of linear-complement communications makes.
	static const char *const specs[] = {"bit-reverse", "transpose", "random-lcc:3", "random-lcc:5", "identity"};
	struct loom_lcc set[sizeof specs / sizeof specs[0]];
	for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
		struct loom_pattern p;
		struct loom_err err = {0};
		struct loom_topo t = cube(6);
		if (loom_pattern_parse(&p, specs[i], 64, &(struct loom_pattern_options){.flits = 17, .seed = 5},
		                       &err) != 0)
			fail_msg("%s: %s", specs[i], err.text);
		assert_int_equal(p.n_lccs, 1);
		set[i] = p.lccs[0];
		struct loom_plan plan = make(&t, &p, "best", "lcc", NULL);
		assert_true(plan.n_theory > 0);
		check_prediction(&plan, i);
		round_trip(&plan);
		loom_plan_free(&plan);
		loom_pattern_free(&p);
	}
	static const char *const objectives[] = {"maxmax", "maxsum", "sumsum"};
	for (size_t i = 0; i < 3; i++) {
		struct loom_pattern p;
		struct loom_topo t = cube(6);
		assert_int_equal(loom_pattern_from_lccs(&p, "a set", set, sizeof set / sizeof set[0], 17, NULL), 0);
		struct loom_plan plan = make(&t, &p, "best", NULL, objectives[i]);
		assert_string_equal(plan.planner, "lcc_set");
		assert_string_equal(plan.objective, objectives[i]);
		check_prediction(&plan, i);
		round_trip(&plan);
		struct loom_plan direct = make(&t, &p, NULL, "direct", objectives[i]);
		assert_true(direct.objective_value >= plan.objective_value);
		loom_plan_free(&direct);
		loom_plan_free(&plan);
		loom_pattern_free(&p);
	}
}

static void test_strange_names(void **state)
{
	(void)state;
	static const char *const names[][2] = {
		{"quote \" and \\", "quote \" and \\"},
		{"caf\xc3\xa9", "caf\xc3\xa9"},
		{"caf\xe9", "caf?"},
		{"cut caf\xc3", "cut caf?"},
		{"line\nfeed\x1b[31m\x7f", "line?feed?[31m?"},
		{"", ""},
	};
	struct loom_plan plan = relay_plan(3), back;
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		(void)snprintf(plan.pattern, sizeof plan.pattern, "%s", names[i][0]);
		assert_int_equal(loom_plan_write(&plan, path_of("name.json"), NULL), 0);
		assert_int_equal(loom_plan_read(&back, path_of("name.json"), NULL), 0);
		assert_string_equal(back.pattern, names[i][1]);
		loom_plan_free(&back);
	}
	assert_int_equal(unlink(path_of("name.json")), 0);
	loom_plan_free(&plan);
}

static json_t *load_json(const struct loom_plan *plan)
{
	assert_int_equal(loom_plan_write(plan, path_of("json"), NULL), 0);
	json_t *root = json_load_file(path_of("json"), 0, NULL);
	assert_non_null(root);
	assert_int_equal(unlink(path_of("json")), 0);
	return root;
}

// What the file is refused with; NULL if it is taken.
static const char *verdict_on(const char *text, size_t length)
{
	static struct loom_err err;
	struct loom_plan plan, before;
	memset(&plan, 0xa5, sizeof plan);
	memcpy(&before, &plan, sizeof plan);
	memset(&err, 0, sizeof err);
	int rc = loom_plan_parse(&plan, text, length, "FILE", &err);
	if (rc == 0) {
		loom_plan_free(&plan);
		return NULL;
	}
	assert_int_equal(rc, LOOM_EINPUT);
	assert_int_equal(err.code, LOOM_EINPUT);
	assert_memory_equal(err.text, "FILE:", 5);
	assert_memory_equal(&plan, &before, sizeof plan);
	return err.text;
}

static const char *verdict_on_json(const json_t *root)
{
	char *text = json_dumps(root, JSON_COMPACT);
	assert_non_null(text);
	const char *verdict = verdict_on(text, strlen(text));
	free(text);
	return verdict;
}

// `path` is keys and indices: "predicted/load/3/2".
static json_t *at(json_t *root, const char *path)
{
	char copy[128], *rest = copy;
	(void)snprintf(copy, sizeof copy, "%s", path);
	for (char *key; root && (key = strsep(&rest, "/"));)
		root = json_is_array(root) ? json_array_get(root, (size_t)atoi(key)) : json_object_get(root, key);
	return root;
}

static void put(json_t *root, const char *path, json_t *value)
{
	char parent[128];
	(void)snprintf(parent, sizeof parent, "%s", path);
	char *slash = strrchr(parent, '/'), *key = slash ? slash + 1 : parent;
	json_t *into = root;
	if (slash) {
		*slash = '\0';
		into = at(root, parent);
	}
	assert_non_null(into);
	if (json_is_array(into))
		assert_int_equal(json_array_set_new(into, (size_t)atoi(key), value), 0);
	else
		assert_int_equal(json_object_set_new(into, key, value), 0);
}

// Every leaf and branch below `node` in turn becomes something of a wrong type; every number, one more and -1.
static unsigned tamper_below(json_t *root, json_t *node, char *path, size_t used)
{
	// What no prediction can tell: the flits of a message which is not the longest of its pass, the rule of one
	// that takes a single hop or none, a slot that nobody reads from.
	static const char *const free_numbers[] = {
		"messages/3/6", "messages/4/4", "messages/4/6", "messages/5/3", "messages/5/4", "messages/5/6",
	};
	unsigned n = 0;
	const char *key;
	json_t *child;
	size_t i;
	if (json_is_object(node))
		json_object_foreach(node, key, child) {
			(void)snprintf(path + used, 128 - used, "%s%s", used ? "/" : "", key);
			n += tamper_below(root, child, path, strlen(path));
		}
	if (json_is_array(node))
		json_array_foreach(node, i, child) {
			(void)snprintf(path + used, 128 - used, "/%zu", i);
			n += tamper_below(root, child, path, strlen(path));
		}
	path[used] = '\0';
	if (used == 0)
		return n;
	json_t *others[8];
	size_t n_others = 0;
	others[n_others++] = json_true();
	others[n_others++] = json_pack("{s:i}", "x", 1);
	others[n_others++] = json_pack("[[i]]", 1);
	others[n_others++] = json_real(1.0);
	if (!json_is_null(node) && strcmp(path, "predicted/objective") != 0 && strcmp(path, "predicted/theory") != 0)
		others[n_others++] = json_null();
	if (!json_is_string(node))
		others[n_others++] = json_string("1");
	if (json_is_integer(node)) {
		bool is_free = false;
		for (size_t k = 0; k < sizeof free_numbers / sizeof free_numbers[0]; k++)
			is_free = is_free || strcmp(path, free_numbers[k]) == 0;
		if (!is_free)
			others[n_others++] = json_integer(json_integer_value(node) + 1);
		others[n_others++] = json_integer(-1);
	}
	json_incref(node);
	for (size_t k = 0; k < n_others; k++) {
		put(root, path, others[k]);
		if (!verdict_on_json(root))
			fail_msg("taken, although %s is %s", path, json_dumps(at(root, path), JSON_ENCODE_ANY));
		n++;
	}
	put(root, path, node);
	return n;
}

static void test_tampered(void **state)
{
	(void)state;
	struct loom_plan plan = relay_plan(3);
	json_t *root = load_json(&plan);
	char path[128] = "";
	assert_null(verdict_on_json(root));
	plan.lower_bound = loom_plan_contention(&plan);
	put(root, "predicted/lower_bound", json_integer(plan.lower_bound));
	assert_null(verdict_on_json(root));
	unsigned n = tamper_below(root, root, path, 0);
	print_message("%u changes refused\n", n);
	assert_true(n > 400);
	assert_null(verdict_on_json(root)); // all put back

	static const struct {
		const char *path, *value, *says;
	} cases[] = {
		{"flitloom", "\"image\"", "not a plan"},
		{"version", "3", "version 3"},
		{"fabric", "\"cube:4\"", "\"map\" is not a list of 16"},
		{"fabric", "\"cub:3\"", "did you mean \"cube\"?"},
		{"pattern", "\"a\\nb\"", "control character"},
		{"planner", "\"12345678901234567890123456789012\"", "less than 32"},
		{"map", "[1,0,2,3,4,5,6,7]", "the bit order is not that of the map"},
		{"map", "[0,2,1,3,4,6,5,7]", "the bit order is not that of the map"},
		{"map", "[0,1,2,3,4,5,6,6]", "6 is repeated"},
		{"map", "[0,1,2,3,4,5,6,8]", "out of range"},
		{"map", "[0,1,2,3,4,5,6]", "8 numbers"},
		{"order", "null", "the bit order"},
		{"order", "[0,1]", "the bit order"},
		{"order", "[]", "\"order\""},
		{"passes", "0", "passes"},
		{"passes", "1048577", "passes"},
		{"passes", "1048576", "member_of_pass"},
		{"member_of_pass", "[1,1,1]", "member 0 of 2 has no pass"},
		{"member_of_pass", "[0,0,2]", "member 1 of 3 has no pass"},
		{"messages", "[]", "3 passes for 0 messages"},
		{"messages/0", "[0,0,7,9,0,0,3]", "list of 8"},
		{"messages/0", "[0,0,7,9,0,0,3,0,0]", "list of 8"},
		{"messages/0/4", "4", "rule of messages[0]"},
		{"messages/0/4", "2", "has no rings"},
		{"messages/0/6", "256", "keep_slot of messages[0]"},
		{"messages/0/3", "4294967296", "flits of messages[0]"},
		{"messages/0/3", "0", "no flits"},
		{"messages/2/7", "1", "slot 3 of processor 7"},
		{"messages/5/4", "1", NULL}, // to itself: no rule shows
		{"predicted/objective", "{\"name\":\"minmax\",\"value\":1}", "maxmax"},
		{"predicted/objective/name", "\"maxmax\"", "the objective"},
		{"predicted/objective", "null", NULL}, // a planner need not name one
		{"predicted/contention", "7", "contention is predicted as 7"},
		{"predicted/cycles/0", "14", "cycles[0] is predicted as 14, but the messages come to 13"},
		{"predicted/cycles", "[13,13]", "list of 3"},
		{"predicted/members", "[1]", "list of 2"},
		{"predicted/lower_bound", "3", "lower_bound"},
		{"predicted/load", "[]", "\"load\" ends before pass 0, channel 0 (0->1 (dim 0))"},
		{"predicted/load/0/2", "2", "channel 0->1 (dim 0)"},
		{"predicted/theory", "[[0,0,0,0,0],[0,0,0,0,0],[0,0,0,0,0]]", "theory gives channel"},
		{"predicted/theory", "[[1,1,1,1,1],[1,1,1,1,1],[1,1,0,1,1]]", "no channel of it is used"},
		{"predicted/theory", "[[1,1,1,1,1],[1,1,1,1,1]]", "row per pass"},
		{"predicted/theory", "[[1,1,1,1,1],[1,1,1,1,1],[1,0,0,1]]", "list of 5"},
		{"predicted/theory", "[[1,1,1,1,1],[1,1,1,1,1],[1,0,0,1,4294967295]]", "theory[2][4]"},
		{"predicted/theory", "[[1,1,1,1,1],[1,null,1,1,1],[1,0,0,1,1]]", NULL},
		{"extra", "1", "unknown key \"extra\""},
		{"predicted/extra", "1", "unknown key \"extra\""},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		json_t *copy = json_deep_copy(root), *value = json_loads(cases[i].value, JSON_DECODE_ANY, NULL);
		assert_non_null(value);
		put(copy, cases[i].path, value);
		const char *verdict = verdict_on_json(copy);
		if (!verdict != !cases[i].says || (verdict && !strstr(verdict, cases[i].says)))
			fail_msg("%s = %s: \"%s\" instead of \"%s\"", cases[i].path, cases[i].value,
			         verdict ? verdict : "taken", cases[i].says ? cases[i].says : "taken");
		json_decref(copy);
	}
	// Every key is needed, but those that files of older programs lack.
	const char *const newest[] = {"half_duplex", "optimal", "passes_proved"};
	const char *const branches[] = {"", "predicted"};
	for (size_t i = 0; i < 2; i++) {
		const char *key;
		json_t *value;
		json_object_foreach(i ? at(root, branches[i]) : root, key, value) {
			json_t *copy = json_deep_copy(root);
			(void)json_object_del(i ? at(copy, branches[i]) : copy, key);
			bool is_new = false;
			for (size_t k = 0; k < sizeof newest / sizeof newest[0]; k++)
				is_new = is_new || strcmp(key, newest[k]) == 0;
			const char *without = verdict_on_json(copy);
			if (!without != is_new)
				fail_msg("without %s: %s", key, without ? without : "taken");
			json_decref(copy);
		}
	}
	json_array_append_new(at(root, "predicted/load"), json_pack("[iii]", 2, 39, 1));
	const char *verdict = verdict_on_json(root);
	assert_non_null(verdict);
	assert_non_null(strstr(verdict, "rows"));
	json_decref(root);
	loom_plan_free(&plan);
}

// Every beginning of a file is no plan; nor is one byte too many, nor a key given twice.
static void test_truncated(void **state)
{
	(void)state;
	struct loom_plan plan = relay_plan(2);
	json_t *root = load_json(&plan);
	char *text = json_dumps(root, JSON_COMPACT);
	size_t length = strlen(text);
	for (size_t n = 0; n < length; n++)
		assert_non_null(verdict_on(text, n));
	assert_null(verdict_on(text, length));
	assert_non_null(verdict_on(text, length + 1)); // the '\0'
	text[length - 1] = ',';
	char *twice = malloc(length + 32);
	assert_non_null(twice);
	(void)sprintf(twice, "%s\"version\":1}", text);
	const char *verdict = verdict_on(twice, strlen(twice));
	assert_non_null(verdict);
	assert_non_null(strstr(verdict, "duplicate"));
	assert_non_null(verdict_on("[]", 2));
	assert_non_null(verdict_on("null", 4));
	assert_non_null(verdict_on("\"plan\"", 6));
	free(twice);
	free(text);
	json_decref(root);
	loom_plan_free(&plan);
}

static void test_files(void **state)
{
	(void)state;
	struct loom_plan plan = relay_plan(10), back;
	struct loom_err err = {0};
	struct stat info;
	char link_path[256], good[256];
	(void)snprintf(good, sizeof good, "%s", path_of("good.json"));
	(void)snprintf(link_path, sizeof link_path, "%s", path_of("link.json"));

	memset(&back, 0xa5, sizeof back);
	assert_int_equal(loom_plan_read(&back, path_of("none.json"), &err), LOOM_EFILE);
	assert_non_null(strstr(err.text, "No such file"));
	assert_int_equal(loom_plan_read(&back, directory, &err), LOOM_EFILE);
	assert_int_equal(loom_plan_read(&back, "/dev/null", &err), LOOM_EINPUT);
	assert_int_equal(loom_plan_write(&plan, path_of("none/plan.json"), &err), LOOM_EFILE);
	assert_int_equal(loom_plan_write(&plan, directory, &err), LOOM_EFILE);
	assert_int_equal(loom_plan_write(&plan, "/dev/full", &err), LOOM_EFILE);
	assert_non_null(strstr(err.text, "No space left"));
	assert_int_equal(loom_plan_write(&plan, "/dev/null", &err), 0);
	assert_int_equal(stat("/dev/null", &info), 0);
	assert_true(S_ISCHR(info.st_mode)); // written to, not replaced
	assert_int_equal(files_in(directory), 0);

	// Replaced as a whole, also behind a link, with the access rights it had.
	assert_int_equal(loom_plan_write(&plan, good, &err), 0);
	assert_int_equal(chmod(good, 0640), 0);
	assert_int_equal(symlink("good.json", link_path), 0);
	plan.lower_bound = 0;
	assert_int_equal(loom_plan_write(&plan, link_path, &err), 0);
	assert_int_equal(lstat(link_path, &info), 0);
	assert_true(S_ISLNK(info.st_mode));
	assert_int_equal(stat(good, &info), 0);
	assert_int_equal(info.st_mode & 0777, 0640);
	assert_int_equal(loom_plan_read(&back, good, &err), 0);
	assert_int_equal(back.lower_bound, 0);
	loom_plan_free(&back);
	assert_int_equal(unlink(link_path), 0);

	// The disk is full half way: the old file is as it was, and nothing else is left.
	struct rlimit limit, small;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	small = limit;
	small.rlim_cur = 5000;
	void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
	plan.lower_bound = 1;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	int rc = loom_plan_write(&plan, good, &err);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	(void)signal(SIGXFSZ, handler);
	assert_int_equal(rc, LOOM_EFILE);
	assert_non_null(strstr(err.text, "too large"));
	assert_int_equal(files_in(directory), 1);
	assert_int_equal(loom_plan_read(&back, good, &err), 0);
	assert_int_equal(back.lower_bound, 0);
	loom_plan_free(&back);
	assert_int_equal(unlink(good), 0);
	loom_plan_free(&plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_maps),
		cmocka_unit_test(test_map_errors),
		cmocka_unit_test(test_rule),
		cmocka_unit_test(test_request_errors),
		cmocka_unit_test(test_predictions),
		cmocka_unit_test(test_known_cycles),
		cmocka_unit_test(test_no_message_in_the_network),
		cmocka_unit_test(test_objectives),
		cmocka_unit_test(test_relays),
		cmocka_unit_test(test_round_trips),
		cmocka_unit_test(test_strange_names),
		cmocka_unit_test(test_tampered),
		cmocka_unit_test(test_truncated),
		cmocka_unit_test(test_files),
	};
	return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
