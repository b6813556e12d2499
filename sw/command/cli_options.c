// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <ctype.h>
#include <getopt.h>
#include <string.h>

#include "base/suggest.h"
#include "cli_option_table.h"
#include "cli_terminal.h"

#define MANUAL "The manual: man flitloom"

static const char *name_at(size_t i)
{
	return i < CLI_N_OPTIONS ? cli_option_name((enum cli_option)i) : NULL;
}

// --- Help ----------------------------------------------------------------------------------------------------------

void cli_options_usage(FILE *stream, const struct cli_command *command)
{
	int column = fprintf(stream, "Usage: flitloom %s", command->name);
	char words[160];
	(void)snprintf(words, sizeof words, "%s [OPTION...]", command->words);
	cli_put_wrapped(stream, column, column + 1, words);
}

static void put_for_person(FILE *stream, const struct cli_option_row *row)
{
	char text[40];
	(void)snprintf(text, sizeof text, "%s%s%s", row->word, row->argument ? "=" : "",
	               row->argument ? row->argument : "");
	int column =
		fprintf(stream, row->letter ? "  -%c, %-20s" : "  %c   %-20s", row->letter ? row->letter : ' ', text);
	cli_put_wrapped(stream, column, 28, row->help);
}

static void put_for_shell(FILE *stream, const struct cli_option_row *row)
{
	const char letter[] = {'-', row->letter, '\0'};
	(void)fprintf(stream, "%s\t%s\t%s\t", row->word, row->letter ? letter : "", row->argument ? row->argument : "");
	for (size_t i = 0; row->names && row->names(i); i++)
		(void)fprintf(stream, "%s%s", i ? " " : "", row->names(i));
	(void)fprintf(stream, "\t%s\n", row->help);
}

void cli_options_list(FILE *stream, const struct cli_command *command, bool names)
{
	for (enum cli_option o = 0; o < CLI_N_OPTIONS; o++)
		if (cli_takes(command, o))
			(names ? put_for_shell : put_for_person)(stream, cli_option_row(command, o));
}

void cli_options_help(FILE *stream, const struct cli_command *command)
{
	cli_options_usage(stream, command);
	(void)fprintf(stream, "%c%s.\n\n", toupper((unsigned char)command->help[0]), command->help + 1);
	cli_options_list(stream, command, false);
	const char *differs = command->bit == CLI_OF_CHECK
	                              ? "0 no deadlock is possible, 1 messages can lock or tables are wrong"
	                              : "0 as planned, 1 the fabric did not do what the plan says";
	bool by_address = command->bit & (CLI_OF_PEEK | CLI_OF_POKE);
	(void)fprintf(stream,
	              "\nNumbers are decimal%s.\nExit status: %s,\n"
	              "2 the request is wrong, 3 the link or the hardware failed.\n" MANUAL "\n",
	              by_address ? ", or hexadecimal: 0x1f" : "; FILE may be -, standard input or output", differs);
}

// --- The command line ----------------------------------------------------------------------------------------------

static int fail_not_taken(const struct cli_command *command, cli_command_at *command_at, enum cli_option option,
                          struct loom_err *err)
{
	char takers[64] = "";
	for (size_t i = 0, used = 0; command_at(i) && used < sizeof takers; i++)
		if (cli_takes(command_at(i), option))
			used += (size_t)snprintf(takers + used, sizeof takers - used, "%s%s", used ? ", " : "",
			                         command_at(i)->name);
	return loom_fail(err, LOOM_EINPUT, "flitloom %s takes no --%s; it is an option of: %s", command->name,
	                 cli_option_name(option), takers);
}

static int fail_two_names(enum cli_option a, enum cli_option b, struct loom_err *err)
{
	return loom_fail(err, LOOM_EINPUT, "--%s and --%s: these are two names of one option; give one of them",
	                 cli_option_name(a < b ? a : b), cli_option_name(a < b ? b : a));
}

// getopt_long refused `word`, "--..." : no option begins so, or several do.
static int fail_option(const struct cli_command *command, const char *word, struct loom_err *err)
{
	char name[64];
	(void)snprintf(name, sizeof name, "%.*s", (int)strcspn(word + 2, "="), word + 2);
	const char *first = NULL;
	for (enum cli_option o = 0; o < CLI_N_OPTIONS; o++) {
		const char *may_be = cli_option_name(o);
		if (strncmp(may_be, name, strlen(name)) != 0)
			continue;
		if (first)
			return loom_fail(err, LOOM_EINPUT, "--%s may be --%s or --%s: write it in full", name, first,
			                 may_be);
		first = may_be;
	}
	const char *near = loom_suggest(name, name_at);
	if (near)
		return loom_fail(err, LOOM_EINPUT, "unknown option --%s; did you mean --%s?", name, near);
	return loom_fail(err, LOOM_EINPUT, "unknown option --%s; see: flitloom %s --help", name, command->name);
}

