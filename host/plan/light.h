// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_LIGHT_H
#define LOOM_LIGHT_H

#include <flitloom/plan.h>

// The optical and the slow links on the way of a message, and the cycles that it takes over them if no other message
// is in its way. All predictions of cycles use these functions. A way has links of only one of the two sorts.
//
// An optical link of latency l and ratio w delays what crosses it by l + w - 1 cycles more than an electronic one, and
// takes a flit every w cycles. So a message of F flits, with h hops, o of them optical, arrives with its header in
// cycle h + 2 + o (l + w - 1) after it was offered in cycle 1, and with one flit every w cycles from there on, if o is
// not 0.
struct loom_light {
	uint32_t hops; // such links on the way
	// the number of the first one among the channels of the way, from 0; they have as many channels: none
	uint32_t first;
	uint64_t delay; // cycles by which its header arrives later than over the same number of electronic links
	uint32_t pace;  // cycles from one flit to the next as they arrive: the ratio, or 1
	// slow links: cycles in which they carry `buffers` flits of a message, or as many (mixed: any but 0); else 0
	uint32_t turn;
	uint32_t buffers;              // flits in each buffer of a router
	const struct loom_plan *mixed; // if the links on the way may differ: the plan of the message; else NULL
	size_t message;
	uint64_t room; // flits that these links hold, of one message, beyond those in the buffers of routers
};
// A slow link of delay d behind a router of delay r has two effects: a flit takes d + r cycles more, and the near end
// learns d cycles later that a flit has left the buffer at the far end. So flit k + B is sent 2 d + r + 2 cycles after
// flit k, or later, where B is the size of the buffer. If routers choose among links whose delays differ, this is the
// fastest way that they may choose; the message may take longer.
struct loom_light loom_plan_light(const struct loom_plan *plan, size_t i);

// True if a message may take more than a cycle for each hop and for each further flit: there are slow links, or
// optical ones that differ from wires.
bool loom_light_matters(const struct loom_topo *topo);
// Returns the number of cycles by which what crosses the channel reaches its far end later than over a usual one.
uint32_t loom_light_late(const struct loom_topo *topo, uint32_t channel);

// Returns the cycles from the header to the tail as they cross channel number `place` of the way, for a message of
// `flits` flits. In front of an optical link flits accumulate until its buffers are full; the rest follows at the pace
// of the link.
uint64_t loom_light_length(const struct loom_light *light, uint32_t flits, uint32_t place);

#endif
