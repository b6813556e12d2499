// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Cells and plot of a sweep over loads. A saturated point has no latencies: they would be those of the messages that
// arrived.
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "cli_sweep.h"

static const char *machines_text(const struct cli_request *r)
{
	return r->machines == 3 ? "fast and paper" : cli_machine_name(r->machine);
}

// The lengths of messages: as asked for, or of a file that says all.
static const char *lengths_text(char made[24], const struct sweep *s)
{
	uint32_t least, most;
	if (s->n_curves && loom_traffic_own_lengths(&least, &most, &s->curves[0].traffic))
		return "own";
	if (s->request->lengths_text)
		return s->request->lengths_text;
	(void)snprintf(made, 24, "%" PRIu32, s->request->flits);
	return made;
}

static const char *arrivals_text(const struct cli_request *r)
{
	return r->arrivals_text ? r->arrivals_text : loom_injection_name(r->arrivals);
}

// The load at which the sources send as their file says; not a number: there is none.
static double own_load(const struct sweep *s, const struct sweep_curve *c)
{
	const struct cli_request *r = s->request;
	return loom_traffic_own_load(&c->traffic, r->lengths_text ? loom_lengths_mean(&r->lengths) : r->flits);
}

void sweep_load_put_heading(const struct sweep *s)
{
	const struct cli_request *r = s->request;
	char pattern[LOOM_TEXT_NAME], lengths[24];
	loom_text_show(pattern, sizeof pattern, r->words[1]);
	(void)printf("%s, %s flits a message, %s arrivals, machine %s, seed %" PRIu64 "\n"
	             "%" PRIu64 " cycles of warm-up, %" PRIu64
	             " measured; loads in flits per cycle and sending node%s\n\n",
	             pattern, lengths_text(lengths, s), arrivals_text(r), machines_text(r), r->seed, r->warmup_cycles,
	             r->measure_cycles, r->loads.max ? ":\nthe highest that are sustained" : "");
	for (size_t i = 0; i < s->n_curves; i++) {
		const struct sweep_curve *c = &s->curves[i];
		(void)printf("%-*s  %" PRIu32 " of %" PRIu32 " nodes send", sweep_name_width(s, 10, true), c->name,
		             loom_traffic_senders_count(&c->traffic, &c->topo), c->topo.n_nodes);
		if (!isnan(c->capacity))
			(void)printf("; the channels carry a load of %.4g at most", c->capacity);
		if (!isnan(own_load(s, c)))
			(void)printf("; the file's own rates are a load of %.6g", own_load(s, c));
		(void)putchar('\n');
	}
	if (loom_run_is_computed(r->link))
		(void)puts("\nlink model: computed, no routers were run (docs/exactness.md)");
	if (r->n_checked)
		(void)puts("points marked \"as on sim\" were run on the RTL as well, every message compared");
	(void)putchar('\n');
}

