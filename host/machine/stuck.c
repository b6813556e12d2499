// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "machine/stuck.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/err_add.h"
#include "machine/adaptive.h"

#define WAITS_NAMED 3
#define PROGRAMS_NAMED 2

// Adds the first messages of a circle of waits to the text.
static void name_circle(const struct loom_plan *plan, const struct loom_engine_wait *wait, size_t n,
                        struct loom_err *err)
{
	for (size_t k = 0; k < n && k < WAITS_NAMED; k++) {
		const struct loom_plan_message *m = &plan->messages[wait[k].message];
		char name[48];
		loom_topo_channel_name(&plan->topo, wait[(k + 1) % n].lane / plan->topo.n_vcs, name);
		loom_err_add(err, "%smessage %llu (%u to %u) waits for %s", k ? ", " : "; in a circle ",
		             (unsigned long long)wait[k].message, m->source, m->destination, name);
	}
	loom_err_add_more(err, n, WAITS_NAMED);
}

// Adds the first programs that wait for messages to the text.
static void name_programs(const struct loom_plan *plan, const struct loom_play *play, struct loom_err *err)
{
	size_t n = 0;
	for (uint32_t v = 0; v < plan->topo.n_nodes; v++) {
		const struct loom_entry *entry = loom_play_waits(play, v);
		if (entry && n++ < PROGRAMS_NAMED)
			loom_err_add(err, "; node %u waits for message %u from processor %u", plan->map[v],
			             entry->value, entry->source);
	}
	loom_err_add_more(err, n, PROGRAMS_NAMED);
}

int loom_machine_fail_stuck(const struct loom_plan *plan, struct loom_play *play, const struct loom_engine_net *net,
                            bool paper, uint32_t pass, struct loom_err *err)
{
	struct loom_err text = {0}; // err may be NULL
	struct loom_engine_wait *wait = NULL;
	enum loom_engine_state state;
	size_t n = 0;
	const bool chooses = net->topo != NULL; // then the pass ran on an engine that reports locks already
	int code = chooses ? 0 : loom_play_pass_again(play, net, &loom_engine_lanes, paper, err);
	if (code == 0)
		code = play->kind->run(play->engine, &state, UINT64_MAX, err);
	if (code == 0 && state == LOOM_ENGINE_LOCKED)
		code = chooses ? loom_adaptive_lock(play->engine, &wait, &n, err)
		               : loom_lanes_lock(play->engine, &wait, &n, err);
	if (code)
		return code;
	loom_err_add(&text, "stuck in pass %u: messages are outstanding and no flit moves after cycle %llu", pass,
	             (unsigned long long)play->kind->cycle(play->engine));
	if (n > 0)
		name_circle(plan, wait, n, &text);
	name_programs(plan, play, &text);
	free(wait);
	return loom_fail(err, LOOM_ESTUCK, "%s", text.text);
}
