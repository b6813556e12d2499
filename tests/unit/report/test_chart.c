// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The chart of channels over time, read back: which bars there are, where they lie, and that none of one channel overlap
// where there is no contention.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "plan/back_to_back_internal.h"
#include "unit/help/pictures.h"
#include "unit/help/random_plans.h"
#include "unit/help/svg_checks.h"

struct bar {
	double left, right, y;
	char channel[48]; // ">" as "&gt;"
	size_t message;
	uint32_t source, destination, pass;
	uint64_t first, last;
	bool exact;
};

// --- Reading a chart -----------------------------------------------------------------------------------------------

static bool read_bar(struct bar *out, const char *rect)
{
	const char *title = strstr(rect, "<title>"), *end = strstr(rect, "</rect>"), *colon;
	char how[24];
	if (!title || !end || title != strchr(rect, '>') + 1 || !(colon = strstr(title, ": message ")) || colon > end)
		return false;
	memset(out, 0, sizeof *out);
	(void)snprintf(out->channel, sizeof out->channel, "%.*s", (int)(colon - title - 7), title + 7);
	assert_int_equal(sscanf(colon,
	                        ": message %zu, node %" SCNu32 " to %" SCNu32 ", pass %" SCNu32 ", %23[a-z ] %" SCNu64
	                        " to %" SCNu64,
	                        &out->message, &out->source, &out->destination, &out->pass, how, &out->first,
	                        &out->last),
	                 7);
	out->exact = strncmp(how, "within", 6) != 0;
	out->left = svg_attribute(rect, "x");
	out->right = out->left + svg_attribute(rect, "width");
	out->y = svg_attribute(rect, "y");
	char tag[256];
	(void)snprintf(tag, sizeof tag, "%.*s", (int)strcspn(rect, ">"), rect);
	assert_int_equal(out->exact, strstr(tag, "fill-opacity") == NULL);
	return true;
}

static struct bar *read_bars(size_t *n, const char *text)
{
	struct bar *out = calloc(svg_count(text, "<rect ") + 1, sizeof *out);
	assert_non_null(out);
	*n = 0;
	for (const char *at = text; (at = strstr(at, "<rect ")); at++)
		*n += read_bar(&out[*n], at);
	return out;
}

// --- What it must show ---------------------------------------------------------------------------------------------

// When each flit of a message alone crosses each channel of its way, flit by flit: behind the one before it, after it has come
// there, and when the second one before it has left the buffer of two at the channel's end.
enum { WAY_MOST = 24, FLITS_MOST = 64 };

static uint32_t cross(uint64_t out[WAY_MOST][FLITS_MOST], const struct loom_plan *plan, size_t message)
{
	uint32_t channel, n = 0, flits = plan->messages[message].flits, l = plan->topo.light_cycles,
			  w = plan->topo.light_ratio;
	bool is_light[WAY_MOST + 1] = {false};
	struct loom_route route;
	loom_plan_route_begin(&route, plan, message);
	for (; loom_route_next(&route, &channel); n++) {
		char name[48];
		assert_true(n < WAY_MOST && flits <= FLITS_MOST);
		loom_topo_channel_name(&plan->topo, channel, name);
		is_light[n] = strstr(name, "optical");
	}
	for (uint32_t f = 0; f < flits; f++)
		for (uint32_t k = 0; k < n; k++) {
			uint64_t at = k == 0 ? 1 : out[k - 1][f] + 1 + (is_light[k - 1] ? l + w - 1 : 0);
			uint64_t behind = f ? out[k][f - 1] + (is_light[k] ? w : 1) : 0;
			uint64_t room = f > 1 && k + 1 < n && !is_light[k] ? out[k + 1][f - 2] + 1 : 0;
			at = behind > at ? behind : at;
			out[k][f] = room > at ? room : at;
		}
	return n;
}

