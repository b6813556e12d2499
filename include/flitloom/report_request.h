// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_REPORT_REQUEST_H
#define LOOM_REPORT_REQUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The request behind a report: with the version of the program, and the files that it names, enough to ask for the same
// again. A string that is NULL was left to the program, or the question did not arise. A value that varies from row to
// row of a sweep is not single: `flits` is then 0, `machine` NULL, and only `command` says what was asked for.
struct loom_report_request {
	const char *const *command; // the words of a command that repeats it, or NULL
	size_t n_command;
	const char *fabric;  // "cube:8"; of a sweep its kinds, "omega,cube"
	const char *pattern; // as it was asked for, "lcc:FILE"
	const char *plan;    // the file that the plan comes from, in place of a pattern
	const char *map, *planner, *objective, *rule, *load, *cost;
	uint32_t flits; // of a message where the pattern does not say; 0: the plan's file has settled it, or it varies
	uint64_t seed;
	bool half_duplex; // of a fabric and a pattern
	uint32_t detours; // likewise
	// For collectives and goal:FILE, if they were said: not has_bytes, 0 and NULL if not. calc_cycles is "3" or
	// "1/1000".
	bool has_bytes;
	uint64_t bytes;
	uint32_t flit_bytes;
	const char *calc_cycles;
	// The options of a run; `link` NULL: nothing was to be run.
	const char *link, *machine, *schedule;
	bool preset;
	uint64_t max_cycles; // of a pass; 0: the plan's own limit (loom_plan_cycle_limit)
	unsigned timeout_ms; // 0: the link's own
};

#endif
