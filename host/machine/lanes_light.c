// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Optical links, of latency l and ratio w. The near end is a lane like others, but its bits `full` and `some` say
// what it knows of the far end: `full`, no flit may be sent now; `some`, a flit may be under way or in the FIFO
// there. The far end is a FIFO of its own, which no lane fills.
//
// A flit is under way for l + w - 1 cycles and cannot be stopped. So a lane sends only while it knows of fewer than
// 2l + 1 of its flits (if w > 1: l + 1) that are not yet in the FIFO. It learns l cycles later that a flit has got
// there. One flit a cycle leaves the link. The lanes that have a flit at the far end of the link, and room for it in
// their FIFO, take turns: the next one behind the lane that was last. At the beginning, and after a cycle in which no
// lane had a flit, the lowest lane comes first.
#include "base/arrays.h"
#include "machine/lanes_internal.h"

#include <stdlib.h>
#include <string.h>

// A flit on an optical link.
struct flit {
	uint64_t there; // the first cycle in which it can enter the FIFO
	uint32_t worm;  // of a header, its worm; else LANES_NONE
	bool is_tail;
};

// A lane of an optical link.
struct beam {
	struct flit *flit; // a ring of `room`: its flits on the link
	// a ring of `room`: for each flit that left the link, the first cycle in which the near end knows
	uint64_t *word;
	bool *was_empty; // by cycle, a ring of l + 1: the FIFO at the far end was empty
	uint32_t first_flit, n_flits, first_word, n_words;
	uint64_t empty_since;
};

// An optical link.
struct light {
	uint32_t near, far; // the number of lane 0 at each end
	uint64_t free;      // the first cycle in which the next flit can be sent
	unsigned turn;
	bool is_active;
};

struct lanes_lights {
	// n: optical links. room: flits of a lane that may be under way. first_far: the lowest lane of a far end
	uint32_t n, room, first_far;
	uint64_t cycles, ratio;
	uint64_t changed; // the last cycle in which anything changed
	struct light *light;
	struct beam *beam;  // by link and lane
	uint32_t *by_place; // the link whose near end is there; LANES_NONE: none
	uint64_t *near;     // by word: the lanes that are near ends
	uint32_t *active, n_active;
	struct flit *flits;
	uint64_t *words;
	bool *were_empty;
	struct loom_arrays arrays; // owns the arrays
};

static void place_near_ends(struct loom_engine *e)
{
	struct lanes_lights *s = e->lights;
	memset(s->by_place, 0xff, e->n_places * sizeof *s->by_place);
	memset(s->near, 0, (e->n_words + 1) * sizeof *s->near);
	for (uint32_t k = 0; k < s->n; k++) {
		s->by_place[s->light[k].near >> e->shift] = k;
		for (uint32_t l = s->light[k].near; l < s->light[k].near + e->net.n_vcs; l++)
			s->near[l / 64] |= lanes_bit(l);
	}
}

static int take_room(struct lanes_lights *s, const struct loom_engine *e)
{
	size_t n_beams = (size_t)s->n * e->net.n_vcs, n_cycles = (size_t)s->cycles + 1;
	LOOM_ARRAY(&s->arrays, s->light, s->n);
	LOOM_ARRAY(&s->arrays, s->active, s->n);
	LOOM_ARRAY(&s->arrays, s->by_place, e->n_places);
	LOOM_ARRAY(&s->arrays, s->near, e->n_words + 1);
	LOOM_ARRAY(&s->arrays, s->beam, n_beams);
	LOOM_ARRAY(&s->arrays, s->flits, n_beams * s->room);
	LOOM_ARRAY(&s->arrays, s->words, n_beams * s->room);
	LOOM_ARRAY(&s->arrays, s->were_empty, n_beams * n_cycles);
	if (s->arrays.is_short)
		return -1;
	for (size_t b = 0; b < n_beams; b++)
		s->beam[b] = (struct beam){.flit = s->flits + b * s->room,
		                           .word = s->words + b * s->room,
		                           .was_empty = s->were_empty + b * n_cycles};
	return 0;
}

