// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Worms on the OTIS-Mesh: their ways and lanes against the reference's, that none lock on two lanes, which fabric is named to whom
// is refused on one, and cycles with light as the reference machine takes them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/routes/deadlock.h>
#include <flitloom/plan.h>

#include "reference/reference.h"
#include "base/rng.h"
#include "check/offered.h"
#include "unit/help/golden_file.h"
#include "plan/light.h"
#include "report/report_facts.h"

static struct loom_topo topo_of(const char *name)
{
	struct loom_topo t;
	struct loom_err err = {0};
	if (loom_topo_parse(&t, name, &err) != 0)
		fail_msg("%s: %s", name, err.text);
	return t;
}

static struct ref_net net_of(const char *name)
{
	struct ref_net net;
	if (ref_net_parse(&net, name) != 0)
		fail_msg("%s is not read", name);
	return net;
}

// --- Ways ------------------------------------------------------------------------------------------------------------

static unsigned distance(unsigned side, unsigned p, unsigned q)
{
	return (unsigned)(abs((int)(p % side) - (int)(q % side)) + abs((int)(p / side) - (int)(q / side)));
}

// Theorem 1.
static unsigned theorem(unsigned side, unsigned s, unsigned d)
{
	unsigned n = side * side, g1 = s / n, p1 = s % n, g2 = d / n, p2 = d % n;
	unsigned even = distance(side, p1, p2) + distance(side, g1, g2) + 2;
	unsigned odd = distance(side, p1, g2) + distance(side, p2, g1) + 1;
	return g1 == g2 ? distance(side, p1, p2) : even < odd ? even : odd;
}

static unsigned compare_ways(const char *name)
{
	struct loom_topo t = topo_of(name);
	struct ref_net net = net_of(name);
	unsigned longest = 0;
	size_t channel[64];
	for (uint32_t k = 0; k < 2 * t.n_nodes * t.n_nodes; k++) {
		const struct ref_way way = {k / 2 / t.n_nodes, k / 2 % t.n_nodes,
		                            k % 2 ? REF_DESCENDING : REF_ASCENDING};
		struct loom_route route;
		uint32_t c;
		size_t length = way.source == way.destination ? 2 : ref_net_walk(channel, &net, &way), i = 0;
		if (way.source == way.destination)
			continue;
		loom_route_begin(&route, &t, way.source, way.destination, (enum loom_rule)(k % 2));
		for (; loom_route_next(&route, &c); i++) {
			unsigned node = c / 7, link = c % 7;
			if (i >= length || c != channel[i] ||
			    (link < 5 && route.vc != ref_net_vc(&net, &way, node, link)))
				fail_msg("%s: %u to %u, channel %zu: %u, lane %u", name, way.source, way.destination, i,
				         c, route.vc);
		}
		assert_int_equal(i, length);
		assert_int_equal(length - 2, theorem(t.extent[0], way.source, way.destination));
		longest = length - 2 > longest ? (unsigned)length - 2 : longest;
	}
	return longest;
}

static void test_ways(void **state)
{
	(void)state;
	json_t *golden = golden_json("003_otis.json");
	const json_t *diameter = json_object_get(golden, "diameter");
	assert_int_equal(compare_ways("otis-mesh:4v2"), golden_number(diameter, "2"));
	assert_int_equal(compare_ways("otis-mesh:16"), golden_number(diameter, "4"));
	(void)compare_ways("otis-mesh:16l4w2v2");
	json_decref(golden);
}

// --- Circles ---------------------------------------------------------------------------------------------------------

static size_t circle_of(const char *name, unsigned rules)
{
	struct loom_topo t = topo_of(name);
	struct loom_dependency_cycle circle;
	assert_int_equal(loom_deadlock_find_in_routing(&circle, &t, rules, NULL), 0);
	size_t n = circle.n_channels;
	loom_dependency_cycle_free(&circle);
	return n;
}

// All messages that there can be, by one rule.
static void test_no_circle(void **state)
{
	(void)state;
	static const char *const two[] = {"otis-mesh:4v2", "otis-mesh:16v2", "otis-mesh:16l4w2v2"};
	static const char *const one[] = {"otis-mesh:4", "otis-mesh:16"};
	for (unsigned rules = 1; rules <= 2; rules++) {
		for (size_t i = 0; i < 3; i++)
			assert_int_equal(circle_of(two[i], rules), 0);
		for (size_t i = 0; i < 2; i++)
			assert_int_not_equal(circle_of(one[i], rules), 0);
	}
}

