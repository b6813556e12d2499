// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The verdict on free runs: a trace of a flawless multistage network, made by the reference's paths, and spoilt.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/verdict.h>

#include "unit/help/networks.h"
#include "unit/help/random_plans.h"

enum { FLITS = 6 };

struct scene {
	struct loom_plan plan;
	struct loom_trace trace;
	struct loom_verdict verdict;
	unsigned m;
};

static struct loom_count *count_at(struct scene *s, uint32_t pass, uint32_t tile, unsigned k)
{
	return &s->trace.counts[(size_t)pass * s->trace.n_channels + tile * (s->m + 1) + k];
}

// Fills in the trace of a run of the plan in which no message waits.
static void fill_trace(struct scene *s)
{
	const struct loom_plan *plan = &s->plan;
	const struct ref_min *ref = reference_of(plan, 0);
	uint32_t n = plan->topo.n_nodes;
	s->m = ref->m;
	s->trace = (struct loom_trace){.n_nodes = n, .n_channels = n * (ref->m + 1), .n_passes = n};
	s->trace.arrivals = calloc(plan->n_messages, sizeof *s->trace.arrivals);
	s->trace.counts = calloc((size_t)n * s->trace.n_channels, sizeof *s->trace.counts);
	s->trace.sent = calloc(n, sizeof *s->trace.sent);
	s->trace.corrupt = calloc(n, sizeof *s->trace.corrupt);
	assert_true(s->trace.arrivals && s->trace.counts && s->trace.sent && s->trace.corrupt);
	for (size_t i = 0; i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		uint32_t line[REF_MIN_M_MAX], from = plan->map[m->source], to = plan->map[m->destination];
		assert_true(ref_min_path(line, ref, from, to));
		// A pass begins F cycles after the one before; the header takes a cycle for each of m + 1 channels.
		uint32_t begins = m->pass * FLITS;
		s->trace.arrivals[s->trace.n_arrivals++] = (struct loom_arrival){.node = to,
		                                                                 .source = from,
		                                                                 .number = m->pass,
		                                                                 .destination = to,
		                                                                 .pass = m->pass,
		                                                                 .flits = FLITS,
		                                                                 .first_cycle = begins + ref->m + 1,
		                                                                 .last_cycle = begins + ref->m + FLITS,
		                                                                 .intact = true,
		                                                                 .logged_pass = n - 1};
		s->trace.sent[from]++;
		for (unsigned k = 0; k <= ref->m; k++) {
			uint32_t tile = k == ref->m ? from : k + 1 == ref->m ? to : line[k];
			count_at(s, m->pass, tile, k)->worms++;
			count_at(s, m->pass, tile, k)->flits += FLITS;
		}
	}
}

static void set_up(struct scene *s, const char *fabric, const char *spec, const char *map)
{
	memset(s, 0, sizeof *s);
	plan_on(&s->plan, fabric, spec, "latin", map, FLITS, 1);
	fill_trace(s);
}

static void tear_down(struct scene *s)
{
	loom_verdict_free(&s->verdict);
	loom_trace_free(&s->trace);
	loom_plan_free(&s->plan);
}

static void judge(struct scene *s, size_t n, const char *says)
{
	struct loom_err err = {0};
	loom_verdict_free(&s->verdict);
	if (loom_verdict_make(&s->verdict, &s->plan, &s->trace, &err) != 0)
		fail_msg("%s", err.text);
	if (s->verdict.n_mismatches != n)
		fail_msg("%zu differences instead of %zu, such as \"%s\"", s->verdict.n_mismatches, n,
		         s->verdict.mismatches[0]);
	for (size_t i = 0; i < n && i < LOOM_MISMATCHES_KEPT; i++)
		if (strstr(s->verdict.mismatches[i], says))
			return;
	if (n)
		fail_msg("\"%s\" does not say \"%s\"", s->verdict.mismatches[0], says);
}

static void test_flawless(void **state)
{
	(void)state;
	for (unsigned k = 0; k < NETS; k++)
		for (unsigned m = 1; m <= 5; m++)
			for (unsigned way = 0; way < 4; way++) {
				struct scene s;
				char fabric[32], map[256];
				uint32_t n = 1u << m;
				(void)snprintf(fabric, sizeof fabric, "%s:%u", net_names[k], n);
				random_map(map, n, m);
				set_up(&s, fabric, way & 1 ? "all-to-others" : "all-to-all", way & 2 ? map : NULL);
				judge(&s, 0, "");
				assert_int_equal(s.verdict.delivered_messages, s.plan.n_messages);
				assert_int_equal(s.verdict.delivered_flits, s.plan.n_messages * FLITS);
				assert_int_equal(s.verdict.measured_contention, n > 2);
				if (!(way & 1))
					assert_int_equal(s.verdict.measured_cycles, n * FLITS + m);
				assert_int_equal(s.verdict.measured_cycles, s.verdict.predicted_cycles);
				tear_down(&s);
			}
}

