// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
// Patterns for any number of processors, against what their names say.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "plan/planners/permutation.h"
#include "unit/help/patterns.h"

static void test_shifts(void **state)
{
	(void)state;
	static const uint32_t sizes[] = {1, 2, 3, 5, 8, 63, 64, 65, 1023, 1024};
	for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
		uint32_t n_nodes = sizes[s];
		for (uint32_t k = 0; k < n_nodes; k += 1 + n_nodes / 8) {
			char spec[32];
			(void)snprintf(spec, sizeof spec, "shift:%" PRIu32, k);
			struct loom_pattern p = parse(spec, n_nodes);
			for (uint32_t x = 0; x < n_nodes; x++)
				assert_int_equal(p.messages[x].destination, x + k < n_nodes ? x + k : x + k - n_nodes);
			loom_pattern_free(&p);
			(void)snprintf(spec, sizeof spec, "shift:-%" PRIu32, k);
			p = parse(spec, n_nodes);
			for (uint32_t x = 0; x < n_nodes; x++)
				assert_int_equal(p.messages[x].destination, x >= k ? x - k : x + n_nodes - k);
			loom_pattern_free(&p);
		}
		struct loom_pattern p = parse("tornado", n_nodes);
		for (uint32_t x = 0; x < n_nodes; x++) {
			uint32_t way = (p.messages[x].destination + n_nodes - x) % n_nodes;
			assert_true(way < n_nodes - way);                   // strictly the shorter way round,
			assert_true(n_nodes < 3 || 2 * way + 2 >= n_nodes); // and no longer one is
		}
		loom_pattern_free(&p);
		p = parse("identity", n_nodes);
		for (uint32_t x = 0; x < n_nodes; x++)
			assert_int_equal(p.messages[x].destination, x);
		loom_pattern_free(&p);
	}
	struct loom_pattern p = parse("shift:1", 8);
	assert_int_equal(p.n_lccs, 0); // a carry is not linear
	loom_pattern_free(&p);
	p = parse("shift:4", 8);
	assert_int_equal(p.n_lccs, 1); // but this is neighbor:2
	assert_int_equal(p.lccs[0].b, 4);
	loom_pattern_free(&p);
}

static void check_pairs(const char *spec, bool with_self, uint32_t n_nodes)
{
	struct loom_pattern p = parse(spec, n_nodes);
	bool *seen = calloc((size_t)n_nodes * n_nodes, sizeof *seen);
	assert_non_null(seen);
	assert_int_equal(p.n_messages, (size_t)n_nodes * (n_nodes - !with_self));
	for (size_t i = 0; i < p.n_messages; i++) {
		size_t pair = (size_t)p.messages[i].source * n_nodes + p.messages[i].destination;
		if (seen[pair] || (!with_self && p.messages[i].source == p.messages[i].destination))
			fail_msg("message %zu again or to itself", i);
		seen[pair] = true;
	}
	assert_true(loom_planner_is_all_to_all(&p));
	p.messages[0].flits++;
	assert_false(loom_planner_is_all_to_all(&p));
	p.messages[0] = p.messages[1];
	assert_false(loom_planner_is_all_to_all(&p));
	free(seen);
	loom_pattern_free(&p);
}

static void test_all_to_all(void **state)
{
	(void)state;
	static const uint32_t sizes[] = {2, 3, 64, 1024};
	for (size_t s = 0; s < 4; s++) {
		check_pairs("all-to-all", true, sizes[s]);
		check_pairs("all-to-others", false, sizes[s]);
	}
	static const struct {
		uint32_t n_nodes;
		const char *pairs, *others;
	} large[] = {{1025, "1050625 messages", "1049600 messages"},
	             {65536, "4294967296 messages", "4294901760 messages"},
	             {1048576, "1099511627776 messages", "1099510579200 messages"}};
	for (size_t s = 0; s < 3; s++) {
		if (large[s].n_nodes > LOOM_NODES_MAX)
			continue;
		parse_fails("all-to-all", large[s].n_nodes, LOOM_EINPUT, PARTS(large[s].pairs, "at most 1048576"));
		parse_fails("all-to-others", large[s].n_nodes, LOOM_EINPUT, PARTS(large[s].others, "at most 1048576"));
	}
	parse_fails("all-to-all", 1, LOOM_EINPUT, PARTS("all-to-all", "at least 2"));
	parse_fails("all-to-others", 1, LOOM_EINPUT, PARTS("all-to-others", "at least 2"));
}

static void test_hotspot(void **state)
{
	(void)state;
	static const uint32_t sizes[] = {1, 2, 12, 64, 1000, 1024};
	for (size_t s = 0; s < 6; s++) {
		char spec[32];
		uint32_t hot = sizes[s] - 1;
		(void)snprintf(spec, sizeof spec, "hotspot:%" PRIu32, hot);
		struct loom_pattern p = parse(spec, sizes[s]);
		assert_int_equal(p.n_messages, sizes[s]);
		for (uint32_t x = 0; x < sizes[s]; x++) {
			assert_int_equal(p.messages[x].source, x);
			assert_int_equal(p.messages[x].destination, hot);
		}
		if (sizes[s] == 64) {
			assert_int_equal(p.n_lccs, 1);
			assert_int_equal(p.lccs[0].kind, LOOM_LCC_GATHER);
		}
		loom_pattern_free(&p);
	}
}

