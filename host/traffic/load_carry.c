// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/load_carry.h"

#include "traffic/batch.h"
#include "traffic/load_exchange.h"
#include "traffic/load_phases.h"

static int run(struct loom_load_point *out, uint64_t *n_lost, const struct loom_carrier *carrier,
               const struct loom_topo *topo, const struct loom_traffic *traffic, const uint32_t *map,
               const struct loom_load_options *o, struct loom_err *err)
{
	return o->batch ? loom_batch_run(out, n_lost, carrier, topo, traffic, map, o, err)
	                : loom_load_phases_run(out, n_lost, carrier, topo, traffic, map, o, err);
}

// Runs traffic at a load or as a batch, open or closed; otherwise like loom_load_phases_run.
static int carry(struct loom_load_point *out, uint64_t *n_lost, const struct loom_carrier *carrier,
                 const struct loom_topo *topo, const struct loom_traffic *traffic, const uint32_t *map,
                 const struct loom_load_options *o, struct loom_err *err)
{
	struct loom_exchange *exchange = NULL;
	struct loom_load_options of_requests = *o;
	uint64_t n_flits;
	if (!loom_exchange_is_wanted(o))
		return run(out, n_lost, carrier, topo, traffic, map, o, err);
	int rc = loom_exchange_make(&exchange, carrier, topo->n_nodes, o, err);
	if (rc != 0)
		return rc;
	const struct loom_carrier closed = loom_exchange_carrier(exchange);
	of_requests.log = NULL; // the exchange fills it, with the messages themselves
	rc = run(out, n_lost, &closed, topo, traffic, map, &of_requests, err);
	if (rc == 0) {
		loom_exchange_tell(out, &n_flits, exchange);
		out->finish.n_flits = o->batch ? n_flits : 0;
	}
	loom_exchange_free(exchange);
	return rc;
}

int loom_load_carry_check(const struct loom_load_point *point, const struct loom_load_options *o, struct loom_err *err)
{
	return o->batch ? 0 : loom_load_phases_check(point, o, err);
}

int loom_load_drive(void *user, const struct loom_carrier *carrier, struct loom_err *err)
{
	struct loom_load_drive *d = user;
	uint64_t n_lost;
	const int rc = carry(&d->point, &n_lost, carrier, d->topo, d->traffic, d->map, d->options, err);
	return rc != 0 || d->is_chip ? rc : loom_load_carry_check(&d->point, d->options, err);
}
