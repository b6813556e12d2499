// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Schedules of circuit switches against bounds and against searches written apart: the figures of docs/circuits.md. Usage
//   bench_circuits seeded [seeds=N] [eclipse=N]   demands of all kinds, N = 16 to 256, and their bounds; eclipse on up to N nodes
//   bench_circuits exact [nodes=N]                all demands of 0..2 flits up to renaming nodes, each direction: light is least
//   bench_circuits random [nodes=N] [count=N]     random ones
//   bench_circuits time                           how long light takes, dense and skewed
// Exits 1 when light is not what it should be.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <flitloom/circuits.h>
#include <flitloom/goal.h>

#include "../../tests/reference/ref_circuits.h"
#include "base/rng.h"
#include "bench.h"

static const uint32_t darks[] = {0, 1, 5, 20};
#define N_DARKS (sizeof darks / sizeof darks[0])

static uint64_t asked(char **words, const char *name, uint64_t otherwise)
{
	for (size_t length = strlen(name); *words; words++)
		if (strncmp(*words, name, length) == 0 && (*words)[length] == '=')
			return strtoull(*words + length + 1, NULL, 10);
	return otherwise;
}

static int fail(const struct loom_err *err)
{
	printf("FAIL %s\n", err->text);
	return 1;
}

// --- Against a search written apart

static bool is_least(const struct loom_demand *d, uint32_t dark)
{
	const struct loom_circuit_options options = {.n_switches = 1, .dark = dark, .budget = LOOM_CIRCUIT_BUDGET};
	struct loom_circuit_schedule s;
	struct loom_err err = {0};
	const uint64_t least = ref_circuits_least(d->flits, d->n, dark);
	if (loom_circuit_plan(&s, d, &options, &err) != 0)
		return fail(&err) == 0;
	const bool good = loom_circuit_check(&s, d, &err) == 0 && s.makespan == least;
	if (!good) {
		printf("FAIL dark %" PRIu32 ": %" PRIu64 ", not %" PRIu64 "; %s; demand", dark, s.makespan, least,
		       err.text);
		for (size_t p = 0; p < (size_t)d->n * d->n; p++)
			printf(" %" PRIu32, d->flits[p]);
		printf("\n");
	}
	loom_circuit_schedule_free(&s);
	return good;
}

// The renamings of nodes, each also with all directions turned round: where entry e of a demand then is.
#define ENTRIES_MOST 20
#define RENAMINGS_MOST 240
static unsigned list_renamings(uint8_t (*out)[ENTRIES_MOST], uint32_t n)
{
	unsigned count = 0, name[5], total = 1;
	for (uint32_t k = 2; k <= n; k++)
		total *= k;
	for (unsigned r = 0; r < 2 * total; r++) {
		unsigned used = 0, code = r / 2;
		for (uint32_t i = 0; i < n; i++) {
			unsigned skip = code % (n - i), k = 0;
			code /= n - i;
			while (used >> k & 1 || skip-- > 0)
				k++;
			used |= 1u << k;
			name[i] = k;
		}
		for (uint32_t i = 0, e = 0; i < n; i++)
			for (uint32_t j = 0; j < n; j++) {
				const unsigned a = r & 1 ? name[j] : name[i], b = r & 1 ? name[i] : name[j];
				if (i != j)
					out[count][e++] = (uint8_t)(a * (n - 1) + b - (b > a));
			}
		count++;
	}
	return count;
}

static bool is_first(const uint8_t *flits, uint32_t entries, uint8_t (*renaming)[ENTRIES_MOST], unsigned n)
{
	for (unsigned r = 1; r < n; r++)
		for (uint32_t e = 0; e < entries; e++) {
			const uint8_t other = flits[renaming[r][e]];
			if (other != flits[e]) {
				if (other < flits[e])
					return false;
				break;
			}
		}
	return true;
}

static int exact(char **words)
{
	static uint8_t renaming[RENAMINGS_MOST][ENTRIES_MOST];
	const uint32_t n = (uint32_t)asked(words, "nodes", 4), entries = n * (n - 1);
	const uint64_t parts = asked(words, "parts", 1), part = asked(words, "part", 0);
	const unsigned n_renamings = list_renamings(renaming, n);
	uint8_t flits[ENTRIES_MOST + 1] = {0};
	uint64_t n_demands = 0, n_wrong = 0;
	struct loom_demand d;
	struct loom_err err;
	if (n < 2 || n > 5 || loom_demand_init(&d, n, &err) != 0)
		return 1;
	for (uint32_t e = entries; e > 0;) { // counts on from the last entry
		if (is_first(flits, entries, renaming, n_renamings) && n_demands++ % parts == part) {
			for (uint32_t i = 0, k = 0; i < n; i++)
				for (uint32_t j = 0; j < n; j++)
					d.flits[i * n + j] = i == j ? 0 : flits[k++];
			for (size_t k = 0; k < N_DARKS; k++)
				n_wrong += !is_least(&d, darks[k]);
		}
		for (e = entries; e > 0 && flits[e - 1] == 2; e--)
			flits[e - 1] = 0;
		if (e > 0)
			flits[e - 1]++;
	}
	loom_demand_free(&d);
	printf("%" PRIu32 " nodes: %" PRIu64 " demands, of which part %" PRIu64 " of %" PRIu64
	       ", dark 0, 1, 5, 20: %" PRIu64 " not least\n",
	       n, n_demands, part, parts, n_wrong);
	return n_wrong > 0;
}

