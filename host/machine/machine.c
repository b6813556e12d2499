// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs a plan on the machine, its passes one after the other or as a free run, and makes the trace.
#include <flitloom/machine.h>

#include <flitloom/link/regmap.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chip/chosen_labels.h"
#include "machine/compute.h"
#include "machine/network.h"
#include "machine/play.h"
#include "machine/stuck.h"
#include "plan/back_to_back_internal.h"

#define SLICE_CYCLES 65536u // cycles between two calls of `watch`
#define TRACE_CYCLES_MOST UINT32_MAX
#define PASS_MASK ((UINT32_C(1) << LOOM_LOG1_PASS_WIDTH) - 1) // the bits of a pass's number that a log keeps

struct machine {
	const struct loom_plan *plan;
	const struct loom_machine_options *options;
	struct loom_play play;
	struct loom_machine_network network;
	struct loom_trace trace;
	uint64_t *last; // for each pass the cycle of its last tail, or of the end of its programs if that is later
	bool counts;    // a trace is wanted
};

static bool is_paper(const struct machine *m)
{
	return m->options->image.machine == LOOM_MACHINE_PAPER;
}

// --- Running --------------------------------------------------------------------------------------------------------

// Reports progress to the caller. LOOM_ETIMEOUT: the caller stops the run.
static int tell(const struct machine *m, uint32_t pass, uint64_t cycle, struct loom_err *err)
{
	const struct loom_progress progress = {
		.stage = LOOM_STAGE_RUN, .done = pass, .total = m->plan->n_passes, .cycle = cycle};
	if (m->options->watch && m->options->watch(m->options->user, &progress))
		return loom_fail(err, LOOM_ETIMEOUT, "stopped in pass %u, cycle %llu", pass, (unsigned long long)cycle);
	return 0;
}

// Checks the cycles of a pass against the caller's limit, and against what a trace can hold.
static int check_cycles(const struct machine *m, uint32_t pass, struct loom_err *err)
{
	const uint64_t most = m->options->run.max_cycles;
	if (most && m->last[pass] > most)
		return loom_fail(err, LOOM_ELIMIT, "pass %u takes %llu cycles; the limit is %llu", pass,
		                 (unsigned long long)m->last[pass], (unsigned long long)most);
	if (m->last[pass] > TRACE_CYCLES_MOST)
		return loom_fail(
			err, LOOM_EFIT,
			"pass %u takes %llu cycles; a trace has cycles up to %lu: send fewer or shorter messages", pass,
			(unsigned long long)m->last[pass], (unsigned long)TRACE_CYCLES_MOST);
	return 0;
}

// Reads the counts of all channels. They fit the trace: per cycle a channel carries one flit at most and is blocked
// once at most, and check_cycles has passed.
static void read_counts(struct machine *m, uint32_t pass)
{
	for (uint32_t c = 0; c < m->network.net.n_channels; c++) {
		struct loom_engine_count count;
		m->play.kind->count(m->play.engine, c, &count);
		m->trace.counts[(size_t)pass * m->trace.n_channels + c] =
			(struct loom_count){(uint32_t)count.messages, (uint32_t)count.flits, (uint32_t)count.blocked};
	}
}

// Assigns the counts of a free run to its passes, although the counters run on from pass to pass. Messages and flits
// count in the pass of each message. Blocked cycles count in the last pass in which the channel carries anything.
static int spread_counts(struct machine *m, struct loom_err *err)
{
	const struct loom_plan *plan = m->plan;
	const size_t n = m->trace.n_channels;
	uint64_t *flits;
	int code = loom_plan_flits(&flits, plan, err);
	if (code)
		return code;
	for (size_t c = 0; c < n; c++) {
		uint32_t blocked = m->trace.counts[c].blocked_cycles;
		for (uint32_t pass = plan->n_passes; pass-- > 0;) {
			const size_t at = pass * n + c;
			m->trace.counts[at] = (struct loom_count){plan->load[at], (uint32_t)flits[at], blocked};
			blocked = plan->load[at] > 0 ? 0 : blocked;
			if (plan->load[at] == 0)
				m->trace.counts[at].blocked_cycles = 0;
		}
	}
	free(flits);
	return 0;
}

