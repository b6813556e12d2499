// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "base/text.h"
#include "cli.h"

int cli_ratio_calc(struct cli_request *r, const char *text, struct loom_err *err)
{
	uint64_t cycles = 0, units = 1;
	size_t first = strcspn(text, "/");
	bool good = loom_text_number(&cycles, text, first);
	if (text[first])
		good = good && loom_text_number(&units, text + first + 1, strlen(text + first + 1));
	if (!good || cycles < 1 || units < 1 || cycles > UINT32_MAX || units > UINT32_MAX)
		return loom_fail(err, LOOM_EINPUT,
		                 "--calc-cycles: \"%.60s\" is neither a number of cycles nor a ratio of two whole "
		                 "numbers; such as 3 or 1/1000",
		                 text);
	r->calc = text;
	r->calc_cycles = (uint32_t)cycles;
	r->calc_units = (uint32_t)units;
	return 0;
}
