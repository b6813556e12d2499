// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_PLAN_VALUES_H
#define LOOM_PLAN_VALUES_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

#include <flitloom/plan.h>

// Functions that read values of a plan's file, for plan_read.c and plan_read_predicted.c. LOOM_EINPUT: the text names
// the wrong value by `what`.

// Fails unless `object` is an object with exactly these keys; the last n_may_lack of them may be missing.
int loom_plan_check_keys(const json_t *object, const char *what, const char *const *keys, size_t n_keys,
                         size_t n_may_lack, struct loom_err *err);
int loom_plan_get_number(uint32_t *out, const json_t *value, const char *what, uint32_t most, struct loom_err *err);
// Reads a name that can be shown to a person: it fits, and has no control characters.
int loom_plan_get_name(char *out, size_t size, const json_t *value, const char *what, struct loom_err *err);
// Reads a list of exactly n numbers. *out is malloc'ed.
int loom_plan_get_list(uint32_t **out, const json_t *value, const char *what, size_t n, uint32_t most,
                       struct loom_err *err);

// Reads "graph" of the fabric of that name (plan_read_graph.c).
int loom_plan_get_graph(struct loom_topo *out, const char *fabric, const json_t *graph, struct loom_err *err);

// Reads "failed": makes what is left of the fabric `whole`, which it frees (plan_read_failed.c).
int loom_plan_get_failed(struct loom_topo *out, struct loom_topo *whole, const json_t *failed, struct loom_err *err);

// Reads "turns" of a plan whose messages go by them, and gives them to its fabric (plan_read_turns.c).
int loom_plan_get_turns(struct loom_topo *topo, const json_t *list, struct loom_err *err);

// Reads "timing" of a plan that has its messages (plan_read_timing.c).
int loom_plan_get_timing(struct loom_plan *plan, const json_t *timing, struct loom_err *err);

// Reads "predicted" of a plan that has all the rest: takes what cannot be computed, predicts, and compares the file's
// predictions with the result (plan_read_predicted.c).
int loom_plan_get_predicted(struct loom_plan *plan, const json_t *predicted, struct loom_err *err);

#endif