// Runs a pass, or a free run, to its end. LOOM_ESTUCK, LOOM_ELIMIT, LOOM_ETIMEOUT.
static int run_pass(struct machine *m, uint32_t pass, struct loom_err *err)
{
	const struct loom_engine_kind *kind =
		m->options->crossings ? &loom_engine_lanes : loom_machine_engine(&m->network.net);
	struct loom_play *play = &m->play;
	enum loom_engine_state state = LOOM_ENGINE_TIME;
	const uint64_t most = m->options->run.max_cycles;
	int code = tell(m, pass, 0, err);
	if (code == 0)
		code = loom_play_pass_begin(play, &m->network.net, kind, is_paper(m), pass, err);
	for (uint64_t until = SLICE_CYCLES; code == 0 && state == LOOM_ENGINE_TIME; until += SLICE_CYCLES) {
		code = kind->run(play->engine, &state, until, err);
		if (code == 0 && state == LOOM_ENGINE_TIME)
			code = tell(m, pass, until, err);
		if (code == 0 && state == LOOM_ENGINE_TIME && most && until > most) // more is still to come
			code = loom_fail(err, LOOM_ELIMIT, "pass %u takes more than %llu cycles; the limit is %llu",
			                 pass, (unsigned long long)until, (unsigned long long)most);
	}
	m->last[pass] = play->last;
	if (code == 0 && (state == LOOM_ENGINE_LOCKED || (state == LOOM_ENGINE_IDLE && !loom_play_is_done(play))))
		code = loom_machine_fail_stuck(m->plan, play, &m->network.net, is_paper(m), pass, err);
	if (code == 0)
		code = check_cycles(m, pass, err);
	if (code == 0 && m->counts)
		read_counts(m, pass);
	loom_play_pass_end(play);
	for (uint32_t v = 0; code == 0 && m->plan->timing && v < m->plan->topo.n_nodes; v++)
		m->last[pass] = play->end[v] > m->last[pass] ? play->end[v] : m->last[pass];
	return code;
}

// Runs all passes. It makes a new network for a pass only if the direction of the messages matters to it.
static int run_passes(struct machine *m, struct loom_err *err)
{
	const struct loom_plan *plan = m->plan;
	const uint32_t n_runs = plan->free_running ? 1 : plan->n_passes;
	int code = 0;
	size_t first = 0;
	for (uint32_t pass = 0; code == 0 && pass < n_runs; pass++) {
		while (first < plan->n_messages && plan->messages[first].pass < pass)
			first++;
		const enum loom_rule rule =
			first < plan->n_messages ? (enum loom_rule)plan->messages[first].rule : LOOM_RULE_ASCENDING;
		if (pass == 0 || plan->topo.kind->two_directions) {
			loom_machine_network_free(&m->network);
			code = loom_machine_network_make(&m->network, &plan->topo, rule, err);
		}
		if (code == 0 && pass == 0 && loom_plan_is_adaptive(plan))
			code = loom_machine_network_choose(&m->network, &plan->topo, plan->select, err);
		if (code == 0)
			code = run_pass(m, pass, err);
	}
	return code == 0 && plan->free_running && m->counts ? spread_counts(m, err) : code;
}

// --- The trace ------------------------------------------------------------------------------------------------------

// Writes the arrivals into the trace, node by node in the order of time, and counts the messages that nodes sent.
static int write_arrivals(struct machine *m, const uint32_t *number, const uint32_t *destination, struct loom_err *err)
{
	const struct loom_plan *plan = m->plan;
	struct loom_trace *t = &m->trace;
	size_t *next = calloc((size_t)t->n_nodes + 1, sizeof *next);
	t->arrivals = calloc(m->play.n_arrived + 1, sizeof *t->arrivals);
	if (!next || !t->arrivals) {
		free(next);
		return loom_fail(err, LOOM_ENOMEM, "no memory for %zu arrivals", m->play.n_arrived);
	}
	for (size_t k = 0; k < m->play.n_arrived; k++)
		next[plan->map[plan->messages[m->play.arrived[k]].destination] + 1]++;
	for (uint32_t u = 0; u < t->n_nodes; u++)
		next[u + 1] += next[u];
	for (size_t k = 0; k < m->play.n_arrived; k++) {
		const size_t i = m->play.arrived[k], root = loom_plan_root(plan, i);
		const struct loom_plan_message *message = &plan->messages[i];
		const uint32_t node = plan->map[message->destination];
		const uint32_t logged = plan->free_running ? plan->n_passes - 1 : message->pass;
		t->arrivals[next[node]++] = (struct loom_arrival){
			.node = node,
			.source = plan->map[plan->messages[root].source],
			.number = number[root],
			.destination = destination[i],
			.pass = message->pass & PASS_MASK,
			.logged_pass = logged & PASS_MASK,
			.flits = message->flits,
			.first_cycle = (uint32_t)m->play.times[i].header,
			.last_cycle = (uint32_t)m->play.times[i].tail,
			.intact = true,
			.rule = message->rule,
			.via = message->via,
			.keep_slot = message->keep_slot,
		};
		t->sent[plan->map[message->source]]++;
	}
	t->n_arrivals = m->play.n_arrived;
	free(next);
	return 0;
}

