// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_FTDI_FIND_H
#define LOOM_FTDI_FIND_H

#include <ftdi.h>
#include <stddef.h>

#include <flitloom/err.h>

// The FTDI chip that a link's argument names, and the search for it.
struct loom_ftdi_request {
	unsigned vendor, product; // product 0: any of the known ones
	char serial[64], interface[4];
	unsigned index, baud, latency_ms;
};

int loom_ftdi_parse(struct loom_ftdi_request *out, const char *text, struct loom_err *err);

// Opens the chip. `name` gets its name for a person. LOOM_ELINK: there is none, or it cannot be opened; LOOM_EINPUT:
// it has no such channel.
int loom_ftdi_find(struct ftdi_context *ftdi, const struct loom_ftdi_request *r, char *name, size_t size,
                   struct loom_err *err);

#endif
