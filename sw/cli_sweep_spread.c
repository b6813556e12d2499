// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// A quantity over the seeds of a row of a sweep.
#include <math.h>

#include "cli_sweep.h"

void sweep_spread_add(struct sweep_spread *s, uint64_t value)
{
	double distance = (double)value - s->mean;
	if (s->n == 0 || value < s->least)
		s->least = value;
	if (s->n == 0 || value > s->most)
		s->most = value;
	s->n++;
	s->mean += distance / s->n;
	s->square += distance * ((double)value - s->mean);
}

double sweep_spread_deviation(const struct sweep_spread *s)
{
	return s->n < 2 ? 0 : sqrt(s->square / (s->n - 1));
}
