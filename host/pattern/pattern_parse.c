// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
// Patterns by name: finds the row that a specification names and has it made.
#include <inttypes.h>
#include <string.h>

#include <flitloom/pattern.h>

#include "base/suggest.h"
#include "base/text.h"
#include "pattern/pattern_internal.h"

#define BYTE_BITS 8

static int fail_unknown(const char *spec, size_t length, struct loom_err *err)
{
	char shown[48];
	int code = loom_pattern_fail_foreign(err, spec, length);
	if (code)
		return code;
	loom_text_quote(shown, sizeof shown, spec, length);
	if (strncmp(spec, "traffic:", 8) == 0 || strchr(spec, '*'))
		return loom_fail(err, LOOM_EINPUT,
		                 "pattern \"%s\": that is random traffic, which is what `sweep --load` takes", shown);
	const char *near = loom_suggest(shown, loom_pattern_name);
	if (near)
		return loom_fail(err, LOOM_EINPUT, "unknown pattern \"%s\": did you mean \"%s\"?", shown, near);
	if (strpbrk(spec, "./"))
		return loom_fail(
			err, LOOM_EINPUT,
			"unknown pattern \"%s\": a file is given as lcc:FILE, set:FILE, perm:FILE or messages:FILE",
			shown);
	return loom_fail(err, LOOM_EINPUT, "unknown pattern \"%s\": \"flitloom list patterns\" shows the known ones",
	                 shown);
}

static int check_shape(const struct loom_pattern_options *options, uint32_t n_nodes, struct loom_err *err)
{
	uint64_t product = 1;
	if (options->n_dims > LOOM_PATTERN_DIMS_MAX)
		return loom_fail(err, LOOM_EINPUT, "a shape of %u extents: a pattern takes %d", options->n_dims,
		                 LOOM_PATTERN_DIMS_MAX);
	for (unsigned d = 0; d < options->n_dims && product > 0 && product <= n_nodes; d++)
		product *= options->extent[d];
	if (options->n_dims > 0 && product != n_nodes)
		return loom_fail(err, LOOM_EINPUT,
		                 "the shape is not that of %" PRIu32
		                 " processors, which the product of its extents must be",
		                 n_nodes);
	return 0;
}

// The row that the specification names, and its argument, NULL if there is none.
static int find_row(const struct loom_pattern_row **row_out, const char **argument_out, const char *spec,
                    struct loom_err *err)
{
	if (!*spec)
		return loom_fail(err, LOOM_EINPUT,
		                 "the pattern is empty: \"flitloom list patterns\" shows what it can be");
	size_t length = strcspn(spec, ":");
	const struct loom_pattern_row *row = loom_pattern_find(spec, length);
	if (!row)
		return fail_unknown(spec, length, err);
	const char *argument = spec[length] ? spec + length + 1 : NULL;
	if (row->argument && (argument ? !*argument : !row->optional))
		return loom_fail(err, LOOM_EINPUT, "pattern %s needs an argument: %s:%s%s%s", row->name, row->name,
		                 row->argument, row->alone ? "; without one it is " : "", row->alone ? row->alone : "");
	if (!row->argument && argument) {
		char shown[48];
		loom_text_quote(shown, sizeof shown, argument, strlen(argument));
		return loom_fail(err, LOOM_EINPUT, "pattern %s takes no argument, \":%s\" is too much", row->name,
		                 shown);
	}
	*row_out = row;
	*argument_out = argument;
	return 0;
}

bool loom_pattern_is_program(const char *spec)
{
	const struct loom_pattern_row *row = loom_pattern_find(spec, strcspn(spec, ":+")), *r = loom_pattern_rows_goal;
	while (r->name && r != row)
		r++;
	return r->name != NULL;
}

bool loom_pattern_is_in_bytes(const char *spec)
{
	static const char demand[] = "demand:";
	if (strncmp(spec, demand, sizeof demand - 1) != 0)
		return loom_pattern_is_program(spec) || strncmp(spec, "matrix:", 7) == 0;
	for (const char *at = spec + sizeof demand - 1;; at++) { // a term, behind its factor if it has one
		if (loom_pattern_is_program(at) || strncmp(at, "matrix:", 7) == 0)
			return true;
		at += strcspn(at, "+*");
		if (!*at)
			return false;
	}
}

int loom_pattern_parse(struct loom_pattern *out, const char *spec, uint32_t n_nodes,
                       const struct loom_pattern_options *options, struct loom_err *err)
{
	struct loom_pattern_request request = {.spec = spec,
	                                       .n_nodes = n_nodes,
	                                       .n_dims = options->n_dims ? options->n_dims : 1,
	                                       .extent = options->n_dims ? options->extent : &n_nodes,
	                                       .options = options};
	if (n_nodes < 1 || n_nodes > LOOM_NODES_MAX)
		return loom_fail(err, LOOM_EINPUT, "%" PRIu32 " processors: a pattern has 1 to %d", n_nodes,
		                 LOOM_NODES_MAX);
	if (options->flits == 0)
		return loom_fail(err, LOOM_EINPUT, "0 flits: a message has at least 1, its header");
	if (options->flit_bits && options->flit_bytes > options->flit_bits / BYTE_BITS)
		return loom_fail(err, LOOM_EINPUT,
		                 "%" PRIu32 " bytes in a flit (--flit-bytes): one of %" PRIu32 " bits holds %" PRIu32,
		                 options->flit_bytes, options->flit_bits, options->flit_bits / BYTE_BITS);
	int code = check_shape(options, n_nodes, err);
	if (code == 0)
		code = find_row(&request.row, &request.argument, spec, err);
	return code ? code : request.row->make(out, &request, err);
}

int loom_pattern_parse_lccs(struct loom_pattern *out, const char *spec, unsigned n,
                            const struct loom_pattern_options *options, struct loom_err *err)
{
	uint32_t extents[LOOM_PATTERN_DIMS_MAX]; // the shape of a cube
	struct loom_pattern_request request = {
		.spec = spec, .n_bits = n, .n_dims = n, .extent = extents, .options = options};
	if (n < 1 || n > LOOM_PATTERN_DIMS_MAX)
		return loom_fail(err, LOOM_EINPUT, "2^%u processors: a pattern made from matrices has 2^1 to 2^%d", n,
		                 LOOM_PATTERN_DIMS_MAX);
	for (unsigned d = 0; d < n; d++)
		extents[d] = 2;
	int code = find_row(&request.row, &request.argument, spec, err);
	if (code == 0 && !request.row->linear)
		code = loom_fail(err, LOOM_EINPUT,
		                 "pattern %s is a list of messages; of 2^%u processors only those can be had that are "
		                 "y = A x + b, such as transpose",
		                 request.row->name, n);
	return code ? code : request.row->make(out, &request, err);
}
