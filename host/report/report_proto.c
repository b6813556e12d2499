// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "report/report_proto.h"

#include <string.h>

enum { VARINT = 0, FIXED64 = 1, BYTES = 2 }; // wire types

static void put(struct loom_proto *p, const void *bytes, size_t n)
{
	if (n > sizeof p->byte - p->n) {
		p->cut = 1;
		return;
	}
	memcpy(p->byte + p->n, bytes, n);
	p->n += n;
}

static void put_varint(struct loom_proto *p, uint64_t value)
{
	uint8_t bytes[10];
	size_t n = 0;
	for (; value >= 0x80; value >>= 7)
		bytes[n++] = (uint8_t)(value | 0x80);
	bytes[n++] = (uint8_t)value;
	put(p, bytes, n);
}

static void put_tag(struct loom_proto *p, unsigned field, unsigned type)
{
	put_varint(p, (uint64_t)field << 3 | type);
}

void loom_proto_number(struct loom_proto *p, unsigned field, uint64_t value)
{
	put_tag(p, field, VARINT);
	put_varint(p, value);
}

void loom_proto_fixed(struct loom_proto *p, unsigned field, uint64_t value)
{
	uint8_t bytes[8];
	for (unsigned k = 0; k < 8; k++)
		bytes[k] = (uint8_t)(value >> 8 * k);
	put_tag(p, field, FIXED64);
	put(p, bytes, sizeof bytes);
}

static void put_bytes(struct loom_proto *p, unsigned field, const void *bytes, size_t n)
{
	put_tag(p, field, BYTES);
	put_varint(p, n);
	put(p, bytes, n);
}

void loom_proto_text(struct loom_proto *p, unsigned field, const char *text)
{
	put_bytes(p, field, text, strlen(text));
}

void loom_proto_message(struct loom_proto *p, unsigned field, const struct loom_proto *inner)
{
	put_bytes(p, field, inner->byte, inner->n);
	p->cut |= inner->cut;
}
