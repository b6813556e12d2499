// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The permutations of [Sahni97], Tables 1 and 3, on OTIS-Meshes of the sides that are given: for each a line of CSV with the
// moves of a simulated 4-D mesh, those of planner otis, and the lower bound; each electronic, then OTIS. Plans have too many
// messages from side 16 on, so it asks for the moves alone. tests/e2e/otis_table.py makes the table of it.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <flitloom/math/otis.h>
#include <flitloom/pattern.h>

#include "plan/otis/otis_choose.h"

static const char *const names[] = {"transpose",      "shuffle",     "unshuffle",          "bit-reverse",
                                    "vector-reverse", "bit-shuffle", "shuffled-row-major", "gypx-swap"};

// source and destination: side^4 each.
static int put_row(const char *name, uint32_t side, uint32_t *source, uint32_t *destination, struct loom_err *err)
{
	uint32_t n = side * side, n_nodes = n * n;
	const uint32_t extent[2] = {n, n};
	const struct loom_pattern_options options = {.flits = 1, .n_dims = 2, .extent = extent};
	struct loom_otis_task task = {.side = side,
	                              .n_items = n_nodes,
	                              .source = source,
	                              .destination = destination,
	                              .cost = {.electronic = 1, .otis = 1}};
	struct loom_pattern pattern;
	struct loom_otis_step_counts mesh;
	struct loom_otis_moves moves;
	uint8_t *keep = NULL;
	int rc = loom_pattern_parse(&pattern, name, n_nodes, &options, err);
	if (rc != 0)
		return rc;
	for (uint32_t i = 0; i < n_nodes; i++) {
		source[i] = pattern.messages[i].source;
		destination[i] = pattern.messages[i].destination;
	}
	loom_pattern_free(&pattern);
	loom_otis_mesh_4d_count(&mesh, side, source, destination, n_nodes);
	rc = loom_otis_bound(&task.bound, side, source, destination, n_nodes, &task.cost, err);
	if (rc == 0)
		rc = loom_otis_choose(&moves, &keep, &task, err);
	if (rc != 0)
		return rc;
	(void)printf("%s,%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 "\n", name,
	             side, mesh.electronic, mesh.otis, moves.electronic, moves.otis, task.bound.electronic,
	             task.bound.otis);
	loom_otis_moves_free(&moves);
	free(keep);
	return 0;
}

int main(int argc, char **argv)
{
	struct loom_err err = {0};
	int rc = 0;
	(void)puts("permutation,side,mesh_electronic,mesh_otis,electronic,otis,bound_electronic,bound_otis");
	for (int i = 1; rc == 0 && i < argc; i++) {
		uint32_t side = (uint32_t)strtoul(argv[i], NULL, 10);
		if (side < 2 || side > LOOM_OTIS_SIDE_MOST) {
			(void)fprintf(stderr, "otis_table: \"%s\" is no side of an OTIS-Mesh: 2, 4, 8, 16 or 32\n",
			              argv[i]);
			return 2;
		}
		size_t n_nodes = (size_t)side * side * side * side;
		uint32_t *ends = calloc(2 * n_nodes, sizeof *ends);
		for (size_t k = 0; ends && rc == 0 && k < sizeof names / sizeof names[0]; k++)
			rc = put_row(names[k], side, ends, ends + n_nodes, &err);
		if (!ends)
			rc = loom_fail(&err, LOOM_ENOMEM, "out of memory");
		free(ends);
	}
	if (rc != 0)
		(void)fprintf(stderr, "otis_table: %s\n", err.text);
	return rc == 0 ? 0 : 1;
}
