// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "grid_picture.h"

#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "report/report_colour.h"
#include "report/report_text.h"
#include "svg_checks.h"

#define PIECES_MAX 12000
#define CORNERS 7 // corners of an arrow; the fourth is its point

struct box {
	double left, top, right, bottom;
};

struct node {
	struct box box;
	double x, y; // its middle
};

// --- Reading a picture ---------------------------------------------------------------------------------------------

static struct box box_of_rect(const char *tag)
{
	double x = svg_attribute(tag, "x"), y = svg_attribute(tag, "y");
	return (struct box){x, y, x + svg_attribute(tag, "width"), y + svg_attribute(tag, "height")};
}

// A convex shape: its corners in order.
struct piece {
	unsigned n;
	double x[4], y[4];
};

static struct piece piece_of_box(struct box b)
{
	return (struct piece){4, {b.left, b.right, b.right, b.left}, {b.top, b.top, b.bottom, b.bottom}};
}

static struct piece piece_of_text(const char *tag)
{
	double x = svg_attribute(tag, "x"), y = svg_attribute(tag, "y"), size = svg_attribute(tag, "font-size");
	double width = svg_text_width(tag);
	char head[256];
	(void)snprintf(head, sizeof head, "%.*s", (int)strcspn(tag, ">"), tag);
	double left = strstr(head, "\"end\"") ? x - width : strstr(head, "\"middle\"") ? x - width / 2 : x;
	struct piece piece = piece_of_box((struct box){left, y - 0.72 * size, left + width, y});
	const char *turn = strstr(head, "rotate(");
	if (!turn)
		return piece;
	char *rest;
	double angle = strtod(turn + 7, &rest) * acos(-1) / 180, cx = strtod(rest, &rest), cy = strtod(rest, NULL);
	for (unsigned i = 0; i < 4; i++) {
		double dx = piece.x[i] - cx, dy = piece.y[i] - cy;
		piece.x[i] = cx + dx * cos(angle) - dy * sin(angle);
		piece.y[i] = cy + dx * sin(angle) + dy * cos(angle);
	}
	return piece;
}

// Reads the corners of the part that begins at `at`, an M; returns its end.
static const char *read_part(double x[CORNERS], double y[CORNERS], const char *at)
{
	for (unsigned i = 0; i < CORNERS; i++) {
		char *rest;
		assert_int_equal(*at, i ? 'L' : 'M');
		x[i] = strtod(at + 1, &rest);
		y[i] = strtod(rest, &rest);
		at = rest;
	}
	assert_int_equal(*at, 'z');
	return at + 1;
}

static void pieces_of_part(struct piece out[2], const double x[CORNERS], const double y[CORNERS])
{
	out[0] = (struct piece){4, {x[0], x[1], x[5], x[6]}, {y[0], y[1], y[5], y[6]}}; // shaft
	out[1] = (struct piece){3, {x[2], x[3], x[4]}, {y[2], y[3], y[4]}};             // point
}

// Returns the largest distance of the two along a line at right angles to a side of `a`; below 0: they overlap on all.
static double room_beside(const struct piece *a, const struct piece *b)
{
	double most = -INFINITY;
	for (unsigned i = 0; i < a->n; i++) {
		double ux = a->y[(i + 1) % a->n] - a->y[i], uy = a->x[i] - a->x[(i + 1) % a->n], length = hypot(ux, uy);
		double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
		for (unsigned k = 0; k < a->n + b->n; k++) {
			bool second = k >= a->n;
			const struct piece *p = second ? b : a;
			unsigned c = second ? k - a->n : k;
			double at = (p->x[c] * ux + p->y[c] * uy) / length;
			low[second] = fmin(low[second], at);
			high[second] = fmax(high[second], at);
		}
		most = fmax(most, fmax(low[1] - high[0], low[0] - high[1]));
	}
	return most;
}

// Coordinates are rounded to tenths.
static bool overlap(const struct piece *a, const struct piece *b)
{
	if (fabs(a->x[0] - b->x[0]) > 400 || fabs(a->y[0] - b->y[0]) > 100) // no text is as long
		return false;
	return room_beside(a, b) < -0.15 && room_beside(b, a) < -0.15;
}

static void assert_apart(const struct piece *pieces, size_t n, const char *what)
{
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < i; k++)
			if (overlap(&pieces[i], &pieces[k]))
				fail_msg("%s: %zu and %zu of %zu overlap, at %.1f %.1f and %.1f %.1f", what, k, i, n,
				         pieces[k].x[0], pieces[k].y[0], pieces[i].x[0], pieces[i].y[0]);
}

static void read_nodes(struct node *out, uint32_t n, const char *text)
{
	for (uint32_t node = 0; node < n; node++) {
		char title[64];
		(void)snprintf(title, sizeof title, "><title>node %" PRIu32 "</title></rect>", node);
		const char *at = strstr(text, title);
		assert_non_null(at);
		assert_int_equal(svg_count(text, title), 1);
		while (*at != '<' || strncmp(at, "<rect ", 6) != 0)
			at--;
		out[node].box = box_of_rect(at);
		out[node].x = (out[node].box.left + out[node].box.right) / 2;
		out[node].y = (out[node].box.top + out[node].box.bottom) / 2;
	}
	assert_int_equal(svg_count(text, "<title>node "), n);
}

// --- What it must show ---------------------------------------------------------------------------------------------

static void column_and_row(uint32_t *column, uint32_t *row, const struct grid_shape *s, uint32_t node)
{
	const uint32_t single = s->rows > 1 && s->columns > 1 ? 0 : s->rows > 1 ? s->rows : s->columns;
	const uint32_t n = single == 0 ? s->columns : single <= 16 ? single : single <= 256 ? 16 : 32;
	*column = node % n;
	*row = node / n;
}

