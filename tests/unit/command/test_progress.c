// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks the lines that a long run prints about its progress, their times, and the signals that end the run, with a
// clock of the test and standard error in a file.
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli.h"
#include "cli_terminal.h"

static bool is_ours; // the clock
static uint64_t clock_ms;

int clock_gettime(clockid_t id, struct timespec *t)
{
	if (!is_ours)
		return (int)syscall(SYS_clock_gettime, id, t);
	*t = (struct timespec){.tv_sec = (time_t)(clock_ms / 1000), .tv_nsec = (long)(clock_ms % 1000) * 1000000};
	return 0;
}

// --- Standard error in a file --------------------------------------------------------------------------------------

static int kept = -1;
static FILE *heard_in;

static void listen_begin(void)
{
	(void)fflush(stderr);
	heard_in = tmpfile();
	kept = dup(STDERR_FILENO);
	assert_true(heard_in && kept >= 0 && dup2(fileno(heard_in), STDERR_FILENO) >= 0);
	is_ours = true;
}

// Ends the capture of standard error, and compares the text.
static void listen_end(const char *wanted)
{
	char text[2000];
	is_ours = false;
	(void)fflush(stderr);
	assert_true(dup2(kept, STDERR_FILENO) >= 0);
	close(kept);
	rewind(heard_in);
	text[fread(text, 1, sizeof text - 1, heard_in)] = '\0';
	(void)fclose(heard_in);
	assert_string_equal(text, wanted);
}

// --- Progress ------------------------------------------------------------------------------------------------------

struct moment {
	uint64_t ms;
	struct loom_progress at;
};

static void watch_all(struct cli_progress *progress, const struct moment *moments, size_t n, const char *wanted)
{
	listen_begin();
	for (size_t i = 0; i < n; i++) {
		clock_ms = 500000 + moments[i].ms;
		const bool stops = cli_progress_watch(progress, &moments[i].at);
		assert_false(stops);
	}
	listen_end(wanted);
}

#define LOAD(done_, total_)                                                                                            \
	{                                                                                                              \
		.stage = LOOM_STAGE_LOAD, .done = (done_), .total = (total_)                                           \
	}
#define PASS(done_, total_)                                                                                            \
	{                                                                                                              \
		.stage = LOOM_STAGE_RUN, .done = (done_), .total = (total_)                                            \
	}

// Without a terminal there is a line every ten seconds; for a stage of more than a second the rest is estimated.
static void test_lines(void **state)
{
	(void)state;
	static const struct moment moments[] = {
		{0, LOAD(1, 8)},
		{9999, LOAD(2, 8)},
		{10000, LOAD(2, 8)},
		{19999, LOAD(3, 8)},
		{20500, LOAD(8, 8)},
		{30200, PASS(1, 4)},
		{31199, PASS(1, 4)},
		{41200, PASS(1, 4)},
		{51200, {.stage = LOOM_STAGE_RUN, .done = 2, .total = 400, .back_to_back = true}},
		{61200, {.stage = LOOM_STAGE_RUN, .done = 2, .total = 40000}},
		{71200, {.stage = LOOM_STAGE_RUN, .cycle = 77}},
		{81200, {.stage = LOOM_STAGE_VERIFY, .done = 5, .total = 9}},
		{91200, {.stage = LOOM_STAGE_HISTORIES, .done = 5, .total = 9}},
		{101200, {.stage = LOOM_STAGE_LOGS, .done = 0, .total = 9}},
	};
	struct cli_progress progress = {.lines = true};
	watch_all(&progress, moments, sizeof moments / sizeof moments[0],
	          "flitloom: loading, 2 of 8 words, 30 s left\n"
	          "flitloom: loading, 8 of 8 words\n"
	          "flitloom: pass 2 of 4\n"
	          "flitloom: pass 2 of 4, 33 s left\n"
	          "flitloom: back to back, pass 3 of 400, 70 min left\n"
	          "flitloom: pass 3 of 40000, 172.2 h left\n"
	          "flitloom: cycle 77\n"
	          "flitloom: reading back what was loaded, 5 of 9 words\n"
	          "flitloom: reading the channels' histories, 5 of 9 words\n"
	          "flitloom: reading the nodes' logs, 0 of 9 words\n");
	struct cli_progress none = {.quiet = true};
	watch_all(&none, moments, sizeof moments / sizeof moments[0], "");
}

