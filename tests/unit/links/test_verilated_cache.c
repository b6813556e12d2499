// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The folder of models: what is made in it, what is taken from it, what is removed from it, and what never. A script of the
// test's own stands for tools/model.sh: it counts how often it builds, and its models are a few bytes. What belongs to other
// users is tried where the test may give files away (as root).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "links/verilated_cache.h"
#include "links/verilated_seal.h"

#define NAME "cube1-0123456789abcdef-01234567"
#define OF_OTHER_TOOLS "cube1-0123456789abcdef-89abcdef"
#define ANOTHER 12345 // a user
#define LONG "a23456789b123456789c123456789d123456789e123456789f123456789g123456789h123456789i123456789j12"
#define LONGER LONG "b"

static const char script[] =
	"#!/bin/sh\n"
	"home=$(cd \"$(dirname \"$0\")/..\" && pwd)\n"
	"case $1 in\n"
	"key) echo 0123456789abcdef; cat \"$home/tools-hash\"\n"
	"	[ -s \"$home/tools-hash\" ] || { echo; echo 'model.sh: no tool is installed' >&2; } ;;\n"
	"build) echo \"$(umask)\" >>\"$home/built\"; echo words >log; mkdir -p sub/sub; echo x >sub/sub/x\n"
	"	! [ -e \"$home/fails\" ] || { echo 'model.sh: it fails' >&2; exit 83; }\n"
	"	echo 'a model' >model.so; chmod 777 model.so ;;\n"
	"esac\n";

static char top[] = "/tmp/test_verilated_cache.XXXXXX";
static char said[4096]; // the progress texts, one line each

static const char *at(const char *name)
{
	static char paths[4][4096];
	static unsigned n;
	char *path = paths[n++ % 4];
	(void)snprintf(path, sizeof paths[0], "%s/%s", top, name);
	return path;
}

