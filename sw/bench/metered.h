// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_METERED_H
#define LOOM_METERED_H

#include <stdbool.h>
#include <stdint.h>

#include <flitloom/device.h>
#include <flitloom/err.h>
#include <flitloom/link.h>
#include <flitloom/pattern.h>
#include <flitloom/topo.h>

#include "bench.h"

// A simulated fabric with a clock around the cycles that it is asked to run, and the messages with which benchmarks load it.

struct metered {
	struct loom_topo topo;
	struct loom_link link;
	struct loom_device *device;
	double build_s, compilers_s; // what the model took by the clock; processor time of the compilers
};

// The time that cycles took since metered_reset; there is one meter for all fabrics.
struct meter {
	double run_s;
	uint64_t cycles;
	double stream_from_s, stream_to_s; // the first cycles that were streamed begin, the last ones end
};

double children_s(void); // processor time of all that was started and has ended, so of the compilers

// Opens a fabric on link sim, with routers that choose if `adaptive`; its model is built unless it is in the cache. Close in any
// case.
int metered_open(struct metered *out, const char *fabric, bool adaptive, struct loom_err *err);
void metered_close(struct metered *metered);
void metered_reset(void);
struct meter metered_read(void);
// Runs cycles that the meter does not count, and returns how long one took.
double metered_idle_s(struct metered *metered, uint32_t n_cycles, struct loom_err *err);

// True if every number of label_bits bits is the label of a node.
bool has_reversal(const struct loom_topo *topo);
// Makes n_each messages of each node, round by round: to random nodes, always the same ones, or to the node whose label is the
// reverse. LOOM_ENOMEM.
int saturating_pattern(struct loom_pattern *out, const struct loom_topo *topo, const char *name, bool uniform,
                       uint32_t n_each, uint32_t flits, struct loom_err *err);

#endif
