// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "topo/cube_vc.h"

#include "base/numbers.h"

unsigned loom_cube_vc(const struct loom_topo *t, uint32_t destination)
{
	const unsigned digit_bits = loom_bits_for(t->n_vcs);
	uint32_t sum = 0;
	for (; destination; destination >>= digit_bits)
		sum += destination & ((1u << digit_bits) - 1);
	return sum % t->n_vcs;
}
