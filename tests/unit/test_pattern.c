// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "pattern.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "rng.h"
#include "suggest.h"

static const struct loom_pattern_options defaults = {.flits = 17, .seed = 1};

// ---- Slow versions and helpers ----

// y_i = b_i + sum of a_ij v_j, one entry at a time.
static uint64_t slow_apply(const struct loom_lcc *lcc, uint64_t v)
{
	uint64_t y = 0;
	for (unsigned i = 0; i < lcc->a.n; i++) {
		unsigned sum = (unsigned)(lcc->b >> i & 1);
		for (unsigned j = 0; j < lcc->a.n; j++)
			sum += (unsigned)(lcc->a.row[i] >> j & 1) * (unsigned)(v >> j & 1);
		y |= (uint64_t)(sum % 2) << i;
	}
	return y;
}

// Everything that the comment at the type promises.
static void check_invariants(const struct loom_pattern *p, const char *spec)
{
	assert_true(strlen(p->name) > 0 && strlen(p->name) < sizeof p->name);
	assert_in_range(p->n_nodes, 1, LOOM_NODES_MAX);
	assert_in_range(p->n_messages, 1, LOOM_MESSAGES_MAX);
	assert_true(p->n_members >= 1);
	assert_true(p->n_lccs == 0 || p->n_lccs == p->n_members);
	assert_true((p->n_lccs == 0) == (p->lccs == NULL));
	for (size_t i = 0; i < p->n_messages; i++) {
		const struct loom_message *m = &p->messages[i];
		if (m->source >= p->n_nodes || m->destination >= p->n_nodes || m->flits < 1 ||
		    m->member >= p->n_members || (i > 0 && m->member < m[-1].member))
			fail_msg("%s: message %zu is out of bounds or order", spec, i);
	}
	if (p->n_lccs == 0)
		return;
	assert_int_equal(p->n_messages, (size_t)p->n_lccs * p->n_nodes);
	const struct loom_message *m = p->messages;
	for (uint32_t r = 0; r < p->n_lccs; r++) {
		assert_true(loom_gf2_is_valid(&p->lccs[r].a));
		assert_int_equal(1u << p->lccs[r].a.n, p->n_nodes);
		if (p->lccs[r].kind == LOOM_LCC_PERMUTATION)
			assert_int_equal(loom_gf2_rank(&p->lccs[r].a), p->lccs[r].a.n);
		for (uint32_t v = 0; v < p->n_nodes; v++, m++) {
			bool scatter = p->lccs[r].kind == LOOM_LCC_SCATTER;
			if (m->member != r || (scatter ? m->destination : m->source) != v ||
			    (scatter ? m->source : m->destination) != slow_apply(&p->lccs[r], v))
				fail_msg("%s: message %" PRIu32 " of member %" PRIu32 " is not that of the LCC", spec,
				         v, r);
		}
	}
}

static struct loom_pattern parse_with(const char *spec, uint32_t n_nodes, const struct loom_pattern_options *options)
{
	struct loom_pattern p;
	struct loom_err err = {0};
	if (loom_pattern_parse(&p, spec, n_nodes, options, &err) != 0)
		fail_msg("%s for %" PRIu32 ": %s", spec, n_nodes, err.text);
	check_invariants(&p, spec);
	assert_int_equal(p.n_nodes, n_nodes);
	return p;
}

static struct loom_pattern parse(const char *spec, uint32_t n_nodes)
{
	return parse_with(spec, n_nodes, &defaults);
}

static void check_error(int code, const struct loom_err *err, int wanted, const char *const parts[], const char *input)
{
	if (code != wanted || err->code != wanted)
		fail_msg("%s: %s instead of %s (%s)", input, loom_code_name(code), loom_code_name(wanted), err->text);
	for (size_t i = 0; parts[i]; i++)
		if (!strstr(err->text, parts[i]))
			fail_msg("%s: no \"%s\" in \"%s\"", input, parts[i], err->text);
	for (const char *c = err->text; *c; c++)
		if ((unsigned char)*c < 0x20 || (unsigned char)*c >= 0x7f)
			fail_msg("%s: byte 0x%02x in \"%s\"", input, (unsigned char)*c, err->text);
}

static void parse_fails(const char *spec, uint32_t n_nodes, int wanted, const char *const parts[])
{
	struct loom_pattern p, before;
	struct loom_err err = {0};
	memset(&p, 0xa5, sizeof p);
	memcpy(&before, &p, sizeof p);
	int code = loom_pattern_parse(&p, spec, n_nodes, &defaults, &err);
	check_error(code, &err, wanted, parts, spec);
	assert_memory_equal(&p, &before, sizeof p);
	assert_int_equal(loom_pattern_parse(&p, spec, n_nodes, &defaults, NULL), wanted); // err may be NULL
}

#define PARTS(...) ((const char *const[]){__VA_ARGS__, NULL})

// A file of its own for a test; the name is valid until the next call.
static const char *write_file(const void *bytes, size_t length)
{
	static char path[64];
	strcpy(path, "/tmp/loom_pattern_XXXXXX");
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, length), length);
	close(fd);
	return path;
}

static struct loom_pattern parse_text(const char *kind, const char *text, size_t length, uint32_t n_nodes)
{
	char spec[96];
	const char *path = write_file(text, length);
	(void)snprintf(spec, sizeof spec, "%s:%s", kind, path);
	struct loom_pattern p = parse(spec, n_nodes);
	assert_string_equal(p.name, spec);
	unlink(path);
	return p;
}

static void text_fails(const char *kind, const char *text, size_t length, uint32_t n_nodes, int wanted,
                       const char *const parts[])
{
	char spec[96];
	const char *path = write_file(text, length);
	(void)snprintf(spec, sizeof spec, "%s:%s", kind, path);
	parse_fails(spec, n_nodes, wanted, parts);
	unlink(path);
}

// ---- Named patterns against a slow version each ----

static unsigned bit(uint32_t x, unsigned i)
{
	return x >> i & 1;
}

static uint32_t slow_identity(uint32_t x, unsigned n)
{
	(void)n;
	return x;
}

static uint32_t slow_transpose(uint32_t x, unsigned n)
{
	uint32_t side = 1u << n / 2;
	return x % side * side + x / side;
}

static uint32_t slow_reverse(uint32_t x, unsigned n)
{
	uint32_t y = 0;
	for (unsigned i = 0; i < n; i++)
		y = 2 * y + bit(x, i);
	return y;
}

static uint32_t slow_complement(uint32_t x, unsigned n)
{
	return (1u << n) - 1 - x;
}

static uint32_t slow_reverse_flip(uint32_t x, unsigned n)
{
	return slow_complement(slow_reverse(x, n), n);
}

static uint32_t slow_shuffle(uint32_t x, unsigned n) // cards: the deck cut in half and interleaved
{
	uint32_t half = 1u << (n - 1);
	return x < half ? 2 * x : 2 * (x - half) + 1;
}

static uint32_t slow_unshuffle(uint32_t x, unsigned n)
{
	uint32_t half = 1u << (n - 1);
	return x % 2 ? half + x / 2 : x / 2;
}

static uint32_t slow_butterfly(uint32_t x, unsigned n)
{
	uint32_t ends = 1u | 1u << (n - 1);
	return (x & ~ends) | bit(x, 0) << (n - 1) | bit(x, n - 1);
}

static uint32_t slow_neighbor0(uint32_t x, unsigned n)
{
	(void)n;
	return x % 2 ? x - 1 : x + 1;
}

// By the vectors of paper 003, Table 3, for which A_i is the destination bit of source bit i.
static uint32_t slow_bit_shuffle(uint32_t x, unsigned n)
{
	uint32_t y = 0;
	int to = (int)n - 1;
	for (unsigned i = n; i-- > 0; to -= 2) {
		if (to < 0)
			to = (int)n - 2;
		y |= bit(x, i) << to;
	}
	return y;
}

static uint32_t slow_shuffled_row_major(uint32_t x, unsigned n)
{
	uint32_t y = 0;
	for (unsigned k = 0; k < n; k++) // [p-1, p/2-1, p-2, p/2-2, ..., p/2, 0]
		y |= bit(x, n - 1 - k) << ((k % 2 ? n / 2 - 1 : n - 1) - k / 2);
	return y;
}

static uint32_t slow_gypx(uint32_t x, unsigned n) // (Gx, Gy, Px, Py) to (Gx, Px, Gy, Py)
{
	uint32_t q = 1u << n / 4, py = x % q, px = x / q % q, gy = x / q / q % q, gx = x / q / q / q;
	return ((gx * q + px) * q + gy) * q + py;
}

// Images, y pointing up, turned about the centre: coordinates doubled so that it is a point of the grid.
static uint32_t moved(uint32_t x, unsigned n, int a, int b, int c, int d)
{
	int side = 1 << n / 2, px = (int)x % side, py = (int)x / side;
	int u = 2 * px - (side - 1), v = 2 * py - (side - 1);
	int u2 = a * u + b * v, v2 = c * u + d * v;
	return (uint32_t)((v2 + side - 1) / 2 * side + (u2 + side - 1) / 2);
}

static uint32_t slow_diagonal(uint32_t x, unsigned n)
{
	return moved(x, n, 0, 1, 1, 0);
}

static uint32_t slow_antidiagonal(uint32_t x, unsigned n)
{
	return moved(x, n, 0, -1, -1, 0);
}

static uint32_t slow_vertical(uint32_t x, unsigned n)
{
	return moved(x, n, -1, 0, 0, 1);
}

static uint32_t slow_horizontal(uint32_t x, unsigned n)
{
	return moved(x, n, 1, 0, 0, -1);
}

static uint32_t slow_cw(uint32_t x, unsigned n) // the point on the right goes down
{
	return moved(x, n, 0, 1, -1, 0);
}

static uint32_t slow_ccw(uint32_t x, unsigned n) // the point on the right goes up
{
	return moved(x, n, 0, -1, 1, 0);
}

