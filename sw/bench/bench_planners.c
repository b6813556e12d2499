// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
// Times the planners' mathematics, one line per target: name, n, time, target, memory, what was found. One thread, its own
// time (not the clock on the wall), best of several runs, so that what else the machine does matters less.
// `bench_planners quick` leaves out n = 24.
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/math/lcc.h>
#include <flitloom/math/lcc_set.h>
#include <flitloom/math/line_passes.h>
#include <flitloom/plan.h>
#include <flitloom/routes/routes.h>

#include "base/rng.h"
#include "plan/planners/linear_map.h"
#include "plan/planners/mesh.h"
#include "bench.h"

static void random_permutation(struct loom_lcc *out, unsigned n, uint64_t *seed)
{
	memset(out, 0, sizeof *out);
	out->kind = LOOM_LCC_PERMUTATION;
	out->a.n = n;
	out->b = loom_splitmix64(seed) & loom_gf2_mask(n);
	do
		for (unsigned i = 0; i < n; i++)
			out->a.row[i] = loom_splitmix64(seed) & loom_gf2_mask(n);
	while (loom_gf2_rank(&out->a) < n);
}

// Rows that are sums of `rank` vectors.
static void random_gather(struct loom_lcc *out, unsigned n, unsigned rank, uint64_t *seed)
{
	uint64_t vector[LOOM_GF2_MAX];
	memset(out, 0, sizeof *out);
	out->kind = LOOM_LCC_GATHER;
	out->a.n = n;
	for (unsigned i = 0; i < rank; i++)
		vector[i] = loom_splitmix64(seed) & loom_gf2_mask(n);
	for (unsigned i = 0; i < n; i++)
		for (unsigned k = 0; k < rank; k++)
			out->a.row[i] ^= loom_splitmix64(seed) & 1 ? vector[k] : 0;
}

// A permutation of the address bits.
static void random_bits(struct loom_lcc *out, unsigned n, uint64_t *seed)
{
	memset(out, 0, sizeof *out);
	out->kind = LOOM_LCC_PERMUTATION;
	loom_gf2_identity(&out->a, n);
	for (unsigned i = n; i > 1; i--) {
		unsigned j = (unsigned)(loom_splitmix64(seed) % i);
		uint64_t row = out->a.row[j];
		out->a.row[j] = out->a.row[i - 1];
		out->a.row[i - 1] = row;
	}
}

// Transpose, bit-reverse, reverse-flip.
static void named_three(struct loom_lcc out[3], unsigned n)
{
	memset(out, 0, 3 * sizeof *out);
	for (unsigned r = 0; r < 3; r++)
		out[r].a.n = n;
	for (unsigned i = 0; i < n; i++) {
		out[0].a.row[i] = (uint64_t)1 << (i + n / 2) % n;
		out[1].a.row[i] = out[2].a.row[i] = (uint64_t)1 << (n - 1 - i);
	}
	out[2].b = loom_gf2_mask(n);
}

static void print_time(double seconds)
{
	if (seconds < 1e-3)
		printf("%8.1f us", seconds * 1e6);
	else if (seconds < 1)
		printf("%8.1f ms", seconds * 1e3);
	else
		printf("%8.2f s ", seconds);
}

static void line(const char *name, unsigned n, double seconds, double target_s, uint64_t bytes, const char *found)
{
	printf("%-24s n=%-3u", name, n);
	print_time(seconds);
	printf("  target");
	print_time(target_s);
	printf("  %-6s  memory %9llu bytes  %s\n", seconds <= target_s ? "met" : "MISSED", (unsigned long long)bytes,
	       found);
	fflush(stdout);
}

// The mean over 64 matrices, best of 20 runs, of Fig. 3 and of the optimizer for any rank.
static void bench_orders(unsigned n, double target_s)
{
	enum { MATRICES = 64, RUNS = 20, KINDS = 3 };
	static const char *const name[KINDS] = {"lcp_optimize random", "lcc_optimize random", "lcc_optimize rank n/2"};
	struct loom_lcc *lcc = must(malloc(2 * MATRICES * sizeof *lcc));
	unsigned order[LOOM_GF2_MAX];
	uint64_t seed = n;
	for (unsigned i = 0; i < MATRICES; i++)
		random_permutation(&lcc[i], n, &seed);
	for (unsigned i = 0; i < MATRICES; i++)
		random_gather(&lcc[MATRICES + i], n, n / 2, &seed);
	for (unsigned kind = 0; kind < KINDS; kind++) {
		double best = 1e9;
		for (unsigned run = 0; run < RUNS; run++) {
			double start = now_s();
			for (unsigned i = 0; i < MATRICES; i++)
				if (kind > 0)
					loom_lcc_optimize(order, &lcc[(kind == 2 ? MATRICES : 0) + i]);
				else
					check(loom_lcc_optimize_permutation(order, &lcc[i].a, NULL) == 0, name[0]);
			best = fmin(best, (now_s() - start) / MATRICES);
		}
		line(name[kind], n, best, target_s, (kind ? 3 : 1) * sizeof(struct loom_gf2), "mean over 64 matrices");
	}
	free(lcc);
}

