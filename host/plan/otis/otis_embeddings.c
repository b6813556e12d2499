// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <flitloom/math/otis_embeddings.h>

#include <string.h>

// Returns the place of element k of the snake through an n x n array.
static uint32_t snake(uint32_t side, uint32_t k)
{
	uint32_t row = k / side, column = k % side;
	return row * side + (row % 2 ? side - 1 - column : column);
}

uint32_t loom_otis_group_row(uint32_t side, uint32_t processor)
{
	uint32_t n = side * side;
	return snake(side, processor / n) * n + snake(side, processor % n);
}

uint32_t loom_otis_group_submesh(uint32_t side, uint32_t processor)
{
	uint32_t n = side * side, i = processor / n, j = processor % n;
	uint32_t group = i / side * side + j / side, place = i % side * side + j % side;
	return group * n + place;
}

loom_otis_embedding loom_otis_embedding_named(const char *name)
{
	return strcmp(name, "group-row") == 0       ? loom_otis_group_row
	       : strcmp(name, "group-submesh") == 0 ? loom_otis_group_submesh
	                                            : NULL;
}
