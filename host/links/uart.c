// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// A serial line or pseudo-terminal by its device file. termios2 takes any baud rate; <termios.h> would clash with it.
#include <asm/termbits.h>
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <linux/serial.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include <flitloom/link/pipe.h>
#include <flitloom/link/session.h>

#include "links/line_settings.h"
#include "links/links.h"

struct uart {
	int fd;
	struct termios2 before; // the line's earlier settings, which are restored at the end
};

// --- Bytes ---------------------------------------------------------------------------------------------------------

static int fail_gone(const struct loom_pipe *pipe, int reason, struct loom_err *err)
{
	return loom_fail(err, LOOM_ELINK, "%s is gone (%s)", pipe->name,
	                 reason ? strerror(reason) : "the line was closed");
}

static int uart_exchange(struct loom_pipe *pipe, struct loom_pipe_bytes *bytes, uint64_t timeout_us,
                         struct loom_err *err)
{
	const struct uart *u = pipe->state;
	struct pollfd p = {.fd = u->fd};
	bytes->n_sent = bytes->n_came = 0;
	for (int waited = 0;; waited = 1) {
		if (bytes->n_out) {
			ssize_t n = write(u->fd, bytes->out, bytes->n_out);
			if (n < 0 && errno != EAGAIN && errno != EINTR)
				return fail_gone(pipe, errno, err);
			bytes->n_sent = n > 0 ? (size_t)n : 0;
		}
		if (bytes->in_room) {
			ssize_t n = read(u->fd, bytes->in, bytes->in_room);
			if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
				return fail_gone(pipe, n ? errno : 0, err);
			bytes->n_came = n > 0 ? (size_t)n : 0;
		}
		if (bytes->n_sent || bytes->n_came || waited || timeout_us == 0)
			return 0;
		const struct timespec t = {.tv_sec = (time_t)(timeout_us / 1000000u),
		                           .tv_nsec = (long)(timeout_us % 1000000u) * 1000};
		p.events = (short)((bytes->in_room ? POLLIN : 0) | (bytes->n_out ? POLLOUT : 0));
		if (ppoll(&p, 1, &t, NULL) < 0 && errno != EINTR)
			return fail_gone(pipe, errno, err);
	}
}

static void uart_discard(struct loom_pipe *pipe)
{
	const struct uart *u = pipe->state;
	(void)ioctl(u->fd, TCFLSH, TCIOFLUSH);
}

static void uart_close(struct loom_pipe *pipe)
{
	struct uart *u = pipe->state;
	(void)ioctl(u->fd, TCFLSH, TCIOFLUSH); // else closing would wait for bytes that a dead line never takes
	(void)ioctl(u->fd, TCSETS2, &u->before);
	(void)ioctl(u->fd, TIOCNXCL);
	close(u->fd);
	free(u);
	pipe->state = NULL;
}

static const struct loom_pipe_kind uart_pipe = {
	.exchange = uart_exchange, .discard = uart_discard, .close = uart_close};

// --- Opening -------------------------------------------------------------------------------------------------------

// Finds the process that has locked the file, as far as /proc shows; 0: none is known.
static long lock_holder(const struct stat *file)
{
	char line[200];
	long holder = 0;
	FILE *locks = fopen("/proc/locks", "r");
	while (locks && fgets(line, sizeof line, locks)) {
		long pid;
		unsigned major_number, minor_number;
		unsigned long long inode;
		// 1: FLOCK  ADVISORY  WRITE 1234 00:19:4 0 EOF
		if (sscanf(line, "%*s FLOCK ADVISORY %*s %ld %x:%x:%llu", &pid, &major_number, &minor_number, &inode) ==
		            4 &&
		    inode == file->st_ino && major_number == major(file->st_dev) && minor_number == minor(file->st_dev))
			holder = pid;
	}
	if (locks)
		(void)fclose(locks);
	return holder;
}

