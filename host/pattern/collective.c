// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
// Collectives by name.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/suggest.h"
#include "base/text.h"
#include "pattern/collective.h"
#include "pattern/pattern_internal.h"

// --- What is not a reduction ---------------------------------------------------------------------------------------

// Broadcasts from rank 0: a rank that has the data sends them to the rank 2^k above, the farthest first.
static void binomial(struct collective *c)
{
	uint32_t mask = 1;
	while (mask < c->n && !(c->rank & mask))
		mask *= 2;
	if (mask < c->n) {
		loom_collective_recv(c, c->rank - mask, c->bytes, 0);
		loom_collective_next_step(c);
	}
	while ((mask /= 2) > 0) {
		if (c->rank + mask >= c->n)
			continue;
		loom_collective_send(c, c->rank + mask, c->bytes, 0);
		loom_collective_next_step(c);
	}
}

// Exchanges in step k with the rank at distance k: by exclusive or if the number of ranks is a power of two, else
// round the ring.
static void pairwise(struct collective *c)
{
	bool by_bits = (c->n & (c->n - 1)) == 0;
	for (uint32_t step = 1; step < c->n; step++) {
		uint32_t to = by_bits ? c->rank ^ step : (uint32_t)(((uint64_t)c->rank + step) % c->n);
		uint32_t from = by_bits ? to : (c->rank + (c->n - step)) % c->n;
		loom_collective_send(c, to, c->bytes, 0);
		loom_collective_recv(c, from, c->bytes, 0);
		loom_collective_next_step(c);
	}
}

// All-to-all in log steps: block i of a rank is for the rank i above. In step k all blocks whose number has bit k
// move up by 2^k, in one message.
static void bruck(struct collective *c)
{
	for (uint32_t k = 0; UINT32_C(1) << k < c->n; k++) {
		uint32_t mask = UINT32_C(1) << k, n_blocks = 0;
		for (uint32_t i = 0; i < c->n; i++)
			n_blocks += i >> k & 1;
		loom_collective_send(c, (c->rank + mask) % c->n, n_blocks * c->bytes, k);
		loom_collective_recv(c, (c->rank + (c->n - mask)) % c->n, n_blocks * c->bytes, k);
		loom_collective_next_step(c);
	}
}

// --- By name -------------------------------------------------------------------------------------------------------

static const struct {
	const char *name, *variant;
	void (*write)(struct collective *c);
	// rounds of n - 1 messages of each rank; 0: about as many messages as a rank's number has bits
	unsigned rounds;
} collectives[] = {
	{"allreduce", "ring", loom_collective_ring, 2},
	{"allreduce", "recursive-doubling", loom_collective_recursive_doubling, 0},
	{"allreduce", "rabenseifner", loom_collective_rabenseifner, 0},
	{"broadcast", "binomial", binomial, 0},
	{"alltoall", "pairwise", pairwise, 1},
	{"alltoall", "bruck", bruck, 0},
};
#define N_COLLECTIVES (sizeof collectives / sizeof collectives[0])

static const char *spec_at(size_t i)
{
	static const char *const specs[] = {"allreduce:ring",         "allreduce:recursive-doubling",
	                                    "allreduce:rabenseifner", "broadcast:binomial",
	                                    "alltoall:pairwise",      "alltoall:bruck",
	                                    "stencil2d:4x4"};
	return i < sizeof specs / sizeof specs[0] ? specs[i] : NULL;
}

static int fail_unknown(const char *spec, struct loom_err *err)
{
	char shown[48];
	const char *near = loom_suggest(spec, spec_at);
	loom_text_quote(shown, sizeof shown, spec, strlen(spec));
	if (near)
		return loom_fail(err, LOOM_EINPUT, "unknown collective \"%s\": did you mean \"%s\"?", shown, near);
	return loom_fail(err, LOOM_EINPUT,
	                 "unknown collective \"%s\": there is allreduce:ring, :recursive-doubling, :rabenseifner, "
	                 "broadcast:binomial, alltoall:pairwise, :bruck, stencil2d:AxB",
	                 shown);
}

// A grid of A rows of B ranks: each sends to the ranks beside, above and below it, and computes when it has received
// from all of them.
static void stencil(struct collective *c, uint32_t n_columns)
{
	uint32_t x = c->rank % n_columns, side[4];
	unsigned n = 0;
	if (x + 1 < n_columns)
		side[n++] = c->rank + 1;
	if (x > 0)
		side[n++] = c->rank - 1;
	if (c->rank + n_columns < c->n)
		side[n++] = c->rank + n_columns;
	if (c->rank >= n_columns)
		side[n++] = c->rank - n_columns;
	for (unsigned k = 0; k < n; k++)
		loom_collective_send(c, side[k], c->bytes, 0);
	for (unsigned k = 0; k < n; k++)
		loom_collective_recv(c, side[k], c->bytes, 0);
	loom_collective_next_step(c);
	loom_collective_calc(c, c->bytes);
	loom_collective_next_step(c);
}

