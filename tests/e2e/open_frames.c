// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Frames through verilated open fabrics (flitloom/link/open_fabric.h): usage
//   open_frames [seed=N] [frames=N] [calls] [registers] FABRIC...
// calls, registers: first what open_calls.h and open_registers.h say.
// On each fabric every node sends `frames` frames (40) of random lengths to nodes in turn from a random one on, so that all
// pairs have some; nodes stall at random on both sides, some of them most of the time, and now and then the link reads
// registers meanwhile. What comes is compared, beat by beat, with what was sent from that source to that node; at the end
// nothing may be missing, and each channel's counters must say what the routes of loom_topo say, headers included.
// Prints what fails, then "N passed, N failed".
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/link/open_fabric.h>
#include <flitloom/link/regmap.h>

#include "base/rng.h"
#include "open_calls.h"
#include "open_registers.h"

// See rig.c.
__attribute__((visibility("default"))) const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "detect_leaks=0";
}

#define BEATS_MOST 24u
#define PATIENCE 20000u // cycles without a beat after which the test gives up

struct frame {
	uint32_t to, n_beats;
	uint64_t seed; // gives the data of its beats
};

// The frames that a node sends, and the next beat. The frames are made before the run and do not depend on it.
struct sender {
	struct frame *frame; // owned
	uint32_t at, beat;
	uint64_t eager; // about how many of 16 cycles it offers, or accepts, in
};

// The state of the frames from one node to another: the number of the frame that arrives, and its next beat.
struct receiver {
	uint32_t at, beat;
};

struct scene {
	struct loom_open_fabric *f;
	struct loom_topo topo;
	struct loom_rng rng;
	uint32_t n_nodes, n_frames;
	struct sender *sender;
	struct receiver *receiver; // [to * n_nodes + from]
	struct loom_open_port *port;
	uint64_t n_beats, n_got; // n_beats: all that must arrive; n_got: those that have arrived
};

static bool complain(const struct scene *s, const char *what)
{
	printf("FAIL %s, cycle %" PRIu64 ": %s\n", s->topo.name, loom_open_fabric_now(s->f), what);
	return false;
}

static uint64_t beat_of(const struct frame *frame, uint32_t i, unsigned bits)
{
	uint64_t state = frame->seed + i;
	return loom_splitmix64(&state) >> (64 - bits);
}

static void make_frames(struct scene *s)
{
	for (uint32_t u = 0; u < s->n_nodes; u++) {
		struct sender *sender = &s->sender[u];
		uint32_t first = (uint32_t)loom_rng_below(&s->rng, s->n_nodes);
		sender->eager = loom_rng_below(&s->rng, 4) ? 12 : 2;
		sender->frame = calloc(s->n_frames, sizeof *sender->frame);
		for (uint32_t k = 0; sender->frame && k < s->n_frames; k++) {
			sender->frame[k] = (struct frame){(first + k) % s->n_nodes,
			                                  1 + (uint32_t)loom_rng_below(&s->rng, BEATS_MOST),
			                                  loom_rng_next(&s->rng)};
			s->n_beats += sender->frame[k].n_beats;
		}
	}
}

static void set_offer(struct scene *s, uint32_t u)
{
	struct sender *sender = &s->sender[u];
	struct loom_open_port *p = &s->port[u];
	if (p->taken) {
		const struct frame *frame = &sender->frame[sender->at];
		p->offer = false;
		if (++sender->beat == frame->n_beats) {
			sender->beat = 0;
			sender->at++;
		}
	}
	if (p->offer || sender->at == s->n_frames || loom_rng_below(&s->rng, 16) >= sender->eager)
		return;
	const struct frame *frame = &sender->frame[sender->at];
	p->offer = true;
	p->in = (struct loom_open_beat){
		.data = beat_of(frame, sender->beat, loom_open_fabric_data_bits(s->f)),
		.node = sender->beat ? UINT32_MAX : frame->to, // it has a meaning only in the first beat
		.last = sender->beat + 1 == frame->n_beats,
	};
}

