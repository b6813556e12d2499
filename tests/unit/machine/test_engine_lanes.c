// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The engine that moves flits against the reference machine: random lists and programs on networks of every kind, both timings.
// A longer run: LANES_RUNS=100000 build/tests/test_engine_lanes; LANES_SEED is the seed of the first one.
#include "machine/lanes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "unit/help/engine_checks.h"
#include "unit/help/some_nets.h"
#include "unit/help/tally.h"

enum { MESSAGES_MOST = 4000, NODES_SLOW = 48, QUICK = 8 };

// Networks of every kind that the reference has. graph:NAMEvN is the direct network NAME told link by link, with N lanes, of which
// each pair of nodes has one.
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
	"cube:3v2",
	"cube:4v3",
	"cube:3v8",
	"line:6v3",
	"mesh:3x4v4",
	"mesh:4x4v7",
	"ring:7v3",
	"torus:4x5v5",
	"torus:3x4v8",
	"table-ring:6v2",
	"table-ring:7v4",
	"table-line:6v2",
	"table-mesh:3x4v2",
	"table-mesh:4x4v4",
	"table-mesh:3x4v3",
	"table-ring:6v5",
	"table-cube:3v8",
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
	"graph:ring:5v3",
	"graph:mesh:3x3v5",
	"graph:torus:3x3v8",
	"graph:torus:4x2v3",
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
	"omega:1",
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
	unsigned n_nodes;
	struct ref_net net;
	struct ref_min min;
	struct ref_graph graph;
};

static void *room_for(size_t n, size_t size)
{
	void *p = calloc(n + 1, size);
	if (!p)
		abort();
	return p;
}

static void tell_link_by_link(struct network *out, unsigned n_vcs)
{
	const struct ref_net net = out->net;
	struct ref_graph *g = &out->graph;
	unsigned n = ref_net_nodes(&net), back;
	g->n_links = ref_net_links(&net);
	g->out = room_for(n * g->n_links, sizeof *g->out);
	g->in = room_for(n * g->n_links, sizeof *g->in);
	g->next = room_for(n * n, sizeof *g->next);
	g->vc = room_for(n * n, sizeof *g->vc);
	for (unsigned k = 0; k < n * g->n_links; k++) {
		g->out[k].node = REF_NOWHERE;
		if (ref_net_link(&g->out[k].node, &back, &net, k / g->n_links, k % g->n_links))
			g->out[k].link = back;
		g->in[k] = g->out[k];
	}
	for (unsigned k = 0; k < n * n; k++) {
		g->next[k] = ref_net_next(&net, k / n, k % n, REF_ASCENDING);
		g->vc[k] = random_below(n_vcs);
	}
	out->net = (struct ref_net){.kind = REF_GRAPH, .n_extents = 1, .extent = {n}, .n_vcs = n_vcs, .graph = g};
}

static void network_of(struct network *out, const char *name)
{
	static const char *const stages[] = {"omega", "baseline", "icube", "romega", "rbaseline", "ricube"};
	size_t n = strcspn(name, ":");
	char direct[40];
	out->is_min = false;
	for (size_t k = 0; k < sizeof stages / sizeof *stages; k++) {
		if (strlen(stages[k]) == n && strncmp(name, stages[k], n) == 0) {
			out->is_min = true;
			ref_min_build(&out->min, stages[k], (unsigned)atoi(name + n + 1));
			out->n_nodes = out->min.n;
			return;
		}
	}
	if (strncmp(name, "graph:", 6) == 0) {
		(void)snprintf(direct, sizeof direct, "%.*s", (int)strcspn(name + 6, "v"), name + 6);
		out->net = net_of(direct);
		tell_link_by_link(out, (unsigned)atoi(strchr(name, 'v') + 1));
	} else {
		out->net = net_of(name);
	}
	out->n_nodes = ref_net_nodes(&out->net);
}

static void free_network(struct network *n)
{
	free(n->graph.out);
	free(n->graph.in);
	free(n->graph.next);
	free(n->graph.vc);
	n->graph = (struct ref_graph){0};
}

static bool has_light(const struct network *n)
{
	return !n->is_min && (n->net.light_cycles > 0 || n->net.light_ratio > 1);
}

struct list {
	size_t n;
	struct ref_message message[MESSAGES_MOST];
	enum ref_order order[MESSAGES_MOST];
	struct ref_chosen *chosen; // NULL: they go by order
};

// Lengths: all equal, short, of two sorts, or anything up to 60.
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

// Without tables messages go by one order; else there is a lane for each.
static unsigned orders_of(const struct network *net)
{
	return net->is_min || !net->net.has_tables ? 1 : ref_net_vcs(&net->net);
}

// Ways that were chosen: of some order each, by any lane.
static void choose_ways(struct list *l, const struct network *net)
{
	static size_t channel[REF_NODES_MAX + 2];
	l->chosen = NULL;
	if (net->is_min || !net->net.has_tables || random_below(2))
		return;
	l->chosen = room_for(l->n, sizeof *l->chosen);
	for (size_t m = 0; m < l->n; m++) {
		const struct ref_way way = {l->message[m].source, l->message[m].destination,
		                            (enum ref_order)random_below(2)};
		size_t n = ref_net_walk(channel, &net->net, &way);
		uint32_t *link = room_for(n, sizeof *link);
		for (size_t k = 1; k + 1 < n; k++)
			link[k - 1] = (uint32_t)channel[k];
		l->chosen[m] = (struct ref_chosen){link, n > 2 ? n - 2 : 0, random_below(ref_net_vcs(&net->net))};
	}
}

