// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "report/report_chart.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/numbers.h"
#include "check/offered.h"
#include "plan/back_to_back_internal.h"
#include "plan/light.h"
#include "report/report_delays.h"
#include "report/report_svg.h"

#define NO_ROW UINT32_MAX

static bool shows(const struct loom_chart *chart, uint32_t pass)
{
	return pass >= chart->first_pass && pass - chart->first_pass < chart->n_passes;
}

// --- Time ----------------------------------------------------------------------------------------------------------

static int find_cycles(struct loom_chart *chart, const char *path, struct loom_err *err)
{
	const struct loom_plan *plan = chart->panel->plan;
	const struct loom_trace *trace = chart->panel->trace;
	if (trace && plan->timing)
		return loom_svg_programs_end(&chart->cycles[0], chart->panel, err);
	for (size_t i = 0; trace && i < trace->n_arrivals; i++) {
		const struct loom_arrival *a = &trace->arrivals[i];
		if (!shows(chart, a->pass))
			continue;
		uint64_t *cycles = &chart->cycles[a->pass - chart->first_pass];
		*cycles = a->last_cycle > *cycles ? a->last_cycle : *cycles;
	}
	for (uint32_t k = 0; !trace && k < chart->n_passes; k++) {
		chart->cycles[k] = plan->cycles[chart->first_pass + k];
		if (chart->cycles[k] == LOOM_CYCLES_UNKNOWN)
			return loom_fail(
				err, LOOM_EINPUT,
				"%.200s: no chart can be predicted: messages of pass %" PRIu32
				" wait for each other, and only a run tells when each of them goes on (flitloom run)",
				path, chart->first_pass + k);
	}
	return 0;
}

// Sets the axis of a free run. Its passes overlap, so there is one axis, from the first cycle shown.
static void lay_out_free_run(struct loom_chart *chart)
{
	uint64_t first = UINT64_MAX, last = 0;
	for (size_t i = 0; i < chart->n_bars; i++) {
		first = chart->bars[i].first < first ? chart->bars[i].first : first;
		last = chart->bars[i].last > last ? chart->bars[i].last : last;
	}
	first = last ? first : 1;
	for (uint32_t k = 0; k < chart->n_passes; k++) {
		chart->began[k] = 1 - (double)first;
		chart->cycles[k] = 0;
	}
	chart->length = (double)last + 1 - (double)first;
}

static void lay_out_passes(struct loom_chart *chart)
{
	double at = chart->axis == LOOM_CHART_ONE_START ? LOOM_READY_CYCLES : 0, sum = 0;
	for (uint32_t k = 0; k < chart->n_passes; k++)
		sum += (double)chart->cycles[k];
	double gap = fmax(sum / 50, 2);
	for (uint32_t k = 0; k < chart->n_passes; k++) {
		double cycles = (double)chart->cycles[k];
		chart->began[k] = at;
		chart->length = at + cycles;
		at += chart->axis == LOOM_CHART_ONE_START ? (double)loom_back_to_back_step(chart->cycles[k])
		                                          : cycles + gap;
	}
	chart->length = fmax(chart->length, 1);
}

// --- Channels ------------------------------------------------------------------------------------------------------

struct candidate {
	uint32_t channel;
	uint64_t n_bars;
};

static int busiest_first(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;
	const int by = loom_order(y->n_bars, x->n_bars);
	return by ? by : loom_order(x->channel, y->channel);
}

// Orders groups as messages pass them: injection, whose group is the last but one, then the network, then ejection.
static unsigned place_of(const struct loom_topo *topo, unsigned group)
{
	return group + 2 == loom_topo_groups(topo) ? 0 : group + 1;
}

// Behind the rows of the nodes.
static void sort_rows(struct loom_chart *chart, const uint32_t *row_of, uint32_t n_channels)
{
	const struct loom_topo *topo = &chart->panel->plan->topo;
	chart->n_rows = chart->n_nodes;
	for (unsigned place = 0; place <= loom_topo_groups(topo); place++)
		for (uint32_t c = 0; c < n_channels; c++) {
			if (row_of[c] == NO_ROW)
				continue;
			unsigned group = loom_topo_group_of(topo, c);
			if (place_of(topo, group) == place)
				chart->rows[chart->n_rows++] = (struct loom_chart_row){c, group};
		}
}

