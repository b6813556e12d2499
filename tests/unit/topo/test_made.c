// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Kinds whose links follow from their size: numbers of nodes and links, degrees and diameters by formulas, links by the words of
// docs/networks.md, names that are read as they are written, and what is refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/routes/graph.h>

#define FAR UINT32_MAX

// A network and what is known of it from its links alone.
struct net {
	struct loom_topo topo;
	uint32_t n, n_links, least_degree, most_degree, diameter;
	bool (*joined)[LOOM_GRAPH_NODES_MAX];
};

static uint32_t farthest(const struct net *net, uint32_t from)
{
	uint32_t queue[LOOM_GRAPH_NODES_MAX], length[LOOM_GRAPH_NODES_MAX], n = 1;
	memset(length, 0xff, sizeof length);
	queue[0] = from;
	length[from] = 0;
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t v = 0; v < net->n; v++)
			if (net->joined[queue[i]][v] && length[v] == FAR) {
				length[v] = length[queue[i]] + 1;
				queue[n++] = v;
			}
	assert_int_equal(n, net->n); // all are reached
	return length[queue[n - 1]];
}

static void make(struct net *out, const char *name)
{
	struct loom_graph_facts facts;
	struct loom_err err = {0};
	if (loom_topo_parse(&out->topo, name, &err) != 0)
		fail_msg("%s: %s", name, err.text);
	assert_true(loom_topo_graph_facts(&facts, &out->topo));
	out->n = out->topo.n_nodes;
	out->n_links = facts.wires->n_links;
	out->joined = calloc(LOOM_GRAPH_NODES_MAX, sizeof *out->joined);
	assert_non_null(out->joined);
	for (uint32_t i = 0; i < out->n_links; i++) {
		const struct loom_graph_link *l = &facts.wires->link[i];
		assert_true(l->both && l->from != l->to && !out->joined[l->from][l->to]);
		out->joined[l->from][l->to] = out->joined[l->to][l->from] = true;
	}
	out->least_degree = FAR;
	out->most_degree = out->diameter = 0;
	for (uint32_t u = 0; u < out->n; u++) {
		uint32_t degree = 0, far = farthest(out, u);
		for (uint32_t v = 0; v < out->n; v++)
			degree += out->joined[u][v];
		out->least_degree = degree < out->least_degree ? degree : out->least_degree;
		out->most_degree = degree > out->most_degree ? degree : out->most_degree;
		out->diameter = far > out->diameter ? far : out->diameter;
	}
}

static void drop(struct net *net)
{
	loom_topo_free(&net->topo);
	free(net->joined);
}

static void is_regular(const struct net *net, uint32_t n, uint32_t degree)
{
	assert_int_equal(net->n, n);
	assert_int_equal(net->least_degree, degree);
	assert_int_equal(net->most_degree, degree);
	assert_int_equal(2 * net->n_links, n * degree);
}

static void test_hyperx(void **state)
{
	static const struct {
		const char *name;
		uint32_t n, degree, diameter, extent[3];
	} cases[] = {{"hyperx:8", 8, 7, 1, {8, 1, 1}},
	             {"hyperx:4x4", 16, 6, 2, {4, 4, 1}},
	             {"hyperx:2x3x5", 30, 7, 3, {5, 3, 2}},
	             {"hyperx:4x4x4", 64, 9, 3, {4, 4, 4}}};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct net net;
		struct loom_graph_facts facts;
		uint32_t shape[LOOM_DIMS_MAX];
		make(&net, cases[i].name);
		is_regular(&net, cases[i].n, cases[i].degree);
		assert_int_equal(net.diameter, cases[i].diameter);
		for (uint32_t u = 0; u < net.n; u++)
			for (uint32_t v = 0; v < net.n; v++) {
				uint32_t differ = 0, a = u, b = v;
				for (unsigned d = 0; d < 3; a /= cases[i].extent[d], b /= cases[i].extent[d], d++)
					differ += a % cases[i].extent[d] != b % cases[i].extent[d];
				assert_int_equal(net.joined[u][v], differ == 1);
			}
		assert_int_equal(loom_topo_shape(shape, &net.topo), cases[i].diameter);
		assert_memory_equal(shape, cases[i].extent, cases[i].diameter * sizeof *shape);
		// By dimension order no lane but one is needed, and that one is short.
		assert_true(loom_topo_graph_facts(&facts, &net.topo));
		assert_int_equal(facts.lanes_needed, 1);
		assert_int_equal(facts.routing, LOOM_GRAPH_SHORTEST);
		drop(&net);
	}
}

