// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <flitloom/interval.h>

#include <math.h>

// Computes the probability that |t| stays below `t`. For a whole number of degrees of freedom it is a sum of powers of
// a cosine: an angle plus odd powers for an odd number, even powers for an even number.
static double probability_within(double t, uint32_t degrees)
{
	const double pi = acos(-1), angle = atan(t / sqrt(degrees)), sine = sin(angle), cosine = cos(angle);
	const bool odd = degrees % 2 == 1;
	double term = odd ? cosine : 1, sum = degrees > 1 ? term : 0;
	for (uint32_t k = odd ? 3 : 2; k + 1 < degrees; k += 2) {
		term *= cosine * cosine * (k - 1) / k;
		sum += term;
	}
	return odd ? 2 / pi * (angle + sine * sum) : sine * sum;
}

double loom_student_quantile(double probability, uint32_t degrees)
{
	const double within = 2 * probability - 1;
	double low = 0, high = 1;
	while (probability_within(high, degrees) < within)
		high *= 2;
	for (;;) {
		const double middle = (low + high) / 2;
		if (middle <= low || middle >= high)
			return high;
		if (probability_within(middle, degrees) < within)
			low = middle;
		else
			high = middle;
	}
}

void loom_interval_of(struct loom_interval *out, const double *values, uint32_t n, double confidence)
{
	double sum = 0, squares = 0;
	for (uint32_t i = 0; i < n; i++)
		sum += values[i];
	const double mean = n ? sum / n : NAN;
	for (uint32_t i = 0; i < n; i++)
		squares += (values[i] - mean) * (values[i] - mean);
	*out = (struct loom_interval){.n = n, .mean = mean, .half_width = NAN};
	if (n >= 2)
		out->half_width = loom_student_quantile((1 + confidence) / 2, n - 1) * sqrt(squares / (n - 1) / n);
}

uint32_t loom_precision_next(uint32_t n)
{
	return n < LOOM_PRECISION_LEAST ? LOOM_PRECISION_LEAST : n + (n + 3) / 4;
}

bool loom_precision_is_met(const struct loom_interval *interval, double part)
{
	return interval->n >= LOOM_PRECISION_LEAST && interval->half_width <= part * interval->mean;
}
