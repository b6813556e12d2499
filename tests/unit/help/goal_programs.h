// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef TEST_GOAL_PROGRAMS_H
#define TEST_GOAL_PROGRAMS_H

#include <stddef.h>

#include <flitloom/goal.h>
#include <flitloom/pattern.h>

#include "reference/ref_program.h"

// Patterns with timing, as programs.

// "0: s1/3 d5 w1.2 | 1: ...": 3 flits to 1, 5 cycles, the second message from 1; a3: in cycle 3 or later.
void goal_programs_show(char *out, size_t size, const struct loom_pattern *p);

// The programs of the reference machine; of each node an array. Freed by goal_programs_free.
struct ref_program *goal_programs_of(const struct loom_pattern *p, struct ref_message **out_message);
void goal_programs_free(struct ref_program *all, struct ref_message *message, unsigned n_nodes);

// Checks that the slow interpreter makes the same messages and entries of the text.
void goal_programs_compare(const char *text, const struct loom_pattern *p, const struct loom_pattern_options *options);

// The reference machine carries them out on a line: every wait is met. Otherwise the test fails. out_arrival: of each message of the
// pattern, or NULL.
void goal_programs_run(struct ref_arrival *out_arrival, const struct loom_pattern *p);

// Checks that operations and needs are equal, except lines and the order of the needs.
void goal_programs_assert_same(const struct loom_goal *a, const struct loom_goal *b);

#endif
