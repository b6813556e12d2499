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

// Returns the stages of 2x2 switches of which each circuit switch consists; 0: they are crossbars, or there are none.
unsigned loom_topo_circuit_stages(const struct loom_topo *t);

// Refuses a request that has no schedule: LOOM_EINPUT on a fabric of circuit switches, else 0. `what` names the
// request: "random traffic".
int loom_topo_refuse_circuits(const struct loom_topo *t, const char *what, struct loom_err *err);

#endif
