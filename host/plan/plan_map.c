// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads a map, which says at which nodes the processors sit, and finds the bit order of a map.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/math/otis_embeddings.h>

#include "base/numbers.h"
#include "plan/plan_internal.h"
#include "base/file.h"
#include "base/suggest.h"
#include "base/text.h"

#define BYTES_MOST ((size_t)64 << 20) // of a file

// Returns n if n_nodes is 2^n, otherwise 0.
static unsigned address_bits(uint32_t n_nodes)
{
	const unsigned n = loom_bits_for(n_nodes);
	return n_nodes == UINT32_C(1) << n ? n : 0;
}

// Reads the bit order from the images of 2^j.
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
	static const char *const words[] = {"best",   "identity",  "row-major",    "greedy",
	                                    "search", "group-row", "group-submesh"};
	return i < sizeof words / sizeof words[0] ? words[i] : NULL;
}

static int fail_not_a_map(const struct loom_topo *topo, const char *text, const char *at, struct loom_err *err)
{
	const char *near = loom_suggest(text, map_word_at);
	unsigned n = address_bits(loom_topo_hosts(topo));
	char bits[40] = "", meant[40] = "";
	if (n)
		(void)snprintf(bits, sizeof bits, "%u numbers (a bit order) or ", n);
	if (near)
		(void)snprintf(meant, sizeof meant, "; did you mean \"%s\"?", near);
	return loom_fail(err, LOOM_EINPUT,
	                 "map \"%.60s\": no number at character %zu; it is \"best\", \"row-major\" (or "
	                 "\"identity\"), \"greedy\", \"search\", a file "
	                 "with a . or / in its name, or %s%" PRIu32
	                 " numbers (a node for each processor), separated by commas%s",
	                 text, (size_t)(at - text) + 1, bits, loom_topo_hosts(topo), meant);
}

// Reads numbers such as "0,4,2". Stores the first `capacity` of them and counts all. Stores UINT32_MAX for numbers that
// are too large.
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

// Maps an N x N mesh to the nodes of an OTIS-Mesh.
static int embed(uint32_t *map, const struct loom_topo *topo, loom_otis_embedding node_of, const char *name,
                 struct loom_err *err)
{
	if (topo->kind->router != LOOM_ROUTER_OTIS)
		return loom_fail(err, LOOM_EINPUT, "map %s: it is for an otis-mesh, such as otis-mesh:16, not for %s",
		                 name, topo->name);
	for (uint32_t v = 0; v < topo->n_nodes; v++)
		map[v] = node_of(topo->extent[0], v);
	return 0;
}

int loom_plan_parse_map(uint32_t *map, bool *is_free, const struct loom_topo *topo, const char *text,
                        struct loom_err *err)
{
	uint32_t n_nodes = loom_topo_hosts(topo);
	unsigned bits = address_bits(n_nodes);
	for (uint32_t v = 0; v < topo->n_nodes; v++)
		map[v] = v;
	*is_free = !text || strcmp(text, "best") == 0;
	if (*is_free || strcmp(text, "identity") == 0 || strcmp(text, "row-major") == 0)
		return 0;
	loom_otis_embedding embedding = loom_otis_embedding_named(text);
	if (embedding)
		return embed(map, topo, embedding, text, err);

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

// ---- A file ----

bool loom_plan_map_is_file(const char *text)
{
	return text && strpbrk(text, "./") != NULL;
}

bool loom_plan_map_is_placed(const char *map)
{
	return map && (strcmp(map, "greedy") == 0 || strcmp(map, "search") == 0 || loom_plan_map_is_file(map));
}

// Skips separators and comments.
static const char *skip(const char *c, size_t *line)
{
	for (;; c++) {
		if (*c == '#')
			c += strcspn(c, "\n");
		if (*c == '\n')
			++*line;
		else if (*c == '\0' || !strchr(", \t\r", *c))
			return c;
	}
}

int loom_plan_parse_places(uint32_t *map, const struct loom_topo *topo, const char *text, const char *where,
                           struct loom_err *err)
{
	char shown[48], name[96];
	uint32_t n_nodes = loom_topo_hosts(topo), n = 0;
	size_t line = 1, length;
	uint32_t *task_on = calloc(n_nodes, sizeof *task_on); // counted from 1
	int rc = 0;
	if (!task_on)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for a map of %" PRIu32 " nodes", n_nodes);
	loom_text_where(name, sizeof name, where);
	for (const char *c = skip(text, &line); rc == 0 && *c; c = skip(c + length, &line)) {
		uint64_t node;
		length = strcspn(c, ", \t\r\n#");
		if (!loom_text_number(&node, c, length) || node >= n_nodes)
			rc = loom_fail(err, LOOM_EINPUT, "%s, line %zu: \"%s\" is not a node of %s: 0..%" PRIu32, name,
			               line, loom_text_quote(shown, sizeof shown, c, length), topo->name, n_nodes - 1);
		else if (task_on[node])
			rc = loom_fail(err, LOOM_EINPUT,
			               "%s, line %zu: node %" PRIu64 " is repeated, for tasks %" PRIu32 " and %" PRIu32
			               ": a node has one task",
			               name, line, node, task_on[node] - 1, n);
		else {
			map[n++] = (uint32_t)node;
			task_on[node] = n;
		}
	}
	if (rc == 0 && n == 0)
		rc = loom_fail(err, LOOM_EINPUT, "%s: no number; it has the node of task 0, of task 1 and so on", name);
	for (uint32_t node = 0; rc == 0 && node < n_nodes; node++)
		if (!task_on[node])
			map[n++] = node;
	for (uint32_t node = n_nodes; rc == 0 && node < topo->n_nodes; node++)
		map[node] = node; // the nodes that are switches
	free(task_on);
	return rc;
}

int loom_plan_read_places(uint32_t *map, const struct loom_topo *topo, const char *path, struct loom_err *err)
{
	char *text = NULL;
	size_t length = 0;
	int rc = loom_file_read(&text, &length, path, BYTES_MOST, err);
	if (rc != 0)
		return rc;
	char *ended = realloc(text, length + 1);
	if (!ended) {
		rc = loom_fail(err, LOOM_ENOMEM, "out of memory for a map of %zu bytes", length);
	} else {
		char where[96];
		text = ended;
		text[length] = '\0';
		rc = strlen(text) == length ? loom_plan_parse_places(map, topo, text, path, err)
		                            : loom_fail(err, LOOM_EFILE, "%s: not a text file (byte %zu is 0)",
		                                        loom_text_where(where, sizeof where, path), strlen(text));
	}
	free(text);
	return rc;
}
