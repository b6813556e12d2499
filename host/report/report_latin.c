// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "report/report_latin.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <flitloom/math/latin.h>
#include <flitloom/report.h>

#include "base/file.h"
#include "topo/topo_min.h"

#define NPY_HEADER 128 // magic, version, length and text: a multiple of 64, and enough for any n here
#define CSV_ENTRY 6    // at most 65535 and a comma

static bool ends_in(const char *path, const char *ending)
{
	size_t length = strlen(path), n = strlen(ending);
	return length >= n && !strcasecmp(path + length - n, ending);
}

static size_t print_csv_row(char *out, const uint16_t *row, size_t n)
{
	char *at = out;
	for (size_t j = 0; j < n; j++) {
		char digits[5];
		unsigned n_digits = 0;
		for (uint16_t left = row[j]; n_digits == 0 || left > 0; left /= 10)
			digits[n_digits++] = (char)('0' + left % 10);
		while (n_digits > 0)
			*at++ = digits[--n_digits];
		*at++ = j + 1 < n ? ',' : '\n';
	}
	return (size_t)(at - out);
}

static size_t put_npy_row(char *out, const uint16_t *row, size_t n)
{
	for (size_t j = 0; j < n; j++) {
		out[2 * j] = (char)(row[j] & 0xff);
		out[2 * j + 1] = (char)(row[j] >> 8);
	}
	return 2 * n;
}

static void put_npy_header(char out[NPY_HEADER], size_t n)
{
	enum { PREAMBLE = 10, TEXT = NPY_HEADER - PREAMBLE };
	char text[TEXT + 1], dictionary[TEXT];
	(void)snprintf(dictionary, sizeof dictionary, "{'descr': '<u2', 'fortran_order': False, 'shape': (%zu, %zu), }",
	               n, n);
	(void)snprintf(text, sizeof text, "%-*s\n", TEXT - 1, dictionary);
	memcpy(out, "\x93NUMPY\x01\x00", 8);
	out[8] = (char)TEXT;
	out[9] = 0;
	memcpy(out + PREAMBLE, text, TEXT);
}

// The square to write.
struct square {
	const struct loom_min *net;
	bool csv;
};

static int put_square(FILE *stream, const void *user)
{
	const struct square *square = user;
	size_t n = loom_min_nodes(square->net);
	uint16_t *row0 = malloc(n * sizeof *row0), *row = malloc(n * sizeof *row);
	char *text = malloc(n * CSV_ENTRY), header[NPY_HEADER];
	int rc = row0 && row && text ? 0 : -1;
	if (rc == 0 && !square->csv) {
		put_npy_header(header, n);
		(void)fwrite(header, 1, sizeof header, stream); // the owner of the stream checks for errors
	}
	if (rc == 0)
		loom_latin_row0(row0, square->net);
	for (size_t i = 0; rc == 0 && i < n; i++) {
		loom_latin_rows(row, row0, square->net->m, (uint32_t)i, 1);
		size_t used = square->csv ? print_csv_row(text, row, n) : put_npy_row(text, row, n);
		(void)fwrite(text, 1, used, stream);
	}
	free(row0);
	free(row);
	free(text);
	return rc;
}

int loom_report_latin_write(const char *path, const struct loom_min *net, struct loom_err *err)
{
	struct square square = {.net = net, .csv = ends_in(path, ".csv")};
	if (!square.csv && !ends_in(path, ".npy"))
		return loom_fail(err, LOOM_EINPUT, "%.200s: a Latin square is written as .csv or .npy", path);
	return loom_file_write(path, put_square, &square, err);
}

// True if the messages are those of the network's Latin square: a plan from a file may name the planner and not be its.
static bool follows_square(const struct loom_plan *plan, const struct loom_min *net)
{
	uint16_t row0[LOOM_TOPO_MIN_NODES];
	bool follows = strcmp(plan->planner, "latin") == 0;
	loom_latin_row0(row0, net);
	for (size_t i = 0; follows && i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		follows = (row0[plan->map[m->source]] ^ loom_latin_gray(m->pass)) == plan->map[m->destination];
	}
	return follows;
}

int loom_report_latin(const char *path, const struct loom_plan *plan, struct loom_err *err)
{
	struct loom_min net;
	if (!loom_topo_min(&net, &plan->topo, LOOM_RULE_ASCENDING) || !follows_square(plan, &net))
		return loom_fail(err, LOOM_EINPUT,
		                 "%.200s would hold a Latin square, and planner %s's plan of %.60s on %s has none; "
		                 "give it a name in .json, or plan all-to-all on a multistage network by planner latin",
		                 path, plan->planner, plan->pattern, plan->topo.name);
	return loom_report_latin_write(path, &net, err);
}
