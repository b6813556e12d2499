// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "topo/topo_size.h"

#include <inttypes.h>

// Digits only, up to whatever comes next: strtoul would take " 8", "+8" and "-1" as well. NULL: no number, or one of
// ten digits or more.
static const char *read_number(uint32_t *out, const char *digits)
{
	uint32_t value = 0, n = 0;
	for (; digits[n] >= '0' && digits[n] <= '9'; n++) {
		if (n == 9)
			return NULL;
		value = value * 10 + (uint32_t)(digits[n] - '0');
	}
	*out = value;
	return n ? digits + n : NULL;
}

int loom_size_number(uint32_t *out, const struct loom_topo *t, const char *size, uint32_t least, uint32_t most,
                     struct loom_err *err)
{
	const char *kind = t->kind->name, *end = read_number(out, size);
	if (!end || *end || *out < least || *out > most)
		return loom_fail(err, LOOM_EINPUT, "the size of %s is its %s, %s:%" PRIu32 " to %s:%" PRIu32, kind,
		                 t->kind->size_is, kind, least, kind, most);
	return 0;
}
