// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The command. A new subcommand needs a file cli_NAME.c, its prototype in cli.h and a row here.
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <flitloom/version.h>

#include "base/suggest.h"
#include "cli.h"
#include "cli_terminal.h"

static const struct cli_command commands[] = {
	{"run", "FABRIC PATTERN | PLAN.json", "plan, load, run, and check what the fabric did", CLI_OF_RUN, 1, 2,
         cli_run},
	{"plan", "FABRIC PATTERN | PLAN.json", "print or write a plan: who sends what, when, by which way", CLI_OF_PLAN,
         1, 2, cli_plan},
	{"check", "FABRIC", "report whether messages on a network can lock, whatever is sent", CLI_OF_CHECK, 1, 1,
         cli_check},
	{"sweep", "KIND|FABRIC[,...] PATTERN", "run a pattern on many fabrics, lengths, seeds, machines or loads",
         CLI_OF_SWEEP, 2, 2, cli_sweep},
	{"list", "[SUBJECT [COMMAND]]",
         "list fabrics, patterns, planners, links, boards, registers, commands or options", CLI_OF_LIST, 0, 2,
         cli_list},
	{"goal", "COLLECTIVE RANKS | goal:FILE",
         "write what the ranks of a collective do, as GOAL text, or when they have done it", CLI_OF_GOAL, 1, 2,
         cli_goal},
	{"rtl", "FABRIC", "write a SystemVerilog module of a fabric, for a design of your own", CLI_OF_RTL, 1, 1,
         cli_rtl},
	{"from-booksim", "FILE.cfg [NAME=VALUE...]",
         "say a configuration of BookSim2 as a command, and what cannot be taken over", CLI_OF_FROM_BOOKSIM, 1, 256,
         cli_from_booksim},
	{"probe", "LINK", "show what is at the other end of a link", CLI_OF_PROBE, 1, 1, cli_probe},
	{"peek", "LINK ADDRESS|REGISTER [N]", "read words behind a link", CLI_OF_PEEK, 2, 3, cli_peek},
	{"poke", "LINK ADDRESS|REGISTER WORD...", "write words behind a link", CLI_OF_POKE, 3, 4096, cli_poke},
	{"serve", "FABRIC|LINK [SOCKET|pty]", "put a simulated board behind a pseudo-terminal or a socket",
         CLI_OF_SERVE, 1, 2, cli_serve},
	{"program", "BOARD [FILE]", "load a bitstream into a board", CLI_OF_PROGRAM, 1, 2, cli_program},
	{"view", "FILE.json", "make of a report in JSON a page to walk through", CLI_OF_VIEW, 1, 1, cli_view},
};
enum { N_COMMANDS = sizeof commands / sizeof commands[0] };

static const struct cli_command *command_at(size_t i)
{
	return i < N_COMMANDS ? &commands[i] : NULL;
}

static const char *name_at(size_t i)
{
	static const char *const others[] = {"help", "--help", "--usage", "--version"};
	if (i < N_COMMANDS)
		return commands[i].name;
	return i - N_COMMANDS < sizeof others / sizeof others[0] ? others[i - N_COMMANDS] : NULL;
}

static void print_usage(void)
{
	for (size_t i = 0; i < N_COMMANDS; i++) {
		int column = printf("%s flitloom %-7s", i ? "      " : "Usage:", commands[i].name);
		cli_put_wrapped(stdout, column, column + 1, commands[i].words);
	}
}

static void print_help(void)
{
	print_usage();
	(void)puts("Communication patterns on interconnection networks: contention-free by\n"
	           "mathematics, proved on routers.\n");
	for (size_t i = 0; i < N_COMMANDS; i++)
		cli_put_wrapped(stdout, printf("  %s", commands[i].name), 11, commands[i].help);
	(void)puts("\nhelp COMMAND explains a command; --version prints the version. To begin with:\n"
	           "flitloom run cube:8 transpose --compare\n"
	           "Exit status: 0 as planned, 1 the fabric did not do what the plan says,\n"
	           "2 the request is wrong, 3 the link or the hardware failed.\nThe manual: man flitloom");
}