static void test_dragonfly(void **state)
{
	(void)state;
	for (uint32_t a = 1; a <= 6; a++)
		for (uint32_t h = 1; h <= 3; h++) {
			char name[40];
			struct net net;
			const uint32_t groups = a * h + 1;
			uint32_t shape[LOOM_DIMS_MAX], between[64][64] = {{0}};
			(void)snprintf(name, sizeof name, "dragonfly:%u,%u", a, h);
			make(&net, name);
			is_regular(&net, groups * a, a - 1 + h);
			assert_true(net.diameter <= 3);
			for (uint32_t u = 0; u < net.n; u++)
				for (uint32_t v = 0; v < net.n; v++) {
					assert_true(u / a != v / a || net.joined[u][v] == (u != v));
					between[u / a][v / a] += net.joined[u][v];
				}
			for (uint32_t x = 0; x < groups; x++)
				for (uint32_t k = 0; k < a * h; k++) { // link k by its router, at both ends
					const uint32_t y = (x + k + 1) % groups;
					assert_int_equal(between[x][y], 1);
					assert_true(net.joined[x * a + k / h][y * a + (a * h - 1 - k) / h]);
				}
			assert_int_equal(loom_topo_shape(shape, &net.topo), 2);
			assert_int_equal(shape[0], a);
			assert_int_equal(shape[1], groups);
			drop(&net);
		}
}

// The first nodes are those of the routers, which are switches and joined as without them.
static void test_dragonfly_with_nodes(void **state)
{
	(void)state;
	for (uint32_t p = 1; p <= 3; p++) {
		struct net net, routers;
		char name[40];
		uint32_t shape[LOOM_DIMS_MAX];
		(void)snprintf(name, sizeof name, "dragonfly:3,2,%u", p);
		make(&net, name);
		make(&routers, "dragonfly:3,2");
		const uint32_t n_hosts = routers.n * p;
		assert_int_equal(net.n, routers.n + n_hosts);
		assert_int_equal(loom_topo_hosts(&net.topo), n_hosts);
		assert_int_equal(loom_topo_hosts(&routers.topo), routers.n);
		assert_int_equal(net.n_links, routers.n_links + n_hosts);
		assert_int_equal(net.diameter, routers.diameter + 2);
		for (uint32_t u = 0; u < n_hosts; u++)
			assert_true(net.joined[u][n_hosts + u / p]);
		for (uint32_t u = 0; u < routers.n; u++)
			assert_memory_equal(&net.joined[n_hosts + u][n_hosts], routers.joined[u], routers.n);
		assert_int_equal(loom_topo_shape(shape, &net.topo), 3);
		assert_int_equal(shape[0], p);
		assert_int_equal(shape[1], 3);
		assert_int_equal(shape[2], 7);
		drop(&net);
		drop(&routers);
	}
}

static uint32_t digit(uint32_t number, uint32_t k, uint32_t i)
{
	while (i-- > 0)
		number /= k;
	return number % k;
}

// Between two levels, switches are joined if their digits differ in one place; a route to a node has as many links up
// as down.
static void test_fat_tree(void **state)
{
	static const struct {
		uint32_t k, levels;
	} cases[] = {{2, 1}, {2, 2}, {2, 3}, {2, 4}, {3, 2}, {3, 3}, {4, 2}, {4, 3}, {8, 2}, {5, 1}};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const uint32_t k = cases[i].k, n = cases[i].levels;
		uint32_t row = 1, shape[LOOM_DIMS_MAX], n_between = 0;
		struct net net;
		struct loom_graph_facts facts;
		char name[40];
		for (uint32_t d = 1; d < n; d++)
			row *= k;
		(void)snprintf(name, sizeof name, "fat-tree:%u,%u", k, n);
		make(&net, name);
		const uint32_t n_hosts = row * k;
		assert_int_equal(loom_topo_hosts(&net.topo), n_hosts);
		assert_int_equal(net.n, n_hosts + n * row);
		assert_int_equal(net.n_links, n * n_hosts);
		assert_int_equal(net.diameter, 2 * n);
		assert_int_equal(net.least_degree, 1);
		assert_int_equal(net.most_degree, n > 1 ? 2 * k : k);
		for (uint32_t a = 0; a < n * row; a++)
			for (uint32_t b = 0; b < n * row; b++) {
				bool is_next = a / row + 1 == b / row;
				for (uint32_t d = 0; is_next && d + 1 < n; d++)
					is_next = d == a / row || digit(a % row, k, d) == digit(b % row, k, d);
				assert_true(!is_next || net.joined[n_hosts + a][n_hosts + b]);
				n_between += is_next;
			}
		assert_int_equal(n_between, (n - 1) * n_hosts);
		assert_int_equal(loom_topo_shape(shape, &net.topo), n);
		assert_int_equal(shape[n - 1], k);
		// Up and then down needs one lane, and is short.
		assert_true(loom_topo_graph_facts(&facts, &net.topo));
		assert_int_equal(facts.lanes_needed, 1);
		assert_string_equal(facts.wires->name[0], "0");
		assert_memory_equal(facts.wires->name[n_hosts], "switch", strlen("switch"));
		drop(&net);
	}
}

