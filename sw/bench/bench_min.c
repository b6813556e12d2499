// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
// Times the mathematics of the multistage networks, one line per target: what, size, time, target, what was found. One
// thread, its own time (not the clock on the wall, so that what else the machine does matters less), best of several
// runs. Latin squares are compared with memset of as many bytes into the same memory, the two in turn. The memset
// writes a byte that is not 0: some processors write zeros by a way of their own, twice as fast as any data can be;
// that figure is printed beside it. `bench_min quick` leaves out n = 16384, which takes 512 MiB.
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/math/admissible.h>
#include <flitloom/math/benes.h>
#include <flitloom/math/latin.h>
#include <flitloom/math/min_passes.h>

#include "base/rng.h"
#include "bench.h"

static void line(const char *name, const char *size, double seconds, double target_s, const char *found)
{
	printf("%-24s %-14s %9.3f ms  target %7.1f ms  %-6s  %s\n", name, size, seconds * 1e3, target_s * 1e3,
	       seconds <= target_s ? "met" : "MISSED", found);
	fflush(stdout);
}

static void shuffle(uint32_t *p, uint32_t n, struct loom_rng *rng)
{
	for (uint32_t i = 0; i < n; i++)
		p[i] = i;
	loom_rng_shuffle(p, n, rng);
}

static void bench_benes(unsigned k, double target_s)
{
	uint32_t n = UINT32_C(1) << k;
	uint32_t *f = must(malloc(n * sizeof *f)), *g = must(malloc(n * sizeof *g)), *h = must(malloc(n * sizeof *h));
	struct loom_rng rng;
	double best = 1e9;
	char size[24];
	loom_rng_init(&rng, k);
	for (unsigned run = 0; run < 10; run++) {
		shuffle(f, n, &rng);
		double start = now_s();
		check(loom_benes_two_pass(g, h, f, k, NULL) == 0, "benes");
		best = fmin(best, now_s() - start);
		for (uint32_t x = 0; x < n; x++)
			check(h[g[x]] == f[x], "benes");
	}
	snprintf(size, sizeof size, "N=2^%u", k);
	line("benes random", size, best, target_s, "two passes, omega after inverse omega");
	free(f);
	free(g);
	free(h);
}

static void bench_latin(unsigned m, unsigned runs)
{
	struct loom_min net = {.kind = LOOM_MIN_BASELINE, .m = m};
	size_t n = loom_min_nodes(&net), bytes = n * n * sizeof(uint16_t);
	uint16_t *row0 = must(malloc(n * sizeof *row0)), *square = must(aligned_alloc(4096, bytes));
	double latin = 1e9, set = 1e9, zero = 1e9;
	loom_latin_row0(row0, &net);
	memset(square, 1, bytes); // so that the memory is there
	for (unsigned run = 0; run < runs; run++) {
		double t0 = now_s();
		memset(square, 0x5a + (int)run % 2, bytes);
		double t1 = now_s();
		check(((unsigned char *)square)[bytes - 1] == 0x5a + run % 2, "memset");
		double t2 = now_s();
		loom_latin_rows(square, row0, m, 0, n);
		double t3 = now_s();
		check(square[n * n - 1] == (row0[n - 1] ^ loom_latin_gray((uint32_t)n - 1)), "latin");
		double t4 = now_s();
		memset(square, 0, bytes);
		double t5 = now_s();
		check(square[n * n / 2] == 0, "memset");
		set = fmin(set, t1 - t0);
		latin = fmin(latin, t3 - t2);
		zero = fmin(zero, t5 - t4);
	}
	char size[24], found[120];
	double gb = (double)bytes * 1e-9;
	snprintf(size, sizeof size, "n=%zu", n);
	snprintf(found, sizeof found, "%.1f GB/s = %.2f of memset's %.1f (memset of zeros: %.1f)", gb / latin,
	         set / latin, gb / set, gb / zero);
	line("latin rows", size, latin, 2 * set, found);
	free(row0);
	free(square);
}

