// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "orders.h"

#include <flitloom/math/gf2.h>

#include "base/rng.h"

void random_order(unsigned *order, unsigned n, uint64_t *state)
{
	for (unsigned i = 0; i < n; i++)
		order[i] = i;
	for (unsigned i = n; i > 1; i--) {
		unsigned j = (unsigned)(loom_splitmix64(state) % i), t = order[j];
		order[j] = order[i - 1];
		order[i - 1] = t;
	}
}

bool is_order(const unsigned *order, unsigned n)
{
	uint64_t seen = 0;
	for (unsigned i = 0; i < n; i++)
		if (order[i] < n)
			seen |= (uint64_t)1 << order[i];
	return seen == loom_gf2_mask(n);
}

bool next_order(unsigned *order, unsigned n)
{
	unsigned i = n - 1, j = n - 1, t;
	while (i > 0 && order[i - 1] >= order[i])
		i--;
	if (i == 0)
		return false;
	while (order[j] <= order[i - 1])
		j--;
	t = order[j];
	order[j] = order[i - 1];
	order[i - 1] = t;
	for (j = n - 1; i < j; i++, j--) {
		t = order[i];
		order[i] = order[j];
		order[j] = t;
	}
	return true;
}
