// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_REGISTER_NAME_H
#define LOOM_REGISTER_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <flitloom/api.h>
#include <flitloom/err.h>

LOOM_API_BEGIN

// Reads a word address as people write it: a number (decimal, 0x...), or a register of docs/registers.md or
// docs/protocol.md: "STATUS", "LOG_COUNT.5" (of node 5), "PROGRAM.all+2" (two words on, of all nodes). Case does not
// matter. LOOM_EINPUT.
int loom_register_parse(uint32_t *out, const char *text, struct loom_err *err);

// Writes the name of an address: "STATUS", "PROGRAM.3+2"; at most `size` bytes with the zero; empty if no known
// register is there.
void loom_register_name(char *out, size_t size, uint32_t address);

// The registers, one after the other.
const char *loom_register_at(size_t i); // names, NULL after the last
uint32_t loom_register_address(size_t i);
const char *loom_register_text(size_t i); // its meaning, and before it "RO: ", "RW: " or "WO: "
bool loom_register_is_window(size_t i);   // each node or tile has one; the address is then that of the first

LOOM_API_END

#endif