static int read_grid(uint32_t *n_rows, uint32_t *n_columns, const char *text, uint32_t n_ranks, struct loom_err *err)
{
	char shown[48];
	uint64_t rows, columns;
	size_t length = strcspn(text, "x");
	loom_text_quote(shown, sizeof shown, text, strlen(text));
	if (text[length] != 'x' || !loom_text_number(&rows, text, length) ||
	    !loom_text_number(&columns, text + length + 1, strlen(text + length + 1)) || rows == 0 || columns == 0)
		return loom_fail(err, LOOM_EINPUT, "stencil2d: \"%s\" is not a grid AxB, such as 4x4", shown);
	if (rows > n_ranks || columns > n_ranks || rows * columns > n_ranks || rows * columns < 2)
		return loom_fail(err, LOOM_EINPUT, "stencil2d: a grid %s is not of 2 to %" PRIu32 " ranks", shown,
		                 n_ranks);
	*n_rows = (uint32_t)rows;
	*n_columns = (uint32_t)columns;
	return 0;
}

int loom_goal_collective(struct loom_goal *out, const char *spec, uint32_t n_ranks, uint64_t bytes,
                         struct loom_err *err)
{
	struct loom_goal goal = {.n_ranks = n_ranks};
	struct collective c = {.goal = &goal, .bytes = bytes, .err = err};
	size_t length = strcspn(spec, ":"), k = 0;
	const char *variant = spec[length] ? spec + length + 1 : "";
	bool is_stencil = length == 9 && memcmp(spec, "stencil2d", 9) == 0;
	uint32_t n_rows = 0, n_columns = 0;
	while (k < N_COLLECTIVES &&
	       !(strlen(collectives[k].name) == length && memcmp(collectives[k].name, spec, length) == 0 &&
	         strcmp(collectives[k].variant, variant) == 0))
		k++;
	if (k == N_COLLECTIVES && !is_stencil)
		return fail_unknown(spec, err);
	if (n_ranks < 2 || n_ranks > LOOM_NODES_MAX)
		return loom_fail(err, LOOM_EINPUT, "a collective of %" PRIu32 " ranks: it takes 2 to %d", n_ranks,
		                 LOOM_NODES_MAX);
	if (bytes > UINT32_MAX)
		return loom_fail(err, LOOM_EINPUT, "a collective of %" PRIu64 " bytes: it takes 0 to %" PRIu32, bytes,
		                 UINT32_MAX);
	uint64_t n_messages = is_stencil ? 0 : collectives[k].rounds * (uint64_t)n_ranks * (n_ranks - 1);
	if (n_messages > LOOM_MESSAGES_MAX)
		return loom_fail(err, LOOM_EINPUT,
		                 "%s of %" PRIu32 " ranks has %" PRIu64 " messages; it may have at most %d", spec,
		                 n_ranks, n_messages, LOOM_MESSAGES_MAX);
	if (is_stencil) {
		c.code = read_grid(&n_rows, &n_columns, variant, n_ranks, err);
		goal.n_ranks = c.code ? n_ranks : n_rows * n_columns;
	}
	c.n = goal.n_ranks;
	(void)snprintf(goal.where, sizeof goal.where, "%s", spec);
	for (; c.code == 0 && c.rank < c.n; c.rank++) {
		c.n_before = c.n_now = 0;
		if (is_stencil)
			stencil(&c, n_columns);
		else
			collectives[k].write(&c);
	}
	if (c.code)
		loom_goal_free(&goal);
	else
		*out = goal;
	return c.code;
}

// --- As patterns ---------------------------------------------------------------------------------------------------

static int make_collective(struct loom_pattern *out, const struct loom_pattern_request *rq, struct loom_err *err)
{
	struct loom_goal goal = {0};
	uint64_t bytes = rq->options->has_bytes ? rq->options->bytes : LOOM_GOAL_BYTES;
	int code = loom_goal_collective(&goal, rq->spec, rq->n_nodes, bytes, err);
	if (code == 0)
		code = loom_pattern_from_goal(out, rq->spec, rq->n_nodes, &goal, rq->options, err);
	loom_goal_free(&goal);
	return code;
}

static int make_goal(struct loom_pattern *out, const struct loom_pattern_request *rq, struct loom_err *err)
{
	struct loom_goal goal = {0};
	char *text = NULL;
	size_t length = 0;
	int code = loom_pattern_load_file(&text, &length, rq->argument, err);
	if (code)
		return code;
	code = loom_goal_parse(&goal, text, length, rq->argument, err);
	free(text);
	if (code == 0)
		code = loom_pattern_from_goal(out, rq->spec, rq->n_nodes, &goal, rq->options, err);
	loom_goal_free(&goal);
	return code;
}

// clang-format off
const struct loom_pattern_row loom_pattern_rows_goal[] = {
	{"goal", "FILE", "what the ranks of a program send, receive and compute, as GOAL text (LogGOPSim, ATLAHS)",
		MAKER(make_goal)},
	{"allreduce", "ring|recursive-doubling|rabenseifner", "everybody has the sum of all; of --bytes",
		MAKER(make_collective)},
	{"broadcast", "binomial", "everybody has what processor 0 had", MAKER(make_collective)},
	{"alltoall", "pairwise|bruck", "everybody has a block of --bytes from everybody, step by step",
		MAKER(make_collective)},
	{"stencil2d", "AxB", "A rows of B processors tell their neighbours, then compute", MAKER(make_collective)},
	{.name = NULL},
};
// clang-format on
