// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef FLITLOOM_CLI_LOAD_LISTS_H
#define FLITLOOM_CLI_LOAD_LISTS_H

#include <stdbool.h>

#include <flitloom/topo.h>

#include "cli.h"

#define ITEMS_MOST 64

struct load_items {
	size_t n;
	char text[ITEMS_MOST][LOOM_TOPO_NAME];
};

// The lists whose combinations are the curves. Ways are rules and planners. A separate curve is words with @ between
// them: a fabric, a map, a way; a word left out is the first item of the list, or the usual one.
struct load_lists {
	struct load_items fabrics, maps, ways, curves;
	bool has_planner;
};

// Reads fabrics, maps and ways: from FABRIC, --map and the options for ways, and those that --compare adds.
// LOOM_EINPUT.
int load_lists_read(struct load_lists *out, const struct cli_request *request, struct loom_err *err);
// Sets the items of a separate curve that its words give; the others are unchanged.
void load_lists_curve(const char **fabric, const char **map, const char **way, char words[LOOM_TOPO_NAME]);
// True if messages on the fabric can go by a rule; always, if `rule` is none or turns:FILE.
bool load_lists_goes(const struct loom_topo *topo, unsigned rule);
// Checks that messages on the fabric can go by a rule, by which routers do not choose. Ascending is also the name of a
// graph's own rule. LOOM_EINPUT.
int load_lists_check_rule(const struct loom_topo *topo, enum loom_rule rule, struct loom_err *err);
// Finds the fabric with the fewest additional lanes on which all ways that are rules can go; false: no number of lanes
// is enough.
bool load_lists_lanes(char name[LOOM_TOPO_NAME], const struct load_lists *lists, const struct loom_topo *topo);
// Returns the index of a rule's name; LOOM_RULES_NAMED: it is none.
unsigned load_lists_rule(const char *text);

#endif
