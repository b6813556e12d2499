// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "links/verilated_seal.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#define SEAL 160 // bytes, a newline at both ends

static void write_seal(char out[SEAL + 1], const char *name, long long size, unsigned long crc)
{
	char line[SEAL];
	(void)snprintf(line, sizeof line, "\nflitloom model %-100.100s %20lld %08lx", name, size, crc);
	(void)snprintf(out, SEAL + 1, "%-*s\n", SEAL - 1, line);
}

// Computes the CRC of the first `size` bytes. False: there are fewer.
static bool get_crc(unsigned long *out, int fd, long long size)
{
	unsigned char bytes[1 << 16];
	unsigned long crc = crc32(0, NULL, 0);
	for (long long at = 0; at < size;) {
		size_t wanted = size - at < (long long)sizeof bytes ? (size_t)(size - at) : sizeof bytes;
		ssize_t n = pread(fd, bytes, wanted, at);
		if (n <= 0)
			return false;
		crc = crc32_z(crc, bytes, (size_t)n);
		at += n;
	}
	*out = crc;
	return true;
}

int loom_verilated_seal(int fd, const char *name)
{
	char seal[SEAL + 1];
	struct stat s;
	unsigned long crc = 0;
	if (fstat(fd, &s) != 0)
		return errno;
	if (!get_crc(&crc, fd, s.st_size))
		return EIO;
	write_seal(seal, name, s.st_size, crc);
	errno = 0;
	if (pwrite(fd, seal, SEAL, s.st_size) != SEAL)
		return errno ? errno : ENOSPC;
	return 0;
}

bool loom_verilated_is_sealed(int fd, const char *name)
{
	char there[SEAL + 1] = "", right[SEAL + 1];
	struct stat s;
	unsigned long crc = 0;
	if (fstat(fd, &s) != 0 || s.st_size <= SEAL || pread(fd, there, SEAL, s.st_size - SEAL) != SEAL ||
	    !get_crc(&crc, fd, s.st_size - SEAL))
		return false;
	write_seal(right, name, s.st_size - SEAL, crc);
	return memcmp(there, right, SEAL) == 0;
}
