// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Lists of the numbers of failed links and nodes.
#include "topo/failures_list.h"

#include <stdlib.h>
#include <string.h>

static bool copy_numbers(uint32_t **out, const uint32_t *from, size_t n)
{
	*out = malloc((n + 1) * sizeof **out);
	if (*out && n)
		memcpy(*out, from, n * sizeof **out);
	return *out != NULL;
}

bool loom_failures_copy(struct loom_failures *out, const struct loom_failures *f)
{
	*out = (struct loom_failures){.n_links = f->n_links, .n_nodes = f->n_nodes, .in_cycle = f->in_cycle};
	out->text = strdup(f->text ? f->text : "");
	const bool links = copy_numbers(&out->link, f->link, f->n_links);
	const bool nodes = copy_numbers(&out->node, f->node, f->n_nodes);
	return out->text && links && nodes;
}

bool loom_failures_have(const uint32_t *list, size_t n, uint32_t number)
{
	size_t low = 0, high = n;
	while (low < high) {
		const size_t middle = (low + high) / 2;
		if (list[middle] < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low < n && list[low] == number;
}

void loom_failures_free(struct loom_failures *f)
{
	if (!f)
		return;
	free(f->text);
	free(f->link);
	free(f->node);
	*f = (struct loom_failures){0};
}
