// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_RULE_WAYS_H
#define LOOM_RULE_WAYS_H

#include <stdbool.h>
#include <stdint.h>

#include <flitloom/topo.h>

#include "base/arrays.h"

// The channels that a message may cross by a rule that lets routers choose. All its ways are equally long, and each
// link has the same position on every way that contains it. A place of a message is node * (links of a node + 1) +
// input, where input is 0 at the source and by rules that do not depend on it, else link + 1.
struct loom_rule_ways {
	const struct loom_topo *topo;
	// owned: places that it may have reached after some number of links; those after one more link; the links
	// between
	uint32_t *place, *next, *channel;
	uint64_t *seen; // owned, by place a bit: it is in `next`
	// owned, by place: cycles by which links have delayed it on the fastest way there, for loom_rule_ways_late
	uint32_t *late;
	uint32_t n_places;         // elements of `place`
	struct loom_arrays arrays; // owns the arrays
};

// LOOM_ENOMEM. Free with loom_rule_ways_end in any case.
int loom_rule_ways_begin(struct loom_rule_ways *ways, const struct loom_topo *topo, struct loom_err *err);
void loom_rule_ways_end(struct loom_rule_ways *ways);
// Calls `visit` for each channel that a message may cross, including the nodes' own. is_only: it crosses the channel
// whatever routers choose.
void loom_rule_ways_visit(struct loom_rule_ways *ways, unsigned rule, uint32_t source, uint32_t destination,
                          void (*visit)(void *user, uint32_t channel, bool is_only), void *user);
// Returns the least number of cycles by which slow links and routers delay a header, among all ways whose links have at
// most that delay. UINT32_MAX: there is no such way.
uint32_t loom_rule_ways_late(struct loom_rule_ways *ways, unsigned rule, uint32_t source, uint32_t destination,
                             unsigned delay_most);

#endif
