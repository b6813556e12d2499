// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_MIN_H
#define LOOM_MIN_H

#include <stdbool.h>
#include <stdint.h>

#include <flitloom/api.h>

LOOM_API_BEGIN

// The six multistage networks ([Yang00], section 2). Each has n = 2^m nodes, m stages of n/2 switches with two inputs
// and two outputs, and fixed wiring in front of, between and behind the stages. Columns: enum, name of the fabric, KIND
// register, description. A reverse network is its original with inputs and outputs exchanged.
#define LOOM_MIN_LIST(X)                                                                                               \
	X(BASELINE, baseline, 2, "baseline network of 2x2 switches")                                                   \
	X(OMEGA, omega, 3, "omega network of 2x2 switches: a perfect shuffle before each stage")                       \
	X(ICUBE, icube, 4, "indirect binary cube of 2x2 switches")                                                     \
	X(RBASELINE, rbaseline, 5, "reverse baseline network")                                                         \
	X(ROMEGA, romega, 6, "reverse (inverse) omega network: an unshuffle after each stage")                         \
	X(RICUBE, ricube, 7, "reverse indirect binary cube")

// The kinds of the list above.
enum loom_min_kind {
#define X(upper, lower, code, help) LOOM_MIN_##upper,
	LOOM_MIN_LIST(X)
#undef X
};

#define LOOM_MIN_KINDS 6
#define LOOM_MIN_M_MAX 20

// Lines are numbered 0 .. n-1 on both sides of a stage; switch q joins lines 2q and 2q+1 and is straight or crossed.
struct loom_min {
	enum loom_min_kind kind;
	unsigned m; // 1 .. LOOM_MIN_M_MAX
};

// Return the name of a network, and its number of nodes.
const char *loom_min_name(enum loom_min_kind kind);  // "omega"
uint32_t loom_min_nodes(const struct loom_min *net); // 2^m

// Returns the line to which the wiring in front of stage s leads a line. That line comes from the nodes (s = 0), from
// the outputs of stage s-1, or from the outputs of the last stage (s = m, to the nodes).
uint32_t loom_min_wire(const struct loom_min *net, unsigned s, uint32_t line);

// Returns the number of the destination bit that decides in a stage. A message for destination d leaves stage s on the
// upper output of its switch if this bit of d is 0, and on the lower output if it is 1.
unsigned loom_min_tag_bit(const struct loom_min *net, unsigned s);

// Follows the way of a message through one stage. Returns the line on which a message that comes to the wiring in front
// of stage s on `line` leaves that stage.
uint32_t loom_min_step(const struct loom_min *net, unsigned s, uint32_t line, uint32_t destination);

// Finds the only way from source to destination. out[s] is the line on which it leaves stage s, out[s] / 2 is its
// switch, and the wiring behind the last stage leads out[m-1] to the destination.
void loom_min_path(uint32_t out[LOOM_MIN_M_MAX], const struct loom_min *net, uint32_t source, uint32_t destination);

// True if the message crosses its switch at stage s (path as above).
bool loom_min_crosses(const struct loom_min *net, const uint32_t *path, uint32_t source, unsigned s);

LOOM_API_END

#endif
