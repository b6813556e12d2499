// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Sends a long list from the file through a carrier. Takes only as many messages of a processor as may be under way.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/link/chip.h>
#include <flitloom/routes/deadlock.h>
#include <flitloom/routes/failures.h>
#include <flitloom/routes/via.h>

#include "device/device_stream.h"
#include "plan/plan_adaptive.h"
#include "traffic/drive.h"
#include "traffic/load_measure.h"
#include "traffic/load_phases.h"
#include "traffic/load_log.h"
#include "traffic/long_list.h"
#include "topo/topo_ocs.h"
#include "topo/turn_sets.h"
#include "traffic/twin.h"

struct source {
	uint64_t n_under_way;
	uint32_t release; // of its last message
	bool is_empty;
};

struct journey {
	struct loom_long_list *list;
	const struct loom_topo *topo;
	const uint32_t *map;
	const struct loom_long_options *options;
	struct loom_load_options of_carriers;
	struct loom_device *device; // NULL if there is none
	const struct loom_carrier *carrier;
	struct source *source; // owned, by processor
	uint64_t most_under_way, n_given, n_arrived, now, last_arrival;
	uint64_t sum_latency;
	struct loom_long_result result;
	// For a chip only: the machine beside it.
	struct loom_twin twin;
	const struct loom_carrier *machine;
	struct loom_load_log on_chip, computed; // only their counts
};

static const struct loom_long_options defaults;

// --- Checks before a run ---------------------------------------------------------------------------------------------

// Checks the pairs of the list as a plan of one pass.
static int check_pairs(const struct journey *j, struct loom_err *err)
{
	const uint32_t n = j->topo->n_nodes;
	struct loom_plan plan = {.topo = *j->topo, .n_passes = 1, .n_lanes = 1};
	plan.messages = calloc((size_t)n * n, sizeof *plan.messages);
	plan.map = malloc(n * sizeof *plan.map);
	int rc = plan.messages && plan.map ? 0 : loom_fail(err, LOOM_ENOMEM, "no memory for the pairs of %u nodes", n);
	for (uint32_t v = 0; rc == 0 && v < n; v++) {
		plan.map[v] = j->map[v];
		for (uint32_t w = 0; w < n; w++)
			if (loom_long_list_has(j->list, v, w)) {
				plan.messages[plan.n_messages] = (struct loom_plan_message){
					.source = v,
					.destination = w,
					.flits = 1,
					.rule = (uint8_t)loom_topo_rule(j->topo, j->map[v], j->map[w],
				                                        j->options->rule),
					.origin = (uint32_t)plan.n_messages};
				plan.n_messages++;
			}
	}
	rc = rc == 0 ? loom_deadlock_check(&plan, err) : rc;
	free(plan.messages);
	free(plan.map);
	return rc;
}

static int check_circle(const struct journey *j, struct loom_err *err)
{
	struct loom_dependency_cycle circle = {0};
	if (j->topo->n_nodes > LOOM_LOAD_CIRCLE_NODES)
		return 0;
	int rc = loom_deadlock_find_in_routing(&circle, j->topo, 1u << j->options->rule, err);
	const bool has = rc == 0 && circle.n_channels > 0;
	loom_dependency_cycle_free(&circle);
	if (has && j->topo->n_nodes <= LOOM_LONG_PAIRS_NODES)
		return check_pairs(j, err);
	return has ? loom_fail(err, LOOM_EINPUT,
	                       "%s: messages from everybody to everybody can lock (flitloom check %s)", j->topo->name,
	                       j->topo->name)
	           : rc;
}

// Checks that messages go between nodes that take part, if some do not. On networks with so few nodes the list knows
// the pairs.
static int check_parts(const struct journey *j, struct loom_err *err)
{
	const uint32_t n = j->topo->n_nodes;
	struct loom_err why = {0};
	int rc = 0;
	if (loom_topo_parts_count(j->topo) == n)
		return 0;
	for (uint32_t v = 0; rc == 0 && v < n; v++)
		for (uint32_t w = 0; rc == 0 && w < n; w++)
			if (v != w && loom_long_list_has(j->list, v, w))
				rc = loom_topo_check_part(j->topo, j->map[v], j->map[w], &why);
	return rc == 0 ? 0 : loom_fail(err, rc, "%.120s: %.240s", j->topo->name, why.text);
}

