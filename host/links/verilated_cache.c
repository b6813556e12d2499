// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "links/verilated_cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "links/verilated_build.h"
#include "links/verilated_cost.h"
#include "links/verilated_folder.h"
#include "links/verilated_home.h"
#include "links/verilated_seal.h"

#define FOLDER 3800 // bytes of the cache's name at most, so that there is room for names within

struct cache {
	char home[PATH_MAX];
	struct loom_verilated_folder folder;
	char name[120];    // the name of the model: NAME-SOURCES-TOOLS
	char refused[240]; // a model that was not opened, and why; empty: none
	struct loom_verilated_key key;
	const struct loom_rtl *rtl;
	const struct loom_link_options *options;
};

// The files that flitloom puts into the folder have the model's name and one of these endings.
#define MODEL ".so"
#define WORK ".work"
#define LOCK ".lock"
#define LOG ".log"

struct file_name {
	char text[160];
};

static struct file_name file_of(const char *name, const char *suffix)
{
	struct file_name f;
	(void)snprintf(f.text, sizeof f.text, "%.140s%s", name, suffix);
	return f;
}

// --- The folder ------------------------------------------------------------------------------------------------------

// True if the tree belongs to the user; the source tree of another user is not for models.
static bool is_tree_ours(const char *home)
{
	struct stat s;
	return access(home, W_OK) == 0 && stat(home, &s) == 0 && (s.st_uid == geteuid() || s.st_uid == 0);
}

static int choose_folder(char out[PATH_MAX], const char *tree, struct loom_err *err)
{
	const char *named = getenv("FLITLOOM_CACHE"), *user = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	char chosen[PATH_MAX], here[PATH_MAX] = "", full[2 * PATH_MAX];
	int length;
	if (named && *named)
		length = snprintf(chosen, sizeof chosen, "%s", named);
	else if (tree && is_tree_ours(tree))
		length = snprintf(chosen, sizeof chosen, "%s/build/models", tree);
	else if (user && *user)
		length = snprintf(chosen, sizeof chosen, "%s/flitloom", user);
	else if (home && *home)
		length = snprintf(chosen, sizeof chosen, "%s/.cache/flitloom", home);
	else
		return loom_fail(err, LOOM_EFILE,
		                 "no folder for models, since neither HOME nor XDG_CACHE_HOME is set: set "
		                 "FLITLOOM_CACHE to a folder of yours");
	if (chosen[0] != '/' && !getcwd(here, sizeof here))
		return loom_fail(err, LOOM_EFILE, "the current folder is gone: set FLITLOOM_CACHE to an absolute path");
	if (length < 0 || (size_t)length >= sizeof chosen ||
	    snprintf(full, sizeof full, "%s%s%s", here, *here ? "/" : "", chosen) >= FOLDER)
		return loom_fail(err, LOOM_EFILE, "the name of the folder for models is too long: set FLITLOOM_CACHE");
	memcpy(out, full, FOLDER);
	return 0;
}

static int fail_to_write(const struct cache *c, int failed, struct loom_err *err)
{
	if (failed == ENOSPC || failed == EDQUOT)
		return loom_fail(err, LOOM_EFILE,
		                 "no space left on %.200s for the model of %s: set FLITLOOM_CACHE to another folder",
		                 c->folder.path, c->rtl->label);
	return loom_fail(err, LOOM_EFILE, "cannot write in %.200s (%s): set FLITLOOM_CACHE to a folder of yours",
	                 c->folder.path, strerror(failed));
}

static int make_folder(struct cache *c, struct loom_err *err)
{
	int failed = loom_verilated_folder_make(c->folder.path);
	if (failed)
		return fail_to_write(c, failed, err);
	if (c->folder.fd >= 0)
		return 0;
	char path[PATH_MAX];
	memcpy(path, c->folder.path, sizeof path);
	return loom_verilated_folder_open(&c->folder, path, err);
}

// Reports that a name which flitloom gives is in use by a file that it did not make, or not for this user.
static int fail_taken(const struct cache *c, const char *name, struct loom_err *err)
{
	return loom_fail(
		err, LOOM_EFILE,
		"%.200s/%s is in the way of the model of %s, and not yours: remove it, or set FLITLOOM_CACHE to "
		"another folder",
		c->folder.path, name, c->rtl->label);
}

// --- A lock ----------------------------------------------------------------------------------------------------------

