// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_REPORT_PROTO_H
#define LOOM_REPORT_PROTO_H

#include <stddef.h>
#include <stdint.h>

// Messages of Protocol Buffers, as far as a trace for Perfetto needs them. A message is built in memory, and then put
// into another message or a file. That never fails: if there is no room the message is cut, and `cut` is set.

#define LOOM_PROTO_BYTES 1024

struct loom_proto {
	uint8_t byte[LOOM_PROTO_BYTES];
	size_t n;
	int cut; // a value had no room
};

void loom_proto_number(struct loom_proto *p, unsigned field, uint64_t value);
void loom_proto_fixed(struct loom_proto *p, unsigned field, uint64_t value); // 64 bits
void loom_proto_text(struct loom_proto *p, unsigned field, const char *text);
void loom_proto_message(struct loom_proto *p, unsigned field, const struct loom_proto *inner);

#endif
