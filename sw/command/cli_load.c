// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// A sweep over loads: fabrics under random traffic, each row a run at its load, or the highest load that is sustained, by
// bisection.
#include "cli_sweep.h"

#include <math.h>

#define BISECTIONS 8 // so the load is known to 1/256 of what the channels could carry

static bool is_computed(const struct sweep *s)
{
	return loom_run_is_computed(s->request->link);
}

// A link on which loads can be run.
static int check_link(const struct sweep *s, struct loom_err *err)
{
	const struct loom_link_kind *kind;
	const char *argument;
	int rc = loom_link_find(&kind, &argument, s->request->link, NULL, err);
	if (rc == 0 && !kind->stream && !is_computed(s))
		rc = loom_fail(err, LOOM_EFIT,
		               "link \"%s\" cannot feed messages to a chip while it runs: that takes the link sim, or "
		               "model, which computes",
		               kind->name);
	return rc == 0 ? sweep_check_link(s, err) : rc;
}

static bool needs_chip(const struct sweep *s, const struct sweep_curve *c)
{
	bool needs = !is_computed(s);
	for (size_t i = 0; i < s->n_rows; i++)
		needs = needs || (s->rows[i].curve == c && s->rows[i].is_checked);
	return needs;
}

// The highest load that is run.
static double highest_load(const struct sweep *s, const struct sweep_curve *c)
{
	const struct cli_loads *loads = &s->request->loads;
	const struct loom_load_options options = sweep_load_options(s, c);
	if (s->request->batch)
		return 1; // which is not read
	return loads->max ? loom_load_most(&c->traffic, &options) : cli_load_at(loads, loads->n - 1);
}

// Builds the models, one after the other, before rows want them side by side; and asks whether the chips take streams.
static int open_fabrics(struct sweep *s, struct loom_err *err)
{
	int rc = check_link(s, err);
	for (size_t i = 0; rc == 0 && i < s->n_curves; i++) {
		const struct sweep_curve *c = &s->curves[i];
		struct loom_load_options options = sweep_load_options(s, c);
		options.load = highest_load(s, c);
		rc = loom_load_check(&c->topo, &c->traffic, c->map, &options, err);
		if (rc != 0 || !needs_chip(s, c))
			continue;
		rc = sweep_open(s, c, err);
		if (rc == 0)
			rc = loom_device_stream_possible(s->session.device, err);
	}
	sweep_close(s);
	return rc;
}

// A run of a row, and who watches it.
struct load_run {
	const struct sweep *s;
	const struct sweep_curve *c;
	uint64_t seed, warmup_cycles;
	bool (*watch)(void *user, double part);
	void *user;
	double before, share;            // part of the whole that was done before this run; part that the run is
	struct loom_load_groups *groups; // figures by a key; NULL: none
};

static bool watch_run(void *user, uint64_t cycle, uint64_t of_about)
{
	const struct load_run *w = user;
	double part = of_about ? (double)cycle / (double)of_about : 1;
	return w->watch(w->user, w->before + w->share * (part < 1 ? part : 1));
}

static struct loom_load_options options_of(struct load_run *run, double load)
{
	struct loom_load_options options = sweep_load_options(run->s, run->c);
	options.load = load;
	options.seed = run->seed;
	options.warmup_cycles = run->warmup_cycles;
	options.watch = watch_run;
	options.user = run;
	options.groups = run->groups;
	return options;
}

// Runs one load: computes it, or on a chip. log NULL: none.
static int run_at(struct loom_load_point *out, struct load_run *run, double load, bool computed,
                  struct loom_load_log *log, struct loom_err *err)
{
	const struct sweep_curve *c = run->c;
	struct loom_load_options options = options_of(run, load);
	options.log = log;
	if (computed)
		return loom_load_compute(out, &c->topo, &c->traffic, c->map, &options, err);
	return loom_load_run(out, run->s->session.device, &c->topo, &c->traffic, c->map, &options, err);
}

// Runs that are not sustained say so early, so most of the time goes into those that are.
static int find_highest(struct loom_load_point *out, struct load_run *run, struct loom_err *err)
{
	const double most = highest_load(run->s, run->c), capacity = run->c->capacity;
	double sustained = 0, too_much = capacity < most ? capacity : most; // not a number: most
	struct loom_load_point best = {.saturated = true};
	struct loom_load_groups of_best = sweep_by_none(run->s->request), *groups = run->groups;
	for (int i = 0; i < BISECTIONS && best.n_mismatches == 0; i++) {
		const double load = (sustained + too_much) / 2;
		struct loom_load_point point;
		if (groups) {
			loom_load_groups_free(groups);
			*groups = sweep_by_none(run->s->request);
		}
		run->before = (double)i / BISECTIONS;
		run->share = 1.0 / BISECTIONS;
		int rc = run_at(&point, run, load, is_computed(run->s), NULL, err);
		if (rc != 0) {
			loom_load_groups_free(&of_best);
			return rc;
		}
		if (!point.saturated || point.n_mismatches)
			best = point;
		if (groups && !point.saturated) {
			const struct loom_load_groups kept = of_best;
			of_best = *groups;
			*groups = kept;
		}
		if (point.saturated)
			too_much = load;
		else
			sustained = load;
	}
	*out = best;
	if (groups) {
		loom_load_groups_free(groups);
		*groups = of_best;
	}
	return 0;
}

