// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Functions that tell the time that has passed, by a clock that only goes forward.
#ifndef LOOM_CLOCK_H
#define LOOM_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline int64_t loom_clock_ns(void)
{
	struct timespec t;
	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static inline uint64_t loom_clock_us(void)
{
	return (uint64_t)loom_clock_ns() / 1000;
}

static inline double loom_clock_ms(void)
{
	return (double)loom_clock_ns() / 1e6;
}

static inline double loom_clock_s(void)
{
	return (double)loom_clock_ns() / 1e9;
}

#endif
