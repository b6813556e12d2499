// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The plot of a sweep: cycles from the first START on, and dashed beside them, where there is something between the
// passes, those of the passes alone.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli_sweep.h"

struct curves {
	size_t n;
	struct cli_curve *at; // room for two of each row, with room for a point of each row
};

static int make_curves(struct curves *out, size_t n_rows, struct loom_err *err)
{
	*out = (struct curves){.at = calloc(2 * n_rows, sizeof *out->at)};
	for (size_t i = 0; out->at && i < 2 * n_rows; i++) {
		out->at[i].x = calloc(n_rows, sizeof *out->at[i].x);
		out->at[i].y = calloc(n_rows, sizeof *out->at[i].y);
		if (!out->at[i].x || !out->at[i].y)
			return loom_fail(err, LOOM_ENOMEM, "out of memory for a plot");
	}
	return out->at ? 0 : loom_fail(err, LOOM_ENOMEM, "out of memory for a plot");
}

static void free_curves(struct curves *curves, size_t n_rows)
{
	for (size_t i = 0; curves->at && i < 2 * n_rows; i++) {
		free(curves->at[i].x);
		free(curves->at[i].y);
	}
	free(curves->at);
}

static void add_point(struct curves *curves, const char *name, const char *what, uint32_t x, double y)
{
	char text[sizeof curves->at->name];
	size_t length = strlen(name), c = 0;
	unsigned colour = 1; // that of the curve of this name, or a new one
	(void)snprintf(text, sizeof text, "%s%s", name, what);
	for (size_t i = 0; i < curves->n; i++) {
		const char *other = curves->at[i].name;
		if (strncmp(other, name, length) == 0 && (other[length] == '\0' || other[length] == ';')) {
			colour = curves->at[i].colour;
			break;
		}
		colour = curves->at[i].colour >= colour ? curves->at[i].colour + 1 : colour;
	}
	while (c < curves->n && strcmp(curves->at[c].name, text) != 0)
		c++;
	struct cli_curve *curve = &curves->at[c];
	if (c == curves->n) {
		memcpy(curve->name, text, sizeof text);
		curve->colour = colour;
		curve->dashed = *what != '\0';
		curves->n++;
	}
	curve->x[curve->n] = x;
	curve->y[curve->n++] = y;
}

// Over the length of messages if that varies, curves of each fabric; else over the nodes, curves of each kind, and of each graph.
static void add_row(struct curves *curves, const struct sweep *s, const struct sweep_row *row)
{
	char name[LOOM_TOPO_NAME + 16];
	uint32_t x = s->many_flits ? row->flits_asked : row->topo.n_nodes;
	if (row->state != SWEEP_DONE || (!sweep_measures(s) && !row->predicted_known))
		return;
	(void)snprintf(name, sizeof name, "%s%s%s",
	               s->many_flits || row->topo.graph ? row->topo.name : row->topo.kind->name,
	               s->many_machines ? ", " : "", s->many_machines ? cli_machine_name(row->machine) : "");
	if (sweep_has_back_to_back(s, row))
		add_point(curves, name, "", x, row->back_to_back.mean);
	if (!row->one_start || !sweep_has_back_to_back(s, row))
		add_point(curves, name, "; passes alone", x,
		          sweep_measures(s) ? row->measured.mean : row->predicted.mean);
}

int sweep_plot(const struct sweep *s, struct loom_err *err)
{
	struct curves curves;
	char title[320], flits[48] = "", seeds[48] = "";
	int rc = make_curves(&curves, s->n_rows, err);
	for (size_t i = 0; rc == 0 && i < s->n_rows; i++)
		add_row(&curves, s, &s->rows[i]);
	if (!s->many_flits)
		sweep_lengths(flits, sizeof flits, s);
	if (s->n_seeds > 1)
		(void)snprintf(seeds, sizeof seeds, ", mean of %" PRIu32 " seeds", s->n_seeds);
	(void)snprintf(title, sizeof title, "%.160s%s%s", s->request->words[1], flits, seeds);
	const struct cli_plot plot = {.title = title,
	                              .x_title = s->many_flits ? "flits a message" : "nodes",
	                              .y_title = sweep_measures(s) ? "cycles from START to the last tail, measured"
	                                                           : "cycles from START to the last tail, predicted",
	                              .x_is_linear = s->many_flits && s->request->flits_step != 0};
	if (rc == 0)
		rc = cli_plot(s->request->svg, &plot, curves.at, curves.n, err);
	free_curves(&curves, s->n_rows);
	return rc;
}
