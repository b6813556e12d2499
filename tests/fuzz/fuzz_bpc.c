// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

#include "pattern/pattern_internal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct loom_lcc lcc;
	struct loom_err err = {0};
	int code = loom_bpc_parse(&lcc, (const char *)data, size, "fuzz", &err);
	if (code) {
		if (code != err.code || !err.text[0])
			abort();
		return 0;
	}
	if (!loom_gf2_is_valid(&lcc.a) || loom_gf2_rank(&lcc.a) != lcc.a.n || (lcc.b & ~loom_gf2_mask(lcc.a.n)))
		abort();
	for (unsigned i = 0; i < lcc.a.n; i++)
		if (lcc.a.row[i] & (lcc.a.row[i] - 1)) // one source bit each
			abort();
	return 0;
}
