// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs a cycle, 64 lanes at a time. Each state of a lane or of a FIFO is a bit in struct lanes_word. Four bits
// describe a FIFO: it has a flit; it has two; its first flit is a tail; its second is. (For deeper FIFOs lanes_deep.c
// keeps the slots, and the second of these bits says that the FIFO is full.) The bits of a lane say whether a worm
// holds it, whether headers ask for it, whether there is a flit for it, whether that flit is a header, and whether
// its turn is still to come. Logic on whole words first decides which flits cross lanes, and then moves the FIFOs.
// For both the engine must know which FIFO feeds each lane:
//
//   straight: the worm keeps to the usual way of its link, on the same lane. It then comes out of the FIFO one stride
//             before, so a shift finds the FIFO's bit. lanes_order.c chooses the places of channels so that most worms
//             are straight.
//   others:   `feeder` and `next` name the FIFO and the lane, one by one. `has` says for such a lane whether its FIFO
//             has a flit; it is updated only when that changes.
//
// Flits have no numbers. A tail is a bit that travels with its flit. A header is looked up when it comes to the head
// of its FIFO. The engine skips a word while no lane in it is held or asked for and no FIFO in it has a flit.
#include "machine/lanes_internal.h"

#include <string.h>

#define INLINE static inline __attribute__((always_inline))

// Returns the first lane of each link, where a link has v lanes.
INLINE uint64_t firsts(unsigned v)
{
	return UINT64_MAX / ((UINT64_C(1) << v) - 1);
}

// Returns all lanes of those links of which x has a lane.
INLINE uint64_t spread(uint64_t x, unsigned v)
{
	for (unsigned k = 1; k < v; k *= 2)
		x |= x >> k;
	return v == 1 ? x : ((x & firsts(v)) << v) - (x & firsts(v));
}

// Returns, for each link, the lanes behind the first one that x has of it.
INLINE uint64_t behind(uint64_t x, unsigned v)
{
	if (v == 1)
		return 0;
	for (unsigned k = 1; k < v; k *= 2) // the mask takes lanes from k on
		x |= x << k & firsts(v) * (((1u << v) - 1) ^ ((1u << k) - 1));
	return x << 1 & ~firsts(v);
}

// Returns, at each lane, the bit of the lane one stride before it.
INLINE uint64_t before(uint64_t here, uint64_t word_before, unsigned v)
{
	return here << v | word_before >> (64 - v);
}

// Appends the lanes `bits` of word i to a list, unless there are none.
INLINE void list_bits(struct lanes_bits *list, uint32_t *n, uint64_t bits, uint32_t i)
{
	list[*n] = (struct lanes_bits){bits, i};
	*n += bits != 0;
}

// The state of a walk along a list: the bits left of this word, and those of the next word, which are read ahead.
struct walk {
	const struct lanes_bits *at;
	uint64_t bits, next;
};

INLINE struct walk walk_from(const struct lanes_bits *at)
{
	return (struct walk){at, at->bits, at[1].bits};
}

// Returns a lane and moves on. It does not branch at the end of a word, because a processor cannot predict where that
// is.
INLINE uint32_t step_on(struct walk *w)
{
	uint32_t l = w->at->word * 64 + (unsigned)__builtin_ctzll(w->bits);
	w->bits &= w->bits - 1;
	uint64_t is_over = w->bits == 0;
	w->bits |= w->next & -is_over;
	w->at += is_over;
	w->next = w->at[1].bits;
	return l;
}

// Lists the lanes one by one. Each step depends on the one before, so two walks run side by side, from the beginning
// and from the middle.
INLINE uint32_t list_lanes(uint32_t *out, struct lanes_bits *list, uint32_t n)
{
	const struct lanes_bits *middle = list + n / 2, *end = list + n;
	uint32_t n_out = 0, n_more = 0, *more = out + n / 2 * 64;
	list[n] = list[n + 1] = (struct lanes_bits){0, 0};
	struct walk a = walk_from(list), b = walk_from(middle);
	while (a.at < middle && b.at < end) {
		out[n_out++] = step_on(&a);
		more[n_more++] = step_on(&b);
	}
	while (a.at < middle)
		out[n_out++] = step_on(&a);
	while (b.at < end)
		more[n_more++] = step_on(&b);
	memmove(out + n_out, more, n_more * sizeof *out);
	return n_out + n_more;
}