// In the order of the channels on its way, each message has a bar on each, a cycle later than the one before, or as light has it.
static void check_ways(const struct loom_plan *plan, const struct bar *bars, size_t n)
{
	static uint64_t crosses[WAY_MOST][FLITS_MOST];
	size_t at = 0;
	for (size_t i = 0; i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		uint32_t channel, step = 0;
		struct loom_route route;
		if (!loom_plan_uses_network(plan, m))
			continue;
		uint64_t offered = 1 + (plan->free_running ? (uint64_t)m->pass * m->flits : 0);
		(void)cross(crosses, plan, i);
		loom_plan_route_begin(&route, plan, i);
		for (; loom_route_next(&route, &channel); step++, at++) {
			char name[48];
			const struct bar *b = &bars[at];
			assert_true(at < n);
			loom_topo_channel_name(&plan->topo, channel, name);
			assert_int_equal(strncmp(b->channel, name, strcspn(name, ">")), 0);
			assert_int_equal(b->message, i);
			assert_int_equal(b->source, plan->map[m->source]);
			assert_int_equal(b->destination, plan->map[m->destination]);
			assert_int_equal(b->pass, m->pass);
			assert_true(b->exact);
			assert_int_equal(b->first, offered - 1 + crosses[step][0]);
			assert_int_equal(b->last, offered - 1 + crosses[step][m->flits - 1]);
		}
		assert_int_equal(bars[at - 1].last, loom_plan_message_cycles(plan, m));
	}
	assert_int_equal(at, n);
}

// Checks that a channel has one row, a row one channel, and that no two bars in it overlap.
static void check_rows(const struct bar *bars, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < i; k++) {
			bool same_row = fabs(bars[i].y - bars[k].y) < 0.01;
			assert_int_equal(same_row, strcmp(bars[i].channel, bars[k].channel) == 0);
			if (same_row && bars[i].left < bars[k].right - 0.02 && bars[k].left < bars[i].right - 0.02)
				fail_msg("%s: messages %zu and %zu overlap", bars[i].channel, bars[k].message,
				         bars[i].message);
		}
}

// Checks that every bar lies at its cycles on one scale: pass p begins `began[p]` after the left end.
static void check_scale(const struct bar *bars, size_t n, const double *began, double cycle)
{
	double left = bars[0].left - (began[bars[0].pass] + (double)bars[0].first - 1) * cycle;
	for (size_t i = 0; i < n; i++) {
		double from = left + (began[bars[i].pass] + (double)bars[i].first - 1) * cycle;
		assert_true(fabs(bars[i].left - from) < 0.03);
		assert_true(fabs(bars[i].right - bars[i].left - (double)(bars[i].last - bars[i].first + 1) * cycle) <
		            0.03);
	}
}

// Pixels of a cycle, by the longest distance there is: they are rounded.
static double cycle_of(const struct bar *bars, size_t n, const double *began)
{
	const struct bar *from = bars, *to = bars;
	for (size_t i = 0; i < n; i++) {
		from = bars[i].left < from->left ? &bars[i] : from;
		to = bars[i].right > to->right ? &bars[i] : to;
	}
	return (to->right - from->left) /
	       (began[to->pass] + (double)to->last - began[from->pass] - (double)from->first + 1);
}

// --- Predicted -----------------------------------------------------------------------------------------------------

static void test_predicted(void **state)
{
	(void)state;
	static const struct {
		const char *fabric, *spec, *planner;
	} cases[] = {{"line:7", "perm:1,5,3,6,4,2,0", "line"},
	             {"ring:9", "random-perm", "ring"},
	             {"mesh:4x3", "uniform:20", "greedy"},
	             {"torus:3x4", "random-perm", "torus"},
	             {"cube:4", "random-perm", "greedy"},
	             {"mesh:2x3x2", "uniform:9", "greedy"},
	             {"mesh:4x4", "uniform:20", "routes+passes"},
	             {"omega:8", "random-perm", "min_passes"},
	             {"cube:1", "complement", NULL},
	             {"benes:8", "random-perm", "two_pass"},
	             {"otis-mesh:4", "random-perm", "greedy"},
	             {"otis-mesh:4l5v2", "random-perm", "greedy"},
	             {"otis-mesh:4l3w4", "random-perm", "greedy"}};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct loom_plan plan;
		size_t n;
		picture_plan(&plan, cases[i].fabric, cases[i].spec, cases[i].planner, i + 1);
		const struct loom_panel panel = {.plan = &plan};
		char *text = picture_draw(LOOM_PICTURE_CHART, &panel, 1);
		struct bar *bars = read_bars(&n, text);
		assert_true(n > 0 && n == picture_crossings(&plan, UINT32_MAX));
		check_ways(&plan, bars, n);
		check_rows(bars, n);
		// From START, as the passes and the barriers take it.
		double began[64] = {0};
		bool one_start = loom_back_to_back_possible(&plan);
		assert_true(plan.n_passes <= 64);
		for (uint32_t p = 0; one_start && p < plan.n_passes; p++)
			began[p] = (double)(loom_back_to_back_cycles(plan.cycles, p + 1) - plan.cycles[p]);
		assert_int_equal(one_start, plan.n_passes > 1);
		check_scale(bars, n, began, cycle_of(bars, n, began));
		assert_int_equal(svg_count(text, "<title>barrier</title>"), plan.n_passes - 1);
		assert_int_equal(svg_count(text, "cycles from START, barriers included"), one_start);
		assert_int_equal(svg_count(text, "prefers-color-scheme:dark"), 1);
		free(bars);
		free(text);
		loom_plan_free(&plan);
	}
}

