// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Works out what there is to draw of a pass: the load of every wire, and whose path it is.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/report_svg_min.h"

uint32_t loom_svg_channel_of(const struct loom_svg_stages_drawing *d, unsigned k, uint32_t line)
{
	const struct loom_topo *topo = &d->panel->plan->topo;
	uint32_t m = d->net.m, per_tile = loom_topo_channels_per_tile(topo);
	if (k == 0)
		return line * per_tile + m;
	return k < m ? line * per_tile + k - 1 : loom_min_wire(&d->net, m, line) * per_tile + m - 1;
}

static void claim(uint32_t *whose, uint32_t source)
{
	*whose = *whose == NOBODY || *whose == source ? source : SEVERAL;
}

static void trace_message(struct loom_svg_stages_drawing *d, const struct loom_plan_message *m)
{
	const struct loom_plan *plan = d->panel->plan;
	uint32_t path[LOOM_MIN_M_MAX], source = plan->map[m->source];
	uint32_t at = source; // line at which the wire begins
	loom_min_path(path, &d->net, source, plan->map[m->destination]);
	for (unsigned s = 0; s < d->net.m; s++) {
		claim(&d->source[s * d->n + at], source);
		uint32_t in = loom_min_wire(&d->net, s, at);
		claim(&d->through[(s * d->n + in) * 2 + (path[s] & 1)], source);
		at = path[s];
	}
	claim(&d->source[d->net.m * d->n + at], source);
}

int loom_svg_stages_fill(struct loom_svg_stages_drawing *d, const struct loom_panel *panel, uint32_t pass)
{
	const struct loom_plan *plan = panel->plan;
	size_t n_wires;
	enum loom_rule rule = LOOM_RULE_ASCENDING;
	bool any = false;
	d->panel = panel;
	d->pass = pass;
	for (size_t i = 0; i < plan->n_messages; i++) {
		if (plan->messages[i].pass != pass)
			continue;
		rule = any ? rule : (enum loom_rule)plan->messages[i].rule;
		any = true;
	}
	(void)loom_topo_min(&d->net, &plan->topo, rule);
	d->backward = plan->topo.kind->two_directions && rule == LOOM_RULE_ASCENDING;
	d->n = plan->topo.n_nodes;
	n_wires = (size_t)d->n * (d->net.m + 1);
	d->load = calloc(n_wires, sizeof *d->load);
	d->source = malloc(n_wires * sizeof *d->source);
	d->through = malloc(2 * n_wires * sizeof *d->through);
	if (!d->load || !d->source || !d->through || loom_svg_tasks(&d->task, plan) != 0 ||
	    loom_svg_waits_make(&d->waits, panel) != 0)
		return LOOM_ENOMEM;
	memset(d->source, 0xff, n_wires * sizeof *d->source);
	memset(d->through, 0xff, 2 * n_wires * sizeof *d->through);
	for (size_t i = 0; i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		if (m->pass != pass)
			continue;
		if (plan->topo.kind->two_directions && m->rule != rule)
			d->n_other_way++;
		else
			trace_message(d, m);
	}
	for (unsigned k = 0; k <= d->net.m; k++)
		for (uint32_t line = 0; line < d->n; line++) {
			uint32_t load = loom_svg_load(panel, pass, loom_svg_channel_of(d, k, line));
			d->load[k * d->n + line] = load;
			if (k > 0 && k < d->net.m && load > d->contention)
				d->contention = load;
		}
	d->pitch = d->n <= 8           ? 34
	           : d->n <= 16        ? 26
	           : d->n <= 32        ? 18
	           : d->n <= NAMED_MAX ? 13
	                               : fmax(1000.0 / d->n, 1.4);
	d->box = d->n <= NAMED_MAX ? 36 : 22;
	d->gap = fmin(fmax(d->n * d->pitch * 0.22, 74), d->n <= NAMED_MAX ? 180 : 150);
	d->room = NODE_ROOM + (d->task ? TASK_ROOM : 0);
	d->width = 2 * d->room + d->net.m * d->box + (d->net.m + 1) * d->gap;
	d->width = d->width < 420 ? 420 : d->width; // a heading needs room
	d->height = LOOM_SVG_HEADING + STAGE_HEADING + d->n * d->pitch + STAGE_FOOT;
	return 0;
}

void loom_svg_stages_free(struct loom_svg_stages_drawing *d)
{
	free(d->task);
	free(d->load);
	free(d->source);
	free(d->through);
	loom_svg_waits_free(&d->waits);
}
