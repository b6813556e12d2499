// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The text of --dark of a sweep: a number of cycles, or several.
#include <string.h>

#include <flitloom/circuits.h>

#include "base/text.h"
#include "cli.h"

#define DARKS_MOST 200

static int fail_range(const char *text, struct loom_err *err)
{
	return loom_fail(err, LOOM_EINPUT,
	                 "--dark: \"%.60s\" is neither a number of cycles, at most %u, nor A:B:STEP, %d numbers at "
	                 "most; such as 0:100:10",
	                 text, LOOM_CIRCUIT_DARK_MOST, DARKS_MOST);
}

int cli_darks_parse(struct cli_request *r, const char *text, struct loom_err *err)
{
	uint64_t value[3] = {0};
	size_t n = 0;
	for (const char *at = text; n < 3; n++) {
		const size_t length = strcspn(at, ":");
		if (!loom_text_number(&value[n], at, length) || (n < 2 && value[n] > LOOM_CIRCUIT_DARK_MOST))
			return fail_range(text, err);
		at += length;
		if (*at == '\0') {
			n++;
			break;
		}
		if (n == 2)
			return fail_range(text, err);
		at++;
	}
	if (n == 2 ||
	    (n == 3 && (value[1] < value[0] || value[2] == 0 || (value[1] - value[0]) / value[2] >= DARKS_MOST)))
		return fail_range(text, err);
	r->dark = (uint32_t)value[0];
	r->darks = (struct cli_darks){0};
	if (n == 3)
		r->darks = (struct cli_darks){
			.text = text, .step = value[2], .n = (uint32_t)((value[1] - value[0]) / value[2] + 1)};
	return 0;
}
