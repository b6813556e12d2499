// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// One pattern on several fabrics, with messages of several lengths, several seeds, both machines: a row for each. What
// cannot be is left out and says why; what there is when something fails, or at Ctrl-C, is kept.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/back_to_back.h>
#include <flitloom/planner.h>

#include "cli_sweep.h"

// The request for one fabric, as `run` would get it. `name` and `words` are the caller's, and live as long.
static struct cli_request request_of(const struct sweep *s, const struct sweep_row *row, uint32_t seed, char *name,
                                     char *words[2])
{
	struct cli_request request = *s->request;
	memcpy(name, row->topo.name, sizeof row->topo.name);
	words[0] = name;
	words[1] = s->request->words[1];
	request.words = words;
	request.flits = row->flits_asked;
	request.machine = row->machine;
	request.seed += seed;
	return request;
}

// The name in a list of planners that begins at `list`; returns the beginning of the next, or NULL after the last.
static const char *planner_in(char name[64], const char *list)
{
	size_t length = strcspn(list, ",");
	(void)snprintf(name, 64, "%.*s", (int)(length < 64 ? length : 63), list);
	return list[length] ? list + length + 1 : NULL;
}

static int check_planners(const struct cli_request *request, struct loom_err *err)
{
	for (const char *at = request->planner; at;) {
		char name[64];
		bool one = at == request->planner && !strchr(at, ',');
		at = planner_in(name, at);
		if (!one && !loom_planner_named(name)) // of one name alone the library tells, with what there is
			return loom_fail(err, LOOM_EINPUT,
			                 "--planner: there is no planner \"%s\"; see: flitloom list planners", name);
	}
	return 0;
}

// Plans by the first planner of those asked for that can.
static int make_plan(struct loom_plan *plan, const struct cli_request *request, struct loom_err *err)
{
	struct cli_request one = *request;
	char name[64];
	int rc = LOOM_EINPUT;
	if (!request->planner)
		return cli_make_plan(plan, request, NULL, err);
	one.planner = name;
	for (const char *at = request->planner; at && rc == LOOM_EINPUT;) {
		at = planner_in(name, at);
		rc = cli_make_plan(plan, &one, NULL, err);
	}
	return rc;
}

