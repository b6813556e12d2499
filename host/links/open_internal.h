// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_OPEN_INTERNAL_H
#define LOOM_OPEN_INTERNAL_H

#include <flitloom/link/open_fabric.h>

#include "links/sim_port.h"
#include "links/verilated.h"

#define LOOM_OPEN_NO_NODE UINT32_MAX
#define LOOM_OPEN_WORD 32u                               // nodes in a word that goes to the model
#define LOOM_OPEN_RESET_CYCLES 8u                        // cycles after which CONTROL.RESET is over
#define LOOM_OPEN_REQUESTS (LOOM_SIM_ANSWER_CYCLES + 1u) // requests that can be under way

// The port of a node into the network.
struct loom_open_entry {
	struct loom_open_beat beat; // the beat offered last
	bool stands;                // it waits to be taken
	bool shown;                 // the model has it as an offer
	bool slipped;               // it was taken while the link ran the clock; the caller does not know yet
	bool inside;                // the first beat of a frame has gone, and not its last
	uint32_t label;             // the label of the frame's destination
};

// Requests of register words under way, in order.
struct loom_open_requests {
	struct loom_open_request *ask;                       // enters with the next cycle, or NULL
	struct loom_open_request *under[LOOM_OPEN_REQUESTS]; // a ring
	unsigned first, n, idle;                             // idle: cycles since the last answer
};

struct loom_open_fabric {
	struct loom_verilated model;
	struct loom_sim_port port;
	void (*offer)(unsigned node, unsigned long long data, unsigned char last, unsigned label);
	void (*withdraw)(unsigned node);
	void (*accept)(unsigned word, unsigned nodes);
	void (*hands)(unsigned word, unsigned *room, unsigned *beats);
	int (*beat)(unsigned node, unsigned long long *data, unsigned *label);
	int (*busy)(void);
	void (*begin)(void);
	struct loom_topo topo;
	struct loom_link link;
	struct loom_open_requests requests;
	unsigned data_bits;
	unsigned held; // cycles for which nodes do nothing, because the fabric is being reset
	uint64_t now;
	struct loom_open_entry *entry; // by node
	uint32_t *accepts;             // as in the model, by words of nodes
	uint32_t *node_of;             // by label; LOOM_OPEN_NO_NODE
};

// Runs a clock cycle. ports NULL: the nodes do nothing, and their offers stay.
int loom_open_cycle(struct loom_open_fabric *f, struct loom_open_port *ports, struct loom_err *err);
// These two serve register words while the clock runs: a request enters with the next cycle, an answer comes with the
// last one.
void loom_open_ask(struct loom_open_fabric *f);
int loom_open_hear(struct loom_open_fabric *f, struct loom_err *err);
// Notes that a word will be written; call it before that cycle. If it is CONTROL.RESET, all offers are forgotten.
void loom_open_note_write(struct loom_open_fabric *f, uint32_t address, uint32_t data);

#endif