// Finds another process that has the device open, as far as /proc shows; 0: none is known.
static long opener(const struct stat *device)
{
	long found = 0;
	DIR *processes = opendir("/proc");
	for (struct dirent *p; processes && (p = readdir(processes));) {
		char name[300];
		struct stat other;
		long pid = atol(p->d_name);
		if (!isdigit((unsigned char)p->d_name[0]) || pid == (long)getpid())
			continue;
		(void)snprintf(name, sizeof name, "/proc/%ld/fd", pid);
		DIR *files = opendir(name);
		for (struct dirent *f; files && (f = readdir(files));) {
			(void)snprintf(name, sizeof name, "/proc/%ld/fd/%.20s", pid, f->d_name);
			if (stat(name, &other) == 0 && S_ISCHR(other.st_mode) && other.st_rdev == device->st_rdev)
				found = pid;
		}
		if (files)
			closedir(files);
	}
	if (processes)
		closedir(processes);
	return found;
}

// "by process 1234 (screen)".
static void find_user(char *out, size_t size, const char *path)
{
	struct stat device;
	char name[40], command[64] = "?";
	long pid = 0;
	if (stat(path, &device) == 0) {
		pid = lock_holder(&device);
		pid = pid > 0 ? pid : opener(&device);
	}
	(void)snprintf(out, size, "by another program");
	if (pid <= 0)
		return;
	(void)snprintf(name, sizeof name, "/proc/%ld/comm", pid);
	FILE *comm = fopen(name, "r");
	if (comm && fgets(command, sizeof command, comm))
		command[strcspn(command, "\n")] = 0;
	if (comm)
		(void)fclose(comm);
	(void)snprintf(out, size, "by process %ld (%.40s)", pid, command);
}

static int fail_open(const char *path, int reason, struct loom_err *err)
{
	char text[160] = "";
	struct stat it;
	if (stat(path, &it) == 0 && S_ISSOCK(it.st_mode))
		return loom_fail(err, LOOM_ELINK,
		                 "%.200s is a socket, no serial line: flitloom serve without a name gives a "
		                 "pseudo-terminal",
		                 path);
	switch (reason) {
	case ENOENT:
	case ENODEV:
	case ENXIO: {
		glob_t found = {0};
		size_t n = 0;
		if (glob("/dev/ttyUSB*", 0, NULL, &found) == 0 || glob("/dev/ttyACM*", 0, NULL, &found) == 0)
			for (size_t i = 0; i < found.gl_pathc && n < sizeof text; i++)
				n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", n ? ", " : "",
				                      found.gl_pathv[i]);
		globfree(&found);
		return loom_fail(err, LOOM_ELINK, "no such device: %.200s; %s%s", path,
		                 n ? "there is: "
		                   : "is the board plugged in? "
		                     "no /dev/ttyUSB* or /dev/ttyACM* is there",
		                 text);
	}
	case EACCES:
	case EPERM:
		return loom_fail(err, LOOM_ELINK,
		                 "no permission for %.200s: install " LOOM_UDEV_RULE
		                 " in /etc/udev/rules.d and plug the "
		                 "board in again, or join the group that \"ls -l %.60s\" shows",
		                 path, path);
	case EBUSY:
	case EWOULDBLOCK:
		find_user(text, sizeof text, path);
		return loom_fail(err, LOOM_ELINK, "%.200s is busy, used %s: end that first", path, text);
	default: return loom_fail(err, LOOM_ELINK, "cannot open %.200s: %s", path, strerror(reason));
	}
}