static int check_all(const struct journey *j, struct loom_err *err)
{
	if (j->topo->kind->two_directions)
		return loom_fail(err, LOOM_EINPUT,
		                 "%s: all messages of a pass go the same way through it; a long list has no passes",
		                 j->topo->name);
	const bool chooses = loom_rule_is_adaptive(j->options->rule), draws = loom_rule_has_via(j->options->rule);
	if (!chooses && j->options->select)
		return loom_fail(err, LOOM_EINPUT,
		                 "select %s: it is for a rule that lets routers choose, such as duato",
		                 loom_select_name(j->options->select));
	if (!chooses && !draws && (unsigned)j->options->rule >= loom_topo_rules_count(j->topo))
		return loom_fail(err, LOOM_EINPUT, "%s has no rule \"%s\"", j->topo->name,
		                 loom_rule_name(j->options->rule));
	int rc = loom_topo_refuse_circuits(j->topo, "a long list", err);
	if (rc == 0 && chooses)
		rc = loom_rule_check(j->topo, j->options->rule, err);
	if (rc == 0 && draws)
		rc = loom_via_check(j->topo, j->options->rule, err);
	if (rc == 0)
		rc = loom_turn_sets_check(j->topo, j->options->rule, err);
	if (rc == 0 && chooses)
		rc = loom_select_check(j->topo, j->options->select, err);
	if (rc == 0)
		rc = check_parts(j, err);
	return rc == 0 && !chooses && !draws ? check_circle(j, err) : rc;
}

int loom_long_check(struct loom_long_list *list, const struct loom_topo *topo, const uint32_t *map,
                    const struct loom_long_options *options, struct loom_err *err)
{
	const struct journey j = {.list = list, .topo = topo, .map = map, .options = options ? options : &defaults};
	return check_all(&j, err);
}

static int begin(struct journey *j, struct loom_err *err)
{
	const struct loom_long_options *o = j->options;
	const int rc = check_all(j, err);
	if (rc != 0)
		return rc;
	j->of_carriers = (struct loom_load_options){
		.rule = o->rule, .select = o->select, .machine = o->machine, .seed = o->seed};
	j->most_under_way = loom_load_most_under_way(j->topo, loom_long_list_facts(j->list)->least_flits);
	j->source = calloc(j->topo->n_nodes, sizeof *j->source);
	return j->source ? 0 : loom_fail(err, LOOM_ENOMEM, "no memory for %u sources", j->topo->n_nodes);
}

// --- During a run ----------------------------------------------------------------------------------------------------

static int give_one(struct journey *j, uint32_t v, struct loom_err *err)
{
	struct source *s = &j->source[v];
	struct loom_long_message m;
	int rc = 0;
	if (!loom_long_list_take(&m, j->list, v, &rc, err)) {
		s->is_empty = rc == 0;
		return rc;
	}
	// A message is never sent before the release of the message before it, even if that one is to its sender.
	s->release = m.release > s->release ? m.release : s->release;
	if (m.destination == v && !j->topo->kind->self_uses_network) {
		j->result.n_delivered++;
		j->result.n_flits += m.flits;
		return 0;
	}
	s->release += s->release == 0;
	s->n_under_way++;
	j->n_given++;
	const struct loom_queued queued = {.destination = m.destination, .release = s->release, .flits = m.flits};
	return j->carrier->offer(j->carrier->self, v, &queued, err);
}

static int give(struct journey *j, bool *all_given, struct loom_err *err)
{
	int rc = 0;
	*all_given = true;
	for (uint32_t v = 0; rc == 0 && v < j->topo->n_nodes; v++) {
		struct source *s = &j->source[v];
		while (rc == 0 && !s->is_empty && s->n_under_way < j->most_under_way)
			rc = give_one(j, v, err);
		*all_given = *all_given && s->is_empty;
	}
	return rc;
}

static void note_arrival(struct journey *j, const struct loom_carried *a)
{
	struct loom_long_result *r = &j->result;
	const uint64_t latency = a->tail >= a->release ? a->tail - a->release + 1 : 0;
	j->source[a->source].n_under_way--;
	j->sum_latency += latency;
	r->most_latency = latency > r->most_latency ? latency : r->most_latency;
	r->cycles = a->tail > r->cycles ? a->tail : r->cycles;
	r->n_flits += a->flits;
	r->n_delivered++;
}

static int run_block(struct journey *j, struct loom_err *err)
{
	const struct loom_long_options *o = j->options;
	const struct loom_carried *arrived = NULL;
	size_t n = 0;
	if (j->now + LOOM_LOAD_BLOCK_CYCLES > j->carrier->most_cycles)
		return loom_fail(err, LOOM_EFIT,
		                 "%" PRIu64 " messages have arrived in %" PRIu64
		                 " cycles, and logs cover no more cycles",
		                 j->n_arrived, j->now);
	j->now += LOOM_LOAD_BLOCK_CYCLES;
	int rc = j->carrier->run(j->carrier->self, j->now, &arrived, &n, err);
	for (size_t i = 0; rc == 0 && i < n; i++)
		note_arrival(j, &arrived[i]);
	j->n_arrived += n;
	if (n > 0 || j->n_arrived == j->n_given)
		j->last_arrival = j->now;
	else if (rc == 0 && j->now - j->last_arrival > LOOM_LOAD_QUIET_CYCLES)
		rc = j->carrier->check(j->carrier->self, err);
	if (rc == 0 && o->max_cycles && j->now > o->max_cycles && j->n_arrived < j->n_given)
		rc = loom_fail(err, LOOM_ELIMIT, "not done after %" PRIu64 " cycles; the limit is %" PRIu64, j->now,
		               o->max_cycles);
	if (rc == 0 && o->watch && o->watch(o->user, j->n_arrived, loom_long_list_facts(j->list)->n_messages, j->now))
		rc = loom_fail(err, LOOM_ETIMEOUT, "given up at cycle %" PRIu64, j->now);
	return rc;
}

