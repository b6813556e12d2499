// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_CIRCUITS_H
#define LOOM_CIRCUITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <flitloom/api.h>
#include <flitloom/demand.h>
#include <flitloom/err.h>

LOOM_API_BEGIN

// Optical circuits. A switch joins each node's sender to at most one node's receiver (a matching) for a number of
// cycles. It is dark while it turns to another matching. docs/circuits.md.

#define LOOM_CIRCUIT_SWITCHES_MAX 64u
#define LOOM_CIRCUIT_DARK_MOST 16777215u
#define LOOM_CIRCUIT_NO_PORT UINT32_MAX // in a matching: this sender has no light

// A matching, and the cycles for which its light is on. to[i] is the node that receives from node i; no node receives
// twice, and to[i] is never i itself.
struct loom_circuit_slot {
	uint32_t cycles; // 1 at least; each sender can send a flit per cycle
	uint32_t *to;    // owned; n_nodes of them, each a node or LOOM_CIRCUIT_NO_PORT
};

// The slots of a switch in order. The light of the first slot is on from cycle 0. Between two slots `dark` cycles
// pass, unless both have the same matching. A slot in which no sender has light only waits.
struct loom_circuit_switch {
	struct loom_circuit_slot *slot; // owned
	size_t n_slots;
};

// A message that a sender sends in one slot, in one piece. The parcels of a sender in a slot do not overlap, and end
// with the slot at the latest.
struct loom_circuit_parcel {
	uint32_t on, slot;            // the switch, and the index of its slot
	uint32_t source, destination; // the ends of this hop: to[source] of the slot is the destination
	// the pair in the demand that its flits belong to; it differs from the ends if the hop is one of two
	uint32_t from, to;
	uint32_t begin; // cycles after the light of the slot went on; begin + flits <= cycles
	uint32_t flits; // 1 at least, the header included
	size_t before;  // 1 + the parcel, of as many flits, that brought its flits to `source`; 0: they begin there
};

// A schedule: the slots of each switch, and the parcels that carry the flits. The parcels that end at the destination
// of a pair carry exactly the flits of its demand. A second hop begins at least `relay_cycles` after the light of the
// slot of the first hop has ended.
struct loom_circuit_schedule {
	uint32_t n_nodes, n_switches, dark, relay_cycles;
	struct loom_circuit_switch *on;     // owned; n_switches of them
	size_t n_parcels;                   // in ascending order of switch, slot, source and begin
	struct loom_circuit_parcel *parcel; // owned
	uint64_t makespan;                  // cycles of light and darkness, of the switch that has most
	bool optimal; // no schedule without relays is shorter, as a search of all of them or a bound shows
};

// Returns the name of a planner: "light", "rotor", "birkhoff", "solstice", "eclipse"; NULL after the last. `help` of
// loom_planner_named (flitloom/planner.h) describes each in a line.
const char *loom_circuit_planner_name(size_t i);

#define LOOM_CIRCUIT_BUDGET 20000000u // steps, a fraction of a second

// A request to a planner.
struct loom_circuit_options {
	const char *planner;   // NULL: light
	uint32_t n_switches;   // 1 .. LOOM_CIRCUIT_SWITCHES_MAX
	uint32_t dark;         // cycles, 0 .. LOOM_CIRCUIT_DARK_MOST
	bool relay;            // flits may go through one other node (rotor and light)
	uint32_t relay_cycles; // as in the schedule
	// for the search of planner light; the budget is counted in steps, not in time. 0 steps: no search
	uint64_t seed, budget;
	// Called now and then, unless NULL; if it returns true, the search ends with the best schedule so far.
	bool (*stopped)(void *user);
	void *user;
};

// Makes a schedule that carries a demand. LOOM_EINPUT: an unknown planner, or an illegal demand or option;
// LOOM_ENOMEM. The same request always gives the same schedule. Free with loom_circuit_schedule_free.
int loom_circuit_plan(struct loom_circuit_schedule *out, const struct loom_demand *demand,
                      const struct loom_circuit_options *options, struct loom_err *err);
void loom_circuit_schedule_free(struct loom_circuit_schedule *schedule); // NULL allowed; leaves it zeroed

// Computes when the light of each slot of a switch goes on. begin[s]: the cycle for slot s; begin[n_slots]: the end
// of the last slot.
void loom_circuit_begins(uint64_t *begin, const struct loom_circuit_schedule *schedule, uint32_t on);
// True if a slot has the matching of the one before it, so that the switch does not turn.
bool loom_circuit_stays(const struct loom_circuit_schedule *schedule, uint32_t on, size_t slot);

