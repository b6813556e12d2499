// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The engine of worms against the slow reference machine: lists and programs on all networks whose channels have one lane.
// LOOM_RUNS in the environment: number of random runs, instead of the usual ones.
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "unit/help/engine_checks.h"
#include "unit/help/tally.h"

#define MESSAGES_MOST 400u
#define ENTRIES_MOST (3 * MESSAGES_MOST)

static const char *const direct[] = {"cube:1",       "cube:2",      "cube:3",       "cube:4",         "cube:5",
                                     "line:2",       "line:3",      "line:7",       "ring:3",         "ring:4",
                                     "ring:9",       "mesh:2x2",    "mesh:3x5",     "mesh:4x4",       "mesh:6x3",
                                     "mesh:2x3x4",   "torus:2x2",   "torus:3x3",    "torus:4x5",      "torus:2x3x4",
                                     "table-cube:3", "otis-mesh:4", "otis-mesh:16", "table-mesh:3x4", "table-torus:3x4",
                                     "table-ring:5", "table-line:4"};
static const char *const stages[] = {"baseline", "omega", "icube", "rbaseline", "romega", "ricube"};
enum { N_DIRECT = sizeof direct / sizeof direct[0], N_STAGES = sizeof stages / sizeof stages[0] };

// A run, and what it is made of.
struct scene {
	struct ref_net net;
	struct ref_min min;
	struct ref_message message[MESSAGES_MOST];
	enum ref_order orders[MESSAGES_MOST];
	struct ref_entry entry[ENTRIES_MOST];
	struct ref_program *program;
	char what[80];
	struct engine_check check;
};

static unsigned below(struct loom_rng *rng, unsigned n)
{
	return (unsigned)loom_rng_below(rng, n);
}

static void make_messages(struct scene *s, struct loom_rng *rng, unsigned n_nodes, bool is_direct)
{
	static const unsigned longest[] = {1, 2, 3, 6, 20, 60};
	unsigned most = longest[below(rng, 6)], n = 1 + below(rng, below(rng, 4) ? 60 : MESSAGES_MOST);
	bool mixed = below(rng, 4) == 0, rings = is_direct && (s->net.kind == REF_RING || s->net.kind == REF_TORUS);
	enum ref_order order = (enum ref_order)below(rng, rings ? 4 : 2);
	for (unsigned m = 0; m < n; m++) {
		struct ref_message *message = &s->message[m];
		*message = (struct ref_message){below(rng, n_nodes), below(rng, n_nodes), 1 + below(rng, most)};
		while (is_direct && message->destination == message->source)
			message->destination = below(rng, n_nodes);
		s->orders[m] = mixed ? (enum ref_order)below(rng, 2) : order;
	}
	s->check.n_messages = n;
}

// Programs that send the messages as listed, with cycles, delays and waits in between.
static void make_programs(struct scene *s, struct loom_rng *rng, unsigned n_nodes)
{
	static const unsigned cycles[] = {3, 40, 400, 3000};
	unsigned most = cycles[below(rng, 4)], waits = below(rng, 3);
	size_t n = 0;
	s->program = calloc(n_nodes, sizeof *s->program);
	assert_non_null(s->program);
	for (unsigned node = 0; node < n_nodes; node++) {
		struct ref_entry *first = &s->entry[n];
		for (size_t m = 0; m < s->check.n_messages; m++) {
			if (s->message[m].source != node)
				continue;
			if (below(rng, 4) == 0)
				s->entry[n++] = (struct ref_entry){.kind = REF_DELAY, .value = 1 + below(rng, most)};
			// It waits for some message before this one in the list, so that all waits are met.
			size_t k = m ? below(rng, (unsigned)m) : 0, count = 0;
			if (waits && m && below(rng, 3) == 0 && s->message[k].destination == node) {
				for (size_t i = 0; i <= k; i++)
					count += s->message[i].source == s->message[k].source &&
					         s->message[i].destination == node;
				s->entry[n++] = (struct ref_entry){
					.kind = REF_WAIT, .source = s->message[k].source, .value = count};
			}
			s->entry[n++] = (struct ref_entry){
				.kind = REF_SEND, .message = m, .at = below(rng, 3) ? 0 : below(rng, 10 * most)};
		}
		s->program[node] = (struct ref_program){first, (size_t)(&s->entry[n] - first)};
	}
	assert_true(n <= ENTRIES_MOST);
	s->check.program = s->program;
}

