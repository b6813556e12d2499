// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "engine_checks.h"

#include <errno.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "reference/ref_otis_net.h"

static void *room_for(size_t n, size_t size)
{
	void *p = calloc(n + 1, size);
	if (!p)
		abort();
	return p;
}

// ---- Networks

// The rank on a cube of a header that came by a lane beside a link (n_links: out of the node itself): those from nodes below this one
// come first, the farthest of them first of all, and of these the highest lane.
static unsigned place_by_source(unsigned n_links, unsigned n_vcs, unsigned node, unsigned port, unsigned vc)
{
	if (port == n_links)
		return n_links * n_vcs;
	return node >> port & 1 ? (n_links - 1 - port) * n_vcs + (n_vcs - 1 - vc) : (n_links + 1 + port) * n_vcs + vc;
}

static void rank_inputs(struct engine_net *n)
{
	const struct ref_net *net = n->ref;
	unsigned n_links = ref_net_links(net), n_vcs = ref_net_vcs(net), from, link;
	bool by_source = ref_machine_tie(net) == REF_TIE_CUBE;
	for (unsigned node = 0; node < ref_net_nodes(net); node++) {
		n->rank[ref_net_injection(net, node) * n_vcs] =
			by_source ? (uint16_t)place_by_source(n_links, n_vcs, node, n_links, 0) : 0;
		for (unsigned port = 0; port < n_links; port++) {
			if (!ref_net_input(&from, &link, net, node, port))
				continue;
			for (unsigned v = 0; v < n_vcs; v++)
				n->rank[ref_net_channel(net, from, link) * n_vcs + v] =
					by_source ? (uint16_t)place_by_source(n_links, n_vcs, node, port, v)
						  : (uint16_t)(1 + port * n_vcs + v);
		}
	}
}

static size_t min_channel(const struct ref_min *min, uint32_t node, unsigned k)
{
	return (size_t)node * (min->m + 1) + k;
}

// Ranks the inputs of switches: the upper one goes first.
static void rank_lines(struct engine_net *n)
{
	const struct ref_min *min = n->min;
	for (unsigned stage = 0; stage < min->m; stage++) {
		for (uint32_t line = 0; line < min->n; line++) {
			uint32_t from = min->unwire[stage][line];
			n->rank[min_channel(min, from, stage == 0 ? min->m : stage - 1)] = line % 2;
		}
	}
}

void engine_net_of(struct engine_net *out, const struct ref_net *ref, const struct ref_min *min)
{
	unsigned n_vcs = ref ? ref_net_vcs(ref) : 1, n_links = ref ? ref_net_links(ref) : min->m - 1;
	size_t n_channels = (size_t)(ref ? ref_net_nodes(ref) : min->n) * (n_links + 2);
	*out = (struct engine_net){.ref = ref,
	                           .min = min,
	                           .rank = room_for(n_channels * n_vcs, sizeof(uint16_t)),
	                           .is_light = room_for(n_channels, sizeof(bool))};
	out->net = (struct loom_engine_net){.n_nodes = ref ? ref_net_nodes(ref) : min->n,
	                                    .n_channels = (uint32_t)n_channels,
	                                    .n_vcs = n_vcs,
	                                    .rank = out->rank,
	                                    .light_ratio = 1,
	                                    .buffers = ref_net_slots(ref)};
	if (min) {
		rank_lines(out);
		return;
	}
	rank_inputs(out);
	if (ref->link_delay + ref->router_delay > 0) {
		out->delay = room_for(n_channels, sizeof *out->delay);
		for (size_t c = 0; c < n_channels; c++) {
			const unsigned node = (unsigned)(c / (n_links + 2)), link = (unsigned)(c % (n_links + 2));
			if (link < n_links)
				out->delay[c] = (uint8_t)(ref_net_delay(ref, node, link) + ref->router_delay);
		}
		out->net.delay = out->delay;
		out->net.delay_most = ref->link_delay + ref->router_delay;
		out->net.router_delay = ref->router_delay;
	}
	if (ref->light_cycles == 0 && ref->light_ratio <= 1)
		return;
	for (size_t c = 0; c < n_channels; c++)
		out->is_light[c] = c % (n_links + 2) == REF_OTIS_LIGHT;
	out->net.is_light = out->is_light;
	out->net.light_cycles = ref->light_cycles;
	out->net.light_ratio = ref->light_ratio;
}