static int plan_list(struct loom_plan *out, const char *fabric, const struct loom_message *messages, size_t n,
                     struct loom_err *err)
{
	struct loom_topo t = topo_of(fabric);
	struct loom_pattern pattern;
	const struct loom_plan_options by = {.planner = "direct", .map = "identity"};
	assert_int_equal(loom_pattern_from_messages(&pattern, "list", t.n_nodes, messages, n, err), 0);
	int code = loom_plan_make(out, &t, &pattern, &by, err);
	loom_pattern_free(&pattern);
	return code;
}

// A message for every pair of nodes.
static void test_refused(void **state)
{
	(void)state;
	static const char *const names[][2] = {{"otis-mesh:4", "or use fabric otis-mesh:4v2"},
	                                       {"otis-mesh:4l4", "or use fabric otis-mesh:4l4v2"},
	                                       {"otis-mesh:4w3", "or use fabric otis-mesh:4w3v2"},
	                                       {"otis-mesh:4l63w16", "or use fabric otis-mesh:4l63w16v2"}};
	struct loom_message all[256];
	for (uint32_t i = 0; i < 256; i++)
		all[i] = (struct loom_message){i / 16, i % 16, 3, 0};
	for (size_t i = 0; i < 4; i++) {
		struct loom_plan plan;
		struct loom_err err = {0};
		assert_int_equal(plan_list(&plan, names[i][0], all, 256, &err), LOOM_EINPUT);
		const char *advice = strstr(err.text, "or use");
		assert_non_null(advice);
		assert_string_equal(advice, names[i][1]);
		if (plan_list(&plan, strstr(advice, "otis"), all, 256, &err) != 0)
			fail_msg("%s", err.text);
		loom_plan_free(&plan);
	}
}

// --- The reference machine -------------------------------------------------------------------------------------------

enum { MOST = 320 };

// Plays the messages of one pass; -1: they lock. arrival[] is by message of the plan.
static int play(struct ref_arrival arrival[MOST], const struct loom_plan *plan, uint32_t pass, enum ref_timing timing)
{
	struct ref_net net = net_of(plan->topo.name);
	struct ref_message message[MOST];
	struct ref_arrival of_pass[MOST];
	enum ref_order order[MOST];
	size_t which[MOST], n = 0;
	for (size_t i = 0; i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		if (m->pass != pass || !loom_plan_uses_network(plan, m))
			continue;
		assert_true(n < MOST);
		order[n] = m->rule == LOOM_RULE_ASCENDING ? REF_ASCENDING : REF_DESCENDING;
		message[n] = (struct ref_message){plan->map[m->source], plan->map[m->destination], m->flits};
		which[n++] = i;
	}
	const struct ref_machine machine = {
		.n_slots = 2, .timing = timing, .tie = ref_machine_tie(&net), .net = &net, .orders = order};
	if (ref_machine_run(of_pass, NULL, &machine, message, n) != 0)
		return -1;
	for (size_t k = 0; k < n; k++)
		arrival[which[k]] = of_pass[k];
	return 0;
}

// Permutations in passes without contention: header and tail of every message in the cycles that are predicted.
static void test_predicted(void **state)
{
	(void)state;
	static const char *const fabrics[] = {"otis-mesh:4",   "otis-mesh:4v2",   "otis-mesh:4l3v2",
	                                      "otis-mesh:4w2", "otis-mesh:4l5w3", "otis-mesh:16l4w2v2"};
	unsigned n_two = 0;
	for (size_t f = 0; f < sizeof fabrics / sizeof fabrics[0]; f++)
		for (uint64_t seed = 1; seed <= 12; seed++) {
			struct loom_topo t = topo_of(fabrics[f]);
			struct loom_pattern pattern;
			struct loom_plan plan;
			struct loom_err err = {0};
			struct ref_arrival arrival[MOST];
			const struct loom_plan_options by = {.planner = "greedy", .map = "identity"};
			const struct loom_pattern_options options = {.flits = 1 + (uint32_t)(seed * seed) % 30,
			                                             .seed = seed};
			if (loom_pattern_parse(&pattern, "random-perm", t.n_nodes, &options, &err) ||
			    loom_plan_make(&plan, &t, &pattern, &by, &err))
				fail_msg("%s: %s", fabrics[f], err.text);
			for (uint32_t pass = 0; pass < plan.n_passes; pass++)
				assert_int_equal(play(arrival, &plan, pass, seed % 2 ? REF_PAPER : REF_FAST), 0);
			for (size_t i = 0; i < plan.n_messages; i++) {
				const struct loom_plan_message *m = &plan.messages[i];
				const struct loom_light light = loom_plan_light(&plan, i);
				if (!loom_plan_uses_network(&plan, m))
					continue;
				n_two += light.hops == 2;
				uint64_t tail = loom_plan_message_cycles(&plan, m);
				assert_int_equal(arrival[i].done_cycle, tail);
				assert_int_equal(arrival[i].first_cycle,
				                 tail - loom_light_length(&light, m->flits, UINT32_MAX));
			}
			loom_plan_free(&plan);
			loom_pattern_free(&pattern);
		}
	assert_true(n_two > 100);
}

