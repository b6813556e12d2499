// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes the results of sweep --load: table, JSON, CSV. The latencies of a saturated point are those of the messages
// that arrived.
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "cli_load.h"
#include "report/report_request.h"
#include "report/report_text.h"

static const char *verdict(const struct load_row *row)
{
	return row->point.n_mismatches ? "fail" : "pass";
}

// --- Table ---------------------------------------------------------------------------------------------------------

static int name_width(const struct load_sweep *s)
{
	size_t width = 10;
	for (size_t i = 0; i < s->n_curves; i++)
		width = strlen(s->curves[i].name) > width ? strlen(s->curves[i].name) : width;
	return (int)width;
}

void load_put_heading(const struct load_sweep *s)
{
	const struct cli_request *r = s->request;
	char pattern[LOOM_REPORT_NAME];
	loom_report_text(pattern, sizeof pattern, r->words[1]);
	(void)printf("%s, %" PRIu32 " flits a message, %s arrivals, machine %s, seed %" PRIu64 "\n"
	             "%" PRIu64 " cycles of warm-up, %" PRIu64
	             " measured; loads in flits per cycle and sending node%s\n\n",
	             pattern, r->flits, loom_arrivals_name(r->arrivals),
	             r->machines == 3 ? "fast and paper" : cli_machine_name(r->machine), r->seed, r->warmup_cycles,
	             r->measure_cycles, r->loads.max ? ":\nthe highest that are sustained" : "");
	for (size_t i = 0; i < s->n_curves; i++) {
		const struct load_curve *c = &s->curves[i];
		(void)printf("%-*s  %" PRIu32 " of %" PRIu32 " nodes send; the channels carry a load of %.4g at most\n",
		             name_width(s), c->name, loom_traffic_senders(&c->traffic, &c->topo), c->topo.n_nodes,
		             c->capacity);
	}
	(void)printf("\n%-*s %7s %8s %8s %9s %7s %7s %7s %8s %9s  %s\n", name_width(s), "", "load", "offered",
	             "accepted", "latency", "50%", "95%", "99%", "max", "messages", "verdict");
}

int load_put_row(const struct load_sweep *s, const struct load_row *row, struct loom_err *err)
{
	const struct loom_load_point *p = &row->point;
	(void)printf("%-*s %7.4g %8.4f %8.4f", name_width(s), row->curve->name, p->load, p->offered, p->accepted);
	if (p->saturated)
		(void)printf(" %9s %7s %7s %7s %8s", "-", "-", "-", "-", "-");
	else
		(void)printf(" %9.2f %7" PRIu64 " %7" PRIu64 " %7" PRIu64 " %8" PRIu64, p->mean, p->p50, p->p95, p->p99,
		             p->most);
	(void)printf(" %9" PRIu64 "  %s%s\n", p->n_messages, p->n_mismatches ? "FAIL" : "pass",
	             p->saturated ? ", saturated" : "");
	if (p->n_mismatches)
		(void)printf("  %zu difference%s: %s\n", p->n_mismatches, p->n_mismatches == 1 ? "" : "s", p->mismatch);
	return cli_flush(err);
}

// --- JSON ----------------------------------------------------------------------------------------------------------

static json_t *point_to_json(const struct load_row *row)
{
	const struct loom_load_point *p = &row->point;
	json_t *latency = p->saturated ? json_null()
	                               : json_pack("{s:f, s:f, s:o, s:o, s:o, s:o, s:o}", "mean", p->mean,
	                                           "without_wait", p->without_wait, "min", loom_json_number(p->least),
	                                           "p50", loom_json_number(p->p50), "p95", loom_json_number(p->p95),
	                                           "p99", loom_json_number(p->p99), "max", loom_json_number(p->most));
	return json_pack("{s:f, s:f, s:f, s:b, s:o, s:o, s:o, s:o, s:s, s:o, s:s?}", "load", p->load, "offered",
	                 p->offered, "accepted", p->accepted, "saturated", p->saturated, "latency", latency,
	                 "measured_messages", loom_json_number(p->n_measured), "messages",
	                 loom_json_number(p->n_messages), "cycles", loom_json_number(p->n_cycles), "verdict",
	                 verdict(row), "mismatch_count", loom_json_number(p->n_mismatches), "mismatch",
	                 p->n_mismatches ? p->mismatch : NULL);
}

