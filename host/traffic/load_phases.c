// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// A run at one load, in blocks of cycles: make the messages of the block after the next one, give the carrier what it may soon
// send, run, and look at what arrived.
#include "traffic/load_phases.h"

#include <inttypes.h>

#include "topo/topo_span.h"
#include "traffic/load_exchange.h"
#include "traffic/load_log.h"
#include "traffic/load_measure.h"
#include "traffic/shares.h"
#include "traffic/sources.h"

#define BLOCK_CYCLES LOOM_LOAD_BLOCK_CYCLES
#define AHEAD 8u        // arrivals whose sources the processor is to bring
#define FEED_CYCLES 32u // from when a chip is told of a message until the node has it, and some
#define QUIET_CYCLES LOOM_LOAD_QUIET_CYCLES

struct phases {
	const struct loom_load_options *options;
	const struct loom_carrier *carrier;
	struct loom_sources *sources; // owned
	struct loom_load_measure measure;
	uint64_t now, made_to; // cycles run; all messages up to this cycle have been made
	uint64_t last_arrival; // when it was seen
	uint64_t n_given, n_arrived;
};

uint64_t loom_load_most_under_way(const struct loom_topo *topo, uint32_t flits)
{
	const uint64_t on_way = topo->buffers * (uint64_t)loom_topo_most_links(topo) + 2 * (uint64_t)topo->light_cycles;
	return LOOM_CARRIER_LEAD_CYCLES + FEED_CYCLES + (BLOCK_CYCLES + on_way) / flits + 1;
}

static void made(void *user, uint32_t source, const struct loom_queued *message)
{
	struct phases *p = user;
	loom_load_measure_made(&p->measure, source, message);
}

static int make_block(struct phases *p, struct loom_err *err)
{
	p->made_to += BLOCK_CYCLES;
	return loom_sources_make_until(p->sources, p->made_to, made, p, err);
}

static void tell_each(const struct loom_load_options *o, const struct loom_carried *a)
{
	if (!o->each)
		return;
	const struct loom_load_message message = loom_load_message_of(a);
	o->each(o->each_user, &message);
}

static int run_block(struct phases *p, struct loom_err *err)
{
	const struct loom_carried *arrived = NULL;
	const struct loom_load_options *o = p->options;
	size_t n = 0;
	if (p->now + BLOCK_CYCLES > p->carrier->most_cycles)
		return loom_fail(err, LOOM_EFIT,
		                 "messages are under way at cycle %" PRIu64
		                 ", and the chip's logs tell a run of %" PRIu64 " cycles at most",
		                 p->now, p->carrier->most_cycles);
	p->now += BLOCK_CYCLES;
	int rc = p->carrier->run(p->carrier->self, p->now, &arrived, &n, err);
	for (size_t i = 0; rc == 0 && i < n; i++) {
		if (i + AHEAD < n)
			loom_sources_foresee(p->sources, arrived[i + AHEAD].source);
		loom_sources_arrived(p->sources, arrived[i].source);
		tell_each(o, &arrived[i]);
		rc = loom_load_measure_arrived(&p->measure, &arrived[i], err);
		if (rc == 0)
			rc = loom_load_log_add(o->log, &arrived[i], err);
	}
	if (rc != 0)
		return rc;
	p->n_arrived += n;
	if (n > 0 || p->n_arrived == p->n_given)
		p->last_arrival = p->now;
	else if (p->now - p->last_arrival > QUIET_CYCLES)
		rc = p->carrier->check(p->carrier->self, err);
	if (rc == 0 && o->watch && o->watch(o->user, p->now, o->warmup_cycles + o->measure_cycles))
		rc = loom_fail(err, LOOM_ETIMEOUT, "given up at cycle %" PRIu64, p->now);
	return rc;
}

static bool is_lost(const struct phases *p)
{
	return p->now - p->last_arrival > QUIET_CYCLES && p->now > p->made_to;
}

static int run(struct phases *p, struct loom_err *err)
{
	struct loom_load_measure *m = &p->measure;
	int rc = make_block(p, err); // always one block ahead
	loom_load_measure_pass(m);
	while (rc == 0 && !loom_load_measure_is_over(m, p->now) && !m->saturated && !is_lost(p)) {
		rc = make_block(p, err);
		if (rc == 0)
			rc = loom_sources_give(p->sources, &p->n_given, p->carrier, err);
		if (rc == 0)
			rc = run_block(p, err);
		loom_load_measure_release(m);
		m->saturated = rc == 0 && loom_load_measure_is_saturated(m, p->now);
		m->n_cycles = p->now;
	}
	// A message that the carrier was not given has never been offered.
	while (rc == 0 && p->n_arrived < p->n_given && !is_lost(p))
		rc = run_block(p, err);
	return rc;
}

int loom_load_phases_run(struct loom_load_point *out, uint64_t *n_lost, const struct loom_carrier *carrier,
                         const struct loom_topo *topo, const struct loom_traffic *traffic, const uint32_t *map,
                         const struct loom_load_options *o, struct loom_err *err)
{
	struct phases p = {.options = o, .carrier = carrier};
	if (o->warmup_cycles + o->measure_cycles > carrier->most_cycles)
		return loom_fail(err, LOOM_EFIT,
		                 "%" PRIu64 " cycles of warm-up and %" PRIu64
		                 " of measurement; the chip's logs tell a run of %" PRIu64 " cycles at most",
		                 o->warmup_cycles, o->measure_cycles, carrier->most_cycles);
	// Closed traffic holds back by itself what may not go yet, and looks for its place among all that was made.
	uint32_t least_flits, most_flits;
	loom_shares_lengths(&least_flits, &most_flits, traffic, o);
	const uint64_t most = loom_exchange_is_wanted(o) ? UINT64_MAX : loom_load_most_under_way(topo, least_flits);
	int rc = loom_sources_make(&p.sources, traffic, topo, o, most, err);
	if (rc != 0)
		return rc;
	rc = loom_load_measure_begin(&p.measure, topo, traffic, map, o, err);
	if (rc == 0)
		rc = run(&p, err);
	if (rc == 0) {
		loom_load_measure_tell(out, &p.measure);
		out->n_messages = p.n_given;
		out->n_cycles = p.now;
		*n_lost = p.n_given - p.n_arrived;
	}
	loom_load_measure_free(&p.measure);
	loom_sources_free(p.sources);
	return rc;
}

int loom_load_phases_check(const struct loom_load_point *point, const struct loom_load_options *o, struct loom_err *err)
{
	if (point->saturated || point->n_measured > 0 || point->n_mismatches > 0)
		return 0;
	return loom_fail(err, LOOM_EINPUT,
	                 "no message was released in the %" PRIu64
	                 " cycles measured: at a load of %g measure for longer",
	                 o->measure_cycles, o->load);
}
