// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// sweep --load: a table, JSON, CSV and a plot of latency and throughput over the load.
#include "cli_load.h"

// Refuses options that are settled otherwise here, or mean nothing.
static int check_options(const struct cli_request *r, struct loom_err *err)
{
	static const enum cli_option others[] = {CLI_PLANNER, CLI_BUDGET, CLI_SCHEDULE, CLI_PRESET,
	                                         CLI_NODES,   CLI_SEEDS,  CLI_PLAN_ONLY};
	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
		if (r->given & CLI_BIT(others[i]))
			return loom_fail(err, LOOM_EINPUT, "--%s does not go with --load", cli_option_name(others[i]));
	if (r->flits_last > r->flits)
		return loom_fail(err, LOOM_EINPUT, "--flits: with --load one length, such as 20");
	if (r->measure_cycles + r->warmup_cycles > LOOM_LOAD_CYCLES_MOST)
		return loom_fail(err, LOOM_EINPUT, "--warmup, --measure: together %u cycles at most",
		                 LOOM_LOAD_CYCLES_MOST);
	return 0;
}

int cli_load_check_absent(const struct cli_request *r, struct loom_err *err)
{
	static const enum cli_option ours[] = {CLI_OBJECTIVE, CLI_MAP,  CLI_PLACE,  CLI_COMPARE,
	                                       CLI_ARRIVALS,  CLI_JOBS, CLI_WARMUP, CLI_MEASURE};
	for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++)
		if (r->given & CLI_BIT(ours[i]))
			return loom_fail(err, LOOM_EINPUT, "--%s goes with --load A:B:STEP or --load max",
			                 cli_option_name(ours[i]));
	return 0;
}

// Builds the models, one after the other, before rows want them side by side; and asks whether the chips take streams.
static int open_fabrics(const struct load_sweep *s, struct loom_err *err)
{
	const struct loom_link_kind *kind;
	const char *argument;
	int rc = loom_link_find(&kind, &argument, s->request->link, NULL, err);
	if (rc == 0 && !kind->stream)
		rc = loom_fail(err, LOOM_EFIT,
		               "link \"%s\" cannot feed messages to a chip while it runs: that takes the link sim",
		               kind->name);
	for (size_t i = 0; rc == 0 && i < s->n_curves; i++) {
		const struct load_curve *c = &s->curves[i];
		const struct loom_load_options options = {.load = 1,
		                                          .flits = s->request->flits,
		                                          .warmup_cycles = s->request->warmup_cycles,
		                                          .measure_cycles = s->request->measure_cycles};
		struct cli_session session = {0};
		rc = loom_load_check(&c->topo, &c->traffic, c->map, &options, err);
		if (rc == 0)
			rc = cli_session_open(&session, s->request, &c->topo, err);
		if (rc == 0)
			rc = loom_device_stream_possible(session.device, err);
		(void)cli_session_close(&session, NULL);
	}
	return rc;
}

static int put_row(struct load_sweep *s, const struct load_row *row, struct loom_err *err)
{
	if (s->request->json || s->request->quiet || s->request->standard_output)
		return 0;
	if (row == s->rows)
		load_put_heading(s);
	return load_put_row(s, row, err);
}

static int write_outputs(const struct load_sweep *s, int rc, struct loom_err *err)
{
	const struct {
		bool wanted;
		int (*put)(const struct load_sweep *s, struct loom_err *err);
	} outputs[] = {{s->request->json, load_put_json},
	               {s->request->csv != NULL, load_write_csv},
	               {s->request->svg != NULL, load_plot}};
	for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++) {
		struct loom_err late;
		int put = outputs[i].wanted ? outputs[i].put(s, rc == 0 ? err : &late) : 0;
		rc = rc == 0 ? put : rc;
	}
	return rc;
}

int cli_load(const struct cli_request *request, struct loom_err *err)
{
	struct load_sweep s = {.request = request};
	bool differs = false;
	int rc = check_options(request, err);
	cli_interrupt_begin();
	if (rc == 0)
		rc = load_sweep_make(&s, err);
	if (rc == 0)
		rc = cli_check_outputs(request, err);
	if (rc == 0 && request->svg)
		rc = cli_plot_check(err);
	if (rc == 0)
		rc = open_fabrics(&s, err);
	if (rc == 0) {
		rc = load_run_rows(&s, put_row, err);
		s.error = rc != 0 ? err->text : NULL;
		rc = write_outputs(&s, rc, err);
	}
	cli_interrupt_end();
	for (size_t i = 0; i < s.n_rows; i++)
		differs = differs || s.rows[i].point.n_mismatches > 0;
	load_sweep_free(&s);
	return rc != 0 ? rc : differs ? CLI_DIFFERS : 0;
}
