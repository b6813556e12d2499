// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The reference models of direct networks against routes, cycles and circles worked out by hand, and against what must
// hold whatever the messages.
#include "../reference/reference.h"
#include "../reference/ref_circle.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { NODES_MAX = 64, CHANNELS_MAX = NODES_MAX * 16, MESSAGES_MAX = 128, NONE = 1000 };

static uint64_t random_state;

static unsigned random_below(unsigned n)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)((random_state >> 33) % n);
}

static struct ref_net net_of(const char *name)
{
	struct ref_net net = {0};

	if (ref_net_parse(&net, name) != 0)
		fail_msg("%s is not read", name);
	return net;
}

static const char *const some_nets[] = {
	"cube:1",     "cube:4",    "line:2",    "line:3",    "line:9",    "ring:2",      "ring:3",      "ring:4",
	"ring:5",     "ring:6",    "ring:17",   "mesh:1x2",  "mesh:3x5",  "mesh:7x1",    "mesh:2x2",    "mesh:4x3x2",
	"mesh:2x1x3", "torus:2x2", "torus:1x4", "torus:5x3", "torus:4x4", "torus:2x1x5", "torus:3x2x4", "torus:2x3x2x4",
};
#define N_NETS (sizeof(some_nets) / sizeof(some_nets[0]))

static struct ref_machine machine_for(const struct ref_net *net, enum ref_timing timing)
{
	return (struct ref_machine){
		.n_slots = 2, .order = REF_ASCENDING, .timing = timing, .tie = ref_machine_tie(net), .net = net};
}

// --- Links and routes ----------------------------------------------------------------------------------------------

static void test_names(void **state)
{
	(void)state;
	static const char *const bad[] = {"",
	                                  "mesh",
	                                  "mesh:",
	                                  "mesh:3x",
	                                  "mesh:x3",
	                                  "mesh:3y4",
	                                  "mesh:0x3",
	                                  "line:1",
	                                  "line:2x2",
	                                  "ring:4x1",
	                                  "cube:2x2",
	                                  "cube:0",
	                                  "cube:13",
	                                  "cube:17",
	                                  "torus:1",
	                                  "torus:1x1",
	                                  "omega:8",
	                                  "mesh:65x64",
	                                  "line:4097",
	                                  "line:-3",
	                                  "mesh:3x+4",
	                                  "mesh:3 x 4",
	                                  "line:99999999999999999999",
	                                  "mesh:1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x2"};
	struct ref_net net = {.n_extents = 7};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		if (ref_net_parse(&net, bad[i]) != -EINVAL)
			fail_msg("%s is read", bad[i]);
	}
	assert_int_equal(net.n_extents, 7);
	net = net_of("mesh:2x3x4");
	assert_int_equal(net.n_extents, 3);
	assert_int_equal(net.extent[0], 4);
	assert_int_equal(net.extent[2], 2);
	assert_int_equal(ref_net_nodes(&net), 24);
	assert_int_equal(ref_net_links(&net), 6);
	assert_int_equal(ref_net_channels(&net), 24 * 8);
	assert_int_equal(ref_net_channel(&net, 5, 3), 43);
	assert_int_equal(ref_net_ejection(&net, 5), 46);
	assert_int_equal(ref_net_injection(&net, 5), 47);
	net = net_of("cube:12");
	assert_int_equal(ref_net_nodes(&net), 4096);
	assert_int_equal(ref_net_links(&net), 12);
	net = net_of("mesh:1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x2");
	assert_int_equal(ref_net_links(&net), 32);
}

// Link p of node u ends at node[p], which has link back[p] to u; NONE: no such link.
static void assert_links(const char *name, unsigned u, const unsigned *node, const unsigned *back)
{
	struct ref_net net = net_of(name);

	for (unsigned p = 0; p < ref_net_links(&net); p++) {
		unsigned v = NONE;
		unsigned q = NONE;
		bool is = ref_net_link(&v, &q, &net, u, p);

		if (is != (node[p] != NONE) || v != node[p] || q != back[p])
			fail_msg("%s: link %u of node %u ends at link %u of node %u", name, p, u, q, v);
	}
}

#define LINKS(...)                                                                                                     \
	(const unsigned[])                                                                                             \
	{                                                                                                              \
		__VA_ARGS__                                                                                            \
	}

static void test_links_by_hand(void **state)
{
	(void)state;
	assert_links("cube:3", 5, LINKS(4, 7, 1), LINKS(0, 1, 2));
	assert_links("line:4", 0, LINKS(1, NONE), LINKS(1, NONE));
	assert_links("line:4", 1, LINKS(2, 0), LINKS(1, 0));
	assert_links("line:4", 3, LINKS(NONE, 2), LINKS(NONE, 0));
	assert_links("line:2", 0, LINKS(1, NONE), LINKS(1, NONE));
	assert_links("line:2", 1, LINKS(NONE, 0), LINKS(NONE, 0));
	assert_links("ring:4", 0, LINKS(1, 3), LINKS(1, 0));
	assert_links("ring:4", 3, LINKS(0, 2), LINKS(1, 0));
	assert_links("ring:2", 0, LINKS(1, NONE), LINKS(0, NONE));
	assert_links("ring:2", 1, LINKS(0, NONE), LINKS(0, NONE));
	// 3 rows of 5: 0 is a corner, 4 the end of the first row, 7 the middle, 14 the last corner.
	assert_links("mesh:3x5", 0, LINKS(1, NONE, 5, NONE), LINKS(1, NONE, 3, NONE));
	assert_links("mesh:3x5", 4, LINKS(NONE, 3, 9, NONE), LINKS(NONE, 0, 3, NONE));
	assert_links("mesh:3x5", 7, LINKS(8, 6, 12, 2), LINKS(1, 0, 3, 2));
	assert_links("mesh:3x5", 14, LINKS(NONE, 13, NONE, 9), LINKS(NONE, 0, NONE, 2));
	assert_links("torus:3x5", 4, LINKS(0, 3, 9, 14), LINKS(1, 0, 3, 2));
	assert_links("torus:1x4", 3, LINKS(0, 2, NONE, NONE), LINKS(1, 0, NONE, NONE));
	assert_links("torus:4x1", 3, LINKS(NONE, NONE, 0, 2), LINKS(NONE, NONE, 3, 2));
	assert_links("torus:2x3", 4, LINKS(5, 3, 1, NONE), LINKS(1, 0, 2, NONE));
	assert_links("mesh:2x1x3", 4, LINKS(5, 3, NONE, NONE, NONE, 1), LINKS(1, 0, NONE, NONE, NONE, 4));
}

