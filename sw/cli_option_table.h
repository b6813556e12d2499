// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef FLITLOOM_CLI_OPTION_TABLE_H
#define FLITLOOM_CLI_OPTION_TABLE_H

#include "cli.h"

// An option. `word` is its name with the dashes.
struct cli_option_row {
	const char *name, *word, *argument, *help; // argument NULL: a switch
	char letter;                               // 0: it has none
};

extern const struct cli_option_row cli_option_table[CLI_N_OPTIONS];

// The name of the option's argument, and the help for what it does, in this command.
const char *cli_option_argument(const struct cli_command *command, enum cli_option option);
const char *cli_option_help(const struct cli_command *command, enum cli_option option);

#endif
