// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads GraphML by expat: nodes and edges, directed or not. A node's name is its datum `label`, or else its id; its
// datum `switch` makes it a switch. An edge's datum `delay` is the number of cycles by which it is slower. The rest of
// the file is ignored.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "topo/graph.h"

#ifdef LOOM_HAVE_EXPAT
#include <expat.h>

#define TEXT_MOST 64 // longest id, key or datum; longer text is cut, and is then no name

enum datum { LABEL, SWITCH, DELAY, NO_DATUM };

// The names of data, and the elements to which they belong.
static const struct {
	const char *name, *of;
} data[NO_DATUM] = {[LABEL] = {"label", "node"}, [SWITCH] = {"switch", "node"}, [DELAY] = {"delay", "edge"}};

struct node {
	char id[TEXT_MOST], label[TEXT_MOST], is_switch[TEXT_MOST];
	uint32_t number;
};

struct edge {
	char end[2][TEXT_MOST], delay[TEXT_MOST];
	bool both;
	unsigned long line;
};

struct reader {
	XML_Parser parser;
	const char *where;
	struct loom_err *err;
	int rc;
	struct node *node; // owned
	struct edge *edge; // owned
	uint32_t n_nodes, n_edges;
	char key[NO_DATUM][TEXT_MOST];
	char usual[NO_DATUM][TEXT_MOST]; // by datum: the value of elements that lack it
	bool has_root, is_directed;
	enum { NOWHERE, IN_KEY, IN_NODE, IN_EDGE } in; // the element that began last
	enum datum key_of;                             // of the present key
	enum datum datum;                              // the datum whose text is being read
};

static void stop(struct reader *r, int rc)
{
	r->rc = rc;
	(void)XML_StopParser(r->parser, XML_FALSE);
}

static unsigned long line_of(const struct reader *r)
{
#if XML_MAJOR_VERSION > 2 || XML_MINOR_VERSION >= 9
	// From version 2.9 on the other function is deprecated.
	return (unsigned long)XML_GetCurrentLineNumber64(r->parser);
#else
	return (unsigned long)XML_GetCurrentLineNumber(r->parser);
#endif
}

static const char *attribute(const XML_Char **attributes, const char *name)
{
	for (; *attributes; attributes += 2)
		if (strcmp(attributes[0], name) == 0)
			return attributes[1];
	return NULL;
}

static void take(char out[TEXT_MOST], const char *text)
{
	(void)snprintf(out, TEXT_MOST, "%s", text ? text : "");
}

// Makes room for one more than n elements; the room doubles. Returns NULL if memory runs out.
static void *make_room(struct reader *r, void *list, uint32_t n, size_t size)
{
	void *larger = n & (n - 1) ? list : realloc(list, (n ? 2 * (size_t)n : 1) * size);
	if (!larger)
		stop(r, loom_fail(r->err, LOOM_ENOMEM, "out of memory for a graph"));
	return larger;
}

static void begin_key(struct reader *r, const XML_Char **attributes)
{
	const char *name = attribute(attributes, "attr.name"), *of = attribute(attributes, "for");
	r->in = IN_KEY;
	r->key_of = NO_DATUM;
	for (enum datum k = 0; name && k < NO_DATUM; k++)
		if (strcmp(name, data[k].name) == 0 && (!of || strcmp(of, data[k].of) == 0 || strcmp(of, "all") == 0)) {
			take(r->key[k], attribute(attributes, "id"));
			r->key_of = k;
		}
}

static char *text_of(struct reader *r)
{
	switch (r->in) {
	case IN_KEY: return r->usual[r->datum];
	case IN_NODE: return r->datum == LABEL ? r->node[r->n_nodes - 1].label : r->node[r->n_nodes - 1].is_switch;
	case IN_EDGE: return r->edge[r->n_edges - 1].delay;
	default: return NULL;
	}
}

