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
#define LOOM_DARK_USUAL 10 // cycles without light while a circuit switch turns, unless options say otherwise
#define LOOM_PLAN_MESSAGES_MAX (4 * LOOM_MESSAGES_MAX) // a relayed message counts once for each hop
#define LOOM_CYCLES_UNKNOWN UINT64_MAX // of a pass with contention, for which there is no closed formula

// The choices over which a plan's lower bound holds, the weakest claim first.
enum loom_bound {
	LOOM_BOUND_PLACEMENT, // any routes in the placement of the plan
	LOOM_BOUND_ORDERS,    // any order of the address bits; if the map is no such order: as LOOM_BOUND_PLACEMENT
	LOOM_BOUND_LINEAR,    // any linear map of the addresses
	LOOM_BOUND_ANY,       // any placement
	// Weaker than all of these: minimal routes in the placement of the plan; with plan->detours, routes with so
	// many hops more.
	LOOM_BOUND_MINIMAL,
};

// The reason why fewer passes are impossible, for these messages on these routes.
enum loom_proof {
	LOOM_PROOF_NONE,
	LOOM_PROOF_LOAD,   // one channel (with half duplex, one link) carries that number of messages
	LOOM_PROOF_CLIQUE, // that number of messages conflict pairwise
	LOOM_PROOF_SEARCH, // a search that tried all choices found nothing
};

// One message of a plan. Processors are virtual; the map gives their physical nodes.
struct loom_plan_message {
	uint32_t pass;
	uint32_t source, destination; // if equal: see loom_plan_uses_network
	uint32_t flits;               // header included
	// enum loom_rule, below loom_topo_rules_count; or, the same for all messages, a rule that lets routers choose
	// or one of flitloom/routes/via.h. For a chosen route: its virtual network.
	uint8_t rule;
	uint8_t from_slot; // 0: it carries generated data; k: the data in slot k of the sender's store
	uint8_t keep_slot; // 0: the receiver does not keep its data; k: it keeps them in slot k of its store
	// the index of the message that brought the data to the sender; for generated data its own index
	uint32_t origin;
	uint32_t via; // with a rule of flitloom/routes/via.h: the physical node through which it goes; else 0
};

// The contest from which planner "best" chose the plan. n_tried is 0 for plans of other planners.
struct loom_plan_contest {
	unsigned n_tried, n_left;  // planners that made a plan; planners for which no time was left
	char runner_up[32];        // the planner of the second best plan; "" if only one made a plan
	uint64_t runner_up_cycles; // the cycles of that plan, as loom_plan_cycles_with_barriers counts them
};

#define LOOM_FLITS_UNKNOWN UINT64_MAX // no such plan exists

// The result of placing the tasks. Its figures are flits on the busiest link between routers, summed over the passes.
struct loom_plan_placement {
	char how[12];             // "greedy", "search", "file"; "" if the options asked for no placement
	uint64_t flits;           // of this plan
	uint64_t row_major_flits; // of the same planner's plan with task i on node i
};

// The report of planner otis on a plan of moves: how it found the moves, and lower bounds of their number
// (flitloom/math/otis.h).
struct loom_plan_moves {
	char by[48]; // "section 5, 3 exchanges"; "" for other plans
	uint32_t bound_electronic, bound_otis;
};

struct loom_circuits;

// Facts on how a plan was made. Planners fill in what they know; the rest is zeroed.
struct loom_plan_making {
	bool own_lengths;                     // loom_pattern.own_lengths of its pattern (flitloom/pattern.h)
	struct loom_plan_contest contest;     // planner "best"
	struct loom_plan_moves moves;         // planner "otis"
	struct loom_plan_placement placement; // if the map was searched for, or came from a file
	struct loom_circuits *circuits;       // owned; for circuit switches (flitloom/circuits.h); NULL elsewhere
};

struct loom_route_tables;

