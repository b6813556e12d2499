// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_PLAN_H
#define LOOM_PLAN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <flitloom/api.h>
#include <flitloom/err.h>
#include <flitloom/pattern.h>
#include <flitloom/routes/routes.h>
#include <flitloom/topo.h>

LOOM_API_BEGIN

// The timing of the routers: the usual one, or that of the machine of [Hou01].
enum loom_machine { LOOM_MACHINE_FAST, LOOM_MACHINE_PAPER };
#define LOOM_DARK_USUAL 10                             // cycles that a circuit switch turns for
#define LOOM_PLAN_MESSAGES_MAX (4 * LOOM_MESSAGES_MAX) // a relayed message is as many as it has hops
#define LOOM_CYCLES_UNKNOWN UINT64_MAX                 // a pass with contention: no closed formula

// Over which choices a plan's lower bound holds, the weakest claim first.
enum loom_bound {
	LOOM_BOUND_PLACEMENT, // any routes in the placement of the plan
	LOOM_BOUND_ORDERS,    // any order of the address bits; for a map that is no such order, as LOOM_BOUND_PLACEMENT
	LOOM_BOUND_LINEAR,    // any linear map of the addresses
	LOOM_BOUND_ANY,       // any placement
	// Weaker than all of these: minimal routes in the placement of the plan, or of those with plan->detours.
	LOOM_BOUND_MINIMAL,
};

// Why fewer passes are impossible, for these messages on these routes.
enum loom_proof {
	LOOM_PROOF_NONE,
	LOOM_PROOF_LOAD,   // a channel carries as many messages; with half duplex, a link
	LOOM_PROOF_CLIQUE, // as many messages conflict with one another, two by two
	LOOM_PROOF_SEARCH, // none was found where all were tried
};

// One message of a plan. Processors are virtual; the map gives their physical nodes.
struct loom_plan_message {
	uint32_t pass;
	uint32_t source, destination; // equal: see loom_plan_uses_network
	uint32_t flits;               // header included
	// enum loom_rule, below loom_topo_rules_count, or of all messages one that lets routers choose or one of flitloom/routes/via.h; of a
	// chosen route its virtual network
	uint8_t rule;
	uint8_t from_slot; // 0: generated data; k: what slot k of the sender's store holds
	uint8_t keep_slot; // 0: not kept; k: kept in slot k of the receiver's store
	uint32_t origin;   // index of the message which brought the data to the sender; its own when generated
	uint32_t via;      // by a rule of flitloom/routes/via.h: the physical node by way of which it goes; else 0
};

// The contest from which planner "best" chose the plan; n_tried is 0 of other plans.
struct loom_plan_contest {
	unsigned n_tried, n_left;  // planners that made a plan; planners that no time was left for
	char runner_up[32];        // the planner of the second best plan; "" if only one made a plan
	uint64_t runner_up_cycles; // as loom_plan_cycles_with_barriers has it
};

#define LOOM_FLITS_UNKNOWN UINT64_MAX // there can be no such plan

// The result of placing the tasks. Flits on the busiest link between routers, summed over the passes.
struct loom_plan_placement {
	char how[12];             // "greedy", "search", "file"; "" where none was asked for
	uint64_t flits;           // of this plan
	uint64_t row_major_flits; // of the same planner's plan where task i is on node i
};

// Planner otis' account of a plan of moves: how it found them, and that none are cheaper than so many
// (flitloom/math/otis.h).
struct loom_plan_moves {
	char by[48]; // "section 5, 3 exchanges"; "" of other plans
	uint32_t bound_electronic, bound_otis;
};

struct loom_circuits;

// How a plan was made. Planners fill in what they know of it; what nobody knows is zeroed.
struct loom_plan_making {
	bool own_lengths;                     // the pattern's (flitloom/pattern.h)
	struct loom_plan_contest contest;     // planner "best"
	struct loom_plan_moves moves;         // planner "otis"
	struct loom_plan_placement placement; // where the map was to be found, or came from a file
	struct loom_circuits *circuits;       // owned: of circuit switches (flitloom/circuits.h); NULL elsewhere
};

struct loom_route_tables;

