// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "failing_memory.h"

#include <errno.h>
#include <jansson.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PLACES = 1 << 16 }; // pieces live at a time, a power of two, and some

static struct {
	bool armed, from_then_on, failed, jansson_reads;
	size_t n, fail_at, n_live;
	void *live[PLACES]; // a hash table: each piece at its place or behind it, with no gap between
} memory;

static size_t place_of(const void *p)
{
	return (size_t)((uint64_t)(uintptr_t)p * UINT64_C(11400714819323198485) >> 48) % PLACES;
}

static void *took(void *p)
{
	if (!p || !memory.armed)
		return p;
	size_t at = place_of(p);
	while (memory.live[at])
		at = (at + 1) % PLACES;
	memory.live[at] = p;
	if (++memory.n_live > PLACES / 2)
		abort();
	return p;
}

// Fills the gap with a piece behind it whose place is not behind the gap, and so on.
static void close_gap(size_t gap)
{
	for (size_t at = (gap + 1) % PLACES; memory.live[at]; at = (at + 1) % PLACES)
		if ((at - place_of(memory.live[at])) % PLACES >= (at - gap) % PLACES) {
			memory.live[gap] = memory.live[at];
			gap = at;
		}
	memory.live[gap] = NULL;
}

// Forgets a block; blocks from before the count began are not counted.
static void gave(const void *p)
{
	for (size_t at = place_of(p); p && memory.live[at]; at = (at + 1) % PLACES)
		if (memory.live[at] == p) {
			close_gap(at);
			memory.n_live--;
			return;
		}
}

static bool fails(void)
{
	if (!memory.armed)
		return false;
	memory.n++;
	bool now = memory.fail_at && (memory.n == memory.fail_at || (memory.from_then_on && memory.n > memory.fail_at));
	if (now)
		errno = ENOMEM;
	memory.failed = memory.failed || now;
	return now;
}

void memory_arm(size_t n, bool from_then_on)
{
	memory.armed = true;
	memory.from_then_on = from_then_on;
	memory.failed = false;
	memory.n = 0;
	memory.fail_at = n;
}

bool memory_disarm(void)
{
	memory.armed = false;
	return memory.failed;
}

size_t memory_allocations(void)
{
	return memory.n;
}

size_t memory_live(void)
{
	return memory.n_live;
}

// --- Functions that replace those of the C library (-Wl,--wrap) ----------------------------------------------------

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void __real_free(void *p);
char *__real_strdup(const char *text);
char *__real_realpath(const char *path, char *resolved);
FILE *__real_fopen(const char *path, const char *mode);
FILE *__real_fdopen(int fd, const char *mode);
FILE *__real_open_memstream(char **text, size_t *size);

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void __wrap_free(void *p);
char *__wrap_strdup(const char *text);
char *__wrap_realpath(const char *path, char *resolved);
FILE *__wrap_fopen(const char *path, const char *mode);
FILE *__wrap_fdopen(int fd, const char *mode);
FILE *__wrap_open_memstream(char **text, size_t *size);

void *__wrap_malloc(size_t size)
{
	return fails() ? NULL : took(__real_malloc(size));
}

void *__wrap_calloc(size_t n, size_t size)
{
	return fails() ? NULL : took(__real_calloc(n, size));
}

void *__wrap_realloc(void *p, size_t size)
{
	if (fails())
		return NULL;
	gave(p);
	return took(__real_realloc(p, size));
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
	return fails() ? NULL : took(__real_aligned_alloc(alignment, size));
}

void __wrap_free(void *p)
{
	gave(p);
	__real_free(p);
}

char *__wrap_strdup(const char *text)
{
	return fails() ? NULL : took(__real_strdup(text));
}

char *__wrap_realpath(const char *path, char *resolved)
{
	return fails() ? NULL : took(__real_realpath(path, resolved));
}

// LeakSanitizer checks streams.
FILE *__wrap_fopen(const char *path, const char *mode)
{
	return fails() ? NULL : __real_fopen(path, mode);
}

FILE *__wrap_fdopen(int fd, const char *mode)
{
	return fails() ? NULL : __real_fdopen(fd, mode);
}

FILE *__wrap_open_memstream(char **text, size_t *size)
{
	return fails() ? NULL : __real_open_memstream(text, size);
}

// The reader of Jansson 2.14 does not look whether the buffer of a token could grow, and then reads and writes beyond
// it. That buffer has 32, 64, 128 ... bytes; what else has such a size is spared with it.
static void *jansson_malloc(size_t size)
{
	bool may_be_buffer = size >= 32 && (size & (size - 1)) == 0;
	return memory.jansson_reads && may_be_buffer ? took(__real_malloc(size)) : __wrap_malloc(size);
}

void memory_take_jansson(void)
{
	json_set_alloc_funcs(jansson_malloc, __wrap_free);
}

void memory_jansson_reads(bool reads)
{
	memory.jansson_reads = reads;
}