static void write_at(const char *name, const char *text)
{
	FILE *f = fopen(at(name), "w");
	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

static bool is_there(const char *name)
{
	struct stat s;
	return lstat(at(name), &s) == 0;
}

static mode_t mode_of(const char *name)
{
	struct stat s;
	assert_int_equal(lstat(at(name), &s), 0);
	return s.st_mode & 07777;
}

static void remove_all(const char *name)
{
	char command[4200];
	(void)snprintf(command, sizeof command, "rm -rf '%s'", at(name));
	assert_int_equal(system(command), 0);
}

// Counts how often a model was built.
static unsigned built(void)
{
	FILE *f = fopen(at("home/built"), "r");
	unsigned n = 0;
	for (int c; f && (c = fgetc(f)) != EOF;)
		n += c == '\n';
	if (f)
		(void)fclose(f);
	return n;
}

static void hear(void *user, const char *text)
{
	(void)user;
	size_t used = strlen(said);
	(void)snprintf(said + used, sizeof said - used, "%s\n", text);
}

static struct loom_rtl cube1 = {.label = "cube:1", .name = "cube1", .top = "sim_top"};

// Looks for the model and returns the code. If it is found, checks its bytes.
static int find_as(struct loom_err *err, const struct loom_link_options *options)
{
	struct loom_verilated_found found = {.fd = -1};
	char text[8] = "";
	said[0] = '\0';
	*err = (struct loom_err){0};
	int code = loom_verilated_find(&found, &cube1, options, err);
	if (code) {
		assert_int_equal(found.fd, -1);
		assert_true(err->text[0] && !strchr(err->text, '\n'));
		return code;
	}
	assert_int_equal(pread(found.fd, text, 7, 0), 7);
	assert_string_equal(text, "a model");
	assert_int_equal(close(found.fd), 0);
	assert_int_equal(access(found.path, R_OK), 0);
	return 0;
}

static int find(struct loom_err *err)
{
	return find_as(err, &(struct loom_link_options){.progress = hear});
}

static void found(void)
{
	struct loom_err err;
	int code = find(&err);
	if (code)
		fail_msg("%s", err.text);
}

static void refused(int code, const char *text)
{
	struct loom_err err;
	assert_int_equal(find(&err), code);
	if (!strstr(err.text, text))
		fail_msg("not \"%s\": %s", text, err.text);
}

static int start(void **state)
{
	(void)state;
	if (!mkdtemp(top))
		return -1;
	(void)umask(022);
	assert_int_equal(mkdir(at("home"), 0755), 0);
	assert_int_equal(mkdir(at("home/tools"), 0755), 0);
	assert_int_equal(mkdir(at("home/rtl"), 0755), 0);
	write_at("home/tools/model.sh", script);
	assert_int_equal(chmod(at("home/tools/model.sh"), 0755), 0);
	assert_int_equal(setenv("FLITLOOM_HOME", at("home"), 1), 0);
	return 0;
}

static int end(void **state)
{
	(void)state;
	remove_all("");
	return 0;
}

// Begins a test without a folder for models, with tools.
static int begin(void **state)
{
	(void)state;
	remove_all("cache");
	remove_all("home/built");
	remove_all("home/fails");
	write_at("home/tools-hash", "01234567\n");
	cube1.chip = (struct loom_chip){0};
	return setenv("FLITLOOM_CACHE", at("cache/models"), 1);
}

static void make_folder(void)
{
	assert_int_equal(mkdir(at("cache"), 0700), 0);
	assert_int_equal(mkdir(at("cache/models"), 0700), 0);
}

static void make_model(const char *name, mode_t mode)
{
	char file[200];
	(void)snprintf(file, sizeof file, "cache/models/%s.so", name);
	write_at(file, "a model");
	int fd = open(at(file), O_RDWR);
	assert_int_equal(loom_verilated_seal(fd, name), 0);
	assert_int_equal(close(fd), 0);
	assert_int_equal(chmod(at(file), mode), 0);
}

static bool is_root(void)
{
	return geteuid() == 0;
}

static void give_away(const char *name)
{
	assert_int_equal(lchown(at(name), ANOTHER, ANOTHER), 0);
}

// --- Built once, and writable only for the user ----------------------------------------------------------------------

static void test_built_once(void **state)
{
	(void)state;
	(void)umask(0);
	found();
	(void)umask(022);
	assert_non_null(strstr(said, "building the model of cube:1"));
	assert_non_null(strstr(said, at("cache/models")));
	assert_int_equal(built(), 1);
	found();
	assert_string_equal(said, "");
	assert_int_equal(built(), 1);
	assert_int_equal(mode_of("cache"), 0700);
	assert_int_equal(mode_of("cache/models"), 0700);
	assert_int_equal(mode_of("cache/models/" NAME ".so"), 0755);
	assert_false(is_there("cache/models/" NAME ".work"));
	assert_false(is_there("cache/models/" NAME ".lock"));
	assert_false(is_there("cache/models/" NAME ".log"));
}

// Before a build the progress names its cost; a build without enough memory does not begin.
static void test_cost(void **state)
{
	(void)state;
	found();
	assert_non_null(strstr(said, "later runs use it again; that takes a while\n"));
	assert_int_equal(begin(state), 0);
	cube1.chip = (struct loom_chip){.n_tiles = 2, .n_channels = 3};
	found();
	assert_non_null(strstr(said, "later runs use it again; that takes about 12 s and 0.3 GB of memory\n"));
	cube1.chip = (struct loom_chip){.n_tiles = 1u << 30, .n_channels = 3};
	found(); // it is there
	assert_int_equal(built(), 1);
	remove_all("cache/models/" NAME ".so");
	refused(LOOM_ELINK, "no model of cube:1: to build it takes about ");
	refused(LOOM_ELINK, " GB are left; end other programs, build it on a larger machine, or take a smaller fabric");
	assert_string_equal(said, "");
	assert_int_equal(built(), 1);
	assert_int_equal(rmdir(at("cache/models")), 0); // nothing is left in it
}

static void test_names(void **state)
{
	(void)state;
	struct loom_err err;
	assert_int_equal(find_as(&err, &(struct loom_link_options){.trace_file = "x"}), 0);
	assert_int_equal(find_as(&err, &(struct loom_link_options){.coverage = true}), 0);
	assert_int_equal(find_as(&err, NULL), 0);
	assert_true(is_there("cache/models/cube1-trace-0123456789abcdef-01234567.so"));
	assert_true(is_there("cache/models/cube1-coverage-0123456789abcdef-01234567.so"));
	assert_true(is_there("cache/models/" NAME ".so"));
	assert_int_equal(built(), 3);
}

static void test_without_tools(void **state)
{
	(void)state;
	write_at("home/tools-hash", "");
	refused(LOOM_ELINK, "none can be built: no tool is installed");
	assert_false(is_there("cache"));
	make_folder();
	refused(LOOM_ELINK, "none can be built: no tool is installed");
	make_model("cube2-0123456789abcdef-89abcdef", 0644);
	make_model("cube1-0123456789abcdee-89abcdef", 0644);
	make_model("cube1-0123456789abcdef-89abcdeg", 0644);
	refused(LOOM_ELINK, "none can be built: no tool is installed");
	make_model(OF_OTHER_TOOLS, 0644);
	found();
	make_model(OF_OTHER_TOOLS, 0664);
	refused(LOOM_ELINK, "(" OF_OTHER_TOOLS ".so is not loaded: others may write it)");
	if (is_root()) {
		make_model(OF_OTHER_TOOLS, 0644);
		give_away("cache/models/" OF_OTHER_TOOLS ".so");
		refused(LOOM_ELINK, "(" OF_OTHER_TOOLS ".so is not loaded: it belongs to another user)");
	}
	assert_int_equal(built(), 0);
	// Tools look for one of their own.
	write_at("home/tools-hash", "01234567\n");
	found();
	assert_int_equal(built(), 1);
}

static void test_failed_build(void **state)
{
	(void)state;
	struct loom_err err;
	write_at("home/fails", "");
	refused(LOOM_ELINK, "it fails; the log: ");
	refused(LOOM_ELINK, "cache/models/" NAME ".log");
	assert_true(is_there("cache/models/" NAME ".log"));
	assert_false(is_there("cache/models/" NAME ".work"));
	assert_false(is_there("cache/models/" NAME ".lock"));
	assert_int_equal(find_as(&err, NULL), LOOM_ELINK);
	remove_all("home/fails");
	found();
	assert_false(is_there("cache/models/" NAME ".log"));
}

// --- Files that are never removed ------------------------------------------------------------------------------------

static void make(const char *name, mode_t type)
{
	char path[200], inner[240];
	(void)snprintf(path, sizeof path, "cache/models/%s", name);
	(void)snprintf(inner, sizeof inner, "%s/chapter1.tex", path);
	if (type == S_IFREG)
		write_at(path, "text");
	else if (type == S_IFIFO)
		assert_int_equal(mkfifo(at(path), 0600), 0);
	else if (type == S_IFLNK)
		assert_int_equal(symlink(at("cache/elsewhere"), at(path)), 0);
	else
		assert_int_equal(mkdir(at(path), 0700), 0);
	if (type == S_IFDIR)
		write_at(inner, "text");
}

static bool is_whole(const char *name, mode_t type)
{
	char path[200];
	(void)snprintf(path, sizeof path, "cache/models/%s%s", name, type == S_IFDIR ? "/chapter1.tex" : "");
	return is_there(path);
}

static void test_others_files_stay(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		mode_t type;
		bool given_away;
	} files[] = {
		{"thesis.work", S_IFDIR, false},
		{"thesis.lock", S_IFREG, false},
		{"notes.work", S_IFREG, false},
		{".work", S_IFDIR, false},
		{"-0123456789abcdef-01234567.work", S_IFDIR, false},
		{"0123456789abcdef-01234567.work", S_IFDIR, false},
		{".x-0123456789abcdef-01234567.work", S_IFDIR, false},
		{"x-0123456789abcde-01234567.work", S_IFDIR, false},
		{"x-0123456789abcdef-0123456.work", S_IFDIR, false},
		{"x-0123456789abcdef-012345678.work", S_IFDIR, false},
		{"x-0123456789abcdeF-01234567.work", S_IFDIR, false},
		{"x-0123456789abcdeg-01234567.work", S_IFDIR, false},
		{"x-0123456789abcdef-0123456g.work", S_IFDIR, false},
		{"x-0123456789abcdef_01234567.work", S_IFDIR, false},
		{"x_0123456789abcdef-01234567.work", S_IFDIR, false},
		{"x-0123456789abcdef-01234567.works", S_IFDIR, false},
		{"x-0123456789abcdef-01234567.work.bak", S_IFDIR, false},
		{"x-0123456789abcdef-01234567", S_IFDIR, false},
		{"a-0123456789abcdef-01234567.work", S_IFREG, false},
		{"b-0123456789abcdef-01234567.work", S_IFIFO, false},
		{"c-0123456789abcdef-01234567.work", S_IFLNK, false},
		{"d-0123456789abcdef-01234567.log", S_IFREG, false},
		{"e-0123456789abcdef-01234567.lock", S_IFREG, false},
		{"f-0123456789abcdef-01234567.work", S_IFDIR, true},
		{"g-0123456789abcdef-01234567.work", S_IFREG, true},
		{"runtime-0123456789abcdef", S_IFDIR, false},
		{LONGER "x-0123456789abcdef-01234567.work", S_IFDIR, false}, // than a name can be
	};
	size_t n = sizeof files / sizeof *files;
	make_folder();
	assert_int_equal(mkdir(at("cache/elsewhere"), 0700), 0);
	write_at("cache/elsewhere/chapter1.tex", "text");
	for (size_t i = 0; i < n; i++) {
		char path[200];
		make(files[i].name, files[i].type);
		(void)snprintf(path, sizeof path, "cache/models/%s", files[i].name);
		if (files[i].given_away && is_root())
			give_away(path);
	}
	found();
	for (size_t i = 0; i < n; i++)
		if ((!files[i].given_away || is_root()) && !is_whole(files[i].name, files[i].type))
			fail_msg("%s is gone", files[i].name);
	assert_true(is_there("cache/elsewhere/chapter1.tex"));
}

