// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// A run at one load, in blocks of cycles: make the messages of the block after the next one, give the nodes what they may
// soon send, run, and look at what arrived.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/traffic.h>

#include "device/device_stream.h"
#include "traffic/injection.h"
#include "traffic/book.h"
#include "traffic/histogram.h"
#include "traffic/load_image.h"

#define BLOCK_CYCLES 256u
#define AHEAD_MESSAGES                                                                                                 \
	64u             // that a node may have under way or in its program, beside those that it can inject in a block
#define DRAIN_TIMES 20u // a fabric that has not drained after so many times the latency limit does not
#define QUIET_CYCLES                                                                                                   \
	16384u // without an arrival, while messages are due: then the watchdog, of 4096 cycles, has been asked
#define SIGNS_OF_LIFE 1024u // messages before the mean latency says anything

// A message that has been made and that its node has not been given yet.
struct waiting {
	uint32_t destination, release; // a processor
};

struct source {
	struct loom_injection_of injection;
	uint64_t next;           // the cycle of the message to be made next; 0: this processor sends nothing
	struct waiting *waiting; // owned, of `size`: waiting[first] .. waiting[first + n - 1]
	size_t first, n, size;
	uint64_t n_under_way; // given to the node, not arrived
};

// Messages that were released, those not arrived yet included, and what they have waited so far.
struct flow {
	uint64_t n_released, n_arrived;
	uint64_t sum_released, sum_latency,
		sum_arrived; // releases of all; latencies and releases of those that arrived
};

enum { ALL, MEASURED, LATE, N_FLOWS }; // LATE: since half of the warm-up

struct load_run {
	struct loom_load_options options;
	const struct loom_topo *topo;
	const struct loom_traffic *traffic;
	const uint32_t *map;
	uint32_t *processor_on; // owned: of each node
	struct source *source;  // owned, per processor
	struct loom_device_stream *stream;
	struct loom_book book;
	struct loom_histogram latencies;
	uint64_t now, made_to; // cycles run; all messages up to this cycle have been made
	uint64_t last_arrival; // when it was seen
	struct flow flows[N_FLOWS];
	struct flow soon[2][N_FLOWS]; // made, not released yet: in this block and the next
	uint64_t sum_without_wait;
	uint64_t n_accepted, n_accepted_late; // messages that arrived in the cycles measured; since half of the warm-up
	uint64_t most_under_way;              // of a source
	uint64_t n_cycles;                    // until that was known, or all that is measured had arrived
	uint64_t most_cycles;                 // that the chip's logs can tell
	double limit;
	bool saturated;
};

static bool is_measured(const struct load_run *r, uint64_t cycle)
{
	return cycle > r->options.warmup_cycles && cycle <= r->options.warmup_cycles + r->options.measure_cycles;
}

static bool is_late(const struct load_run *r, uint64_t cycle)
{
	return cycle > r->options.warmup_cycles / 2;
}

static bool is_of_flow(const struct load_run *r, int flow, uint64_t release)
{
	return flow == ALL || (flow == MEASURED ? is_measured(r, release) : is_late(r, release));
}

// --- Making messages, and giving them to the nodes -----------------------------------------------------------------

static int queue(struct source *s, uint32_t destination, uint64_t release, struct loom_err *err)
{
	if (s->first > 0 && s->first + s->n == s->size) {
		memmove(s->waiting, s->waiting + s->first, s->n * sizeof *s->waiting);
		s->first = 0;
	}
	if (s->n == s->size) {
		size_t size = s->size ? 2 * s->size : AHEAD_MESSAGES;
		struct waiting *waiting = realloc(s->waiting, size * sizeof *waiting);
		if (!waiting)
			return loom_fail(err, LOOM_ENOMEM, "no memory for %zu messages that wait", size);
		s->waiting = waiting;
		s->size = size;
	}
	s->waiting[s->first + s->n++] = (struct waiting){destination, (uint32_t)release};
	return 0;
}

