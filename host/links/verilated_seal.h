// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_VERILATED_SEAL_H
#define LOOM_VERILATED_SEAL_H

#include <stdbool.h>

// A line at the end of a model's file, behind the shared object: its name, size and CRC-32. Loading a truncated file
// could end the program (SIGBUS), so a file without a valid seal is not loaded. The file is given as a descriptor, so
// the file that is loaded is the one that was checked.

int loom_verilated_seal(int fd, const char *name); // errno's value, or 0; readable and writable
bool loom_verilated_is_sealed(int fd, const char *name);
#endif
