// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_FILE_H
#define LOOM_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <flitloom/err.h>

// Files as a whole. The path "-" is standard input or output; a file of that name is "./-".
bool loom_file_is_standard(const char *path);

// Reads a whole text file, which may be a pipe, without the byte order mark at its beginning, if any. Standard input
// that is a regular file is read from its beginning, so it can be read twice. *out is malloc'ed. LOOM_EFILE: it cannot
// be read, is a directory, has a byte 0, which no text has, or more than bytes_max bytes; a pipe or a device, which may
// have no end, may have at most 64 MiB.
int loom_file_read(char **out, size_t *length_out, const char *path, size_t bytes_max, struct loom_err *err);
// Reads a whole file that need not be text.
int loom_file_read_bytes(char **out, size_t *length_out, const char *path, size_t bytes_max, struct loom_err *err);
// Checks that the bytes of such a file are text.
int loom_file_check_text(const char *text, size_t length, const char *path, struct loom_err *err);

// Replaces the file by the output of `put` (0; -1: it ran out of memory), under a temporary name next to it first. A
// symbolic link stays one, and the mode is kept. Pipes and devices are written in place, and standard output once the
// output is complete. LOOM_EFILE, LOOM_ENOMEM: nothing has changed, and no temporary file is left.
int loom_file_write(const char *path, int (*put)(FILE *stream, const void *user), const void *user,
                    struct loom_err *err);
// Writes `length` bytes of `text` to a file, as loom_file_write does.
int loom_file_write_text(const char *path, const char *text, size_t length, struct loom_err *err);

#endif