int cli_options_parse(struct cli_request *out, enum cli_option *ask, const struct cli_command *command,
                      cli_command_at *command_at, int argc, char **argv, struct loom_err *err)
{
	enum { FIRST = 256 }; // values that no letter has
	struct option options[CLI_N_OPTIONS + 2] = {{0}};
	enum cli_option taken[CLI_N_GROUPS]; // of each group
	char letters[3 * CLI_N_OPTIONS + 2] = ":";
	struct cli_request r = {.command = command,
	                        .command_at = command_at,
	                        .link = command->bit == CLI_OF_SWEEP ? "model" : "sim",
	                        .machine = LOOM_MACHINE_FAST,
	                        .flits = 17,
	                        .seed = 1,
	                        .trace_from = 1,
	                        .warmup_cycles = 10000,
	                        .measure_cycles = 20000};
	*ask = CLI_N_OPTIONS;
	for (enum cli_option o = 0; o < CLI_N_OPTIONS; o++) {
		const struct cli_option_row *row = cli_option_row(command, o);
		options[o] = (struct option){row->name, row->argument ? required_argument : no_argument, NULL,
		                             FIRST + (int)o};
		size_t used = strlen(letters);
		if (row->letter)
			(void)snprintf(letters + used, sizeof letters - used, "%c%s", row->letter,
			               row->argument ? ":" : "");
	}
	if (command->bit == CLI_OF_SWEEP) // another word for several rules side by side
		options[CLI_N_OPTIONS] = (struct option){"compare-rules", required_argument, NULL, FIRST + CLI_RULE};

	for (size_t group = 0; group < CLI_N_GROUPS; group++)
		taken[group] = CLI_N_OPTIONS;
	opterr = 0;
	optind = 0; // glibc: from the start
	for (;;) {
		int key = getopt_long(argc, argv, letters, options, NULL);
		if (key == -1)
			break;
		for (enum cli_option o = 0; o < CLI_N_OPTIONS; o++)
			if (key > 0 && key == cli_option_row(command, o)->letter)
				key = FIRST + (int)o;
		const bool known = key >= FIRST || optopt >= FIRST;
		const enum cli_option option = (enum cli_option)((key >= FIRST ? key : optopt) - FIRST);
		const struct cli_option_row *row = known ? cli_option_row(command, option) : NULL;
		if (key == ':' && row)
			return loom_fail(err, LOOM_EINPUT, "--%s: its %s is missing", row->name, row->argument);
		if (key == ':')
			return loom_fail(err, LOOM_EINPUT, "-%c: its value is missing", optopt);
		if (key < FIRST && row)
			return loom_fail(err, LOOM_EINPUT, "--%s takes no value: it is a switch", row->name);
		if (key < FIRST && optopt)
			return loom_fail(err, LOOM_EINPUT, "unknown option -%c; see: flitloom %s --help", optopt,
			                 command->name);
		if (key < FIRST)
			return fail_option(command, argv[optind - 1], err);
		if (!cli_takes(command, option))
			return fail_not_taken(command, command_at, option, err);
		if (option == CLI_HELP || option == CLI_USAGE) {
			*ask = option;
			return 0;
		}
		if (taken[row->group] != CLI_N_OPTIONS && taken[row->group] != option)
			return fail_two_names(option, taken[row->group], err);
		if (row->group != CLI_GROUP_NONE)
			taken[row->group] = option;
		int rc = row->type->parse(&r, row, optarg, err);
		if (rc != 0)
			return rc;
		cli_set_put(&r.given, option);
	}
	r.n_words = argc - optind;
	r.words = argv + optind;
	if (r.n_words < command->words_min)
		return loom_fail(err, LOOM_EINPUT, "%s: too little: it takes %s", command->name, command->words);
	if (r.n_words > command->words_max)
		return loom_fail(err, LOOM_EINPUT, "%s: \"%.60s\" is too much: it takes %s", command->name,
		                 r.words[command->words_max], command->words);
	*out = r;
	return 0;
}