static uint32_t slow_180(uint32_t x, unsigned n)
{
	return moved(x, n, -1, 0, 0, -1);
}

static uint32_t slow_rows(uint32_t x, unsigned n)
{
	uint32_t side = 1u << n / 2;
	return x / side * side + slow_reverse(x % side, n / 2);
}

static uint32_t slow_columns(uint32_t x, unsigned n)
{
	uint32_t side = 1u << n / 2;
	return slow_reverse(x / side, n / 2) * side + x % side;
}

static const struct {
	const char *spec;
	uint32_t (*slow)(uint32_t x, unsigned n);
	unsigned multiple;
} permutations[] = {
	{"identity", slow_identity, 1},
	{"transpose", slow_transpose, 2},
	{"bit-reverse", slow_reverse, 1},
	{"reverse-flip", slow_reverse_flip, 1},
	{"complement", slow_complement, 1},
	{"shuffle", slow_shuffle, 1},
	{"unshuffle", slow_unshuffle, 1},
	{"butterfly", slow_butterfly, 1},
	{"neighbor:0", slow_neighbor0, 1},
	{"bit-shuffle", slow_bit_shuffle, 2},
	{"shuffled-row-major", slow_shuffled_row_major, 2},
	{"gypx-swap", slow_gypx, 4},
	{"reflect-diagonal", slow_diagonal, 2},
	{"reflect-antidiagonal", slow_antidiagonal, 2},
	{"reflect-vertical", slow_vertical, 2},
	{"reflect-horizontal", slow_horizontal, 2},
	{"rotate-cw", slow_cw, 2},
	{"rotate-ccw", slow_ccw, 2},
	{"rotate-180", slow_180, 2},
	{"fft2d-rows", slow_rows, 2},
	{"fft2d-columns", slow_columns, 2},
};

static void test_named_permutations(void **state)
{
	(void)state;
	for (size_t k = 0; k < sizeof permutations / sizeof permutations[0]; k++)
		for (unsigned n = 1; n <= 10; n++) {
			if (n % permutations[k].multiple != 0) {
				parse_fails(permutations[k].spec, 1u << n, LOOM_EINPUT,
				            PARTS(permutations[k].spec, "multiple", "bits"));
				continue;
			}
			struct loom_pattern p = parse(permutations[k].spec, 1u << n);
			assert_string_equal(p.name, permutations[k].spec);
			assert_int_equal(p.n_members, 1);
			assert_int_equal(p.n_lccs, 1);
			assert_int_equal(p.lccs[0].kind, LOOM_LCC_PERMUTATION);
			for (uint32_t x = 0; x < p.n_nodes; x++) {
				if (p.messages[x].source != x ||
				    p.messages[x].destination != permutations[k].slow(x, n))
					fail_msg("%s, n = %u: %" PRIu32 " goes to %" PRIu32 ", not %" PRIu32,
					         permutations[k].spec, n, x, p.messages[x].destination,
					         permutations[k].slow(x, n));
				assert_int_equal(p.messages[x].flits, 17);
			}
			loom_pattern_free(&p);
		}
}

static void test_neighbor(void **state)
{
	(void)state;
	for (unsigned n = 1; n <= 10; n++)
		for (unsigned k = 0; k < n; k++) {
			char spec[16];
			(void)snprintf(spec, sizeof spec, "neighbor:%u", k);
			struct loom_pattern p = parse(spec, 1u << n);
			for (uint32_t x = 0; x < p.n_nodes; x++)
				assert_int_equal(p.messages[x].destination, bit(x, k) ? x - (1u << k) : x + (1u << k));
			assert_int_equal(p.n_lccs, 1);
			loom_pattern_free(&p);
		}
}

static void test_scale(void **state)
{
	(void)state;
	for (unsigned n = 2; n <= 10; n += 2) {
		uint32_t side = 1u << n / 2, source_of[LOOM_NODES_MAX];
		struct loom_pattern p = parse("scale", 1u << n);
		assert_int_equal(p.n_lccs, 1);
		assert_int_equal(p.lccs[0].kind, LOOM_LCC_SCATTER);
		for (uint32_t py = 0; py < side / 2; py++)
			for (uint32_t px = 0; px < side / 2; px++)
				for (uint32_t k = 0; k < 4; k++)
					source_of[(2 * py + k / 2) * side + 2 * px + k % 2] = py * side + px;
		for (uint32_t y = 0; y < p.n_nodes; y++) {
			assert_int_equal(p.messages[y].destination, y);
			assert_int_equal(p.messages[y].source, source_of[y]);
		}
		loom_pattern_free(&p);
	}
	parse_fails("scale", 8, LOOM_EINPUT, PARTS("scale", "multiple of 2", "8 processors have 3"));
}

static void test_fft(void **state)
{
	(void)state;
	for (unsigned n = 1; n <= 10; n++) {
		struct loom_pattern p = parse("fft", 1u << n);
		assert_int_equal(p.n_members, n + 1);
		assert_int_equal(p.n_lccs, n + 1);
		for (size_t i = 0; i < p.n_messages; i++) {
			const struct loom_message *m = &p.messages[i];
			assert_int_equal(m->destination, m->member == 0 ? slow_reverse(m->source, n)
			                                                : m->source ^ 1u << (m->member - 1));
		}
		loom_pattern_free(&p);
	}
}

static void test_example5(void **state)
{
	(void)state;
	const char *folder = getenv("LOOM_GOLDEN");
	char path[512];
	(void)snprintf(path, sizeof path, "%s/000_set_dp.json", folder ? folder : "tests/golden");
	json_error_t error;
	json_t *root = json_load_file(path, 0, &error), *cases = json_object_get(root, "cases"), *one;
	size_t i;
	bool found = false;
	if (!root)
		fail_msg("%s: %s", path, error.text);

	json_array_foreach(cases, i, one) {
		const char *name = json_string_value(json_object_get(one, "name"));
		if (!name || strcmp(name, "Example 5, all 11") != 0)
			continue;
		found = true;
		struct loom_pattern p = parse("example5", 256);
		json_t *members = json_object_get(one, "comms");
		assert_int_equal(json_array_size(members), 11);
		assert_int_equal(p.n_lccs, 11);
		for (uint32_t r = 0; r < 11; r++) {
			json_t *member = json_array_get(members, r);
			assert_int_equal(p.lccs[r].b, json_integer_value(json_object_get(member, "b")));
			assert_int_equal(p.lccs[r].kind == LOOM_LCC_SCATTER,
			                 strcmp(json_string_value(json_object_get(member, "kind")), "scatter") == 0);
			json_t *rows = json_object_get(member, "A");
			for (unsigned k = 0; k < 8; k++)
				assert_int_equal(p.lccs[r].a.row[k], json_integer_value(json_array_get(rows, k)));
		}
		loom_pattern_free(&p);
	}
	assert_true(found);
	json_decref(root);

	// For other sizes, every member is the pattern of that name.
	static const char *const names[] = {"transpose",        "reflect-antidiagonal", "rotate-ccw",   "rotate-cw",
	                                    "reflect-vertical", "reflect-horizontal",   "rotate-180",   "scale",
	                                    "bit-reverse",      "fft2d-rows",           "fft2d-columns"};
	for (unsigned n = 2; n <= 10; n += 2) {
		struct loom_pattern set = parse("example5", 1u << n);
		assert_int_equal(set.n_members, 11);
		for (uint32_t r = 0; r < 11; r++) {
			struct loom_pattern p = parse(names[r], 1u << n);
			assert_memory_equal(&p.lccs[0].a, &set.lccs[r].a, sizeof p.lccs[0].a);
			assert_int_equal(p.lccs[0].b, set.lccs[r].b);
			loom_pattern_free(&p);
		}
		loom_pattern_free(&set);
	}
}

// ---- Patterns for any number of processors ----

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
	assert_true(loom_pattern_is_all_to_all(&p));
	p.messages[0].flits++;
	assert_false(loom_pattern_is_all_to_all(&p));
	p.messages[0] = p.messages[1];
	assert_false(loom_pattern_is_all_to_all(&p));
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

// ---- Random patterns ----

static void test_rng(void **state)
{
	(void)state;
	// The published sequences of the two generators.
	uint64_t seed = 1234567;
	static const uint64_t split[] = {UINT64_C(6457827717110365317), UINT64_C(3203168211198807973),
	                                 UINT64_C(9817491932198370423), UINT64_C(4593380528125082431),
	                                 UINT64_C(16408922859458223821)};
	for (unsigned i = 0; i < 5; i++)
		assert_int_equal(loom_splitmix64(&seed), split[i]);
	struct loom_rng rng = {.s = {1, 2, 3, 4}};
	static const uint64_t xoshiro[] = {11520, 0, 1509978240, UINT64_C(1215971899390074240)};
	for (unsigned i = 0; i < 4; i++)
		assert_int_equal(loom_rng_next(&rng), xoshiro[i]);

	loom_rng_init(&rng, 0);
	unsigned count[7] = {0};
	for (unsigned i = 0; i < 70000; i++)
		count[loom_rng_below(&rng, 7)]++;
	for (unsigned i = 0; i < 7; i++)
		assert_in_range(count[i], 9600, 10400); // four standard deviations
	// A remainder alone would give the first third twice as often as the others.
	unsigned third[3] = {0};
	for (unsigned i = 0; i < 30000; i++)
		third[loom_rng_below(&rng, UINT64_C(3) << 62) >> 62]++;
	for (unsigned i = 0; i < 3; i++)
		assert_in_range(third[i], 9600, 10400);
	for (unsigned i = 0; i < 100; i++) {
		assert_int_equal(loom_rng_below(&rng, 1), 0);
		assert_true(loom_rng_below(&rng, UINT64_MAX) < UINT64_MAX);
	}
}

