// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads matrix:FILE: the amount that each processor, a row, sends to each other one, a column. It is CSV, or an array
// of NumPy.
#include "base/matrix_file.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/cursor.h"
#include "base/file.h"
#include "base/text.h"

// The caller's function for an entry, and its argument.
struct taker {
	loom_matrix_each *each;
	void *user;
};

// --- CSV ------------------------------------------------------------------------------------------------------------

static int read_row(const struct taker *taker, struct cursor *c, uint32_t row, uint32_t n)
{
	char shown[48];
	int rc = 0;
	for (uint32_t column = 0; rc == 0 && column < n; column++) {
		double value;
		if (column > 0 && peek(c) == ',')
			advance(c);
		skip_blanks(c);
		if (at_line_end(c))
			return FAIL_HERE(c, "row %" PRIu32 " has %" PRIu32 " numbers of %" PRIu32, row, column, n);
		struct token t = take_token(c);
		if (!loom_text_real(&value, t.at, t.length))
			return FAIL_TOKEN(
				c, t,
				"%s is not a number of 0 or more; pandas: to_csv(FILE, header=False, index=False)",
				loom_token_show(shown, sizeof shown, t));
		rc = taker->each(taker->user, row, column, value, c->err);
		skip_blanks(c);
	}
	if (rc == 0 && !at_line_end(c))
		return FAIL_HERE(c, "row %" PRIu32 " has more than %" PRIu32 " numbers", row, n);
	return rc;
}

static int read_csv(const struct taker *taker, const char *text, size_t length, const char *path, uint32_t n,
                    struct loom_err *err)
{
	const size_t mark = loom_text_mark(text, length);
	struct cursor c = start(text + mark, length - mark, path, err);
	int rc = loom_file_check_text(text, length, path, err);
	for (uint32_t row = 0; rc == 0; row++) {
		for (skip_space(&c); peek(&c) == '#'; skip_space(&c))
			skip_line(&c);
		if (peek(&c) == EOF)
			return row == n ? 0
			                : FAIL_HERE(&c, "%" PRIu32 " rows; the network has %" PRIu32 " nodes", row, n);
		if (row == n)
			return FAIL_HERE(&c, "more than %" PRIu32 " rows, one for each node of the network", n);
		rc = read_row(taker, &c, row, n);
		if (rc == 0 && peek(&c) == '#')
			skip_line(&c);
	}
	return rc;
}

// --- NumPy (https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html) ---------------------------------

static const char magic[] = "\x93NUMPY";
#define MAGIC (sizeof magic - 1)

struct array {
	char type; // 'f' or 'i'
	unsigned size;
	bool by_columns; // in Fortran's order, as pandas writes its frames
	const unsigned char *data;
};

static uint64_t little(const unsigned char *at, unsigned n)
{
	uint64_t value = 0;
	for (unsigned i = n; i-- > 0;)
		value = value << 8 | at[i];
	return value;
}

// Returns the value of a key in the header, which is the text of a dictionary of Python; NULL if the key is absent.
static const char *value_of(const char *header, const char *key)
{
	const char *at = strstr(header, key);
	if (!at)
		return NULL;
	at += strlen(key);
	at += strspn(at, " ");
	if (*at != ':')
		return NULL;
	return at + 1 + strspn(at + 1, " ");
}

static int fail_npy(const char *path, const char *why, struct loom_err *err)
{
	char where[96];
	return loom_fail(err, LOOM_EINPUT,
	                 "%s: %s; it takes a NumPy array of two dimensions, float64, float32, int64 or int32",
	                 loom_text_where(where, sizeof where, path), why);
}

