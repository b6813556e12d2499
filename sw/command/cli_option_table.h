// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef FLITLOOM_CLI_OPTION_TABLE_H
#define FLITLOOM_CLI_OPTION_TABLE_H

#include "cli.h"

// The table of the options. Parsing, --help (cli_options.c) and the request that reports repeat (cli_request.c) are
// loops over the rows.

struct cli_option_row;

// The values that an option takes (cli_option_types.c, cli_option_rules.c).
struct cli_option_type {
	// Reads the argument into the option's field. LOOM_EINPUT.
	int (*parse)(struct cli_request *r, const struct cli_option_row *row, const char *text, struct loom_err *err);
	// Returns the value as an argument: points into the request, or is written to `made`. NULL: a switch has none.
	const char *(*say)(char made[CLI_MADE_MOST], const struct cli_request *r, const struct cli_option_row *row);
	enum loom_value_kind kind; // of the field, in reports
	// True if it is a text in this request, whatever kind says. NULL: never
	bool (*is_text)(const struct cli_request *r);
	// True if it varies from row to row of a sweep, and so has no single value. NULL: never
	bool (*varies)(const struct cli_request *r);
	bool names_output; // it is a file that is written
};

extern const struct cli_option_type cli_type_switch, cli_type_text, cli_type_output, cli_type_number, cli_type_name,
	cli_type_rule, cli_type_word, cli_type_seconds, cli_type_ratio, cli_type_lengths, cli_type_nodes,
	cli_type_requests, cli_type_loads, cli_type_fail, cli_type_machines, cli_type_check_on, cli_type_percent,
	cli_type_arrivals, cli_type_way, cli_type_ways, cli_type_darks, cli_type_delays;

// Says when the command in a report repeats the option: if its field is not 0, if it was given, or always.
enum cli_repeat { CLI_NEVER, CLI_IF_SET, CLI_IF_GIVEN, CLI_ALWAYS };

// Only one option of a group may be given, except in the first group, whose options are names of one thing.
enum cli_group { CLI_GROUP_NONE, CLI_GROUP_PLACES, CLI_N_GROUPS };

// An option, as the commands of `commands` accept it: some options have two rows.
struct cli_option_row {
	enum cli_option option;
	const char *name, *word, *argument; // "map", "--map", "MAP"; argument NULL: a switch
	char letter;                        // 0: it has none
	unsigned commands;                  // CLI_OF_... bits
	const struct cli_option_type *type; // NULL: the option asks for help
	size_t at, size;                    // its field in struct cli_request
	uint64_t least, most;               // for a number; for a name `least` is the value of the first
	// All names that a value may have, or for a text those that shells offer; NULL after the last.
	const char *(*names)(size_t i);
	enum cli_repeat repeat;
	enum cli_group group;
	const char *help;
};

// The rows, in the order in which a report's command has the options. NULL after the last.
const struct cli_option_row *cli_option_at(size_t i);
// Returns the row for the command. If the command does not accept the option, or is NULL, returns the option's first
// row.
const struct cli_option_row *cli_option_row(const struct cli_command *command, enum cli_option option);
uint64_t cli_option_value(const struct cli_request *r, const struct cli_option_row *row); // the field: 0 if not set
void cli_option_set(struct cli_request *r, const struct cli_option_row *row, uint64_t value);

// The type of a value that is one of row->names: how it is read, and how it is written again, as in struct
// cli_option_type.
int cli_option_parse_name(struct cli_request *r, const struct cli_option_row *row, const char *text,
                          struct loom_err *err);
const char *cli_option_say_name(char made[CLI_MADE_MOST], const struct cli_request *r,
                                const struct cli_option_row *row);

#endif
