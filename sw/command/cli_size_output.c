// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Cells and plot of a sweep over sizes. Over several seeds cycles are means; passes and contention are the largest
// values.
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "cli_plot.h"
#include "cli_sweep.h"

static bool measures(const struct sweep *s)
{
	return !s->request->plan_only;
}

// True if it is known for all seeds; a mean over some of them is not shown.
static bool has_back_to_back(const struct sweep *s, const struct sweep_row *row)
{
	return row->size.back_to_back.n == s->n_seeds;
}

// Finds the shortest and the longest message of all rows.
static void find_lengths(uint32_t *least, uint32_t *most, const struct sweep *s)
{
	*least = *most = 0;
	for (size_t i = 0; i < s->n_rows; i++) {
		const struct sweep_size *it = &s->rows[i].size;
		if (it->flits_most == 0)
			continue;
		*least = *least == 0 || it->flits_least < *least ? it->flits_least : *least;
		*most = it->flits_most > *most ? it->flits_most : *most;
	}
}

// Writes what stands behind the pattern's name: ", 17 flits a message".
static void put_lengths(char *out, size_t size, const struct sweep *s)
{
	uint32_t least, most;
	find_lengths(&least, &most, s);
	if (least == most)
		(void)snprintf(out, size, ", %" PRIu32 " flits a message", most);
	else
		(void)snprintf(out, size, ", %" PRIu32 " to %" PRIu32 " flits a message", least, most);
}

void sweep_size_put_heading(FILE *out, const struct sweep *s)
{
	char pattern[LOOM_TEXT_NAME], lengths[64];
	loom_text_show(pattern, sizeof pattern, s->request->words[1]);
	put_lengths(lengths, sizeof lengths, s);
	(void)fprintf(out, "%s%s", pattern, lengths);
	if (s->n_seeds > 1)
		(void)fprintf(out, ", %" PRIu32 " seeds from %" PRIu64, s->n_seeds, s->request->seed);
	(void)fprintf(out, "%s\n", measures(s) ? "" : ": predicted, not run");
	if (measures(s) && loom_run_is_computed(s->request->link))
		(void)fputs("link model: computed, no routers were run (docs/exactness.md)\n", out);
	if (s->request->n_checked)
		(void)fputs(
			"rows marked \"as on sim\" were run on the RTL as well, every message and channel compared\n",
			out);
	(void)fputc('\n', out);
}

// --- Cells ---------------------------------------------------------------------------------------------------------

// Writes the length of the row's messages; nothing if they differ, or if it is unknown because the row was left out.
static struct sweep_value length_of(const struct sweep_row *row)
{
	const struct sweep_size *it = &row->size;
	if (row->state == SWEEP_LEFT_OUT && it->flits_most == 0)
		return sweep_count(row->flits, !it->own_lengths);
	return sweep_count(it->flits_most, it->flits_most != 0 && it->flits_least == it->flits_most);
}

// Computes the standard deviation of a sample; 0 for a single value.
static double deviation(const struct sweep_spread *s)
{
	return s->n < 2 ? 0 : sqrt(s->square / (s->n - 1));
}

