// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Circles of channels: against a plain search on a matrix, on random graphs, random plans and the routing of small
// networks; against every order in which a few long messages can take their channels; and the cases that have a name.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/deadlock.h>
#include <flitloom/image.h>

#include "base/rng.h"
#include "plan/channel_graph.h"

enum { NODES_MOST = 64, CHANNELS_MOST = 1024, ROUTE_MOST = 80, MESSAGES_MOST = 128 };

static uint32_t below(struct loom_rng *rng, uint32_t bound)
{
	return (uint32_t)loom_rng_below(rng, bound);
}

// --- The plain search ------------------------------------------------------------------------------------------------

struct matrix {
	uint32_t n;
	uint8_t edge[CHANNELS_MOST][CHANNELS_MOST];
};

static void clear(struct matrix *m, uint32_t n)
{
	assert_true(n <= CHANNELS_MOST);
	memset(m, 0, sizeof *m);
	m->n = n;
}

// Takes away channels from which no edge leads to one that is left, until there is none of these. What is left, if
// anything, has a circle.
static bool has_circle(const struct matrix *m)
{
	uint8_t gone[CHANNELS_MOST] = {0};
	uint32_t n_left = m->n;
	for (bool changed = true; changed;) {
		changed = false;
		for (uint32_t a = 0; a < m->n; a++) {
			bool leads_on = false;
			for (uint32_t b = 0; b < m->n; b++)
				leads_on = leads_on || (m->edge[a][b] && !gone[b]);
			if (gone[a] || leads_on)
				continue;
			gone[a] = 1;
			n_left--;
			changed = true;
		}
	}
	return n_left > 0;
}

// The virtual channels on the way, each with a number of its own; where there is one, the channels.
static unsigned route_of(const struct loom_topo *t, uint32_t source, uint32_t destination, unsigned rule,
                         uint32_t out[ROUTE_MOST])
{
	struct loom_route route;
	unsigned n = 0;
	loom_route_begin(&route, t, source, destination, (enum loom_rule)rule);
	for (uint32_t c; loom_route_next(&route, &c); out[n++] = c * t->n_vcs + route.vc)
		assert_true(n < ROUTE_MOST);
	return n;
}

static bool add_route(struct matrix *m, const struct loom_topo *t, uint32_t source, uint32_t destination, unsigned rule)
{
	uint32_t route[ROUTE_MOST];
	if (source == destination && !t->kind->self_uses_network)
		return false;
	unsigned n = route_of(t, source, destination, rule, route);
	for (unsigned k = 1; k < n; k++)
		m->edge[route[k - 1]][route[k]] = 1;
	return true;
}

// --- Graphs ----------------------------------------------------------------------------------------------------------

static void check_graph(const struct loom_channel_graph *g, const struct matrix *m, uint64_t seed, unsigned *n_circles)
{
	uint32_t *circle = NULL;
	size_t n = 0;
	assert_int_equal(loom_channel_graph_circle(&circle, &n, g), 0);
	if ((n > 0) != has_circle(m))
		fail_msg("seed %llu: %zu edges of a circle", (unsigned long long)seed, n);
	for (size_t i = 0; i < n; i++) {
		const struct loom_channel_edge *e = &g->edge[circle[i]];
		assert_true(m->edge[e->from][e->to]);
		assert_int_equal(e->who, e->from * 1000 + e->to);
		assert_int_equal(e->to, g->edge[circle[(i + 1) % n]].from);
		assert_true(i == 0 || e->from > g->edge[circle[0]].from); // each once, from the lowest on
		for (size_t k = 0; k < i; k++)
			assert_true(e->from != g->edge[circle[k]].from);
	}
	*n_circles += n > 0;
	free(circle);
}

