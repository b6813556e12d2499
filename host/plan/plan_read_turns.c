// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the turns that the messages of a plan do not take, which the plan lists.
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include <flitloom/routes/forbidden_turns.h>

#include "plan/plan_values.h"

// Reads a turn: node, incoming link, outgoing link.
static int get_turn(struct loom_turns *turns, const json_t *row, size_t i, struct loom_err *err)
{
	char what[64];
	uint32_t *number = NULL;
	(void)snprintf(what, sizeof what, "turns[%zu]", i);
	int rc = loom_plan_get_list(&number, row, what, 3, UINT32_MAX, err);
	if (rc == 0 && (number[0] >= turns->n_nodes || number[1] >= turns->n_links || number[2] >= turns->n_links ||
	                number[1] == number[2]))
		rc = loom_fail(err, LOOM_EINPUT,
		               "%s: [%" PRIu32 ", %" PRIu32 ", %" PRIu32 "] is no turn: a node below %" PRIu32
		               ", and two links of it below %u",
		               what, number[0], number[1], number[2], turns->n_nodes, turns->n_links);
	if (rc == 0)
		loom_turns_forbid(turns, number[0], number[1], number[2], true);
	free(number);
	return rc;
}

int loom_plan_get_turns(struct loom_topo *topo, const json_t *list, struct loom_err *err)
{
	struct loom_turns turns = {0};
	if (!json_is_array(list))
		return loom_fail(err, LOOM_EINPUT, "\"turns\" is not a list of turns");
	int rc = loom_turns_init(&turns, topo, err);
	for (size_t i = 0; rc == 0 && i < json_array_size(list); i++)
		rc = get_turn(&turns, json_array_get(list, i), i, err);
	if (rc == 0)
		rc = loom_topo_set_turns(topo, &turns, err);
	loom_turns_free(&turns);
	return rc;
}
