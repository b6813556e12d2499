// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads a graph from a file with an edge on each line:
//
//     a b        # a link between a and b: flits go both ways
//     a -- b     # the same
//     a -> b     # from a to b only
//     a b x2     # two links
//     a b delay=3        # a link that is three cycles slower, either way
//     switch: a b ...    # a and b send and receive nothing
//
// or a file for GraphViz, or GraphML. Names of GraphViz files end in .dot or .gv, or the file contains a brace. GraphML
// begins with <, whatever the name of the file.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "topo/graph.h"

#define BYTES_MAX ((size_t)1 << 22)
#define SWITCH "switch:"
#define DELAY "delay="

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

// Reads "x2", "delay=3" or both behind the two names. *times is 0 if there is something else.
static int read_rest(uint32_t *times, uint8_t *delay, const char *line, size_t at, size_t length, const char *where,
                     struct loom_err *err)
{
	const size_t n_key = strlen(DELAY);
	bool has_times = false, has_delay = false;
	int rc = 0;
	*times = 1;
	while (rc == 0 && (at = skip_blanks(line, at, length)) < length) {
		uint64_t value = 0;
		const size_t begin = at;
		while (at < length && !strchr(" \t\r", line[at]))
			at++;
		if (!has_delay && at - begin > n_key && memcmp(line + begin, DELAY, n_key) == 0) {
			rc = loom_graph_read_delay(delay, line + begin + n_key, at - begin - n_key, where, "", err);
			has_delay = true;
		} else if (!has_times && line[begin] == 'x' &&
		           loom_text_number(&value, line + begin + 1, at - begin - 1) && value > 0 &&
		           value <= LOOM_GRAPH_LINKS_MAX) {
			*times = (uint32_t)value;
			has_times = true;
		} else {
			*times = 0;
			break;
		}
	}
	return rc;
}

static int read_edge(struct loom_graph_file *out, const char *line, size_t first, size_t length, const char *where,
                     struct loom_err *err)
{
	struct loom_graph_link link = {.both = true};
	const size_t first_end = end_of_name(line, first, length);
	size_t second = skip_blanks(line, first_end, length);
	if (is_arrow(line, second, length)) {
		link.both = line[second + 1] == '-';
		second = skip_blanks(line, second + 2, length);
	}
	const size_t second_end = end_of_name(line, second, length);
	uint32_t times;
	int rc = read_rest(&times, &link.delay, line, second_end, length, where, err);
	if (rc != 0)
		return rc;
	link.delay_back = link.delay;
	if (first == first_end || second == second_end || times == 0) {
		char shown[60];
		return loom_fail(
			err, LOOM_EINPUT,
			"%.120s: \"%s\" is no edge; one is two names, a b, a -- b or a -> b, and behind them x2 if "
			"it is two links, delay=3 if it is 3 cycles slower",
			where, loom_text_quote(shown, sizeof shown, line, length));
	}
	rc = loom_graph_node(&link.from, &out->wires, line + first, first_end - first, where, err);
	if (rc == 0)
		rc = loom_graph_node(&link.to, &out->wires, line + second, second_end - second, where, err);
	if (rc == 0)
		rc = loom_graph_check_new(&out->wires, &link, where, err);
	for (uint32_t i = 0; rc == 0 && i < times; i++)
		rc = loom_graph_add(&out->wires, &link, where, err);
	return rc;
}

static int read_switches(struct loom_graph_file *out, const char *line, size_t at, size_t length, const char *where,
                         struct loom_err *err)
{
	int rc = 0;
	for (at = skip_blanks(line, at, length); rc == 0 && at < length;) {
		const size_t end = end_of_name(line, at, length);
		uint32_t node;
		rc = loom_graph_node(&node, &out->wires, line + at, end - at, where, err);
		if (rc == 0)
			out->is_switch[node] = true;
		at = skip_blanks(line, end, length);
	}
	return rc;
}

static int read_line(struct loom_graph_file *out, const char *line, size_t length, const char *where,
                     struct loom_err *err)
{
	const char *comment = memchr(line, '#', length);
	length = comment ? (size_t)(comment - line) : length;
	const size_t first = skip_blanks(line, 0, length), n_switch = strlen(SWITCH);
	if (first == length)
		return 0;
	if (length - first > n_switch && memcmp(line + first, SWITCH, n_switch) == 0 &&
	    strchr(" \t", line[first + n_switch]))
		return read_switches(out, line, first + n_switch, length, where, err);
	return read_edge(out, line, first, length, where, err);
}

static int read_edges(struct loom_graph_file *out, const char *text, size_t length, const char *file,
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
	if (rc == 0 && out->wires.n_links == 0)
		rc = loom_fail(err, LOOM_EINPUT, "%.120s: there is no edge in it; one is two names in a line, a b",
		               file);
	return rc;
}

static bool is_xml(const char *text, size_t length)
{
	size_t at = 0;
	while (at < length && strchr(" \t\r\n", text[at]))
		at++;
	return at < length && text[at] == '<';
}

int loom_graph_read(struct loom_graph_wires *out, const char *file, struct loom_err *err)
{
	struct loom_graph_file *read = calloc(1, sizeof *read);
	char *text = NULL, where[91];
	size_t length = 0;
	int rc = read ? loom_file_read(&text, &length, file, BYTES_MAX, err)
	              : loom_fail(err, LOOM_ENOMEM, "out of memory for a graph");
	if (rc == 0) {
		(void)loom_text_where(where, sizeof where, file);
		bool is_dot = ends_in(file, ".dot") || ends_in(file, ".gv") || memchr(text, '{', length);
		rc = (is_xml(text, length) || ends_in(file, ".graphml") ? loom_graph_read_graphml
		      : is_dot                                          ? loom_graph_read_dot
		                                                        : read_edges)(read, text, length, where, err);
	}
	free(text);
	if (rc == 0)
		rc = loom_graph_renumber(&read->wires, read->is_switch, err);
	if (rc == 0)
		*out = read->wires;
	else if (read)
		loom_graph_wires_free(&read->wires);
	free(read);
	return rc;
}
