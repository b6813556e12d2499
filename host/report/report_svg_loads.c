// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "report/report_svg_loads.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/report_svg.h"
#include "report/report_text.h"

bool loom_svg_in_flits(const struct loom_panel *panels, size_t n_panels)
{
	for (size_t i = 0; i < n_panels; i++)
		if (panels[i].plan->lower_bound_flits != 0)
			return true;
	return false;
}

static uint32_t *loads_in_flits(const struct loom_panel *panel)
{
	uint32_t n_channels = loom_topo_channels(&panel->plan->topo), *loads = calloc(n_channels, sizeof *loads);
	uint64_t *predicted = NULL;
	if (!loads || (!panel->trace && loom_plan_flits(&predicted, panel->plan, NULL) != 0)) {
		free(loads);
		return NULL;
	}
	for (uint32_t pass = 0; pass < panel->plan->n_passes; pass++)
		for (uint32_t c = 0; c < n_channels && (!panel->pass || *panel->pass == pass); c++) {
			size_t at = (size_t)pass * n_channels + c;
			uint64_t flits = panel->trace ? panel->trace->counts[at].flits : predicted[at];
			flits = flits < UINT32_MAX ? flits : UINT32_MAX;
			loads[c] = flits > loads[c] ? (uint32_t)flits : loads[c];
		}
	free(predicted);
	return loads;
}

uint32_t *loom_svg_loads(const struct loom_panel *panel, bool in_flits)
{
	if (in_flits)
		return loads_in_flits(panel);
	uint32_t n_channels = loom_topo_channels(&panel->plan->topo), *loads = calloc(n_channels, sizeof *loads);
	for (uint32_t pass = 0; loads && pass < panel->plan->n_passes; pass++)
		for (uint32_t c = 0; c < n_channels && (!panel->pass || *panel->pass == pass); c++) {
			uint32_t load = loom_svg_load(panel, pass, c);
			loads[c] = load > loads[c] ? load : loads[c];
		}
	return loads;
}

static int fill_set(struct loom_svg_set *set, const struct loom_topo *topo, unsigned group, const uint32_t *loads)
{
	uint32_t n_channels = loom_topo_channels(topo);
	loom_topo_group_name(topo, group, set->name);
	set->channels = malloc(n_channels * sizeof *set->channels);
	if (!set->channels)
		return LOOM_ENOMEM;
	for (uint32_t c = 0; c < n_channels; c++) {
		if (!loom_topo_channel_exists(topo, c) || loom_topo_group_of(topo, c) != group)
			continue;
		set->channels[set->n++] = c;
		set->max = loads[c] > set->max ? loads[c] : set->max;
	}
	return 0;
}

int loom_svg_sets(struct loom_svg_set **out, uint32_t *n_sets, const struct loom_topo *topo, const uint32_t *loads)
{
	unsigned n_groups = loom_topo_groups(topo);
	int rc = 0;
	*n_sets = 0;
	*out = calloc(n_groups, sizeof **out);
	if (!*out)
		return LOOM_ENOMEM;
	for (unsigned g = 0; rc == 0 && g < n_groups; g++)
		if (!loom_report_group_is_local(topo, g))
			rc = fill_set(&(*out)[(*n_sets)++], topo, g, loads);
	return rc;
}

void loom_svg_sets_free(struct loom_svg_set *sets, uint32_t n_sets)
{
	for (uint32_t i = 0; i < n_sets; i++)
		free(sets[i].channels);
	free(sets);
}

bool loom_svg_next_load(uint32_t *load, const struct loom_svg_set *set, const uint32_t *loads, bool first)
{
	bool found = false;
	uint32_t least = UINT32_MAX, before = *load;
	for (uint32_t i = 0; i < set->n; i++) {
		uint32_t here = loads[set->channels[i]];
		if ((first || here > before) && here <= least) {
			least = here;
			found = true;
		}
	}
	*load = least;
	return found;
}

void loom_svg_bar(FILE *stream, const struct loom_svg_set *set, const uint32_t *loads, uint32_t max, double x, double y,
                  double width)
{
	uint32_t load = 0;
	for (bool more = loom_svg_next_load(&load, set, loads, true); more;
	     more = loom_svg_next_load(&load, set, loads, false)) {
		uint32_t n = 0;
		char colour[8];
		for (uint32_t i = 0; i < set->n; i++)
			n += loads[set->channels[i]] == load;
		double share = n * width / set->n;
		loom_report_colour(colour, load, max);
		(void)fprintf(stream,
		              "<rect x=\"%.2f\" y=\"%g\" width=\"%.2f\" height=\"%d\" fill=\"%s\"><title>load %" PRIu32
		              ": %" PRIu32 " of %" PRIu32 " channels</title></rect>\n",
		              x, y, share, LOOM_SVG_BAR, colour, load, n, set->n);
		x += share;
	}
}

// --- The legend ----------------------------------------------------------------------------------------------------

void loom_svg_legend_add(struct loom_svg_legend *legend, const struct loom_svg_set *set, const uint32_t *loads)
{
	uint32_t load = 0;
	for (bool more = loom_svg_next_load(&load, set, loads, true); more && !legend->too_many;
	     more = loom_svg_next_load(&load, set, loads, false)) {
		unsigned at = 0;
		while (at < legend->n && legend->loads[at] < load)
			at++;
		if (at < legend->n && legend->loads[at] == load)
			continue;
		legend->too_many = legend->n == LOOM_SVG_LEGEND_MAX;
		if (legend->too_many)
			break;
		memmove(legend->loads + at + 1, legend->loads + at, (legend->n - at) * sizeof *legend->loads);
		legend->loads[at] = load;
		legend->n++;
	}
}

static void take_steps(struct loom_svg_legend *legend, uint32_t max)
{
	legend->n = 0;
	legend->loads[legend->n++] = 0;
	for (unsigned step = 0; step < LOOM_SVG_LEGEND_MAX - 1; step++) {
		uint32_t load = (uint32_t)round(pow(max, step / (LOOM_SVG_LEGEND_MAX - 2.0)));
		if (load > legend->loads[legend->n - 1])
			legend->loads[legend->n++] = load;
	}
}

void loom_svg_legend_put(FILE *stream, struct loom_svg_legend *legend, uint32_t max, bool in_flits, double x, double y)
{
	if (legend->too_many)
		take_steps(legend, max);
	loom_svg_text(stream, x, y + 13, 12, 400, "fill=\"" LOOM_REPORT_INK "\"",
	              in_flits ? "flits on one channel in one pass" : "messages on one channel in one pass");
	y += LOOM_SVG_LEGEND_LINE;
	for (unsigned i = 0; i < legend->n; i++) {
		char colour[8], text[16];
		loom_report_colour(colour, legend->loads[i], max);
		(void)snprintf(text, sizeof text, "%" PRIu32, legend->loads[i]);
		(void)fprintf(stream, "<rect x=\"%g\" y=\"%g\" width=\"16\" height=\"16\" rx=\"2\" fill=\"%s\"/>\n", x,
		              y, colour);
		loom_svg_text(stream, x + 21, y + 13, 12, 100, "fill=\"" LOOM_REPORT_INK "\"", text);
		x += 36 + loom_svg_width(text, 12, false);
	}
}
