// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// A carrier that is the machine. Its ways are made when a message comes to the front of its source's queue.
#include "traffic/load_machine.h"

#include <inttypes.h>
#include <stdlib.h>

#include "machine/network.h"
#include "traffic/load_groups.h"
#include "traffic/load_log.h"
#include "traffic/load_queue.h"
#include "traffic/ways.h"

#define NONE UINT32_MAX
#define FIRST_SIZE 1024u

// A message under way.
struct moving {
	struct loom_way *way;
	struct loom_carried told;
	uint64_t waited; // cycles for which its header asked for the injection channel in vain, once that is known
	uint32_t next_free;
};

struct node {
	struct loom_load_queue queue;
	uint64_t n_sent, n_offered;
	uint32_t last;      // of its messages the one that the engine had last, until `waited` of it is known; or NONE
	uint32_t injection; // its channel
	uint64_t blocked;   // cycles for which the headers before that one asked for it in vain
	bool is_asked;      // the engine was told that there is nothing to send
};

struct loom_load_machine {
	const struct loom_topo *topo;
	const uint32_t *map;
	const struct loom_load_options *options;
	struct loom_machine_network network;
	const struct loom_engine_kind *kind;
	struct loom_engine *engine;
	struct loom_routing routing;
	struct loom_ways *ways, *reply_ways; // the same if replies go by the rule of requests
	struct node *node;                   // owned
	uint32_t *processor_on;              // owned: of each node
	struct moving *moving;               // owned, of `n_moving` entries that were ever in use, and room for `size`
	uint32_t n_moving, size, first_free;
	// Owned, with room for arrived_size: the first n_told of them have arrived by `until`, the others will later.
	struct loom_carried *arrived;
	size_t n_told, n_arrived, arrived_size;
	uint64_t until;
	uint64_t next_window; // the cycle at whose end the window under way is over
	struct loom_load_count
		*before; // owned: of each channel, what it had carried before that window; NULL: none are asked for
	bool failed;     // no memory
};

// --- What the engine asks -------------------------------------------------------------------------------------------

static uint32_t new_moving(struct loom_load_machine *m)
{
	const uint32_t k = m->first_free;
	if (k != NONE) {
		m->first_free = m->moving[k].next_free;
		return k;
	}
	if (m->n_moving == m->size) {
		const uint32_t size = m->size ? 2 * m->size : FIRST_SIZE;
		struct moving *longer = realloc(m->moving, size * sizeof *longer);
		if (!longer)
			return NONE;
		m->moving = longer;
		m->size = size;
	}
	return m->n_moving++;
}

static struct loom_ways *ways_of(const struct loom_load_machine *m, bool is_reply)
{
	return is_reply ? m->reply_ways : m->ways;
}

// Has the processor bring the ways of the messages that stand first.
static void look_ahead(const struct loom_load_machine *m, const struct node *node, uint32_t u)
{
	const struct loom_load_queue *q = &node->queue;
	if (q->n > 0)
		loom_ways_fetch(ways_of(m, q->oldest.is_reply), u, m->map[q->oldest.destination]);
	if (q->n > 1)
		loom_ways_foresee(ways_of(m, q->entry[q->first].is_reply), u, m->map[q->entry[q->first].destination]);
}

// The header of the last message has crossed the injection channel, where headers of this node alone wait: what they have waited
// there more than before is what this one has.
static void settle_last(struct loom_load_machine *m, struct node *node)
{
	struct loom_engine_count count;
	if (node->last == NONE)
		return;
	m->kind->count(m->engine, node->injection, &count);
	m->moving[node->last].waited = count.blocked - node->blocked;
	node->blocked = count.blocked;
	node->last = NONE;
}

static bool next(void *user, struct loom_engine_message *out, uint32_t u, uint64_t from)
{
	struct loom_load_machine *m = user;
	struct node *node = &m->node[u];
	(void)from;
	settle_last(m, node); // the engine asks when its tail has crossed
	node->is_asked = node->queue.n == 0;
	if (node->is_asked || m->failed)
		return false;
	const struct loom_queued queued = loom_load_queue_take(&node->queue);
	struct loom_ways *ways = ways_of(m, queued.is_reply);
	struct loom_way *way = loom_ways_take(ways, u, m->map[queued.destination], queued.via);
	look_ahead(m, node, u);
	const uint32_t k = way ? new_moving(m) : NONE;
	m->failed = k == NONE;
	if (m->failed) {
		if (way)
			loom_ways_give_back(ways, way);
		return false;
	}
	m->moving[k] =
		(struct moving){.way = way,
	                        .told = {.source = m->processor_on[u],
	                                 .destination = queued.destination,
	                                 .flits = queued.flits,
	                                 .without_wait = loom_ways_without_wait(
						 ways, way, u, m->map[queued.destination], queued.via, queued.flits),
	                                 .number = node->n_sent++,
	                                 .release = queued.release,
	                                 .is_reply = queued.is_reply,
	                                 .of_class = queued.of_class},
	                        .next_free = NONE};
	node->last = k;
	node->injection = way->lane[0] / m->network.net.n_vcs;
	*out = (struct loom_engine_message){
		.release = queued.release, .flits = queued.flits, .n_way = way->n, .way = way->lane, .id = k};
	if (m->network.net.topo) { // routers choose the way
		out->way = NULL;
		out->rule = (uint8_t)m->options->rule;
		out->destination = m->map[queued.destination];
	}
	return true;
}