static void test_slim_fly(void **state)
{
	static const struct {
		uint32_t q;
		int delta;
	} cases[] = {{3, -1}, {4, 0}, {5, 1}, {7, -1}, {8, 0}, {9, 1}, {11, -1}, {13, 1}};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const uint32_t q = cases[i].q;
		struct net net;
		char name[40];
		(void)snprintf(name, sizeof name, "slim-fly:%u", q);
		make(&net, name);
		is_regular(&net, 2 * q * q, (uint32_t)(3 * (int)q - cases[i].delta) / 2);
		assert_int_equal(net.diameter, 2);
		// Between the halves: one link from each node to each row of the other half. Of a prime q by y = m x + c.
		for (uint32_t u = 0; u < q * q; u++)
			for (uint32_t m = 0; m < q; m++) {
				uint32_t n = 0;
				for (uint32_t c = 0; c < q; c++) {
					const bool is = net.joined[u][q * q + m * q + c];
					n += is;
					if (q % 2 != 0 && q != 9)
						assert_int_equal(is, u % q == (m * (u / q) + c) % q);
				}
				assert_int_equal(n, 1);
			}
		drop(&net);
	}
}

// Node by coordinates, without any of the code under test.
static void test_twisted_torus(void **state)
{
	static const struct {
		const char *name;
		uint32_t extent[3], by[3];
		uint32_t diameter;
	} cases[] = {
		{"twisted-torus:4x8", {8, 4, 1}, {0, 4, 0}, 4},   {"twisted-torus:4x8t3", {8, 4, 1}, {0, 3, 0}, 0},
		{"twisted-torus:4x5", {5, 4, 1}, {0, 2, 0}, 0},   {"twisted-torus:3x4x5t1x2", {5, 4, 3}, {0, 2, 1}, 0},
		{"twisted-torus:4x4t0", {4, 4, 1}, {0, 0, 0}, 4}, {"twisted-torus:4x4x8", {8, 4, 4}, {0, 4, 4}, 6}};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const uint32_t *e = cases[i].extent;
		struct net net;
		uint32_t n_links = 0;
		make(&net, cases[i].name);
		assert_int_equal(net.n, e[0] * e[1] * e[2]);
		for (uint32_t z = 0; z < e[2]; z++)
			for (uint32_t y = 0; y < e[1]; y++)
				for (uint32_t x = 0; x < e[0]; x++) {
					const uint32_t u = (z * e[1] + y) * e[0] + x;
					const uint32_t over_x = (z * e[1] + y) * e[0] + (x + 1) % e[0];
					const uint32_t over_y = (z * e[1] + (y + 1) % e[1]) * e[0] +
					                        (x + (y + 1 == e[1] ? cases[i].by[1] : 0)) % e[0];
					const uint32_t over_z = ((z + 1) % e[2] * e[1] + y) * e[0] +
					                        (x + (z + 1 == e[2] ? cases[i].by[2] : 0)) % e[0];
					assert_true(net.joined[u][over_x] && net.joined[u][over_y]);
					assert_true(e[2] == 1 || net.joined[u][over_z]);
					n_links += e[2] == 1 ? 2 : 3;
				}
		assert_int_equal(net.n_links, n_links);
		assert_true(cases[i].diameter == 0 || net.diameter == cases[i].diameter);
		drop(&net);
	}
}

