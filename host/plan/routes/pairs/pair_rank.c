// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "plan/routes/pairs/pair_rank.h"

#include <stdlib.h>

static int compare(const void *a, const void *b)
{
	const struct loom_pair_ranked *x = a, *y = b;
	if (x->place != y->place)
		return x->place < y->place ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

void loom_pair_rank(struct loom_pair_ranked *out, const double *place, size_t n)
{
	for (size_t i = 0; i < n; i++)
		out[i] = (struct loom_pair_ranked){place[i], (uint32_t)i};
	qsort(out, n, sizeof *out, compare);
}
