// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
// The random patterns; the seed decides them.
#include <stdlib.h>
#include <string.h>

#include <flitloom/pattern.h>

#include "base/rng.h"
#include "pattern/pattern_internal.h"

static void random_matrix(struct loom_gf2 *out, unsigned n, struct loom_rng *rng)
{
	memset(out, 0, sizeof *out);
	out->n = n;
	for (unsigned i = 0; i < n; i++)
		out->row[i] = loom_rng_next(rng) & loom_gf2_mask(n);
}

// More than a quarter of all square matrices are nonsingular, whatever their size: a few trials do.
static void random_nonsingular(struct loom_gf2 *out, unsigned n, struct loom_rng *rng)
{
	do
		random_matrix(out, n, rng);
	while (loom_gf2_rank(out) != n);
}

// P D Q with P, Q nonsingular and D the first `rank` of the diagonal: every matrix of that rank is equally likely.
static int make_random(struct loom_pattern *out, const struct loom_pattern_request *rq, enum loom_lcc_kind deficient,
                       struct loom_err *err)
{
	unsigned n;
	uint32_t rank;
	struct loom_lcc lcc;
	struct loom_gf2 right;
	struct loom_rng rng;
	int code = loom_pattern_address_bits(&n, rq, 1, err);
	if (!code)
		code = loom_pattern_number(&rank, rq, 0, n, "a rank", err);
	if (code)
		return code;

	memset(&lcc, 0, sizeof lcc);
	loom_rng_init(&rng, rq->options->seed);
	random_nonsingular(&lcc.a, n, &rng);
	random_nonsingular(&right, n, &rng);
	for (unsigned i = rank; i < n; i++)
		right.row[i] = 0;
	loom_gf2_product(&lcc.a, &lcc.a, &right);
	lcc.b = loom_rng_next(&rng) & loom_gf2_mask(n);
	lcc.kind = deficient == LOOM_LCC_GATHER && rank == n ? LOOM_LCC_PERMUTATION : deficient;
	return loom_pattern_make_from_lccs(out, rq, &lcc, 1, err);
}

static int make_random_lcc(struct loom_pattern *out, const struct loom_pattern_request *rq, struct loom_err *err)
{
	return make_random(out, rq, LOOM_LCC_GATHER, err);
}

static int make_random_lcs(struct loom_pattern *out, const struct loom_pattern_request *rq, struct loom_err *err)
{
	return make_random(out, rq, LOOM_LCC_SCATTER, err);
}

static int make_random_perm(struct loom_pattern *out, const struct loom_pattern_request *rq, struct loom_err *err)
{
	struct loom_rng rng;
	uint32_t *map = malloc(rq->n_nodes * sizeof *map);
	if (!map)
		return loom_pattern_no_memory(err);
	loom_rng_init(&rng, rq->options->seed);
	for (uint32_t x = 0; x < rq->n_nodes; x++) {
		uint32_t other = (uint32_t)loom_rng_below(&rng, x + 1);
		map[x] = x;
		map[x] = map[other];
		map[other] = x;
	}
	int code = loom_pattern_make_from_map(out, rq, map, err);
	free(map);
	return code;
}

static int make_uniform(struct loom_pattern *out, const struct loom_pattern_request *rq, struct loom_err *err)
{
	uint32_t n;
	struct loom_rng rng;
	int code = loom_pattern_at_least_two(rq, err);
	if (!code)
		code = loom_pattern_number(&n, rq, 1, LOOM_MESSAGES_MAX, "a number of messages", err);
	if (code)
		return code;
	struct loom_message *messages = malloc(n * sizeof *messages);
	if (!messages)
		return loom_pattern_no_memory(err);
	loom_rng_init(&rng, rq->options->seed);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t source = (uint32_t)loom_rng_below(&rng, rq->n_nodes);
		uint32_t destination = (uint32_t)loom_rng_below(&rng, rq->n_nodes - 1);
		messages[i] = (struct loom_message){.source = source,
		                                    .destination = destination + (destination >= source),
		                                    .flits = rq->options->flits};
	}
	code = loom_pattern_from_messages(out, rq->spec, rq->n_nodes, messages, n, err);
	free(messages);
	return code;
}

// clang-format off
const struct loom_pattern_row loom_pattern_rows_random[] = {
	{"random-perm", NULL, "a random permutation (seed)", MAKER(make_random_perm)},
	{"random-lcc", "RANK", "a random linear-complement gather of this rank; full rank: permutation (seed)",
	 LINEAR_MAKER(make_random_lcc)},
	{"random-lcs", "RANK", "a random linear-complement scatter of this rank (seed)", LINEAR_MAKER(make_random_lcs)},
	{.name = "uniform", .argument = "COUNT", .text = "this many messages with random source and destination (seed)",
	 .make = make_uniform, .multiple = 1, .alone = "random traffic, which is what `sweep --load` takes"},
	{.name = NULL},
};
// clang-format on
