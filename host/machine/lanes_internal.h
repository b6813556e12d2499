// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_LANES_INTERNAL_H
#define LOOM_LANES_INTERNAL_H

#include "base/arrays.h"
#include "machine/agenda.h"
#include "machine/lanes.h"

// The internals of the engine `lanes`, for its own files. lanes_step.c says how it works.
//
// The engine numbers lanes in its own way: place * stride + number in the link. Each channel has a place, which
// lanes_order.c chooses. stride is the least power of two that is not below n_vcs. Behind the places of the channels
// come those of the FIFOs at the far ends of optical links.

#define LANES_NONE UINT32_MAX
#define LANES_ASKS (UINT32_MAX - 1)

// The state of 64 lanes, a bit each. A FIFO has the number of the lane that fills it.
struct lanes_word {
	// Bits of FIFOs:
	//   some           it holds a flit
	//   full           it holds two; of deeper FIFOs: all slots are full
	//   tail0, tail1   its first flit is a tail; its second flit is
	//   turns          its first worm goes on by a lane that is not straight
	uint64_t some, full, tail0, tail1, turns;
	// Bits of lanes:
	//   has            its feeder has a flit for it; not kept for straight lanes
	//   header         it is free, and a header is the first in its queue
	//   held           a worm holds it
	//   asked          headers wait for it
	//   later          it comes behind the lane of its link that sent last
	//   straight       its worm comes from the FIFO one stride before it
	uint64_t has, header, held, asked, later, straight;
	// Bits of this cycle:
	//   sent           a flit crosses the lane
	//   sent_tail      that flit is a tail
	//   popped         the first flit leaves the FIFO, by a lane that is not straight
	uint64_t sent, sent_tail, popped;
	// Bits that stay: source, injection lanes; drains, ejection lanes.
	uint64_t source, drains;
};

// A set of lanes of one word.
struct lanes_bits {
	uint64_t bits;
	uint32_t word;
};

struct lanes_lane {
	uint32_t first; // the first worm in its queue: headers that wait for it, sorted by cycle, then by rank
	uint32_t last;  // the worm that was granted it last
};

struct lanes_channel {
	uint64_t since; // while headers wait: at least one has waited from this cycle on
	// flits: of all messages whose headers crossed; blocked: up to the last cycle with `waits` 0
	struct loom_engine_count count;
	uint32_t waits; // headers that wait for a lane of it
};

struct lanes_worm {
	const uint32_t *way; // the lanes of its route, in the user's numbers
	uint64_t id, offer;
	uint64_t asked;  // its header asks for way[at] from this cycle on
	uint64_t header; // the cycle in which its header crossed the ejection channel
	uint32_t n_way, at;
	uint32_t waited; // cycles for which it waited for way[0]
	uint32_t fifo;   // the FIFO in which its header is
	uint32_t next;   // the next worm in a lane's queue, or in the list of free worms
	uint32_t flits, node;
};

struct lanes_node {
	uint64_t from;   // its next message can ask from this cycle on
	uint32_t worm;   // its worm, whose release is in the agenda
	bool stands;     // the user had no message for it
	bool is_offered; // the user has had one for it since
};

struct lanes_lights; // lanes_light.c

// FIFOs of more than two slots, and slow links (lanes_deep.c).
#define LANES_DELAY_MAX (LOOM_LINK_DELAY_MAX + LOOM_ROUTER_DELAY_MAX)

struct lanes_deep {
	// depth: slots of a FIFO. delay: that of the slowest links; 0: no link is slow. back: the delay of credits on
	// these links
	unsigned depth, delay, back;
	uint8_t class_delay[LANES_DELAY_MAX]; // the different delays of links, ascending
	unsigned n_classes;
	// The planes of bits, n_planes for each word of lanes, in this order:
	//   depth     slot k of the FIFO holds a flit; slots are filled without gaps
	//   depth     the flit in slot k is a tail
	// With slow links there follow:
	//   1         the lane is that of a slow link
	//   n_classes the lane is that of a link of this class; left out if there is one class
	//   depth     more than k credits of the lane are outstanding
	//   delay     by cycle modulo delay: a flit leaves the link in that cycle
	//   delay     by cycle modulo delay: that flit is a tail
	//   back      by cycle modulo back: the lane gets a credit back in that cycle
	uint64_t *plane;
	unsigned n_planes;
	uint64_t *until; // by word: the last cycle in which a flit leaves one of its links, or a credit comes back
	uint64_t last;   // the latest of these
	// For each lane a ring of depth + 1: the worms that have flits in its FIFO, or will have, in the order in
	// which they enter it.
	uint32_t *worm;
	uint8_t *first, *n;        // by lane: the index of the first worm in its ring, and the number of worms
	struct loom_arrays arrays; // owns the arrays
};

