// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// A run whose routers choose the routes of messages, as data for the script. One object:
//
//   title, measured (a run), passes
//   groups     names of groups of channels
//   channels   of each that may carry something its number, name, group
//   rows       pass, place in `channels`, messages that the channel carries at least and at most; of a run behind these the
//              messages and flits that it carried, and the cycles in which headers waited for it
#include "report/report_html.h"

#include <inttypes.h>
#include <stdlib.h>

#include "report/report_html_text.h"

// True if a channel may carry something in a pass, or did.
static bool is_used(const struct loom_panel *panel, size_t at)
{
	return panel->plan->most[at] > 0 || (panel->trace && panel->trace->counts[at].worms > 0);
}

// Finds the places of the channels; UINT32_MAX: the channel is left out.
static void find_places(uint32_t *place, const struct loom_panel *panel, uint32_t n_channels)
{
	uint32_t n = 0;
	for (uint32_t c = 0; c < n_channels; c++) {
		bool used = false;
		for (uint32_t pass = 0; pass < panel->plan->n_passes; pass++)
			used = used || is_used(panel, (size_t)pass * n_channels + c);
		place[c] = used ? n++ : UINT32_MAX;
	}
}

static void put_names(FILE *stream, const struct loom_topo *topo, const uint32_t *place)
{
	char name[48];
	(void)fputs(",\"groups\":[", stream);
	for (unsigned g = 0; g < loom_topo_groups(topo); g++) {
		loom_topo_group_name(topo, g, name);
		(void)fputs(g ? "," : "", stream);
		loom_html_put_string(stream, name);
	}
	(void)fputs("],\"channels\":[", stream);
	for (uint32_t c = 0; c < loom_topo_channels(topo); c++) {
		if (place[c] == UINT32_MAX)
			continue;
		loom_topo_channel_name(topo, c, name);
		(void)fprintf(stream, "%s[%" PRIu32 ",", place[c] ? "," : "", c);
		loom_html_put_string(stream, name);
		(void)fprintf(stream, ",%u]", loom_topo_group_of(topo, c));
	}
	(void)fputc(']', stream);
}

static void put_rows(FILE *stream, const struct loom_panel *panel, const uint32_t *place, uint32_t n_channels)
{
	const struct loom_plan *plan = panel->plan;
	bool first = true;
	(void)fputs(",\"rows\":[", stream);
	for (uint32_t pass = 0; pass < plan->n_passes; pass++)
		for (uint32_t c = 0; c < n_channels; c++) {
			const size_t at = (size_t)pass * n_channels + c;
			if (!is_used(panel, at))
				continue;
			(void)fprintf(stream, "%s[%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32, first ? "" : ",", pass,
			              place[c], plan->load[at], plan->most[at]);
			if (panel->trace)
				(void)fprintf(stream, ",%" PRIu32 ",%" PRIu32 ",%" PRIu32,
				              panel->trace->counts[at].worms, panel->trace->counts[at].flits,
				              panel->trace->counts[at].blocked_cycles);
			(void)fputc(']', stream);
			first = false;
		}
	(void)fputc(']', stream);
}

int loom_html_put_chosen(FILE *stream, const struct loom_panel *panel, struct loom_err *err)
{
	const struct loom_topo *topo = &panel->plan->topo;
	const uint32_t n_channels = loom_topo_channels(topo);
	uint32_t *place = calloc(n_channels + 1u, sizeof *place);
	if (!place)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for %" PRIu32 " channels", n_channels);
	find_places(place, panel, n_channels);
	(void)fputs("{\"title\":", stream);
	loom_html_put_string(stream, panel->title ? panel->title : panel->plan->planner);
	(void)fprintf(stream, ",\"measured\":%s,\"passes\":%" PRIu32, panel->trace ? "true" : "false",
	              panel->plan->n_passes);
	put_names(stream, topo, place);
	put_rows(stream, panel, place, n_channels);
	(void)fputc('}', stream);
	free(place);
	return 0;
}
