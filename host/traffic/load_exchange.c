// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/load_exchange.h"

#include <stdlib.h>
#include <string.h>

#include "base/room.h"
#include "traffic/histogram.h"
#include "traffic/load_log.h"
#include "traffic/load_queue.h"

// A message of closed traffic, with data of the request that it is or that it answers.
struct entry {
	struct loom_queued message;
	uint64_t made, request_release;       // the cycles in which the request was made, and released
	uint64_t number;                      // the number among its source's messages, once the carrier has it
	uint64_t request_number;              // the number among its source's requests
	uint32_t request_flits, without_wait; // without_wait: of the round trip so far
	bool arrived;
	uint64_t entered; // of a reply: the cycle in which its request crossed the injection channel; 0: not known
};

// A queue of entries: entry[first] .. entry[first + n - 1].
struct line {
	struct entry *entry; // owned, of `size` entries
	size_t first, n, size;
};

// A processor. It has one ejection channel, so no two messages arrive at it in the same cycle.
struct party {
	struct line made;      // requests that were made and not released
	struct line replies;   // replies that it owes, by release
	struct line under_way; // given to the carrier and not arrived, by number
	struct line places;    // places that will be free in cycle message.release
	uint64_t n_given, n_made;
	uint32_t n_places; // places that were free from the beginning
};

struct loom_exchange {
	const struct loom_carrier *below;
	const struct loom_load_options *options;
	uint64_t now, step;
	struct loom_histogram request, reply; // owned
	uint64_t sum_wait, n_wait, n_flits;
	// Owned, with room for `size`: requests that are over.
	struct loom_carried *over;
	size_t n_over, size;
	uint32_t n;
	struct party party[]; // by processor
};

// --- Queues of messages ----------------------------------------------------------------------------------------------

static int make_room(struct line *l, struct loom_err *err)
{
	if (l->first > l->size / 2) {
		memmove(l->entry, l->entry + l->first, l->n * sizeof *l->entry);
		l->first = 0;
		return 0;
	}
	if (!LOOM_ROOM(l->entry, l->size, l->size + 1))
		return loom_fail(err, LOOM_ENOMEM, "no memory for %zu messages of closed traffic", l->size + 1);
	return 0;
}

static int line_put(struct line *l, const struct entry *e, struct loom_err *err)
{
	if (l->n == 0)
		l->first = 0;
	const int rc = l->first + l->n == l->size ? make_room(l, err) : 0;
	if (rc == 0)
		l->entry[l->first + l->n++] = *e;
	return rc;
}

// Inserts a message after all that are not released later.
static int line_sort_in(struct line *l, const struct entry *e, struct loom_err *err)
{
	const int rc = line_put(l, e, err);
	if (rc != 0)
		return rc;
	struct entry *at = &l->entry[l->first + l->n - 1];
	for (; at > &l->entry[l->first] && at[-1].message.release > e->message.release; at--)
		at[0] = at[-1];
	*at = *e;
	return 0;
}

static void line_free(struct line *l)
{
	free(l->entry);
	*l = (struct line){0};
}

// Returns the first entry of a queue that is not empty.
static struct entry *line_first(const struct line *line)
{
	return &line->entry[line->first];
}

static void line_drop(struct line *line)
{
	line->first++;
	line->n--;
}

// Finds the message with this number in a queue with consecutive numbers. Returns NULL if there is none.
static struct entry *line_numbered(const struct line *line, uint64_t number)
{
	const struct entry *first = line->n ? line_first(line) : NULL;
	return first && number >= first->number && number - first->number < line->n
	               ? &line->entry[line->first + (size_t)(number - first->number)]
	               : NULL;
}

// --- The exchange ---

int loom_exchange_make(struct loom_exchange **out, const struct loom_carrier *below, uint32_t n_nodes,
                       const struct loom_load_options *o, struct loom_err *err)
{
	struct loom_exchange *x = calloc(1, sizeof *x + n_nodes * sizeof x->party[0]);
	if (!x)
		return loom_fail(err, LOOM_ENOMEM, "no memory for the requests of %u nodes", n_nodes);
	x->below = below;
	x->options = o;
	x->n = n_nodes;
	x->step = o->closed.service_cycles - LOOM_EXCHANGE_LEAD_CYCLES - LOOM_EXCHANGE_FEED_CYCLES;
	for (uint32_t v = 0; v < n_nodes; v++)
		x->party[v].n_places = o->closed.window;
	*out = x;
	return 0;
}

