// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

#include <flitloom/goal.h>
#include <flitloom/pattern.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_again(const struct loom_goal *goal)
{
	struct loom_goal again = {0};
	struct loom_err err = {0};
	char *text = NULL;
	size_t length = 0;
	if (loom_goal_write(&text, &length, goal, &err) != 0 ||
	    loom_goal_parse(&again, text, length, "again", &err) != 0 || again.n_ops != goal->n_ops ||
	    again.n_needs != goal->n_needs)
		abort();
	loom_goal_free(&again);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct loom_pattern_options options = {.flits = 1};
	struct loom_goal goal = {0};
	struct loom_pattern p = {0};
	struct loom_err err = {0};
	int code = loom_goal_parse(&goal, (const char *)data, size, "fuzz", &err);
	if (code) {
		if (code != err.code || !err.text[0] || goal.ops)
			abort();
		return 0;
	}
	check_again(&goal);
	code = goal.n_ranks > 4096 ? 0 : loom_pattern_from_goal(&p, "fuzz", goal.n_ranks, &goal, &options, &err);
	if (code && (code != err.code || !err.text[0] || p.messages))
		abort();
	// No program waits for ever.
	if (p.timing && loom_timing_check(p.timing, p.n_nodes, p.messages, p.n_messages, &err) != 0)
		abort();
	loom_pattern_free(&p);
	loom_goal_free(&goal);
	return 0;
}