// Makes all messages of the next block of cycles.
static int make_block(struct load_run *r, struct loom_err *err)
{
	uint64_t to = r->made_to + BLOCK_CYCLES;
	struct flow *soon = r->soon[1];
	int rc = 0;
	for (uint32_t v = 0; v < r->topo->n_nodes; v++) {
		struct source *s = &r->source[v];
		while (rc == 0 && s->next && s->next <= to) {
			rc = queue(s, loom_injection_destination(&s->injection, r->traffic, v), s->next, err);
			for (int k = 0; k < N_FLOWS; k++) {
				const bool is_of = is_of_flow(r, k, s->next);
				soon[k].n_released += is_of;
				soon[k].sum_released += is_of ? s->next : 0;
			}
			s->next = loom_injection_next(&s->injection);
		}
	}
	r->made_to = to;
	return rc;
}

static int give(struct load_run *r, struct loom_err *err)
{
	int rc = 0;
	for (uint32_t v = 0; v < r->topo->n_nodes; v++) {
		struct source *s = &r->source[v];
		for (; rc == 0 && s->n > 0 && s->n_under_way < r->most_under_way;
		     s->first++, s->n--, s->n_under_way++) {
			const struct waiting *w = &s->waiting[s->first];
			const uint32_t node = r->map[v], to = r->map[w->destination];
			const struct loom_device_message m = {
				.at = w->release,
				.flits = r->options.flits,
				.destination = w->destination,
				.rule = loom_topo_rule(r->topo, node, to, r->options.rule)};
			rc = loom_device_stream_send(r->stream, node, &m, err);
			if (rc == 0)
				rc = loom_book_offer(&r->book, node, to, w->release, err);
		}
	}
	return rc;
}

// --- What arrives --------------------------------------------------------------------------------------------------

static void add_arrival(struct flow *f, uint64_t release, uint64_t latency)
{
	f->n_arrived++;
	f->sum_latency += latency;
	f->sum_arrived += release;
}

static int take(struct load_run *r, const struct loom_arrival *a, struct loom_err *err)
{
	struct loom_book_entry sent;
	if (!loom_book_arrive(&r->book, a, &sent))
		return 0;
	const uint32_t release = sent.release;
	uint64_t latency = a->last_cycle >= release ? (uint64_t)a->last_cycle - release + 1 : 0;
	struct source *s = &r->source[r->processor_on[a->source]];
	s->n_under_way--;
	for (int k = 0; k < N_FLOWS; k++)
		if (is_of_flow(r, k, release))
			add_arrival(&r->flows[k], release, latency);
	r->n_accepted += is_measured(r, a->last_cycle);
	r->n_accepted_late += !r->saturated && is_late(r, a->last_cycle);
	if (!is_measured(r, release))
		return 0;
	r->sum_without_wait += sent.without_wait;
	return loom_histogram_add(&r->latencies, latency, err);
}

static int run_block(struct load_run *r, struct loom_err *err)
{
	const struct loom_arrival *arrivals;
	size_t n = 0;
	if (r->now + BLOCK_CYCLES > r->most_cycles)
		return loom_fail(err, LOOM_EFIT,
		                 "messages are under way at cycle %" PRIu64
		                 ", and the chip's logs tell a run of %" PRIu64 " cycles at most",
		                 r->now, r->most_cycles);
	int rc = loom_device_stream_run(r->stream, BLOCK_CYCLES, &arrivals, &n, err);
	r->now += BLOCK_CYCLES;
	for (size_t i = 0; rc == 0 && i < n; i++)
		rc = take(r, &arrivals[i], err);
	if (rc != 0)
		return rc;
	if (n > 0 || r->book.n_outstanding == 0)
		r->last_arrival = r->now;
	else if (r->now - r->last_arrival > QUIET_CYCLES)
		rc = loom_device_stream_check(r->stream, err);
	if (rc == 0 && r->options.watch &&
	    r->options.watch(r->options.user, r->now, r->options.warmup_cycles + r->options.measure_cycles))
		rc = loom_fail(err, LOOM_ETIMEOUT, "given up at cycle %" PRIu64, r->now);
	return rc;
}

// --- The three phases ----------------------------------------------------------------------------------------------

// The block that was made before the last one is released now.
static void release_block(struct load_run *r)
{
	for (int k = 0; k < N_FLOWS; k++) {
		r->flows[k].n_released += r->soon[0][k].n_released;
		r->flows[k].sum_released += r->soon[0][k].sum_released;
		r->soon[0][k] = r->soon[1][k];
		r->soon[1][k] = (struct flow){0};
	}
}

