// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Permutations of rows and rings of nodes in passes, on verilated networks: usage
//   e2e_rows [seed=N] COUNT:FABRIC:PLANNER[:half][:one-way] ...      (all:line:7:line:half, 300:ring:64:ring)
// COUNT: so many random permutations, or all. Each must run with a verdict without differences, at most one message to a
// channel in each pass and no blocked cycle; with half duplex no link may have carried messages both ways in a pass.
// Prints how many passes they took and what fails, then "N passed, N failed".
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/rng.h"
#include "rig.h"

#define PASSES_MOST 256 // that are tallied

static struct {
	unsigned passed, failed;
	uint64_t seed;
} test = {.seed = 1};

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

// One word of the command line.
struct job {
	char fabric[32], planner[16];
	unsigned count; // 0: all
	bool half_duplex, one_way;
	unsigned n_runs, n_optimal, n_of[PASSES_MOST];
};

// As measured, link by link: line and ring have link 0 of node x and link 1 of the next node.
static unsigned links_used_both_ways(const struct run *run)
{
	const struct loom_topo *t = &run->plan.topo;
	uint32_t per_tile = loom_topo_channels_per_tile(t);
	unsigned n_both = 0;
	for (uint32_t pass = 0; pass < run->plan.n_passes; pass++)
		for (uint32_t x = 0; x < t->n_nodes; x++) {
			const struct loom_count *of_pass = run->trace.counts + (size_t)pass * run->trace.n_channels;
			n_both += of_pass[x * per_tile].worms && of_pass[(x + 1) % t->n_nodes * per_tile + 1].worms;
		}
	return n_both;
}

static void run_one(struct job *job, struct rig *rig, const uint32_t *to, uint32_t flits)
{
	struct run run = {0};
	struct loom_err err = {0};
	uint32_t n = rig->topo.n_nodes;
	const struct loom_plan_options by = {
		.planner = job->planner, .half_duplex = job->half_duplex, .rule = job->one_way ? "one-way" : NULL};
	struct loom_message *messages = calloc(n, sizeof *messages);
	char name[96] = "perm";
	if (!messages)
		abort();
	for (uint32_t x = 0; x < n; x++) {
		size_t used = strlen(name);
		messages[x] = (struct loom_message){.source = x, .destination = to[x], .flits = flits};
		(void)snprintf(name + used, sizeof name - used, "%c%" PRIu32, x ? ',' : ' ', to[x]);
	}
	if (check(loom_pattern_from_messages(&run.pattern, name, n, messages, n, &err) == 0 &&
	                  loom_plan_make(&run.plan, &rig->topo, &run.pattern, &by, &err) == 0,
	          "%s on %s: %s", name, rig->fabric, err.text) &&
	    check(rig_run_plan(rig, &run, job->n_runs % 2 ? LOOM_MACHINE_PAPER : LOOM_MACHINE_FAST, test.seed),
	          "%s does not run on %s", name, rig->fabric)) {
		const struct loom_verdict *v = &run.verdict;
		check(v->n_mismatches == 0, "%s on %s: %zu mismatches, first: %s", name, rig->fabric, v->n_mismatches,
		      v->mismatches[0]);
		check(v->measured_contention <= 1 && v->blocked_cycles == 0,
		      "%s on %s: contention %" PRIu32 ", %" PRIu64 " blocked cycles", name, rig->fabric,
		      v->measured_contention, v->blocked_cycles);
		check(!job->half_duplex || links_used_both_ways(&run) == 0, "%s on %s: %u links used both ways", name,
		      rig->fabric, links_used_both_ways(&run));
		job->n_optimal += loom_plan_is_optimal(&run.plan);
		if (run.plan.n_passes < PASSES_MOST)
			job->n_of[run.plan.n_passes]++;
	}
	job->n_runs++;
	free(messages);
	run_free(&run);
}

static bool next_permutation(uint32_t *to, uint32_t n)
{
	uint32_t i = n - 1;
	while (i > 0 && to[i - 1] > to[i])
		i--;
	if (i == 0)
		return false;
	uint32_t j = n - 1, other = to[i - 1];
	while (to[j] < other)
		j--;
	to[i - 1] = to[j];
	to[j] = other;
	for (j = n - 1; i < j; i++, j--) {
		other = to[i];
		to[i] = to[j];
		to[j] = other;
	}
	return true;
}

static bool read_job(struct job *job, const char *word)
{
	char count[16], kind[16], size[16], rest[32] = "";
	int n = sscanf(word, "%15[^:]:%15[^:]:%15[^:]:%15[^:]:%31s", count, kind, size, job->planner, rest);
	(void)snprintf(job->fabric, sizeof job->fabric, "%s:%s", kind, size);
	job->count = strcmp(count, "all") == 0 ? 0 : (unsigned)strtoul(count, NULL, 10);
	job->half_duplex = n == 5 && strstr(rest, "half");
	job->one_way = n == 5 && strstr(rest, "one-way");
	return n >= 4;
}

static void do_job(const char *word)
{
	struct job job = {0};
	struct rig rig;
	struct loom_rng rng;
	uint32_t to[1024];
	time_t start = time(NULL);
	if (!check(read_job(&job, word), "\"%s\" is not COUNT:FABRIC:PLANNER", word) ||
	    !check(rig_open(&rig, job.fabric, NULL), "%s does not open", job.fabric))
		return;
	loom_rng_init(&rng, test.seed ^ 0x726f7773); // "rows"
	for (uint32_t x = 0; x < rig.topo.n_nodes; x++)
		to[x] = x;
	if (job.count == 0)
		do
			run_one(&job, &rig, to, 1 + job.n_runs % 7);
		while (next_permutation(to, rig.topo.n_nodes));
	while (job.n_runs < job.count) {
		for (uint32_t i = rig.topo.n_nodes; i > 1; i--) {
			uint32_t k = (uint32_t)loom_rng_below(&rng, i), other = to[k];
			to[k] = to[i - 1];
			to[i - 1] = other;
		}
		run_one(&job, &rig, to, 1 + (uint32_t)loom_rng_below(&rng, 40));
	}
	rig_close(&rig);
	printf("%s: %u permutations, %u in the fewest passes for certain, %ld s; passes:", word, job.n_runs,
	       job.n_optimal, (long)(time(NULL) - start));
	for (unsigned k = 0; k < PASSES_MOST; k++)
		if (job.n_of[k])
			printf(" %u in %u,", job.n_of[k], k);
	printf("\n");
}

int main(int argc, char **argv)
{
	(void)setvbuf(stdout, NULL, _IOLBF, 0);
	for (int i = 1; i < argc; i++)
		if (strncmp(argv[i], "seed=", 5) == 0)
			test.seed = strtoull(argv[i] + 5, NULL, 10);
		else
			do_job(argv[i]);
	printf("%u passed, %u failed\n", test.passed, test.failed);
	return test.failed ? 1 : 0;
}
