// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "topo/topo_size.h"

#include <inttypes.h>

#define EXTENTS_MAX 16

// Digits only, up to whatever comes next: strtoul would take " 8", "+8" and "-1" as well. NULL: no number, or one of
// ten digits or more.
static const char *read_number(uint32_t *out, const char *digits)
{
	uint32_t value = 0, n = 0;
	for (; digits[n] >= '0' && digits[n] <= '9'; n++) {
		if (n == 9)
			return NULL;
		value = value * 10 + (uint32_t)(digits[n] - '0');
	}
	*out = value;
	return n ? digits + n : NULL;
}

int loom_size_number(uint32_t *out, const struct loom_topo *t, const char *size, uint32_t least, uint32_t most,
                     struct loom_err *err)
{
	const char *kind = t->kind->name, *end = read_number(out, size);
	if (!end || *end || *out < least || *out > most)
		return loom_fail(err, LOOM_EINPUT, "the size of %s is its %s, %s:%" PRIu32 " to %s:%" PRIu32, kind,
		                 t->kind->size_is, kind, least, kind, most);
	return 0;
}

int loom_size_extents(struct loom_topo *t, uint32_t *n_nodes, const char *size, struct loom_err *err)
{
	uint32_t named[EXTENTS_MAX];
	uint64_t product = 1;
	unsigned n = 0;
	const char *kind = t->kind->name, *at = size;
	for (bool more = true; more; at++) {
		at = n < EXTENTS_MAX ? read_number(&named[n], at) : NULL;
		if (!at || named[n] == 0 || (*at && *at != 'x'))
			return loom_fail(
				err, LOOM_EINPUT,
				"the size of %s is its %s, such as %s:4x4 or %s:4x3x2: numbers from 1 to %d, up to "
				"%d of them, with an x between two",
				kind, t->kind->size_is, kind, kind, LOOM_NODES_MAX, EXTENTS_MAX);
		product = product > LOOM_NODES_MAX ? product : product * named[n];
		n++;
		more = *at == 'x';
	}
	if (product < 2 || product > LOOM_NODES_MAX)
		return loom_fail(err, LOOM_EINPUT, "that is %s; 2 to %d nodes are possible",
		                 product < 2 ? "1 node" : "too many nodes", LOOM_NODES_MAX);
	t->n_dims = n;
	for (unsigned d = 0; d < n; d++)
		t->extent[d] = named[n - 1 - d];
	*n_nodes = (uint32_t)product;
	return 0;
}