// A plan of a pattern on a fabric: for every message its pass, ends and route, and from these how many messages use each
// channel in each pass. Invariants: messages are in ascending order of pass; load[pass * channels + c] is the number of
// messages which use channel c in that pass; where routers choose (loom_plan_is_adaptive), of those that use it whatever they choose.
struct loom_plan {
	struct loom_topo topo; // owned: loom_plan_free lets it go
	char pattern[128], planner[32];
	uint32_t n_passes;
	size_t n_messages;
	struct loom_plan_message *messages; // owned
	uint32_t *map;                      // owned, n_nodes: physical node of virtual processor v
	// Owned: the route of each message, chosen for it; n is 0 where all go by their rules.
	struct loom_routes routes;
	uint32_t *label; // owned: of each chosen route in the routers' tables; NULL: found when they are loaded
	struct loom_timing
		*timing; // owned: the pattern's; NULL: everything is sent as soon as it can be. One pass then
	uint32_t dark;   // on optical circuit switches: cycles without light while a switch turns; else 0
	uint32_t
		detours; // hops that a chosen route may have more than a shortest one; LOOM_BOUND_MINIMAL is of such routes
	// The lanes of each link that chosen routes need so as not to lock. Predicted. If routers have tables, a
	// message's rule is its lane on every link, and n_lanes is the highest rule plus 1; but if messages could
	// wait for one another in a circle, it is the number of lanes that would prevent that. Else 1, or
	// loom_virtual_lanes_count of the topo.
	uint32_t n_lanes;
	unsigned n_order;             // bit order behind the map (0: the map is no reordering of address bits)
	unsigned order[LOOM_GF2_MAX]; // physical bit d is virtual bit order[d]
	uint32_t *load;               // owned, n_passes * channels
	uint32_t *most;        // the same where routers choose: how many messages may use the channel; elsewhere NULL
	unsigned select;       // the rule of preference by which they choose, enum loom_select; elsewhere 0
	uint64_t *cycles;      // owned, per pass: predicted, or LOOM_CYCLES_UNKNOWN
	uint32_t lower_bound;  // the contention cannot be lower than this ...
	enum loom_bound bound; // ... by any of these choices: the planner's claim
	// If routes were chosen by the flits that channels carry, not by the messages: no such choice has fewer flits
	// on the busiest channel in one pass. Else 0.
	uint64_t lower_bound_flits;
	// A lower bound: with fewer passes, some channel would carry two of these messages in one pass, on these
	// routes (if messages are relayed, on any routes).
	uint32_t passes_bound;
	// The number of passes that are needed to be free of contention, as the planner has proved otherwise (`proof`);
	// 0 if it has proved no more than passes_bound.
	uint32_t passes_proved;
	enum loom_proof proof; // of passes_proved
	// True if no pass uses both directions of a link. For direct networks only.
	bool half_duplex;
	// The passes follow each other without a barrier ([Yang00], section 3: pipelined): as soon as a node has
	// sent its message of one pass it goes on to the next. All messages then have the same length and none is
	// relayed; a node sends one message a pass, and waits for as long as one takes in a pass in which it sends
	// none.
	bool free_running;
	char objective[16]; // "maxmax", ... for a set; "cycles" where that was asked for; "" otherwise
	// The value of "cycles" is that of loom_machine_cycles for timing fast. loom_plan_predict leaves it as it is.
	uint64_t objective_value;
	uint32_t n_members;          // of the pattern's set, 1 for a single communication
	uint32_t *member_contention; // owned, n_members
	uint32_t *member_of_pass;    // owned, n_passes
	// A closed formula's ([Hou01], Theorem 1) loads of each group, if there is one: n_theory is 0 or n_passes *
	// groups, theory[pass * groups + g] = load of every used channel of the group, UINT32_MAX if it says nothing.
	// The verdict holds the measured to it.
	size_t n_theory;
	uint32_t *theory;                // owned
	struct loom_plan_making *making; // owned; NULL of a plan from a file: loom_plan_how_made reads it
};

struct loom_planner;
struct loom_circuit_schedule;