void sweep_size_cells(struct sweep_cells *out, const struct sweep *s, const struct sweep_row *row)
{
	const struct sweep_size *it = &row->size;
	const struct sweep_curve *c = row->curve;
	const bool many = s->n_seeds > 1, runs = measures(s), left_out = row->state == SWEEP_LEFT_OUT;
	const bool known = it->predicted_known, told_known = runs || known;
	const struct sweep_spread *p = &it->predicted, *m = &it->measured, *told = runs ? m : p;
	const int digits = many ? 1 : 0; // for a mean
	const struct sweep_value machine = sweep_text(cli_machine_name(c->machine)), length = length_of(row);
	// The length that --flits gives messages; nothing if the pattern gives their lengths.
	const struct sweep_value asked = sweep_count(row->flits, !it->own_lengths && row->flits);
	const char *verdict = !runs ? NULL : row->n_mismatches ? "fail" : "pass";
	const char *shown = row->n_mismatches ? "FAIL" : row->is_checked ? "pass, as on sim" : "pass";
	const struct sweep_value checked_on = sweep_text(row->is_checked ? "sim" : NULL);
	struct sweep_cell fail[SWEEP_FAIL_CELLS], dark[SWEEP_DARK_CELLS];
	sweep_fail_cells(fail, s, c);
	sweep_dark_cells(dark, s, row);
	(void)snprintf(out->text, sizeof out->text, "%" PRIu64 "..%" PRIu64, told->least, told->most);
	// In the table its heading and width; in CSV; in JSON; the value; true if it is known before the row is run.
	const struct sweep_cell cells[] = {
		{"fabric", -sweep_name_width(s, 14, false), "fabric", "fabric", sweep_text(sweep_fabric_name(s, c)),
	         true},
		fail[0],
		fail[1],
		fail[2],
		fail[3],
		dark[0],
		{" nodes", 6, "nodes", "nodes", sweep_count(c->topo.n_nodes, true), true},
		{s->many_flits ? " flits" : NULL, 6, NULL, NULL, sweep_count(row->flits, true), true},
		{s->n_machines > 1 ? " machine" : NULL, -7, NULL, NULL, machine, true},
		{NULL, 0, "flits_per_message", NULL, length, true},
		{NULL, 0, "flits_asked", NULL, asked, true},
		{NULL, 0, "machine", NULL, machine, true},
		{NULL, 0, "seeds", NULL, sweep_count(s->n_seeds, true), true},
		{"  planner", -10, "planner", "planner", sweep_text(it->planner), false},
		{" passes", 7, "passes", "passes", sweep_count(it->passes.most, true), false},
		{NULL, 0, "messages", "messages", sweep_count(it->messages, true), false},
		{NULL, 0, "flits", "flits", sweep_count(it->flits, true), false},
		{" contention", 11, "contention", "contention", sweep_count(it->contention.most, true), false},
		dark[1],
		dark[2],
		dark[3],
		dark[4],
		dark[5],
		{" predicted", 12, "predicted_cycles", "predicted_cycles", sweep_real(p->mean, digits, known), false},
		{NULL, 0, "predicted_sd", NULL, sweep_real(deviation(p), 1, known), false},
		{NULL, 0, "predicted_min", NULL, sweep_count(p->least, known), false},
		{NULL, 0, "predicted_max", NULL, sweep_count(p->most, known), false},
		{runs ? " measured" : NULL, 12, "measured_cycles", "measured_cycles", sweep_real(m->mean, digits, runs),
	         false},
		{NULL, 0, "measured_sd", NULL, sweep_real(deviation(m), 1, runs), false},
		{NULL, 0, "measured_min", NULL, sweep_count(m->least, runs), false},
		{NULL, 0, "measured_max", NULL, sweep_count(m->most, runs), false},
		{many ? " sd" : NULL, 8, NULL, NULL, sweep_real(deviation(told), 1, told_known), false},
		{many ? " range" : NULL, 15, NULL, NULL, sweep_text(told_known ? out->text : NULL), false},
		{" back to back", 12, "back_to_back_cycles", "back_to_back_cycles",
	         sweep_real(it->back_to_back.mean, digits, has_back_to_back(s, row)), false},
		{runs ? "  verdict" : NULL, 0, NULL, NULL, sweep_text(shown), false},
		{NULL, 0, "verdict", left_out ? NULL : "verdict", sweep_text(left_out ? "left out" : verdict), true},
		{NULL, 0, NULL, "mismatch_count", sweep_count(row->n_mismatches, true), false},
		{NULL, 0, NULL, "mismatch", sweep_text(row->n_mismatches ? row->reason : NULL), false},
		{NULL, 0, NULL, "flits_per_message", length, true},
		{NULL, 0, NULL, "flits_asked", asked, true},
		{NULL, 0, NULL, "machine", machine, true},
		{NULL, 0, "reason", left_out ? "reason" : NULL, sweep_text(row->reason), true},
		{NULL, 0, "link", NULL, sweep_text(measures(s) ? s->request->link : NULL), true},
		{NULL, 0, "checked_on", "checked_on", checked_on, false},
		// The next ones are known only if there are several seeds.
		{NULL, 0, NULL, "predicted_spread.sd", sweep_real(deviation(p), 1, known), false},
		{NULL, 0, NULL, "predicted_spread.min", sweep_count(p->least, known), false},
		{NULL, 0, NULL, "predicted_spread.max", sweep_count(p->most, known), false},
		{NULL, 0, NULL, "measured_spread.sd", sweep_real(deviation(m), 1, runs), false},
		{NULL, 0, NULL, "measured_spread.min", sweep_count(m->least, runs), false},
		{NULL, 0, NULL, "measured_spread.max", sweep_count(m->most, runs), false},
	};
	_Static_assert(sizeof cells <= sizeof out->at, "room for all cells");
	out->n = sizeof cells / sizeof cells[0] - (many ? 0 : 6);
	memcpy(out->at, cells, out->n * sizeof cells[0]);
}