struct loom_engine {
	struct loom_engine_net net;
	struct loom_engine_user user;
	bool paper, has_begun, is_still;
	unsigned shift, stride; // stride: the numbers that a channel has for its lanes, 1 << shift
	uint64_t now, last_moved;
	uint32_t n_places, n_lanes; // with those of far ends
	uint32_t n_words;
	struct lanes_word *word; // with a spare word before the first and another behind the last
	uint64_t *engaged;       // a bit for each word; 0: nothing is in its lanes
	uint32_t *active;        // the words of this cycle in which something is
	uint32_t n_active;
	// For each lane. feeder: the FIFO out of which its flits come; for an injection lane: the number of flits
	// left in its source. next: the lane by which the first worm of the FIFO goes on; LANES_ASKS: the header of
	// that worm waits for a lane; LANES_NONE: there is no worm, or it has not asked yet.
	uint32_t *feeder, *next;
	struct lanes_lane *lane;
	struct lanes_channel *channel; // by place
	uint32_t *inner;               // the engine's number of a lane, by the user's
	uint32_t *usual, *votes;       // by place, of lanes_order.c; NULL: places no longer change
	uint64_t n_grants, reorder_at;
	struct lanes_worm *worm;
	uint32_t n_worms; // worms under way, or to be released
	uint32_t n_room, n_fresh, free_worm;
	struct lanes_node *node;
	// nodes whose message is released later; its cycle is behind `now` only while it is empty
	struct loom_agenda agenda;
	uint32_t *offered, n_offered; // nodes
	// Lists of this cycle. others: lanes that send and are not straight; later, FIFOs that feed such lanes and
	// have become empty or no longer are. sources: injection lanes that send; later, lanes that tails cross.
	// header_bits: lanes that headers cross. lanes: one of these lists, lane by lane. heads: FIFOs in which a
	// header may have come to the head. arrived: worms. left: nodes whose message has left.
	struct lanes_bits *others, *sources, *header_bits;
	uint32_t n_others, n_sources, n_header_bits;
	uint32_t *lanes, *heads, *arrived, *left;
	uint32_t n_heads, n_arrived, n_left;
	bool (*step)(struct loom_engine *e);
	struct lanes_lights *lights; // NULL: none
	struct lanes_deep *deep;     // NULL: all FIFOs have two slots
	struct loom_arrays arrays;   // owns the arrays, except usual, votes and worm
};

static inline uint64_t lanes_bit(uint32_t l)
{
	return UINT64_C(1) << l % 64;
}

static inline struct lanes_word *lanes_word_of(const struct loom_engine *e, uint32_t l)
{
	return &e->word[l / 64];
}

static inline void lanes_engage(struct loom_engine *e, uint32_t l)
{
	e->engaged[l / 4096] |= UINT64_C(1) << l / 64 % 64;
}

// lanes_step.c
// Sets e->step to the function that runs a cycle, for the engine's stride and depth of FIFOs.
void loom_lanes_choose_step(struct loom_engine *e);

// lanes_headers.c
// Has a header ask for lane l from the next cycle on. The header is at the head of its FIFO, or in its source.
void loom_lanes_enqueue(struct loom_engine *e, uint32_t worm, uint32_t l);
// Has the first header in the queue of each of the first n lanes of e->lanes cross its lane.
void loom_lanes_headers_cross(struct loom_engine *e, uint32_t n);
// Frees the first n lanes of e->lanes, which the tails of their worms have crossed.
void loom_lanes_tails_cross(struct loom_engine *e, uint32_t n);
// Has the headers at the heads of the FIFOs in e->heads ask for their next lanes.
void loom_lanes_heads_ask(struct loom_engine *e);

