// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

#include "pattern/pattern_internal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// The first byte is the number of processors.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0)
		return 0;
	struct loom_message_list list = {0};
	struct loom_err err = {0};
	int code = loom_messages_parse(&list, data[0], 1, (const char *)data + 1, size - 1, "fuzz", &err);
	if (code) {
		if (code != err.code || !err.text[0] || list.messages)
			abort();
		return 0;
	}
	// Whatever the parser accepts makes a pattern.
	struct loom_pattern p;
	if (loom_pattern_from_messages(&p, "fuzz", data[0], list.messages, list.n, &err) != 0 || p.n_messages != list.n)
		abort();
	loom_pattern_free(&p);
	loom_message_list_free(&list);
	return 0;
}
