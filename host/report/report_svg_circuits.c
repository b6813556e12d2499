// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Ports of circuit switches over time: a row for each, with its slots in the colour of the node that its light leads to, pale where
// no node sends, and the times in which the switch is dark.
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include <flitloom/circuits.h>

#include "check/offered.h"
#include "report/report_svg.h"

#define PLOT_WIDTH 1000.0
#define PLOT_WIDTH_MAX 2400.0
#define CYCLE_MAX 14.0 // pixels
#define ROWS_MOST 512u
#define PARTS_MOST 20000u        // slots and messages that are drawn
#define PARTS_OF_PAGE_MOST 4000u // the same, of a network that is pointed at
#define SWITCH_HEIGHT 20         // of its heading
#define AXIS_HEIGHT 40
#define NOTE_HEIGHT 16
#define LEGEND_HEIGHT 64
#define TICK_DISTANCE 64.0
#define CHIP 9   // a square that stands for a channel
#define LABEL 86 // pixels before the rows
#define DARK "#3b4552"

struct drawing {
	const struct loom_panel *panel;
	struct loom_circuit_schedule schedule; // owned
	struct loom_fate *fates;               // owned; NULL: there is no trace
	uint32_t n_rows;                       // of each switch: the others are left out
	double row, height;
	size_t n_lost; // messages that did not arrive as planned
};

struct picture {
	FILE *stream;
	size_t n_drawings;
	struct drawing *drawings; // owned
	double cycle;             // pixels
	double width, height;
};

// --- Measuring out -------------------------------------------------------------------------------------------------

static uint64_t length_of(const struct drawing *d)
{
	uint64_t length = d->schedule.makespan > 0 ? d->schedule.makespan : 1;
	for (size_t i = 0; d->fates && i < d->panel->plan->n_messages; i++)
		if (d->fates[i].arrival && d->fates[i].arrival->last_cycle > length)
			length = d->fates[i].arrival->last_cycle;
	return length;
}

static unsigned count_notes(const struct drawing *d)
{
	return (d->n_rows < d->schedule.n_nodes ? 1u : 0u) + (d->n_lost > 0 ? 1u : 0u);
}

static void measure_out(struct drawing *d)
{
	const struct loom_circuit_schedule *s = &d->schedule;
	const size_t most = d->panel->marked ? PARTS_OF_PAGE_MOST : PARTS_MOST;
	size_t n_slots = 0;
	for (uint32_t on = 0; on < s->n_switches; on++)
		n_slots += 1 + s->on[on].n_slots;
	// A node has about as many messages as slots.
	const size_t room = most / (2 * n_slots), rows = ROWS_MOST / s->n_switches;
	d->n_rows = s->n_nodes;
	d->n_rows = d->n_rows > rows ? (uint32_t)rows : d->n_rows;
	d->n_rows = d->n_rows > room ? (room > 0 ? (uint32_t)room : 1) : d->n_rows;
	d->row = d->n_rows * s->n_switches <= 40 ? 18 : 12;
	d->height = LOOM_SVG_HEADING + s->n_switches * (SWITCH_HEIGHT + d->n_rows * d->row) + AXIS_HEIGHT +
	            count_notes(d) * NOTE_HEIGHT;
}

// --- Drawing -------------------------------------------------------------------------------------------------------

static double x_of(const struct picture *p, uint64_t cycle)
{
	return LOOM_SVG_MARGIN + LABEL + (double)cycle * p->cycle;
}

static double y_of(const struct drawing *d, double y, uint32_t on, uint32_t node)
{
	return y + on * (SWITCH_HEIGHT + d->n_rows * d->row) + SWITCH_HEIGHT + node * d->row;
}

// A rectangle from the end of cycle `from` to that of `to`; what follows in its tag and behind it is the caller's.
static void put_rect(const struct picture *p, uint64_t from, uint64_t to, double y, double height)
{
	(void)fprintf(p->stream, "<rect x=\"%.2f\" y=\"%.1f\" width=\"%.2f\" height=\"%g\"", x_of(p, from), y,
	              (double)(to - from) * p->cycle, height);
}