// Mean latency of what was released, as if all that has not arrived arrived now.
static double mean_so_far(const struct load_run *r, const struct flow *f)
{
	if (f->n_released < f->n_arrived) // the chip may be a few cycles further than this program counts
		return 0;
	uint64_t n_out = f->n_released - f->n_arrived, released = f->sum_released - f->sum_arrived,
		 now = n_out * r->now;
	return f->n_released ? (double)(f->sum_latency + (now > released ? now - released : 0)) / (double)f->n_released
	                     : 0;
}

// Never true before the warm-up is over, so that the rate at which a saturated fabric accepts messages has settled.
static bool is_saturated(const struct load_run *r)
{
	const uint64_t end = r->options.warmup_cycles + r->options.measure_cycles;
	const struct flow *all = &r->flows[ALL], *measured = &r->flows[MEASURED];
	if (r->now < r->options.warmup_cycles)
		return false;
	return (all->n_released >= SIGNS_OF_LIFE && mean_so_far(r, all) > r->limit) ||
	       (r->now >= end && mean_so_far(r, measured) > r->limit) ||
	       (double)r->now > (double)end + DRAIN_TIMES * r->limit + BLOCK_CYCLES;
}

static bool is_lost(const struct load_run *r)
{
	return r->now - r->last_arrival > QUIET_CYCLES && r->now > r->made_to;
}

static bool is_measured_over(const struct load_run *r)
{
	return r->now >= r->options.warmup_cycles + r->options.measure_cycles &&
	       r->flows[MEASURED].n_arrived >= r->flows[MEASURED].n_released;
}

static int run_phases(struct load_run *r, struct loom_err *err)
{
	int rc = make_block(r, err); // always one block ahead
	memcpy(r->soon[0], r->soon[1], sizeof r->soon[0]);
	memset(r->soon[1], 0, sizeof r->soon[1]);
	while (rc == 0 && !is_measured_over(r) && !r->saturated && !is_lost(r)) {
		rc = make_block(r, err);
		if (rc == 0)
			rc = give(r, err);
		if (rc == 0)
			rc = run_block(r, err);
		release_block(r);
		r->saturated = rc == 0 && is_saturated(r);
		r->n_cycles = r->now;
	}
	// A message that no node was given has never been offered.
	while (rc == 0 && r->book.n_outstanding > 0 && !is_lost(r))
		rc = run_block(r, err);
	return rc;
}

// --- Before and after ----------------------------------------------------------------------------------------------

static int begin(struct load_run *r, const struct loom_chip *chip, uint32_t payload_seed, struct loom_err *err)
{
	const struct loom_load_options *o = &r->options;
	const uint32_t n = r->topo->n_nodes;
	const double gap = o->flits / o->load;
	r->processor_on = calloc(n, sizeof *r->processor_on);
	r->source = calloc(n, sizeof *r->source);
	int rc = loom_book_begin(&r->book, r->topo, chip, payload_seed, o->flits, o->rule, err);
	if (!r->processor_on || !r->source)
		rc = loom_fail(err, LOOM_ENOMEM, "no memory for %" PRIu32 " sources", n);
	double sum = 0, n_pairs = 0;
	for (uint32_t v = 0; rc == 0 && v < n; v++) {
		struct source *s = &r->source[v];
		r->processor_on[r->map[v]] = v;
		if (!loom_traffic_sends(r->traffic, r->topo, v))
			continue;
		loom_injection_begin(&s->injection, o->injection, gap, o->seed, v);
		s->next = loom_injection_next(&s->injection);
		for (uint32_t w = 0; w < n; w++) {
			double part = loom_injection_part(r->traffic, v, w);
			sum += part > 0 ? part * loom_book_without_wait(&r->book, r->map[v], r->map[w]) : 0;
			n_pairs += part;
		}
	}
	r->limit = o->latency_limit > 0 ? o->latency_limit : LOOM_LOAD_LATENCY_TIMES * sum / n_pairs;
	r->most_under_way = BLOCK_CYCLES / o->flits + AHEAD_MESSAGES;
	// Some cycles go by while registers are read, and are not counted here: an eighth is more than that.
	r->most_cycles = (UINT64_C(7) << chip->cycle_bits) / 8;
	if (rc == 0 && o->warmup_cycles + o->measure_cycles > r->most_cycles)
		rc = loom_fail(err, LOOM_EFIT,
		               "%" PRIu64 " cycles of warm-up and %" PRIu64
		               " of measurement; the chip's logs tell a run of %" PRIu64 " cycles at most",
		               o->warmup_cycles, o->measure_cycles, r->most_cycles);
	return rc;
}

