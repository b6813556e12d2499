// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_CACHE_LINES_H
#define LOOM_CACHE_LINES_H

#include <stddef.h>

// Memory that begins at a line of the processor's cache.

#define LOOM_CACHE_LINE_BYTES 64u

// Allocates n_bytes bytes; the caller frees them by free(). NULL: no memory. Large blocks use large pages, if the
// system has them, because the processor looks these up faster.
void *loom_cache_lines(size_t n_bytes);
void *loom_cache_lines_zeroed(size_t n_bytes);
// Allocates n_bytes in place of `room`, and copies the first n_kept bytes (0 if room is NULL). NULL: no memory, and
// `room` is unchanged.
void *loom_cache_lines_longer(void *room, size_t n_kept, size_t n_bytes);

#endif
