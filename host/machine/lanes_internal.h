// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_LANES_INTERNAL_H
#define LOOM_LANES_INTERNAL_H

#include "base/arrays.h"
#include "machine/agenda.h"
#include "machine/lanes.h"

// The inside of the engine `lanes`, for its own files. lanes_step.c says how it works.
//
// The engine numbers lanes in its own way: place * stride + number in the link. stride is the least power of two that
// is not below n_vcs, and lanes_order.c chooses the place of each channel. The FIFOs at the far ends of optical links
// have the places behind those of the channels.

#define LANES_NONE UINT32_MAX
#define LANES_ASKS (UINT32_MAX - 1)

// 64 lanes, a bit each. A FIFO has the bit of the lane that fills it.
struct lanes_word {
	// The bits of a FIFO: it has a flit; it has two; the first is a tail; the second is a tail; the first leaves
	// by a lane that is not the straight one.
	uint64_t some, full, tail0, tail1, turns;
	// The bits of a lane: its feeder has a flit for it (not kept for straight ones); it is free, and a header
	// stands first in its queue; a worm holds it; headers wait for it; it is behind the lane of its link that
	// sent last; its worm comes from the FIFO one stride before.
	uint64_t has, header, held, asked, later, straight;
	// In this cycle: a flit crosses; it is a tail; the first flit leaves the FIFO (by a lane that is not straight).
	uint64_t sent, sent_tail, popped;
	// Injection lanes; ejection lanes.
	uint64_t source, drains;
};

// Some lanes of a word.
struct lanes_bits {
	uint64_t bits;
	uint32_t word;
};

struct lanes_lane {
	uint32_t first; // of the headers that wait for it, by cycle, then by rank; a worm
	uint32_t last;  // the worm that was granted it last
};

struct lanes_channel {
	uint64_t since;                 // while headers wait: the first cycle since which one has
	struct loom_engine_count count; // flits: of all headers that crossed; blocked: until waits was last 0
	uint32_t waits;                 // headers that ask
};

struct lanes_worm {
	const uint32_t *way; // in the user's numbers
	uint64_t id, offer;
	uint64_t asked;  // the cycle from which on it asks for way[at]
	uint64_t header; // the cycle in which it crossed the ejection channel
	uint32_t n_way, at;
	uint32_t waited; // for way[0]
	uint32_t fifo;   // in which the header is
	uint32_t next;   // in a lane's queue, or of those that are free
	uint32_t flits, node;
};

struct lanes_node {
	uint64_t from;   // the cycle from which on its next message can ask
	uint32_t worm;   // that is in the agenda
	bool stands;     // its user had no message for it
	bool is_offered; // but has one now
};

struct lanes_lights; // lanes_light.c

// FIFOs of more than two slots, and slow links (lanes_deep.c).
#define LANES_DELAY_MAX (LOOM_LINK_DELAY_MAX + LOOM_ROUTER_DELAY_MAX)

struct lanes_deep {
	unsigned depth, delay, back;          // of the slowest links; delay 0: no link is slow; back: that of credits
	uint8_t class_delay[LANES_DELAY_MAX]; // each delay that a link has, ascending
	unsigned n_classes;
	// By word, n_planes: slot k of a FIFO holds a flit, for each of `depth`; that flit is a tail. Slots are
	// filled without gaps. With a delay there follow: the lane is that of a slow link; the same for each class,
	// if there are several; more than k credits are outstanding, for each of `depth`; by cycle modulo the delay,
	// the flits that leave the link, and which of them are tails; by cycle modulo the delay of credits, the lanes
	// that get a credit back.
	uint64_t *plane;
	unsigned n_planes;
	uint64_t *until; // by word: the last cycle in which anything comes out of its links, or is told
	uint64_t last;   // the latest of these
	// The worms of which flits are in a FIFO, or will be, as they came: by lane, a ring of depth + 1.
	uint32_t *worm;
	uint8_t *first, *n;        // by lane
	struct loom_arrays arrays; // owns the arrays
};