// True if a chip has lost messages. A source may have nothing due for a long time; the machine itself reports when
// nothing moves any more.
static bool is_lost(const struct journey *j)
{
	return j->device && j->twin.n_differences > 0 && j->now - j->last_arrival > LOOM_LOAD_QUIET_CYCLES;
}

static int travel(void *user, const struct loom_carrier *carrier, struct loom_err *err)
{
	struct journey *j = user;
	bool all_given = false;
	j->carrier = carrier;
	int rc = give(j, &all_given, err);
	while (rc == 0 && !(all_given && j->n_arrived == j->n_given) && !is_lost(j)) {
		rc = run_block(j, err);
		if (rc == 0)
			rc = give(j, &all_given, err);
	}
	return rc;
}

// --- Carriers --------------------------------------------------------------------------------------------------------

static int travel_both(void *user, const struct loom_carrier *chip, struct loom_err *err)
{
	struct journey *j = user;
	j->twin = (struct loom_twin){.is = chip, .should = j->machine};
	const struct loom_carrier both = loom_twin_carrier(&j->twin);
	return travel(j, &both, err);
}

static int drive_chip(void *user, const struct loom_carrier *machine, struct loom_err *err)
{
	struct journey *j = user;
	struct loom_load_options options = j->of_carriers;
	options.log = &j->on_chip;
	j->machine = machine;
	return loom_drive_chip(&j->result.n_mismatches, j->result.mismatch, j->device, j->topo, j->map, &options,
	                       travel_both, j, err);
}

// Adds the differences between chip and machine to those that the chip reports itself.
static void add_differences(struct journey *j)
{
	struct loom_long_result *r = &j->result;
	char first[sizeof r->mismatch] = "";
	const size_t n = loom_load_log_compare(first, sizeof first, &j->on_chip, &j->computed, j->topo);
	if (r->n_mismatches == 0)
		memcpy(r->mismatch, j->twin.n_differences ? j->twin.difference : first, sizeof r->mismatch);
	r->n_mismatches += j->twin.n_differences + n;
}

static int go(struct loom_long_result *out, struct journey *j, struct loom_err *err)
{
	int rc = begin(j, err);
	j->of_carriers.log = j->device ? &j->computed : NULL;
	if (rc == 0)
		rc = loom_drive_machine(j->topo, j->map, &j->of_carriers, j->device ? drive_chip : travel, j, err);
	if (rc == 0 && j->device)
		add_differences(j);
	if (rc == 0) {
		j->result.mean_latency = j->n_arrived ? (double)j->sum_latency / (double)j->n_arrived : 0;
		*out = j->result;
	}
	loom_twin_free(&j->twin);
	loom_load_log_free(&j->on_chip);
	loom_load_log_free(&j->computed);
	free(j->source);
	return rc;
}

int loom_long_compute(struct loom_long_result *out, struct loom_long_list *list, const struct loom_topo *topo,
                      const uint32_t *map, const struct loom_long_options *options, struct loom_err *err)
{
	struct journey j = {.list = list, .topo = topo, .map = map, .options = options ? options : &defaults};
	return go(out, &j, err);
}

int loom_long_run(struct loom_long_result *out, struct loom_device *device, struct loom_long_list *list,
                  const struct loom_topo *topo, const uint32_t *map, const struct loom_long_options *options,
                  struct loom_err *err)
{
	struct journey j = {
		.list = list, .topo = topo, .map = map, .options = options ? options : &defaults, .device = device};
	const uint32_t of_chip = (UINT32_C(1) << loom_device_chip(device)->length_bits) - 1;
	const uint32_t most = loom_long_list_facts(list)->most_flits;
	int rc = loom_device_stream_possible(device, err);
	if (rc == 0 && most > of_chip)
		rc = loom_fail(err, LOOM_EFIT, "messages of %" PRIu32 " flits; the chip takes %" PRIu32 " at most",
		               most, of_chip);
	return rc == 0 ? go(out, &j, err) : rc;
}
