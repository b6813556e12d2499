// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Compares cubes with [Hou01]: its Table 1, and its vectors in tests/golden.
#include <jansson.h>

#include <flitloom/math/lcc.h>

#include "e2e.h"

// The vectors' cycles are for links and routers without delay.
static bool is_plain_cube(const struct loom_topo *topo)
{
	return is_cube(topo) && topo->link_delay == 0 && topo->router_delay == 0;
}

static bool is_table_1(const struct loom_topo *topo)
{
	return is_plain_cube(topo) && topo->n_dims == 8;
}

// Runs Table 1 of [Hou01], whose cycles are those of machine paper; for machine fast the reference machine gave the
// cycles.
static void test_tables(struct e2e *t, struct rig *rig, struct loom_rng *rng)
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
	(void)rng;
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct run run = {0};
		if (parse(t, &run, rig, rows[i].pattern, rows[i].flits, 1) &&
		    check(t, rig_run(rig, &run, rows[i].map, rows[i].machine, i), "table 1 row %zu does not run", i)) {
			check_verdict(t, &run, "table 1", i);
			check(t, run.verdict.measured_cycles == rows[i].cycles,
			      "%s %s, %u flits: %" PRIu64 " cycles instead of %" PRIu64, rows[i].pattern, rows[i].map,
			      rows[i].flits, run.verdict.measured_cycles, rows[i].cycles);
			for (unsigned d = 0; d < 8 && strcmp(rows[i].pattern, "transpose") == 0; d++)
				check(t, run.verdict.measured[d].max == transpose[d],
				      "transpose: dimension %u carries %u instead of %u", d,
				      run.verdict.measured[d].max, transpose[d]);
		}
		run_free(&run);
	}
}

static json_t *golden(struct e2e *t, const char *name)
{
	char path[512];
	const char *folder = getenv("LOOM_GOLDEN");
	json_error_t error;
	(void)snprintf(path, sizeof path, "%s/%s", folder ? folder : "tests/golden", name);
	json_t *root = json_load_file(path, 0, &error);
	check(t, root != NULL, "%s: %s", path, error.text);
	return root;
}

static json_int_t integer(const json_t *c, const char *name)
{
	return json_integer_value(json_object_get(c, name));
}

static void read_lcc(struct loom_lcc *out, const json_t *c, enum loom_lcc_kind kind)
{
	*out = (struct loom_lcc){.kind = kind, .b = (uint64_t)integer(c, "b")};
	out->a.n = (unsigned)integer(c, "n");
	for (unsigned i = 0; i < out->a.n; i++)
		out->a.row[i] = (uint64_t)json_integer_value(json_array_get(json_object_get(c, "A"), i));
	if (kind == LOOM_LCC_GATHER && loom_gf2_rank(&out->a) == out->a.n)
		out->kind = LOOM_LCC_PERMUTATION;
}

static bool run_lcc(struct e2e *t, struct rig *rig, struct run *run, const struct loom_lcc *lcc, const char *map,
                    uint32_t flits, enum loom_machine machine)
{
	struct loom_err err = {0};
	return check(t, loom_pattern_from_lccs(&run->pattern, "golden", lcc, 1, flits, &err) == 0, "golden LCC: %s",
	             err.text) &&
	       check(t, rig_run(rig, run, map, machine, t->seed), "golden LCC does not run");
}

// Checks Theorem 1: the largest count in every dimension.
static void theorem_1(struct e2e *t, struct rig *rig, const json_t *c, size_t i, bool scatter)
{
	struct run run = {0};
	struct loom_lcc lcc;
	const json_t *golden_counts = json_object_get(c, scatter ? "T_scatter" : "T_gather");
	read_lcc(&lcc, c, scatter ? LOOM_LCC_SCATTER : LOOM_LCC_GATHER);
	if (run_lcc(t, rig, &run, &lcc, "identity", 5, LOOM_MACHINE_FAST)) {
		check_verdict(t, &run, "theorem 1", i);
		for (unsigned d = 0; d < lcc.a.n; d++)
			check(t, run.verdict.measured[d].max == json_integer_value(json_array_get(golden_counts, d)),
			      "theorem 1 case %zu %s: dimension %u carries %u, golden %" JSON_INTEGER_FORMAT, i,
			      scatter ? "scatter" : "gather", d, run.verdict.measured[d].max,
			      json_integer_value(json_array_get(golden_counts, d)));
	}
	run_free(&run);
}