static void note_lengths(struct sweep_row *row, const struct loom_plan *plan)
{
	row->own_lengths = plan->own_lengths;
	for (size_t i = 0; i < plan->n_messages; i++) {
		uint32_t flits = plan->messages[i].flits;
		row->flits_least = row->flits_least == 0 || flits < row->flits_least ? flits : row->flits_least;
		row->flits_most = flits > row->flits_most ? flits : row->flits_most;
	}
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

static void note(struct sweep_row *row, const struct loom_plan *plan, const struct loom_verdict *v, bool measured)
{
	(void)snprintf(row->planner, sizeof row->planner, "%s", plan->planner);
	if (v->n_mismatches && !row->n_mismatches)
		(void)snprintf(row->reason, sizeof row->reason, "%s", v->mismatches[0]);
	row->n_mismatches += v->n_mismatches;
	row->messages = v->messages;
	row->flits = v->flits;
	sweep_spread_add(&row->passes, plan->n_passes);
	sweep_spread_add(&row->contention, measured ? v->measured_contention : v->predicted_contention);
	if (v->predicted_cycles != LOOM_CYCLES_UNKNOWN)
		sweep_spread_add(&row->predicted, v->predicted_cycles);
	if (measured)
		sweep_spread_add(&row->measured, v->measured_cycles);
	uint64_t back_to_back = measured ? v->measured_back_to_back_cycles : v->predicted_back_to_back_cycles;
	bool one_start = plan->free_running || plan->n_passes == 1;
	if (one_start) { // no second run: it is the one that there was, and what is before it
		uint64_t cycles = measured ? v->measured_cycles : v->predicted_cycles;
		back_to_back = cycles == LOOM_CYCLES_UNKNOWN ? cycles : LOOM_READY_CYCLES + cycles;
	}
	row->one_start = one_start && (row->one_start || row->passes.n == 1);
	if (back_to_back != 0 && back_to_back != LOOM_CYCLES_UNKNOWN)
		sweep_spread_add(&row->back_to_back, back_to_back);
}

// Runs one row, one seed, on the chip of the session unless it is --plan-only.
static int run_seed(struct sweep *s, struct sweep_row *row, uint32_t seed, struct cli_session *session,
                    struct loom_err *err)
{
	char name[sizeof row->topo.name], *words[2];
	struct cli_request request = request_of(s, row, seed, name, words);
	struct loom_plan plan = {0};
	struct loom_trace trace = {0};
	struct loom_verdict verdict = {0};
	int rc = plan_row(&plan, &request, err);
	if (rc != 0)
		return rc;
	if (request.plan_only) {
		rc = loom_verdict_predict(&verdict, &plan, err);
	} else {
		session->request = &request;
		rc = session->device ? 0 : cli_session_open(session, &request, &row->topo, err);
		if (rc == 0)
			rc = cli_session_run(session, &plan, &trace, &verdict, err);
		session->request = s->request;
	}
	if (rc == 0)
		note(row, &plan, &verdict, !request.plan_only);
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
	(void)snprintf(row->reason, sizeof row->reason, "%.199s", why->text);
}

// Leaves out rows that cannot be planned before anything is run; when these are all there are, the request is wrong.
static int check_rows(struct sweep *s, struct loom_err *err)
{
	size_t n_left_out = 0;
	int first = 0;
	struct loom_err why;
	for (size_t i = 0; i < s->n_rows; i++) {
		char name[sizeof s->rows[i].topo.name], *words[2];
		struct cli_request request = request_of(s, &s->rows[i], 0, name, words);
		struct loom_plan plan = {0};
		int rc = plan_row(&plan, &request, &why);
		if (rc == 0)
			note_lengths(&s->rows[i], &plan);
		if (rc == 0)
			loom_plan_free(&plan);
		if (cli_interrupted()) // a search, which then ended with what it had
			return loom_fail(err, LOOM_ETIMEOUT, "interrupted before the first run");
		if (rc == 0)
			continue;
		if (!first) {
			first = rc;
			*err = why;
		}
		if (!can_be_left_out(rc)) {
			*err = why;
			return rc;
		}
		leave_out(&s->rows[i], &why);
		n_left_out++;
	}
	return n_left_out == s->n_rows ? first : 0;
}

static int run_row(struct sweep *s, struct sweep_row *row, struct cli_session *session, struct loom_err *err)
{
	int rc = 0;
	for (uint32_t seed = 0; rc == 0 && seed < s->n_seeds; seed++) {
		rc = run_seed(s, row, seed, session, err);
		if (rc == 0 && cli_interrupted())
			rc = loom_fail(err, LOOM_ETIMEOUT, "interrupted after %s", row->topo.name);
	}
	if (can_be_left_out(rc)) {
		leave_out(row, err);
		return 0;
	}
	if (row->passes.n == s->n_seeds) { // also when Ctrl-C came after the last seed
		row->state = SWEEP_DONE;
		row->predicted_known = row->predicted.n == s->n_seeds;
	}
	return rc;
}

static int run_rows(struct sweep *s, bool table, struct loom_err *err)
{
	struct cli_session session = {0};
	struct cli_progress progress;
	char fabric[sizeof s->rows[0].topo.name] = "";
	int rc = 0;
	cli_progress_init(&progress, s->request);
	cli_interrupt_begin();
	for (size_t i = 0; rc == 0 && i < s->n_rows; i++) {
		struct sweep_row *row = &s->rows[i];
		char text[LOOM_TOPO_NAME + 64];
		if (strcmp(fabric, row->topo.name) != 0)
			(void)cli_session_close(&session, NULL); // sweep records no waveforms
		if (strcmp(fabric, row->topo.name) != 0)
			session = (struct cli_session){0};
		(void)snprintf(fabric, sizeof fabric, "%s", row->topo.name);
		(void)snprintf(text, sizeof text, "%s, %zu of %zu", row->topo.name, i + 1, s->n_rows);
		cli_progress_text(&progress, text);
		if (row->state == SWEEP_WAITS)
			rc = run_row(s, row, &session, err);
		cli_progress_end(&progress);
		if (table && i == 0)
			sweep_put_heading(s);
		if (table && row->state != SWEEP_WAITS) {
			struct loom_err late;
			int put = sweep_put_row(s, row, rc == 0 ? err : &late);
			rc = rc == 0 ? put : rc;
		}
	}
	(void)cli_session_close(&session, NULL);
	cli_interrupt_end();
	return rc;
}

// Everything that was asked for, also when the rows are not all there or one of the outputs fails. The first failure, if
// need be the one that ended the rows, counts.
static int write_outputs(const struct sweep *s, int rc, struct loom_err *err)
{
	const struct {
		bool wanted;
		int (*put)(const struct sweep *s, struct loom_err *err);
	} outputs[] = {{s->request->json, sweep_put_json},
	               {s->request->csv != NULL, sweep_write_csv},
	               {s->request->svg != NULL, sweep_plot}};
	for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++) {
		struct loom_err late;
		int put = outputs[i].wanted ? outputs[i].put(s, rc == 0 ? err : &late) : 0;
		rc = rc == 0 ? put : rc;
	}
	return rc;
}

int cli_sweep(const struct cli_request *request, struct loom_err *err)
{
	struct sweep s = {.request = request};
	bool differs = false, table = !request->json && !request->quiet && !request->standard_output;
	if (request->loads.text)
		return cli_load(request, err);
	int rc = cli_load_check_absent(request, err);
	if (rc == 0)
		rc = check_planners(request, err);
	if (rc == 0)
		rc = sweep_rows_make(&s, err);
	if (rc == 0)
		rc = cli_check_outputs(request, err);
	if (rc == 0 && request->svg)
		rc = cli_plot_check(err);
	if (rc == 0)
		rc = check_rows(&s, err);
	if (rc == 0) {
		rc = run_rows(&s, table, err);
		s.error = rc != 0 ? err->text : NULL;
		rc = write_outputs(&s, rc, err);
	}
	for (size_t i = 0; i < s.n_rows; i++)
		differs = differs || s.rows[i].n_mismatches > 0;
	for (size_t i = 0; i < s.n_rows; i++)
		loom_topo_free(&s.rows[i].topo);
	free(s.rows);
	return rc != 0 ? rc : differs ? CLI_DIFFERS : 0;
}
