// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_TOPO_SUFFIX_H
#define LOOM_TOPO_SUFFIX_H

#include <flitloom/topo.h>

// The end of a fabric's name that says what its routers are made of, and not what network it is: "b8d3" of mesh:8x8v2b8d3,
// ":b8:d3" of graph:FILE:v2:b8:d3.

// What is said there.
struct loom_topo_suffix {
	unsigned buffers; // 0: nothing is said
	unsigned link_delay;
	bool has_link_delay;
};

// Reads it from the end of a text. Returns the length of the text before it.
size_t loom_topo_suffix_split(struct loom_topo_suffix *out, const char *text);
// Makes the fabric so, and writes it behind the name, where there may be another one.
int loom_topo_suffix_set(struct loom_topo *t, const struct loom_topo_suffix *suffix, struct loom_err *err);

#endif
