// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The map option on cube:1 to cube:4 (first byte): refused, or a permutation which agrees with its bit order.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/plan.h>

#include "plan/plan_internal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition)
{
	if (!condition)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 1)
		return 0;
	struct loom_topo t;
	char fabric[16];
	(void)snprintf(fabric, sizeof fabric, "cube:%d", data[0] % 4 + 1);
	require(loom_topo_parse(&t, fabric, NULL) == 0);
	char *text = malloc(size);
	require(text != NULL);
	memcpy(text, data + 1, size - 1);
	text[size - 1] = '\0';

	if (loom_plan_map_is_placed(text)) { // not to be searched for, and a file's name is what it has in it
		uint32_t map[32], places = 0;
		struct loom_err places_err = {0};
		int code = loom_plan_parse_places(map, &t, text, "FILE", &places_err);
		free(text);
		require(code == 0 || (code == LOOM_EINPUT && places_err.text[0]));
		for (uint32_t v = 0; code == 0 && v < t.n_nodes; v++)
			places |= UINT32_C(1) << map[v];
		require(code != 0 || __builtin_popcount(places) == (int)t.n_nodes);
		return 0;
	}

	struct loom_message messages[] = {{0, 1, 5, 0}, {1, t.n_nodes - 1, 7, 0}};
	struct loom_pattern pattern = {
		.name = "fuzz", .n_nodes = t.n_nodes, .n_messages = 2, .messages = messages, .n_members = 1};
	struct loom_plan_options options = {.map = text, .planner = "direct"};
	struct loom_plan plan, before;
	struct loom_err err = {0};
	memset(&plan, 0xa5, sizeof plan);
	memcpy(&before, &plan, sizeof plan);
	int rc = loom_plan_make(&plan, &t, &pattern, &options, &err);
	free(text);
	if (rc != 0) {
		require(rc == LOOM_EINPUT && err.text[0] && memcmp(&plan, &before, sizeof plan) == 0);
		return 0;
	}
	uint32_t seen = 0;
	for (uint32_t v = 0; v < t.n_nodes; v++) {
		require(plan.map[v] < t.n_nodes && !(seen >> plan.map[v] & 1));
		seen |= UINT32_C(1) << plan.map[v];
		require(!plan.n_order || plan.map[v] == loom_gf2_reorder_vector(v, plan.n_order, plan.order));
	}
	require(plan.lower_bound <= loom_plan_contention(&plan));
	loom_plan_free(&plan);
	return 0;
}