static void test_graphs(void **state)
{
	(void)state;
	static struct matrix m;
	unsigned n_circles = 0, n_graphs = 0;
	struct loom_channel_graph g;
	for (uint64_t seed = 1; seed <= 3000; seed++) {
		struct loom_rng rng;
		loom_rng_init(&rng, seed);
		uint32_t n = 1 + below(&rng, 40), n_edges = below(&rng, n + n / 2 + 1);
		bool no_circles = below(&rng, 2);
		assert_int_equal(loom_channel_graph_init(&g, n), 0);
		// The second time there must be nothing left of the first.
		for (unsigned again = 0; again < 2; again++, n_graphs++) {
			clear(&m, n);
			loom_channel_graph_clear(&g);
			for (uint32_t i = 0; i < n_edges; i++) {
				uint32_t a = below(&rng, n), b = below(&rng, n);
				if (no_circles && a >= b)
					continue;
				m.edge[a][b] = 1;
				assert_int_equal(loom_channel_graph_add(&g, a, b, a * 1000 + b), 0);
				assert_int_equal(loom_channel_graph_add(&g, a, b, 5), 0);
			}
			check_graph(&g, &m, seed, &n_circles);
		}
		loom_channel_graph_free(&g);
	}
	assert_true(n_circles > n_graphs / 5 && n_circles < n_graphs * 4 / 5);
}

// One long path, and the same closed: neither recursion nor anything quadratic gets through.
static void test_long_graph(void **state)
{
	(void)state;
	enum { N = 1000000 };
	struct loom_channel_graph g;
	uint32_t *circle = NULL;
	size_t n = 1;
	assert_int_equal(loom_channel_graph_init(&g, N), 0);
	for (uint32_t c = 0; c + 1 < N; c++)
		assert_int_equal(loom_channel_graph_add(&g, c, c + 1, c), 0);
	assert_int_equal(loom_channel_graph_circle(&circle, &n, &g), 0);
	assert_int_equal(n, 0);
	assert_null(circle);
	assert_int_equal(loom_channel_graph_add(&g, N - 1, 0, N - 1), 0);
	assert_int_equal(loom_channel_graph_circle(&circle, &n, &g), 0);
	assert_int_equal(n, N);
	for (uint32_t c = 0; c < N; c++)
		assert_int_equal(circle[c], c);
	free(circle);
	loom_channel_graph_free(&g);
}

// --- Plans -----------------------------------------------------------------------------------------------------------

// Messages in passes, on a map turned round by `shift`.
static void make_plan(struct loom_plan *plan, const char *fabric, uint32_t n_passes, uint32_t shift)
{
	struct loom_err err = {0};
	memset(plan, 0, sizeof *plan);
	if (loom_topo_parse(&plan->topo, fabric, &err) != 0)
		fail_msg("%s", err.text);
	(void)snprintf(plan->pattern, sizeof plan->pattern, "test");
	(void)snprintf(plan->planner, sizeof plan->planner, "direct");
	plan->n_passes = n_passes;
	plan->n_members = 1;
	plan->messages = calloc(MESSAGES_MOST, sizeof *plan->messages);
	plan->map = calloc(plan->topo.n_nodes, sizeof *plan->map);
	plan->member_of_pass = calloc(n_passes, sizeof *plan->member_of_pass);
	assert_true(plan->messages && plan->map && plan->member_of_pass);
	for (uint32_t v = 0; v < plan->topo.n_nodes; v++)
		plan->map[v] = (v + shift) % plan->topo.n_nodes;
	while (shift == 0 && UINT32_C(1) << plan->n_order < plan->topo.n_nodes) {
		plan->order[plan->n_order] = plan->n_order;
		plan->n_order++;
	}
}

static void add_message(struct loom_plan *plan, uint32_t pass, uint32_t source, uint32_t destination, unsigned rule)
{
	uint32_t i = (uint32_t)plan->n_messages++;
	assert_true(i < MESSAGES_MOST);
	plan->messages[i] = (struct loom_plan_message){.pass = pass,
	                                               .source = source,
	                                               .destination = destination,
	                                               .flits = 17,
	                                               .rule = (uint8_t)rule,
	                                               .origin = i};
}

static bool under_way(const struct loom_plan *plan, size_t i, uint32_t pass)
{
	const struct loom_plan_message *m = &plan->messages[i];
	return (plan->free_running || m->pass == pass) &&
	       (m->source != m->destination || plan->topo.kind->self_uses_network);
}

static unsigned route_of_message(const struct loom_plan *plan, size_t i, uint32_t out[ROUTE_MOST])
{
	const struct loom_plan_message *m = &plan->messages[i];
	return route_of(&plan->topo, plan->map[m->source], plan->map[m->destination], m->rule, out);
}

static uint32_t lane_of(const struct loom_topo *t, const struct loom_circle_channel *at)
{
	assert_true(at->vc < t->n_vcs);
	return at->channel * t->n_vcs + at->vc;
}

