// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

#include "pattern/pattern_internal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct loom_lcc lcc;
	struct loom_err err = {0};
	int code = loom_lcc_parse(&lcc, (const char *)data, size, "fuzz", &err);
	if (code) {
		if (code != err.code || !err.text[0])
			abort();
		return 0;
	}
	// A pattern that is accepted keeps what the type promises.
	if (!loom_gf2_is_valid(&lcc.a) || (lcc.b & ~loom_gf2_mask(lcc.a.n)))
		abort();
	if (lcc.kind != LOOM_LCC_SCATTER && (lcc.kind == LOOM_LCC_PERMUTATION) != (loom_gf2_rank(&lcc.a) == lcc.a.n))
		abort();
	struct loom_pattern p;
	code = loom_pattern_from_lccs(&p, "fuzz", &lcc, 1, 1, &err);
	if ((code == 0) != (lcc.a.n <= 10)) // the only other reason to refuse it
		abort();
	if (code == 0)
		loom_pattern_free(&p);
	return 0;
}
