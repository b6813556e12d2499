// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_VERILATED_FOLDER_H
#define LOOM_VERILATED_FOLDER_H

#include <limits.h>
#include <stdbool.h>
#include <sys/stat.h>

#include <flitloom/err.h>

// The folder that models are kept in. The program loads and runs its files, and removes old ones. So the folder and
// its files must belong to the user or to root, and nobody else may write them; and only files of the user with a
// name that flitloom gives are removed. Links in it are never followed.
struct loom_verilated_folder {
	char path[PATH_MAX];
	int fd; // owned; -1: there is no such folder
};

// Makes the folder and those above it, which nobody else can read then. errno's value, or 0.
int loom_verilated_folder_make(const char *path);

// LOOM_EFILE: there is a folder, but others could have put something there: it, or one above it, is someone else's, or others
// may write in it. Above it, that does no harm where only the owner of a file may remove it (/tmp).
int loom_verilated_folder_open(struct loom_verilated_folder *out, const char *path, struct loom_err *err);
void loom_verilated_folder_close(struct loom_verilated_folder *folder);

// True if nobody but the user and root can have written it.
bool loom_verilated_is_safe(const struct stat *s);

// NAME-SOURCES-TOOLS and `suffix`, of 16 and 8 hexadecimal digits: what models, and all that belongs to one, are called.
bool loom_verilated_is_our_name(const char *name, const char *suffix);

enum loom_verilated_owner { LOOM_NOT_THERE, LOOM_OURS, LOOM_ANOTHERS };

// Says who owns the file of that name. One of another type (S_IFDIR, S_IFREG) is not ours.
enum loom_verilated_owner loom_verilated_owner(const struct loom_verilated_folder *folder, const char *name,
                                               mode_t type);

// A file to write: a descriptor, or -1 and errno; EPERM: there is one that is not ours.
int loom_verilated_folder_lock_file(const struct loom_verilated_folder *folder, const char *name);

// Removes a file or a folder with all that is in it, if it is ours. What cannot be removed is left.
void loom_verilated_folder_remove(const struct loom_verilated_folder *folder, const char *name, mode_t type);

#endif