static void soon_next(void *user, uint32_t u, bool again)
{
	const struct loom_load_machine *m = user;
	const struct loom_load_queue *q = &m->node[u].queue;
	if (again)
		__builtin_prefetch(q->entry + q->first);
	else
		__builtin_prefetch(&m->node[u], 1);
}

static void soon_arrived(void *user, uint64_t id)
{
	const struct loom_load_machine *m = user;
	__builtin_prefetch(&m->moving[id], 1);
}

static void arrived(void *user, const struct loom_engine_arrival *a)
{
	struct loom_load_machine *m = user;
	struct moving *moving = &m->moving[a->id];
	if (m->n_arrived == m->arrived_size) {
		const size_t size = m->arrived_size ? 2 * m->arrived_size : FIRST_SIZE;
		struct loom_carried *longer = realloc(m->arrived, size * sizeof *longer);
		m->failed = m->failed || !longer;
		if (!longer)
			return;
		m->arrived = longer;
		m->arrived_size = size;
	}
	struct loom_carried *told = &m->arrived[m->n_arrived++];
	*told = moving->told;
	told->entered = a->offer + moving->waited;
	told->header = a->header;
	told->tail = a->tail;
	loom_ways_give_back(ways_of(m, moving->told.is_reply), moving->way);
	moving->way = NULL;
	moving->next_free = m->first_free;
	m->first_free = (uint32_t)a->id;
}

// --- The carrier ----------------------------------------------------------------------------------------------------

static int offer(void *self, uint32_t source, const struct loom_queued *message, struct loom_err *err)
{
	struct loom_load_machine *m = self;
	const uint32_t u = m->map[source];
	struct loom_queued queued = *message;
	queued.via = loom_routing_draw(&m->routing, u, m->map[message->destination], m->node[u].n_offered++);
	int rc = loom_load_queue_put(&m->node[u].queue, &queued, err);
	if (rc == 0 && m->node[u].is_asked)
		m->kind->offer(m->engine, u);
	return rc;
}

// Puts first what has arrived by now; what was told the last time is forgotten.
static void sort_out(struct loom_load_machine *m)
{
	for (size_t i = m->n_told = 0; i < m->n_arrived; i++) {
		const struct loom_carried a = m->arrived[i];
		if (a.tail > m->until)
			continue;
		m->arrived[i] = m->arrived[m->n_told];
		m->arrived[m->n_told++] = a;
	}
}

static void forget_told(struct loom_load_machine *m)
{
	for (size_t i = m->n_told; i < m->n_arrived; i++)
		m->arrived[i - m->n_told] = m->arrived[i];
	m->n_arrived -= m->n_told;
	m->n_told = 0;
}

// The window under way is over: what channels have carried in it goes to the groups.
static int end_window(struct loom_load_machine *m, struct loom_err *err)
{
	struct loom_load_groups *groups = m->options->groups;
	const uint64_t window = m->next_window / groups->window_cycles - 1;
	int rc = 0;
	for (uint32_t c = 0; rc == 0 && c < m->network.net.n_channels; c++) {
		struct loom_engine_count now;
		struct loom_load_count *before = &m->before[c];
		m->kind->count(m->engine, c, &now);
		const struct loom_load_count in_window = {now.messages - before->messages, now.flits - before->flits,
		                                          now.blocked - before->blocked};
		*before = (struct loom_load_count){now.messages, now.flits, now.blocked};
		if (in_window.messages || in_window.flits || in_window.blocked)
			rc = loom_load_groups_add_channel(groups, window * m->network.net.n_channels + c, &in_window,
			                                  err);
	}
	m->next_window += groups->window_cycles;
	return rc;
}

static int run_engine(struct loom_load_machine *m, enum loom_engine_state *state, uint64_t until, struct loom_err *err)
{
	int rc = 0;
	while (rc == 0 && m->before && m->next_window <= until) {
		rc = m->kind->run(m->engine, state, m->next_window, err);
		if (rc == 0)
			rc = end_window(m, err);
	}
	return rc == 0 ? m->kind->run(m->engine, state, until, err) : rc;
}