// The light of a port during a slot.
static void put_light(const struct picture *p, const struct drawing *d, uint32_t node, uint32_t to, uint64_t from,
                      uint64_t until, double y)
{
	char colour[8], text[16];
	loom_report_path_colour(colour, to, d->schedule.n_nodes);
	put_rect(p, from, until, y + 1, d->row - 2);
	(void)fprintf(p->stream,
	              " fill=\"%s\" fill-opacity=\"0.35\"><title>node %" PRIu32 ": light to node %" PRIu32
	              ", cycles %" PRIu64 " to %" PRIu64 "</title></rect>\n",
	              colour, node, to, from + 1, until);
	(void)snprintf(text, sizeof text, "%" PRIu32, to);
	if (d->row >= 14 && (double)(until - from) * p->cycle > loom_svg_width(text, 9, false) + 2)
		loom_svg_text(p->stream, (x_of(p, from) + x_of(p, until)) / 2, y + d->row - 8, 9, 40,
		              "class=\"to\" fill=\"" LOOM_REPORT_INK "\" text-anchor=\"middle\"", text);
}

static void put_switch(const struct picture *p, const struct drawing *d, uint32_t on, const uint64_t *begin, double y)
{
	const struct loom_circuit_schedule *s = &d->schedule;
	const struct loom_circuit_switch *sw = &s->on[on];
	for (size_t k = 0; k < sw->n_slots; k++) {
		const uint64_t until = begin[k] + sw->slot[k].cycles;
		for (uint32_t node = 0; node < d->n_rows; node++)
			if (sw->slot[k].to[node] != LOOM_CIRCUIT_NO_PORT)
				put_light(p, d, node, sw->slot[k].to[node], begin[k], until, y_of(d, y, on, node));
		if (k + 1 == sw->n_slots || begin[k + 1] == until)
			continue;
		put_rect(p, until, begin[k + 1], y_of(d, y, on, 0), d->n_rows * d->row);
		(void)fprintf(p->stream,
		              " fill=\"" DARK "\"><title>switch %" PRIu32 " is dark, cycles %" PRIu64 " to %" PRIu64
		              "</title></rect>\n",
		              on, until + 1, begin[k + 1]);
	}
}

// The cycle in which a message leaves by its plan.
static uint64_t leaves(const struct loom_plan *plan, size_t message)
{
	const struct loom_timing *t = plan->timing;
	for (size_t k = t ? t->first[message] : 0; t && k < t->first[message + 1]; k++)
		if (t->gate[k].kind == LOOM_GATE_AT)
			return t->gate[k].value;
	return 1;
}

// A message, from its header to its tail at the sender: as measured, one cycle before it arrives, or as planned.
static void put_message(const struct picture *p, const struct drawing *d, size_t i, double y)
{
	const struct loom_plan *plan = d->panel->plan;
	const struct loom_plan_message *m = &plan->messages[i];
	const uint32_t n = d->schedule.n_nodes, on = m->source / n, node = m->source % n, to = m->destination % n;
	const struct loom_arrival *a = d->fates ? d->fates[i].arrival : NULL;
	const uint64_t from = a ? a->first_cycle - 1 : leaves(plan, i);
	const uint64_t until = a ? a->last_cycle - 1 : from + m->flits - 1;
	char colour[8];
	if (node >= d->n_rows || from < 1)
		return;
	loom_report_path_colour(colour, to, n);
	put_rect(p, from - 1, until, y_of(d, y, on, node) + d->row - 6, 4);
	(void)fprintf(p->stream,
	              " fill=\"%s\"><title>message %zu, node %" PRIu32 " to node %" PRIu32 ", %" PRIu32
	              " flits, leaves in cycles %" PRIu64 " to %" PRIu64 "</title></rect>\n",
	              colour, i, node, to, m->flits, from, until);
}

// A port's name, and where it can be pointed at, a square for what it sends and one for what it receives.
static void put_port(const struct picture *p, const struct drawing *d, uint32_t on, uint32_t node, double y)
{
	const uint32_t port = on * d->schedule.n_nodes + node;
	char text[24];
	(void)snprintf(text, sizeof text, "node %" PRIu32, node);
	loom_svg_text(p->stream, LOOM_SVG_MARGIN, y + d->row - 5, 9.5, LABEL - 26, "fill=\"" LOOM_SVG_GREY "\"", text);
	for (uint32_t k = 0; d->panel->marked && k < 2; k++) {
		const uint32_t channel = 2 * port + 1 - k; // injection, then ejection
		(void)fprintf(p->stream,
		              "<rect x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%d\" fill=\"" LOOM_SVG_IDLE "\"",
		              LOOM_SVG_MARGIN + LABEL - 26 + (int)k * (CHIP + 3), y + (d->row - CHIP) / 2, CHIP, CHIP);
		loom_svg_mark(p->stream, d->panel, 'c', channel);
		(void)fputs("/>\n", p->stream);
	}
}