void loom_exchange_free(struct loom_exchange *x)
{
	for (uint32_t v = 0; x && v < x->n; v++) {
		line_free(&x->party[v].made);
		line_free(&x->party[v].replies);
		line_free(&x->party[v].under_way);
		line_free(&x->party[v].places);
	}
	if (x) {
		loom_histogram_free(&x->request);
		loom_histogram_free(&x->reply);
		free(x->over);
	}
	free(x);
}

// --- Releases --------------------------------------------------------------------------------------------------------

// Returns the cycle in which the next request of a processor is released, if it is at most `until`; else 0.
static uint64_t next_request(const struct loom_exchange *x, const struct party *p, uint64_t until)
{
	uint64_t cycle = 0;
	if (p->made.n == 0)
		return 0;
	if (x->options->closed.window > 0 && p->n_places == 0) {
		if (p->places.n == 0)
			return 0;
		cycle = line_first(&p->places)->message.release;
	}
	const uint64_t made = line_first(&p->made)->message.release;
	cycle = cycle > made ? cycle : made;
	return cycle <= until ? cycle : 0;
}

static int give(struct loom_exchange *x, uint32_t v, const struct entry *e, struct loom_err *err)
{
	struct party *p = &x->party[v];
	struct entry given = *e;
	given.number = p->n_given++;
	given.arrived = false;
	int rc = line_put(&p->under_way, &given, err);
	return rc == 0 ? x->below->offer(x->below->self, v, &given.message, err) : rc;
}

static int release_request(struct loom_exchange *x, uint32_t v, uint64_t cycle, struct loom_err *err)
{
	struct party *p = &x->party[v];
	struct entry e = *line_first(&p->made);
	line_drop(&p->made);
	if (p->n_places > 0)
		p->n_places--;
	else if (x->options->closed.window > 0)
		line_drop(&p->places);
	e.message.release = (uint32_t)cycle;
	e.request_release = cycle;
	if (x->options->batch > 0) // the whole batch was made in cycle 1, which says nothing
		e.made = cycle;
	return give(x, v, &e, err);
}

// Offers the carrier all messages that a processor releases up to a cycle, in order. In the same cycle the reply comes
// first.
static int release(struct loom_exchange *x, uint32_t v, uint64_t until, struct loom_err *err)
{
	struct party *p = &x->party[v];
	int rc = 0;
	while (rc == 0) {
		const uint64_t request = next_request(x, p, until);
		const struct entry *owed = p->replies.n ? line_first(&p->replies) : NULL;
		if (owed && owed->message.release <= until && (!request || owed->message.release <= request)) {
			const struct entry reply = *owed;
			line_drop(&p->replies);
			rc = give(x, v, &reply, err);
		} else if (request) {
			rc = release_request(x, v, request, err);
		} else {
			break;
		}
	}
	return rc;
}

// --- Arrivals --------------------------------------------------------------------------------------------------------

static bool is_measured(const struct loom_exchange *x, uint64_t made)
{
	const struct loom_load_options *o = x->options;
	return o->batch > 0 || (made > o->warmup_cycles && made <= o->warmup_cycles + o->measure_cycles);
}

static int note_over(struct loom_exchange *x, const struct loom_carried *over, struct loom_err *err)
{
	if (!LOOM_ROOM(x->over, x->size, x->n_over + 1))
		return loom_fail(err, LOOM_ENOMEM, "no memory for %zu requests that are over", x->n_over + 1);
	x->over[x->n_over++] = *over;
	return 0;
}

// Ends a request with the message that arrived at processor `v`.
static int end(struct loom_exchange *x, uint32_t v, const struct entry *e, const struct loom_carried *a,
               struct loom_err *err)
{
	const struct loom_load_options *o = x->options;
	const struct entry place = {.message.release = (uint32_t)(a->tail + o->closed.service_cycles)};
	const struct loom_carried over = {.source = v,
	                                  .destination = a->is_reply ? a->source : a->destination,
	                                  .flits = e->request_flits,
	                                  .without_wait = e->without_wait + a->without_wait,
	                                  .number = e->request_number,
	                                  .release = e->made,
	                                  .entered = a->is_reply ? e->entered : a->entered,
	                                  .header = a->header,
	                                  .tail = a->tail,
	                                  .of_class = a->of_class};
	int rc = 0;
	if (is_measured(x, e->made)) {
		x->sum_wait += e->request_release - e->made;
		x->n_wait++;
	}
	if (o->closed.window > 0)
		rc = line_sort_in(&x->party[v].places, &place, err);
	return rc == 0 ? note_over(x, &over, err) : rc;
}

