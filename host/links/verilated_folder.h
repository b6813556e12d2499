// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_VERILATED_FOLDER_H
#define LOOM_VERILATED_FOLDER_H

#include <limits.h>
#include <stdbool.h>
#include <sys/stat.h>

#include <flitloom/err.h>

// The folder of models. The program loads and runs its files, and removes old ones. So the folder and its files must
// belong to the user or to root, and no other user may write them; and the program removes only files of the user
// with a name that flitloom gives. It never follows links in the folder.
struct loom_verilated_folder {
	char path[PATH_MAX];
	int fd; // owned; -1: there is no such folder
};

// Makes the folder and those above it; nobody else can read those that it makes. errno's value, or 0.
int loom_verilated_folder_make(const char *path);

// Opens the folder. LOOM_EFILE: the folder exists, but others could have put files there: it, or a folder above it,
// belongs to another user, or others may write in it. Above it, that is harmless if only the owner of a file may
// remove it (/tmp).
int loom_verilated_folder_open(struct loom_verilated_folder *out, const char *path, struct loom_err *err);
void loom_verilated_folder_close(struct loom_verilated_folder *folder);

// True if only the user and root can have written the file.
bool loom_verilated_is_safe(const struct stat *s);

// True if a name is NAME-SOURCES-TOOLS and `suffix`, with 16 and 8 hexadecimal digits: the names of models, and of
// all files that belong to one.
bool loom_verilated_is_our_name(const char *name, const char *suffix);

enum loom_verilated_owner { LOOM_NOT_THERE, LOOM_OURS, LOOM_ANOTHERS };

// Finds the owner of the file of that name. A file of another type (S_IFDIR, S_IFREG) is not ours.
enum loom_verilated_owner loom_verilated_owner(const struct loom_verilated_folder *folder, const char *name,
                                               mode_t type);

// Opens a file to write: a descriptor, or -1 and errno; EPERM: there is one that is not ours.
int loom_verilated_folder_lock_file(const struct loom_verilated_folder *folder, const char *name);

// Removes a file, or a folder with all its files, if it is ours. A file that cannot be removed stays.
void loom_verilated_folder_remove(const struct loom_verilated_folder *folder, const char *name, mode_t type);

#endif
