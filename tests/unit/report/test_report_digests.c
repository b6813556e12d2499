// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Reports of random plans that ran well, of runs that went wrong and of plans that were not run, each kind of
// output made one number of: table, JSON, CSV files, pictures, pages, traces for Perfetto. They say what they said
// before. That it is right the other tests of reports say. After a change that is meant, the numbers below are
// those that the test prints.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include <flitloom/report.h>
#include <flitloom/verdict.h>

#include "base/rng.h"
#include "unit/help/random_plans.h"
#include "unit/help/scratch_folder.h"
#include "unit/help/svg_checks.h"

enum { SEEDS = 90, N_PICTURES = LOOM_PICTURE_MOVES + 1 };

static const char *const names[] = {"table",
                                    "JSON",
                                    "messages",
                                    "channels",
                                    "predicted messages",
                                    "predicted channels",
                                    "usual",
                                    "loads",
                                    "paths",
                                    "chart",
                                    "moves",
                                    "page",
                                    "trace",
                                    "run"};
enum {
	TABLE,
	JSON,
	MESSAGES,
	CHANNELS,
	PREDICTED_MESSAGES,
	PREDICTED_CHANNELS,
	PICTURES,
	PAGE = PICTURES + N_PICTURES,
	TRACE,
	RUN,
	N
};

struct scene {
	uint64_t digest[N];
	struct loom_plan plan;
	struct loom_trace trace;
	bool has_trace;
	struct loom_rng rng;
};

static const char *file(void)
{
	return "it.csv";
}

static void add(uint64_t *digest, uint64_t word)
{
	*digest = (*digest ^ word) * UINT64_C(0x100000001b3);
}

// Adds a status and, if that is 0, the text of the file, which is then removed; otherwise the error.
static void add_file(struct scene *s, unsigned kind, int code, const struct loom_err *err)
{
	char *text = code == 0 ? svg_slurp(file()) : NULL;
	add(&s->digest[kind], (uint64_t)(int64_t)code);
	for (const char *at = text ? text : err->text; *at; at++)
		add(&s->digest[kind], (unsigned char)*at);
	if (code == 0)
		assert_int_equal(unlink(file()), 0);
	free(text);
}

static void add_stream(struct scene *s, unsigned kind, const struct loom_verdict *v)
{
	struct loom_err err = {0};
	FILE *f = fopen(file(), "w");
	assert_non_null(f);
	int code = kind == TABLE ? loom_report_table(f, &s->plan, v, s->has_trace, loom_rng_below(&s->rng, 2), &err)
	                         : loom_report_json(f, &s->plan, v, s->has_trace, NULL, &err);
	assert_int_equal(fclose(f), 0);
	add_file(s, kind, code, &err);
}

static void add_verdict(struct scene *s)
{
	struct loom_verdict v;
	struct loom_err err = {0};
	const int code = s->has_trace ? loom_verdict_make(&v, &s->plan, &s->trace, &err)
	                              : loom_verdict_predict(&v, &s->plan, LOOM_MACHINE_FAST, &err);
	if (code) {
		(void)print_message("no verdict: %s\n", err.text);
		add(&s->digest[TABLE], (uint64_t)(int64_t)code);
		return;
	}
	add_stream(s, TABLE, &v);
	add_stream(s, JSON, &v);
	loom_verdict_free(&v);
}

static void add_tables(struct scene *s)
{
	struct loom_err err = {0};
	if (s->has_trace) {
		add_file(s, MESSAGES, loom_report_messages(file(), &s->plan, &s->trace, &err), &err);
		add_file(s, CHANNELS, loom_report_channels(file(), &s->plan, &s->trace, &err), &err);
		add_file(s, RUN, loom_report_trace(file(), &s->trace, &err), &err);
		return;
	}
	const enum loom_machine machine = loom_rng_below(&s->rng, 2) ? LOOM_MACHINE_FAST : LOOM_MACHINE_PAPER;
	add_file(s, PREDICTED_MESSAGES, loom_report_predicted_messages(file(), &s->plan, machine, &err), &err);
	add_file(s, PREDICTED_CHANNELS, loom_report_predicted_channels(file(), &s->plan, machine, &err), &err);
}

