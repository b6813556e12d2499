// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "links/verilated_cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "links/verilated_build.h"
#include "links/verilated_home.h"
#include "links/verilated_seal.h"

#define FOLDER 3800 // bytes of the cache's name at most, so that there is room for names within

struct cache {
	char home[PATH_MAX], folder[PATH_MAX];
	char name[120], path[PATH_MAX]; // of the model: NAME-SOURCES-TOOLS, FOLDER/NAME-SOURCES-TOOLS.so
	struct loom_verilated_key key;
	const struct loom_rtl *rtl;
	const struct loom_link_options *options;
};

// --- Folders -------------------------------------------------------------------------------------------------------

static int choose_folder(struct cache *c, bool is_tree, struct loom_err *err)
{
	const char *named = getenv("FLITLOOM_CACHE"), *user = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	char chosen[PATH_MAX], here[PATH_MAX] = "", full[2 * PATH_MAX];
	int length;
	if (named && *named)
		length = snprintf(chosen, sizeof chosen, "%s", named);
	else if (is_tree && access(c->home, W_OK) == 0)
		length = snprintf(chosen, sizeof chosen, "%s/build/models", c->home);
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
	memcpy(c->folder, full, FOLDER);
	return 0;
}

static int fail_to_write(const struct cache *c, int failed, struct loom_err *err)
{
	if (failed == ENOSPC || failed == EDQUOT)
		return loom_fail(err, LOOM_EFILE,
		                 "no space left on %.200s for the model of %s: set FLITLOOM_CACHE to another folder",
		                 c->folder, c->rtl->label);
	return loom_fail(err, LOOM_EFILE, "cannot write in %.200s (%s): set FLITLOOM_CACHE to a folder of yours",
	                 c->folder, strerror(failed));
}

static int make_folder(const struct cache *c, struct loom_err *err)
{
	char path[PATH_MAX];
	int failed = 0;
	(void)snprintf(path, sizeof path, "%s", c->folder);
	for (char *at = path + 1; !failed; at++)
		if (*at == '/' || *at == '\0') {
			char was = *at;
			*at = '\0';
			if (mkdir(path, 0777) != 0 && errno != EEXIST)
				failed = errno;
			if (was == '\0')
				break;
			*at = was;
		}
	if (!failed && access(c->folder, W_OK | X_OK) != 0)
		failed = errno;
	return failed ? fail_to_write(c, failed, err) : 0;
}

static int remove_one(const char *path, const struct stat *s, int kind, struct FTW *where)
{
	(void)s;
	(void)kind;
	(void)where;
	(void)remove(path); // what cannot be is left
	return 0;
}

