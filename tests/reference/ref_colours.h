// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef REF_COLOURS_H
#define REF_COLOURS_H

#include <stdbool.h>

#include "ref_net.h"

// The least number of passes in which no two messages conflict, by trying all. No code is shared with the library.

#define REF_COLOURS_MAX 64u // messages

// Returns the least number of passes for n messages, 0 for n = 0. conflict[i * n + k]: messages i and k cannot share a
// pass.
unsigned ref_colours(const bool *conflict, unsigned n);

// Marks which of n messages on `net` conflict: they share a channel, injection and ejection included, or, with
// half_duplex, they cross a link in opposite directions. Messages to their own node cross nothing. out has n * n
// elements. -ENOMEM.
int ref_conflicts(bool *out, const struct ref_net *net, bool half_duplex, const struct ref_way *way, unsigned n);

#endif
