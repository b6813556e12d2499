// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Writes the rows of a sweep as a table, JSON and CSV: the cells that its kind lists.
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/routes/failures.h>

#include "base/file.h"
#include "base/json.h"
#include "base/text.h"
#include "cli_sweep.h"
#include "cli_terminal.h"

#define TEXT_MOST 512

struct sweep_value sweep_text(const char *text)
{
	return (struct sweep_value){.is = text ? SWEEP_TEXT : SWEEP_NOTHING, .text = text};
}

struct sweep_value sweep_count(uint64_t count, bool known)
{
	return (struct sweep_value){.is = known ? SWEEP_COUNT : SWEEP_NOTHING, .count = count};
}

struct sweep_value sweep_real(double real, int digits, bool known)
{
	return (struct sweep_value){
		.is = known ? SWEEP_REAL : SWEEP_NOTHING, .real = real, .half_width = NAN, .digits = digits};
}

struct sweep_value sweep_interval(const struct loom_interval *interval, int digits, bool known)
{
	struct sweep_value value = sweep_real(interval->mean, digits, known);
	value.half_width = interval->half_width;
	return value;
}

struct sweep_value sweep_half_width(const struct loom_interval *interval, bool known)
{
	return sweep_real(interval->half_width, 1, known && !isnan(interval->half_width));
}

struct sweep_value sweep_flag(bool flag)
{
	return (struct sweep_value){.is = SWEEP_FLAG, .count = flag};
}

int sweep_name_width(const struct sweep *s, int least, bool of_curve)
{
	int width = least;
	for (size_t i = 0; i < s->n_curves; i++) {
		int length = (int)strlen(of_curve ? s->curves[i].name : sweep_fabric_name(s, &s->curves[i]));
		width = length > width ? length : width;
	}
	return width;
}

const char *sweep_fabric_name(const struct sweep *s, const struct sweep_curve *c)
{
	struct loom_failure_facts failed;
	const bool has = s->request->fail_parts.n > 0 && loom_topo_failure_facts(&failed, &c->topo);
	return has ? failed.whole->name : c->topo.name;
}

// --- Table ---------------------------------------------------------------------------------------------------------

// Writes a value, a real number with the digits of its column; or, with `exactly`, as CSV needs it.
static const char *value_text(char out[TEXT_MOST], const struct sweep_value *v, bool exactly)
{
	if (v->is == SWEEP_TEXT)
		loom_text_show(out, TEXT_MOST, v->text);
	else if (v->is == SWEEP_COUNT || v->is == SWEEP_FLAG)
		(void)snprintf(out, TEXT_MOST, "%" PRIu64, v->count);
	else if (v->is == SWEEP_REAL && exactly)
		(void)snprintf(out, TEXT_MOST, "%.10g", v->real);
	else if (v->is == SWEEP_REAL && v->digits < 0 && isnan(v->half_width))
		(void)snprintf(out, TEXT_MOST, "%.*g", -v->digits, v->real);
	else if (v->is == SWEEP_REAL && !isnan(v->half_width))
		(void)snprintf(out, TEXT_MOST, "%.*f +- %.*f", v->digits, v->real, v->digits, v->half_width);
	else if (v->is == SWEEP_REAL)
		(void)snprintf(out, TEXT_MOST, "%.*f", v->digits, v->real);
	else
		(void)snprintf(out, TEXT_MOST, "%s", exactly ? "" : "-");
	return out;
}

static void put_cell(FILE *out, const struct sweep_cell *cell, const char *text)
{
	(void)fprintf(out, "%.*s%*s", (int)strspn(cell->heading, " "), cell->heading, cell->width, text);
}

void sweep_put_heading(FILE *out, const struct sweep *s)
{
	struct sweep_cells cells = {0};
	s->kind->put_heading(out, s);
	s->kind->cells(&cells, s, s->rows);
	for (size_t i = 0; i < cells.n; i++)
		if (cells.at[i].heading)
			put_cell(out, &cells.at[i], cells.at[i].heading + strspn(cells.at[i].heading, " "));
	(void)fputc('\n', out);
}

int sweep_put_row(FILE *out, const struct sweep *s, const struct sweep_row *row, struct loom_err *err)
{
	struct sweep_cells cells = {0};
	char text[TEXT_MOST];
	const bool left_out = row->state == SWEEP_LEFT_OUT;
	s->kind->cells(&cells, s, row);
	for (size_t i = 0; i < cells.n; i++)
		if (cells.at[i].heading && (cells.at[i].before || !left_out))
			put_cell(out, &cells.at[i], value_text(text, &cells.at[i].value, false));
	loom_text_show(text, sizeof text, row->reason);
	if (left_out)
		(void)fprintf(out, "  left out: %s", text);
	(void)fputc('\n', out);
	if (row->n_mismatches)
		(void)fprintf(out, "  %zu difference%s: %s\n", row->n_mismatches, row->n_mismatches == 1 ? "" : "s",
		              text);
	return cli_flush(err);
}

