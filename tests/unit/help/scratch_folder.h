// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef TEST_SCRATCH_FOLDER_H
#define TEST_SCRATCH_FOLDER_H

#include <stddef.h>

// A separate folder for a test program. make and remove are for cmocka_run_group_tests; remove fails if a test left a
// file.
int scratch_make(void **state);
int scratch_remove(void **state);
// As scratch_make, and changes to the folder.
int scratch_enter(void **state);
int scratch_leave(void **state);

const char *scratch_folder(void);
const char *scratch_path(const char *name);             // of a file in it; valid until the next call
void scratch_write(const char *path, const char *text); // a file with this text
size_t scratch_files(void);                             // how many there are

#endif