// The nodes on the way from the first to the last of `node`, n of them.
static void assert_route(const char *name, enum ref_order order, const unsigned *node, size_t n)
{
	struct ref_net net = net_of(name);

	for (size_t k = 0; k + 1 < n; k++) {
		unsigned link = ref_net_next(&net, node[k], node[n - 1], order);
		unsigned v = NONE;
		unsigned q = NONE;

		if (link >= ref_net_links(&net) || !ref_net_link(&v, &q, &net, node[k], link) || v != node[k + 1])
			fail_msg("%s: from %u to %u the step at %u goes to %u", name, node[0], node[n - 1], node[k], v);
	}
	assert_int_equal(ref_net_next(&net, node[n - 1], node[n - 1], order), ref_net_links(&net));
}

#define ROUTE(name, order, ...)                                                                                        \
	assert_route(name, order, (const unsigned[]){__VA_ARGS__},                                                     \
	             sizeof((const unsigned[]){__VA_ARGS__}) / sizeof(unsigned))

static void test_routes_by_hand(void **state)
{
	(void)state;
	ROUTE("cube:3", REF_ASCENDING, 1, 0, 2, 6);
	ROUTE("cube:3", REF_DESCENDING, 1, 5, 7, 6);
	ROUTE("line:5", REF_ASCENDING, 4, 3, 2, 1);
	ROUTE("mesh:3x5", REF_ASCENDING, 0, 1, 2, 3, 8, 13);
	ROUTE("mesh:3x5", REF_DESCENDING, 0, 5, 10, 11, 12, 13);
	ROUTE("mesh:3x5", REF_ASCENDING, 14, 13, 12, 7, 2);
	ROUTE("mesh:3x5", REF_ASCENDING, 4, 3, 2, 1, 0); // and not around
	// At exactly half the way goes up, from wherever it starts.
	ROUTE("ring:4", REF_ASCENDING, 0, 1, 2);
	ROUTE("ring:4", REF_ASCENDING, 3, 0, 1);
	ROUTE("ring:6", REF_DESCENDING, 4, 5, 0, 1);
	ROUTE("ring:5", REF_ASCENDING, 0, 4, 3);
	ROUTE("ring:5", REF_ASCENDING, 1, 2, 3);
	ROUTE("ring:2", REF_ASCENDING, 1, 0);
	ROUTE("torus:4x4", REF_ASCENDING, 0, 1, 2, 6, 10);
	ROUTE("torus:4x4", REF_DESCENDING, 0, 4, 8, 9, 10);
	ROUTE("torus:4x4", REF_ASCENDING, 10, 11, 8, 12, 0);
	ROUTE("torus:4x4", REF_ASCENDING, 0, 3, 15);
	ROUTE("torus:4x4", REF_DESCENDING, 0, 12, 15);
	ROUTE("torus:5x3", REF_ASCENDING, 0, 2, 14, 11);
	ROUTE("torus:2x2", REF_ASCENDING, 3, 2, 0);
	ROUTE("torus:1x4", REF_DESCENDING, 1, 2, 3);
	ROUTE("mesh:2x1x3", REF_ASCENDING, 0, 1, 2, 5);
}

// The shortest way by its definition: what one step more can reach.
static unsigned distance_by_search(const struct ref_net *net, unsigned from, unsigned to)
{
	bool reached[NODES_MAX] = {false};
	unsigned n = 0;

	reached[from] = true;
	while (!reached[to]) {
		bool before[NODES_MAX];

		memcpy(before, reached, sizeof(before));
		n++;
		assert_true(n <= NODES_MAX);
		for (unsigned u = 0; u < ref_net_nodes(net); u++) {
			for (unsigned p = 0; before[u] && p < ref_net_links(net); p++) {
				unsigned v;
				unsigned q;

				if (ref_net_link(&v, &q, net, u, p))
					reached[v] = true;
			}
		}
	}
	return n;
}

static void test_links_lead_back(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_NETS; i++) {
		struct ref_net net = net_of(some_nets[i]);

		for (unsigned u = 0; u < ref_net_nodes(&net); u++) {
			for (unsigned p = 0; p < ref_net_links(&net); p++) {
				unsigned v = NONE, q = NONE, w = NONE, r = NONE;

				if (!ref_net_link(&v, &q, &net, u, p))
					continue;
				assert_true(v < ref_net_nodes(&net) && v != u && q < ref_net_links(&net));
				assert_true(ref_net_link(&w, &r, &net, v, q));
				assert_int_equal(w, u);
				assert_int_equal(r, p);
				// No two links between the same nodes: around a ring of two there is one.
				for (unsigned other = 0; other < p; other++) {
					unsigned x = NONE;

					if (ref_net_link(&x, &r, &net, u, other))
						assert_int_not_equal(x, v);
				}
			}
		}
	}
}