int loom_lanes_lights_open(struct loom_engine *e)
{
	struct lanes_lights *s = calloc(1, sizeof *s);
	e->lights = s;
	if (!s)
		return -1;
	for (uint32_t c = 0; c < e->net.n_channels; c++)
		s->n += e->net.is_light[c];
	s->cycles = e->net.light_cycles;
	s->ratio = e->net.light_ratio;
	s->room = e->net.light_cycles * (s->ratio > 1 ? 1 : 2) + 1;
	s->first_far = (e->n_places - s->n) << e->shift;
	if (take_room(s, e) != 0)
		return -1;
	for (uint32_t c = 0, k = 0; c < e->net.n_channels; c++) {
		if (!e->net.is_light[c])
			continue;
		s->light[k].near = e->inner[c * e->net.n_vcs];
		s->light[k].far = s->first_far + (k << e->shift);
		for (uint32_t l = s->light[k].far; l < s->light[k].far + e->net.n_vcs; l++) {
			lanes_word_of(e, l)->asked |= lanes_bit(l); // so that the word does not count as empty
			lanes_engage(e, l);
		}
		k++;
	}
	place_near_ends(e);
	return 0;
}

void loom_lanes_lights_close(struct lanes_lights *s)
{
	if (!s)
		return;
	loom_arrays_free(&s->arrays);
	free(s);
}

static struct beam *beam_of(const struct lanes_lights *s, const struct loom_engine *e, uint32_t light, unsigned v)
{
	return &s->beam[(size_t)light * e->net.n_vcs + v];
}

static uint32_t ring(uint32_t at, uint32_t size)
{
	return at < size ? at : at - size;
}

static void set_bit(uint64_t *bits, uint32_t l, bool value)
{
	*bits = (*bits & ~lanes_bit(l)) | (uint64_t)value << l % 64;
}

// Updates what the near end of lane v of link k knows in this cycle, and notes whether the FIFO at the far end is
// empty. True if the lane is at rest: nothing is on the link or in the FIFO, and the near end knows it.
static bool look(struct loom_engine *e, uint32_t k, unsigned v)
{
	struct lanes_lights *s = e->lights;
	struct light *light = &s->light[k];
	struct beam *beam = beam_of(s, e, k, v);
	struct lanes_word *near = lanes_word_of(e, light->near + v), *far = lanes_word_of(e, light->far + v);
	const uint64_t n_cycles = s->cycles + 1;
	bool is_empty = !(far->some & lanes_bit(light->far + v));
	if (is_empty != beam->was_empty[(e->now - 1) % n_cycles])
		s->changed = e->now;
	beam->was_empty[e->now % n_cycles] = is_empty;
	if (!is_empty)
		beam->empty_since = e->now + 1;
	while (beam->n_words > 0 && beam->word[beam->first_word] <= e->now) {
		beam->n_words--;
		beam->first_word = ring(beam->first_word + 1, s->room);
	}
	uint32_t n = beam->n_flits + beam->n_words;
	bool is_ready = e->now >= light->free && n < s->room;
	set_bit(&near->full, light->near + v, !is_ready);
	set_bit(&near->some, light->near + v, n > 0 || !beam->was_empty[(e->now + 1) % n_cycles]);
	return n == 0 && e->now >= light->free && is_empty && e->now - beam->empty_since >= s->cycles;
}

void loom_lanes_lights_begin(struct loom_engine *e)
{
	struct lanes_lights *s = e->lights;
	uint32_t n = 0;
	for (uint32_t a = 0; a < s->n_active; a++) {
		uint32_t k = s->active[a];
		bool is_over = true;
		for (unsigned v = 0; v < e->net.n_vcs; v++)
			is_over = look(e, k, v) && is_over;
		s->light[k].is_active = !is_over;
		if (!is_over)
			s->active[n++] = k;
	}
	s->n_active = n;
}

// Takes a flit out of link k, if one of its lanes has a flit there and room for it in its FIFO.
static void arrive(struct loom_engine *e, uint32_t k)
{
	struct lanes_lights *s = e->lights;
	struct light *light = &s->light[k];
	bool any = false;
	for (unsigned v = 0; v < e->net.n_vcs; v++) {
		const struct beam *beam = beam_of(s, e, k, v);
		any = any || (beam->n_flits > 0 && beam->flit[beam->first_flit].there <= e->now);
	}
	if (!any)
		light->turn = 0;
	for (unsigned i = 0; any && i < e->net.n_vcs; i++) {
		unsigned v = (light->turn + i) % e->net.n_vcs;
		struct beam *beam = beam_of(s, e, k, v);
		const struct flit *flit = &beam->flit[beam->first_flit];
		uint32_t f = light->far + v;
		struct lanes_word *word = lanes_word_of(e, f);
		if (beam->n_flits == 0 || flit->there > e->now || word->full & lanes_bit(f))
			continue;
		word->sent |= lanes_bit(f);
		if (flit->is_tail)
			word->sent_tail |= lanes_bit(f);
		if (flit->worm != LANES_NONE) {
			e->lane[f].last = flit->worm;
			if (e->deep)
				loom_lanes_deep_enter(e, f, flit->worm);
			e->heads[e->n_heads++] = f;
		}
		beam->n_flits--;
		beam->first_flit = ring(beam->first_flit + 1, s->room);
		beam->word[ring(beam->first_word + beam->n_words++, s->room)] = e->now + s->cycles + 1;
		light->turn = (v + 1) % e->net.n_vcs;
		s->changed = e->now;
		return;
	}
}