static unsigned users_of(const struct loom_plan *plan, uint32_t pass, uint32_t channel)
{
	unsigned n = 0;
	for (size_t i = 0; i < plan->n_messages; i++) {
		uint32_t route[ROUTE_MOST];
		unsigned length = under_way(plan, i, pass) ? route_of_message(plan, i, route) : 0;
		for (unsigned k = 0; k < length; k++)
			n += route[k] == channel;
	}
	return n;
}

// The first pass with a circle, by the matrix of all that each message holds and asks for; n_passes if there is none.
static uint32_t locking_pass(const struct loom_plan *plan)
{
	static struct matrix m;
	for (uint32_t pass = 0; pass < (plan->free_running ? 1 : plan->n_passes); pass++) {
		clear(&m, loom_topo_channels(&plan->topo) * plan->topo.n_vcs);
		for (size_t i = 0; i < plan->n_messages; i++)
			if (under_way(plan, i, pass))
				(void)add_route(&m, &plan->topo, plan->map[plan->messages[i].source],
				                plan->map[plan->messages[i].destination], plan->messages[i].rule);
		if (has_circle(&m))
			return pass;
	}
	return plan->n_passes;
}

// Everything that the header says of a circle.
static void check_circle(const struct loom_plan *plan, const struct loom_circle *circle)
{
	size_t n = circle->n_channels, n_of_first = 0;
	for (size_t i = 0; i < n; i++) {
		const struct loom_circle_channel *at = &circle->channel[i], *after = &circle->channel[(i + 1) % n];
		const struct loom_plan_message *m = &plan->messages[at->message];
		uint32_t route[ROUTE_MOST];
		assert_true(under_way(plan, at->message, circle->pass));
		assert_int_equal(at->source, plan->map[m->source]);
		assert_int_equal(at->destination, plan->map[m->destination]);
		assert_int_equal(at->rule, m->rule);
		uint32_t lane = lane_of(&plan->topo, at);
		assert_true(users_of(plan, circle->pass, lane) >= 2);
		unsigned length = route_of_message(plan, at->message, route), k = 0;
		while (k < length && route[k] != lane)
			k++;
		assert_true(k < length);
		for (k++; k < length && route[k] != lane_of(&plan->topo, after); k++)
			assert_int_equal(users_of(plan, circle->pass, route[k]), 1);
		assert_true(k < length);
		assert_true(i == 0 || at->channel > circle->channel[0].channel);
		n_of_first += at->message == circle->channel[0].message;
	}
	assert_true(n == 0 || n_of_first < n);
}

// Whether the plan is refused, as the plain search wants it.
static bool check_plan(const struct loom_plan *plan, uint64_t seed)
{
	struct loom_circle circle = {.n_channels = 77};
	struct loom_err err = {0};
	uint32_t pass = locking_pass(plan);
	assert_int_equal(loom_deadlock_find_in_plan(&circle, plan, &err), 0);
	if ((circle.n_channels > 0) != (pass < plan->n_passes) || (circle.n_channels && circle.pass != pass))
		fail_msg("%s, seed %llu: circle of %zu channels in pass %u, not %u of %u", plan->topo.name,
		         (unsigned long long)seed, circle.n_channels, circle.pass, pass, plan->n_passes);
	check_circle(plan, &circle);
	assert_int_equal(loom_deadlock_check(plan, &err), circle.n_channels ? LOOM_EINPUT : 0);
	bool locks = circle.n_channels > 0;
	loom_circle_free(&circle);
	assert_null(circle.channel);
	return locks;
}

// Mostly far away: short ways rarely make a circle.
static void add_random(struct loom_plan *plan, uint32_t pass, unsigned rule, struct loom_rng *rng)
{
	uint32_t n = plan->topo.n_nodes, source = below(rng, n), any = below(rng, n);
	uint32_t far = plan->topo.kind->wraps ? (source + n / 2) % n : n - 1 - source;
	add_message(plan, pass, source, below(rng, 4) ? far : any, rule);
}