static void test_routes_are_shortest(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_NETS; i++) {
		struct ref_net net = net_of(some_nets[i]);
		unsigned n = ref_net_nodes(&net);
		unsigned per_dim = net.kind == REF_CUBE ? 1 : 2;
		size_t channel[NODES_MAX + 2];

		for (unsigned k = 0; k < n * n * 2; k++) {
			struct ref_way way = {k / 2 / n, k / 2 % n, k % 2 ? REF_ASCENDING : REF_DESCENDING};
			size_t length = ref_net_walk(channel, &net, &way);
			unsigned before = 0;

			if (way.source == way.destination) {
				assert_int_equal(length, 0);
				continue;
			}
			if (length != distance_by_search(&net, way.source, way.destination) + 2)
				fail_msg("%s: %u to %u over %zu channels", some_nets[i], way.source, way.destination,
				         length);
			assert_int_equal(channel[0], ref_net_injection(&net, way.source));
			assert_int_equal(channel[length - 1], ref_net_ejection(&net, way.destination));
			for (size_t c = 1; c + 1 < length; c++) {
				unsigned dim = (unsigned)(channel[c] % (ref_net_links(&net) + 2)) / per_dim;

				assert_true(c == 1 || dim == before || (dim > before) == (way.order == REF_ASCENDING));
				before = dim;
			}
		}
	}
}

static void test_load_by_hand(void **state)
{
	(void)state;
	const struct ref_way way[] = {
		{0, 2, REF_ASCENDING}, {1, 3, REF_ASCENDING}, {3, 2, REF_DESCENDING}, {2, 2, REF_ASCENDING}};
	// By node: +, -, ejection, injection.
	const unsigned load[16] = {1, 0, 0, 1, 2, 0, 0, 1, 1, 0, 2, 0, 0, 1, 1, 1};
	struct ref_net net = net_of("line:4");
	unsigned got[16];

	assert_int_equal(ref_net_load(got, &net, way, 4), 0);
	assert_memory_equal(got, load, sizeof(load));
	net = net_of("line:3");
	assert_int_equal(ref_net_load(got, &net, way, 4), -EINVAL);
	net.extent[0] = 0;
	assert_int_equal(ref_net_load(got, &net, way, 0), -EINVAL);
	assert_memory_equal(got, load, sizeof(load));
}

static void test_cubes_as_before(void **state)
{
	(void)state;
	struct ref_net net = net_of("cube:4");

	for (unsigned k = 0; k < 512; k++) {
		enum ref_order order = k % 2 ? REF_ASCENDING : REF_DESCENDING;

		assert_int_equal(ref_net_next(&net, k / 32, k / 2 % 16, order),
		                 ref_cube_next(4, k / 32, k / 2 % 16, order));
	}
	assert_int_equal(ref_channel_count(4), ref_net_channels(&net));
	assert_int_equal(ref_channel_network(4, 3, 2), 20);
	assert_int_equal(ref_channel_ejection(4, 3), 22);
	assert_int_equal(ref_channel_injection(4, 3), 23);
}

// --- Cycles by hand ------------------------------------------------------------------------------------------------

struct run {
	struct ref_net net;
	struct ref_arrival arrival[MESSAGES_MAX];
	struct ref_channel channel[CHANNELS_MAX];
	struct ref_wait wait[CHANNELS_MAX];
	bool asked[CHANNELS_MAX];
	struct ref_lock lock;
};

static int play(struct run *run, const char *name, enum ref_timing timing, unsigned n_slots,
                const struct ref_message *message, size_t n)
{
	struct ref_machine machine;

	run->net = net_of(name);
	assert_true(ref_net_channels(&run->net) <= CHANNELS_MAX && n <= MESSAGES_MAX);
	run->lock = (struct ref_lock){.circle = run->wait, .asked = run->asked};
	machine = machine_for(&run->net, timing);
	machine.n_slots = n_slots;
	return ref_machine_run_to_lock(run->arrival, run->channel, &run->lock, &machine, message, n);
}

static void assert_channel(const struct run *run, size_t c, uint64_t n_worms, uint64_t n_flits, uint64_t n_blocked)
{
	assert_int_equal(run->channel[c].n_worms, n_worms);
	assert_int_equal(run->channel[c].n_flits, n_flits);
	assert_int_equal(run->channel[c].n_blocked, n_blocked);
}