// Returns the next frame from `from` to `to` that has not arrived, or NULL.
static const struct frame *expected(struct scene *s, uint32_t from, uint32_t to, struct receiver *r)
{
	while (r->at < s->n_frames && s->sender[from].frame[r->at].to != to)
		r->at++;
	return r->at < s->n_frames ? &s->sender[from].frame[r->at] : NULL;
}

static bool check_beat(struct scene *s, uint32_t to, const struct loom_open_beat *beat)
{
	char what[160];
	struct receiver *r = &s->receiver[(size_t)to * s->n_nodes + beat->node];
	const struct frame *frame = expected(s, beat->node, to, r);
	if (!frame) {
		(void)snprintf(what, sizeof what, "a beat from %" PRIu32 " to %" PRIu32 " that nobody sent", beat->node,
		               to);
		return complain(s, what);
	}
	uint64_t data = beat_of(frame, r->beat, loom_open_fabric_data_bits(s->f));
	bool last = r->beat + 1 == frame->n_beats;
	if (beat->data != data || beat->last != last) {
		(void)snprintf(what, sizeof what,
		               "from %" PRIu32 " to %" PRIu32 ", frame %" PRIu32 ", beat %" PRIu32 ": 0x%" PRIx64
		               "%s, not 0x%" PRIx64 "%s",
		               beat->node, to, r->at, r->beat, beat->data, beat->last ? " last" : "", data,
		               last ? " last" : "");
		return complain(s, what);
	}
	s->n_got++;
	r->beat = last ? 0 : r->beat + 1;
	r->at += last;
	return true;
}

static bool read_something(struct scene *s)
{
	struct loom_err err;
	uint32_t word;
	if (loom_link_read(loom_open_fabric_link(s->f), LOOM_REG_NODES, &word, 1, 1000, &err) != 0)
		return complain(s, err.text);
	return word == s->n_nodes || complain(s, "the register NODES is wrong");
}

static bool step(struct scene *s, uint64_t *quiet)
{
	struct loom_err err;
	bool ok = true;
	for (uint32_t u = 0; u < s->n_nodes; u++) {
		set_offer(s, u);
		s->port[u].accept = loom_rng_below(&s->rng, 16) < s->sender[s->n_nodes - 1 - u].eager;
	}
	bool read = loom_rng_below(&s->rng, 100) == 0;
	if (loom_open_fabric_cycle(s->f, s->port, &err) != 0)
		return complain(s, err.text);
	++*quiet;
	for (uint32_t u = 0; ok && u < s->n_nodes; u++) {
		const struct loom_open_port *p = &s->port[u];
		if (p->got && (p->waits || !p->accept))
			ok = complain(s, "a beat that was not accepted has come");
		if (p->got)
			*quiet = 0;
		ok = ok && (!p->got || check_beat(s, u, &p->out));
	}
	return ok && (!read || read_something(s));
}

static bool run(struct scene *s)
{
	uint64_t quiet = 0;
	while (s->n_got < s->n_beats)
		if (!step(s, &quiet))
			return false;
		else if (quiet > PATIENCE)
			return complain(s, "beats are missing, and none comes");
	for (unsigned i = 0; i < 100; i++) // in these cycles no more beats may come
		if (!step(s, &quiet))
			return false;
	return !loom_open_fabric_busy(s->f) || complain(s, "it is busy, and everything has come");
}

// Checks that every frame was sent and has arrived.
static bool check_ends(const struct scene *s)
{
	for (uint32_t u = 0; u < s->n_nodes; u++)
		if (s->sender[u].at != s->n_frames)
			return complain(s, "a node has not sent all its frames");
	for (uint32_t u = 0; u < s->n_nodes; u++)
		for (uint32_t v = 0; v < s->n_nodes; v++) {
			struct receiver r = s->receiver[(size_t)v * s->n_nodes + u];
			if (r.beat != 0 || expected((struct scene *)s, u, v, &r))
				return complain(s, "a frame has not come");
		}
	return true;
}

struct count {
	uint32_t worms, flits;
};