void engine_net_free(struct engine_net *net)
{
	free(net->rank);
	free(net->is_light);
	free(net->delay);
}

static uint32_t min_way(uint32_t *out, const struct ref_min *min, const struct ref_message *m)
{
	uint32_t line[REF_MIN_M_MAX], n = 0;
	if (!ref_min_path(line, min, m->source, m->destination))
		abort();
	out[n++] = (uint32_t)min_channel(min, m->source, min->m);
	for (unsigned stage = 0; stage + 1 < min->m; stage++)
		out[n++] = (uint32_t)min_channel(min, line[stage], stage);
	out[n++] = (uint32_t)min_channel(min, m->destination, min->m - 1);
	return n;
}

uint32_t engine_way(uint32_t *out, const struct engine_net *net, const struct ref_message *m, enum ref_order order,
                    const struct ref_chosen *chosen)
{
	if (net->min)
		return min_way(out, net->min, m);
	const struct ref_net *ref = net->ref;
	const struct ref_way way = {m->source, m->destination, order};
	unsigned n_ports = ref_net_links(ref) + 2, n_vcs = ref_net_vcs(ref);
	static size_t channel[ENGINE_WAY_MOST];
	size_t n_walked = m->source == m->destination || chosen ? 0 : ref_net_walk(channel, ref, &way);
	uint32_t n = 0;
	out[n++] = (uint32_t)ref_net_injection(ref, m->source) * n_vcs;
	for (size_t k = 0; chosen && m->source != m->destination && k < chosen->n_links; k++)
		out[n++] = chosen->link[k] * n_vcs + chosen->vc;
	for (size_t k = 1; k + 1 < n_walked; k++) {
		unsigned node = (unsigned)(channel[k] / n_ports), link = (unsigned)(channel[k] % n_ports);
		out[n++] = (uint32_t)channel[k] * n_vcs + ref_net_vc(ref, &way, node, link);
	}
	out[n++] = (uint32_t)ref_net_ejection(ref, m->destination) * n_vcs;
	return n;
}

// ---- The user of an engine: programs as ref_program.h has them

struct player {
	const struct engine_check *check;
	struct loom_engine *engine;
	const struct ref_program *program;
	uint32_t n_nodes;
	bool knows_ways; // the engine computes the ways
	uint32_t **way;  // by message
	uint32_t *n_way;
	struct loom_engine_arrival *arrival; // by message; tail 0: not yet
	struct node {
		size_t entry;
		uint64_t earliest, asked_from;
		bool sends, stands; // stands: at a wait that is not met
	} * node;
};

// Returns the cycle of the tail of the k-th message from `source` to `node`; 0: it has not arrived.
static uint64_t tail_of(const struct player *p, uint32_t node, unsigned source, uint64_t k)
{
	uint64_t tail = 0;
	for (uint64_t n = 0; n < k; n++) { // the next later one
		uint64_t next = UINT64_MAX;
		for (size_t m = 0; m < p->check->n_messages; m++) {
			uint64_t t = p->arrival[m].tail;
			if (p->check->message[m].source == source && p->check->message[m].destination == node &&
			    t > tail && t < next)
				next = t;
		}
		if (next == UINT64_MAX)
			return 0;
		tail = next;
	}
	return tail;
}

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