static size_t random_list(struct loom_message *out, uint32_t n_nodes, struct loom_rng *rng)
{
	size_t n = 1 + loom_rng_below(rng, MOST);
	uint32_t longest = loom_rng_below(rng, 2) ? 6 : 40;
	for (size_t i = 0; i < n; i++)
		out[i] = (struct loom_message){(uint32_t)loom_rng_below(rng, n_nodes),
		                               (uint32_t)loom_rng_below(rng, n_nodes),
		                               1 + (uint32_t)loom_rng_below(rng, longest), 0};
	return n;
}

// Checks that the conclusions of the verdict and the reports from arrivals hold of the run: limits, earliest arrivals,
// offers.
static size_t check_concluded(const struct loom_plan *plan, const struct ref_arrival *arrival)
{
	size_t n_known = 0;
	struct loom_trace trace = {.n_nodes = plan->topo.n_nodes, .n_passes = 1};
	struct loom_fate *fates = NULL;
	uint32_t sent[256] = {0};
	uint64_t limit = loom_plan_cycle_limit(plan);
	trace.arrivals = calloc(plan->n_messages + 1, sizeof *trace.arrivals);
	assert_non_null(trace.arrivals);
	for (size_t i = 0; i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		const struct loom_light light = loom_plan_light(plan, i);
		uint64_t tail = loom_plan_message_cycles(plan, m);
		if (!loom_plan_uses_network(plan, m))
			continue;
		trace.arrivals[trace.n_arrivals++] =
			(struct loom_arrival){.node = m->destination,
		                              .source = m->source,
		                              .number = sent[m->source]++,
		                              .destination = m->destination,
		                              .flits = m->flits,
		                              .first_cycle = (uint32_t)arrival[i].first_cycle,
		                              .last_cycle = (uint32_t)arrival[i].done_cycle,
		                              .intact = true};
		assert_true(arrival[i].done_cycle <= limit);
		assert_true(arrival[i].done_cycle >= tail);
		assert_true(arrival[i].first_cycle >= tail - loom_light_length(&light, m->flits, UINT32_MAX));
	}
	assert_int_equal(loom_offered_make(&fates, plan, &trace, NULL), 0);
	for (size_t i = 0; i < plan->n_messages; i++) {
		uint64_t offered = arrival[i].offer_cycle;
		if (loom_plan_uses_network(plan, &plan->messages[i]) &&
		    (fates[i].earliest == 0 || fates[i].earliest > offered || fates[i].latest < offered))
			fail_msg("%s: message %zu was offered in cycle %llu, not in %llu..%llu", plan->topo.name, i,
			         (unsigned long long)offered, (unsigned long long)fates[i].earliest,
			         (unsigned long long)fates[i].latest);
		n_known += fates[i].earliest && fates[i].earliest == fates[i].latest;
	}
	free(fates);
	free(trace.arrivals);
	return n_known;
}

// Messages wait only for those before them at their node: the offer of each is known.
static void test_queue(void **state)
{
	(void)state;
	static const char *const fabrics[] = {"otis-mesh:4", "otis-mesh:4l3", "otis-mesh:4l9v2"};
	const struct loom_message queue[] = {{1, 4, 3, 0}, {1, 4, 9, 0}, {1, 4, 1, 0}, {1, 4, 40, 0}, {1, 4, 2, 0}};
	for (size_t f = 0; f < 3; f++) {
		struct ref_arrival arrival[MOST];
		struct loom_plan plan;
		struct loom_err err = {0};
		assert_int_equal(plan_list(&plan, fabrics[f], queue, 5, &err), 0);
		assert_int_equal(play(arrival, &plan, 0, REF_FAST), 0);
		assert_int_equal(check_concluded(&plan, arrival), 5);
		loom_plan_free(&plan);
	}
}

