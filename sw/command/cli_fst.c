// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The list of signals in an FST file. The file is made of blocks, each a byte of its kind and a length in eight; one of
// them is the hierarchy, compressed: bytes that open and close scopes, and declare variables.
#include "cli_fst.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { GZIP = 4, LZ4 = 6, LZ4_TWICE = 7 };                                   // kinds of blocks with a hierarchy
enum { ATTRIBUTE = 252, END_ATTRIBUTE = 253, SCOPE = 254, END_SCOPE = 255 }; // the codes with which its entries begin
enum { SCOPES_MAX = 64, PATH_MOST = 4096, KIND_MOST = 29 };
#define HIERARCHY_MOST ((uint64_t)1 << 30)

// --- LZ4 -----------------------------------------------------------------------------------------------------------

static bool long_length(size_t *length, const uint8_t **at, const uint8_t *end)
{
	if (*length != 15)
		return true;
	for (;;) {
		if (*at == end)
			return false;
		uint8_t more = *(*at)++;
		*length += more;
		if (more != 255)
			return true;
	}
}

// A block of LZ4: literals, then a copy of what came before, over and over. False: damaged.
static bool unpack(uint8_t *out, size_t n_out, const uint8_t *in, size_t n_in)
{
	const uint8_t *end = in + n_in;
	size_t n = 0;
	while (in < end) {
		uint8_t token = *in++;
		size_t length = token >> 4;
		if (!long_length(&length, &in, end) || length > (size_t)(end - in) || length > n_out - n)
			return false;
		memcpy(out + n, in, length);
		n += length;
		in += length;
		if (in == end)
			break;
		if (end - in < 2)
			return false;
		size_t back = in[0] | (size_t)in[1] << 8;
		in += 2;
		length = token & 15;
		if (!long_length(&length, &in, end) || back == 0 || back > n || length + 4 > n_out - n)
			return false;
		for (length += 4; length > 0; length--, n++)
			out[n] = out[n - back];
	}
	return n == n_out;
}

static bool gunzip(uint8_t *out, size_t n_out, const uint8_t *in, size_t n_in)
{
	z_stream z = {
		.next_in = (Bytef *)(uintptr_t)in, .avail_in = (uInt)n_in, .next_out = out, .avail_out = (uInt)n_out};
	if (inflateInit2(&z, 15 + 16) != Z_OK)
		return false;
	bool good = inflate(&z, Z_FINISH) == Z_STREAM_END && z.total_out == n_out;
	(void)inflateEnd(&z);
	return good;
}

// --- Blocks --------------------------------------------------------------------------------------------------------

static uint64_t big_endian(const uint8_t *bytes)
{
	uint64_t value = 0;
	for (int i = 0; i < 8; i++)
		value = value << 8 | bytes[i];
	return value;
}

// The hierarchy as it was before it was compressed; NULL: there is none, or it is damaged.
static uint8_t *unpacked(size_t *n_out, int kind, const uint8_t *block, size_t n)
{
	size_t head = kind == LZ4_TWICE ? 16 : 8;
	if (n < head || big_endian(block) > HIERARCHY_MOST)
		return NULL;
	size_t n_whole = (size_t)big_endian(block), n_once = 0;
	const uint8_t *data = block + head;
	uint8_t *once = NULL, *whole = malloc(n_whole + 1);
	bool good = whole != NULL;
	n -= head;
	if (good && kind == LZ4_TWICE) {
		n_once = big_endian(block + 8) <= HIERARCHY_MOST ? (size_t)big_endian(block + 8) : 0;
		once = malloc(n_once + 1);
		good = once && unpack(once, n_once, data, n);
		data = once;
		n = n_once;
	}
	good = good && (kind == GZIP ? gunzip(whole, n_whole, data, n) : unpack(whole, n_whole, data, n));
	free(once);
	if (good) {
		*n_out = n_whole;
		return whole;
	}
	free(whole);
	return NULL;
}

static uint8_t *find_hierarchy(size_t *n_out, FILE *stream)
{
	uint8_t head[9], *found = NULL;
	while (!found && fread(head, sizeof head, 1, stream) == 1) {
		uint64_t length = big_endian(head + 1);
		int kind = head[0];
		if (length < 8 || length > INT64_MAX)
			break;
		if (kind != GZIP && kind != LZ4 && kind != LZ4_TWICE) {
			if (fseeko(stream, (off_t)(length - 8), SEEK_CUR) != 0)
				break;
			continue;
		}
		uint8_t *block = length <= HIERARCHY_MOST ? malloc((size_t)length) : NULL;
		if (block && fread(block, (size_t)length - 8, 1, stream) == 1)
			found = unpacked(n_out, kind, block, (size_t)length - 8);
		free(block);
		break;
	}
	return found;
}