// Writes when program entries began into the trace, if the plan has timing or a node sends several messages a pass.
static int write_releases(struct machine *m, struct loom_err *err)
{
	const struct loom_plan *plan = m->plan;
	const struct loom_programs *programs = &m->play.programs;
	struct loom_trace *t = &m->trace;
	if (!plan->timing && (plan->free_running || !loom_programs_send_several(programs, plan)))
		return 0;
	t->first_entry = calloc((size_t)t->n_nodes + 1, sizeof *t->first_entry);
	t->released = calloc(programs->first[t->n_nodes] + 1, sizeof *t->released);
	if (!t->first_entry || !t->released)
		return loom_fail(err, LOOM_ENOMEM, "no memory for the programs of %u nodes", t->n_nodes);
	for (uint32_t v = 0; v < t->n_nodes; v++)
		t->first_entry[plan->map[v] + 1] = programs->first[v + 1] - programs->first[v];
	for (uint32_t u = 0; u < t->n_nodes; u++)
		t->first_entry[u + 1] += t->first_entry[u];
	for (uint32_t v = 0; v < t->n_nodes; v++)
		for (size_t e = programs->first[v]; e < programs->first[v + 1]; e++) {
			if (m->play.began[e] > TRACE_CYCLES_MOST)
				return loom_fail(
					err, LOOM_EFIT,
					"an entry of processor %u begins in cycle %llu; a trace has cycles up to %lu",
					v, (unsigned long long)m->play.began[e], (unsigned long)TRACE_CYCLES_MOST);
			t->released[t->first_entry[plan->map[v]] + (e - programs->first[v])] =
				(uint32_t)m->play.began[e];
		}
	for (size_t i = 0; i < t->n_arrivals; i++) {
		struct loom_arrival *a = &t->arrivals[i];
		a->release = t->released[t->first_entry[a->source] + a->number];
	}
	return 0;
}

static int write_logs(struct machine *m, struct loom_err *err)
{
	const size_t n = m->plan->n_messages;
	uint32_t *number = calloc(n + 1, sizeof *number), *destination = calloc(n + 1, sizeof *destination);
	int code = number && destination ? 0 : loom_fail(err, LOOM_ENOMEM, "no memory for %zu messages", n);
	if (code == 0)
		code = loom_image_numbers(number, m->plan, err);
	if (code == 0)
		code = loom_chosen_labels_destinations(destination, m->plan, err);
	if (code == 0)
		code = write_arrivals(m, number, destination, err);
	if (code == 0)
		code = write_releases(m, err);
	free(number);
	free(destination);
	return code;
}

static int begin_trace(struct machine *m, struct loom_err *err)
{
	const struct loom_plan *plan = m->plan;
	const uint64_t seed = m->options->image.seed;
	struct loom_trace *t = &m->trace;
	*t = (struct loom_trace){.n_nodes = plan->topo.n_nodes,
	                         .n_channels = loom_topo_channels(&plan->topo),
	                         .n_passes = plan->n_passes,
	                         .machine = m->options->image.machine,
	                         .payload = {.seed = (uint32_t)(seed ^ seed >> 32)}};
	t->counts = calloc(m->counts ? (size_t)t->n_passes * t->n_channels + 1 : 1, sizeof *t->counts);
	t->sent = calloc(t->n_nodes, sizeof *t->sent);
	t->corrupt = calloc(t->n_nodes, sizeof *t->corrupt);
	m->last = calloc((size_t)t->n_passes + 1, sizeof *m->last);
	return t->counts && t->sent && t->corrupt && m->last
	               ? 0
	               : loom_fail(err, LOOM_ENOMEM, "no memory for the trace of %u passes", plan->n_passes);
}

static void *copy_of(const void *from, size_t n_bytes)
{
	void *copy = malloc(n_bytes + 1);
	if (copy)
		memcpy(copy, from, n_bytes);
	return copy;
}

// Makes the trace of all passes in one run. Each pass takes the same cycles as when it runs alone, and begins after
// the barrier that follows the pass before.
static int write_back_to_back(struct machine *m, struct loom_err *err)
{
	const struct loom_plan *plan = m->plan;
	struct loom_trace *t = &m->trace, *b;
	if (!m->options->run.back_to_back || !loom_back_to_back_possible(plan))
		return 0;
	b = t->back_to_back = calloc(1, sizeof *b);
	if (!b)
		return loom_fail(err, LOOM_ENOMEM, "no memory for a trace");
	*b = *t;
	b->back_to_back = NULL;
	b->arrivals = copy_of(t->arrivals, t->n_arrivals * sizeof *t->arrivals);
	b->counts = copy_of(t->counts + (size_t)(t->n_passes - 1) * t->n_channels, t->n_channels * sizeof *t->counts);
	b->sent = copy_of(t->sent, t->n_nodes * sizeof *t->sent);
	b->corrupt = copy_of(t->corrupt, t->n_nodes * sizeof *t->corrupt);
	if (t->released) {
		b->released = copy_of(t->released, t->first_entry[t->n_nodes] * sizeof *t->released);
		b->first_entry = copy_of(t->first_entry, ((size_t)t->n_nodes + 1) * sizeof *t->first_entry);
	}
	b->began = loom_back_to_back_cycles(m->last, plan->n_passes) - m->last[plan->n_passes - 1];
	return b->arrivals && b->counts && b->sent && b->corrupt && (!t->released || (b->released && b->first_entry))
	               ? 0
	               : loom_fail(err, LOOM_ENOMEM, "no memory for a trace");
}