// Finds the datum whose text begins: of a node, of an edge, or the default value in a key.
static void begin_datum(struct reader *r, const XML_Char **attributes)
{
	const char *key = attribute(attributes, "key"), *here = r->in == IN_NODE ? "node" : "edge";
	r->datum = NO_DATUM;
	for (enum datum k = 0; r->in != IN_KEY && key && k < NO_DATUM; k++)
		if (strcmp(key, r->key[k]) == 0 && strcmp(data[k].of, here) == 0)
			r->datum = k;
	if (r->in == IN_KEY)
		r->datum = r->key_of;
	if (r->datum != NO_DATUM)
		*text_of(r) = '\0';
}

static void begin_node(struct reader *r, const XML_Char **attributes)
{
	const char *id = attribute(attributes, "id");
	void *nodes = id ? make_room(r, r->node, r->n_nodes, sizeof *r->node) : NULL;
	if (!id)
		stop(r, loom_fail(r->err, LOOM_EINPUT, "%.120s: line %lu: a node without an id", r->where, line_of(r)));
	if (!nodes)
		return;
	r->node = nodes;
	r->node[r->n_nodes] = (struct node){.number = 0};
	take(r->node[r->n_nodes].label, r->usual[LABEL]);
	take(r->node[r->n_nodes].is_switch, r->usual[SWITCH]);
	take(r->node[r->n_nodes++].id, id);
	r->in = IN_NODE;
}

static void begin_edge(struct reader *r, const XML_Char **attributes)
{
	const char *source = attribute(attributes, "source"), *target = attribute(attributes, "target"),
		   *directed = attribute(attributes, "directed");
	void *edges = source && target ? make_room(r, r->edge, r->n_edges, sizeof *r->edge) : NULL;
	if (!source || !target)
		stop(r, loom_fail(r->err, LOOM_EINPUT, "%.120s: line %lu: an edge without source and target", r->where,
		                  line_of(r)));
	if (!edges)
		return;
	r->edge = edges;
	r->edge[r->n_edges] =
		(struct edge){.line = line_of(r), .both = directed ? !loom_graph_is_marked(directed) : !r->is_directed};
	take(r->edge[r->n_edges].end[0], source);
	take(r->edge[r->n_edges].delay, r->usual[DELAY]);
	take(r->edge[r->n_edges++].end[1], target);
	r->in = IN_EDGE;
}

static void XMLCALL begin(void *user, const XML_Char *name, const XML_Char **attributes)
{
	struct reader *r = user;
	if (!r->has_root && strcmp(name, "graphml") != 0) {
		stop(r, loom_fail(r->err, LOOM_EINPUT,
		                  "%.120s: line %lu: its first element is %.40s, and that of GraphML is graphml",
		                  r->where, line_of(r), name));
	} else if (strcmp(name, "key") == 0) {
		begin_key(r, attributes);
	} else if (strcmp(name, "graph") == 0) {
		const char *way = attribute(attributes, "edgedefault");
		r->is_directed = way && strcmp(way, "directed") == 0;
	} else if (strcmp(name, "node") == 0) {
		begin_node(r, attributes);
	} else if (strcmp(name, "edge") == 0) {
		begin_edge(r, attributes);
	} else if (strcmp(name, "hyperedge") == 0) {
		stop(r, loom_fail(r->err, LOOM_EINPUT, "%.120s: line %lu: a hyperedge; a link has two ends", r->where,
		                  line_of(r)));
	} else if (strcmp(name, r->in == IN_KEY ? "default" : "data") == 0 && r->in != NOWHERE) {
		begin_datum(r, attributes);
	}
	r->has_root = true;
}

static void XMLCALL end(void *user, const XML_Char *name)
{
	struct reader *r = user;
	if (strcmp(name, "node") == 0 || strcmp(name, "edge") == 0 || strcmp(name, "key") == 0)
		r->in = NOWHERE;
	if (strcmp(name, "data") == 0 || strcmp(name, "default") == 0)
		r->datum = NO_DATUM;
}

// Appends a piece of text; expat passes text in pieces.
static void XMLCALL text(void *user, const XML_Char *piece, int length)
{
	struct reader *r = user;
	char *out = r->datum == NO_DATUM ? NULL : text_of(r);
	if (out)
		(void)snprintf(out + strlen(out), TEXT_MOST - strlen(out), "%.*s", length, piece);
}

