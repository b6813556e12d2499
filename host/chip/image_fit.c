// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "chip/image_fit.h"

#include "chip/header.h"
#include "chip/programs.h"
#include "chip/turn_words.h"

#include <stdbool.h>
#include <string.h>

#include <flitloom/routes/choice.h>
#include <flitloom/routes/deadlock.h>
#include <flitloom/routes/via.h>
#include <flitloom/link/regmap.h>

static bool is_same_but_for_vcs(const struct loom_chip *chip, const struct loom_topo *t)
{
	struct loom_chip planned = {.kind = t->kind->code};
	loom_chip_set_shape(&planned, t);
	return planned.kind == chip->kind && planned.n_dims == chip->n_dims &&
	       memcmp(planned.extent, chip->extent, sizeof planned.extent) == 0 &&
	       planned.light_cycles == chip->light_cycles && planned.light_ratio == chip->light_ratio &&
	       planned.link_delay == chip->link_delay && planned.link_delays == chip->link_delays &&
	       planned.router_delay == chip->router_delay &&
	       planned.buffers == (chip->buffers ? chip->buffers : LOOM_BUFFERS_USUAL);
}

// Refuses a plan that is free of circles only by virtual channels which the chip lacks. `board`: the plan's network as
// the chip has it.
static int check_deadlock(const struct loom_plan *plan, const struct loom_topo *board, struct loom_err *err)
{
	struct loom_err why = {0};
	struct loom_plan there = *plan;
	there.topo = *board;
	if (board->n_vcs >= plan->topo.n_vcs || loom_deadlock_check(&there, &why) == 0)
		return 0;
	return loom_fail(
		err, LOOM_EFIT,
		"links of the chip have %u virtual channel%s, and the plan is for %u; plan for %s. Otherwise %.200s",
		board->n_vcs, board->n_vcs == 1 ? "" : "s", plan->topo.n_vcs, board->name, why.text);
}

int loom_image_check_vcs(const struct loom_plan *plan, const struct loom_chip *chip, struct loom_err *err)
{
	struct loom_topo board;
	int code = loom_chip_topo(&board, chip, err);
	if (code)
		return code;
	if (plan->topo.graph && board.n_vcs < plan->topo.n_vcs)
		return loom_fail(err, LOOM_EFIT, "links of the chip have %u lane%s, and the plan is for %u",
		                 board.n_vcs, board.n_vcs == 1 ? "" : "s", plan->topo.n_vcs);
	return plan->topo.graph ? 0 : check_deadlock(plan, &board, err);
}

static int check_network(const struct loom_topo *t, const struct loom_chip *chip, struct loom_err *err)
{
	struct loom_topo board = {0};
	struct loom_err why = {0};
	// A plan for a larger fabric of the same kind does not fit (LOOM_EFIT); any other difference means the wrong
	// board.
	if (loom_chip_topo(&board, chip, &why) != 0)
		return loom_fail(err, LOOM_EHARDWARE, "the plan is for %s, but the chip holds %.200s", t->name,
		                 why.text);
	if (!is_same_but_for_vcs(chip, t))
		return loom_fail(err,
		                 board.kind->code == t->kind->code && t->n_nodes > board.n_nodes ? LOOM_EFIT
		                                                                                 : LOOM_EHARDWARE,
		                 "the plan is for %s, but the chip holds %s%s", t->name, board.name,
		                 chip->link_delays ? ", with links of several delays" : "");
	if (t->flit_bits && t->flit_bits != chip->flit_bits)
		return loom_fail(err, LOOM_EHARDWARE,
		                 "the plan is for %s, with flits of %u bits, but those of the chip have %u", t->name,
		                 t->flit_bits, chip->flit_bits);
	return 0;
}

