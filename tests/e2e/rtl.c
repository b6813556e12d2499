// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The verilated cubes against formulas, golden vectors and the slow reference: usage
//   e2e_rtl [lccs=N] [lists=N] [seed=N] [dims=N]
// lccs: random linear-complement communications, each under the identity and the best map; lists: random message
// lists; dims: largest cube. Prints what fails, then "N passed, N failed".
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <flitloom/lcc.h>
#include <flitloom/regmap.h>

#include "../reference/reference.h"
#include "base/rng.h"
#include "rig.h"

#define DIMS_MAX 8

static struct {
	unsigned passed, failed;
	struct rig rigs[DIMS_MAX + 1]; // by dimension, opened when first needed
	unsigned dims;
	uint64_t seed;
} test;

static bool check(bool ok, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool check(bool ok, const char *format, ...)
{
	if (ok) {
		test.passed++;
		return true;
	}
	va_list args;
	va_start(args, format);
	printf("FAIL ");
	(void)vprintf(format, args);
	printf("\n");
	va_end(args);
	test.failed++;
	return false;
}

static struct rig *rig_for(unsigned n)
{
	char fabric[16];
	struct rig *rig = &test.rigs[n];
	if (rig->device)
		return rig;
	(void)snprintf(fabric, sizeof fabric, "cube:%u", n);
	if (!rig_open(rig, fabric, NULL)) {
		test.failed++;
		return NULL;
	}
	return rig;
}

static bool parse(struct run *run, const struct rig *rig, const char *spec, uint32_t flits, uint64_t seed)
{
	struct loom_err err = {0};
	struct loom_pattern_options options = {.flits = flits, .seed = seed};
	if (loom_pattern_parse(&run->pattern, spec, rig->topo.n_nodes, &options, &err) == 0)
		return true;
	return check(false, "%s on %s: %s", spec, rig->fabric, err.text);
}

static void check_verdict(const struct run *run, const char *what, uint64_t seed)
{
	check(run->verdict.n_mismatches == 0, "%s, %s on %s, seed %" PRIu64 ": %zu mismatches, first: %s", what,
	      run->pattern.name, run->plan.topo.name, seed, run->verdict.n_mismatches, run->verdict.mismatches[0]);
}

// The RTL's cycles and counts, message by message and channel by channel, are those of the slow reference.
static void check_reference(const struct run *run, enum loom_machine machine, const char *what, uint64_t seed)
{
	const struct loom_plan *plan = &run->plan;
	unsigned n = plan->topo.n_dims;
	size_t n_messages = 0, wrong = 0;
	struct ref_machine reference = {.n_dims = n,
	                                .n_slots = 2,
	                                .order = REF_ASCENDING,
	                                .timing = machine == LOOM_MACHINE_PAPER ? REF_PAPER : REF_FAST,
	                                .tie = REF_TIE_SOURCE};
	struct ref_message *messages = calloc(plan->n_messages + 1, sizeof *messages);
	struct ref_arrival *arrivals = calloc(plan->n_messages + 1, sizeof *arrivals);
	struct ref_channel *channels = calloc(ref_channel_count(n), sizeof *channels);
	size_t *index = calloc(plan->n_messages + 1, sizeof *index); // of message k of node u, at first[u] + k
	size_t *first = calloc(plan->topo.n_nodes + 1u, sizeof *first);
	if (!messages || !arrivals || !channels || !index || !first)
		abort();
	for (size_t i = 0; i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		if (m->source == m->destination)
			continue;
		messages[n_messages++] =
			(struct ref_message){plan->map[m->source], plan->map[m->destination], m->flits};
		first[plan->map[m->source] + 1]++;
	}
	for (uint32_t u = 0; u < plan->topo.n_nodes; u++)
		first[u + 1] += first[u];
	size_t *next = calloc(plan->topo.n_nodes, sizeof *next);
	for (size_t i = 0; i < n_messages; i++)
		index[first[messages[i].source] + next[messages[i].source]++] = i;
	int code = ref_machine_run(arrivals, channels, &reference, messages, n_messages);
	check(code == 0, "%s: the reference machine fails with %d", what, code);
	for (size_t i = 0; code == 0 && i < run->trace.n_arrivals; i++) {
		const struct loom_arrival *a = &run->trace.arrivals[i];
		const struct ref_arrival *r = &arrivals[index[first[a->source] + a->number]];
		wrong += a->first_cycle != r->first_cycle || a->last_cycle != r->done_cycle;
	}
	check(wrong == 0, "%s, %s on %s, seed %" PRIu64 ": %zu of %zu messages at other cycles than in the reference",
	      what, run->pattern.name, plan->topo.name, seed, wrong, n_messages);
	wrong = 0;
	for (uint32_t u = 0; code == 0 && u < plan->topo.n_nodes; u++) {
		for (unsigned k = 0; k < n + 2; k++) {
			const struct loom_count *c = &run->trace.counts[u * (n + 2) + k];
			const struct ref_channel *r = &channels[k < n    ? ref_channel_network(n, u, k)
			                                        : k == n ? ref_channel_ejection(n, u)
			                                                 : ref_channel_injection(n, u)];
			wrong += c->worms != r->n_worms || c->flits != r->n_flits || c->blocked_cycles != r->n_blocked;
		}
	}
	check(wrong == 0, "%s, %s on %s, seed %" PRIu64 ": %zu channels count otherwise than the reference", what,
	      run->pattern.name, plan->topo.name, seed, wrong);
	free(next);
	free(first);
	free(index);
	free(channels);
	free(arrivals);
	free(messages);
}

static json_t *golden(const char *name)
{
	char path[512];
	const char *folder = getenv("LOOM_GOLDEN");
	json_error_t error;
	(void)snprintf(path, sizeof path, "%s/%s", folder ? folder : "tests/golden", name);
	json_t *root = json_load_file(path, 0, &error);
	check(root != NULL, "%s: %s", path, error.text);
	return root;
}

static void read_lcc(struct loom_lcc *out, const json_t *c, enum loom_lcc_kind kind)
{
	*out = (struct loom_lcc){.kind = kind, .b = (uint64_t)json_integer_value(json_object_get(c, "b"))};
	out->a.n = (unsigned)json_integer_value(json_object_get(c, "n"));
	for (unsigned i = 0; i < out->a.n; i++)
		out->a.row[i] = (uint64_t)json_integer_value(json_array_get(json_object_get(c, "A"), i));
	if (kind == LOOM_LCC_GATHER && loom_gf2_rank(&out->a) == out->a.n)
		out->kind = LOOM_LCC_PERMUTATION;
}

static bool run_lcc(struct run *run, const struct loom_lcc *lcc, const char *map, uint32_t flits,
                    enum loom_machine machine)
{
	struct loom_err err = {0};
	struct rig *rig = rig_for(lcc->a.n);
	if (!rig)
		return false;
	if (loom_pattern_from_lccs(&run->pattern, "golden", lcc, 1, flits, &err) != 0)
		return check(false, "golden LCC: %s", err.text);
	return check(rig_run(rig, run, map, machine, test.seed), "golden LCC does not run");
}

// Theorem 1, gather and scatter: the largest count in every dimension.
static void theorem1(void)
{
	json_t *root = golden("000_theorem1.json"), *c;
	size_t i;
	json_array_foreach(json_object_get(root, "cases"), i, c) {
		for (int scatter = 0; scatter < 2; scatter++) {
			struct run run = {0};
			struct loom_lcc lcc;
			read_lcc(&lcc, c, scatter ? LOOM_LCC_SCATTER : LOOM_LCC_GATHER);
			if (lcc.a.n > test.dims)
				continue;
			if (run_lcc(&run, &lcc, "identity", 5, LOOM_MACHINE_FAST)) {
				const json_t *t = json_object_get(c, scatter ? "T_scatter" : "T_gather");
				check_verdict(&run, "theorem 1", i);
				for (unsigned d = 0; d < lcc.a.n; d++)
					check(run.verdict.measured[d].max == json_integer_value(json_array_get(t, d)),
					      "theorem 1 case %zu %s: dimension %u carries %u, golden "
					      "%" JSON_INTEGER_FORMAT,
					      i, scatter ? "scatter" : "gather", d, run.verdict.measured[d].max,
					      json_integer_value(json_array_get(t, d)));
			}
			run_free(&run);
		}
	}
	json_decref(root);
}

static void lcg_lcs(void)
{
	json_t *root = golden("000_lcg_lcs.json"), *c;
	size_t i;
	json_array_foreach(json_object_get(root, "cases"), i, c) {
		for (int k = 0; k < 4; k++) {
			struct run run = {0};
			struct loom_lcc lcc;
			bool scatter = k & 1, best = k & 2;
			read_lcc(&lcc, c, scatter ? LOOM_LCC_SCATTER : LOOM_LCC_GATHER);
			if (lcc.a.n > test.dims)
				continue;
			json_int_t expected = json_integer_value(json_object_get(c, best      ? "optimum"
			                                                            : scatter ? "scatter_T_identity"
			                                                                      : "gather_T_identity"));
			if (run_lcc(&run, &lcc, best ? "best" : "identity", 3, LOOM_MACHINE_PAPER)) {
				check_verdict(&run, "gather and scatter", i);
				check(run.verdict.measured_contention == expected,
				      "gather and scatter case %zu.%d: contention %u, golden %" JSON_INTEGER_FORMAT, i,
				      k, run.verdict.measured_contention, expected);
			}
			run_free(&run);
		}
	}
	json_decref(root);
}

// Message by message in paper timing. The golden machine has one-flit buffers; case 5 is where two-slot buffers show.
static void wormhole(void)
{
	json_t *root = golden("000_wormhole.json"), *c;
	size_t i;
	json_array_foreach(json_object_get(root, "cases"), i, c) {
		struct run run = {0};
		struct loom_err err = {0};
		unsigned n = (unsigned)json_integer_value(json_object_get(c, "n"));
		uint32_t flits = (uint32_t)json_integer_value(json_object_get(c, "flits"));
		const json_t *perm = json_object_get(c, "perm"),
			     *by_source = json_object_get(c, "done_cycle_by_source");
		bool ran = false;
		if (n > test.dims)
			continue;
		if (perm) {
			struct loom_message messages[1 << DIMS_MAX];
			struct rig *rig = rig_for(n);
			for (uint32_t x = 0; x < UINT32_C(1) << n; x++)
				messages[x] = (struct loom_message){
					x, (uint32_t)json_integer_value(json_array_get(perm, x)), flits, 0};
			ran = rig &&
			      loom_pattern_from_messages(&run.pattern, "golden", UINT32_C(1) << n, messages,
			                                 (size_t)1 << n, &err) == 0 &&
			      rig_run(rig, &run, "identity", LOOM_MACHINE_PAPER, test.seed);
		} else {
			struct loom_lcc lcc;
			read_lcc(&lcc, c, LOOM_LCC_GATHER);
			ran = run_lcc(&run, &lcc, "identity", flits, LOOM_MACHINE_PAPER);
		}
		if (ran) {
			uint64_t sum = 0, wrong = 0;
			for (size_t k = 0; k < run.trace.n_arrivals; k++) {
				const struct loom_arrival *a = &run.trace.arrivals[k];
				char key[16];
				(void)snprintf(key, sizeof key, "%u", a->source);
				sum += a->last_cycle;
				wrong += by_source &&
				         json_integer_value(json_object_get(by_source, key)) != a->last_cycle;
			}
			check_verdict(&run, "wormhole", i);
			check_reference(&run, LOOM_MACHINE_PAPER, "wormhole", i);
			check((json_int_t)run.verdict.measured_cycles ==
			              json_integer_value(json_object_get(c, "max_cycle")),
			      "wormhole case %zu: %" PRIu64 " cycles, golden %" JSON_INTEGER_FORMAT, i,
			      run.verdict.measured_cycles, json_integer_value(json_object_get(c, "max_cycle")));
			check(wrong == 0, "wormhole case %zu: %" PRIu64 " messages at other cycles", i, wrong);
			json_int_t expected = json_integer_value(json_object_get(c, "sum_cycles"));
			check((json_int_t)sum == expected - (i == 5 ? 5 : 0),
			      "wormhole case %zu: the cycles sum to %" PRIu64 ", golden %" JSON_INTEGER_FORMAT, i, sum,
			      expected);
		}
		run_free(&run);
	}
	json_decref(root);
}

// Table 1 of [Hou01], and what the reference machine gives for the fast one.
static void table1(void)
{
	static const struct {
		const char *pattern, *map;
		enum loom_machine machine;
		uint32_t flits;
		uint64_t cycles;
	} rows[] = {
		{"bit-reverse", "identity", LOOM_MACHINE_PAPER, 17, 149},
		{"bit-reverse", "identity", LOOM_MACHINE_PAPER, 65, 533},
		{"bit-reverse", "identity", LOOM_MACHINE_PAPER, 257, 2069},
		{"bit-reverse", "identity", LOOM_MACHINE_PAPER, 1025, 8213},
		{"bit-reverse", "best", LOOM_MACHINE_PAPER, 17, 26},
		{"bit-reverse", "best", LOOM_MACHINE_PAPER, 65, 74},
		{"bit-reverse", "best", LOOM_MACHINE_PAPER, 257, 266},
		{"bit-reverse", "best", LOOM_MACHINE_PAPER, 1025, 1034},
		{"bit-reverse", "identity", LOOM_MACHINE_FAST, 17, 142},
		{"bit-reverse", "identity", LOOM_MACHINE_FAST, 65, 526},
		{"bit-reverse", "identity", LOOM_MACHINE_FAST, 257, 2062},
		{"bit-reverse", "identity", LOOM_MACHINE_FAST, 1025, 8206},
		{"bit-reverse", "best", LOOM_MACHINE_FAST, 17, 26},
		{"bit-reverse", "best", LOOM_MACHINE_FAST, 65, 74},
		{"bit-reverse", "best", LOOM_MACHINE_FAST, 257, 266},
		{"bit-reverse", "best", LOOM_MACHINE_FAST, 1025, 1034},
		{"transpose", "identity", LOOM_MACHINE_PAPER, 17, 185},
		{"transpose", "identity", LOOM_MACHINE_PAPER, 65, 665},
		{"transpose", "identity", LOOM_MACHINE_FAST, 17, 176},
		{"transpose", "identity", LOOM_MACHINE_FAST, 65, 656},
		{"neighbor:3", "identity", LOOM_MACHINE_PAPER, 17, 19},
		{"neighbor:3", "identity", LOOM_MACHINE_FAST, 1025, 1027},
	};
	static const uint32_t transpose[] = {1, 2, 4, 8, 8, 4, 2, 1};
	for (size_t i = 0; test.dims >= 8 && i < sizeof rows / sizeof rows[0]; i++) {
		struct run run = {0};
		struct rig *rig = rig_for(8);
		if (rig && parse(&run, rig, rows[i].pattern, rows[i].flits, 1) &&
		    check(rig_run(rig, &run, rows[i].map, rows[i].machine, i), "table 1 row %zu does not run", i)) {
			check_verdict(&run, "table 1", i);
			check(run.verdict.measured_cycles == rows[i].cycles,
			      "%s %s, %u flits: %" PRIu64 " cycles instead of %" PRIu64, rows[i].pattern, rows[i].map,
			      rows[i].flits, run.verdict.measured_cycles, rows[i].cycles);
			for (unsigned d = 0; d < 8 && strcmp(rows[i].pattern, "transpose") == 0; d++)
				check(run.verdict.measured[d].max == transpose[d],
				      "transpose: dimension %u carries %u instead of %u", d,
				      run.verdict.measured[d].max, transpose[d]);
		}
		run_free(&run);
	}
}

static void random_lccs(unsigned count)
{
	struct loom_rng rng;
	loom_rng_init(&rng, test.seed);
	for (unsigned i = 0; i < count; i++) {
		unsigned n = 2 + (unsigned)loom_rng_below(&rng, test.dims - 1);
		unsigned rank = loom_rng_below(&rng, 2) ? n : (unsigned)loom_rng_below(&rng, n);
		bool scatter = loom_rng_below(&rng, 3) == 0;
		enum loom_machine machine = loom_rng_below(&rng, 2) ? LOOM_MACHINE_PAPER : LOOM_MACHINE_FAST;
		uint32_t flits = 1 + (uint32_t)loom_rng_below(&rng, 40);
		uint64_t seed = loom_rng_next(&rng) >> 1;
		struct rig *rig = rig_for(n);
		char spec[32];
		(void)snprintf(spec, sizeof spec, "random-%s:%u", scatter ? "lcs" : "lcc", rank);
		for (int best = 0; rig && best < 2; best++) {
			struct run run = {0};
			if (parse(&run, rig, spec, flits, seed) &&
			    check(rig_run(rig, &run, best ? "best" : "identity", machine, seed),
			          "%s seed %" PRIu64 " does not run", spec, seed)) {
				check_verdict(&run, best ? "random LCC, best map" : "random LCC, identity", seed);
				uint64_t optimum = loom_lcc_optimum(&run.pattern.lccs[0]);
				if (best)
					check(run.verdict.measured_contention == optimum,
					      "%s seed %" PRIu64 ": contention %u, optimum %" PRIu64, spec, seed,
					      run.verdict.measured_contention, optimum);
				if (n <= 6)
					check_reference(&run, machine, "random LCC", seed);
			}
			run_free(&run);
		}
	}
}

static void random_lists(unsigned count)
{
	struct loom_rng rng;
	loom_rng_init(&rng, test.seed ^ 0x6c69737473); // "lists"
	for (unsigned i = 0; i < count; i++) {
		unsigned n = 1 + (unsigned)loom_rng_below(&rng, test.dims);
		uint32_t nodes = UINT32_C(1) << n;
		size_t n_messages = 1 + loom_rng_below(&rng, n <= 5 ? 400 : 800);
		unsigned style = (unsigned)loom_rng_below(&rng, 3); // uniform, bursts to one node, bursts from one node
		uint32_t longest = loom_rng_below(&rng, 4) ? 24 : 300;
		enum loom_machine machine = loom_rng_below(&rng, 2) ? LOOM_MACHINE_PAPER : LOOM_MACHINE_FAST;
		uint32_t focus = (uint32_t)loom_rng_below(&rng, nodes);
		uint64_t seed = loom_rng_next(&rng);
		struct loom_err err = {0};
		struct run run = {0};
		struct rig *rig = rig_for(n);
		struct loom_message *messages = calloc(n_messages, sizeof *messages);
		if (!rig || !messages)
			abort();
		for (size_t k = 0; k < n_messages; k++) {
			messages[k].source =
				style == 2 && loom_rng_below(&rng, 2) ? focus : (uint32_t)loom_rng_below(&rng, nodes);
			messages[k].destination =
				style == 1 && loom_rng_below(&rng, 2) ? focus : (uint32_t)loom_rng_below(&rng, nodes);
			messages[k].flits = 1 + (uint32_t)loom_rng_below(&rng, longest);
		}
		if (check(loom_pattern_from_messages(&run.pattern, "random list", nodes, messages, n_messages, &err) ==
		                  0,
		          "%s", err.text) &&
		    check(rig_run(rig, &run, "identity", machine, seed),
		          "random list %u, seed %" PRIu64 " does not run", i, test.seed)) {
			check_verdict(&run, "random list", i);
			if (n <= 6)
				check_reference(&run, machine, "random list", i);
		}
		free(messages);
		run_free(&run);
	}
}

// Two passes with the data relayed in between: x to a random permutation under e-cube, then on under e^-1-cube.
static void relays(void)
{
	struct loom_rng rng;
	loom_rng_init(&rng, test.seed ^ 0x72656c6179); // "relay"
	for (unsigned n = 1; n <= test.dims && n <= 6; n++) {
		uint32_t nodes = UINT32_C(1) << n, g[1 << DIMS_MAX];
		struct run run = {0};
		struct loom_err err = {0};
		struct rig *rig = rig_for(n);
		if (!rig || !parse(&run, rig, "random-perm", 9, loom_rng_next(&rng)))
			continue;
		struct loom_plan *plan = &run.plan;
		struct loom_plan_options options = {.map = "identity", .planner = "direct"};
		check(loom_plan_make(plan, &rig->topo, &run.pattern, &options, &err) == 0, "relay: %s", err.text);
		for (uint32_t x = 0; x < nodes; x++)
			g[x] = x;
		for (uint32_t x = nodes - 1; x > 0; x--) {
			uint32_t y = (uint32_t)loom_rng_below(&rng, x + 1), t = g[x];
			g[x] = g[y];
			g[y] = t;
		}
		// From one pass to two: first x to g(x), kept there in slot 1 + x mod 3, then on to f(x).
		struct loom_plan_message *m = calloc(2 * (size_t)nodes, sizeof *m);
		uint32_t *pass_member = calloc(2, sizeof *pass_member);
		size_t count = 0;
		for (int pass = 0; pass < 2; pass++) {
			for (uint32_t x = 0; x < nodes; x++) {
				uint32_t f = plan->messages[x].destination;
				uint8_t slot = (uint8_t)(1 + x % 3);
				uint32_t self = (uint32_t)count;
				const uint8_t up = LOOM_RULE_ASCENDING, down = LOOM_RULE_DESCENDING;
				if (pass == 0 && g[x] != x)
					m[count++] = (struct loom_plan_message){0, x, g[x], 9, up, 0, slot, self};
				else if (pass == 1 && g[x] == x)
					m[count++] = (struct loom_plan_message){1, x, f, 9, down, 0, 0, self};
				else if (pass == 1) {
					uint32_t origin = 0;
					while (m[origin].source != x || m[origin].pass != 0)
						origin++;
					m[count++] = (struct loom_plan_message){1, g[x], f, 9, down, slot, 0, origin};
				}
			}
		}
		free(plan->messages);
		free(plan->member_of_pass);
		plan->messages = m;
		plan->n_messages = count;
		plan->member_of_pass = pass_member;
		plan->n_passes = 2;
		if (check(loom_plan_predict(plan, &err) == 0, "relay on cube:%u: %s", n, err.text) &&
		    check(rig_run_plan(rig, &run, LOOM_MACHINE_FAST, n), "relay on cube:%u does not run", n))
			check_verdict(&run, "relay", n);
		run_free(&run);
	}
}

static void sets(void)
{
	static const char *const names[] = {"fft", "example5"};
	for (size_t i = 0; i < 2 * sizeof names / sizeof names[0]; i++) {
		struct run run = {0};
		struct rig *rig = rig_for(4);
		if (rig && parse(&run, rig, names[i / 2], 7, 1) &&
		    check(rig_run(rig, &run, i % 2 ? "best" : "identity", LOOM_MACHINE_PAPER, i), "%s does not run",
		          names[i / 2]))
			check_verdict(&run, "set", i);
		run_free(&run);
	}
}

// Several passes from one start. The chip takes eight cycles before the first, and eleven from the last tail of a pass to
// the next pass, which begins seventeen after this one at the earliest.
static void back_to_back(void)
{
	static const struct {
		const char *spec, *planner, *map;
		uint32_t flits;
		unsigned n;
		enum loom_machine machine;
	} runs[] = {
		{"all-to-all", "exchange", NULL, 1, 3, LOOM_MACHINE_FAST},
		{"all-to-all", "exchange", NULL, 20, 3, LOOM_MACHINE_PAPER},
		{"all-to-all", "exchange", NULL, 2, 4, LOOM_MACHINE_FAST},
		{"all-to-all", "exchange", NULL, 5, 5, LOOM_MACHINE_PAPER},
		{"all-to-all", "exchange", NULL, 3, 6, LOOM_MACHINE_FAST},
		{"random-perm", "two_pass", NULL, 9, 4, LOOM_MACHINE_FAST},
		{"random-perm", "two_pass", NULL, 9, 5, LOOM_MACHINE_PAPER},
		{"fft", NULL, "best", 6, 4, LOOM_MACHINE_FAST},
		{"example5", NULL, "identity", 6, 4, LOOM_MACHINE_PAPER},
	};
	for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
		struct run run = {0};
		struct loom_err err = {0};
		struct rig *rig = runs[i].n <= test.dims ? rig_for(runs[i].n) : NULL;
		const struct loom_plan_options options = {.map = runs[i].map, .planner = runs[i].planner};
		if (!rig || !parse(&run, rig, runs[i].spec, runs[i].flits, test.seed))
			continue;
		if (check(loom_plan_make(&run.plan, &rig->topo, &run.pattern, &options, &err) == 0, "%s", err.text) &&
		    check(rig_run_plan(rig, &run, runs[i].machine, i), "%s does not run", runs[i].spec)) {
			const struct loom_plan *plan = &run.plan;
			uint64_t measured = run.verdict.measured_back_to_back_cycles, expected = 8;
			uint32_t last_pass = plan->n_passes - 1;
			for (uint32_t pass = 0; pass < plan->n_passes; pass++) {
				uint64_t last = 0;
				for (size_t k = 0; k < run.trace.n_arrivals; k++)
					if (run.trace.arrivals[k].pass == pass &&
					    run.trace.arrivals[k].last_cycle > last)
						last = run.trace.arrivals[k].last_cycle;
				expected += pass == last_pass ? last : last > 6 ? last + 11 : 17;
			}
			check_verdict(&run, "back to back", i);
			check(plan->n_passes > 1 && measured == expected,
			      "%s back to back on %s: %u passes, %" PRIu64 " cycles, not %" PRIu64, runs[i].spec,
			      rig->fabric, plan->n_passes, measured, expected);
			check(loom_plan_cycles(plan) == LOOM_CYCLES_UNKNOWN
			              ? run.verdict.predicted_back_to_back_cycles == LOOM_CYCLES_UNKNOWN
			              : run.verdict.predicted_back_to_back_cycles == expected,
			      "%s back to back on %s: %" PRIu64 " predicted", runs[i].spec, rig->fabric,
			      run.verdict.predicted_back_to_back_cycles);
		}
		run_free(&run);
	}
}

