// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "pictures.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "svg_checks.h"

void picture_plan(struct loom_plan *out, const char *fabric, const char *spec, const char *planner, uint64_t seed)
{
	struct loom_topo topo;
	struct loom_pattern pattern;
	struct loom_err err = {0};
	const struct loom_pattern_options options = {.flits = 5, .seed = seed};
	const struct loom_plan_options by = {.planner = planner};
	if (loom_topo_parse(&topo, fabric, &err) != 0 ||
	    loom_pattern_parse(&pattern, spec, topo.n_nodes, &options, &err) != 0)
		fail_msg("%s %s: %s", fabric, spec, err.text);
	if (loom_plan_make(out, &topo, &pattern, &by, &err) != 0)
		fail_msg("%s %s: %s", fabric, spec, err.text);
	loom_pattern_free(&pattern);
	loom_topo_free(&topo); // the plan has its own
}

char *picture_draw(enum loom_picture picture, const struct loom_panel *panels, size_t n)
{
	char file[] = "/tmp/test_picture_XXXXXX";
	struct loom_err err = {0};
	int fd = mkstemp(file);
	assert_true(fd >= 0);
	(void)close(fd);
	if (loom_report_picture(file, picture, panels, n, &err) != 0)
		fail_msg("%s", err.text);
	char *text = svg_slurp(file);
	(void)unlink(file);
	svg_check(text);
	return text;
}

void picture_refused(enum loom_picture picture, const struct loom_panel *panel, const char *part)
{
	struct loom_err err = {0};
	assert_int_equal(loom_report_picture("/tmp/no_picture.svg", picture, panel, 1, &err), LOOM_EINPUT);
	assert_int_not_equal(access("/tmp/no_picture.svg", F_OK), 0);
	if (!strstr(err.text, part))
		fail_msg("\"%s\" has no \"%s\"", err.text, part);
}

size_t picture_crossings(const struct loom_plan *plan, uint32_t pass)
{
	size_t n = 0;
	for (size_t i = 0; i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		if ((pass == UINT32_MAX || m->pass == pass) && loom_plan_uses_network(plan, m))
			n += loom_route_length(&plan->topo, plan->map[m->source], plan->map[m->destination],
			                       (enum loom_rule)m->rule);
	}
	return n;
}
