// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Demands by name: a matrix in a file; a sum of terms, "demand:TERM+2*TERM"; or the messages of any pattern, added up.
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/demand.h>

#include "base/matrix_file.h"
#include "base/text.h"
#include "pattern/demand_made.h"
#include "pattern/pattern_internal.h"

#define MATRIX "matrix:"
#define DEMAND "demand:"
#define TIMES_MOST 1000000u

static int fail_line(struct loom_err *err, uint32_t source, uint32_t destination)
{
	return loom_fail(err, LOOM_EINPUT,
	                 "demand: node %" PRIu32 " has more than 2^31 flits for node %" PRIu32 ", which are the most",
	                 source, destination);
}

// Adds flits of a pair; messages of a node to itself are left out.
static int add(struct loom_demand *d, uint32_t source, uint32_t destination, uint64_t flits, struct loom_err *err)
{
	uint32_t *at = &d->flits[(size_t)source * d->n + destination];
	if (source == destination)
		return 0;
	if (flits > LOOM_DEMAND_LINE_MOST - *at)
		return fail_line(err, source, destination);
	*at += (uint32_t)flits;
	return 0;
}

// --- matrix:FILE

struct matrix {
	struct loom_demand *demand;
	uint32_t flit_bytes; // 0: entries are flits
	const char *path;
};

static int add_entry(void *user, uint32_t row, uint32_t column, double value, struct loom_err *err)
{
	const struct matrix *m = user;
	char where[96];
	if (value > (double)LOOM_DEMAND_LINE_MOST * UINT16_MAX)
		return fail_line(err, row, column);
	if (value != floor(value)) // NOLINT: whole numbers are exact
		return loom_fail(err, LOOM_EINPUT,
		                 "%s: row %" PRIu32 ", column %" PRIu32 ": %g is not a whole number of %s",
		                 loom_text_where(where, sizeof where, m->path), row, column, value,
		                 m->flit_bytes ? "bytes" : "flits");
	uint64_t flits = (uint64_t)value;
	if (m->flit_bytes && flits > 0) // and the header
		flits = (flits + m->flit_bytes - 1) / m->flit_bytes + 1;
	return add(m->demand, row, column, flits, err);
}

static int add_matrix(struct loom_demand *d, const char *path, const struct loom_pattern_options *options,
                      struct loom_err *err)
{
	struct matrix m = {.demand = d, .flit_bytes = options->flit_bytes, .path = path};
	if (!*path)
		return loom_fail(err, LOOM_EINPUT, "matrix: a file is missing, as in matrix:flits.csv");
	return loom_matrix_file_read(path, d->n, LOOM_PATTERN_FILE_MAX, add_entry, &m, err);
}

// --- Terms

static int add_messages(struct loom_demand *d, const struct loom_pattern *p, struct loom_err *err)
{
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < p->n_messages; i++)
		rc = add(d, p->messages[i].source, p->messages[i].destination, p->messages[i].flits, err);
	return rc;
}

// *own: cleared if the length of messages comes from the options.
static int add_term(struct loom_demand *d, bool *own, const char *spec, const struct loom_pattern_options *options,
                    struct loom_err *err)
{
	struct loom_pattern p;
	if (strncmp(spec, MATRIX, strlen(MATRIX)) == 0)
		return add_matrix(d, spec + strlen(MATRIX), options, err);
	if (strncmp(spec, DEMAND, strlen(DEMAND)) == 0)
		return loom_fail(err, LOOM_EINPUT, "demand: a sum in a sum: name its terms instead");
	if (loom_demand_is_made(spec))
		return loom_demand_add_made(d, spec, options->seed, err);
	int rc = loom_pattern_parse(&p, spec, d->n, options, err);
	if (rc != 0)
		return rc;
	*own = *own && p.own_lengths;
	rc = add_messages(d, &p, err);
	loom_pattern_free(&p);
	return rc;
}

// The length of the factor that text begins with, the "*" behind it left out; 0: it begins with none.
static size_t factor_length(const char *text)
{
	const size_t length = strspn(text, "0123456789");
	return text[length] == '*' ? length : 0;
}

// The length of a term: the next one begins with a + and a factor.
static size_t term_length(const char *text)
{
	size_t length = 0;
	while (text[length] && !(text[length] == '+' && factor_length(text + length + 1)))
		length++;
	return length;
}

static int add_times(struct loom_demand *d, const struct loom_demand *term, uint64_t times, struct loom_err *err)
{
	int rc = 0;
	for (size_t p = 0; rc == 0 && p < (size_t)d->n * d->n; p++)
		rc = add(d, (uint32_t)(p / d->n), (uint32_t)(p % d->n), term->flits[p] * times, err);
	return rc;
}