// Rings of two: the same link both ways counts once, unless it is twisted.
static void test_small_twists(void **state)
{
	struct net net;
	(void)state;
	make(&net, "twisted-torus:2x4t0");
	is_regular(&net, 8, 3);
	drop(&net);
	make(&net, "twisted-torus:2x4");
	is_regular(&net, 8, 4);
	drop(&net);
	make(&net, "twisted-torus:2x2t0");
	is_regular(&net, 4, 2);
	drop(&net);
}

static void test_random(void **state)
{
	(void)state;
	for (uint32_t n = 4; n <= 40; n += 3)
		for (uint32_t degree = 2; degree < n && degree < 12; degree++) {
			char name[40];
			struct net net, other;
			if (n * degree % 2 != 0)
				continue;
			(void)snprintf(name, sizeof name, "random:%u,%u,%u", n, degree, n + degree);
			make(&net, name);
			is_regular(&net, n, degree);
			(void)snprintf(name, sizeof name, "random:%u,%u,%u", n, degree, n + degree + 1);
			make(&other, name);
			if (n > 20) // there are few small ones
				assert_memory_not_equal(net.joined, other.joined, n * sizeof *net.joined);
			drop(&net);
			drop(&other);
		}
}

// A seed gives the same links on every machine, and always these.
static void test_seed(void **state)
{
	static const uint32_t links[][2] = {{0, 2}, {0, 4}, {0, 5}, {1, 3}, {1, 4}, {1, 5},
	                                    {2, 6}, {2, 7}, {3, 6}, {3, 7}, {4, 5}, {6, 7}};
	struct loom_topo t;
	struct loom_graph_facts facts;
	(void)state;
	assert_int_equal(loom_topo_parse(&t, "random:8,3,1", NULL), 0);
	assert_true(loom_topo_graph_facts(&facts, &t));
	assert_int_equal(facts.wires->n_links, sizeof links / sizeof links[0]);
	for (size_t i = 0; i < sizeof links / sizeof links[0]; i++) {
		assert_int_equal(facts.wires->link[i].from, links[i][0]);
		assert_int_equal(facts.wires->link[i].to, links[i][1]);
	}
	loom_topo_free(&t);
}

// --- Classes of links ----------------------------------------------------------------------------------------------------

// The class of each link from the numbers of its ends.
static unsigned class_in_hyperx(uint32_t u, uint32_t v) // 2x3x4
{
	return u / 4 == v / 4 ? 0 : u / 12 == v / 12 ? 1 : 2;
}

static unsigned class_in_dragonfly(uint32_t u, uint32_t v) // 3,2
{
	return u / 3 == v / 3 ? 0 : 1;
}

static unsigned class_with_nodes(uint32_t u, uint32_t v) // 3,2,2: 42 nodes
{
	return u < 42 || v < 42 ? 2 : class_in_dragonfly(u - 42, v - 42);
}

static unsigned class_in_tree(uint32_t u, uint32_t v) // 2,3: eight nodes, and rows of four switches
{
	const uint32_t low = u < v ? u : v;
	return low < 8 ? 0 : 1 + (low - 8) / 4;
}

static unsigned class_in_slim_fly(uint32_t u, uint32_t v) // 4
{
	return u / 16 == v / 16 ? 0 : 1;
}

static unsigned class_in_twisted(uint32_t u, uint32_t v) // 3x5t1
{
	return u / 5 == v / 5 ? 0 : 1;
}

