// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The names of values that options accept, for reading and for repeating them in reports.
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

// True if the word is an item of a text: at its beginning or behind a separator, up to the next one or to the end.
static bool has_item(const char *text, const char *word)
{
	static const char separators[] = ",=@";
	for (const char *at = text; at; at = (at = strpbrk(at, separators)) ? at + 1 : NULL)
		if (strcspn(at, separators) == strlen(word) && strncmp(at, word, strlen(word)) == 0)
			return true;
	return false;
}

static bool is_given(int n, char *const *words, const char *word)
{
	bool is = false;
	for (int i = 0; i < n && !is; i++)
		is = has_item(words[i], word);
	return is;
}

// Replaces "rule NAME" by "rule OTHER" in a text, the first time that it stands there as a whole.
static void rename_rule(char *text, size_t size, const char *name, const char *other)
{
	static const char lead[] = "rule ";
	for (char *at = strstr(text, lead); at; at = strstr(at + 1, lead)) {
		char *word = at + strlen(lead), *end = word + strlen(name);
		if (strncmp(word, name, strlen(name)) != 0 || (*end != ' ' && *end != ':'))
			continue;
		char rest[sizeof((struct loom_err *)0)->text];
		(void)snprintf(rest, sizeof rest, "%s", end);
		(void)snprintf(word, size - (size_t)(word - text), "%s%s", other, rest);
		return;
	}
}

void cli_say_as_given(struct loom_err *err, int n, char *const *words)
{
	for (unsigned rule = 0; rule < LOOM_RULES_NAMED; rule++) {
		const char *name = loom_rule_name(rule), *other = loom_rule_other_name(rule);
		if (other && is_given(n, words, other) && !is_given(n, words, name))
			rename_rule(err->text, sizeof err->text, name, other);
	}
}

const char *cli_form_at(size_t i)
{
	return loom_rtl_form_name((unsigned)i);
}