// 1, 2 or 5 times a power of ten.
static uint64_t step_of(const struct picture *p)
{
	static const unsigned factors[] = {1, 2, 5};
	for (uint64_t power = 1;; power *= 10)
		for (size_t i = 0; i < 3; i++)
			if ((double)(factors[i] * power) * p->cycle >= TICK_DISTANCE)
				return factors[i] * power;
}

static void put_axis(const struct picture *p, const struct drawing *d, double y, double height)
{
	const uint64_t step = step_of(p), length = length_of(d);
	char text[24];
	for (uint64_t cycle = 0; cycle <= length; cycle += step) {
		(void)fprintf(p->stream,
		              "<path stroke=\"" LOOM_SVG_GRID "\" stroke-width=\"0.6\" d=\"M%.2f %gv%g\"/>\n",
		              x_of(p, cycle), y, height + 4);
		(void)snprintf(text, sizeof text, "%" PRIu64, cycle);
		loom_svg_text(p->stream, x_of(p, cycle), y + height + 14, 10, TICK_DISTANCE,
		              "fill=\"" LOOM_SVG_GREY "\" text-anchor=\"middle\"", text);
	}
	loom_svg_text(p->stream, x_of(p, 0), y + height + 30, 11, p->width, "fill=\"" LOOM_REPORT_INK "\"",
	              "cycles from START");
}

static double put_note(const struct picture *p, double y, const char *text)
{
	loom_svg_text(p->stream, LOOM_SVG_MARGIN, y + 10, 11.5, p->width - 2 * LOOM_SVG_MARGIN,
	              "fill=\"" LOOM_REPORT_INK "\"", text);
	return y + NOTE_HEIGHT;
}

static void put_notes(const struct picture *p, const struct drawing *d, double y)
{
	char text[160];
	(void)snprintf(text, sizeof text, "Only the first %" PRIu32 " of %" PRIu32 " nodes are drawn.", d->n_rows,
	               d->schedule.n_nodes);
	if (d->n_rows < d->schedule.n_nodes)
		y = put_note(p, y, text);
	(void)snprintf(text, sizeof text, "Messages that did not arrive as planned, and are not drawn: %zu.",
	               d->n_lost);
	if (d->n_lost)
		(void)put_note(p, y, text);
}

static int put_drawing(const struct picture *p, const struct drawing *d, double y)
{
	const struct loom_circuit_schedule *s = &d->schedule;
	const struct loom_plan *plan = d->panel->plan;
	const double height = s->n_switches * (SWITCH_HEIGHT + d->n_rows * d->row);
	char title[256], text[64];
	size_t most = 0;
	for (uint32_t on = 0; on < s->n_switches; on++)
		most = s->on[on].n_slots > most ? s->on[on].n_slots : most;
	uint64_t *begin = calloc(most + 1, sizeof *begin);
	if (!begin)
		return LOOM_ENOMEM;
	loom_svg_title(title, sizeof title, d->panel, NULL);
	(void)snprintf(text, sizeof text, "%" PRIu64 " cycles of light and dark", s->makespan);
	loom_svg_heading(p->stream, d->panel, title,
	                 &(struct loom_svg_sums){.max = 1, .cycles = d->panel->trace ? NULL : text},
	                 p->width - 2 * LOOM_SVG_MARGIN, LOOM_SVG_MARGIN, y);
	y += LOOM_SVG_HEADING;
	put_axis(p, d, y, height);
	for (uint32_t on = 0; on < s->n_switches; on++) {
		(void)snprintf(text, sizeof text, "switch %" PRIu32, on);
		loom_svg_text(p->stream, LOOM_SVG_MARGIN, y_of(d, y, on, 0) - 6, 11.5, LABEL,
		              "fill=\"" LOOM_REPORT_INK "\" font-weight=\"bold\"", text);
		for (uint32_t node = 0; node < d->n_rows; node++)
			put_port(p, d, on, node, y_of(d, y, on, node));
		loom_circuit_begins(begin, s, on);
		put_switch(p, d, on, begin, y);
	}
	free(begin);
	for (size_t i = 0; i < plan->n_messages; i++)
		if (loom_plan_uses_network(plan, &plan->messages[i]) && (!d->fates || d->fates[i].arrival))
			put_message(p, d, i, y);
	put_notes(p, d, y + height + AXIS_HEIGHT);
	return 0;
}