// Chooses the busiest channels, as many as there is room for. row_of[channel] becomes its row or NO_ROW, *n_bars the
// number of bars in these rows.
static int choose_rows(struct loom_chart *chart, uint32_t *row_of, uint64_t *n_bars)
{
	const struct loom_plan *plan = chart->panel->plan;
	uint32_t n_channels = loom_topo_channels(&plan->topo);
	struct candidate *all = calloc(n_channels, sizeof *all);
	if (!all)
		return LOOM_ENOMEM;
	for (uint32_t c = 0; c < n_channels; c++) {
		all[c].channel = c;
		row_of[c] = NO_ROW;
	}
	for (uint32_t k = 0; k < chart->n_passes; k++)
		for (uint32_t c = 0; c < n_channels; c++) {
			uint32_t pass = chart->first_pass + k, load = loom_svg_load(chart->panel, pass, c);
			all[c].n_bars += plan->load[(size_t)pass * n_channels + c];
			if (!loom_topo_is_local(&plan->topo, c) && load > chart->contention)
				chart->contention = load;
		}
	qsort(all, n_channels, sizeof *all, busiest_first);
	*n_bars = 0;
	while (chart->n_used < n_channels && all[chart->n_used].n_bars > 0)
		chart->n_used++;
	uint32_t n = 0;
	for (; n < chart->n_used && n < LOOM_CHART_ROWS; n++) {
		if (n > 0 && *n_bars + all[n].n_bars > LOOM_CHART_BARS)
			break;
		*n_bars += all[n].n_bars;
		row_of[all[n].channel] = 0;
	}
	free(all);
	chart->rows = calloc((size_t)chart->n_nodes + n + 1, sizeof *chart->rows);
	if (!chart->rows)
		return LOOM_ENOMEM;
	sort_rows(chart, row_of, n_channels);
	for (uint32_t row = chart->n_nodes; row < chart->n_rows; row++)
		row_of[chart->rows[row].channel] = row;
	return 0;
}

// --- Bars ----------------------------------------------------------------------------------------------------------

// A route over `hops` links, and one of its channels.
struct way {
	unsigned hops, channel; // channel: its index in the route
	uint64_t before, whole; // cycles from the offer until a header crosses it, and until the end of the route
	struct loom_light light;
};

static struct loom_chart_bar bar_of(const struct loom_plan_message *m, const struct loom_fate *fate,
                                    const struct way *w)
{
	uint64_t tail = loom_light_length(&w->light, m->flits, w->channel), offered = fate->earliest;
	uint64_t last_tail = loom_light_length(&w->light, m->flits, w->hops + 1);
	const struct loom_arrival *a = fate->arrival;
	bool known = offered != 0 && offered == fate->latest;
	struct loom_chart_bar bar = {.first = offered + w->before, .last = offered + w->before + tail, .exact = true};
	if (!a) // predicted: no message waits
		return bar;
	if (w->channel == w->hops + 1)
		return (struct loom_chart_bar){.first = a->first_cycle, .last = a->last_cycle, .exact = true};
	if (known && a->first_cycle == offered + w->whole && a->last_cycle == a->first_cycle + last_tail)
		return bar;
	bar = (struct loom_chart_bar){.first = (offered ? offered : 1) + w->before,
	                              .last = a->last_cycle - (w->whole - w->before)};
	bar.last = bar.last < bar.first ? bar.first : bar.last; // sooner than any network of flitloom's
	return bar;
}

static bool arrived_as_planned(const struct loom_plan *plan, const struct loom_plan_message *m,
                               const struct loom_fate *fate, const struct way *w)
{
	const struct loom_arrival *a = fate->arrival;
	return a && fate->n_arrived == 1 && a->node == plan->map[m->destination] && a->flits == m->flits &&
	       a->first_cycle > w->whole;
}

// Adds the bars of messages. `room`: the number of bars that fit, which is enough unless the plan's loads are not
// those of its messages.
static void add_bars(struct loom_chart *chart, const uint32_t *row_of, uint64_t room, size_t message,
                     const struct loom_fate *fate)
{
	const struct loom_plan *plan = chart->panel->plan;
	const struct loom_plan_message *m = &plan->messages[message];
	uint32_t channel;
	struct way way = {.hops = loom_plan_route_length(plan, message) - 2, .light = loom_plan_light(plan, message)};
	struct loom_route route;
	way.whole = way.hops + 1 + way.light.delay;
	if (chart->panel->trace && !arrived_as_planned(plan, m, fate, &way)) {
		chart->n_lost++;
		return;
	}
	loom_plan_route_begin(&route, plan, message);
	for (; loom_route_next(&route, &channel);
	     way.channel++, way.before += 1 + loom_light_late(&plan->topo, channel)) {
		if (row_of[channel] == NO_ROW || chart->n_bars == room)
			continue;
		struct loom_chart_bar *bar = &chart->bars[chart->n_bars++];
		*bar = bar_of(m, fate, &way);
		bar->message = message;
		bar->row = row_of[channel];
	}
}

// --- Computations --------------------------------------------------------------------------------------------------

// Delays of the programs: counted, or added as bars.
struct delays {
	struct loom_chart *chart;
	uint64_t n_bars;
	uint32_t n_nodes, processor; // nodes so far; the processor of the last delay
	bool adds;
};

