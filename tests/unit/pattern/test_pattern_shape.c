// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
// Patterns that go by coordinates, against what their names say of them.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "unit/help/patterns.h"

struct shape {
	unsigned n_dims;
	uint32_t extent[LOOM_PATTERN_DIMS_MAX];
};

// mesh:3x5 is {5, 3}.
static const struct shape shapes[] = {
	{1, {1}},          {1, {2}},          {1, {9}},
	{1, {16}},         {2, {2, 2}},       {2, {5, 3}},
	{2, {3, 5}},       {2, {4, 1}},       {2, {1, 4}},
	{2, {8, 2}},       {2, {3, 3}},       {2, {4, 4}},
	{2, {15, 15}},     {2, {32, 32}},     {3, {2, 2, 2}},
	{3, {4, 3, 5}},    {3, {4, 4, 4}},    {3, {7, 7, 7}},
	{4, {3, 3, 3, 3}}, {4, {1, 2, 1, 6}}, {10, {2, 2, 2, 2, 2, 2, 2, 2, 2, 2}},
};
enum { N_SHAPES = sizeof shapes / sizeof shapes[0] };

static uint32_t nodes(const struct shape *s)
{
	uint32_t n = 1;
	for (unsigned d = 0; d < s->n_dims; d++)
		n *= s->extent[d];
	return n;
}

static struct loom_pattern_options options_of(const struct shape *s)
{
	return (struct loom_pattern_options){.flits = 17, .seed = 1, .n_dims = s->n_dims, .extent = s->extent};
}

static struct loom_pattern parse_shaped(const char *spec, const struct shape *s)
{
	const struct loom_pattern_options options = options_of(s);
	return parse_with(spec, nodes(s), &options);
}

static void shaped_fails(const char *spec, const struct shape *s, const char *const parts[])
{
	const struct loom_pattern_options options = options_of(s);
	parse_fails_with(spec, nodes(s), &options, LOOM_EINPUT, parts);
}

static uint32_t coordinate(const struct shape *s, uint32_t x, unsigned d)
{
	for (unsigned below = 0; below < d; below++)
		x /= s->extent[below];
	return x % s->extent[d];
}

static uint32_t largest(const struct shape *s)
{
	uint32_t most = 0;
	for (unsigned d = 0; d < s->n_dims; d++)
		most = s->extent[d] > most ? s->extent[d] : most;
	return most;
}

static bool has_equal_extents(const struct shape *s)
{
	for (unsigned d = 0; d < s->n_dims; d++)
		if (s->extent[d] != s->extent[0])
			return false;
	return true;
}

// As of a fabric without coordinates: by number and address bits.
static void assert_same_without_shape(const char *spec, const struct shape *s)
{
	struct loom_pattern p = parse_shaped(spec, s), q = parse(spec, nodes(s));
	assert_int_equal(p.n_messages, q.n_messages);
	assert_memory_equal(p.messages, q.messages, p.n_messages * sizeof *p.messages);
	assert_int_equal(p.n_lccs, q.n_lccs);
	loom_pattern_free(&p);
	loom_pattern_free(&q);
}

