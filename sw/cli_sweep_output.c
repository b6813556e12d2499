// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes the results of a sweep: table, JSON, CSV. Over several seeds cycles are means, passes and contention the
// largest.
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/json.h"
#include "cli_sweep.h"
#include "report/report_request.h"
#include "report/report_text.h"

bool sweep_measures(const struct sweep *s)
{
	return !s->request->plan_only;
}

// A mean over some of the seeds would be none.
bool sweep_has_back_to_back(const struct sweep *s, const struct sweep_row *row)
{
	return row->back_to_back.n == s->n_seeds;
}

uint32_t sweep_flits_per_message(const struct sweep_row *row)
{
	if (row->state == SWEEP_LEFT_OUT && row->flits_most == 0)
		return row->own_lengths ? 0 : row->flits_asked;
	return row->flits_least == row->flits_most ? row->flits_most : 0;
}

// The shortest and the longest message of all rows.
static void find_lengths(uint32_t *least, uint32_t *most, const struct sweep *s)
{
	*least = *most = 0;
	for (size_t i = 0; i < s->n_rows; i++) {
		const struct sweep_row *row = &s->rows[i];
		if (row->flits_most == 0)
			continue;
		*least = *least == 0 || row->flits_least < *least ? row->flits_least : *least;
		*most = row->flits_most > *most ? row->flits_most : *most;
	}
}

void sweep_lengths(char *out, size_t size, const struct sweep *s)
{
	uint32_t least, most;
	find_lengths(&least, &most, s);
	if (least == most)
		(void)snprintf(out, size, ", %" PRIu32 " flits a message", most);
	else
		(void)snprintf(out, size, ", %" PRIu32 " to %" PRIu32 " flits a message", least, most);
}

static bool has_own_lengths(const struct sweep *s)
{
	bool own = false;
	for (size_t i = 0; i < s->n_rows; i++)
		own = own || s->rows[i].own_lengths;
	return own;
}

// --- Table ---------------------------------------------------------------------------------------------------------

// The width of the longest name: two that are cut might look the same.
static int name_width(const struct sweep *s)
{
	size_t width = 14;
	for (size_t i = 0; i < s->n_rows; i++)
		width = strlen(s->rows[i].topo.name) > width ? strlen(s->rows[i].topo.name) : width;
	return (int)width;
}

void sweep_put_heading(const struct sweep *s)
{
	char pattern[LOOM_REPORT_NAME], lengths[64];
	loom_report_text(pattern, sizeof pattern, s->request->words[1]);
	sweep_lengths(lengths, sizeof lengths, s);
	(void)printf("%s%s", pattern, lengths);
	if (s->n_seeds > 1)
		(void)printf(", %" PRIu32 " seeds from %" PRIu64, s->n_seeds, s->request->seed);
	(void)printf("%s\n\n", sweep_measures(s) ? "" : ": predicted, not run");
	(void)printf("%-*s %6s", name_width(s), "fabric", "nodes");
	(void)printf(s->many_flits ? " %6s" : "", "flits");
	(void)printf(s->many_machines ? " %-7s" : "", "machine");
	(void)printf("  %-10s %7s %11s %12s", "planner", "passes", "contention", "predicted");
	(void)printf(sweep_measures(s) ? " %12s" : "", "measured");
	(void)printf(s->n_seeds > 1 ? " %8s %15s" : "", "sd", "range");
	(void)printf(" %12s", "back to back");
	(void)printf(sweep_measures(s) ? "  %s\n" : "\n", "verdict");
}

static const char *cycles_text(char out[32], const struct sweep *s, const struct sweep_spread *cycles, bool known)
{
	if (!known)
		return "-";
	if (s->n_seeds == 1)
		(void)snprintf(out, 32, "%" PRIu64, cycles->least);
	else
		(void)snprintf(out, 32, "%.1f", cycles->mean);
	return out;
}