static int run(void *self, uint64_t until, const struct loom_carried **out, size_t *n_out, struct loom_err *err)
{
	struct loom_load_machine *m = self;
	enum loom_engine_state state = LOOM_ENGINE_TIME;
	forget_told(m);
	m->until = until;
	int rc = run_engine(m, &state, until, err);
	if (rc == 0 && m->failed)
		rc = loom_fail(err, LOOM_ENOMEM, "no memory for %" PRIu32 " messages under way", m->n_moving);
	if (rc == 0 && state == LOOM_ENGINE_LOCKED)
		rc = loom_fail(err, LOOM_ESTUCK,
		               "stuck: messages are under way, the last flit moved in cycle %" PRIu64
		               ", and none ever will again",
		               m->kind->cycle(m->engine));
	if (rc != 0)
		return rc;
	sort_out(m);
	*out = m->arrived;
	*n_out = m->n_told;
	return 0;
}

// The engine says by itself when nothing moves any more.
static int check(void *self, struct loom_err *err)
{
	(void)self;
	(void)err;
	return 0;
}

// --- Before and after -----------------------------------------------------------------------------------------------

static int begin(struct loom_load_machine *m, struct loom_err *err)
{
	const uint32_t n = m->topo->n_nodes;
	const struct loom_load_options *o = m->options;
	const struct loom_engine_user user = {
		.next = next, .arrived = arrived, .user = m, .soon_next = soon_next, .soon_arrived = soon_arrived};
	m->node = calloc(n, sizeof *m->node);
	m->processor_on = calloc(n, sizeof *m->processor_on);
	if (!m->node || !m->processor_on)
		return loom_fail(err, LOOM_ENOMEM, "no memory for %" PRIu32 " nodes", n);
	for (uint32_t v = 0; v < n; v++) {
		m->processor_on[m->map[v]] = v;
		m->node[v].last = NONE;
	}
	const struct loom_routing routing = loom_routing_of(m->topo, o),
				  of_replies = loom_routing_of_replies(m->topo, o);
	m->routing = routing;
	int rc = loom_ways_make(&m->ways, &routing, err);
	m->reply_ways = m->ways;
	if (rc == 0 && of_replies.rule != routing.rule) {
		m->reply_ways = NULL;
		rc = loom_ways_make(&m->reply_ways, &of_replies, err);
	}
	if (rc == 0)
		rc = loom_machine_network_make(&m->network, m->topo, o->rule, err);
	if (rc == 0 && loom_routing_chooses(&routing))
		rc = loom_machine_network_choose(&m->network, m->topo, o->select, err);
	if (rc != 0)
		return rc;
	if (o->groups && o->groups->key == LOOM_LOAD_BY_CHANNEL) {
		m->next_window = o->groups->window_cycles;
		m->before = calloc(m->network.net.n_channels, sizeof *m->before);
		if (!m->before)
			return loom_fail(err, LOOM_ENOMEM, "no memory for the counts of %" PRIu32 " channels",
			                 m->network.net.n_channels);
	}
	m->kind = loom_machine_engine(&m->network.net);
	return m->kind->open(&m->engine, &m->network.net, o->machine == LOOM_MACHINE_PAPER, &user, err);
}

void loom_load_machine_close(struct loom_load_machine *m)
{
	if (!m)
		return;
	if (m->kind)
		m->kind->close(m->engine);
	for (uint32_t k = 0; k < m->n_moving; k++)
		if (m->moving[k].way)
			loom_ways_give_back(ways_of(m, m->moving[k].told.is_reply), m->moving[k].way);
	for (uint32_t u = 0; m->node && u < m->topo->n_nodes; u++)
		loom_load_queue_free(&m->node[u].queue);
	if (m->reply_ways != m->ways)
		loom_ways_free(m->reply_ways);
	loom_ways_free(m->ways);
	loom_machine_network_free(&m->network);
	free(m->node);
	free(m->processor_on);
	free(m->moving);
	free(m->arrived);
	free(m->before);
	free(m);
}

int loom_load_machine_open(struct loom_load_machine **out, struct loom_carrier *carrier, const struct loom_topo *topo,
                           const uint32_t *map, const struct loom_load_options *options, struct loom_err *err)
{
	struct loom_load_machine *m = calloc(1, sizeof *m);
	if (!m)
		return loom_fail(err, LOOM_ENOMEM, "no memory for a machine");
	*m = (struct loom_load_machine){.topo = topo, .map = map, .options = options, .first_free = NONE};
	int rc = begin(m, err);
	if (rc != 0) {
		loom_load_machine_close(m);
		return rc;
	}
	*out = m;
	*carrier =
		(struct loom_carrier){.self = m, .offer = offer, .run = run, .check = check, .most_cycles = UINT32_MAX};
	return 0;
}

int loom_load_machine_counts(const struct loom_load_machine *m, struct loom_load_log *log, struct loom_err *err)
{
	int rc = loom_load_log_count(log, m->network.net.n_channels, err);
	for (uint32_t c = 0; rc == 0 && log && c < log->n_channels; c++) {
		struct loom_engine_count count;
		m->kind->count(m->engine, c, &count);
		log->counts[c] = (struct loom_load_count){count.messages, count.flits, count.blocked};
	}
	return rc;
}