static void assert_same(const struct loom_pattern *p, const struct loom_pattern *q, bool same)
{
	bool equal = p->n_messages == q->n_messages &&
	             memcmp(p->messages, q->messages, p->n_messages * sizeof *p->messages) == 0;
	assert_int_equal(equal, same);
}

static void test_random_is_seeded(void **state)
{
	(void)state;
	static const char *const specs[] = {"random-perm", "random-lcc:3", "random-lcs:3", "random-lcc:6",
	                                    "uniform:100"};
	for (size_t s = 0; s < sizeof specs / sizeof specs[0]; s++) {
		struct loom_pattern_options options = {.flits = 1, .seed = 42};
		struct loom_pattern p = parse_with(specs[s], 64, &options), q = parse_with(specs[s], 64, &options);
		assert_same(&p, &q, true);
		loom_pattern_free(&q);
		options.seed = 43;
		q = parse_with(specs[s], 64, &options);
		assert_same(&p, &q, false);
		loom_pattern_free(&p);
		loom_pattern_free(&q);
	}
	// The same on every platform and in every version: experiments are named by their seed.
	struct loom_pattern p = parse("random-perm", 8);
	static const uint32_t perm[] = {6, 4, 2, 3, 5, 7, 1, 0}; // by a second implementation
	for (uint32_t x = 0; x < 8; x++)
		assert_int_equal(p.messages[x].destination, perm[x]);
	loom_pattern_free(&p);
}

static void test_random_perm(void **state)
{
	(void)state;
	unsigned at[4][4] = {{0}};
	for (uint64_t seed = 0; seed < 4000; seed++) {
		struct loom_pattern_options options = {.flits = 1, .seed = seed};
		struct loom_pattern p = parse_with("random-perm", 4, &options);
		unsigned seen = 0;
		for (uint32_t x = 0; x < 4; x++) {
			seen |= 1u << p.messages[x].destination;
			at[x][p.messages[x].destination]++;
		}
		assert_int_equal(seen, 15);
		loom_pattern_free(&p);
	}
	for (unsigned i = 0; i < 16; i++)
		assert_in_range(at[i / 4][i % 4], 880, 1120); // four standard deviations of 1000
	struct loom_pattern p = parse("random-perm", 1000);
	bool seen[1000] = {false};
	for (uint32_t x = 0; x < 1000; x++) {
		assert_false(seen[p.messages[x].destination]);
		seen[p.messages[x].destination] = true;
	}
	loom_pattern_free(&p);
}

static void test_random_lcc(void **state)
{
	(void)state;
	for (unsigned n = 1; n <= 10; n++)
		for (unsigned rank = 0; rank <= n; rank++)
			for (uint64_t seed = 0; seed < 10; seed++) {
				struct loom_pattern_options options = {.flits = 1, .seed = seed};
				char spec[32];
				unsigned images = 0;
				bool seen[LOOM_NODES_MAX] = {false};
				(void)snprintf(spec, sizeof spec, "random-%s:%u", seed % 2 ? "lcs" : "lcc", rank);
				struct loom_pattern p = parse_with(spec, 1u << n, &options);
				assert_int_equal(p.n_lccs, 1);
				assert_int_equal(p.lccs[0].kind, seed % 2    ? LOOM_LCC_SCATTER
				                                 : rank == n ? LOOM_LCC_PERMUTATION
				                                             : LOOM_LCC_GATHER);
				// The rank by counting what is reached.
				for (size_t i = 0; i < p.n_messages; i++) {
					uint32_t y = seed % 2 ? p.messages[i].source : p.messages[i].destination;
					images += !seen[y];
					seen[y] = true;
				}
				if (images != 1u << rank)
					fail_msg("%s, n = %u, seed %" PRIu64 ": %u images", spec, n, seed, images);
				loom_pattern_free(&p);
			}
}

static void test_uniform(void **state)
{
	(void)state;
	struct loom_pattern p = parse("uniform:60000", 3);
	unsigned count[3][3] = {{0}};
	assert_int_equal(p.n_messages, 60000);
	for (size_t i = 0; i < p.n_messages; i++)
		count[p.messages[i].source][p.messages[i].destination]++;
	for (unsigned i = 0; i < 9; i++) {
		if (i % 4 == 0)
			assert_int_equal(count[i / 3][i % 3], 0);
		else
			assert_in_range(count[i / 3][i % 3], 9600, 10400);
	}
	loom_pattern_free(&p);
	p = parse("uniform:1", 2);
	assert_int_equal(p.n_messages, 1);
	loom_pattern_free(&p);
	p = parse("uniform:1048576", 1024);
	assert_int_equal(p.n_messages, LOOM_MESSAGES_MAX);
	loom_pattern_free(&p);
}

// ---- The type ----

static void test_from_messages(void **state)
{
	(void)state;
	struct loom_err err = {0};
	struct loom_pattern p, q;
	struct loom_rng rng;
	struct loom_message m[LOOM_NODES_MAX];
	loom_rng_init(&rng, 5);

	for (unsigned n = 1; n <= 10; n++)
		for (uint64_t seed = 0; seed < 5; seed++) {
			char spec[32];
			struct loom_pattern_options options = {.flits = 3, .seed = seed};
			(void)snprintf(spec, sizeof spec, "random-lcc:%u", n);
			p = parse_with(spec, 1u << n, &options);
			// In any order, and with flits of any number.
			memcpy(m, p.messages, p.n_messages * sizeof m[0]);
			for (size_t i = p.n_messages; i > 1; i--) {
				size_t j = loom_rng_below(&rng, i);
				struct loom_message t = m[i - 1];
				m[i - 1] = m[j];
				m[j] = t;
			}
			m[0].flits = 99;
			m[0].member = 7; // the caller's member does not count: one member
			assert_int_equal(loom_pattern_from_messages(&q, "some", p.n_nodes, m, p.n_messages, &err), 0);
			check_invariants(&q, "some");
			assert_int_equal(q.n_lccs, 1);
			assert_memory_equal(&q.lccs[0].a, &p.lccs[0].a, sizeof p.lccs[0].a);
			assert_int_equal(q.lccs[0].b, p.lccs[0].b);
			assert_int_equal(q.lccs[0].kind, LOOM_LCC_PERMUTATION);
			assert_int_equal(q.messages[m[0].source].flits, 99);
			loom_pattern_free(&q);

			// One message less; two from one source; two to one destination: kept in their order.
			if (n > 1) {
				assert_int_equal(
					loom_pattern_from_messages(&q, "some", p.n_nodes, m, p.n_messages - 1, &err),
					0);
				check_invariants(&q, "some");
				assert_int_equal(q.n_lccs, 0);
				assert_int_equal(q.messages[0].source, m[0].source);
				loom_pattern_free(&q);
			}
			uint32_t source = m[1].source, destination = m[1].destination;
			m[1].source = m[0].source;
			assert_int_equal(loom_pattern_from_messages(&q, "some", p.n_nodes, m, p.n_messages, &err), 0);
			assert_int_equal(q.n_lccs, 0);
			loom_pattern_free(&q);
			m[1].source = source;
			m[1].destination = m[0].destination;
			assert_int_equal(loom_pattern_from_messages(&q, "some", p.n_nodes, m, p.n_messages, &err), 0);
			assert_int_equal(q.n_lccs, 0);
			loom_pattern_free(&q);
			// Two destinations exchanged: still a permutation, linear no more (all of 2 and 4 processors
			// are).
			m[1].destination = m[0].destination;
			m[0].destination = destination;
			assert_int_equal(loom_pattern_from_messages(&q, "some", p.n_nodes, m, p.n_messages, &err), 0);
			check_invariants(&q, "some");
			assert_int_equal(q.n_lccs, n <= 2);
			loom_pattern_free(&q);
			loom_pattern_free(&p);
		}

	struct loom_pattern before;
	memset(&q, 0xa5, sizeof q);
	memcpy(&before, &q, sizeof q);
	m[0] = (struct loom_message){.source = 1, .destination = 2, .flits = 1};
	m[1] = (struct loom_message){.source = 4, .destination = 2, .flits = 1};
	m[2] = (struct loom_message){.source = 1, .destination = 5, .flits = 1};
	m[3] = (struct loom_message){.source = 1, .destination = 2, .flits = 0};
	int code = loom_pattern_from_messages(&q, "x", 4, m, 2, &err);
	check_error(code, &err, LOOM_EINPUT, PARTS("message 1", "from 4 to 2", "0..3"), "source");
	code = loom_pattern_from_messages(&q, "x", 4, m + 2, 1, &err);
	check_error(code, &err, LOOM_EINPUT, PARTS("message 0", "from 1 to 5"), "destination");
	code = loom_pattern_from_messages(&q, "x", 4, m + 3, 1, &err);
	check_error(code, &err, LOOM_EINPUT, PARTS("message 0", "0 flits"), "flits");
	code = loom_pattern_from_messages(&q, "x", 4, m, 0, &err);
	check_error(code, &err, LOOM_EINPUT, PARTS("0 messages"), "none");
	code = loom_pattern_from_messages(&q, "x", 4, m, LOOM_MESSAGES_MAX + 1, &err);
	check_error(code, &err, LOOM_EINPUT, PARTS("1048577 messages"), "too many");
	code = loom_pattern_from_messages(&q, "x", 0, m, 1, &err);
	check_error(code, &err, LOOM_EINPUT, PARTS("0 processors", "1024"), "no nodes");
	code = loom_pattern_from_messages(&q, "x", 1025, m, 1, &err);
	check_error(code, &err, LOOM_EINPUT, PARTS("1025 processors", "1024"), "nodes");
	assert_memory_equal(&q, &before, sizeof q);
}