// On a terminal ten texts a second, from the first second on, each over the one before.
static void test_terminal(void **state)
{
	(void)state;
	static const struct moment moments[] = {
		{0, {.stage = LOOM_STAGE_RUN, .cycle = 10}},      {900, {.stage = LOOM_STAGE_RUN, .cycle = 20}},
		{1000, {.stage = LOOM_STAGE_RUN, .cycle = 400}},  {1099, {.stage = LOOM_STAGE_RUN, .cycle = 410}},
		{1100, {.stage = LOOM_STAGE_RUN, .cycle = 500}},  {1200, {.stage = LOOM_STAGE_RUN, .cycle = 999}},
		{1300, {.stage = LOOM_STAGE_RUN, .cycle = 1000}},
	};
	struct cli_progress progress = {.wanted = true, .cycles_predicted = 1000};
	watch_all(&progress, moments, sizeof moments / sizeof moments[0],
	          "\rcycle 400 of about 1000, 2 s left"
	          "\rcycle 500 of about 1000, 1 s left"
	          "\rcycle 999 of about 1000, 1 s left"
	          "\rcycle 1000 of about 1000         ");
	assert_int_equal(progress.shown, 24);
	listen_begin();
	char long_text[200] = "";
	memset(long_text, 'x', sizeof long_text - 1);
	cli_progress_end(&progress);
	cli_progress_end(&progress);
	cli_progress_text(&progress, long_text);
	char wanted[200] = "\r                        \r\r";
	memset(wanted + strlen(wanted), 'x', 79);
	listen_end(wanted);
	assert_int_equal(progress.shown, 79);
}

static void test_model(void **state)
{
	(void)state;
	struct cli_progress lines = {.lines = true}, quiet = {.quiet = true}, terminal = {.wanted = true};
	listen_begin();
	clock_ms = 70400;
	cli_progress_model(&lines, "first");
	clock_ms = 70900;
	cli_progress_model(&lines, "at once");
	clock_ms = 95399;
	cli_progress_model(&lines, "soon");
	clock_ms = 95400;
	cli_progress_model(&lines, "second");
	cli_progress_model(&quiet, "quiet");
	cli_progress_model(&terminal, "over");
	cli_progress_text(&lines, "no text");
	listen_end("first\nsecond\n\rover");
}

// --- Signals -------------------------------------------------------------------------------------------------------

static volatile sig_atomic_t n_before;

static void count(int number)
{
	(void)number;
	n_before++;
}

static void test_interrupt(void **state)
{
	(void)state;
	static const int numbers[] = {SIGINT, SIGTERM};
	struct cli_progress progress = {.quiet = true};
	const struct loom_progress at = PASS(1, 4);
	is_ours = true;
	for (size_t i = 0; i < 2; i++) {
		void (*const was)(int) = signal(numbers[i], count);
		n_before = 0;
		clock_ms = 1000;
		cli_interrupt_begin();
		cli_interrupt_begin(); // they nest
		assert_false(cli_interrupted());
		(void)raise(numbers[i]);
		assert_true(cli_interrupted() && cli_progress_watch(&progress, &at));
		clock_ms = 1299;
		(void)raise(numbers[1 - i]); // both count as one
		(void)raise(numbers[i]);
		assert_int_equal(n_before, 0);
		clock_ms = 1300;
		(void)raise(numbers[i]);
		assert_int_equal(n_before, 1);
		cli_interrupt_end();
		cli_interrupt_end();
		(void)raise(numbers[i]);
		assert_int_equal(n_before, 2);
		cli_interrupt_begin();
		assert_false(cli_interrupted());
		(void)raise(numbers[i]);
		cli_interrupt_end();
		assert_true(cli_interrupted());
		assert_int_equal(n_before, 2);
		(void)signal(numbers[i], SIG_IGN);
		cli_interrupt_begin();
		(void)raise(numbers[i]);
		assert_false(cli_interrupted());
		cli_interrupt_end();
		(void)signal(numbers[i], was);
	}
	is_ours = false;
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_lines), cmocka_unit_test(test_terminal),
	                                   cmocka_unit_test(test_model), cmocka_unit_test(test_interrupt)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
