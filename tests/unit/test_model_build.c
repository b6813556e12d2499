// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Signals while a script builds a model, above all one that comes between two reads of what the script says. The script
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

#include "links/model_build.h"

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
	(void)snprintf(s->home, sizeof s->home, "/tmp/test_model_build.XXXXXX");
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

// The build's code; what the process listens to afterwards is as before.
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
	int code = loom_model_build(s.home, NULL, -1, &rtl, &options, err);
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
	static const int numbers[] = {SIGINT, SIGTERM, SIGUSR1};
	for (size_t i = 0; i < 3; i++) {
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
	// One whose handler wants calls to go on stops nothing.
	listen_to(SIGALRM, SA_RESTART);
	assert_int_equal(build(A_WHILE, SIGUSR2, &err), 0);
	assert_int_equal(heard, 1);
	(void)signal(SIGALRM, SIG_DFL);
	(void)signal(SIGUSR2, SIG_DFL);
}

// What the program does not listen to, or will not now, stops nothing.
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_between_two_reads),
		cmocka_unit_test(test_while_it_waits),
		cmocka_unit_test(test_not_listened_to),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
