// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "open_registers.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/device.h>
#include <flitloom/link/open_fabric.h>
#include <flitloom/link/regmap.h>

#define CHANNELS_MOST 512u
#define PATIENCE 500 // cycles

// A fabric with its ports, and the test's way to say what fails.
struct scene {
	struct loom_open_fabric *f;
	const struct loom_topo *topo;
	struct loom_open_port *port;
	struct loom_link *link;
	struct loom_err err;
	uint32_t *n_passed, *n_failed;
};

static void check_at(struct scene *s, int line, bool ok, const char *what)
{
	++*(ok ? s->n_passed : s->n_failed);
	if (!ok)
		printf("FAIL open_registers.c:%d: %s: %s\n", line, s->topo ? s->topo->name : "", what);
}
#define CHECK(x) check_at(s, __LINE__, x, #x)

static bool begin(struct scene *s, const char *fabric)
{
	if (loom_open_fabric_open(&s->f, fabric, NULL, &s->err) != 0) {
		printf("FAIL open_registers.c: %s: %s\n", fabric, s->err.text);
		++*s->n_failed;
		return false;
	}
	s->topo = loom_open_fabric_topo(s->f);
	s->link = loom_open_fabric_link(s->f);
	s->port = calloc(s->topo->n_nodes, sizeof *s->port);
	return s->port != NULL;
}

static void end(struct scene *s)
{
	loom_open_fabric_close(s->f);
	free(s->port);
	s->f = NULL;
	s->topo = NULL;
	s->port = NULL;
}

static uint32_t get(struct scene *s, uint32_t address)
{
	uint32_t word = UINT32_MAX;
	CHECK(loom_link_read(s->link, address, &word, 1, 1000, &s->err) == 0);
	return word;
}

static void put(struct scene *s, uint32_t address, uint32_t word)
{
	CHECK(loom_link_write(s->link, address, &word, 1, 1000, &s->err) == 0);
}

static uint32_t state(struct scene *s)
{
	return get(s, LOOM_REG_STATUS) >> LOOM_STATUS_STATE_LOW & 3;
}

// Frames from one node to another, all of one length, without a pause.
struct feed {
	uint32_t from, to, n_beats, n_frames;
	uint32_t beat, frame; // the next beat, and its frame
	uint64_t taken;       // the cycle in which the last beat was taken
};

// Runs a cycle: the feeds offer their beats, and node `accepts`, if there is such a node, accepts what arrives.
static void step(struct scene *s, struct feed *feed, size_t n, uint32_t accepts)
{
	for (size_t i = 0; i < n; i++) {
		struct loom_open_port *p = &s->port[feed[i].from];
		p->offer = feed[i].frame < feed[i].n_frames;
		if (p->offer)
			p->in = (struct loom_open_beat){.data = feed[i].frame << 8 | feed[i].beat,
			                                .node = feed[i].to,
			                                .last = feed[i].beat + 1 == feed[i].n_beats};
	}
	for (uint32_t u = 0; u < s->topo->n_nodes; u++)
		s->port[u].accept = u == accepts;
	CHECK(loom_open_fabric_cycle(s->f, s->port, &s->err) == 0);
	for (size_t i = 0; i < n; i++)
		if (s->port[feed[i].from].taken) {
			feed[i].taken = loom_open_fabric_now(s->f);
			feed[i].beat = (feed[i].beat + 1) % feed[i].n_beats;
			feed[i].frame += feed[i].beat == 0;
		}
}

// Waits until n_frames frames have come to the node; all else has then left the network.
static bool receive(struct scene *s, struct feed *feed, size_t n, uint32_t node, uint32_t n_frames)
{
	for (unsigned i = 0; i < PATIENCE && n_frames; i++) {
		step(s, feed, n, node);
		n_frames -= s->port[node].got && s->port[node].out.last;
	}
	return n_frames == 0;
}

static uint32_t route(const struct scene *s, uint32_t from, uint32_t to, enum loom_rule rule, uint32_t *channel)
{
	struct loom_route r;
	uint32_t n = 0;
	for (loom_route_begin(&r, s->topo, from, to, rule); loom_route_next(&r, &channel[n]);)
		n++;
	return n;
}

// Reads word `word` of each channel's counters.
static void read_counts(struct scene *s, unsigned word, uint32_t *out)
{
	uint32_t per_tile = loom_topo_channels_per_tile(s->topo);
	CHECK(loom_topo_channels(s->topo) <= CHANNELS_MOST);
	for (uint32_t c = 0; c < loom_topo_channels(s->topo); c++)
		out[c] = get(s, LOOM_WINDOW_COUNTS | c / per_tile << LOOM_INDEX_LOW | (c % per_tile * 4 + word));
}

