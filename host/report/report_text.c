// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "report/report_text.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

void loom_report_text(char *out, size_t size, const char *text)
{
	size_t used = 0;
	for (const char *s = text; *s;) {
		size_t n = loom_text_character(s), n_out = n ? n : 1;
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
	for (unsigned d = 0; d < plan->n_order; d++)
		identity = identity && plan->order[d] == d;
	for (uint32_t v = 0; !plan->n_order && v < plan->topo.n_nodes; v++)
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
	return group + 2 >= loom_topo_groups(topo);
}

void loom_report_put_csv(FILE *stream, const char *text)
{
	if (!strpbrk(text, ",\"\r\n")) {
		(void)fputs(text, stream);
		return;
	}
	(void)fputc('"', stream);
	for (const char *c = text; *c; c++) {
		if (*c == '"')
			(void)fputc('"', stream);
		(void)fputc(*c, stream);
	}
	(void)fputc('"', stream);
}

int loom_report_put_wrapped(FILE *stream, int indent, const char *words)
{
	int column = indent;
	for (size_t length; *words; words += length + strspn(words + length, " ")) {
		length = strcspn(words, " ");
		if (column > indent && column + 1 + (int)length > LOOM_REPORT_WIDTH) {
			(void)fprintf(stream, "\n%*s", indent, "");
			column = indent;
		} else if (column > indent) {
			(void)fputc(' ', stream);
			column++;
		}
		(void)fwrite(words, 1, length, stream);
		column += (int)length;
	}
	return column;
}
