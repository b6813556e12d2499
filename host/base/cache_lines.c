// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "base/cache_lines.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define LARGE_PAGE (1u << 21)
#define MUCH_BYTES (1u << 20)

void *loom_cache_lines(size_t n_bytes)
{
	const size_t page = n_bytes > MUCH_BYTES ? LARGE_PAGE : LOOM_CACHE_LINE_BYTES,
		     bytes = (n_bytes + page) / page * page; // at least one byte
	void *room = aligned_alloc(page, bytes);
#ifdef MADV_HUGEPAGE
	if (room && page == LARGE_PAGE)
		(void)madvise(room, bytes, MADV_HUGEPAGE); // without it the kernel uses small pages
#endif
	return room;
}

void *loom_cache_lines_zeroed(size_t n_bytes)
{
	void *room = loom_cache_lines(n_bytes);
	if (room)
		memset(room, 0, n_bytes);
	return room;
}

void *loom_cache_lines_longer(void *room, size_t n_kept, size_t n_bytes)
{
	void *longer = loom_cache_lines(n_bytes);
	if (longer && n_kept > 0)
		memcpy(longer, room, n_kept);
	if (longer)
		free(room);
	return longer;
}
