// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes the machine a carrier. The way of a message is made when the message comes to the front of its source's queue.
#include "traffic/load_machine.h"

#include <inttypes.h>
#include <stdalign.h>
#include <stdlib.h>

#include "base/cache_lines.h"
#include "base/room.h"
#include "machine/network.h"
#include "traffic/load_groups.h"
#include "traffic/load_log.h"
#include "traffic/load_queue.h"
#include "traffic/ways.h"

#define NONE UINT32_MAX
#define FIRST_SIZE 1024u

// A message under way, in one cache line.
struct moving {
	alignas(LOOM_CACHE_LINE_BYTES) struct loom_way *way; // NULL if there is none, or if the engine knows it
	uint64_t number;
	uint32_t source, destination, flits, without_wait, release; // as struct loom_carried
	bool is_reply;
	uint8_t of_class;
};

// A node, in one cache line.
struct node {
	alignas(LOOM_CACHE_LINE_BYTES) struct loom_load_queue queue;
	uint64_t n_sent, n_offered;
	bool is_asked; // the engine has been told that there is nothing to send
};
_Static_assert(sizeof(struct moving) == LOOM_CACHE_LINE_BYTES && sizeof(struct node) == LOOM_CACHE_LINE_BYTES,
               "lines of the cache");

struct loom_load_machine {
	const struct loom_topo *topo;
	const uint32_t *map;
	const struct loom_load_options *options;
	struct loom_machine_network network;
	const struct loom_engine_kind *kind;
	struct loom_engine *engine;
	struct loom_routing routing;
	struct loom_ways *ways, *reply_ways; // equal if replies go by the rule of requests
	struct node *node;                   // owned
	struct loom_queued *queue;           // owned: the memory that is lent to each node's queue
	uint32_t *processor_on;              // owned, by node
	// owned: n_moving entries were in use at some time; there is room for `size`
	struct moving *moving;
	uint32_t n_moving, size;
	uint32_t *free; // owned, with room for `size`: the n_free entries that are not in use, the last one first
	uint32_t n_free;
	// Owned, with room for arrived_size: the first n_told messages have arrived by `until`, the others will arrive
	// later.
	struct loom_carried *arrived;
	size_t n_told, n_arrived, arrived_size;
	uint64_t until;
	uint64_t next_window; // the last cycle of the present window, counted from 1
	struct loom_load_count
		*before; // owned, by channel: the loads before that window; NULL: no windows are asked for
	bool failed;     // memory ran out
};

// --- Calls of the engine ---------------------------------------------------------------------------------------------

static bool make_room(struct loom_load_machine *m)
{
	const uint32_t size = m->size ? 2 * m->size : FIRST_SIZE;
	uint32_t *more_free = realloc(m->free, size * sizeof *more_free);
	m->free = more_free ? more_free : m->free;
	struct moving *longer =
		more_free ? loom_cache_lines_longer(m->moving, m->n_moving * sizeof *longer, size * sizeof *longer)
			  : NULL;
	if (!longer)
		return false;
	m->moving = longer;
	m->size = size;
	return true;
}

static uint32_t new_moving(struct loom_load_machine *m)
{
	if (m->n_free > 0)
		return m->free[--m->n_free];
	return m->n_moving < m->size || make_room(m) ? m->n_moving++ : NONE;
}

static struct loom_ways *ways_of(const struct loom_load_machine *m, bool is_reply)
{
	return is_reply ? m->reply_ways : m->ways;
}

// Prefetches the ways of the messages at the front.
static void look_ahead(const struct loom_load_machine *m, const struct node *node, uint32_t u)
{
	const struct loom_load_queue *q = &node->queue;
	if (q->n > 0)
		loom_ways_fetch(ways_of(m, q->oldest.is_reply), u, m->map[q->oldest.destination]);
	if (q->n > 1)
		loom_ways_foresee(ways_of(m, q->entry[q->first].is_reply), u, m->map[q->entry[q->first].destination]);
}

// Returns the way of a message, or NULL if memory ran out.
static struct loom_way *way_of(struct loom_load_machine *m, struct loom_ways *ways, const struct loom_queued *queued,
                               uint32_t u)
{
	struct loom_way *way = loom_ways_take(ways, u, m->map[queued->destination], queued->via);
	look_ahead(m, &m->node[u], u);
	return way;
}

