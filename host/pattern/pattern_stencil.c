// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
// Stencils: the tasks are a grid, and each sends to those beside it. The grid is the network's own, or one that is
// named.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/pattern.h>

#include "base/text.h"
#include "pattern/pattern_internal.h"

struct grid {
	unsigned n_dims;
	uint32_t extent[LOOM_PATTERN_DIMS_MAX]; // dimension 0 varies fastest in a task's number
	bool wraps;                             // around the edges too
	bool corners;                           // also to tasks that differ by one in several dimensions
};

static int fail_word(const struct loom_pattern_request *rq, const char *word, size_t length, struct loom_err *err)
{
	char shown[48];
	return loom_fail(err, LOOM_EINPUT,
	                 "pattern %s: \"%s\" is none of: wrap, corners, or the extents of a grid, such as 6x5",
	                 rq->row->name, loom_text_quote(shown, sizeof shown, word, length));
}

// "6x5": the highest dimension first.
static int read_extents(struct grid *out, const struct loom_pattern_request *rq, const char *word, size_t length,
                        struct loom_err *err)
{
	uint64_t tasks = 1, value;
	char shown[48];
	out->n_dims = 1;
	for (size_t i = 0; i < length; i++)
		out->n_dims += word[i] == 'x';
	if (out->n_dims > LOOM_PATTERN_DIMS_MAX)
		return fail_word(rq, word, length, err);
	const char *at = word;
	for (unsigned d = out->n_dims; d-- > 0;) {
		size_t left = length - (size_t)(at - word), digits = 0;
		while (digits < left && at[digits] != 'x')
			digits++;
		if (!loom_text_number(&value, at, digits) || value == 0)
			return fail_word(rq, word, length, err);
		if (value > rq->n_nodes || (tasks *= value) > rq->n_nodes)
			return loom_fail(
				err, LOOM_EINPUT, "pattern %s: %s are more tasks than there are processors, %" PRIu32,
				rq->row->name, loom_text_quote(shown, sizeof shown, word, length), rq->n_nodes);
		out->extent[d] = (uint32_t)value;
		at += digits + 1;
	}
	return 0;
}

static bool is_word(const char *at, size_t length, const char *word)
{
	return length == strlen(word) && memcmp(at, word, length) == 0;
}

static int read_grid(struct grid *out, const struct loom_pattern_request *rq, struct loom_err *err)
{
	struct grid g = {.n_dims = rq->n_dims};
	bool has_extents = false;
	char shown[48];
	memcpy(g.extent, rq->extent, rq->n_dims * sizeof *g.extent);
	for (const char *at = rq->argument; at && *at;) {
		size_t length = strcspn(at, ",");
		int code = 0;
		if (is_word(at, length, "wrap"))
			g.wraps = true;
		else if (is_word(at, length, "corners"))
			g.corners = true;
		else {
			code = read_extents(&g, rq, at, length, err);
			if (code == 0 && has_extents)
				code = loom_fail(err, LOOM_EINPUT,
				                 "pattern %s: extents are given once: \"%s\" is the second time",
				                 rq->row->name, loom_text_quote(shown, sizeof shown, at, length));
			has_extents = true;
		}
		if (code == 0 && at[length] == ',' && at[length + 1] == '\0')
			code = fail_word(rq, "", 0, err);
		if (code)
			return code;
		at += length + (at[length] == ',');
	}
	*out = g;
	return 0;
}

static uint32_t n_tasks(const struct grid *g)
{
	uint32_t n = 1;
	for (unsigned d = 0; d < g->n_dims; d++)
		n *= g->extent[d];
	return n;
}

// The neighbours of coordinate c, the one above first: 0 to 2 of them. Two places have one between them, even around
// the edge.
static unsigned neighbours(uint32_t out[2], uint32_t c, uint32_t extent, bool wraps)
{
	unsigned n = 0;
	bool around = wraps && extent > 2;
	if (c + 1 < extent || around)
		out[n++] = (c + 1) % extent;
	if (c > 0 || around)
		out[n++] = (c + extent - 1) % extent;
	return n;
}

// Neighbours of all places of one dimension; UINT64_MAX where there are more messages than there can be.
static uint64_t n_messages(const struct grid *g)
{
	uint64_t tasks = n_tasks(g), straight = 0, all = 1;
	for (unsigned d = 0; d < g->n_dims; d++) {
		uint32_t extent = g->extent[d];
		uint64_t pairs = 2 * (uint64_t)(g->wraps && extent > 2 ? extent : extent - 1);
		straight += tasks / extent * pairs;
		if (__builtin_mul_overflow(all, extent + pairs, &all))
			return UINT64_MAX;
	}
	return g->corners ? all - tasks : straight;
}

static struct loom_message *put_straight(struct loom_message *m, const struct grid *g, uint32_t x, uint32_t flits)
{
	for (uint32_t d = 0, stride = 1; d < g->n_dims; stride *= g->extent[d++]) {
		uint32_t c = x / stride % g->extent[d], to[2];
		unsigned n = neighbours(to, c, g->extent[d], g->wraps);
		for (unsigned k = 0; k < n; k++)
			*m++ = (struct loom_message){
				.source = x, .destination = x - c * stride + to[k] * stride, .flits = flits};
	}
	return m;
}

// Puts messages to the tasks of a box: in every dimension the task's own coordinate or a neighbour's, in all
// combinations but the task itself.
static struct loom_message *put_box(struct loom_message *m, const struct grid *g, uint32_t x, uint32_t flits)
{
	uint32_t place[LOOM_PATTERN_DIMS_MAX][3], stride[LOOM_PATTERN_DIMS_MAX];
	unsigned n[LOOM_PATTERN_DIMS_MAX], at[LOOM_PATTERN_DIMS_MAX] = {0}, d = 0;
	for (uint32_t s = 1; d < g->n_dims; s *= g->extent[d++]) {
		stride[d] = s;
		place[d][0] = x / s % g->extent[d];
		n[d] = 1 + neighbours(place[d] + 1, place[d][0], g->extent[d], g->wraps);
	}
	for (;;) {
		uint32_t to = 0;
		for (d = 0; d < g->n_dims && ++at[d] == n[d]; d++)
			at[d] = 0;
		if (d == g->n_dims)
			return m;
		for (d = 0; d < g->n_dims; d++)
			to += place[d][at[d]] * stride[d];
		*m++ = (struct loom_message){.source = x, .destination = to, .flits = flits};
	}
}

int loom_pattern_make_stencil(struct loom_pattern *out, const struct loom_pattern_request *rq, struct loom_err *err)
{
	struct grid g;
	int code = loom_pattern_at_least_two(rq, err);
	if (!code)
		code = read_grid(&g, rq, err);
	if (code)
		return code;
	if (n_tasks(&g) < 2)
		return loom_fail(err, LOOM_EINPUT, "pattern %s needs at least 2 tasks, not 1", rq->row->name);
	code = loom_pattern_check_messages(rq, n_messages(&g), err);
	if (code)
		return code;
	size_t n = (size_t)n_messages(&g);
	struct loom_message *messages = malloc(n * sizeof *messages), *m = messages;
	if (!messages)
		return loom_pattern_no_memory(err);
	for (uint32_t x = 0; x < n_tasks(&g); x++)
		m = g.corners ? put_box(m, &g, x, rq->options->flits) : put_straight(m, &g, x, rq->options->flits);
	code = loom_pattern_from_messages(out, rq->spec, rq->n_nodes, messages, n, err);
	free(messages);
	return code;
}
