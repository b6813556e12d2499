// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the user's own tables from CSV: lines node,network,label,port, or node,label,port if there is one network.
#include <flitloom/routes/table_file.h>

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/routes/graph.h>

#include "base/file.h"
#include "base/numbers.h"
#include "base/room.h"
#include "base/text.h"
#include "base/cursor.h"

#define BYTES_MAX ((size_t)64 << 20)
#define COLUMNS "node,network,label,port or node,label,port"

enum { NODE, NETWORK, LABEL, PORT, N_COLUMNS };

struct reader {
	struct cursor c;
	const struct loom_topo *topo;
	const struct loom_graph_wires *wires; // for a graph: the names of its nodes; else NULL
	bool has_network, is_settled;         // the number of columns, which the first line settles
	struct line {
		struct loom_table_entry entry;
		size_t line; // its number in the text
	} * line;            // owned
	size_t n, room;
};

void loom_table_file_free(struct loom_table_file *file)
{
	if (!file)
		return;
	free(file->entry);
	*file = (struct loom_table_file){0};
}

// --- A line ----------------------------------------------------------------------------------------------------------

// Takes a field between quotation marks, which may contain commas. Returns false, and takes nothing, if there is none.
static bool take_quoted(struct token *out, struct cursor *c)
{
	struct cursor ahead = *c;
	if (peek(&ahead) != '"')
		return false;
	advance(&ahead);
	struct token t = {.at = ahead.at, .line = ahead.line, .column = ahead.column};
	while (peek(&ahead) != EOF && peek(&ahead) != '\n' && peek(&ahead) != '"')
		advance(&ahead);
	t.length = (size_t)(ahead.at - t.at);
	if (peek(&ahead) != '"')
		return false;
	advance(&ahead);
	skip_blanks(&ahead);
	if (peek(&ahead) != EOF && peek(&ahead) != '\n' && peek(&ahead) != ',')
		return false;
	*out = t;
	*c = ahead;
	return true;
}

// Takes the text up to the next comma, which may contain blanks: "dim 3".
static struct token take_field(struct cursor *c)
{
	struct token quoted;
	skip_blanks(c);
	if (take_quoted(&quoted, c))
		return quoted;
	struct token t = {.at = c->at, .line = c->line, .column = c->column};
	while (peek(c) != EOF && peek(c) != '\n' && peek(c) != ',') {
		bool blank = is_blank(peek(c));
		advance(c);
		if (!blank)
			t.length = (size_t)(c->at - t.at);
	}
	return t;
}

// Takes the fields of a line. Takes at most one field more than there is room for, and drops that one.
static unsigned take_fields(struct token field[N_COLUMNS], struct cursor *c)
{
	for (unsigned n = 0;;) {
		struct token t = take_field(c);
		if (n < N_COLUMNS)
			field[n] = t;
		n++;
		if (peek(c) != ',' || n > N_COLUMNS)
			return n;
		advance(c);
	}
}

static int settle(struct reader *r, unsigned n_fields, struct token first)
{
	if (!r->is_settled && (n_fields == N_COLUMNS || n_fields == N_COLUMNS - 1)) {
		r->is_settled = true;
		r->has_network = n_fields == N_COLUMNS;
	}
	if (r->is_settled && n_fields + !r->has_network == N_COLUMNS)
		return 0;
	if (r->is_settled)
		return FAIL_TOKEN(&r->c, first, "another number of columns than in the lines before: a line is %s",
		                  r->has_network ? "node,network,label,port" : "node,label,port");
	return FAIL_TOKEN(&r->c, first, "a line is " COLUMNS);
}

// Checks the heading: with other names, or in another order, the columns would be misread.
static int read_heading(struct reader *r, const struct token *field)
{
	static const char *const names[] = {[NODE] = "node", [NETWORK] = "network", [LABEL] = "label", [PORT] = "port"};
	char shown[48];
	for (unsigned column = 0, k = 0; column < N_COLUMNS; column++) {
		if (column == NETWORK && !r->has_network)
			continue;
		if (!token_is(field[k], names[column]))
			return FAIL_TOKEN(&r->c, field[k], "%s in the heading: it must be " COLUMNS,
			                  loom_token_show(shown, sizeof shown, field[k]));
		k++;
	}
	return 0;
}