static int check_passes(const struct loom_plan *plan, const struct loom_chip *chip, struct loom_err *err)
{
	uint32_t passes = chip->pass_bits < LOOM_LOG1_PASS_WIDTH ? UINT32_C(1) << chip->pass_bits
	                                                         : UINT32_C(1) << LOOM_LOG1_PASS_WIDTH;
	if (plan->n_passes > passes)
		return loom_fail(err, LOOM_EFIT, "the plan has %u passes; the chip holds %u", plan->n_passes, passes);
	uint64_t cycles = (UINT64_C(1) << chip->cycle_bits) - 1;
	for (uint32_t p = 0; p < plan->n_passes; p++)
		if (plan->cycles && plan->cycles[p] != LOOM_CYCLES_UNKNOWN && plan->cycles[p] > cycles)
			return loom_fail(err, LOOM_EFIT,
			                 "pass %u takes %llu cycles; the chip's logs hold cycles up to %llu: send "
			                 "shorter messages",
			                 p, (unsigned long long)plan->cycles[p], (unsigned long long)cycles);
	if (plan->free_running && chip->history_runs == 0)
		return loom_fail(err, LOOM_EFIT,
		                 "the plan runs freely from pass to pass, and the chip has no histories to "
		                 "check that with: a plan with a barrier between passes fits");
	uint32_t runs = chip->program_depth < chip->history_runs ? chip->program_depth : chip->history_runs;
	if (plan->free_running && plan->n_passes > runs)
		return loom_fail(err, LOOM_EFIT,
		                 "the plan runs freely through %u passes; a node's program and a channel's history of "
		                 "the chip hold %u",
		                 plan->n_passes, runs);
	return 0;
}

static int check_nodes(const struct loom_plan *plan, const struct loom_chip *chip, const uint32_t *sent,
                       const uint32_t *received, struct loom_err *err)
{
	for (uint32_t v = 0; v < plan->topo.n_nodes; v++) {
		if (sent[v] > chip->program_depth && plan->timing)
			return loom_fail(
				err, LOOM_EFIT,
				"processor %u's program has %u entries, its messages, waits and delays; the chip "
				"holds %u in a node's program",
				v, sent[v], chip->program_depth);
		if (sent[v] > chip->program_depth)
			return loom_fail(err, LOOM_EFIT,
			                 "processor %u is to send %u messages; the chip holds %u in a node's program",
			                 v, sent[v], chip->program_depth);
		if (received[v] > chip->log_depth)
			return loom_fail(err, LOOM_EFIT,
			                 "processor %u is to receive %u messages; the chip holds %u in a node's log", v,
			                 received[v], chip->log_depth);
	}
	return 0;
}

static int check_message(const struct loom_plan *plan, size_t i, const struct loom_chip *chip, struct loom_err *err)
{
	const struct loom_plan_message *m = &plan->messages[i];
	uint32_t longest = (UINT32_C(1) << chip->length_bits) - 1;
	if (m->flits > longest)
		return loom_fail(err, LOOM_EFIT,
		                 "message %zu (%u to %u) has %u flits; the chip holds messages of at most %u", i,
		                 m->source, m->destination, m->flits, longest);
	if (loom_rule_chooses_on(&plan->topo, m->rule) && !chip->adaptive)
		return loom_fail(err, LOOM_EFIT,
		                 "message %zu (%u to %u) goes by rule %s, and the chip's routers leave no choice (its "
		                 "register ADAPTIVE says so): simulated ones can",
		                 i, m->source, m->destination, loom_rule_name(m->rule));
	if ((m->rule == LOOM_RULE_TURNS) != (chip->adaptive == LOOM_CHIP_TURNS))
		return loom_fail(err, LOOM_EFIT,
		                 "message %zu (%u to %u) goes by rule %s, and the chip's routers go %s (its register "
		                 "ADAPTIVE says so): simulated ones do either",
		                 i, m->source, m->destination, loom_rule_name(m->rule),
		                 chip->adaptive == LOOM_CHIP_TURNS ? "by turns" : "by no turns");
	if (loom_rule_has_via(m->rule) != loom_chip_has_via(chip))
		return loom_fail(err, LOOM_EFIT,
		                 "message %zu (%u to %u) goes by rule %s, and the chip's routers send %s through a "
		                 "node (its register RULE_BITS says so): simulated ones do either",
		                 i, m->source, m->destination, loom_rule_name(m->rule),
		                 loom_chip_has_via(chip) ? "all" : "none");
	if (loom_rule_has_via(m->rule) && plan->topo.n_vcs != chip->n_vcs)
		return loom_fail(err, LOOM_EFIT,
		                 "message %zu (%u to %u) goes by rule %s on %u lanes of each link; the chip has %u", i,
		                 m->source, m->destination, loom_rule_name(m->rule), plan->topo.n_vcs, chip->n_vcs);
	if (m->rule >> chip->rule_bits)
		return loom_fail(err, LOOM_EFIT,
		                 "message %zu (%u to %u) goes by rule %s, %u; headers of the chip have %u bit%s for "
		                 "it",
		                 i, m->source, m->destination, loom_rule_name(m->rule), m->rule, chip->rule_bits,
		                 chip->rule_bits == 1 ? "" : "s");
	if (m->from_slot > chip->store_slots || m->keep_slot > chip->store_slots)
		return loom_fail(err, LOOM_EFIT, "message %zu (%u to %u) uses slot %u of the store; the chip holds %u",
		                 i, m->source, m->destination,
		                 m->from_slot > m->keep_slot ? m->from_slot : m->keep_slot, chip->store_slots);
	if (m->keep_slot && m->flits > chip->slot_flits)
		return loom_fail(err, LOOM_EFIT,
		                 "message %zu (%u to %u) is to be kept and has %u flits; a slot of the chip holds %u",
		                 i, m->source, m->destination, m->flits, chip->slot_flits);
	return 0;
}

