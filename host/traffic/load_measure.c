// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/load_measure.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plan/light.h"
#include "traffic/load_groups.h"
#include "traffic/routing.h"
#include "traffic/shares.h"

#define VIAS_DRAWN 16

#define DRAIN_TIMES 20u     // latency limits after which a fabric that has not drained never will
#define SIGNS_OF_LIFE 1024u // messages that must have arrived before the mean latency is meaningful

static bool is_measured(const struct loom_load_measure *m, uint64_t cycle)
{
	return cycle > m->options->warmup_cycles && cycle <= m->options->warmup_cycles + m->options->measure_cycles;
}

static bool is_late(const struct loom_load_measure *m, uint64_t cycle)
{
	return cycle > m->options->warmup_cycles / 2;
}

static bool is_of_flow(const struct loom_load_measure *m, int flow, uint64_t release)
{
	return flow == LOOM_FLOW_ALL || (flow == LOOM_FLOW_MEASURED ? is_measured(m, release) : is_late(m, release));
}

// Returns the latency of a message that never waits. If its way is drawn, returns the mean of a few draws. Between all
// pairs that is close to the mean of all draws.
static uint32_t on_its_way(const struct loom_routing *routing, uint32_t flits, uint32_t from, uint32_t to)
{
	const uint32_t n = loom_routing_has_via(routing) ? VIAS_DRAWN : 1;
	uint32_t sum = 0;
	for (uint32_t k = 0; k < n; k++)
		sum += loom_routing_without_wait(routing, flits, from, to,
		                                 loom_routing_draw(routing, from, to, UINT64_MAX - k));
	return (sum + n / 2) / n;
}

static uint32_t without_wait(const struct loom_load_measure *m, uint32_t v, uint32_t w, uint32_t flits)
{
	const struct loom_load_closed *closed = &m->options->closed;
	const struct loom_routing routing = loom_routing_of(m->topo, m->options),
				  of_replies = loom_routing_of_replies(m->topo, m->options);
	const uint32_t there = on_its_way(&routing, flits, m->map[v], m->map[w]);
	if (closed->reply_flits == 0)
		return there;
	return there + closed->service_cycles - 1 + on_its_way(&of_replies, closed->reply_flits, m->map[w], m->map[v]);
}

// Returns the mean over all lengths that a message of a share may have.
static double mean_of_lengths(const struct loom_load_measure *m, uint32_t v, const struct loom_share *share)
{
	const struct loom_lengths *lengths = m->options->lengths;
	double sum = 0;
	if (share->flits || !lengths)
		return without_wait(m, v, share->destination, share->flits ? share->flits : m->options->flits);
	if (!loom_light_matters(m->topo)) // then each further flit takes a cycle
		return without_wait(m, v, share->destination, 1) + loom_lengths_mean(lengths) - 1;
	for (uint32_t i = 0; i < lengths->n; i++)
		sum += lengths->probability[i] * without_wait(m, v, share->destination, lengths->flits[i]);
	return sum;
}

// Sums over all pairs, weighted by the messages that each sends.
static void weigh_pairs(struct loom_load_measure *m)
{
	const struct loom_traffic *t = m->traffic;
	const double mean_flits = loom_shares_mean_flits(m->options);
	double sum = 0, n = 0;
	for (uint32_t v = 0; v < t->n_nodes; v++) {
		struct loom_shares shares;
		struct loom_share share;
		loom_shares_begin(&shares, t, v);
		while (loom_shares_next(&shares, &share)) {
			const double messages = share.rate / (share.flits ? share.flits : mean_flits);
			sum += messages * mean_of_lengths(m, v, &share);
			n += messages;
		}
	}
	m->mean_without_wait = sum / n;
	m->is_known = true;
}

int loom_load_measure_begin(struct loom_load_measure *out, const struct loom_topo *topo,
                            const struct loom_traffic *traffic, const uint32_t *map,
                            const struct loom_load_options *options, struct loom_err *err)
{
	*out = (struct loom_load_measure){
		.options = options, .traffic = traffic, .topo = topo, .map = map, .knows_entered = true};
	out->delivered = calloc(topo->n_nodes, sizeof *out->delivered);
	if (!out->delivered)
		return loom_fail(err, LOOM_ENOMEM, "no memory for what %" PRIu32 " nodes deliver", topo->n_nodes);
	if (options->latency_limit > 0)
		out->is_known = true;
	else if (loom_shares_are_few(traffic))
		weigh_pairs(out);
	return 0;
}

void loom_load_measure_free(struct loom_load_measure *m)
{
	loom_histogram_free(&m->latencies);
	free(m->delivered);
	m->delivered = NULL;
}

void loom_load_measure_made(struct loom_load_measure *m, uint32_t source, const struct loom_queued *message)
{
	for (int k = 0; k < LOOM_N_FLOWS; k++) {
		const bool is_of = is_of_flow(m, k, message->release);
		m->soon[1][k].n_released += is_of;
		m->soon[1][k].flits_released += is_of ? message->flits : 0;
		m->soon[1][k].sum_released += is_of ? message->release : 0;
	}
	if (m->is_known)
		return;
	m->n_made++;
	m->sum_made += without_wait(m, source, message->destination, message->flits);
	m->mean_without_wait = (double)m->sum_made / (double)m->n_made;
}

void loom_load_measure_pass(struct loom_load_measure *m)
{
	memcpy(m->soon[0], m->soon[1], sizeof m->soon[0]);
	memset(m->soon[1], 0, sizeof m->soon[1]);
}

void loom_load_measure_release(struct loom_load_measure *m)
{
	for (int k = 0; k < LOOM_N_FLOWS; k++) {
		m->flows[k].n_released += m->soon[0][k].n_released;
		m->flows[k].flits_released += m->soon[0][k].flits_released;
		m->flows[k].sum_released += m->soon[0][k].sum_released;
	}
	loom_load_measure_pass(m);
}

