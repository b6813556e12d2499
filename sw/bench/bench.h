// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// The clock of the benchmarks, and how they end when something goes wrong.
#ifndef LOOM_BENCH_H
#define LOOM_BENCH_H

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

// Processor time of this process, so that what else the machine does matters less.
static inline double now_s(void)
{
	struct timespec t;
	(void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static inline void check(bool holds, const char *what)
{
	if (!holds) {
		(void)fprintf(stderr, "%s: %s is wrong\n", program_invocation_short_name, what);
		exit(3);
	}
}

// Returns the memory, which there must be.
static inline void *must(void *memory)
{
	check(memory != NULL, "the memory that there is");
	return memory;
}

#endif
