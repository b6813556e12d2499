// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The engine that moves flits against the reference machine: random lists and programs on networks of every kind, both timings.
// A longer run: LANES_RUNS=100000 build/tests/test_lanes; LANES_SEED is the seed of the first one.
#include "machine/lanes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "unit/help/engine_checks.h"
#include "unit/help/some_nets.h"

enum { QUICK_RUNS = 600, MESSAGES_MOST = 4000 };

// Direct networks of every kind that the reference has, and multistage ones.
static const char *const names[] = {
	"ring:2v2",
	"ring:3v2",
	"ring:5v2",
	"ring:8v2",
	"ring:17v2",
	"torus:3x3v2",
	"torus:4x4v2",
	"torus:2x5v2",
	"torus:1x4v2",
	"torus:3x2x4v2",
	"torus:8x8v2",
	"torus:5v2",
	"table-ring:6v2",
	"table-ring:7v4",
	"table-line:6v2",
	"table-mesh:3x4v2",
	"table-mesh:4x4v4",
	"table-torus:4x3v2",
	"table-torus:3x4v4",
	"table-cube:3v2",
	"table-cube:4v4",
	"cube:1",
	"cube:3",
	"cube:5",
	"line:2",
	"line:9",
	"ring:4",
	"ring:7",
	"mesh:3x5",
	"mesh:4x4",
	"mesh:2x3x4",
	"torus:4x4",
	"torus:3x5",
	"table-mesh:3x3",
	"table-cube:3",
	"table-torus:4x4",
	"otis-mesh:4",
	"otis-mesh:4v2",
	"otis-mesh:4l1",
	"otis-mesh:4w2",
	"otis-mesh:4l3w2v2",
	"otis-mesh:4l5v2",
	"otis-mesh:4w5v2",
	"otis-mesh:4l9w3",
	"otis-mesh:4l63w16v2",
	"otis-mesh:16l4w2v2",
	"omega:2",
	"omega:4",
	"baseline:3",
	"icube:4",
	"romega:3",
	"rbaseline:4",
	"ricube:3",
	"omega:5",
};

enum { N_NAMES = sizeof names / sizeof *names };

// A network by its name.
struct network {
	bool is_min;
	struct ref_net net;
	struct ref_min min;
};

static void network_of(struct network *out, const char *name)
{
	static const char *const stages[] = {"omega", "baseline", "icube", "romega", "rbaseline", "ricube"};
	size_t n = strcspn(name, ":");
	out->is_min = false;
	for (size_t k = 0; k < sizeof stages / sizeof *stages; k++) {
		if (strlen(stages[k]) == n && strncmp(name, stages[k], n) == 0) {
			out->is_min = true;
			ref_min_build(&out->min, stages[k], (unsigned)atoi(name + n + 1));
			return;
		}
	}
	out->net = net_of(name);
}

struct list {
	size_t n;
	struct ref_message message[MESSAGES_MOST];
	enum ref_order order[MESSAGES_MOST];
};

// Lengths: all alike, short, of two sorts, or anything up to 60.
static unsigned random_flits(unsigned how, unsigned same)
{
	switch (how) {
	case 0: return same;
	case 1: return 1 + random_below(3);
	case 2: return random_below(2) ? 1 : same;
	default: return 1 + random_below(60);
	}
}

static void random_list(struct list *l, unsigned n_nodes, unsigned n, unsigned n_orders)
{
	unsigned how = random_below(5), lengths = random_below(4), same = 1 + random_below(random_below(2) ? 60 : 8);
	unsigned hot = random_below(n_nodes), key = random_below(n_nodes);
	l->n = n;
	for (unsigned k = 0; k < n; k++) {
		unsigned u = random_below(n_nodes), v = random_below(n_nodes);
		switch (how) {
		case 0: break;                                               // uniform
		case 1: v = random_below(3) ? hot : v; break;                // to a hot spot
		case 2: u = random_below(3) ? hot : u; break;                // from one
		case 3: u = k % n_nodes; break;                              // every node its share
		case 4: u = k % n_nodes, v = (u * 5 + key) % n_nodes; break; // nearly one permutation over and over
		}
		l->message[k] = (struct ref_message){u, v, random_flits(lengths, same)};
		l->order[k] = (enum ref_order)random_below(n_orders);
	}
}

// Of a network without tables, and of one lane, messages go by one order; else there is a lane for each.
static unsigned orders_of(const struct network *net)
{
	if (net->is_min || !net->net.has_tables)
		return 1;
	return ref_net_vcs(&net->net);
}