static int fail_command(const char *word, struct loom_err *err)
{
	const char *near = loom_suggest(word, name_at);
	if (near)
		return loom_fail(err, LOOM_EINPUT, "unknown command \"%.60s\"; did you mean \"%s\"?", word, near);
	return loom_fail(
		err, LOOM_EINPUT,
		"unknown command \"%.60s\"; there is: run, plan, check, sweep, list, goal, rtl, from-booksim, probe, "
		"peek, poke, serve, program, view",
		word);
}

static const struct cli_command *find_command(const char *name)
{
	for (size_t i = 0; i < N_COMMANDS; i++)
		if (strcmp(name, commands[i].name) == 0)
			return &commands[i];
	return NULL;
}

// flitloom help [COMMAND]; the arguments are those after `help`.
static int help(int argc, char **argv, struct loom_err *err)
{
	const struct cli_command *command = argc > 0 ? find_command(argv[0]) : NULL;
	if (argc > 1)
		return loom_fail(err, LOOM_EINPUT, "help: \"%.60s\" is too much: it takes one command", argv[1]);
	if (argc > 0 && !command)
		return fail_command(argv[0], err);
	if (command)
		cli_options_help(stdout, command);
	else
		print_help();
	return 0;
}

static int obey(struct cli_request *request, struct loom_err *err)
{
	int rc = cli_standard_begin(request, err);
	if (rc == 0)
		rc = request->command->run(request, err);
	cli_standard_end(request);
	return rc;
}

static int run(int argc, char **argv, struct loom_err *err)
{
	struct cli_request request;
	enum cli_option ask;
	const struct cli_command *command = NULL;
	if (argc < 2)
		return loom_fail(err, LOOM_EINPUT,
		                 "no command; there is: run, plan, check, sweep, list, goal, rtl, from-booksim, probe, "
		                 "peek, poke, serve, program, view (flitloom "
		                 "--help says more)");
	command = find_command(argv[1]);
	if (strcmp(argv[1], "help") == 0)
		return help(argc - 2, argv + 2, err);
	if (!command && strcmp(argv[1], "--version") == 0)
		(void)puts("flitloom " LOOM_VERSION);
	else if (!command && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0))
		print_help();
	else if (!command && strcmp(argv[1], "--usage") == 0)
		print_usage();
	else if (!command)
		return fail_command(argv[1], err);
	if (!command)
		return 0;

	int rc = cli_options_parse(&request, &ask, command, command_at, argc - 1, argv + 1, err);
	if (rc != 0)
		return rc;
	if (ask == CLI_HELP)
		cli_options_help(stdout, command);
	else if (ask == CLI_USAGE)
		cli_options_usage(stdout, command);
	else
		return obey(&request, err);
	return 0;
}

// Fills closed standard streams, so that no file that is opened later gets such a number, and writing to them fails.
static void fill_closed_streams(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) == -1 && errno == EBADF)
			(void)open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

// True if the program writes to a pipe that nobody reads any more.
static bool is_reader_gone(int fd)
{
	struct pollfd it = {.fd = fd, .events = POLLOUT};
	return poll(&it, 1, 0) == 1 && it.revents & POLLERR;
}

// Ends the program by SIGPIPE, as usual when a reader such as `head` stops reading; a shell does not report that
// signal. If the parent has the signal ignored, this does nothing.
static void end_quietly(void (*inherited)(int))
{
	(void)signal(SIGPIPE, inherited);
	(void)raise(SIGPIPE);
}

int main(int argc, char **argv)
{
	struct loom_err err = {0};
	fill_closed_streams();
	// A write then fails, and the remaining output is still written
	void (*inherited)(int) = signal(SIGPIPE, SIG_IGN);
	int rc = run(argc, argv, &err);
	if (rc >= 0) {
		int flushed = cli_flush(&err);
		rc = flushed != 0 ? flushed : rc;
	}
	if (rc >= 0)
		return rc;
	if (ferror(stdout) && is_reader_gone(STDOUT_FILENO)) {
		end_quietly(inherited);
		return loom_code_status(rc);
	}
	cli_say_as_given(&err, argc, argv);
	for (char *c = err.text; *c; c++) // a name from the command line may hold anything
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			*c = '?';
	(void)fflush(stdout);
	(void)fprintf(stderr, "flitloom: %s\n", err.text);
	return loom_code_status(rc);
}