// Writes one row after the other into the same memory, as a program that streams them does.
static void bench_latin_row(unsigned m)
{
	struct loom_min net = {.kind = LOOM_MIN_OMEGA, .m = m};
	size_t n = loom_min_nodes(&net), bytes = n * sizeof(uint16_t), rounds = ((size_t)1 << 28) / bytes;
	uint16_t *row0 = must(malloc(bytes)), *row = must(aligned_alloc(4096, bytes));
	double latin = 1e9, set = 1e9;
	uint64_t seen = 0;
	loom_latin_row0(row0, &net);
	for (unsigned run = 0; run < 5; run++) {
		double t0 = now_s();
		for (size_t i = 0; i < rounds; i++) {
			memset(row, (int)i, bytes);
			seen += *(volatile uint16_t *)(row + i % n);
		}
		double t1 = now_s();
		for (size_t i = 0; i < rounds; i++) {
			loom_latin_rows(row, row0, m, (uint32_t)(i % n), 1);
			seen += *(volatile uint16_t *)(row + i % n);
		}
		double t2 = now_s();
		set = fmin(set, t1 - t0);
		latin = fmin(latin, t2 - t1);
	}
	check(seen != 0, "latin row");
	char size[24], found[80];
	double gb = (double)bytes * (double)rounds * 1e-9;
	snprintf(size, sizeof size, "n=%zu", n);
	snprintf(found, sizeof found, "%.1f GB/s = %.2f of memset's %.1f", gb / latin, set / latin, gb / set);
	line("latin, a row", size, latin, 2 * set, found);
	free(row0);
	free(row);
}

static void bench_admissible(unsigned m, double target_s)
{
	struct loom_min net = {.kind = LOOM_MIN_OMEGA, .m = m};
	uint32_t n = loom_min_nodes(&net), *to = must(malloc(n * sizeof *to));
	uint64_t *settings = must(malloc(m * loom_admissible_words_per_stage(&net) * sizeof *settings));
	double best = 1e9;
	char size[24];
	for (unsigned run = 0; run < 50; run++) {
		bool passes = false;
		for (uint32_t x = 0; x < n; x++)
			to[x] = (x * 5 + run) & (n - 1);
		double start = now_s();
		check(loom_admissible_check(&passes, settings, NULL, &net, to, NULL) == 0 && passes, "admissible");
		best = fmin(best, now_s() - start);
	}
	snprintf(size, sizeof size, "n=%u", n);
	line("admissible", size, best, target_s, "omega, a stride; all switches set");
	free(to);
	free(settings);
}

enum list { PERMUTATION, UNIFORM, ALL_TO_ALL, THREE_QUARTERS };

static void bench_passes(const char *name, enum list list, unsigned m, double target_s)
{
	struct loom_min net = {.kind = LOOM_MIN_OMEGA, .m = m};
	uint32_t nodes = loom_min_nodes(&net);
	size_t room = list == PERMUTATION ? nodes : (size_t)nodes * nodes, n = 0;
	uint32_t *source = must(malloc(room * sizeof *source)), *destination = must(malloc(room * sizeof *destination));
	uint32_t *pass = must(malloc(room * sizeof *pass));
	struct loom_min_passes out = {0, 0};
	struct loom_rng rng;
	double best = 1e9;
	char size[24], found[80];
	loom_rng_init(&rng, 1);
	for (size_t i = 0; i < room; i++) {
		source[n] = (uint32_t)(list == PERMUTATION ? i : i / nodes);
		destination[n] = (uint32_t)(list == UNIFORM ? loom_rng_below(&rng, nodes) : i % nodes);
		n += list != THREE_QUARTERS || loom_rng_below(&rng, 4) > 0;
	}
	if (list == PERMUTATION)
		shuffle(destination, nodes, &rng);
	for (unsigned run = 0; run < 3; run++) {
		double start = now_s();
		check(loom_min_passes_schedule(pass, &out, &net, source, destination, n, NULL) == 0, name);
		best = fmin(best, now_s() - start);
	}
	snprintf(size, sizeof size, "n=%u", nodes);
	snprintf(found, sizeof found, "%zu messages, %u passes, bound %u", n, out.n_passes, out.lower_bound);
	line(name, size, best, target_s, found);
	free(source);
	free(destination);
	free(pass);
}

int main(int argc, char **argv)
{
	bool quick = argc > 1 && !strcmp(argv[1], "quick");
	bench_benes(16, 10e-3);
	bench_benes(20, 250e-3);
	bench_latin_row(12);
	bench_latin_row(14);
	bench_latin(12, 40);
	if (!quick)
		bench_latin(14, 8);
	bench_admissible(6, 1e-3);
	bench_admissible(10, 10e-3);
	bench_passes("passes permutation", PERMUTATION, 10, 1);
	bench_passes("passes all-to-all", ALL_TO_ALL, 6, 1);
	bench_passes("passes 3/4 of it", THREE_QUARTERS, 6, 2);
	bench_passes("passes uniform", UNIFORM, 6, 2);
	if (!quick)
		bench_passes("passes uniform", UNIFORM, 8, 5);
	return 0;
}