// The remains of killed programs are removed, but not the targets of links in them.
static void test_swept_out(void **state)
{
	(void)state;
	make_folder();
	assert_int_equal(mkdir(at("cache/elsewhere"), 0700), 0);
	write_at("cache/elsewhere/chapter1.tex", "text");
	make("cube9-0123456789abcdef-01234567.work", S_IFDIR);
	make("cube9-0123456789abcdef-01234567.work/inner", S_IFDIR);
	make("cube9-0123456789abcdef-01234567.work/rtl", S_IFLNK);
	make("cube9-0123456789abcdef-01234567.work/inner/fifo", S_IFIFO);
	make("cube9-0123456789abcdef-01234567.lock", S_IFREG);
	make("graph4-00000000deadbeefv1-trace-fedcba9876543210-89abcdef.work", S_IFDIR);
	make(NAME ".work", S_IFDIR);
	make(LONG "x-0123456789abcdef-01234567.work", S_IFDIR);
	found();
	assert_false(is_there("cache/models/" LONG "x-0123456789abcdef-01234567.work"));
	assert_false(is_there("cache/models/cube9-0123456789abcdef-01234567.work"));
	assert_false(is_there("cache/models/cube9-0123456789abcdef-01234567.lock"));
	assert_false(is_there("cache/models/graph4-00000000deadbeefv1-trace-fedcba9876543210-89abcdef.work"));
	assert_false(is_there("cache/models/graph4-00000000deadbeefv1-trace-fedcba9876543210-89abcdef.lock"));
	assert_false(is_there("cache/models/" NAME ".work"));
	assert_true(is_there("cache/elsewhere/chapter1.tex"));
}