static int get_number(uint32_t *out, const struct reader *r, struct token t, const char *what, uint32_t most)
{
	char shown[48];
	uint64_t value;
	if (!loom_text_number(&value, t.at, t.length))
		return FAIL_TOKEN(&r->c, t, "%s is %s: it must be a number, 0..%" PRIu32, what,
		                  loom_token_show(shown, sizeof shown, t), most);
	if (value > most)
		return FAIL_TOKEN(&r->c, t, "%s %s is out of range: 0..%" PRIu32, what,
		                  loom_token_show(shown, sizeof shown, t), most);
	*out = (uint32_t)value;
	return 0;
}

// True if the text is the link's name, blanks left out: "dim 3" is "dim3" as well.
static bool is_link_name(struct token t, const char *name)
{
	size_t k = 0;
	for (; *name; name++) {
		if (*name == ' ')
			continue;
		while (k < t.length && is_blank((unsigned char)t.at[k]))
			k++;
		if (k == t.length || t.at[k++] != *name)
			return false;
	}
	return k == t.length;
}

static bool is_node_name(const struct reader *r, struct token t, uint32_t node)
{
	const char *name = r->wires->name[node];
	return strlen(name) == t.length && memcmp(name, t.at, t.length) == 0;
}

// Finds a node of a graph by its name. Most nodes are named by their numbers, so that one is tried first.
static bool find_name(uint32_t *out, const struct reader *r, struct token t)
{
	uint64_t value;
	uint32_t node = 0;
	if (!r->wires)
		return false;
	if (loom_text_number(&value, t.at, t.length) && value < r->topo->n_nodes && is_node_name(r, t, (uint32_t)value))
		node = (uint32_t)value;
	while (node < r->topo->n_nodes && !is_node_name(r, t, node))
		node++;
	*out = node;
	return node < r->topo->n_nodes;
}

static int get_node(uint32_t *out, const struct reader *r, struct token t)
{
	char shown[48];
	uint64_t value;
	if (find_name(out, r, t))
		return 0;
	if (r->wires && !loom_text_number(&value, t.at, t.length))
		return FAIL_TOKEN(&r->c, t, "no node is called %s", loom_token_show(shown, sizeof shown, t));
	return get_number(out, r, t, "node", r->topo->n_nodes - 1);
}

// Finds the link to the node after "->" in a graph: "->b".
static int get_link_to(uint32_t *out, const struct reader *r, struct token t, uint32_t from)
{
	const struct token name = {t.at + 2, t.length - 2, t.line, t.column + 2};
	char shown[48];
	uint32_t to, v;
	unsigned back;
	if (!find_name(&to, r, name))
		return FAIL_TOKEN(&r->c, name, "no node is called %s", loom_token_show(shown, sizeof shown, name));
	for (unsigned p = 0; p < loom_topo_links(r->topo); p++)
		if (r->topo->kind->link(r->topo, from, p, &v, &back) && v == to) {
			*out = p + 1;
			return 0;
		}
	return FAIL_TOKEN(&r->c, t, "no link leads from %s to %s", r->wires->name[from], r->wires->name[to]);
}

static int get_port(uint32_t *out, const struct reader *r, struct token t, uint32_t node)
{
	uint64_t value;
	char name[16], first[16], shown[48];
	if (r->wires && t.length > 2 && memcmp(t.at, "->", 2) == 0)
		return get_link_to(out, r, t, node);
	if (loom_text_number(&value, t.at, t.length)) {
		*out = value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
		return 0;
	}
	if (token_is(t, "local")) {
		*out = 0;
		return 0;
	}
	for (unsigned p = 0; !r->wires && p < loom_topo_links(r->topo); p++) {
		r->topo->kind->link_name(r->topo, p, name);
		if (is_link_name(t, name)) {
			*out = p + 1;
			return 0;
		}
	}
	r->topo->kind->link_name(r->topo, 0, first);
	if (r->wires)
		return FAIL_TOKEN(&r->c, t,
		                  "port %s: it must be local, -> and a neighbour's name, or a number, 0 for local",
		                  loom_token_show(shown, sizeof shown, t));
	return FAIL_TOKEN(&r->c, t, "port %s: it must be local, a link such as %s, or a number, 0 for local",
	                  loom_token_show(shown, sizeof shown, t), first);
}

static int read_entry(struct loom_table_entry *out, const struct reader *r, const struct token *field)
{
	struct loom_table_entry entry = {0};
	unsigned k = 0;
	int code = get_node(&entry.node, r, field[k++]);
	if (code == 0 && r->has_network)
		code = get_number(&entry.network, r, field[k++], "network", UINT32_MAX - 1);
	if (code == 0)
		code = get_number(&entry.label, r, field[k++], "label", UINT32_MAX - 1);
	if (code == 0)
		code = get_port(&entry.port, r, field[k], entry.node);
	*out = entry;
	return code;
}