// The slowest case, which the limit must allow.
static void test_slow(void **state)
{
	(void)state;
	struct loom_message one[40];
	struct ref_arrival arrival[MOST];
	struct loom_plan plan;
	struct loom_err err = {0};
	for (size_t i = 0; i < 40; i++)
		one[i] = (struct loom_message){1, 4, 1, 0};
	assert_int_equal(plan_list(&plan, "otis-mesh:4l63w16", one, 40, &err), 0);
	assert_int_equal(play(arrival, &plan, 0, REF_PAPER), 0);
	assert_true(arrival[39].done_cycle > 40 * 2 * 63);
	(void)check_concluded(&plan, arrival);
	loom_plan_free(&plan);
}

// In one pass these would take at least as long as the reports say of the plan in several; here it is what they do take.
static void test_one_pass(void **state)
{
	(void)state;
	const struct loom_message queue[] = {{1, 4, 30, 0}, {1, 4, 5, 0}, {1, 4, 20, 0}};
	struct loom_topo t = topo_of("otis-mesh:4l3w2");
	struct loom_pattern pattern;
	struct loom_plan plan;
	struct loom_err err = {0};
	struct ref_arrival arrival[MOST];
	const struct loom_plan_options by = {.planner = "greedy", .map = "identity"};
	uint64_t least = 0;
	assert_int_equal(loom_pattern_from_messages(&pattern, "queue", 16, queue, 3, &err), 0);
	assert_int_equal(loom_plan_make(&plan, &t, &pattern, &by, &err), 0);
	assert_int_equal(plan.n_passes, 3);
	assert_int_equal(loom_report_one_pass_cycles(&least, &plan, &err), 0);
	loom_plan_free(&plan);
	loom_pattern_free(&pattern);
	assert_int_equal(plan_list(&plan, t.name, queue, 3, &err), 0);
	assert_int_equal(play(arrival, &plan, 0, REF_FAST), 0);
	assert_int_equal(arrival[2].done_cycle, least);
	assert_int_equal(least, 2 + 54 * 2 + 4 + 1);
	loom_plan_free(&plan);
}

// On two lanes no list locks, whatever the light; on one the check lets pass only what does not, and some that it refuses do.
static void test_lists(void **state)
{
	(void)state;
	static const struct {
		const char *fabric;
		unsigned lists;
	} cases[] = {{"otis-mesh:4v2", 40},     {"otis-mesh:4l3v2", 40},   {"otis-mesh:4w4v2", 40},
	             {"otis-mesh:4l5w3v2", 40}, {"otis-mesh:16l4w2v2", 4}, {"otis-mesh:4", 60},
	             {"otis-mesh:4l2w2", 60}};
	struct loom_rng rng;
	loom_rng_init(&rng, 20261122);
	for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
		unsigned n_run = 0, n_lock = 0;
		for (unsigned k = 0; k < cases[c].lists; k++) {
			struct loom_topo t = topo_of(cases[c].fabric);
			struct loom_message messages[MOST];
			struct ref_arrival arrival[MOST];
			struct loom_plan plan;
			struct loom_err err = {0};
			// On one lane few messages have a chance.
			size_t n = random_list(messages, t.n_nodes, &rng);
			n = t.n_vcs == 1 && k % 2 ? n % 12 + 1 : n;
			enum ref_timing timing = k % 4 < 2 ? REF_FAST : REF_PAPER;
			int code = plan_list(&plan, cases[c].fabric, messages, n, &err);
			if (code != 0) {
				char two[LOOM_TOPO_NAME + 3];
				assert_int_equal(t.n_vcs, 1);
				(void)snprintf(two, sizeof two, "%sv2", cases[c].fabric);
				assert_int_equal(plan_list(&plan, two, messages, n, &err), 0);
				plan.topo = t;
				n_lock += play(arrival, &plan, 0, timing) != 0;
			} else {
				assert_int_equal(play(arrival, &plan, 0, timing), 0);
				(void)check_concluded(&plan, arrival);
				n_run++;
			}
			loom_plan_free(&plan);
		}
		print_message("%s: %u of %u lists run, %u lock\n", cases[c].fabric, n_run, cases[c].lists, n_lock);
		if (strstr(cases[c].fabric, "v2"))
			assert_int_equal(n_run, cases[c].lists);
		else
			assert_true(n_run > 5 && n_lock > 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ways),      cmocka_unit_test(test_no_circle), cmocka_unit_test(test_refused),
		cmocka_unit_test(test_predicted), cmocka_unit_test(test_queue),     cmocka_unit_test(test_slow),
		cmocka_unit_test(test_one_pass),  cmocka_unit_test(test_lists),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
