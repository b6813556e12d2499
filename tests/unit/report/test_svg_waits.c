// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Titles in pictures tell for how long headers wait: of a plan what the slow reference machine has, of a run what was measured, and
// what was predicted where that is something else.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/report.h>

#include "unit/help/pictures.h"
#include "unit/help/plans_by_hand.h"
#include "unit/help/random_plans.h"
#include "unit/help/routes.h"
#include "unit/help/svg_checks.h"

struct scene {
	struct loom_plan plan;
	struct plan_reference r;
	struct loom_trace trace;
};

static void set_up(struct scene *s, const char *fabric, enum loom_machine machine)
{
	picture_plan(&s->plan, fabric, "uniform:40", "direct", 3);
	assert_int_equal(plan_reference_make(&s->r, &s->plan, machine), 0);
	flawless_trace_of(&s->trace, &s->r, machine);
}

static void tear_down(struct scene *s)
{
	loom_trace_free(&s->trace);
	plan_reference_free(&s->r);
	loom_plan_free(&s->plan);
}

static uint64_t waited(const struct scene *s, size_t i)
{
	return s->r.header[i] - s->r.offer[i] - (loom_plan_route_length(&s->plan, i) - 1);
}

// The title that begins with `begins` goes on with `says`, or where that is "" ends.
static void check_title(const char *svg, const char *begins, const char *says)
{
	char whole[240];
	size_t n;
	const char *at = svg_titled(svg, begins, &n);
	(void)snprintf(whole, sizeof whole, "<title>%s%s</title>", begins, says);
	if (n != 1 || strncmp(at, whole, strlen(whole)) != 0)
		fail_msg("%zu titles \"%s\": \"%.100s\", not \"%s\"", n, begins, at ? at : "", whole);
}

static void title_of_channel(char out[96], const struct loom_topo *topo, uint32_t channel, uint32_t load,
                             const char *unit)
{
	char name[48];
	loom_topo_channel_name(topo, channel, name);
	const char *arrow = strstr(name, "->");
	(void)snprintf(out, 96, "%.*s%s%s: %u%s", arrow ? (int)(arrow - name) : 48, name, arrow ? "-&gt;" : "",
	               arrow ? arrow + 2 : "", load, unit);
}

static void say(char out[64], const char *who, uint64_t cycles)
{
	if (cycles)
		(void)snprintf(out, 64, "; %s %llu cycle%s", who, (unsigned long long)cycles, cycles == 1 ? "" : "s");
	else
		out[0] = '\0';
}

static unsigned check_channels(const struct scene *s, const char *svg, const char *who, const char *unit,
                               uint32_t least)
{
	const struct loom_topo *topo = &s->plan.topo;
	unsigned n_waited = 0;
	for (uint32_t c = 0; c < loom_topo_channels(topo); c++) {
		char begins[96], says[64];
		if (loom_topo_is_local(topo, c) || !loom_topo_channel_exists(topo, c) || s->plan.load[c] < least)
			continue;
		title_of_channel(begins, topo, c, s->plan.load[c], unit);
		say(says, who, s->r.channel[c].n_blocked);
		check_title(svg, begins, says);
		n_waited += s->r.channel[c].n_blocked > 0;
	}
	return n_waited;
}

static void check_messages(const struct scene *s, const char *svg, const char *who)
{
	for (size_t i = 0; i < s->plan.n_messages; i++) {
		const struct loom_plan_message *m = &s->plan.messages[i];
		char begins[96], says[64];
		if (!loom_plan_uses_network(&s->plan, m))
			continue;
		(void)snprintf(begins, sizeof begins, "message %zu: node %u to %u, %u channels", i,
		               s->plan.map[m->source], s->plan.map[m->destination],
		               loom_plan_route_length(&s->plan, i) - 2);
		say(says, who, waited(s, i));
		check_title(svg, begins, says);
	}
}

// Pictures of plans show waiting in the timing of the panel; so do those of runs that went as planned.
static void test_as_planned(void **state)
{
	(void)state;
	static const char *const fabrics[] = {"mesh:3x4", "cube:3", "torus:3x3v2", "mesh:2x2x3"};
	for (size_t f = 0; f < sizeof fabrics / sizeof fabrics[0]; f++)
		for (unsigned round = 0; round < 4; round++) {
			const enum loom_machine machine = round % 2 ? LOOM_MACHINE_PAPER : LOOM_MACHINE_FAST;
			const bool runs = round / 2;
			struct scene s;
			char cycles[64];
			set_up(&s, fabrics[f], machine);
			const struct loom_panel panel = {.plan = &s.plan,
			                                 .trace = runs ? &s.trace : NULL,
			                                 .machine = runs ? LOOM_MACHINE_FAST : machine};
			char *svg = picture_draw(LOOM_PICTURE_LOADS, &panel, 1);
			const char *who = runs ? "headers waited" : "headers wait";
			const unsigned n = check_channels(&s, svg, who, "", 0);
			if (n < 2)
				fail_msg("%s: headers wait for %u channels", fabrics[f], n);
			(void)snprintf(cycles, sizeof cycles, ">%llu cycles  \xc2\xb7  %s<",
			               (unsigned long long)s.r.cycles, runs ? "measured" : "predicted");
			assert_int_equal(svg_count(svg, cycles), 1);
			assert_int_equal(svg_count(svg, "predicted"), !runs);
			free(svg);
			svg = picture_draw(LOOM_PICTURE_PATHS, &panel, 1);
			assert_int_equal(check_channels(&s, svg, who, " messages", 2), n);
			check_messages(&s, svg, runs ? "waited" : "waits");
			assert_int_equal(svg_count(svg, cycles), 1);
			free(svg);
			tear_down(&s);
		}
}

