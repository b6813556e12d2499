// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "circuits/lines.h"

#include <stdlib.h>

static int largest_first(const void *a, const void *b)
{
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return x > y ? -1 : x < y;
}

static void fill_in(struct loom_lines *out, const struct loom_demand *d)
{
	size_t at = 0;
	for (uint32_t l = 0; l < out->n; l++) {
		out->first[l] = at;
		for (uint32_t k = 0; k < d->n; k++) {
			const uint32_t f =
				l < d->n ? d->flits[(size_t)l * d->n + k] : d->flits[(size_t)k * d->n + l - d->n];
			out->sum[l] += f;
			if (f > 0)
				out->flits[at++] = f;
		}
		const size_t entries = at - out->first[l];
		qsort(out->flits + out->first[l], entries, sizeof *out->flits, largest_first);
		out->most = entries > out->most ? (uint32_t)entries : out->most;
		if (out->sum[l] > out->longest) {
			out->longest = out->sum[l];
			out->longest_line = l;
		}
	}
	out->first[out->n] = at;
}

int loom_lines_init(struct loom_lines *out, const struct loom_demand *demand, struct loom_err *err)
{
	const size_t all = (size_t)demand->n * demand->n;
	size_t entries = 0;
	struct loom_lines l = {.n = 2 * demand->n};
	for (size_t p = 0; p < all; p++)
		entries += demand->flits[p] > 0;
	l.first = malloc(((size_t)l.n + 1) * sizeof *l.first);
	l.flits = malloc((2 * entries + 1) * sizeof *l.flits);
	l.sum = calloc(l.n, sizeof *l.sum);
	if (!l.first || !l.flits || !l.sum) {
		loom_lines_free(&l);
		return loom_circuit_no_memory(err);
	}
	fill_in(&l, demand);
	*out = l;
	return 0;
}

void loom_lines_free(struct loom_lines *lines)
{
	free(lines->first);
	free(lines->flits);
	free(lines->sum);
	*lines = (struct loom_lines){0};
}