static void random_plan_on(struct loom_plan *plan, const char *fabric, uint64_t seed)
{
	struct loom_rng rng;
	loom_rng_init(&rng, seed);
	uint32_t n_passes = 1 + below(&rng, 3);
	make_plan(plan, fabric, n_passes, below(&rng, 5));
	plan->free_running = below(&rng, 6) == 0;
	for (uint32_t pass = 0; pass < n_passes; pass++) {
		uint32_t n_messages = below(&rng, 2 * plan->topo.n_nodes + 4);
		unsigned n_rules = loom_topo_rules(&plan->topo),
			 rules = below(&rng, n_rules + 1); // one of them, or all
		for (uint32_t k = 0; k < n_messages && plan->n_messages < MESSAGES_MOST; k++)
			add_random(plan, pass, rules < n_rules ? rules : below(&rng, n_rules), &rng);
	}
}

static void test_plans(void **state)
{
	(void)state;
	static const struct {
		const char *fabric;
		bool locks; // some plans do
	} fabrics[] = {{"cube:1", false},     {"cube:2", true},    {"cube:3", true},      {"cube:4", true},
	               {"cube:5", true},      {"cube:6", true},    {"omega:8", false},    {"icube:8", false},
	               {"ricube:8", false},   {"line:9", false},   {"ring:3", false},     {"ring:4v1", true},
	               {"ring:5v1", true},    {"ring:8v1", true},  {"torus:1x4v1", true}, {"torus:5x3v1", true},
	               {"torus:4x4v1", true}, {"ring:5", false},   {"ring:8", false},     {"torus:1x4", false},
	               {"torus:3x3", true},   {"mesh:1x7", false}, {"mesh:4x4", true},    {"mesh:4x3x2", true}};
	for (size_t f = 0; f < sizeof fabrics / sizeof fabrics[0]; f++) {
		unsigned n_locking = 0, n_plans = 100;
		for (uint64_t seed = 1; seed <= n_plans; seed++) {
			struct loom_plan plan;
			random_plan_on(&plan, fabrics[f].fabric, seed * 100 + f);
			n_locking += check_plan(&plan, seed * 100 + f);
			loom_plan_free(&plan);
		}
		print_message("%s: %u of %u plans can lock\n", fabrics[f].fabric, n_locking, n_plans);
		assert_true(fabrics[f].locks ? n_locking > 5 && n_locking < 95 : n_locking == 0);
	}
}

// --- Every order in which long messages can take their channels ---------------------------------------------------------

enum { FEW = 6 };

// A message longer than any route, so that it holds what it has taken until its header is home. Its place is how many
// channels it has taken; home is one more.
struct few {
	unsigned n, length[FEW];
	uint32_t route[FEW][ROUTE_MOST];
	unsigned place[FEW];
	uint8_t *seen;
};

static size_t number_of(const struct few *w)
{
	size_t number = 0;
	for (unsigned i = 0; i < w->n; i++)
		number = number * (w->length[i] + 2) + w->place[i];
	return number;
}

static bool is_held(const struct few *w, uint32_t channel)
{
	for (unsigned i = 0; i < w->n; i++)
		for (unsigned k = 0; w->place[i] <= w->length[i] && k < w->place[i]; k++)
			if (w->route[i][k] == channel)
				return true;
	return false;
}

// Whether some order ends with messages that are not home and cannot move.
static bool can_stick(struct few *w)
{
	size_t number = number_of(w);
	bool moved = false, all_home = true;
	if (w->seen[number])
		return false;
	w->seen[number] = 1;
	for (unsigned i = 0; i < w->n; i++) {
		if (w->place[i] > w->length[i])
			continue;
		all_home = false;
		if (w->place[i] < w->length[i] && is_held(w, w->route[i][w->place[i]]))
			continue;
		moved = true;
		w->place[i]++;
		bool stuck = can_stick(w);
		w->place[i]--;
		if (stuck)
			return true;
	}
	return !moved && !all_home;
}

static bool some_order_sticks(const struct loom_plan *plan)
{
	struct few w = {0};
	size_t n_states = 1;
	for (size_t i = 0; i < plan->n_messages; i++) {
		if (!under_way(plan, i, 0))
			continue;
		w.length[w.n] = route_of_message(plan, i, w.route[w.n]);
		n_states *= w.length[w.n++] + 2;
	}
	w.seen = calloc(n_states, 1);
	assert_non_null(w.seen);
	bool sticks = can_stick(&w);
	free(w.seen);
	return sticks;
}