// Carries out the entries before the node's next message, and returns that one. NULL: there is none, or a wait is not
// met.
static const struct ref_entry *next_send(struct player *p, uint32_t v)
{
	struct node *node = &p->node[v];
	for (; node->entry < p->program[v].n; node->entry++) {
		const struct ref_entry *e = &p->program[v].entry[node->entry];
		uint64_t start = later(node->earliest, e->at), tail;
		switch (e->kind) {
		case REF_SEND: return e;
		case REF_DELAY: node->earliest = start + e->value; break;
		case REF_WAIT:
			tail = tail_of(p, v, e->source, e->value);
			node->stands = tail == 0;
			if (node->stands)
				return NULL;
			node->earliest = later(start, tail + 2) + 1;
			break;
		}
	}
	return NULL;
}

static bool next(void *user, struct loom_engine_message *out, uint32_t v, uint64_t from)
{
	struct player *p = user;
	struct node *node = &p->node[v];
	if (node->sends) { // it is sent
		assert_true(from > node->earliest);
		node->earliest = from;
		node->entry++;
		node->sends = false;
	} else if (node->asked_from != 0) {
		assert_int_equal(from, node->asked_from);
	} else {
		assert_int_equal(from, 1);
		node->earliest = 1;
	}
	node->asked_from = from;
	const struct ref_entry *e = next_send(p, v);
	if (!e)
		return false;
	node->sends = true;
	*out = (struct loom_engine_message){.release = later(node->earliest == from ? 0 : node->earliest, e->at),
	                                    .flits = p->check->message[e->message].n_flits,
	                                    .id = e->message};
	if (p->knows_ways) {
		out->destination = p->check->message[e->message].destination;
	} else {
		out->n_way = p->n_way[e->message];
		out->way = p->way[e->message];
	}
	node->earliest = later(node->earliest, e->at);
	return true;
}

static void arrived(void *user, const struct loom_engine_arrival *arrival)
{
	struct player *p = user;
	if (arrival->id >= p->check->n_messages || p->arrival[arrival->id].tail != 0 || arrival->tail == 0)
		fail_msg("%s: message %" PRIu64 " has arrived once more, or before time", p->check->what, arrival->id);
	p->arrival[arrival->id] = *arrival;
	uint32_t to = p->check->message[arrival->id].destination;
	struct node *node = &p->node[to];
	if (!node->stands)
		return;
	const struct ref_entry *e = &p->program[to].entry[node->entry];
	if (tail_of(p, to, e->source, e->value) == 0)
		return;
	node->stands = false;
	p->check->kind->offer(p->engine, to);
}

// ---- Comparing

struct both {
	struct engine_net net;
	struct player player;
	struct ref_program *listed;
	struct ref_outcome outcome;
	struct ref_lock lock;
	size_t n_lanes;
	enum loom_engine_state state;
	int rc; // of the reference
};

static void list_programs(struct both *b)
{
	const struct engine_check *check = b->player.check;
	b->listed = room_for(b->player.n_nodes, sizeof *b->listed);
	for (uint32_t v = 0; v < b->player.n_nodes; v++) {
		b->listed[v].entry = room_for(check->n_messages, sizeof(struct ref_entry));
		for (size_t m = 0; m < check->n_messages; m++)
			if (check->message[m].source == v)
				b->listed[v].entry[b->listed[v].n++] =
					(struct ref_entry){.kind = REF_SEND, .message = m};
	}
}

// True if the engine computes the ways itself. Engine worms can do so for some lists, and does for half of these.
static bool knows_ways(const struct engine_check *check, const struct engine_net *net)
{
	bool knows = check->kind == &loom_engine_worms && check->n_messages % 2 == 0 && net->ref && !check->chosen &&
	             ref_machine_tie(net->ref) == REF_TIE_CUBE;
	for (size_t m = 0; knows && check->orders && m < check->n_messages; m++)
		knows = check->orders[m] == REF_ASCENDING;
	return knows;
}