static void test_from_lccs(void **state)
{
	(void)state;
	struct loom_err err = {0};
	struct loom_pattern p, before;
	struct loom_lcc lccs[2] = {{.kind = LOOM_LCC_PERMUTATION}, {.kind = LOOM_LCC_SCATTER}};
	loom_gf2_identity(&lccs[0].a, 3);
	loom_gf2_identity(&lccs[1].a, 3);
	lccs[1].a.row[2] = 0;
	assert_int_equal(loom_pattern_from_lccs(&p, "pair", lccs, 2, 9, &err), 0);
	check_invariants(&p, "pair");
	assert_string_equal(p.name, "pair");
	assert_int_equal(p.n_messages, 16);
	assert_int_equal(p.messages[15].source, 3);
	assert_int_equal(p.messages[15].destination, 7);
	assert_int_equal(p.messages[15].flits, 9);
	loom_pattern_free(&p);
	assert_null(p.messages);
	assert_int_equal(p.n_nodes, 0);
	loom_pattern_free(&p);
	loom_pattern_free(NULL);

	memset(&p, 0xa5, sizeof p);
	memcpy(&before, &p, sizeof p);
	int code = loom_pattern_from_lccs(&p, "x", lccs, 0, 1, &err);
	check_error(code, &err, LOOM_EINPUT, PARTS("at least one"), "none");
	code = loom_pattern_from_lccs(&p, "x", lccs, 1, 0, &err);
	check_error(code, &err, LOOM_EINPUT, PARTS("0 flits"), "flits");
	lccs[1].kind = LOOM_LCC_PERMUTATION;
	code = loom_pattern_from_lccs(&p, "x", lccs, 2, 1, &err);
	check_error(code, &err, LOOM_EINPUT, PARTS("communication 1", "nonsingular", "rank 2 of 3"), "singular");
	lccs[1].kind = LOOM_LCC_GATHER;
	lccs[1].b = 8;
	code = loom_pattern_from_lccs(&p, "x", lccs, 2, 1, &err);
	check_error(code, &err, LOOM_EINPUT, PARTS("communication 1", "b = 0x8", "n = 3"), "b");
	lccs[1].b = 0;
	lccs[1].a.row[0] = 8;
	code = loom_pattern_from_lccs(&p, "x", lccs, 2, 1, &err);
	check_error(code, &err, LOOM_EINPUT, PARTS("communication 1"), "row");
	loom_gf2_identity(&lccs[1].a, 4);
	code = loom_pattern_from_lccs(&p, "x", lccs, 2, 1, &err);
	check_error(code, &err, LOOM_EINPUT, PARTS("communication 1", "n = 4", "n = 3"), "n");
	static const unsigned large[] = {11, 31, 32, 33, 63, 64};
	for (size_t i = 0; i < sizeof large / sizeof large[0]; i++) {
		char n[16];
		(void)snprintf(n, sizeof n, "n = %u ", large[i]);
		loom_gf2_identity(&lccs[0].a, large[i]);
		code = loom_pattern_from_lccs(&p, "x", lccs, 1, 1, &err);
		check_error(code, &err, LOOM_EINPUT, PARTS(n, "1024"), "large n");
	}
	struct loom_lcc *many = calloc(1025, sizeof *many);
	assert_non_null(many);
	for (size_t i = 0; i < 1025; i++)
		loom_gf2_identity(&many[i].a, 10);
	code = loom_pattern_from_lccs(&p, "x", many, 1025, 1, &err);
	check_error(code, &err, LOOM_EINPUT, PARTS("1025 communications", "1048576"), "too many");
	free(many);
	assert_memory_equal(&p, &before, sizeof p);
}

static void test_apply(void **state)
{
	(void)state;
	struct loom_rng rng;
	loom_rng_init(&rng, 11);
	static const unsigned sizes[] = {1, 2, 31, 32, 33, 63, 64};
	for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
		for (unsigned trial = 0; trial < 50; trial++) {
			struct loom_lcc lcc = {.kind = LOOM_LCC_GATHER, .a = {.n = sizes[s]}};
			for (unsigned i = 0; i < sizes[s]; i++)
				lcc.a.row[i] = loom_rng_next(&rng) & loom_gf2_mask(sizes[s]);
			lcc.b = loom_rng_next(&rng) & loom_gf2_mask(sizes[s]);
			uint64_t v = loom_rng_next(&rng) & loom_gf2_mask(sizes[s]);
			assert_int_equal(loom_lcc_apply(&lcc, v), slow_apply(&lcc, v));
		}
}

static void test_name(void **state)
{
	(void)state;
	struct loom_message m = {.flits = 1};
	struct loom_pattern p;
	char name[200], wanted[200];
	static const size_t lengths[] = {1, 126, 127, 128, 199};
	for (size_t i = 0; i < 5; i++) {
		memset(name, 'a', lengths[i]);
		name[lengths[i]] = 0;
		assert_int_equal(loom_pattern_from_messages(&p, name, 1, &m, 1, NULL), 0);
		strcpy(wanted, name);
		if (lengths[i] > 127)
			strcpy(wanted + 124, "...");
		assert_string_equal(p.name, wanted);
		loom_pattern_free(&p);
	}
	memset(name, 'a', 123);
	strcpy(name + 123, "\xc3\xa9 and more"); // a character across the cut goes as a whole
	assert_int_equal(loom_pattern_from_messages(&p, name, 1, &m, 1, NULL), 0);
	assert_string_equal(p.name + 120, "aaa...");
	loom_pattern_free(&p);
	assert_int_equal(loom_pattern_from_messages(&p, "a\nb\x7f \xc3\xa9", 1, &m, 1, NULL), 0);
	assert_string_equal(p.name, "a?b? \xc3\xa9");
	loom_pattern_free(&p);
	assert_int_equal(loom_pattern_from_messages(&p, "a\xe9z", 1, &m, 1, NULL), 0); // Latin-1
	assert_string_equal(p.name, "a?z");
	loom_pattern_free(&p);
}

// ---- Specifications ----

static void test_every_name(void **state)
{
	(void)state;
	static const uint32_t sizes[] = {1, 2, 3, 4, 8, 12, 16, 32, 100, 256, 1000, 1024};
	for (size_t i = 0; loom_pattern_name(i); i++)
		for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
			for (unsigned with = 0; with < 2; with++) {
				char spec[64];
				struct loom_pattern p, before;
				struct loom_err err = {0};
				(void)snprintf(spec, sizeof spec, "%s%s", loom_pattern_name(i), with ? ":0" : "");
				memset(&p, 0xa5, sizeof p);
				memcpy(&before, &p, sizeof p);
				int code = loom_pattern_parse(&p, spec, sizes[s], &defaults, &err);
				if (code == 0) {
					assert_int_equal(p.n_nodes, sizes[s]);
					check_invariants(&p, spec);
					loom_pattern_free(&p);
				} else {
					assert_true(code == LOOM_EINPUT || code == LOOM_EFILE);
					assert_int_equal(err.code, code);
					assert_true(strlen(err.text) > 10);
					assert_memory_equal(&p, &before, sizeof p);
				}
			}
}

