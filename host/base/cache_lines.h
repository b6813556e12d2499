// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_CACHE_LINES_H
#define LOOM_CACHE_LINES_H

#include <stddef.h>

// Memory that begins with a line of the processor's cache.

#define LOOM_CACHE_LINE_BYTES 64u

// Room for so many bytes, to be freed by free(); NULL: no memory. Much of it comes in large pages, where the system has such, since the
// processor finds these sooner.
void *loom_cache_lines(size_t n_bytes);
void *loom_cache_lines_zeroed(size_t n_bytes);
// Room for n_bytes in place of `room`, which had n_kept (0 of NULL). NULL: no memory, and `room` is as before.
void *loom_cache_lines_longer(void *room, size_t n_kept, size_t n_bytes);

#endif