void loom_lanes_lights_arrive(struct loom_engine *e)
{
	for (uint32_t a = 0; a < e->lights->n_active; a++)
		arrive(e, e->lights->active[a]);
}

// Puts link k on the list of links in use. It was at rest, so its FIFOs have been empty for long enough.
static void wake(struct loom_engine *e, uint32_t k)
{
	struct lanes_lights *s = e->lights;
	if (s->light[k].is_active)
		return;
	s->light[k].is_active = true;
	s->active[s->n_active++] = k;
	for (unsigned v = 0; v < e->net.n_vcs; v++) {
		struct beam *beam = beam_of(s, e, k, v);
		beam->empty_since = 0;
		for (uint64_t i = 0; i <= s->cycles; i++)
			beam->was_empty[i] = true;
	}
}

// Puts a flit that crosses lane l, a near end, on its link.
static void send(struct loom_engine *e, uint32_t l, bool is_header, bool is_tail)
{
	struct lanes_lights *s = e->lights;
	uint32_t k = s->by_place[l >> e->shift];
	struct beam *beam = beam_of(s, e, k, l & (e->stride - 1));
	wake(e, k);
	beam->flit[ring(beam->first_flit + beam->n_flits++, s->room)] =
		(struct flit){.there = e->now + s->cycles + s->ratio - 1,
	                      .worm = is_header ? e->lane[l].first : LANES_NONE,
	                      .is_tail = is_tail};
	s->light[k].free = e->now + s->ratio;
	s->changed = e->now;
}

void loom_lanes_lights_send(struct loom_engine *e)
{
	for (uint32_t a = 0; a < e->n_active; a++) {
		const struct lanes_word *w = &e->word[e->active[a]];
		for (uint64_t m = w->sent & e->lights->near[e->active[a]]; m; m &= m - 1) {
			uint32_t l = e->active[a] * 64 + (unsigned)__builtin_ctzll(m);
			send(e, l, w->header & lanes_bit(l), w->sent_tail & lanes_bit(l));
		}
	}
}

bool loom_lanes_lights_stir(const struct loom_engine *e)
{
	return e->now <= e->lights->changed + e->lights->cycles + e->lights->ratio;
}

uint64_t loom_lanes_lights_near_of(const struct loom_engine *e, uint32_t i)
{
	return e->lights->near[i];
}

uint32_t loom_lanes_lights_far(const struct loom_engine *e, uint32_t l)
{
	uint32_t k = e->lights->by_place[l >> e->shift];
	return k == LANES_NONE ? l : e->lights->light[k].far + (l & (e->stride - 1));
}

uint32_t loom_lanes_lights_near(const struct loom_engine *e, uint32_t f)
{
	uint32_t first = e->lights->first_far;
	return f < first ? f : e->lights->light[(f - first) >> e->shift].near + (f & (e->stride - 1));
}

uint32_t loom_lanes_lights_holds(const struct loom_engine *e, uint32_t l, bool *has_tail)
{
	const struct lanes_lights *s = e->lights;
	const struct beam *beam = beam_of(s, e, s->by_place[l >> e->shift], l & (e->stride - 1));
	uint32_t n = 0;
	for (uint32_t i = 0; i < beam->n_flits && !*has_tail; i++, n++)
		*has_tail = beam->flit[ring(beam->first_flit + i, s->room)].is_tail;
	return n;
}

void loom_lanes_lights_moved(struct loom_engine *e, const uint32_t *place)
{
	for (uint32_t k = 0; k < e->lights->n; k++)
		e->lights->light[k].near = place[e->lights->light[k].near >> e->shift] << e->shift;
	place_near_ends(e);
}
