// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Cells of a sweep over loads. A saturated point has no latencies: they would be those of the messages that
// arrived.
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/routes/failures.h>

#include "base/json.h"
#include "base/text.h"
#include "cli_sweep.h"

const char *sweep_load_machines_text(const struct cli_request *r)
{
	return r->machines == 3 ? "fast and paper" : cli_machine_name(r->machine);
}

// True if some messages, or with `all` all of them, have lengths from the traffic's files.
static bool has_own_lengths(const struct sweep *s, bool *all)
{
	uint32_t least = 0, most = 0;
	*all = s->n_curves && loom_traffic_own_lengths(&least, &most, &s->curves[0].traffic);
	return most > 0;
}

static bool is_one_length(const struct sweep *s)
{
	bool all;
	return !has_own_lengths(s, &all) && !s->request->lengths_text;
}

const char *sweep_load_lengths_text(char made[SWEEP_LENGTHS], const struct sweep *s)
{
	bool all;
	const bool some = has_own_lengths(s, &all);
	const char *or_own = some ? " or own" : "";
	if (all)
		return "own";
	if (s->request->lengths_text)
		(void)snprintf(made, SWEEP_LENGTHS, "%.100s%s", s->request->lengths_text, or_own);
	else
		(void)snprintf(made, SWEEP_LENGTHS, "%" PRIu32 "%s", s->request->flits, or_own);
	return made;
}

const char *sweep_load_arrivals_text(const struct cli_request *r)
{
	return r->arrivals_text ? r->arrivals_text : loom_injection_name(r->arrivals);
}

// Returns the load at which the sources send according to their file; not a number: there is none.
static double own_load(const struct sweep *s, const struct sweep_curve *c)
{
	const struct cli_request *r = s->request;
	return loom_traffic_own_load(&c->traffic, r->lengths_text ? loom_lengths_mean(&r->lengths) : r->flits);
}

static void put_seeds(FILE *out, const struct cli_request *r)
{
	if (r->precision)
		(void)fprintf(out,
		              "mean of %u to %" PRIu32
		              " seeds, until +-, half of the 95%% interval, is at most %s of the latency\n",
		              LOOM_PRECISION_LEAST, sweep_load_seeds_most(r), r->precision);
	else if (r->n_seeds > 1)
		(void)fprintf(out, "mean of %" PRIu32 " seeds, +- half of the 95%% interval\n", r->n_seeds);
}

void sweep_load_put_heading(FILE *out, const struct sweep *s)
{
	const struct cli_request *r = s->request;
	char pattern[LOOM_TEXT_NAME], lengths[SWEEP_LENGTHS];
	loom_text_show(pattern, sizeof pattern, r->words[1]);
	(void)fprintf(out, "%s, %s flits a message, %s arrivals, machine %s, seed %" PRIu64 "\n", pattern,
	              sweep_load_lengths_text(lengths, s), sweep_load_arrivals_text(r), sweep_load_machines_text(r),
	              r->seed);
	if (sweep_load_pilots_count(s))
		(void)fputs("warm-up as the data ask for (MSER-5)", out);
	else
		(void)fprintf(out, "%" PRIu64 " cycles of warm-up", r->warmup_cycles);
	(void)fprintf(out, ", %" PRIu64 " measured; loads in flits per cycle and sending node%s\n", r->measure_cycles,
	              r->loads.max ? ":\nthe highest that are sustained" : "");
	sweep_closed_put_heading(out, s);
	sweep_load_put_curves(out, s);
}

void sweep_load_put_curves(FILE *out, const struct sweep *s)
{
	const struct cli_request *r = s->request;
	put_seeds(out, r);
	(void)fputc('\n', out);
	for (size_t i = 0; i < s->n_curves; i++) {
		const struct sweep_curve *c = &s->curves[i];
		(void)fprintf(out, "%-*s  %" PRIu32 " of %" PRIu32 " nodes send", sweep_name_width(s, 10, true),
		              c->name, loom_traffic_senders_count(&c->traffic, &c->topo), loom_topo_hosts(&c->topo));
		if (!isnan(c->capacity) && !r->batch)
			(void)fprintf(out, "; the channels carry a load of %.4g at most", c->capacity);
		if (!isnan(own_load(s, c)) && !r->batch)
			(void)fprintf(out, "; the file's own rates are a load of %.6g", own_load(s, c));
		if (c->topo.flit_bits)
			(void)fprintf(out, "; flits of %u bits: a load of 1 is %.6g bytes per cycle and node",
			              c->topo.flit_bits, c->topo.flit_bits / SWEEP_BYTE_BITS);
		char failed[400];
		loom_topo_failed_text(failed, sizeof failed, &c->topo);
		(void)fprintf(out, "%s%s\n", failed[0] ? "\n  " : "", failed);
	}
	if (loom_run_is_computed(r->link))
		(void)fputs("\nlink model: computed, no routers were run (docs/exactness.md)\n", out);
	if (r->n_checked)
		(void)fputs("points marked \"as on sim\" were run on the RTL as well, every message compared\n", out);
	(void)fputc('\n', out);
}

