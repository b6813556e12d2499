// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// A graph out of a file: an edge a line,
//
//     a b        # a link between a and b: flits go both ways
//     a -- b     # the same
//     a -> b     # from a to b only
//
// or what GraphViz reads. Names of GraphViz files end in .dot or .gv, or they have a brace in them.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "topo/graph.h"

#define BYTES_MAX ((size_t)1 << 22)

static bool ends_in(const char *text, const char *end)
{
	size_t length = strlen(text), n = strlen(end);
	return length >= n && strcmp(text + length - n, end) == 0;
}

static size_t skip_blanks(const char *line, size_t at, size_t length)
{
	while (at < length && (line[at] == ' ' || line[at] == '\t' || line[at] == '\r'))
		at++;
	return at;
}

static bool is_arrow(const char *line, size_t at, size_t length)
{
	return at + 1 < length && line[at] == '-' && (line[at + 1] == '-' || line[at + 1] == '>');
}

static size_t end_of_name(const char *line, size_t at, size_t length)
{
	while (at < length && !strchr(" \t\r", line[at]) && !is_arrow(line, at, length))
		at++;
	return at;
}

static int read_line(struct loom_graph_wires *out, const char *line, size_t length, const char *where,
                     struct loom_err *err)
{
	const char *comment = memchr(line, '#', length);
	uint32_t from, to;
	bool both = true;
	length = comment ? (size_t)(comment - line) : length;
	size_t first = skip_blanks(line, 0, length), first_end = end_of_name(line, first, length);
	if (first == length)
		return 0;
	size_t second = skip_blanks(line, first_end, length);
	if (is_arrow(line, second, length)) {
		both = line[second + 1] == '-';
		second = skip_blanks(line, second + 2, length);
	}
	size_t second_end = end_of_name(line, second, length);
	if (first == first_end || second == second_end || skip_blanks(line, second_end, length) != length) {
		char shown[60];
		return loom_fail(err, LOOM_EINPUT,
		                 "%.120s: \"%s\" is no edge; one is two names, a b, a -- b or a -> b, and nothing else",
		                 where, loom_text_quote(shown, sizeof shown, line, length));
	}
	int rc = loom_graph_node(&from, out, line + first, first_end - first, where, err);
	if (rc == 0)
		rc = loom_graph_node(&to, out, line + second, second_end - second, where, err);
	return rc == 0 ? loom_graph_add(out, from, to, both, where, err) : rc;
}

static int read_edges(struct loom_graph_wires *out, const char *text, size_t length, const char *file,
                      struct loom_err *err)
{
	size_t at = 0;
	int rc = 0;
	for (uint32_t number = 1; rc == 0 && at < length; number++) {
		const char *end = memchr(text + at, '\n', length - at);
		size_t line_length = end ? (size_t)(end - text) - at : length - at;
		char where[120];
		(void)snprintf(where, sizeof where, "%.90s: line %" PRIu32, file, number);
		rc = read_line(out, text + at, line_length, where, err);
		at += line_length + 1;
	}
	if (rc == 0 && out->n_links == 0)
		rc = loom_fail(err, LOOM_EINPUT, "%.120s: there is no edge in it; one is two names in a line, a b",
		               file);
	return rc;
}

int loom_graph_read(struct loom_graph_wires *out, const char *file, struct loom_err *err)
{
	struct loom_graph_wires wires = {0};
	char *text = NULL, where[91];
	size_t length = 0;
	int rc = loom_file_read(&text, &length, file, BYTES_MAX, err);
	if (rc != 0)
		return rc;
	(void)loom_text_where(where, sizeof where, file);
	bool is_dot = ends_in(file, ".dot") || ends_in(file, ".gv") || memchr(text, '{', length);
	rc = (is_dot ? loom_graph_read_dot : read_edges)(&wires, text, length, where, err);
	free(text);
	if (rc == 0)
		rc = loom_graph_renumber(&wires, err);
	if (rc != 0)
		loom_graph_wires_free(&wires);
	else
		*out = wires;
	return rc;
}
