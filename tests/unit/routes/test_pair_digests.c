// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The routes of all pairs that the search finds on small networks, as digests: the same seed gives the same
// routes on every machine, and who changes the search on purpose writes them anew. test_pair_routes says whether
// routes are right.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <flitloom/routes/graph.h>
#include <flitloom/routes/pair_routes.h>

#include "unit/help/random_graphs.h"

static void add(uint64_t *digest, uint64_t word)
{
	*digest = (*digest ^ word) * UINT64_C(0x100000001b3);
}

static void add_routes(uint64_t *digest, const struct loom_topo *t, const struct loom_pair_options *options)
{
	struct loom_pair_routes r;
	struct loom_err err;
	if (loom_pair_routes_search(&r, t, options, &err) != 0)
		fail_msg("%s on %u lanes: %s", t->name, options->n_lanes, err.text);
	for (size_t i = 0; i < r.routes.n; i++) {
		add(digest, r.lane[i]);
		for (size_t k = r.routes.first[i]; k < r.routes.first[i + 1]; k++)
			add(digest, r.routes.channel[k]);
	}
	for (uint32_t place = 0; place < loom_topo_channels(t) * r.n_lanes; place++)
		add(digest, r.number[place]);
	loom_pair_routes_free(&r);
}

static void test_digests(void **unused)
{
	(void)unused;
	static const struct {
		uint32_t seed, nodes, more_links, lanes, rounds;
		bool by_destination;
		uint64_t digest;
	} rows[] = {
		{1, 9, 6, 1, 3, false, UINT64_C(0x592245d0e871b995)},
		{3, 12, 12, 2, 4, false, UINT64_C(0x73cead3934946162)},
		{4, 14, 8, 3, 3, false, UINT64_C(0xbd4265bd9e22fd19)},
		{5, 10, 8, 1, 2, true, UINT64_C(0x0c005183b49f799f)},
		{6, 11, 12, 2, 3, true, UINT64_C(0x926e3f3d5bc24a26)},
		{21, 13, 12, 1, 9, false, UINT64_C(0xd69096c623bd7043)},
	};
	unsigned n_wrong = 0;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		uint64_t digest = UINT64_C(0xcbf29ce484222325);
		struct loom_graph_wires wires;
		struct loom_topo t;
		struct loom_err err;
		const struct loom_pair_options options = {.n_lanes = rows[i].lanes,
		                                          .seed = rows[i].seed,
		                                          .rounds = rows[i].rounds,
		                                          .by_destination = rows[i].by_destination};
		random_graph(&wires, 10 * rows[i].seed - 9, rows[i].nodes, rows[i].more_links, 0);
		assert_int_equal(loom_topo_of_graph(&t, "graph:random", &wires, 1, &err), 0);
		add_routes(&digest, &t, &options);
		loom_topo_free(&t);
		loom_graph_wires_free(&wires);
		if (digest == rows[i].digest)
			continue;
		print_error("row %zu: 0x%016" PRIx64 "\n", i, digest);
		n_wrong++;
	}
	assert_int_equal(n_wrong, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_digests)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
