// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The multistage fabrics' channels, judged by their names and by the reference's wiring tables.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/topo.h>

#include "reference/ref_min.h"
#include "base/rng.h"
#include "unit/help/routes.h"

static const char *const names[] = {"baseline", "omega", "icube", "rbaseline", "romega", "ricube"};
enum { NETS = 6 };

static struct ref_min ref;

static struct loom_topo fabric(const char *name, unsigned m)
{
	char text[24];
	struct loom_topo t;
	struct loom_err err = {0};
	(void)snprintf(text, sizeof text, "%s:%u", name, 1u << m);
	if (loom_topo_parse(&t, text, &err) != 0)
		fail_msg("%s: %s", text, err.text);
	assert_string_equal(t.name, text);
	return t;
}

static void test_shape(void **state)
{
	(void)state;
	for (unsigned k = 0; k < NETS; k++)
		for (unsigned m = 1; m <= REF_MIN_M_MAX; m++) {
			struct loom_topo t = fabric(names[k], m);
			assert_string_equal(t.kind->name, names[k]);
			assert_int_equal(t.kind->code, 2 + k);
			assert_int_equal(t.n_nodes, 1u << m);
			assert_int_equal(t.n_nodes, 1u << m);
			assert_int_equal(t.n_tiles, 1u << m);
			assert_int_equal(t.ports, m);
			assert_int_equal(t.label_bits, m);
			assert_int_equal(loom_topo_channels_per_tile(&t), m + 1);
			assert_true(t.kind->self_uses_network);
		}
	struct loom_topo cube;
	assert_int_equal(loom_topo_parse(&cube, "cube:5", NULL), 0);
	assert_false(cube.kind->self_uses_network);
}

