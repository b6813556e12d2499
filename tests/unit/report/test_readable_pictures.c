// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks what a reader needs in any picture: text that stands out from its ground, numbers of what was kept low, tasks by their
// names, and the cycles that the report has.
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <flitloom/verdict.h>

#include "unit/help/pictures.h"
#include "unit/help/placed_plans.h"
#include "report/report_colour.h"
#include "unit/help/svg_checks.h"

// Returns the relative luminance of "#rgb" or "#rrggbb" by WCAG 2.
static double light_of(const char *colour)
{
	double sum = 0;
	static const double share[] = {0.2126, 0.7152, 0.0722};
	bool is_short = strspn(colour + 1, "0123456789abcdef") == 3;
	for (unsigned i = 0; i < 3; i++) {
		char digits[3] = {colour[1 + (is_short ? i : 2 * i)], colour[is_short ? 1 + i : 2 + 2 * i], '\0'};
		double v = (double)strtoul(digits, NULL, 16) / 255;
		sum += share[i] * (v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4));
	}
	return sum;
}

static double contrast(const char *a, const char *b)
{
	double x = light_of(a) + 0.05, y = light_of(b) + 0.05;
	return x > y ? x / y : y / x;
}

static void test_ink(void **state)
{
	static const uint32_t most[] = {1, 2, 3, 4, 5, 7, 8, 9, 12, 17, 40, 100, 1581, 100000, UINT32_MAX};
	(void)state;
	for (size_t k = 0; k < sizeof most / sizeof most[0]; k++)
		for (uint32_t i = 0; i <= (most[k] < 400 ? most[k] : 400); i++) {
			uint32_t load = most[k] < 400 ? i : (uint32_t)pow(most[k], i / 400.0);
			char colour[8];
			loom_report_colour(colour, load, most[k]);
			if (contrast(colour, loom_report_ink_on(load, most[k])) < 4.5)
				fail_msg("%" PRIu32 " of %" PRIu32 ": %s on %s", load, most[k],
				         loom_report_ink_on(load, most[k]), colour);
		}
}

// Checks the contrast of every number and badge on the coloured shape before it. Returns their number.
static size_t check_contrast(const char *svg)
{
	size_t n = 0;
	const char *ground = NULL;
	for (const char *at = strchr(svg, '<'); at; at = strchr(at + 1, '<')) {
		const char *end = strchr(at, '>'), *fill = strstr(at, "fill=\"#"), *on = strstr(at, "class=\"on\"");
		if (!end || !fill || fill > end)
			continue;
		if (strncmp(at, "<rect", 5) == 0 || strncmp(at, "<path", 5) == 0)
			ground = fill + 6;
		if (strncmp(at, "<text", 5) != 0 || !on || on > end)
			continue;
		assert_non_null(ground);
		if (contrast(fill + 6, ground) < 4.5)
			fail_msg("%.7s on %.7s: %.120s", fill + 6, ground, at);
		n++;
	}
	return n;
}

static void plan_by(struct loom_plan *out, const char *fabric, const struct loom_pattern *p, const char *planner,
                    const char *map, const char *load)
{
	struct loom_topo topo;
	struct loom_err err = {0};
	const struct loom_plan_options options = {.planner = planner, .map = map, .load = load, .most_steps = 100000};
	assert_int_equal(loom_topo_parse(&topo, fabric, NULL), 0);
	if (loom_plan_make(out, &topo, p, &options, &err) != 0)
		fail_msg("%s %s: %s", fabric, planner, err.text);
	loom_topo_free(&topo);
}

// Checks the number at each channel, its flits or its messages; a channel that several panels show counts in each.
static void check_loads(const char *svg, const struct loom_plan *plans, size_t n_plans, bool in_flits)
{
	for (size_t i = 0; i < n_plans; i++) {
		const struct loom_topo *topo = &plans[i].topo;
		uint64_t *flits = NULL;
		assert_int_equal(loom_plan_flits(&flits, &plans[i], NULL), 0);
		for (uint32_t c = 0; c < loom_topo_channels(topo); c++) {
			char name[48], said[80] = "";
			if (loom_topo_is_local(topo, c) || !loom_topo_channel_exists(topo, c))
				continue;
			loom_topo_channel_name(topo, c, name);
			size_t used = strlen(said);
			for (const char *k = name; *k; k++) // as it stands in a file
				used += (size_t)snprintf(said + used, sizeof said - used, *k == '>' ? "&gt;" : "%c",
				                         *k);
			(void)snprintf(said + used, sizeof said - used, ": %" PRIu64,
			               in_flits ? flits[c] : plans[i].load[c]);
			size_t n;
			if (!svg_titled(svg, said, &n))
				fail_msg("%s: no \"%s\"", topo->name, said);
		}
		free(flits);
	}
	assert_int_equal(svg_count(svg, "flits on one channel in one pass"), in_flits);
	assert_int_equal(svg_count(svg, "messages on one channel in one pass"), !in_flits);
	assert_int_equal(svg_count(svg, ">contention "), in_flits ? 0 : n_plans);
}

