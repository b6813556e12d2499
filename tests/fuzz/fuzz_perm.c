// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

#include "pattern/pattern_internal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// The first byte is the number of processors.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0)
		return 0;
	uint32_t n = data[0], *map = NULL;
	uint8_t seen[256] = {0};
	struct loom_err err = {0};
	int code = loom_perm_parse(&map, n, (const char *)data + 1, size - 1, "fuzz", &err);
	if (code) {
		if (code != err.code || !err.text[0] || map)
			abort();
		return 0;
	}
	for (uint32_t x = 0; x < n; x++)
		if (map[x] >= n || seen[map[x]]++)
			abort();
	free(map);
	return 0;
}
