// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// usage: board_pty FABRIC PATH [BYTES]
// A board for the tests of the command: the verilated fabric behind the reference model of the link's device,
// a pseudo-terminal to which PATH becomes a symbolic link. After BYTES from the host the board is unplugged. It ends
// when its standard input does.
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <flitloom/link.h>

#include "reference/link_device.h"

#define IDLE_CYCLES 200 // between two looks at the line: the chip runs by itself

__attribute__((visibility("default"))) const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "detect_leaks=0"; // see rig.c
}

static uint32_t board_read(void *user, uint32_t address)
{
	uint32_t word = 0;
	(void)loom_link_read(user, address, &word, 1, 1000, NULL);
	return word;
}

static void board_write(void *user, uint32_t address, uint32_t word)
{
	(void)loom_link_write(user, address, &word, 1, 1000, NULL);
}

static int serve(struct loom_link *link, int master, unsigned long long bytes_left)
{
	static struct link_device device;
	uint8_t bytes[512];
	device = (struct link_device){.user = link,
	                              .read = board_read,
	                              .write = board_write,
	                              .version = 1,
	                              .clock_hz = 1000000,
	                              .baud = 3000000};
	link_device_reset(&device);
	for (;;) {
		struct pollfd p[] = {{.fd = master, .events = POLLIN}, {.fd = STDIN_FILENO, .events = POLLIN}};
		(void)poll(p, 2, 1);
		if (p[1].revents)
			return 0;
		ssize_t n = p[0].revents & POLLIN ? read(master, bytes, sizeof bytes) : 0;
		for (ssize_t i = 0; i < n; i++) {
			if (bytes_left-- == 0)
				return 0;
			link_device_take(&device, bytes[i]);
		}
		n = write(master, device.out + device.out_at, device.n_out - device.out_at);
		device.out_at += n > 0 ? (size_t)n : 0;
		(void)link->kind->run(link, IDLE_CYCLES, NULL);
	}
}

int main(int argc, char **argv)
{
	struct loom_link link;
	struct loom_err err = {0};
	if (argc < 3)
		return 2;
	const struct loom_link_options options = {.fabric = argv[1]};
	int master = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
	if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0 ||
	    loom_link_open(&link, "sim", &options, &err) != 0) {
		(void)fprintf(stderr, "board_pty: %s\n", err.text);
		return 3;
	}
	int slave = open(ptsname(master), O_RDWR | O_NOCTTY); // kept, so that programs may come and go
	if (slave < 0 || (unlink(argv[2]), symlink(ptsname(master), argv[2])) != 0)
		return 3;
	int status = serve(&link, master, argc > 3 ? strtoull(argv[3], NULL, 10) : ~0ull);
	(void)unlink(argv[2]);
	close(slave);
	close(master);
	loom_link_close(&link);
	return status;
}