static void test_transpose(void **state)
{
	(void)state;
	unsigned n_by_coordinates = 0;
	for (size_t i = 0; i < N_SHAPES; i++) {
		const struct shape *s = &shapes[i];
		if (s->n_dims == 1 || largest(s) <= 2 || !has_equal_extents(s))
			continue;
		n_by_coordinates++;
		struct loom_pattern p = parse_shaped("transpose", s);
		assert_int_equal(p.n_messages, nodes(s));
		for (uint32_t x = 0; x < nodes(s); x++) {
			assert_int_equal(p.messages[x].source, x);
			for (unsigned d = 0; d < s->n_dims; d++)
				assert_int_equal(coordinate(s, p.messages[x].destination, d),
				                 coordinate(s, x, s->n_dims - 1 - d));
		}
		bool is_power = (nodes(s) & (nodes(s) - 1)) == 0;
		assert_int_equal(p.n_lccs, is_power);
		loom_pattern_free(&p);
	}
	assert_int_equal(n_by_coordinates, 7);

	// (2,3) of 15 x 15, from the definition by hand.
	struct loom_pattern p = parse_shaped("transpose", &(struct shape){2, {15, 15}});
	assert_int_equal(p.messages[2 * 15 + 3].destination, 3 * 15 + 2);
	loom_pattern_free(&p);

	// If they are the same permutation, it is the same matrix.
	assert_same_without_shape("transpose", &(struct shape){2, {4, 4}});
	assert_same_without_shape("transpose", &(struct shape){2, {32, 32}});
	assert_same_without_shape("transpose", &(struct shape){2, {2, 2}});
	assert_same_without_shape("transpose", &(struct shape){1, {16}});
	assert_same_without_shape("transpose", &(struct shape){4, {2, 2, 2, 2}});

	shaped_fails("transpose", &(struct shape){2, {5, 3}}, PARTS("transpose", "such as 3x3, not 3x5"));
	shaped_fails("transpose", &(struct shape){2, {4, 1}}, PARTS("such as 2x2, not 1x4"));
	shaped_fails("transpose", &(struct shape){2, {8, 4}}, PARTS("such as 5x5, not 4x8"));
	shaped_fails("transpose", &(struct shape){3, {4, 4, 2}}, PARTS("such as 3x3x3, not 2x4x4"));
	shaped_fails("transpose", &(struct shape){3, {1, 3, 1}}, PARTS("such as 2x2x2, not 1x3x1"));
	shaped_fails("transpose", &(struct shape){1, {9}}, PARTS("power of two"));
	shaped_fails("transpose", &(struct shape){3, {2, 2, 2}}, PARTS("multiple of 2"));
}

// Every coordinate d of a destination is by[d] further than its source's, by[d] from -(extent-1) to extent-1.
static void check_distances(const struct loom_pattern *p, const struct shape *s, const int by[])
{
	assert_int_equal(p->n_messages, nodes(s));
	for (size_t i = 0; i < p->n_messages; i++)
		for (unsigned d = 0; d < s->n_dims; d++) {
			int extent = (int)s->extent[d];
			int to = (int)coordinate(s, p->messages[i].source, d) + by[d];
			to = to < 0 ? to + extent : to >= extent ? to - extent : to;
			assert_int_equal(coordinate(s, p->messages[i].destination, d), to);
		}
}

static void check_shift(const struct shape *s, const int by[])
{
	char spec[128] = "shift:";
	for (unsigned d = s->n_dims; d-- > 0;)
		(void)snprintf(spec + strlen(spec), sizeof spec - strlen(spec), "%d%s", by[d], d ? "," : "");
	struct loom_pattern p = parse_shaped(spec, s);
	assert_string_equal(p.name, spec);
	check_distances(&p, s, by);
	loom_pattern_free(&p);
}

