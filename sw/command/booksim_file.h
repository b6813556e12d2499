// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef FLITLOOM_BOOKSIM_FILE_H
#define FLITLOOM_BOOKSIM_FILE_H

#include <stddef.h>

#include <flitloom/err.h>

// A configuration of BookSim2: settings NAME = VALUE, and comments from // to the end of a line. A later setting
// replaces an earlier one of the same name.

#define BOOKSIM_TEXT 256 // bytes of a name or a value, with its end

struct booksim_setting {
	char name[BOOKSIM_TEXT], value[BOOKSIM_TEXT];
	size_t line; // of the file; 0: from the command line, or a default
};

struct booksim_file {
	struct booksim_setting *setting; // owned
	size_t n;
};

// Reads the settings of a file; "-": standard input. LOOM_EINPUT names line and column; LOOM_EFILE, LOOM_ENOMEM.
int booksim_file_read(struct booksim_file *out, const char *path, struct loom_err *err);
// Adds NAME=VALUE of the command line, which BookSim2 reads behind the file. LOOM_EINPUT, LOOM_ENOMEM.
int booksim_file_add(struct booksim_file *file, const char *text, struct loom_err *err);
void booksim_file_free(struct booksim_file *file); // leaves it zeroed

// Returns the setting of that name; NULL: it is not given.
const struct booksim_setting *booksim_file_find(const struct booksim_file *file, const char *name);

#endif
