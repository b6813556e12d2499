// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_RULE_FREEDOM_H
#define LOOM_RULE_FREEDOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <flitloom/api.h>
#include <flitloom/err.h>
#include <flitloom/routes/choice.h>
#include <flitloom/routes/forbidden_turns.h>
#include <flitloom/topo.h>

LOOM_API_BEGIN

// Proofs that messages by a rule that lets routers choose, or draws ways (flitloom/routes/via.h), cannot lock,
// whatever messages are sent and whatever lanes the routers take.
//
// The proofs are about a graph of lanes, for messages from all nodes to all nodes. A lane leads to another if, by the
// rule, some message can hold the one and wait for the other. By turn rules a message waits for any lane of its set,
// and the proof is that this graph has no circle: the channel dependency graph of [Dally87]. With escape lanes, a
// message that waits for ever also waits for its escape lane, on which it can always go on. So only escape lanes
// count, and one leads to another even if a message takes any number of other lanes between them: the extended graph
// of [Duato93].

// A lane on a circle, the message that may hold it, and its way to the wait for the next lane.
struct loom_rule_wait {
	uint32_t channel;
	unsigned vc;
	uint32_t source, destination;
	size_t n_via;  // nodes to which it goes on from the end of the channel, by lanes that are not on the circle
	uint32_t *via; // owned
};

// A proof, or a counterexample.
struct loom_rule_freedom {
	// No deadlock is possible, every message arrives, and no message goes round for ever.
	bool is_free;
	// Numbers that rise from each lane to all lanes to which it leads: [channel * n_vcs + lane];
	// LOOM_RULE_NO_NUMBER for lanes for which no message waits for ever. NULL unless is_free.
	uint32_t *number; // owned
	size_t n_waits;   // lanes of the circle; 0: there is none
	// owned: the message of each waits for the next lane, that of the last for the first; from the lowest channel
	// on
	struct loom_rule_wait *wait;
	// has_gap: a message to `destination` comes to `here` and has no lane to go on, or no escape lane.
	// goes_round: it can come back there for ever.
	bool has_gap, goes_round;
	uint32_t here, destination;
	// The links of the longest way; and the most links by which a way is longer than a shortest one: 0, all are
	// minimal.
	uint32_t most_hops, most_detour;
	// The share of all shortest routes that the rule allows, the mean over all pairs of nodes; 1: it allows all.
	// For rules that draw ways (flitloom/routes/via.h) it is not a number.
	double adaptiveness;
};
#define LOOM_RULE_NO_NUMBER UINT32_MAX
#define LOOM_RULE_NODES_MAX 1024 // the work grows with their square

// Proves that a rule is free of deadlock, or finds a circle. `turns`: for LOOM_RULE_TURNS, else NULL. LOOM_EINPUT: as
// loom_rule_check, or more nodes than LOOM_RULE_NODES_MAX; LOOM_ENOMEM.
int loom_rule_freedom_find(struct loom_rule_freedom *out, const struct loom_topo *t, unsigned rule,
                           const struct loom_turns *turns, struct loom_err *err);
void loom_rule_freedom_free(struct loom_rule_freedom *freedom); // NULL allowed; leaves *freedom zeroed

// Writes a proof as a file that another program can check: tools/check_rule_certificate.py, which describes the
// format. LOOM_EINPUT: there is no proof; LOOM_EFILE.
int loom_rule_certify(const struct loom_rule_freedom *freedom, const struct loom_topo *t, unsigned rule,
                      const struct loom_turns *turns, const char *path, struct loom_err *err);

LOOM_API_END

#endif
