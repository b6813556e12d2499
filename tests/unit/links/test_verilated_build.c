// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Signals while a script builds a model, above all one that comes between two reads of the script's output. The script
// is one of the test's own: it says a line of progress and then waits, for as long as it is told to or for ever.
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>
#include <cmocka.h>

#include "links/verilated_build.h"

enum { PATIENCE_S = 30 }; // then SIGALRM ends the test

#define FOR_EVER "#!/bin/sh\necho 'model 1/1: at work'\nexec cat >/dev/null\n"
#define A_WHILE "#!/bin/sh\necho 'model 1/1: at work'\nsleep 0.3\n"

static volatile sig_atomic_t heard;

static void hear(int number)
{
	(void)number;
	heard++;
}

static void listen_to(int number, int flags)
{
	struct sigaction action = {.sa_handler = hear, .sa_flags = flags};
	assert_int_equal(sigaction(number, &action, NULL), 0);
}

struct scene {
	char home[64];
	int raised; // amid the first line of progress; 0: none
};

static void raise_it(void *user, const char *text)
{
	const struct scene *s = user;
	assert_string_equal(text, "model of a test, 1/1: at work");
	if (s->raised)
		assert_int_equal(raise(s->raised), 0);
}

static void write_script(struct scene *s, const char *script)
{
	char path[96];
	(void)snprintf(s->home, sizeof s->home, "/tmp/test_verilated_build.XXXXXX");
	assert_non_null(mkdtemp(s->home));
	(void)snprintf(path, sizeof path, "%s/tools", s->home);
	assert_int_equal(mkdir(path, 0700), 0);
	(void)snprintf(path, sizeof path, "%s/tools/model.sh", s->home);
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	assert_true(fputs(script, f) >= 0);
	assert_int_equal(fclose(f), 0);
	assert_int_equal(chmod(path, 0700), 0);
}

static void remove_script(const struct scene *s)
{
	char path[96];
	(void)snprintf(path, sizeof path, "%s/tools/model.sh", s->home);
	assert_int_equal(unlink(path), 0);
	(void)snprintf(path, sizeof path, "%s/tools", s->home);
	assert_int_equal(rmdir(path), 0);
	assert_int_equal(rmdir(s->home), 0);
}

// Runs a build and returns its code. Checks that the handlers of signals are the same afterwards.
static int build(const char *script, int raised, struct loom_err *err)
{
	struct scene s = {.raised = raised};
	const struct loom_rtl rtl = {.label = "a test", .name = "test", .top = "top"};
	const struct loom_link_options options = {.progress = raise_it, .user = &s};
	sigset_t before, after;
	heard = 0;
	write_script(&s, script);
	assert_int_equal(pthread_sigmask(SIG_SETMASK, NULL, &before), 0);
	(void)alarm(PATIENCE_S);
	int code = loom_verilated_build(s.home, NULL, -1, &rtl, &options, 0, err);
	(void)alarm(0);
	assert_int_equal(pthread_sigmask(SIG_SETMASK, NULL, &after), 0);
	for (int number = 1; number < SIGRTMAX; number++)
		assert_int_equal(sigismember(&before, number), sigismember(&after, number));
	remove_script(&s);
	return code;
}

static void stopped(int raised)
{
	struct loom_err err = {0};
	assert_int_equal(build(FOR_EVER, raised, &err), LOOM_ELINK);
	assert_string_equal(err.text, "interrupted while the model of a test was built");
	assert_int_equal(heard, 1);
}

static void test_between_two_reads(void **state)
{
	(void)state;
	const int numbers[] = {SIGINT, SIGTERM, SIGUSR1, SIGHUP, SIGRTMAX}; // the first and the last of all, too
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		listen_to(numbers[i], 0);
		for (int n = 0; n < 20; n++)
			stopped(numbers[i]);
		(void)signal(numbers[i], SIG_DFL);
	}
}

static void after_ms(int ms)
{
	const struct itimerval timer = {.it_value = {.tv_usec = ms * 1000}};
	assert_int_equal(setitimer(ITIMER_REAL, &timer, NULL), 0); // instead of the alarm of build()
}

static int later_ms;

static void raise_later(int number)
{
	(void)number;
	after_ms(later_ms);
}

// The timer's signal comes while the script is silent.
static void test_while_it_waits(void **state)
{
	(void)state;
	struct loom_err err = {0};
	struct sigaction once = {.sa_handler = raise_later, .sa_flags = SA_RESTART};
	assert_int_equal(sigaction(SIGUSR2, &once, NULL), 0);
	listen_to(SIGALRM, 0);
	later_ms = 50;
	assert_int_equal(build(FOR_EVER, SIGUSR2, &err), LOOM_ELINK);
	assert_string_equal(err.text, "interrupted while the model of a test was built");
	assert_int_equal(heard, 1);
	// A signal whose handler restarts calls stops nothing.
	listen_to(SIGALRM, SA_RESTART);
	assert_int_equal(build(A_WHILE, SIGUSR2, &err), 0);
	assert_int_equal(heard, 1);
	(void)signal(SIGALRM, SIG_DFL);
	(void)signal(SIGUSR2, SIG_DFL);
}