static json_t *curve_to_json(const struct load_sweep *s, const struct load_curve *c)
{
	json_t *points = json_array();
	char map[LOOM_REPORT_NAME];
	int bad = !points;
	loom_report_text(map, sizeof map, c->map_name);
	for (size_t i = 0; i < s->n_rows; i++)
		if (s->rows[i].curve == c && s->rows[i].state == LOAD_DONE)
			bad |= json_array_append_new(points, point_to_json(&s->rows[i]));
	json_t *out = json_pack("{s:s, s:o, s:o, s:s, s:s, s:f, s:o}", "fabric", c->topo.name, "nodes",
	                        loom_json_number(c->topo.n_nodes), "senders",
	                        loom_json_number(loom_traffic_senders(&c->traffic, &c->topo)), "map", map, "machine",
	                        cli_machine_name(c->machine), "capacity", c->capacity, "points", points);
	if (bad) {
		json_decref(out);
		return NULL;
	}
	return out;
}

int load_put_json(const struct load_sweep *s, struct loom_err *err)
{
	const struct cli_request *r = s->request;
	json_t *curves = json_array();
	char pattern[LOOM_REPORT_NAME], error[LOOM_REPORT_NAME];
	int bad = !curves;
	loom_report_text(pattern, sizeof pattern, r->words[1]);
	loom_report_text(error, sizeof error, s->error ? s->error : "");
	for (size_t i = 0; i < s->n_curves; i++)
		bad |= json_array_append_new(curves, curve_to_json(s, &s->curves[i]));
	struct cli_asked asked;
	int rc = cli_asked(&asked, r, NULL, false, err);
	if (rc != 0) {
		json_decref(curves);
		return rc;
	}
	json_t *root =
		json_pack("{s:o, s:s, s:o, s:s, s:o, s:o, s:b, s:o, s:s?}", "request",
	                  loom_report_request_json(&asked.said), "pattern", pattern, "flits_per_message",
	                  loom_json_number(r->flits), "arrivals", loom_arrivals_name(r->arrivals), "warmup_cycles",
	                  loom_json_number(r->warmup_cycles), "measure_cycles", loom_json_number(r->measure_cycles),
	                  "highest", r->loads.max, "curves", curves, "error", s->error ? error : NULL);
	cli_asked_free(&asked);
	char *text = bad || !root ? NULL : loom_json_text(root);
	json_decref(root);
	if (!text)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for a report in JSON");
	(void)puts(text);
	free(text);
	return cli_flush(err);
}

// --- CSV -----------------------------------------------------------------------------------------------------------

static int put_csv(FILE *stream, const void *user)
{
	const struct load_sweep *s = user;
	(void)fputs("fabric,nodes,senders,map,machine,flits_per_message,arrivals,load,offered,accepted,saturated,"
	            "latency,without_wait,min,p50,p95,p99,max,messages,cycles,capacity,verdict,reason\n",
	            stream);
	for (size_t i = 0; i < s->n_rows; i++) {
		const struct load_row *row = &s->rows[i];
		const struct load_curve *c = row->curve;
		const struct loom_load_point *p = &row->point;
		char text[LOOM_REPORT_NAME];
		if (row->state != LOAD_DONE)
			continue;
		loom_report_text(text, sizeof text, c->map_name);
		(void)fprintf(stream, "%s,%" PRIu32 ",%" PRIu32 ",", c->topo.name, c->topo.n_nodes,
		              loom_traffic_senders(&c->traffic, &c->topo));
		loom_report_put_csv(stream, text);
		(void)fprintf(stream, ",%s,%" PRIu32 ",%s,%.9g,%.10g,%.10g,%d,", cli_machine_name(c->machine),
		              s->request->flits, loom_arrivals_name(s->request->arrivals), p->load, p->offered,
		              p->accepted, p->saturated);
		if (p->saturated)
			(void)fputs(",,,,,,,", stream);
		else
			(void)fprintf(stream,
			              "%.10g,%.10g,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",",
			              p->mean, p->without_wait, p->least, p->p50, p->p95, p->p99, p->most);
		(void)fprintf(stream, "%" PRIu64 ",%" PRIu64 ",%.10g,%s,", p->n_messages, p->n_cycles, c->capacity,
		              verdict(row));
		loom_report_put_csv(stream, p->n_mismatches ? p->mismatch : "");
		(void)fputc('\n', stream);
	}
	return 0;
}

int load_write_csv(const struct load_sweep *s, struct loom_err *err)
{
	return loom_file_write(s->request->csv, put_csv, s, err);
}
