// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

#include "pattern/pattern_internal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct loom_lcc *lccs = NULL;
	uint32_t n = 0;
	struct loom_err err = {0};
	int code = loom_lcc_set_parse(&lccs, &n, (const char *)data, size, "fuzz", &err);
	if (code) {
		if (code != err.code || !err.text[0] || lccs)
			abort();
		return 0;
	}
	if (n == 0)
		abort();
	for (uint32_t r = 0; r < n; r++)
		if (!loom_gf2_is_valid(&lccs[r].a) || lccs[r].a.n != lccs[0].a.n ||
		    (lccs[r].b & ~loom_gf2_mask(lccs[r].a.n)))
			abort();
	free(lccs);
	return 0;
}
