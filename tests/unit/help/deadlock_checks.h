// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef TEST_DEADLOCK_CHECKS_H
#define TEST_DEADLOCK_CHECKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <flitloom/plan.h>

#include "base/rng.h"

// The tests of deadlocks share this: a plain search for circles on a matrix, and plans made message by message.

enum { NODES_MOST = 64, CHANNELS_MOST = 1024, ROUTE_MOST = 80, MESSAGES_MOST = 128 };

struct matrix {
	uint32_t n;
	uint8_t edge[CHANNELS_MOST][CHANNELS_MOST];
};

// Returns the number of a lane, which is a virtual channel; if links have one, the number of the channel.
uint32_t lane_of(const struct loom_topo *t, uint32_t channel, unsigned vc);
unsigned lanes_of(uint32_t out[ROUTE_MOST], const struct loom_topo *t, uint32_t source, uint32_t destination,
                  unsigned rule);

uint32_t rng_below(struct loom_rng *rng, uint32_t bound);

void matrix_clear(struct matrix *m, uint32_t n);
bool matrix_has_circle(const struct matrix *m);
// Adds the lanes that a message on this route holds and requests; false: it uses no channel.
bool matrix_add_route(struct matrix *m, const struct loom_topo *t, uint32_t source, uint32_t destination,
                      unsigned rule);

// Makes a plan for messages in passes, on a map that is rotated by `shift`.
void plan_without_messages(struct loom_plan *plan, const char *fabric, uint32_t n_passes, uint32_t shift);
void add_message(struct loom_plan *plan, uint32_t pass, uint32_t source, uint32_t destination, unsigned rule);
// Adds a message, mostly to a distant node, because short ways rarely make a circle.
void add_random_message(struct loom_plan *plan, uint32_t pass, unsigned rule, struct loom_rng *rng);

// True if message i uses channels in this pass.
bool under_way(const struct loom_plan *plan, size_t i, uint32_t pass);
unsigned lanes_of_message(const struct loom_plan *plan, size_t i, uint32_t out[ROUTE_MOST]);

#endif