static void test_shift(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_SHAPES; i++) {
		const struct shape *s = &shapes[i];
		int none[LOOM_PATTERN_DIMS_MAX] = {0}, most[LOOM_PATTERN_DIMS_MAX], back[LOOM_PATTERN_DIMS_MAX],
		    mixed[LOOM_PATTERN_DIMS_MAX];
		for (unsigned d = 0; d < s->n_dims; d++) {
			most[d] = (int)s->extent[d] - 1;
			back[d] = -most[d];
			mixed[d] = d % 2 ? most[d] / 2 : -((most[d] + 1) / 2);
		}
		check_shift(s, none);
		check_shift(s, most);
		check_shift(s, back);
		check_shift(s, mixed);
		// One number goes by number, whatever the shape.
		if (nodes(s) > 5)
			assert_same_without_shape("shift:5", s);
	}
	// One down and one to the left of (0,0) in three rows of five, by hand: the first is y.
	struct loom_pattern p = parse_shaped("shift:1,-1", &(struct shape){2, {5, 3}});
	assert_int_equal(p.messages[0].destination, 9);
	loom_pattern_free(&p);
	p = parse_shaped("shift:1,0,1,0", &(struct shape){4, {2, 2, 2, 2}});
	assert_int_equal(p.n_lccs, 1);
	assert_int_equal(p.lccs[0].b, 10);
	loom_pattern_free(&p);
	p = parse_shaped("set:shift:2,0+transpose", &(struct shape){2, {4, 4}});
	assert_int_equal(p.n_lccs, 2);
	assert_int_equal(p.messages[0].destination, 8);
	loom_pattern_free(&p);

	const struct shape s = {2, {5, 3}};
	shaped_fails("shift:1,2,3", &s, PARTS("shift", "3 distances", "one for each extent of 3x5"));
	shaped_fails("shift:3,0", &s, PARTS("\"3\"", "-2..2"));
	shaped_fails("shift:0,-5", &s, PARTS("\"-5\"", "-4..4"));
	shaped_fails("shift:0,", &s, PARTS("\"\"", "-4..4"));
	shaped_fails("shift:,0", &s, PARTS("\"\"", "-2..2"));
	shaped_fails("shift:0, 1", &s, PARTS("\" 1\""));
	shaped_fails("shift:0,--1", &s, PARTS("\"--1\""));
	shaped_fails("shift:15", &s, PARTS("\"15\"", "-14..14"));
	shaped_fails("shift:4294967296,0", &s, PARTS("\"4294967296\""));
	shaped_fails("shift:1,1", &(struct shape){1, {15}}, PARTS("2 distances", "one extent, 15"));
	parse_fails("shift:1,1", 15, LOOM_EINPUT, PARTS("2 distances", "one extent, 15"));
}

// Those of shift:DY,DX that stay inside, and no others.
static void check_no_wrap(const struct shape *s, const int by[], const char *spec)
{
	struct loom_pattern p = parse_shaped(spec, s);
	size_t n = 0;
	for (uint32_t x = 0; x < nodes(s); x++) {
		uint32_t y = 0, stride = 1;
		bool stays = true;
		for (unsigned d = 0; d < s->n_dims; stride *= s->extent[d++]) {
			int to = (int)coordinate(s, x, d) + by[d];
			stays = stays && to >= 0 && to < (int)s->extent[d];
			y += (uint32_t)to * stride;
		}
		if (!stays)
			continue;
		assert_true(n < p.n_messages);
		assert_int_equal(p.messages[n].source, x);
		assert_int_equal(p.messages[n++].destination, y);
	}
	assert_int_equal(p.n_messages, n);
	loom_pattern_free(&p);
}

static void test_shift_without_wrap(void **state)
{
	(void)state;
	const struct shape s = {2, {5, 3}}, line = {1, {9}};
	check_no_wrap(&s, (const int[]){1, 0}, "shift:0,1,no-wrap");
	check_no_wrap(&s, (const int[]){0, -2}, "shift:-2,0,no-wrap");
	check_no_wrap(&s, (const int[]){-4, 1}, "shift:1,-4,no-wrap");
	check_no_wrap(&s, (const int[]){0, 0}, "shift:0,-0,no-wrap");
	check_no_wrap(&line, (const int[]){-3}, "shift:-3,no-wrap");
	struct loom_pattern p = parse_shaped("shift:-1,no-wrap", &s); // by number
	assert_int_equal(p.n_messages, 14);
	assert_int_equal(p.messages[0].source, 1);
	loom_pattern_free(&p);
	shaped_fails("shift:no-wrap", &s, PARTS("\"no-wrap\"", "-14..14"));
	shaped_fails("shift:1,0,wrap", &s, PARTS("3 distances"));
	shaped_fails("shift:1,wrap", &s, PARTS("\"wrap\"", "-4..4"));
	shaped_fails("shift:,no-wrap", &s, PARTS("\"\""));
}