static void test_parse_errors(void **state)
{
	(void)state;
	static const struct {
		const char *text, *says;
	} cases[] = {
		{"omega:48", "fabric \"omega:48\": 48 is not a power of two; 32 and 64 are"},
		{"ricube:3", "3 is not a power of two; 2 and 4 are"},
		{"baseline:1023", "1023 is not a power of two; 512 and 1024 are"},
		{"omega:1", "omega:2 to omega:1024"},
		{"omega:0", "omega:2 to omega:1024"},
		{"omega:2048", "nodes, a power of two, omega:2 to omega:1024"},
		{"omega:1500", "omega:2 to omega:1024"},
		{"omega", "omega:2 to omega:1024"},
		{"omga:8", "did you mean \"omega\"?"},
		{"romga:8", "did you mean \"romega\"?"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct loom_topo t;
		struct loom_err err = {0};
		assert_int_equal(loom_topo_parse(&t, cases[i].text, &err), LOOM_EINPUT);
		if (!strstr(err.text, cases[i].says))
			fail_msg("\"%s\": \"%s\" does not say \"%s\"", cases[i].text, err.text, cases[i].says);
	}
}

// Every channel has a name of its own, and is in the group that the name tells; n channels in each group.
static void test_names_and_groups(void **state)
{
	(void)state;
	for (unsigned k = 0; k < NETS; k++)
		for (unsigned m = 1; m <= REF_MIN_M_MAX; m++) {
			struct loom_topo t = fabric(names[k], m);
			uint32_t count[REF_MIN_M_MAX + 1] = {0};
			unsigned n_groups = loom_topo_groups(&t);
			assert_int_equal(n_groups, m + 1);
			for (uint32_t c = 0; c < loom_topo_channels(&t); c++) {
				unsigned g = loom_topo_group_of(&t, c), stage, line;
				int length = 0;
				char name[48], group[16], expected[48];
				loom_topo_channel_name(&t, c, name);
				assert_true(g < n_groups);
				count[g]++;
				loom_topo_group_name(&t, g, group);
				if (sscanf(name, "stage %u line %u%n", &stage, &line, &length) == 2) {
					assert_int_equal(length, strlen(name));
					assert_int_equal(c, line * (m + 1) + stage);
					(void)snprintf(expected, sizeof expected, "stage%u", stage);
					assert_string_equal(group, expected);
					assert_int_equal(g, stage);
					assert_true(stage + 1 < m && line < t.n_nodes);
				} else {
					bool eject = name[0] == 'e';
					(void)snprintf(expected, sizeof expected, "%s %u", eject ? "eject" : "inject",
					               c / (m + 1));
					assert_string_equal(name, expected);
					assert_string_equal(group, eject ? "eject" : "inject");
					assert_int_equal(c % (m + 1), eject ? m - 1 : m);
				}
				assert_int_equal(!!loom_topo_is_local(&t, c), name[0] != 's');
			}
			for (unsigned g = 0; g < n_groups; g++)
				assert_int_equal(count[g], t.n_nodes);
		}
}

static void test_routes(void **state)
{
	(void)state;
	for (unsigned k = 0; k < NETS; k++)
		for (unsigned m = 1; m <= 5; m++) {
			struct loom_topo t = fabric(names[k], m);
			ref_min_build(&ref, names[k], m);
			for (uint32_t x = 0; x < ref.n; x++)
				for (uint32_t y = 0; y < ref.n; y++) {
					uint32_t route[REF_MIN_M_MAX + 2], other[REF_MIN_M_MAX + 2],
						line[REF_MIN_M_MAX];
					char name[48], expected[48];
					assert_int_equal(
						route_of(route, REF_MIN_M_MAX + 2, &t, x, y, LOOM_RULE_ASCENDING),
						m + 1);
					assert_int_equal(
						route_of(other, REF_MIN_M_MAX + 2, &t, x, y, LOOM_RULE_DESCENDING),
						m + 1);
					assert_memory_equal(route, other, (m + 1) * sizeof *route);
					assert_true(ref_min_path(line, &ref, x, y));
					for (unsigned i = 0; i <= m; i++) {
						if (i == 0 || i == m)
							(void)snprintf(expected, sizeof expected, "%s %u",
							               i ? "eject" : "inject", i ? y : x);
						else
							(void)snprintf(expected, sizeof expected, "stage %u line %u",
							               i - 1, line[i - 1]);
						loom_topo_channel_name(&t, route[i], name);
						assert_string_equal(name, expected);
					}
				}
		}
}

// The largest load of a channel that is not a node's own, counted route by route.
static void test_bound(void **state)
{
	(void)state;
	enum { MESSAGES = 2000 };
	static uint32_t s[MESSAGES], d[MESSAGES];
	for (unsigned k = 0; k < NETS; k++)
		for (unsigned m = 1; m <= REF_MIN_M_MAX; m++)
			for (uint64_t seed = 0; seed < 4; seed++) {
				struct loom_topo t = fabric(names[k], m);
				struct loom_rng rng;
				loom_rng_init(&rng, seed);
				size_t n = seed ? 1 + (size_t)loom_rng_below(&rng, MESSAGES) : 0;
				uint32_t *load = calloc(loom_topo_channels(&t), sizeof *load), most = 0;
				assert_non_null(load);
				for (size_t i = 0; i < n; i++) {
					uint32_t route[REF_MIN_M_MAX + 2];
					s[i] = (uint32_t)loom_rng_below(&rng, t.n_nodes);
					d[i] = seed == 2 ? s[i] : (uint32_t)loom_rng_below(&rng, t.n_nodes);
					unsigned length =
						route_of(route, REF_MIN_M_MAX + 2, &t, s[i], d[i], LOOM_RULE_ASCENDING);
					for (unsigned j = 1; j + 1 < length; j++)
						if (++load[route[j]] > most)
							most = load[route[j]];
				}
				uint32_t bound = UINT32_MAX;
				assert_int_equal(loom_topo_bound(&bound, &t, s, d, n, NULL), 0);
				if (bound != most)
					fail_msg("%s, seed %llu: bound %u, load %u", t.name, (unsigned long long)seed,
					         bound, most);
				free(load);
			}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shape),
		cmocka_unit_test(test_parse_errors),
		cmocka_unit_test(test_names_and_groups),
		cmocka_unit_test(test_routes),
		cmocka_unit_test(test_bound),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
