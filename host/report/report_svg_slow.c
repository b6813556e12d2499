// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "report/report_svg_slow.h"

#include <math.h>

#include "report/report_svg.h"

#define LABELLED_PITCH 40
#define LABEL 8.5 // its size

static bool has_room(const struct loom_svg_delays *written, double x, double y, double width)
{
	bool has = written->n < LOOM_SVG_DELAYS_MOST;
	for (size_t i = 0; has && i < written->n; i++)
		has = fabs(written->at[i].y - y) >= LABEL ||
		      fabs(written->at[i].x - x) >= (written->at[i].width + width) / 2;
	return has;
}

void loom_svg_slow_bar(FILE *stream, const struct loom_topo *topo, uint32_t channel, const struct loom_svg_slow *at,
                       struct loom_svg_delays *written)
{
	const unsigned delay = loom_topo_link_delay(topo, channel);
	const double right_x = -at->way_y, right_y = at->way_x, half = at->half + 2;
	char text[16];
	if (delay == 0 || !loom_topo_link_delays_differ(topo))
		return;
	(void)fprintf(stream,
	              "<path class=\"slow\" fill=\"none\" stroke=\"" LOOM_REPORT_INK
	              "\" stroke-width=\"%.2g\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n",
	              fmin(2, at->pitch / 26), at->x - half * right_x, at->y - half * right_y, at->x + half * right_x,
	              at->y + half * right_y);
	if (at->pitch < LABELLED_PITCH)
		return;
	(void)snprintf(text, sizeof text, "+%u", delay);
	const double width = loom_svg_width(text, LABEL, false),
		     beside = half + 1 + fmax(fabs(right_x) * width, LABEL) / 2;
	double side = beside;
	if (!has_room(written, at->x + side * right_x, at->y + side * right_y, width))
		side = -beside;
	const double x = at->x + side * right_x, y = at->y + side * right_y;
	if (!has_room(written, x, y, width))
		return;
	written->at[written->n].x = x;
	written->at[written->n].y = y;
	written->at[written->n++].width = width;
	loom_svg_text(stream, x, y + 0.36 * LABEL, LABEL, 3 * LABEL,
	              "fill=\"" LOOM_SVG_GREY "\" stroke=\"#fff\" stroke-width=\"2\" paint-order=\"stroke\" "
	              "text-anchor=\"middle\"",
	              text);
}

void loom_svg_slow_title(FILE *stream, const struct loom_topo *topo, uint32_t channel)
{
	const unsigned delay = loom_topo_link_delay(topo, channel);
	if (delay > 0)
		(void)fprintf(stream, ", delay %u", delay);
}

bool loom_svg_slow_legend(char out[LOOM_SVG_SLOW_TEXT], const struct loom_topo *topo)
{
	char delays[LOOM_SLOW_TEXT];
	out[0] = '\0';
	if (!loom_topo_slow_text(delays, topo))
		return false;
	(void)snprintf(out, LOOM_SVG_SLOW_TEXT,
	               loom_topo_link_delays_differ(topo)
	                       ? "A bar across a link: flits are longer under way there, by %s."
	                       : "Flits are longer under way on each link, by %s.",
	               delays);
	return true;
}
