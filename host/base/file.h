// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_FILE_H
#define LOOM_FILE_H

#include <stddef.h>
#include <stdio.h>

#include <flitloom/err.h>

// Files as a whole.

// Reads all of it; a pipe will do. *out is malloc'ed. LOOM_EFILE: it cannot be read, is a directory, or has more than
// bytes_max bytes.
int loom_file_read(char **out, size_t *length_out, const char *path, size_t bytes_max, struct loom_err *err);

// Replaces the file by what `put` writes to the stream (0; -1: it ran out of memory), under a temporary name next to it
// first. A symbolic link stays one, a mode is kept; pipes and devices are written in place. LOOM_EFILE: nothing has
// changed and nothing is left behind.
int loom_file_write(const char *path, int (*put)(FILE *stream, const void *user), const void *user,
                    struct loom_err *err);

#endif
