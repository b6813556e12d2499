// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads traffic:FILE, flows as CSV under a heading or as a traffic table of Noxim, and matrix:FILE.
#include "traffic/flows.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/cursor.h"
#include "base/file.h"
#include "base/matrix_file.h"
#include "base/text.h"

#define HEADING "source,destination, then weight or rate, and flits and class if need be"

// The columns of CSV, which may come in any order.
enum column { SOURCE, DESTINATION, FLITS, CLASS, WEIGHT, RATE, N_COLUMNS };
static const char *const names[N_COLUMNS] = {"source", "destination", "flits", "class", "weight", "rate"};

struct reader {
	struct cursor c;
	const struct loom_topo *topo;
	struct loom_flow_list list;
	enum column columns[N_COLUMNS];
	unsigned n_columns;
	bool has[N_COLUMNS];
	bool any_rate, any_without; // of Noxim: lines with a rate, and lines without
};

static int read_end(uint32_t *out, struct reader *r, const char *what)
{
	char shown[48];
	uint64_t value;
	struct token t = take_token(&r->c);
	if (!loom_text_number(&value, t.at, t.length) || value >= loom_topo_hosts(r->topo))
		return FAIL_TOKEN(&r->c, t, "%s %s is no node of %s: 0..%" PRIu32, what,
		                  loom_token_show(shown, sizeof shown, t), r->topo->name, loom_topo_hosts(r->topo) - 1);
	*out = (uint32_t)value;
	return 0;
}

static int read_share(double *out, struct reader *r, const char *what)
{
	char shown[48];
	struct token t = take_token(&r->c);
	return loom_text_real(out, t.at, t.length)
	               ? 0
	               : FAIL_TOKEN(&r->c, t, "%s %s is not a number of 0 or more, such as 0.25 or 3", what,
	                            loom_token_show(shown, sizeof shown, t));
}

static int read_flits(uint32_t *out, struct reader *r)
{
	char shown[48];
	uint64_t value;
	struct token t = take_token(&r->c);
	if (!loom_text_number(&value, t.at, t.length) || value < 1 || value > LOOM_FLITS_MOST)
		return FAIL_TOKEN(&r->c, t, "flits %s: a message has 1..%u", loom_token_show(shown, sizeof shown, t),
		                  LOOM_FLITS_MOST);
	*out = (uint32_t)value;
	return 0;
}

static int read_class(uint8_t *out, struct reader *r)
{
	char shown[48];
	uint64_t value;
	struct token t = take_token(&r->c);
	if (!loom_text_number(&value, t.at, t.length) || value > LOOM_TRAFFIC_CLASS_MOST)
		return FAIL_TOKEN(&r->c, t, "class %s is no class: 0..%u", loom_token_show(shown, sizeof shown, t),
		                  LOOM_TRAFFIC_CLASS_MOST);
	*out = (uint8_t)value;
	return 0;
}

// Goes to the beginning of the next line that is neither empty nor a comment. Returns false if there is none.
static bool find_line(struct cursor *c, char comment)
{
	for (skip_space(c); peek(c) == comment; skip_space(c))
		skip_line(c);
	return peek(c) != EOF;
}

// --- CSV ------------------------------------------------------------------------------------------------------------

static int read_heading(struct reader *r)
{
	struct cursor *c = &r->c;
	char shown[48];
	for (bool more = true; more; more = peek(c) == ',') {
		if (r->n_columns > 0)
			advance(c);
		skip_blanks(c);
		struct token t = take_token(c);
		unsigned k = 0;
		while (k < N_COLUMNS &&
		       !(t.length == strlen(names[k]) && strncasecmp(t.at, names[k], t.length) == 0 && !r->has[k]))
			k++;
		if (k == N_COLUMNS)
			return FAIL_TOKEN(c, t, "%s in the heading: the columns are " HEADING,
			                  loom_token_show(shown, sizeof shown, t));
		r->has[k] = true;
		r->columns[r->n_columns++] = (enum column)k;
		skip_blanks(c);
	}
	if (!at_line_end(c) || !r->has[SOURCE] || !r->has[DESTINATION] || r->has[WEIGHT] == r->has[RATE])
		return FAIL_HERE(c, "the heading is not complete, or says two things: the columns are " HEADING);
	skip_line(c);
	return 0;
}

static int read_csv_line(struct reader *r)
{
	struct loom_flow flow = {.flits = 0};
	int rc = 0;
	for (unsigned i = 0; rc == 0 && i < r->n_columns; i++) {
		if (i > 0 && peek(&r->c) != ',')
			return FAIL_HERE(&r->c, "a line has %u fields, as the heading has", r->n_columns);
		if (i > 0)
			advance(&r->c);
		skip_blanks(&r->c);
		switch (r->columns[i]) {
		case SOURCE: rc = read_end(&flow.source, r, "source"); break;
		case DESTINATION: rc = read_end(&flow.destination, r, "destination"); break;
		case FLITS: rc = read_flits(&flow.flits, r); break;
		case CLASS: rc = read_class(&flow.of_class, r); break;
		default: rc = read_share(&flow.share, r, names[r->columns[i]]); break;
		}
		skip_blanks(&r->c);
	}
	if (rc == 0 && !at_line_end(&r->c))
		return FAIL_HERE(&r->c, "a line has %u fields, as the heading has", r->n_columns);
	skip_line(&r->c);
	return rc == 0 ? loom_flow_list_add(&r->list, &flow, r->c.err) : rc;
}