// --- Entries -------------------------------------------------------------------------------------------------------

struct cursor {
	const uint8_t *at, *end;
	bool good;
};

static const char *take_text(struct cursor *c)
{
	const uint8_t *zero = memchr(c->at, 0, (size_t)(c->end - c->at));
	const char *text = (const char *)c->at;
	c->good = c->good && zero;
	c->at = zero ? zero + 1 : c->end;
	return zero ? text : "";
}

static uint64_t take_number(struct cursor *c)
{
	uint64_t value = 0;
	for (unsigned shift = 0; c->at < c->end && shift < 64; shift += 7) {
		uint8_t byte = *c->at++;
		value |= (uint64_t)(byte & 127) << shift;
		if (byte < 128)
			return value;
	}
	c->good = false;
	return 0;
}

static int add_signal(struct cli_fst *out, const char *scope, const char *name, uint64_t n_bits)
{
	char path[PATH_MOST + 2];
	size_t n_scope = strlen(scope), used = n_scope;
	(void)snprintf(path, sizeof path, "%s.", scope);
	used = strlen(path);
	for (const char *c = name; *c && used + 1 < sizeof path; c++) // "count [31:0]"
		if (*c != ' ')
			path[used++] = *c;
	path[used] = '\0';
	if ((out->n_signals & (out->n_signals - 1)) == 0) { // a power of two: full
		size_t room = out->n_signals ? 2 * out->n_signals : 1;
		struct cli_fst_signal *more = realloc(out->signals, room * sizeof *more);
		if (!more)
			return LOOM_ENOMEM;
		out->signals = more;
	}
	char *copy = strdup(path);
	if (!copy)
		return LOOM_ENOMEM;
	out->signals[out->n_signals++] =
		(struct cli_fst_signal){.path = copy, .n_scope = n_scope, .n_bits = (unsigned)n_bits};
	return 0;
}

static int read_entries(struct cli_fst *out, struct cursor *c)
{
	char scope[PATH_MOST] = "";
	size_t length[SCOPES_MAX + 1] = {0}, depth = 0;
	int rc = 0;
	while (rc == 0 && c->good && c->at < c->end) {
		uint8_t tag = *c->at++;
		if (tag == SCOPE && depth < SCOPES_MAX) {
			c->at += c->at < c->end;
			const char *name = take_text(c);
			(void)take_text(c);
			size_t used = length[depth];
			(void)snprintf(scope + used, sizeof scope - used, "%s%s", used ? "." : "", name);
			length[++depth] = strlen(scope);
		} else if (tag == END_SCOPE && depth > 0) {
			scope[length[--depth]] = '\0';
		} else if (tag == ATTRIBUTE) {
			c->at += c->end - c->at < 2 ? c->end - c->at : 2;
			(void)take_text(c);
			(void)take_number(c);
		} else if (tag <= KIND_MOST) {
			c->at += c->at < c->end;
			const char *name = take_text(c);
			uint64_t n_bits = take_number(c);
			(void)take_number(c);
			rc = c->good ? add_signal(out, scope, name, n_bits) : 0;
		} else {
			c->good = tag == END_ATTRIBUTE;
		}
	}
	return rc;
}

int cli_fst_read(struct cli_fst *out, const char *path, struct loom_err *err)
{
	struct cli_fst fst = {0};
	size_t n = 0;
	FILE *stream = fopen(path, "rbe");
	if (!stream)
		return loom_fail(err, LOOM_EFILE, "%.200s: cannot be read: %s", path, strerror(errno));
	uint8_t *entries = find_hierarchy(&n, stream);
	(void)fclose(stream);
	if (!entries)
		return loom_fail(err, LOOM_EFILE, "%.200s: no list of signals in this waveform", path);
	struct cursor c = {.at = entries, .end = entries + n, .good = true};
	int rc = read_entries(&fst, &c);
	free(entries);
	if (rc != 0)
		rc = loom_fail(err, rc, "out of memory for the signals of a waveform");
	else if (!c.good)
		rc = loom_fail(err, LOOM_EFILE, "%.200s: the list of signals in this waveform is damaged", path);
	if (rc != 0)
		cli_fst_free(&fst);
	else
		*out = fst;
	return rc;
}

void cli_fst_free(struct cli_fst *fst)
{
	for (size_t i = 0; i < fst->n_signals; i++)
		free(fst->signals[i].path);
	free(fst->signals);
	*fst = (struct cli_fst){0};
}
