// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// A plan file is either refused, with a text and the plan untouched, or holds to its own prediction.
#include <stdlib.h>
#include <string.h>

#include <flitloom/plan.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size); // libFuzzer's own
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

// Most changes of a byte only break the JSON. Half of the time, another number takes the place of one that is there:
// that gets past the parser, to the checks behind it.
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
	static const char *const edges[] = {"0",  "1",   "2",   "3",       "7",          "8",    "9",
	                                    "-1", "255", "256", "1048576", "4294967295", "null", "4294967296"};
	size_t first = size ? seed / 2 % size : 0, end;
	while (first < size && (data[first] < '0' || data[first] > '9'))
		first++;
	if (seed % 2 || first == size)
		return LLVMFuzzerMutate(data, size, max_size);
	for (end = first; end < size && data[end] >= '0' && data[end] <= '9';)
		end++;
	const char *number = edges[seed / 2 / size % (sizeof edges / sizeof edges[0])];
	size_t length = strlen(number);
	if (size - (end - first) + length > max_size)
		return size;
	memmove(data + first + length, data + end, size - end);
	memcpy(data + first, number, length);
	return size - (end - first) + length;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct loom_plan plan, before;
	struct loom_err err = {0};
	memset(&plan, 0xa5, sizeof plan);
	memcpy(&before, &plan, sizeof plan);
	if (loom_plan_parse(&plan, (const char *)data, size, "fuzz", &err) != 0) {
		if (!err.text[0] || memcmp(&plan, &before, sizeof plan) != 0)
			abort();
		return 0;
	}
	uint32_t contention = loom_plan_contention(&plan);
	uint64_t cycles = loom_plan_cycles(&plan);
	if (loom_plan_predict(&plan, &err) != 0 || loom_plan_contention(&plan) != contention ||
	    loom_plan_cycles(&plan) != cycles || plan.lower_bound > contention)
		abort();
	loom_plan_free(&plan);
	return 0;
}
