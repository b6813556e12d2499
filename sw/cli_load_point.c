// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// One row of sweep --load: a run at its load, or the highest load that is sustained, by bisection.
#include "cli_load.h"

#define BISECTIONS 8 // so the load is known to 1/256 of what the channels could carry

struct watcher {
	int (*watch)(void *user, double part);
	void *user;
	double before, share; // part of the row that was done before this run; part that the run is
};

static int watch_run(void *user, uint64_t cycle, uint64_t of_about)
{
	const struct watcher *w = user;
	double part = of_about ? (double)cycle / (double)of_about : 1;
	return w->watch(w->user, w->before + w->share * (part < 1 ? part : 1));
}

static struct loom_load_options options_of(const struct cli_request *request, double load, struct watcher *watcher)
{
	return (struct loom_load_options){.load = load,
	                                  .flits = request->flits,
	                                  .arrivals = request->arrivals,
	                                  .seed = request->seed,
	                                  .warmup_cycles = request->warmup_cycles,
	                                  .measure_cycles = request->measure_cycles,
	                                  .watch = watch_run,
	                                  .user = watcher};
}

// Runs that are not sustained say so early, so most of the time goes into those that are.
static int find_highest(struct loom_load_point *out, struct loom_device *device, const struct load_sweep *s,
                        const struct load_curve *c, struct watcher *watcher, struct loom_err *err)
{
	double sustained = 0, too_much = c->capacity;
	struct loom_load_point best = {.saturated = true};
	for (int i = 0; i < BISECTIONS && best.n_mismatches == 0; i++) {
		const double load = (sustained + too_much) / 2;
		const struct loom_load_options options = options_of(s->request, load, watcher);
		struct loom_load_point point;
		watcher->before = (double)i / BISECTIONS;
		watcher->share = 1.0 / BISECTIONS;
		int rc = loom_load_run(&point, device, &c->topo, &c->traffic, c->map, c->machine, &options, err);
		if (rc != 0)
			return rc;
		if (!point.saturated || point.n_mismatches)
			best = point;
		if (point.saturated)
			too_much = load;
		else
			sustained = load;
	}
	*out = best;
	return 0;
}

int load_run_row(struct loom_load_point *out, const struct load_sweep *s, const struct load_row *row,
                 int (*watch)(void *user, double part), void *user, struct loom_err *err)
{
	const struct load_curve *c = row->curve;
	struct watcher watcher = {.watch = watch, .user = user, .share = 1};
	const struct loom_load_options options = options_of(s->request, row->load, &watcher);
	struct cli_session session = {0};
	int rc = cli_session_open(&session, s->request, &c->topo, err);
	if (rc == 0 && s->request->loads.max)
		rc = find_highest(out, session.device, s, c, &watcher, err);
	else if (rc == 0)
		rc = loom_load_run(out, session.device, &c->topo, &c->traffic, c->map, c->machine, &options, err);
	(void)cli_session_close(&session, NULL);
	return rc;
}
