// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// A sweep over sizes: one pattern on several fabrics, with messages of several lengths, several seeds, and both
// machines. Impossible combinations are left out, with the reason.

#include <flitloom/back_to_back.h>

#include "cli_session.h"
#include "cli_sweep.h"
#include "cli_terminal.h"

// Texts of the request for one row.
struct row_words {
	char *words[2];
	struct sweep_fail fail;
};

// The request for one row, as `run` would get it. Its texts are the caller's, and live as long.
static struct cli_request request_of(const struct sweep *s, struct sweep_row *row, uint32_t seed, struct row_words *own)
{
	struct sweep_curve *c = row->curve;
	struct cli_request request =
		sweep_fail_request(&own->fail, s->request, c->i_fail, s->request->planner, s->request->seed + seed);
	own->words[0] = c->fabric;
	own->words[1] = s->request->words[1];
	request.words = own->words;
	request.flits = row->flits;
	request.machine = row->curve->machine;
	request.seed += seed;
	sweep_dark_request(&request, s, c);
	return request;
}

// Plans by the first of the requested planners that can plan it.
static int make_plan(struct loom_plan *plan, const struct cli_request *request, struct loom_err *err)
{
	struct cli_request one = *request;
	char name[64];
	int rc = LOOM_EINPUT;
	if (!request->planner)
		return cli_make_plan(plan, request, NULL, err);
	one.planner = name;
	for (const char *at = request->planner; at && rc == LOOM_EINPUT;) {
		at = sweep_size_planner(name, at);
		rc = cli_make_plan(plan, &one, NULL, err);
	}
	return rc;
}

static int plan_row(struct loom_plan *plan, const struct cli_request *request, struct loom_err *err)
{
	const struct loom_image_options options = cli_image_options(request);
	int rc = make_plan(plan, request, err);
	if (rc != 0)
		return rc;
	rc = request->plan_only ? loom_image_check(plan, &options, err) : cli_session_check(request, plan, err);
	if (rc != 0)
		loom_plan_free(plan);
	return rc;
}

static void note_lengths(struct sweep_size *it, const struct loom_plan *plan)
{
	it->own_lengths = loom_plan_how_made(plan)->own_lengths;
	for (size_t i = 0; i < plan->n_messages; i++) {
		uint32_t flits = plan->messages[i].flits;
		it->flits_least = it->flits_least == 0 || flits < it->flits_least ? flits : it->flits_least;
		it->flits_most = flits > it->flits_most ? flits : it->flits_most;
		it->planned_flits += flits;
	}
}

// Notes whether the RTL can run the row as well; *unfit: the reason for the first row that it cannot run.
static void note_rtl(struct sweep_row *row, const struct cli_request *request, const struct loom_plan *plan,
                     struct loom_err *unfit)
{
	const struct loom_image_options options = cli_image_options(request);
	struct loom_err why = {0};
	row->can_be_checked = request->n_checked && loom_run_check(plan, "sim", NULL, &options, &why) == 0;
	if (why.code && !unfit->code)
		(void)loom_fail(unfit, why.code, "%s: %.180s", row->curve->topo.name, why.text);
}

// Returns the reason for the first of the rows that the RTL does not run.
static const char *why_of(const struct sweep *s, const struct loom_err *unfit)
{
	for (size_t i = 0; i < s->n_rows && !unfit->code; i++)
		if (s->rows[i].state == SWEEP_LEFT_OUT)
			return s->rows[i].reason;
	return unfit->text;
}

static void add(struct sweep_spread *s, uint64_t value)
{
	double distance = (double)value - s->mean;
	if (s->n == 0 || value < s->least)
		s->least = value;
	if (s->n == 0 || value > s->most)
		s->most = value;
	s->n++;
	s->mean += distance / s->n;
	s->square += distance * ((double)value - s->mean);
}

static void note(struct sweep_row *row, const struct loom_plan *plan, const struct loom_verdict *v, bool measured)
{
	struct sweep_size *it = &row->size;
	(void)snprintf(it->planner, sizeof it->planner, "%s", plan->planner);
	if (v->n_mismatches && !row->n_mismatches)
		(void)snprintf(row->reason, sizeof row->reason, "%s", v->mismatches[0]);
	row->n_mismatches += v->n_mismatches;
	sweep_dark_note(it, plan, add);
	it->messages = v->messages;
	it->flits = v->flits;
	add(&it->passes, plan->n_passes);
	add(&it->contention, measured ? v->measured_contention : v->predicted_contention);
	if (v->predicted_cycles != LOOM_CYCLES_UNKNOWN)
		add(&it->predicted, v->predicted_cycles);
	if (measured)
		add(&it->measured, v->measured_cycles);
	uint64_t back_to_back = measured ? v->measured_back_to_back_cycles : v->predicted_back_to_back_cycles;
	bool one_start = plan->free_running || plan->n_passes == 1;
	if (one_start) { // there was no second run: take the first one, and the cycles before it
		uint64_t cycles = measured ? v->measured_cycles : v->predicted_cycles;
		back_to_back = cycles == LOOM_CYCLES_UNKNOWN ? cycles : LOOM_READY_CYCLES + cycles;
	}
	it->one_start = one_start && (it->one_start || it->passes.n == 1);
	if (back_to_back != 0 && back_to_back != LOOM_CYCLES_UNKNOWN)
		add(&it->back_to_back, back_to_back);
}