static void test_tornado(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_SHAPES; i++) {
		const struct shape *s = &shapes[i];
		if (s->n_dims == 1 || largest(s) <= 2) {
			assert_same_without_shape("tornado", s);
			continue;
		}
		struct loom_pattern p = parse_shaped("tornado", s);
		assert_int_equal(p.n_messages, nodes(s));
		for (uint32_t x = 0; x < nodes(s); x++)
			for (unsigned d = 0; d < s->n_dims; d++) {
				uint32_t e = s->extent[d];
				uint32_t to = coordinate(s, p.messages[x].destination, d), at = coordinate(s, x, d);
				uint32_t way = (to + e - at) % e;
				assert_true(way < e - way);             // strictly the shorter way round,
				assert_true(e < 3 || 2 * way + 2 >= e); // and no longer one is
			}
		loom_pattern_free(&p);
	}
	struct loom_pattern p = parse_shaped("tornado", &(struct shape){2, {8, 8}}); // three of eight, both ways
	assert_int_equal(p.messages[0].destination, 27);
	loom_pattern_free(&p);
}

static void test_neighbour(void **state)
{
	(void)state;
	static const char *const spelled[] = {"neighbour", "neighbor"};
	for (size_t i = 0; i < 2 * N_SHAPES; i++) {
		const struct shape *s = &shapes[i / 2];
		if (s->n_dims > 1 && largest(s) <= 2) {
			shaped_fails(spelled[i % 2], s,
			             PARTS(spelled[i % 2], "needs an argument", ":BIT", "no extent is above 2"));
			assert_same_without_shape("neighbour:1", s);
			continue;
		}
		int by[LOOM_PATTERN_DIMS_MAX];
		for (unsigned d = 0; d < s->n_dims; d++)
			by[d] = s->extent[d] > 1 ? 1 : 0;
		struct loom_pattern p = parse_shaped(spelled[i % 2], s);
		check_distances(&p, s, by);
		loom_pattern_free(&p);
	}
	struct loom_pattern p = parse_shaped("neighbour:3", &(struct shape){2, {4, 4}});
	assert_int_equal(p.n_lccs, 1);
	assert_int_equal(p.lccs[0].b, 8);
	loom_pattern_free(&p);
	parse_fails("neighbour", 16, LOOM_EINPUT, PARTS("neighbour needs an argument", "neighbour:BIT"));
	shaped_fails("neighbour:4", &(struct shape){2, {4, 4}}, PARTS("\"4\"", "0..3"));
}

// From the words: neighbours differ in one coordinate, by one, or by all but one of its places if it wraps.
static bool are_neighbours(const struct shape *s, uint32_t x, uint32_t y, bool wraps)
{
	unsigned n_by_one = 0, n_other = 0;
	for (unsigned d = 0; d < s->n_dims; d++) {
		uint32_t a = coordinate(s, x, d), b = coordinate(s, y, d), apart = a > b ? a - b : b - a;
		if (apart == 1 || (wraps && apart > 0 && apart == s->extent[d] - 1))
			n_by_one++;
		else if (apart > 0)
			n_other++;
	}
	return n_by_one == 1 && n_other == 0;
}

static void check_stencil(const struct shape *s, bool wraps)
{
	struct loom_pattern p = parse_shaped(wraps ? "stencil:wrap" : "stencil", s);
	uint32_t n = nodes(s);
	size_t n_wanted = 0;
	bool *seen = calloc((size_t)n * n, sizeof *seen);
	assert_non_null(seen);
	for (size_t i = 0; i < p.n_messages; i++) {
		bool *place = &seen[p.messages[i].source * (size_t)n + p.messages[i].destination];
		assert_false(*place);
		*place = true;
		assert_int_equal(p.messages[i].flits, 17);
	}
	for (uint32_t x = 0; x < n; x++)
		for (uint32_t y = 0; y < n; y++) {
			bool wanted = are_neighbours(s, x, y, wraps);
			n_wanted += wanted;
			if (seen[x * (size_t)n + y] != wanted)
				fail_msg("%" PRIu32 " to %" PRIu32 " of %" PRIu32, x, y, n);
		}
	assert_int_equal(p.n_messages, n_wanted);
	assert_int_equal(p.n_members, 1);
	free(seen);
	loom_pattern_free(&p);
}

