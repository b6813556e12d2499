// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_CHOICE_STATES_H
#define LOOM_CHOICE_STATES_H

#include <flitloom/routes/choice.h>
#include <flitloom/routes/forbidden_turns.h>
#include <flitloom/topo.h>

// The states of messages to one destination, by a rule that lets routers choose: the node of the header, and the
// memory, which is the part of its way so far that the rule depends on. state = node * n_memories + memory. Proofs
// and counts for all rules walk over these states.
struct loom_states {
	const struct loom_topo *topo;
	unsigned rule;
	unsigned n_memories;
	bool has_escapes; // sets have escape lanes, and a message waits for these alone
	uint32_t destination;
	// Returns the lanes in a state that is not at the destination.
	struct loom_choice (*choice)(const struct loom_states *s, uint32_t state);
	unsigned (*start)(const struct loom_states *s, uint32_t source);
	// Returns the memory behind a link of the state's set.
	unsigned (*next)(const struct loom_states *s, uint32_t state, unsigned link);
	const struct loom_turns *turns; // for LOOM_RULE_TURNS
	uint32_t *distance; // owned; of these turns: links from each state to the destination, LOOM_STATES_FAR: no way
	uint32_t *queue;    // owned
};
#define LOOM_STATES_FAR UINT32_MAX

// Makes the states of a rule. turns: those of LOOM_RULE_TURNS, else NULL. LOOM_EINPUT as for loom_rule_check.
int loom_states_init(struct loom_states *out, const struct loom_topo *t, unsigned rule, const struct loom_turns *turns,
                     struct loom_err *err);
void loom_states_free(struct loom_states *s); // a zeroed one as well
// Sets the destination of the messages.
void loom_states_turn_to(struct loom_states *s, uint32_t destination);

// Returns the node of a state.
static inline uint32_t loom_states_node(const struct loom_states *s, uint32_t state)
{
	return state / s->n_memories;
}
// Returns the state in which a message leaves its source.
static inline uint32_t loom_states_start(const struct loom_states *s, uint32_t source)
{
	return source * s->n_memories + s->start(s, source);
}
// Returns the state behind link p of its node. The link must exist.
uint32_t loom_states_next(const struct loom_states *s, uint32_t state, unsigned p);
// Returns the lanes of link p in a set of lanes.
static inline uint64_t loom_states_lanes(const struct loom_states *s, uint64_t lanes, unsigned p)
{
	return lanes >> p * s->topo->n_vcs & ((UINT64_C(1) << s->topo->n_vcs) - 1);
}
// Returns the number of states of one destination.
static inline uint32_t loom_states_count(const struct loom_states *s)
{
	return s->topo->n_nodes * s->n_memories;
}
// True if the node sends and receives.
bool loom_states_is_end(const struct loom_topo *t, uint32_t node);

#endif
