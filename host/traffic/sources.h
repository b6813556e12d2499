// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_TRAFFIC_SOURCES_H
#define LOOM_TRAFFIC_SOURCES_H

#include <flitloom/traffic.h>

#include "traffic/carrier.h"

// The sources of a run at a load: they make messages, each by a random sequence of its own, and give them to a carrier, which has
// no more than so many of each at a time.
struct loom_sources;

// LOOM_ENOMEM. traffic and options stay the caller's until the sources are freed.
int loom_sources_make(struct loom_sources **out, const struct loom_traffic *traffic, const struct loom_topo *topo,
                      const struct loom_load_options *options, uint64_t most_under_way, struct loom_err *err);
void loom_sources_free(struct loom_sources *sources); // NULL allowed
// Makes all messages up to the end of a cycle, and tells `made` of each.
int loom_sources_make_until(struct loom_sources *sources, uint64_t cycle,
                            void (*made)(void *user, uint32_t source, const struct loom_queued *message), void *user,
                            struct loom_err *err);
// Gives the carrier what it may have, and counts it.
int loom_sources_give(struct loom_sources *sources, uint64_t *n_given, const struct loom_carrier *carrier,
                      struct loom_err *err);
// Has the processor bring what it will need when a message of this source has arrived.
void loom_sources_foresee(const struct loom_sources *sources, uint32_t source);
// A message of this source has arrived.
void loom_sources_arrived(struct loom_sources *sources, uint32_t source);

#endif
