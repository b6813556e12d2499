// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_TRAFFIC_H
#define LOOM_TRAFFIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <flitloom/api.h>
#include <flitloom/err.h>
#include <flitloom/pattern.h>
#include <flitloom/topo.h>

LOOM_API_BEGIN

// Open-loop traffic: every node makes messages at random times, whatever becomes of them, and the fabric carries what it
// can. A message is released in the cycle in which it is made; until its node gets round to it, it stands in a queue
// without end in front of the node. Its latency counts from its release.

enum loom_traffic_kind {
	LOOM_TRAFFIC_ONE,     // each processor to one destination of its own
	LOOM_TRAFFIC_UNIFORM, // to any other processor, all alike
	LOOM_TRAFFIC_HOTSPOT, // with probability `fraction` to `hot`, else as uniform
};

// Who sends to whom, in processors.
struct loom_traffic {
	enum loom_traffic_kind kind;
	char name[128];
	uint32_t n_nodes;
	uint32_t *destination; // owned; of ONE, per processor: LOOM_TRAFFIC_SILENT if it sends nothing
	uint32_t hot;
	double fraction; // 0 to 1
};
#define LOOM_TRAFFIC_SILENT UINT32_MAX

// "uniform", "hotspot:NODE", "hotspot:NODE:FRACTION", or a pattern in which no processor has more than one destination.
// LOOM_EINPUT names the processor that has more, and whatever loom_pattern_parse refuses.
int loom_traffic_parse(struct loom_traffic *out, const char *spec, const struct loom_topo *topo,
                       const struct loom_pattern_options *options, struct loom_err *err);
void loom_traffic_free(struct loom_traffic *traffic); // NULL allowed; leaves *traffic zeroed

// Whether processor v sends at all. One that would send to itself alone does not, unless such messages use the network
// (loom_topo_kind.self_uses_network). A load is per node that sends.
bool loom_traffic_sends(const struct loom_traffic *traffic, const struct loom_topo *topo, uint32_t v);
uint32_t loom_traffic_senders(const struct loom_traffic *traffic, const struct loom_topo *topo);

// The load, in flits per cycle and sending node, at which the busiest channel would carry a flit in every cycle; 1 at most,
// because a node injects one flit a cycle. No fabric carries more. map: physical node of each processor. LOOM_ENOMEM.
int loom_traffic_capacity(double *out, const struct loom_traffic *traffic, const struct loom_topo *topo,
                          const uint32_t *map, enum loom_rule rule, struct loom_err *err);

// When a node makes messages. Poisson: the times between two are exponential, and a message is released in the cycle in
// which its time falls, so several can be in one cycle. Bernoulli: in each cycle one or none, as a coin falls.
enum loom_arrivals { LOOM_ARRIVALS_POISSON, LOOM_ARRIVALS_BERNOULLI };
const char *loom_arrivals_name(unsigned arrivals); // "poisson"; NULL after the last

LOOM_API_END

#endif
