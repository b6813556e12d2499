// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Figures by a key as a table, CSV and JSON.
#include <inttypes.h>
#include <math.h>

#include "base/file.h"
#include "base/json.h"
#include "base/text.h"
#include "cli_sweep.h"
#include "cli_terminal.h"

#define TABLE_MOST 64 // keys of a point in the table

// The number that tells a point from others: its load, or the messages of its batch.
static double sweep_by_point(const struct sweep *s, const struct sweep_row *row)
{
	return s->request->batch ? (double)s->request->batch : row->point.load;
}

// --- Table -----------------------------------------------------------------------------------------------------------

static void put_real(int width, int digits, double real)
{
	if (isnan(real))
		(void)printf(" %*s", width, "-");
	else
		(void)printf(" %*.*f", width, digits, real);
}

static void put_point(const struct sweep *s, const struct sweep_row *row)
{
	const int name_width = sweep_name_width(s, 10, true);
	const bool many = cli_replicates(s->request);
	for (size_t i = 0; i < row->groups.n; i++) {
		struct sweep_by_row r;
		if (i == TABLE_MOST) {
			(void)printf("%-*s  %zu more: --by-csv or --json has them\n", name_width, row->curve->name,
			             row->groups.n - i);
			break;
		}
		sweep_by_row_of(&r, s, row, i);
		(void)printf("%-*s %7.4g %11s %9" PRIu64, name_width, row->curve->name, sweep_by_point(s, row), r.key,
		             r.n_messages);
		put_real(9, 5, r.flits_per_cycle);
		put_real(9, 2, r.mean);
		put_real(10, 2, r.at_source);
		put_real(11, 2, r.in_network);
		put_real(6, 0, r.p50);
		put_real(6, 0, r.p95);
		put_real(6, 0, r.p99);
		if (s->request->batch)
			put_real(10, many ? 1 : 0, r.finish);
		(void)putchar('\n');
	}
}

static int put_table(const struct sweep *s, struct loom_err *err)
{
	const uint64_t batch = s->request->batch;
	(void)printf("\n%-*s %7s %11s %9s %9s %9s %10s %11s %6s %6s %6s%s\n", sweep_name_width(s, 10, true), "",
	             batch ? "batch" : "load", s->request->by, "messages", "accepted", "latency", "at source",
	             "in network", "50%", "95%", "99%", batch ? "   finished" : "");
	for (size_t i = 0; i < s->n_rows; i++)
		if (s->rows[i].state == SWEEP_DONE)
			put_point(s, &s->rows[i]);
	return cli_flush(err);
}

// --- CSV -------------------------------------------------------------------------------------------------------------

static void put_number(FILE *stream, double real)
{
	if (isnan(real))
		(void)fputc(',', stream);
	else
		(void)fprintf(stream, ",%.10g", real);
}

static void put_csv_point(FILE *stream, const struct sweep *s, const struct sweep_row *row)
{
	const struct sweep_curve *c = row->curve;
	const bool is_channel = row->groups.key == LOOM_LOAD_BY_CHANNEL;
	for (size_t i = 0; i < row->groups.n; i++) {
		struct sweep_by_row r;
		sweep_by_row_of(&r, s, row, i);
		loom_text_put_csv(stream, sweep_fabric_name(s, c));
		(void)fputc(',', stream);
		loom_text_put_csv(stream, c->map_name);
		(void)fprintf(stream, ",%s,%s,%s,%.9g,%s,", cli_machine_name(c->machine),
		              c->rule_given ? sweep_rule_name(c) : "", c->planner, sweep_by_point(s, row),
		              s->request->by);
		loom_text_put_csv(stream, r.key);
		(void)fprintf(stream, is_channel ? ",%" PRIu64 : ",", r.first);
		(void)fprintf(stream, ",%" PRIu64, r.n_messages);
		put_number(stream, r.flits_per_cycle);
		(void)fprintf(stream, is_channel ? ",%" PRIu64 : ",", r.blocked);
		const double figures[] = {r.mean, r.half_width, r.at_source, r.in_network, r.p50, r.p95, r.p99};
		for (size_t k = 0; k < sizeof figures / sizeof figures[0]; k++)
			put_number(stream, figures[k]);
		if (s->request->batch)
			put_number(stream, r.finish);
		(void)fputc('\n', stream);
	}
}

