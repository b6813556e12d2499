// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_TRAFFIC_H
#define LOOM_TRAFFIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <flitloom/api.h>
#include <flitloom/device.h>
#include <flitloom/err.h>
#include <flitloom/pattern.h>
#include <flitloom/topo.h>

LOOM_API_BEGIN

// Open-loop traffic: every node makes messages at random times, whatever becomes of them, and the fabric carries what it
// can. A message is released in the cycle in which it is made; until its node gets round to it, it stands in a queue
// without end in front of the node. Its latency counts from its release.

// The method by which destinations are drawn.
enum loom_traffic_kind {
	LOOM_TRAFFIC_ONE,     // each processor to one destination of its own
	LOOM_TRAFFIC_UNIFORM, // to any other processor, all alike
	LOOM_TRAFFIC_HOTSPOT, // with probability `fraction` to `hot`, else as uniform
};

// Traffic between processors.
struct loom_traffic {
	enum loom_traffic_kind kind;
	char name[128];
	uint32_t n_nodes;
	uint32_t *destination; // owned; of ONE, per processor: LOOM_TRAFFIC_SILENT if it sends nothing
	uint32_t hot;
	double fraction; // 0 to 1
};
#define LOOM_TRAFFIC_SILENT UINT32_MAX

// Reads who sends to whom: "uniform", "hotspot:NODE", "hotspot:NODE:FRACTION", or a pattern in which no processor has
// more than one destination. LOOM_EINPUT names the processor that has more, or a message that is not of options->flits flits,
// and whatever loom_pattern_parse refuses.
int loom_traffic_parse(struct loom_traffic *out, const char *spec, const struct loom_topo *topo,
                       const struct loom_pattern_options *options, struct loom_err *err);
void loom_traffic_free(struct loom_traffic *traffic); // NULL allowed; leaves *traffic zeroed

// True if processor v sends at all. One that would send to itself alone does not, unless such messages use the network
// (loom_topo_kind.self_uses_network). A load is per node that sends.
bool loom_traffic_sends(const struct loom_traffic *traffic, const struct loom_topo *topo, uint32_t v);
uint32_t loom_traffic_senders_count(const struct loom_traffic *traffic, const struct loom_topo *topo);

// Computes the load at which a fabric is full: that in flits per cycle and sending node at which the busiest channel
// would carry a flit in every cycle; 1 at most, because a node injects one flit a cycle. No fabric carries more. map:
// physical node of each processor. LOOM_ENOMEM.
int loom_traffic_capacity(double *out, const struct loom_traffic *traffic, const struct loom_topo *topo,
                          const uint32_t *map, enum loom_rule rule, struct loom_err *err);

// The injection process: the times at which a node makes messages. Poisson: the times between two are exponential, and a message is released
// in the cycle in which its time falls, so several can be in one cycle. Bernoulli: in each cycle one or none, as a coin
// falls.
enum loom_injection { LOOM_INJECTION_POISSON, LOOM_INJECTION_BERNOULLI };
// The name of an injection process.
const char *loom_injection_name(unsigned injection); // "poisson"; NULL after the last

// A run at one load ([Jiang13], BookSim2's three phases). Messages released in cycles warmup + 1 .. warmup + measure are
// measured. Traffic goes on until all of them have arrived. Then nothing more is released, and the rest drains.
struct loom_load_options {
	double load;    // flits per cycle and sending node: above 0, at most 1
	uint32_t flits; // of each message, header included
	enum loom_injection injection;
	uint64_t seed;
	uint64_t warmup_cycles, measure_cycles;
	// Mean latency, what waits at the sources included, at which the fabric counts as saturated and the run ends, from the end of the
	// warm-up on; 0:
	// LOOM_LOAD_LATENCY_TIMES times the mean latency without contention.
	double latency_limit;
	enum loom_rule rule; // by which messages go
	enum loom_machine machine;
	// Called after every few hundred cycles. When it returns true, the run ends with LOOM_ETIMEOUT. NULL allowed.
	bool (*watch)(void *user, uint64_t cycle, uint64_t of_about);
	void *user;
};
#define LOOM_LOAD_LATENCY_TIMES 10
#define LOOM_LOAD_CYCLES_MOST 1000000000u // of warm-up and measurement together: logs have 32 bits for a cycle

// The result of a run at one load. Latencies are in cycles, from release to the tail's arrival, both included: F + h +
// 1 for F flits over h hops that wait nowhere.
struct loom_load_point {
	double load; // as asked for
	// Flits per cycle and sending node, released and delivered in the cycles measured; if it is saturated, from half of the
	// warm-up until that was known.
	double offered, accepted;
	bool saturated;            // the figures below are of what was measured and arrived, if anything
	uint64_t n_measured;       // messages
	double mean, without_wait; // latency; and what it would be if nobody waited for anybody
	uint64_t least, p50, p95, p99, most;
	uint64_t n_messages, n_cycles; // of the whole run
	// The check: every message once, at its node, in order, intact, not too early, and each channel's counts.
	size_t n_mismatches;
	char mismatch[200]; // the first
};

// Runs traffic at one load and measures it. map: physical node of each processor. The device's chip is one with stream
// ports, and of this topo. LOOM_EFIT: it has none, the messages are too long for it, or the run takes more cycles than its logs can
// tell. LOOM_EINPUT: messages could wait
// for one another for ever. LOOM_ESTUCK: they do. LOOM_EINPUT, too: no message was released in the cycles measured, so
// there is nothing to tell. On failure *out is untouched.
int loom_load_run(struct loom_load_point *out, struct loom_device *device, const struct loom_topo *topo,
                  const struct loom_traffic *traffic, const uint32_t *map, const struct loom_load_options *options,
                  struct loom_err *err);
// Checks what loom_load_run checks before it runs.
int loom_load_check(const struct loom_topo *topo, const struct loom_traffic *traffic, const uint32_t *map,
                    const struct loom_load_options *options, struct loom_err *err);

LOOM_API_END

#endif
