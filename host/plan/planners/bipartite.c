// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Colours the edges of a bipartite multigraph with the fewest colours. The graph is first made regular: vertices of low
// degree are merged, then edges are added until each vertex has degree D. A regular graph of even degree is split in
// half along its Euler circuits. A graph of odd degree first loses a perfect matching, which is a colour.
#include "plan/planners/bipartite.h"

#include <stdlib.h>
#include <string.h>

#include "base/arrays.h"
#include "base/rng.h"

#define NONE UINT32_MAX

struct edge {
	uint32_t right;
	uint32_t id; // in the caller's graph; NONE for an edge that was added
};

// A regular graph of degree d on n + n vertices has n d edges in the order of their left ends: those of vertex u are
// edge[u d] .. edge[u d + d - 1].
struct work {
	uint32_t n;
	struct edge *edge; // room for n D
	uint32_t *colour;  // the caller's

	// For a split:
	uint32_t *partner;  // [edge]: its partner at the right end
	uint8_t *taken;     // [pair at the left end]: the edge of the pair that goes to the first half, or UNKNOWN
	struct edge *other; // the second half
	uint32_t *open;     // [right vertex]: an edge that has no partner yet, or NONE

	// For a matching:
	struct loom_rng rng;
	uint32_t *leaves;          // [left vertex]: the edge by which the walk last left it
	uint32_t *of_left;         // [left vertex]: its edge in the matching, or NONE
	uint32_t *of_right;        // [right vertex]: the left vertex that it is matched with, or NONE
	struct loom_arrays arrays; // owns the arrays
};

// --- Degrees -------------------------------------------------------------------------------------------------------

// Returns degree[v] for v below n, malloc'ed. Raises *most to the largest degree.
static uint32_t *degrees(uint32_t *most, uint32_t n, const uint32_t *end, size_t n_edges)
{
	uint32_t *degree = calloc((size_t)n + 1, sizeof *degree);
	for (size_t i = 0; degree && i < n_edges; i++)
		if (++degree[end[i]] > *most)
			*most = degree[end[i]];
	return degree;
}

bool loom_bipartite_degree(uint32_t *out, const struct loom_bipartite *g)
{
	uint32_t most = 0;
	uint32_t *left = degrees(&most, g->n_left, g->left, g->n_edges);
	uint32_t *right = degrees(&most, g->n_right, g->right, g->n_edges);
	bool done = left && right;
	free(left);
	free(right);
	*out = most;
	return done;
}

// --- The regular graph -----------------------------------------------------------------------------------------------

// Merges neighbouring vertices that together have at most `most` edges. Then any two neighbours have more than that, so
// fewer than 2 E / D + 2 are left. group[v]: the group of v; degree: becomes the degrees of the groups. Returns the
// number of groups.
static uint32_t put_together(uint32_t *group, uint32_t *degree, uint32_t n, uint32_t most)
{
	uint32_t n_groups = 0;
	for (uint32_t v = 0; v < n; v++) {
		uint32_t of_vertex = degree[v];
		if (v == 0 || degree[n_groups - 1] + of_vertex > most)
			degree[n_groups++] = 0;
		degree[n_groups - 1] += of_vertex;
		group[v] = n_groups - 1;
	}
	return n_groups;
}

static bool make_room(struct work *w, uint32_t n, uint32_t degree)
{
	size_t n_edges = (size_t)n * degree;
	w->n = n;
	LOOM_ARRAY(&w->arrays, w->edge, n_edges);
	LOOM_ARRAY(&w->arrays, w->partner, n_edges);
	LOOM_ARRAY(&w->arrays, w->taken, n_edges / 2 + 1);
	LOOM_ARRAY(&w->arrays, w->other, n_edges / 2 + 1);
	LOOM_ARRAY(&w->arrays, w->open, n);
	LOOM_ARRAY(&w->arrays, w->leaves, n);
	LOOM_ARRAY(&w->arrays, w->of_left, n);
	LOOM_ARRAY(&w->arrays, w->of_right, n);
	if (w->arrays.is_short)
		return false;
	memset(w->open, 0xff, n * sizeof *w->open);
	return true;
}

// Fills in the caller's edges between the groups, then the edges that a regular graph lacks. of_right: degrees of the
// w->n groups; used (w->n): scratch.
static void fill(struct work *w, uint32_t degree, const struct loom_bipartite *g, const uint32_t *left_group,
                 const uint32_t *right_group, const uint32_t *of_right, uint32_t *used)
{
	memset(used, 0, w->n * sizeof *used);
	for (size_t i = 0; i < g->n_edges; i++) {
		uint32_t u = left_group[g->left[i]];
		w->edge[(size_t)u * degree + used[u]++] = (struct edge){right_group[g->right[i]], (uint32_t)i};
	}
	uint32_t v = 0, missing = degree - of_right[0];
	for (uint32_t u = 0; u < w->n; u++)
		for (; used[u] < degree; used[u]++) {
			while (missing == 0)
				missing = degree - of_right[++v];
			w->edge[(size_t)u * degree + used[u]] = (struct edge){v, NONE};
			missing--;
		}
}

