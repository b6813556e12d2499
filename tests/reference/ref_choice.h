// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef REF_CHOICE_H
#define REF_CHOICE_H

#include <stdbool.h>
#include <stdint.h>

#include "ref_net.h"

// Rules that leave a router a choice, worked out link by link from distances. Lanes of a node are numbered from 1 on: 1 + link *
// virtual channels + channel, and 0 is its ejection channel.

enum ref_rule {
	// 0 to 3 are enum ref_order
	REF_NEGATIVE_FIRST = 4,
	REF_WEST_FIRST,
	REF_NORTH_LAST,
	REF_ODD_EVEN,
	REF_DUATO,
	REF_TURNS = 12,
};

#define REF_FAR (~0u)

// The number of links from one node to another on the shortest way.
unsigned ref_choice_distance(const struct ref_net *net, unsigned from, unsigned to);

// The rule has a meaning on this network, with its virtual channels.
bool ref_choice_is_defined(const struct ref_net *net, unsigned rule);

// Bit n: a message from `source` that is at `here` may go by lane n. *out_last: only if no other one is free. came: the number of the input
// by which it came in, 0 the node's own, 1 + link; turns alone look at it. By any other rule the net is none with tables and no graph.
uint64_t ref_choice(uint64_t *out_last, const struct ref_net *net, unsigned rule, unsigned source, unsigned here,
                    unsigned came, unsigned destination);

#endif
