// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs a sweep of any kind: makes its list of rows, runs them, and writes all outputs. If something fails, or at
// Ctrl-C, the rows so far are kept.
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

#include "cli_html.h"
#include "cli_journal.h"
#include "cli_plot.h"
#include "cli_sweep.h"
#include "cli_terminal.h"

static int put_row(const struct sweep *s, const struct sweep_row *row, struct loom_err *err)
{
	if (s->request->json || s->request->quiet || s->request->standard_output)
		return 0;
	if (row == s->rows)
		sweep_put_heading(stdout, s);
	return sweep_row_is_over(row) ? sweep_put_row(stdout, s, row, err) : 0;
}

static int print(FILE *out, const void *user, bool json, struct loom_err *err)
{
	const struct sweep *s = user;
	int rc = 0;
	if (json)
		return sweep_put_json(out, s, err);
	sweep_put_heading(out, s);
	for (size_t i = 0; rc == 0 && i < s->n_rows; i++)
		if (sweep_row_is_over(&s->rows[i]))
			rc = sweep_put_row(out, s, &s->rows[i], err);
	return rc;
}

static int put_json(const struct sweep *s, struct loom_err *err)
{
	return sweep_put_json(stdout, s, err);
}

static int write_html(const struct sweep *s, struct loom_err *err)
{
	char title[2 * LOOM_TEXT_NAME + 16], fabrics[LOOM_TEXT_NAME], pattern[LOOM_TEXT_NAME];
	loom_text_show(fabrics, sizeof fabrics, s->request->words[0]);
	loom_text_show(pattern, sizeof pattern, s->request->words[1]);
	(void)snprintf(title, sizeof title, "sweep of %s, %s", fabrics, pattern);
	return cli_html_write(s->request, title, print, true, s, NULL, err);
}

// Writes all outputs that were asked for, even if rows are missing or one of the outputs fails. Returns the first
// failure, that of the rows included.
static int write_outputs(const struct sweep *s, int rc, struct loom_err *err)
{
	const struct {
		bool wanted;
		int (*put)(const struct sweep *s, struct loom_err *err);
	} outputs[] = {{s->request->json, put_json},
	               {s->request->csv != NULL, sweep_write_csv},
	               {s->request->svg != NULL, s->kind->plot},
	               {s->request->html != NULL, write_html}};
	for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++) {
		struct loom_err late;
		int put = outputs[i].wanted ? outputs[i].put(s, rc == 0 ? err : &late) : 0;
		rc = rc == 0 ? put : rc;
	}
	const bool table = !s->request->json && !s->request->quiet && !s->request->standard_output;
	if (s->kind->more) {
		struct loom_err late;
		int put = s->kind->more(s, table, rc == 0 ? err : &late);
		rc = rc == 0 ? put : rc;
	}
	return rc;
}

static int sweep(struct sweep *s, struct loom_err *err)
{
	enum cli_option option;
	if (cli_is_refused(&option, s->request, s->kind->refused))
		return loom_fail(err, LOOM_EINPUT, "--%s %s", cli_option_name(option), s->kind->refused_text);
	int rc = sweep_fail_check(s, err);
	if (rc == 0)
		rc = s->kind->make(s, err);
	if (rc == 0)
		rc = cli_check_outputs(s->request, err);
	if (rc == 0 && (s->request->svg || s->request->by_svg))
		rc = cli_plot_check(err);
	if (rc == 0)
		rc = s->kind->check(s, err);
	if (rc == 0)
		rc = sweep_journal_begin(s, err);
	if (rc == 0)
		rc = sweep_journal_shard(s, err);
	if (rc == 0 && s->request->take)
		return sweep_take(s, err);
	if (rc != 0 || s->n_rows == 0)
		return rc;
	rc = sweep_run(s, put_row, err);
	s->error = rc != 0 ? err->text : NULL;
	return write_outputs(s, rc, err);
}

// Returns the number of this process among those that mpirun or srun started together, by the variables of Open MPI,
// MPICH and Slurm.
static unsigned rank(void)
{
	static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"};
	const char *text = NULL;
	uint64_t out;
	for (size_t i = 0; !text && i < sizeof names / sizeof names[0]; i++)
		text = getenv(names[i]);
	return text && loom_text_number(&out, text, strlen(text)) && out <= UINT_MAX ? (unsigned)out : 0;
}

int cli_sweep(const struct cli_request *asked, struct loom_err *err)
{
	struct cli_request of_rank = *asked;
	const struct cli_request *request = asked->take || (asked->journal && rank() > 0) ? &of_rank : asked;
	of_rank.quiet = true; // only the first one reports
	of_rank.json = of_rank.standard_output = false;
	of_rank.csv = of_rank.svg = of_rank.html = of_rank.by_csv = of_rank.by_svg = NULL;
	if (asked->take) {
		of_rank.journal = asked->take;
		of_rank.jobs = asked->jobs ? asked->jobs : 1;
	}
	struct sweep s = {
		.request = request,
		.chip_request = *request,
		.kind = request->batch        ? &sweep_batches
	                : request->loads.text ? &sweep_loads
	                                      : &sweep_sizes,
		.n_machines = request->machines == 3 ? 2 : 1,
		.machines = {request->machines == 3 ? LOOM_MACHINE_FAST : request->machine, LOOM_MACHINE_PAPER},
		.n_seeds = request->n_seeds ? request->n_seeds : 1};
	bool differs = false;
	if (request->n_checked)
		s.chip_request.link = "sim";
	if (s.kind->side_by_side) // rows in turn are planned first, and that ignores Ctrl-C
		cli_interrupt_begin();
	int rc = sweep(&s, err);
	if (s.kind->side_by_side)
		cli_interrupt_end();
	for (size_t i = 0; i < s.n_rows; i++)
		differs = differs || s.rows[i].n_mismatches > 0;
	for (size_t i = 0; i < s.n_curves; i++)
		sweep_curve_free(&s.curves[i]);
	for (size_t i = 0; i < s.n_rows; i++) {
		sweep_runs_free(&s.rows[i]);
		loom_load_groups_free(&s.rows[i].groups);
	}
	sweep_journal_end(&s);
	free(s.curves);
	free(s.rows);
	return rc != 0 ? rc : differs ? CLI_DIFFERS : 0;
}
