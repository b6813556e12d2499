// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_ROUTE_VIA_H
#define LOOM_ROUTE_VIA_H

#include <stdbool.h>
#include <stdint.h>

#include <flitloom/topo.h>

// True of a route by a rule of flitloom/routes/via.h that goes on to another node.
bool loom_route_via_goes_on(const struct loom_route *route);
// Takes its next link, as loom_route_next has it.
void loom_route_via_next(struct loom_route *route, uint32_t *channel);

#endif