static uint64_t big_endian(const uint8_t bytes[8])
{
	uint64_t value = 0;
	for (unsigned i = 0; i < 8; i++)
		value = value << 8 | bytes[i];
	return value;
}

// A waveform has, by its header, the signals of the chip and all cycles of the run.
static void waveform(void)
{
	char path[] = "/tmp/e2e_rtl_XXXXXX";
	uint8_t head[73] = {0};
	struct rig rig = {0};
	struct run run = {0};
	int fd = mkstemp(path);
	if (!check(fd >= 0, "no file for a waveform"))
		return;
	if (check(rig_open(&rig, "cube:1", path), "cube:1 with a waveform does not open") &&
	    parse(&run, &rig, "complement", 20, 1) &&
	    check(rig_run(&rig, &run, "identity", LOOM_MACHINE_FAST, 1), "complement with a waveform does not run"))
		check_verdict(&run, "waveform", 0);
	rig_close(&rig);
	close(fd);
	fd = open(path, O_RDONLY); // what was written is another file of that name
	check(fd >= 0 && read(fd, head, sizeof head) == sizeof head && head[0] == 0 && big_endian(head + 1) == 329,
	      "the waveform has no FST header");
	check(big_endian(head + 17) >= 20, "the waveform ends at %" PRIu64, big_endian(head + 17));
	check(big_endian(head + 57) > 100, "the waveform has %" PRIu64 " signals", big_endian(head + 57));
	check(big_endian(head + 65) > 0, "the waveform has no changes of value");
	close(fd);
	unlink(path);
	run_free(&run);
}

