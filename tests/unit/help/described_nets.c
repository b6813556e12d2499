// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "described_nets.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

const struct described all[N_ALL] = {
	{"cube:1", 0, 1, 1, {2}},
	{"cube:4", 0, 1, 4, {2, 2, 2, 2}},
	{"cube:6", 0, 1, 6, {2, 2, 2, 2, 2, 2}},
	{"line:2", 0, 0, 1, {2}},
	{"line:9", 0, 0, 1, {9}},
	{"line:64", 0, 0, 1, {64}},
	{"ring:2", 1, 0, 1, {2}},
	{"ring:3", 1, 0, 1, {3}},
	{"ring:8", 1, 0, 1, {8}},
	{"ring:17", 1, 0, 1, {17}},
	{"mesh:3x5", 0, 0, 2, {3, 5}},
	{"mesh:1x4", 0, 0, 2, {1, 4}},
	{"mesh:4x1", 0, 0, 2, {4, 1}},
	{"mesh:2x2", 0, 0, 2, {2, 2}},
	{"mesh:4x3x2", 0, 0, 3, {4, 3, 2}},
	{"mesh:16x16", 0, 0, 2, {16, 16}},
	{"mesh:2x3x1x2x2", 0, 0, 5, {2, 3, 1, 2, 2}},
	{"torus:1x4", 1, 0, 2, {1, 4}},
	{"torus:4x1", 1, 0, 2, {4, 1}},
	{"torus:2x2", 1, 0, 2, {2, 2}},
	{"torus:5x3", 1, 0, 2, {5, 3}},
	{"torus:4x4x4", 1, 0, 3, {4, 4, 4}},
	{"torus:2x4x3", 1, 0, 3, {2, 4, 3}},
};

struct loom_topo fabric(const char *name)
{
	struct loom_topo t;
	struct loom_err err = {0};
	if (loom_topo_parse(&t, name, &err) != 0)
		fail_msg("%s: %s", name, err.text);
	assert_string_equal(t.name, name);
	return t;
}

int extent(const struct described *f, int d)
{
	return f->named[f->n_dims - 1 - d];
}

void place(int *out, const struct described *f, uint32_t node)
{
	for (int d = 0; d < f->n_dims; d++) {
		out[d] = (int)(node % (uint32_t)extent(f, d));
		node /= (uint32_t)extent(f, d);
	}
	assert_int_equal(node, 0);
}

uint32_t node_at(const struct described *f, const int *at)
{
	uint32_t node = 0;
	for (int d = f->n_dims - 1; d >= 0; d--)
		node = node * (uint32_t)extent(f, d) + (uint32_t)at[d];
	return node;
}

int64_t step(const struct described *f, uint32_t u, int d, int by)
{
	int at[DIMS], e = extent(f, d);
	place(at, f, u);
	at[d] += by;
	if (f->rings && e == 2 && by < 0)
		return NONE;
	if (f->rings && e > 1)
		at[d] = (at[d] + e) % e;
	return at[d] < 0 || at[d] >= e ? NONE : (int64_t)node_at(f, at);
}