// Adds a reply to those that the destination of a request owes.
static int owe(struct loom_exchange *x, const struct entry *e, const struct loom_carried *a, struct loom_err *err)
{
	const struct loom_load_closed *closed = &x->options->closed;
	struct entry reply = *e;
	reply.entered = a->entered;
	reply.message = (struct loom_queued){.destination = a->source,
	                                     .release = (uint32_t)(a->tail + closed->service_cycles),
	                                     .flits = closed->reply_flits,
	                                     .is_reply = true,
	                                     .of_class = a->of_class};
	reply.without_wait = a->without_wait + closed->service_cycles - 1;
	return line_sort_in(&x->party[a->destination].replies, &reply, err);
}

static int arrived(struct loom_exchange *x, const struct loom_carried *a, struct loom_err *err)
{
	struct line *under_way = &x->party[a->source].under_way;
	struct entry *at = line_numbered(under_way, a->number);
	if (!at || at->arrived) // the chip is faulty
		return 0;
	const struct entry e = *at;
	at->arrived = true;
	while (under_way->n > 0 && line_first(under_way)->arrived)
		line_drop(under_way);
	x->n_flits += a->flits;
	int rc = loom_load_log_add(x->options->log, a, err);
	if (rc == 0 && is_measured(x, e.made)) {
		const uint64_t since = a->is_reply ? a->release : e.made;
		rc = loom_histogram_add(a->is_reply ? &x->reply : &x->request,
		                        a->tail >= since ? a->tail - since + 1 : 0, err);
	}
	if (rc != 0)
		return rc;
	if (x->options->closed.reply_flits == 0)
		return end(x, a->source, &e, a, err);
	return a->is_reply ? end(x, a->destination, &e, a, err) : owe(x, &e, a, err);
}

// --- The carrier ----------------------------------------------------------------------------------------------------

static int offer(void *self, uint32_t source, const struct loom_queued *message, struct loom_err *err)
{
	struct loom_exchange *x = self;
	struct party *p = &x->party[source];
	const struct entry e = {.message = *message,
	                        .made = message->release,
	                        .request_flits = message->flits,
	                        .request_number = p->n_made++};
	return line_put(&p->made, &e, err);
}

static int step(struct loom_exchange *x, uint64_t until, struct loom_err *err)
{
	const struct loom_carried *a = NULL;
	size_t n = 0;
	int rc = 0;
	// All arrivals up to `now` are known, and so are the releases that follow from them within the service time.
	for (uint32_t v = 0; rc == 0 && v < x->n; v++)
		rc = release(x, v, x->now + x->options->closed.service_cycles, err);
	if (rc == 0)
		rc = x->below->run(x->below->self, until, &a, &n, err);
	for (size_t i = 0; rc == 0 && i < n; i++)
		rc = arrived(x, &a[i], err);
	x->now = until;
	return rc;
}

static int run(void *self, uint64_t until, const struct loom_carried **out, size_t *n_out, struct loom_err *err)
{
	struct loom_exchange *x = self;
	int rc = 0;
	x->n_over = 0;
	while (rc == 0 && x->now < until)
		rc = step(x, x->now + x->step < until ? x->now + x->step : until, err);
	*out = x->over;
	*n_out = x->n_over;
	return rc;
}

static int check(void *self, struct loom_err *err)
{
	struct loom_exchange *x = self;
	return x->below->check(x->below->self, err);
}

struct loom_carrier loom_exchange_carrier(struct loom_exchange *x)
{
	return (struct loom_carrier){
		.self = x, .offer = offer, .run = run, .check = check, .most_cycles = x->below->most_cycles};
}

static struct loom_load_part part_of(const struct loom_histogram *h)
{
	return (struct loom_load_part){.n = h->n,
	                               .mean = loom_histogram_mean(h),
	                               .p50 = loom_histogram_percentile(h, 50),
	                               .p95 = loom_histogram_percentile(h, 95),
	                               .p99 = loom_histogram_percentile(h, 99),
	                               .most = loom_histogram_percentile(h, 100)};
}

void loom_exchange_tell(struct loom_load_point *out, uint64_t *n_flits, const struct loom_exchange *x)
{
	out->request = part_of(&x->request);
	out->reply = part_of(&x->reply);
	out->wait_for_place = x->n_wait ? (double)x->sum_wait / (double)x->n_wait : 0;
	*n_flits = x->n_flits;
}