static void test_at_work_stays(void **state)
{
	(void)state;
	make_folder();
	make("cube9-0123456789abcdef-01234567.work", S_IFDIR);
	make("cube9-0123456789abcdef-01234567.lock", S_IFREG);
	int lock = open(at("cache/models/cube9-0123456789abcdef-01234567.lock"), O_RDWR);
	assert_int_equal(flock(lock, LOCK_EX | LOCK_NB), 0);
	found();
	assert_true(is_whole("cube9-0123456789abcdef-01234567.work", S_IFDIR));
	assert_true(is_there("cache/models/cube9-0123456789abcdef-01234567.lock"));
	assert_int_equal(close(lock), 0);
}

// Something else stands at the place where flitloom would write.
static void test_in_the_way(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		mode_t type;
		bool given_away;
	} files[] = {
		{NAME ".so", S_IFLNK, false},   {NAME ".so", S_IFIFO, false},   {NAME ".so", S_IFDIR, false},
		{NAME ".so", S_IFREG, true},    {NAME ".lock", S_IFLNK, false}, {NAME ".lock", S_IFIFO, false},
		{NAME ".lock", S_IFDIR, false}, {NAME ".lock", S_IFREG, true},  {NAME ".work", S_IFLNK, false},
		{NAME ".work", S_IFREG, false}, {NAME ".work", S_IFDIR, true},
	};
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		char path[200], text[300];
		if (files[i].given_away && !is_root())
			continue;
		assert_int_equal(begin(state), 0);
		make_folder();
		assert_int_equal(mkdir(at("cache/elsewhere"), 0700), 0);
		make(files[i].name, files[i].type);
		(void)snprintf(path, sizeof path, "cache/models/%s", files[i].name);
		(void)snprintf(text, sizeof text, "/%s is in the way of the model of cube:1, and not yours: remove it",
		               files[i].name);
		if (files[i].given_away)
			give_away(path);
		refused(LOOM_EFILE, text);
		assert_true(is_whole(files[i].name, files[i].type));
		assert_int_equal(built(), 0);
	}
}

