// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_INTERVAL_H
#define LOOM_INTERVAL_H

#include <stdbool.h>
#include <stdint.h>

#include <flitloom/api.h>

LOOM_API_BEGIN

// Independent runs of one thing with different seeds (replications): the mean of a figure over them, and how far it may
// be from the true one.

// A mean over n values and half of its confidence interval, both in the unit of the values.
struct loom_interval {
	uint32_t n;
	double mean;
	double half_width; // not a number below two values
};

// Computes mean and interval of n values by Student's t. confidence: of the interval, above 0, below 1, such as 0.95.
void loom_interval_of(struct loom_interval *out, const double *values, uint32_t n, double confidence);
// Computes a quantile of Student's t. probability: that t stays below it, 0.5 to below 1. degrees: of freedom, 1 at least.
double loom_student_quantile(double probability, uint32_t degrees);

// Replications one after the other until the interval of the mean is narrow: the interval is tested after
// LOOM_PRECISION_LEAST of them, and then each time after a quarter more. A rule that stops as soon as the spread
// looks small gives intervals that are too narrow. Few tests lessen that error, and LOOM_PRECISION_CONFIDENCE makes
// up for the rest: intervals stated as 95% then hold in at least 95% of all cases (docs/load.md).
#define LOOM_PRECISION_LEAST 5u
#define LOOM_PRECISION_MOST 200u // unless asked for otherwise
#define LOOM_PRECISION_CONFIDENCE 0.98
#define LOOM_INTERVAL_CONFIDENCE 0.95 // of a number of replications that is known beforehand

// Returns after how many replications to test the interval next. n: replications so far, 0 before the first.
uint32_t loom_precision_next(uint32_t n);
// True if half of the interval is at most this part of the mean; false below LOOM_PRECISION_LEAST values.
bool loom_precision_is_met(const struct loom_interval *interval, double part);

LOOM_API_END

#endif