static void test_stencil(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_SHAPES; i++) {
		if (nodes(&shapes[i]) < 2) {
			shaped_fails("stencil", &shapes[i], PARTS("stencil", "at least 2"));
			continue;
		}
		check_stencil(&shapes[i], false);
		check_stencil(&shapes[i], true);
	}
	const struct shape cube = {4, {2, 2, 2, 2}};
	struct loom_pattern p = parse_shaped("stencil", &cube);
	assert_int_equal(p.n_messages, 64);
	for (size_t i = 0; i < 64; i++)
		assert_int_equal(p.messages[i].destination, p.messages[i].source ^ 1u << i % 4);
	loom_pattern_free(&p);
	p = parse("stencil", 7); // no shape: a line
	assert_int_equal(p.n_messages, 12);
	loom_pattern_free(&p);

	shaped_fails("stencil:2x2,corner", &cube, PARTS("\"corner\"", "none of: wrap, corners"));
	shaped_fails("stencil:2x2,2x2x2", &cube, PARTS("\"2x2x2\"", "extents are given once"));
	shaped_fails("stencil:around", &cube, PARTS("\"around\"", "none of: wrap, corners"));
	shaped_fails("stencil:", &cube, PARTS("stencil needs an argument", "wrap,corners"));
	shaped_fails("stencil:wrap ", &cube, PARTS("\"wrap \""));
	if (LOOM_NODES_MAX >= 1 << 20) {
		struct shape large = {.n_dims = 20};
		for (unsigned d = 0; d < 20; d++)
			large.extent[d] = 2;
		shaped_fails("stencil", &large, PARTS("stencil", "20971520 messages", "at most 1048576"));
	}
}

static void test_shape_is_of_the_processors(void **state)
{
	(void)state;
	static const struct {
		struct shape shape;
		uint32_t n_nodes;
	} wrong[] = {
		{{2, {5, 3}}, 16},
		{{2, {5, 3}}, 1},
		{{1, {15}}, 16},
		{{2, {4, 0}}, 4},
		{{2, {0, 0}}, 1},
		{{4, {65536, 65536, 65536, 65536}}, 1},
		{{3, {65536, 65536, 4}}, 4},
		{{2, {UINT32_MAX, UINT32_MAX}}, 1},
		{{LOOM_PATTERN_DIMS_MAX, {2}}, 2},
	};
	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
		const struct loom_pattern_options options = options_of(&wrong[i].shape);
		parse_fails_with("identity", wrong[i].n_nodes, &options, LOOM_EINPUT, PARTS("the shape", "extents"));
	}
	struct shape ones = {.n_dims = LOOM_PATTERN_DIMS_MAX};
	for (unsigned d = 0; d < LOOM_PATTERN_DIMS_MAX; d++)
		ones.extent[d] = d == 7 ? 5 : 1;
	struct loom_pattern p = parse_shaped("neighbour", &ones);
	assert_int_equal(p.messages[4].destination, 0);
	loom_pattern_free(&p);
	shaped_fails("transpose", &ones, PARTS("equal extents"));
	struct loom_pattern_options options = options_of(&ones);
	options.n_dims++;
	parse_fails_with("identity", 5, &options, LOOM_EINPUT, PARTS("33 extents", "32"));
}

// Every other pattern is of address bits or numbers, and the same on every shape.
static void test_others_know_no_shape(void **state)
{
	(void)state;
	static const char *const specs[] = {
		"bit-reverse", "reflect-diagonal", "rotate-cw",   "neighbor:2", "example5",
		"fft2d",       "complement",       "random-perm", "gather:3/4", "uniform:9"};
	for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
		assert_same_without_shape(specs[i], &(struct shape){2, {8, 2}});
		assert_same_without_shape(specs[i], &(struct shape){3, {4, 1, 4}});
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_transpose),
		cmocka_unit_test(test_shift),
		cmocka_unit_test(test_shift_without_wrap),
		cmocka_unit_test(test_tornado),
		cmocka_unit_test(test_neighbour),
		cmocka_unit_test(test_stencil),
		cmocka_unit_test(test_shape_is_of_the_processors),
		cmocka_unit_test(test_others_know_no_shape),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
