// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef TEST_VERDICT_SCENE_H
#define TEST_VERDICT_SCENE_H

#include <stddef.h>
#include <stdint.h>

#include <flitloom/verdict.h>

// A plan by hand and what a flawless cube makes of it: routes are walked here bit by bit, cycles are the slow reference
// machine's. The tests then spoil the trace (or the plan) in one way each, and ask for the differences word by word.
struct scene {
	struct loom_plan plan;
	struct loom_trace trace;
	struct loom_verdict verdict;
	struct loom_err err;
};

enum { SEED = 0x3a5 };
enum { ROOM = 128 }; // arrivals that a trace of these tests can take

void scene_set_up(struct scene *s, const char *fabric, const uint32_t *map, unsigned n_order, const unsigned *order,
                  const struct loom_plan_message *messages, size_t n_messages, uint32_t n_passes);
// Makes a plan: pass 0 has no contention, in pass 1 two messages contend. Processor v is on node v ^ 2.
void scene_two_passes(struct scene *s);
void scene_tear_down(struct scene *s);

struct loom_count *scene_count_at(struct scene *s, uint32_t pass, uint32_t node, uint32_t k);
// Returns the arrival of message i; a message to its own node has none.
struct loom_arrival *scene_arrival_of(struct scene *s, size_t message);
void scene_remove_arrival(struct scene *s, size_t message);
void scene_add_arrival(struct scene *s, struct loom_arrival arrival);

// Checks that these are all differences, in this order. The last argument is NULL.
void scene_judge(struct scene *s, ...);
void assert_group(const struct loom_group_count *group, const char *name, uint32_t max, uint64_t sum);
#define NO_MORE ((const char *)NULL)

#endif
