// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef TEST_RANDOM_PROGRAMS_H
#define TEST_RANDOM_PROGRAMS_H

#include <stdbool.h>

#include <flitloom/pattern.h>

#include "base/rng.h"

// Messages with gates between them, of which there may be any.
struct random_programs {
	uint32_t n_nodes;
	size_t n_messages;    // 1 or more
	uint32_t most_flits;  // of a message
	uint32_t most_cycles; // of a delay; a message's `at` is up to 10 times as much
	bool may_lock;        // waits may be for any message that is sent; else all are met
	bool only_others;     // no message to oneself
};

// Freed by loom_pattern_free; fails the test where it is not to be had.
struct loom_pattern random_programs(const struct random_programs *what, struct loom_rng *rng);

// Returns true if all programs end. The slow way: goes through all programs again and again, and counts messages.
bool programs_end(const struct loom_pattern *p);

#endif
