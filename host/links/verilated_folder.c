// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "links/verilated_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OTHERS (S_IWGRP | S_IWOTH)

// --- Whom a folder is safe from --------------------------------------------------------------------------------------

static bool is_owner_trusted(const struct stat *s)
{
	return s->st_uid == geteuid() || s->st_uid == 0;
}

bool loom_verilated_is_safe(const struct stat *s)
{
	return is_owner_trusted(s) && !(s->st_mode & OTHERS);
}

// True for a group that has the user's name and no other member, as many systems give each user.
static bool is_group_of_one(gid_t group)
{
	struct passwd user, *found_user = NULL;
	struct group of, *found = NULL;
	char names[4096], members[4096];
	return getpwuid_r(geteuid(), &user, names, sizeof names, &found_user) == 0 && found_user &&
	       user.pw_gid == group && getgrgid_r(group, &of, members, sizeof members, &found) == 0 && found &&
	       strcmp(of.gr_name, user.pw_name) == 0 && !of.gr_mem[0];
}

// True if no other user can replace a folder below.
static bool is_safe_above(const struct stat *s)
{
	if (!is_owner_trusted(s))
		return false;
	if (!(s->st_mode & OTHERS) || s->st_mode & S_ISVTX)
		return true;
	return !(s->st_mode & S_IWOTH) && is_group_of_one(s->st_gid);
}

static int fail_unsafe(const char *folder, const char *at, const struct stat *s, struct loom_err *err)
{
	const char *where = strcmp(folder, at) == 0 ? "" : ", which it is in,", *path = *where ? at : "";
	if (!is_owner_trusted(s))
		return loom_fail(err, LOOM_EFILE,
		                 "models are not taken from %.150s: %.120s%s belongs to user %lu; set FLITLOOM_CACHE "
		                 "to a folder of yours",
		                 folder, *path ? path : "it", where, (unsigned long)s->st_uid);
	return loom_fail(
		err, LOOM_EFILE,
		"models are not taken from %.150s: others may write in %.120s%s (mode %04o); chmod go-w %.120s, "
		"or set FLITLOOM_CACHE to a folder of yours",
		folder, *path ? path : "it", where, (unsigned)(s->st_mode & 07777), at);
}

// Checks all folders above it, the root first.
static int check_above(const char *folder, struct loom_err *err)
{
	char at[PATH_MAX];
	struct stat s;
	for (const char *end = folder + 1; end; end = strchr(end + 1, '/')) {
		(void)snprintf(at, sizeof at, "%.*s", (int)(end - folder), folder);
		if (lstat(at, &s) == 0 && !is_safe_above(&s))
			return fail_unsafe(folder, at, &s, err);
	}
	return 0;
}

// --- The folder ------------------------------------------------------------------------------------------------------

int loom_verilated_folder_make(const char *path)
{
	char made[PATH_MAX];
	(void)snprintf(made, sizeof made, "%s", path);
	for (char *at = made + 1;; at++) {
		char was = *at;
		if (was != '/' && was != '\0')
			continue;
		*at = '\0';
		if (mkdir(made, 0700) != 0 && errno != EEXIST)
			return errno;
		if (was == '\0')
			return access(path, W_OK | X_OK) == 0 ? 0 : errno;
		*at = was;
	}
}

int loom_verilated_folder_open(struct loom_verilated_folder *out, const char *path, struct loom_err *err)
{
	char real[PATH_MAX];
	struct stat s;
	struct loom_verilated_folder f = {.fd = -1};
	(void)snprintf(f.path, sizeof f.path, "%s", path);
	if (!realpath(path, real)) {
		*out = f;
		return 0;
	}
	int code = check_above(real, err);
	if (code)
		return code;
	f.fd = open(real, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (f.fd < 0)
		return loom_fail(err, LOOM_EFILE, "cannot read %.200s (%s): set FLITLOOM_CACHE to a folder of yours",
		                 path, strerror(errno));
	if (fstat(f.fd, &s) != 0 || !loom_verilated_is_safe(&s)) {
		code = fail_unsafe(real, real, &s, err);
		close(f.fd);
		return code;
	}
	*out = f;
	return 0;
}

void loom_verilated_folder_close(struct loom_verilated_folder *folder)
{
	if (folder->fd >= 0)
		close(folder->fd);
	folder->fd = -1;
}

// --- What is in it ---------------------------------------------------------------------------------------------------

static size_t count_hex(const char *text)
{
	return strspn(text, "0123456789abcdef");
}

bool loom_verilated_is_our_name(const char *name, const char *suffix)
{
	enum { SOURCES = 16, TOOLS = 8, HASHES = 1 + SOURCES + 1 + TOOLS, MOST = 119 };
	size_t length = strlen(name), n = strlen(suffix);
	if (length <= HASHES + n || length - n > MOST || strcmp(name + length - n, suffix) != 0 || name[0] == '.' ||
	    name[0] == '-')
		return false;
	const char *sources = name + length - n - HASHES, *tools = sources + 1 + SOURCES;
	return sources[0] == '-' && count_hex(sources + 1) == SOURCES && tools[0] == '-' &&
	       count_hex(tools + 1) == TOOLS;
}

enum loom_verilated_owner loom_verilated_owner(const struct loom_verilated_folder *folder, const char *name,
                                               mode_t type)
{
	struct stat s;
	if (fstatat(folder->fd, name, &s, AT_SYMLINK_NOFOLLOW) != 0)
		return errno == ENOENT ? LOOM_NOT_THERE : LOOM_ANOTHERS;
	return s.st_uid == geteuid() && (s.st_mode & S_IFMT) == type ? LOOM_OURS : LOOM_ANOTHERS;
}

int loom_verilated_folder_lock_file(const struct loom_verilated_folder *folder, const char *name)
{
	struct stat s;
	int fd = openat(folder->fd, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600), failed;
	if (fd >= 0 && fstat(fd, &s) == 0 && S_ISREG(s.st_mode) && s.st_uid == geteuid())
		return fd;
	failed = fd >= 0 || errno == ELOOP || errno == EISDIR || errno == ENXIO || errno == EACCES ? EPERM : errno;
	if (fd >= 0)
		close(fd);
	errno = failed;
	return -1;
}

// Removes a file, or a folder with all its files on the file system where it begins.
static void remove_at(int folder, const char *name, dev_t device)
{
	struct stat s;
	if (unlinkat(folder, name, 0) == 0)
		return;
	int fd = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *d = fd >= 0 && fstat(fd, &s) == 0 && s.st_dev == device ? fdopendir(fd) : NULL;
	struct dirent *entry;
	while (d && (entry = readdir(d)))
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			remove_at(fd, entry->d_name, device);
	if (d)
		(void)closedir(d);
	else if (fd >= 0)
		close(fd);
	(void)unlinkat(folder, name, AT_REMOVEDIR);
}

void loom_verilated_folder_remove(const struct loom_verilated_folder *folder, const char *name, mode_t type)
{
	struct stat s;
	if (loom_verilated_owner(folder, name, type) == LOOM_OURS && fstat(folder->fd, &s) == 0)
		remove_at(folder->fd, name, s.st_dev);
}
