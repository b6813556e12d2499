// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The model writes a waveform, under a temporary name, while it runs. The file gets its own name only when it is whole.
// If a signal that can be caught ends the program before, nothing of the file is left.
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli.h"
#include "cli_session.h"

#define UNFINISHED 255    // kind of a block
#define SIDE_FILE ".hier" // the file that the writer keeps next to it meanwhile

// The state for signal handlers, which have no arguments; empty: there is none.
static char temporary[PATH_MAX + 32], side[PATH_MAX + 40];

static const int fatal[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGABRT, SIGXCPU, SIGBUS, SIGXFSZ};
enum { N_FATAL = sizeof fatal / sizeof fatal[0] };
static void (*before[N_FATAL])(int);

static void remove_temporary(void)
{
	(void)unlink(side);
	(void)unlink(temporary);
}

// The writer maps its file into memory, so a full disk ends in SIGBUS and a limit of size in SIGXFSZ.
static void on_signal(int number)
{
	static const char full[] =
		"flitloom: --trace: the waveform cannot be written: is there space left on the device?\n";
	remove_temporary();
	if (number == SIGBUS || number == SIGXFSZ) {
		ssize_t ignored = write(STDERR_FILENO, full, sizeof full - 1);
		(void)ignored;
		_exit(2);
	}
	(void)signal(number, SIG_DFL);
	(void)raise(number);
}

int cli_waveform_begin(struct cli_waveform *w, const char *path, struct loom_err *err)
{
	struct stat it;
	if (!path)
		return 0;
	w->path = stat(path, &it) == 0 ? realpath(path, NULL) : strdup(path); // a symbolic link stays one
	if (!w->path)
		return loom_fail(err, LOOM_EFILE, "--trace: %.200s cannot be written: %s", path, strerror(errno));
	(void)snprintf(temporary, sizeof temporary, "%.*s.%ld.tmp", PATH_MAX, w->path, (long)getpid());
	(void)snprintf(side, sizeof side, "%s" SIDE_FILE, temporary);
	int fd = open(side, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd < 0) {
		int rc = loom_fail(err, LOOM_EFILE, "--trace: %.200s cannot be written: %s", path, strerror(errno));
		free(w->path);
		w->path = NULL;
		return rc;
	}
	(void)close(fd);
	(void)unlink(side);
	w->temporary = temporary;
	for (int i = 0; i < N_FATAL; i++) {
		before[i] = signal(fatal[i], on_signal);
		if (before[i] == SIG_IGN) // as nohup wants it
			(void)signal(fatal[i], SIG_IGN);
	}
	return 0;
}

// Checks that the file's blocks, each a byte of its kind and its length in the next eight, fill it to the end, that the
// first is the head, and that none is unfinished.
static bool is_whole(const char *path)
{
	struct stat it;
	uint8_t head[9];
	off_t at = 0;
	FILE *stream = fopen(path, "rb");
	bool good = stream && fstat(fileno(stream), &it) == 0 && it.st_size > 0;
	while (good && at < it.st_size) {
		uint64_t length = 0;
		good = fseeko(stream, at, SEEK_SET) == 0 && fread(head, sizeof head, 1, stream) == 1;
		for (size_t i = 1; i < sizeof head; i++)
			length = length << 8 | head[i];
		good = good && (at > 0 || head[0] == 0) && head[0] != UNFINISHED && length >= 8 &&
		       length < (uint64_t)(it.st_size - at);
		at += good ? (off_t)length + 1 : 0;
	}
	if (stream)
		(void)fclose(stream);
	return good;
}

// Renames both files or neither: a signal that would end the program waits until that is done.
static int name_it(const struct cli_waveform *w, struct loom_err *err)
{
	sigset_t waiting, usual;
	(void)sigemptyset(&waiting);
	for (int i = 0; i < N_FATAL; i++)
		if (fatal[i] != SIGABRT && fatal[i] != SIGBUS && fatal[i] != SIGXFSZ) // they are of what is done here
			(void)sigaddset(&waiting, fatal[i]);
	(void)sigprocmask(SIG_BLOCK, &waiting, &usual);
	int rc = rename(temporary, w->path) == 0 ? cli_gtkw_write(w->path, err)
	                                         : loom_fail(err, LOOM_EFILE, "--trace: %.200s cannot be written: %s",
	                                                     w->path, strerror(errno));
	(void)sigprocmask(SIG_SETMASK, &usual, NULL);
	return rc;
}

int cli_waveform_end(struct cli_waveform *w, bool keep, struct loom_err *err)
{
	int rc = 0;
	if (!w->path)
		return 0;
	if (keep && w->from && access(temporary, F_OK) != 0)
		rc = loom_fail(err, LOOM_EINPUT,
		               "--trace-from: the run ended before cycle %llu; no waveform was written",
		               (unsigned long long)w->from);
	else if (keep && !is_whole(temporary))
		rc = loom_fail(err, LOOM_EFILE,
		               "--trace: %.200s could not be written as a whole: is there space left on the device?",
		               w->path);
	else if (keep)
		rc = name_it(w, err);
	remove_temporary();
	for (int i = 0; i < N_FATAL; i++)
		(void)signal(fatal[i], before[i]);
	free(w->path);
	*w = (struct cli_waveform){0};
	return rc;
}
