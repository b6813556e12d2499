// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the text of --fail: shares of the links, or names, which other functions read.
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "cli.h"

#define PARTS_MOST 200

// Reads "10%", "10" or ".5%"; returns what follows, or NULL.
static const char *read_percent(uint64_t *out, const char *text)
{
	const size_t length = strspn(text, "0123456789.");
	double percent;
	if (length == 0 || length > 12 || !loom_text_real(&percent, text, length) || percent > 100)
		return NULL;
	*out = (uint64_t)llround(percent * CLI_PERCENT);
	return text + length + (text[length] == '%');
}

static int fail_range(const char *text, struct loom_err *err)
{
	return loom_fail(
		err, LOOM_EINPUT,
		"--fail: \"%.60s\" is neither A:B:STEP, parts of the links in percent, 0 to 100 and %d of them at "
		"most, nor one part; such as 0:10%%:1%%",
		text, PARTS_MOST);
}

int cli_fail_parse(struct cli_request *r, const char *text, struct loom_err *err)
{
	uint64_t value[3] = {0, 0, 1};
	const char *at = text;
	size_t n = 0;
	r->fail = text;
	r->fail_parts = (struct cli_parts){0};
	if (!strchr(text, '%') || text[strspn(text, "0123456789.%:")] != '\0')
		return 0;
	for (bool more = true; more && at && n < 3; n++) {
		at = read_percent(&value[n], at);
		more = at && *at == ':';
		at += more;
	}
	if (n == 1)
		value[1] = value[0];
	if (!at || *at != '\0' || n == 2 || value[2] == 0 || value[1] < value[0] ||
	    (value[1] - value[0]) / value[2] >= PARTS_MOST)
		return fail_range(text, err);
	r->fail_parts =
		(struct cli_parts){.first = value[0], .step = value[2], .n = (value[1] - value[0]) / value[2] + 1};
	return 0;
}
