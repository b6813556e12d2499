// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_TOPO_MIN_H
#define LOOM_TOPO_MIN_H

#include <stdbool.h>

#include <flitloom/math/min.h>
#include <flitloom/topo.h>

#define LOOM_TOPO_MIN_NODES 1024 // nodes of the largest of them
// Finds the multistage network that messages of this rule pass on the fabric; false: the fabric is of another kind. The
// rule matters only on a `benes` fabric: ascending messages pass the inverse omega network, descending ones the omega
// network (as the two rules of a cube do: [Youssef93], Theorem 2).
bool loom_topo_min(struct loom_min *out, const struct loom_topo *t, enum loom_rule rule);

#endif
