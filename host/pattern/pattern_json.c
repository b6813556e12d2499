// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
// Linear-complement communications as JSON, one or a set.
#include <ctype.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "pattern/pattern_internal.h"
#include "base/json.h"
#include "base/text.h"

// The place in a JSON text: "FILE" or "FILE: member 3".
struct json_place {
	char text[128];
	struct loom_err *err;
};

static const char *show_json(char *out, size_t size, const json_t *value)
{
	char inner[40];
	switch (json_typeof(value)) {
	case JSON_INTEGER: (void)snprintf(out, size, "%" JSON_INTEGER_FORMAT, json_integer_value(value)); break;
	case JSON_REAL: (void)snprintf(out, size, "%g", json_real_value(value)); break;
	case JSON_STRING:
		(void)snprintf(
			out, size, "\"%s\"",
			loom_text_quote(inner, sizeof inner, json_string_value(value), json_string_length(value)));
		break;
	case JSON_ARRAY: (void)snprintf(out, size, "a list"); break;
	case JSON_OBJECT: (void)snprintf(out, size, "an object"); break;
	case JSON_TRUE: (void)snprintf(out, size, "true"); break;
	case JSON_FALSE: (void)snprintf(out, size, "false"); break;
	default: (void)snprintf(out, size, "null"); break;
	}
	return out;
}

static int load_json(json_t **out, const char *text, size_t length, size_t length_max, const char *where,
                     struct loom_err *err)
{
	char place[96], what[96];
	loom_text_where(place, sizeof place, where);
	if (length > length_max)
		return loom_fail(err, LOOM_EINPUT, "%s: %zu bytes of JSON, at most %zu can be right", place, length,
		                 length_max);
	json_error_t error;
	json_t *root = loom_json_read(text, length, &error);
	if (!root) {
		if (error.line < 0)
			return loom_pattern_no_memory(err);
		loom_text_quote(what, sizeof what, error.text, strlen(error.text));
		return loom_fail(err, LOOM_EINPUT, "%s, line %d, column %d: not JSON: %s", place, error.line,
		                 error.column, what);
	}
	*out = root;
	return 0;
}

// A bit vector: an integer, or "0x..." because JSON integers here end at 2^63 - 1.
static bool word_of(uint64_t *out, const json_t *value)
{
	if (json_is_integer(value)) {
		*out = (uint64_t)json_integer_value(value);
		return json_integer_value(value) >= 0;
	}
	if (!json_is_string(value))
		return false;
	const char *text = json_string_value(value);
	size_t length = json_string_length(value);
	if (length < 3 || length > 18 || text[0] != '0' || (text[1] != 'x' && text[1] != 'X'))
		return false;
	uint64_t word = 0;
	for (size_t i = 2; i < length; i++) {
		if (!isxdigit((unsigned char)text[i]))
			return false;
		int digit = tolower((unsigned char)text[i]);
		word = word << 4 | (uint64_t)(digit <= '9' ? digit - '0' : digit - 'a' + 10);
	}
	*out = word;
	return true;
}

static int read_word(uint64_t *out, const json_t *value, unsigned n, const char *what, const struct json_place *place)
{
	uint64_t word = 0;
	if (!word_of(&word, value) || (word & ~loom_gf2_mask(n))) {
		char shown[64];
		return loom_fail(place->err, LOOM_EINPUT,
		                 "%s: %s is %s: it must be an integer or \"0x...\" in 0..%" PRIu64 ", n = %u bits",
		                 place->text, what, show_json(shown, sizeof shown, value), loom_gf2_mask(n), n);
	}
	*out = word;
	return 0;
}

static const char *key_at(size_t i)
{
	static const char *const keys[] = {"n", "kind", "A", "b"};
	return i < sizeof keys / sizeof keys[0] ? keys[i] : NULL;
}

static const char *kind_at(size_t i)
{
	static const char *const kinds[] = {
		[LOOM_LCC_PERMUTATION] = "permutation", [LOOM_LCC_GATHER] = "gather", [LOOM_LCC_SCATTER] = "scatter"};
	return i < sizeof kinds / sizeof kinds[0] ? kinds[i] : NULL;
}

static int check_keys(const json_t *object, const struct json_place *place)
{
	for (void *i = json_object_iter((json_t *)object); i; i = json_object_iter_next((json_t *)object, i)) {
		const char *key = json_object_iter_key(i);
		size_t k = 0;
		while (key_at(k) && strcmp(key, key_at(k)) != 0)
			k++;
		if (!key_at(k)) {
			char shown[40];
			return loom_fail(place->err, LOOM_EINPUT,
			                 "%s: unknown key \"%s\": an LCC has \"n\", \"kind\", \"A\", \"b\"",
			                 place->text, loom_text_quote(shown, sizeof shown, key, strlen(key)));
		}
	}
	for (size_t k = 0; key_at(k) && k < 3; k++) // b may be left out: 0
		if (!json_object_get(object, key_at(k)))
			return loom_fail(place->err, LOOM_EINPUT,
			                 "%s: no \"%s\": an LCC has \"n\", \"kind\", \"A\", \"b\"", place->text,
			                 key_at(k));
	return 0;
}

