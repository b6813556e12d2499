// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the cycles that a fabric takes from empty to its steady state, from the latencies of a few runs, averaged at
// each time.
#include <flitloom/traffic.h>

#include <stdlib.h>

#include "traffic/mser.h"

#define SLOTS 2000u // parts of a run, each of which is an observation

#define TIMES_CUT 2u // the cycles that are left out, in multiples of MSER's cut

// The messages that were released in a part of the run.
struct slot {
	uint64_t n, sum_latency;
};

struct pilot {
	const struct loom_load_options *options;
	uint64_t cycles, slot_cycles;
	unsigned i;                  // the number of the run, below LOOM_LOAD_PILOTS
	struct slot *slots;          // owned; a run has at most SLOTS of them
	double *observations;        // owned, of the same size
	uint64_t *begins;            // owned: the first cycle of each
	uint64_t before, cycles_all; // cycles of the runs that are done; of all runs of this length
};

static size_t n_slots(const struct pilot *p)
{
	return (size_t)((p->cycles + p->slot_cycles - 1) / p->slot_cycles);
}

static void add(void *user, const struct loom_load_message *m)
{
	const struct pilot *p = user;
	if (m->release > p->cycles)
		return;
	struct slot *slot = &p->slots[(m->release - 1) / p->slot_cycles];
	slot->n++;
	slot->sum_latency += m->tail - m->release + 1;
}

static bool watch(void *user, uint64_t cycle, uint64_t of_about)
{
	const struct pilot *p = user;
	(void)of_about;
	return p->options->watch && p->options->watch(p->options->user, p->before + cycle, p->cycles_all);
}

// Runs all pilots of a length. *saturated: one of them is saturated.
static int run_all(bool *saturated, struct pilot *p, const struct loom_topo *topo, const struct loom_traffic *traffic,
                   const uint32_t *map, struct loom_err *err)
{
	struct loom_load_options options = *p->options;
	struct loom_load_point point = {.saturated = false};
	int rc = 0;
	options.warmup_cycles = 0;
	options.measure_cycles = p->cycles;
	options.log = NULL;
	options.groups = NULL;
	options.each = add;
	options.each_user = p;
	options.watch = watch;
	options.user = p;
	for (size_t k = 0; k < SLOTS; k++)
		p->slots[k] = (struct slot){0};
	p->cycles_all = LOOM_LOAD_PILOTS * p->cycles;
	for (p->i = 0; rc == 0 && p->i < LOOM_LOAD_PILOTS && !point.saturated; p->i++) {
		p->before = p->i * p->cycles;
		options.seed = ~p->options->seed - p->i;
		rc = loom_load_compute(&point, topo, traffic, map, &options, err);
	}
	*saturated = point.saturated;
	return rc;
}

// Returns the cycles to leave out. If they are more than half of all, the fabric did not become steady.
static uint64_t find_cut(const struct pilot *p)
{
	size_t n = 0;
	for (size_t k = 0; k < n_slots(p); k++) {
		if (p->slots[k].n == 0)
			continue;
		p->begins[n] = k * p->slot_cycles;
		p->observations[n++] = (double)p->slots[k].sum_latency / (double)p->slots[k].n;
	}
	const size_t cut = loom_mser_cut(p->observations, n);
	return cut == 0 ? 0 : p->begins[cut];
}

static int find(struct loom_load_warmup *out, struct pilot *p, const struct loom_topo *topo,
                const struct loom_traffic *traffic, const uint32_t *map, struct loom_err *err)
{
	const uint64_t first = p->options->warmup_cycles + p->options->measure_cycles;
	*out = (struct loom_load_warmup){.cycles = p->options->warmup_cycles};
	for (unsigned times = 1; times <= LOOM_LOAD_PILOT_TIMES && times * first <= LOOM_LOAD_CYCLES_MOST; times *= 2) {
		bool saturated;
		p->cycles = out->pilot_cycles = times * first;
		p->slot_cycles = (p->cycles + SLOTS - 1) / SLOTS;
		int rc = run_all(&saturated, p, topo, traffic, map, err);
		if (rc != 0 || saturated)
			return rc;
		const uint64_t cut = find_cut(p);
		if (TIMES_CUT * cut > p->cycles)
			continue;
		out->cycles = TIMES_CUT * cut;
		out->steady = true;
		return 0;
	}
	return 0;
}

int loom_load_find_warmup(struct loom_load_warmup *out, const struct loom_topo *topo,
                          const struct loom_traffic *traffic, const uint32_t *map,
                          const struct loom_load_options *options, struct loom_err *err)
{
	struct pilot p = {.options = options};
	struct loom_load_warmup found;
	p.slots = calloc(SLOTS, sizeof *p.slots);
	p.observations = calloc(SLOTS, sizeof *p.observations);
	p.begins = calloc(SLOTS, sizeof *p.begins);
	int rc = p.slots && p.observations && p.begins ? loom_load_check(topo, traffic, map, options, err)
	                                               : loom_fail(err, LOOM_ENOMEM, "no memory to find a warm-up");
	if (rc == 0)
		rc = find(&found, &p, topo, traffic, map, err);
	if (rc == 0)
		*out = found;
	free(p.slots);
	free(p.observations);
	free(p.begins);
	return rc;
}