static void test_link_classes(void **state)
{
	static const unsigned delay[] = {3, 8, 1};
	static const struct {
		const char *name, *given;
		unsigned n;
		unsigned (*of)(uint32_t u, uint32_t v);
		const char *names[3];
	} cases[] = {
		{"hyperx:2x3x4d3.8.1", "0:3,1:8,2:1", 3, class_in_hyperx, {"0", "1", "2"}},
		{"dragonfly:3,2v4d3.8", "local:3,global:8", 2, class_in_dragonfly, {"local", "global"}},
		{"dragonfly:3,2,2d3.8.1", "node:1,local:3,global:8", 3, class_with_nodes, {"local", "global", "node"}},
		{"fat-tree:2,3b4d3.8.1", "2:1,1:8,0:3", 3, class_in_tree, {"0", "1", "2"}},
		{"slim-fly:4v4d3.8", "local:3,global:8", 2, class_in_slim_fly, {"local", "global"}},
		{"twisted-torus:3x5t1v4d3.8", "1:8,0:3", 2, class_in_twisted, {"0", "1"}}};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct loom_topo t;
		struct loom_topo_suffix suffix = {0};
		struct loom_err err = {0};
		uint32_t seen[3] = {0};
		if (loom_topo_parse(&t, cases[i].name, &err) != 0)
			fail_msg("%s: %s", cases[i].name, err.text);
		assert_string_equal(t.name, cases[i].name);
		assert_int_equal(loom_topo_link_classes(&t), cases[i].n);
		for (unsigned k = 0; k < cases[i].n; k++) {
			char name[16];
			loom_topo_link_class_name(&t, k, name);
			assert_string_equal(name, cases[i].names[k]);
		}
		assert_int_equal(loom_link_delays_parse(&suffix, &t, cases[i].given, &err), 0);
		assert_memory_equal(&suffix.delays, &t.delays, sizeof t.delays);
		for (int round = 0; round < 2; round++) { // again with other lanes
			for (uint32_t c = 0; c < loom_topo_channels(&t); c++) {
				const uint32_t per_tile = loom_topo_channels_per_tile(&t);
				const uint32_t wire = c % per_tile + 2 < per_tile
				                              ? loom_topo_wire(&t, c / per_tile, c % per_tile)
				                              : 0;
				if (wire == 0)
					continue;
				const unsigned k = cases[i].of(c / per_tile, wire & 0xfff);
				seen[k]++;
				if (loom_topo_link_delay(&t, c) != delay[k])
					fail_msg("%s: %u-%u has %u", t.name, c / per_tile, wire & 0xfff,
					         loom_topo_link_delay(&t, c));
			}
			assert_int_equal(loom_topo_set_vcs(&t, t.n_vcs == 4 ? 2 : 4, &err), 0);
		}
		for (unsigned k = 0; k < cases[i].n; k++)
			assert_true(seen[k] > 0);
		loom_topo_free(&t);
	}
}

// Names as they are given, and as they are written; the latter are read as they are.
static void test_names(void **state)
{
	static const struct {
		const char *given, *name;
		unsigned n_vcs, buffers, link_delay;
	} cases[] = {{"hyperx:04x4", "hyperx:4x4", 1, 2, 0},
	             {"hyperx:4x4v2", "hyperx:4x4v2", 2, 2, 0},
	             {"hyperx:2x4v1b2d0", "hyperx:2x4", 1, 2, 0},
	             {"dragonfly:2,1v2b4d3", "dragonfly:2,1v2b4d3", 2, 4, 3},
	             {"slim-fly:05b8", "slim-fly:5b8", 1, 8, 0},
	             {"random:12,3,007d2", "random:12,3,7d2", 1, 2, 2},
	             {"twisted-torus:4x8t4", "twisted-torus:4x8", 1, 2, 0},
	             {"twisted-torus:4x4x8t4v2", "twisted-torus:4x4x8v2", 2, 2, 0},
	             {"twisted-torus:4x4x8t1", "twisted-torus:4x4x8t1x1", 1, 2, 0},
	             {"twisted-torus:2x4x8t0x3v2b4", "twisted-torus:2x4x8t0x3v2b4", 2, 4, 0}};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct loom_topo t, same;
		assert_int_equal(loom_topo_parse(&t, cases[i].given, NULL), 0);
		assert_string_equal(t.name, cases[i].name);
		assert_int_equal(t.n_vcs, cases[i].n_vcs);
		assert_int_equal(t.buffers, cases[i].buffers);
		assert_int_equal(t.link_delay, cases[i].link_delay);
		assert_int_equal(loom_topo_parse(&same, t.name, NULL), 0);
		assert_string_equal(same.name, t.name);
		assert_int_equal(loom_topo_set_vcs(&same, 4, NULL), 0);
		assert_int_equal(same.n_vcs, 4);
		assert_ptr_equal(same.kind, t.kind);
		assert_int_equal(loom_topo_set_vcs(&same, cases[i].n_vcs, NULL), 0);
		assert_string_equal(same.name, t.name);
		loom_topo_free(&t);
		loom_topo_free(&same);
	}
}

