// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "topo/cube_vc.h"

unsigned loom_cube_vc(const struct loom_topo *t, uint32_t destination)
{
	unsigned digit_bits = 1;
	uint32_t sum = 0;
	while (1u << digit_bits < t->n_vcs)
		digit_bits++;
	for (; destination; destination >>= digit_bits)
		sum += destination & ((1u << digit_bits) - 1);
	return sum % t->n_vcs;
}
