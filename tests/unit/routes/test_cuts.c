// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Cuts of networks that have coordinates: the bound against all cuts, counted message by message; the links that are
// priced carry what the bound says.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <cmocka.h>

#include <flitloom/routes/routes.h>
#include <flitloom/topo.h>

#include "base/rng.h"
#include "plan/routes/cuts.h"
#include "plan/routes/routes_internal.h"

enum { MESSAGES = 40 };

// Returns the load that crosses a cut, from nodes whose coordinate is at most x to the others or back.
static uint64_t crossing(const struct loom_demand *demand, uint32_t stride, uint32_t extent, uint32_t x, bool back)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < demand->n; i++) {
		const struct loom_message *m = &demand->messages[i];
		const bool from_low = m->source / stride % extent <= x, to_low = m->destination / stride % extent <= x;
		if (from_low != to_low && from_low != back)
			sum += demand->load == LOOM_LOAD_FLITS ? m->flits : 1;
	}
	return sum;
}

static uint64_t bound_slowly(const struct loom_demand *demand)
{
	const struct loom_topo *t = demand->topo;
	uint64_t most = 0;
	uint32_t stride = 1;
	for (unsigned d = 0; d < t->n_dims; stride *= t->extent[d], d++) {
		const uint64_t links = t->n_nodes / t->extent[d];
		for (uint32_t x = 0; x + 1 < t->extent[d]; x++)
			for (unsigned back = 0; back < 2; back++) {
				const uint64_t sum = crossing(demand, stride, t->extent[d], x, back);
				most = (sum + links - 1) / links > most ? (sum + links - 1) / links : most;
			}
	}
	return most;
}

static void check(const struct loom_demand *demand)
{
	const struct loom_topo *t = demand->topo;
	const uint32_t n_channels = loom_topo_channels(t);
	struct loom_routes routes;
	uint64_t bound, links = 0, carried = 0;
	uint64_t *price = calloc(n_channels, sizeof *price), *loads = calloc(n_channels, sizeof *loads);
	assert_true(price && loads);
	assert_int_equal(loom_cuts_price(&bound, price, demand, NULL), 0);
	if (bound != bound_slowly(demand))
		fail_msg("%s, %zu messages: %" PRIu64 ", not %" PRIu64, t->name, demand->n, bound,
		         bound_slowly(demand));
	assert_int_equal(loom_routes_in_order(&routes, t, demand->messages, demand->n, LOOM_RULE_ASCENDING, NULL), 0);
	loom_routes_loads(loads, &routes, t, demand->messages, demand->load);
	for (uint32_t c = 0; c < n_channels; c++) {
		assert_true(price[c] <= 1);
		links += price[c];
		carried += price[c] * loads[c];
	}
	assert_int_equal(links == 0, bound == 0);
	assert_true(links == 0 || (carried + links - 1) / links == bound);
	loom_routes_free(&routes);
	free(loads);
	free(price);
}

static void test_bound(void **state)
{
	static const char *const fabrics[] = {"mesh:4x4", "mesh:2x5", "mesh:3x2x3", "cube:4", "line:9", "mesh:1x7"};
	(void)state;
	struct loom_rng rng;
	loom_rng_init(&rng, 20261127);
	for (size_t f = 0; f < sizeof fabrics / sizeof *fabrics; f++) {
		struct loom_topo topo;
		struct loom_message messages[MESSAGES];
		assert_int_equal(loom_topo_parse(&topo, fabrics[f], NULL), 0);
		for (unsigned run = 0; run < 60; run++) {
			const struct loom_demand demand = {&topo, messages, run % MESSAGES,
			                                   run % 2 ? LOOM_LOAD_FLITS : LOOM_LOAD_MESSAGES, 0};
			for (size_t i = 0; i < demand.n; i++)
				messages[i] = (struct loom_message){(uint32_t)loom_rng_below(&rng, topo.n_nodes),
				                                    (uint32_t)loom_rng_below(&rng, topo.n_nodes),
				                                    1 + (uint32_t)loom_rng_below(&rng, 20), 0};
			check(&demand);
		}
		loom_topo_free(&topo);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_bound)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
