// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// A sweep over failures: shares of the links that fail, other links for each seed.
#include <inttypes.h>
#include <string.h>

#include <flitloom/routes/failures.h>
#include <flitloom/routes/graph.h>

#include "cli_sweep.h"

#define NOTHING "none" // as --fail has it

size_t sweep_fails_count(const struct cli_request *r)
{
	return r->fail_parts.n ? r->fail_parts.n : 1;
}

struct cli_request sweep_fail_request(struct sweep_fail *out, const struct cli_request *request, size_t i,
                                      bool has_tables, uint64_t seed)
{
	struct cli_request r = *request;
	const struct cli_parts *parts = &request->fail_parts;
	if (parts->n == 0)
		return r;
	const uint64_t part = parts->first + i * parts->step;
	out->percent = (double)part / CLI_PERCENT;
	(void)snprintf(out->text, sizeof out->text, "random:%.10g%%:%" PRIu64, out->percent, seed);
	r.fail = part ? out->text : has_tables || request->n_lanes ? NOTHING : NULL;
	r.fail_parts = (struct cli_parts){0};
	return r;
}

void sweep_fail_add(struct sweep_fail *out, const struct loom_topo *topo, unsigned rule)
{
	struct loom_failure_facts failed = {.n_links = 0};
	struct loom_graph_facts graph = {.lanes_needed = topo->n_vcs};
	(void)loom_topo_failure_facts(&failed, topo);
	if (!loom_rule_chooses_on(topo, rule)) // else messages do not go by the graph's routes
		(void)loom_topo_graph_facts(&graph, topo);
	const double n = ++out->n;
	out->links += (failed.n_links - out->links) / n;
	out->cut_off += (failed.n_cut_off - out->cut_off) / n;
	out->lanes += (graph.lanes_needed - out->lanes) / n;
}

int sweep_fail_check(const struct sweep *s, struct loom_err *err)
{
	const struct cli_request *r = s->request;
	if (r->fail_parts.n == 0)
		return 0;
	if (r->precision)
		return loom_fail(
			err, LOOM_EINPUT,
			"--precision: with --fail %.40s each seed has other links that fail; --seeds N says how "
			"many",
			r->fail);
	if (s->n_seeds > 1 && (r->n_checked || !loom_run_is_computed(r->link)))
		return loom_fail(
			err, LOOM_EINPUT,
			"--fail %.40s: each seed has other links that fail, and the RTL would be built for each; "
			"leave --seeds out, or take --link model",
			r->fail);
	return 0;
}

void sweep_fail_cells(struct sweep_cell out[SWEEP_FAIL_CELLS], const struct sweep *s, const struct sweep_curve *c)
{
	const bool fails = s->request->fail != NULL, parts = s->request->fail_parts.n > 0, many = c->fail.n > 1;
	const struct sweep_cell cells[SWEEP_FAIL_CELLS] = {
		{parts ? " fail %" : NULL, 7, parts ? "fail_percent" : NULL, parts ? "fail_percent" : NULL,
	         sweep_real(c->fail.percent, -4, parts), true},
		{parts ? " links" : NULL, 6, fails ? "dead_links" : NULL, fails ? "dead_links" : NULL,
	         sweep_real(c->fail.links, many ? 1 : 0, fails), true},
		{parts ? " cut off" : NULL, 8, fails ? "cut_off" : NULL, fails ? "cut_off" : NULL,
	         sweep_real(c->fail.cut_off, many ? 1 : 0, fails), true},
		{parts ? " lanes" : NULL, 6, fails ? "lanes_needed" : NULL, fails ? "lanes_needed" : NULL,
	         sweep_real(c->fail.lanes, many ? 1 : 0, fails), true},
	};
	memcpy(out, cells, sizeof cells);
}
