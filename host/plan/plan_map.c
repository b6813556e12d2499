// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Where the processors sit: a map as a person writes it, and the bit order behind one.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "plan/plan_internal.h"
#include "base/suggest.h"

// n when n_nodes is 2^n, otherwise 0.
static unsigned address_bits(uint32_t n_nodes)
{
	unsigned n = 0;
	while (n < 31 && UINT32_C(1) << n < n_nodes)
		n++;
	return n_nodes == UINT32_C(1) << n ? n : 0;
}

// The bits can be read from the images of 2^j.
unsigned loom_plan_order_of_map(unsigned order[LOOM_GF2_MAX], const uint32_t *map, uint32_t n_nodes)
{
	unsigned n = address_bits(n_nodes);
	for (unsigned d = 0; d < n; d++) {
		order[d] = 0;
		while (order[d] < n && map[UINT32_C(1) << order[d]] != UINT32_C(1) << d)
			order[d]++;
		if (order[d] == n)
			return 0;
	}
	for (uint32_t v = 0; v < n_nodes; v++)
		if (map[v] != (n ? loom_gf2_reorder_vector(v, n, order) : v))
			return 0;
	return n;
}

static const char *map_word_at(size_t i)
{
	static const char *const words[] = {"best", "identity"};
	return i < sizeof words / sizeof words[0] ? words[i] : NULL;
}

static int fail_not_a_map(const struct loom_topo *topo, const char *text, const char *at, struct loom_err *err)
{
	const char *near = loom_suggest(text, map_word_at);
	unsigned n = address_bits(topo->n_nodes);
	char bits[40] = "", meant[40] = "";
	if (n)
		(void)snprintf(bits, sizeof bits, "%u numbers (a bit order) or ", n);
	if (near)
		(void)snprintf(meant, sizeof meant, "; did you mean \"%s\"?", near);
	return loom_fail(err, LOOM_EINPUT,
	                 "map \"%.60s\": no number at character %zu; it is \"best\", \"identity\", or %s%" PRIu32
	                 " numbers (a node for each processor), separated by commas%s",
	                 text, (size_t)(at - text) + 1, bits, topo->n_nodes, meant);
}

// Reads "0,4,2": stores the first `capacity` numbers, UINT32_MAX for one too large for any use, and counts them all.
static int parse_numbers(uint32_t *out, size_t capacity, size_t *n_out, const struct loom_topo *topo, const char *text,
                         struct loom_err *err)
{
	size_t n = 0;
	for (const char *c = text;; c++, n++) {
		while (*c == ' ')
			c++;
		if (*c < '0' || *c > '9')
			return fail_not_a_map(topo, text, c, err);
		uint32_t value = 0;
		for (; *c >= '0' && *c <= '9'; c++)
			value = value > 100000000 ? UINT32_MAX : value * 10 + (uint32_t)(*c - '0');
		if (n < capacity)
			out[n] = value;
		while (*c == ' ')
			c++;
		if (*c == '\0')
			break;
		if (*c != ',')
			return fail_not_a_map(topo, text, c, err);
	}
	*n_out = n + 1;
	return 0;
}

int loom_plan_check_permutation(const uint32_t *number, size_t n, uint32_t *place, const char *what,
                                struct loom_err *err)
{
	memset(place, 0, n * sizeof *place);
	for (size_t i = 0; i < n; i++) {
		if (number[i] >= n) {
			char value[16] = "the number";
			if (number[i] != UINT32_MAX)
				(void)snprintf(value, sizeof value, "%" PRIu32, number[i]);
			return loom_fail(err, LOOM_EINPUT,
			                 "map: %s at place %zu is out of range: %zu number%s %s, 0..%zu", value, i + 1,
			                 n, n == 1 ? " is" : "s are", what, n - 1);
		}
		if (place[number[i]])
			return loom_fail(err, LOOM_EINPUT,
			                 "map: %" PRIu32 " is repeated, at places %" PRIu32
			                 " and %zu: %zu numbers are %s, each of 0..%zu once",
			                 number[i], place[number[i]], i + 1, n, what, n - 1);
		place[number[i]] = (uint32_t)i + 1;
	}
	return 0;
}

int loom_plan_parse_map(uint32_t *map, bool *is_free, const struct loom_topo *topo, const char *text,
                        struct loom_err *err)
{
	uint32_t n_nodes = topo->n_nodes;
	unsigned bits = address_bits(n_nodes);
	for (uint32_t v = 0; v < n_nodes; v++)
		map[v] = v;
	*is_free = !text || strcmp(text, "best") == 0;
	if (*is_free || strcmp(text, "identity") == 0)
		return 0;

	int rc = LOOM_ENOMEM;
	size_t n = 0;
	uint32_t *number = calloc((size_t)n_nodes * 2, sizeof *number);
	if (!number)
		return loom_fail(err, rc, "out of memory for a map of %" PRIu32 " nodes", n_nodes);
	rc = parse_numbers(number, n_nodes, &n, topo, text, err);
	if (rc != 0)
		goto out;
	if (n == n_nodes) {
		rc = loom_plan_check_permutation(number, n, number + n_nodes, "the node of each processor", err);
		if (rc == 0)
			memcpy(map, number, n_nodes * sizeof *map);
	} else if (bits && n == bits) {
		rc = loom_plan_check_permutation(number, n, number + n_nodes, "a bit order", err);
		if (rc != 0)
			goto out;
		unsigned order[LOOM_GF2_MAX] = {0};
		for (unsigned d = 0; d < bits; d++)
			order[d] = number[d];
		for (uint32_t v = 0; v < n_nodes; v++)
			map[v] = (uint32_t)loom_gf2_reorder_vector(v, bits, order);
	} else if (bits) {
		rc = loom_fail(err, LOOM_EINPUT,
		               "map: %zu number%s, but %s takes %u (a bit order) or %" PRIu32
		               " (the node of each processor)",
		               n, n == 1 ? "" : "s", topo->name, bits, n_nodes);
	} else {
		rc = loom_fail(err, LOOM_EINPUT,
		               "map: %zu number%s, but %s takes %" PRIu32 " (the node of each processor)", n,
		               n == 1 ? "" : "s", topo->name, n_nodes);
	}
out:
	free(number);
	return rc;
}