static const char *const fabrics[] = {"mesh:4x4", "torus:3x5v2", "line:7", "ring:9v2",
                                      "cube:3",   "mesh:2x3x2",  "cube:4", "mesh:9x9"};
enum { FABRICS = sizeof fabrics / sizeof fabrics[0] };

static void test_loads(void **state)
{
	(void)state;
	uint64_t seed = 3;
	for (unsigned k = 0; k < 4 * FABRICS; k++) {
		bool alike = k / FABRICS % 2, asked = k / FABRICS == 3;
		struct loom_topo topo;
		struct loom_plan plans[2];
		assert_int_equal(loom_topo_parse(&topo, fabrics[k % FABRICS], NULL), 0);
		struct loom_pattern p = random_messages(topo.n_nodes, topo.n_nodes, 60, alike ? -9 : 300, &seed);
		plan_by(&plans[0], topo.name, &p, topo.kind->complements_bits || k % 2 ? "direct" : "xy", "identity",
		        NULL);
		plan_by(&plans[1], topo.name, &p, "block", "identity", asked ? "flits" : NULL);
		const struct loom_panel panels[] = {{.title = "before", .plan = &plans[0]},
		                                    {.title = "after", .plan = &plans[1]}};
		char *svg = picture_draw(LOOM_PICTURE_LOADS, panels, 2);
		check_loads(svg, plans, 2, !alike || asked);
		assert_true(check_contrast(svg) >= 2);
		free(svg);
		loom_plan_free(&plans[0]);
		loom_plan_free(&plans[1]);
		loom_pattern_free(&p);
	}
}

// Checks that each node with a task names it, in its box if that is readable, and that no other node names one.
static void test_tasks(void **state)
{
	static const char *const nets[] = {"mesh:4x4", "torus:3x5v2", "line:7", "mesh:9x9", "otis-mesh:4v2"};
	(void)state;
	uint64_t seed = 4;
	for (unsigned k = 0; k < 10; k++) {
		struct loom_topo topo;
		struct loom_plan plan;
		assert_int_equal(loom_topo_parse(&topo, nets[k % 5], NULL), 0);
		struct loom_pattern p = random_messages(topo.n_nodes, topo.n_nodes, 30, -9, &seed);
		plan_by(&plan, topo.name, &p, NULL, k < 5 ? "greedy" : "identity", NULL);
		const struct loom_panel panel = {.plan = &plan};
		char *svg = picture_draw(LOOM_PICTURE_LOADS, &panel, 1);
		for (uint32_t v = 0; v < topo.n_nodes; v++) {
			char title[64], box[32];
			bool placed = k < 5;
			(void)snprintf(title, sizeof title, "node %" PRIu32 ", task %" PRIu32 "<", plan.map[v], v);
			(void)snprintf(box, sizeof box, ">t%" PRIu32 "<", v);
			assert_int_equal(svg_count(svg, title), placed);
			assert_int_equal(svg_count(svg, box), placed);
		}
		assert_int_equal(svg_count(svg, "the task that sits there"), k < 5);
		free(svg);
		loom_plan_free(&plan);
		loom_pattern_free(&p);
	}
}

// The cycles of a chart are those of the report, with the barriers where the axis has them.
static void test_cycles(void **state)
{
	static const struct {
		const char *fabric, *spec, *planner;
	} row[] = {{"cube:3", "all-to-all", NULL},       {"mesh:3x4", "uniform:30", "greedy"},
	           {"ring:8v2", "uniform:9", "greedy"},  {"omega:8", "random-perm", "min_passes"},
	           {"cube:4", "complement", NULL},       {"omega:8", "all-to-all", "latin"},
	           {"torus:4x4", "uniform:40", "greedy"}};
	(void)state;
	for (size_t k = 0; k < sizeof row / sizeof row[0]; k++) {
		struct loom_plan plan;
		struct loom_verdict verdict;
		char with[64], alone[64];
		picture_plan(&plan, row[k].fabric, row[k].spec, row[k].planner, k);
		assert_int_equal(loom_verdict_predict(&verdict, &plan, LOOM_MACHINE_FAST, NULL), 0);
		const struct loom_panel panel = {.plan = &plan};
		char *svg = picture_draw(LOOM_PICTURE_CHART, &panel, 1);
		bool barriers = verdict.predicted_back_to_back_cycles != 0;
		(void)snprintf(with, sizeof with, ">%" PRIu64 " cycles from START with barriers, %" PRIu64 " without ",
		               verdict.predicted_back_to_back_cycles, verdict.predicted_cycles);
		(void)snprintf(alone, sizeof alone, ">%" PRIu64 " cycles", verdict.predicted_cycles);
		if (svg_count(svg, barriers ? with : alone) != 1)
			fail_msg("%s %s: no \"%s\"", row[k].fabric, row[k].spec, barriers ? with : alone);
		// The last bar ends where the axis does: the predicted cycles after its beginning.
		assert_int_equal(svg_count(svg, "barriers included"), barriers);
		free(svg);
		loom_verdict_free(&verdict);
		loom_plan_free(&plan);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ink),
		cmocka_unit_test(test_loads),
		cmocka_unit_test(test_tasks),
		cmocka_unit_test(test_cycles),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