// Makes the graph regular. Returns false if memory runs out. Free it with free_room in any case.
static bool make_regular(struct work *w, uint32_t *degree, const struct loom_bipartite *g)
{
	uint32_t n_left = 0, n_right = 0, *of_right = NULL;
	*degree = 0;
	uint32_t *left = degrees(degree, g->n_left, g->left, g->n_edges);
	uint32_t *right = degrees(degree, g->n_right, g->right, g->n_edges);
	uint32_t *left_group = malloc(((size_t)g->n_left + 1) * sizeof *left_group);
	uint32_t *right_group = malloc(((size_t)g->n_right + 1) * sizeof *right_group);
	bool done = left && right && left_group && right_group;
	if (done && *degree > 0) {
		n_left = put_together(left_group, left, g->n_left, *degree);
		n_right = put_together(right_group, right, g->n_right, *degree);
		uint32_t n = n_left > n_right ? n_left : n_right;
		of_right = calloc(n, sizeof *of_right); // added vertices have degree 0
		done = of_right && make_room(w, n, *degree);
		if (done) {
			memcpy(of_right, right, n_right * sizeof *of_right);
			fill(w, *degree, g, left_group, right_group, of_right, w->leaves);
		}
	}
	free(of_right);
	free(left);
	free(right);
	free(left_group);
	free(right_group);
	return done;
}

// --- An even degree --------------------------------------------------------------------------------------------------

enum { UNKNOWN = 2 };

// Splits a graph of even degree. The edges of each vertex form pairs: at the left end 2i and 2i+1, at the right end in
// order of arrival. The pairs form circuits. The graph is bipartite, so each circuit has as many pairs at the left as
// at the right. Every other edge of a circuit goes to one half, so each vertex has equally many edges in both halves.
// The halves end one after the other.
static void split(struct work *w, struct edge *edge, uint32_t degree)
{
	size_t n_pairs = (size_t)w->n * (degree / 2);
	for (uint32_t k = 0; k < 2 * n_pairs; k++) {
		uint32_t *open = &w->open[edge[k].right];
		if (*open == NONE) {
			*open = k;
			continue;
		}
		w->partner[k] = *open;
		w->partner[*open] = k;
		*open = NONE;
	}
	memset(w->taken, UNKNOWN, n_pairs);
	for (size_t i = 0; i < n_pairs; i++)
		for (uint32_t k = (uint32_t)(2 * i); w->taken[k / 2] == UNKNOWN; k = w->partner[k ^ 1])
			w->taken[k / 2] = k & 1;
	for (size_t i = 0; i < n_pairs; i++) {
		struct edge first = edge[2 * i + w->taken[i]];
		w->other[i] = edge[2 * i + !w->taken[i]];
		edge[i] = first;
	}
	memcpy(edge + n_pairs, w->other, n_pairs * sizeof *edge);
}

// --- An odd degree ---------------------------------------------------------------------------------------------------

// Adds an edge for vertex `start`, which has none in the matching. Walks along random edges, and back along the
// matching from each matched right vertex, until there is a free one. In a regular graph that takes about n / (n - i)
// steps if i vertices are matched [Goel13]. If the walk returns to a vertex, its last way out counts, so the rest is a
// path.
static void add_to_matching(struct work *w, const struct edge *edge, uint32_t degree, uint32_t start)
{
	uint32_t u = start, next;
	do {
		uint32_t first = u * degree, mine = w->of_left[u];
		uint32_t k = first + (uint32_t)loom_rng_below(&w->rng, mine == NONE ? degree : degree - 1);
		w->leaves[u] = k >= mine ? k + 1 : k;
		u = w->of_right[edge[w->leaves[u]].right];
	} while (u != NONE);
	for (u = start; u != NONE; u = next) {
		uint32_t right = edge[w->leaves[u]].right;
		next = w->of_right[right];
		w->of_right[right] = u;
		w->of_left[u] = w->leaves[u];
	}
}

// Gives a perfect matching the colour and removes it from the graph.
static void take_matching(struct work *w, struct edge *edge, uint32_t degree, uint32_t colour)
{
	memset(w->of_left, 0xff, w->n * sizeof *w->of_left);
	memset(w->of_right, 0xff, w->n * sizeof *w->of_right);
	for (uint32_t u = 0; u < w->n; u++)
		add_to_matching(w, edge, degree, u);
	struct edge *to = edge;
	for (uint32_t u = 0; u < w->n; u++)
		for (uint32_t k = u * degree; k < (u + 1) * degree; k++) {
			if (k != w->of_left[u])
				*to++ = edge[k];
			else if (edge[k].id != NONE)
				w->colour[edge[k].id] = colour;
		}
}

// --- Colours ---------------------------------------------------------------------------------------------------------

static void colour_regular(struct work *w, struct edge *edge, uint32_t degree, uint32_t first)
{
	if (degree > 1 && degree % 2) {
		take_matching(w, edge, degree, first++);
		degree--;
	}
	if (degree > 1) {
		split(w, edge, degree);
		colour_regular(w, edge, degree / 2, first);
		colour_regular(w, edge + (size_t)w->n * (degree / 2), degree / 2, first + degree / 2);
		return;
	}
	for (uint32_t u = 0; u < w->n; u++)
		if (edge[u].id != NONE)
			w->colour[edge[u].id] = first;
}

bool loom_bipartite_colour(uint32_t *colour, uint32_t *n_colours, const struct loom_bipartite *g)
{
	struct work w = {.colour = colour};
	loom_rng_init(&w.rng, 1);
	bool done = make_regular(&w, n_colours, g);
	if (done && *n_colours > 0)
		colour_regular(&w, w.edge, *n_colours, 0);
	loom_arrays_free(&w.arrays);
	return done;
}
