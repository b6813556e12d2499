// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "tally.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

void tally_add(struct tally *tally, const char *fabric)
{
	const size_t length = strcspn(fabric, ":");
	size_t k = 0;
	tally->n++;
	while (k < tally->n_rows &&
	       (strncmp(tally->row[k].kind, fabric, length) != 0 || tally->row[k].kind[length] != '\0'))
		k++;
	if (k == tally->n_rows) {
		assert_true(k < sizeof tally->row / sizeof tally->row[0] && length < sizeof tally->row[k].kind);
		(void)snprintf(tally->row[k].kind, sizeof tally->row[k].kind, "%.*s", (int)length, fabric);
		tally->n_rows++;
	}
	tally->row[k].n++;
}

void tally_print(const struct tally *tally, const char *what)
{
	char line[1024] = "";
	for (size_t k = 0; k < tally->n_rows; k++) {
		const size_t n = strlen(line);
		(void)snprintf(line + n, sizeof line - n, "%s %s %" PRIu64, k ? "," : "", tally->row[k].kind,
		               tally->row[k].n);
	}
	print_message("%" PRIu64 " runs of %s, 0 differences:%s\n", tally->n, what, line);
}