// Picks a lane for each link of v lanes, in turns, among the lanes in `ready`.
INLINE uint64_t take_turns(struct lanes_word *w, uint64_t ready, unsigned v)
{
	uint64_t first = ready & w->later, wanted = w->held | w->asked, go, passed;
	if (v == 1)
		return ready;
	if (v == 2) { // `later` has second lanes alone
		go = first | (ready & ~(first | first >> 1));
		passed = (go & firsts(2)) << 1;
		go &= ~passed;
		w->later = (w->later & (wanted | wanted << 1) & ~go) | passed;
		return go;
	}
	go = first | (ready & ~spread(first, v));
	go &= ~behind(go, v);
	w->later = (w->later & spread(wanted, v) & ~spread(go, v)) | behind(go, v);
	return go;
}

// Decides what crosses the lanes of a word. True if anything moves.
INLINE bool decide(struct loom_engine *e, uint32_t i, unsigned v, bool paper, bool deep)
{
	struct lanes_word *w = &e->word[i];
	uint64_t flit = w->has | (before(w->some, w[-1].some, v) & w->straight);
	uint64_t behind = paper && deep ? loom_lanes_deep_taken(e, i) : w->some;
	uint64_t go = take_turns(w, flit & (paper ? ~(w->full | (w->header & behind)) : ~w->full), v);
	w->sent = go;
	w->sent_tail = before(w->tail0, w[-1].tail0, v) & go & w->straight;
	list_bits(e->others, &e->n_others, go & ~(w->straight | w->source), i);
	list_bits(e->sources, &e->n_sources, go & w->source, i);
	list_bits(e->header_bits, &e->n_header_bits, go & w->header, i);
	return (go | (w->some & w->drains)) != 0;
}

// Takes a flit out of the source of each injection lane that sends.
INLINE void take_from_sources(struct loom_engine *e)
{
	uint32_t n = list_lanes(e->lanes, e->sources, e->n_sources);
	for (uint32_t k = 0; k < n; k++) {
		uint32_t l = e->lanes[k];
		lanes_word_of(e, l)->sent_tail |= (uint64_t)(--e->feeder[l] == 0) << l % 64;
	}
}

// Takes the first flit out of the FIFO of each lane that sends and is not straight.
INLINE void take_from_feeders(struct loom_engine *e)
{
	uint32_t n = list_lanes(e->lanes, e->others, e->n_others);
	for (uint32_t k = 0; k < n; k++) {
		uint32_t l = e->lanes[k], f = e->feeder[l];
		struct lanes_word *from = lanes_word_of(e, f);
		from->popped |= lanes_bit(f);
		lanes_word_of(e, l)->sent_tail |= (from->tail0 >> f % 64 & 1) << l % 64;
	}
}

// Updates FIFOs of two slots: those in `pop` lose their first flit, and each lane in `sent` puts a flit into its
// FIFO.
INLINE void move_two(struct lanes_word *w, uint64_t pop)
{
	uint64_t rest = (w->some & ~pop) | w->full;
	w->tail0 = (w->tail0 & ~pop) | (w->tail1 & pop) | (w->sent_tail & ~rest);
	w->tail1 = (w->tail1 & ~pop) | (w->sent_tail & rest);
	w->full = (w->full & ~pop) | (w->sent & rest);
	w->some = rest | w->sent;
}

