// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_CERTIFICATE_H
#define LOOM_CERTIFICATE_H

#include <flitloom/api.h>
#include <flitloom/err.h>
#include <flitloom/plan.h>
#include <flitloom/routes/pair_routes.h>
#include <flitloom/topo.h>

LOOM_API_BEGIN

// Certificates of routes: files by which another program can check that messages on these routes cannot lock. A
// certificate is JSON. It has the nodes and links of a direct network and, for each pass, the routes, how many
// messages take each, and a number for each (link, lane) that several messages share. The number is the length of the
// longest chain of these (link, lane) pairs that leads to it, in which each is followed by the next on some route.
// Numbers that rise along every route prove that there is no circle ([Dally87]). tools/check_certificate.py reads the
// file, and describes its format.
//
// All functions: LOOM_EINPUT: no direct network, or routes that can lock on the lanes of the network; LOOM_EFILE;
// LOOM_ENOMEM.

// Certifies the routes of all pairs of nodes.
int loom_pair_routes_certify(const struct loom_pair_routes *routes, const struct loom_topo *topo, const char *path,
                             struct loom_err *err);
// Certifies the routes of a rule, of all pairs of nodes. LOOM_EINPUT also for more than LOOM_PAIR_NODES_MAX nodes.
int loom_routing_certify(const struct loom_topo *topo, enum loom_rule rule, const char *path, struct loom_err *err);
// Certifies the routes of a plan's messages, pass by pass; the passes of a free run are one. LOOM_EINPUT: routers
// choose them.
int loom_plan_certify(const struct loom_plan *plan, const char *path, struct loom_err *err);

LOOM_API_END

#endif