static enum engine_end run_scene(uint64_t seed, struct tally *tally)
{
	struct loom_rng rng;
	struct scene *s = calloc(1, sizeof *s);
	unsigned n_nodes, which;
	assert_non_null(s);
	loom_rng_init(&rng, seed);
	which = below(&rng, N_DIRECT + N_STAGES);
	s->check = (struct engine_check){.kind = &loom_engine_worms,
	                                 .what = s->what,
	                                 .timing = below(&rng, 2) ? REF_PAPER : REF_FAST,
	                                 .message = s->message,
	                                 .slice = below(&rng, 4) ? 0 : 1 + below(&rng, 50),
	                                 .loose_lock = true};
	if (which < N_DIRECT) {
		assert_int_equal(ref_net_parse(&s->net, direct[which]), 0);
		s->check.net = &s->net;
		s->check.orders = s->orders;
		n_nodes = ref_net_nodes(&s->net);
		(void)snprintf(s->what, sizeof s->what, "seed %llu, %s", (unsigned long long)seed, direct[which]);
	} else {
		unsigned m = 1 + below(&rng, 5);
		ref_min_build(&s->min, stages[which - N_DIRECT], m);
		s->check.min = &s->min;
		n_nodes = s->min.n;
		(void)snprintf(s->what, sizeof s->what, "seed %llu, %s:%u", (unsigned long long)seed,
		               stages[which - N_DIRECT], n_nodes);
	}
	make_messages(s, &rng, n_nodes, which < N_DIRECT);
	if (below(&rng, 3) == 0)
		make_programs(s, &rng, n_nodes);
	enum engine_end end = engine_check(&s->check);
	tally_add(tally, which < N_DIRECT ? direct[which] : stages[which - N_DIRECT]);
	free(s->program);
	free(s);
	return end;
}

static void test_random_runs(void **state)
{
	(void)state;
	const char *wanted = getenv("LOOM_RUNS");
	uint64_t n = wanted ? strtoull(wanted, NULL, 10) : 400, ends[3] = {0};
	struct tally tally = {0};
	for (uint64_t seed = 1; seed <= n; seed++)
		ends[run_scene(seed, &tally)]++;
	tally_print(&tally, "worms");
	print_message("%llu runs: %llu ended, %llu wait for what never comes, %llu locked\n", (unsigned long long)n,
	              (unsigned long long)ends[ENGINE_ENDS], (unsigned long long)ends[ENGINE_WAITS],
	              (unsigned long long)ends[ENGINE_LOCKS]);
	assert_true(ends[ENGINE_ENDS] > n / 2 && (n < 100 || ends[ENGINE_LOCKS] > 0));
}

// A node that has a message now and then: each is offered between two runs, long after its release.
struct late {
	struct loom_engine_message message;
	bool has_one;
	uint64_t offer, header, tail;
};

static bool next_late(void *user, struct loom_engine_message *out, uint32_t node, uint64_t from)
{
	struct late *late = user;
	(void)from;
	if (node != 0 || !late->has_one)
		return false;
	late->has_one = false;
	*out = late->message;
	return true;
}

static void late_arrived(void *user, const struct loom_engine_arrival *a)
{
	struct late *late = user;
	late->offer = a->offer;
	late->header = a->header;
	late->tail = a->tail;
}

// The message requests its channel from the cycle after the last run, and does not wait.
static void test_offered_late(void **state)
{
	(void)state;
	static const uint64_t cycles[] = {1, 2, 100, 255, 256, 257, 70000};
	struct ref_net ref;
	struct engine_net net;
	uint32_t way[8];
	assert_int_equal(ref_net_parse(&ref, "cube:2"), 0);
	engine_net_of(&net, &ref, NULL);
	const struct ref_message across = {.source = 0, .destination = 3, .n_flits = 5};
	const uint32_t n_way = engine_way(way, &net, &across, REF_ASCENDING, NULL);
	for (int paper = 0; paper <= 1; paper++) {
		struct late late = {.message = {.release = 1, .flits = 5, .n_way = n_way, .way = way}};
		const struct loom_engine_user user = {.next = next_late, .arrived = late_arrived, .user = &late};
		struct loom_engine *engine;
		enum loom_engine_state end;
		assert_int_equal(loom_engine_worms.open(&engine, &net.net, paper, &user, NULL), 0);
		for (size_t k = 0; k < sizeof cycles / sizeof cycles[0]; k++) {
			const uint64_t now = 1000 * k + cycles[k];
			assert_int_equal(loom_engine_worms.run(engine, &end, now, NULL), 0);
			assert_int_equal(end, LOOM_ENGINE_IDLE);
			const uint64_t asks = loom_engine_worms.cycle(engine) + 1;
			late.has_one = true;
			loom_engine_worms.offer(engine, 0);
			assert_false(late.has_one);
			assert_int_equal(loom_engine_worms.run(engine, &end, now + 900, NULL), 0);
			assert_int_equal(late.offer, asks);
			assert_int_equal(late.header, asks + n_way - 1);
			assert_int_equal(late.tail, asks + n_way - 1 + 4);
		}
		loom_engine_worms.close(engine);
	}
	engine_net_free(&net);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_runs), cmocka_unit_test(test_offered_late)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
