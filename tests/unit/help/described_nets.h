// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef TEST_DESCRIBED_NETS_H
#define TEST_DESCRIBED_NETS_H

#include <stdint.h>

#include <flitloom/topo.h>

// Direct networks as a person would describe them: nodes have coordinates, neighbours differ by one in one of them, round the
// ring where there are rings.

enum { DIMS = 6, NODES = 300, LINKS = 12, NONE = -1 };

// The description of the network, written down apart from the code: extents in the order of the name, the last one that
// of x.
struct described {
	const char *name;
	int rings, bits, n_dims, named[DIMS];
};

enum { N_ALL = 23 };
extern const struct described all[N_ALL];

struct loom_topo fabric(const char *name); // fails the test if it cannot be read, or gets another name

int extent(const struct described *f, int d);
void place(int *out, const struct described *f, uint32_t node); // its coordinates, x first
uint32_t node_at(const struct described *f, const int *at);
// One step up (+1) or down (-1) in dimension d; NONE: it leads out of the network, or there is no such link.
int64_t step(const struct described *f, uint32_t u, int d, int by);

#endif