static bool is_file_of(int fd, const struct loom_verilated_folder *folder, const char *name)
{
	struct stat ours, named;
	return fstat(fd, &ours) == 0 && fstatat(folder->fd, name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
	       ours.st_ino == named.st_ino && ours.st_dev == named.st_dev;
}

// Takes a lock. The holder removes the file before it releases the lock, so that none is left over. So this function,
// once it has the lock, checks that the file still has that name. -1 and errno if it cannot be had; EWOULDBLOCK: not
// without waiting; EPERM: the file is not ours.
static int take_lock(const struct loom_verilated_folder *folder, const char *name, bool wait)
{
	for (;;) {
		int fd = loom_verilated_folder_lock_file(folder, name);
		if (fd < 0)
			return -1;
		if (flock(fd, LOCK_EX | (wait ? 0 : LOCK_NB)) != 0) {
			int failed = errno;
			close(fd);
			errno = failed;
			return -1;
		}
		if (is_file_of(fd, folder, name))
			return fd;
		close(fd);
	}
}

static void release_lock(int fd, const struct loom_verilated_folder *folder, const char *name)
{
	if (is_file_of(fd, folder, name))
		(void)unlinkat(folder->fd, name, 0);
	close(fd);
}

// Tries all names in the folder until one is usable.
static bool find_name(struct cache *c, bool (*will_do)(struct cache *c, const char *name))
{
	int fd = openat(c->folder.fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *folder = fd >= 0 ? fdopendir(fd) : NULL;
	struct dirent *entry;
	bool found = false;
	while (folder && !found && (entry = readdir(folder)))
		found = will_do(c, entry->d_name);
	if (folder)
		(void)closedir(folder);
	else if (fd >= 0)
		close(fd);
	return found;
}

// Removes work left behind by a program that ended suddenly.
static bool sweep_out(struct cache *c, const char *name)
{
	if (!loom_verilated_is_our_name(name, WORK) || loom_verilated_owner(&c->folder, name, S_IFDIR) != LOOM_OURS)
		return false;
	char model[160];
	(void)snprintf(model, sizeof model, "%.*s", (int)(strlen(name) - strlen(WORK)), name);
	const struct file_name lock = file_of(model, LOCK);
	int fd = take_lock(&c->folder, lock.text, false);
	if (fd < 0)
		return false;
	loom_verilated_folder_remove(&c->folder, name, S_IFDIR);
	release_lock(fd, &c->folder, lock.text);
	return false;
}

// --- Models --------------------------------------------------------------------------------------------------------

static void set_name(struct cache *c, const char *tools)
{
	(void)snprintf(c->name, sizeof c->name, "%s%s%s-%s-%s", c->rtl->name,
	               c->options && c->options->trace_file ? "-trace" : "",
	               c->options && c->options->coverage ? "-coverage" : "", c->key.sources, tools);
}

// Opens the model, if it is whole and only the user or root can have written it: a descriptor, or -1.
static int open_model(struct cache *c)
{
	const struct file_name file = file_of(c->name, MODEL);
	struct stat s;
	int fd = openat(c->folder.fd, file.text, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return -1;
	if (fstat(fd, &s) != 0 || !loom_verilated_is_safe(&s))
		(void)snprintf(c->refused, sizeof c->refused, " (%s is not loaded: %s)", file.text,
		               s.st_mode & (S_IWGRP | S_IWOTH) ? "others may write it" : "it belongs to another user");
	else if (loom_verilated_is_sealed(fd, c->name))
		return fd;
	close(fd);
	return -1;
}

// True for the name of such a model by whatever tools.
static bool is_of_any_tools(struct cache *c, const char *name)
{
	struct cache tried = *c;
	set_name(&tried, "");
	size_t length = strlen(tried.name);
	if (!loom_verilated_is_our_name(name, MODEL) || strncmp(name, tried.name, length) != 0 ||
	    strlen(name + length) - strlen(MODEL) >= sizeof c->key.tools)
		return false;
	char tools[sizeof c->key.tools];
	(void)snprintf(tools, sizeof tools, "%.*s", (int)(strlen(name + length) - strlen(MODEL)), name + length);
	set_name(c, tools);
	int fd = open_model(c);
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static void tell(const struct cache *c, const char *format, const char *argument, const char *cost)
{
	char text[PATH_MAX + 200];
	(void)snprintf(text, sizeof text, format, c->rtl->label, argument, cost);
	if (c->options && c->options->progress)
		c->options->progress(c->options->user, text);
}

// Moves the model that was made to its place; errno's value, or 0.
static int keep(const struct cache *c, int work, const char *to)
{
	struct stat s;
	int fd = openat(work, "model.so", O_RDWR | O_NOFOLLOW | O_CLOEXEC), failed;
	if (fd < 0)
		return errno;
	failed = fstat(fd, &s) == 0 && fchmod(fd, s.st_mode & 0755) == 0 ? loom_verilated_seal(fd, c->name) : errno;
	if (close(fd) != 0 && !failed)
		failed = errno;
	return failed || renameat(work, "model.so", c->folder.fd, to) == 0 ? failed : errno;
}

// The tools' output stays beside the model's place.
static void keep_log(const struct cache *c, int work, const char *to, struct loom_err *err)
{
	size_t used = strlen(err ? err->text : "");
	if (loom_verilated_owner(&c->folder, to, S_IFREG) == LOOM_ANOTHERS ||
	    renameat(work, "log", c->folder.fd, to) != 0)
		return;
	char text[PATH_MAX + 200];
	int length = snprintf(text, sizeof text, "; the log: %s/%s", c->folder.path, to);
	if (err && used + (size_t)length < sizeof err->text)
		memcpy(err->text + used, text, (size_t)length + 1);
}

// Refuses to begin a build that would run out of memory.
static int check_memory(const struct cache *c, const struct loom_verilated_cost *cost, struct loom_err *err)
{
	char takes[64];
	double left = loom_verilated_memory_left("");
	loom_verilated_cost_text(takes, cost);
	if (left < 0 || left >= cost->bytes)
		return 0;
	return loom_fail(
		err, LOOM_ELINK,
		"no model of %s: to build it takes %s, and %.1f GB are left; end other programs, build it on a "
		"larger machine, or take a smaller fabric",
		c->rtl->label, takes, left / 1e9);
}

static int build(const struct cache *c, int lock, struct loom_err *err)
{
	const struct file_name work = file_of(c->name, WORK), log = file_of(c->name, LOG),
			       model = file_of(c->name, MODEL);
	char path[PATH_MAX + 200];
	struct loom_verilated_cost cost = loom_verilated_cost(c->rtl, c->options);
	char takes[64] = "";
	if (cost.bytes > 0) {
		int code = check_memory(c, &cost, err);
		if (code)
			return code;
		loom_verilated_cost_text(takes, &cost);
	}
	tell(c, "building the model of %s; it is kept in %s, and later runs use it again; that takes %s",
	     c->folder.path, takes[0] ? takes : "a while");
	loom_verilated_folder_remove(&c->folder, work.text, S_IFDIR);
	if (mkdirat(c->folder.fd, work.text, 0700) != 0)
		return errno == EEXIST ? fail_taken(c, work.text, err) : fail_to_write(c, errno, err);
	int fd = openat(c->folder.fd, work.text, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return fail_to_write(c, errno, err);
	(void)snprintf(path, sizeof path, "%s/%s", c->folder.path, work.text);
	int code = loom_verilated_build(c->home, path, lock, c->rtl, c->options, LOOM_VERILATED_REMIND_MS, err), failed;
	if (code == 0 && (failed = keep(c, fd, model.text)) != 0)
		code = fail_to_write(c, failed, err);
	loom_verilated_folder_remove(&c->folder, log.text, S_IFREG); // of an earlier failure
	if (code)
		keep_log(c, fd, log.text, err);
	close(fd);
	loom_verilated_folder_remove(&c->folder, work.text, S_IFDIR);
	return code;
}

// *fd: the model.
static int build_locked(int *fd, struct cache *c, struct loom_err *err)
{
	const struct file_name file = file_of(c->name, LOCK), model = file_of(c->name, MODEL);
	int code = make_folder(c, err);
	if (code)
		return code;
	if (loom_verilated_owner(&c->folder, model.text, S_IFREG) == LOOM_ANOTHERS)
		return fail_taken(c, model.text, err);
	(void)find_name(c, sweep_out);
	int lock = take_lock(&c->folder, file.text, false);
	if (lock < 0 && errno == EWOULDBLOCK) {
		tell(c, "waiting for the model of %s, which another program builds in %s%s", c->folder.path, "");
		lock = take_lock(&c->folder, file.text, true);
	}
	if (lock < 0 && errno == EINTR)
		return loom_fail(err, LOOM_ELINK, "interrupted while another program built the model of %s",
		                 c->rtl->label);
	if (lock < 0)
		return errno == EPERM ? fail_taken(c, file.text, err) : fail_to_write(c, errno, err);
	*fd = open_model(c);
	if (*fd < 0) { // no other process built it meanwhile
		code = build(c, lock, err);
		*fd = code ? -1 : open_model(c);
		if (!code && *fd < 0)
			code = fail_to_write(c, EIO, err);
	}
	release_lock(lock, &c->folder, file.text);
	return code;
}

static int find(struct loom_verilated_found *out, struct cache *c, struct loom_err *err)
{
	int code = loom_verilated_key(&c->key, c->home, c->rtl, c->options, err), fd = -1;
	if (code)
		return code;
	set_name(c, c->key.tools);
	if (c->folder.fd >= 0 && (c->key.tools[0] || find_name(c, is_of_any_tools)))
		fd = open_model(c);
	if (fd < 0 && !c->key.tools[0])
		return loom_fail(err, LOOM_ELINK,
		                 "no model of %s, or none that is whole, in %.120s%s, and none can be built: %s",
		                 c->rtl->label, c->folder.path, c->refused, c->key.missing);
	if (fd < 0)
		code = build_locked(&fd, c, err);
	if (code)
		return code;
	out->fd = fd;
	(void)snprintf(out->path, sizeof out->path, "%.*s/%s%s", FOLDER, c->folder.path, c->name, MODEL);
	return 0;
}

int loom_verilated_find(struct loom_verilated_found *out, const struct loom_rtl *rtl,
                        const struct loom_link_options *options, struct loom_err *err)
{
	struct cache c = {.rtl = rtl, .options = options, .folder.fd = -1};
	char path[PATH_MAX] = "";
	bool is_tree = false;
	int code = loom_verilated_home(c.home, &is_tree, err);
	if (code == 0)
		code = choose_folder(path, is_tree ? c.home : NULL, err);
	if (code == 0)
		code = loom_verilated_folder_open(&c.folder, path, err);
	if (code == 0)
		code = find(out, &c, err);
	loom_verilated_folder_close(&c.folder);
	return code;
}