static void test_two_over_one_link(void **state)
{
	(void)state;
	// cycle           1    2    3    4    5    6    7    8    9   10      h, b, t: header, body, tail of 1 -> 3
	// 1 -> 3: inj     h    b    t
	//         1+           h    b    t
	//         2+                h    b    t
	//         ej                     h    b    t
	// 0 -> 3: inj     h    b    t
	//         0+           h    b    .    .    .    t                     t: full until the header has left in 6
	//         1+                x    x    x    h    b    t                x: asks; paper: the tail is there until 5
	//         2+                                    h    b    t
	//         ej                                         h    b    t
	// fast: one earlier from the header's 1+ on.
	const struct ref_message message[] = {{0, 3, 3}, {1, 3, 3}};
	static struct run run;

	assert_int_equal(play(&run, "line:4", REF_PAPER, 2, message, 2), 0);
	assert_int_equal(run.arrival[1].first_cycle, 4);
	assert_int_equal(run.arrival[1].done_cycle, 6);
	assert_int_equal(run.arrival[0].first_cycle, 8);
	assert_int_equal(run.arrival[0].done_cycle, 10);
	assert_int_equal(run.arrival[0].offer_cycle, 1);
	assert_channel(&run, ref_net_channel(&run.net, 0, 0), 1, 3, 0);
	assert_channel(&run, ref_net_channel(&run.net, 1, 0), 2, 6, 3);
	assert_channel(&run, ref_net_channel(&run.net, 2, 0), 2, 6, 0);
	assert_channel(&run, ref_net_channel(&run.net, 1, 1), 0, 0, 0);
	assert_channel(&run, ref_net_ejection(&run.net, 3), 2, 6, 0);
	assert_channel(&run, ref_net_injection(&run.net, 0), 1, 3, 0);

	assert_int_equal(play(&run, "line:4", REF_FAST, 2, message, 2), 0);
	assert_int_equal(run.arrival[1].done_cycle, 6);
	assert_int_equal(run.arrival[0].first_cycle, 7);
	assert_int_equal(run.arrival[0].done_cycle, 9);
	assert_channel(&run, ref_net_channel(&run.net, 1, 0), 2, 6, 2);
}

static void test_tie_injected_first(void **state)
{
	(void)state;
	// 0 -> 4 asks for link + of 2 in cycle 4, and so does the second message of 2: paper lets its header follow the
	// first one, of one flit, two cycles later. By source or by link the message from afar would win.
	const struct ref_message message[] = {{0, 4, 2}, {2, 1, 1}, {2, 4, 2}};
	static struct run run;
	struct ref_machine machine;

	assert_int_equal(play(&run, "line:5", REF_PAPER, 2, message, 3), 0);
	assert_int_equal(run.arrival[2].offer_cycle, 2);
	assert_int_equal(run.arrival[2].first_cycle, 6);
	assert_int_equal(run.arrival[2].done_cycle, 7);
	assert_int_equal(run.arrival[0].first_cycle, 9);
	assert_int_equal(run.channel[ref_net_channel(&run.net, 2, 0)].n_blocked, 3);
	machine = machine_for(&run.net, REF_PAPER);
	for (int source = 0; source < 2; source++) {
		machine.tie = source ? REF_TIE_SOURCE : REF_TIE_PORT;
		assert_int_equal(ref_machine_run(run.arrival, NULL, &machine, message, 3), 0);
		assert_int_equal(run.arrival[0].first_cycle, 6);
		assert_int_equal(run.arrival[2].first_cycle, 9);
	}
	// Fast lets the second header follow at once: it is the elder one by a cycle if 0 is as far, and ties with 1.
	const struct ref_message near[] = {{1, 4, 2}, {2, 1, 1}, {2, 4, 2}};

	assert_int_equal(play(&run, "line:5", REF_FAST, 2, near, 3), 0);
	assert_int_equal(run.arrival[2].first_cycle, 5);
	assert_int_equal(run.arrival[0].first_cycle, 7);
}

static void test_tie_lower_link_first(void **state)
{
	(void)state;
	// All neighbours of the middle ask for its ejection in cycle 3. They come in beside +x, -x, +y, -y: from 5, 3, 7, 1.
	const struct ref_message message[] = {{1, 4, 2}, {3, 4, 2}, {5, 4, 2}, {7, 4, 2}};
	static const size_t by_link[] = {2, 1, 3, 0};
	static const char *const names[] = {"mesh:3x3", "torus:3x3"};
	static struct run run;

	for (unsigned i = 0; i < 2; i++) {
		assert_int_equal(play(&run, names[i], REF_FAST, 2, message, 4), 0);
		for (unsigned k = 0; k < 4; k++)
			assert_int_equal(run.arrival[by_link[k]].done_cycle, 4 + 2 * k);
		assert_int_equal(play(&run, names[i], REF_PAPER, 2, message, 4), 0);
		for (unsigned k = 0; k < 4; k++)
			assert_int_equal(run.arrival[by_link[k]].done_cycle, 4 + 3 * k);
		assert_channel(&run, ref_net_ejection(&run.net, 4), 4, 8, 9); // 3 to 11
	}
}

// --- Standstills by hand -------------------------------------------------------------------------------------------

// The standstill has just these entries, wherever it begins, and headers wait for just these channels.
static void assert_lock(const struct run *run, uint64_t cycle, const struct ref_wait *wait, size_t n,
                        const size_t *asked, size_t n_asked)
{
	size_t first = 0;
	size_t n_found = 0;

	assert_int_equal(run->lock.cycle, cycle);
	assert_int_equal(run->lock.n, n);
	while (first < n && run->wait[0].channel != wait[first].channel)
		first++;
	for (size_t k = 0; k < n; k++) {
		const struct ref_wait *want = &wait[(first + k) % n];

		assert_int_equal(run->wait[k].channel, want->channel);
		assert_int_equal(run->wait[k].message, want->message);
		assert_int_equal(run->wait[k].is_header, want->is_header);
	}
	for (size_t c = 0; c < ref_net_channels(&run->net); c++)
		n_found += run->asked[c];
	assert_int_equal(n_found, n_asked);
	for (size_t k = 0; k < n_asked; k++)
		assert_true(run->asked[asked[k]]);
}

// Messages from every node of ring:4 to the one opposite.
static void opposite(struct ref_message out[4], unsigned n_flits)
{
	for (unsigned u = 0; u < 4; u++)
		out[u] = (struct ref_message){u, (u + 2) % 4, n_flits};
}

