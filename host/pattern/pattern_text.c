// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
// The text forms of patterns but for message lists; JSON goes on to pattern_json.c. Every parser is linear in the text
// and allocates no more than the text can fill.
#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/pattern.h>

#include "base/text.h"
#include "base/cursor.h"
#include "pattern/pattern_internal.h"

// ---- LCC, as 0/1 lines or as JSON ----

static int lcc_of_lines(struct loom_lcc *out, struct cursor *c)
{
	uint64_t row[LOOM_GF2_MAX], b = 0;
	unsigned n = 0, n_rows = 0; // rows include b, the one after the n-th

	while (peek(c) != EOF) {
		uint64_t bits = 0;
		unsigned k = 0;
		for (; peek(c) != EOF && peek(c) != '\n'; advance(c)) {
			int entry = peek(c);
			if (is_blank(entry))
				continue;
			if (entry != '0' && entry != '1')
				return isprint(entry)
				               ? FAIL_HERE(c, "'%c' is not an entry: 0 or 1", entry)
				               : FAIL_HERE(c, "byte 0x%02x is not an entry: 0 or 1", (unsigned)entry);
			if (k == LOOM_GF2_MAX)
				return FAIL_HERE(c, "more than %d entries in a row", LOOM_GF2_MAX);
			bits |= (uint64_t)(entry == '1') << k++;
		}
		if (k > 0) {
			if (n_rows == 0)
				n = k;
			if (k != n)
				return FAIL_HERE(c, "%u entries in this row, %u in the first: A is square", k, n);
			if (n_rows > n)
				return FAIL_HERE(c, "one row too many: A has %u, and one more is b", n);
			if (n_rows == n)
				b = bits;
			else
				row[n_rows] = bits;
			n_rows++;
		}
		if (peek(c) == '\n')
			advance(c);
	}
	if (n_rows == 0)
		return FAIL_HERE(c, "no matrix: n lines of n entries 0 or 1 are needed, and one for b, or JSON");
	if (n_rows < n)
		return FAIL_HERE(c, "A is not square: %u rows of %u entries", n_rows, n);

	struct loom_lcc lcc = {.kind = LOOM_LCC_GATHER, .a = {.n = n}, .b = b};
	memcpy(lcc.a.row, row, n * sizeof row[0]);
	if (loom_gf2_rank(&lcc.a) == n)
		lcc.kind = LOOM_LCC_PERMUTATION;
	*out = lcc;
	return 0;
}

int loom_lcc_parse(struct loom_lcc *out, const char *text, size_t length, const char *where, struct loom_err *err)
{
	struct cursor c = start(text, length, where, err);
	struct cursor first = c;
	skip_space(&first);
	if (peek(&first) == '[')
		return FAIL_HERE(&first, "a list: one LCC is an object {...}; a list of them is given as set:FILE");
	return peek(&first) == '{' ? loom_lcc_of_json(out, text, length, where, err) : lcc_of_lines(out, &c);
}

int loom_lcc_set_parse(struct loom_lcc **out, uint32_t *n_out, const char *text, size_t length, const char *where,
                       struct loom_err *err)
{
	struct cursor c = start(text, length, where, err);
	skip_space(&c);
	if (peek(&c) != '[')
		return FAIL_HERE(&c,
		                 "a set is a JSON list [{...}, ...] of LCC objects; a single one is given as lcc:FILE");
	return loom_lcc_set_of_json(out, n_out, text, length, where, err);
}

// ---- BPC ----