static void check_orders(const char *fabric, unsigned n_plans, bool locks)
{
	unsigned n_stuck = 0, n_only_circle = 0;
	for (uint64_t seed = 1; seed <= n_plans; seed++) {
		struct loom_plan plan;
		struct loom_rng rng;
		loom_rng_init(&rng, seed);
		make_plan(&plan, fabric, 1, 0);
		for (unsigned k = 0; k < FEW; k++)
			add_random(&plan, 0, below(&rng, 2), &rng);
		bool circle = loom_deadlock_check(&plan, NULL) != 0, sticks = some_order_sticks(&plan);
		if (sticks && !circle)
			fail_msg("%s, seed %llu: the messages can lock", fabric, (unsigned long long)seed);
		n_stuck += sticks;
		n_only_circle += circle && !sticks;
		loom_plan_free(&plan);
	}
	print_message("%s: %u of %u lists of %d messages stick in some order, %u more have a circle\n", fabric, n_stuck,
	              n_plans, FEW, n_only_circle);
	assert_true((n_stuck > 0) == locks);
	assert_true(n_only_circle <= n_stuck / 4); // sharp: few are refused that could not lock
}

static void test_orders(void **state)
{
	(void)state;
	check_orders("cube:2", 500, true);
	check_orders("cube:3", 500, true);
	check_orders("ring:4v1", 500, true);
	check_orders("ring:5v1", 500, true);
	check_orders("torus:3x4v1", 200, true);
	check_orders("ring:4", 200, false);
	check_orders("ring:5", 500, false);
	check_orders("mesh:3x3", 200, true);
	check_orders("omega:4", 100, false);
}

// --- The routing of networks -------------------------------------------------------------------------------------------

static bool is_step(const struct loom_topo *t, const struct loom_circle_channel *at, uint32_t next)
{
	uint32_t route[ROUTE_MOST];
	unsigned n = route_of(t, at->source, at->destination, at->rule, route);
	for (unsigned k = 1; k < n; k++)
		if (route[k - 1] == lane_of(t, at) && route[k] == next)
			return true;
	return false;
}

// Whether all routes by these rules have a circle.
static bool check_routing(const char *fabric, unsigned rules)
{
	static struct matrix m;
	struct loom_topo t;
	struct loom_circle circle = {0};
	assert_int_equal(loom_topo_parse(&t, fabric, NULL), 0);
	clear(&m, loom_topo_channels(&t) * t.n_vcs);
	for (uint32_t s = 0; s < t.n_nodes; s++)
		for (uint32_t d = 0; d < t.n_nodes; d++)
			for (unsigned rule = 0; rule < loom_topo_rules(&t); rule++)
				if (rules >> rule & 1)
					(void)add_route(&m, &t, s, d, rule);
	assert_int_equal(loom_deadlock_find_in_routing(&circle, &t, rules, NULL), 0);
	if ((circle.n_channels > 0) != has_circle(&m))
		fail_msg("%s, rules %u: circle of %zu channels", fabric, rules, circle.n_channels);
	for (size_t i = 0; i < circle.n_channels; i++) {
		const struct loom_circle_channel *at = &circle.channel[i];
		assert_true(rules >> at->rule & 1);
		assert_int_equal(at->message, UINT32_MAX);
		if (!is_step(&t, at, lane_of(&t, &circle.channel[(i + 1) % circle.n_channels])))
			fail_msg("%s, rules %u: no message from %u to %u takes that step", fabric, rules, at->source,
			         at->destination);
	}
	bool locks = circle.n_channels > 0;
	loom_circle_free(&circle);
	return locks;
}

// With one virtual channel, one way round three nodes or more each message can wait for one that is ahead of it, and the last for the first.
static void check_one_way(const char *fabric)
{
	struct loom_topo t;
	bool round = false;
	assert_int_equal(loom_topo_parse(&t, fabric, NULL), 0);
	for (unsigned d = 0; d < t.n_dims; d++)
		round = round || t.extent[d] > 2;
	round = round && t.kind->wraps && t.n_vcs == 1;
	assert_int_equal(check_routing(fabric, 1 << LOOM_RULE_ONE_WAY), round);
	assert_int_equal(check_routing(fabric, 1 << LOOM_RULE_ONE_WAY_DESCENDING), round);
	for (unsigned rules = 5; rules < 1 << LOOM_RULES_MAX && t.kind->wraps && t.n_nodes < 20; rules += 3)
		(void)check_routing(fabric, rules);
}

