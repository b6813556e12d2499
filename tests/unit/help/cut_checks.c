// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "cut_checks.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "reference/ref_net.h"

void cut_by(struct loom_plan *out, struct loom_pattern *pattern, const char *planner, const char *fabric,
            const char *spec, uint64_t seed)
{
	struct loom_topo topo;
	struct loom_err err = {0};
	const struct loom_plan_options by = {.planner = planner};
	assert_int_equal(loom_topo_parse(&topo, fabric, &err), 0);
	const struct loom_pattern_options options = {
		.flits = 3, .seed = seed, .n_dims = topo.n_dims, .extent = topo.extent};
	if (loom_pattern_parse(pattern, spec, topo.n_nodes, &options, &err) != 0 ||
	    loom_plan_make(out, &topo, pattern, &by, &err) != 0)
		fail_msg("%s on %s by %s: %s", spec, fabric, planner, err.text);
}

unsigned cut_check(const struct loom_plan *plan)
{
	struct ref_net net;
	unsigned busiest = 0;
	assert_int_equal(ref_net_parse(&net, plan->topo.name), 0);
	size_t n_channels = ref_net_channels(&net);
	unsigned *load = calloc(n_channels, sizeof *load), *sum = calloc(n_channels, sizeof *sum);
	size_t *way = calloc(ref_net_nodes(&net) + 2, sizeof *way);
	bool *used = calloc(plan->n_passes, sizeof *used);
	assert_true(load && sum && way && used);
	uint32_t pass = 0;
	for (size_t i = 0; i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		const struct ref_way of = {plan->map[m->source], plan->map[m->destination], REF_ASCENDING};
		if (m->pass != pass)
			memset(load, 0, n_channels * sizeof *load);
		pass = m->pass;
		used[pass] = true;
		size_t n = ref_net_walk(way, &net, &of);
		for (size_t k = 0; k < n; k++) {
			sum[way[k]]++;
			busiest = sum[way[k]] > busiest ? sum[way[k]] : busiest;
			if (++load[way[k]] > 1)
				fail_msg("%s, pass %" PRIu32 ": a channel has two messages", plan->topo.name, pass);
		}
	}
	for (uint32_t p = 0; p < plan->n_passes; p++)
		assert_true(used[p]);
	free(used);
	free(way);
	free(sum);
	free(load);
	return busiest;
}

static int by_ends(const void *a, const void *b)
{
	return memcmp(a, b, 3 * sizeof(uint32_t));
}

void cut_check_messages(const struct loom_plan *plan, const struct loom_pattern *pattern)
{
	size_t n = pattern->n_messages;
	uint32_t(*asked)[3] = calloc(n, sizeof *asked), (*given)[3] = calloc(n, sizeof *given);
	assert_int_equal(plan->n_messages, n);
	assert_true(asked && given);
	for (size_t i = 0; i < n; i++) {
		memcpy(asked[i],
		       (uint32_t[]){pattern->messages[i].source, pattern->messages[i].destination,
		                    pattern->messages[i].flits},
		       sizeof asked[i]);
		memcpy(given[i],
		       (uint32_t[]){plan->messages[i].source, plan->messages[i].destination, plan->messages[i].flits},
		       sizeof given[i]);
	}
	qsort(asked, n, sizeof *asked, by_ends);
	qsort(given, n, sizeof *given, by_ends);
	assert_memory_equal(asked, given, n * sizeof *asked);
	free(asked);
	free(given);
}
