// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_OPEN_FABRIC_H
#define LOOM_OPEN_FABRIC_H

#include <stdbool.h>
#include <stdint.h>

#include <flitloom/api.h>
#include <flitloom/err.h>
#include <flitloom/link.h>
#include <flitloom/topo.h>

LOOM_API_BEGIN

// A simulated fabric whose nodes are the caller's: rtl/chip/fabric_open.sv, verilated, run clock by clock. Each node
// has a port into the network and one out of it. The ports carry frames: beats of loom_open_fabric_data_bits bits,
// the last one marked.
//
//   struct loom_open_port port[16] = {0};
//   loom_open_fabric_open(&f, "cube:4", NULL, &err);
//   port[3].in = (struct loom_open_beat){.data = 42, .node = 12, .last = true};
//   port[3].offer = true;
//   port[12].accept = true;
//   while (loom_open_fabric_cycle(f, port, &err) == 0 && !port[12].got)
//           if (port[3].taken)
//                   port[3].offer = false;
//
// In the network a frame of n beats is a message of n + 1 flits, because a header precedes it. The frames from one
// node to one other arrive in the order in which they were sent, and no beat of another frame comes between the beats
// of one. Frames that wait for each other can lock if the routes allow it (docs/deadlock.md), or if a node accepts
// nothing until its own frame has been taken.
struct loom_open_fabric;

// A beat of a frame.
struct loom_open_beat {
	uint64_t data;
	// Into the network: the destination, which the first beat of a frame decides. Out of it: the source, the
	// same in each beat of a frame. Nodes are numbered as in struct loom_topo; these are not labels.
	uint32_t node;
	bool last; // the last beat of its frame
};

// The port of one node. Before a cycle the caller sets, and a cycle leaves alone:
//   offer, in   a beat for the network. Once offered it stays as it is until it is taken
//   accept      the node takes a beat in this cycle if there is one
// The cycle sets:
//   taken       `in` has gone into the network; if offer stays true, the next cycle offers `in` as another beat
//   got, out    the node has taken the beat `out`. A beat can be there in every cycle
//   waits       there is a beat, which was not accepted; it will be there in the next cycle
struct loom_open_port {
	bool offer;
	struct loom_open_beat in;
	bool accept;
	bool taken, got, waits;
	struct loom_open_beat out;
};

// Opens a fabric whose nodes are the caller's.
// `options` may be NULL; trace_file, trace_from, trace_cycles, coverage and progress are as for the link sim, cycles of
// a waveform counted as loom_open_fabric_now does. `fabric`: "cube:4"; NULL: options->topo. Routers that work from
// tables get theirs here, those of rule 0. LOOM_EINPUT: there is no such fabric, or no RTL for it. LOOM_ELINK,
// LOOM_EFILE: there is no model, and none can be built. Close with loom_open_fabric_close.
int loom_open_fabric_open(struct loom_open_fabric **out, const char *fabric, const struct loom_link_options *options,
                          struct loom_err *err);
void loom_open_fabric_close(struct loom_open_fabric *f); // NULL allowed

// Runs one clock cycle. `ports` has one port for each node. After LOOM_EINPUT the cycle has not happened, and ports
// and requests are as before. After LOOM_EHARDWARE and LOOM_ETIMEOUT it has happened: all ports are set as by any
// cycle, and the next cycle can follow. After LOOM_ETIMEOUT all pending requests are forgotten: their `done` stays
// false, their memory may be used again, and new requests can be made. If a cycle has both failures, it returns
// LOOM_EHARDWARE. LOOM_EINPUT: a frame to a node that does not exist, data wider than a beat, or an offer that was
// taken back or changed. LOOM_EHARDWARE: a beat has come whose header names no node as its source; its port has
// UINT32_MAX in `out.node`, and data and last as they came. LOOM_ETIMEOUT: a word of loom_open_fabric_request was not
// answered.
int loom_open_fabric_cycle(struct loom_open_fabric *f, struct loom_open_port *ports, struct loom_err *err);

// Returns the link to the register port (flitloom/link/regmap.h): the channels' counters, CONTROL.RESET, the tables
// of routers. While the link transfers and runs, clock cycles pass in which nodes accept nothing. A beat that had
// been offered may go into the network in them; the next loom_open_fabric_cycle then reports that it was taken. The
// link is the fabric's: loom_link_close does nothing. CONTROL.RESET discards everything under way, including
// unfinished frames and offered beats: after it nodes begin their frames anew.
struct loom_link *loom_open_fabric_link(struct loom_open_fabric *f);

// A word of the register port, read or written while the nodes go on. It is transferred in the cycle that follows
// loom_open_fabric_request. The request is the caller's, and must stay in place until that cycle or a later one sets
// `done`. Each cycle can take one more request; they are answered in order.
struct loom_open_request {
	uint32_t address;
	uint32_t data; // the word to write, or the word read
	bool write;
	bool done;
};
// Requests a word of the register port. LOOM_EINPUT: another request already waits for the next cycle.
int loom_open_fabric_request(struct loom_open_fabric *f, struct loom_open_request *request, struct loom_err *err);

// Returns the cycles since the fabric was opened, those of the link included: the number of the last one.
uint64_t loom_open_fabric_now(const struct loom_open_fabric *f);
unsigned loom_open_fabric_nodes(const struct loom_open_fabric *f);
unsigned loom_open_fabric_data_bits(const struct loom_open_fabric *f); // bits of a beat, which are those of a flit
const struct loom_topo *loom_open_fabric_topo(const struct loom_open_fabric *f);
// True if flits are under way, between the offer of a header and the end of the last tail.
bool loom_open_fabric_busy(struct loom_open_fabric *f);

LOOM_API_END

#endif
