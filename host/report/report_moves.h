// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_REPORT_MOVES_H
#define LOOM_REPORT_MOVES_H

#include <jansson.h>

#include <flitloom/verdict.h>

#include "report/report_table.h"

// Reports plans of moves on an OTIS-Mesh. Nothing is written for other plans.

// Writes the names of the links of a step: "+x", "light", "+x,light"; "-" if nothing moves in it.
void loom_report_step_name(char out[48], const struct loom_topo *topo, uint32_t links);

// Adds "moves" and "steps" to a report in JSON. Not 0: out of memory.
int loom_report_moves_to(json_t *object, const struct loom_plan *plan, uint32_t n_steps, const struct loom_step *steps,
                         const struct loom_move_counts *moves);

// Adds "moves_by" and "moves_bound", for plans of planner otis. Not 0: out of memory.
int loom_report_moves_claim_to(json_t *object, const struct loom_plan *plan);

// Adds rows to a table: electronic moves, OTIS moves, and how planner otis found them.
void loom_table_moves(struct loom_table *t, const struct loom_plan *plan, const struct loom_verdict *v);

#endif