static void test_routing(void **state)
{
	(void)state;
	enum { ASCENDING = 1, DESCENDING = 2, MIXED = 3 };
	static const struct {
		const char *fabric;
		unsigned locking; // bit r - 1: by rules r
	} cases[] = {
		{"cube:1", 0},      {"cube:2", 4},      {"cube:3", 4},      {"cube:4", 4},      {"cube:5", 4},
		{"omega:2", 0},     {"omega:16", 0},    {"baseline:8", 0},  {"romega:32", 0},   {"rbaseline:16", 0},
		{"icube:8", 0},     {"ricube:16", 0},   {"line:2", 0},      {"line:9", 0},      {"ring:2", 0},
		{"ring:3v1", 0},    {"ring:4v1", 7},    {"ring:5v1", 7},    {"ring:64v1", 7},   {"torus:1x4v1", 7},
		{"torus:2x2v1", 4}, {"torus:3x3v1", 4}, {"torus:5x3v1", 7}, {"torus:4x2v1", 7}, {"torus:4x4x4v1", 7},
		{"ring:3", 0},      {"ring:4", 0},      {"ring:5", 0},      {"ring:64", 0},     {"torus:1x4", 0},
		{"torus:2x2", 4},   {"torus:3x3", 4},   {"torus:5x3", 4},   {"torus:4x2", 4},   {"torus:4x4x4", 4},
		{"mesh:1x7", 0},    {"mesh:4x4", 4},    {"mesh:3x5", 4},    {"mesh:4x3x2", 4}};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		for (unsigned rules = ASCENDING; rules <= MIXED; rules++)
			if (check_routing(cases[i].fabric, rules) != (cases[i].locking >> (rules - 1) & 1))
				fail_msg("%s, rules %u", cases[i].fabric, rules);
		check_one_way(cases[i].fabric);
	}
	struct loom_topo t;
	struct loom_circle circle = {.n_channels = 5};
	assert_int_equal(loom_topo_parse(&t, "cube:3", NULL), 0);
	assert_int_equal(loom_deadlock_find_in_routing(&circle, &t, 0, NULL), 0);
	assert_int_equal(circle.n_channels, 0);
}

// A ring of four nodes, and a second link between nodes 3 and 0. The step from 2->3 to 3->0 (+), which closes the circle,
// is taken by messages to node 0 of the one rule only, and by the other rule messages to node 0 take 2->3 as well and
// then the second link: what is remembered of them must not stand for the former.
enum { PLUS, MINUS, SECOND };

static bool odd_link(const struct loom_topo *t, uint32_t u, unsigned p, uint32_t *v, unsigned *q)
{
	(void)t;
	*v = p == SECOND ? 3 - u : (u + (p == PLUS ? 1 : 3)) % 4;
	*q = p == SECOND ? SECOND : p ^ 1;
	return p != SECOND || u == 0 || u == 3;
}

static unsigned odd_next(const struct loom_topo *t, uint32_t here, uint32_t destination, enum loom_rule rule)
{
	static const unsigned by[2][4][4] = {
		{{9, PLUS, PLUS, SECOND}, {MINUS, 9, PLUS, MINUS}, {PLUS, MINUS, 9, MINUS}, {SECOND, MINUS, MINUS, 9}},
		{{9, PLUS, PLUS, PLUS}, {PLUS, 9, PLUS, PLUS}, {PLUS, MINUS, 9, PLUS}, {PLUS, PLUS, PLUS, 9}},
	};
	(void)t;
	return by[rule][here][destination];
}

static void test_both_rules(void **state)
{
	(void)state;
	static const struct loom_topo_kind kind = {
		.name = "odd", .router = LOOM_ROUTER_TABLE, .link = odd_link, .next = odd_next};
	static const struct loom_topo t = {.kind = &kind,
	                                   .name = "odd:4",
	                                   .n_nodes = 4,
	                                   .n_tiles = 4,
	                                   .n_dims = 1,
	                                   .extent = {4},
	                                   .ports = 4,
	                                   .label_bits = 2,
	                                   .n_vcs = 1};
	static const size_t length[] = {0, 0, 4, 4}; // by rules: none, ascending, descending, both
	for (unsigned rules = 0; rules < 4; rules++) {
		struct loom_circle circle;
		assert_int_equal(loom_deadlock_find_in_routing(&circle, &t, rules, NULL), 0);
		assert_int_equal(circle.n_channels, length[rules]);
		loom_circle_free(&circle);
	}
}