// --- The whole -------------------------------------------------------------------------------------------------------

// True if the line is the heading, which consists of words. In a graph names of nodes are words as well.
static bool is_heading(const struct reader *r, struct token first)
{
	return r->wires ? token_is(first, "node") : first.length && isalpha((unsigned char)first.at[0]);
}

static int read_line(struct reader *r, bool *is_first)
{
	struct token field[N_COLUMNS] = {{0}};
	size_t line = r->c.line;
	bool may_be_heading = *is_first;
	unsigned n_fields = take_fields(field, &r->c);
	int code = settle(r, n_fields, field[0]);
	*is_first = false;
	if (code != 0)
		return code;
	if (may_be_heading && is_heading(r, field[0]))
		return read_heading(r, field);
	if (!LOOM_ROOM(r->line, r->room, r->n + 1))
		return loom_fail(r->c.err, LOOM_ENOMEM, "out of memory for %zu entries of tables", r->n + 1);
	code = read_entry(&r->line[r->n].entry, r, field);
	if (code == 0)
		r->line[r->n++].line = line;
	return code;
}

static int compare(const void *a, const void *b)
{
	const struct line *x = a, *y = b;
	int by = loom_order(x->entry.network, y->entry.network);
	by = by ? by : loom_order(x->entry.label, y->entry.label);
	by = by ? by : loom_order(x->entry.node, y->entry.node);
	return by ? by : loom_order(x->line, y->line);
}

// Refuses the first line that repeats the key of another line.
static int refuse_twice(const struct reader *r)
{
	const struct line *twice = NULL, *once = NULL;
	for (size_t i = 1; i < r->n; i++) {
		const struct loom_table_entry *a = &r->line[i - 1].entry, *b = &r->line[i].entry;
		if (a->node == b->node && a->network == b->network && a->label == b->label &&
		    (!twice || r->line[i].line < twice->line)) {
			once = &r->line[i - 1];
			twice = &r->line[i];
		}
	}
	if (!twice)
		return 0;
	return loom_cursor_fail(&r->c, twice->line, 1,
	                        "node %" PRIu32 ", network %" PRIu32 ", label %" PRIu32
	                        ": line %zu has it already; a table says it once",
	                        twice->entry.node, twice->entry.network, twice->entry.label, once->line);
}

static int hand_over(struct loom_table_file *out, struct reader *r)
{
	qsort(r->line, r->n, sizeof *r->line, compare);
	int code = refuse_twice(r);
	if (code != 0)
		return code;
	struct loom_table_file file = {.n = r->n, .entry = malloc(r->n * sizeof *file.entry)};
	if (!file.entry)
		return loom_fail(r->c.err, LOOM_ENOMEM, "out of memory for %zu entries of tables", r->n);
	for (size_t i = 0; i < r->n; i++)
		file.entry[i] = r->line[i].entry;
	*out = file;
	return 0;
}

int loom_table_file_parse(struct loom_table_file *out, const struct loom_topo *topo, const char *text, size_t n_bytes,
                          const char *where, struct loom_err *err)
{
	struct reader r = {.c = start(text, n_bytes, where, err), .topo = topo};
	struct loom_graph_facts facts;
	bool is_first = true;
	int code = 0;
	if (loom_topo_graph_facts(&facts, topo))
		r.wires = facts.wires;
	if (topo->kind->spare_label_bits == 0)
		return loom_fail(err, LOOM_EINPUT,
		                 "%.120s: tables for %s, whose routers have none to fill; those of "
		                 "table-mesh, table-torus and table-cube have",
		                 where, topo->name);
	r.c.at += loom_text_mark(text, n_bytes);
	while (code == 0) {
		skip_space(&r.c);
		if (peek(&r.c) == EOF)
			break;
		if (peek(&r.c) == '#')
			skip_line(&r.c);
		else
			code = read_line(&r, &is_first);
	}
	if (code == 0 && r.n == 0)
		code = FAIL_HERE(&r.c, "no entry: a line is " COLUMNS);
	if (code == 0)
		code = hand_over(out, &r);
	free(r.line);
	return code;
}

int loom_table_file_read(struct loom_table_file *out, const struct loom_topo *topo, const char *path,
                         struct loom_err *err)
{
	char *text = NULL;
	size_t length = 0;
	int code = loom_file_read(&text, &length, path, BYTES_MAX, err);
	if (code == 0)
		code = loom_table_file_parse(out, topo, text, length, path, err);
	free(text);
	return code;
}