int sweep_put_row(const struct sweep *s, const struct sweep_row *row, struct loom_err *err)
{
	char text[32], range[48];
	const struct sweep_spread *told = sweep_measures(s) ? &row->measured : &row->predicted;
	(void)printf("%-*s %6" PRIu32, name_width(s), row->topo.name, row->topo.n_nodes);
	if (s->many_flits)
		(void)printf(" %6" PRIu32, row->flits_asked);
	if (s->many_machines)
		(void)printf(" %-7s", cli_machine_name(row->machine));
	if (row->state == SWEEP_LEFT_OUT) {
		char reason[sizeof row->reason];
		loom_report_text(reason, sizeof reason, row->reason);
		(void)printf("  left out: %s\n", reason);
		return cli_flush(err);
	}
	(void)printf("  %-10s %7" PRIu64 " %11" PRIu64 " %12s", row->planner, row->passes.most, row->contention.most,
	             cycles_text(text, s, &row->predicted, row->predicted_known));
	if (sweep_measures(s))
		(void)printf(" %12s", cycles_text(text, s, &row->measured, true));
	if (s->n_seeds > 1) {
		(void)snprintf(range, sizeof range, "%" PRIu64 "..%" PRIu64, told->least, told->most);
		if (sweep_measures(s) || row->predicted_known)
			(void)printf(" %8.1f %15s", sweep_spread_deviation(told), range);
		else
			(void)printf(" %8s %15s", "-", "-");
	}
	(void)printf(" %12s", cycles_text(text, s, &row->back_to_back, sweep_has_back_to_back(s, row)));
	(void)printf(sweep_measures(s) ? "  %s\n" : "\n", row->n_mismatches ? "FAIL" : "pass");
	if (row->n_mismatches)
		(void)printf("  %zu difference%s: %s\n", row->n_mismatches, row->n_mismatches == 1 ? "" : "s",
		             row->reason);
	return cli_flush(err);
}

// --- JSON ----------------------------------------------------------------------------------------------------------

// Makes the JSON of cycles: a whole number if there is one seed.
static json_t *cycles_to_json(const struct sweep *s, const struct sweep_spread *cycles, bool known)
{
	return !known ? json_null() : s->n_seeds == 1 ? loom_json_number(cycles->least) : json_real(cycles->mean);
}

static json_t *spread_to_json(const struct sweep_spread *cycles, bool known)
{
	if (!known)
		return json_null();
	return json_pack("{s:f, s:o, s:o}", "sd", sweep_spread_deviation(cycles), "min",
	                 loom_json_number(cycles->least), "max", loom_json_number(cycles->most));
}

static json_t *length_to_json(uint32_t flits)
{
	return flits ? loom_json_number(flits) : json_null();
}

// The length that --flits gives messages; 0: the pattern says how long all of them are.
static uint32_t flits_asked(const struct sweep_row *row)
{
	return row->own_lengths ? 0 : row->flits_asked;
}

static json_t *row_to_json(const struct sweep *s, const struct sweep_row *row)
{
	const char *verdict = !sweep_measures(s) ? NULL : row->n_mismatches ? "fail" : "pass";
	char reason[sizeof row->reason];
	loom_report_text(reason, sizeof reason, row->reason);
	if (row->state == SWEEP_LEFT_OUT)
		return json_pack("{s:s, s:o, s:o, s:o, s:s, s:s}", "fabric", row->topo.name, "nodes",
		                 loom_json_number(row->topo.n_nodes), "flits_per_message",
		                 length_to_json(sweep_flits_per_message(row)), "flits_asked",
		                 length_to_json(flits_asked(row)), "machine", cli_machine_name(row->machine), "reason",
		                 reason);
	json_t *it =
		json_pack("{s:s, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:s?, s:o, s:o, s:o, s:s}", "fabric",
	                  row->topo.name, "nodes", loom_json_number(row->topo.n_nodes), "planner", row->planner,
	                  "passes", loom_json_number(row->passes.most), "messages", loom_json_number(row->messages),
	                  "flits", loom_json_number(row->flits), "contention", loom_json_number(row->contention.most),
	                  "predicted_cycles", cycles_to_json(s, &row->predicted, row->predicted_known),
	                  "measured_cycles", cycles_to_json(s, &row->measured, sweep_measures(s)),
	                  "back_to_back_cycles", cycles_to_json(s, &row->back_to_back, sweep_has_back_to_back(s, row)),
	                  "verdict", verdict, "mismatch_count", loom_json_number(row->n_mismatches),
	                  "flits_per_message", length_to_json(sweep_flits_per_message(row)), "flits_asked",
	                  length_to_json(flits_asked(row)), "machine", cli_machine_name(row->machine));
	int bad = 0;
	if (it && s->n_seeds > 1) {
		bad |= json_object_set_new(it, "predicted_spread",
		                           spread_to_json(&row->predicted, row->predicted_known));
		bad |= json_object_set_new(it, "measured_spread", spread_to_json(&row->measured, sweep_measures(s)));
	}
	if (bad) {
		json_decref(it);
		return NULL;
	}
	return it;
}

