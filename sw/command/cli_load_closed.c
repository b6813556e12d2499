// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Reports closed traffic: its part of a heading, cells of a row, JSON.
#include <inttypes.h>
#include <string.h>

#include "cli_sweep.h"

void sweep_closed_put_heading(FILE *out, const struct sweep *s)
{
	const struct cli_request *r = s->request;
	const struct loom_load_closed *c = &r->closed;
	if (!r->requests_text)
		return;
	(void)fprintf(out, "closed: ");
	if (c->window > 0)
		(void)fprintf(out, "at most %" PRIu32 " under way from each node, ", c->window);
	if (c->reply_flits > 0)
		(void)fprintf(out, "answered by %" PRIu32 " flits, ", c->reply_flits);
	(void)fprintf(out, "seen to after %" PRIu32 " cycles\n", c->service_cycles);
}

int sweep_closed_json(json_t *out, const struct sweep *s)
{
	const char *text = s->request->requests_text;
	return text ? json_object_set_new(out, "requests", json_string(text)) : 0;
}

// Makes room for cells in front of the one with this name in JSON.
static struct sweep_cell *make_room(struct sweep_cells *cells, const char *json, size_t n)
{
	size_t i = 0;
	while (i < cells->n && !(cells->at[i].json && strcmp(cells->at[i].json, json) == 0))
		i++;
	memmove(&cells->at[i + n], &cells->at[i], (cells->n - i) * sizeof cells->at[0]);
	cells->n += n;
	return &cells->at[i];
}

void sweep_closed_add_cells(struct sweep_cells *out, const struct sweep *s, const struct sweep_row *row)
{
	const struct cli_request *r = s->request;
	const struct loom_load_part *q = &row->point.request, *p = &row->point.reply;
	const bool flows = !row->point.saturated, replies = r->closed.reply_flits > 0, one = !cli_replicates(r);
	if (!r->requests_text)
		return;
	// Percentiles are of one run.
	const struct sweep_cell cells[] = {
		{" request", 9, "request", "request.mean", sweep_real(q->mean, 2, flows && replies), false},
		{NULL, 0, "request_p95", "request.p95", sweep_count(q->p95, flows && replies && one), false},
		{NULL, 0, "request_p99", "request.p99", sweep_count(q->p99, flows && replies && one), false},
		{NULL, 0, "request_max", "request.max", sweep_count(q->most, flows && replies), false},
		{" reply", 9, "reply", "reply.mean", sweep_real(p->mean, 2, flows && replies), false},
		{NULL, 0, "reply_p95", "reply.p95", sweep_count(p->p95, flows && replies && one), false},
		{NULL, 0, "reply_p99", "reply.p99", sweep_count(p->p99, flows && replies && one), false},
		{NULL, 0, "reply_max", "reply.max", sweep_count(p->most, flows && replies), false},
		{NULL, 0, "wait_for_place", "wait_for_place", sweep_real(row->point.wait_for_place, 2, flows), false},
		{NULL, 0, "requests", NULL, sweep_text(r->requests_text), true},
	};
	memcpy(make_room(out, "measured_messages", sizeof cells / sizeof cells[0]), cells, sizeof cells);
}