void sweep_load_cells(struct sweep_cells *out, const struct sweep *s, const struct sweep_row *row)
{
	const struct sweep_curve *c = row->curve;
	const struct loom_load_point *p = &row->point;
	const bool flows = !p->saturated, fails = row->n_mismatches > 0;
	const double own = own_load(s, c);
	(void)snprintf(out->text, sizeof out->text, "%.9g", p->load);
	(void)snprintf(out->verdict, sizeof out->verdict, "%s%s%s", fails ? "FAIL" : "pass",
	               p->saturated ? ", saturated" : "", row->is_checked && !fails ? ", as on sim" : "");
	// In the table its heading and width; in CSV; in JSON; the value; known before the row is run: of a curve.
	const struct sweep_cell cells[] = {
		{"", -sweep_name_width(s, 10, true), NULL, NULL, sweep_text(c->name), true},
		{NULL, 0, "fabric", "fabric", sweep_text(c->topo.name), true},
		{NULL, 0, "nodes", "nodes", sweep_count(c->topo.n_nodes, true), true},
		{NULL, 0, "senders", "senders", sweep_count(loom_traffic_senders_count(&c->traffic, &c->topo), true),
	         true},
		{NULL, 0, "map", "map", sweep_text(c->map_name), true},
		{NULL, 0, "machine", "machine", sweep_text(cli_machine_name(c->machine)), true},
		{NULL, 0, NULL, "capacity", sweep_real(c->capacity, 1, !isnan(c->capacity)), true},
		{NULL, 0, "flits_per_message", NULL, sweep_text(lengths_text(out->lengths, s)), true},
		{NULL, 0, "arrivals", NULL, sweep_text(arrivals_text(s->request)), true},
		{NULL, 0, "rule", "rule", sweep_text(c->rule_given ? loom_rule_name(c->rule) : NULL), true},
		{NULL, 0, NULL, "own_load", sweep_real(own, 1, !isnan(own)), true},
		{" load", 7, NULL, "load", sweep_real(p->load, -4, true), false},
		{NULL, 0, "load", NULL, sweep_text(out->text), false},
		{" offered", 8, "offered", "offered", sweep_real(p->offered, 4, true), false},
		{" accepted", 8, "accepted", "accepted", sweep_real(p->accepted, 4, true), false},
		{NULL, 0, "saturated", "saturated", sweep_flag(p->saturated), false},
		{" latency", 9, "latency", "latency.mean", sweep_real(p->mean, 2, flows), false},
		{NULL, 0, "without_wait", "latency.without_wait", sweep_real(p->without_wait, 2, flows), false},
		{NULL, 0, "min", "latency.min", sweep_count(p->least, flows), false},
		{" 50%", 7, "p50", "latency.p50", sweep_count(p->p50, flows), false},
		{" 95%", 7, "p95", "latency.p95", sweep_count(p->p95, flows), false},
		{" 99%", 7, "p99", "latency.p99", sweep_count(p->p99, flows), false},
		{" max", 8, "max", "latency.max", sweep_count(p->most, flows), false},
		{NULL, 0, NULL, "measured_messages", sweep_count(p->n_measured, true), false},
		{" messages", 9, "messages", "messages", sweep_count(p->n_messages, true), false},
		{NULL, 0, "cycles", "cycles", sweep_count(p->n_cycles, true), false},
		{NULL, 0, "capacity", NULL, sweep_real(c->capacity, 1, !isnan(c->capacity)), true},
		{"  verdict", 0, NULL, NULL, sweep_text(out->verdict), false},
		{NULL, 0, "verdict", "verdict", sweep_text(fails ? "fail" : "pass"), false},
		{NULL, 0, NULL, "mismatch_count", sweep_count(row->n_mismatches, true), false},
		{NULL, 0, "reason", "mismatch", sweep_text(fails ? row->reason : NULL), false},
		{NULL, 0, "link", NULL, sweep_text(s->request->link), true},
		{NULL, 0, "checked_on", "checked_on", sweep_text(row->is_checked ? "sim" : NULL), false},
	};
	_Static_assert(sizeof cells <= sizeof out->at, "room for all cells");
	out->n = sizeof cells / sizeof cells[0];
	memcpy(out->at, cells, sizeof cells);
}

int sweep_load_json(json_t *out, const struct sweep *s)
{
	const struct cli_request *r = s->request;
	json_t *curves = json_array();
	char lengths[24];
	const bool one = lengths_text(lengths, s) == lengths;
	int bad = json_object_set_new(out, "flits_per_message", one ? loom_json_number(r->flits) : json_null());
	bad |= json_object_set_new(out, "lengths", one ? json_null() : json_string(lengths_text(lengths, s)));
	bad |= json_object_set_new(out, "arrivals", json_string(arrivals_text(r)));
	bad |= json_object_set_new(out, "warmup_cycles", loom_json_number(r->warmup_cycles));
	bad |= json_object_set_new(out, "measure_cycles", loom_json_number(r->measure_cycles));
	bad |= json_object_set_new(out, "highest", json_boolean(r->loads.max));
	bad |= json_object_set_new(out, "curves", curves);
	json_t *points = NULL; // of the curve of the row before
	for (size_t i = 0; !bad && i < s->n_rows; i++) {
		const struct sweep_row *row = &s->rows[i];
		if (i == 0 || row->curve != row[-1].curve) {
			json_t *curve = sweep_row_json(s, row, true, false);
			bad |= json_array_append_new(curves, curve);
			bad |= json_object_set_new(curve, "points", points = json_array());
		}
		if (!bad && row->state == SWEEP_DONE)
			bad |= json_array_append_new(points, sweep_row_json(s, row, false, true));
	}
	return bad;
}

// --- Plot ----------------------------------------------------------------------------------------------------------

#define ALL_OFFERED "all that is offered"

// The mean as a line with dots, the percentiles without, the rarer the lighter.
static const struct cli_line latencies[] = {{.title = "mean", .width = 2, .dashes = 1, .dots = 0.5},
                                            {.title = "50%", .width = 1, .dashes = 4},
                                            {.title = "95%", .width = 1, .dashes = 2},
                                            {.title = "99%", .width = 1, .dashes = 3}};
enum { LATENCIES = sizeof latencies / sizeof latencies[0] };

