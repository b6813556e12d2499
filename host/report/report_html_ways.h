// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_REPORT_HTML_WAYS_H
#define LOOM_REPORT_HTML_WAYS_H

#include <flitloom/machine.h>
#include <flitloom/plan.h>

// The ways of a plan's messages, written short. Behind each channel stand the channels that any message takes next: first the one that
// leads on in the same direction, then the others as they come. A way begins with the channel of injection and ends with the channel of
// ejection, which follow from sender and receiver; in between it is told which of these channels it takes.

struct loom_html_ways {
	const struct loom_plan *plan;
	uint32_t *place; // owned, by channel: its place in the list of channels that exist; UINT32_MAX: it does not
	uint32_t n_places;
	struct loom_html_next {
		uint32_t n, *channel; // owned
		size_t room;
	} * next; // owned, by place
};

// LOOM_ENOMEM. Free it in any case.
int loom_html_ways_make(struct loom_html_ways *out, const struct loom_plan *plan, struct loom_err *err);
void loom_html_ways_free(struct loom_html_ways *ways); // leaves it zeroed

// Writes the members "next" (a list for each channel, by place) and "ways" (one text, a word for each message; of one that does not use
// the network "-"). A word has a sign for each step: 0 to 9, a to z, or in brackets a larger number; a capital behind it repeats it, B
// once, C twice. Where links have lanes there is "lanes": likewise, of each channel of the way its lane.
void loom_html_put_ways(FILE *stream, const struct loom_html_ways *ways);

#endif