// --- Noxim ----------------------------------------------------------------------------------------------------------

// Reads the fields after the rate. Accepts times of switching on and off only if the flow is never off.
static int read_noxim_rest(struct reader *r, double rate)
{
	static const char *const what[] = {"POR", "ton", "toff", "tperiod"};
	struct cursor *c = &r->c;
	double value[4] = {rate, 0, 0, 0};
	unsigned n = 0;
	const size_t line = c->line, column = c->column;
	int rc = 0;
	for (skip_blanks(c); rc == 0 && n < 4 && peek(c) != EOF && peek(c) != '\n'; skip_blanks(c), n++)
		rc = read_share(&value[n], r, what[n]);
	if (rc != 0)
		return rc;
	if (value[0] != rate)
		return loom_cursor_fail(c, line, column,
		                        "POR is not PIR: what follows a message is not drawn apart here; make them the "
		                        "same, or see --arrivals burst:ON:OFF");
	if (value[1] > 0 || (n >= 3 && (n < 4 || value[2] + 1 < value[3])))
		return loom_cursor_fail(
			c, line, column,
			"ton, toff and tperiod switch this flow off for a time, and here all flows go on: "
			"leave them out, or see --arrivals burst:ON:OFF");
	return 0;
}

// Reads SRC DST [PIR [POR [ton [toff [tperiod]]]]], and ignores the rest of the line.
static int read_noxim_line(struct reader *r)
{
	struct cursor *c = &r->c;
	struct loom_flow flow = {.share = 1};
	int rc = read_end(&flow.source, r, "source");
	skip_blanks(c);
	if (rc == 0)
		rc = read_end(&flow.destination, r, "destination");
	skip_blanks(c);
	const size_t line = c->line, column = c->column;
	const bool has_rate = peek(c) != EOF && peek(c) != '\n';
	if (rc == 0 && has_rate)
		rc = read_share(&flow.share, r, "PIR");
	if (rc == 0 && flow.share > 1)
		rc = loom_cursor_fail(c, line, column, "PIR %g is more than a message in each cycle", flow.share);
	if (rc == 0 && has_rate)
		rc = read_noxim_rest(r, flow.share);
	r->any_rate = r->any_rate || has_rate;
	r->any_without = r->any_without || !has_rate;
	if (rc == 0 && r->any_rate && r->any_without)
		rc = loom_cursor_fail(
			c, line, column,
			"some lines have a PIR and some leave it to Noxim's -pir: give all of them one, or none");
	skip_line(c);
	return rc == 0 ? loom_flow_list_add(&r->list, &flow, c->err) : rc;
}

// --- Both formats ----------------------------------------------------------------------------------------------------

static int read_all(enum loom_flow_unit *unit, struct reader *r)
{
	int rc = 0;
	const int first = find_line(&r->c, '#') ? peek(&r->c) : EOF;
	if (first == EOF)
		return FAIL_HERE(&r->c, "the file is empty: it has a heading, " HEADING);
	const bool noxim = first == '%' || (first >= '0' && first <= '9');
	if (!noxim)
		rc = read_heading(r);
	while (rc == 0 && find_line(&r->c, noxim ? '%' : '#'))
		rc = noxim ? read_noxim_line(r) : read_csv_line(r);
	*unit = noxim          ? r->any_rate ? LOOM_FLOW_MESSAGES : LOOM_FLOW_SIZE
	        : r->has[RATE] ? LOOM_FLOW_FLITS
	                       : LOOM_FLOW_WEIGHT;
	return rc;
}

int loom_flows_read(struct loom_flows **out, const char *path, const struct loom_topo *topo, struct loom_err *err)
{
	char *text = NULL;
	size_t length = 0;
	enum loom_flow_unit unit = LOOM_FLOW_WEIGHT;
	struct reader r = {.topo = topo};
	int rc = loom_file_read(&text, &length, path, LOOM_TRAFFIC_FILE_MOST, err);
	if (rc != 0)
		return rc;
	r.c = start(text, length, path, err);
	rc = read_all(&unit, &r);
	if (rc == 0)
		rc = loom_flows_make(out, &r.list, unit, topo, path, err);
	free(r.list.flow);
	free(text);
	return rc;
}

static int add_entry(void *list, uint32_t row, uint32_t column, double value, struct loom_err *err)
{
	const struct loom_flow flow = {.source = row, .destination = column, .share = value};
	return loom_flow_list_add(list, &flow, err);
}

int loom_matrix_read(struct loom_flows **out, const char *path, const struct loom_topo *topo, struct loom_err *err)
{
	struct loom_flow_list list = {0};
	int rc = loom_matrix_file_read(path, loom_topo_hosts(topo), LOOM_TRAFFIC_FILE_MOST, add_entry, &list, err);
	if (rc == 0)
		rc = loom_flows_make(out, &list, LOOM_FLOW_SIZE, topo, path, err);
	free(list.flow);
	return rc;
}
