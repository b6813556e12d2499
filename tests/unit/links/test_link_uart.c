// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The links uart and fault over a real pseudo-terminal, at whose other end a thread runs the device of
// tests/reference/link_device.c.
#include <asm/termbits.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include <flitloom/link.h>
#include <flitloom/link/pipe.h>

#include "reference/link_device.h"
#include "base/rng.h"

enum { WORDS = 1 << 16 };

// The speed that the driver reports; 0: the requested one.
static unsigned speed_said;

int ioctl(int fd, unsigned long request, ...)
{
	va_list list;
	va_start(list, request);
	void *argument = va_arg(list, void *);
	va_end(list);
	long code = syscall(SYS_ioctl, fd, request, argument);
	if (code == 0 && request == TCGETS2 && speed_said)
		((struct termios2 *)argument)->c_ospeed = speed_said;
	return (int)code;
}

// True: /proc/locks cannot be read.
static bool hides_locks;

FILE *fopen(const char *path, const char *mode)
{
	if (hides_locks && strcmp(path, "/proc/locks") == 0)
		return NULL;
	const int fd =
		open(path, *mode == 'r' ? O_RDONLY : O_WRONLY | O_CREAT | (*mode == 'a' ? O_APPEND : O_TRUNC), 0666);
	return fd < 0 ? NULL : fdopen(fd, mode);
}

struct board {
	pthread_t thread;
	atomic_bool stop;
	_Atomic uint64_t dead_after; // words accessed until the pty is closed
	int master, slave;           // the board keeps the slave open, so that programs may come and go
	char path[64];
	struct link_device device;
	uint64_t n_accesses;
	uint32_t memory[WORDS];
	uint16_t n_writes[WORDS];
};

static uint32_t board_read(void *user, uint32_t address)
{
	struct board *b = user;
	b->n_accesses++;
	return b->memory[address % WORDS];
}

static void board_write(void *user, uint32_t address, uint32_t word)
{
	struct board *b = user;
	b->n_accesses++;
	b->memory[address % WORDS] = word;
	b->n_writes[address % WORDS]++;
}

static void *board_run(void *user)
{
	struct board *b = user;
	uint8_t bytes[1024];
	while (!b->stop && b->n_accesses < b->dead_after) {
		bool waits = b->device.out_at < b->device.n_out;
		struct pollfd p = {.fd = b->master, .events = (short)(POLLIN | (waits ? POLLOUT : 0))};
		if (poll(&p, 1, 5) <= 0)
			continue;
		ssize_t n = p.revents & POLLIN ? read(b->master, bytes, sizeof bytes) : 0;
		for (ssize_t i = 0; i < n; i++)
			link_device_take(&b->device, bytes[i]);
		if (b->n_accesses >= b->dead_after)
			break; // its last answers are never sent
		n = waits ? write(b->master, b->device.out + b->device.out_at, b->device.n_out - b->device.out_at) : 0;
		b->device.out_at += n > 0 ? (size_t)n : 0;
	}
	if (!b->stop) {
		close(b->slave);
		close(b->master);
		b->slave = b->master = -1;
	}
	return NULL;
}

static void plug_in(struct board *b)
{
	b->master = posix_openpt(O_RDWR | O_NOCTTY);
	assert_true(b->master >= 0 && grantpt(b->master) == 0 && unlockpt(b->master) == 0);
	assert_int_equal(ptsname_r(b->master, b->path, sizeof b->path), 0);
	assert_true(fcntl(b->master, F_SETFL, O_NONBLOCK) == 0);
	b->slave = open(b->path, O_RDWR | O_NOCTTY);
	assert_true(b->slave >= 0);
	b->stop = false;
	b->dead_after = UINT64_MAX;
	b->n_accesses = 0;
	link_device_reset(&b->device);
	assert_int_equal(pthread_create(&b->thread, NULL, board_run, b), 0);
}

static struct board *new_board(void)
{
	struct board *b = calloc(1, sizeof *b);
	assert_non_null(b);
	b->device = (struct link_device){.user = b,
	                                 .read = board_read,
	                                 .write = board_write,
	                                 .version = 1,
	                                 .clock_hz = 12000000,
	                                 .baud = 3000000};
	plug_in(b);
	return b;
}

static void pull(struct board *b)
{
	b->stop = true;
	assert_int_equal(pthread_join(b->thread, NULL), 0);
	if (b->slave >= 0)
		close(b->slave);
	if (b->master >= 0)
		close(b->master);
}