static void test_spec_errors(void **state)
{
	(void)state;
	static const struct {
		const char *spec;
		uint32_t n_nodes;
		int code;
		const char *parts[4];
	} cases[] = {
		{"", 8, LOOM_EINPUT, {"empty"}},
		{":", 8, LOOM_EINPUT, {"unknown pattern \"\""}},
		{"transpos", 16, LOOM_EINPUT, {"unknown pattern \"transpos\"", "did you mean \"transpose\"?"}},
		{"Transpose", 16, LOOM_EINPUT, {"\"transpose\""}},
		{"bitreverse", 16, LOOM_EINPUT, {"\"bit-reverse\""}},
		{"neighbour:1", 16, LOOM_EINPUT, {"\"neighbor\""}},
		{"alltoall", 16, LOOM_EINPUT, {"\"all-to-all\""}},
		{"xyzzy", 16, LOOM_EINPUT, {"unknown pattern \"xyzzy\"", "list patterns"}},
		{"my/file.json", 16, LOOM_EINPUT, {"my/file.json", "lcc:FILE", "messages:FILE"}},
		{"bad\nname\xff", 16, LOOM_EINPUT, {"bad?name?"}},
		{"transpose:1", 16, LOOM_EINPUT, {"transpose takes no argument", ":1"}},
		{"transpose:", 16, LOOM_EINPUT, {"transpose takes no argument"}},
		{"transpose ", 16, LOOM_EINPUT, {"\"transpose\""}},
		{"neighbor", 16, LOOM_EINPUT, {"neighbor needs an argument", "neighbor:BIT"}},
		{"neighbor:", 16, LOOM_EINPUT, {"neighbor needs an argument", "neighbor:BIT"}},
		{"neighbor:4", 16, LOOM_EINPUT, {"\"4\"", "0..3"}},
		{"neighbor:-1", 16, LOOM_EINPUT, {"\"-1\"", "0..3"}},
		{"neighbor:1x", 16, LOOM_EINPUT, {"\"1x\"", "0..3"}},
		{"neighbor:18446744073709551617", 16, LOOM_EINPUT, {"\"18446744073709551617\"", "0..3"}},
		{"neighbor:4294967297", 16, LOOM_EINPUT, {"\"4294967297\""}},
		{"shift:8", 8, LOOM_EINPUT, {"shift", "\"8\"", "0..7"}},
		{"hotspot:12", 12, LOOM_EINPUT, {"hotspot", "\"12\"", "0..11"}},
		{"uniform:0", 12, LOOM_EINPUT, {"uniform", "\"0\"", "1..1048576"}},
		{"uniform:1048577", 12, LOOM_EINPUT, {"\"1048577\"", "1..1048576"}},
		{"uniform:5", 1, LOOM_EINPUT, {"uniform", "at least 2"}},
		{"random-lcc", 16, LOOM_EINPUT, {"random-lcc:RANK"}},
		{"random-lcc:5", 16, LOOM_EINPUT, {"\"5\"", "rank", "0..4"}},
		{"random-lcs:5", 16, LOOM_EINPUT, {"\"5\"", "rank", "0..4"}},
		{"random-lcc:2", 12, LOOM_EINPUT, {"power of two", "8 or 16", "not 12"}},
		{"bit-reverse", 1023, LOOM_EINPUT, {"bit-reverse", "power of two", "512 or 1024"}},
		{"bit-reverse", 1, LOOM_EINPUT, {"at least 2"}},
		{"fft", 3, LOOM_EINPUT, {"fft", "power of two", "2 or 4"}},
		{"example5", 8, LOOM_EINPUT, {"example5", "multiple of 2"}},
		{"identity", 0, LOOM_EINPUT, {"0 processors", "1 to 1024"}},
		{"identity", 1025, LOOM_EINPUT, {"1025 processors", "1 to 1024"}},
		{"identity", UINT32_MAX, LOOM_EINPUT, {"4294967295 processors"}},
		{"bpc:[-0,1,2,-3]", 8, LOOM_EINPUT, {"n = 4", "8"}},
		{"bpc:[0,2]", 4, LOOM_EINPUT, {"line 1, column 4", "\"2\"", "0..1"}},
		{"perm:0,1,2", 4, LOOM_EINPUT, {"perm", "3 destinations", "destination 3 is missing"}},
		{"perm:0,1,2,2", 4, LOOM_EINPUT, {"column 7", "destination 2 is repeated", "processors 2 and 3"}},
		{"perm:0,1,2,x", 4, LOOM_EINPUT, {"column 7", "\"x\"", "0..3"}},
		{"perm:[1,0]", 2, LOOM_EINPUT, {"\"[1\""}},
		{"perm:0", 2, LOOM_EINPUT, {"destination 1 is missing"}},
		{"lcc", 2, LOOM_EINPUT, {"lcc:FILE"}},
		{"lcc:/nonexistent/file", 2, LOOM_EFILE, {"/nonexistent/file", "No such file"}},
		{"set:/nonexistent/file", 2, LOOM_EFILE, {"/nonexistent/file", "No such file"}},
		{"perm:/nonexistent/file", 2, LOOM_EFILE, {"/nonexistent/file", "No such file"}},
		{"messages:/nonexistent/file", 2, LOOM_EFILE, {"/nonexistent/file", "No such file"}},
		{"lcc:/tmp", 2, LOOM_EFILE, {"/tmp", "directory"}},
		{"messages:/tmp", 2, LOOM_EFILE, {"/tmp", "directory"}},
		{"lcc:/dev/zero", 2, LOOM_EFILE, {"/dev/zero", "64 MiB"}},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		parse_fails(cases[i].spec, cases[i].n_nodes, cases[i].code,
		            PARTS(cases[i].parts[0], cases[i].parts[1], cases[i].parts[2], cases[i].parts[3]));

	struct loom_pattern p;
	struct loom_err err = {0};
	int code = loom_pattern_parse(&p, "identity", 8, &(struct loom_pattern_options){.flits = 0}, &err);
	check_error(code, &err, LOOM_EINPUT, PARTS("0 flits"), "flits");

	// A long path must not crowd out what is wrong.
	char spec[1100] = "lcc:/";
	memset(spec + 5, 'x', 1000);
	parse_fails(spec, 8, LOOM_EFILE, PARTS("xxxx", "too long"));
	memset(spec, 'y', 1000);
	parse_fails(spec, 8, LOOM_EINPUT, PARTS("unknown pattern \"yyyy", "yyy...\""));
}

static void test_list(void **state)
{
	(void)state;
	char *text = NULL;
	size_t length = 0, i = 0;
	FILE *stream = open_memstream(&text, &length);
	assert_non_null(stream);
	loom_pattern_list(stream);
	(void)fclose(stream);
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"), i++) {
		const char *name = loom_pattern_name(i);
		assert_non_null(name);
		assert_memory_equal(line, name, strlen(name));
		assert_true(line[strlen(name)] == ' ' || line[strlen(name)] == ':');
		assert_true(strlen(line) > 30);
		// What takes no argument in the list takes none, and the other way round.
		struct loom_err err = {0};
		struct loom_pattern p;
		int code = loom_pattern_parse(&p, name, 256, &defaults, &err);
		assert_int_equal(code, line[strlen(name)] == ' ' ? 0 : LOOM_EINPUT);
		if (code == 0)
			loom_pattern_free(&p);
		for (size_t j = 0; j < i; j++)
			assert_string_not_equal(name, loom_pattern_name(j));
	}
	assert_null(loom_pattern_name(i));
	assert_null(loom_pattern_name(SIZE_MAX));
	free(text);
}

static const char *one_of_three(size_t i)
{
	static const char *const names[] = {"cube", "mesh", "otis-mesh"};
	return i < 3 ? names[i] : NULL;
}

static void test_suggest(void **state)
{
	(void)state;
	assert_string_equal(loom_suggest("cubes", one_of_three), "cube");
	assert_string_equal(loom_suggest("ucbe", one_of_three), "cube"); // neighbours swapped: one edit
	assert_string_equal(loom_suggest("MESH", one_of_three), "mesh");
	assert_string_equal(loom_suggest("otismesh", one_of_three), "otis-mesh");
	assert_string_equal(loom_suggest("otis", one_of_three), "otis-mesh"); // begins with it
	assert_null(loom_suggest("ot", one_of_three));
	assert_null(loom_suggest("torus", one_of_three));
	assert_null(loom_suggest("", one_of_three));
	char longest[200];
	memset(longest, 'c', 199);
	longest[199] = 0;
	assert_null(loom_suggest(longest, one_of_three));
	longest[63] = 0;
	assert_null(loom_suggest(longest, one_of_three));
	assert_string_equal(loom_suggest("fft2d", loom_pattern_name), "fft2d-rows");
	assert_string_equal(loom_suggest("fftt", loom_pattern_name), "fft");
	assert_string_equal(loom_suggest("rotate", loom_pattern_name), "rotate-cw");
}

// ---- Text ----

static void lcc_fails(const char *text, const char *const parts[])
{
	struct loom_lcc lcc, before;
	struct loom_err err = {0};
	memset(&lcc, 0xa5, sizeof lcc);
	memcpy(&before, &lcc, sizeof lcc);
	int code = loom_lcc_parse(&lcc, text, strlen(text), "FILE", &err);
	check_error(code, &err, LOOM_EINPUT, parts, text);
	assert_non_null(strstr(err.text, "FILE"));
	assert_memory_equal(&lcc, &before, sizeof lcc);
	assert_int_equal(loom_lcc_parse(&lcc, text, strlen(text), "FILE", NULL), LOOM_EINPUT);
}

static void test_lcc_lines(void **state)
{
	(void)state;
	struct loom_lcc lcc;
	struct loom_err err = {0};
	static const char *const same[] = {"110\n010\n001\n", "110\n010\n001", "1 1 0\r\n0\t1 0\r\n  0 0 1 \r\n000",
	                                   "\n\n110\n\n010\n001\n\n0 00\n \n"};
	for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
		assert_int_equal(loom_lcc_parse(&lcc, same[i], strlen(same[i]), "FILE", &err), 0);
		assert_int_equal(lcc.a.n, 3);
		assert_int_equal(lcc.kind, LOOM_LCC_PERMUTATION);
		assert_int_equal(lcc.a.row[0], 3); // y_0 = x_0 + x_1: column 0 first
		assert_int_equal(lcc.a.row[1], 2);
		assert_int_equal(lcc.a.row[2], 4);
		assert_int_equal(lcc.b, 0);
		assert_true(loom_gf2_is_valid(&lcc.a));
	}
	assert_int_equal(loom_lcc_parse(&lcc, "10\n00\n01", 8, "FILE", &err), 0);
	assert_int_equal(lcc.kind, LOOM_LCC_GATHER);
	assert_int_equal(lcc.b, 2); // b_0 first
	assert_int_equal(loom_lcc_parse(&lcc, "1", 1, "FILE", &err), 0);
	assert_int_equal(lcc.a.n, 1);
	assert_int_equal(loom_lcc_parse(&lcc, "0\n1", 3, "FILE", &err), 0);
	assert_int_equal(lcc.b, 1);
	assert_int_equal(lcc.kind, LOOM_LCC_GATHER);

	lcc_fails("", PARTS("line 1", "no matrix"));
	lcc_fails(" \n \n", PARTS("line 3", "no matrix"));
	lcc_fails("110\n010\n", PARTS("not square", "2 rows of 3"));
	lcc_fails("110\n01\n001", PARTS("line 2", "2 entries", "3 in the first"));
	lcc_fails("11\n0111\n", PARTS("line 2", "4 entries"));
	lcc_fails("10\n01\n00\n00\n", PARTS("line 4", "one row too many"));
	lcc_fails("10\n02\n", PARTS("line 2, column 2", "'2'", "0 or 1"));
	lcc_fails("10\n0,1\n", PARTS("line 2, column 2", "','"));
	lcc_fails("10\n0\xff\n", PARTS("line 2, column 2", "0xff"));
	lcc_fails("10\n0\x01\n", PARTS("line 2, column 2", "0x01"));
	char wide[66];
	memset(wide, '1', 65);
	wide[65] = 0;
	lcc_fails(wide, PARTS("column 65", "more than 64"));
	struct loom_lcc before = lcc;
	int code = loom_lcc_parse(&lcc, "1\0", 2, "FILE", &err);
	check_error(code, &err, LOOM_EINPUT, PARTS("column 2", "0x00"), "zero byte");
	code = loom_lcc_parse(&lcc, NULL, 0, "FILE", &err);
	check_error(code, &err, LOOM_EINPUT, PARTS("no matrix"), "NULL");
	assert_memory_equal(&lcc, &before, sizeof lcc);
}

