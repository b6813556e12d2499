// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_VERILATED_SEAL_H
#define LOOM_VERILATED_SEAL_H

#include <stdbool.h>

// A line at the end of a model's file, behind the shared object: its name, size and CRC-32. Loading a file that was cut
// could end the program (SIGBUS), so that none is loaded whose seal is not right. The file is given as a descriptor: what
// is loaded after the look at the seal is the same file.

int loom_verilated_seal(int fd, const char *name); // errno's value, or 0; readable and writable
bool loom_verilated_is_sealed(int fd, const char *name);
#endif