static void end(struct load_run *r)
{
	for (uint32_t v = 0; r->source && v < r->topo->n_nodes; v++)
		free(r->source[v].waiting);
	free(r->source);
	free(r->processor_on);
	loom_histogram_free(&r->latencies);
	loom_book_free(&r->book);
	loom_device_stream_close(r->stream);
}

// Checks that the channels carried what they should have. Only a pass that ended by itself says so.
static int check_counts(struct load_run *r, struct loom_device *device, struct loom_err *err)
{
	struct loom_count *counts = calloc(loom_topo_channels(r->topo), sizeof *counts);
	uint32_t pass;
	int rc = counts ? 0 : loom_fail(err, LOOM_ENOMEM, "no memory for the counts of %s", r->topo->name);
	loom_book_close(&r->book);
	if (rc == 0 && r->book.n_outstanding == 0)
		rc = loom_device_stream_end(r->stream, err);
	if (rc == 0)
		rc = loom_device_counts(device, &pass, counts, err);
	if (rc == 0)
		rc = loom_book_compare(&r->book, counts, err);
	free(counts);
	return rc;
}

static void tell(struct loom_load_point *out, const struct load_run *r)
{
	// A saturated fabric may not have come to the cycles measured.
	const uint64_t cycles = r->saturated ? r->n_cycles - r->options.warmup_cycles / 2 : r->options.measure_cycles;
	const double node_cycles = (double)cycles * loom_traffic_senders_count(r->traffic, r->topo);
	*out = (struct loom_load_point){
		.load = r->options.load,
		.offered =
			(double)(r->flows[r->saturated ? LATE : MEASURED].n_released * r->options.flits) / node_cycles,
		.accepted =
			(double)((r->saturated ? r->n_accepted_late : r->n_accepted) * r->options.flits) / node_cycles,
		.saturated = r->saturated,
		.n_measured = r->latencies.n,
		.mean = loom_histogram_mean(&r->latencies),
		.without_wait = r->latencies.n ? (double)r->sum_without_wait / (double)r->latencies.n : 0,
		.least = loom_histogram_percentile(&r->latencies, 0),
		.p50 = loom_histogram_percentile(&r->latencies, 50),
		.p95 = loom_histogram_percentile(&r->latencies, 95),
		.p99 = loom_histogram_percentile(&r->latencies, 99),
		.most = loom_histogram_percentile(&r->latencies, 100),
		.n_messages = r->book.n_offered,
		.n_cycles = r->now,
		.n_mismatches = r->book.n_mismatches,
	};
	memcpy(out->mismatch, r->book.mismatch, sizeof out->mismatch);
}

int loom_load_run(struct loom_load_point *out, struct loom_device *device, const struct loom_topo *topo,
                  const struct loom_traffic *traffic, const uint32_t *map, const struct loom_load_options *options,
                  struct loom_err *err)
{
	const struct loom_chip *chip = loom_device_chip(device);
	struct load_run r = {.options = *options, .topo = topo, .traffic = traffic, .map = map};
	struct loom_image image = {0};
	int rc = loom_load_check(topo, traffic, map, options, err);
	if (rc == 0 && options->flits >= UINT32_C(1) << chip->length_bits)
		rc = loom_fail(err, LOOM_EFIT, "messages of %" PRIu32 " flits; the chip takes %u at most",
		               options->flits, (1u << chip->length_bits) - 1);
	if (rc == 0)
		rc = loom_load_image_make(&image, topo, map, chip, options->machine, options->seed, err);
	if (rc == 0)
		rc = begin(&r, chip, image.seed, err);
	if (rc == 0)
		rc = loom_device_stream_begin(&r.stream, device, &image, err);
	if (rc == 0)
		rc = run_phases(&r, err);
	if (rc == 0)
		rc = check_counts(&r, device, err);
	if (rc == 0 && !r.saturated && r.latencies.n == 0 && r.book.n_mismatches == 0)
		rc = loom_fail(err, LOOM_EINPUT,
		               "no message was released in the %" PRIu64
		               " cycles measured: at a load of %g measure for longer",
		               options->measure_cycles, options->load);
	if (rc == 0)
		tell(out, &r);
	end(&r);
	loom_image_free(&image);
	return rc;
}