static void take_delay(void *user, const struct loom_delay *delay)
{
	struct delays *d = user;
	struct loom_chart *chart = d->chart;
	d->n_nodes += d->n_bars == 0 || delay->processor != d->processor;
	d->processor = delay->processor;
	d->n_bars++;
	if (!d->adds || d->n_nodes > chart->n_nodes)
		return;
	chart->bars[chart->n_bars++] = (struct loom_chart_bar){.message = LOOM_CHART_COMPUTES,
	                                                       .row = d->n_nodes - 1,
	                                                       .first = delay->first,
	                                                       .last = delay->last,
	                                                       .exact = true};
	chart->rows[d->n_nodes - 1] = (struct loom_chart_row){delay->node, LOOM_CHART_NODES};
}

// Counts the bars of computations, and their rows; or with `adds` adds the bars.
static int take_delays(uint64_t *n_bars, struct loom_chart *chart, bool adds, struct loom_err *err)
{
	struct delays d = {.chart = chart, .adds = adds};
	const int rc = loom_report_delays(chart->panel, take_delay, &d, err);
	*n_bars = d.n_bars;
	chart->n_computing = d.n_nodes;
	return rc;
}

static int fill_bars(struct loom_chart *chart, const uint32_t *row_of, uint64_t n_bars, uint64_t n_delays,
                     struct loom_err *err)
{
	const struct loom_plan *plan = chart->panel->plan;
	struct loom_fate *fates = NULL;
	int rc = chart->panel->trace ? loom_offered_make(&fates, plan, chart->panel->trace, err) : 0;
	chart->bars = calloc(n_bars + n_delays + 1, sizeof *chart->bars);
	if (rc == 0 && !chart->bars)
		rc = loom_fail(err, LOOM_ENOMEM, "out of memory for a chart of %" PRIu64 " bars", n_bars);
	for (size_t i = 0; rc == 0 && i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		if (!shows(chart, m->pass) || !loom_plan_uses_network(plan, m))
			continue;
		uint64_t offered = 1 + (plan->free_running ? (uint64_t)m->pass * m->flits : 0);
		const struct loom_fate predicted = {.earliest = offered, .latest = offered};
		add_bars(chart, row_of, n_bars, i, fates ? &fates[i] : &predicted);
	}
	free(fates);
	return rc == 0 ? take_delays(&n_delays, chart, true, err) : rc;
}

// --- The whole -----------------------------------------------------------------------------------------------------

static enum loom_chart_axis axis_of(const struct loom_panel *panel)
{
	if (panel->plan->free_running)
		return LOOM_CHART_FREE_RUN;
	bool one_start = panel->trace ? panel->trace->back_to_back != NULL : loom_back_to_back_possible(panel->plan);
	return one_start && !panel->pass ? LOOM_CHART_ONE_START : LOOM_CHART_EACH;
}

int loom_chart_make(struct loom_chart *out, const struct loom_panel *panel, const char *path, struct loom_err *err)
{
	const struct loom_plan *plan = panel->plan;
	struct loom_chart chart = {.panel = panel,
	                           .axis = axis_of(panel),
	                           .first_pass = panel->pass ? *panel->pass : 0,
	                           .n_passes = panel->pass ? 1 : plan->n_passes};
	uint64_t n_bars = 0, n_delays = 0;
	uint32_t *row_of = calloc(loom_topo_channels(&plan->topo), sizeof *row_of);
	chart.began = calloc(chart.n_passes, sizeof *chart.began);
	chart.cycles = calloc(chart.n_passes, sizeof *chart.cycles);
	int rc = row_of && chart.began && chart.cycles ? 0 : LOOM_ENOMEM;
	if (rc != 0)
		(void)loom_fail(err, rc, "out of memory for a chart of %" PRIu32 " passes", chart.n_passes);
	if (rc == 0)
		rc = take_delays(&n_delays, &chart, false, err);
	chart.n_nodes = n_delays > LOOM_CHART_BARS            ? 0
	                : chart.n_computing < LOOM_CHART_ROWS ? chart.n_computing
	                                                      : LOOM_CHART_ROWS;
	if (rc == 0 && (rc = choose_rows(&chart, row_of, &n_bars)) != 0)
		(void)loom_fail(err, rc, "out of memory for a chart of %" PRIu32 " passes", chart.n_passes);
	if (rc == 0)
		rc = find_cycles(&chart, path, err);
	if (rc == 0)
		rc = fill_bars(&chart, row_of, n_bars, n_delays, err);
	free(row_of);
	if (rc != 0) {
		loom_chart_free(&chart);
		return rc;
	}
	for (uint32_t k = 0; rc == 0 && k < chart.n_passes; k++)
		chart.cycles_alone = plan->free_running && chart.cycles[k] < chart.cycles_alone ? chart.cycles_alone
		                     : plan->free_running                                       ? chart.cycles[k]
		                                          : chart.cycles_alone + chart.cycles[k];
	if (chart.axis == LOOM_CHART_FREE_RUN)
		lay_out_free_run(&chart);
	else
		lay_out_passes(&chart);
	*out = chart;
	return 0;
}

void loom_chart_free(struct loom_chart *chart)
{
	free(chart->began);
	free(chart->cycles);
	free(chart->rows);
	free(chart->bars);
	*chart = (struct loom_chart){0};
}
