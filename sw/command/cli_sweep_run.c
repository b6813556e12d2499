// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs the rows of a sweep in turn, so that they share a chip. Also has the parts that all ways of running rows share.
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "cli_journal.h"
#include "cli_session.h"
#include "cli_sweep.h"
#include "cli_terminal.h"

#define POLL_MS 100

int sweep_open(struct sweep *s, const struct sweep_curve *c, struct loom_err *err)
{
	const bool chooses = loom_rule_is_adaptive(c->rule), draws = loom_rule_has_via(c->rule),
		   turns = c->rule == LOOM_RULE_TURNS;
	if (s->session.is_open && s->chooses == chooses && s->draws == draws && s->turns == turns &&
	    strcmp(s->fabric, c->topo.name) == 0)
		return 0;
	sweep_close(s);
	(void)snprintf(s->fabric, sizeof s->fabric, "%s", c->topo.name);
	s->chooses = chooses;
	s->draws = draws;
	s->turns = turns;
	int rc = cli_session_open(&s->session, &s->chip_request, &c->topo, c->rule, err);
	if (rc != 0)
		sweep_close(s);
	return rc;
}

void sweep_close(struct sweep *s)
{
	(void)cli_session_close(&s->session, NULL); // sweep records no waveforms
	s->session = (struct cli_session){0};
}

void sweep_curve_free(struct sweep_curve *c)
{
	loom_topo_free(&c->topo);
	loom_traffic_free(&c->traffic);
	loom_load_routes_free(c->routes);
	free(c->map);
}

// --- What is run on the RTL as well ----------------------------------------------------------------------------------

int sweep_check_link(const struct sweep *s, struct loom_err *err)
{
	const struct loom_link_kind *kind;
	const char *argument;
	if (!s->request->n_checked || loom_link_find(&kind, &argument, s->request->link, NULL, NULL) != 0)
		return 0;
	if (s->request->plan_only)
		return loom_fail(err, LOOM_EINPUT,
		                 "--check-on: it compares what is computed with what the RTL does; with --plan-only "
		                 "nothing is run");
	return loom_run_is_computed(s->request->link)
	               ? 0
	               : loom_fail(err, LOOM_EINPUT,
	                           "--check-on: it goes with --link model, whose points it looks at; these are run "
	                           "on link %s anyway",
	                           kind->name);
}

int sweep_choose_checked(struct sweep *s, const char *why, struct loom_err *err)
{
	const size_t n = s->request->n_checked;
	size_t n_can = 0, i_can = 0;
	for (size_t i = 0; i < s->n_rows; i++)
		n_can += s->rows[i].can_be_checked;
	if (n > n_can && why)
		return loom_fail(err, LOOM_EINPUT, "--check-on: sim:%zu: the RTL can run %zu of the %zu points; %.200s",
		                 n, n_can, s->n_rows, why);
	if (n > n_can)
		return loom_fail(err, LOOM_EINPUT, "--check-on: sim:%zu: the sweep has %zu point%s", n, s->n_rows,
		                 s->n_rows == 1 ? "" : "s");
	for (size_t i = 0; i < s->n_rows; i++)
		if (s->rows[i].can_be_checked) {
			s->rows[i].is_checked = (i_can + 1) * n / n_can > i_can * n / n_can;
			i_can++;
		}
	return 0;
}

// --- In turn -------------------------------------------------------------------------------------------------------

// Runs a waiting row, unless it is in the journal or another process has it.
static int run_row(struct sweep *s, struct sweep_row *row, struct loom_err *err)
{
	const struct sweep_record record = sweep_record_of_row(row);
	enum sweep_place place;
	int lock;
	int rc = sweep_journal_take(&place, &lock, s, row, 0, &record, err);
	if (rc != 0 || place == JOURNAL_HAS_IT || place == JOURNAL_IS_ELSEWHERE)
		return rc;
	rc = s->kind->run(s, row, NULL, NULL, err);
	if (rc == 0 && place == JOURNAL_IS_OURS)
		rc = sweep_journal_keep(s, row, 0, &record, err);
	sweep_journal_leave(s, row, 0, lock);
	return rc;
}

// Runs the waiting rows once, in this order. Reports the finished rows that no longer wait for one before them.
static int run_rows(struct sweep *s, const size_t *order, size_t *n_said, struct cli_progress *progress,
                    sweep_row_done *done, struct loom_err *err)
{
	int rc = 0;
	for (size_t at = 0; rc == 0 && at < s->n_rows; at++) {
		struct sweep_row *row = &s->rows[order[at]];
		struct loom_err late;
		char text[LOOM_TOPO_NAME + 64];
		(void)snprintf(text, sizeof text, "%s, %zu of %zu", row->curve->topo.name, at + 1, s->n_rows);
		cli_progress_text(progress, text);
		if (row->state == SWEEP_WAITS)
			rc = run_row(s, row, err);
		cli_progress_end(progress);
		while (rc == 0 && *n_said < s->n_rows && sweep_row_is_over(&s->rows[*n_said]))
			rc = done(s, &s->rows[(*n_said)++], err);
		if (rc != 0)
			(void)sweep_tell_rest(s, *n_said, order[at] + 1, done, &late);
	}
	return rc;
}

static int run_in_turn(struct sweep *s, sweep_row_done *done, struct loom_err *err)
{
	struct cli_progress progress;
	size_t n_said = 0, *order;
	int rc = sweep_order(&order, s, false, err);
	if (rc != 0)
		return rc;
	cli_progress_init(&progress, s->request);
	cli_interrupt_begin();
	while (rc == 0 && n_said < s->n_rows) {
		rc = run_rows(s, order, &n_said, &progress, done, err);
		if (rc == 0 && n_said < s->n_rows) // other processes run the others
			(void)poll(NULL, 0, POLL_MS);
		if (rc == 0 && n_said < s->n_rows && cli_interrupted())
			rc = loom_fail(err, LOOM_ETIMEOUT, "interrupted while other processes have points");
	}
	sweep_close(s);
	cli_interrupt_end();
	free(order);
	return rc;
}

int sweep_run(struct sweep *s, sweep_row_done *done, struct loom_err *err)
{
	return s->kind->side_by_side ? sweep_run_side_by_side(s, done, err) : run_in_turn(s, done, err);
}