static void test_lcc_json(void **state)
{
	(void)state;
	struct loom_lcc lcc;
	struct loom_err err = {0};
	const char *text = " {\"n\":3,\"kind\":\"gather\",\"A\":[3,2,4],\"b\":5}\n";
	assert_int_equal(loom_lcc_parse(&lcc, text, strlen(text), "FILE", &err), 0);
	assert_int_equal(lcc.kind, LOOM_LCC_PERMUTATION); // of full rank
	assert_int_equal(lcc.b, 5);
	text = "{\"n\":3,\"kind\":\"scatter\",\"A\":[3,2,4]}"; // no b; a scatter stays one
	assert_int_equal(loom_lcc_parse(&lcc, text, strlen(text), "FILE", &err), 0);
	assert_int_equal(lcc.kind, LOOM_LCC_SCATTER);
	assert_int_equal(lcc.b, 0);
	text = "{\"n\":2,\"kind\":\"gather\",\"A\":[\"0x3\",\"0X0\"],\"b\":\"0x2\"}";
	assert_int_equal(loom_lcc_parse(&lcc, text, strlen(text), "FILE", &err), 0);
	assert_int_equal(lcc.kind, LOOM_LCC_GATHER);
	assert_int_equal(lcc.a.row[0], 3);
	assert_int_equal(lcc.b, 2);

	lcc_fails("[{\"n\":1}]", PARTS("line 1, column 1", "set:FILE"));
	lcc_fails("{\"n\":2,\n\"kind\":}", PARTS("line 2", "not JSON"));
	lcc_fails("{\"n\":1,\"kind\":\"gather\",\"A\":[0]} x", PARTS("line 1", "not JSON", "end of file expected"));
	lcc_fails("{\"n\":1,\"n\":1,\"kind\":\"gather\",\"A\":[0]}", PARTS("not JSON", "duplicate"));
	lcc_fails("{\"kind\":\"gather\",\"A\":[0]}", PARTS("no \"n\""));
	lcc_fails("{\"n\":1,\"A\":[0]}", PARTS("no \"kind\""));
	lcc_fails("{\"n\":1,\"kind\":\"gather\"}", PARTS("no \"A\""));
	lcc_fails("{\"n\":1,\"kind\":\"gather\",\"A\":[0],\"B\":0}", PARTS("unknown key \"B\""));
	lcc_fails("{\"n\":1,\"kind\":\"gather\",\"A\":[0],\"\\n\\u00e9\":0}", PARTS("unknown key \"?"));
	lcc_fails("{\"n\":0,\"kind\":\"gather\",\"A\":[]}", PARTS("n is 0", "1..64"));
	lcc_fails("{\"n\":65,\"kind\":\"gather\",\"A\":[]}", PARTS("n is 65", "1..64"));
	lcc_fails("{\"n\":4000000000,\"kind\":\"gather\",\"A\":[]}", PARTS("n is 4000000000", "1..64"));
	lcc_fails("{\"n\":-1,\"kind\":\"gather\",\"A\":[]}", PARTS("n is -1"));
	lcc_fails("{\"n\":2.5,\"kind\":\"gather\",\"A\":[]}", PARTS("n is 2.5"));
	lcc_fails("{\"n\":\"2\",\"kind\":\"gather\",\"A\":[]}", PARTS("n is \"2\""));
	lcc_fails("{\"n\":2,\"kind\":\"perm\",\"A\":[1,2]}", PARTS("kind is \"perm\"", "\"permutation\""));
	lcc_fails("{\"n\":2,\"kind\":null,\"A\":[1,2]}", PARTS("kind is null"));
	lcc_fails("{\"n\":2,\"kind\":\"gather\",\"A\":3}", PARTS("A is 3", "list"));
	lcc_fails("{\"n\":2,\"kind\":\"gather\",\"A\":[1]}", PARTS("A has 1 rows", "n = 2", "square"));
	lcc_fails("{\"n\":2,\"kind\":\"gather\",\"A\":[1,2,3]}", PARTS("A has 3 rows", "n = 2"));
	lcc_fails("{\"n\":2,\"kind\":\"gather\",\"A\":[1,4]}", PARTS("A[1] is 4", "0..3", "n = 2"));
	lcc_fails("{\"n\":2,\"kind\":\"gather\",\"A\":[-1,2]}", PARTS("A[0] is -1", "0..3"));
	lcc_fails("{\"n\":2,\"kind\":\"gather\",\"A\":[1.0,2]}", PARTS("A[0] is 1", "integer"));
	lcc_fails("{\"n\":2,\"kind\":\"gather\",\"A\":[[1,0],[0,1]]}", PARTS("A[0] is a list"));
	lcc_fails("{\"n\":2,\"kind\":\"gather\",\"A\":[true,{}]}", PARTS("A[0] is true"));
	lcc_fails("{\"n\":2,\"kind\":\"gather\",\"A\":[1,{}]}", PARTS("A[1] is an object"));
	lcc_fails("{\"n\":2,\"kind\":\"gather\",\"A\":[\"0x4\",2]}", PARTS("A[0] is \"0x4\"", "0..3"));
	lcc_fails("{\"n\":2,\"kind\":\"gather\",\"A\":[\"0x\",2]}", PARTS("A[0] is \"0x\""));
	lcc_fails("{\"n\":2,\"kind\":\"gather\",\"A\":[\"11\",2]}", PARTS("A[0] is \"11\""));
	lcc_fails("{\"n\":2,\"kind\":\"gather\",\"A\":[\"0x1g\",2]}", PARTS("A[0] is \"0x1g\""));
	lcc_fails("{\"n\":64,\"kind\":\"gather\",\"A\":[9223372036854775808]}", PARTS("not JSON", "big integer"));
	// At n = 64 every 64-bit word fits: a sign and a 65th bit must not be lost.
	static const char *const last[] = {"-1", "\"0x10000000000000000\"", "\"0xfffffffffffffffff\""};
	for (size_t i = 0; i < 3; i++) {
		char whole[512], *at = whole + sprintf(whole, "{\"n\":64,\"kind\":\"gather\",\"A\":[");
		for (unsigned row = 0; row < 63; row++)
			at += sprintf(at, "0,");
		(void)sprintf(at, "%s]}", last[i]);
		lcc_fails(whole, PARTS("A[63] is", last[i], "0..18446744073709551615"));
	}
	lcc_fails("{\"n\":2,\"kind\":\"gather\",\"A\":[1,2],\"b\":4}", PARTS("b is 4", "0..3"));
	lcc_fails("{\"n\":2,\"kind\":\"gather\",\"A\":[1,2],\"b\":-1}", PARTS("b is -1"));
	lcc_fails("{\"n\":2,\"kind\":\"gather\",\"A\":[1,2],\"b\":null}", PARTS("b is null"));
	lcc_fails("{\"n\":2,\"kind\":\"permutation\",\"A\":[1,1]}", PARTS("rank 1", "n = 2", "gather"));
	char *large = malloc(2000000);
	assert_non_null(large);
	memset(large, ' ', 2000000);
	large[0] = '{';
	large[1999999] = 0;
	lcc_fails(large, PARTS("1999999 bytes"));
	free(large);
}

static void test_lcc_round_trip(void **state)
{
	(void)state;
	static const unsigned sizes[] = {1, 2, 10, 62, 63, 64};
	struct loom_rng rng;
	loom_rng_init(&rng, 3);
	for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
		for (unsigned trial = 0; trial < 30; trial++) {
			unsigned n = sizes[s];
			struct loom_lcc lcc = {.kind = (enum loom_lcc_kind)(trial % 3), .a = {.n = n}}, back;
			do {
				for (unsigned i = 0; i < n; i++)
					lcc.a.row[i] = loom_rng_next(&rng) & loom_gf2_mask(n);
				if (lcc.kind == LOOM_LCC_GATHER)
					lcc.a.row[n - 1] = lcc.a.row[0] = 0;
			} while (lcc.kind == LOOM_LCC_PERMUTATION && loom_gf2_rank(&lcc.a) != n);
			lcc.b = loom_rng_next(&rng) & loom_gf2_mask(n);

			char json[4096], lines[8192], *at = json;
			struct loom_err err = {0};
			static const char *const kinds[] = {"permutation", "gather", "scatter"};
			at += sprintf(at, "{\"n\":%u,\"kind\":\"%s\",\"A\":[", n, kinds[lcc.kind]);
			for (unsigned i = 0; i < n; i++) // hexadecimal where JSON integers end, otherwise in turn
				at += sprintf(at,
				              lcc.a.row[i] >> 63 || trial % 2 ? "%s\"0x%" PRIx64 "\"" : "%s%" PRIu64,
				              i ? "," : "", lcc.a.row[i]);
			(void)sprintf(at, "],\"b\":\"0x%" PRIX64 "\"}", lcc.b);
			if (loom_lcc_parse(&back, json, strlen(json), "FILE", &err) != 0)
				fail_msg("%s: %s", json, err.text);
			assert_int_equal(back.kind, lcc.kind);
			assert_int_equal(back.b, lcc.b);
			assert_memory_equal(&back.a, &lcc.a, sizeof lcc.a);

			if (lcc.kind == LOOM_LCC_SCATTER)
				continue;
			at = lines;
			for (unsigned i = 0; i <= n; i++, *at++ = '\n')
				for (unsigned j = 0; j < n; j++)
					*at++ = (i < n ? lcc.a.row[i] : lcc.b) >> j & 1 ? '1' : '0';
			assert_int_equal(loom_lcc_parse(&back, lines, (size_t)(at - lines), "FILE", &err), 0);
			assert_int_equal(back.kind, lcc.kind);
			assert_int_equal(back.b, lcc.b);
			assert_memory_equal(&back.a, &lcc.a, sizeof lcc.a);
		}
}

static void set_fails(const char *text, size_t length, const char *const parts[])
{
	struct loom_lcc *lccs = (struct loom_lcc *)8;
	uint32_t n = 77;
	struct loom_err err = {0};
	int code = loom_lcc_set_parse(&lccs, &n, text, length, "FILE", &err);
	check_error(code, &err, LOOM_EINPUT, parts, "set");
	assert_ptr_equal(lccs, (struct loom_lcc *)8);
	assert_int_equal(n, 77);
}