static void free_board(struct board *b)
{
	pull(b);
	free(b);
}

static double now_ms(void)
{
	struct timespec t;
	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int open_link(struct loom_link *out, struct board *b, const char *before, const char *after,
                     struct loom_err *err)
{
	char spec[256];
	(void)snprintf(spec, sizeof spec, "%suart:%s%s", before, b->path, after);
	*out = (struct loom_link){0};
	return loom_link_open(out, spec, NULL, err);
}

static void assert_fails(int code, int expected, const struct loom_err *err, const char *says)
{
	if (!strstr(err->text, says))
		fail_msg("\"%s\" does not say \"%s\"", err->text, says);
	assert_int_equal(code, expected);
	assert_null(strchr(err->text, '\n'));
}

// Writes and reads n_bytes, and checks that every word is right and was written once.
static void carry(const char *before, const char *after, size_t n_bytes)
{
	struct board *b = new_board();
	struct loom_link link;
	struct loom_err err = {0};
	struct loom_rng rng;
	static uint32_t words[WORDS], back[WORDS];
	loom_rng_init(&rng, 5);
	if (open_link(&link, b, before, after, &err) != 0)
		fail_msg("%s", err.text);
	double begin = now_ms();
	for (size_t left = n_bytes / 4; left;) {
		size_t n = left < WORDS ? left : WORDS;
		for (size_t i = 0; i < n; i++)
			words[i] = (uint32_t)loom_rng_next(&rng);
		memset(b->n_writes, 0, sizeof b->n_writes);
		if (loom_link_write(&link, 0, words, n, 60000, &err) != 0 ||
		    loom_link_read(&link, 0, back, n, 60000, &err) != 0)
			fail_msg("%s", err.text);
		assert_memory_equal(back, words, 4 * n);
		for (size_t i = 0; i < n; i++)
			assert_int_equal(b->n_writes[i], 1);
		left -= n;
	}
	struct loom_link_stats stats;
	link.kind->stats(&link, &stats);
	printf("          %-30s %7.0f ms, %llu frames, %llu repeated, %llu damaged\n", *before ? before : "no faults",
	       now_ms() - begin, (unsigned long long)stats.frames, (unsigned long long)stats.repeated,
	       (unsigned long long)stats.damaged);
	loom_link_close(&link);
	free_board(b);
}

static void test_carry(void **state)
{
	(void)state;
	carry("", "", 1000000);
	carry("", ",baud=115200", 1000);
	carry("", ",baud=12345", 1000); // no standard rate
	carry("fault::", "", 1000);
	carry("fault:seed=1,flip=1e-5:", "", 1000000);
	carry("fault:seed=2,flip=1e-4:", "", 400000);
	carry("fault:seed=3,flip=1e-3:", "", 40000);
	carry("fault:seed=4,drop=0.01:", "", 20000);
	carry("fault:seed=5,duplicate=0.01:", "", 20000);
	carry("fault:seed=6,truncate=0.01:", "", 200000);
	carry("fault:flip=1e-5:fault:stall=5:", "", 100000);
}

static void test_refused(void **state)
{
	(void)state;
	static const struct {
		const char *spec, *says;
		int code;
	} cases[] = {
		{"uart", "which device? uart:/dev/ttyUSB1", LOOM_EINPUT},
		{"uart:", "which device?", LOOM_EINPUT},
		{"uart:/dev/null,baud=0", "baud=0 is not a whole number in 50..30000000", LOOM_EINPUT},
		{"uart:/dev/null,baud=-1", "baud=-1", LOOM_EINPUT},
		{"uart:/dev/null,baud=99999999999999999999", "is not a whole number", LOOM_EINPUT},
		{"uart:/dev/null,speed=3", "\"speed=3\" is no setting; there is: baud=", LOOM_EINPUT},
		{"uart:/dev/null,baud", "\"baud\" is no setting", LOOM_EINPUT},
		{"uart:/dev/null,bald=9600", "\"bald=9600\" is no setting", LOOM_EINPUT},
		{"uart:/dev/null,ba=9600", "\"ba=9600\" is no setting", LOOM_EINPUT},
		{"uart:/dev/no-such-tty", "no such device: /dev/no-such-tty", LOOM_ELINK},
		{"uart:/dev/null", "/dev/null is no serial line", LOOM_ELINK},
		{"uart:/etc/passwd", "/etc/passwd is no serial line", LOOM_ELINK},
		{"uart:/", "cannot open /: Is a directory", LOOM_ELINK},
		{"fault", "it takes SETTINGS:LINK", LOOM_EINPUT},
		{"fault:flip=1e-3", "it takes SETTINGS:LINK", LOOM_EINPUT},
		{"fault:flip=2:uart:/dev/null", "flip=2 is not a rate in 0..1", LOOM_EINPUT},
		{"fault:flip=nan:uart:/dev/null", "flip=nan is not a rate", LOOM_EINPUT},
		{"fault:flip=:uart:/dev/null", "is not a rate", LOOM_EINPUT},
		{"fault:seed=1.5:uart:/dev/null", "seed=1.5 is not a whole number", LOOM_EINPUT},
		{"fault:drop=0.1,flop=1:uart:/dev/null", "\"flop\" is no setting; there is: seed=, flip=", LOOM_EINPUT},
		{"fault:flip=0.1:sim",
	         "\"sim\" carries no bytes that could be damaged; these do: sim-uart, uart, ftdi, fault", LOOM_EINPUT},
		{"fault:flip=0.1:smi", "did you mean \"sim\"?", LOOM_EINPUT},
		{"fault:flip=0.1:uart:/dev/no-such-tty", "no such device", LOOM_ELINK},
		{"ftdi:123", "\"123\" is no VID:PID in hexadecimal", LOOM_EINPUT},
		{"ftdi:0403:601", "is no VID:PID", LOOM_EINPUT},
		{"ftdi:0403:6010,interface=E", "interface=E is not A, B, C or D", LOOM_EINPUT},
		{"ftdi:latency=0", "latency=0 is not a whole number in 1..255", LOOM_EINPUT},
		{"ftdi:serial=", "serial= takes 1 to 63 characters", LOOM_EINPUT},
		{"ftdi:bd=1", "there is: serial=, index=, baud=, latency=, interface=", LOOM_EINPUT},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct loom_link link = {0};
		struct loom_err err = {0};
		assert_fails(loom_link_open(&link, cases[i].spec, NULL, &err), cases[i].code, &err, cases[i].says);
		assert_null(link.kind);
		assert_int_equal(loom_link_open(&link, cases[i].spec, NULL, NULL), cases[i].code);
	}
}

// Only one program at a time can lock or open the link.
static void test_busy(void **state)
{
	(void)state;
	struct board *b = new_board();
	struct loom_link link, second;
	struct loom_err err = {0};
	char user[64];
	(void)snprintf(user, sizeof user, "is busy, used by ");
	if (access("/proc/locks", R_OK) == 0)
		(void)snprintf(user, sizeof user, "is busy, used by process %ld (", (long)getpid());
	int fd = open(b->path, O_RDWR | O_NOCTTY);
	assert_int_equal(flock(fd, LOCK_EX), 0);
	assert_fails(open_link(&link, b, "", "", &err), LOOM_ELINK, &err, user);
	close(fd);
	assert_int_equal(open_link(&link, b, "", "", &err), 0);
	assert_fails(open_link(&second, b, "", "", &err), LOOM_ELINK, &err, user);
	loom_link_close(&link);
	assert_int_equal(open_link(&link, b, "", "", &err), 0);
	loom_link_close(&link);
	free_board(b);
}

// Names a program that has the link open where no lock says who; but not this program, which has it open, too.
static void test_busy_elsewhere(void **state)
{
	(void)state;
	struct board *b = new_board();
	struct loom_link link;
	struct loom_err err = {0};
	char user[64];
	int fd = open(b->path, O_RDWR | O_NOCTTY);
	assert_int_equal(flock(fd, LOCK_EX), 0);
	hides_locks = true;
	assert_fails(open_link(&link, b, "", "", &err), LOOM_ELINK, &err, "is busy, used by another program");
	const pid_t child = fork();
	if (child == 0)
		for (;;)
			pause();
	assert_true(child > 0);
	(void)snprintf(user, sizeof user, "is busy, used by process %ld (", (long)child);
	if (access("/proc/self/fd", R_OK) == 0)
		assert_fails(open_link(&link, b, "", "", &err), LOOM_ELINK, &err, user);
	hides_locks = false;
	assert_int_equal(kill(child, SIGKILL), 0);
	assert_int_equal(waitpid(child, NULL, 0), child);
	close(fd);
	free_board(b);
}

static void test_silent(void **state)
{
	(void)state;
	struct board *b = new_board();
	struct loom_link link;
	struct loom_err err = {0};
	const struct loom_link_options options = {.timeout_ms = 300};
	char spec[100];
	pull(b); // the thread ends; the pty is opened anew, and nobody serves it
	b->master = posix_openpt(O_RDWR | O_NOCTTY);
	assert_true(grantpt(b->master) == 0 && unlockpt(b->master) == 0 &&
	            ptsname_r(b->master, b->path, sizeof b->path) == 0);
	(void)snprintf(spec, sizeof spec, "uart:%s", b->path);
	double begin = now_ms();
	assert_fails(loom_link_open(&link, spec, &options, &err), LOOM_ETIMEOUT, &err,
	             "does not answer: no flitloom bitstream");
	assert_true(now_ms() - begin < 60000); // the call must end; a busy machine may take longer
	close(b->master);
	assert_fails(loom_link_open(&link, spec, &options, &err), LOOM_ELINK, &err, "");
	free(b);
}

// The plug is pulled after any number of words: one line within the time-out; plugged in again, all is well.
static void test_pull(void **state)
{
	(void)state;
	static uint32_t words[3000], back[3000];
	struct board *b = new_board();
	struct loom_rng rng;
	loom_rng_init(&rng, 9);
	for (uint32_t i = 0; i < 3000; i++)
		words[i] = i * 77;
	for (int k = 0; k < 100; k++) {
		struct loom_link link;
		struct loom_err err = {0};
		assert_int_equal(open_link(&link, b, "", "", &err), 0);
		const struct loom_transfer list[] = {{.address = 0, .n_words = 3000, .write = words},
		                                     {.address = 0, .n_words = 3000, .read = back}};
		b->dead_after = b->n_accesses + loom_rng_below(&rng, 5900);
		assert_fails(link.kind->transfer(&link, list, 2, 30000, &err), LOOM_ELINK, &err,
		             " words: unplugged, or switched off");
		loom_link_close(&link);
		assert_int_equal(pthread_join(b->thread, NULL), 0);
		plug_in(b);
		if (open_link(&link, b, "", "", &err) || link.kind->transfer(&link, list, 2, 60000, &err))
			fail_msg("%s", err.text);
		assert_memory_equal(words, back, sizeof words);
		loom_link_close(&link);
	}
	free_board(b);
}

// A driver's speed may differ from the requested one by a fortieth in either direction.
static void test_nearest_speed(void **state)
{
	(void)state;
	static const struct {
		unsigned asked, said;
		bool taken;
	} rows[] = {{1000000, 1000000, true}, {1000000, 1025000, true}, {1000000, 1025001, false},
	            {1000000, 975000, true},  {1000000, 974999, false}, {9600, 9840, true},
	            {9600, 9841, false},      {9600, 9360, true},       {9600, 9359, false}};
	struct board *b = new_board();
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		const struct loom_link_kind *kind;
		const char *argument;
		char spec[128], says[200];
		struct loom_pipe pipe = {0};
		struct loom_err err = {0};
		(void)snprintf(spec, sizeof spec, "uart:%s,baud=%u", b->path, rows[i].asked);
		assert_int_equal(loom_link_find(&kind, &argument, spec, NULL, &err), 0);
		speed_said = rows[i].said;
		int code = kind->pipe(&pipe, argument, NULL, &err);
		speed_said = 0;
		assert_int_equal(code, rows[i].taken ? 0 : LOOM_ELINK);
		if (code == 0) {
			pipe.kind->close(&pipe);
			continue;
		}
		(void)snprintf(says, sizeof says, "%s does not do %u baud: the nearest that its driver has is %u",
		               b->path, rows[i].asked, rows[i].said);
		assert_string_equal(err.text, says);
	}
	free_board(b);
}

int main(void)
{
	(void)setvbuf(stdout, NULL, _IOLBF, 0);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_refused),        cmocka_unit_test(test_busy),
		cmocka_unit_test(test_busy_elsewhere), cmocka_unit_test(test_silent),
		cmocka_unit_test(test_carry),          cmocka_unit_test(test_pull),
		cmocka_unit_test(test_nearest_speed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