static void gather_and_scatter(struct e2e *t, struct rig *rig, const json_t *c, size_t i, bool scatter, bool best)
{
	struct run run = {0};
	struct loom_lcc lcc;
	json_int_t expected = integer(c, best ? "optimum" : scatter ? "scatter_T_identity" : "gather_T_identity");
	read_lcc(&lcc, c, scatter ? LOOM_LCC_SCATTER : LOOM_LCC_GATHER);
	if (run_lcc(t, rig, &run, &lcc, best ? "best" : "identity", 3, LOOM_MACHINE_PAPER)) {
		check_verdict(t, &run, "gather and scatter", i);
		check(t, run.verdict.measured_contention == expected,
		      "gather and scatter case %zu, %s, %s: contention %u, golden %" JSON_INTEGER_FORMAT, i,
		      scatter ? "scatter" : "gather", best ? "best" : "identity", run.verdict.measured_contention,
		      expected);
	}
	run_free(&run);
}

static void test_lccs(struct e2e *t, struct rig *rig, struct loom_rng *rng)
{
	json_t *theorem = golden(t, "000_theorem1.json"), *gathers = golden(t, "000_lcg_lcs.json"), *c;
	size_t i;
	(void)rng;
	json_array_foreach(json_object_get(theorem, "cases"), i, c)
		for (int k = 0; k < 2 && integer(c, "n") == rig->topo.n_dims; k++)
			theorem_1(t, rig, c, i, k);
	json_array_foreach(json_object_get(gathers, "cases"), i, c)
		for (int k = 0; k < 4 && integer(c, "n") == rig->topo.n_dims; k++)
			gather_and_scatter(t, rig, c, i, k & 1, k & 2);
	json_decref(gathers);
	json_decref(theorem);
}

static bool run_wormhole(struct e2e *t, struct rig *rig, struct run *run, const json_t *c)
{
	uint32_t nodes = rig->topo.n_nodes, flits = (uint32_t)integer(c, "flits");
	const json_t *perm = json_object_get(c, "perm");
	struct loom_lcc lcc;
	if (!perm) {
		read_lcc(&lcc, c, LOOM_LCC_GATHER);
		return run_lcc(t, rig, run, &lcc, "identity", flits, LOOM_MACHINE_PAPER);
	}
	uint32_t *to = calloc(nodes, sizeof *to);
	if (!to)
		abort();
	for (uint32_t x = 0; x < nodes; x++)
		to[x] = (uint32_t)json_integer_value(json_array_get(perm, x));
	bool ran = permutation(t, run, to, nodes, flits) &&
	           check(t, rig_run(rig, run, "identity", LOOM_MACHINE_PAPER, t->seed), "golden worms do not run");
	free(to);
	return ran;
}

// Checks message by message in paper timing. The golden machine has buffers of one flit; in case 5 buffers of two flits
// make a difference.
static void test_wormhole(struct e2e *t, struct rig *rig, struct loom_rng *rng)
{
	json_t *root = golden(t, "000_wormhole.json"), *c;
	size_t i;
	(void)rng;
	json_array_foreach(json_object_get(root, "cases"), i, c) {
		struct run run = {0};
		const json_t *by_source = json_object_get(c, "done_cycle_by_source");
		if (integer(c, "n") == rig->topo.n_dims && run_wormhole(t, rig, &run, c)) {
			uint64_t sum = 0, wrong = 0;
			for (size_t k = 0; k < run.trace.n_arrivals; k++) {
				const struct loom_arrival *a = &run.trace.arrivals[k];
				char key[16];
				(void)snprintf(key, sizeof key, "%u", a->source);
				sum += a->last_cycle;
				wrong += by_source && integer(by_source, key) != a->last_cycle;
			}
			check_verdict(t, &run, "wormhole", i);
			check_reference(t, &run, LOOM_MACHINE_PAPER, "wormhole", i);
			check(t, (json_int_t)run.verdict.measured_cycles == integer(c, "max_cycle"),
			      "wormhole case %zu: %" PRIu64 " cycles, golden %" JSON_INTEGER_FORMAT, i,
			      run.verdict.measured_cycles, integer(c, "max_cycle"));
			check(t, wrong == 0, "wormhole case %zu: %" PRIu64 " messages at other cycles", i, wrong);
			check(t, (json_int_t)sum == integer(c, "sum_cycles") - (i == 5 ? 5 : 0),
			      "wormhole case %zu: the cycles sum to %" PRIu64 ", golden %" JSON_INTEGER_FORMAT, i, sum,
			      integer(c, "sum_cycles"));
		}
		run_free(&run);
	}
	json_decref(root);
}

const struct subject golden_tables = {"table 1", is_table_1, test_tables};
const struct subject golden_lccs = {"golden LCCs", is_cube, test_lccs};
const struct subject golden_wormhole = {"wormhole", is_plain_cube, test_wormhole};