// A signal that the program ignores or blocks stops nothing.
static void test_not_listened_to(void **state)
{
	(void)state;
	struct loom_err err = {0};
	sigset_t set;
	(void)signal(SIGINT, SIG_IGN);
	assert_int_equal(build(A_WHILE, SIGINT, &err), 0);
	assert_int_equal(heard, 0);
	listen_to(SIGINT, 0);
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	assert_int_equal(pthread_sigmask(SIG_BLOCK, &set, NULL), 0);
	assert_int_equal(build(A_WHILE, SIGINT, &err), 0);
	assert_int_equal(heard, 0);
	assert_int_equal(pthread_sigmask(SIG_UNBLOCK, &set, NULL), 0);
	assert_int_equal(heard, 1); // it was kept
	assert_int_equal(build(A_WHILE, 0, &err), 0);
	(void)signal(SIGINT, SIG_DFL);
}

// Faults that the program itself causes cannot wait, and stop nothing.
static void test_faults(void **state)
{
	(void)state;
	static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		struct loom_err err = {0};
		struct sigaction before;
		assert_int_equal(sigaction(numbers[i], NULL, &before), 0);
		listen_to(numbers[i], 0);
		assert_int_equal(build(A_WHILE, numbers[i], &err), 0);
		assert_int_equal(heard, 1);
		assert_int_equal(sigaction(numbers[i], &before, NULL), 0);
	}
}

// Checks the message when the script fails, and the code.
static void test_explained(void **state)
{
	(void)state;
	static const struct {
		const char *script;
		int code;
		const char *text[3];
	} rows[] = {
		{"exit 3\n",
	         LOOM_ELINK,
	         {"/tools/model.sh ended with status 3; the tools that it needs must be in PATH"}},
		{"echo 'x: not found' >&2\nexit 127\n",
	         LOOM_ELINK,
	         {"ended with status 127; it said \"x: not found\"; the tools"}},
		{"echo a b >&2\necho c d >&2\nexit 1\n",
	         LOOM_ELINK,
	         {"ended with status 1; it said \"a b\"; the tools"}},
		{"kill -KILL $$\n", LOOM_ELINK, {"was ended by signal 9; if memory ran out, end other programs"}},
		{"echo half a line\nkill -TERM $$\n",
	         LOOM_ELINK,
	         {"was ended by signal 15; it said \"half a line\"; try again"}},
		{"echo 'model.sh: first' >&2\necho 'model.sh: then' >&2\nexit 83\n",
	         LOOM_ELINK,
	         {"no model of a test: first"}},
		{"echo 'model.sh: no tool' >&2\nexit 82\n", LOOM_ELINK, {"no model of a test: no tool"}},
		{"echo 'model.sh: cannot read x' >&2\nexit 81\n", LOOM_EINPUT, {"cannot read x"}},
		{"echo 'model.sh: full' >&2\nexit 84\n",
	         LOOM_EFILE,
	         {"no space left on ", ": the disk is used up (full); FLITLOOM_CACHE names another folder"}},
		{"exit 85\n", LOOM_EFILE, {"no space left on ", ": the quota is used up ("}},
		{"exit 86\n",
	         LOOM_EFILE,
	         {"no space left on ", ": the limit of a file's size (ulimit -f) is used up ("}},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct scene s = {0};
		const struct loom_rtl rtl = {.label = "a test", .name = "test", .top = "top"};
		struct loom_err err = {0};
		char text[200];
		(void)snprintf(text, sizeof text, "#!/bin/sh\n%s", rows[i].script);
		write_script(&s, text);
		assert_int_equal(loom_verilated_build(s.home, s.home, -1, &rtl, NULL, 0, &err), rows[i].code);
		for (int k = 0; k < 3 && rows[i].text[k]; k++)
			if (!strstr(err.text, rows[i].text[k]))
				fail_msg("not \"%s\": %s", rows[i].text[k], err.text);
		assert_true(strlen(err.text) < sizeof err.text - 1 && !strchr(err.text, '\n'));
		remove_script(&s);
	}
}

