// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "otis_plans.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

const struct ref_otis_hop otis_five[OTIS_FIVE] = {
	{0, 0, 1, 0, 1},  {0, 4, 5, 0, 2},   {1, 1, 3, 1, 1},   {1, 5, 7, 2, 0},
	{2, 3, 12, 1, 9}, {3, 12, 13, 9, 1}, {4, 13, 15, 1, 0},
};
const struct ref_otis_item otis_five_items[2] = {{0, 15}, {4, 7}};

// Returns the message that brought the item of hop i.
static uint32_t origin_of(const struct ref_otis_hop *hop, size_t i)
{
	for (size_t k = i; hop[i].from && k-- > 0;)
		if (hop[k].pass < hop[i].pass && hop[k].destination == hop[i].source && hop[k].keep == hop[i].from)
			return (uint32_t)k;
	return (uint32_t)i;
}

void otis_plan_of_hops(struct loom_plan *out, const char *fabric, const struct ref_otis_hop *hop, size_t n)
{
	struct loom_err err = {0};
	struct loom_topo topo;
	struct loom_pattern pattern;
	if (loom_topo_parse(&topo, fabric, &err) != 0 ||
	    loom_pattern_parse(&pattern, "identity", topo.n_nodes, &(struct loom_pattern_options){.flits = 5}, &err) !=
	            0 ||
	    loom_plan_make(out, &topo, &pattern, &(struct loom_plan_options){.planner = "direct"}, &err) != 0)
		fail_msg("%s: %s", fabric, err.text);
	loom_pattern_free(&pattern);
	free(out->messages);
	free(out->member_of_pass);
	out->n_messages = n;
	out->n_passes = n ? hop[n - 1].pass + 1 : 1;
	out->messages = calloc(n + 1, sizeof *out->messages);
	out->member_of_pass = calloc(out->n_passes, sizeof *out->member_of_pass);
	assert_true(out->messages && out->member_of_pass);
	for (size_t i = 0; i < n; i++)
		out->messages[i] = (struct loom_plan_message){.pass = hop[i].pass,
		                                              .source = hop[i].source,
		                                              .destination = hop[i].destination,
		                                              .flits = 5,
		                                              .from_slot = (uint8_t)hop[i].from,
		                                              .keep_slot = (uint8_t)hop[i].keep,
		                                              .origin = origin_of(hop, i)};
	if (loom_plan_predict(out, &err) != 0)
		fail_msg("%s: %s", fabric, err.text);
}

struct ref_otis_played otis_play_plan(const struct loom_plan *plan, const struct loom_pattern *pattern)
{
	struct ref_otis_played played;
	struct ref_otis_hop *hop = calloc(plan->n_messages + 1, sizeof *hop);
	struct ref_otis_item *wanted = calloc(pattern->n_messages + 1, sizeof *wanted);
	assert_true(hop && wanted);
	for (size_t i = 0; i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		hop[i] = (struct ref_otis_hop){m->pass, plan->map[m->source], plan->map[m->destination], m->from_slot,
		                               m->keep_slot};
	}
	for (size_t i = 0; i < pattern->n_messages; i++)
		wanted[i] = (struct ref_otis_item){plan->map[pattern->messages[i].source],
		                                   plan->map[pattern->messages[i].destination]};
	ref_otis_play(&played, plan->topo.extent[0], hop, plan->n_messages, wanted, pattern->n_messages);
	free(hop);
	free(wanted);
	return played;
}
