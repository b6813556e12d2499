// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
// Patterns that go by the coordinates of processors: their numbers written with the extents as radices, dimension 0 the
// last digit.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/pattern.h>

#include "pattern/pattern_internal.h"

bool loom_pattern_has_coordinates(const struct loom_pattern_request *rq)
{
	for (unsigned d = 0; d < rq->n_dims; d++)
		if (rq->extent[d] > 2)
			return rq->n_dims > 1;
	return false;
}

// Writes a shape as a fabric's name has it: "3x5".
static const char *shape_text(char out[64], unsigned n_dims, const uint32_t *extent)
{
	size_t length = 0;
	out[0] = 0;
	for (unsigned d = n_dims; d-- > 0 && length < 64;)
		length += (size_t)snprintf(out + length, 64 - length, "%" PRIu32 "%s", extent[d], d > 0 ? "x" : "");
	return out;
}

// ---- By a distance ----

struct distance {
	uint32_t by; // forwards, less than the extent
	bool back;   // meant as extent - by backwards
};

// Moves coordinate d of x by distance[d], modulo the extent; false: it would be beyond an edge.
static bool moved(uint32_t *out, const struct loom_pattern_request *rq, uint32_t x, const struct distance *distance)
{
	uint32_t stride = 1;
	bool stays = true;
	*out = 0;
	for (unsigned d = 0; d < rq->n_dims; d++) {
		uint32_t extent = rq->extent[d], to = x % extent + distance[d].by;
		stays = stays && (to >= extent) == distance[d].back;
		*out += to % extent * stride;
		x /= extent;
		stride *= extent;
	}
	return stays;
}

// Makes the pattern that moves by these distances. A message beyond an edge goes on at the opposite one, or, without
// `wraps`, is left out.
static int make_moved(struct loom_pattern *out, const struct loom_pattern_request *rq, const struct distance *distance,
                      bool wraps, struct loom_err *err)
{
	size_t n = 0;
	struct loom_message *messages = malloc(rq->n_nodes * sizeof *messages);
	if (!messages)
		return loom_pattern_no_memory(err);
	for (uint32_t x = 0; x < rq->n_nodes; x++) {
		struct loom_message m = {.source = x, .flits = rq->options->flits};
		if (moved(&m.destination, rq, x, distance) || wraps)
			messages[n++] = m;
	}
	int code = loom_pattern_from_messages(out, rq->spec, rq->n_nodes, messages, n, err);
	free(messages);
	return code;
}

// Shifts by number, whatever the shape: that of one extent.
static int make_shifted(struct loom_pattern *out, const struct loom_pattern_request *rq, struct distance distance,
                        bool wraps, struct loom_err *err)
{
	struct loom_pattern_request flat = *rq;
	flat.n_dims = 1;
	flat.extent = &rq->n_nodes;
	return make_moved(out, &flat, &distance, wraps, err);
}

static int make_identity(struct loom_pattern *out, const struct loom_pattern_request *rq, struct loom_err *err)
{
	return make_shifted(out, rq, (struct distance){0}, true, err);
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

static int read_distance(struct distance *out, const struct loom_pattern_request *rq, const char *text, size_t length,
                         uint32_t extent, struct loom_err *err)
{
	int code = loom_pattern_distance(&out->by, rq, text, length, extent, err);
	out->back = code == 0 && *text == '-' && out->by > 0;
	return code;
}

// DY,DX: the highest dimension first.
static int read_distances(struct distance out[LOOM_PATTERN_DIMS_MAX], const struct loom_pattern_request *rq,
                          const char *text, size_t length, struct loom_err *err)
{
	unsigned n = 1;
	for (size_t i = 0; i < length; i++)
		n += text[i] == ',';
	if (n != rq->n_dims)
		return fail_distances(rq, n, err);
	const char *end = text + length;
	for (unsigned d = rq->n_dims; d-- > 0;) {
		size_t long_is = 0;
		while (text + long_is < end && text[long_is] != ',')
			long_is++;
		int code = read_distance(&out[d], rq, text, long_is, rq->extent[d], err);
		if (code)
			return code;
		text += long_is + (text + long_is < end);
	}
	return 0;
}

#define NO_WRAP ",no-wrap"

static int make_shift(struct loom_pattern *out, const struct loom_pattern_request *rq, struct loom_err *err)
{
	struct distance distance[LOOM_PATTERN_DIMS_MAX];
	size_t length = strlen(rq->argument), word = strlen(NO_WRAP);
	bool wraps = length < word || strcmp(rq->argument + length - word, NO_WRAP) != 0;
	length -= wraps ? 0 : word;
	if (!memchr(rq->argument, ',', length)) {
		int code = read_distance(distance, rq, rq->argument, length, rq->n_nodes, err);
		return code ? code : make_shifted(out, rq, distance[0], wraps, err);
	}
	int code = read_distances(distance, rq, rq->argument, length, err);
	return code ? code : make_moved(out, rq, distance, wraps, err);
}

// Makes messages that go just less than half way round, so that on shortest routes all go in the same direction. If
// no extent is above 2 that distance would be 0; the processors then count as one ring.
static int make_tornado(struct loom_pattern *out, const struct loom_pattern_request *rq, struct loom_err *err)
{
	struct distance distance[LOOM_PATTERN_DIMS_MAX] = {{0}};
	if (!loom_pattern_has_coordinates(rq))
		return make_shifted(out, rq, (struct distance){.by = (rq->n_nodes + 1) / 2 - 1}, true, err);
	for (unsigned d = 0; d < rq->n_dims; d++)
		distance[d].by = (rq->extent[d] + 1) / 2 - 1;
	return make_moved(out, rq, distance, true, err);
}

int loom_pattern_make_next(struct loom_pattern *out, const struct loom_pattern_request *rq, struct loom_err *err)
{
	struct distance distance[LOOM_PATTERN_DIMS_MAX] = {{0}};
	for (unsigned d = 0; d < rq->n_dims; d++)
		distance[d].by = rq->extent[d] > 1;
	return make_moved(out, rq, distance, true, err);
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
		"extent; distances may be negative; with ,no-wrap what would go beyond an edge is not sent",
		MAKER(make_shift)},
	{"tornado", NULL, "just under half way round in every dimension; where no extent is above 2, as on a cube, round all "
		"processors", MAKER(make_tornado)},
	{.name = NULL},
};
// clang-format on