static void test_key(void **state)
{
	(void)state;
	static const struct {
		const char *script, *sources, *tools, *missing, *text; // sources NULL: it is refused, with the text
	} rows[] = {
		{"echo 0123456789abcdef\necho 01234567\n", "0123456789abcdef", "01234567", "", NULL},
		{"echo 0123456789abcdef\necho\necho 'model.sh: no g++' >&2\n", "0123456789abcdef", "", "no g++", NULL},
		{"echo 0123456789abcdef\n", NULL, NULL, NULL, "gives no two hashes; the tools"},
		{"echo 'x: not found' >&2\necho 0123456789abcdef\n", NULL, NULL, NULL,
	         "gives no two hashes; it said \"x: not found\"; the tools"},
		{":\n", NULL, NULL, NULL,
	         "/tools/model.sh gives no two hashes; the tools that it needs must be in PATH"},
		{"echo 0123456789abcdef01234\necho 01234567\n", NULL, NULL, NULL, "gives no two hashes"},
		{"echo 0123456789abcdef\necho 0123456701234\n", NULL, NULL, NULL, "gives no two hashes"},
		{"echo 0123456789abcdef\necho 01234567\nexit 1\n", NULL, NULL, NULL, "ended with status 1"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct scene s = {0};
		const struct loom_rtl rtl = {.label = "a test", .name = "test", .top = "top"};
		struct loom_verilated_key key = {0};
		struct loom_err err = {0};
		char text[200];
		(void)snprintf(text, sizeof text, "#!/bin/sh\n%s", rows[i].script);
		write_script(&s, text);
		int code = loom_verilated_key(&key, s.home, &rtl, NULL, &err);
		remove_script(&s);
		if (rows[i].sources) {
			assert_int_equal(code, 0);
			assert_string_equal(key.sources, rows[i].sources);
			assert_string_equal(key.tools, rows[i].tools);
			assert_string_equal(key.missing, rows[i].missing);
			continue;
		}
		assert_int_equal(code, LOOM_ELINK);
		if (!strstr(err.text, rows[i].text))
			fail_msg("not \"%s\": %s", rows[i].text, err.text);
	}
}

// Checks the arguments of the script.
static void test_words(void **state)
{
	(void)state;
	struct scene s = {0};
	char netlist[96], text[300];
	struct loom_rtl rtl = {
		.label = "a test", .name = "test", .top = "chip", .words = {(char *)(uintptr_t) "-GX=1"}, .n_words = 1};
	const struct loom_link_options options = {.trace_file = "x", .coverage = true};
	struct loom_err err = {0};
	write_script(&s, "#!/bin/sh\necho \"model.sh: $*, in $(pwd)\" >&2\nexit 83\n");
	assert_int_equal(loom_verilated_build(s.home, s.home, -1, &rtl, &options, 0, &err), LOOM_ELINK);
	(void)snprintf(text, sizeof text, "no model of a test: build top=chip trace coverage -GX=1, in %s", s.home);
	assert_string_equal(err.text, text);
	(void)snprintf(netlist, sizeof netlist, "%s/tools/model.sh", s.home);
	rtl.netlist = netlist;
	assert_int_equal(loom_verilated_build(s.home, s.home, -1, &rtl, NULL, 0, &err), LOOM_ELINK);
	(void)snprintf(text, sizeof text, "no model of a test: build top=chip netlist=%s -GX=1, in %s", netlist,
	               s.home);
	assert_string_equal(err.text, text);
	rtl.netlist = "/no/such/netlist.v";
	assert_int_equal(loom_verilated_build(s.home, s.home, -1, &rtl, NULL, 0, &err), LOOM_EINPUT);
	assert_string_equal(err.text, "cannot read /no/such/netlist.v");
	remove_script(&s);
	rtl.netlist = NULL;
	assert_int_equal(loom_verilated_build("/no/such", "/", -1, &rtl, NULL, 0, &err), LOOM_ELINK);
	assert_non_null(strstr(err.text, "cannot run /no/such/tools/model.sh: "));
}

struct told {
	unsigned n_steps, n_reminders;
};

static void count(void *user, const char *text)
{
	struct told *t = user;
	if (strcmp(text, "model of a test, 1/1: at work") == 0)
		t->n_steps++;
	else if (strncmp(text, "model of a test, 1/1: at work (0:", 33) == 0 && strcmp(text + 35, " min)") == 0)
		t->n_reminders++;
	else
		fail_msg("%s", text);
}

// From time to time the progress says that the build goes on, but only once it can name a step.
static void test_reminded(void **state)
{
	(void)state;
	static const char scripts[][80] = {"#!/bin/sh\necho 'model 1/1: at work'\nsleep 0.5\n",
	                                   "#!/bin/sh\nsleep 0.5\n"};
	for (unsigned i = 0; i < 2; i++)
		for (unsigned every = 0; every < 2; every++) {
			struct scene s = {0};
			struct told told = {0, 0};
			const struct loom_rtl rtl = {.label = "a test", .name = "test", .top = "top"};
			const struct loom_link_options options = {.progress = count, .user = &told};
			struct loom_err err = {0};
			write_script(&s, scripts[i]);
			assert_int_equal(loom_verilated_build(s.home, NULL, -1, &rtl, &options, every * 10, &err), 0);
			assert_int_equal(told.n_steps, i == 0);
			assert_true(i == 0 && every ? told.n_reminders > 1 && told.n_reminders <= 10000
			                            : told.n_reminders == 0);
			remove_script(&s);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_between_two_reads),
		cmocka_unit_test(test_while_it_waits),
		cmocka_unit_test(test_not_listened_to),
		cmocka_unit_test(test_faults),
		cmocka_unit_test(test_explained),
		cmocka_unit_test(test_key),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_reminded),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