// Each curve has a colour, which the key of the lower panel tells.
static void add_row(struct cli_plot *plot, const struct sweep *s, const struct sweep_row *row)
{
	const struct loom_load_point *p = &row->point;
	const double latency[LATENCIES] = {p->mean, (double)p->p50, (double)p->p95, (double)p->p99};
	struct cli_line accepted = {
		.panel = 1, .width = 2, .dashes = 1, .dots = 0.5, .colour = (unsigned)(row->curve - s->curves) + 1};
	for (size_t k = 0; k < LATENCIES && !p->saturated; k++) {
		struct cli_line line = latencies[k];
		line.title[0] = '\0';
		line.colour = accepted.colour;
		cli_plot_point(plot, &line, p->offered, latency[k]);
	}
	(void)snprintf(accepted.title, sizeof accepted.title, "%s", row->curve->name);
	cli_plot_point(plot, &accepted, p->offered, p->accepted);
}

// Latency over the offered load, and below it what was accepted of it. Upright lines are what the channels could carry.
static void add_lines(struct cli_plot *plot, const struct sweep *s, double most)
{
	const struct cli_line nothing = {.function = "1/0", .width = 1, .dashes = 1, .colour = 1};
	const struct cli_line offered = {
		.title = ALL_OFFERED, .function = "x", .panel = 1, .width = 1, .dashes = 3, .rgb = "#888888"};
	bool sustained = false;
	for (size_t i = 0; i < s->n_rows; i++)
		sustained = sustained || (s->rows[i].state == SWEEP_DONE && !s->rows[i].point.saturated);
	if (!sustained) {
		plot->panels[0].settings = "set logscale y 10\nset yrange [10:1000]\n";
		(void)cli_plot_line(plot, &nothing);
	}
	(void)cli_plot_line(plot, &offered);
	for (size_t i = 0; i < s->n_rows; i++)
		if (s->rows[i].state == SWEEP_DONE)
			add_row(plot, s, &s->rows[i]);
	for (size_t k = 0; k < LATENCIES; k++) {
		struct cli_line line = latencies[k];
		line.function = "1/0";
		line.rgb = "#687280";
		(void)cli_plot_line(plot, &line);
	}
	for (size_t c = 0; c < s->n_curves; c++) {
		const struct cli_line line = {
			.upright = true, .panel = 2, .width = 1, .dashes = 2, .colour = (unsigned)c + 1};
		if (s->curves[c].capacity <= most)
			cli_plot_point(plot, &line, s->curves[c].capacity, 0);
	}
}

int sweep_load_plot(const struct sweep *s, struct loom_err *err)
{
	enum { WIDTH = 1100, HEIGHT = 760, LINE = 18, CHARACTER = 10, SAMPLE = 70 }; // pixels; the last two at most
	const struct cli_request *r = s->request;
	char title[320], key[48], settings[96], lengths[24];
	const size_t longest = (size_t)sweep_name_width(s, (int)strlen(ALL_OFFERED), true);
	const size_t fit = (WIDTH - 100) / (longest * CHARACTER + SAMPLE), columns = fit ? fit : 1;
	const size_t lines = (s->n_curves + columns) / columns; // of the lower panel's key
	struct cli_plot plot = {
		.title = title,
		.width = WIDTH,
		.height = (unsigned)(HEIGHT + 2 * LINE * lines),
		.key = key,
		.settings = settings,
		.n_panels = 2,
		.panels = {{"set logscale y 10\n", "", "latency, cycles from release to the last tail"},
	                   {"unset logscale y\nset yrange [0:*]\n", "offered load, flits per cycle and sending node",
	                    "accepted, flits per cycle and sending node"}}};
	double most = 0;
	bool any = false;
	for (size_t i = 0; i < s->n_rows; i++)
		if (s->rows[i].state == SWEEP_DONE) {
			most = s->rows[i].point.offered > most ? s->rows[i].point.offered : most;
			any = true;
		}
	most *= 1.03;
	(void)snprintf(key, sizeof key, "below maxcols %zu", columns);
	(void)snprintf(settings, sizeof settings, "set xrange [0:%.10g]\nset lmargin 10\nset rmargin 4\n", most);
	(void)snprintf(title, sizeof title, "%.120s, %.60s flits a message, %.40s arrivals, machine %s", r->words[1],
	               lengths_text(lengths, s), arrivals_text(r), machines_text(r));
	add_lines(&plot, s, most);
	int rc = any ? cli_plot_draw(r->svg, &plot, err)
	             : loom_fail(err, LOOM_EINPUT, "--svg: there is nothing to plot: no point is done");
	cli_plot_free(&plot);
	return rc;
}