static void test_ring_locks(void **state)
{
	(void)state;
	// Every header crosses + in 2 and asks for the next + in 3, which its own worm holds. Two more flits follow into the
	// injection buffer, the fifth stays with the source: nothing moves in 5. Channels 4u: + of node u; 4u + 3: injection.
	const struct ref_wait wait[] = {{0, 0, true}, {4, 1, true}, {8, 2, true}, {12, 3, true}};
	const size_t asked[] = {0, 4, 8, 12, 3};
	static const char *const names[] = {"ring:4", "torus:4", "torus:1x4"};
	struct ref_message message[6];
	static struct run run;
	struct ref_arrival before;

	memset(&run, 0x5a, sizeof(run));
	before = run.arrival[0];
	for (unsigned i = 0; i < 2; i++) {
		enum ref_timing timing = i ? REF_PAPER : REF_FAST;

		opposite(message, 5);
		assert_int_equal(play(&run, names[i], timing, 2, message, 4), -EDEADLK);
		assert_lock(&run, 5, wait, 4, asked, 4);
		// The tail crosses in 3 and gives + free, but two flits fill the buffer at its end.
		opposite(message, 2);
		assert_int_equal(play(&run, "ring:4", timing, 2, message, 4), -EDEADLK);
		assert_lock(&run, 4, wait, 4, asked, 4);
		// Two more from 0: one comes as far as the injection buffer, the other one asks for that. Paper lets the
		// first of them follow only when the buffer is empty.
		message[4] = (struct ref_message){0, 1, 2};
		message[5] = (struct ref_message){0, 1, 1};
		assert_int_equal(play(&run, "ring:4", timing, 2, message, 6), -EDEADLK);
		assert_lock(&run, timing == REF_PAPER ? 6 : 5, wait, 4, asked, 5);
	}
	assert_memory_equal(&run.arrival[0], &before, sizeof(before));
	// With links to number besides: + of node u of torus:1x4 is channel 6u.
	opposite(message, 5);
	assert_int_equal(play(&run, "torus:1x4", REF_FAST, 2, message, 4), -EDEADLK);
	for (unsigned k = 0; k < 4; k++)
		assert_int_equal(run.wait[k].channel, 6 * ((run.wait[0].channel / 6 + k) % 4));

	// A single flit leaves a slot at the end of +: fast lets all go on at once, paper wants it empty.
	opposite(message, 1);
	assert_int_equal(play(&run, "ring:4", REF_PAPER, 2, message, 4), -EDEADLK);
	assert_lock(&run, 3, wait, 4, asked, 4);
	assert_int_equal(play(&run, "ring:4", REF_FAST, 2, message, 4), 0);
	for (unsigned u = 0; u < 4; u++)
		assert_int_equal(run.arrival[u].done_cycle, 4);
	// Room for whole worms: the tails cross in 6, the headers go on in 7, each behind the worm whose place it takes:
	// that one leaves in 7 to 11. Paper still wants the far end empty.
	opposite(message, 5);
	assert_int_equal(play(&run, "ring:4", REF_FAST, 8, message, 4), 0);
	for (unsigned u = 0; u < 4; u++)
		assert_int_equal(run.arrival[u].done_cycle, 16);
	assert_int_equal(play(&run, "ring:4", REF_PAPER, 8, message, 4), -EDEADLK);
	assert_lock(&run, 7, wait, 4, asked, 4);
	// One less, and there is no circle.
	assert_int_equal(play(&run, "ring:4", REF_PAPER, 2, message, 3), 0);
}

static void test_worms_over_two_links(void **state)
{
	(void)state;
	// Each lies over two channels of ring:6 and waits for the next one's first. The tail reaches the injection buffer in
	// 5 and finds the one before it full. Channels 4u: + of node u.
	const struct ref_message message[] = {{0, 3, 5}, {2, 5, 5}, {4, 1, 5}};
	const struct ref_wait wait[] = {{0, 0, false}, {4, 0, true},   {8, 1, false},
	                                {12, 1, true}, {16, 2, false}, {20, 2, true}};
	const size_t asked[] = {8, 16, 0};
	static struct run run;

	assert_int_equal(play(&run, "ring:6", REF_FAST, 2, message, 3), -EDEADLK);
	assert_lock(&run, 6, wait, 6, asked, 3);
	assert_int_equal(play(&run, "ring:6", REF_PAPER, 2, message, 3), -EDEADLK);
	assert_lock(&run, 6, wait, 6, asked, 3);
}

static void test_mixed_orders_lock(void **state)
{
	(void)state;
	// Around mesh:2x2, each from a corner to the one opposite: two go x first, two y first. Six channels a node: 0 +x,
	// 7 is -x of 1, and so on.
	const struct ref_message message[] = {{0, 3, 5}, {1, 2, 5}, {3, 0, 5}, {2, 1, 5}};
	const enum ref_order orders[] = {REF_ASCENDING, REF_DESCENDING, REF_ASCENDING, REF_DESCENDING};
	const struct ref_wait wait[] = {{0, 0, true}, {8, 1, true}, {19, 2, true}, {15, 3, true}};
	const size_t asked[] = {0, 8, 19, 15};
	static struct run run;
	struct ref_machine machine;

	assert_int_equal(play(&run, "mesh:2x2", REF_FAST, 2, message, 4), 0);
	machine = machine_for(&run.net, REF_FAST);
	machine.orders = orders;
	assert_int_equal(ref_machine_run_to_lock(run.arrival, NULL, &run.lock, &machine, message, 4), -EDEADLK);
	assert_lock(&run, 5, wait, 4, asked, 4);
	machine.orders = NULL;
	machine.order = REF_DESCENDING;
	assert_int_equal(ref_machine_run(run.arrival, NULL, &machine, message, 4), 0);
}

