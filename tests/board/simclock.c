// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Preloaded into a program that uses a simulated board: its monotonic clock is the board's, which is in a file that
// LOOM_SIMCLOCK names (board_ftdi makes it). So the program's measurements and waits do not depend on the speed of
// the simulation.
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static const volatile uint64_t *board_ns;

__attribute__((constructor)) static void find_clock(void)
{
	const char *path = getenv("LOOM_SIMCLOCK");
	int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	if (fd < 0)
		return;
	void *page = mmap(NULL, sizeof *board_ns, PROT_READ, MAP_SHARED, fd, 0);
	if (page != MAP_FAILED)
		board_ns = page;
	close(fd);
}

int clock_gettime(clockid_t clock, struct timespec *out)
{
	if (clock != CLOCK_MONOTONIC || !board_ns)
		return (int)syscall(SYS_clock_gettime, clock, out);
	uint64_t ns = *board_ns;
	*out = (struct timespec){.tv_sec = (time_t)(ns / 1000000000u), .tv_nsec = (long)(ns % 1000000000u)};
	return 0;
}
