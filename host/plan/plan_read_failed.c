// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the network of a plan with failures, which the plan lists.
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>

#include <flitloom/routes/failures.h>

#include "plan/plan_values.h"

// Reads a list of numbers in ascending order.
static int get_numbers(uint32_t **out, size_t *n_out, const json_t *list, const char *what, uint32_t most,
                       struct loom_err *err)
{
	const size_t n = json_array_size(list);
	int rc = loom_plan_get_list(out, list, what, n, most, err);
	for (size_t i = 1; rc == 0 && i < n; i++)
		if ((*out)[i] <= (*out)[i - 1])
			rc = loom_fail(err, LOOM_EINPUT, "%s of \"failed\" do not rise: %" PRIu32 " after %" PRIu32,
			               what, (*out)[i], (*out)[i - 1]);
	*n_out = rc == 0 ? n : 0;
	return rc;
}

int loom_plan_get_failed(struct loom_topo *out, struct loom_topo *whole, const json_t *failed, struct loom_err *err)
{
	static const char *const keys[] = {"whole", "lanes", "text", "links", "nodes"};
	enum { LANES_MOST = 255 };
	struct loom_failures f = {.text = calloc(1, LOOM_TOPO_NAME)};
	uint32_t n_lanes = 0;
	int rc = f.text ? loom_plan_check_keys(failed, "\"failed\"", keys, sizeof keys / sizeof keys[0], 0, err)
	                : loom_fail(err, LOOM_ENOMEM, "out of memory for the name of a fabric");
	if (rc == 0)
		rc = loom_plan_get_name(f.text, LOOM_TOPO_NAME, json_object_get(failed, "text"), "text", err);
	if (rc == 0)
		rc = loom_plan_get_number(&n_lanes, json_object_get(failed, "lanes"), "lanes", LANES_MOST, err);
	if (rc == 0)
		rc = get_numbers(&f.link, &f.n_links, json_object_get(failed, "links"), "links",
		                 loom_topo_channels(whole) - 1, err);
	if (rc == 0)
		rc = get_numbers(&f.node, &f.n_nodes, json_object_get(failed, "nodes"), "nodes", whole->n_nodes - 1,
		                 err);
	if (rc == 0)
		rc = loom_topo_without(out, whole, &f, n_lanes, err);
	loom_failures_free(&f);
	loom_topo_free(whole);
	return rc;
}
