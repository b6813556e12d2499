// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
// Light: the best of several starts, then made better.
#include <stdlib.h>
#include <string.h>

#include "circuits/light.h"
#include "circuits/peel.h"
#include "circuits/remains.h"
#include "circuits/slice.h"

static int pieces_of(struct loom_piece **out, size_t *n_out, const struct loom_demand *d, uint32_t cap,
                     struct loom_err *err)
{
	const size_t all = (size_t)d->n * d->n;
	size_t n = 0;
	for (size_t p = 0; p < all; p++)
		n += d->flits[p] / cap + (d->flits[p] % cap > 0);
	struct loom_piece *piece = malloc((n + 1) * sizeof *piece);
	if (!piece)
		return loom_circuit_no_memory(err);
	n = 0;
	for (size_t p = 0; p < all; p++)
		for (uint32_t left = d->flits[p]; left > 0;) {
			const uint32_t f = left < cap ? left : cap;
			piece[n++] = (struct loom_piece){
				.row = (uint32_t)(p / d->n), .column = (uint32_t)(p % d->n), .flits = f};
			left -= f;
		}
	*out = piece;
	*n_out = n;
	return 0;
}

int loom_circuit_light(struct loom_circuit_list *out, const struct loom_demand *demand,
                       const struct loom_circuit_options *options, struct loom_err *err)
{
	struct loom_piece *piece = NULL;
	size_t n = 0;
	uint64_t work = 0;
	bool done;
	int rc = pieces_of(&piece, &n, demand, UINT32_MAX, err);
	if (rc == 0)
		rc = getenv("SL")
		             ? loom_circuit_slice(out, &done, piece, n, options->dark, LOOM_NO_LIMIT, NULL, &work, err)
		             : loom_circuit_peel(out, piece, n, NULL, &work, err);
	free(piece);
	return rc;
}
