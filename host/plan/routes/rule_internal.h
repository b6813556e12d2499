// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_RULE_INTERNAL_H
#define LOOM_RULE_INTERNAL_H

#include <flitloom/routes/rule_freedom.h>

#include "base/arrays.h"
#include "topo/channel_graph.h"
#include "topo/states_walk.h"

// The search for circles among the lanes that messages by a rule hold and wait for. Vertices are lanes, node *
// lanes_of_node + bit of a set; and if there are escape lanes, behind them a state of messages to each node, n_lanes +
// destination * n_states + state.
struct loom_rule_search {
	struct loom_states *states;
	struct loom_states_walk walk;
	uint32_t lanes_of_node, n_lanes, n_states;
	uint64_t *waited; // owned: of each node, lanes that messages wait for
	uint64_t *behind; // owned: of each lane, the lanes at its end for which a message waits that holds this lane
	struct loom_channel_graph waits;
	// Owned, of each node, for the present destination: hops to it, and in how many ways.
	uint32_t *hops, *queue;
	double *ways_all;
	uint32_t *longest; // owned: of each state, the longest way that the rule leaves, in links
	double *ways;      // owned: how many it leaves
	double sum;        // the sum of their parts, over all pairs
	uint64_t n_pairs;
	struct loom_arrays arrays; // owns the arrays
};

// Does what loom_rule_freedom_find does, for states that may belong to no rule.
int loom_rule_freedom_of_states(struct loom_rule_freedom *out, struct loom_states *states, struct loom_err *err);
// Finds the messages of a circle that has these edges. -1: out of memory.
int loom_rule_waits(struct loom_rule_freedom *out, struct loom_rule_search *s, const uint32_t *edge, size_t n);

#endif