// A plan of a pattern on a fabric: the pass, ends and route of each message, and the number of messages on each
// channel in each pass, which follows from these. Invariants: messages are in ascending order of pass; load[pass *
// channels + c] is the number of messages that use channel c in that pass. If routers choose (loom_plan_is_adaptive),
// it is the number of messages that use c whatever the routers choose.
struct loom_plan {
	struct loom_topo topo; // owned; loom_plan_free frees it
	char pattern[128], planner[32];
	uint32_t n_passes;
	size_t n_messages;
	struct loom_plan_message *messages; // owned
	uint32_t *map;                      // owned, n_nodes: map[v] is the physical node of virtual processor v
	// Owned: the routes that were chosen for the messages; n is 0 if all messages go by their rules.
	struct loom_routes routes;
	// owned: the label of each chosen route in the routers' tables; NULL: labels are assigned when the tables are
	// loaded
	uint32_t *label;
	// Owned: the timing of the pattern, in a plan of one pass. NULL: nodes send everything as soon as they can.
	struct loom_timing *timing;
	uint32_t dark; // on optical circuit switches: cycles without light while a switch turns; elsewhere 0
	// Hops that a chosen route may have more than a shortest one. LOOM_BOUND_MINIMAL is a bound for such routes.
	uint32_t detours;
	// The lanes of each link that chosen routes need so as not to lock. Predicted. If routers have tables, a
	// message's rule is its lane on every link, and n_lanes is the highest rule plus 1; but if messages could
	// wait for one another in a circle, it is the number of lanes that would prevent that. Otherwise 1, or
	// loom_virtual_lanes_count of the topo.
	uint32_t n_lanes;
	unsigned n_order;             // the length of `order`; 0: the map is no reordering of address bits
	unsigned order[LOOM_GF2_MAX]; // physical bit d is virtual bit order[d]
	uint32_t *load;               // owned, n_passes * channels
	uint32_t *most;               // if routers choose: how many messages may use each channel; elsewhere NULL
	unsigned select;              // the rule of preference by which routers choose, enum loom_select; elsewhere 0
	uint64_t *cycles;             // owned, per pass: predicted, or LOOM_CYCLES_UNKNOWN
	uint32_t lower_bound;         // no choice among those of `bound` has less contention: the planner's claim
	enum loom_bound bound;        // the choices over which lower_bound holds
	// If routes were chosen by the flits that channels carry, instead of the messages: no choice of routes has
	// fewer flits on the busiest channel in one pass. Otherwise 0.
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
	// The passes follow each other without a barrier ([Yang00], section 3: pipelined): a node goes on to the next
	// pass as soon as it has sent its message of one pass. All messages then have the same length, and none is
	// relayed. A node sends one message in a pass at most; in a pass in which it sends none it waits for as long
	// as a message takes.
	bool free_running;
	char objective[16]; // "maxmax", ... for a set; "cycles" if the options asked for that; else ""
	// The value of "cycles" is that of loom_machine_cycles for timing fast. loom_plan_predict leaves it as it is.
	uint64_t objective_value;
	uint32_t n_members;          // members of the pattern's set; 1 for a single communication
	uint32_t *member_contention; // owned, n_members
	uint32_t *member_of_pass;    // owned, n_passes
	// The loads of each group of channels by a closed formula ([Hou01], Theorem 1), if there is one: n_theory is
	// 0 or n_passes * groups; theory[pass * groups + g] is the load of every used channel of group g, or
	// UINT32_MAX if the formula says nothing. The verdict compares the measured loads with them.
	size_t n_theory;
	uint32_t *theory;                // owned
	struct loom_plan_making *making; // owned; NULL for a plan from a file. loom_plan_how_made reads it
};

struct loom_planner;
struct loom_circuit_schedule;

