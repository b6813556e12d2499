// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_CIRCUITS_H
#define LOOM_CIRCUITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <flitloom/api.h>
#include <flitloom/err.h>

LOOM_API_BEGIN

// Optical circuits: a switch joins each node's sender to at most one node's receiver, a matching, for a number of cycles; it
// is dark while it turns to another one. docs/circuits.md.

#define LOOM_CIRCUIT_NODES_MAX 4096u
#define LOOM_CIRCUIT_SWITCHES_MAX 64u
#define LOOM_CIRCUIT_LINE_MOST 2147483648u // flits that a node sends in all, or receives
#define LOOM_CIRCUIT_DARK_MOST 16777215u
#define LOOM_CIRCUIT_NO_PORT UINT32_MAX // in a matching: no light for this sender

// How much each node sends to each other one.
struct loom_demand {
	uint32_t n;      // nodes, 1 .. LOOM_CIRCUIT_NODES_MAX
	uint32_t *flits; // owned; n * n, a row for each source, headers included. The diagonal is 0
};

// Makes a demand without flits; LOOM_EINPUT: so many nodes cannot be. loom_demand_free lets go of it.
int loom_demand_init(struct loom_demand *out, uint32_t n, struct loom_err *err);
void loom_demand_free(struct loom_demand *demand); // NULL allowed; leaves *demand zeroed
// LOOM_EINPUT: a row or column of more than LOOM_CIRCUIT_LINE_MOST flits, or a node that sends to itself.
int loom_demand_check(const struct loom_demand *demand, struct loom_err *err);

// A matching, and how long its light is on. to[i] is the node that receives from node i, no node twice, never i itself.
struct loom_circuit_slot {
	uint32_t cycles; // 1 at least; each sender gets rid of a flit per cycle
	uint32_t *to;    // owned; n_nodes of them, or LOOM_CIRCUIT_NO_PORT
};

// The slots of a switch in order. Light of the first is on from cycle 0, `dark` cycles go by between a slot and the next
// one unless both have the same matching. A slot in which no sender has light only waits.
struct loom_circuit_switch {
	struct loom_circuit_slot *slot; // owned
	size_t n_slots;
};

// A message: what a sender gets rid of in a slot in one piece. Those of a sender in a slot do not overlap, and end with it.
struct loom_circuit_parcel {
	uint32_t on, slot;            // the switch, and which of its slots
	uint32_t source, destination; // of this hop: to[source] of the slot is the destination
	uint32_t from, to;            // whose flits of the demand they are: other than the hop's where it is one of two
	uint32_t begin;               // cycles after the light of the slot went on; begin + flits <= cycles
	uint32_t flits;               // 1 at least, the header included
	size_t before;                // 1 + the parcel that brought it to `source`, of as many flits; 0: its own
};

// A schedule: what each switch does, and which flits travel when. Each demand's flits are those of the parcels that end in
// its destination. A second hop begins `relay_cycles` or more after the end of the light of the slot of the first.
struct loom_circuit_schedule {
	uint32_t n_nodes, n_switches, dark, relay_cycles;
	struct loom_circuit_switch *on;     // owned; n_switches of them
	size_t n_parcels;                   // in ascending order of switch, slot, source and begin
	struct loom_circuit_parcel *parcel; // owned
	uint64_t makespan;                  // the most over the switches of light and darkness
};

// The planners by name: "light", "rotor", "birkhoff", "solstice", "eclipse"; NULL after the last. What each does, in `help`.
const char *loom_circuit_planner_name(size_t i);
const char *loom_circuit_planner_help(size_t i);

// What is asked of a planner.
struct loom_circuit_options {
	const char *planner;   // NULL: light
	uint32_t n_switches;   // 1 .. LOOM_CIRCUIT_SWITCHES_MAX
	uint32_t dark;         // cycles, 0 .. LOOM_CIRCUIT_DARK_MOST
	bool relay;            // flits may go by way of one other node (rotor and light)
	uint32_t relay_cycles; // as of the schedule
	uint64_t seed, budget; // of light's search; the budget is counted in steps of it, not in time. 0 steps: none
	// Asked now and then, unless NULL: true ends the search with what it has found.
	bool (*stopped)(void *user);
	void *user;
};

// Makes a schedule that carries a demand. LOOM_EINPUT: an unknown planner, a demand or options that cannot be; LOOM_ENOMEM.
// The same request always gives the same schedule. Free with loom_circuit_schedule_free.
int loom_circuit_plan(struct loom_circuit_schedule *out, const struct loom_demand *demand,
                      const struct loom_circuit_options *options, struct loom_err *err);
void loom_circuit_schedule_free(struct loom_circuit_schedule *schedule); // NULL allowed; leaves it zeroed

// Computes when the light of each slot of a switch goes on: begin[s] of slot s, begin[n_slots] when it is all over.
void loom_circuit_begins(uint64_t *begin, const struct loom_circuit_schedule *schedule, uint32_t on);
// True if a slot has the matching of the one before it, so that the switch does not turn.
bool loom_circuit_stays(const struct loom_circuit_schedule *schedule, uint32_t on, size_t slot);

// Checks that a schedule is one, and that it carries the demand exactly. LOOM_EINPUT: what is wrong with it, and where.
int loom_circuit_check(const struct loom_circuit_schedule *schedule, const struct loom_demand *demand,
                       struct loom_err *err);

LOOM_API_END

#endif
