// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The names of values that options take, as they are read and as reports repeat them.
#include "cli.h"
#include <string.h>

#include "links/rtl_module.h"

const char *cli_machine_at(size_t i)
{
	static const char *const names[] = {[LOOM_MACHINE_FAST] = "fast", [LOOM_MACHINE_PAPER] = "paper"};
	return i < sizeof names / sizeof names[0] ? names[i] : NULL;
}

const char *cli_show_at(size_t i)
{
	static const char *const names[] = {"split", "fairness"};
	return i < sizeof names / sizeof names[0] ? names[i] : NULL;
}

const char *cli_schedule_at(size_t i)
{
	static const char *const names[] = {[LOOM_SCHEDULE_BEST] = "best",
	                                    [LOOM_SCHEDULE_TABLE] = "table",
	                                    [LOOM_SCHEDULE_GENERATED] = "generated"};
	return i < sizeof names / sizeof names[0] ? names[i] : NULL;
}

const char *cli_machine_name(enum loom_machine machine)
{
	return cli_machine_at(machine);
}

const char *cli_rule_name(size_t i)
{
	return i == CLI_RULE_MIXED ? "mixed" : loom_rule_name((unsigned)i);
}

unsigned cli_rule_named(const char *name)
{
	const bool is_turns = strncmp(name, CLI_TURNS, strlen(CLI_TURNS)) == 0 && name[strlen(CLI_TURNS)];
	const unsigned rule = is_turns ? LOOM_RULE_TURNS : loom_rule_by_name(name);
	if (rule == LOOM_RULE_TURNS && !is_turns)
		return LOOM_RULES_NAMED;
	return rule < LOOM_RULES_MAX || loom_rule_is_adaptive(rule) || loom_rule_has_via(rule) ? rule
	                                                                                       : LOOM_RULES_NAMED;
}

const char *cli_form_at(size_t i)
{
	return loom_rtl_form_name((unsigned)i);
}
