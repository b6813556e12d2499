// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/batch.h"

#include <inttypes.h>
#include <stdlib.h>

#include "traffic/load_exchange.h"
#include "traffic/load_groups.h"
#include "traffic/histogram.h"
#include "traffic/injection.h"
#include "traffic/load_log.h"
#include "traffic/load_measure.h"
#include "traffic/load_phases.h"

struct sender {
	struct loom_injection_of draws;
	uint64_t n_left, n_under_way, finish; // finish: the last arrival of its messages so far
};

struct batch {
	const struct loom_load_options *options;
	const struct loom_carrier *carrier;
	const struct loom_traffic *traffic;
	const uint32_t *map;
	struct loom_routing routing;
	uint64_t most_under_way; // of a sender
	uint64_t n, n_given, n_arrived, n_flits;
	uint64_t now, last_arrival;
	struct loom_histogram latencies; // owned
	uint32_t n_nodes;
	struct sender *sender; // owned, by processor
};

// Gives messages to the carrier. Makes a message only when the carrier may take it, so that a batch needs memory only
// for the messages under way.
static int give(struct batch *b, struct loom_err *err)
{
	int rc = 0;
	for (uint32_t v = 0; rc == 0 && v < b->n_nodes; v++) {
		struct sender *s = &b->sender[v];
		for (; rc == 0 && s->n_left > 0 && s->n_under_way < b->most_under_way; s->n_left--, s->n_under_way++) {
			const struct loom_drawn drawn = loom_injection_draw(&s->draws, b->traffic, b->options, v);
			const struct loom_queued m = {
				.destination = drawn.destination, .release = 1, .flits = drawn.flits};
			rc = b->carrier->offer(b->carrier->self, v, &m, err);
			b->n_given++;
		}
	}
	return rc;
}

static int note_arrival(struct batch *b, const struct loom_carried *a, struct loom_err *err)
{
	const struct loom_load_options *o = b->options;
	struct sender *s = &b->sender[a->source];
	s->n_under_way--;
	s->finish = a->tail > s->finish ? a->tail : s->finish;
	b->n_flits += a->flits;
	if (o->each) {
		const struct loom_load_message message = loom_load_message_of(a);
		o->each(o->each_user, &message);
	}
	int rc = loom_load_log_add(o->log, a, err);
	if (rc == 0 && o->groups)
		rc = loom_load_groups_add(o->groups, &b->routing, b->map, a, true, a->flits, 0, err);
	return rc == 0 ? loom_histogram_add(&b->latencies, a->tail >= a->release ? a->tail - a->release + 1 : 0, err)
	               : rc;
}

static int run_block(struct batch *b, struct loom_err *err)
{
	const struct loom_load_options *o = b->options;
	const struct loom_carried *arrived = NULL;
	size_t n = 0;
	if (b->now + LOOM_LOAD_BLOCK_CYCLES > b->carrier->most_cycles)
		return loom_fail(err, LOOM_EFIT,
		                 "%" PRIu64 " of %" PRIu64 " messages of the batch have arrived in %" PRIu64
		                 " cycles, and the chip's logs cover a run of %" PRIu64 " cycles at most",
		                 b->n_arrived, b->n, b->now, b->carrier->most_cycles);
	b->now += LOOM_LOAD_BLOCK_CYCLES;
	int rc = b->carrier->run(b->carrier->self, b->now, &arrived, &n, err);
	for (size_t i = 0; rc == 0 && i < n; i++)
		rc = note_arrival(b, &arrived[i], err);
	if (rc != 0)
		return rc;
	b->n_arrived += n;
	if (n > 0)
		b->last_arrival = b->now;
	else if (b->now - b->last_arrival > LOOM_LOAD_QUIET_CYCLES)
		rc = b->carrier->check(b->carrier->self, err);
	if (rc == 0 && o->watch && o->watch(o->user, b->n_arrived, b->n))
		rc = loom_fail(err, LOOM_ETIMEOUT, "given up at cycle %" PRIu64, b->now);
	return rc;
}