// Adds the figures that have an interval over several seeds, in the table and beside it, and the other figures of
// several seeds.
static void add_seeds(struct sweep_cells *out, const struct sweep *s, const struct sweep_row *row)
{
	const struct sweep_load *o = &row->over_seeds;
	const bool flows = !row->point.saturated;
	const struct sweep_cell cells[] = {
		{NULL, 0, "seeds", "seeds", sweep_count(o->n, true), false},
		{NULL, 0, "saturated_seeds", "saturated_seeds", sweep_count(o->n_saturated, true), false},
		{NULL, 0, "settled", "settled", flows ? sweep_flag(o->settled) : sweep_text(NULL), false},
		{NULL, 0, "warmup_cycles", "warmup_cycles", sweep_count(o->warmup.cycles, true), false},
		{NULL, 0, "warmup_steady", "warmup_steady",
	         sweep_load_pilots_count(s) ? sweep_flag(o->warmup.steady) : sweep_text(NULL), false},
		{NULL, 0, "load_half_width", "load_half_width", sweep_half_width(&o->load, s->request->loads.max),
	         false},
		{NULL, 0, "accepted_half_width", "accepted_half_width", sweep_half_width(&o->accepted, true), false},
		{NULL, 0, "latency_half_width", "latency.mean_half_width", sweep_half_width(&o->mean, flows), false},
		{NULL, 0, "p50_half_width", "latency.p50_half_width", sweep_half_width(&o->p50, flows), false},
		{NULL, 0, "p95_half_width", "latency.p95_half_width", sweep_half_width(&o->p95, flows), false},
		{NULL, 0, "p99_half_width", "latency.p99_half_width", sweep_half_width(&o->p99, flows), false},
		{NULL, 0, "at_source_half_width", "latency.at_source_half_width",
	         sweep_half_width(&o->at_source, flows), false},
		{NULL, 0, "in_network_half_width", "latency.in_network_half_width",
	         sweep_half_width(&o->in_network, flows), false},
		{NULL, 0, "worst_share_half_width", "worst_share_half_width", sweep_half_width(&o->worst_share, true),
	         false},
		{NULL, 0, "jain_half_width", "jain_half_width", sweep_half_width(&o->jain, true), false},
	};
	memcpy(out->at + out->n, cells, sizeof cells);
	out->n += sizeof cells / sizeof cells[0];
}

void sweep_load_put_verdict(struct sweep_cells *out, const struct sweep_row *row)
{
	const struct sweep_load *o = &row->over_seeds;
	const bool fails = row->n_mismatches > 0, saturated = row->point.saturated;
	char part[48] = "";
	if (saturated && o->n_saturated < o->n)
		(void)snprintf(part, sizeof part, " with %" PRIu32 " of %" PRIu32 " seeds", o->n_saturated, o->n);
	(void)snprintf(out->verdict, sizeof out->verdict, "%s%s%s%s%s", fails ? "FAIL" : "pass",
	               saturated ? ", saturated" : "", part, o->n && !saturated && !o->settled ? ", not settled" : "",
	               row->is_checked && !fails ? ", as on sim" : "");
}

// Makes a percentile: a whole number for one run.
static struct sweep_value percentile(uint64_t of_one, const struct loom_interval *interval, bool many, bool flows)
{
	return many ? sweep_real(interval->mean, 1, flows) : sweep_count(of_one, flows);
}

// True if --show has the name in its list.
static bool shows(const struct sweep *s, const char *name)
{
	const size_t length = strlen(name);
	for (const char *at = s->request->show; at && *at; at += strcspn(at, ","), at += *at == ',')
		if (strcspn(at, ",") == length && memcmp(at, name, length) == 0)
			return true;
	return false;
}