static void optimize(struct loom_set_result *out, const struct loom_lcc *lccs, unsigned m,
                     enum loom_objective objective)
{
	const struct loom_set_limits limits = {.max_bytes = (uint64_t)4 << 30};
	check(loom_lcc_set_optimize(out, lccs, m, objective, &limits, NULL) == 0, "the order of a set");
}

static void bench_set(const char *name, const struct loom_lcc *lccs, unsigned m, enum loom_objective objective,
                      double target_s)
{
	struct loom_set_result result;
	double best = 1e9, spent = 0;
	char found[80];
	for (unsigned run = 0; run < 5 && (run == 0 || spent < 2); run++) {
		double start = now_s();
		optimize(&result, lccs, m, objective);
		double took = now_s() - start;
		spent += took;
		best = took < best ? took : best;
	}
	snprintf(found, sizeof found, "optimum %llu, %llu sets", (unsigned long long)result.value,
	         (unsigned long long)result.n_visited);
	line(name, lccs[0].a.n, best, target_s, result.bytes, found);
}

// The worst of `count` random sets of four. Matrices of random entries are easy; permutations of address bits are not.
static void bench_random_sets(const char *name, void (*make)(struct loom_lcc *, unsigned, uint64_t *), unsigned n,
                              unsigned count, double target_s)
{
	struct loom_lcc lccs[4];
	struct loom_set_result result, worst = {0};
	double slowest = 0;
	char found[80];
	for (uint64_t seed = 1; seed <= count; seed++) {
		uint64_t state = seed;
		for (unsigned r = 0; r < 4; r++)
			make(&lccs[r], n, &state);
		double start = now_s();
		optimize(&result, lccs, 4, LOOM_MAXMAX);
		double took = now_s() - start;
		if (took > slowest) {
			slowest = took;
			worst = result;
		}
	}
	snprintf(found, sizeof found, "slowest of %u sets of 4: optimum %llu, %llu sets", count,
	         (unsigned long long)worst.value, (unsigned long long)worst.n_visited);
	line(name, n, slowest, target_s, worst.bytes, found);
}

// Counts, of 20 sets of m random nonsingular matrices, in how many the best order of the address bits is free of
// contention, and in how many the linear map that is found is; the time is that of the slowest search.
static void bench_linear_maps(unsigned n, unsigned m)
{
	enum { SETS = 20 };
	struct loom_lcc *lccs = must(calloc(m, sizeof *lccs));
	unsigned by_order = 0, by_map = 0;
	uint64_t seed = n * 1000 + m, sum_order = 0, sum_map = 0;
	double slowest = 0;
	char found[120];
	for (unsigned set = 0; set < SETS; set++) {
		struct loom_set_result order;
		struct loom_linear_result map;
		struct loom_budget budget;
		for (unsigned r = 0; r < m; r++)
			random_permutation(&lccs[r], n, &seed);
		optimize(&order, lccs, m, LOOM_MAXMAX);
		const struct loom_linear_task task = {lccs, m, LOOM_MAXMAX, order.order, NULL, NULL};
		double start = now_s();
		loom_budget_begin(&budget, NULL, 4000000);
		check(loom_linear_map_search(&map, &task, &budget, NULL) == 0, "a linear map");
		double took = now_s() - start;
		slowest = took > slowest ? took : slowest;
		by_order += order.value == 1;
		by_map += map.value == 1;
		sum_order += order.value;
		sum_map += map.value;
	}
	(void)snprintf(found, sizeof found, "%u members: %u of %d sets by order, %u by map; mean %.2f and %.2f", m,
	               by_order, SETS, by_map, (double)sum_order / SETS, (double)sum_map / SETS);
	line("linear maps", n, slowest, 10, (uint64_t)n * m * (LOOM_GF2_MAX + 1) * sizeof(uint64_t), found);
	free(lccs);
}

static void shuffle_nodes(uint32_t *source, uint32_t *destination, uint32_t n, uint64_t *seed)
{
	for (uint32_t i = 0; i < n; i++)
		source[i] = destination[i] = i;
	for (uint32_t i = n; i > 1; i--) {
		uint32_t j = (uint32_t)(loom_splitmix64(seed) % i), other = destination[j];
		destination[j] = destination[i - 1];
		destination[i - 1] = other;
	}
}