// Equal steps to the right and downwards.
static void check_places(const struct node *nodes, uint32_t n, const struct grid_shape *s)
{
	double pitch = 0;
	for (uint32_t node = 1; node < n; node++)
		if (pitch == 0 || (nodes[node].x > nodes[0].x && nodes[node].x - nodes[0].x < pitch))
			pitch = fabs(nodes[node].x - nodes[0].x);
	for (uint32_t node = 0; node < n; node++) {
		uint32_t column, row;
		column_and_row(&column, &row, s, node);
		assert_true(fabs(nodes[node].x - (nodes[0].x + column * pitch)) < 0.2);
		assert_true(fabs(nodes[node].y - (nodes[0].y + row * pitch)) < 0.2);
	}
}

// The arrow begins beside u's box and ends beside v's, on the right of its way; in two parts if u and v are apart.
static size_t check_arrow(struct piece *pieces, const char *path, const struct node *u, const struct node *v)
{
	double x[CORNERS], y[CORNERS], reach = 0.45 * (u->box.right - u->box.left);
	const char *at = read_part(x, y, path);
	double tail_x = (x[0] + x[CORNERS - 1]) / 2, tail_y = (y[0] + y[CORNERS - 1]) / 2;
	double way_x = x[3] - tail_x, way_y = y[3] - tail_y;
	pieces_of_part(pieces, x, y);
	struct box around = {u->box.left - reach, u->box.top - reach, u->box.right + reach, u->box.bottom + reach};
	assert_true(tail_x > around.left && tail_x < around.right && tail_y > around.top && tail_y < around.bottom);
	assert_true(way_x * (tail_y - u->y) - way_y * (tail_x - u->x) > 0);
	bool parted = *at == 'M';
	if (parted) {
		at = read_part(x, y, at);
		pieces_of_part(pieces + 2, x, y);
	}
	assert_int_equal(*at, '"');
	around = (struct box){v->box.left - reach, v->box.top - reach, v->box.right + reach, v->box.bottom + reach};
	assert_true(x[3] > around.left && x[3] < around.right && y[3] > around.top && y[3] < around.bottom);
	assert_int_equal(parted, fmax(fabs(u->x - v->x), fabs(u->y - v->y)) > 4 * (u->box.right - u->box.left));
	return parted ? 4 : 2;
}

void grid_picture_check(const char *text, const struct loom_topo *t, const struct grid_shape *s, const uint32_t *load)
{
	struct node *nodes = calloc(t->n_nodes, sizeof *nodes);
	struct piece *pieces = calloc(PIECES_MAX, sizeof *pieces);
	uint32_t n_channels = loom_topo_channels(t), per_tile = loom_topo_channels_per_tile(t), most = 0, n_most = 0;
	size_t n = 0, n_arrows = 0;
	assert_non_null(nodes);
	assert_non_null(pieces);
	read_nodes(nodes, t->n_nodes, text);
	if (s)
		check_places(nodes, t->n_nodes, s);
	for (uint32_t c = 0; c < n_channels; c++) {
		if (loom_topo_is_local(t, c) || !loom_topo_channel_exists(t, c))
			continue;
		n_most = load[c] > most ? 1 : n_most + (load[c] == most);
		most = load[c] > most ? load[c] : most;
	}
	for (uint32_t c = 0; c < n_channels; c++) {
		char name[48], title[96], colour[8], fill[32];
		uint32_t u, v;
		if (loom_topo_is_local(t, c) || !loom_topo_channel_exists(t, c))
			continue;
		loom_topo_channel_name(t, c, name);
		assert_int_equal(sscanf(name, "%" SCNu32 "->%" SCNu32, &u, &v), 2);
		assert_int_equal(u, c / per_tile);
		const char *arrow = strstr(name, "->"); // ">" is escaped
		(void)snprintf(title, sizeof title, "%" PRIu32 "-&gt;%s: %" PRIu32, u, arrow + 2, load[c]);
		size_t n_titles;
		const char *at = svg_titled(text, title, &n_titles);
		if (n_titles != 1)
			fail_msg("%s: %zu of %s", t->name, n_titles, title);
		while (strncmp(at, "<path ", 6) != 0)
			at--;
		loom_report_colour(colour, load[c], most);
		(void)snprintf(fill, sizeof fill, "<path fill=\"%s\"", colour);
		assert_memory_equal(at, fill, strlen(fill));
		n += check_arrow(pieces + n, strstr(at, " d=\"") + 4, &nodes[u], &nodes[v]);
		n_arrows++;
	}
	assert_int_equal(svg_count(text, "</title></path>"), n_arrows);
	assert_int_equal(svg_count(text, "<path fill"), n_arrows);
	assert_int_equal(svg_count(text, "stroke=\"" LOOM_REPORT_INK), most > 1 ? n_most : 0);
	if (most > 1) {
		char more[64];
		assert_non_null(strstr(text, ">heaviest: "));
		(void)snprintf(more, sizeof more, ", %" PRIu32 " messages; %" PRIu32 " more with as many<", most,
		               n_most - 1);
		if (n_most > 1)
			assert_non_null(strstr(text, more));
	}
	for (uint32_t node = 0; node < t->n_nodes; node++)
		pieces[n++] = piece_of_box(nodes[node].box);
	assert_apart(pieces, n, t->name);
	n = 0;
	for (const char *at = text; (at = strstr(at, "<text ")); at++)
		pieces[n++] = piece_of_text(at);
	assert_apart(pieces, n, "texts");
	free(pieces);
	free(nodes);
}
