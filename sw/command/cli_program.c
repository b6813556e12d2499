// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// flitloom program: loads a bitstream into a board by openFPGALoader.
#include <errno.h>
#include <fcntl.h>
#include <ftdi.h>
#include <glob.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/tool.h"
#include "base/suggest.h"
#include "cli.h"

#define LOADER "openFPGALoader"
#define LOADER_TIMEOUT_MS 300000
#define LOOK_MS 50

extern char **environ;

static const struct cli_board boards[] = {
#include "boards.def"
};

const struct cli_board *cli_board_at(size_t i)
{
	return i < sizeof boards / sizeof boards[0] ? &boards[i] : NULL;
}

static const char *name_at(size_t i)
{
	return cli_board_at(i) ? cli_board_at(i)->name : NULL;
}

static int check_usb(const struct cli_board *board, struct loom_err *err)
{
	struct ftdi_device_list *list = NULL;
	struct ftdi_context *ftdi = ftdi_new();
	int found = ftdi ? ftdi_usb_find_all(ftdi, &list, board->vendor, board->product) : -1;
	if (found > 0)
		ftdi_list_free(&list);
	if (ftdi)
		ftdi_free(ftdi);
	if (found > 0)
		return 0;
	return loom_fail(err, LOOM_ELINK, "no %s on USB: there is no %04x:%04x; is the board plugged in? (lsusb)",
	                 board->name, (unsigned)board->vendor, (unsigned)board->product);
}

static int load(const struct cli_request *request, const struct cli_board *board, const char *file,
                struct loom_err *err)
{
	char *file_copy = strdup(file), *loader_copy = strdup(board->loader);
	char name[] = LOADER, option[] = "-b";
	char *argv[] = {name, option, loader_copy, file_copy, NULL};
	posix_spawn_file_actions_t actions;
	const struct timespec wait = {.tv_nsec = LOOK_MS * 1000000L};
	pid_t child = 0, ended = 0;
	int status = 0, left_ms = LOADER_TIMEOUT_MS;
	posix_spawn_file_actions_init(&actions);
	if (request->quiet)
		posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	int failed = file_copy && loader_copy ? posix_spawnp(&child, name, &actions, NULL, argv, environ) : ENOMEM;
	posix_spawn_file_actions_destroy(&actions);
	free(file_copy);
	free(loader_copy);
	if (failed)
		return loom_fail(err, LOOM_ELINK, "cannot run " LOADER ": %s", strerror(failed));
	while ((ended = waitpid(child, &status, WNOHANG)) == 0 && left_ms > 0) {
		(void)nanosleep(&wait, NULL);
		left_ms -= LOOK_MS;
	}
	if (ended == 0) {
		(void)kill(child, SIGKILL);
		(void)waitpid(child, &status, 0);
		return loom_fail(err, LOOM_ETIMEOUT, LOADER " was not done with %.200s after %d s", file,
		                 LOADER_TIMEOUT_MS / 1000);
	}
	if (ended > 0 && WIFSIGNALED(status))
		return loom_fail(err, LOOM_ELINK, LOADER " -b %s %.200s was ended by signal %d", board->loader, file,
		                 WTERMSIG(status));
	if (ended < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0)
		return loom_fail(err, LOOM_ELINK, LOADER " -b %s %.200s failed with status %d: it says why above",
		                 board->loader, file, WIFEXITED(status) ? WEXITSTATUS(status) : -1);
	return 0;
}

static int fail_board(const char *word, struct loom_err *err)
{
	char hint[210];
	return loom_fail(err, LOOM_EINPUT, "unknown board \"%.60s\"; %s", word,
	                 loom_suggest_hint(hint, sizeof hint, word, name_at));
}

// Finds what `make bitstream` left last, for any fabric; false: nothing, and *out has the files that were searched for.
static bool find_bitstream(char *out, size_t size, const struct cli_board *board)
{
	char pattern[200];
	glob_t found = {0};
	struct stat it, newest = {0};
	(void)snprintf(pattern, sizeof pattern, "build/boards/%s/cube*%s", board->name, strrchr(board->file, '.'));
	(void)snprintf(out, size, "build/boards/%s/%s", board->name, board->file);
	bool any = false;
	if (glob(pattern, 0, NULL, &found) == 0)
		for (size_t i = 0; i < found.gl_pathc; i++)
			if (stat(found.gl_pathv[i], &it) == 0 && (!any || it.st_mtime > newest.st_mtime)) {
				any = true;
				newest = it;
				(void)snprintf(out, size, "%s", found.gl_pathv[i]);
			}
	globfree(&found);
	return any;
}

static int check_bitstream(const char *path, struct loom_err *err)
{
	struct stat it;
	if (access(path, R_OK) != 0 || stat(path, &it) != 0)
		return loom_fail(err, LOOM_EFILE, "cannot read %.200s: %s", path, strerror(errno));
	if (!S_ISREG(it.st_mode) || it.st_size == 0)
		return loom_fail(err, LOOM_EFILE, "%.200s is no bitstream: it is %s", path,
		                 S_ISDIR(it.st_mode)   ? "a folder"
		                 : S_ISREG(it.st_mode) ? "empty"
		                                       : "no regular file");
	return 0;
}

int cli_program(const struct cli_request *request, struct loom_err *err)
{
	const struct cli_board *board = NULL;
	const char *word = request->words[0];
	char file[256];
	for (size_t i = 0; cli_board_at(i); i++)
		if (strcmp(cli_board_at(i)->name, word) == 0)
			board = cli_board_at(i);
	if (!board)
		return fail_board(word, err);
	if (request->n_words == 1 && !find_bitstream(file, sizeof file, board))
		return loom_fail(err, LOOM_EFILE, "no bitstream %s: make bitstream BOARD=%s, or name a file", file,
		                 board->name);
	const char *path = request->n_words > 1 ? request->words[1] : file;
	int rc = check_bitstream(path, err);
	if (rc != 0)
		return rc;
	if (!loom_tool_is_installed(LOADER))
		return loom_fail(err, LOOM_ELINK,
		                 LOADER " is not installed: apt-get install openfpgaloader, or build it from "
		                        "github.com/trabucayre/openFPGALoader");
	rc = check_usb(board, err);
	return rc != 0 ? rc : load(request, board, path, err);
}