int sweep_load_check_show(const char *list, struct loom_err *err)
{
	for (const char *at = list; at; at = at[strcspn(at, ",")] ? strchr(at, ',') + 1 : NULL) {
		const size_t length = strcspn(at, ",");
		size_t i = 0;
		while (cli_show_at(i) && (strlen(cli_show_at(i)) != length || memcmp(cli_show_at(i), at, length) != 0))
			i++;
		if (!cli_show_at(i))
			return loom_fail(err, LOOM_EINPUT, "--show: \"%.*s\" is no column; there is: split, fairness",
			                 (int)(length < 60 ? length : 60), at);
	}
	return 0;
}

void sweep_load_cells(struct sweep_cells *out, const struct sweep *s, const struct sweep_row *row)
{
	const struct sweep_curve *c = row->curve;
	const struct loom_load_point *p = &row->point;
	const struct sweep_load *o = &row->over_seeds;
	const bool flows = !p->saturated, fails = row->n_mismatches > 0, many = cli_replicates(s->request),
		   finds = sweep_load_pilots_count(s) > 0, is_max = many && s->request->loads.max;
	const bool split = shows(s, "split"), fairness = shows(s, "fairness");
	const double own = own_load(s, c);
	struct sweep_cell fail[SWEEP_FAIL_CELLS];
	sweep_fail_cells(fail, s, c);
	(void)snprintf(out->text, sizeof out->text, "%.9g", p->load);
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
		{NULL, 0, NULL, "capacity", sweep_real(c->capacity, 1, !isnan(c->capacity)), true},
		{NULL, 0, "flits_per_message", NULL, sweep_text(sweep_load_lengths_text(out->lengths, s)), true},
		{NULL, 0, "arrivals", NULL, sweep_text(sweep_load_arrivals_text(s->request)), true},
		{NULL, 0, "rule", "rule", sweep_text(c->rule_given ? sweep_rule_name(c) : NULL), true},
		{NULL, 0, "planner", "planner", sweep_text(c->planner[0] ? c->planner : NULL), true},
		{NULL, 0, NULL, "own_load", sweep_real(own, 1, !isnan(own)), true},
		{" load", is_max ? 17 : 7, NULL, "load",
	         is_max ? sweep_interval(&o->load, 4, true) : sweep_real(p->load, -4, true), false},
		{NULL, 0, "load", NULL, sweep_text(out->text), false},
		{" offered", 8, "offered", "offered", sweep_real(p->offered, 4, true), false},
		{" accepted", many ? 17 : 8, "accepted", "accepted",
	         many ? sweep_interval(&o->accepted, 4, true) : sweep_real(p->accepted, 4, true), false},
		{NULL, 0, NULL, c->topo.flit_bits ? "accepted_bytes" : NULL,
	         sweep_real(p->accepted * c->topo.flit_bits / SWEEP_BYTE_BITS, 4, true), false},
		{fairness ? " worst share" : NULL, many ? 18 : 12, "worst_share", "worst_share",
	         many ? sweep_interval(&o->worst_share, 4, !isnan(p->worst_share))
	              : sweep_real(p->worst_share, 4, !isnan(p->worst_share)),
	         false},
		{fairness ? " Jain" : NULL, many ? 18 : 8, "jain", "jain",
	         many ? sweep_interval(&o->jain, 4, !isnan(p->jain)) : sweep_real(p->jain, 4, !isnan(p->jain)), false},
		{NULL, 0, "saturated", "saturated", sweep_flag(p->saturated), false},
		{" latency", many ? 18 : 9, "latency", "latency.mean",
	         many ? sweep_interval(&o->mean, 2, flows) : sweep_real(p->mean, 2, flows), false},
		{split ? " at source" : NULL, many ? 16 : 10, "at_source", "latency.at_source",
	         many ? sweep_interval(&o->at_source, 2, flows) : sweep_real(p->at_source, 2, flows), false},
		{split ? " in network" : NULL, many ? 17 : 11, "in_network", "latency.in_network",
	         many ? sweep_interval(&o->in_network, 2, flows) : sweep_real(p->in_network, 2, flows), false},
		{NULL, 0, "without_wait", "latency.without_wait", sweep_real(p->without_wait, 2, flows), false},
		{NULL, 0, "min", "latency.min", sweep_count(p->least, flows), false},
		{" 50%", 7, "p50", "latency.p50", percentile(p->p50, &o->p50, many, flows), false},
		{" 95%", 7, "p95", "latency.p95", percentile(p->p95, &o->p95, many, flows), false},
		{" 99%", 7, "p99", "latency.p99", percentile(p->p99, &o->p99, many, flows), false},
		{" max", 8, "max", "latency.max", sweep_count(p->most, flows), false},
		{NULL, 0, NULL, "measured_messages", sweep_count(p->n_measured, true), false},
		{" messages", 9, "messages", "messages", sweep_count(p->n_messages, true), false},
		{many ? " seeds" : NULL, 6, NULL, NULL, sweep_count(o->n, many), false},
		{finds ? " warm-up" : NULL, 8, NULL, NULL, sweep_count(o->warmup.cycles, many), false},
		{NULL, 0, "cycles", "cycles", sweep_count(p->n_cycles, true), false},
		{NULL, 0, "capacity", NULL, sweep_real(c->capacity, 1, !isnan(c->capacity)), true},
		{"  verdict", 0, NULL, NULL, sweep_text(out->verdict), false},
		{NULL, 0, "verdict", "verdict", sweep_text(fails ? "fail" : "pass"), false},
		{NULL, 0, NULL, "mismatch_count", sweep_count(row->n_mismatches, true), false},
		{NULL, 0, "reason", "mismatch", sweep_text(fails ? row->reason : NULL), false},
		{NULL, 0, "link", NULL, sweep_text(s->request->link), true},
		{NULL, 0, "checked_on", "checked_on", sweep_text(row->is_checked ? "sim" : NULL), false},
	};
	_Static_assert(sizeof cells + 22 * sizeof cells[0] <= sizeof out->at, "room for all cells");
	out->n = sizeof cells / sizeof cells[0];
	memcpy(out->at, cells, sizeof cells);
	sweep_closed_add_cells(out, s, row);
	if (many)
		add_seeds(out, s, row);
}

