// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "report/report_text.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

// Bytes of the character that starts at s, 0 if it is not one that may be shown.
static size_t character(const unsigned char *s)
{
	static const unsigned char first_bits[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	size_t n = s[0] < 0x80 ? 1 : s[0] < 0xc2 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : s[0] < 0xf5 ? 4 : 0;
	if (n == 0)
		return 0;
	uint32_t point = s[0] & first_bits[n];
	for (size_t i = 1; i < n; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		point = point << 6 | (s[i] & 0x3f);
	}
	bool control = point < 0x20 || (point >= 0x7f && point < 0xa0);
	bool surrogate = point >= 0xd800 && point < 0xe000;
	bool outside = point < least[n] || point > 0x10ffff || point == 0xfffe || point == 0xffff;
	return control || surrogate || outside ? 0 : n;
}

void loom_report_text(char *out, size_t size, const char *text)
{
	size_t used = 0;
	const unsigned char *s = (const unsigned char *)text;
	while (*s) {
		size_t n = character(s), n_out = n ? n : 1;
		if (used + n_out >= size)
			break;
		if (n)
			memcpy(out + used, s, n);
		else
			out[used] = '?';
		used += n_out;
		s += n_out;
	}
	if (size)
		out[used] = '\0';
}

void loom_report_map(char *out, size_t size, const struct loom_plan *plan)
{
	enum { SHOWN = 8 };
	bool identity = true;
	for (uint32_t v = 0; v < plan->topo.n_nodes; v++)
		identity = identity && plan->map[v] == v;
	if (identity) {
		(void)snprintf(out, size, "identity");
		return;
	}
	uint32_t n = plan->n_order ? plan->n_order : plan->topo.n_nodes, shown = n;
	if (!plan->n_order && n > SHOWN)
		shown = SHOWN;
	size_t used = 0;
	for (uint32_t i = 0; i < shown && used < size; i++)
		used += (size_t)snprintf(out + used, size - used, "%s%" PRIu32, i ? "," : "",
		                         plan->n_order ? (uint32_t)plan->order[i] : plan->map[i]);
	if (shown < n && used < size)
		(void)snprintf(out + used, size - used, ",... (%" PRIu32 " nodes)", n);
}

bool loom_report_group_is_local(const struct loom_topo *topo, unsigned group)
{
	for (uint32_t c = 0; c < loom_topo_channels(topo); c++)
		if (topo->kind->group_of(topo, c) == group)
			return loom_topo_is_local(topo, c) != 0;
	return false;
}
