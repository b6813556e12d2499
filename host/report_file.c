// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "report_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// A new file next to `path`, under a name of its own. *name is malloc'ed.
static int open_temporary(char **name, const char *path, mode_t mode)
{
	size_t size = strlen(path) + 40;
	int fd = -1;
	*name = malloc(size);
	for (unsigned attempt = 0; *name && fd < 0 && attempt < 100; attempt++) {
		(void)snprintf(*name, size, "%s.%ld-%u.tmp", path, (long)getpid(), attempt);
		fd = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
		if (fd < 0 && errno != EEXIST)
			break;
	}
	return fd;
}

static int write_all(int fd, const char *text, size_t size)
{
	while (size > 0) {
		ssize_t n = write(fd, text, size);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return -1;
		text += n;
		size -= (size_t)n;
	}
	return 0;
}

int loom_report_write_file(const char *path, const char *text, size_t size, struct loom_err *err)
{
	struct stat old;
	bool exists = stat(path, &old) == 0;
	// A pipe or a terminal can be written to but not replaced; behind a symbolic link the file is, not the link.
	bool in_place = exists && !S_ISREG(old.st_mode);
	char *target = exists && !in_place ? realpath(path, NULL) : NULL, *temporary = NULL;
	const char *final = target ? target : path;
	int fd = in_place ? open(path, O_WRONLY | O_CLOEXEC)
	                  : open_temporary(&temporary, final, exists ? old.st_mode & 0777 : 0666);
	int rc = fd < 0 ? -1 : 0, reason = errno;
	if (rc == 0) {
		rc = write_all(fd, text, size);
		if (rc == 0 && !in_place)
			rc = fsync(fd);
		reason = errno;
		if (close(fd) != 0 && rc == 0) {
			rc = -1;
			reason = errno;
		}
		if (rc == 0 && !in_place) {
			rc = rename(temporary, final);
			reason = errno;
		}
		if (rc != 0 && temporary)
			(void)unlink(temporary);
	}
	free(temporary);
	free(target);
	return rc == 0 ? 0 : loom_fail(err, LOOM_EFILE, "%.200s: cannot be written: %s", path, strerror(reason));
}
