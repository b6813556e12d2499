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

// Returns the number of links of a shortest way between two nodes.
unsigned ref_choice_distance(const struct ref_net *net, unsigned from, unsigned to);

// True if the rule is defined on this network with its virtual channels.
bool ref_choice_is_defined(const struct ref_net *net, unsigned rule);

// Returns a mask: bit n is set if a message from `source` at node `here` may take lane n. *out_last: the lanes that it
// may take only if no other is free. came: the input by which the message came, 0: the node itself, or 1 + link; only
// rule REF_TURNS uses it. For all other rules the network must be no graph and have no tables.
uint64_t ref_choice(uint64_t *out_last, const struct ref_net *net, unsigned rule, unsigned source, unsigned here,
                    unsigned came, unsigned destination);

#endif
