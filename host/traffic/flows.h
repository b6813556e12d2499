// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_TRAFFIC_FLOWS_H
#define LOOM_TRAFFIC_FLOWS_H

#include <stdbool.h>

#include <flitloom/traffic.h>

#include "base/arrays.h"

// Flows: each from one processor to another, with a share of what its source sends.
struct loom_flows {
	size_t n, *first;      // owned; the flows of processor v are first[v] .. first[v + 1] - 1
	uint32_t *destination; // owned, by flow, as the next two
	uint32_t *flits;       // by flow: flits of its messages; NULL: the file does not give them
	uint8_t *class_of;     // owned, by flow: the class of its messages; NULL: all are of class 0
	// by flow: the part of its source's messages that belong to it or to an earlier flow; 1 for the last
	double *upto;
	double *rate;       // owned, of processor v: loom_traffic_rate
	double *mean_flits; // owned, of processor v's messages; NULL as `flits`
	// Mean over all that send of the rates as the file has them, in flits per cycle, or in messages; not a
	// number: it has none.
	double own_load;
	bool in_messages;
	struct loom_arrays arrays; // owns the arrays
};

// The meaning of a flow's share.
enum loom_flow_unit {
	LOOM_FLOW_WEIGHT,   // among the messages of its source; all sources send equally much
	LOOM_FLOW_SIZE,     // among all flits
	LOOM_FLOW_FLITS,    // flits per cycle
	LOOM_FLOW_MESSAGES, // messages per cycle
};

// A flow of a file.
struct loom_flow {
	uint32_t source, destination;
	uint32_t flits;   // 0: the file gives no flits, for any flow
	uint8_t of_class; // 0 unless the file says otherwise
	double share;     // 0 or more
};

// A list that grows while a file is read.
struct loom_flow_list {
	struct loom_flow *flow; // owned
	size_t n, size;
};
// Adds a flow; one with a share of 0 is left out. LOOM_ENOMEM; LOOM_EINPUT: more than LOOM_TRAFFIC_FLOWS_MOST.
int loom_flow_list_add(struct loom_flow_list *list, const struct loom_flow *flow, struct loom_err *err);

// Makes flows of a list; leaves out those from a processor to itself if they do not use the network. `where` is the
// file, for messages. LOOM_EINPUT: nothing is sent, or the sum of the shares is too large for a number.
int loom_flows_make(struct loom_flows **out, const struct loom_flow_list *list, enum loom_flow_unit unit,
                    const struct loom_topo *topo, const char *where, struct loom_err *err);
void loom_flows_free(struct loom_flows *flows); // NULL allowed

// Read files. LOOM_EFILE; LOOM_EINPUT, with the line.
int loom_flows_read(struct loom_flows **out, const char *path, const struct loom_topo *topo, struct loom_err *err);
int loom_matrix_read(struct loom_flows **out, const char *path, const struct loom_topo *topo, struct loom_err *err);

#define LOOM_TRAFFIC_FILE_MOST (64u << 20) // bytes
#endif