// --- Crossings -------------------------------------------------------------------------------------------------------

// Makes the crossings of the messages of a plan, with channels and lanes in the order of the routes, without cycles.
// The caller frees them in any case.
static int begin_crossings(struct loom_machine_crossings *out, const struct loom_plan *plan, struct loom_err *err)
{
	out->first = calloc(plan->n_messages + 1, sizeof *out->first);
	for (size_t i = 0; out->first && i < plan->n_messages; i++)
		out->first[i + 1] = out->first[i] + loom_plan_route_length(plan, i);
	out->at = out->first ? calloc(out->first[plan->n_messages] + 1, sizeof *out->at) : NULL;
	if (!out->at)
		return loom_fail(err, LOOM_ENOMEM, "no memory for the crossings of %zu messages", plan->n_messages);
	for (size_t i = 0; i < plan->n_messages; i++) {
		struct loom_machine_crossing *at = &out->at[out->first[i]];
		struct loom_route route;
		uint32_t channel;
		if (out->first[i] == out->first[i + 1])
			continue;
		loom_plan_route_begin(&route, plan, i);
		for (; loom_route_next(&route, &channel); at++)
			*at = (struct loom_machine_crossing){
				.channel = channel, .lane = loom_topo_is_local(&plan->topo, channel) ? 0 : route.vc};
	}
	return 0;
}

void loom_machine_crossings_free(struct loom_machine_crossings *crossings)
{
	if (!crossings)
		return;
	free(crossings->first);
	free(crossings->at);
	*crossings = (struct loom_machine_crossings){0};
}

// --- All of it -------------------------------------------------------------------------------------------------------

int loom_machine_compute(struct loom_trace *out, const struct loom_plan *plan,
                         const struct loom_machine_options *options, struct loom_err *err)
{
	struct machine m = {.plan = plan, .options = options, .counts = out != NULL};
	int code = begin_trace(&m, err);
	if (code == 0)
		code = loom_play_begin(&m.play, plan, !out && !options->times, err);
	struct loom_machine_crossings crossings = {0};
	if (code == 0 && options->crossings && loom_plan_is_adaptive(plan))
		code = loom_fail(err, LOOM_EINPUT, "routers choose the ways of these messages, and do not report them");
	if (code == 0 && options->crossings)
		code = begin_crossings(&crossings, plan, err);
	m.play.crossings = options->crossings ? &crossings : NULL;
	if (code == 0)
		code = run_passes(&m, err);
	if (code == 0 && out)
		code = write_logs(&m, err);
	if (code == 0 && out)
		code = write_back_to_back(&m, err);
	if (code == 0 && options->times && plan->n_messages)
		memcpy(options->times, m.play.times, plan->n_messages * sizeof *options->times);
	if (code == 0 && options->cycles)
		memcpy(options->cycles, m.last, plan->n_passes * sizeof *options->cycles);
	if (code == 0 && options->crossings)
		*options->crossings = crossings;
	else
		loom_machine_crossings_free(&crossings);
	loom_play_free(&m.play);
	loom_machine_network_free(&m.network);
	free(m.last);
	if (code == 0 && out)
		*out = m.trace;
	else
		loom_trace_free(&m.trace);
	return code;
}

int loom_machine_run(struct loom_trace *out, const struct loom_plan *plan, const struct loom_machine_options *options,
                     struct loom_err *err)
{
	static const struct loom_machine_options defaults;
	options = options ? options : &defaults;
	int code = loom_image_check(plan, &options->image, err);
	return code ? code : loom_machine_compute(out, plan, options, err);
}

int loom_machine_cycles(uint64_t *out, const struct loom_plan *plan, enum loom_machine machine, struct loom_err *err)
{
	uint64_t *cycles = calloc((size_t)plan->n_passes + 1, sizeof *cycles);
	const struct loom_machine_options options = {.image = {.machine = machine}, .cycles = cycles};
	int code = cycles ? loom_machine_compute(NULL, plan, &options, err)
	                  : loom_fail(err, LOOM_ENOMEM, "no memory for the cycles of %u passes", plan->n_passes);
	if (code == 0)
		*out = loom_back_to_back_cycles(cycles, plan->free_running ? 1 : plan->n_passes);
	free(cycles);
	return code;
}
