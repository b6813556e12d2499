// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/link.h>
#include <flitloom/pattern.h>
#include <flitloom/planner.h>
#include <flitloom/link/register_name.h>
#include <flitloom/topo.h>

#include "base/suggest.h"
#include "cli.h"
#include "cli_terminal.h"

#define TEXT_COLUMN 22

static void put_row(const char *name, const char *text)
{
	int column = printf("%-*s", TEXT_COLUMN - 1, name);
	cli_put_wrapped(stdout, column, TEXT_COLUMN, text);
}

static void list_fabrics(bool names)
{
	const struct loom_topo_kind *kind;
	for (size_t i = 0; (kind = loom_topo_kind_at(i)); i++) {
		char name[64], text[256];
		(void)snprintf(name, sizeof name, "%s:%s", kind->name, kind->sizes);
		(void)snprintf(text, sizeof text, "%s; the size: %s", kind->help, kind->size_is);
		if (names)
			(void)puts(kind->name);
		else
			put_row(name, text);
	}
}

// The library's list, with its long lines broken.
static void wrap_patterns(void)
{
	char *all = NULL, *rest = NULL;
	size_t size = 0;
	FILE *stream = open_memstream(&all, &size);
	if (stream)
		loom_pattern_list(stream);
	if (!stream || fclose(stream) != 0 || !all) { // no memory: as it is
		loom_pattern_list(stdout);
		return;
	}
	for (char *line = strtok_r(all, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		size_t length = strcspn(line, " ");
		while (line[length] == ' ' && line[length + 1] != ' ' && length < TEXT_COLUMN - 1)
			length += 1 + strcspn(line + length + 1, " ");
		const char *text = line + length + strspn(line + length, " ");
		line[length] = *text ? '\0' : line[length];
		put_row(line, text);
	}
	free(all);
}

static void list_patterns(bool names)
{
	if (!names)
		wrap_patterns();
	for (size_t i = 0; names && loom_pattern_name(i); i++)
		(void)puts(loom_pattern_name(i));
}

static void list_planners(bool names)
{
	const struct loom_planner *planner;
	for (size_t i = 0; (planner = loom_planner_at(i)); i++)
		if (names)
			(void)puts(planner->name);
		else
			put_row(planner->name, planner->help);
}

static void list_links(bool names)
{
	const struct loom_link_kind *kind;
	for (size_t i = 0; (kind = loom_link_kind_at(i)); i++) {
		if (names) {
			(void)printf("%s\n", kind->name);
			continue;
		}
		char name[128];
		(void)snprintf(name, sizeof name, "%s%s%s", kind->name, *kind->argument ? ":" : "", kind->argument);
		put_row(name, kind->help);
	}
}

static void list_boards(bool names)
{
	const struct cli_board *board;
	for (size_t i = 0; (board = cli_board_at(i)); i++)
		if (names)
			(void)puts(board->name);
		else
			put_row(board->name, board->help);
}

static void list_registers(bool names)
{
	for (size_t i = 0; loom_register_at(i); i++) {
		char name[64];
		if (names) {
			(void)puts(loom_register_at(i));
			continue;
		}
		(void)snprintf(name, sizeof name, "%s%s", loom_register_at(i), loom_register_is_window(i) ? ".N" : "");
		int column = printf("%-16s 0x%08" PRIx32, name, loom_register_address(i));
		cli_put_wrapped(stdout, column, column + 1, loom_register_text(i));
	}
}

static const struct {
	const char *name;
	void (*list)(bool names);
} topics[] = {
	{"fabrics", list_fabrics}, {"patterns", list_patterns}, {"planners", list_planners},
	{"links", list_links},     {"boards", list_boards},     {"registers", list_registers},
};
enum { N_TOPICS = sizeof topics / sizeof topics[0] };

static void list_commands(const struct cli_request *request)
{
	const struct cli_command *command;
	for (size_t i = 0; (command = request->command_at(i)); i++)
		if (request->names)
			(void)puts(command->name);
		else
			put_row(command->name, command->help);
}

// list options [COMMAND]
static int list_options(const struct cli_request *request, struct loom_err *err)
{
	const char *of = request->n_words > 1 ? request->words[1] : NULL;
	const struct cli_command *command;
	bool found = false;
	for (size_t i = 0; (command = request->command_at(i)); i++) {
		if (of && strcmp(of, command->name) != 0)
			continue;
		if (!of)
			(void)printf("%s%s:\n", i ? "\n" : "", command->name);
		cli_options_list(stdout, command, request->names);
		found = true;
	}
	return found ? 0 : loom_fail(err, LOOM_EINPUT, "list options: unknown command \"%.60s\"", of);
}

static const char *topic_at(size_t i)
{
	static const char *const more[] = {"commands", "options"};
	if (i < N_TOPICS)
		return topics[i].name;
	return i - N_TOPICS < sizeof more / sizeof more[0] ? more[i - N_TOPICS] : NULL;
}

static int fail_topic(const char *word, struct loom_err *err)
{
	char hint[120];
	return loom_fail(err, LOOM_EINPUT, "list: nothing known of \"%.60s\"; %s", word,
	                 loom_suggest_hint(hint, sizeof hint, word, topic_at));
}

int cli_list(const struct cli_request *request, struct loom_err *err)
{
	const char *word = request->n_words ? request->words[0] : NULL;
	bool found = !word;
	if (word && strcmp(word, "options") == 0)
		return list_options(request, err);
	if (request->n_words > 1)
		return loom_fail(err, LOOM_EINPUT, "list: \"%.60s\" is too much: list %s takes no more",
		                 request->words[1], word);
	if (word && strcmp(word, "commands") == 0) {
		list_commands(request);
		return 0;
	}
	for (size_t i = 0; i < N_TOPICS; i++) {
		if (word && strcmp(word, topics[i].name) != 0)
			continue;
		if (!word && !request->names)
			(void)printf("%s%s:\n", i ? "\n" : "", topics[i].name);
		topics[i].list(request->names);
		found = true;
	}
	return found ? 0 : fail_topic(word, err);
}