// Options of a plan.
struct loom_plan_options {
	// The node of each processor (or task): NULL or "best", "identity", "row-major" (the same), "0,4,2,..." (n
	// bits or N nodes), on an OTIS-Mesh "group-row" or "group-submesh" (flitloom/math/otis_embeddings.h). On
	// direct networks of up to 4096 nodes also "greedy" (tasks that send much to each other are placed side by
	// side) and "search" (the fewest flits on the busiest link, never more than row-major; LOOM_EINPUT if
	// flitloom was built without libscotch). A file's name, with a / or a . in it: the file lists the nodes of
	// tasks 0, 1, ..., and may have fewer tasks than there are nodes.
	const char *map;
	// NULL: the first planner that accepts the pattern. "best": the plan with the fewest cycles, barriers
	// included, among those of all planners that accept it.
	const char *planner;
	// NULL or "maxmax", "maxsum", "sumsum", for sets; or "cycles": flitloom makes the plan without an objective,
	// and then searches for a plan with fewer cycles (flitloom/machine.h). The result never has more cycles; the
	// search may take the budget once more. LOOM_EINPUT, LOOM_EFIT: no chip can run the plan, or it takes too
	// many cycles to count.
	const char *objective;
	// No pass may use a link in both directions. Flitloom then asks only planners that heed this.
	bool half_duplex;
	// The rule by which all messages go, "one-way" (loom_rule_name), or NULL: the planner decides. If it is
	// given, flitloom asks only planners that keep a given rule. With a rule that lets routers choose
	// (flitloom/routes/choice.h) or one of flitloom/routes/via.h, a planner may choose the map; planner NULL then
	// means planner direct, unless map is "best".
	const char *rule;
	unsigned select; // enum loom_select, for a rule that lets routers choose
	// The user's own tables, by which the messages go (flitloom/routes/table_file.h); NULL: none. The planner is
	// then "tables", whether it is named or not.
	const struct loom_route_tables *tables;
	// The load of the busiest channel that planners which choose routes keep low: "messages" or "flits"
	// (loom_load_unit_name). NULL: flits if the messages differ in length, else messages, which is then the same.
	// If it is given, flitloom asks only planners that heed it.
	const char *load;
	// The number of hops, LOOM_DETOURS_MAX at most, that a route may have more than a shortest one, for planners
	// that choose such routes. If it is above 0, flitloom asks only these.
	uint32_t detours;
	// The costs of moves on an OTIS-Mesh, "electronic=1,otis=4" (loom_otis_cost_parse), or NULL: each costs 1. If
	// it is given, flitloom asks only planners that heed it.
	const char *cost;
	// On optical circuit switches: cycles without light while a switch turns. Without dark_given it is
	// LOOM_DARK_USUAL.
	uint32_t dark;
	bool dark_given;
	bool relay; // on these switches messages may go through one other node, if the planner can relay
	// The caller's own planners, ended by NULL, or NULL. They are known by name beside flitloom's, and asked
	// before these if `planner` is NULL (flitloom/planner.h).
	const struct loom_planner *const *planners;
	// The wall-clock time in which planners that search may search for fewer passes, and in which "best" makes
	// all its plans. 0: the planners' default, which is counted in steps, so that the plan is the same on every
	// computer.
	double budget_seconds;
	// Without budget_seconds, a search with a default number of steps takes at most this many; 0: the default.
	uint64_t most_steps;
	// For planners and rules that draw at random (flitloom/routes/via.h): the same seed gives the same plan.
	// Among flitloom's own planners these are order and light. Random patterns use it as well.
	uint64_t seed;
	// Called now and then during a search; if it returns true, the search ends with the best plan so far. NULL
	// allowed.
	bool (*stopped)(void *user);
	// Called with a line for a person whenever a search has found a better plan, by planners reroute,
	// routes+passes and otis. NULL allowed.
	void (*progress)(void *user, const char *text);
	void *user;
	// For a caller that makes several plans on one network: keeps the routes that planners all-pairs and
	// by-destination search for, one element for each planner. The caller zeroes them; the first plan fills them
	// in, and later plans use them. NULL: each plan searches. The caller frees them
	// (flitloom/routes/pair_routes.h).
	struct loom_pair_routes *pair_routes;
};

// Plans `pattern` on `topo`. LOOM_EINPUT: unknown planner, objective, rule or map, a map that is not a permutation,
// sizes that do not agree, a pass that can lock (flitloom/routes/deadlock.h). On failure *out is untouched.
int loom_plan_make(struct loom_plan *out, const struct loom_topo *topo, const struct loom_pattern *pattern,
                   const struct loom_plan_options *options, struct loom_err *err);
void loom_plan_free(struct loom_plan *plan); // NULL allowed; leaves *plan zeroed
// Returns how a plan was made: plan->making, or a zeroed struct if that is NULL. The plan keeps it.
const struct loom_plan_making *loom_plan_how_made(const struct loom_plan *plan);
// True if loom_plan_options.map asks for a search (greedy, search) or names a file. NULL allowed.
bool loom_plan_map_is_placed(const char *map);

// Computes the predictions of a plan: load, cycles and member_contention (and objective_value, if there is an
// objective other than cycles), from the messages and the map, by walking every route. Planners call it last.
// LOOM_EINPUT: an invariant does not hold. Two of these: map and order agree; the sender's slot of a relayed message
// holds what `origin` brought in an earlier pass.
int loom_plan_predict(struct loom_plan *plan, struct loom_err *err);

// Returns the least number of passes that can be free of contention, and the reason: the number that follows from the
// loads, or more if the planner has proved more.
uint32_t loom_plan_passes_least(enum loom_proof *proof, const struct loom_plan *plan);
// True if no plan can be better on these routes: this one is free of contention, also on the nodes' own channels, and
// has the fewest passes that allow it on these routes.
bool loom_plan_is_optimal(const struct loom_plan *plan);
// The name of a proof.
const char *loom_proof_name(enum loom_proof proof); // "load", "clique", "search"; NULL for none

// Finds the rules by which one pass would suffice for a plan. *is_permutation: the plan's messages, without its
// relays, are a permutation of all nodes or of some (a set of several is none). Bit r of *rules: by rule r these
// messages would be free of contention in one pass, in the placement of the plan. If several rules give all messages
// the same routes (one dimension, one direction), only the bit of the first one is set.
int loom_plan_one_pass(unsigned *rules, bool *is_permutation, const struct loom_plan *plan, struct loom_err *err);

