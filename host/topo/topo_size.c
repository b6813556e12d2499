// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "topo/topo_size.h"

#include <assert.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

// Reads digits up to the first other character. strtoul would take " 8", "+8" and "-1" as well. Returns NULL if there
// is no number, or one of ten or more digits.
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

// Writes a correct size such as "4x4", of two extents if possible.
static void write_example(char out[2 * LOOM_SIZE_EXTENTS], unsigned least, unsigned most)
{
	unsigned n = least > 2 ? least : most < 2 ? most : 2;
	for (unsigned i = 0; i < n; i++)
		(void)snprintf(out + 2 * i, 3, "4%s", i + 1 < n ? "x" : "");
}

static int fail_extents(const struct loom_topo *t, unsigned least, unsigned most, struct loom_err *err)
{
	char example[2 * LOOM_SIZE_EXTENTS], count[32];
	if (least == most)
		(void)snprintf(count, sizeof count, "%u number%s", most, most == 1 ? "" : "s");
	else
		(void)snprintf(count, sizeof count, "%u to %u numbers", least, most);
	write_example(example, least, most);
	return loom_fail(err, LOOM_EINPUT, "the size of %s is its %s: %s from 1 to %d%s, such as %s:%s", t->kind->name,
	                 t->kind->size_is, count, LOOM_NODES_MAX, most > 1 ? " with an x between" : "", t->kind->name,
	                 example);
}

int loom_size_extents(struct loom_topo *t, uint32_t *n_nodes, const char *size, unsigned least, unsigned most,
                      struct loom_err *err)
{
	uint32_t named[LOOM_SIZE_EXTENTS];
	uint64_t product = 1;
	unsigned n = 0;
	const char *at = size;
	assert(1 <= least && least <= most && most <= LOOM_SIZE_EXTENTS);
	for (bool more = true; more; at++) {
		at = n < most ? read_number(&named[n], at) : NULL;
		if (!at || named[n] == 0 || (*at && *at != 'x'))
			return fail_extents(t, least, most, err);
		product = product > LOOM_NODES_MAX ? product : product * named[n];
		n++;
		more = *at == 'x';
	}
	if (n < least)
		return fail_extents(t, least, most, err);
	if (product < 2 || product > LOOM_NODES_MAX)
		return loom_fail(err, LOOM_EINPUT, "that is %s; 2 to %d nodes are possible",
		                 product < 2 ? "1 node" : "too many nodes", LOOM_NODES_MAX);
	t->n_dims = n;
	for (unsigned d = 0; d < n; d++)
		t->extent[d] = named[n - 1 - d];
	*n_nodes = (uint32_t)product;
	return 0;
}