int sweep_size_json(json_t *out, const struct sweep *s)
{
	json_t *runs = json_array(), *left_out = json_array();
	uint32_t least, most;
	find_lengths(&least, &most, s);
	int bad = json_object_set_new(out, "flits_per_message",
	                              least == most && most ? loom_json_number(most) : json_null());
	bad |= json_object_set_new(out, "seeds", loom_json_number(s->n_seeds));
	bad |= json_object_set_new(out, "runs", runs);
	bad |= json_object_set_new(out, "left_out", left_out);
	for (size_t i = 0; !bad && i < s->n_rows; i++)
		if (s->rows[i].state != SWEEP_WAITS) {
			bool done = s->rows[i].state == SWEEP_DONE;
			bad |= json_array_append_new(done ? runs : left_out,
			                             sweep_row_json(s, &s->rows[i], true, done));
		}
	return bad;
}

// --- Plot ----------------------------------------------------------------------------------------------------------

// Adds a point. Lines that begin with the same name have the same colour.
static void add_point(struct cli_plot *plot, const char *name, const char *what, double x, double y)
{
	struct cli_line like = {.width = 2, .dashes = *what ? 2 : 1, .dots = 0.6};
	const size_t length = strlen(name);
	unsigned most = 0;
	for (size_t i = 0; i < plot->n_lines && !like.colour; i++) {
		const struct cli_line *line = &plot->lines[i];
		const char rest = strncmp(line->title, name, length) == 0 ? line->title[length] : '?';
		most = line->colour > most ? line->colour : most;
		if (rest == '\0' || rest == ';')
			like.colour = line->colour;
	}
	like.colour = like.colour ? like.colour : most + 1;
	(void)snprintf(like.title, sizeof like.title, "%s%s", name, what);
	cli_plot_point(plot, &like, x, y);
}

static bool is_over_fails(const struct sweep *s)
{
	return !s->many_flits && s->request->fail_parts.n > 1;
}

// Plots over the shares of the links that fail, if these vary, with a line for each fabric; over dark times, if these
// vary (fabrics without them then have the same cycles everywhere). Otherwise it plots cycles from the first START on
// and, as dashed lines where there is something between the passes, those of the passes alone: over the length of
// messages if that varies, with lines for each fabric, else over the nodes, with lines for each kind and each graph.
static void add_row(struct cli_plot *plot, const struct sweep *s, const struct sweep_row *row)
{
	char name[LOOM_TOPO_NAME + 48], dark[32] = "";
	const struct loom_topo *topo = &row->curve->topo;
	const struct sweep_size *it = &row->size;
	const bool over_darks = sweep_is_over_darks(s), over_fails = !over_darks && is_over_fails(s);
	const uint32_t n_darks = s->request->darks.n, at = row->curve->i_dark;
	const bool has_dark = sweep_darks_count(s->request, topo) > 1;
	double x = over_darks      ? sweep_dark_at(s->request, at)
	           : over_fails    ? row->curve->fail.percent
	           : s->many_flits ? row->flits
	                           : topo->n_nodes;
	if (row->state != SWEEP_DONE || (!measures(s) && !it->predicted_known))
		return;
	if (has_dark && !over_darks)
		(void)snprintf(dark, sizeof dark, ", dark %" PRIu32, sweep_dark_at(s->request, at));
	(void)snprintf(name, sizeof name, "%s%s%s%s",
	               s->many_flits || topo->graph || over_darks || over_fails ? sweep_fabric_name(s, row->curve)
	                                                                        : topo->kind->name,
	               s->n_machines > 1 ? ", " : "", s->n_machines > 1 ? cli_machine_name(row->curve->machine) : "",
	               dark);
	for (uint32_t k = 0; k < (over_darks && !has_dark ? n_darks : 1); k++) {
		x = over_darks && !has_dark ? sweep_dark_at(s->request, k) : x;
		if (has_back_to_back(s, row))
			add_point(plot, name, "", x, it->back_to_back.mean);
		if (!it->one_start || !has_back_to_back(s, row))
			add_point(plot, name, "; passes alone", x,
			          measures(s) ? it->measured.mean : it->predicted.mean);
	}
}

