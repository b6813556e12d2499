// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "base/tool.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"

#define TIMEOUT_MS 60000
#define STEP_MS 2
#define ARGUMENTS_MAX 8

extern char **environ;

static int wait_for(pid_t child, const char *name, struct loom_err *err)
{
	for (unsigned ms = 0;; ms += STEP_MS) {
		int status = 0;
		pid_t ended = waitpid(child, &status, WNOHANG);
		if (ended == child)
			return WIFEXITED(status) && WEXITSTATUS(status) == 0
			               ? 0
			               : loom_fail(err, LOOM_EFILE, "%.40s failed", name);
		if (ended < 0)
			return loom_fail(err, LOOM_EFILE, "%.40s: %s", name, strerror(errno));
		if (ms >= TIMEOUT_MS) {
			(void)kill(child, SIGKILL);
			(void)waitpid(child, &status, 0);
			return loom_fail(err, LOOM_ETIMEOUT, "%.40s did not end within %d s", name, TIMEOUT_MS / 1000);
		}
		(void)nanosleep(&(struct timespec){.tv_nsec = STEP_MS * 1000000L}, NULL);
	}
}

// Runs a program with files as its streams. They are not pipes, so neither side waits for the other.
static int run(FILE *streams[3], const char *const *argv, struct loom_err *err)
{
	posix_spawn_file_actions_t actions;
	char *arguments[ARGUMENTS_MAX + 1] = {NULL};
	pid_t child = 0;
	for (size_t i = 0; i < ARGUMENTS_MAX && argv[i]; i++)
		memcpy(&arguments[i], &argv[i], sizeof arguments[i]); // posix_spawn does not change the text
	int reason = posix_spawn_file_actions_init(&actions);
	if (reason == 0) {
		for (int fd = 0; reason == 0 && fd < 3; fd++)
			reason = posix_spawn_file_actions_adddup2(&actions, fileno(streams[fd]), fd);
		if (reason == 0)
			reason = posix_spawnp(&child, argv[0], &actions, NULL, arguments, environ);
		(void)posix_spawn_file_actions_destroy(&actions);
	}
	if (reason == ENOENT)
		return loom_fail(err, LOOM_EFILE, "%.40s is not installed", argv[0]);
	if (reason != 0)
		return loom_fail(err, LOOM_EFILE, "%.40s cannot be started: %s", argv[0], strerror(reason));
	return wait_for(child, argv[0], err);
}

static int read_back(char **out, size_t *length_out, FILE *stream, struct loom_err *err)
{
	long size = fseek(stream, 0, SEEK_END) == 0 ? ftell(stream) : -1;
	char *text = size >= 0 && fseek(stream, 0, SEEK_SET) == 0 ? malloc((size_t)size + 1) : NULL;
	if (!text)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for what a program wrote");
	*length_out = fread(text, 1, (size_t)size, stream);
	text[*length_out] = '\0';
	*out = text;
	return 0;
}

static void first_line(char said[160], FILE *stream)
{
	char line[160] = "";
	if (fseek(stream, 0, SEEK_SET) != 0 || !fgets(line, sizeof line, stream))
		line[0] = '\0';
	(void)loom_text_quote(said, 160, line, strcspn(line, "\n"));
}

int loom_tool_run(char **out, size_t *length_out, char said[160], const char *const *argv, const char *input,
                  size_t length, struct loom_err *err)
{
	FILE *streams[3] = {tmpfile(), tmpfile(), tmpfile()};
	said[0] = '\0';
	int rc = streams[0] && streams[1] && streams[2] && fwrite(input, 1, length, streams[0]) == length &&
	                         fflush(streams[0]) == 0 && fseek(streams[0], 0, SEEK_SET) == 0
	                 ? run(streams, argv, err)
	                 : loom_fail(err, LOOM_EFILE, "no temporary file for %.40s: %s", argv[0], strerror(errno));
	if (streams[2])
		first_line(said, streams[2]);
	if (rc == 0)
		rc = read_back(out, length_out, streams[1], err);
	for (int i = 0; i < 3; i++)
		if (streams[i])
			(void)fclose(streams[i]);
	return rc;
}

bool loom_tool_is_installed(const char *name)
{
	const char *path = getenv("PATH");
	char file[4096];
	for (; path && *path; path += *path == ':') {
		size_t n = strcspn(path, ":");
		int length = snprintf(file, sizeof file, "%.*s/%s", (int)n, path, name);
		if (length < (int)sizeof file && access(file, X_OK) == 0)
			return true;
		path += n;
	}
	return false;
}