static void add_pictures(struct scene *s)
{
	struct loom_err err = {0};
	const uint32_t pass = (uint32_t)loom_rng_below(&s->rng, s->plan.n_passes + 1);
	struct loom_panel panels[2] = {{.plan = &s->plan}, {.title = "<again>", .plan = &s->plan, .pass = &pass}};
	panels[0].trace = s->has_trace ? &s->trace : NULL;
	panels[0].pass = loom_rng_below(&s->rng, 3) ? NULL : &pass;
	panels[0].marked = loom_rng_below(&s->rng, 3) == 0;
	panels[0].scale = (uint32_t)loom_rng_below(&s->rng, 2) * 9;
	const size_t n = 1 + (size_t)(loom_rng_below(&s->rng, 4) == 0);
	for (unsigned picture = 0; picture < N_PICTURES; picture++)
		add_file(s, PICTURES + picture,
		         loom_report_picture(file(), (enum loom_picture)picture, panels, n, &err), &err);
	panels[0].pass = panels[1].pass = NULL;
	const struct loom_html page = {
		.title = "a <page>", .report = "{\"a\":1}", .table = "1 < 2", .panels = panels, .n_panels = n};
	add_file(s, PAGE, loom_report_html(file(), &page, &err), &err);
	add_file(s, TRACE, loom_report_perfetto(file(), panels, &err), &err);
}

// Puts an error into the trace that no working chip makes.
static void damage(struct scene *s)
{
	struct loom_trace *t = &s->trace;
	const uint32_t by = loom_rng_below(&s->rng, 2) ? 1 : UINT32_MAX;
	struct loom_arrival *a = t->n_arrivals ? &t->arrivals[loom_rng_below(&s->rng, t->n_arrivals)] : NULL;
	struct loom_count *c = &t->counts[loom_rng_below(&s->rng, (uint64_t)t->n_passes * t->n_channels)];
	switch (a ? loom_rng_below(&s->rng, 15) : 14) {
	case 0: a->source += by; return;
	case 1: a->number += by; return;
	case 2: a->destination += by; return;
	case 3: a->pass += by; return;
	case 4: a->flits += by; return;
	case 5: a->first_cycle += by; return;
	case 6: a->last_cycle += by; return;
	case 7: a->intact = false; return;
	case 8: a->rule += by; return;
	case 9: a->keep_slot += by; return;
	case 10: t->n_arrivals--; return;
	case 11: c->worms += by; return;
	case 12: c->flits += by; return;
	case 13: c->blocked_cycles += by; return;
	default: t->sent[loom_rng_below(&s->rng, t->n_nodes)] += by; return;
	}
}

static void test_digests(void **state)
{
	(void)state;
	static const uint64_t expected[N] = {
		UINT64_C(0x8ae8cf3af45a4227), UINT64_C(0xe5db91724049c195), UINT64_C(0xc821f5b8f47a6243),
		UINT64_C(0x3252d7eca785d3de), UINT64_C(0xcba6384d900cc42f), UINT64_C(0x31e59cfa5e9a9970),
		UINT64_C(0x1e66758a04562118), UINT64_C(0x210aa3cc05d65674), UINT64_C(0x85ba1df01e2e116f),
		UINT64_C(0x35721b58ca354ab3), UINT64_C(0x0175aaab4eb07994), UINT64_C(0xffdad3de8a25fabf),
		UINT64_C(0x86349df14c082946), UINT64_C(0xa020147baf4d28ff)};
	struct scene s = {.digest = {0}};
	bool same = true;
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		loom_rng_init(&s.rng, seed);
		random_plan(&s.plan, (enum random_plan_kind)(seed % RANDOM_KINDS), seed);
		s.has_trace = seed / RANDOM_KINDS % 3 > 0;
		if (s.has_trace)
			flawless_trace(&s.trace, &s.plan, LOOM_MACHINE_FAST);
		for (unsigned k = 0; seed / RANDOM_KINDS % 3 == 2 && k <= seed % 4; k++)
			damage(&s);
		add_verdict(&s);
		add_tables(&s);
		add_pictures(&s);
		if (s.has_trace)
			loom_trace_free(&s.trace);
		loom_plan_free(&s.plan);
	}
	for (unsigned k = 0; k < N; k++)
		if (s.digest[k] != expected[k]) {
			print_error("%s: UINT64_C(0x%016" PRIx64 "),\n", names[k], s.digest[k]);
			same = false;
		}
	assert_true(same);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_digests)};
	return cmocka_run_group_tests(tests, scratch_enter, scratch_leave);
}
