// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The places of channels in the engine that moves flits: votes against a count apart, and new places against chains
// that are made slowly. What these change is time alone, so no run shows whether they are right.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "machine/lanes_internal.h"
#include "unit/help/engine_checks.h"
#include "unit/help/some_nets.h"

enum { PLACES_MOST = 256, NONE = -1 };

static const char *const names[] = {"ring:8v2", "torus:4x4v2", "cube:3", "mesh:3x3v3", "otis-mesh:4l2v2", "cube:3v8"};
enum { N_NAMES = sizeof names / sizeof names[0] };

struct scene {
	struct ref_net ref;
	struct engine_net net;
	struct loom_engine *engine;
	uint32_t n; // places of channels
};

static bool next(void *user, struct loom_engine_message *out, uint32_t node, uint64_t from)
{
	(void)user, (void)out, (void)node, (void)from;
	return false;
}

static void arrived(void *user, const struct loom_engine_arrival *arrival)
{
	(void)user, (void)arrival;
}

static void begin(struct scene *s, const char *name)
{
	const struct loom_engine_user user = {.next = next, .arrived = arrived};
	s->ref = net_of(name);
	engine_net_of(&s->net, &s->ref, NULL);
	assert_int_equal(loom_engine_lanes.open(&s->engine, &s->net.net, false, &user, NULL), 0);
	s->n = s->net.net.n_channels;
	assert_true(s->engine->n_places <= PLACES_MOST);
}

static void end(struct scene *s)
{
	loom_engine_lanes.close(s->engine);
	engine_net_free(&s->net);
}

// --- Votes ----------------------------------------------------------------------------------------------------------

// A header that comes by the lane of the same number votes for the channel that it comes from, where that is no far
// end of light.
static void test_votes(void **state)
{
	(void)state;
	for (unsigned k = 0; k < N_NAMES; k++) {
		struct scene s;
		begin(&s, names[k]);
		uint32_t usual[PLACES_MOST] = {0}, votes[PLACES_MOST] = {0};
		const unsigned stride = s.engine->stride;
		random_start(k + 1);
		for (unsigned i = 0; i < 4000; i++) {
			// Few, so that they meet; with far ends, if there are any.
			const uint32_t a = random_below(4) ? random_below(5) : random_below(s.engine->n_places);
			const uint32_t b = random_below(3), from = random_below(stride), to = random_below(stride);
			loom_lanes_order_note(s.engine, a * stride + from, b * stride + to);
			if (a < s.n && from == to) {
				if (votes[b] == 0 || usual[b] == a) {
					usual[b] = a;
					votes[b]++;
				} else {
					votes[b]--;
				}
			}
			assert_int_equal(s.engine->votes[b], votes[b]);
			assert_true(votes[b] == 0 || s.engine->usual[b] == usual[b]);
		}
		assert_memory_equal(s.engine->votes, votes, s.engine->n_places * sizeof *votes);
		end(&s);
	}
}

// --- Places ---------------------------------------------------------------------------------------------------------

// Returns the place at which a chain begins.
static int head_of(const int *before, int p)
{
	while (before[p] != NONE)
		p = before[p];
	return p;
}

// The place without a chain so far, of those not looked at, with most votes; of several the lowest.
static int most_votes(const uint32_t *votes, const bool *seen, uint32_t n)
{
	int best = NONE;
	for (uint32_t p = 0; p < n; p++)
		if (!seen[p] && votes[p] > 0 && (best == NONE || votes[p] > votes[best]))
			best = (int)p;
	return best;
}

// New places by old: those of chains, in the order of their first ones, then those that are alone.
static void place_slowly(uint32_t *out, const uint32_t *usual, const uint32_t *votes, uint32_t n)
{
	int before[PLACES_MOST], behind[PLACES_MOST];
	bool seen[PLACES_MOST] = {false};
	uint32_t place = 0;
	for (uint32_t p = 0; p < n; p++)
		before[p] = behind[p] = NONE;
	for (int p; (p = most_votes(votes, seen, n)) != NONE;) {
		const int a = (int)usual[p];
		seen[p] = true;
		if (behind[a] == NONE && head_of(before, a) != p) {
			behind[a] = p;
			before[p] = a;
		}
	}
	for (uint32_t head = 0; head < n; head++)
		for (int p = (int)head; before[head] == NONE && behind[head] != NONE && p != NONE; p = behind[p])
			out[p] = place++;
	for (uint32_t p = 0; p < n; p++)
		if (before[p] == NONE && behind[p] == NONE)
			out[p] = place++;
	assert_int_equal(place, n);
}

// Channels change places twice; their state moves along the first time, and is dropped the second time.
static void test_places(void **state)
{
	(void)state;
	for (unsigned seed = 1; seed <= 40 * N_NAMES; seed++) {
		struct scene s;
		begin(&s, names[seed % N_NAMES]);
		struct loom_engine *e = s.engine;
		random_start(seed);
		assert_int_equal(e->reorder_at, s.n);
		for (unsigned round = 0; round < 2; round++) {
			uint32_t inner[PLACES_MOST * 8], usual[PLACES_MOST], votes[PLACES_MOST], want[PLACES_MOST];
			const unsigned most = 1 + random_below(seed % 2 ? 3 : 40);
			for (uint32_t p = 0; p < s.n; p++) {
				// Some form circles, and some are alone.
				usual[p] = random_below(3) ? (p + random_below(3) + s.n - 1) % s.n : random_below(s.n);
				votes[p] = random_below(most + 1);
				e->usual[p] = usual[p];
				e->votes[p] = votes[p];
			}
			memcpy(inner, e->inner, s.n * s.net.net.n_vcs * sizeof *inner);
			place_slowly(want, usual, votes, s.n);
			loom_lanes_reorder(e);
			for (uint32_t k = 0; k < s.n * s.net.net.n_vcs; k++)
				assert_int_equal(e->inner[k],
				                 want[inner[k] >> e->shift] * e->stride + k % s.net.net.n_vcs);
			for (uint32_t p = 0; round == 0 && p < s.n; p++) {
				assert_int_equal(e->votes[want[p]], votes[p]);
				assert_int_equal(e->usual[want[p]], want[usual[p]]);
			}
			assert_int_equal(e->reorder_at, 8 * (uint64_t)s.n);
		}
		assert_null(e->votes);
		assert_null(e->usual);
		end(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_votes), cmocka_unit_test(test_places)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
