// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"

#define PIPE_BYTES_MAX ((size_t)64 << 20) // a file whose size is unknown may have no end

static int cannot(const char *done, const char *path, const char *why, struct loom_err *err)
{
	char where[200];
	return loom_fail(err, LOOM_EFILE, "%s: cannot be %s: %s", loom_text_where(where, sizeof where, path), done,
	                 why);
}

static int too_long(const char *path, size_t bytes_max, struct loom_err *err)
{
	char why[64];
	(void)snprintf(why, sizeof why, "more than %zu MiB", bytes_max >> 20);
	return cannot("read", path, why, err);
}

// Checks that the bytes are text, as in all files that are read. Reading ends at the first byte that is not, so
// /dev/zero, which has no end, does no harm.
static int check_text(const char *text, size_t begin, size_t end, const char *path, struct loom_err *err)
{
	const char *zero = memchr(text + begin, 0, end - begin);
	char where[200];
	return zero ? loom_fail(err, LOOM_EFILE, "%s: not a text file (byte %zu is 0)",
	                        loom_text_where(where, sizeof where, path), (size_t)(zero - text))
	            : 0;
}

// Reads the rest of fd. The size of a pipe is not known beforehand.
static int read_all(char **out, size_t *length_out, int fd, const char *path, size_t bytes_max, bool text_only,
                    struct loom_err *err)
{
	size_t room = 65536, length = 0;
	char *text = malloc(room);
	int code = 0;
	while (text) {
		ssize_t got = read(fd, text + length, room - length);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			code = cannot("read", path, strerror(errno), err);
		if (got <= 0)
			break;
		code = text_only ? check_text(text, length, length + (size_t)got, path, err) : 0;
		length += (size_t)got;
		if (code == 0 && length > bytes_max)
			code = too_long(path, bytes_max, err);
		if (code)
			break;
		if (length == room) {
			char *more = realloc(text, room *= 2);
			if (!more)
				free(text);
			text = more;
		}
	}
	if (!text)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for a file of more than %zu bytes", length);
	if (code) {
		free(text);
		return code;
	}
	*out = text;
	*length_out = length;
	return 0;
}

bool loom_file_is_standard(const char *path)
{
	return strcmp(path, "-") == 0;
}

int loom_file_check_text(const char *text, size_t length, const char *path, struct loom_err *err)
{
	return check_text(text, 0, length, path, err);
}

static int read_file(char **out, size_t *length_out, const char *path, size_t bytes_max, bool text_only,
                     struct loom_err *err)
{
	struct stat status;
	int code;
	bool standard = loom_file_is_standard(path);
	int fd = standard ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return cannot("read", path, strerror(errno), err);
	if (fstat(fd, &status) < 0)
		code = cannot("read", path, strerror(errno), err);
	else if (S_ISDIR(status.st_mode))
		code = cannot("read", path, "a directory, not a file", err);
	else if (standard && S_ISREG(status.st_mode) && lseek(fd, 0, SEEK_SET) < 0)
		code = cannot("read", path, strerror(errno), err);
	else if (S_ISREG(status.st_mode) && (uintmax_t)status.st_size > bytes_max)
		code = too_long(path, bytes_max, err);
	else
		code = read_all(out, length_out, fd, path,
		                S_ISREG(status.st_mode) || bytes_max < PIPE_BYTES_MAX ? bytes_max : PIPE_BYTES_MAX,
		                text_only, err);
	(void)close(fd);
	return code;
}

int loom_file_read(char **out, size_t *length_out, const char *path, size_t bytes_max, struct loom_err *err)
{
	int code = read_file(out, length_out, path, bytes_max, true, err);
	const size_t mark = code == 0 ? loom_text_mark(*out, *length_out) : 0;
	if (mark > 0)
		memmove(*out, *out + mark, *length_out -= mark);
	return code;
}

int loom_file_read_bytes(char **out, size_t *length_out, const char *path, size_t bytes_max, struct loom_err *err)
{
	return read_file(out, length_out, path, bytes_max, false, err);
}

