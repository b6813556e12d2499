// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/histogram.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_SIZE 1024

int loom_histogram_add(struct loom_histogram *h, uint64_t value, struct loom_err *err)
{
	if (value >= h->size) {
		size_t size = h->size ? h->size : FIRST_SIZE;
		while (size <= value)
			size *= 2;
		uint64_t *count = realloc(h->count, size * sizeof *count);
		if (!count)
			return loom_fail(err, LOOM_ENOMEM, "no memory for latencies of up to %zu cycles", size);
		memset(count + h->size, 0, (size - h->size) * sizeof *count);
		h->count = count;
		h->size = size;
	}
	h->count[value]++;
	h->n++;
	h->sum += value;
	return 0;
}

uint64_t loom_histogram_percentile(const struct loom_histogram *h, unsigned percent)
{
	uint64_t wanted = (h->n * percent + 99) / 100, seen = 0;
	wanted = wanted ? wanted : 1;
	for (size_t i = 0; i < h->size; i++) {
		seen += h->count[i];
		if (seen >= wanted)
			return i;
	}
	return 0;
}

double loom_histogram_mean(const struct loom_histogram *h)
{
	return h->n ? (double)h->sum / (double)h->n : 0;
}

void loom_histogram_free(struct loom_histogram *h)
{
	free(h->count);
	*h = (struct loom_histogram){0};
}
