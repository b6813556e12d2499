// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <flitloom/math/min.h>

const char *loom_min_name(enum loom_min_kind kind)
{
	static const char *const names[] = {
#define X(upper, lower, code, help) #lower,
		LOOM_MIN_LIST(X)
#undef X
	};
	return names[kind];
}

uint32_t loom_min_nodes(const struct loom_min *net)
{
	return UINT32_C(1) << net->m;
}

// Rotates the lowest `bits` bits by one place. The others stay.
static uint32_t rotate_left(uint32_t x, unsigned bits)
{
	uint32_t mask = (UINT32_C(1) << bits) - 1;
	return (x & ~mask) | (x << 1 & mask) | (x >> (bits - 1) & 1);
}

static uint32_t rotate_right(uint32_t x, unsigned bits)
{
	uint32_t mask = (UINT32_C(1) << bits) - 1;
	return (x & ~mask) | (x & mask) >> 1 | (x & 1) << (bits - 1);
}

static uint32_t exchange_with_bit_0(uint32_t x, unsigned bit)
{
	uint32_t differ = (x ^ x >> bit) & 1;
	return x ^ differ ^ differ << bit;
}

// Returns the line behind wire permutation s. A reverse network has at s the inverse of its original's permutation at m
// - s.
uint32_t loom_min_wire(const struct loom_min *net, unsigned s, uint32_t line)
{
	bool inside = s > 0 && s < net->m;
	switch (net->kind) {
	case LOOM_MIN_BASELINE: return inside ? rotate_right(line, net->m - s + 1) : line;
	case LOOM_MIN_RBASELINE: return inside ? rotate_left(line, s + 1) : line;
	case LOOM_MIN_OMEGA: return s < net->m ? rotate_left(line, net->m) : line;
	case LOOM_MIN_ROMEGA: return s > 0 ? rotate_right(line, net->m) : line;
	case LOOM_MIN_ICUBE: return inside ? exchange_with_bit_0(line, s) : line;
	case LOOM_MIN_RICUBE: return inside ? exchange_with_bit_0(line, net->m - s) : line;
	}
	return line;
}

unsigned loom_min_tag_bit(const struct loom_min *net, unsigned s)
{
	if (net->kind == LOOM_MIN_ROMEGA)
		return s;
	if (net->kind == LOOM_MIN_ICUBE)
		return s + 1 < net->m ? s + 1 : 0;
	return net->m - 1 - s;
}

uint32_t loom_min_step(const struct loom_min *net, unsigned s, uint32_t line, uint32_t destination)
{
	line = loom_min_wire(net, s, line) & ~UINT32_C(1);
	return line | (destination >> loom_min_tag_bit(net, s) & 1);
}

void loom_min_path(uint32_t out[LOOM_MIN_M_MAX], const struct loom_min *net, uint32_t source, uint32_t destination)
{
	uint32_t line = source;
	for (unsigned s = 0; s < net->m; s++) {
		line = loom_min_step(net, s, line, destination);
		out[s] = line;
	}
}

bool loom_min_crosses(const struct loom_min *net, const uint32_t *path, uint32_t source, unsigned s)
{
	uint32_t in = loom_min_wire(net, s, s ? path[s - 1] : source);
	return (in ^ path[s]) & 1;
}