// Computes a plan, or runs it on the requested link.
static int run_plan(struct sweep *s, const struct sweep_row *row, const struct cli_request *request,
                    const struct loom_plan *plan, struct loom_trace *trace, struct loom_verdict *verdict,
                    struct loom_err *err)
{
	struct cli_session computing = {0};
	struct loom_err late;
	int rc;
	if (!loom_run_is_computed(request->link)) {
		if ((rc = sweep_open(s, row->curve, err)) != 0)
			return rc;
		s->session.request = request;
		rc = cli_session_run(&s->session, plan, trace, verdict, err);
		s->session.request = s->request;
		return rc;
	}
	rc = cli_session_open(&computing, request, &row->curve->topo, LOOM_RULE_ASCENDING, err);
	if (rc == 0)
		rc = cli_session_run(&computing, plan, trace, verdict, err);
	(void)cli_session_close(&computing, &late);
	return rc;
}

// Runs a computed row on the RTL as well. The verdict compares every message and every channel with the machine.
static int check_plan(struct sweep *s, struct sweep_row *row, const struct cli_request *request,
                      const struct loom_plan *plan, struct loom_err *err)
{
	struct cli_request on_chip = *request;
	struct loom_trace trace = {0};
	struct loom_verdict verdict = {0};
	on_chip.link = s->chip_request.link;
	int rc = run_plan(s, row, &on_chip, plan, &trace, &verdict, err);
	if (verdict.n_mismatches && !row->n_mismatches)
		(void)snprintf(row->reason, sizeof row->reason, "on sim: %.190s", verdict.mismatches[0]);
	row->n_mismatches += verdict.n_mismatches;
	loom_verdict_free(&verdict);
	loom_trace_free(&trace);
	return rc;
}

// Runs one row with one seed, unless --plan-only is given.
static int run_seed(struct sweep *s, struct sweep_row *row, uint32_t seed, struct loom_err *err)
{
	struct row_words words;
	const struct cli_request request = request_of(s, row, seed, &words);
	struct loom_plan plan = {0};
	struct loom_trace trace = {0};
	struct loom_verdict verdict = {0};
	int rc = plan_row(&plan, &request, err);
	if (rc != 0)
		return rc;
	rc = request.plan_only ? loom_verdict_predict(&verdict, &plan, request.machine, err)
	                       : run_plan(s, row, &request, &plan, &trace, &verdict, err);
	if (rc == 0)
		note(row, &plan, &verdict, !request.plan_only);
	if (rc == 0 && row->is_checked)
		rc = check_plan(s, row, &request, &plan, err);
	loom_verdict_free(&verdict);
	loom_trace_free(&trace);
	loom_plan_free(&plan);
	return rc;
}

static bool can_be_left_out(int rc)
{
	return rc == LOOM_EINPUT || rc == LOOM_EFIT;
}

static void leave_out(struct sweep_row *row, const struct loom_err *why)
{
	row->state = SWEEP_LEFT_OUT;
	(void)snprintf(row->reason, sizeof row->reason, "%s", why->text);
}

// Builds the models of rows that also run on the RTL, before any row runs.
static int open_checked(struct sweep *s, struct loom_err *err)
{
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < s->n_rows; i++)
		if (s->rows[i].is_checked)
			rc = sweep_open(s, s->rows[i].curve, err);
	sweep_close(s);
	return rc;
}

// Leaves out rows that cannot be planned before anything runs. If no row can be planned, the request is wrong.
static int check_rows(struct sweep *s, struct loom_err *err)
{
	size_t n_left_out = 0;
	struct loom_err unfit = {0};
	int first = sweep_check_link(s, err);
	if (first)
		return first;
	for (size_t i = 0; i < s->n_rows; i++) {
		struct row_words words;
		const struct cli_request request = request_of(s, &s->rows[i], 0, &words);
		struct loom_plan plan = {0};
		struct loom_err why;
		int rc = plan_row(&plan, &request, &why);
		if (rc == 0) {
			note_lengths(&s->rows[i].size, &plan);
			note_rtl(&s->rows[i], &request, &plan, &unfit);
			loom_plan_free(&plan);
		}
		if (cli_interrupted()) // a search, which then ended with what it had
			return loom_fail(err, LOOM_ETIMEOUT, "interrupted before the first run");
		if (rc == 0)
			continue;
		if (!first || !can_be_left_out(rc))
			*err = why;
		if (!can_be_left_out(rc))
			return rc;
		first = first ? first : rc;
		leave_out(&s->rows[i], &why);
		n_left_out++;
	}
	if (n_left_out == s->n_rows)
		return first;
	first = s->request->n_checked
	                ? sweep_choose_checked(s, n_left_out || unfit.code ? why_of(s, &unfit) : NULL, err)
	                : 0;
	return first ? first : open_checked(s, err);
}

static int run_row(struct sweep *s, struct sweep_row *row, bool (*watch)(void *user, double part), void *user,
                   struct loom_err *err)
{
	int rc = 0;
	(void)watch; // the session reports progress
	(void)user;
	for (uint32_t seed = 0; rc == 0 && seed < s->n_seeds; seed++) {
		rc = run_seed(s, row, seed, err);
		if (rc == 0 && cli_interrupted())
			rc = loom_fail(err, LOOM_ETIMEOUT, "interrupted after %s", row->curve->topo.name);
	}
	if (can_be_left_out(rc)) {
		leave_out(row, err);
		return 0;
	}
	if (row->size.passes.n == s->n_seeds) { // also when Ctrl-C came after the last seed
		row->state = SWEEP_DONE;
		row->size.predicted_known = row->size.predicted.n == s->n_seeds;
	}
	return rc;
}

const struct sweep_kind sweep_sizes = {.refused = CLI_WITHOUT_LOAD,
                                       .refused_text = "goes with --load A:B:STEP or --load max",
                                       .make = sweep_size_make,
                                       .check = check_rows,
                                       .run = run_row,
                                       .cells = sweep_size_cells,
                                       .put_heading = sweep_size_put_heading,
                                       .json = sweep_size_json,
                                       .plot = sweep_size_plot};
