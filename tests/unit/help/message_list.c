// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "message_list.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "base/rng.h"
#include "some_nets.h"

void list_on(struct list *out, const char *fabric)
{
	struct loom_err err = {0};
	out->n = 0;
	if (loom_topo_parse(&out->topo, fabric, &err) != 0)
		fail_msg("%s", err.text);
}

void list_add(struct list *l, uint32_t source, uint32_t destination, uint32_t flits)
{
	assert_true(l->n < LIST_MOST);
	l->messages[l->n++] = (struct loom_message){.source = source, .destination = destination, .flits = flits};
}

void list_add_random(struct list *l, size_t n, uint32_t most_flits, uint64_t seed)
{
	struct loom_rng rng;
	loom_rng_init(&rng, seed);
	for (; n > 0; n--) {
		uint32_t source = (uint32_t)loom_rng_below(&rng, l->topo.n_nodes);
		uint32_t destination = (uint32_t)loom_rng_below(&rng, l->topo.n_nodes);
		list_add(l, source, destination, most_flits > 1 ? 1 + (uint32_t)loom_rng_below(&rng, most_flits) : 1);
	}
}

void list_fill(struct list *l, unsigned n, bool alike)
{
	for (l->n = 0; n > 0; n--) {
		uint32_t source = random_below(l->topo.n_nodes), destination = random_below(l->topo.n_nodes);
		list_add(l, source, destination, alike ? 7 : 1 + random_below(99));
	}
}

uint64_t list_contention(const struct list *l, const struct loom_routes *routes, enum loom_load_unit load)
{
	struct loom_err err = {0};
	uint64_t out = 0;
	if (loom_routes_check(routes, &l->topo, l->messages, l->n, &err) != 0)
		fail_msg("%s", err.text);
	assert_int_equal(loom_routes_contention(&out, routes, &l->topo, l->messages, load, &err), 0);
	return out;
}

struct loom_routes_found list_reroute(const struct list *l, const struct loom_routes_options *options)
{
	struct loom_routes routes;
	struct loom_routes_found found;
	struct loom_err err = {0};
	if (loom_routes_reroute(&routes, &found, &l->topo, l->messages, l->n, options, &err) != 0)
		fail_msg("%s", err.text);
	assert_int_equal(list_contention(l, &routes, options->load), found.contention);
	assert_true(found.lower_bound <= found.contention);
	loom_routes_free(&routes);
	return found;
}