static void test_set(void **state)
{
	(void)state;
	struct loom_lcc *lccs = NULL;
	uint32_t n = 0;
	struct loom_err err = {0};
#define ONE "{\"n\":2,\"kind\":\"permutation\",\"A\":[1,2],\"b\":1}"
#define TWO "{\"n\":2,\"kind\":\"scatter\",\"A\":[1,1],\"b\":0}"
	const char *text = "[" ONE ",\n" TWO "]";
	assert_int_equal(loom_lcc_set_parse(&lccs, &n, text, strlen(text), "FILE", &err), 0);
	assert_int_equal(n, 2);
	assert_int_equal(lccs[0].b, 1);
	assert_int_equal(lccs[1].kind, LOOM_LCC_SCATTER);
	free(lccs);
	struct loom_pattern p = parse_text("set", text, strlen(text), 4);
	assert_int_equal(p.n_members, 2);
	loom_pattern_free(&p);

	static const struct {
		const char *text, *parts[3];
	} cases[] = {
		{"", {"line 1", "JSON list", "lcc:FILE"}},
		{"\n " ONE, {"line 2, column 2", "JSON list", "lcc:FILE"}},
		{"[]", {"0 communications", "1 to 4096"}},
		{"[" ONE, {"not JSON", "line 1"}},
		{"[" ONE "]]", {"not JSON", "end of file"}},
		{"[" ONE ",3]", {"member 1", "3, not an object"}},
		{"[" ONE ",{\"n\":3,\"kind\":\"gather\",\"A\":[0,0,0]}]", {"member 1", "n is 3", "member 0 is 2"}},
		{"[" ONE "," ONE ",{\"n\":2,\"kind\":\"gather\",\"A\":[0,5]}]", {"member 2", "A[1] is 5"}},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		set_fails(cases[i].text, strlen(cases[i].text),
		          PARTS(cases[i].parts[0], cases[i].parts[1], cases[i].parts[2]));

	const size_t many = 4097, step = sizeof ONE; // the 0 becomes the comma
	char *large = malloc(many * step + 2);
	assert_non_null(large);
	for (size_t i = 0; i < many; i++) {
		memcpy(large + 1 + i * step, ONE, sizeof ONE);
		large[(i + 1) * step] = i + 1 < many ? ',' : ']';
	}
	large[0] = '[';
	set_fails(large, 1 + many * step, PARTS("4097 communications", "4096"));
	large[(many - 1) * step] = ']';
	assert_int_equal(loom_lcc_set_parse(&lccs, &n, large, 1 + (many - 1) * step, "FILE", &err), 0);
	assert_int_equal(n, 4096);
	free(lccs);
	free(large);
	char *spaces = malloc(9 << 20);
	assert_non_null(spaces);
	memset(spaces, ' ', 9 << 20);
	spaces[0] = '[';
	set_fails(spaces, 9 << 20, PARTS("9437184 bytes"));
	free(spaces);
	text_fails("set", "[" ONE "]", strlen("[" ONE "]"), 8, LOOM_EINPUT, PARTS("n = 2", "not for 8"));
}

static void test_bpc(void **state)
{
	(void)state;
	// Paper 003, Table 2.
	static const uint32_t table[] = {9, 1, 13, 5, 11, 3, 15, 7, 8, 0, 12, 4, 10, 2, 14, 6};
	static const char *const same[] = {"bpc:[-0,1,2,-3]", "bpc:-0,1,2,-3", "bpc: [ -0 , 1,\t2 ,-3 ] "};
	for (size_t i = 0; i < 3; i++) {
		struct loom_pattern p = parse(same[i], 16);
		for (uint32_t x = 0; x < 16; x++)
			assert_int_equal(p.messages[x].destination, table[x]);
		assert_int_equal(p.n_lccs, 1);
		loom_pattern_free(&p);
	}

	// Random ones, bit by bit; the text is longer than any other at n = 64.
	struct loom_rng rng;
	loom_rng_init(&rng, 8);
	static const unsigned sizes[] = {1, 2, 3, 10, 63, 64};
	for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
		for (unsigned trial = 0; trial < 20; trial++) {
			unsigned n = sizes[s], to[64];
			bool flip[64];
			char text[512], *at = text;
			struct loom_lcc lcc;
			struct loom_err err = {0};
			for (unsigned i = 0; i < n; i++) {
				unsigned j = (unsigned)loom_rng_below(&rng, i + 1);
				to[i] = to[j];
				to[j] = i;
				flip[i] = loom_rng_next(&rng) & 1;
			}
			for (unsigned i = n; i-- > 0;)
				at += sprintf(at, "%s%u%s", flip[i] ? "-" : "", to[i], i ? "," : "");
			if (loom_bpc_parse(&lcc, text, strlen(text), "bpc", &err) != 0)
				fail_msg("%s: %s", text, err.text);
			assert_true(loom_gf2_is_valid(&lcc.a));
			assert_int_equal(lcc.kind, LOOM_LCC_PERMUTATION);
			uint64_t x = loom_rng_next(&rng) & loom_gf2_mask(n), y = 0;
			for (unsigned i = 0; i < n; i++)
				y |= ((x >> i & 1) ^ flip[i]) << to[i];
			assert_int_equal(slow_apply(&lcc, x), y);
		}

	static const struct {
		const char *text, *parts[3];
	} cases[] = {
		{"", {"column 1", "element 0"}},
		{"[]", {"column 2", "element 0"}},
		{"0,", {"column 3", "element 1"}},
		{"0,,1", {"column 3", "element 1"}},
		{"1 0", {"column 3", "no comma"}},
		{"[1 0]", {"column 4", "comma"}},
		{"[1,0", {"column 5", "]"}},
		{"1,0]", {"column 4", "no comma"}},
		{"[1,0]x", {"column 6", "after ]"}},
		{"x", {"column 1", "element 0"}},
		{"--1,0", {"column 2", "element 0"}},
		{"+1,0", {"column 1", "element 0"}},
		{"1,-", {"column 4", "element 1"}},
		{"2,0", {"column 1", "\"2\"", "0..1"}},
		{"0,-2", {"column 4", "\"2\"", "0..1"}},
		{"0,18446744073709551616", {"column 3", "\"18446744073709551616\""}},
		{"1,-1", {"column 4", "bit 1", "twice"}},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct loom_lcc lcc, before;
		struct loom_err err = {0};
		memset(&lcc, 0xa5, sizeof lcc);
		memcpy(&before, &lcc, sizeof lcc);
		int code = loom_bpc_parse(&lcc, cases[i].text, strlen(cases[i].text), "bpc", &err);
		check_error(code, &err, LOOM_EINPUT, PARTS(cases[i].parts[0], cases[i].parts[1], cases[i].parts[2]),
		            cases[i].text);
		assert_memory_equal(&lcc, &before, sizeof lcc);
	}
	char text[200];
	for (unsigned i = 0; i < 65; i++)
		memcpy(text + 2 * i, "0,", 2);
	struct loom_lcc lcc;
	struct loom_err err = {0};
	int code = loom_bpc_parse(&lcc, text, 129, "bpc", &err);
	check_error(code, &err, LOOM_EINPUT, PARTS("column 129", "more than 64"), "65 elements");
}

static void test_perm(void **state)
{
	(void)state;
	static const char *const same[] = {"3,1,0,2", "3 1 0 2", " 3\t1,\r\n0 ,2\n", "3\n1\n0\n2", "03,01,000,2"};
	for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
		uint32_t *map = NULL;
		struct loom_err err = {0};
		assert_int_equal(loom_perm_parse(&map, 4, same[i], strlen(same[i]), "FILE", &err), 0);
		assert_memory_equal(map, ((uint32_t[]){3, 1, 0, 2}), 16);
		free(map);
		struct loom_pattern p = parse_text("perm", same[i], strlen(same[i]), 4);
		assert_int_equal(p.messages[2].destination, 0);
		loom_pattern_free(&p);
	}
	struct loom_pattern p = parse("perm:3,1,0,2", 4);
	assert_string_equal(p.name, "perm:3,1,0,2");
	assert_int_equal(p.n_lccs, 1);
	loom_pattern_free(&p);
	p = parse("perm:1,0,2,3,4,5,6,7", 8);
	assert_int_equal(p.n_lccs, 0);
	loom_pattern_free(&p);
	p = parse("perm:0", 1);
	loom_pattern_free(&p);
	p = parse("perm:2 0 1", 3);
	loom_pattern_free(&p);

	static const struct {
		const char *text, *parts[3];
	} cases[] = {
		{"", {"0 destinations for 4", "destination 0 is missing"}},
		{"0,1,3", {"3 destinations for 4", "destination 2 is missing"}},
		{"0,1,2,3,0", {"column 9", "more than 4"}},
		{"0,1,2,3,", {"column 9", "after the last comma"}},
		{"0,1\n2,4", {"line 2, column 3", "\"4\"", "0..3"}},
		{"0,1\n2,2", {"line 2, column 3", "2 is repeated", "2 and 3"}},
		{"0,,1,2,3", {"column 3", "nothing", "0..3"}},
		{",0,1,2,3", {"column 1", "nothing"}},
		{"0,-1,2,3", {"column 3", "\"-1\""}},
		{"0,1x,2,3", {"column 3", "\"1x\""}},
		{"0;1;2;3", {"column 1", "\"0;1;2;3\""}},
		{"0,1.0,2,3", {"column 3", "\"1.0\""}},
		{"0,4294967297,2,3", {"column 3", "\"4294967297\""}},
		{"0,18446744073709551617,2,3", {"column 3", "\"18446744073709551617\"", "out of range"}},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		uint32_t *map = (uint32_t *)8;
		struct loom_err err = {0};
		int code = loom_perm_parse(&map, 4, cases[i].text, strlen(cases[i].text), "FILE", &err);
		check_error(code, &err, LOOM_EINPUT,
		            PARTS("FILE", cases[i].parts[0], cases[i].parts[1], cases[i].parts[2]), cases[i].text);
		assert_ptr_equal(map, (uint32_t *)8);
	}
	uint32_t *map = NULL;
	struct loom_err err = {0};
	int code = loom_perm_parse(&map, 0, "", 0, "FILE", &err);
	check_error(code, &err, LOOM_EINPUT, PARTS("0 processors"), "0");
	code = loom_perm_parse(&map, UINT32_MAX, "", 0, "FILE", &err);
	check_error(code, &err, LOOM_EINPUT, PARTS("4294967295 processors"), "many");
}