int loom_bpc_parse(struct loom_lcc *out, const char *text, size_t length, const char *where, struct loom_err *err)
{
	struct cursor c = start(text, length, where, err);
	struct {
		struct token digits;
		uint64_t bit;
		bool flip;
	} element[LOOM_GF2_MAX];
	unsigned n = 0;

	skip_space(&c);
	bool bracket = peek(&c) == '[';
	if (bracket)
		advance(&c);
	for (bool more = true; more;) {
		skip_space(&c);
		if (n == LOOM_GF2_MAX)
			return FAIL_HERE(&c, "more than %d elements", LOOM_GF2_MAX);
		element[n].flip = peek(&c) == '-';
		if (element[n].flip)
			advance(&c);
		struct token digits = {.at = c.at, .line = c.line, .column = c.column};
		while (isdigit(peek(&c)))
			advance(&c);
		digits.length = (size_t)(c.at - digits.at);
		element[n].digits = digits;
		if (!loom_text_number(&element[n].bit, digits.at, digits.length))
			return FAIL_HERE(&c, "element %u is not a bit number: like -0, 1, 2, -3", n);
		n++;
		skip_space(&c);
		more = peek(&c) == ',';
		if (more)
			advance(&c);
	}
	if (bracket) {
		if (peek(&c) != ']')
			return FAIL_HERE(&c, "a comma or the closing ] should be here");
		advance(&c);
		skip_space(&c);
	}
	if (peek(&c) != EOF)
		return FAIL_HERE(&c, "%s: a list like [-0,1,2,-3] should end here",
		                 bracket ? "text after ]" : "no comma");

	struct loom_lcc lcc = {.kind = LOOM_LCC_PERMUTATION, .a = {.n = n}};
	for (unsigned e = 0; e < n; e++) {
		char shown[48];
		if (element[e].bit >= n)
			return FAIL_TOKEN(&c, element[e].digits,
			                  "bit %s is out of range: %u elements name the bits 0..%u",
			                  loom_token_show(shown, sizeof shown, element[e].digits), n, n - 1);
		unsigned i = (unsigned)element[e].bit;
		if (lcc.a.row[i])
			return FAIL_TOKEN(&c, element[e].digits, "bit %u is given twice: each of 0..%u occurs once", i,
			                  n - 1);
		lcc.a.row[i] = UINT64_C(1) << (n - 1 - e);
		lcc.b |= (uint64_t)element[e].flip << i;
	}
	*out = lcc;
	return 0;
}

// ---- Permutation ----

static int perm_of_text(uint32_t *map, uint32_t *source_of, uint32_t n, struct cursor *c)
{
	char shown[48];
	uint32_t count = 0;
	bool comma = false; // the last thing read

	for (skip_space(c); peek(c) != EOF; skip_space(c)) {
		if (count == n)
			return FAIL_HERE(c, "more than %" PRIu32 " destinations: one for each processor", n);
		struct token t = take_token(c);
		uint64_t value;
		if (!loom_text_number(&value, t.at, t.length))
			return FAIL_TOKEN(c, t, "%s is not a processor number: 0..%" PRIu32,
			                  loom_token_show(shown, sizeof shown, t), n - 1);
		if (value >= n)
			return FAIL_TOKEN(c, t, "destination %s is out of range: 0..%" PRIu32,
			                  loom_token_show(shown, sizeof shown, t), n - 1);
		if (source_of[value] != UINT32_MAX)
			return FAIL_TOKEN(c, t,
			                  "destination %" PRIu64 " is repeated, for processors %" PRIu32 " and %" PRIu32
			                  ": a permutation has each once",
			                  value, source_of[value], count);
		source_of[value] = count;
		map[count++] = (uint32_t)value;
		skip_space(c);
		comma = peek(c) == ',';
		if (comma)
			advance(c);
	}
	if (comma)
		return FAIL_HERE(c, "a number is missing after the last comma");
	if (count < n) {
		uint32_t missing = 0;
		while (source_of[missing] != UINT32_MAX)
			missing++;
		return FAIL_HERE(
			c, "%" PRIu32 " destinations for %" PRIu32 " processors: destination %" PRIu32 " is missing",
			count, n, missing);
	}
	return 0;
}

int loom_perm_parse(uint32_t **out, uint32_t n, const char *text, size_t length, const char *where,
                    struct loom_err *err)
{
	struct cursor c = start(text, length, where, err);
	if (n < 1 || n > LOOM_NODES_MAX)
		return loom_fail(err, LOOM_EINPUT, "%" PRIu32 " processors: a permutation has 1 to %d", n,
		                 LOOM_NODES_MAX);
	uint32_t *map = malloc(n * sizeof *map);
	uint32_t *source_of = malloc(n * sizeof *source_of);
	int code;
	if (!map || !source_of) {
		code = loom_pattern_no_memory(err);
		goto out;
	}
	memset(source_of, 0xff, n * sizeof *source_of);
	code = perm_of_text(map, source_of, n, &c);
	if (code)
		goto out;
	*out = map;
	map = NULL;
out:
	free(map);
	free(source_of);
	return code;
}
