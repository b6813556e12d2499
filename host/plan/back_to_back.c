// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "plan/back_to_back_internal.h"

#include <flitloom/link/regmap.h>

#include "plan/turns.h"

bool loom_back_to_back_possible(const struct loom_plan *plan)
{
	bool backward, two = plan->topo.kind->two_directions;
	return plan->n_passes > 1 && plan->n_passes <= UINT32_C(1) << LOOM_LOG1_PASS_WIDTH && !plan->free_running &&
	       (!two || loom_plan_turns(&backward, plan) != LOOM_TURNS_OTHERWISE);
}

uint64_t loom_back_to_back_step(uint64_t cycles)
{
	uint64_t noticed = cycles + LOOM_NOTICE_CYCLES;
	return (noticed > LOOM_PASS_CYCLES ? noticed : LOOM_PASS_CYCLES) + LOOM_READY_CYCLES;
}

uint64_t loom_back_to_back_cycles(const uint64_t *cycles, uint32_t n_passes)
{
	uint64_t began = LOOM_READY_CYCLES;
	for (uint32_t pass = 0; pass < n_passes; pass++) {
		if (cycles[pass] == LOOM_CYCLES_UNKNOWN)
			return LOOM_CYCLES_UNKNOWN;
		if (pass == n_passes - 1)
			return began + cycles[pass];
		began += loom_back_to_back_step(cycles[pass]);
	}
	return 0;
}