static void remove_tree(const char *path)
{
	(void)nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

// --- A lock --------------------------------------------------------------------------------------------------------

static bool is_file_of(int fd, const char *path)
{
	struct stat ours, named;
	return fstat(fd, &ours) == 0 && stat(path, &named) == 0 && ours.st_ino == named.st_ino &&
	       ours.st_dev == named.st_dev;
}

// Who holds the lock removes its file before letting it go, so that none is left over; hence, once it is ours, the look
// whether it is still the file of that name. -1 and errno if it cannot be had; EWOULDBLOCK: not without waiting.
static int take_lock(const char *path, bool wait)
{
	for (;;) {
		int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
		if (fd < 0)
			return -1;
		if (flock(fd, LOCK_EX | (wait ? 0 : LOCK_NB)) != 0) {
			int failed = errno;
			close(fd);
			errno = failed;
			return -1;
		}
		if (is_file_of(fd, path))
			return fd;
		close(fd);
	}
}

static void release_lock(int fd, const char *path)
{
	if (is_file_of(fd, path))
		(void)unlink(path);
	close(fd);
}

// Work that was left behind by programs which came to a sudden end.
static void sweep_out(const struct cache *c)
{
	DIR *folder = opendir(c->folder);
	struct dirent *entry;
	char work[PATH_MAX + 300], lock[PATH_MAX + 300];
	while (folder && (entry = readdir(folder))) {
		size_t length = strlen(entry->d_name);
		if (length < 6 || strcmp(entry->d_name + length - 5, ".work") != 0)
			continue;
		(void)snprintf(work, sizeof work, "%s/%s", c->folder, entry->d_name);
		(void)snprintf(lock, sizeof lock, "%.*s.lock", (int)(strlen(work) - 5), work);
		int fd = take_lock(lock, false);
		if (fd < 0)
			continue;
		remove_tree(work);
		release_lock(fd, lock);
	}
	if (folder)
		(void)closedir(folder);
}

// --- Models --------------------------------------------------------------------------------------------------------

static void set_name(struct cache *c, const char *tools)
{
	(void)snprintf(c->name, sizeof c->name, "%s%s%s-%s-%s", c->rtl->name,
	               c->options && c->options->trace_file ? "-trace" : "",
	               c->options && c->options->coverage ? "-coverage" : "", c->key.sources, tools);
	(void)snprintf(c->path, sizeof c->path, "%.*s/%s.so", FOLDER, c->folder, c->name);
}

// By whatever tools.
static bool find_any(struct cache *c)
{
	struct cache tried = *c;
	set_name(&tried, "");
	size_t length = strlen(tried.name);
	DIR *folder = opendir(c->folder);
	struct dirent *entry;
	bool found = false;
	while (folder && !found && (entry = readdir(folder))) {
		const char *tools = entry->d_name + length;
		size_t n;
		if (strncmp(entry->d_name, tried.name, length) != 0 || (n = strlen(tools)) < 4 ||
		    n - 3 >= sizeof c->key.tools || strcmp(tools + n - 3, ".so") != 0)
			continue;
		char hash[sizeof c->key.tools];
		(void)snprintf(hash, sizeof hash, "%.*s", (int)(n - 3), tools);
		set_name(c, hash);
		found = loom_verilated_is_sealed(c->path, c->name);
	}
	if (folder)
		(void)closedir(folder);
	return found;
}

static void tell(const struct cache *c, const char *format, const char *argument)
{
	char text[PATH_MAX + 200];
	(void)snprintf(text, sizeof text, format, c->rtl->label, argument);
	if (c->options && c->options->progress)
		c->options->progress(c->options->user, text);
}

static int build(const struct cache *c, int lock, struct loom_err *err)
{
	char work[PATH_MAX + 300], made[PATH_MAX + 320], log[PATH_MAX + 300];
	(void)snprintf(work, sizeof work, "%s/%s.work", c->folder, c->name);
	(void)snprintf(made, sizeof made, "%s/model.so", work);
	(void)snprintf(log, sizeof log, "%s/%s.log", c->folder, c->name);
	tell(c, "building the model of %s; it is kept in %s, and later runs use it again", c->folder);
	remove_tree(work);
	if (mkdir(work, 0777) != 0)
		return fail_to_write(c, errno, err);
	int code = loom_verilated_build(c->home, work, lock, c->rtl, c->options, err), failed = 0;
	if (code == 0 && ((failed = loom_verilated_seal(made, c->name)) != 0 ||
	                  (failed = rename(made, c->path) == 0 ? 0 : errno) != 0))
		code = fail_to_write(c, failed, err);
	(void)unlink(log); // of an earlier failure
	if (code) {
		(void)snprintf(made, sizeof made, "%s/log", work);
		if (rename(made, log) == 0) {
			size_t used = strlen(err ? err->text : "");
			if (err && used + strlen(log) + 20 < sizeof err->text)
				(void)snprintf(err->text + used, sizeof err->text - used, "; the log: %s", log);
		}
	}
	remove_tree(work);
	return code;
}

static int build_locked(struct cache *c, struct loom_err *err)
{
	char path[PATH_MAX + 300];
	int code = make_folder(c, err);
	if (code)
		return code;
	sweep_out(c);
	(void)snprintf(path, sizeof path, "%s/%s.lock", c->folder, c->name);
	int lock = take_lock(path, false);
	if (lock < 0 && errno == EWOULDBLOCK) {
		tell(c, "waiting for the model of %s, which another program builds in %s", c->folder);
		lock = take_lock(path, true);
	}
	if (lock < 0 && errno == EINTR)
		return loom_fail(err, LOOM_ELINK, "interrupted while another program built the model of %s",
		                 c->rtl->label);
	if (lock < 0)
		return fail_to_write(c, errno, err);
	if (!loom_verilated_is_sealed(c->path, c->name)) // nobody built it meanwhile
		code = build(c, lock, err);
	release_lock(lock, path);
	return code;
}

int loom_verilated_find(char out[PATH_MAX], const struct loom_rtl *rtl, const struct loom_link_options *options,
                        struct loom_err *err)
{
	struct cache c = {.rtl = rtl, .options = options};
	bool is_tree = false, found;
	int code = loom_verilated_home(c.home, &is_tree, err);
	if (code == 0)
		code = choose_folder(&c, is_tree, err);
	if (code == 0)
		code = loom_verilated_key(&c.key, c.home, rtl, options, err);
	if (code)
		return code;
	set_name(&c, c.key.tools);
	found = c.key.tools[0] ? loom_verilated_is_sealed(c.path, c.name) : find_any(&c);
	if (!found && !c.key.tools[0])
		return loom_fail(err, LOOM_ELINK,
		                 "no model of %s, or none that is whole, in %.120s, and none can be built: %s",
		                 rtl->label, c.folder, c.key.missing);
	if (!found)
		code = build_locked(&c, err);
	if (code == 0)
		(void)snprintf(out, PATH_MAX, "%s", c.path);
	return code;
}