// Programs that send the list, each message after a bound, delays and waits of its own, or none.
static struct ref_program *random_programs_of(const struct list *l, unsigned n_nodes, bool waits)
{
	struct ref_program *p = calloc(n_nodes, sizeof *p);
	unsigned span = 1 + random_below(random_below(3) ? 300 : 20000);
	if (!p)
		abort();
	for (unsigned v = 0; v < n_nodes; v++) {
		p[v].entry = calloc(2 * l->n + 1, sizeof *p[v].entry);
		if (!p[v].entry)
			abort();
	}
	for (size_t m = 0; m < l->n; m++) {
		struct ref_program *of = &p[l->message[m].source];
		if (waits && m > 0 && random_below(4) == 0) {
			size_t w = random_below((unsigned)m);
			of->entry[of->n++] =
				random_below(2) || l->message[w].destination != l->message[m].source
					? (struct ref_entry){.kind = REF_DELAY, .value = 1 + random_below(50)}
					: (struct ref_entry){.kind = REF_WAIT,
			                                     .value = 1 + random_below(2),
			                                     .source = l->message[w].source};
		}
		of->entry[of->n++] = (struct ref_entry){
			.kind = REF_SEND, .at = random_below(3) ? 1 + random_below(span) : 0, .message = m};
	}
	return p;
}

static void free_programs(struct ref_program *p, unsigned n_nodes)
{
	for (unsigned v = 0; p && v < n_nodes; v++)
		free(p[v].entry);
	free(p);
}

// ---- Locks

static unsigned n_locks;

static void compare_circle(void *user, const struct loom_engine *engine, const struct ref_lock *lock)
{
	const struct ref_net *net = user;
	struct loom_engine_wait *wait = NULL;
	struct loom_err err = {0};
	size_t n = 0;
	assert_int_equal(loom_lanes_lock(engine, &wait, &n, &err), 0);
	assert_int_equal(n, lock->n);
	for (size_t k = 0; k < n; k++) {
		assert_int_equal(wait[k].lane / ref_net_vcs(net), lock->circle[k].channel);
		assert_int_equal(wait[k].message, lock->circle[k].message);
		assert_int_equal(wait[k].is_header, lock->circle[k].is_header);
	}
	for (uint32_t c = 0; c < ref_net_channels(net); c++)
		assert_int_equal(loom_lanes_asked(engine, c), lock->asked[c]);
	free(wait);
	n_locks++;
}

// ---- Random runs

static struct network net;
static struct list list;

// A list on the network in both timings.
static void run_on(const char *name, unsigned most, uint64_t seed)
{
	unsigned n_nodes = net.is_min ? net.min.n : ref_net_nodes(&net.net);
	char what[100];
	bool timed = random_below(2), waits = timed && random_below(2);
	random_list(&list, n_nodes, 1 + random_below(most), orders_of(&net));
	struct ref_program *p = timed ? random_programs_of(&list, n_nodes, waits) : NULL;
	for (unsigned paper = 0; paper < 2; paper++) {
		(void)snprintf(what, sizeof what, "%s, %s, seed %llu", name, paper ? "paper" : "fast",
		               (unsigned long long)seed);
		engine_check(&(struct engine_check){.kind = &loom_engine_lanes,
		                                    .what = what,
		                                    .net = net.is_min ? NULL : &net.net,
		                                    .min = net.is_min ? &net.min : NULL,
		                                    .timing = paper ? REF_PAPER : REF_FAST,
		                                    .message = list.message,
		                                    .n_messages = list.n,
		                                    .orders = net.is_min ? NULL : list.order,
		                                    .program = p,
		                                    .slice = random_below(4) ? 0 : 1 + random_below(100),
		                                    .locked = compare_circle,
		                                    .user = &net.net});
	}
	free_programs(p, n_nodes);
}

static uint64_t from_environment(const char *name, uint64_t usual)
{
	const char *text = getenv(name);
	return text ? strtoull(text, NULL, 10) : usual;
}

static void test_random_runs(void **state)
{
	(void)state;
	uint64_t n = from_environment("LANES_RUNS", QUICK_RUNS), first = from_environment("LANES_SEED", 1);
	for (uint64_t seed = first; seed < first + n; seed += 2) {
		random_start(seed);
		const char *name = names[seed / 2 % N_NAMES];
		network_of(&net, name);
		unsigned n_nodes = net.is_min ? net.min.n : ref_net_nodes(&net.net);
		run_on(name, n_nodes > 64 ? 40 : n > QUICK_RUNS && random_below(20) == 0 ? 800 : 100, seed);
	}
	assert_true(n_locks > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random_runs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