// --- Circles -------------------------------------------------------------------------------------------------------

static size_t all_pairs(struct ref_way *out, const struct ref_net *net, bool both_orders)
{
	size_t n = 0;

	for (unsigned u = 0; u < ref_net_nodes(net); u++) {
		for (unsigned v = 0; v < ref_net_nodes(net); v++) {
			out[n++] = (struct ref_way){u, v, REF_ASCENDING};
			if (both_orders)
				out[n++] = (struct ref_way){u, v, REF_DESCENDING};
		}
	}
	return n;
}

// 0: none. What is found is a circle.
static size_t circle_of(const struct ref_net *net, const struct ref_way *way, size_t n)
{
	static size_t circle[CHANNELS_MAX];
	size_t length = 12345;

	assert_int_equal(ref_circle_find(circle, &length, net, way, n), 0);
	if (length > 0)
		assert_int_equal(ref_circle_is(circle, length, net, way, n), 1);
	return length;
}

static void test_circles_of_networks(void **state)
{
	(void)state;
	// All messages that there can be. Around a ring only ways of two links and more make a circle: from 4 nodes on.
	static const struct {
		const char *name;
		bool one_order, both_orders;
	} known[] = {{"cube:2", false, true},     {"cube:4", false, true},     {"line:2", false, false},
	             {"line:7", false, false},    {"mesh:3x5", false, true},   {"mesh:1x7", false, false},
	             {"mesh:2x2", false, true},   {"mesh:4x3x2", false, true}, {"mesh:2x1x3", false, true},
	             {"ring:2", false, false},    {"ring:3", false, false},    {"ring:4", true, true},
	             {"ring:5", true, true},      {"ring:9", true, true},      {"torus:2x2", false, true},
	             {"torus:3x3", false, true},  {"torus:1x3", false, false}, {"torus:1x4", true, true},
	             {"torus:2x4", true, true},   {"torus:5x3", true, true},   {"torus:4x4x2", true, true},
	             {"torus:2x3x2", false, true}};
	static struct ref_way way[2 * NODES_MAX * NODES_MAX];

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		struct ref_net net = net_of(known[i].name);

		if ((circle_of(&net, way, all_pairs(way, &net, false)) != 0) != known[i].one_order)
			fail_msg("%s, one order", known[i].name);
		if ((circle_of(&net, way, all_pairs(way, &net, true)) != 0) != known[i].both_orders)
			fail_msg("%s, both orders", known[i].name);
	}
}

static void test_circles_by_hand(void **state)
{
	(void)state;
	const struct ref_way way[] = {
		{0, 2, REF_ASCENDING}, {1, 3, REF_ASCENDING}, {2, 0, REF_ASCENDING}, {3, 1, REF_ASCENDING}};
	const size_t ring[] = {4, 8, 12, 0, 4};
	const size_t beside[] = {0, 4, 8, 13};
	const size_t outside[] = {0, 4, 8, 16};
	struct ref_net net = net_of("ring:4");

	assert_int_equal(circle_of(&net, way, 4), 4);
	assert_int_equal(circle_of(&net, way, 3), 0);
	assert_int_equal(circle_of(&net, way + 1, 3), 0);
	assert_int_equal(circle_of(&net, NULL, 0), 0);
	assert_int_equal(ref_circle_is(ring, 4, &net, way, 4), 1);
	assert_int_equal(ref_circle_is(ring + 1, 4, &net, way, 4), 1);
	assert_int_equal(ref_circle_is(ring, 4, &net, way, 3), 0);
	assert_int_equal(ref_circle_is(ring, 3, &net, way, 4), 0);
	assert_int_equal(ref_circle_is(ring, 5, &net, way, 4), 0);
	assert_int_equal(ref_circle_is(ring, 0, &net, way, 4), 0);
	assert_int_equal(ref_circle_is(beside, 4, &net, way, 4), 0);
	assert_int_equal(ref_circle_is(outside, 4, &net, way, 4), 0);
	net = net_of("ring:3");
	assert_int_equal(ref_circle_is(ring, 4, &net, way, 4), -EINVAL);
	net = net_of("mesh:2x2");
	assert_int_equal(circle_of(&net, way, 4), 0);
}

// Messages between which no wait is left after channels that nothing leads to have been taken away again and again.
static bool is_free_by_peeling(const struct ref_net *net, const struct ref_way *way, size_t n)
{
	bool gone[CHANNELS_MAX] = {false};
	bool changed = true;
	size_t n_gone = 0;

	while (changed) {
		bool led_to[CHANNELS_MAX] = {false};

		for (size_t m = 0; m < n; m++) {
			size_t channel[NODES_MAX + 2];
			size_t length = ref_net_walk(channel, net, &way[m]);

			for (size_t k = 1; k < length; k++)
				led_to[channel[k]] |= !gone[channel[k - 1]];
		}
		changed = false;
		for (size_t c = 0; c < ref_net_channels(net); c++) {
			if (gone[c] || led_to[c])
				continue;
			gone[c] = changed = true;
			n_gone++;
		}
	}
	return n_gone == ref_net_channels(net);
}

// --- Whatever the network and the messages -------------------------------------------------------------------------

