// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "reference/ref_stages.h"

// Leads a line through one of the inner networks: it has 2^(k - depth) lines, and the outputs `path` of the columns
// before lead to it, the first in bit 0.
static uint32_t lead(const uint8_t *crossed, unsigned k, unsigned depth, uint32_t path, uint32_t line)
{
	const uint32_t half = UINT32_C(1) << k >> 1, first = depth * half, last = (2 * k - 2 - depth) * half;
	uint32_t inner;
	if (depth + 1 == k)
		return line ^ crossed[first + path];
	line ^= crossed[first + (line / 2 << depth | path)];
	inner = lead(crossed, k, depth + 1, path | line % 2 << depth, line / 2);
	line = 2 * inner + line % 2;
	return line ^ crossed[last + (line / 2 << depth | path)];
}

uint32_t ref_stages_lead(const uint8_t *crossed, unsigned k, uint32_t line)
{
	return lead(crossed, k, 0, 0, line);
}