// --- Cases with a name ---------------------------------------------------------------------------------------------------

// Round the four nodes of cube:2, each message two hops: 0->1->3 and 3->2->0 by dimension 0 first, 1->3->2 and 2->0->1
// by dimension 1 first. Each one's second channel is the next one's first.
static void add_ring(struct loom_plan *plan, uint32_t pass)
{
	add_message(plan, pass, 0, 3, LOOM_RULE_ASCENDING);
	add_message(plan, pass, 1, 2, LOOM_RULE_DESCENDING);
	add_message(plan, pass, 3, 0, LOOM_RULE_ASCENDING);
	add_message(plan, pass, 2, 1, LOOM_RULE_DESCENDING);
}

static void test_ring_of_four(void **state)
{
	(void)state;
	struct loom_plan plan;
	struct loom_circle circle;
	struct loom_err err = {0};
	make_plan(&plan, "cube:2", 3, 0);
	add_message(&plan, 0, 0, 3, LOOM_RULE_ASCENDING);
	add_ring(&plan, 1);
	add_message(&plan, 2, 1, 2, LOOM_RULE_ASCENDING);
	assert_int_equal(loom_deadlock_find_in_plan(&circle, &plan, &err), 0);
	// Channels of cube:2 are node * 4 + dimension: 0->1, 1->3, 3->2, 2->0.
	static const uint32_t channels[] = {0, 5, 12, 9}, messages[] = {1, 2, 3, 4};
	assert_int_equal(circle.n_channels, 4);
	assert_int_equal(circle.pass, 1);
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(circle.channel[i].channel, channels[i]);
		assert_int_equal(circle.channel[i].message, messages[i]);
	}
	loom_circle_free(&circle);
	assert_int_equal(loom_deadlock_check(&plan, &err), LOOM_EINPUT);
	assert_string_equal(err.text, "pass 1 can lock, each message waiting for the next one's channel: "
	                              "0->1 (dim 0) held by message 1, 1->3 (dim 1) held by message 2, "
	                              "3->2 (dim 0) held by message 3, 2->0 (dim 1) held by message 4; "
	                              "send them in different passes, as planner greedy does");

	// The image has its own say, and can be told to let it pass.
	struct loom_image_options options = {.machine = LOOM_MACHINE_FAST};
	assert_int_equal(loom_plan_predict(&plan, &err), 0);
	assert_int_equal(loom_image_check(&plan, &options, &err), LOOM_EINPUT);
	assert_non_null(strstr(err.text, "pass 1 can lock"));
	options.may_lock = true;
	assert_int_equal(loom_image_check(&plan, &options, &err), 0);

	// Three of them leave the ring open, and so do all of them when one goes in another pass.
	plan.messages[4].pass = 2;
	assert_int_equal(loom_deadlock_check(&plan, &err), 0);
	// A free run has no barrier between them.
	plan.free_running = true;
	assert_int_equal(loom_deadlock_check(&plan, &err), LOOM_EINPUT);
	assert_non_null(strstr(err.text, "the free run can lock"));
	loom_plan_free(&plan);
}