static void test_anothers_log(void **state)
{
	(void)state;
	struct loom_err err;
	make_folder();
	make(NAME ".log", S_IFLNK);
	write_at("home/fails", "");
	assert_int_equal(find(&err), LOOM_ELINK);
	assert_null(strstr(err.text, "the log"));
	assert_true(is_there("cache/models/" NAME ".log"));
	remove_all("home/fails");
	found();
	assert_true(is_there("cache/models/" NAME ".log"));
}

// --- Files that are never loaded -------------------------------------------------------------------------------------

static void test_unsafe_folders(void **state)
{
	(void)state;
	static const struct {
		const char *folder;
		mode_t mode;
		bool given_away;
		const char *text; // NULL: it is taken
	} rows[] = {
		{"cache/models", 0700, false, NULL},
		{"cache/models", 0755, false, NULL},
		{"cache/models", 01755, false, NULL},
		{"cache/models", 0777, false, "others may write in it (mode 0777); chmod go-w"},
		{"cache/models", 01777, false, "others may write in it (mode 1777); chmod go-w"},
		{"cache/models", 0720, false, "others may write in it (mode 0720); chmod go-w"},
		{"cache/models", 0702, false, "others may write in it (mode 0702); chmod go-w"},
		{"cache/models", 0700, true, "it belongs to user 12345; set FLITLOOM_CACHE to a folder of yours"},
		{"cache", 0755, false, NULL},
		{"cache", 01777, false, NULL},
		{"cache", 0777, false, "/cache, which it is in, (mode 0777); chmod go-w"},
		{"cache", 0702, false, "/cache, which it is in, (mode 0702); chmod go-w"},
		{"cache", 0700, true, "/cache, which it is in, belongs to user 12345; set FLITLOOM_CACHE"},
		{"cache", 01777, true, "/cache, which it is in, belongs to user 12345; set FLITLOOM_CACHE"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		for (int tools = 0; tools < 2; tools++) {
			if (rows[i].given_away && !is_root())
				continue;
			assert_int_equal(begin(state), 0);
			make_folder();
			make_model(NAME, 0644);
			if (!tools)
				write_at("home/tools-hash", "");
			assert_int_equal(chmod(at(rows[i].folder), rows[i].mode), 0);
			if (rows[i].given_away)
				give_away(rows[i].folder);
			if (rows[i].text)
				refused(LOOM_EFILE, rows[i].text);
			else
				found();
			assert_int_equal(built(), 0);
		}
}

// Through a link the folder that it leads to counts.
static void test_link_to_folder(void **state)
{
	(void)state;
	make_folder();
	make_model(NAME, 0644);
	assert_int_equal(symlink(at("cache/models"), at("cache/link")), 0);
	assert_int_equal(setenv("FLITLOOM_CACHE", at("cache/link"), 1), 0);
	found();
	assert_int_equal(chmod(at("cache/models"), 0777), 0);
	refused(LOOM_EFILE, "others may write in it (mode 0777)");
}

static void test_unsafe_models(void **state)
{
	(void)state;
	make_folder();
	make_model(NAME, 0664);
	found(); // built anew, over it
	assert_int_equal(built(), 1);
	assert_int_equal(mode_of("cache/models/" NAME ".so"), 0755);
	make_model(NAME, 0646);
	found();
	assert_int_equal(built(), 2);
	// Behind a link there is a good one.
	assert_int_equal(rename(at("cache/models/" NAME ".so"), at("cache/good")), 0);
	assert_int_equal(symlink(at("cache/good"), at("cache/models/" NAME ".so")), 0);
	refused(LOOM_EFILE, "in the way");
	write_at("home/tools-hash", "");
	refused(LOOM_ELINK, "none that is whole");
}

// --- Two at a time ---------------------------------------------------------------------------------------------------

static void interrupt(int number)
{
	(void)number;
}

static void test_waits(void **state)
{
	(void)state;
	make_folder();
	make(NAME ".lock", S_IFREG);
	int to_child[2];
	char byte;
	assert_int_equal(pipe(to_child), 0);
	pid_t child = fork();
	if (child == 0) { // the other program: it has the lock, then builds the model, then lets go
		int lock = open(at("cache/models/" NAME ".lock"), O_RDWR);
		(void)!flock(lock, LOCK_EX);
		(void)!write(to_child[1], "x", 1);
		usleep(2000000); // longer than it takes to find the lock on a busy machine
		make_model(NAME, 0644);
		_exit(unlink(at("cache/models/" NAME ".lock")));
	}
	assert_int_equal(read(to_child[0], &byte, 1), 1);
	found();
	assert_non_null(strstr(said, "waiting for the model of cube:1, which another program builds in"));
	assert_int_equal(built(), 0);
	assert_false(is_there("cache/models/" NAME ".lock"));
	assert_int_equal(waitpid(child, NULL, 0), child);
	// Interrupted meanwhile.
	remove_all("cache/models/" NAME ".so");
	make(NAME ".lock", S_IFREG);
	int lock = open(at("cache/models/" NAME ".lock"), O_RDWR);
	assert_int_equal(flock(lock, LOCK_EX), 0);
	const struct sigaction action = {.sa_handler = interrupt};
	assert_int_equal(sigaction(SIGALRM, &action, NULL), 0);
	(void)ualarm(100000, 100000);
	refused(LOOM_ELINK, "interrupted while another program built the model of cube:1");
	(void)ualarm(0, 0);
	(void)signal(SIGALRM, SIG_DFL);
	assert_int_equal(close(lock), 0);
	assert_int_equal(close(to_child[0]), 0);
	assert_int_equal(close(to_child[1]), 0);
}

// --- Which folder ----------------------------------------------------------------------------------------------------

static void test_which_folder(void **state)
{
	(void)state;
	static char long_name[4000];
	const char *home = getenv("HOME"), *user = getenv("XDG_CACHE_HOME");
	char home_was[4096], user_was[4096], here[4096];
	(void)snprintf(home_was, sizeof home_was, "%s", home ? home : "");
	(void)snprintf(user_was, sizeof user_was, "%s", user ? user : "");
	assert_int_equal(mkdir(at("cache"), 0700), 0);
	assert_int_equal(unsetenv("FLITLOOM_CACHE"), 0);
	assert_int_equal(setenv("XDG_CACHE_HOME", at("cache/user"), 1), 0);
	assert_int_equal(setenv("HOME", at("cache/home"), 1), 0);
	found();
	assert_true(is_there("cache/user/flitloom/" NAME ".so"));
	assert_int_equal(unsetenv("XDG_CACHE_HOME"), 0);
	found();
	assert_true(is_there("cache/home/.cache/flitloom/" NAME ".so"));
	assert_int_equal(setenv("FLITLOOM_CACHE", "", 1), 0);
	assert_int_equal(unsetenv("HOME"), 0);
	refused(LOOM_EFILE, "neither HOME nor XDG_CACHE_HOME is set: set FLITLOOM_CACHE to a folder of yours");
	assert_non_null(getcwd(here, sizeof here));
	assert_int_equal(chdir(at("cache")), 0);
	assert_int_equal(setenv("FLITLOOM_CACHE", "by/name", 1), 0);
	found();
	assert_true(is_there("cache/by/name/" NAME ".so"));
	assert_int_equal(mkdir(at("cache/gone"), 0700), 0);
	assert_int_equal(chdir(at("cache/gone")), 0);
	assert_int_equal(rmdir(at("cache/gone")), 0);
	refused(LOOM_EFILE, "the current folder is gone: set FLITLOOM_CACHE to an absolute path");
	assert_int_equal(chdir(here), 0);
	memset(long_name, 'x', sizeof long_name - 1);
	long_name[0] = '/';
	assert_int_equal(setenv("FLITLOOM_CACHE", long_name, 1), 0);
	refused(LOOM_EFILE, "too long: set FLITLOOM_CACHE");
	write_at("cache/file", "");
	assert_int_equal(setenv("FLITLOOM_CACHE", at("cache/file/x"), 1), 0);
	refused(LOOM_EFILE, "cannot write in");
	assert_int_equal(setenv("FLITLOOM_CACHE", at("cache/file"), 1), 0);
	refused(LOOM_EFILE, "set FLITLOOM_CACHE to a folder of yours");
	if (*home_was)
		assert_int_equal(setenv("HOME", home_was, 1), 0);
	if (*user_was)
		assert_int_equal(setenv("XDG_CACHE_HOME", user_was, 1), 0);
}

// --- In a source tree ------------------------------------------------------------------------------------------------

// Runs a copy of this program from another place: it looks for a model; status 0: it found one.
static int find_elsewhere(const char *program)
{
	char command[4200];
	(void)fflush(NULL);
	(void)snprintf(command, sizeof command, "LD_LIBRARY_PATH='%s' exec '%s' find", at("home/build/tests"),
	               at(program));
	return system(command);
}

static void copy(const char *from, const char *to)
{
	char path[4096], command[8400];
	assert_non_null(realpath(from, path));
	(void)snprintf(command, sizeof command, "cp '%s' '%s'", path, at(to));
	assert_int_equal(system(command), 0);
}

// Returns the file from which the code under test was loaded: the library of all tests' objects.
static const char *object_of_library(void)
{
	static Dl_info here;
	void *at_code = NULL;
	int (*function)(struct loom_verilated_found *, const struct loom_rtl *, const struct loom_link_options *,
	                struct loom_err *) = loom_verilated_find;
	memcpy(&at_code, &function, sizeof at_code);
	assert_int_not_equal(dladdr(at_code, &here), 0);
	return here.dli_fname;
}

// A program in build/ of a source tree keeps its models there, if the tree is its user's.
static void test_in_a_tree(void **state)
{
	(void)state;
	const char *user = getenv("XDG_CACHE_HOME");
	char user_was[4096];
	(void)snprintf(user_was, sizeof user_was, "%s", user ? user : "");
	assert_int_equal(mkdir(at("cache"), 0700), 0);
	assert_int_equal(mkdir(at("home/build"), 0755), 0);
	assert_int_equal(mkdir(at("home/build/tests"), 0755), 0);
	copy("/proc/self/exe", "home/build/tests/program");
	copy(object_of_library(), "home/build/tests/libtests.so");
	assert_int_equal(unsetenv("FLITLOOM_CACHE"), 0);
	assert_int_equal(setenv("XDG_CACHE_HOME", at("cache/user"), 1), 0);
	assert_int_equal(find_elsewhere("home/build/tests/program"), 0);
	assert_true(is_there("home/build/models/" NAME ".so"));
	assert_false(is_there("cache/user"));
	remove_all("home/build/models");
	if (is_root()) {
		give_away("home");
		int status = find_elsewhere("home/build/tests/program");
		assert_int_equal(lchown(at("home"), 0, 0), 0);
		assert_int_equal(status, 0);
	} else {
		assert_int_equal(chmod(at("home"), 0555), 0);
		int status = find_elsewhere("home/build/tests/program");
		assert_int_equal(chmod(at("home"), 0755), 0);
		assert_int_equal(status, 0);
	}
	assert_true(is_there("cache/user/flitloom/" NAME ".so"));
	assert_false(is_there("home/build/models"));
	// The name of the folder wins.
	assert_int_equal(setenv("FLITLOOM_CACHE", at("cache/named"), 1), 0);
	assert_int_equal(find_elsewhere("home/build/tests/program"), 0);
	assert_true(is_there("cache/named/" NAME ".so"));
	assert_false(is_there("home/build/models"));
	remove_all("home/build");
	if (*user_was)
		assert_int_equal(setenv("XDG_CACHE_HOME", user_was, 1), 0);
	else
		assert_int_equal(unsetenv("XDG_CACHE_HOME"), 0);
}

static int find_alone(void)
{
	struct loom_verilated_found found = {.fd = -1};
	struct loom_err err = {0};
	int code = loom_verilated_find(&found, &cube1, NULL, &err);
	if (code)
		(void)fprintf(stderr, "%s\n", err.text);
	else
		(void)close(found.fd);
	return code ? 1 : 0;
}

int main(int n, char **words)
{
	if (n == 2 && strcmp(words[1], "find") == 0)
		return find_alone();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_built_once, begin),
		cmocka_unit_test_setup(test_cost, begin),
		cmocka_unit_test_setup(test_names, begin),
		cmocka_unit_test_setup(test_without_tools, begin),
		cmocka_unit_test_setup(test_failed_build, begin),
		cmocka_unit_test_setup(test_others_files_stay, begin),
		cmocka_unit_test_setup(test_swept_out, begin),
		cmocka_unit_test_setup(test_at_work_stays, begin),
		cmocka_unit_test_setup(test_in_the_way, begin),
		cmocka_unit_test_setup(test_anothers_log, begin),
		cmocka_unit_test_setup(test_unsafe_folders, begin),
		cmocka_unit_test_setup(test_link_to_folder, begin),
		cmocka_unit_test_setup(test_unsafe_models, begin),
		cmocka_unit_test_setup(test_waits, begin),
		cmocka_unit_test_setup(test_which_folder, begin),
		cmocka_unit_test_setup(test_in_a_tree, begin),
	};
	return cmocka_run_group_tests(tests, start, end);
}