// Joins equal lines into one, with all their titles.
static void merge_lines(struct cli_plot *plot)
{
	for (size_t i = 0; i < plot->n_lines; i++)
		for (size_t k = i + 1; k < plot->n_lines; k++) {
			struct cli_line *a = &plot->lines[i];
			const struct cli_line b = plot->lines[k];
			const size_t used = strlen(a->title);
			if (a->n == 0 || a->n != b.n || a->dashes != b.dashes ||
			    memcmp(a->points, b.points, b.n * sizeof *b.points) != 0)
				continue;
			(void)snprintf(a->title + used, sizeof a->title - used, ", %s", b.title);
			plot->lines[k].n = 0;
		}
}

int sweep_size_plot(const struct sweep *s, struct loom_err *err)
{
	enum { NAME_MOST = 40 }; // characters beside a plot; longer names would leave it no room
	char title[320], flits[48] = "", seeds[48] = "", settings[160];
	const struct cli_request *r = s->request;
	const bool over_darks = sweep_is_over_darks(s), linear = s->many_flits && r->flits_step != 0;
	struct cli_plot plot = {.title = title,
	                        .width = 860,
	                        .height = 560,
	                        .key = "right top",
	                        .settings = settings,
	                        .n_panels = 1,
	                        .panels = {{.settings = "",
	                                    .x_title = over_darks ? "cycles in which a switch is dark while it turns"
	                                               : is_over_fails(s) ? "links that fail, percent of all"
	                                               : s->many_flits    ? "flits a message"
	                                                                  : "nodes",
	                                    .y_title = measures(s) ? "cycles from START to the last tail, measured"
	                                                           : "cycles from START to the last tail, predicted"}}};
	for (size_t i = 0; i < s->n_rows; i++)
		add_row(&plot, s, &s->rows[i]);
	for (size_t i = 0; i < plot.n_lines; i++)
		if (strlen(plot.lines[i].title) > NAME_MOST)
			plot.key = "below maxcols 1";
	merge_lines(&plot);
	if (over_darks)
		(void)snprintf(settings, sizeof settings, "set xrange [%" PRIu32 ":%" PRIu32 "]\nset yrange [0:*]\n",
		               r->dark, sweep_dark_at(r, r->darks.n - 1));
	else
		(void)snprintf(settings, sizeof settings,
		               "set logscale y 10\nset offsets graph 0.03, graph 0.03, 0, 0\n%s",
		               linear || is_over_fails(s) ? "" : "set logscale x 2\n");
	if (!s->many_flits)
		put_lengths(flits, sizeof flits, s);
	if (s->n_seeds > 1)
		(void)snprintf(seeds, sizeof seeds, ", mean of %" PRIu32 " seeds", s->n_seeds);
	(void)snprintf(title, sizeof title, "%.160s%s%s", r->words[1], flits, seeds);
	int rc = plot.n_lines ? cli_plot_draw(r->svg, &plot, err)
	                      : loom_fail(err, LOOM_EINPUT, "--svg: there is nothing to plot: no row has cycles");
	cli_plot_free(&plot);
	return rc;
}