static void put_legend(const struct picture *p, double y)
{
	const double x = LOOM_SVG_MARGIN;
	(void)loom_svg_legend_sources(p->stream, x, y, "pale light, full flits; coloured by the receiver");
	loom_svg_legend_box(p->stream, x, y + 22, DARK, "dark: the switch turns to its next matching");
}

// --- The whole -----------------------------------------------------------------------------------------------------

static int make_drawing(struct drawing *d, const struct loom_panel *panel, struct loom_err *err)
{
	*d = (struct drawing){.panel = panel};
	int rc = loom_plan_circuits(&d->schedule, panel->plan, err);
	if (rc == 0 && panel->trace)
		rc = loom_offered_make(&d->fates, panel->plan, panel->trace, err);
	for (size_t i = 0; rc == 0 && d->fates && i < panel->plan->n_messages; i++) {
		struct loom_fate *fate = &d->fates[i];
		if (!loom_plan_uses_network(panel->plan, &panel->plan->messages[i]))
			continue;
		if (fate->n_arrived != 1 || fate->arrival->flits != panel->plan->messages[i].flits)
			fate->arrival = NULL;
		d->n_lost += fate->arrival == NULL;
	}
	if (rc == 0)
		measure_out(d);
	return rc;
}

static void arrange(struct picture *p)
{
	uint64_t longest = 1;
	p->height = LOOM_SVG_TITLE + 22 + LEGEND_HEIGHT;
	for (size_t i = 0; i < p->n_drawings; i++) {
		const uint64_t length = length_of(&p->drawings[i]);
		longest = length > longest ? length : longest;
		p->height += p->drawings[i].height + (i ? LOOM_SVG_GAP : 0);
	}
	const double length = (double)longest;
	const double width =
		length > PLOT_WIDTH ? fmin(PLOT_WIDTH + (length - PLOT_WIDTH) / 5, PLOT_WIDTH_MAX) : PLOT_WIDTH;
	p->cycle = fmin(width / length, CYCLE_MAX);
	p->width = fmax(2 * LOOM_SVG_MARGIN + LABEL + p->cycle * length, 720);
}

int loom_svg_circuits(FILE *stream, const struct loom_panel *panels, size_t n_panels, struct loom_err *err)
{
	struct picture p = {.stream = stream};
	double y = LOOM_SVG_TITLE + 22;
	int rc = 0;
	p.drawings = calloc(n_panels, sizeof *p.drawings);
	if (!p.drawings)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for a picture of %zu panels", n_panels);
	for (size_t i = 0; rc == 0 && i < n_panels; i++)
		rc = make_drawing(&p.drawings[p.n_drawings++], &panels[i], err);
	if (rc == 0) {
		arrange(&p);
		loom_svg_begin(stream, p.width, p.height, panels[0].plan);
		if (!panels[0].marked) // a page says itself what dark is
			loom_svg_darken(stream);
	}
	for (size_t i = 0; rc == 0 && i < p.n_drawings; i++) {
		if ((rc = put_drawing(&p, &p.drawings[i], y)) != 0)
			(void)loom_fail(err, rc, "out of memory for a picture of %zu panels", n_panels);
		y += p.drawings[i].height + LOOM_SVG_GAP;
	}
	if (rc == 0) {
		put_legend(&p, p.height - LEGEND_HEIGHT);
		(void)fputs("</svg>\n", stream);
	}
	for (size_t i = 0; i < p.n_drawings; i++) {
		loom_circuit_schedule_free(&p.drawings[i].schedule);
		free(p.drawings[i].fates);
	}
	free(p.drawings);
	return rc;
}