// lanes_deep.c
int loom_lanes_deep_open(struct loom_engine *e); // -1: no memory
void loom_lanes_deep_close(struct lanes_deep *deep);
// Moves the FIFOs of a word on: those in `pop` lose a flit, those in `push` get one, which is a tail where `tail` is
// set. Flits for the near ends of optical links (`near`) are stored elsewhere.
void loom_lanes_deep_move(struct loom_engine *e, uint32_t i, uint64_t near, uint64_t pop, uint64_t push, uint64_t tail);
// Returns the lanes of a word whose FIFOs hold a flit, as far as the near ends know.
uint64_t loom_lanes_deep_taken(const struct loom_engine *e, uint32_t i);
bool loom_lanes_deep_stir(const struct loom_engine *e);              // a flit or a credit is under way on slow links
bool loom_lanes_deep_stirs(const struct loom_engine *e, uint32_t i); // the same for the slow links of a word
// Counts the flits under way on a slow lane, the oldest first, up to the first tail. *has_tail, which is false
// before, becomes true if there is one.
uint32_t loom_lanes_deep_flies(const struct loom_engine *e, uint32_t l, bool *has_tail);
// Notes that a worm enters a FIFO: its header comes now, or is on the link.
void loom_lanes_deep_enter(struct loom_engine *e, uint32_t f, uint32_t worm);
// Notes that the tail of its first worm has left a FIFO.
void loom_lanes_deep_leave(struct loom_engine *e, uint32_t f);
// Returns the first worm of a FIFO.
uint32_t loom_lanes_deep_first(const struct loom_engine *e, uint32_t f);
// Counts the flits in a FIFO, up to the first tail. *has_tail, which is false before, becomes true if there is one.
uint32_t loom_lanes_deep_holds(const struct loom_engine *e, uint32_t f, bool *has_tail);
// Gives lanes new numbers: number[old]. -1: no memory, and nothing has changed.
int loom_lanes_deep_renumber(struct loom_engine *e, const uint32_t *number);

// lanes_light.c
int loom_lanes_lights_open(struct loom_engine *e); // -1: no memory
void loom_lanes_lights_close(struct lanes_lights *lights);
// Returns the lanes of a word that are near ends of optical links.
uint64_t loom_lanes_lights_near_of(const struct loom_engine *e, uint32_t i);
void loom_lanes_lights_begin(struct loom_engine *e); // Begins a cycle. It comes before all other work of the cycle.
// Takes flits out of optical links into the FIFOs at their far ends. It comes after the decision what crosses lanes.
void loom_lanes_lights_arrive(struct loom_engine *e);
void loom_lanes_lights_send(struct loom_engine *e); // Puts the flits that cross near ends on their links.
// True if anything on optical links, or in what their near ends know, can still change.
bool loom_lanes_lights_stir(const struct loom_engine *e);
uint32_t loom_lanes_lights_far(const struct loom_engine *e, uint32_t l);  // Returns the FIFO at the end of a lane.
uint32_t loom_lanes_lights_near(const struct loom_engine *e, uint32_t f); // Returns the lane at whose end a FIFO is.
// Counts the flits under way on an optical lane, up to the first tail. *has_tail, which is false before, becomes true
// if there is one.
uint32_t loom_lanes_lights_holds(const struct loom_engine *e, uint32_t l, bool *has_tail);
// Notes that channels have new places: place[old].
void loom_lanes_lights_moved(struct loom_engine *e, const uint32_t *place);

// lanes_lock.c
// Returns how many flits of the worm that holds the lane have not crossed it yet.
uint32_t loom_lanes_uncrossed(const struct loom_engine *e, uint32_t l);

// lanes_order.c
int loom_lanes_order_open(struct loom_engine *e); // -1: no memory
// Counts that a worm came from lane `from` into lane `to`.
void loom_lanes_order_note(struct loom_engine *e, uint32_t from, uint32_t to);
// Gives all channels new places.
void loom_lanes_reorder(struct loom_engine *e);

#endif
