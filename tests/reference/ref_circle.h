// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef REF_CIRCLE_H
#define REF_CIRCLE_H

#include "ref_net.h"

// The channel dependency graph of messages which are under way together: an edge leads from a channel to every channel
// that some message crosses right after it. Without a circle in it they cannot lock.

// Looks for a circle, by depth-first search on the matrix of edges. out_circle gets its channels, each followed by the
// next and the last by the first; the caller owns room for ref_net_channels(). *out_n is 0 if there is none.
// -EINVAL: network too large, or a node number not in it; -ENOMEM.
int ref_circle_find(size_t *out_circle, size_t *out_n, const struct ref_net *net, const struct ref_way *way,
                    size_t n_ways);

// Returns 1 if these channels are a circle of that graph: none occurs twice, and each is followed by the next, the last
// by the first. It judges a circle that another program found; one graph may have many circles. 0 channels are none. 1:
// they are; 0: they are not; or as above.
int ref_circle_is(const size_t *circle, size_t n, const struct ref_net *net, const struct ref_way *way, size_t n_ways);

#endif