static int set_line(int fd, const char *path, unsigned baud, struct loom_err *err)
{
	struct termios2 t;
	struct serial_struct serial;
	if (ioctl(fd, TCGETS2, &t) != 0)
		return loom_fail(err, LOOM_ELINK, "%.200s is no serial line (%s)", path, strerror(errno));
	t.c_iflag = IGNBRK | IGNPAR;
	t.c_oflag = 0;
	t.c_lflag = 0;
	t.c_cflag = CS8 | CREAD | CLOCAL | BOTHER | BOTHER << IBSHIFT;
	t.c_ispeed = t.c_ospeed = baud;
	memset(t.c_cc, 0, sizeof t.c_cc);
	t.c_cc[VMIN] = 1;
	if (ioctl(fd, TCSETS2, &t) != 0)
		return loom_fail(err, LOOM_ELINK, "%.200s does not take %u baud, 8 bits, no parity (%s)", path, baud,
		                 strerror(errno));
	if (ioctl(fd, TCGETS2, &t) == 0 && (t.c_ospeed > baud + baud / 40 || t.c_ospeed < baud - baud / 40))
		return loom_fail(err, LOOM_ELINK, "%.200s does not do %u baud: the nearest that its driver has is %u",
		                 path, baud, t.c_ospeed);
	// USB serial chips then pass on their bytes every millisecond instead of every sixteenth. Not all drivers
	// know it.
	if (ioctl(fd, TIOCGSERIAL, &serial) == 0) {
		serial.flags |= (int)ASYNC_LOW_LATENCY;
		(void)ioctl(fd, TIOCSSERIAL, &serial);
	}
	return 0;
}

static int uart_open(struct loom_pipe *out, const char *argument, const struct loom_link_options *options,
                     struct loom_err *err)
{
	unsigned baud = LOOM_BAUD_DEFAULT;
	const struct loom_line_setting settings[] = {
		{.name = "baud", .least = 50, .most = LOOM_BAUD_MOST, .number = &baud}};
	char path[200];
	size_t length = strcspn(argument, ",");
	if (options && options->trace_file)
		return loom_fail(err, LOOM_EINPUT, "link uart records no waveform: --trace is for sim and sim-uart");
	if (length >= sizeof path)
		return loom_fail(err, LOOM_EINPUT,
		                 "link uart: the name of a device has at most %zu characters, not %zu", sizeof path - 1,
		                 length);
	if (length == 0)
		return loom_fail(err, LOOM_EINPUT,
		                 "link uart: which device? uart:/dev/ttyUSB1, or uart:/dev/ttyUSB1,baud=115200");
	(void)snprintf(path, sizeof path, "%.*s", (int)length, argument);
	int code = loom_line_settings_parse(settings, 1, "uart", argument + length + (argument[length] == ','), err);
	if (code)
		return code;
	int fd = open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return fail_open(path, errno, err);
	if (!isatty(fd))
		code = loom_fail(err, LOOM_ELINK, "%.200s is no serial line", path);
	else if (flock(fd, LOCK_EX | LOCK_NB) != 0)
		code = fail_open(path, errno, err);
	struct uart *u = code ? NULL : calloc(1, sizeof *u);
	if (code == 0 && !u)
		code = loom_fail(err, LOOM_ENOMEM, "no memory for a serial line");
	bool known = code == 0 && ioctl(fd, TCGETS2, &u->before) == 0;
	if (code == 0)
		code = set_line(fd, path, baud, err);
	if (code) {
		if (known)
			(void)ioctl(fd, TCSETS2, &u->before);
		free(u);
		close(fd);
		return code;
	}
	// TIOCEXCL keeps out programs that use no locks, too. It is not set on a pseudo-terminal: there the mark
	// would outlive a killed program as long as another process holds the other end.
	struct serial_struct serial;
	if (ioctl(fd, TIOCGSERIAL, &serial) == 0)
		(void)ioctl(fd, TIOCEXCL);
	u->fd = fd;
	*out = (struct loom_pipe){.kind = &uart_pipe, .state = u, .bytes_per_s = baud / 10.0};
	(void)snprintf(out->name, sizeof out->name, "the board on %.180s", path);
	return 0;
}

const struct loom_link_kind loom_link_uart = {
	.name = "uart",
	.argument = "DEV[,baud=N]",
	.help = "a board on a serial line or pseudo-terminal, at 3000000 baud",
	.pipe = uart_open,
	LOOM_SESSION_LINK,
};