static void test_one_pass(void **state)
{
	(void)state;
	struct loom_plan plan;
	size_t n;
	picture_plan(&plan, "mesh:4x4", "random-perm", "greedy", 3);
	assert_true(plan.n_passes > 1);
	const uint32_t last = plan.n_passes - 1;
	const double began[64] = {0};
	const struct loom_panel panel = {.plan = &plan, .pass = &last};
	char *text = picture_draw(LOOM_PICTURE_CHART, &panel, 1);
	struct bar *bars = read_bars(&n, text);
	assert_int_equal(n, picture_crossings(&plan, last));
	for (size_t i = 0; i < n; i++)
		assert_int_equal(bars[i].pass, last);
	check_rows(bars, n);
	check_scale(bars, n, began, cycle_of(bars, n, began));
	assert_int_equal(svg_count(text, "barrier"), 0);
	assert_int_equal(svg_count(text, ">cycle of the pass<"), 1);
	free(bars);
	free(text);
	loom_plan_free(&plan);
}

static void test_free_run(void **state)
{
	(void)state;
	struct loom_plan plan;
	size_t n;
	picture_plan(&plan, "omega:8", "all-to-all", "latin", 1);
	assert_true(plan.free_running);
	const double began[64] = {0};
	const struct loom_panel panel = {.plan = &plan};
	char *text = picture_draw(LOOM_PICTURE_CHART, &panel, 1);
	struct bar *bars = read_bars(&n, text);
	assert_int_equal(n, 8 * 8 * 4); // the last stage's lines are the ejection channels
	check_ways(&plan, bars, n);
	check_rows(bars, n);
	check_scale(bars, n, began, cycle_of(bars, n, began));
	assert_int_equal(svg_count(text, "coloured by its pass"), 1);
	free(bars);
	free(text);
	loom_plan_free(&plan);
}

// With too many rows to read, the chart has only the busiest, and says so.
static void test_large(void **state)
{
	(void)state;
	struct loom_plan plan;
	size_t n;
	picture_plan(&plan, "mesh:24x24", "random-perm", "greedy", 1);
	const struct loom_panel panel = {.plan = &plan};
	char *text = picture_draw(LOOM_PICTURE_CHART, &panel, 1);
	struct bar *bars = read_bars(&n, text);
	assert_true(n > 500 && n <= 20000 && n < picture_crossings(&plan, UINT32_MAX));
	size_t n_rows = 0;
	double *rows = calloc(n, sizeof *rows);
	assert_non_null(rows);
	for (size_t i = 0; i < n; i++) {
		size_t k = 0;
		while (k < n_rows && fabs(rows[k] - bars[i].y) > 0.01)
			k++;
		rows[k] = bars[i].y;
		n_rows += k == n_rows;
	}
	char note[64];
	(void)snprintf(note, sizeof note, ">Only the %zu busiest of ", n_rows);
	assert_int_equal(svg_count(text, note), 1);
	assert_true(n_rows <= 512);
	free(rows);
	free(bars);
	free(text);
	loom_plan_free(&plan);
}

// --- Measured ------------------------------------------------------------------------------------------------------

static void free_trace(struct loom_trace *trace)
{
	loom_trace_free(trace);
}

