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

// Adds name, length and bytes of each file of a journal that is a result, and removes it there. False: one of them cannot be read.
bool files_take(struct bytes *to, const char *folder);
// Writes such files into a folder, each under another name first. False: that cannot be.
bool files_put(const char *folder, const char *from, size_t n);
// Removes a folder and the files in it.
void files_remove(const char *folder);

#endif
