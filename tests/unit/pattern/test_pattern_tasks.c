// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
// Patterns of applications: all pairs of tasks, against what the words say of each pair.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "unit/help/patterns.h"

// Gives the number of messages that i sends to j of n tasks, and the number of elements in each.
typedef unsigned pair_rule(uint32_t n, uint32_t i, uint32_t j, uint32_t *elements);

static unsigned gaussian_pair(uint32_t n, uint32_t i, uint32_t j, uint32_t *elements)
{
	*elements = n - i; // of row i, those from the diagonal on
	return i < j;
}

static unsigned nbody_pair(uint32_t n, uint32_t i, uint32_t j, uint32_t *elements)
{
	uint32_t way = (j + n - i) % n, half = n % 2 ? n / 2 + 1 : n / 2;
	*elements = 0;
	return (unsigned)(way == 1) + (way == half);
}

static unsigned broadcast_pair(uint32_t n, uint32_t i, uint32_t j, uint32_t *elements)
{
	uint32_t way = (j + n - i) % n;
	*elements = way < n - way ? way : n - way;
	return way != 0 && __builtin_popcount(way) == 1;
}

static void check(const char *name, pair_rule *rule, uint32_t n_nodes, uint32_t n, uint32_t each)
{
	char spec[64];
	(void)snprintf(spec, sizeof spec, each ? "%s:%" PRIu32 "/%" PRIu32 : "%s:%" PRIu32, name, n, each);
	struct loom_pattern p = parse(spec, n_nodes);
	unsigned *seen = calloc((size_t)n * n, sizeof *seen);
	assert_non_null(seen);
	check_invariants(&p, spec);
	assert_int_equal(p.n_nodes, n_nodes);
	for (size_t k = 0; k < p.n_messages; k++) {
		const struct loom_message *m = &p.messages[k];
		uint32_t elements;
		assert_true(m->source < n && m->destination < n);
		(void)rule(n, m->source, m->destination, &elements);
		assert_int_equal(m->flits, each ? 1 + each * elements : 17);
		seen[m->source * n + m->destination]++;
	}
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t j = 0; j < n; j++) {
			uint32_t elements;
			if (seen[i * n + j] != rule(n, i, j, &elements))
				fail_msg("%s: %u from %" PRIu32 " to %" PRIu32, spec, seen[i * n + j], i, j);
		}
	free(seen);
	loom_pattern_free(&p);
}

static void test_pairs(void **state)
{
	(void)state;
	static const uint32_t sizes[] = {2, 3, 4, 5, 7, 8, 15, 16, 31, 33, 64};
	for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
		for (uint32_t spare = 0; spare < 3; spare++) {
			uint32_t n = sizes[s];
			check("gaussian", gaussian_pair, n + spare, n, spare);
			check("perfect-broadcast", broadcast_pair, n + spare, n, 2 * spare);
			if (n > 2)
				check("nbody", nbody_pair, n + spare, n, 0);
		}
}

static void test_usual_tasks(void **state)
{
	(void)state;
	struct loom_pattern p = parse("gaussian", 32); // 31 tasks
	assert_int_equal(p.n_messages, 31 * 30 / 2);
	loom_pattern_free(&p);
	p = parse("gaussian", 2);
	assert_int_equal(p.n_messages, 1);
	loom_pattern_free(&p);
	p = parse("nbody", 15);
	assert_int_equal(p.n_messages, 30);
	assert_int_equal(p.messages[1].destination, 8);
	loom_pattern_free(&p);
	p = parse("perfect-broadcast", 16);
	assert_int_equal(p.n_messages, 64);
	loom_pattern_free(&p);
}

static void test_refused(void **state)
{
	(void)state;
	parse_fails("gaussian", 1, LOOM_EINPUT, PARTS("gaussian", "at least 2 processors, not 1"));
	parse_fails("nbody", 2, LOOM_EINPUT, PARTS("nbody", "at least 3"));
	parse_fails("gaussian:33", 32, LOOM_EINPUT, PARTS("\"33\"", "tasks", "2..32"));
	parse_fails("gaussian:1", 32, LOOM_EINPUT, PARTS("\"1\"", "2..32"));
	parse_fails("gaussian:x", 32, LOOM_EINPUT, PARTS("\"x\""));
	parse_fails("gaussian:", 32, LOOM_EINPUT, PARTS("TASKS"));
	parse_fails("gaussian:4/0", 32, LOOM_EINPUT, PARTS("\"0\"", "flits for each element", "1..4194303"));
	parse_fails("gaussian:4/4194304", 32, LOOM_EINPUT, PARTS("\"4194304\"", "1..4194303"));
	parse_fails("nbody:5/2", 32, LOOM_EINPUT, PARTS("\"2\""));
	parse_fails("gaussian", 4096, LOOM_EINPUT, PARTS("8382465 messages", "at most"));
}