static void prepare(struct both *b, const struct engine_check *check)
{
	static uint32_t way[ENGINE_WAY_MOST];
	size_t n = check->n_messages;
	struct player *p = &b->player;
	engine_net_of(&b->net, check->net, check->min);
	if (check->buffers)
		b->net.net.buffers = check->buffers;
	b->n_lanes = (size_t)b->net.net.n_channels * b->net.net.n_vcs;
	b->lock = (struct ref_lock){.circle = room_for(b->n_lanes, sizeof(struct ref_wait)),
	                            .asked = room_for(b->net.net.n_channels, sizeof(bool))};
	b->outcome = (struct ref_outcome){.arrival = room_for(n, sizeof(struct ref_arrival)),
	                                  .channel = room_for(b->net.net.n_channels, sizeof(struct ref_channel)),
	                                  .lock = &b->lock};
	*p = (struct player){.check = check,
	                     .n_nodes = b->net.net.n_nodes,
	                     .way = room_for(n, sizeof *p->way),
	                     .n_way = room_for(n, sizeof *p->n_way),
	                     .arrival = room_for(n, sizeof *p->arrival),
	                     .node = room_for(b->net.net.n_nodes, sizeof *p->node)};
	p->knows_ways = knows_ways(check, &b->net);
	b->net.net.n_dims = p->knows_ways ? ref_net_links(check->net) : 0;
	list_programs(b);
	p->program = check->program ? check->program : b->listed;
	for (size_t m = 0; m < n; m++) {
		p->n_way[m] =
			engine_way(way, &b->net, &check->message[m], check->orders ? check->orders[m] : REF_ASCENDING,
		                   check->chosen ? &check->chosen[m] : NULL);
		p->way[m] = room_for(p->n_way[m], sizeof(uint32_t));
		for (uint32_t k = 0; k < p->n_way[m]; k++)
			p->way[m][k] = way[k];
	}
}

static void release(struct both *b)
{
	for (uint32_t v = 0; v < b->player.n_nodes; v++)
		free(b->listed[v].entry);
	for (size_t m = 0; m < b->player.check->n_messages; m++)
		free(b->player.way[m]);
	free(b->listed);
	free(b->player.way);
	free(b->player.n_way);
	free(b->player.arrival);
	free(b->player.node);
	free(b->outcome.arrival);
	free(b->outcome.channel);
	free(b->lock.circle);
	free(b->lock.asked);
	engine_net_free(&b->net);
}

static void run_reference(struct both *b)
{
	const struct engine_check *check = b->player.check;
	const struct ref_machine machine = {.n_slots = b->net.net.buffers,
	                                    .order = REF_ASCENDING,
	                                    .timing = check->timing,
	                                    .tie = check->min ? REF_TIE_PORT : ref_machine_tie(check->net),
	                                    .net = check->net,
	                                    .min = check->min,
	                                    .orders = check->orders,
	                                    .chosen = check->chosen};
	b->rc = ref_program_run(&b->outcome, &machine, check->message, check->n_messages, b->player.program);
	if (b->rc != 0 && b->rc != -EDEADLK)
		fail_msg("%s: the reference machine returns %d", check->what, b->rc);
}

static void run_engine(struct both *b)
{
	const struct engine_check *check = b->player.check;
	const struct loom_engine_kind *kind = check->kind;
	const struct loom_engine_user user = {.next = next, .arrived = arrived, .user = &b->player};
	struct loom_err err = {0};
	uint64_t until = check->slice ? check->slice : UINT64_MAX;
	if (kind->open(&b->player.engine, &b->net.net, check->timing == REF_PAPER, &user, &err) != 0)
		fail_msg("%s: %s", check->what, err.text);
	for (;; until += check->slice) {
		if (kind->run(b->player.engine, &b->state, until, &err) != 0)
			fail_msg("%s: %s", check->what, err.text);
		uint64_t cycle = kind->cycle(b->player.engine);
		if (b->state != LOOM_ENGINE_TIME) {
			assert_true(cycle <= until);
			break;
		}
		assert_int_equal(cycle, until);
		if (!check->slice)
			fail_msg("%s: there was time enough", check->what);
	}
}