static struct count *counts_by_routes(const struct scene *s)
{
	struct count *counts = calloc(loom_topo_channels(&s->topo), sizeof *counts);
	for (uint32_t u = 0; counts && u < s->n_nodes; u++)
		for (uint32_t k = 0; k < s->n_frames; k++) {
			const struct frame *frame = &s->sender[u].frame[k];
			struct loom_route route;
			uint32_t channel;
			// A Benes network routes forward unless its register CONFIG says otherwise.
			enum loom_rule rule = s->topo.kind->two_directions ? LOOM_RULE_DESCENDING : LOOM_RULE_ASCENDING;
			for (loom_route_begin(&route, &s->topo, u, frame->to, rule);
			     loom_route_next(&route, &channel);) {
				counts[channel].worms++;
				counts[channel].flits += frame->n_beats + 1;
			}
		}
	return counts;
}

static bool check_counts(const struct scene *s)
{
	struct loom_err err;
	bool ok = true;
	uint32_t per_tile = loom_topo_channels_per_tile(&s->topo), word[4];
	struct count *counts = counts_by_routes(s);
	for (uint32_t c = 0; ok && counts && c < loom_topo_channels(&s->topo); c++) {
		uint32_t at = LOOM_WINDOW_COUNTS | c / per_tile << LOOM_INDEX_LOW | c % per_tile * 4;
		if (loom_link_read(loom_open_fabric_link(s->f), at, word, 4, 1000, &err) != 0)
			ok = complain(s, err.text);
		if (ok && (word[0] != counts[c].worms || word[1] != counts[c].flits || word[3] != 0)) {
			char what[160], name[48];
			loom_topo_channel_name(&s->topo, c, name);
			(void)snprintf(what, sizeof what,
			               "channel %s carried %" PRIu32 " messages of %" PRIu32
			               " flits, by the routes %" PRIu32 " of %" PRIu32,
			               name, word[0], word[1], counts[c].worms, counts[c].flits);
			ok = complain(s, what);
		}
	}
	free(counts);
	return ok;
}

static bool test(const char *fabric, uint32_t n_frames, uint64_t seed)
{
	struct loom_err err;
	struct scene s = {.n_frames = n_frames};
	if (loom_open_fabric_open(&s.f, fabric, NULL, &err) != 0) {
		printf("FAIL %s: %s\n", fabric, err.text);
		return false;
	}
	s.topo = *loom_open_fabric_topo(s.f);
	s.n_nodes = loom_open_fabric_nodes(s.f);
	loom_rng_init(&s.rng, seed);
	s.sender = calloc(s.n_nodes, sizeof *s.sender);
	s.receiver = calloc((size_t)s.n_nodes * s.n_nodes, sizeof *s.receiver);
	s.port = calloc(s.n_nodes, sizeof *s.port);
	make_frames(&s);
	bool ok = run(&s) && check_ends(&s) && check_counts(&s);
	printf("%s %s, seed %" PRIu64 ": %" PRIu64 " beats in %" PRIu64 " cycles\n", ok ? "ok  " : "FAIL", s.topo.name,
	       seed, s.n_got, loom_open_fabric_now(s.f));
	for (uint32_t u = 0; u < s.n_nodes; u++)
		free(s.sender[u].frame);
	free(s.sender);
	free(s.receiver);
	free(s.port);
	loom_open_fabric_close(s.f);
	return ok;
}

int main(int argc, char **argv)
{
	uint64_t seed = 1;
	uint32_t n_frames = 40, n_passed = 0, n_failed = 0;
	(void)setvbuf(stdout, NULL, _IOLBF, 0);
	for (int i = 1; i < argc; i++)
		if (strncmp(argv[i], "seed=", 5) == 0)
			seed = strtoull(argv[i] + 5, NULL, 0);
		else if (strncmp(argv[i], "frames=", 7) == 0)
			n_frames = (uint32_t)strtoul(argv[i] + 7, NULL, 0);
		else if (strcmp(argv[i], "calls") == 0)
			open_calls(&n_passed, &n_failed);
		else if (strcmp(argv[i], "registers") == 0)
			open_registers(&n_passed, &n_failed);
		else if (test(argv[i], n_frames, seed))
			n_passed++;
		else
			n_failed++;
	printf("%" PRIu32 " passed, %" PRIu32 " failed\n", n_passed, n_failed);
	return n_failed ? 1 : 0;
}
