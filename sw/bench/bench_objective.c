// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Plans of irregular message lists with --objective cycles and without: the table of docs/placement.md. Usage
//   bench_objective [lists=N] FABRIC ...
// Each list has 100 to 300 messages of 2 to 32 flits between random processors. Both plans have the default number of steps. Fails if
// one with the objective takes more cycles than one without.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/machine.h>
#include <flitloom/plan.h>

#include "base/rng.h"

enum { LISTS = 50, LEAST_MESSAGES = 100, MOST_MESSAGES = 300, LEAST_FLITS = 2, MOST_FLITS = 32 };

// A request, with the objective and without.
static const struct {
	const char *name, *planner, *map;
	bool is_direct; // for direct networks alone
} requests[] = {{"--planner best", "best", NULL, false}, {"--place search", NULL, "search", true}};
enum { N_REQUESTS = sizeof requests / sizeof requests[0] };

// All lists of a fabric, by one request.
struct sum {
	unsigned n, n_faster, n_slower;
	double saved;           // per cent of the cycles without, added up
	uint64_t before, after; // cycles
};

static bool draw(struct loom_pattern *out, uint32_t n_nodes, uint64_t seed, struct loom_err *err)
{
	static struct loom_message messages[MOST_MESSAGES];
	struct loom_rng rng;
	char name[32];
	loom_rng_init(&rng, seed);
	const size_t n = LEAST_MESSAGES + (size_t)loom_rng_below(&rng, MOST_MESSAGES - LEAST_MESSAGES + 1);
	for (size_t i = 0; i < n; i++) {
		messages[i] = (struct loom_message){
			.source = (uint32_t)loom_rng_below(&rng, n_nodes),
			.flits = LEAST_FLITS + (uint32_t)loom_rng_below(&rng, MOST_FLITS - LEAST_FLITS + 1)};
		do
			messages[i].destination = (uint32_t)loom_rng_below(&rng, n_nodes);
		while (messages[i].destination == messages[i].source);
	}
	(void)snprintf(name, sizeof name, "list %" PRIu64, seed);
	return loom_pattern_from_messages(out, name, n_nodes, messages, n, err) == 0;
}

static bool plan(uint64_t *cycles, const struct loom_topo *topo, const struct loom_pattern *pattern, size_t request,
                 const char *objective, struct loom_err *err)
{
	const struct loom_plan_options options = {
		.planner = requests[request].planner, .map = requests[request].map, .objective = objective, .seed = 1};
	struct loom_plan made;
	if (loom_plan_make(&made, topo, pattern, &options, err) != 0)
		return false;
	int code = loom_machine_cycles(cycles, &made, LOOM_MACHINE_FAST, err);
	loom_plan_free(&made);
	return code == 0;
}

static bool add(struct sum *s, const struct loom_topo *topo, const struct loom_pattern *pattern, size_t request,
                struct loom_err *err)
{
	uint64_t before, after;
	if (!plan(&before, topo, pattern, request, NULL, err) || !plan(&after, topo, pattern, request, "cycles", err))
		return false;
	s->n++;
	s->n_faster += after < before;
	s->n_slower += after > before;
	s->before += before;
	s->after += after;
	s->saved += 100 * ((double)before - (double)after) / (double)before;
	return true;
}

static void print(const char *fabric, size_t request, const struct sum *s)
{
	printf("| `%s` | `%s` | %u | %.0f | %.0f | %.1f | %u | %u |\n", fabric, requests[request].name, s->n,
	       (double)s->before / s->n, (double)s->after / s->n, s->saved / s->n, s->n_faster, s->n_slower);
	(void)fflush(stdout);
}

// Returns false if a plan is slower, or could not be made.
static bool measure(const char *fabric, unsigned n_lists, size_t request)
{
	struct loom_topo topo;
	struct loom_err err = {0};
	struct sum sum = {0};
	bool good = loom_topo_parse(&topo, fabric, &err) == 0;
	if (good && requests[request].is_direct && loom_topo_links(&topo) == 0)
		return true;
	for (unsigned k = 0; good && k < n_lists; k++) {
		struct loom_pattern pattern;
		good = draw(&pattern, topo.n_nodes, k + 1, &err);
		if (!good)
			break;
		good = add(&sum, &topo, &pattern, request, &err);
		loom_pattern_free(&pattern);
	}
	if (!good)
		(void)fprintf(stderr, "%s: %s\n", fabric, err.text);
	else
		print(fabric, request, &sum);
	loom_topo_free(&topo);
	return good && sum.n_slower == 0;
}

int main(int argc, char **argv)
{
	unsigned n_lists = LISTS;
	bool good = true;
	printf("| fabric | request | lists | cycles without | with | saved on average, %% | faster | slower |\n"
	       "| --- | --- | --- | --- | --- | --- | --- | --- |\n");
	for (int i = 1; i < argc; i++) {
		if (strncmp(argv[i], "lists=", 6) == 0) {
			n_lists = (unsigned)strtoul(argv[i] + 6, NULL, 10);
			if (n_lists == 0) {
				(void)fprintf(stderr, "bench_objective: %s: lists=N, 1 or more\n", argv[i]);
				return 2;
			}
			continue;
		}
		for (size_t request = 0; request < N_REQUESTS; request++)
			good = measure(argv[i], n_lists, request) && good;
	}
	return good ? 0 : 1;
}
