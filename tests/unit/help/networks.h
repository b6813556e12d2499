// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef TEST_NETWORKS_H
#define TEST_NETWORKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <flitloom/plan.h>

#include "reference/ref_min.h"

// The tests of plans on multistage networks share this.

enum { NETS = 6 };
extern const char *const net_names[NETS]; // in the order of their codes, from 2 on

// A plan of `spec` on the fabric; map, planner NULL: the default. Fails the test if there is none.
void plan_on(struct loom_plan *out, const char *fabric, const char *spec, const char *planner, const char *map,
             uint32_t flits, uint64_t seed);
// A map of n nodes at random, "3,1,0,2"; out has room for 8 n bytes.
void random_map(char *out, uint32_t n, uint64_t seed);

// The reference's tables of the network which messages of this rule pass on the plan's fabric; static, until the next
// call.
const struct ref_min *reference_of(const struct loom_plan *plan, unsigned rule);

// Fails the test unless no two messages of a pass leave a stage on one line or begin or end at one node. By the
// reference's paths.
void assert_no_conflicts(const struct loom_plan *plan);

#endif