// Counts the differences between chip and computation. Those that the chip reports itself come first.
static void note_differences(struct sweep_row *row, const struct loom_load_point *on_chip, size_t n, const char *first)
{
	if (on_chip->n_mismatches + n > 0)
		(void)snprintf(row->reason, sizeof row->reason, "on sim: %.190s",
		               on_chip->n_mismatches ? on_chip->mismatch : first);
	row->n_mismatches += on_chip->n_mismatches + n;
}

// Runs a load that was computed on the RTL as well, and compares every message and every channel.
static int check_run(struct sweep *s, struct sweep_row *row, struct load_run *run, struct loom_err *err)
{
	const struct sweep_curve *c = run->c;
	const double load = s->request->batch ? 1 : row->point.load;
	struct loom_load_log computed = {0}, on_chip = {0};
	struct loom_load_point point;
	char first[200] = "";
	if (load <= 0) // no load is sustained
		return 0;
	run->before = 0;
	run->share = 1;
	int rc = run_at(&point, run, load, true, &computed, err);
	if (rc == 0)
		rc = sweep_open(s, c, err);
	if (rc == 0)
		rc = run_at(&point, run, load, false, &on_chip, err);
	if (rc == 0) {
		const size_t n = loom_load_log_compare(first, sizeof first, &on_chip, &computed, &c->topo);
		note_differences(row, &point, n, first);
	}
	loom_load_log_free(&computed);
	loom_load_log_free(&on_chip);
	return rc;
}

// Finds the warm-up by computation, on every link: a chip that works does the same.
static int find_warmup(struct sweep_row *row, struct load_run *run, struct loom_err *err)
{
	const struct sweep_curve *c = run->c;
	const struct loom_load_options options = options_of(run, row->load);
	return loom_load_find_warmup(&row->over_seeds.warmup, &c->topo, &c->traffic, c->map, &options, err);
}

static int run_seed(struct sweep *s, struct sweep_row *row, const struct sweep_curve *c,
                    bool (*watch)(void *user, double part), void *user, struct loom_err *err)
{
	const struct cli_request *r = s->request;
	const uint32_t n_pilots = sweep_load_pilots_count(s);
	const bool computed = is_computed(s);
	struct load_run run = {.s = s,
	                       .c = c,
	                       .seed = r->seed,
	                       .warmup_cycles = r->warmup_cycles,
	                       .watch = watch,
	                       .user = user,
	                       .share = 1};
	if (row->i_run < n_pilots)
		return find_warmup(row, &run, err);
	run.seed += row->i_run - n_pilots;
	if (n_pilots)
		run.warmup_cycles = row->runs[0].found.warmup.cycles;
	if (r->by) {
		row->groups = sweep_by_none(r);
		run.groups = &row->groups;
	}
	int rc = computed ? 0 : sweep_open(s, c, err);
	if (rc == 0 && r->loads.max)
		rc = find_highest(&row->point, &run, err);
	else if (rc == 0)
		rc = run_at(&row->point, &run, row->load, computed, NULL, err);
	row->n_mismatches = row->point.n_mismatches;
	(void)snprintf(row->reason, sizeof row->reason, "%s", row->n_mismatches ? row->point.mismatch : "");
	run.groups = NULL; // they are reported
	if (rc == 0 && row->is_checked)
		rc = check_run(s, row, &run, err);
	sweep_close(s);
	return rc;
}

// Runs a seed of a row. If other links fail with each seed, the curve is made anew.
static int run_row(struct sweep *s, struct sweep_row *row, bool (*watch)(void *user, double part), void *user,
                   struct loom_err *err)
{
	const uint32_t n_pilots = sweep_load_pilots_count(s);
	struct sweep_curve of_seed;
	if (s->request->fail_parts.n == 0 || row->i_run <= n_pilots)
		return run_seed(s, row, row->curve, watch, user, err);
	int rc = sweep_load_curve_of_seed(&of_seed, s, row->curve, s->request->seed + row->i_run - n_pilots, err);
	if (rc == 0)
		rc = run_seed(s, row, &of_seed, watch, user, err);
	sweep_curve_free(&of_seed);
	return rc;
}

const struct sweep_kind sweep_loads = {.side_by_side = true,
                                       .refused = CLI_WITH_LOAD,
                                       .refused_text = "does not go with --load",
                                       .make = sweep_load_make,
                                       .check = open_fabrics,
                                       .run = run_row,
                                       .n_runs = sweep_load_n_runs,
                                       .sum_up = sweep_load_sum_up,
                                       .cells = sweep_load_cells,
                                       .put_heading = sweep_load_put_heading,
                                       .json = sweep_load_json,
                                       .plot = sweep_load_plot,
                                       .more = sweep_by_more};

const struct sweep_kind sweep_batches = {.side_by_side = true,
                                         .refused = CLI_WITH_BATCH,
                                         .refused_text = "does not go with --batch",
                                         .make = sweep_load_make,
                                         .check = open_fabrics,
                                         .run = run_row,
                                         .n_runs = sweep_load_n_runs,
                                         .sum_up = sweep_load_sum_up,
                                         .cells = sweep_batch_cells,
                                         .put_heading = sweep_batch_put_heading,
                                         .json = sweep_batch_json,
                                         .more = sweep_by_more};