// True if the messages go by a rule that lets routers choose. loom_plan_most_contention then returns the most
// messages that one channel between routers may carry in one pass.
bool loom_plan_is_adaptive(const struct loom_plan *plan);
// True if the messages of a plan go through nodes that are drawn (flitloom/routes/via.h). Either all messages do
// that use the network, or none.
bool loom_plan_has_vias(const struct loom_plan *plan);
uint32_t loom_plan_most_contention(const struct loom_plan *plan);
// Finds the slots of the circuit switches that carry a plan on ocs:N or ocs:NxK; it leaves out parcels
// (flitloom/circuits.h). Node k * N + u of the plan is node u's port on switch k. The light of each is on from cycle
// 0, which is cycle 1 of a run, until its last flit has left. LOOM_EINPUT: another fabric, or messages that no
// schedule carries, whose numbers are named.
int loom_plan_circuits(struct loom_circuit_schedule *out, const struct loom_plan *plan, struct loom_err *err);

// True if a plan is one of moves: on an OTIS-Mesh, and no message goes more than one hop.
bool loom_plan_is_of_moves(const struct loom_plan *plan);

// Begins the route of message i as loom_route_begin does: the chosen one, or that of its rule. The route has no
// channels if the message does not use the network.
void loom_plan_route_begin(struct loom_route *out, const struct loom_plan *plan, size_t i);
// Returns the number of channels on the route of message i, injection and ejection included; 0 if the message does
// not use the network.
uint32_t loom_plan_route_length(const struct loom_plan *plan, size_t i);

// Returns the largest load of a channel, local channels left out: of one pass; of all passes.
uint32_t loom_plan_pass_contention(const struct loom_plan *plan, uint32_t pass);
uint32_t loom_plan_contention(const struct loom_plan *plan);
// Computes the contention in flits: the most flits that a channel carries in one pass, local channels left out.
int loom_plan_contention_flits(uint64_t *out, const struct loom_plan *plan, struct loom_err *err);
uint64_t loom_plan_cycles(const struct loom_plan *plan); // the sum over all passes, or LOOM_CYCLES_UNKNOWN
// Returns the cycles from one START to the last tail, or LOOM_CYCLES_UNKNOWN: those of the passes, and those of the
// barriers between them (flitloom/back_to_back.h). If the host starts each pass, they are counted in the same way.
uint64_t loom_plan_cycles_with_barriers(const struct loom_plan *plan);
// Computes a lower bound of the cycles of a plan: no other passes without contention take fewer cycles in all, on
// these routes (on each channel, the k-th longest message needs a pass of at least its length). *out is 0 if messages
// wait or are relayed, and for a free run.
int loom_plan_cycles_bound(uint64_t *out, const struct loom_plan *plan, struct loom_err *err);
// True if a message leaves its node. A message to oneself never does if the topology says so; it then counts as
// delivered.
bool loom_plan_uses_network(const struct loom_plan *plan, const struct loom_plan_message *message);
// Returns a limit for runs of a plan, for loom_run_options.max_cycles. Unless the fabric is faulty, no pass of the
// plan, nor a whole free run, reaches that limit, however messages wait for one another (plan_limit.c says why).
uint64_t loom_plan_cycle_limit(const struct loom_plan *plan);
// Computes the flits on every channel in every pass by the routes; if routers choose, the least number. out[pass *
// channels + c], malloc'ed.
int loom_plan_flits(uint64_t **out, const struct loom_plan *plan, struct loom_err *err);
// Returns the message whose data message i carries: i itself or, if it is relayed, the message of the first sender.
size_t loom_plan_root(const struct loom_plan *plan, size_t i);
// Returns the cycle, in its pass or in the free run, in which the tail of a message that never waits arrives: F + h +
// 1 for F flits over h hops ([Hou01]'s machine), in pass p of a free run p F later; 0 if the message does not use the
// network. On an OTIS-Mesh whose light takes l cycles more, and w for a flit, a way with o > 0 optical links adds o
// (l + w - 1) + (F - 1) (w - 1). `message` is one of plan->messages.
uint64_t loom_plan_message_cycles(const struct loom_plan *plan, const struct loom_plan_message *message);

// Plans as files, in JSON. Reading checks all invariants and computes the predictions anew. It refuses a plan whose
// file predicts something else, or of which a pass can lock (LOOM_EINPUT). Writing goes to a temporary name first, so
// that no reader sees half a file.
int loom_plan_write(const struct loom_plan *plan, const char *path, struct loom_err *err);
int loom_plan_read(struct loom_plan *out, const char *path, struct loom_err *err);
int loom_plan_parse(struct loom_plan *out, const char *text, size_t length, const char *where, struct loom_err *err);

LOOM_API_END

#endif