// Random permutations of a row of nodes, the passes written.
static void bench_line(unsigned log2_nodes, bool half_duplex, double target_s)
{
	uint32_t n = UINT32_C(1) << log2_nodes;
	uint32_t *source = must(malloc(3 * (size_t)n * sizeof *source)), *destination = source + n,
		 *pass = source + 2 * n;
	struct loom_line_passes out = {0, 0};
	uint64_t seed = log2_nodes;
	double best = 1e9;
	char found[80];
	for (unsigned run = 0; run < 5; run++) {
		shuffle_nodes(source, destination, n, &seed);
		const struct loom_line_messages messages = {n, half_duplex, n, source, destination};
		double start = now_s();
		check(loom_line_passes_schedule(pass, &out, &messages, NULL) == 0, "line");
		best = fmin(best, now_s() - start);
	}
	(void)snprintf(found, sizeof found, "2^%u nodes, %u passes, bound %u", log2_nodes, out.n_passes,
	               out.lower_bound);
	// Memory for a node: whom it sends to, who sends to it, its pass, two free passes; and a bit.
	line(half_duplex ? "line, half duplex" : "line", log2_nodes, best, target_s, (uint64_t)n * 16 + n / 8, found);
	free(source);
}

static struct loom_topo square_mesh(unsigned side)
{
	char name[40];
	struct loom_topo topo;
	(void)snprintf(name, sizeof name, "mesh:%ux%u", side, side);
	check(loom_topo_parse(&topo, name, NULL) == 0, name);
	return topo;
}

// Random permutations of side x side, the passes written.
static void bench_mesh(unsigned side, double target_s)
{
	char found[80];
	struct loom_topo topo = square_mesh(side);
	uint32_t n_passes = 0, n = side * side;
	uint32_t *source = must(malloc(3 * (size_t)n * sizeof *source)), *destination = source + n,
		 *pass = source + 2 * n;
	uint64_t seed = side;
	double best = 1e9;
	for (unsigned run = 0; run < 5; run++) {
		shuffle_nodes(source, destination, n, &seed);
		double start = now_s();
		check(loom_mesh_passes(pass, &n_passes, &topo, source, destination, n), topo.name);
		best = fmin(best, now_s() - start);
	}
	(void)snprintf(found, sizeof found, "%u passes", n_passes);
	// A message is an edge: its ends; twice in the work, once more for half of them; a partner; a bit of a pair.
	line(topo.name, side, best, target_s, (uint64_t)n * (8 + 8 + 4 + 4) + n / 2, found);
	free(source);
}

// Random messages of 1 to 300 flits, the whole plan: passes, their prediction, the check that nothing is lost.
static void bench_greedy(const char *fabric, size_t n, double target_s)
{
	struct loom_topo topo;
	struct loom_pattern pattern;
	struct loom_plan plan;
	const struct loom_plan_options by = {.planner = "greedy"};
	struct loom_message *messages = must(calloc(n, sizeof *messages));
	uint64_t seed = n;
	char found[80];
	check(loom_topo_parse(&topo, fabric, NULL) == 0, fabric);
	for (size_t i = 0; i < n; i++)
		messages[i] = (struct loom_message){.source = (uint32_t)(loom_splitmix64(&seed) % topo.n_nodes),
		                                    .destination = (uint32_t)(loom_splitmix64(&seed) % topo.n_nodes),
		                                    .flits = 1 + (uint32_t)(loom_splitmix64(&seed) % 300)};
	check(loom_pattern_from_messages(&pattern, "list", topo.n_nodes, messages, n, NULL) == 0, "list");
	double start = now_s();
	check(loom_plan_make(&plan, &topo, &pattern, &by, NULL) == 0, "greedy");
	double took = now_s() - start;
	(void)snprintf(found, sizeof found, "%zu messages in %u passes, at least %u", n, plan.n_passes,
	               plan.passes_bound);
	line("greedy", topo.n_nodes, took, target_s,
	     (uint64_t)plan.n_passes * loom_topo_channels(&topo) * sizeof *plan.load, found);
	loom_plan_free(&plan);
	loom_pattern_free(&pattern);
	free(messages);
}

// n messages from any node to any node, as [Zhong92] has them in Fig. 8.
static void random_messages(struct loom_message *out, size_t n, uint32_t n_nodes, uint64_t *seed)
{
	for (size_t i = 0; i < n; i++)
		out[i] = (struct loom_message){.source = (uint32_t)(loom_splitmix64(seed) % n_nodes),
		                               .destination = (uint32_t)(loom_splitmix64(seed) % n_nodes),
		                               .flits = 1};
}