// Options of a plan.
struct loom_plan_options {
	// The node of each processor (or task): NULL or "best", "identity", "row-major" (the same), "0,4,2,..." (n
	// bits or N nodes), on an OTIS-Mesh "group-row" or "group-submesh" (flitloom/math/otis_embeddings.h). On direct networks of up to 4096 nodes also "greedy" (tasks that say much to one another side
	// by side) and "search" (the least flits on the busiest link, never more than row-major; LOOM_EINPUT where
	// flitloom was built without libscotch). A file's name, with a / or a . in it: the nodes of task 0, 1, ..., of
	// which there may be fewer than nodes.
	const char *map;
	// NULL: the first that accepts the pattern; "best": the plan with the fewest cycles, barriers included, of all
	// that accept it.
	const char *planner;
	// NULL or "maxmax", "maxsum", "sumsum", for sets; or "cycles": the plan of the same options without it, and from there on
	// a search for one that takes fewer cycles (flitloom/machine.h). Never more; the search has the budget once more.
	// LOOM_EINPUT, LOOM_EFIT: it is a plan that no chip can run, or takes more cycles than can be told.
	const char *objective;
	// No pass may use a link in both directions. Only planners that heed it are then asked.
	bool half_duplex;
	// The rule by which all messages go, "one-way" (loom_rule_name), or NULL: left to the planner. Only planners
	// that take rules as given are then asked. With a rule that lets routers choose (flitloom/routes/choice.h) a planner may choose the
	// map; NULL is then planner direct, unless map is "best". The same holds for rules of flitloom/routes/via.h.
	const char *rule;
	unsigned select; // enum loom_select, of such a rule
	// The user's own tables, by which the messages are to go (flitloom/routes/table_file.h); NULL: none. The planner is then
	// "tables", whether it is named or not.
	const struct loom_route_tables *tables;
	// The load that is to be low on the busiest channel, for planners that choose routes: "messages" or "flits"
	// (loom_load_unit_name). NULL: flits if the messages differ in length, else messages, which is then the same. If it
	// is given, only planners that heed it are asked.
	const char *load;
	// Hops that routes may have more than a shortest one, LOOM_DETOURS_MAX at most, for planners that choose such
	// routes. If above 0, only these are asked.
	uint32_t detours;
	// The costs of moves on an OTIS-Mesh, "electronic=1,otis=4" (loom_otis_cost_parse), or NULL: each costs 1. If
	// it is given, only planners that heed it are asked.
	const char *cost;
	// On optical circuit switches: cycles without light while a switch turns. Without dark_given LOOM_DARK_USUAL.
	uint32_t dark;
	bool dark_given;
	bool relay; // there: messages may go by way of one other node, of planners that relay
	// The caller's own planners, ended by NULL, or NULL: known by name beside flitloom's, and asked before these if
	// `planner` is NULL (flitloom/planner.h).
	const struct loom_planner *const *planners;
	// Wall-clock time to search for fewer passes, of planners that search, and of "best" in all; 0: the planners'
	// default, which is counted in steps, so that the plan is the same everywhere.
	double budget_seconds;
	// If there is no time to keep to: a search that has a default number of steps takes no more than this many; 0:
	// the default.
	uint64_t most_steps;
	// For planners that draw by lot, and for rules that do (flitloom/routes/via.h): the same seed, the same plan. Of flitloom's own
	// planners order and light do; random patterns draw from it as well.
	uint64_t seed;
	// Asked now and then while a search is under way; true ends it with the best plan so far. NULL allowed.
	bool (*stopped)(void *user);
	// Called with a line for a person whenever a search has found something better: by planners reroute,
	// routes+passes and otis. NULL allowed.
	void (*progress)(void *user, const char *text);
	void *user;
	// Keeps the routes that planners all-pairs and by-destination search for, each in an element of its own, for
	// a caller that makes several plans on one network. The caller zeroes them; the first plan fills them in, and
	// later plans take them over. NULL: each plan searches. The caller frees them
	// (flitloom/routes/pair_routes.h).
	struct loom_pair_routes *pair_routes;
};

// Plans `pattern` on `topo`. LOOM_EINPUT: unknown planner, objective, rule or map, a map that is not a permutation,
// sizes that do not agree, a pass that can lock (flitloom/routes/deadlock.h). On failure *out is untouched.
int loom_plan_make(struct loom_plan *out, const struct loom_topo *topo, const struct loom_pattern *pattern,
                   const struct loom_plan_options *options, struct loom_err *err);
void loom_plan_free(struct loom_plan *plan); // NULL allowed; leaves *plan zeroed
// Tells how a plan was made: plan->making, or zeroes where that is NULL. The plan keeps it.
const struct loom_plan_making *loom_plan_how_made(const struct loom_plan *plan);
// True if a map of the options above is to be found (greedy, search) or is in a file. NULL allowed.
bool loom_plan_map_is_placed(const char *map);

// Works out what a plan predicts. Recomputes load, cycles, member_contention (and objective_value where there is an
// objective other than cycles) from the messages and the map by walking every route. Planners call it last. LOOM_EINPUT if an invariant
// does not hold: among them, that map and order agree, and that a relayed message finds what `origin` brought, in an
// earlier pass, in its sender's slot.
int loom_plan_predict(struct loom_plan *plan, struct loom_err *err);

// The number of passes that are needed at least to be free of contention, and why: what the loads say, or more if the
// planner has proved more.
uint32_t loom_plan_passes_least(enum loom_proof *proof, const struct loom_plan *plan);
// True if no plan could be better on these routes: it is free of contention, the nodes' own channels included, in as
// few passes as that can be on these routes.
bool loom_plan_is_optimal(const struct loom_plan *plan);
// The name of a proof.
const char *loom_proof_name(enum loom_proof proof); // "load", "clique", "search"; NULL for none

// Tells by which rules one pass would do for a plan. *is_permutation: the plan's messages, its relays left out, are a
// permutation, of all nodes or some (a set of several is none). Bit r of *rules: by rule r they would be free of
// contention in one pass, in the placement of the plan. If several rules give all messages the same routes (one
// dimension, one direction), only the bit of the first one is set.
int loom_plan_one_pass(unsigned *rules, bool *is_permutation, const struct loom_plan *plan, struct loom_err *err);