static void clear(struct scene *s)
{
	put(s, LOOM_REG_CONTROL, 1u << LOOM_CONTROL_CLEAR_LOW);
}

// --- The network ---------------------------------------------------------------------------------------------------

// Checks that the chip's registers describe the network. Its name contains kind, extents, lanes and light.
static void test_discovery(struct scene *s)
{
	struct loom_device *device = NULL;
	struct loom_topo said = {0};
	CHECK(loom_device_open(&device, s->link, &s->err) == 0);
	if (!device)
		return;
	const struct loom_chip *chip = loom_device_chip(device);
	struct loom_chip wanted = {0};
	loom_chip_set_shape(&wanted, s->topo);
	CHECK(loom_chip_check(chip, &s->err) == 0);
	CHECK(loom_chip_topo(&said, chip, &s->err) == 0 && strcmp(said.name, s->topo->name) == 0);
	CHECK(chip->kind == s->topo->kind->code && chip->n_nodes == s->topo->n_nodes);
	CHECK(chip->n_dims == wanted.n_dims && memcmp(chip->extent, wanted.extent, sizeof wanted.extent) == 0);
	CHECK(chip->n_vcs == s->topo->n_vcs && chip->label_bits == s->topo->label_bits);
	CHECK(chip->light_cycles == s->topo->light_cycles && chip->light_ratio == s->topo->light_ratio);
	CHECK(chip->user_nodes == 1 && chip->flit_bits == loom_open_fabric_data_bits(s->f));
	CHECK(chip->program_depth == 0 && chip->log_depth == 0 && chip->store_slots == 0);
	loom_topo_free(&said);
	loom_device_close(device);
}

// Checks that the ports number nodes as the topology does, though the network uses labels: each node sends to the next
// but one, which gets its number as the source.
static void test_labels(struct scene *s)
{
	uint32_t n = s->topo->n_nodes;
	for (uint32_t u = 0; u < n; u++) {
		struct feed feed = {.from = u, .to = (u + 2) % n, .n_beats = 1, .n_frames = 1};
		CHECK(receive(s, &feed, 1, feed.to, 1) && s->port[feed.to].out.node == u);
	}
}

// --- STATUS --------------------------------------------------------------------------------------------------------

// Checks that a frame is under way from its first flit to its last, also while its sender pauses and the network is
// empty.
static void test_status(struct scene *s)
{
	uint32_t to = s->topo->n_nodes - 1;
	struct feed feed = {.to = to, .n_beats = 2, .n_frames = 1};
	CHECK(state(s) == 0);
	for (int i = 0; i < PATIENCE && feed.beat == 0; i++)
		step(s, &feed, 1, UINT32_MAX);
	CHECK(state(s) == 1);
	s->port[0].offer = false; // the first beat was taken; the second one follows later
	bool got = false;
	for (int i = 0; i < 50; i++) {
		step(s, NULL, 0, to);
		got = got || s->port[to].got;
	}
	CHECK(got);
	CHECK(state(s) == 1 && loom_open_fabric_busy(s->f));
	CHECK(receive(s, &feed, 1, to, 1));
	CHECK(state(s) == 0);
}

static void test_backward(struct scene *s, bool backward)
{
	uint32_t n = s->topo->n_nodes, want[64], other[64], worms[CHANNELS_MOST], differ = 0;
	put(s, LOOM_REG_CONFIG, (backward ? 1u : 0u) << LOOM_CONFIG_BACKWARD_LOW);
	CHECK(get(s, LOOM_REG_CONFIG) == (backward ? 1u : 0u) << LOOM_CONFIG_BACKWARD_LOW);
	for (uint32_t u = 0; u < n; u++) {
		struct feed feed = {.from = u, .to = (3 * u + 1) % n, .n_beats = 2, .n_frames = 1};
		uint32_t length = route(s, u, feed.to, backward ? LOOM_RULE_ASCENDING : LOOM_RULE_DESCENDING, want);
		bool same =
			route(s, u, feed.to, backward ? LOOM_RULE_DESCENDING : LOOM_RULE_ASCENDING, other) == length;
		differ += !same || memcmp(want, other, length * sizeof *want) != 0;
		clear(s);
		CHECK(receive(s, &feed, 1, feed.to, 1) && s->port[feed.to].out.node == u);
		read_counts(s, 0, worms);
		uint32_t sum = 0;
		for (uint32_t c = 0; c < loom_topo_channels(s->topo); c++)
			sum += worms[c];
		bool all = true;
		for (uint32_t i = 0; i < length; i++)
			all = all && worms[want[i]] == 1;
		CHECK(all && sum == length);
	}
	CHECK(differ > n / 2);
}

