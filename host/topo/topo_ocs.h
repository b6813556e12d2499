// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_TOPO_OCS_H
#define LOOM_TOPO_OCS_H

#include <stdbool.h>

#include <flitloom/topo.h>

#define LOOM_TOPO_OCS_PORTS 4096  // the most ports of a switch
#define LOOM_TOPO_OCS_SWITCHES 16 // the most switches

// True if the fabric is one of optical circuit switches: extent[0] ports on each, and n_nodes / extent[0] of them.
bool loom_topo_has_circuits(const struct loom_topo *t);

// Stages of 2x2 switches that each of its circuit switches consists of; 0: they are crossbars, or there are none.
unsigned loom_topo_circuit_stages(const struct loom_topo *t);

// Refuses what has no schedule: LOOM_EINPUT on such a fabric, else 0. `what` is named: "random traffic".
int loom_topo_refuse_circuits(const struct loom_topo *t, const char *what, struct loom_err *err);

#endif