// True if messages go by a rule that lets routers choose; and then the most messages that one channel between routers may carry in one
// pass.
bool loom_plan_is_adaptive(const struct loom_plan *plan);
// True if the messages of a plan go by way of nodes that are drawn (flitloom/routes/via.h): then all do that are sent.
bool loom_plan_has_vias(const struct loom_plan *plan);
uint32_t loom_plan_most_contention(const struct loom_plan *plan);
// Finds the slots of the circuit switches that carry a plan. It is one on ocs:N or ocs:NxK; parcels (flitloom/circuits.h) are left out. Node
// k * N + u of the plan is node u's port on switch k. The light of each is on from cycle 0, which is cycle 1 of a run, until its
// last flit has left. LOOM_EINPUT: another fabric, or messages that no schedule carries, whose numbers are named.
int loom_plan_circuits(struct loom_circuit_schedule *out, const struct loom_plan *plan, struct loom_err *err);

// True if a plan is one of moves: on an OTIS-Mesh, and no message goes more than one hop.
bool loom_plan_is_of_moves(const struct loom_plan *plan);

// The route of message i: as loom_route_begin, chosen or by its rule; without channels if it does not use the network.
void loom_plan_route_begin(struct loom_route *out, const struct loom_plan *plan, size_t i);
// The number of channels on the route of message i, injection and ejection included; 0 if it does not use the network.
uint32_t loom_plan_route_length(const struct loom_plan *plan, size_t i);

// Largest load, local channels left out; of one pass, over all passes.
uint32_t loom_plan_pass_contention(const struct loom_plan *plan, uint32_t pass);
uint32_t loom_plan_contention(const struct loom_plan *plan);
// Contention in flits: the most that a channel carries in one pass, local channels left out.
int loom_plan_contention_flits(uint64_t *out, const struct loom_plan *plan, struct loom_err *err);
uint64_t loom_plan_cycles(const struct loom_plan *plan); // sum over passes, or LOOM_CYCLES_UNKNOWN
// From one START to the last tail: the cycles of the passes and what the barriers between them take (flitloom/back_to_back.h;
// counted the same way where the host starts each pass), or LOOM_CYCLES_UNKNOWN.
uint64_t loom_plan_cycles_with_barriers(const struct loom_plan *plan);
// A lower bound of the cycles of a plan. No other passes without contention take fewer cycles in all, on these routes
// (on each channel the k-th longest message needs a pass of at least its length). *out is 0 where messages wait or
// are relayed, and for a free run.
int loom_plan_cycles_bound(uint64_t *out, const struct loom_plan *plan, struct loom_err *err);
// True if a message leaves its node. One to oneself never does if the topology says so; it then counts as delivered.
bool loom_plan_uses_network(const struct loom_plan *plan, const struct loom_plan_message *message);
// A limit for runs of a plan. It is more cycles than any pass of the plan takes, or the whole of a free run, whatever
// waits for what, unless the fabric is faulty (plan_limit.c says why): for loom_run_options.max_cycles.
uint64_t loom_plan_cycle_limit(const struct loom_plan *plan);
// Flits on every channel in every pass, as the routes say; where routers choose, at least: out[pass * channels + c], malloc'ed.
int loom_plan_flits(uint64_t **out, const struct loom_plan *plan, struct loom_err *err);
// The message whose data message i carries: i itself unless it is relayed, else the first sender's message.
size_t loom_plan_root(const struct loom_plan *plan, size_t i);
// Cycle of the pass, or of a free run, in which the tail of an unhindered message arrives: F + h + 1 for F flits over h
// hops ([Hou01]'s machine), p F later in pass p of a free run; 0 for one that does not use the network. On an OTIS-Mesh whose
// light takes l cycles more, and w for a flit, a way with o > 0 optical links adds o (l + w - 1) + (F - 1) (w - 1).
// `message` is one of plan->messages.
uint64_t loom_plan_message_cycles(const struct loom_plan *plan, const struct loom_plan_message *message);

// Plans as files, JSON. Reading checks everything that the invariants say and recomputes the predictions: a plan whose
// file predicts something else, or of which a pass can lock, is refused (LOOM_EINPUT). Writing goes to a temporary name
// first: never half a file.
int loom_plan_write(const struct loom_plan *plan, const char *path, struct loom_err *err);
int loom_plan_read(struct loom_plan *out, const char *path, struct loom_err *err);
int loom_plan_parse(struct loom_plan *out, const char *text, size_t length, const char *where, struct loom_err *err);

LOOM_API_END

#endif
