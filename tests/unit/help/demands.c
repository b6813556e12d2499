// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "unit/help/demands.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/rng.h"

void random_demand(struct loom_demand *out, uint32_t n, uint32_t one_in, uint32_t most, uint64_t seed)
{
	struct loom_err err;
	struct loom_rng rng;
	loom_rng_init(&rng, seed);
	assert_int_equal(loom_demand_init(out, n, &err), 0);
	for (uint32_t p = 0; p < n * n; p++)
		if (p / n != p % n && loom_rng_below(&rng, one_in) == 0)
			out->flits[p] = 1 + (uint32_t)loom_rng_below(&rng, most);
}