// Sets the 2x2 switches of a Benes network for a matching, by the looping algorithm [Opferman71]. The network carries
// any matching of 2^k nodes at once, in loom_benes_stages(n_nodes) = 2 k - 1 stages of n_nodes / 2 switches. Stage s
// joins the lines whose numbers differ in bit s; behind the middle stage (k - 1) in bit 2 k - 2 - s. Its switch q has
// the two lines whose numbers without that bit are q. crossed[s * n_nodes / 2 + q] is 1 if switch q of stage s is
// crossed, else 0. Senders without light lead to receivers without light, both in ascending order. n_nodes: a power
// of two from 2 to 2^20. LOOM_EINPUT: two senders to one node; LOOM_ENOMEM.
int loom_circuit_settings(uint8_t *crossed, const uint32_t *to, uint32_t n_nodes, struct loom_err *err);
// Counts the turns of 2x2 switches in a schedule: each 2x2 switch whose setting differs from that in the slot before,
// of the same circuit switch. LOOM_ENOMEM, or an error of loom_circuit_settings.
int loom_circuit_count_turns(uint64_t *out, const struct loom_circuit_schedule *schedule, struct loom_err *err);

// Checks that a schedule is legal, and that it carries the demand exactly. LOOM_EINPUT says what is wrong with it,
// and where.
int loom_circuit_check(const struct loom_circuit_schedule *schedule, const struct loom_demand *demand,
                       struct loom_err *err);

// --- Bounds that can be checked

// A part of a proof about schedules of S slots in all, whose cycles of light are c_1 >= c_2 >= ... >= c_S. Sort the
// entries of a line (a row, or n + a column) that are not 0: e_1 >= e_2 >= ... >= e_g. A window: the other g - 1
// entries need a slot each, so each of the first k entries has at most S - g + 1 slots, and one of the k entries has
// none of the first k - 1 slots; hence c_k + ... + c_(k+S-g) >= e_k. A tail: c_k + ... + c_S >= e_k + ... + e_g.
struct loom_circuit_window {
	uint32_t line, k; // k from 1
};

// A bound on all schedules with slots_from .. slots_to slots. Without relays, `light` is the sum over windows that do
// not overlap, and over a tail behind them. With relays, `light` is the price of the hops of all flits, divided by
// the sum of the prices. A row reaches at most slots_to destinations without a relay, at best those with most flits;
// the same holds for a column.
struct loom_circuit_step {
	uint32_t slots_from, slots_to; // slots_to UINT32_MAX: slots_from or more
	uint64_t light;                // the least sum of all slots' cycles
	uint64_t cycles;               // the least makespan that follows
	size_t first, n_windows;       // its windows among those of the bound; the last is the tail
	bool by_prices; // with relays: the larger side of each node costs 1; false: only the longest line does
};

// No schedule of a demand has a makespan below `cycles`.
struct loom_circuit_bound {
	uint64_t cycles; // the least over the steps, which together cover all numbers of slots
	uint32_t n_switches, dark;
	bool relay;
	uint32_t slots_least; // no schedule has fewer slots
	size_t n_steps, n_windows;
	struct loom_circuit_step *step;     // owned
	struct loom_circuit_window *window; // owned
};

// Finds a bound. It uses n_switches, dark and relay of the options. Free with loom_circuit_bound_free.
// docs/circuits.md has the proof.
int loom_circuit_bound_find(struct loom_circuit_bound *out, const struct loom_demand *demand,
                            const struct loom_circuit_options *options, struct loom_err *err);
void loom_circuit_bound_free(struct loom_circuit_bound *bound); // NULL allowed; leaves *bound zeroed

// --- Figures and files

// Figures of a schedule, and of a bound for its demand.
struct loom_circuit_facts {
	uint64_t makespan, bound, flits; // flits: of the demand
	size_t n_slots;                  // slots of all switches
	uint64_t light, dark;            // cycles of all switches, in slots and between them
	size_t n_relayed;                // messages that go through another node
	double dark_share;               // the part of the makespan, over all switches, in which they turn
	double utilisation;              // flits of the demand per cycle and port
	double gap;                      // makespan minus bound, as a part of the bound
};
void loom_circuit_facts_of(struct loom_circuit_facts *out, const struct loom_circuit_schedule *schedule,
                           const struct loom_demand *demand, const struct loom_circuit_bound *bound);

// A demand, a schedule that carries it, and a bound.
struct loom_circuits {
	struct loom_demand demand;
	struct loom_circuit_schedule schedule;
	struct loom_circuit_bound bound;
};
void loom_circuits_free(struct loom_circuits *circuits); // frees the structure itself, too; NULL allowed

// Writes a schedule, in cycles. FILE.txt, as OpenOptics' from_schedule reads it: a line for each time in which no
// switch changes, with a number for each node's port on each switch (node * n_switches + switch), which says where
// its light goes; -1: nowhere. FILE.csv: the same under a heading, with begin and cycles of each line in front.
// LOOM_EINPUT: another ending. LOOM_EFILE.
int loom_circuit_write(const char *path, const struct loom_circuit_schedule *schedule, struct loom_err *err);
// Writes demand, schedule, bound and its proof as JSON, which tools/check_circuits.py checks. LOOM_EFILE.
int loom_circuit_certify(const char *path, const struct loom_circuits *circuits, struct loom_err *err);

LOOM_API_END

#endif