// A picture shows both figures if the measured one differs.
static void test_otherwise(void **state)
{
	(void)state;
	struct scene s;
	char begins[96], says[96];
	set_up(&s, "mesh:3x4", LOOM_MACHINE_FAST);
	const struct loom_panel panel = {.plan = &s.plan, .trace = &s.trace};
	uint32_t c = 0;
	while (loom_topo_is_local(&s.plan.topo, c) || s.r.channel[c].n_blocked == 0)
		c++;
	s.trace.counts[c].blocked_cycles += 3;
	struct loom_arrival *late = &s.trace.arrivals[0];
	size_t message[64];
	assert_true(s.trace.n_arrivals <= 64);
	assert_int_equal(loom_verdict_arrivals(message, &s.plan, &s.trace, NULL), 0);
	const size_t i = message[0];
	late->first_cycle += 2;
	late->last_cycle += 1000;
	char *svg = picture_draw(LOOM_PICTURE_LOADS, &panel, 1);
	title_of_channel(begins, &s.plan.topo, c, s.plan.load[c], "");
	(void)snprintf(says, sizeof says, "; headers waited %llu cycles, predicted %llu",
	               (unsigned long long)s.r.channel[c].n_blocked + 3, (unsigned long long)s.r.channel[c].n_blocked);
	check_title(svg, begins, says);
	(void)snprintf(says, sizeof says, ">%llu cycles  \xc2\xb7  measured, %llu predicted<",
	               (unsigned long long)late->last_cycle, (unsigned long long)s.r.cycles);
	assert_int_equal(svg_count(svg, says), 1);
	free(svg);
	svg = picture_draw(LOOM_PICTURE_PATHS, &panel, 1);
	(void)snprintf(begins, sizeof begins, "message %zu: node %u to %u, %u channels", i,
	               s.plan.map[s.plan.messages[i].source], s.plan.map[s.plan.messages[i].destination],
	               loom_plan_route_length(&s.plan, i) - 2);
	(void)snprintf(says, sizeof says, "; waited %llu cycles, predicted %llu", (unsigned long long)waited(&s, i) + 2,
	               (unsigned long long)waited(&s, i));
	check_title(svg, begins, says);
	free(svg);

	free(s.trace.released); // no log of offers: of most messages of a node nobody knows for how long they waited
	free(s.trace.first_entry);
	s.trace.released = NULL;
	s.trace.first_entry = NULL;
	svg = picture_draw(LOOM_PICTURE_PATHS, &panel, 1);
	assert_true(svg_count(svg, "; predicted to wait ") > 3);
	free(svg);
	tear_down(&s);
}

// The stages of a multistage network; in a free run a channel's cycles are those of all of it.
static void test_stages(void **state)
{
	(void)state;
	struct scene s;
	set_up(&s, "omega:8", LOOM_MACHINE_FAST);
	const struct loom_panel panel = {.plan = &s.plan};
	char *svg = picture_draw(LOOM_PICTURE_USUAL, &panel, 1);
	assert_true(check_channels(&s, svg, "headers wait", "", 0) > 4);
	free(svg);
	tear_down(&s);

	const uint32_t pass = 1;
	for (uint64_t seed = 1;; seed++) {
		random_plan_on(&s.plan, RANDOM_FREE, "omega:8", seed);
		assert_int_equal(plan_reference_make(&s.r, &s.plan, LOOM_MACHINE_FAST), 0);
		if (s.plan.n_passes > pass && s.r.blocked > 20)
			break;
		plan_reference_free(&s.r);
		loom_plan_free(&s.plan);
	}
	assert_true(s.plan.free_running);
	const struct loom_panel free_run = {.plan = &s.plan, .pass = &pass};
	svg = picture_draw(LOOM_PICTURE_USUAL, &free_run, 1);
	unsigned n_waited = 0;
	const uint32_t n_channels = loom_topo_channels(&s.plan.topo);
	for (uint32_t c = 0; c < n_channels; c++) {
		char begins[96], says[64];
		if (loom_topo_is_local(&s.plan.topo, c))
			continue;
		title_of_channel(begins, &s.plan.topo, c, s.plan.load[n_channels + c], "");
		say(says, "headers wait", s.r.channel[c].n_blocked);
		check_title(svg, begins, says);
		n_waited += s.r.channel[c].n_blocked > 0;
	}
	assert_true(n_waited > 0);
	free(svg);
	plan_reference_free(&s.r);
	loom_plan_free(&s.plan);
}

// A plan that locks is drawn without waiting times.
static void test_standstill(void **state)
{
	(void)state;
	const struct loom_message m[] = {{0, 2, 20, 0}, {1, 3, 20, 0}, {2, 0, 20, 0}, {3, 1, 20, 0}};
	struct loom_pattern p;
	struct loom_topo topo;
	assert_int_equal(loom_topo_parse(&topo, "ring:4v2", NULL), 0);
	assert_int_equal(loom_pattern_from_messages(&p, "round", 4, m, 4, NULL), 0);
	struct loom_plan plan = make_plan(&topo, &p, NULL, "direct", NULL);
	loom_pattern_free(&p);
	loom_topo_free(&plan.topo);
	assert_int_equal(loom_topo_parse(&plan.topo, "ring:4", NULL), 0);
	assert_int_equal(loom_plan_predict(&plan, NULL), 0);
	const struct loom_panel panel = {.plan = &plan};
	char *svg = picture_draw(LOOM_PICTURE_LOADS, &panel, 1);
	assert_int_equal(svg_count(svg, "wait"), 0);
	assert_int_equal(svg_count(svg, ">predicted<"), 1);
	free(svg);
	loom_plan_free(&plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_as_planned),
		cmocka_unit_test(test_otherwise),
		cmocka_unit_test(test_stages),
		cmocka_unit_test(test_standstill),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