static int put_csv(FILE *stream, const void *user)
{
	const struct sweep *s = user;
	const bool batch = s->request->batch > 0;
	(void)fprintf(stream,
	              "fabric,map,machine,rule,planner,%s,by,key,window,messages,flits_per_cycle,blocked,latency,"
	              "latency_half_width,at_source,in_network,p50,p95,p99%s\n",
	              batch ? "batch" : "load", batch ? ",finish" : "");
	for (size_t i = 0; i < s->n_rows; i++)
		if (s->rows[i].state == SWEEP_DONE)
			put_csv_point(stream, s, &s->rows[i]);
	return 0;
}

// --- JSON ------------------------------------------------------------------------------------------------------------

static json_t *real_or_null(double real)
{
	return isnan(real) ? json_null() : json_real(real);
}

static json_t *latency_of(const struct sweep_by_row *r)
{
	return isnan(r->mean) ? json_null()
	                      : json_pack("{s:f, s:o, s:f, s:f, s:f, s:f, s:f}", "mean", r->mean, "mean_half_width",
	                                  real_or_null(r->half_width), "at_source", r->at_source, "in_network",
	                                  r->in_network, "p50", r->p50, "p95", r->p95, "p99", r->p99);
}

json_t *sweep_by_json(const struct sweep *s, const struct sweep_row *row)
{
	const bool is_channel = row->groups.key == LOOM_LOAD_BY_CHANNEL;
	json_t *list = json_array();
	int bad = !list;
	for (size_t i = 0; !bad && i < row->groups.n; i++) {
		struct sweep_by_row r;
		sweep_by_row_of(&r, s, row, i);
		json_t *group = json_pack("{s:o, s:o, s:o, s:o}", "key",
		                          r.is_number ? loom_json_number(r.number) : json_string(r.key), "messages",
		                          loom_json_number(r.n_messages), "flits_per_cycle",
		                          real_or_null(r.flits_per_cycle), "latency", latency_of(&r));
		bad |= json_array_append_new(list, group);
		bad |= !bad && is_channel ? json_object_set_new(group, "window", loom_json_number(r.first)) : 0;
		bad |= !bad && is_channel ? json_object_set_new(group, "blocked", loom_json_number(r.blocked)) : 0;
		bad |= !bad && s->request->batch ? json_object_set_new(group, "finish", real_or_null(r.finish)) : 0;
	}
	if (!bad)
		return list;
	json_decref(list);
	return NULL;
}

int sweep_by_json_asked(json_t *out, const struct cli_request *r)
{
	if (!r->by)
		return 0;
	int bad = json_object_set_new(out, "by", json_string(r->by));
	if (sweep_by_key(r) == LOOM_LOAD_BY_CHANNEL)
		bad |= json_object_set_new(out, "window_cycles", loom_json_number(sweep_by_none(r).window_cycles));
	return bad;
}

// --- All of it -------------------------------------------------------------------------------------------------------

int sweep_by_more(const struct sweep *s, bool table, struct loom_err *err)
{
	const struct cli_request *r = s->request;
	if (!r->by)
		return 0;
	int rc = table && sweep_by_key(r) < LOOM_LOAD_BY_LATENCY ? put_table(s, err) : 0;
	if (rc == 0 && r->by_csv)
		rc = loom_file_write(r->by_csv, put_csv, s, err);
	return rc == 0 && r->by_svg ? sweep_by_plot(s, err) : rc;
}