int loom_load_measure_arrived(struct loom_load_measure *m, const struct loom_carried *a, struct loom_err *err)
{
	const uint64_t latency = a->tail >= a->release ? a->tail - a->release + 1 : 0;
	for (int k = 0; k < LOOM_N_FLOWS; k++) {
		if (!is_of_flow(m, k, a->release))
			continue;
		m->flows[k].n_arrived++;
		m->flows[k].sum_latency += latency;
		m->flows[k].sum_arrived += a->release;
	}
	const uint32_t now = is_measured(m, a->tail) ? a->flits : 0,
		       late = !m->saturated && is_late(m, a->tail) ? a->flits : 0;
	m->accepted += now;
	m->accepted_late += late;
	m->delivered[a->source][0] += now;
	m->delivered[a->source][1] += late;
	if (m->options->groups) {
		const struct loom_routing routing = loom_routing_of(m->topo, m->options);
		int rc = loom_load_groups_add(m->options->groups, &routing, m->map, a, is_measured(m, a->release), now,
		                              late, err);
		if (rc != 0)
			return rc;
	}
	if (!is_measured(m, a->release))
		return 0;
	m->sum_without_wait += a->without_wait;
	m->sum_at_source += a->entered >= a->release ? a->entered - a->release : 0;
	m->knows_entered = m->knows_entered && a->entered;
	return loom_histogram_add(&m->latencies, latency, err);
}

static double limit_of(const struct loom_load_measure *m)
{
	const double asked = m->options->latency_limit;
	return asked > 0 ? asked : LOOM_LOAD_LATENCY_TIMES * m->mean_without_wait;
}

// Returns the mean latency of the messages released, as if those still under way arrived now.
static double mean_so_far(const struct loom_load_flow *f, uint64_t now)
{
	if (f->n_released < f->n_arrived) // the chip is faulty
		return 0;
	const uint64_t n_out = f->n_released - f->n_arrived, released = f->sum_released - f->sum_arrived,
		       arrives = n_out * now;
	return f->n_released ? (double)(f->sum_latency + (arrives > released ? arrives - released : 0)) /
	                               (double)f->n_released
	                     : 0;
}

bool loom_load_measure_is_saturated(const struct loom_load_measure *m, uint64_t now)
{
	const uint64_t end = m->options->warmup_cycles + m->options->measure_cycles;
	const struct loom_load_flow *all = &m->flows[LOOM_FLOW_ALL], *measured = &m->flows[LOOM_FLOW_MEASURED];
	const double limit = limit_of(m);
	if (now < m->options->warmup_cycles)
		return false;
	return (all->n_released >= SIGNS_OF_LIFE && mean_so_far(all, now) > limit) ||
	       (now >= end && mean_so_far(measured, now) > limit) ||
	       (double)now > (double)end + DRAIN_TIMES * limit + LOOM_LOAD_BLOCK_CYCLES;
}

bool loom_load_measure_is_over(const struct loom_load_measure *m, uint64_t now)
{
	const struct loom_load_flow *measured = &m->flows[LOOM_FLOW_MEASURED];
	return now >= m->options->warmup_cycles + m->options->measure_cycles &&
	       measured->n_arrived >= measured->n_released;
}

// Computes the fairness: compares the flits that the sending nodes have delivered, each divided by its rate.
static void tell_fairness(struct loom_load_point *out, const struct loom_load_measure *m)
{
	double n = 0, sum = 0, squares = 0, least = INFINITY;
	for (uint32_t v = 0; v < m->traffic->n_nodes; v++) {
		const double rate = loom_traffic_rate(m->traffic, v);
		if (rate <= 0)
			continue;
		const double x = (double)m->delivered[v][m->saturated] / rate;
		n++;
		sum += x;
		squares += x * x;
		least = x < least ? x : least;
	}
	out->worst_share = sum > 0 ? least / (sum / n) : NAN;
	out->jain = sum > 0 ? sum * sum / (n * squares) : NAN;
}

void loom_load_measure_tell(struct loom_load_point *out, const struct loom_load_measure *m)
{
	const struct loom_load_options *o = m->options;
	// A saturated fabric may not have reached the measured cycles.
	const uint64_t cycles = m->saturated ? m->n_cycles - o->warmup_cycles / 2 : o->measure_cycles;
	const double node_cycles = (double)cycles * loom_traffic_senders_count(m->traffic, m->topo);
	const struct loom_load_flow *released = &m->flows[m->saturated ? LOOM_FLOW_LATE : LOOM_FLOW_MEASURED];
	*out = (struct loom_load_point){
		.load = o->load,
		.offered = (double)released->flits_released / node_cycles,
		.accepted = (double)(m->saturated ? m->accepted_late : m->accepted) / node_cycles,
		.saturated = m->saturated,
		.n_measured = m->latencies.n,
		.mean = loom_histogram_mean(&m->latencies),
		.without_wait = m->latencies.n ? (double)m->sum_without_wait / (double)m->latencies.n : 0,
		.least = loom_histogram_percentile(&m->latencies, 0),
		.p50 = loom_histogram_percentile(&m->latencies, 50),
		.p95 = loom_histogram_percentile(&m->latencies, 95),
		.p99 = loom_histogram_percentile(&m->latencies, 99),
		.most = loom_histogram_percentile(&m->latencies, 100),
	};
	out->at_source = m->knows_entered && m->latencies.n ? (double)m->sum_at_source / (double)m->latencies.n : NAN;
	out->in_network = out->mean - out->at_source;
	tell_fairness(out, m);
	if (o->groups)
		loom_load_groups_settle(o->groups, m->saturated, cycles);
}