static void bench_block(unsigned side, size_t n, double target_s)
{
	char found[80];
	const struct loom_topo topo = square_mesh(side);
	struct loom_message *messages = must(calloc(n, sizeof *messages));
	struct loom_routes routes;
	uint64_t seed = side, most = 0;
	double best = 1e9;
	random_messages(messages, n, topo.n_nodes, &seed);
	for (unsigned run = 0; run < 5; run++) {
		double start = now_s();
		check(loom_routes_block(&routes, &topo, messages, n, LOOM_LOAD_MESSAGES, NULL) == 0, "block");
		best = fmin(best, now_s() - start);
		check(loom_routes_contention(&most, &routes, &topo, messages, LOOM_LOAD_MESSAGES, NULL) == 0, "load");
		loom_routes_free(&routes);
	}
	(void)snprintf(found, sizeof found, "%zu messages, largest load %llu", n, (unsigned long long)most);
	line("block", side, best, target_s,
	     (uint64_t)topo.n_nodes * 9 + (uint64_t)loom_topo_channels(&topo) * sizeof(uint64_t), found);
	free(messages);
}

// Measures what [Zhong92] averages over 100 sets of random messages, Fig. 8; the time is that of a set.
static void bench_uniform(unsigned side, unsigned sets)
{
	enum { N = 500 };
	static struct loom_message messages[N];
	char found[120];
	const struct loom_topo topo = square_mesh(side);
	uint64_t seed = side, sum[4] = {0};
	double took = 0;
	for (unsigned set = 0; set < sets; set++) {
		struct loom_routes routes[3];
		struct loom_routes_found of_reroute;
		const struct loom_routes_options options = {.seed = 1};
		random_messages(messages, N, topo.n_nodes, &seed);
		double start = now_s();
		check(loom_routes_reroute(&routes[2], &of_reroute, &topo, messages, N, &options, NULL) == 0, "reroute");
		took += now_s() - start;
		check(loom_routes_in_order(&routes[0], &topo, messages, N, LOOM_RULE_ASCENDING, NULL) == 0, "xy");
		check(loom_routes_block(&routes[1], &topo, messages, N, LOOM_LOAD_MESSAGES, NULL) == 0, "block");
		for (unsigned k = 0; k < 3; k++) {
			uint64_t most = 0;
			check(loom_routes_contention(&most, &routes[k], &topo, messages, LOOM_LOAD_MESSAGES, NULL) == 0,
			      "load");
			sum[k] += most;
			loom_routes_free(&routes[k]);
		}
		sum[3] += of_reroute.lower_bound;
	}
	(void)snprintf(found, sizeof found, "mean of %u sets of %d: xy %.2f, block %.2f, reroute %.2f, bound %.2f",
	               sets, N, (double)sum[0] / sets, (double)sum[1] / sets, (double)sum[2] / sets,
	               (double)sum[3] / sets);
	// Memory for a channel: load, past, cost; while the bound is worked out price, best, flow, average. For a node:
	// the search in a box.
	line("reroute", side, took / sets, 5,
	     (uint64_t)loom_topo_channels(&topo) * 7 * sizeof(uint64_t) + (uint64_t)topo.n_nodes * 2 * 9, found);
}

int main(int argc, char **argv)
{
	static const unsigned sizes[] = {16, 32, 64};
	static const double target_s[] = {0.1, 2, 2};
	bool quick = argc > 1 && !strcmp(argv[1], "quick");
	struct loom_lcc three[3];
	bench_line(20, false, 20e-3);
	bench_line(20, true, 20e-3);
	bench_mesh(512, 0.1);
	bench_mesh(1023, 0.5);
	bench_mesh(1024, 0.5);
	bench_greedy("torus:64x64", 100000, 10);
	bench_block(20, 500, 20e-3);
	bench_block(64, 10000, 5);
	bench_uniform(15, quick ? 5 : 100);
	bench_uniform(20, quick ? 5 : 100);
	bench_orders(64, 100e-6);
	for (unsigned i = 0; i < 3; i++) {
		named_three(three, sizes[i]);
		bench_set("maxmax three named", three, 3, LOOM_MAXMAX, target_s[i]);
	}
	bench_random_sets("maxmax random matrices", random_permutation, 32, 20, 2);
	bench_random_sets("maxmax bit permutations", random_bits, 16, 20, 0.1);
	bench_random_sets("maxmax bit permutations", random_bits, quick ? 24 : 32, 5, 2);
	for (unsigned n = 4; n <= (quick ? 8 : 10); n += 2)
		for (unsigned m = 2; m <= 64; m *= 2)
			bench_linear_maps(n, m);
	for (unsigned n = 20; n <= (quick ? 20 : 24); n += 4) {
		uint64_t seed = n;
		named_three(three, n);
		bench_set("maxsum three named", three, 3, LOOM_MAXSUM, n == 20 ? 1 : 20);
		bench_set("sumsum three named", three, 3, LOOM_SUMSUM, n == 20 ? 1 : 20);
		for (unsigned r = 0; r < 3; r++)
			random_permutation(&three[r], n, &seed);
		bench_set("sumsum three random", three, 3, LOOM_SUMSUM, n == 20 ? 1 : 20);
	}
	return 0;
}
