// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Cells of a sweep of batches: when the nodes have finished.
#include <inttypes.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "cli_sweep.h"

void sweep_batch_put_heading(FILE *out, const struct sweep *s)
{
	const struct cli_request *r = s->request;
	char pattern[LOOM_TEXT_NAME], lengths[SWEEP_LENGTHS];
	loom_text_show(pattern, sizeof pattern, r->words[1]);
	(void)fprintf(out,
	              "%s, batches of %" PRIu64 " messages of each node, %s flits a message, machine %s, seed %" PRIu64
	              "\n",
	              pattern, r->batch, sweep_load_lengths_text(lengths, s), sweep_load_machines_text(r), r->seed);
	sweep_closed_put_heading(out, s);
	sweep_load_put_curves(out, s);
}

// Adds half widths over several seeds, and the number of seeds.
static void add_seeds(struct sweep_cells *out, const struct sweep_row *row)
{
	const struct sweep_load *o = &row->over_seeds;
	const struct sweep_cell cells[] = {
		{NULL, 0, "seeds", "seeds", sweep_count(o->n, true), false},
		{NULL, 0, "finish_half_width", "finish.cycles_half_width", sweep_half_width(&o->finish, true), false},
		{NULL, 0, "accepted_half_width", "accepted_half_width", sweep_half_width(&o->accepted, true), false},
		{NULL, 0, "latency_half_width", "latency.mean_half_width", sweep_half_width(&o->mean, true), false},
	};
	memcpy(out->at + out->n, cells, sizeof cells);
	out->n += sizeof cells / sizeof cells[0];
}

void sweep_batch_cells(struct sweep_cells *out, const struct sweep *s, const struct sweep_row *row)
{
	const struct sweep_curve *c = row->curve;
	const struct loom_load_point *p = &row->point;
	const struct sweep_load *o = &row->over_seeds;
	const struct loom_load_finish *f = &p->finish;
	const bool fails = row->n_mismatches > 0, many = cli_replicates(s->request);
	struct sweep_cell fail[SWEEP_FAIL_CELLS];
	sweep_fail_cells(fail, s, c);
	sweep_load_put_verdict(out, row);
	// In the table its heading and width; in CSV; in JSON; the value; true if it is known before the row is run: a
	// column of the curve.
	const struct sweep_cell cells[] = {
		{"", -sweep_name_width(s, 10, true), NULL, NULL, sweep_text(c->name), true},
		fail[0],
		fail[1],
		fail[2],
		fail[3],
		{NULL, 0, "fabric", "fabric", sweep_text(sweep_fabric_name(s, c)), true},
		{NULL, 0, "nodes", "nodes", sweep_count(c->topo.n_nodes, true), true},
		{NULL, 0, NULL, c->topo.flit_bits ? "flit_bits" : NULL, sweep_count(c->topo.flit_bits, true), true},
		{NULL, 0, "senders", "senders", sweep_count(loom_traffic_senders_count(&c->traffic, &c->topo), true),
	         true},
		{NULL, 0, "map", "map", sweep_text(c->map_name), true},
		{NULL, 0, "machine", "machine", sweep_text(cli_machine_name(c->machine)), true},
		{NULL, 0, "flits_per_message", NULL, sweep_text(sweep_load_lengths_text(out->lengths, s)), true},
		{NULL, 0, "rule", "rule", sweep_text(c->rule_given ? sweep_rule_name(c) : NULL), true},
		{NULL, 0, "batch", NULL, sweep_count(s->request->batch, true), true},
		{" cycles", many ? 20 : 10, "finish", "finish.cycles",
	         many ? sweep_interval(&o->finish, 1, true) : sweep_count(f->cycle, true), false},
		{" first", 10, "first", "finish.first", sweep_count(f->least, true), false},
		{" mean", 12, "finish_mean", "finish.mean", sweep_real(f->mean, 1, true), false},
		{many ? NULL : " last", 7, "last", "finish.last", sweep_count(f->last, !many), false},
		{" accepted", many ? 17 : 9, "accepted", "accepted",
	         many ? sweep_interval(&o->accepted, 4, true) : sweep_real(p->accepted, 4, true), false},
		{NULL, 0, NULL, c->topo.flit_bits ? "accepted_bytes" : NULL,
	         sweep_real(p->accepted * c->topo.flit_bits / SWEEP_BYTE_BITS, 4, true), false},
		{NULL, 0, "flits", "flits", sweep_count(f->n_flits, true), false},
		{" latency", many ? 18 : 9, "latency", "latency.mean",
	         many ? sweep_interval(&o->mean, 2, true) : sweep_real(p->mean, 2, true), false},
		{NULL, 0, "min", "latency.min", sweep_count(p->least, true), false},
		{NULL, 0, "p50", "latency.p50", many ? sweep_real(o->p50.mean, 1, true) : sweep_count(p->p50, true),
	         false},
		{NULL, 0, "p95", "latency.p95", many ? sweep_real(o->p95.mean, 1, true) : sweep_count(p->p95, true),
	         false},
		{NULL, 0, "p99", "latency.p99", many ? sweep_real(o->p99.mean, 1, true) : sweep_count(p->p99, true),
	         false},
		{NULL, 0, "max", "latency.max", sweep_count(p->most, true), false},
		{NULL, 0, NULL, "measured_messages", sweep_count(p->n_measured, true), false},
		{" messages", 10, "messages", "messages", sweep_count(p->n_messages, true), false},
		{many ? " seeds" : NULL, 6, NULL, NULL, sweep_count(o->n, many), false},
		{"  verdict", 0, NULL, NULL, sweep_text(out->verdict), false},
		{NULL, 0, "verdict", "verdict", sweep_text(fails ? "fail" : "pass"), false},
		{NULL, 0, NULL, "mismatch_count", sweep_count(row->n_mismatches, true), false},
		{NULL, 0, "reason", "mismatch", sweep_text(fails ? row->reason : NULL), false},
		{NULL, 0, "link", NULL, sweep_text(s->request->link), true},
		{NULL, 0, "checked_on", "checked_on", sweep_text(row->is_checked ? "sim" : NULL), false},
	};
	out->n = sizeof cells / sizeof cells[0];
	memcpy(out->at, cells, sizeof cells);
	sweep_closed_add_cells(out, s, row);
	if (many)
		add_seeds(out, row);
}

int sweep_batch_json(json_t *out, const struct sweep *s)
{
	const struct cli_request *r = s->request;
	char lengths[SWEEP_LENGTHS];
	int bad = json_object_set_new(out, "batch", loom_json_number(r->batch));
	bad |= json_object_set_new(out, "lengths", json_string(sweep_load_lengths_text(lengths, s)));
	bad |= json_object_set_new(out, "seeds_most", loom_json_number(sweep_load_seeds_most(r)));
	bad |= sweep_closed_json(out, s);
	bad |= sweep_by_json_asked(out, r);
	return bad | sweep_load_json_curves(out, s);
}
