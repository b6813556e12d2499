// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <string.h>

#include <flitloom/link.h>
#include <flitloom/pattern.h>
#include <flitloom/planner.h>
#include <flitloom/register_name.h>
#include <flitloom/topo.h>

#include "base/suggest.h"
#include "cli.h"

static void list_fabrics(bool names)
{
	const struct loom_topo_kind *kind;
	for (size_t i = 0; (kind = loom_topo_kind_at(i)); i++) {
		char text[64];
		(void)snprintf(text, sizeof text, "%s:%u..%u", kind->name, kind->min_size, kind->max_size);
		if (names)
			(void)puts(kind->name);
		else
			(void)printf("%-21s %s; the number: %s\n", text, kind->help, kind->size_is);
	}
}

static void list_patterns(bool names)
{
	if (!names)
		loom_pattern_list(stdout);
	for (size_t i = 0; names && loom_pattern_name(i); i++)
		(void)puts(loom_pattern_name(i));
}

static void list_planners(bool names)
{
	const struct loom_planner *planner;
	for (size_t i = 0; (planner = loom_planner_at(i)); i++)
		(void)printf(names ? "%s\n" : "%-21s %s\n", planner->name, planner->help);
}

static void list_links(bool names)
{
	const struct loom_link_kind *kind;
	for (size_t i = 0; (kind = loom_link_kind_at(i)); i++) {
		if (names) {
			(void)printf("%s\n", kind->name);
			continue;
		}
		int width = printf("%s%s%s", kind->name, *kind->argument ? ":" : "", kind->argument);
		// What is too long for its column has a line of its own.
		if (width > 21)
			width = printf("\n") - 1;
		(void)printf("%*s %s\n", 21 - width, "", kind->help);
	}
}

static void list_boards(bool names)
{
	const struct cli_board *board;
	for (size_t i = 0; (board = cli_board_at(i)); i++)
		(void)printf(names ? "%s\n" : "%-21s %s\n", board->name, board->help);
}

static void list_registers(bool names)
{
	for (size_t i = 0; loom_register_at(i); i++) {
		char text[64];
		uint32_t address = loom_register_address(i);
		(void)snprintf(text, sizeof text, "%s%s", loom_register_at(i), loom_register_is_window(i) ? ".N" : "");
		(void)printf(names ? "%s\n" : "%-21s 0x%08" PRIx32 "\n", names ? loom_register_at(i) : text, address);
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

static const char *topic_at(size_t i)
{
	return i < N_TOPICS ? topics[i].name : NULL;
}

int cli_list(const struct cli_request *request, struct loom_err *err)
{
	const char *word = request->n_words ? request->words[0] : NULL;
	bool found = false;
	for (size_t i = 0; i < N_TOPICS; i++) {
		if (word && strcmp(word, topics[i].name) != 0)
			continue;
		if (!word && !request->names)
			(void)printf("%s%s:\n", i ? "\n" : "", topics[i].name);
		topics[i].list(request->names);
		found = true;
	}
	if (found)
		return 0;
	const char *near = loom_suggest(word, topic_at);
	if (near)
		return loom_fail(err, LOOM_EINPUT, "list: nothing known of \"%.60s\"; did you mean \"%s\"?", word,
		                 near);
	return loom_fail(err, LOOM_EINPUT,
	                 "list: nothing known of \"%.60s\"; there is: fabrics, patterns, planners, "
	                 "links, boards, registers",
	                 word);
}
