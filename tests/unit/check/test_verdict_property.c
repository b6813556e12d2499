// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// No false PASS: of any plan, also where messages meet, a trace with the cycles of the slow reference machine has no differences,
// in both timings; and whatever single thing is changed in it, there are some, and one of them names what was changed.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/verdict.h>

#include "base/rng.h"
#include "unit/help/random_plans.h"

enum { SEEDS = 12, CHANNELS_SPOILT = 6 };

struct scene {
	bool thorough; // tries three other values of each cycle, otherwise one of them
	struct loom_plan plan;
	struct plan_reference reference;
	struct loom_trace trace;
	struct loom_rng rng;
	uint64_t seed;
};

#define equal(a, b)                                                                                                    \
	do {                                                                                                           \
		unsigned long long x = (a), y = (b);                                                                   \
		if (x != y)                                                                                            \
			fail_msg("%s, seed %llu: %s is %llu, not %llu", s->plan.topo.name,                             \
			         (unsigned long long)s->seed, #a, x, y);                                               \
	} while (0)

// A formula for the groups whose used channels all carry as many, none for the others.
static void add_theory(struct loom_plan *plan)
{
	struct ref_play p;
	play_of(&p, plan);
	plan->n_theory = (size_t)p.n_passes * p.n_groups;
	plan->theory = malloc(plan->n_theory * sizeof *plan->theory);
	assert_non_null(plan->theory);
	memset(plan->theory, 0xff, plan->n_theory * sizeof *plan->theory);
	for (uint32_t pass = 0; pass < p.n_passes; pass++)
		for (unsigned g = 0; g < p.n_groups; g++) {
			uint32_t least = UINT32_MAX, most = 0;
			for (uint32_t c = 0; c < p.n_channels; c++) {
				uint32_t load = p.group_of_channel[c] == g ? ref_play_load(&p, pass, c) : 0;
				least = load && load < least ? load : least;
				most = load > most ? load : most;
			}
			if (least == most)
				plan->theory[(size_t)pass * p.n_groups + g] = most;
		}
	play_free(&p);
}

static void play(struct scene *s, enum loom_machine machine)
{
	assert_int_equal(plan_reference_make(&s->reference, &s->plan, machine), 0);
	flawless_trace_of(&s->trace, &s->reference, machine);
}

static void set_up(struct scene *s, enum random_plan_kind kind, uint64_t seed)
{
	s->seed = seed;
	loom_rng_init(&s->rng, seed);
	random_plan(&s->plan, kind, seed);
	if (seed % 2)
		add_theory(&s->plan);
	// Free runs are for machine fast alone.
	play(s, kind != RANDOM_FREE && seed / 2 % 2 ? LOOM_MACHINE_PAPER : LOOM_MACHINE_FAST);
}

static void tear_down(struct scene *s)
{
	loom_trace_free(&s->trace);
	plan_reference_free(&s->reference);
	loom_plan_free(&s->plan);
}

static void judge(struct scene *s, struct loom_verdict *out)
{
	struct loom_err err = {0};
	memset(out, 0xa5, sizeof *out);
	if (loom_verdict_make(out, &s->plan, &s->trace, &err) != 0)
		fail_msg("seed %llu: %s", (unsigned long long)s->seed, err.text);
}

// --- Nothing is wrong ----------------------------------------------------------------------------------------------

static void check_groups(struct scene *s, const struct loom_verdict *v, const struct ref_play *p)
{
	equal(v->n_groups, p->n_groups);
	for (unsigned g = 0; g < p->n_groups; g++) {
		uint64_t sum = 0, most = 0;
		for (uint32_t pass = 0; pass < p->n_passes; pass++)
			for (uint32_t c = 0; c < p->n_channels; c++) {
				uint64_t load = p->group_of_channel[c] == g ? ref_play_load(p, pass, c) : 0;
				sum += load;
				most = load > most ? load : most;
			}
		char name[16];
		loom_topo_group_name(&s->plan.topo, g, name);
		assert_string_equal(v->predicted[g].name, name);
		assert_string_equal(v->measured[g].name, name);
		equal(v->predicted[g].sum, sum);
		equal(v->measured[g].sum, sum);
		equal(v->predicted[g].max, most);
		equal(v->measured[g].max, most);
	}
}

static void check_flawless(struct scene *s)
{
	struct loom_verdict v;
	struct ref_play p;
	judge(s, &v);
	if (v.n_mismatches)
		fail_msg("%s, seed %llu: %s", s->plan.topo.name, (unsigned long long)s->seed, v.mismatches[0]);
	play_of(&p, &s->plan);
	check_groups(s, &v, &p);
	uint64_t flits = 0;
	for (size_t i = 0; i < p.n_worms; i++)
		flits += p.worm[i].flits;
	equal(v.messages, p.n_worms);
	equal(v.delivered_messages, p.n_worms);
	equal(v.flits, flits);
	equal(v.delivered_flits, flits);
	equal(v.corrupt_flits, 0);
	equal(v.blocked_cycles, s->reference.blocked);
	equal(v.predicted_blocked_cycles, s->reference.blocked);
	equal(v.measured_cycles, s->reference.cycles);
	equal(v.predicted_cycles, s->reference.cycles);
	for (uint32_t pass = 0; pass < v.n_steps; pass++) {
		equal(v.measured_steps[pass].cycles, s->reference.last[pass]);
		equal(v.predicted_steps[pass].cycles, s->reference.last[pass]);
	}
	equal(v.predicted_contention, ref_play_contention(&p));
	equal(v.measured_contention, ref_play_contention(&p));
	v.n_mismatches = 1;
	loom_verdict_free(&v);
	equal(v.n_mismatches + v.n_groups + (v.predicted || v.measured), 0);
	play_free(&p);
}

static bool look_alike(const struct loom_arrival *a, const struct loom_arrival *b)
{
	return a->source == b->source && a->number == b->number && a->pass == b->pass &&
	       a->destination == b->destination;
}

// Shuffles the arrivals, because nodes' logs may be read in any order; but two arrivals that look alike keep theirs.
static void shuffle(struct scene *s)
{
	for (size_t i = 0; i < s->trace.n_arrivals; i++) {
		size_t other = (size_t)loom_rng_below(&s->rng, i + 1);
		struct loom_arrival swapped = s->trace.arrivals[i];
		s->trace.arrivals[i] = s->trace.arrivals[other];
		s->trace.arrivals[other] = swapped;
	}
	for (size_t i = 0; i < s->trace.n_arrivals; i++)
		for (size_t k = 0; k < i; k++) {
			struct loom_arrival *a = &s->trace.arrivals[k], *b = &s->trace.arrivals[i], swapped = *a;
			if (!look_alike(a, b) || a->first_cycle < b->first_cycle)
				continue;
			*a = *b;
			*b = swapped;
		}
}

// --- One thing is wrong --------------------------------------------------------------------------------------------

// Checks that there are differences, and that one of those kept has the text `what`.
static void noticed(struct scene *s, const char *field, const char *what)
{
	struct loom_verdict v;
	judge(s, &v);
	size_t kept = v.n_mismatches < LOOM_MISMATCHES_KEPT ? v.n_mismatches : LOOM_MISMATCHES_KEPT;
	bool found = false;
	for (size_t i = 0; i < kept; i++)
		found = found || strstr(v.mismatches[i], what);
	if (!found)
		fail_msg("%s, seed %llu: %s changed, and no \"%s\" in %zu differences, such as \"%s\"",
		         s->plan.topo.name, (unsigned long long)s->seed, field, what, v.n_mismatches,
		         kept ? v.mismatches[0] : "");
	loom_verdict_free(&v);
}

// Returns one of three other values of a number: the two neighbours, and a random one.
static uint32_t other_value(struct scene *s, uint32_t value, unsigned which)
{
	uint32_t any = (uint32_t)loom_rng_next(&s->rng);
	return which == 0 ? value + 1 : which == 1 ? value - 1 : any == value ? ~any : any;
}

static unsigned first_value(struct scene *s)
{
	return s->thorough ? 0 : (unsigned)loom_rng_below(&s->rng, 3);
}

// Finds the message of an arrival: among several that look alike, the one that the reference has in that cycle.
static size_t message_of(const struct scene *s, const struct loom_arrival *a)
{
	const struct loom_plan *plan = &s->plan;
	size_t i = 0;
	for (; i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		size_t root = loom_plan_root(plan, i);
		if (loom_plan_uses_network(plan, m) && m->pass == a->pass && plan->map[m->destination] == a->node &&
		    plan->map[plan->messages[root].source] == a->source && s->reference.number[root] == a->number &&
		    s->reference.header[i] == a->first_cycle)
			break;
	}
	assert_true(i < plan->n_messages);
	return i;
}

enum { NAME = 64 };

// Writes the message's name; without its index where one that looks alike may be meant.
static void name_of(char whole[NAME], char loose[NAME], const struct scene *s, const struct loom_arrival *a)
{
	const size_t i = message_of(s, a);
	const struct loom_plan_message *m = &s->plan.messages[i];
	(void)snprintf(whole, NAME, "message %zu (%u to %u, pass %u)", i, m->source, m->destination, m->pass);
	(void)strcpy(loose, whole);
	if (m->from_slot)
		(void)snprintf(loose, NAME, " to %u, pass %u)", m->destination, m->pass);
}

static void spoil_number(struct scene *s, uint32_t *value, const char *field, const char *what)
{
	const uint32_t good = *value;
	for (unsigned which = 0; which < 3; which++) {
		*value = other_value(s, good, which);
		noticed(s, field, what);
	}
	*value = good;
}

static void spoil_cycle(struct scene *s, uint32_t *cycle, const char *before, const char *name, const char *after)
{
	const uint32_t good = *cycle;
	for (unsigned which = first_value(s); which < 3; which += s->thorough ? 1 : 3) {
		char what[220];
		*cycle = other_value(s, good, which);
		(void)snprintf(what, sizeof what, "%s%s %s %u instead of %u", before, name, after, *cycle, good);
		noticed(s, after, what);
	}
	*cycle = good;
}

static void spoil_arrival(struct scene *s, size_t i)
{
	struct loom_arrival *a = &s->trace.arrivals[i];
	const struct loom_arrival good = *a;
	char whole[NAME], what[NAME];
	name_of(whole, what, s, a);
	spoil_cycle(s, &a->first_cycle, "the header of ", whole, "arrived in cycle");
	spoil_cycle(s, &a->last_cycle, "", whole, "was complete in cycle");
	if (!s->thorough)
		return;
	spoil_number(s, &a->node, "node", what);
	spoil_number(s, &a->source, "source", what);
	spoil_number(s, &a->number, "number", what);
	spoil_number(s, &a->destination, "destination", what);
	spoil_number(s, &a->pass, "pass", what);
	spoil_number(s, &a->flits, "flits", what);
	spoil_number(s, &a->signature, "signature", what);
	spoil_number(s, &a->rule, "rule", what);
	spoil_number(s, &a->keep_slot, "keep_slot", what);
	spoil_number(s, &a->via, "via", what);
	if (s->plan.free_running)
		spoil_number(s, &a->logged_pass, "logged_pass", what);
	a->intact = false;
	noticed(s, "intact", what);
	*a = good;

	// A message is lost; then another arrives instead, so that the number is right.
	struct loom_arrival *last = &s->trace.arrivals[--s->trace.n_arrivals], kept = *last;
	*a = *last;
	*last = good;
	noticed(s, "lost", what);
	*a = good;
	*last = kept;
	s->trace.n_arrivals++;
	if (s->trace.n_arrivals > 1) {
		*a = s->trace.arrivals[(i + 1) % s->trace.n_arrivals];
		noticed(s, "replaced", what);
		*a = good;
	}
	// A message arrives twice; the array has room for one more.
	s->trace.arrivals[s->trace.n_arrivals++] = good;
	noticed(s, "twice", what);
	s->trace.n_arrivals--;
}

// Returns the cycles in which headers wait for a channel, in a free run over all passes.
static uint64_t all_waited(const struct scene *s, uint32_t pass, uint32_t c)
{
	uint64_t sum = 0;
	if (!s->plan.free_running)
		return s->trace.counts[(size_t)pass * s->trace.n_channels + c].blocked_cycles;
	for (uint32_t p = 0; p < s->trace.n_passes; p++)
		sum += s->trace.counts[(size_t)p * s->trace.n_channels + c].blocked_cycles;
	return sum;
}

static void spoil_blocked(struct scene *s, uint32_t pass, uint32_t c, const char *name)
{
	uint32_t *value = &s->trace.counts[(size_t)pass * s->trace.n_channels + c].blocked_cycles;
	const uint32_t good = *value;
	const unsigned long long due = all_waited(s, pass, c);
	for (unsigned which = first_value(s); which < 3; which += s->thorough ? 1 : 3) {
		char what[160], in_pass[32] = "";
		*value = other_value(s, good, which);
		if (!s->plan.free_running)
			(void)snprintf(in_pass, sizeof in_pass, " in pass %u", pass);
		(void)snprintf(what, sizeof what, "headers waited %llu cycles for channel %s%s instead of %llu",
		               (unsigned long long)all_waited(s, pass, c), name, in_pass, due);
		noticed(s, "blocked_cycles", what);
	}
	*value = good;
}

static void spoil_channel(struct scene *s, uint32_t pass, uint32_t c)
{
	const struct loom_topo *t = &s->plan.topo;
	size_t at = (size_t)pass * s->trace.n_channels + c;
	struct loom_count *count = &s->trace.counts[at];
	char name[48], what[96];
	loom_topo_channel_name(t, c, name);
	(void)snprintf(what, sizeof what, "channel %s carried", name);
	spoil_number(s, &count->worms, "worms", what);
	spoil_number(s, &count->flits, "flits", what);
	spoil_blocked(s, pass, c, name);
	uint32_t *theory =
		s->plan.n_theory ? &s->plan.theory[pass * loom_topo_groups(t) + loom_topo_group_of(t, c)] : NULL;
	(void)snprintf(what, sizeof what, "messages in pass %u; the theorem says", pass);
	if (theory && count->worms && *theory != UINT32_MAX) {
		const uint32_t good = *theory;
		*theory = good + 1;
		noticed(s, "theory", what);
		*theory = good - 1;
		noticed(s, "theory", what);
		*theory = good;
	}
}

// Goes through all channels for which headers do wait.
static void spoil_all_blocked(struct scene *s)
{
	for (uint32_t pass = 0; pass < s->trace.n_passes; pass++)
		for (uint32_t c = 0; c < s->trace.n_channels; c++) {
			char name[48];
			loom_topo_channel_name(&s->plan.topo, c, name);
			if (s->trace.counts[(size_t)pass * s->trace.n_channels + c].blocked_cycles > 0)
				spoil_blocked(s, pass, c, name);
		}
}

static void spoil_nodes(struct scene *s)
{
	for (uint32_t k = 0; k < 3; k++) {
		const uint32_t node = (uint32_t)loom_rng_below(&s->rng, s->trace.n_nodes);
		char what[64];
		(void)snprintf(what, sizeof what, "node %u sent", node);
		spoil_number(s, &s->trace.sent[node], "sent", what);
		(void)snprintf(what, sizeof what, "channel eject %u delivered", node);
		spoil_number(s, &s->trace.corrupt[node], "corrupt", what);
	}
}

// Changes the cycle in which a message could be sent, where a node sends several in a pass.
static void spoil_releases(struct scene *s)
{
	const struct loom_plan *plan = &s->plan;
	for (size_t i = 0; s->trace.released && i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		const uint32_t node = plan->map[m->source], number = s->reference.number[i];
		char name[140];
		if (s->reference.offer[i] == 0)
			continue;
		(void)snprintf(name, sizeof name, "entry %u of node %u, message %zu (%u to %u, pass %u),", number, node,
		               i, m->source, m->destination, m->pass);
		spoil_cycle(s, &s->trace.released[s->trace.first_entry[node] + number], "", name, "began in cycle");
	}
}

static void check_kind(enum random_plan_kind kind)
{
	for (uint64_t seed = 1001; seed <= 1000 + SEEDS; seed++) {
		struct scene s;
		set_up(&s, kind, seed);
		check_flawless(&s);
		shuffle(&s);
		check_flawless(&s);
		for (size_t i = 0; i < s.trace.n_arrivals; i++) {
			s.thorough = loom_rng_below(&s.rng, 12) == 0;
			spoil_arrival(&s, i);
		}
		s.thorough = true;
		for (unsigned i = 0; i < CHANNELS_SPOILT; i++)
			spoil_channel(&s, (uint32_t)loom_rng_below(&s.rng, s.trace.n_passes),
			              (uint32_t)loom_rng_below(&s.rng, s.trace.n_channels));
		s.thorough = false;
		spoil_all_blocked(&s);
		spoil_nodes(&s);
		spoil_releases(&s);
		check_flawless(&s); // all was put back
		tear_down(&s);
	}
}

static void test_barrier(void **state)
{
	(void)state;
	check_kind(RANDOM_BARRIER);
}

static void test_relayed(void **state)
{
	(void)state;
	check_kind(RANDOM_RELAYED);
}

static void test_free_run(void **state)
{
	(void)state;
	check_kind(RANDOM_FREE);
}

// A plan with one message, from processor 0 to itself: every field has its least value.
static void test_least(void **state)
{
	(void)state;
	const struct loom_message message = {.flits = 1};
	struct loom_pattern pattern;
	struct scene s = {0};
	loom_rng_init(&s.rng, 1);
	assert_int_equal(loom_topo_parse(&s.plan.topo, "omega:4", NULL), 0);
	const struct loom_topo topo = s.plan.topo;
	assert_int_equal(loom_pattern_from_messages(&pattern, "one", 4, &message, 1, NULL), 0);
	assert_int_equal(loom_plan_make(&s.plan, &topo, &pattern, NULL, NULL), 0);
	loom_pattern_free(&pattern);
	for (int paper = 0; paper < 2; paper++) {
		play(&s, paper ? LOOM_MACHINE_PAPER : LOOM_MACHINE_FAST);
		check_flawless(&s);
		s.thorough = true;
		spoil_arrival(&s, 0);
		loom_trace_free(&s.trace);
		plan_reference_free(&s.reference);
	}
	loom_plan_free(&s.plan);
}

// --- A trace of something else -------------------------------------------------------------------------------------

static void refused(struct scene *s)
{
	struct loom_verdict v, before;
	struct loom_err err = {0};
	char what[160];
	const struct loom_trace *t = &s->trace;
	(void)snprintf(what, sizeof what, "the trace has %u nodes, %u channels, %u passes; the plan %u, %u, %u",
	               t->n_nodes, t->n_channels, t->n_passes, s->plan.topo.n_nodes, loom_topo_channels(&s->plan.topo),
	               s->plan.n_passes);
	memset(&before, 0xa5, sizeof before);
	memcpy(&v, &before, sizeof v);
	assert_int_equal(loom_verdict_make(&v, &s->plan, t, &err), LOOM_EINTERNAL);
	assert_int_equal(err.code, LOOM_EINTERNAL);
	assert_string_equal(err.text, what);
	assert_memory_equal(&v, &before, sizeof v);
}

static void test_shape(void **state)
{
	(void)state;
	struct scene s;
	set_up(&s, RANDOM_BARRIER, 1);
	uint32_t *const shape[] = {&s.trace.n_nodes, &s.trace.n_channels, &s.trace.n_passes};
	for (size_t i = 0; i < 3; i++)
		for (int by = -1; by <= 1; by += 2) {
			*shape[i] += (uint32_t)by;
			refused(&s);
			*shape[i] -= (uint32_t)by;
		}
	check_flawless(&s);
	tear_down(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_barrier), cmocka_unit_test(test_relayed), cmocka_unit_test(test_free_run),
		cmocka_unit_test(test_least),   cmocka_unit_test(test_shape),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