static void test_messages(void **state)
{
	(void)state;
	const char *text = "# by hand\n\nSource, Destination,flits\r\n0,1\n 2 ,\t3, 5 \r\n# more\n3,3,16777215";
	struct loom_message *m = NULL;
	size_t n = 0;
	struct loom_err err = {0};
	if (loom_messages_parse(&m, &n, 4, 17, text, strlen(text), "FILE", &err) != 0)
		fail_msg("%s", err.text);
	assert_int_equal(n, 3);
	assert_int_equal(m[0].source, 0);
	assert_int_equal(m[0].destination, 1);
	assert_int_equal(m[0].flits, 17);
	assert_int_equal(m[1].source, 2);
	assert_int_equal(m[1].destination, 3);
	assert_int_equal(m[1].flits, 5);
	assert_int_equal(m[2].destination, 3);
	assert_int_equal(m[2].flits, 16777215);
	assert_int_equal(m[2].member, 0);
	free(m);
	struct loom_pattern p = parse_text("messages", text, strlen(text), 4);
	assert_int_equal(p.n_messages, 3);
	assert_int_equal(p.n_lccs, 0);
	loom_pattern_free(&p);
	text = "source,destination\n1,0\n0,1,2\n";
	p = parse_text("messages", text, strlen(text), 2);
	assert_int_equal(p.n_lccs, 1); // recognised, so in ascending order of source
	assert_int_equal(p.messages[0].flits, 2);
	assert_int_equal(p.messages[1].flits, 17);
	loom_pattern_free(&p);

	static const struct {
		const char *text, *parts[3];
	} cases[] = {
		{"", {"no message"}},
		{"# nothing\nsource,destination\n", {"line 3", "no message"}},
		{"0\n", {"line 1, column 2", "no destination"}},
		{"0 1\n", {"line 1, column 3", "no destination"}},
		{"0,\n", {"line 1, column 3", "destination is nothing"}},
		{",1\n", {"line 1, column 1", "source is nothing"}},
		{"0,1,\n", {"line 1, column 5", "flits is nothing"}},
		{"0,1,2,3\n", {"line 1, column 6", "more than"}},
		{"0,1 2\n", {"line 1, column 5", "more than"}},
		{"0,1\n4,0\n", {"line 2, column 1", "source \"4\"", "0..3"}},
		{"0,1\n0,4\n", {"line 2, column 3", "destination \"4\"", "0..3"}},
		{"0,1,0\n", {"line 1, column 5", "flits \"0\"", "1..16777215"}},
		{"0,1,4294967296\n", {"column 5", "flits \"4294967296\""}},
		{"0,1,99999999999999999999\n", {"column 5", "flits \"99999999999999999999\""}},
		{"0,-1\n", {"column 3", "\"-1\""}},
		{"0,1.5\n", {"column 3", "\"1.5\""}},
		{"src,dst\n", {"line 1, column 1", "\"src\" in the heading", "source,destination"}},
		{"destination,source\n", {"\"destination\" in the heading"}},
		{"source\n", {"line 1", "no destination in the heading"}},
		{"source,destination,size\n", {"column 20", "\"size\" in the heading"}},
		{"source,destination,flits,more\n", {"\"more\" in the heading"}},
		{"source,destination flits\n", {"comma", "heading"}},
		{"0,1\nsource,destination\n", {"line 2, column 1", "\"source\""}},
		{"source,destination\nsource,destination\n", {"line 2, column 1", "\"source\""}},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		m = (struct loom_message *)8;
		n = 77;
		int code = loom_messages_parse(&m, &n, 4, 17, cases[i].text, strlen(cases[i].text), "FILE", &err);
		check_error(code, &err, LOOM_EINPUT,
		            PARTS("FILE", cases[i].parts[0], cases[i].parts[1], cases[i].parts[2]), cases[i].text);
		assert_ptr_equal(m, (struct loom_message *)8);
		assert_int_equal(n, 77);
	}
	int code = loom_messages_parse(&m, &n, 4, 0, "0,1", 3, "FILE", &err);
	check_error(code, &err, LOOM_EINPUT, PARTS("0 flits"), "default flits");
	code = loom_messages_parse(&m, &n, 0, 1, "0,1", 3, "FILE", &err);
	check_error(code, &err, LOOM_EINPUT, PARTS("0 processors"), "nodes");

	const size_t many = LOOM_MESSAGES_MAX + 1;
	char *large = malloc(many * 4);
	assert_non_null(large);
	for (size_t i = 0; i < many; i++)
		memcpy(large + 4 * i, "0,1\n", 4);
	code = loom_messages_parse(&m, &n, 4, 1, large, many * 4, "FILE", &err);
	check_error(code, &err, LOOM_EINPUT, PARTS("line 1048577", "more than 1048576"), "too many");
	assert_int_equal(loom_messages_parse(&m, &n, 4, 1, large, many * 4 - 4, "FILE", &err), 0);
	assert_int_equal(n, LOOM_MESSAGES_MAX);
	free(m);
	free(large);
}

// ---- Files ----

static void test_files(void **state)
{
	(void)state;
	struct loom_pattern p = parse_text("lcc",
	                                   "\xef\xbb\xbf"
	                                   "01\r\n10\r\n",
	                                   11, 4); // as some editors write it
	assert_int_equal(p.n_lccs, 1);
	assert_int_equal(p.messages[1].destination, 2);
	loom_pattern_free(&p);
	text_fails("lcc", "01\n1\0\n", 6, 4, LOOM_EFILE, PARTS("/tmp/loom_pattern", "not a text file", "byte 4 is 0"));
	text_fails("messages",
	           "\x7f"
	           "ELF\2\1\1\0\0\0",
	           10, 4, LOOM_EFILE, PARTS("not a text file"));
	text_fails("lcc", "", 0, 4, LOOM_EINPUT, PARTS("/tmp/loom_pattern", "no matrix"));
	text_fails("perm", "", 0, 4, LOOM_EINPUT, PARTS("/tmp/loom_pattern", "destination 0 is missing"));
	text_fails("messages", "", 0, 4, LOOM_EINPUT, PARTS("/tmp/loom_pattern", "no message"));
	text_fails("set", "", 0, 4, LOOM_EINPUT, PARTS("/tmp/loom_pattern", "JSON list"));
	text_fails("lcc", "01\n10\n", 6, 8, LOOM_EINPUT, PARTS("n = 2", "not for 8"));
	text_fails("lcc", "{\"n\":64,\"kind\":\"gather\"}", 24, 8, LOOM_EINPUT, PARTS("no \"A\""));

	// Longer than the first read, over a pipe, whose size nobody knows.
	int ends[2];
	char spec[64];
	assert_int_equal(pipe(ends), 0);
	pid_t writer = fork();
	assert_true(writer >= 0);
	if (writer == 0) {
		for (unsigned i = 0; i < 40000; i++)
			if (write(ends[1], "0,1,2\n", 6) != 6)
				_exit(1);
		_exit(0);
	}
	close(ends[1]);
	(void)snprintf(spec, sizeof spec, "messages:/dev/fd/%d", ends[0]);
	p = parse(spec, 4);
	assert_int_equal(p.n_messages, 40000);
	loom_pattern_free(&p);
	close(ends[0]);
	assert_int_equal(waitpid(writer, NULL, 0), writer);

	const char *path = write_file("0,1\n", 4);
	(void)snprintf(spec, sizeof spec, "messages:%s", path);
	assert_int_equal(truncate(path, (64l << 20) + 1), 0);
	parse_fails(spec, 4, LOOM_EFILE, PARTS("64 MiB"));
	if (geteuid() != 0) {
		assert_int_equal(chmod(path, 0), 0);
		parse_fails(spec, 4, LOOM_EFILE, PARTS("Permission denied"));
	}
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_named_permutations),
		cmocka_unit_test(test_neighbor),
		cmocka_unit_test(test_scale),
		cmocka_unit_test(test_fft),
		cmocka_unit_test(test_example5),
		cmocka_unit_test(test_shifts),
		cmocka_unit_test(test_all_to_all),
		cmocka_unit_test(test_hotspot),
		cmocka_unit_test(test_rng),
		cmocka_unit_test(test_random_is_seeded),
		cmocka_unit_test(test_random_perm),
		cmocka_unit_test(test_random_lcc),
		cmocka_unit_test(test_uniform),
		cmocka_unit_test(test_from_messages),
		cmocka_unit_test(test_from_lccs),
		cmocka_unit_test(test_apply),
		cmocka_unit_test(test_name),
		cmocka_unit_test(test_every_name),
		cmocka_unit_test(test_spec_errors),
		cmocka_unit_test(test_list),
		cmocka_unit_test(test_suggest),
		cmocka_unit_test(test_lcc_lines),
		cmocka_unit_test(test_lcc_json),
		cmocka_unit_test(test_lcc_round_trip),
		cmocka_unit_test(test_set),
		cmocka_unit_test(test_bpc),
		cmocka_unit_test(test_perm),
		cmocka_unit_test(test_messages),
		cmocka_unit_test(test_files),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
