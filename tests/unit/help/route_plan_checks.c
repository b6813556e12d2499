// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "route_plan_checks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "some_nets.h"

static uint64_t hops(const struct loom_plan *plan)
{
	struct ref_net net = net_of(plan->topo.name);
	uint64_t n = 0;
	for (size_t i = 0; i < plan->n_messages; i++)
		n += distance_by_search(&net, plan->map[plan->messages[i].source],
		                        plan->map[plan->messages[i].destination]);
	return n;
}

uint64_t route_plan_walk(const struct loom_plan *plan)
{
	uint32_t n_channels = loom_topo_channels(&plan->topo), channel;
	uint32_t *load = calloc((size_t)plan->n_passes * n_channels, sizeof *load);
	uint64_t on_links = 0;
	assert_non_null(load);
	for (size_t i = 0; i < plan->n_messages; i++) {
		struct loom_route route;
		for (loom_plan_route_begin(&route, plan, i); loom_route_next(&route, &channel);) {
			load[plan->messages[i].pass * n_channels + channel]++;
			on_links += !loom_topo_is_local(&plan->topo, channel);
		}
	}
	assert_memory_equal(load, plan->load, (size_t)plan->n_passes * n_channels * sizeof *load);
	free(load);
	return on_links;
}

void route_plan_check_loads(const struct loom_plan *plan)
{
	assert_int_equal(route_plan_walk(plan), hops(plan));
}

void route_plan_check_file(const struct loom_plan *plan)
{
	char path[] = "/tmp/loom-routes-XXXXXX";
	struct loom_plan again;
	struct loom_err err = {0};
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	(void)close(fd);
	assert_int_equal(loom_plan_write(plan, path, &err), 0);
	if (loom_plan_read(&again, path, &err) != 0)
		fail_msg("%s %s: %s", plan->topo.name, plan->planner, err.text);
	assert_int_equal(again.routes.n, plan->routes.n);
	if (plan->routes.n) {
		assert_memory_equal(again.routes.first, plan->routes.first, (plan->routes.n + 1) * sizeof(size_t));
		assert_memory_equal(again.routes.channel, plan->routes.channel,
		                    plan->routes.first[plan->routes.n] * sizeof(uint32_t));
	}
	assert_int_equal(again.n_lanes, plan->n_lanes);
	assert_int_equal(again.detours, plan->detours);
	assert_int_equal(again.label != NULL, plan->label != NULL);
	if (plan->label)
		assert_memory_equal(again.label, plan->label, plan->n_messages * sizeof *plan->label);
	assert_int_equal(again.lower_bound, plan->lower_bound);
	assert_int_equal(again.lower_bound_flits, plan->lower_bound_flits);
	assert_int_equal(again.bound, plan->bound);
	loom_plan_free(&again);
	(void)remove(path);
}

void expect_failure(int rc, int wanted, const struct loom_err *err, const char *part)
{
	assert_int_equal(rc, wanted);
	if (!strstr(err->text, part))
		fail_msg("\"%s\" does not say \"%s\"", err->text, part);
}
