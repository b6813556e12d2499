// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_TRAFFIC_EXCHANGE_H
#define LOOM_TRAFFIC_EXCHANGE_H

#include <flitloom/traffic.h>

#include "traffic/carrier.h"

// Closed traffic (struct loom_load_closed) on a carrier: is a carrier itself, of requests. It is offered requests in
// the order in which they were made, and reports each request when it is over: release is the cycle in which the
// request was made, header and tail are those of its reply. It runs the carrier below it in steps so short that all
// releases of a step are known before the step.
struct loom_exchange;

// A chip runs LEAD cycles ahead of its reported arrivals, and must be told of a release FEED cycles before it.
#define LOOM_EXCHANGE_LEAD_CYCLES 8u
#define LOOM_EXCHANGE_FEED_CYCLES 2u
_Static_assert(LOOM_SERVICE_LEAST == LOOM_EXCHANGE_LEAD_CYCLES + LOOM_EXCHANGE_FEED_CYCLES + 1, "steps of a cycle");
#define LOOM_EXCHANGE_FLITS_MOST 4096u // the most flits of a message on a chip

static inline bool loom_exchange_is_wanted(const struct loom_load_options *o)
{
	return o->closed.reply_flits > 0 || o->closed.window > 0;
}

// The rule by which messages go, or replies to them.
static inline enum loom_rule loom_exchange_rule(const struct loom_load_options *o, bool is_reply)
{
	return is_reply && o->closed.reply_flits > 0 ? o->closed.reply_rule : o->rule;
}

// LOOM_ENOMEM. The arguments stay the caller's and must outlive the exchange. options->log, if any, gets every message that
// the carrier brings.
int loom_exchange_make(struct loom_exchange **out, const struct loom_carrier *carrier, uint32_t n_nodes,
                       const struct loom_load_options *options, struct loom_err *err);
void loom_exchange_free(struct loom_exchange *exchange); // NULL allowed
struct loom_carrier loom_exchange_carrier(struct loom_exchange *exchange);
// Reports the latencies of requests and replies, and how long requests waited for a place: for the requests made in
// the cycles measured, in a batch for all. *n_flits: flits of all messages that arrived.
void loom_exchange_tell(struct loom_load_point *out, uint64_t *n_flits, const struct loom_exchange *exchange);

#endif
