// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef REF_CUT_H
#define REF_CUT_H

#include <stdint.h>

#include "ref_net.h"

// Every way to cut a few messages into passes in which no channel has two of them.

#define REF_CUT_MAX 9u // messages

struct ref_cut {
	unsigned passes; // the fewest passes
	uint64_t length; // the smallest sum over passes of the greatest length[i] in each, for any number of passes
};

// Messages with an empty way conflict with no others. -EINVAL: too many messages, or a node that does not exist.
int ref_cut_best(struct ref_cut *out, const struct ref_net *net, const struct ref_way *way, const uint64_t *length,
                 unsigned n);

#endif