int sweep_put_json(const struct sweep *s, struct loom_err *err)
{
	json_t *runs = json_array(), *left_out = json_array();
	char pattern[LOOM_REPORT_NAME], error[LOOM_REPORT_NAME];
	int bad = !runs || !left_out;
	loom_report_text(pattern, sizeof pattern, s->request->words[1]);
	loom_report_text(error, sizeof error, s->error ? s->error : "");
	for (size_t i = 0; i < s->n_rows; i++)
		if (s->rows[i].state != SWEEP_WAITS)
			bad |= json_array_append_new(s->rows[i].state == SWEEP_DONE ? runs : left_out,
			                             row_to_json(s, &s->rows[i]));
	struct cli_asked asked;
	uint32_t least, most;
	find_lengths(&least, &most, s);
	int rc = cli_asked(&asked, s->request, NULL, has_own_lengths(s), err);
	if (rc != 0) {
		json_decref(runs);
		json_decref(left_out);
		return rc;
	}
	json_t *root = json_pack("{s:o, s:s, s:o, s:o, s:o, s:o, s:s?}", "request",
	                         loom_report_request_json(&asked.said), "pattern", pattern, "flits_per_message",
	                         length_to_json(least == most ? most : 0), "seeds", loom_json_number(s->n_seeds),
	                         "runs", runs, "left_out", left_out, "error", s->error ? error : NULL);
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

static void put_cycles(FILE *stream, const struct sweep_spread *cycles, bool known)
{
	if (known)
		(void)fprintf(stream, "%.10g,%.10g,%" PRIu64 ",%" PRIu64 ",", cycles->mean,
		              sweep_spread_deviation(cycles), cycles->least, cycles->most);
	else
		(void)fputs(",,,,", stream);
}

static void put_length(FILE *stream, uint32_t flits)
{
	if (flits)
		(void)fprintf(stream, "%" PRIu32, flits);
	(void)fputc(',', stream);
}

static int put_csv(FILE *stream, const void *user)
{
	const struct sweep *s = user;
	(void)fputs("fabric,nodes,flits_per_message,flits_asked,machine,seeds,planner,passes,messages,flits,contention,"
	            "predicted_cycles,predicted_sd,predicted_min,predicted_max,"
	            "measured_cycles,measured_sd,measured_min,measured_max,back_to_back_cycles,verdict,reason\n",
	            stream);
	for (size_t i = 0; i < s->n_rows; i++) {
		const struct sweep_row *row = &s->rows[i];
		bool done = row->state == SWEEP_DONE;
		if (row->state == SWEEP_WAITS)
			continue;
		(void)fprintf(stream, "%s,%" PRIu32 ",", row->topo.name, row->topo.n_nodes);
		put_length(stream, sweep_flits_per_message(row));
		put_length(stream, flits_asked(row));
		(void)fprintf(stream, "%s,%" PRIu32 ",", cli_machine_name(row->machine), s->n_seeds);
		if (done)
			(void)fprintf(stream, "%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",", row->planner,
			              row->passes.most, row->messages, row->flits, row->contention.most);
		else
			(void)fputs(",,,,,", stream);
		put_cycles(stream, &row->predicted, done && row->predicted_known);
		put_cycles(stream, &row->measured, done && sweep_measures(s));
		if (done && sweep_has_back_to_back(s, row))
			(void)fprintf(stream, "%.10g", row->back_to_back.mean);
		(void)fputc(',', stream);
		(void)fprintf(stream, "%s,",
		              !done                ? "left out"
		              : !sweep_measures(s) ? ""
		              : row->n_mismatches  ? "fail"
		                                   : "pass");
		char reason[sizeof row->reason];
		loom_report_text(reason, sizeof reason, row->reason);
		loom_report_put_csv(stream, reason);
		(void)fputc('\n', stream);
	}
	return 0;
}

int sweep_write_csv(const struct sweep *s, struct loom_err *err)
{
	return loom_file_write(s->request->csv, put_csv, s, err);
}