static void test_refused(void **state)
{
	static const struct {
		const char *name, *text;
	} cases[] = {
		{"hyperx:1", "fabric \"hyperx:1\": that is 1 node; 2 to 1048576 nodes are possible"},
		{"hyperx:33x32", "fabric \"hyperx:33x32\": that is 1056 nodes; 2 to 1024 are possible"},
		{"hyperx:65x2", "fabric \"hyperx:65x2\": that is 4225 links; a node has up to 63"},
		{"dragonfly:0,1",
	         "fabric \"dragonfly:0,1\": the size of dragonfly is its routers of a group, links of each to other "
	         "groups, and if the routers are switches its nodes, such as dragonfly:4,2"},
		{"dragonfly:2,1,0",
	         "fabric \"dragonfly:2,1,0\": the size of dragonfly is its routers of a group, links of each to other "
	         "groups, and if the routers are switches its nodes, such as dragonfly:4,2"},
		{"dragonfly:2,1,1025", "fabric \"dragonfly:2,1,1025\": that is 1025 nodes; 2 to 1024 are possible"},
		{"fat-tree:4", "fabric \"fat-tree:4\": the size of fat-tree is its arity, 2 or more, and its levels of "
	                       "switches, such as "
	                       "fat-tree:4,2"},
		{"fat-tree:1,4", "fabric \"fat-tree:1,4\": the size of fat-tree is its arity, 2 or more, and its "
	                         "levels of switches, such as "
	                         "fat-tree:4,2"},
		{"fat-tree:2,99", "fabric \"fat-tree:2,99\": that is too many nodes; 2 to 1024 are possible, switches "
	                          "among them"},
		{"fat-tree:100000,1", "fabric \"fat-tree:100000,1\": that is too many nodes; 2 to 1024 are possible, "
	                              "switches among them"},
		{"fat-tree:2,12", "fabric \"fat-tree:2,12\": that is 28672 nodes; 2 to 1024 are possible"},
		{"fat-tree:64,2", "fabric \"fat-tree:64,2\": that is 4224 nodes; 2 to 1024 are possible"},
		{"fat-tree:64,1",
	         "fat-tree:64,1: link 63: node switch64 has 63 links, and this is one more; up to 63 are possible"},
		{"dragonfly:16,8", "fabric \"dragonfly:16,8\": that is 2064 nodes; 2 to 1024 are possible"},
		{"slim-fly:6",
	         "fabric \"slim-fly:6\": the size of slim-fly is its q, a prime power from 3 to 19, such as "
	         "slim-fly:5"},
		{"slim-fly:5,5",
	         "fabric \"slim-fly:5,5\": the size of slim-fly is its q, a prime power from 3 to 19, such as "
	         "slim-fly:5"},
		{"random:5,3,1",
	         "fabric \"random:5,3,1\": 5 nodes with 3 links each: one of the two numbers must be even, as a link "
	         "has two ends"},
		{"random:8,8,1", "fabric \"random:8,8,1\": 8 nodes with 8 links each; 2 to 7 links are possible"},
		{"random:8,3",
	         "fabric \"random:8,3\": the size of random is its number of nodes, of links of each, and a seed, such "
	         "as random:64,4,1"},
		{"twisted-torus:4x8t8",
	         "fabric \"twisted-torus:4x8t8\": a twist of 8: it is less than the extent of x, 8"},
		{"twisted-torus:4x8t1x1",
	         "fabric \"twisted-torus:4x8t1x1\": behind t is the twist of each extent but the last one, from left "
	         "to right, or one for all, such as 4x4x8t4x4"},
	};
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct loom_topo t;
		struct loom_err err = {0};
		assert_int_equal(loom_topo_parse(&t, cases[i].name, &err), LOOM_EINPUT);
		assert_string_equal(err.text, cases[i].text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hyperx),       cmocka_unit_test(test_dragonfly),
		cmocka_unit_test(test_slim_fly),     cmocka_unit_test(test_dragonfly_with_nodes),
		cmocka_unit_test(test_fat_tree),     cmocka_unit_test(test_twisted_torus),
		cmocka_unit_test(test_small_twists), cmocka_unit_test(test_random),
		cmocka_unit_test(test_seed),         cmocka_unit_test(test_link_classes),
		cmocka_unit_test(test_names),        cmocka_unit_test(test_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
