// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "base/arrays.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>

// The header in front of each array.
struct loom_arrays_link {
	struct loom_arrays_link *older;
	alignas(max_align_t) unsigned char array[];
};

void *loom_arrays_take(struct loom_arrays *arrays, size_t n, size_t size)
{
	struct loom_arrays_link *link = NULL;
	if (!arrays->is_short && n <= (SIZE_MAX - sizeof *link) / size)
		link = calloc(1, sizeof *link + n * size);
	if (!link) {
		arrays->is_short = true;
		return NULL;
	}
	link->older = arrays->newest;
	arrays->newest = link;
	return link->array;
}

void loom_arrays_free(struct loom_arrays *arrays)
{
	for (struct loom_arrays_link *link = arrays->newest, *older; link; link = older) {
		older = link->older;
		free(link);
	}
	*arrays = (struct loom_arrays){0};
}
