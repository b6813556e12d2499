// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_TRAFFIC_HISTOGRAM_H
#define LOOM_TRAFFIC_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>

#include <flitloom/err.h>

// The number of values of each size, so that percentiles are exact.
struct loom_histogram {
	uint64_t n, sum;
	size_t size;     // elements of count
	uint64_t *count; // owned: of value i
};

// LOOM_ENOMEM.
int loom_histogram_add(struct loom_histogram *h, uint64_t value, struct loom_err *err);
// Returns the percentile: the least value that at least `percent` of all values do not exceed (50: the median, 0: the
// least, 100: the largest). 0 if there are no values.
uint64_t loom_histogram_percentile(const struct loom_histogram *h, unsigned percent);
double loom_histogram_mean(const struct loom_histogram *h); // 0 if there are none
void loom_histogram_free(struct loom_histogram *h);         // leaves *h zeroed

#endif