// Any kind, up to 4 extents of 1 to 7, up to NODES_MAX nodes.
static void random_net(struct ref_net *out)
{
	unsigned n_nodes;

	do {
		*out = (struct ref_net){.kind = (enum ref_kind)random_below(5)};
		out->n_extents = out->kind == REF_LINE || out->kind == REF_RING ? 1 : 1 + random_below(4);
		n_nodes = 1;
		for (unsigned d = 0; d < out->n_extents; d++) {
			out->extent[d] = out->kind == REF_CUBE ? 2
			                 : out->n_extents == 1 ? 2 + random_below(15)
			                                       : 1 + random_below(7);
			n_nodes *= out->extent[d];
		}
	} while (n_nodes < 2 || n_nodes > NODES_MAX);
}

static void random_messages(struct ref_message *out, struct ref_way *way, enum ref_order *orders,
                            const struct ref_net *net, size_t n, bool mixed)
{
	unsigned longest = random_below(3) ? 6 : 40;
	enum ref_order order = random_below(2) ? REF_ASCENDING : REF_DESCENDING;

	for (size_t m = 0; m < n; m++) {
		out[m].source = random_below(ref_net_nodes(net));
		do {
			out[m].destination = random_below(ref_net_nodes(net));
		} while (out[m].destination == out[m].source);
		out[m].n_flits = 1 + random_below(longest);
		orders[m] = mixed && random_below(2) ? REF_ASCENDING : order;
		way[m] = (struct ref_way){out[m].source, out[m].destination, orders[m]};
	}
}

struct lists {
	struct ref_net net;
	struct ref_machine machine;
	struct ref_message message[MESSAGES_MAX];
	struct ref_way way[MESSAGES_MAX];
	enum ref_order orders[MESSAGES_MAX];
	size_t n;
	unsigned load[CHANNELS_MAX];
};

static void random_lists(struct lists *out, uint64_t seed, size_t most)
{
	random_state = seed;
	(void)random_below(2);
	random_net(&out->net);
	assert_true(ref_net_channels(&out->net) <= CHANNELS_MAX);
	out->n = 1 + random_below((unsigned)most);
	random_messages(out->message, out->way, out->orders, &out->net, out->n, random_below(4) == 0);
	out->machine = machine_for(&out->net, seed % 2 ? REF_PAPER : REF_FAST);
	out->machine.orders = out->orders;
	assert_int_equal(ref_net_load(out->load, &out->net, out->way, out->n), 0);
}

// Messages that share no channel with an earlier one of the list.
static void keep_apart(struct lists *l)
{
	unsigned load[CHANNELS_MAX];
	size_t kept = 0;

	for (size_t m = 0; m < l->n; m++) {
		bool alone = true;

		l->message[kept] = l->message[m];
		l->way[kept] = l->way[m];
		l->orders[kept] = l->orders[m];
		assert_int_equal(ref_net_load(load, &l->net, l->way, kept + 1), 0);
		for (size_t c = 0; c < ref_net_channels(&l->net); c++)
			alone = alone && load[c] <= 1;
		kept += alone;
	}
	l->n = kept;
}

static void test_without_contention(void **state)
{
	(void)state;
	static struct lists l;
	static struct run run;
	size_t n_together = 0;

	for (uint64_t seed = 1; seed <= 2000; seed++) {
		random_lists(&l, seed, 40);
		keep_apart(&l);
		n_together += l.n > 1;
		assert_int_equal(ref_machine_run(run.arrival, run.channel, &l.machine, l.message, l.n), 0);
		for (size_t m = 0; m < l.n; m++) {
			unsigned hops = distance_by_search(&l.net, l.message[m].source, l.message[m].destination);

			if (run.arrival[m].first_cycle != hops + 2 ||
			    run.arrival[m].done_cycle != l.message[m].n_flits + hops + 1)
				fail_msg("seed %llu, message %zu", (unsigned long long)seed, m);
		}
		for (size_t c = 0; c < ref_net_channels(&l.net); c++)
			assert_int_equal(run.channel[c].n_blocked, 0);
	}
	assert_true(n_together > 1000);
}

// What crosses is what was sent, on the ways that it has, and nothing arrives sooner than it could alone.
static void check_conserved(const struct lists *l, const struct run *run, uint64_t seed)
{
	uint64_t n_flits[CHANNELS_MAX] = {0};
	size_t channel[NODES_MAX + 2];

	for (size_t m = 0; m < l->n; m++) {
		const struct ref_arrival *a = &run->arrival[m];
		size_t length = ref_net_walk(channel, &l->net, &l->way[m]);

		for (size_t k = 0; k < length; k++)
			n_flits[channel[k]] += l->message[m].n_flits;
		if (a->offer_cycle < 1 || a->first_cycle < a->offer_cycle + length - 1 ||
		    a->done_cycle < a->first_cycle + l->message[m].n_flits - 1)
			fail_msg("seed %llu: message %zu arrives too early", (unsigned long long)seed, m);
		for (size_t k = 0; k < m; k++) {
			const struct ref_arrival *b = &run->arrival[k];

			// Worms do not pass each other at the source, and do not mix at the destination.
			if (l->message[k].source == l->message[m].source &&
			    a->offer_cycle < b->offer_cycle + l->message[k].n_flits)
				fail_msg("seed %llu: message %zu is offered before %zu has left",
				         (unsigned long long)seed, m, k);
			if (l->message[k].destination == l->message[m].destination && a->first_cycle <= b->done_cycle &&
			    b->first_cycle <= a->done_cycle)
				fail_msg("seed %llu: messages %zu and %zu mix", (unsigned long long)seed, m, k);
		}
	}
	for (size_t c = 0; c < ref_net_channels(&l->net); c++) {
		const struct ref_channel *r = &run->channel[c];

		if (r->n_worms != l->load[c] || r->n_flits != n_flits[c] || (l->load[c] <= 1 && r->n_blocked > 0))
			fail_msg("seed %llu: channel %zu", (unsigned long long)seed, c);
	}
}