static uint32_t seed_of(struct loom_link *link)
{
	uint32_t word = 0;
	const struct loom_transfer read = {.address = LOOM_REG_SEED, .n_words = 1, .read = &word};
	struct loom_err err = {0};
	check(link->kind->transfer(link, &read, 1, 1000, &err) == 0, "the seed cannot be read: %s", err.text);
	return word;
}

// Each writes its number into its chip and runs it for a while.
static void *use_link(void *user)
{
	struct loom_link *link = user;
	struct loom_err err = {0};
	uint32_t word = (uint32_t)(uintptr_t)link;
	const struct loom_transfer write = {.address = LOOM_REG_SEED, .n_words = 1, .write = &word};
	for (int i = 0; i < 200; i++)
		if (link->kind->transfer(link, &write, 1, 1000, &err) || link->kind->run(link, 50, &err) ||
		    seed_of(link) != word)
			return link;
	return NULL;
}

// Simulations of one fabric in one program, each a chip of its own, also in threads other than that which opened them.
static void many_links(void)
{
	enum { N = 3 };
	struct loom_link links[N];
	pthread_t threads[N];
	const struct loom_link_options options = {.fabric = "cube:1"};
	struct loom_err err = {0};
	for (uint32_t i = 0; i < N; i++) {
		const struct loom_transfer write = {
			.address = LOOM_REG_SEED, .n_words = 1, .write = &(uint32_t){i + 1}};
		if (!check(loom_link_open(&links[i], "sim", &options, &err) == 0, "link %u: %s", i, err.text))
			return;
		check(links[i].kind->transfer(&links[i], &write, 1, 1000, &err) == 0, "link %u: %s", i, err.text);
	}
	for (uint32_t i = 0; i < N; i++)
		check(seed_of(&links[i]) == i + 1, "link %u has the seed %u", i, seed_of(&links[i]));
	for (uint32_t i = 0; i < N; i++)
		check(pthread_create(&threads[i], NULL, use_link, &links[i]) == 0, "no thread");
	for (uint32_t i = 0; i < N; i++) {
		void *failed = NULL;
		pthread_join(threads[i], &failed);
		check(!failed, "link %u in a thread of its own reads another's seed", i);
	}
	loom_link_close(&links[0]);
	check(seed_of(&links[1]) == (uint32_t)(uintptr_t)&links[1], "closing a link has changed another");
	for (uint32_t i = 1; i < N; i++)
		loom_link_close(&links[i]);
	check(loom_link_open(&links[0], "sim", &options, &err) == 0 && seed_of(&links[0]) == 0,
	      "a link opened anew has the state of an earlier one");
	loom_link_close(&links[0]);
}