// --- Stencils ------------------------------------------------------------------------------------------------------

static bool is_beside(uint32_t a, uint32_t b, uint32_t extent, bool wraps)
{
	uint32_t apart = a > b ? a - b : b - a;
	return apart == 1 || (wraps && extent > 1 && apart == extent - 1);
}

static void check_stencil(const uint32_t *extent, unsigned n_dims, uint32_t n_nodes, bool wraps, bool corners)
{
	char spec[64] = "stencil:";
	uint32_t n = 1;
	for (unsigned d = n_dims; d-- > 0; n *= extent[d])
		(void)snprintf(spec + strlen(spec), sizeof spec - strlen(spec), "%" PRIu32 "%s", extent[d],
		               d ? "x" : "");
	strcat(spec, corners ? ",corners" : "");
	strcat(spec, wraps ? ",wrap" : "");
	struct loom_pattern p = parse(spec, n_nodes);
	unsigned char *seen = calloc((size_t)n * n, 1);
	assert_non_null(seen);
	check_invariants(&p, spec);
	for (size_t k = 0; k < p.n_messages; k++) {
		assert_true(p.messages[k].source < n && p.messages[k].destination < n);
		seen[p.messages[k].source * n + p.messages[k].destination]++;
	}
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t j = 0; j < n; j++) {
			unsigned beside = 0, other = 0;
			for (uint32_t d = 0, x = i, y = j; d < n_dims; x /= extent[d], y /= extent[d], d++) {
				uint32_t a = x % extent[d], b = y % extent[d];
				beside += is_beside(a, b, extent[d], wraps);
				other += a != b && !is_beside(a, b, extent[d], wraps);
			}
			if (seen[i * n + j] != (other == 0 && (beside == 1 || (corners && beside > 0))))
				fail_msg("%s: %u from %" PRIu32 " to %" PRIu32, spec, seen[i * n + j], i, j);
		}
	free(seen);
	loom_pattern_free(&p);
}

static void test_stencils(void **state)
{
	(void)state;
	static const uint32_t grids[][3] = {{5, 6, 1}, {2, 2, 2}, {4, 4, 2}, {3, 1, 5}, {3, 3, 3}, {2, 1, 1}};
	for (size_t g = 0; g < sizeof grids / sizeof grids[0]; g++)
		for (unsigned kind = 0; kind < 4; kind++)
			check_stencil(grids[g], 3, 32, kind & 1, kind & 2);
	check_stencil((uint32_t[]){17}, 1, 32, true, true);
	const uint32_t extent[] = {4, 4};
	const struct loom_pattern_options options = {.flits = 17, .n_dims = 2, .extent = extent};
	struct loom_pattern p = parse_with("stencil:corners", 16, &options); // of the network: 9 points
	assert_int_equal(p.n_messages, 84);
	loom_pattern_free(&p);

	parse_fails("stencil:6x6", 32, LOOM_EINPUT, PARTS("6x6", "more tasks than there are processors, 32"));
	parse_fails("stencil:65536x65536", 32, LOOM_EINPUT, PARTS("more tasks"));
	parse_fails("stencil:6x", 32, LOOM_EINPUT, PARTS("\"6x\"", "wrap, corners"));
	parse_fails("stencil:0x4", 32, LOOM_EINPUT, PARTS("\"0x4\""));
	parse_fails("stencil:1x1", 32, LOOM_EINPUT, PARTS("2 tasks"));
	parse_fails("stencil:wrap,", 32, LOOM_EINPUT, PARTS("\"\""));
	parse_fails("stencil:,wrap", 32, LOOM_EINPUT, PARTS("\"\""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pairs),
		cmocka_unit_test(test_usual_tasks),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_stencils),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