static bool is_lost(const struct batch *b)
{
	return b->now - b->last_arrival > LOOM_LOAD_QUIET_CYCLES;
}

static void tell(struct loom_load_point *out, const struct batch *b, uint32_t n_senders)
{
	struct loom_load_finish finish = {.least = UINT64_MAX, .n_flits = b->n_flits};
	double sum = 0;
	for (uint32_t v = 0; v < b->n_nodes; v++) {
		const uint64_t cycle = b->sender[v].finish;
		if (cycle == 0)
			continue;
		sum += (double)cycle;
		finish.least = cycle < finish.least ? cycle : finish.least;
		if (cycle > finish.cycle) {
			finish.cycle = cycle;
			finish.last = v;
		}
	}
	finish.mean = sum / n_senders;
	const double rate = finish.cycle ? (double)b->n_flits / ((double)finish.cycle * n_senders) : 0;
	*out = (struct loom_load_point){.offered = rate,
	                                .accepted = rate,
	                                .n_measured = b->latencies.n,
	                                .mean = loom_histogram_mean(&b->latencies),
	                                .least = loom_histogram_percentile(&b->latencies, 0),
	                                .p50 = loom_histogram_percentile(&b->latencies, 50),
	                                .p95 = loom_histogram_percentile(&b->latencies, 95),
	                                .p99 = loom_histogram_percentile(&b->latencies, 99),
	                                .most = loom_histogram_percentile(&b->latencies, 100),
	                                .finish = finish,
	                                .n_messages = b->n_given,
	                                .n_cycles = finish.cycle};
}

// Returns the most messages of a source that are under way. Closed traffic holds back requests that have no place yet,
// so it must be given a request for each place that may become free in a block.
static uint64_t most_under_way(const struct loom_topo *topo, const struct loom_traffic *traffic,
                               const struct loom_load_options *o)
{
	uint32_t least, most;
	loom_shares_lengths(&least, &most, traffic, o);
	return loom_exchange_is_wanted(o)
	               ? o->closed.window + LOOM_LOAD_BLOCK_CYCLES + 2 * (uint64_t)LOOM_CARRIER_LEAD_CYCLES
	               : loom_load_most_under_way(topo, least);
}

int loom_batch_run(struct loom_load_point *out, uint64_t *n_lost, const struct loom_carrier *carrier,
                   const struct loom_topo *topo, const struct loom_traffic *traffic, const uint32_t *map,
                   const struct loom_load_options *o, struct loom_err *err)
{
	const uint32_t n_senders = loom_traffic_senders_count(traffic, topo);
	struct batch b = {.options = o,
	                  .carrier = carrier,
	                  .traffic = traffic,
	                  .map = map,
	                  .routing = loom_routing_of(topo, o),
	                  .most_under_way = most_under_way(topo, traffic, o),
	                  .n = o->batch * n_senders,
	                  .n_nodes = topo->n_nodes};
	b.sender = calloc(topo->n_nodes, sizeof *b.sender);
	int rc = b.sender ? 0 : loom_fail(err, LOOM_ENOMEM, "no memory for %" PRIu32 " senders", topo->n_nodes);
	for (uint32_t v = 0; rc == 0 && v < topo->n_nodes; v++) {
		if (!loom_traffic_sends(traffic, topo, v))
			continue;
		loom_injection_begin(&b.sender[v].draws, o, 1, v);
		b.sender[v].n_left = o->batch;
	}
	while (rc == 0 && b.n_arrived < b.n && !is_lost(&b)) {
		rc = give(&b, err);
		if (rc == 0)
			rc = run_block(&b, err);
	}
	if (rc == 0) {
		tell(out, &b, n_senders);
		if (o->groups)
			loom_load_groups_settle(o->groups, false, out->n_cycles);
		*n_lost = b.n_given - b.n_arrived;
	}
	loom_histogram_free(&b.latencies);
	free(b.sender);
	return rc;
}