static void compare_messages(const struct both *b)
{
	const struct engine_check *check = b->player.check;
	for (size_t m = 0; m < check->n_messages; m++) {
		const struct ref_arrival *want = &b->outcome.arrival[m];
		const struct loom_engine_arrival *got = &b->player.arrival[m];
		if (got->offer != want->offer_cycle || got->header != want->first_cycle ||
		    got->tail != want->done_cycle)
			fail_msg("%s: message %zu, %u to %u, %u flits: %" PRIu64 " %" PRIu64 " %" PRIu64
			         ", expected %" PRIu64 " %" PRIu64 " %" PRIu64,
			         check->what, m, check->message[m].source, check->message[m].destination,
			         check->message[m].n_flits, got->offer, got->header, got->tail, want->offer_cycle,
			         want->first_cycle, want->done_cycle);
		if (got->tail > check->kind->cycle(b->player.engine))
			fail_msg("%s: a tail arrives after the last cycle", check->what);
	}
}

// The messages of a node have waited for the injection channel as long as that channel was blocked.
static void compare_waited(const struct both *b)
{
	const struct player *p = &b->player;
	for (uint32_t v = 0; v < p->n_nodes; v++) {
		uint64_t sum = 0, blocked = 0;
		for (size_t m = 0; m < p->check->n_messages; m++)
			if (p->check->message[m].source == v) {
				sum += p->arrival[m].waited;
				blocked = b->outcome.channel[p->way[m][0] / b->net.net.n_vcs].n_blocked;
			}
		if (sum != blocked)
			fail_msg("%s: messages of node %u have waited for %" PRIu64 " cycles at it, expected %" PRIu64,
			         p->check->what, v, sum, blocked);
	}
}

static void compare_channels(const struct both *b)
{
	struct loom_engine_count got;
	for (uint32_t c = 0; c < b->net.net.n_channels; c++) {
		const struct ref_channel *want = &b->outcome.channel[c];
		b->player.check->kind->count(b->player.engine, c, &got);
		if (got.messages != want->n_worms || got.flits != want->n_flits || got.blocked != want->n_blocked)
			fail_msg("%s: channel %u: %" PRIu64 " %" PRIu64 " %" PRIu64 ", expected %" PRIu64 " %" PRIu64
			         " %" PRIu64,
			         b->player.check->what, c, got.messages, got.flits, got.blocked, want->n_worms,
			         want->n_flits, want->n_blocked);
	}
}

// True if a message was to wait for just the cycle in which the reference finds the lock: the last flit has then moved in
// whatever cycle before.
static bool is_late_lock(const struct both *b)
{
	for (uint32_t v = 0; v < b->player.n_nodes; v++) {
		const struct node *node = &b->player.node[v];
		if (node->sends && node->earliest == b->lock.cycle && node->earliest > node->asked_from)
			return true;
	}
	return false;
}

static void compare_lock(const struct both *b)
{
	const struct engine_check *check = b->player.check;
	uint64_t got = check->kind->cycle(b->player.engine), want = b->lock.cycle - 1;
	bool is_late = is_late_lock(b) || check->loose_lock;
	if (is_late ? got > want : got != want)
		fail_msg("%s: the last flit moves in %" PRIu64 ", expected %s%" PRIu64, check->what, got,
		         is_late ? "at most " : "", want);
	if (check->locked)
		check->locked(check->user, b->player.engine, &b->lock);
}

enum engine_end engine_check(const struct engine_check *check)
{
	struct both b = {0};
	prepare(&b, check);
	run_reference(&b);
	run_engine(&b);
	enum engine_end end = b.rc == 0 ? ENGINE_ENDS : b.lock.n == 0 ? ENGINE_WAITS : ENGINE_LOCKS;
	if ((end == ENGINE_LOCKS) != (b.state == LOOM_ENGINE_LOCKED))
		fail_msg("%s: it locks: %d, expected %d", check->what, b.state == LOOM_ENGINE_LOCKED,
		         end == ENGINE_LOCKS);
	if (end == ENGINE_ENDS) {
		compare_messages(&b);
		compare_channels(&b);
		compare_waited(&b);
	}
	if (end == ENGINE_LOCKS)
		compare_lock(&b);
	check->kind->close(b.player.engine);
	release(&b);
	return end;
}
