// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
// Patterns that go by the coordinates of processors: their numbers written with the extents as radices, dimension 0 the
// last digit.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/pattern.h>

#include "base/text.h"
#include "pattern/pattern_internal.h"

bool loom_pattern_has_coordinates(const struct loom_pattern_request *rq)
{
	for (unsigned d = 0; d < rq->n_dims; d++)
		if (rq->extent[d] > 2)
			return rq->n_dims > 1;
	return false;
}

// As a fabric's name has it: "3x5".
static const char *shape_text(char out[64], unsigned n_dims, const uint32_t *extent)
{
	size_t length = 0;
	out[0] = 0;
	for (unsigned d = n_dims; d-- > 0 && length < 64;)
		length += (size_t)snprintf(out + length, 64 - length, "%" PRIu32 "%s", extent[d], d > 0 ? "x" : "");
	return out;
}

// ---- By a distance ----

// Coordinate d plus by[d], which is less than its extent, modulo the extent.
static int make_moved(struct loom_pattern *out, const struct loom_pattern_request *rq, const uint32_t *by,
                      struct loom_err *err)
{
	uint32_t *map = malloc(rq->n_nodes * sizeof *map);
	if (!map)
		return loom_pattern_no_memory(err);
	for (uint32_t x = 0; x < rq->n_nodes; x++) {
		uint32_t rest = x, stride = 1;
		map[x] = 0;
		for (unsigned d = 0; d < rq->n_dims; d++) {
			uint32_t extent = rq->extent[d];
			map[x] += (rest % extent + by[d]) % extent * stride;
			rest /= extent;
			stride *= extent;
		}
	}
	int code = loom_pattern_make_from_map(out, rq, map, err);
	free(map);
	return code;
}

// By number, whatever the shape: that of one extent.
static int make_shifted(struct loom_pattern *out, const struct loom_pattern_request *rq, uint32_t by,
                        struct loom_err *err)
{
	struct loom_pattern_request flat = *rq;
	flat.n_dims = 1;
	flat.extent = &rq->n_nodes;
	return make_moved(out, &flat, &by, err);
}

static int make_identity(struct loom_pattern *out, const struct loom_pattern_request *rq, struct loom_err *err)
{
	return make_shifted(out, rq, 0, err);
}

static int fail_distances(const struct loom_pattern_request *rq, unsigned n, struct loom_err *err)
{
	char shape[64];
	shape_text(shape, rq->n_dims, rq->extent);
	if (rq->n_dims == 1)
		return loom_fail(err, LOOM_EINPUT, "pattern %s: %u distances: there is one extent, %s, so one distance",
		                 rq->row->name, n, shape);
	return loom_fail(err, LOOM_EINPUT, "pattern %s: %u distances: it must be one, or one for each extent of %s",
	                 rq->row->name, n, shape);
}

// DY,DX: the highest dimension first.
static int read_distances(uint32_t by[LOOM_PATTERN_DIMS_MAX], const struct loom_pattern_request *rq,
                          struct loom_err *err)
{
	unsigned n = 1;
	for (const char *c = rq->argument; *c; c++)
		n += *c == ',';
	if (n != rq->n_dims)
		return fail_distances(rq, n, err);
	const char *at = rq->argument;
	for (unsigned d = rq->n_dims; d-- > 0;) {
		size_t length = strcspn(at, ",");
		int code = loom_pattern_distance(&by[d], rq, at, length, rq->extent[d], err);
		if (code)
			return code;
		at += length + (at[length] == ',');
	}
	return 0;
}

static int make_shift(struct loom_pattern *out, const struct loom_pattern_request *rq, struct loom_err *err)
{
	uint32_t by[LOOM_PATTERN_DIMS_MAX];
	if (!strchr(rq->argument, ',')) {
		int code = loom_pattern_distance(by, rq, rq->argument, strlen(rq->argument), rq->n_nodes, err);
		return code ? code : make_shifted(out, rq, by[0], err);
	}
	int code = read_distances(by, rq, err);
	return code ? code : make_moved(out, rq, by, err);
}

// Just less than half way round, so that on shortest routes all messages go in the same direction. Where no extent is
// above 2 that is no way at all, and the processors are taken as one ring.
static int make_tornado(struct loom_pattern *out, const struct loom_pattern_request *rq, struct loom_err *err)
{
	uint32_t by[LOOM_PATTERN_DIMS_MAX];
	if (!loom_pattern_has_coordinates(rq))
		return make_shifted(out, rq, (rq->n_nodes + 1) / 2 - 1, err);
	for (unsigned d = 0; d < rq->n_dims; d++)
		by[d] = (rq->extent[d] + 1) / 2 - 1;
	return make_moved(out, rq, by, err);
}

int loom_pattern_make_next(struct loom_pattern *out, const struct loom_pattern_request *rq, struct loom_err *err)
{
	uint32_t by[LOOM_PATTERN_DIMS_MAX];
	for (unsigned d = 0; d < rq->n_dims; d++)
		by[d] = rq->extent[d] > 1;
	return make_moved(out, rq, by, err);
}

// ---- Transpose ----

static bool has_side(uint32_t n_nodes, uint32_t side, unsigned n_dims)
{
	uint64_t power = 1;
	for (unsigned d = 0; d < n_dims && power <= n_nodes; d++)
		power *= side;
	return power <= n_nodes;
}

static int check_equal_extents(const struct loom_pattern_request *rq, struct loom_err *err)
{
	char shape[64], right[64];
	uint32_t equal[LOOM_PATTERN_DIMS_MAX], side = 2;
	bool same = true;
	for (unsigned d = 1; d < rq->n_dims; d++)
		same = same && rq->extent[d] == rq->extent[0];
	if (same)
		return 0;
	while (has_side(rq->n_nodes, side + 1, rq->n_dims))
		side++;
	for (unsigned d = 0; d < rq->n_dims; d++)
		equal[d] = side;
	return loom_fail(err, LOOM_EINPUT, "pattern %s needs equal extents, such as %s, not %s", rq->row->name,
	                 shape_text(right, rq->n_dims, equal), shape_text(shape, rq->n_dims, rq->extent));
}

int loom_pattern_make_transposed(struct loom_pattern *out, const struct loom_pattern_request *rq, struct loom_err *err)
{
	int code = check_equal_extents(rq, err);
	if (code)
		return code;
	uint32_t *map = malloc(rq->n_nodes * sizeof *map);
	if (!map)
		return loom_pattern_no_memory(err);
	for (uint32_t x = 0; x < rq->n_nodes; x++) {
		uint32_t rest = x;
		map[x] = 0;
		for (unsigned d = 0; d < rq->n_dims; d++, rest /= rq->extent[0])
			map[x] = map[x] * rq->extent[0] + rest % rq->extent[0];
	}
	code = loom_pattern_make_from_map(out, rq, map, err);
	free(map);
	return code;
}

// clang-format off
const struct loom_pattern_row loom_pattern_rows_shape[] = {
	{"identity", NULL, "every processor to itself", MAKER(make_identity)},
	{"shift", "K or DY,DX", "x to x + K modulo the number of processors; with commas by coordinates, each modulo its "
		"extent; distances may be negative", MAKER(make_shift)},
	{"tornado", NULL, "just under half way round in every dimension; where no extent is above 2, as on a cube, round all "
		"processors", MAKER(make_tornado)},
	{.name = NULL},
};
// clang-format on