// --- How long headers wait -----------------------------------------------------------------------------------------

// The headers of two frames start together. At the place where their ways meet, the one that comes first has the
// channel for n + 1 cycles, if nobody pauses, and the other one waits for what is left of these.
static void test_meeting(struct scene *s, uint32_t a, uint32_t b, uint32_t to, uint32_t n_beats)
{
	uint32_t way[2][64], blocked[CHANNELS_MOST], later = 0;
	struct feed feed[2] = {{.from = a, .to = to, .n_beats = n_beats, .n_frames = 1},
	                       {.from = b, .to = to, .n_beats = n_beats, .n_frames = 1}};
	uint32_t n_a = route(s, a, to, LOOM_RULE_ASCENDING, way[0]), n_b = route(s, b, to, LOOM_RULE_ASCENDING, way[1]);
	uint32_t i = n_a, j = n_b; // from the end, where both use the same channels
	while (i > 0 && j > 0 && way[0][i - 1] == way[1][j - 1])
		i--, j--;
	later = i > j ? i - j : j - i;
	clear(s);
	CHECK(receive(s, feed, 2, to, 2));
	read_counts(s, 2, blocked);
	for (uint32_t c = 0; c < loom_topo_channels(s->topo); c++) {
		uint32_t wanted = c == way[0][i] ? n_beats + 1 - later : 0;
		if (blocked[c] != wanted)
			printf("channel %" PRIu32 ": %" PRIu32 " blocked cycles, not %" PRIu32 "\n", c, blocked[c],
			       wanted);
		CHECK(blocked[c] == wanted);
	}
}

// A frame for a node that takes nothing fills the two places for flits of each router on its way; the header of the next
// frame waits outside. When the node begins to take, it takes a cycle for each of these routers until there is room.
static void test_outside(struct scene *s, uint32_t from, uint32_t to)
{
	uint32_t way[64], count[CHANNELS_MOST], n_routers = route(s, from, to, LOOM_RULE_ASCENDING, way) - 1;
	struct feed feed = {.from = from, .to = to, .n_beats = 2 * n_routers, .n_frames = 2};
	clear(s);
	for (int i = 0; i < PATIENCE && feed.frame == 0; i++)
		step(s, &feed, 1, UINT32_MAX);
	uint64_t full = feed.taken;
	for (int i = 0; i < 30; i++)
		step(s, &feed, 1, UINT32_MAX);
	CHECK(feed.taken == full);
	read_counts(s, 3, count); // only the second frame's header waits now
	for (uint32_t c = 0; c < loom_topo_channels(s->topo); c++)
		CHECK(count[c] == (c == way[0]));
	uint64_t open = loom_open_fabric_now(s->f) + 1;
	CHECK(receive(s, &feed, 1, to, 2));
	read_counts(s, 2, count);
	for (uint32_t c = 0; c < loom_topo_channels(s->topo); c++) {
		uint64_t wanted = c == way[0] ? open + n_routers - 1 - full : 0;
		if (count[c] != wanted)
			printf("channel %" PRIu32 ": %" PRIu32 " blocked cycles, not %" PRIu64 "\n", c, count[c],
			       wanted);
		CHECK(count[c] == wanted);
	}
}

void open_registers(uint32_t *n_passed, uint32_t *n_failed)
{
	static const char *const fabrics[] = {
		"cube:3", "mesh:2x3", "torus:3x3v2", "table-mesh:3x2", "otis-mesh:4l3w2v2", "omega:8", "benes:8"};
	for (size_t i = 0; i < sizeof fabrics / sizeof fabrics[0]; i++) {
		struct scene scene = {.n_passed = n_passed, .n_failed = n_failed}, *s = &scene;
		if (begin(s, fabrics[i])) {
			test_discovery(s);
			test_labels(s);
			test_status(s);
		}
		if (s->f && s->topo->kind->two_directions) {
			test_backward(s, false);
			test_backward(s, true);
			test_backward(s, false);
		} else if (s->f && !s->topo->light_ratio) {
			test_meeting(s, 1, 2, 0, 3);
			test_meeting(s, 4, 5, 0, 9);
			test_outside(s, 1, 5);
			test_outside(s, 4, 0);
		}
		end(s);
	}
}