static unsigned long number(const char *text, const char *name, unsigned long otherwise)
{
	size_t length = strlen(name);
	return strncmp(text, name, length) == 0 && text[length] == '=' ? strtoul(text + length + 1, NULL, 0)
	                                                               : otherwise;
}

int main(int argc, char **argv)
{
	unsigned long lccs = 60, lists = 60;
	time_t start = time(NULL);
	(void)setvbuf(stdout, NULL, _IOLBF, 0);
	test.seed = 1;
	test.dims = 8;
	for (int i = 1; i < argc; i++) {
		lccs = number(argv[i], "lccs", lccs);
		lists = number(argv[i], "lists", lists);
		test.seed = number(argv[i], "seed", test.seed);
		test.dims = (unsigned)number(argv[i], "dims", test.dims);
	}
	if (test.dims < 4 || test.dims > DIMS_MAX)
		return fprintf(stderr, "e2e_rtl: dims is 4 to %d\n", DIMS_MAX), 2;
	static const char *const names[] = {"table 1", "theorem 1",    "gather and scatter", "wormhole",  "relays",
	                                    "sets",    "back to back", "waveform",           "many links"};
	void (*const parts[])(void) = {table1, theorem1,     lcg_lcs,  wormhole,  relays,
	                               sets,   back_to_back, waveform, many_links};
	for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
		parts[i]();
		fprintf(stderr, "e2e_rtl: %s done, %u checks passed, %u failed, %ld s\n", names[i], test.passed,
		        test.failed, (long)(time(NULL) - start));
	}
	random_lccs((unsigned)lccs);
	random_lists((unsigned)lists);
	for (unsigned n = 0; n <= DIMS_MAX; n++)
		rig_close(&test.rigs[n]);
	printf("e2e_rtl: seed %" PRIu64
	       ", %lu random LCCs under two maps, %lu random message lists, up to cube:%u, %ld s\n",
	       test.seed, lccs, lists, test.dims, (long)(time(NULL) - start));
	printf("%u passed, %u failed\n", test.passed, test.failed);
	return test.failed ? 1 : 0;
}