// Straight from the words: groups of `size` consecutive processors, the root-th of each sends to all or takes from all.
static void check_groups(uint32_t n_nodes, uint32_t root, uint32_t n_groups, bool with_slash)
{
	uint32_t size = n_nodes / n_groups, v = 0;
	char gather_spec[40], scatter_spec[40], tail[20] = "";
	if (with_slash)
		(void)snprintf(tail, sizeof tail, "/%" PRIu32, n_groups);
	(void)snprintf(gather_spec, sizeof gather_spec, "gather:%" PRIu32 "%s", root, tail);
	(void)snprintf(scatter_spec, sizeof scatter_spec, "scatter:%" PRIu32 "%s", root, tail);
	struct loom_pattern gather = parse(gather_spec, n_nodes), scatter = parse(scatter_spec, n_nodes);
	check_invariants(&gather, gather_spec);
	check_invariants(&scatter, scatter_spec);
	assert_int_equal(gather.n_messages, n_nodes);
	assert_int_equal(scatter.n_messages, n_nodes);
	for (uint32_t g = 0; g < n_groups; g++)
		for (uint32_t k = 0; k < size; k++, v++) {
			assert_int_equal(gather.messages[v].source, v);
			assert_int_equal(gather.messages[v].destination, g * size + root);
			assert_int_equal(scatter.messages[v].source, g * size + root);
			assert_int_equal(scatter.messages[v].destination, v);
		}
	bool is_power = n_nodes > 1 && (n_nodes & (n_nodes - 1)) == 0;
	assert_int_equal(gather.n_lccs, is_power);
	assert_int_equal(scatter.n_lccs, is_power);
	if (is_power) { // for each root 2^rank of them, and the matrix is what says so
		assert_int_equal(1u << loom_gf2_rank(&gather.lccs[0].a), n_groups);
		assert_int_equal(1u << loom_gf2_rank(&scatter.lccs[0].a), n_groups);
		assert_int_equal(gather.lccs[0].kind, size == 1 ? LOOM_LCC_PERMUTATION : LOOM_LCC_GATHER);
		assert_int_equal(scatter.lccs[0].kind, size == 1 ? LOOM_LCC_PERMUTATION : LOOM_LCC_SCATTER);
	}
	loom_pattern_free(&gather);
	loom_pattern_free(&scatter);
}

static void test_gather_and_scatter(void **state)
{
	(void)state;
	static const uint32_t sizes[] = {1, 2, 4, 12, 16, 63, 64, 1000, 1024};
	for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
		for (uint32_t n_groups = 1; n_groups <= sizes[s]; n_groups++) {
			if (sizes[s] % n_groups != 0)
				continue;
			uint32_t last = sizes[s] / n_groups - 1;
			check_groups(sizes[s], 0, n_groups, true);
			check_groups(sizes[s], last, n_groups, true);
			check_groups(sizes[s], last / 3, n_groups, true);
			if (n_groups == 1)
				check_groups(sizes[s], last, 1, false);
		}

	parse_fails("gather", 16, LOOM_EINPUT, PARTS("gather:ROOT[/GROUPS]"));
	parse_fails("gather:16", 16, LOOM_EINPUT, PARTS("gather", "\"16\"", "0..15"));
	parse_fails("scatter:-1", 16, LOOM_EINPUT, PARTS("scatter", "\"-1\"", "0..15"));
	parse_fails("scatter:4/4", 16, LOOM_EINPUT, PARTS("scatter", "\"4\"", "its group", "0..3"));
	parse_fails("gather:/4", 16, LOOM_EINPUT, PARTS("gather", "\"\"", "0..3"));
	parse_fails("gather:0/", 16, LOOM_EINPUT, PARTS("gather", "\"\"", "divide the 16"));
	parse_fails("gather:0/0", 16, LOOM_EINPUT, PARTS("\"0\"", "divide the 16"));
	parse_fails("gather:0/3", 16, LOOM_EINPUT, PARTS("\"3\"", "divide the 16"));
	parse_fails("gather:0/32", 16, LOOM_EINPUT, PARTS("\"32\"", "divide the 16"));
	parse_fails("gather:0/4294967297", 16, LOOM_EINPUT, PARTS("divide the 16"));
	parse_fails("gather:4294967297", 16, LOOM_EINPUT, PARTS("0..15"));
	parse_fails("gather:0/2/2", 16, LOOM_EINPUT, PARTS("\"2/2\""));
	parse_fails("gather:0 /2", 16, LOOM_EINPUT, PARTS("\"0 \""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shifts),
		cmocka_unit_test(test_all_to_all),
		cmocka_unit_test(test_hotspot),
		cmocka_unit_test(test_gather_and_scatter),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