static int read_header(struct array *out, const char *header, const char *path, uint32_t n, struct loom_err *err)
{
	static const char *const types[] = {"'<f8'", "'<f4'", "'<i8'", "'<i4'"};
	const char *type = value_of(header, "'descr'"), *order = value_of(header, "'fortran_order'"),
		   *shape = value_of(header, "'shape'");
	char why[96], wanted[48];
	unsigned k = 0;
	if (!type || !order || !shape)
		return fail_npy(path, "its header has no descr, fortran_order and shape", err);
	while (k < 4 && strncmp(type, types[k], strlen(types[k])) != 0)
		k++;
	if (k == 4) {
		char shown[24];
		(void)snprintf(why, sizeof why, "numbers of type %s",
		               loom_text_quote(shown, sizeof shown, type, strcspn(type, ",}")));
		return fail_npy(path, why, err);
	}
	out->by_columns = strncmp(order, "True", 4) == 0;
	if (!out->by_columns && strncmp(order, "False", 5) != 0)
		return fail_npy(path, "its fortran_order is neither True nor False", err);
	(void)snprintf(wanted, sizeof wanted, "(%" PRIu32 ", %" PRIu32 ")", n, n);
	if (strncmp(shape, wanted, strlen(wanted)) != 0) {
		char shown[40];
		(void)snprintf(why, sizeof why, "its shape is %s, not %s",
		               loom_text_quote(shown, sizeof shown, shape, strcspn(shape, ")}") + 1), wanted);
		return fail_npy(path, why, err);
	}
	out->type = types[k][2];
	out->size = (unsigned)(types[k][3] - '0');
	return 0;
}

static int find_data(struct array *out, const char *text, size_t length, const char *path, uint32_t n,
                     struct loom_err *err)
{
	const unsigned char *bytes = (const unsigned char *)text;
	char why[80];
	const unsigned width = length > MAGIC && bytes[MAGIC] == 1 ? 2 : 4;
	const size_t begin = MAGIC + 2 + width;
	if (length < begin)
		return fail_npy(path, "it ends in its header", err);
	if (bytes[MAGIC] < 1 || bytes[MAGIC] > 2) {
		(void)snprintf(why, sizeof why, "version %u of the format, not 1 or 2", bytes[MAGIC]);
		return fail_npy(path, why, err);
	}
	const uint64_t header = little(bytes + MAGIC + 2, width);
	if (header > length - begin)
		return fail_npy(path, "it ends in its header", err);
	char *copy = calloc((size_t)header + 1, 1); // with a zero at the end
	if (!copy)
		return loom_fail(err, LOOM_ENOMEM, "no memory for a header of %" PRIu64 " bytes", header);
	memcpy(copy, text + begin, (size_t)header);
	int rc = read_header(out, copy, path, n, err);
	free(copy);
	if (rc != 0)
		return rc;
	const uint64_t has = length - begin - header, wants = (uint64_t)n * n * out->size;
	if (has != wants) {
		(void)snprintf(why, sizeof why, "%" PRIu64 " bytes of numbers, not %" PRIu64, has, wants);
		return fail_npy(path, why, err);
	}
	out->data = bytes + begin + header;
	return 0;
}

static double number_at(const struct array *a, size_t i)
{
	const uint64_t bits = little(a->data + i * a->size, a->size);
	const uint32_t half = (uint32_t)bits;
	float single;
	double value;
	if (a->type == 'i')
		return a->size == 8 ? (double)(int64_t)bits : (double)(int32_t)half;
	if (a->size == 4) {
		memcpy(&single, &half, sizeof single);
		return single;
	}
	memcpy(&value, &bits, sizeof value);
	return value;
}

static int read_npy(const struct taker *taker, const char *text, size_t length, const char *path, uint32_t n,
                    struct loom_err *err)
{
	struct array a = {0};
	int rc = find_data(&a, text, length, path, n, err);
	for (size_t i = 0; rc == 0 && i < (size_t)n * n; i++) {
		const uint32_t row = (uint32_t)(i / n), column = (uint32_t)(i % n);
		const double value = number_at(&a, a.by_columns ? (size_t)column * n + row : i);
		char where[96];
		if (!(value >= 0) || !isfinite(value))
			return loom_fail(err, LOOM_EINPUT,
			                 "%s: row %" PRIu32 ", column %" PRIu32 ": %g is not a number of 0 or more",
			                 loom_text_where(where, sizeof where, path), row, column, value);
		rc = taker->each(taker->user, row, column, value, err);
	}
	return rc;
}

int loom_matrix_file_read(const char *path, uint32_t n, size_t bytes_max, loom_matrix_each *each, void *user,
                          struct loom_err *err)
{
	char *text = NULL;
	size_t length = 0;
	const struct taker taker = {.each = each, .user = user};
	int rc = loom_file_read_bytes(&text, &length, path, bytes_max, err);
	if (rc != 0)
		return rc;
	rc = (length >= MAGIC && memcmp(text, magic, MAGIC) == 0 ? read_npy : read_csv)(&taker, text, length, path, n,
	                                                                                err);
	free(text);
	return rc;
}