static int add_scaled(struct loom_demand *d, bool *own, const char *text, size_t length,
                      const struct loom_pattern_options *options, struct loom_err *err)
{
	const size_t factor = factor_length(text);
	struct loom_demand term;
	uint64_t times = 1;
	if (factor > 0 && (!loom_text_number(&times, text, factor) || times < 1 || times > TIMES_MOST)) {
		char shown[32];
		return loom_fail(err, LOOM_EINPUT, "demand: \"%s\" is not a factor: 1..%u",
		                 loom_text_quote(shown, sizeof shown, text, factor), TIMES_MOST);
	}
	const size_t skip = factor > 0 ? factor + 1 : 0;
	char *spec = strndup(text + skip, length - skip);
	if (!spec)
		return loom_pattern_no_memory(err);
	int rc = loom_demand_init(&term, d->n, err);
	if (rc == 0) {
		rc = add_term(&term, own, spec, options, err);
		if (rc == 0)
			rc = add_times(d, &term, times, err);
		loom_demand_free(&term);
	}
	free(spec);
	return rc;
}

static int add_sum(struct loom_demand *d, bool *own, const char *terms, const struct loom_pattern_options *options,
                   struct loom_err *err)
{
	struct loom_pattern_options seeded = *options;
	int rc = 0;
	if (!*terms)
		return loom_fail(err, LOOM_EINPUT, "demand: a term is missing, as in demand:transpose+2*all-to-others");
	while (rc == 0 && *terms) {
		const size_t length = term_length(terms);
		rc = add_scaled(d, own, terms, length, &seeded, err);
		terms += length + (terms[length] == '+');
		seeded.seed++; // else random terms of one kind would all be the same
	}
	return rc;
}

static int parse(struct loom_demand *out, bool *own, const char *spec, uint32_t n,
                 const struct loom_pattern_options *options, struct loom_err *err)
{
	struct loom_demand d;
	int rc = loom_demand_init(&d, n, err);
	if (rc != 0)
		return rc;
	*own = true;
	rc = strncmp(spec, DEMAND, strlen(DEMAND)) == 0 ? add_sum(&d, own, spec + strlen(DEMAND), options, err)
	                                                : add_term(&d, own, spec, options, err);
	if (rc == 0)
		rc = loom_demand_check(&d, err);
	if (rc == 0)
		*out = d;
	else
		loom_demand_free(&d);
	return rc;
}

int loom_demand_parse(struct loom_demand *out, const char *spec, uint32_t n, const struct loom_pattern_options *options,
                      struct loom_err *err)
{
	bool own;
	return parse(out, &own, spec, n, options, err);
}

int loom_demand_of_pattern(struct loom_demand *out, const struct loom_pattern *pattern, struct loom_err *err)
{
	struct loom_demand d;
	int rc = loom_demand_init(&d, pattern->n_nodes, err);
	if (rc != 0)
		return rc;
	rc = add_messages(&d, pattern, err);
	if (rc == 0)
		rc = loom_demand_check(&d, err);
	if (rc == 0)
		*out = d;
	else
		loom_demand_free(&d);
	return rc;
}

// --- As patterns, for any network

// Makes a message for each pair; flits that are too many for one message make several.
static int put_messages(struct loom_message **out, size_t *n_out, const struct loom_demand *d,
                        const struct loom_pattern_request *rq, struct loom_err *err)
{
	size_t n = 0;
	for (size_t p = 0; p < (size_t)d->n * d->n; p++)
		n += (d->flits[p] + (uint64_t)LOOM_FLITS_MOST - 1) / LOOM_FLITS_MOST;
	int rc = loom_pattern_check_messages(rq, n, err);
	if (rc == 0 && n == 0)
		rc = loom_fail(err, LOOM_EINPUT, "pattern %s: no processor sends anything to another one",
		               rq->row->name);
	if (rc != 0)
		return rc;
	struct loom_message *messages = malloc(n * sizeof *messages);
	if (!messages)
		return loom_pattern_no_memory(err);
	n = 0;
	for (size_t p = 0; p < (size_t)d->n * d->n; p++)
		for (uint32_t left = d->flits[p]; left > 0;) {
			const uint32_t flits = left < LOOM_FLITS_MOST ? left : LOOM_FLITS_MOST;
			messages[n++] = (struct loom_message){
				.source = (uint32_t)(p / d->n), .destination = (uint32_t)(p % d->n), .flits = flits};
			left -= flits;
		}
	*out = messages;
	*n_out = n;
	return 0;
}

static int make_demand(struct loom_pattern *out, const struct loom_pattern_request *rq, struct loom_err *err)
{
	struct loom_demand d;
	struct loom_message *messages = NULL;
	size_t n = 0;
	bool own;
	int rc = parse(&d, &own, rq->spec, rq->n_nodes, rq->options, err);
	if (rc != 0)
		return rc;
	rc = put_messages(&messages, &n, &d, rq, err);
	if (rc == 0)
		rc = loom_pattern_from_messages(out, rq->spec, rq->n_nodes, messages, n, err);
	if (rc == 0)
		out->own_lengths = own;
	free(messages);
	loom_demand_free(&d);
	return rc;
}

// clang-format off
const struct loom_pattern_row loom_pattern_rows_demand[] = {
	{"matrix", "FILE", "a row for each processor: flits for each other one (bytes with --flit-bytes); CSV, or NumPy",
		MAKER(make_demand)},
	{"demand", "TERM+K*TERM", "a sum: terms are patterns, matrix:FILE, skew:LARGE,SMALL,FLITS (seed), moe:EXPERTS,TOP,SEED[,TOKENS]; "
		"a message for each pair", MAKER(make_demand)},
	{.name = NULL},
};
// clang-format on
