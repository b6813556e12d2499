// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_VIA_H
#define LOOM_VIA_H

#include <stdbool.h>
#include <stdint.h>

#include <flitloom/api.h>
#include <flitloom/err.h>
#include <flitloom/topo.h>

LOOM_API_BEGIN

// Rules by which a message goes through a node that is drawn for it before it leaves: oblivious routing. Its route
// is known from then on. docs/adaptive.md says why messages by each of them cannot lock.
//
//   o1turn   meshes of two dimensions: half of the messages correct x first, half y [Seo05]. The node is the corner where they turn
//   romm     through any node on a shortest way, all equally likely [Nesson95]: in each dimension the message goes some of its
//            links to the node, and the rest from there
//   valiant  through any node at all [Valiant82]
//
// Each link has an even number of lanes. By o1turn the first half are for messages that correct x first, the second
// half for the others. By romm and valiant, a message goes to the drawn node on the first half of the lanes, and from
// there to its destination on the second half; on both parts it corrects one dimension after the other, the lowest
// first. Within a half it takes the lane that a message to the end of that part would take if the links had only that
// half.

// True if the rule is one of those above.
bool loom_rule_has_via(unsigned rule);
// Fails unless the rule is one of those above, is defined on the fabric and has the lanes that it needs. LOOM_EINPUT,
// in one line.
int loom_via_check(const struct loom_topo *t, unsigned rule, struct loom_err *err);
// Draws the node for a message from `source` to another node, for which loom_via_check returns 0. The same seed and
// the same `which`, a number of the message, draw the same node.
uint32_t loom_via_draw(const struct loom_topo *t, unsigned rule, uint32_t source, uint32_t destination, uint64_t seed,
                       uint64_t which);
// True if the rule may draw that node for such a message.
bool loom_via_fits(const struct loom_topo *t, unsigned rule, uint32_t source, uint32_t destination, uint32_t via);
// Sends a route through a node. The route was begun by such a rule, and loom_route_next has not been called for it.
// Without this call, that node is the destination.
void loom_route_go_by(struct loom_route *route, uint32_t via);

LOOM_API_END

#endif