// Updates the FIFOs of word i. Lists those that have become empty or no longer are, if they feed lanes that are not
// straight, and the lanes that tails have crossed.
INLINE void update(struct loom_engine *e, uint32_t i, unsigned v, bool deep)
{
	struct lanes_word *w = &e->word[i];
	uint64_t straight = (w->sent & w->straight) >> v | (w[1].sent & w[1].straight) << (64 - v);
	uint64_t pop = w->popped | straight | (w->some & w->drains), was = w->some;
	w->popped = 0;
	if (deep) {
		const uint64_t near = e->lights ? loom_lanes_lights_near_of(e, i) : 0;
		loom_lanes_deep_move(e, i, near, pop, w->sent, w->sent_tail);
	} else {
		move_two(w, pop);
	}
	list_bits(e->others, &e->n_others, (was ^ w->some) & w->turns, i);
	list_bits(e->sources, &e->n_sources, w->sent_tail, i);
}

// Updates `has` of the lanes that are not straight, and whose FIFO has become empty or no longer is.
INLINE void tell_followers(struct loom_engine *e)
{
	uint32_t n = list_lanes(e->lanes, e->others, e->n_others);
	for (uint32_t k = 0; k < n; k++) {
		uint32_t l = e->next[e->lanes[k]];
		lanes_word_of(e, l)->has ^= lanes_bit(l);
	}
}

// Lists the words that hold something, and drops those that no longer do.
INLINE void list_active(struct loom_engine *e, bool deep)
{
	e->n_active = 0;
	for (uint32_t k = 0; k <= e->n_words / 64; k++) {
		for (uint64_t words = e->engaged[k]; words; words &= words - 1) {
			uint32_t i = k * 64 + (unsigned)__builtin_ctzll(words);
			struct lanes_word *w = &e->word[i];
			if ((w->held | w->asked | w->some) || (deep && loom_lanes_deep_stirs(e, i))) {
				e->active[e->n_active++] = i;
				continue;
			}
			w->later = w->sent = 0;
			e->engaged[k] &= ~(UINT64_C(1) << i % 64);
		}
	}
}

// Runs a cycle. False: nothing moved, and nothing is under way on slow or optical links.
INLINE bool step(struct loom_engine *e, unsigned v, bool paper, bool deep)
{
	bool moved = false;
	e->n_others = e->n_sources = e->n_header_bits = e->n_heads = e->n_arrived = e->n_left = 0;
	if (e->lights)
		loom_lanes_lights_begin(e);
	list_active(e, deep);
	for (uint32_t k = 0; k < e->n_active; k++)
		moved = decide(e, e->active[k], v, paper, deep) | moved;
	take_from_sources(e);
	take_from_feeders(e);
	if (e->lights) {
		loom_lanes_lights_send(e);
		loom_lanes_lights_arrive(e);
		moved = loom_lanes_lights_stir(e) || moved;
	}
	moved = (deep && loom_lanes_deep_stir(e)) || moved;
	if (!moved)
		return false;
	e->n_others = e->n_sources = 0;
	for (uint32_t k = 0; k < e->n_active; k++)
		update(e, e->active[k], v, deep);
	tell_followers(e);
	loom_lanes_headers_cross(e, list_lanes(e->lanes, e->header_bits, e->n_header_bits));
	loom_lanes_tails_cross(e, list_lanes(e->lanes, e->sources, e->n_sources));
	loom_lanes_heads_ask(e);
	return true;
}

// Compiles a step of its own for links of 1, 2, 4 and 8 places, so that the number is a constant in each.
#define STEP(v)                                                                                                        \
	static bool step_##v(struct loom_engine *e)                                                                    \
	{                                                                                                              \
		return e->paper ? step(e, v, true, false) : step(e, v, false, false);                                  \
	}                                                                                                              \
	static bool step_deep_##v(struct loom_engine *e)                                                               \
	{                                                                                                              \
		return e->paper ? step(e, v, true, true) : step(e, v, false, true);                                    \
	}

STEP(1)
STEP(2)
STEP(4)
STEP(8)

void loom_lanes_choose_step(struct loom_engine *e)
{
	static bool (*const steps[][2])(struct loom_engine *) = {
		{step_1, step_deep_1}, {step_2, step_deep_2}, {step_4, step_deep_4}, {step_8, step_deep_8}};
	e->step = steps[e->shift][e->deep != NULL];
}