static int check_gate(const struct loom_gate *gate, const struct loom_chip *chip, struct loom_err *err)
{
	uint32_t longest = (UINT32_C(1) << chip->length_bits) - 1;
	uint64_t cycles = (UINT64_C(1) << chip->cycle_bits) - 1;
	if (gate->kind == LOOM_GATE_WAIT && gate->value > longest)
		return loom_fail(err, LOOM_EFIT,
		                 "a program waits for message %u from processor %u; the chip counts to %u", gate->value,
		                 gate->source, longest);
	if (gate->kind != LOOM_GATE_WAIT && gate->value > cycles)
		return loom_fail(err, LOOM_EFIT, "a program waits for %s %u; the chip's logs hold cycles up to %llu",
		                 gate->kind == LOOM_GATE_AT ? "cycle" : "cycles:", gate->value,
		                 (unsigned long long)cycles);
	if (gate->kind == LOOM_GATE_DELAY && gate->value > longest && longest < LOOM_ENTRY_CYCLES_MOST)
		return loom_fail(err, LOOM_EFIT,
		                 "a program computes for %u cycles; an entry of the chip's programs has %u at most",
		                 gate->value, longest);
	return 0;
}

static int check_timing(const struct loom_plan *plan, const struct loom_chip *chip, struct loom_err *err)
{
	const struct loom_timing *t = plan->timing;
	size_t n_gates = t ? t->first[plan->n_messages + plan->topo.n_nodes] : 0;
	int code = 0;
	if (t && !(chip->timing & LOOM_CHIP_TIMED))
		return loom_fail(
			err, LOOM_EFIT,
			"the plan says when its messages go, and programs of this chip cannot wait (its register "
			"TIMING says so): simulated fabrics can");
	for (size_t g = 0; code == 0 && g < n_gates; g++)
		code = check_gate(&t->gate[g], chip, err);
	return code;
}

int loom_image_check_nodes(const struct loom_chip *chip, struct loom_err *err)
{
	if (chip->user_nodes)
		return loom_fail(
			err, LOOM_EHARDWARE,
			"the chip is an open fabric: its nodes are its user's, which no plan or message can be "
			"loaded into; flitloom can look at it (probe, peek)");
	return 0;
}

int loom_image_check_chip(const struct loom_plan *plan, const struct loom_chip *chip, const uint32_t *sent,
                          const uint32_t *received, struct loom_err *err)
{
	int code = check_network(&plan->topo, chip, err);
	if (code == 0)
		code = loom_chip_check(chip, err);
	if (code == 0)
		code = loom_image_check_nodes(chip, err);
	if (code == 0)
		code = check_passes(plan, chip, err);
	if (code == 0)
		code = check_timing(plan, chip, err);
	if (code == 0)
		code = check_nodes(plan, chip, sent, received, err);
	for (size_t i = 0; code == 0 && i < plan->n_messages; i++)
		if (loom_plan_uses_network(plan, &plan->messages[i]))
			code = check_message(plan, i, chip, err);
	return code;
}
