// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Packs the files of a journal into the bytes of a message, and back.
#include "files.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NAME_MOST 64

// The head of a file in a message.
struct head {
	char name[NAME_MOST];
	size_t length;
};

bool bytes_add(struct bytes *to, const void *from, size_t n)
{
	if (to->n + n > to->size) {
		const size_t size = 2 * (to->n + n);
		char *at = realloc(to->at, size);
		if (!at)
			return false;
		to->at = at;
		to->size = size;
	}
	memcpy(to->at + to->n, from, n);
	to->n += n;
	return true;
}

static bool ends_in(const char *name, const char *ending)
{
	const size_t n = strlen(name), m = strlen(ending);
	return n > m && strcmp(name + n - m, ending) == 0;
}

static bool is_result(const char *name)
{
	return (ends_in(name, ".json") || ends_in(name, ".by")) && strlen(name) < NAME_MOST;
}

static bool take_file(struct bytes *to, const char *path, const char *name)
{
	struct head head = {.length = 0};
	char part[1 << 14];
	const size_t at = to->n;
	FILE *file = fopen(path, "rbe");
	memcpy(head.name, name, strlen(name));
	bool whole = file && bytes_add(to, &head, sizeof head);
	for (size_t n; whole && (n = fread(part, 1, sizeof part, file)) > 0; head.length += n)
		whole = bytes_add(to, part, n);
	whole = whole && !ferror(file);
	if (whole)
		memcpy(to->at + at, &head, sizeof head);
	if (file)
		(void)fclose(file);
	return whole;
}

bool files_take(struct bytes *to, const char *folder)
{
	DIR *dir = opendir(folder);
	bool whole = dir;
	for (const struct dirent *it; whole && (it = readdir(dir));) {
		char path[PATH_MAX];
		if (!is_result(it->d_name))
			continue;
		(void)snprintf(path, sizeof path, "%s/%s", folder, it->d_name);
		whole = take_file(to, path, it->d_name) && unlink(path) == 0;
	}
	if (dir)
		(void)closedir(dir);
	return whole;
}

static bool put_file(const char *folder, const char *name, const char *bytes, size_t n)
{
	char path[PATH_MAX], part[PATH_MAX];
	(void)snprintf(path, sizeof path, "%s/%s", folder, name);
	if (snprintf(part, sizeof part, "%s.part", path) >= (int)sizeof part)
		return false;
	FILE *file = fopen(part, "wbe");
	bool whole = file && fwrite(bytes, 1, n, file) == n;
	if (file)
		whole = fclose(file) == 0 && whole;
	return whole && rename(part, path) == 0;
}

// Files of groups (.by) come first: a result is whole when its .json is there.
static bool put_files(const char *folder, const char *from, size_t n, const char *ending)
{
	bool whole = true;
	for (size_t at = 0; whole && at < n;) {
		struct head head;
		if (n - at < sizeof head)
			return false;
		memcpy(&head, from + at, sizeof head);
		at += sizeof head;
		if (head.length > n - at || head.name[NAME_MOST - 1] != '\0' || strchr(head.name, '/') ||
		    !is_result(head.name))
			return false;
		if (ends_in(head.name, ending))
			whole = put_file(folder, head.name, from + at, head.length);
		at += head.length;
	}
	return whole;
}

bool files_put(const char *folder, const char *from, size_t n)
{
	return put_files(folder, from, n, ".by") && put_files(folder, from, n, ".json");
}

void files_remove(const char *folder)
{
	DIR *dir = opendir(folder);
	for (const struct dirent *it; dir && (it = readdir(dir));) {
		char path[PATH_MAX];
		(void)snprintf(path, sizeof path, "%s/%s", folder, it->d_name);
		if (it->d_name[0] != '.')
			(void)unlink(path);
	}
	if (dir)
		(void)closedir(dir);
	(void)rmdir(folder);
}