// By what flawless hardware logs of plans of all sorts: every ejection bar is what the node logged; other bars are exact
// where nobody waits, and else hold the crossing that is logged.
static void test_measured(void **state)
{
	(void)state;
	size_t n_exact = 0, n_pale = 0;
	for (uint64_t seed = 1; seed <= 60; seed++) {
		struct loom_plan plan;
		struct loom_trace trace;
		size_t n, n_ejected = 0;
		random_plan(&plan, (enum random_plan_kind)(seed % RANDOM_KINDS), seed);
		flawless_trace(&trace, &plan, LOOM_MACHINE_FAST);
		const struct loom_panel panel = {.plan = &plan, .trace = &trace};
		char *text = picture_draw(LOOM_PICTURE_CHART, &panel, 1);
		struct bar *bars = read_bars(&n, text);
		assert_int_equal(n, picture_crossings(&plan, UINT32_MAX));
		for (size_t i = 0; i < n; i++) {
			const struct bar *b = &bars[i];
			bool predicted = plan.cycles[b->pass] != LOOM_CYCLES_UNKNOWN;
			n_exact += b->exact;
			n_pale += !b->exact;
			assert_true(b->exact || !predicted);
			assert_true(b->first <= b->last);
			if (strncmp(b->channel, "eject", 5) != 0)
				continue;
			n_ejected++;
			bool logged = false;
			for (size_t k = 0; k < trace.n_arrivals; k++) {
				const struct loom_arrival *a = &trace.arrivals[k];
				logged = logged || (a->node == b->destination && a->pass == b->pass &&
				                    a->first_cycle == b->first && a->last_cycle == b->last);
			}
			assert_true(logged && b->exact);
		}
		assert_true(loom_topo_links(&plan.topo) == 0 || n_ejected == trace.n_arrivals);
		free(bars);
		free(text);
		free_trace(&trace);
		loom_plan_free(&plan);
	}
	assert_true(n_exact > 1000 && n_pale > 100);
}

// Messages that did not arrive, or arrived elsewhere, have no bars, and are counted.
static void test_lost(void **state)
{
	(void)state;
	struct loom_plan plan;
	struct loom_trace trace;
	size_t n;
	picture_plan(&plan, "mesh:3x3", "perm:1,2,0,4,5,3,7,8,6", "greedy", 1);
	flawless_trace(&trace, &plan, LOOM_MACHINE_FAST);
	assert_true(trace.n_arrivals > 4);
	trace.arrivals[2].node = (trace.arrivals[2].node + 1) % 9;
	trace.n_arrivals--;
	const struct loom_panel panel = {.plan = &plan, .trace = &trace};
	char *text = picture_draw(LOOM_PICTURE_CHART, &panel, 1);
	struct bar *bars = read_bars(&n, text);
	assert_true(n > 0 && n < picture_crossings(&plan, UINT32_MAX));
	assert_int_equal(svg_count(text, ">Messages that did not arrive as planned, and have no bars: 2.<"), 1);
	free(bars);
	free(text);
	free_trace(&trace);
	loom_plan_free(&plan);
}

// --- What cannot be drawn, and two of them -------------------------------------------------------------------------

static void test_refused(void **state)
{
	(void)state;
	struct loom_plan plan;
	picture_plan(&plan, "mesh:4x4", "transpose", "direct", 1);
	struct loom_panel panel = {.plan = &plan};
	picture_refused(LOOM_PICTURE_CHART, &panel, "messages of pass 0 wait for each other");
	const uint32_t none = plan.n_passes;
	panel.pass = &none;
	picture_refused(LOOM_PICTURE_CHART, &panel, "there is no pass");
	loom_plan_free(&plan);
}

static void test_two_panels(void **state)
{
	(void)state;
	struct loom_plan plan;
	struct loom_trace trace;
	size_t n;
	picture_plan(&plan, "cube:3", "random-perm", "greedy", 5);
	flawless_trace(&trace, &plan, LOOM_MACHINE_FAST);
	const struct loom_panel panels[] = {{.title = "predicted", .plan = &plan},
	                                    {.title = "measured", .plan = &plan, .trace = &trace}};
	char *text = picture_draw(LOOM_PICTURE_CHART, panels, 2);
	struct bar *bars = read_bars(&n, text);
	assert_int_equal(n, 2 * picture_crossings(&plan, UINT32_MAX));
	for (size_t i = 0; i < n / 2; i++) { // one scale, and the same cycles
		const struct bar *a = &bars[i], *b = &bars[n / 2 + i];
		assert_int_equal(a->first, b->first);
		assert_int_equal(a->last, b->last);
		assert_true(fabs(a->right - a->left - (b->right - b->left)) < 0.02);
		assert_true(a->y < b->y);
	}
	free(bars);
	free(text);
	free_trace(&trace);
	loom_plan_free(&plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_predicted), cmocka_unit_test(test_one_pass),   cmocka_unit_test(test_free_run),
		cmocka_unit_test(test_large),     cmocka_unit_test(test_measured),   cmocka_unit_test(test_lost),
		cmocka_unit_test(test_refused),   cmocka_unit_test(test_two_panels),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