static int random_ones(char **words)
{
	const uint32_t n = (uint32_t)asked(words, "nodes", 6);
	const uint64_t count = asked(words, "count", 1000);
	uint64_t n_wrong = 0;
	struct loom_rng rng;
	loom_rng_init(&rng, 33);
	for (uint64_t k = 0; k < count; k++) {
		struct loom_demand d;
		struct loom_err err;
		if (loom_demand_init(&d, n, &err) != 0)
			return fail(&err);
		const uint64_t of = 3 + loom_rng_below(&rng, 6); // some are sparse
		for (uint32_t p = 0; p < n * n; p++) {
			const uint64_t f = loom_rng_below(&rng, of);
			d.flits[p] = p / n == p % n || f > 2 ? 0 : (uint32_t)f;
		}
		n_wrong += !is_least(&d, darks[k % N_DARKS]);
		loom_demand_free(&d);
	}
	printf("%" PRIu32 " nodes: %" PRIu64 " random demands: %" PRIu64 " not least\n", n, count, n_wrong);
	return n_wrong > 0;
}

// --- Against the bound, and the other planners

static const char *const kinds[] = {"dense", "sparse", "skew:4,12,2000", "skew:2,30,20000", "moe:64,2", "permutation"};
#define N_KINDS (sizeof kinds / sizeof kinds[0])
static const char *const programs[] = {"allreduce:ring",         "allreduce:recursive-doubling",
                                       "allreduce:rabenseifner", "broadcast:binomial",
                                       "alltoall:pairwise",      "alltoall:bruck",
                                       "stencil2d:4x4",          "stencil2d:2x8",
                                       "stencil2d:1x16",         "stencil2d:8x2"};
#define N_PROGRAMS (sizeof programs / sizeof programs[0])

static int make(struct loom_demand *out, size_t kind, uint32_t n, uint64_t seed, struct loom_err *err)
{
	const struct loom_pattern_options options = {.flits = 64, .seed = seed};
	char spec[64];
	struct loom_rng rng;
	loom_rng_init(&rng, seed * 1000 + kind);
	if (kind >= 2 && kind < 5) {
		(void)snprintf(spec, sizeof spec, kind == 4 ? "demand:%s,%" PRIu64 : "demand:%s", kinds[kind], seed);
		return loom_demand_parse(out, spec, n, &options, err);
	}
	if (kind == 5)
		return loom_demand_parse(out, "random-perm", n, &options, err);
	int rc = loom_demand_init(out, n, err);
	for (uint32_t i = 0; rc == 0 && i < n; i++)
		for (uint32_t k = 0; k < (kind == 0 ? n : 4); k++) {
			const uint32_t j = kind == 0 ? k : (uint32_t)loom_rng_below(&rng, n);
			if (i != j)
				out->flits[(size_t)i * n + j] += 1 + (uint32_t)loom_rng_below(&rng, 64);
		}
	return rc;
}

// A program as a file of GOAL, read again.
static int of_program(struct loom_demand *out, size_t k, uint32_t n, struct loom_err *err)
{
	const struct loom_pattern_options options = {.flits = 1};
	struct loom_goal goal;
	char *text = NULL, path[] = "/tmp/bench_circuits_XXXXXX", spec[64];
	size_t length;
	const int file = mkstemp(path);
	int rc = file < 0 ? LOOM_EFILE : loom_goal_collective(&goal, programs[k], k < 6 ? n : 16, 1024, err);
	if (rc != 0)
		return rc;
	rc = loom_goal_write(&text, &length, &goal, err);
	if (rc == 0 && write(file, text, length) != (ssize_t)length)
		rc = LOOM_EFILE;
	(void)snprintf(spec, sizeof spec, "goal:%s", path);
	if (rc == 0)
		rc = loom_demand_parse(out, spec, n, &options, err);
	(void)close(file);
	(void)unlink(path);
	free(text);
	loom_goal_free(&goal);
	return rc;
}

struct sums {
	unsigned n, n_above;
	double ratio, worst, seconds, longest, best_other; // of the best other planner
};