// Opens a new file next to `path`, with an unused name. *name is malloc'ed.
static FILE *open_temporary(char **name, const char *path, mode_t mode)
{
	size_t size = strlen(path) + 40;
	char *text = malloc(size);
	if (!text)
		return NULL;
	for (unsigned attempt = 0; attempt < 100; attempt++) {
		(void)snprintf(text, size, "%s.%ld-%u.tmp", path, (long)getpid(), attempt);
		int fd = open(text, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
		if (fd < 0 && errno == EEXIST)
			continue;
		FILE *stream = fd < 0 ? NULL : fdopen(fd, "w");
		if (stream) {
			*name = text;
			return stream;
		}
		if (fd >= 0) {
			(void)close(fd);
			(void)unlink(text);
		}
		break;
	}
	int saved = errno;
	free(text);
	errno = saved;
	return NULL;
}

// Reports that a file was not written. reason: an errno, or 0 if the function that makes the contents failed, which
// happens if memory runs out.
static int not_written(const char *path, int reason, struct loom_err *err)
{
	char where[200];
	if (reason && reason != ENOMEM)
		return cannot("written", path, strerror(reason), err);
	return loom_fail(err, LOOM_ENOMEM, "%s: cannot be written: out of memory",
	                 loom_text_where(where, sizeof where, path));
}

// Writes everything to memory first, so that nothing is written if `put` fails.
static int write_standard(int (*put)(FILE *stream, const void *user), const void *user, struct loom_err *err)
{
	char *text = NULL;
	size_t length = 0;
	FILE *stream = open_memstream(&text, &length);
	int rc = stream ? put(stream, user) : -1;
	if (stream && (fclose(stream) != 0 || !text))
		rc = -1;
	int reason = rc == 0 ? 0 : ENOMEM;
	errno = 0;
	if (rc == 0 && (fwrite(text, 1, length, stdout) != length || fflush(stdout) != 0)) {
		rc = -1;
		reason = errno;
	}
	free(text);
	return rc == 0 ? 0 : not_written("standard output", reason, err);
}

int loom_file_write(const char *path, int (*put)(FILE *stream, const void *user), const void *user,
                    struct loom_err *err)
{
	struct stat old;
	if (loom_file_is_standard(path))
		return write_standard(put, user, err);
	bool exists = stat(path, &old) == 0;
	// A pipe or a terminal can be written to, but not replaced. A symbolic link stays, and its file is replaced.
	bool in_place = exists && !S_ISREG(old.st_mode);
	char *target = exists && !in_place ? realpath(path, NULL) : NULL, *temporary = NULL;
	const char *final = target ? target : path;
	FILE *stream = NULL;
	if (in_place)
		stream = fopen(path, "we");
	else if (target || !exists)
		stream = open_temporary(&temporary, final, exists ? old.st_mode & 0777 : 0666);
	int rc = -1, reason = errno;
	if (!stream)
		goto out;

	errno = 0;
	rc = put(stream, user);
	if (rc == 0 && (fflush(stream) != 0 || ferror(stream)))
		rc = -1;
	if (rc == 0 && !in_place)
		rc = fsync(fileno(stream));
	reason = errno;
	if (fclose(stream) != 0 && rc == 0) {
		rc = -1;
		reason = errno;
	}
	if (rc == 0 && !in_place) {
		rc = rename(temporary, final);
		reason = errno;
	}
	if (rc != 0 && temporary)
		(void)unlink(temporary);
out:
	free(temporary);
	free(target);
	if (rc == 0)
		return 0;
	return not_written(path, reason, err);
}

struct text {
	const char *at;
	size_t length;
};

static int put_text(FILE *stream, const void *user)
{
	const struct text *text = user;
	(void)fwrite(text->at, 1, text->length, stream); // the stream remembers a failure
	return 0;
}

int loom_file_write_text(const char *path, const char *text, size_t length, struct loom_err *err)
{
	return loom_file_write(path, put_text, &(struct text){text, length}, err);
}
