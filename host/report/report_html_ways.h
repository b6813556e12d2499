// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_REPORT_HTML_WAYS_H
#define LOOM_REPORT_HTML_WAYS_H

#include <flitloom/machine.h>
#include <flitloom/plan.h>

// A short form of the routes of a plan's messages. Each channel has a list of the channels that any message takes
// after it: first the one that continues in the same direction, then the others in the order in which they occur. A
// route begins with the injection channel and ends with the ejection channel, which follow from sender and receiver.
// Between them each step is an index in the list of the channel before it.

struct loom_html_ways {
	const struct loom_plan *plan;
	uint32_t *place; // owned, by channel: its index among the channels that exist; UINT32_MAX: it does not exist
	uint32_t n_places;
	struct loom_html_next {
		uint32_t n, *channel; // owned
		size_t room;
	} * next; // owned, by place
};

// LOOM_ENOMEM. Free it in any case.
int loom_html_ways_make(struct loom_html_ways *out, const struct loom_plan *plan, struct loom_err *err);
void loom_html_ways_free(struct loom_html_ways *ways); // leaves it zeroed

// Writes the members "next" (a list for each channel, by place) and "ways" (one text, with a word for each message;
// "-" for a message that does not use the network). A word has a sign for each step: 0 to 9, a to z, or a larger
// number in brackets. A capital behind a sign repeats it, B once, C twice. If links have lanes, there is also
// "lanes", in the same form: the lane of each channel of the route.
void loom_html_put_ways(FILE *stream, const struct loom_html_ways *ways);

#endif