static int find_node(uint32_t *out, const struct reader *r, const struct edge *edge, unsigned which)
{
	char shown[60];
	for (uint32_t i = 0; i < r->n_nodes; i++)
		if (strcmp(r->node[i].id, edge->end[which]) == 0) {
			*out = r->node[i].number;
			return 0;
		}
	return loom_fail(r->err, LOOM_EINPUT, "%.120s: line %lu: an edge to or from \"%s\", and no node has this id",
	                 r->where, edge->line,
	                 loom_text_quote(shown, sizeof shown, edge->end[which], strlen(edge->end[which])));
}

// Reads a delay, without the blanks around it.
static int read_delay(struct loom_graph_link *link, const char *text, const char *where, struct loom_err *err)
{
	text += strspn(text, " \t\r\n");
	size_t length = strlen(text);
	while (length > 0 && strchr(" \t\r\n", text[length - 1]))
		length--;
	const int rc = length > 0 ? loom_graph_read_delay(&link->delay, text, length, where, "", err) : 0;
	link->delay_back = link->delay;
	return rc;
}

static int write_out(struct loom_graph_file *out, struct reader *r)
{
	int rc = 0;
	for (uint32_t i = 0; rc == 0 && i < r->n_nodes; i++) {
		struct node *n = &r->node[i];
		const char *name = *n->label ? n->label : n->id;
		const uint32_t before = out->wires.n_nodes;
		rc = loom_graph_node(&n->number, &out->wires, name, strlen(name), r->where, r->err);
		if (rc == 0 && out->wires.n_nodes == before)
			rc = loom_fail(r->err, LOOM_EINPUT, "%.120s: two nodes are called %s", r->where, name);
		if (rc == 0)
			out->is_switch[n->number] = loom_graph_is_marked(n->is_switch);
	}
	for (uint32_t i = 0; rc == 0 && i < r->n_edges; i++) {
		struct loom_graph_link link = {.both = r->edge[i].both};
		char where[140];
		(void)snprintf(where, sizeof where, "%.90s: line %lu", r->where, r->edge[i].line);
		rc = find_node(&link.from, r, &r->edge[i], 0);
		if (rc == 0)
			rc = find_node(&link.to, r, &r->edge[i], 1);
		if (rc == 0)
			rc = read_delay(&link, r->edge[i].delay, where, r->err);
		if (rc == 0)
			rc = loom_graph_add(&out->wires, &link, where, r->err);
	}
	if (rc == 0 && r->n_edges == 0)
		rc = loom_fail(r->err, LOOM_EINPUT, "%.120s: there is no edge in it", r->where);
	return rc;
}

int loom_graph_read_graphml(struct loom_graph_file *out, const char *file, size_t length, const char *where,
                            struct loom_err *err)
{
	struct reader r = {
		.parser = XML_ParserCreate(NULL), .where = where, .err = err, .datum = NO_DATUM, .key_of = NO_DATUM};
	if (!r.parser)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for a graph");
	XML_SetUserData(r.parser, &r);
	XML_SetElementHandler(r.parser, begin, end);
	XML_SetCharacterDataHandler(r.parser, text);
	const bool good = XML_Parse(r.parser, file, (int)length, XML_TRUE) == XML_STATUS_OK;
	if (!good && r.rc == 0)
		r.rc = loom_fail(err, LOOM_EINPUT, "%.120s: line %lu: no XML, and so no GraphML: %.60s", where,
		                 line_of(&r), XML_ErrorString(XML_GetErrorCode(r.parser)));
	if (r.rc == 0)
		r.rc = write_out(out, &r);
	XML_ParserFree(r.parser);
	free(r.node);
	free(r.edge);
	return r.rc;
}

#else

int loom_graph_read_graphml(struct loom_graph_file *out, const char *file, size_t length, const char *where,
                            struct loom_err *err)
{
	(void)out, (void)file, (void)length;
	return loom_fail(
		err, LOOM_EFILE,
		"%.120s: a GraphML file, and this flitloom was built without libexpat; an edge list, a b in each "
		"line, needs none",
		where);
}

#endif
