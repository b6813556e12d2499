// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "scratch_folder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <dirent.h>
#include <unistd.h>
#include <cmocka.h>

static char folder[] = "/tmp/flitloom-test.XXXXXX";

int scratch_make(void **state)
{
	(void)state;
	return mkdtemp(folder) ? 0 : -1;
}

int scratch_remove(void **state)
{
	(void)state;
	return rmdir(folder);
}

int scratch_enter(void **state)
{
	return scratch_make(state) == 0 ? chdir(folder) : -1;
}

int scratch_leave(void **state)
{
	return chdir("/") == 0 ? scratch_remove(state) : -1;
}

const char *scratch_folder(void)
{
	return folder;
}

const char *scratch_path(const char *name)
{
	static char path[256];
	(void)snprintf(path, sizeof path, "%s/%s", folder, name);
	return path;
}

void scratch_write(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

size_t scratch_files(void)
{
	size_t n = 0;
	DIR *dir = opendir(folder);
	assert_non_null(dir);
	while (readdir(dir))
		n++;
	(void)closedir(dir);
	return n - 2; // . and ..
}