static void free_ways(struct list *l)
{
	for (size_t m = 0; l->chosen && m < l->n; m++)
		free((void *)l->chosen[m].link);
	free(l->chosen);
}

// Programs that send the list: some messages not before a cycle, below `span`; with delays and waits between them, or without.
static struct ref_program *random_programs_of(const struct list *l, unsigned n_nodes, unsigned span, bool waits)
{
	struct ref_program *p = room_for(n_nodes, sizeof *p);
	for (unsigned v = 0; v < n_nodes; v++)
		p[v].entry = room_for(2 * l->n, sizeof *p[v].entry);
	for (size_t m = 0; m < l->n; m++) {
		const struct ref_message *any = &l->message[random_below((unsigned)m + 1)];
		struct ref_program *of = &p[l->message[m].source];
		if (waits && random_below(4) == 0)
			of->entry[of->n++] = (struct ref_entry){.kind = REF_DELAY, .value = 1 + random_below(50)};
		else if (waits && any->destination == l->message[m].source)
			of->entry[of->n++] = (struct ref_entry){
				.kind = REF_WAIT, .value = 1 + random_below(2), .source = any->source};
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
}

// ---- Random runs

static struct network net;
static struct list list;

static uint64_t from_environment(const char *name, uint64_t usual)
{
	const char *text = getenv(name);
	return text ? strtoull(text, NULL, 10) : usual;
}

// A list on the network, in one of both timings.
static enum engine_end run_on(const char *name, unsigned most, unsigned span, uint64_t seed)
{
	static const unsigned depths[] = {2, 2, 3, 4, 5, 8, 13, 64};
	const unsigned buffers = depths[random_below(sizeof depths / sizeof *depths)];
	if (!net.is_min)
		net.net.link_delay =
			has_light(&net) || random_below(2) ? 0 : 1 + random_below(random_below(2) ? 4 : 63);
	unsigned char *delays = NULL;
	if (!net.is_min && net.net.link_delay > 0 && random_below(2)) { // each link has one of its own, or none
		const size_t n = (size_t)ref_net_nodes(&net.net) * ref_net_links(&net.net);
		delays = room_for(n, 1);
		for (size_t i = 0; i < n; i++)
			delays[i] = (unsigned char)random_below(net.net.link_delay + 1);
		net.net.delays = delays;
	}
	if (!net.is_min)
		net.net.router_delay = has_light(&net) || random_below(2) ? 0 : 1 + random_below(15);
	char what[100];
	bool paper = random_below(2), timed = random_below(2);
	random_list(&list, net.n_nodes, 1 + random_below(most), orders_of(&net));
	choose_ways(&list, &net);
	struct ref_program *p = timed ? random_programs_of(&list, net.n_nodes, span, random_below(2)) : NULL;
	(void)snprintf(what, sizeof what, "%s, buffers of %u, delays %u%s and %u, %s, seed %llu", name, buffers,
	               net.is_min ? 0 : net.net.link_delay, delays ? " at most" : "",
	               net.is_min ? 0 : net.net.router_delay, paper ? "paper" : "fast", (unsigned long long)seed);
	enum engine_end end = engine_check(&(struct engine_check){.kind = &loom_engine_lanes,
	                                                          .what = what,
	                                                          .net = net.is_min ? NULL : &net.net,
	                                                          .min = net.is_min ? &net.min : NULL,
	                                                          .buffers = buffers,
	                                                          .timing = paper ? REF_PAPER : REF_FAST,
	                                                          .message = list.message,
	                                                          .n_messages = list.n,
	                                                          .orders = net.is_min ? NULL : list.order,
	                                                          .chosen = list.chosen,
	                                                          .program = p,
	                                                          .slice = random_below(4) ? 0 : 1 + random_below(100),
	                                                          .locked = compare_circle,
	                                                          .user = &net.net});
	if (delays)
		net.net.delays = NULL;
	free(delays);
	free_programs(p, net.n_nodes);
	free_ways(&list);
	return end;
}

static void test_random_runs(void **state)
{
	(void)state;
	uint64_t n = from_environment("LANES_RUNS", 0), first = from_environment("LANES_SEED", 1);
	unsigned ends[3] = {0};
	struct tally tally = {0};
	for (uint64_t seed = first; seed < first + (n ? n : QUICK * N_NAMES); seed++) {
		random_start(seed);
		const char *name = names[seed % N_NAMES];
		network_of(&net, name);
		unsigned most = net.n_nodes > NODES_SLOW ? 20 : 60, span = has_light(&net) ? 300 : 3000;
		if (n && random_below(20) == 0)
			most *= 12;
		ends[run_on(name, most, 1 + random_below(random_below(2) ? span : 200), seed)]++;
		tally_add(&tally, name);
		free_network(&net);
	}
	tally_print(&tally, "lanes");
	assert_true(ends[ENGINE_ENDS] > 0 && ends[ENGINE_WAITS] > 0 && ends[ENGINE_LOCKS] > 0);
	if (n)
		print_message("%u ended, %u with waits that are not met, %u locked\n", ends[ENGINE_ENDS],
		              ends[ENGINE_WAITS], ends[ENGINE_LOCKS]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random_runs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