static int compare(struct sums *sums, const struct loom_demand *d, uint32_t dark, uint32_t eclipse)
{
	struct loom_circuit_options options = {.n_switches = 1, .dark = dark, .budget = LOOM_CIRCUIT_BUDGET};
	struct loom_circuit_bound bound;
	struct loom_err err = {0};
	uint64_t light = 0, other = UINT64_MAX;
	int rc = loom_circuit_bound_find(&bound, d, &options, &err);
	for (size_t k = 0; rc == 0 && (options.planner = loom_circuit_planner_name(k)); k++) {
		struct loom_circuit_schedule s;
		if (strcmp(options.planner, "eclipse") == 0 && d->n > eclipse)
			continue;
		const double start = now_s();
		rc = loom_circuit_plan(&s, d, &options, &err);
		const double seconds = now_s() - start;
		if (rc == 0)
			rc = loom_circuit_check(&s, d, &err);
		if (rc != 0)
			break;
		if (k == 0) {
			light = s.makespan;
			sums->seconds += seconds;
			sums->longest = seconds > sums->longest ? seconds : sums->longest;
		} else {
			other = s.makespan < other ? s.makespan : other;
		}
		loom_circuit_schedule_free(&s);
	}
	if (rc != 0)
		return fail(&err);
	const double ratio = (double)light / (double)bound.cycles;
	sums->n++;
	sums->ratio += ratio;
	sums->worst = ratio > sums->worst ? ratio : sums->worst;
	sums->best_other += (double)other / (double)bound.cycles;
	sums->n_above += light > other;
	loom_circuit_bound_free(&bound);
	return 0;
}

static void print(const char *what, uint32_t n, const struct sums *s)
{
	printf("%-18s %4" PRIu32 " %4u  %.3f  %.3f  %7.3f  %5u  %6.3f  %6.3f\n", what, n, s->n, s->ratio / s->n,
	       s->worst, s->best_other / s->n, s->n_above, s->seconds / s->n, s->longest);
	(void)fflush(stdout);
}

static void add(struct sums *all, const struct sums *s)
{
	all->n += s->n;
	all->n_above += s->n_above;
	all->ratio += s->ratio;
	all->worst = s->worst > all->worst ? s->worst : all->worst;
	all->seconds += s->seconds;
	all->longest = s->longest > all->longest ? s->longest : all->longest;
	all->best_other += s->best_other;
}

static int seeded(char **words)
{
	static const uint32_t sizes[] = {16, 32, 64, 128, 256}, dark[] = {1, 10, 100};
	const uint64_t seeds = asked(words, "seeds", 16);
	const uint32_t eclipse = (uint32_t)asked(words, "eclipse", 64);
	struct sums all = {0};
	struct loom_err err;
	int rc = 0;
	printf("makespan by bound: mean, worst, mean of the best other; above that; seconds: mean, longest\n");
	for (size_t kind = 0; rc == 0 && kind < N_KINDS; kind++)
		for (size_t k = 0; rc == 0 && k < sizeof sizes / sizeof sizes[0]; k++) {
			struct sums sums = {0};
			for (uint64_t seed = 0; rc == 0 && seed < seeds; seed++) {
				struct loom_demand d;
				if (make(&d, kind, sizes[k], seed, &err) != 0)
					return fail(&err);
				rc = compare(&sums, &d, dark[seed % 3], eclipse);
				loom_demand_free(&d);
			}
			print(kinds[kind], sizes[k], &sums);
			add(&all, &sums);
		}
	for (size_t k = 0; rc == 0 && k < N_PROGRAMS; k++) {
		struct sums sums = {0};
		for (uint32_t n = 16; rc == 0 && n <= 64; n *= 4) {
			struct loom_demand d;
			if (of_program(&d, k, n, &err) != 0)
				return fail(&err);
			rc = compare(&sums, &d, 10, eclipse);
			loom_demand_free(&d);
		}
		print(programs[k], 16, &sums);
		add(&all, &sums);
	}
	print("all", 0, &all);
	return rc || all.n_above > 0 || all.ratio / all.n > 1.10;
}

static int times(void)
{
	struct loom_err err;
	for (uint32_t n = 256; n <= 1024; n *= 4)
		for (size_t kind = 0; kind < N_KINDS; kind++) {
			struct loom_demand d;
			struct sums sums = {0};
			if (make(&d, kind, n, 1, &err) != 0)
				return fail(&err);
			const struct loom_circuit_options options = {
				.n_switches = 1, .dark = 10, .budget = LOOM_CIRCUIT_BUDGET};
			struct loom_circuit_schedule s;
			struct loom_circuit_bound bound;
			const double start = now_s();
			if (loom_circuit_plan(&s, &d, &options, &err) != 0)
				return fail(&err);
			sums.seconds = now_s() - start;
			if (loom_circuit_check(&s, &d, &err) != 0 ||
			    loom_circuit_bound_find(&bound, &d, &options, &err) != 0)
				return fail(&err);
			printf("%-18s %5" PRIu32 "  %.3f  %6.2f s\n", kinds[kind], n,
			       (double)s.makespan / (double)bound.cycles, sums.seconds);
			(void)fflush(stdout);
			loom_circuit_schedule_free(&s);
			loom_circuit_bound_free(&bound);
			loom_demand_free(&d);
		}
	return 0;
}

int main(int argc, char **argv)
{
	if (argc > 1 && strcmp(argv[1], "seeded") == 0)
		return seeded(argv + 2);
	if (argc > 1 && strcmp(argv[1], "exact") == 0)
		return exact(argv + 2);
	if (argc > 1 && strcmp(argv[1], "random") == 0)
		return random_ones(argv + 2);
	if (argc > 1 && strcmp(argv[1], "time") == 0)
		return times();
	printf("usage: bench_circuits seeded|exact|random|time\n");
	return 2;
}