static void test_spoilt(void **state)
{
	(void)state;
	struct scene s;
	set_up(&s, "ricube:8", "all-to-all", "4,2,0,1,3,7,6,5");
	struct loom_arrival *a = &s.trace.arrivals[35];
	const struct loom_arrival good = *a;
	uint32_t last = good.last_cycle;

	a->last_cycle++; // a cycle late
	char says[96];
	(void)snprintf(says, sizeof says, "was complete in cycle %u instead of %u", last + 1, last);
	judge(&s, 1, says);
	a->last_cycle = last;
	(void)snprintf(says, sizeof says, "arrived in cycle %u instead of %u", good.first_cycle - 1, good.first_cycle);
	a->first_cycle--;
	judge(&s, 1, says);
	a->first_cycle++;
	a->last_cycle = last - FLITS; // a cycle of the pass before
	judge(&s, 1, "was complete in cycle");
	*a = good;
	a->pass = a->number = good.pass + 1; // a header with another pass: one message too many there, one missing here
	judge(&s, 2, "never arrived");
	*a = good;
	a->number++; // the right pass, but the number of another entry
	judge(&s, 2, "which the plan does not have");
	*a = good;
	a->intact = false;
	judge(&s, 1, "corrupted");
	*a = good;
	a->signature = 1; // a signature from a chip that keeps none
	judge(&s, 1, "with signature 0x1; that of its payload is 0x0");
	*a = good;
	for (uint32_t pass = 0; pass < 16; pass++) { // a free run is one pass, the last one
		a->logged_pass = pass;
		judge(&s, pass != 7, "a free run's is its last pass, 7");
	}
	*a = good;

	struct loom_count *count = count_at(&s, 5, 3, 1);
	count->blocked_cycles = 2;
	judge(&s, 1, "headers waited 2 cycles for channel stage 1 line 3 instead of 0");
	assert_int_equal(s.verdict.blocked_cycles, 2);
	count->blocked_cycles = 0;
	count->worms = 2;
	judge(&s, 1, "channel stage 1 line 3 carried 2 messages in pass 5 instead of 1");
	assert_int_equal(s.verdict.measured_contention, 2);
	count->worms = 1;
	count->flits = FLITS + 1;
	judge(&s, 1, "channel stage 1 line 3 carried 7 flits in pass 5 instead of 6");
	count->flits = FLITS;
	s.trace.sent[2]--;
	judge(&s, 1, "node 2 sent 7 messages instead of 8");
	s.trace.sent[2]++;

	// The whole run late, as after a lost cycle at the start: every message is.
	for (size_t i = 0; i < s.trace.n_arrivals; i++)
		s.trace.arrivals[i].last_cycle++;
	judge(&s, 64, "instead of");
	assert_int_equal(s.verdict.measured_cycles, s.verdict.predicted_cycles + 1);
	tear_down(&s);
}

// A plan with contention: passes overlap, and a message may wait for one of another pass where it is alone in its own. A chip
// counts the cycles in which headers wait by channel, not by pass.
static void test_overlap(void **state)
{
	(void)state;
	struct scene s = {0};
	plan_on(&s.plan, "ricube:8", "all-to-all", "latin", NULL, FLITS, 1);
	s.plan.messages[1].destination = s.plan.messages[0].destination;
	assert_int_equal(loom_plan_predict(&s.plan, NULL), 0);
	assert_true(loom_plan_cycles(&s.plan) == LOOM_CYCLES_UNKNOWN);
	s.m = reference_of(&s.plan, 0)->m;
	flawless_trace(&s.trace, &s.plan, LOOM_MACHINE_FAST);
	judge(&s, 0, "");
	assert_true(s.verdict.blocked_cycles > 0);
	assert_int_equal(s.verdict.predicted_blocked_cycles, s.verdict.blocked_cycles);
	assert_int_equal(s.verdict.predicted_cycles, s.verdict.measured_cycles);
	for (uint32_t c = 0; c < s.trace.n_channels; c++) {
		struct loom_count *last = &s.trace.counts[(s.plan.n_passes - 1) * s.trace.n_channels + c];
		const uint32_t n = last->blocked_cycles;
		char says[96], name[48];
		loom_topo_channel_name(&s.plan.topo, c, name);
		last->blocked_cycles = 0; // the same sum in other passes is accepted
		s.trace.counts[c].blocked_cycles += n;
		judge(&s, 0, "");
		s.trace.counts[c].blocked_cycles++;
		(void)snprintf(says, sizeof says, "for channel %s instead of", name);
		judge(&s, 1, says);
		s.trace.counts[c].blocked_cycles -= n + 1;
		last->blocked_cycles = n;
	}
	judge(&s, 0, "");
	tear_down(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_flawless),
		cmocka_unit_test(test_spoilt),
		cmocka_unit_test(test_overlap),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