// The circle is one of the graph; every wait on it lies on the way of its message, and is asked for if it is a header's.
// Under paper timing no two worms share a buffer: a body waits for its own.
static void check_lock(const struct lists *l, const struct run *run, uint64_t seed)
{
	size_t circle[CHANNELS_MAX];

	for (size_t k = 0; k < run->lock.n; k++) {
		const struct ref_wait *here = &run->wait[k];
		const struct ref_wait *next = &run->wait[(k + 1) % run->lock.n];
		size_t one_way[NODES_MAX + 2];
		size_t length = ref_net_walk(one_way, &l->net, &l->way[here->message]);
		bool on_way = false;

		circle[k] = here->channel;
		for (size_t i = 1; i < length; i++)
			on_way = on_way || (one_way[i - 1] == here->channel && one_way[i] == next->channel);
		if (!on_way || (here->is_header && !run->asked[next->channel]) ||
		    (!here->is_header && here->message != next->message && l->machine.timing == REF_PAPER))
			fail_msg("seed %llu: wait %zu of %zu", (unsigned long long)seed, k, run->lock.n);
	}
	if (ref_circle_is(circle, run->lock.n, &l->net, l->way, l->n) != 1)
		fail_msg("seed %llu: not a circle", (unsigned long long)seed);
}

static void test_random_lists(void **state)
{
	(void)state;
	static struct lists l;
	static struct run run;
	unsigned n_locks = 0, n_lucky = 0, n_free = 0;

	for (uint64_t seed = 1; seed <= 2000; seed++) {
		random_lists(&l, seed, seed % 4 ? 50 : MESSAGES_MAX);
		run.lock = (struct ref_lock){.circle = run.wait, .asked = run.asked};

		int rc = ref_machine_run_to_lock(run.arrival, run.channel, &run.lock, &l.machine, l.message, l.n);
		bool has_circle = circle_of(&l.net, l.way, l.n) != 0;

		if (has_circle == is_free_by_peeling(&l.net, l.way, l.n))
			fail_msg("seed %llu: search and peeling disagree", (unsigned long long)seed);
		if (rc == -EDEADLK) {
			if (!has_circle)
				fail_msg("seed %llu: locks without a circle", (unsigned long long)seed);
			check_lock(&l, &run, seed);
			n_locks++;
			continue;
		}
		assert_int_equal(rc, 0);
		check_conserved(&l, &run, seed);
		n_lucky += has_circle;
		n_free += !has_circle;
	}
	printf("%u lists without a circle, %u with one that did not lock, %u that did\n", n_free, n_lucky, n_locks);
	assert_true(n_free > 500 && n_lucky > 20 && n_locks > 100);
}

// The same network under several names: all cycles are the same. Ties go by the source, as links have other numbers.
static void test_names_of_one_network(void **state)
{
	(void)state;
	static const char *const same[][3] = {
		{"cube:3", "mesh:2x2x2", "torus:2x2x2"},    {"line:7", "mesh:1x7", "mesh:7x1"},
		{"ring:7", "torus:1x7", "torus:7x1x1"},     {"line:2", "ring:2", "cube:1"},
		{"mesh:4x3", "mesh:1x4x3", "mesh:4x1x3x1"}, {"torus:4x5", "torus:4x1x5", "torus:4x5x1"}};
	static struct ref_message message[MESSAGES_MAX];
	static struct ref_way way[MESSAGES_MAX];
	static enum ref_order orders[MESSAGES_MAX];
	static struct ref_arrival arrival[3][MESSAGES_MAX];

	for (uint64_t seed = 1; seed <= 600; seed++) {
		int rc[3];
		size_t n;

		random_state = seed;
		n = 1 + random_below(60);
		for (unsigned i = 0; i < 3; i++) {
			struct ref_net net = net_of(same[seed % 6][i]);
			struct ref_machine machine = machine_for(&net, seed % 2 ? REF_PAPER : REF_FAST);

			if (i == 0)
				random_messages(message, way, orders, &net, n, false);
			machine.tie = REF_TIE_SOURCE;
			machine.orders = orders;
			rc[i] = ref_machine_run(arrival[i], NULL, &machine, message, n);
			if (rc[i] != rc[0] ||
			    (rc[0] == 0 && memcmp(arrival[i], arrival[0], n * sizeof(arrival[0][0])) != 0))
				fail_msg("%s is not %s, seed %llu", same[seed % 6][i], same[seed % 6][0],
				         (unsigned long long)seed);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_links_by_hand),
		cmocka_unit_test(test_routes_by_hand),
		cmocka_unit_test(test_links_lead_back),
		cmocka_unit_test(test_routes_are_shortest),
		cmocka_unit_test(test_load_by_hand),
		cmocka_unit_test(test_cubes_as_before),
		cmocka_unit_test(test_two_over_one_link),
		cmocka_unit_test(test_tie_injected_first),
		cmocka_unit_test(test_tie_lower_link_first),
		cmocka_unit_test(test_ring_locks),
		cmocka_unit_test(test_worms_over_two_links),
		cmocka_unit_test(test_mixed_orders_lock),
		cmocka_unit_test(test_circles_of_networks),
		cmocka_unit_test(test_circles_by_hand),
		cmocka_unit_test(test_without_contention),
		cmocka_unit_test(test_random_lists),
		cmocka_unit_test(test_names_of_one_network),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