static int read_kind(enum loom_lcc_kind *out, const json_t *value, const struct json_place *place)
{
	const char *text = json_string_value(value);
	for (size_t i = 0; text && kind_at(i); i++)
		if (strcmp(text, kind_at(i)) == 0) {
			*out = (enum loom_lcc_kind)i;
			return 0;
		}
	char shown[64];
	return loom_fail(place->err, LOOM_EINPUT,
	                 "%s: kind is %s: it must be \"permutation\", \"gather\" or \"scatter\"", place->text,
	                 show_json(shown, sizeof shown, value));
}

static int lcc_of_object(struct loom_lcc *out, const json_t *object, const struct json_place *place)
{
	char shown[64];
	struct loom_lcc lcc = {.b = 0};

	if (!json_is_object(object))
		return loom_fail(place->err, LOOM_EINPUT, "%s: %s, not an object {\"n\", \"kind\", \"A\", \"b\"}",
		                 place->text, show_json(shown, sizeof shown, object));
	int code = check_keys(object, place);
	if (code)
		return code;

	const json_t *n = json_object_get(object, "n");
	if (!json_is_integer(n) || json_integer_value(n) < 1 || json_integer_value(n) > LOOM_GF2_MAX)
		return loom_fail(place->err, LOOM_EINPUT, "%s: n is %s: it must be an integer in 1..%d", place->text,
		                 show_json(shown, sizeof shown, n), LOOM_GF2_MAX);
	lcc.a.n = (unsigned)json_integer_value(n);
	code = read_kind(&lcc.kind, json_object_get(object, "kind"), place);
	if (code)
		return code;

	const json_t *a = json_object_get(object, "A");
	if (!json_is_array(a))
		return loom_fail(place->err, LOOM_EINPUT, "%s: A is %s: it must be a list of n row integers",
		                 place->text, show_json(shown, sizeof shown, a));
	if (json_array_size(a) != lcc.a.n)
		return loom_fail(place->err, LOOM_EINPUT, "%s: A has %zu rows, not n = %u: it must be square",
		                 place->text, json_array_size(a), lcc.a.n);
	for (unsigned i = 0; i < lcc.a.n && !code; i++) {
		char what[16];
		(void)snprintf(what, sizeof what, "A[%u]", i);
		code = read_word(&lcc.a.row[i], json_array_get(a, i), lcc.a.n, what, place);
	}
	const json_t *b = json_object_get(object, "b");
	if (!code && b)
		code = read_word(&lcc.b, b, lcc.a.n, "b", place);
	if (code)
		return code;

	if (lcc.kind != LOOM_LCC_SCATTER) {
		unsigned rank = loom_gf2_rank(&lcc.a);
		if (rank < lcc.a.n && lcc.kind == LOOM_LCC_PERMUTATION)
			return loom_fail(place->err, LOOM_EINPUT,
			                 "%s: A has rank %u, a permutation needs n = %u: \"gather\" takes "
			                 "any",
			                 place->text, rank, lcc.a.n);
		lcc.kind = rank == lcc.a.n ? LOOM_LCC_PERMUTATION : LOOM_LCC_GATHER;
	}
	*out = lcc;
	return 0;
}

static struct json_place place_of(const char *where, struct loom_err *err)
{
	struct json_place place = {.err = err};
	loom_text_where(place.text, 96, where);
	return place;
}

int loom_lcc_of_json(struct loom_lcc *out, const char *text, size_t length, const char *where, struct loom_err *err)
{
	json_t *root = NULL;
	int code = load_json(&root, text, length, LOOM_LCC_TEXT_MAX, where, err);
	if (code)
		return code;
	struct json_place place = place_of(where, err);
	code = lcc_of_object(out, root, &place);
	json_decref(root);
	return code;
}

int loom_lcc_set_of_json(struct loom_lcc **out, uint32_t *n_out, const char *text, size_t length, const char *where,
                         struct loom_err *err)
{
	json_t *root = NULL;
	struct loom_lcc *lccs = NULL;
	int code = load_json(&root, text, length, LOOM_SET_TEXT_MAX, where, err);
	if (code)
		return code;
	struct json_place place = place_of(where, err);
	size_t named = strlen(place.text);
	size_t n = json_array_size(root);
	if (n < 1 || n > LOOM_SET_MAX) {
		code = loom_fail(err, LOOM_EINPUT, "%s: %zu communications: a set has 1 to %d", place.text, n,
		                 LOOM_SET_MAX);
		goto out;
	}
	lccs = malloc(n * sizeof *lccs);
	if (!lccs) {
		code = loom_pattern_no_memory(err);
		goto out;
	}
	for (size_t r = 0; r < n; r++) {
		(void)snprintf(place.text + named, sizeof place.text - named, ": member %zu", r);
		code = lcc_of_object(&lccs[r], json_array_get(root, r), &place);
		if (!code && lccs[r].a.n != lccs[0].a.n)
			code = loom_fail(err, LOOM_EINPUT, "%s: n is %u, that of member 0 is %u: all have the same",
			                 place.text, lccs[r].a.n, lccs[0].a.n);
		if (code)
			goto out;
	}
	*out = lccs;
	*n_out = (uint32_t)n;
	lccs = NULL;
out:
	free(lccs);
	json_decref(root);
	return code;
}