// --- JSON ----------------------------------------------------------------------------------------------------------

static json_t *value_to_json(const struct sweep_value *v)
{
	char text[TEXT_MOST];
	switch (v->is) {
	case SWEEP_TEXT: return json_string(value_text(text, v, true));
	case SWEEP_COUNT: return loom_json_number(v->count);
	case SWEEP_REAL: return v->digits == 0 ? loom_json_number((uint64_t)v->real) : json_real(v->real);
	case SWEEP_FLAG: return json_boolean(v->count);
	default: return json_null();
	}
}

// Handles a name such as "latency.mean": "mean" of the object "latency", which is made for the first of its cells.
static int add_to_json(json_t *out, const struct sweep_cell *cell)
{
	const char *dot = strchr(cell->json, '.');
	char outer[64];
	if (!dot)
		return json_object_set_new(out, cell->json, value_to_json(&cell->value));
	(void)snprintf(outer, sizeof outer, "%.*s", (int)(dot - cell->json), cell->json);
	if (!json_object_get(out, outer) &&
	    json_object_set_new(out, outer, cell->value.is == SWEEP_NOTHING ? json_null() : json_object()) != 0)
		return -1;
	return cell->value.is == SWEEP_NOTHING
	               ? 0
	               : json_object_set_new(json_object_get(out, outer), dot + 1, value_to_json(&cell->value));
}

json_t *sweep_row_json(const struct sweep *s, const struct sweep_row *row, bool before, bool after)
{
	struct sweep_cells cells = {0};
	json_t *out = json_object();
	int bad = !out;
	s->kind->cells(&cells, s, row);
	for (size_t i = 0; i < cells.n; i++)
		if (cells.at[i].json && (cells.at[i].before ? before : after))
			bad |= add_to_json(out, &cells.at[i]);
	if (!bad)
		return out;
	json_decref(out);
	return NULL;
}

int sweep_put_json(FILE *out, const struct sweep *s, struct loom_err *err)
{
	char pattern[LOOM_TEXT_NAME], error[LOOM_TEXT_NAME];
	bool own_lengths = false;
	loom_text_show(pattern, sizeof pattern, s->request->words[1]);
	loom_text_show(error, sizeof error, s->error ? s->error : "");
	for (size_t i = 0; i < s->n_rows; i++)
		own_lengths = own_lengths || s->rows[i].size.own_lengths;
	for (size_t i = 0; i < s->n_curves; i++) {
		uint32_t least, most;
		own_lengths = loom_traffic_own_lengths(&least, &most, &s->curves[i].traffic) || own_lengths;
	}
	char *asked = cli_asked_text(s->request, NULL, own_lengths, err);
	if (!asked)
		return LOOM_ENOMEM;
	json_t *root = json_pack("{s:o, s:s}", "request", json_loads(asked, 0, NULL), "pattern", pattern);
	free(asked);
	bool whole = root && s->kind->json(root, s) == 0 &&
	             json_object_set_new(root, "error", s->error ? json_string(error) : json_null()) == 0;
	char *text = whole ? loom_json_text(root) : NULL;
	json_decref(root);
	if (!text)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for a report in JSON");
	(void)fprintf(out, "%s\n", text);
	free(text);
	return cli_flush(err);
}

// --- CSV -----------------------------------------------------------------------------------------------------------

// Writes a line of names, or of the values of a row.
static void put_line(FILE *stream, const struct sweep *s, const struct sweep_row *row)
{
	struct sweep_cells cells = {0};
	char text[TEXT_MOST];
	const char *separator = "";
	s->kind->cells(&cells, s, row ? row : s->rows);
	for (size_t i = 0; i < cells.n; i++) {
		const struct sweep_cell *cell = &cells.at[i];
		if (!cell->csv)
			continue;
		(void)fputs(separator, stream);
		if (!row)
			(void)fputs(cell->csv, stream);
		else if (cell->before || row->state == SWEEP_DONE)
			loom_text_put_csv(stream, value_text(text, &cell->value, true));
		separator = ",";
	}
	(void)fputc('\n', stream);
}

static int put_csv(FILE *stream, const void *user)
{
	const struct sweep *s = user;
	put_line(stream, s, NULL);
	for (size_t i = 0; i < s->n_rows; i++)
		if (s->rows[i].state == SWEEP_DONE || s->rows[i].state == SWEEP_LEFT_OUT)
			put_line(stream, s, &s->rows[i]);
	return 0;
}

int sweep_write_csv(const struct sweep *s, struct loom_err *err)
{
	return loom_file_write(s->request->csv, put_csv, s, err);
}
