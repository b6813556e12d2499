// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef FLITLOOM_MPI_FILES_H
#define FLITLOOM_MPI_FILES_H

#include <stdbool.h>
#include <stddef.h>

// Bytes that grow. Zeroed: none.
struct bytes {
	char *at; // owned
	size_t n, size;
};
bool bytes_add(struct bytes *to, const void *from, size_t n); // false: no memory

// Adds name, length and bytes of each result file of a journal, and removes the file there. False: a file cannot be
// read.
bool files_take(struct bytes *to, const char *folder);
// Writes such files into a folder, each under another name first. False: a file cannot be written.
bool files_put(const char *folder, const char *from, size_t n);
// Removes a folder and the files in it.
void files_remove(const char *folder);

#endif
