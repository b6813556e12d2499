// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes the links of an OTIS-Mesh, and the distances between its nodes ([Sahni97], section 2).
#include <flitloom/math/otis.h>

const char *loom_otis_direction_name(unsigned direction)
{
	static const char *const names[LOOM_OTIS_DIRECTIONS] = {"right", "left", "down", "up", "light"};
	return direction < LOOM_OTIS_DIRECTIONS ? names[direction] : NULL;
}

// Returns the hops between two places of an n x n mesh.
static uint32_t within_group(uint32_t side, uint32_t p, uint32_t q)
{
	uint32_t x = p % side, y = p / side, to_x = q % side, to_y = q / side;
	return (x > to_x ? x - to_x : to_x - x) + (y > to_y ? y - to_y : to_y - y);
}

uint32_t loom_otis_distance(uint32_t side, uint32_t from, uint32_t to)
{
	uint32_t n = side * side, g = from / n, p = from % n, to_g = to / n, to_p = to % n;
	uint32_t electronic = within_group(side, p, to_p);
	if (g == to_g)
		return electronic;
	uint32_t by_two = electronic + within_group(side, g, to_g) + 2;
	uint32_t by_one = within_group(side, p, to_g) + within_group(side, to_p, g) + 1;
	return by_one < by_two ? by_one : by_two;
}

uint32_t loom_otis_diameter(uint32_t side)
{
	return 4 * side - 3;
}

bool loom_otis_neighbour(uint32_t *out, uint32_t side, uint32_t node, enum loom_otis_direction direction)
{
	uint32_t n = side * side, g = node / n, p = node % n, x = p % side, y = p / side;
	switch (direction) {
	case LOOM_OTIS_RIGHT: *out = node + 1; return x + 1 < side;
	case LOOM_OTIS_LEFT: *out = node - 1; return x > 0;
	case LOOM_OTIS_DOWN: *out = node + side; return y + 1 < side;
	case LOOM_OTIS_UP: *out = node - side; return y > 0;
	case LOOM_OTIS_LIGHT: *out = p * n + g; return g != p;
	case LOOM_OTIS_DIRECTIONS: break;
	}
	return false;
}