static bool next(void *user, struct loom_engine_message *out, uint32_t u, uint64_t from)
{
	struct loom_load_machine *m = user;
	struct node *node = &m->node[u];
	(void)from;
	node->is_asked = node->queue.n == 0;
	if (node->is_asked || m->failed)
		return false;
	const struct loom_queued queued = loom_load_queue_take(&node->queue);
	const uint32_t to = m->map[queued.destination];
	struct loom_ways *ways = ways_of(m, queued.is_reply);
	const bool knows_way = m->network.net.n_dims > 0;
	struct loom_way *way = knows_way ? NULL : way_of(m, ways, &queued, u);
	const uint32_t k = way || knows_way ? new_moving(m) : NONE;
	m->failed = k == NONE;
	if (m->failed) {
		if (way)
			loom_ways_give_back(ways, way);
		return false;
	}
	m->moving[k] = (struct moving){
		.way = way,
		.number = node->n_sent++,
		.source = m->processor_on[u],
		.destination = queued.destination,
		.flits = queued.flits,
		.without_wait = knows_way ? queued.flits + (uint32_t)__builtin_popcount(u ^ to) + 1
	                                  : loom_ways_without_wait(ways, way, u, to, queued.via, queued.flits),
		.release = queued.release,
		.is_reply = queued.is_reply,
		.of_class = queued.of_class};
	out->release = queued.release;
	out->flits = queued.flits;
	out->id = k;
	out->destination = to;
	out->rule = (uint8_t)m->options->rule;
	// If routers choose, or if the engine knows the way, no way is given.
	out->way = m->network.net.topo || knows_way ? NULL : way->lane;
	out->n_way = knows_way ? 0 : way->n;
	return true;
}

static void soon_next(void *user, uint32_t u, bool again)
{
	const struct loom_load_machine *m = user;
	const struct loom_load_queue *q = &m->node[u].queue;
	if (!again) {
		__builtin_prefetch(&m->node[u], 1);
		__builtin_prefetch(&m->processor_on[u]);
		return;
	}
	__builtin_prefetch(q->entry + q->first);
	if (q->n > 0)
		__builtin_prefetch(&m->map[q->oldest.destination]);
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
	if (!LOOM_ROOM(m->arrived, m->arrived_size, m->n_arrived + 1)) {
		m->failed = true;
		return;
	}
	m->arrived[m->n_arrived++] = (struct loom_carried){.source = moving->source,
	                                                   .destination = moving->destination,
	                                                   .flits = moving->flits,
	                                                   .without_wait = moving->without_wait,
	                                                   .number = moving->number,
	                                                   .release = moving->release,
	                                                   .entered = a->offer + a->waited,
	                                                   .header = a->header,
	                                                   .tail = a->tail,
	                                                   .is_reply = moving->is_reply,
	                                                   .of_class = moving->of_class};
	if (moving->way)
		loom_ways_give_back(ways_of(m, moving->is_reply), moving->way);
	moving->way = NULL;
	m->free[m->n_free++] = (uint32_t)a->id;
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

// Moves the messages that have arrived by now to the front. Forgets those that were reported last time.
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

// Ends the present window: adds the loads of channels in it to the groups.
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

// There is nothing to check: the engine itself reports when nothing moves any more.
static int check(void *self, struct loom_err *err)
{
	(void)self;
	(void)err;
	return 0;
}

// --- Begin and end ---------------------------------------------------------------------------------------------------

static int begin(struct loom_load_machine *m, struct loom_err *err)
{
	const uint32_t n = m->topo->n_nodes;
	const struct loom_load_options *o = m->options;
	const struct loom_engine_user user = {
		.next = next, .arrived = arrived, .user = m, .soon_next = soon_next, .soon_arrived = soon_arrived};
	m->node = loom_cache_lines_zeroed(n * sizeof *m->node);
	m->queue = loom_cache_lines((size_t)n * LOOM_LOAD_QUEUE_LENT * sizeof *m->queue);
	m->processor_on = calloc(n, sizeof *m->processor_on);
	if (!m->node || !m->queue || !m->processor_on)
		return loom_fail(err, LOOM_ENOMEM, "no memory for %" PRIu32 " nodes", n);
	for (uint32_t u = 0; u < n; u++)
		loom_load_queue_begin(&m->node[u].queue, &m->queue[(size_t)u * LOOM_LOAD_QUEUE_LENT]);
	for (uint32_t v = 0; v < n; v++)
		m->processor_on[m->map[v]] = v;
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
	if (!loom_routing_is_by_rule(&routing, LOOM_RULE_ASCENDING) || m->reply_ways != m->ways)
		m->network.net.n_dims = 0; // the engine does not know all ways
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
			loom_ways_give_back(ways_of(m, m->moving[k].is_reply), m->moving[k].way);
	for (uint32_t u = 0; m->node && u < m->topo->n_nodes; u++)
		loom_load_queue_free(&m->node[u].queue);
	if (m->reply_ways != m->ways)
		loom_ways_free(m->reply_ways);
	loom_ways_free(m->ways);
	loom_machine_network_free(&m->network);
	free(m->node);
	free(m->queue);
	free(m->processor_on);
	free(m->moving);
	free(m->free);
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
	*m = (struct loom_load_machine){.topo = topo, .map = map, .options = options};
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
