// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_TOPO_SPAN_H
#define LOOM_TOPO_SPAN_H

#include <flitloom/topo.h>

// The links that a message crosses if the fabric is one row of nodes or one ring. They are consecutive and all of one
// direction, so no caller has to walk along them.
struct loom_span {
	unsigned port;     // link 0, to the next larger node, or 1
	uint32_t first, n; // it leaves the nodes first, first + 1, ..., first + n - 1 by this link, round the ring
};

// Returns an upper bound of the links that a message crosses on a fabric, by any rule. Perhaps no message crosses so
// many.
uint32_t loom_topo_most_links(const struct loom_topo *t);

bool loom_topo_has_spans(const struct loom_topo *t);
// False: the fabric has no spans.
bool loom_topo_span(struct loom_span *out, const struct loom_topo *t, uint32_t source, uint32_t destination,
                    enum loom_rule rule);

#endif