static int add_how_often(json_t *out, const struct cli_request *r)
{
	int bad = json_object_set_new(out, "seeds_most", loom_json_number(sweep_load_seeds_most(r)));
	bad |= json_object_set_new(out, "precision", r->precision ? json_real(r->precision_part) : json_null());
	return bad | json_object_set_new(out, "t_confidence", json_real(sweep_load_confidence(r)));
}

int sweep_load_json(json_t *out, const struct sweep *s)
{
	const struct cli_request *r = s->request;
	char lengths[SWEEP_LENGTHS];
	const bool one = is_one_length(s);
	int bad = json_object_set_new(out, "flits_per_message", one ? loom_json_number(r->flits) : json_null());
	bad |= json_object_set_new(out, "lengths",
	                           one ? json_null() : json_string(sweep_load_lengths_text(lengths, s)));
	bad |= json_object_set_new(out, "arrivals", json_string(sweep_load_arrivals_text(r)));
	bad |= json_object_set_new(out, "warmup_cycles",
	                           cli_finds_warmup(r) ? json_null() : loom_json_number(r->warmup_cycles));
	bad |= json_object_set_new(out, "measure_cycles", loom_json_number(r->measure_cycles));
	bad |= cli_replicates(r) ? add_how_often(out, r) : 0;
	bad |= json_object_set_new(out, "highest", json_boolean(r->loads.max));
	bad |= sweep_closed_json(out, s);
	bad |= sweep_by_json_asked(out, r);
	return bad | sweep_load_json_curves(out, s);
}

int sweep_load_json_curves(json_t *out, const struct sweep *s)
{
	json_t *curves = json_array();
	int bad = json_object_set_new(out, "curves", curves);
	json_t *points = NULL; // of the curve of the row before
	for (size_t i = 0; !bad && i < s->n_rows; i++) {
		const struct sweep_row *row = &s->rows[i];
		if (i == 0 || row->curve != row[-1].curve) {
			json_t *curve = sweep_row_json(s, row, true, false);
			bad |= json_array_append_new(curves, curve);
			bad |= json_object_set_new(curve, "points", points = json_array());
		}
		if (bad || row->state != SWEEP_DONE)
			continue;
		json_t *point = sweep_row_json(s, row, false, true);
		bad |= json_array_append_new(points, point);
		bad |= !bad && s->request->by ? json_object_set_new(point, "by", sweep_by_json(s, row)) : 0;
	}
	return bad;
}
