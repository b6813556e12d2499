// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_TRAFFIC_LOAD_MEASURE_H
#define LOOM_TRAFFIC_LOAD_MEASURE_H

#include <stdbool.h>

#include <flitloom/traffic.h>

#include "traffic/carrier.h"
#include "traffic/histogram.h"

#define LOOM_LOAD_BLOCK_CYCLES 256u

// Messages that were released, those not arrived yet included, and what they have waited so far.
struct loom_load_flow {
	uint64_t n_released, n_arrived, flits_released;
	// releases of all; latencies and releases of those that arrived
	uint64_t sum_released, sum_latency, sum_arrived;
};

enum { LOOM_FLOW_ALL, LOOM_FLOW_MEASURED, LOOM_FLOW_LATE, LOOM_N_FLOWS }; // LATE: since half of the warm-up

// Measures a run at a load, at the end of each block of cycles.
struct loom_load_measure {
	const struct loom_load_options *options;
	const struct loom_traffic *traffic;
	const struct loom_topo *topo;
	const uint32_t *map;
	struct loom_histogram latencies; // owned
	struct loom_load_flow flows[LOOM_N_FLOWS];
	struct loom_load_flow soon[2][LOOM_N_FLOWS]; // made, not released yet: in the next block and the one after it
	uint64_t sum_without_wait;                   // the sum over all messages measured
	uint64_t sum_at_source;                      // the sum over all messages measured
	bool knows_entered;                          // it is known for all messages measured
	uint64_t (*delivered)[2];                    // owned, by source: its part of accepted, and of accepted_late
	// flits of messages that arrived in the cycles measured; since half of the warm-up
	uint64_t accepted, accepted_late;
	bool saturated;
	uint64_t n_cycles; // until it was known to be saturated, or all measured messages had arrived
	// The mean latency without waiting of all that is sent: known beforehand; or, in large networks, of what has
	// been made so far.
	bool is_known;
	double mean_without_wait;
	uint64_t n_made, sum_made;
};

// Begins a measurement, and computes the mean latency without waiting if possible. All pointers stay the caller's.
// LOOM_ENOMEM.
int loom_load_measure_begin(struct loom_load_measure *out, const struct loom_topo *topo,
                            const struct loom_traffic *traffic, const uint32_t *map,
                            const struct loom_load_options *options, struct loom_err *err);
void loom_load_measure_free(struct loom_load_measure *measure);
// Notes a message that will be released in the block after the next one.
void loom_load_measure_made(struct loom_load_measure *measure, uint32_t source, const struct loom_queued *message);
// Moves on by a block: the messages noted before the last block are now those of the next one.
void loom_load_measure_pass(struct loom_load_measure *measure);
// Messages that were to be released in the next block have been.
void loom_load_measure_release(struct loom_load_measure *measure);
int loom_load_measure_arrived(struct loom_load_measure *measure, const struct loom_carried *m, struct loom_err *err);
// Prefetches what the arrival of a message from `source` will change.
static inline void loom_load_measure_fetch(const struct loom_load_measure *measure, uint32_t source)
{
	__builtin_prefetch(measure->delivered[source], 1);
}
// True at the end of cycle `now` if the fabric is saturated. Never before the warm-up is over, so that the rate at
// which a saturated fabric accepts messages has settled.
bool loom_load_measure_is_saturated(const struct loom_load_measure *measure, uint64_t now);
// True if all that is measured has arrived.
bool loom_load_measure_is_over(const struct loom_load_measure *measure, uint64_t now);
// Fills in the measured figures. The caller adds the check and the numbers of the whole run.
void loom_load_measure_tell(struct loom_load_point *out, const struct loom_load_measure *measure);

#endif
