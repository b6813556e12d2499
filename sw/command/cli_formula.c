// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// flitloom plan for cubes whose messages are too many to list: reports what the formulas say.
#include <string.h>

#include <flitloom/math/formula.h>
#include <flitloom/report.h>

#include "cli.h"
#include "cli_terminal.h"

static int check(const struct cli_request *request, unsigned n, struct loom_err *err)
{
	enum cli_option option;
	if (n > LOOM_FORMULA_DIMS_MAX)
		return loom_fail(err, LOOM_EINPUT,
		                 "fabric \"%.60s\": messages are listed for cubes of up to %d dimensions, and formulas "
		                 "plan those of up to %d",
		                 request->words[0], LOOM_DIMS_MAX, LOOM_FORMULA_DIMS_MAX);
	if (cli_is_refused(&option, request, CLI_WITH_FORMULAS))
		return loom_fail(err, LOOM_EINPUT,
		                 "%s: a cube of %u dimensions is planned by formula, without the list of its "
		                 "messages and channels that this takes; cubes of up to %d have it",
		                 cli_option_long(option), n, LOOM_DIMS_MAX);
	return request->compare && request->map
	               ? loom_fail(err, LOOM_EINPUT,
	                           "--map and --compare: a comparison is of the identity and the best map")
	               : 0;
}

static int show(FILE *json, const struct cli_request *request, const char *map, const struct loom_formula *formula,
                struct loom_err *err)
{
	struct cli_asked asked;
	if (!request->json)
		return request->quiet ? 0 : loom_report_formula_table(stdout, formula, cli_colour(), err);
	int rc = cli_asked(&asked, request, map, false, err);
	if (rc == 0)
		rc = loom_report_formula_json(json, formula, &asked.said, err);
	cli_asked_free(&asked);
	return rc;
}

static bool same(const struct loom_formula *a, const struct loom_formula *b)
{
	return memcmp(a->order, b->order, sizeof a->order) == 0;
}

int cli_formula(const struct cli_request *request, unsigned n, struct loom_err *err)
{
	static const char *const maps[] = {"identity", "best"};
	size_t n_formulas = request->compare ? 2 : 1;
	struct loom_pattern pattern = {0};
	struct loom_formula formulas[2] = {0};
	struct cli_compared compared = {0};
	const bool compares = request->compare && request->json;
	const struct loom_pattern_options pattern_options = {.flits = request->flits, .seed = request->seed};
	int rc = check(request, n, err);
	if (rc == 0)
		rc = loom_pattern_parse_lccs(&pattern, request->words[1], n, &pattern_options, err);
	if (rc == 0 && compares)
		rc = cli_compared_begin(&compared, err);
	for (size_t i = 0; rc == 0 && i < n_formulas; i++) {
		const char *map = request->compare ? maps[i] : NULL;
		const struct loom_plan_options options = {.map = map ? map : request->map,
		                                          .planner = request->planner,
		                                          .objective = request->objective,
		                                          .rule = cli_rule(request)};
		bool table = !request->json && !request->quiet;
		rc = loom_formula_make(&formulas[i], &pattern, request->flits, &options, err);
		if (rc == 0 && i > 0 && table)
			(void)putchar('\n');
		if (rc == 0 && i > 0 && table && same(&formulas[0], &formulas[1]))
			(void)puts(CLI_SAME_PLAN);
		else if (rc == 0)
			rc = show(compares ? compared.stream : stdout, request, map, &formulas[i], err);
	}
	if (rc == 0 && compares)
		rc = cli_compared_put(stdout, &compared, request, false, same(&formulas[0], &formulas[1]), err);
	cli_compared_free(&compared);
	loom_formula_free(&formulas[0]);
	loom_formula_free(&formulas[1]);
	loom_pattern_free(&pattern);
	return rc;
}