// The same on a ring, by one rule; opposite messages share no channel.
static void test_ring(void **state)
{
	(void)state;
	static const char *const fabrics[] = {"ring:4v1", "torus:1x4v1", "torus:4x1v1"};
	for (size_t f = 0; f < 3; f++) {
		struct loom_plan plan;
		struct loom_circle circle;
		struct loom_err err = {0};
		make_plan(&plan, fabrics[f], 2, 0);
		for (uint32_t i = 0; i < 4; i++)
			add_message(&plan, 0, i, (i + 2) % 4, LOOM_RULE_ASCENDING);
		assert_int_equal(loom_deadlock_find_in_plan(&circle, &plan, &err), 0);
		assert_int_equal(circle.n_channels, 4);
		for (uint32_t i = 0; i < 4; i++)
			assert_int_equal(circle.channel[i].message, i);
		loom_circle_free(&circle);
		assert_int_equal(loom_deadlock_check(&plan, &err), LOOM_EINPUT);
		assert_int_equal(loom_topo_set_vcs(&plan.topo, 2, &err), 0);
		assert_int_equal(loom_deadlock_check(&plan, &err), 0);
		assert_int_equal(loom_topo_set_vcs(&plan.topo, 1, &err), 0);
		assert_int_equal(loom_deadlock_check(&plan, &err), LOOM_EINPUT);
		assert_non_null(
			strstr(err.text, f < 2 ? "3->0 (+x) held by message 3" : "3->0 (+y) held by message 3"));
		plan.messages[1] = plan.messages[2];
		plan.messages[2].source = 1;
		plan.messages[2].destination = 3;
		plan.messages[2].pass = plan.messages[3].pass = 1;
		assert_int_equal(loom_deadlock_check(&plan, &err), 0);
		loom_plan_free(&plan);
	}
}

// A circle too long for a line is cut between two channels, and the rest counted.
static void test_long_circle(void **state)
{
	(void)state;
	struct loom_plan plan;
	struct loom_err err = {0};
	make_plan(&plan, "ring:64v1", 1, 0);
	for (uint32_t i = 0; i < 64; i++)
		add_message(&plan, 0, i, (i + 30) % 64, LOOM_RULE_ASCENDING);
	assert_int_equal(loom_deadlock_check(&plan, &err), LOOM_EINPUT);
	size_t n_named = 0, n_more = 0;
	for (const char *at = err.text; (at = strstr(at, " held by message ")); at++)
		n_named++;
	const char *rest = strstr(err.text, " and ");
	assert_non_null(rest);
	assert_int_equal(sscanf(rest, " and %zu more; send them in different passes, as planner greedy does", &n_more),
	                 1);
	assert_int_equal(n_named + n_more, 64);
	assert_true(n_named >= 3 && strlen(err.text) <= 296); // with the name of a file before it still one line
	loom_plan_free(&plan);
}

// Without contention no pass locks: two of the four, which share no channel, and the other two after them.
static void test_no_contention(void **state)
{
	(void)state;
	struct loom_plan plan;
	struct loom_err err = {0};
	make_plan(&plan, "cube:2", 2, 1);
	add_message(&plan, 0, 0, 3, LOOM_RULE_ASCENDING);
	add_message(&plan, 0, 3, 0, LOOM_RULE_ASCENDING);
	add_message(&plan, 1, 1, 2, LOOM_RULE_DESCENDING);
	add_message(&plan, 1, 2, 1, LOOM_RULE_DESCENDING);
	assert_int_equal(loom_deadlock_check(&plan, &err), 0);
	plan.n_messages = 0;
	assert_int_equal(loom_deadlock_check(&plan, &err), 0);
	loom_plan_free(&plan);
}

// A plan that can lock is not read from a file; loom_plan_write does not mind, as nothing is loaded by it.
static void test_file(void **state)
{
	(void)state;
	char path[] = "/tmp/flitloom-deadlock-XXXXXX";
	struct loom_plan plan, again;
	struct loom_err err = {0};
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	make_plan(&plan, "cube:2", 1, 0);
	add_ring(&plan, 0);
	if (loom_plan_predict(&plan, &err) != 0 || loom_plan_write(&plan, path, &err) != 0)
		fail_msg("%s", err.text);
	assert_int_equal(loom_plan_read(&again, path, &err), LOOM_EINPUT);
	assert_non_null(strstr(err.text, path));
	assert_non_null(strstr(err.text,
	                       "pass 0 can lock, each message waiting for the next one's channel: 0->1 (dim 0) held "
	                       "by message 0, "));
	assert_non_null(strstr(err.text, "; send them in different passes, as planner greedy does"));
	(void)remove(path);
	loom_plan_free(&plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_graphs),       cmocka_unit_test(test_long_graph),
		cmocka_unit_test(test_plans),        cmocka_unit_test(test_orders),
		cmocka_unit_test(test_routing),      cmocka_unit_test(test_both_rules),
		cmocka_unit_test(test_ring_of_four), cmocka_unit_test(test_ring),
		cmocka_unit_test(test_long_circle),  cmocka_unit_test(test_no_contention),
		cmocka_unit_test(test_file),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