struct loom_engine {
	struct loom_engine_net net;
	struct loom_engine_user user;
	bool paper, has_begun, is_still;
	unsigned shift, stride; // stride: places of lanes in a channel, 1 << shift
	uint64_t now, last_moved;
	uint32_t n_places, n_lanes; // those of far ends included
	uint32_t n_words;
	struct lanes_word *word; // one more before the first, one more behind the last
	uint64_t *engaged;       // by word, a bit: something is in it
	uint32_t *active;        // words, of this cycle
	uint32_t n_active;
	// By lane. feeder: the FIFO out of which flits come to it; of an injection lane: how many flits its source has left. next: the lane
	// by which the first flit of the FIFO goes, LANES_ASKS if it is a header that waits, LANES_NONE if it is not there or not known.
	uint32_t *feeder, *next;
	struct lanes_lane *lane;
	struct lanes_channel *channel; // by place
	uint32_t *inner;               // by the user's number of a lane
	uint32_t *usual, *votes;       // by place; lanes_order.c; NULL: no longer
	uint64_t n_grants, reorder_at;
	struct lanes_worm *worm;
	uint32_t n_worms; // under way, or to be
	uint32_t n_room, n_fresh, free_worm;
	struct lanes_node *node;
	struct loom_agenda agenda;    // nodes whose message is released later; behind `now` only where it is empty
	uint32_t *offered, n_offered; // nodes
	// Lists of this cycle. others: lanes that are not fed straight, then the FIFOs that feed them; sources:
	// injection lanes, then lanes that tails cross; lanes: one of these lists, lane by lane; heads: FIFOs in
	// which a header may have come to the head; arrived: worms; left: nodes.
	struct lanes_bits *others, *sources, *header_bits;
	uint32_t n_others, n_sources, n_header_bits;
	uint32_t *lanes, *heads, *arrived, *left;
	uint32_t n_heads, n_arrived, n_left;
	bool (*step)(struct loom_engine *e);
	struct lanes_lights *lights; // NULL: none
	struct lanes_deep *deep;     // NULL: all FIFOs have two slots
	struct loom_arrays arrays;   // owns the arrays but usual, votes and worm
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
void loom_lanes_choose_step(struct loom_engine *e);

// lanes_headers.c
// The header in a FIFO's first slot, or in its source, asks for this lane from the next cycle on.
void loom_lanes_enqueue(struct loom_engine *e, uint32_t worm, uint32_t l);
void loom_lanes_headers_cross(struct loom_engine *e, uint32_t n); // the first n of e->lanes
void loom_lanes_tails_cross(struct loom_engine *e, uint32_t n);
void loom_lanes_heads_ask(struct loom_engine *e); // those of e->heads

// lanes_deep.c
int loom_lanes_deep_open(struct loom_engine *e); // -1: no memory
void loom_lanes_deep_close(struct lanes_deep *deep);
// Moves the FIFOs of a word on: those in `pop` lose a flit, those in `push` get one, which is a tail where `tail` is
// set. Flits for the near ends of optical links (`near`) are stored elsewhere.
void loom_lanes_deep_move(struct loom_engine *e, uint32_t i, uint64_t near, uint64_t pop, uint64_t push, uint64_t tail);
// Returns the lanes of a word whose FIFOs hold a flit, as far as the near ends know.
uint64_t loom_lanes_deep_taken(const struct loom_engine *e, uint32_t i);
bool loom_lanes_deep_stir(const struct loom_engine *e);              // something is under way on slow links
bool loom_lanes_deep_stirs(const struct loom_engine *e, uint32_t i); // on those of a word
// The flits under way on a lane, up to the first tail; *has_tail: there is one.
uint32_t loom_lanes_deep_flies(const struct loom_engine *e, uint32_t l, bool *has_tail);
void loom_lanes_deep_enter(struct loom_engine *e, uint32_t f, uint32_t worm); // its header comes, or will
void loom_lanes_deep_leave(struct loom_engine *e, uint32_t f);                // the tail of the first one has left
uint32_t loom_lanes_deep_first(const struct loom_engine *e, uint32_t f);
// The flits in a FIFO, up to the first tail; *has_tail: there is one.
uint32_t loom_lanes_deep_holds(const struct loom_engine *e, uint32_t f, bool *has_tail);
// Lanes have new numbers, by old number. -1: no memory, and nothing has changed.
int loom_lanes_deep_renumber(struct loom_engine *e, const uint32_t *number);

// lanes_light.c
int loom_lanes_lights_open(struct loom_engine *e); // -1: no memory
void loom_lanes_lights_close(struct lanes_lights *lights);
uint64_t loom_lanes_lights_near_of(const struct loom_engine *e, uint32_t i); // near ends, of a word
void loom_lanes_lights_begin(struct loom_engine *e);                         // a cycle, before all else
void loom_lanes_lights_arrive(struct loom_engine *e); // flits come out of them, once it is known what crosses lanes
void loom_lanes_lights_send(struct loom_engine *e);   // flits that cross their near ends
bool loom_lanes_lights_stir(const struct loom_engine *e);
uint32_t loom_lanes_lights_far(const struct loom_engine *e, uint32_t l);  // the FIFO at the end of the lane
uint32_t loom_lanes_lights_near(const struct loom_engine *e, uint32_t f); // the lane at whose end the FIFO is
// The flits under way on the lane, up to the first tail; *has_tail: there is one.
uint32_t loom_lanes_lights_holds(const struct loom_engine *e, uint32_t l, bool *has_tail);
void loom_lanes_lights_moved(struct loom_engine *e, const uint32_t *place); // channels have new places

// lanes_lock.c
// How many flits of the worm that holds the lane have not crossed it yet.
uint32_t loom_lanes_uncrossed(const struct loom_engine *e, uint32_t l);

// lanes_order.c
int loom_lanes_order_open(struct loom_engine *e); // -1: no memory
void loom_lanes_order_note(struct loom_engine *e, uint32_t from, uint32_t to);
void loom_lanes_reorder(struct loom_engine *e);

#endif
