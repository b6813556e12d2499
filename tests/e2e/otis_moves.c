// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Moves on the OTIS-Mesh by planner otis: BPC permutations (in the long run all 384 of 16 processors) and any others.
// Every item must arrive intact, each pass must be a move of the SIMD machine of [Sahni97], and the counters of the
// links must show the planned moves.
#include "e2e.h"
#include "topo/topo_otis.h"

#define BITS_MOST 10

// Moves need no virtual channels.
static bool is_otis_for_moves(const struct loom_topo *topo)
{
	return topo->kind->router == LOOM_ROUTER_OTIS && topo->n_vcs == 1;
}

struct moves {
	unsigned electronic, optical, idle, wrong; // passes; idle: nothing moved; wrong: both, or no SIMD move
};

// Counts what one pass did by the messages on each channel: one direction, the same in all groups, and one message to a
// channel at most.
static void count_pass(struct moves *m, const struct loom_topo *t, const uint32_t *worms)
{
	bool used[LOOM_OTIS_OPTICAL + 1] = {false}, crowded = false;
	unsigned n_electronic = 0;
	for (uint32_t u = 0; u < t->n_nodes; u++)
		for (unsigned p = 0; p <= LOOM_OTIS_OPTICAL; p++) {
			uint32_t n = worms[u * loom_topo_channels_per_tile(t) + p];
			used[p] = used[p] || n;
			crowded = crowded || n > 1;
		}
	for (unsigned p = 0; p < LOOM_OTIS_OPTICAL; p++)
		n_electronic += used[p];
	m->wrong += crowded || n_electronic + used[LOOM_OTIS_OPTICAL] > 1;
	m->idle += n_electronic + used[LOOM_OTIS_OPTICAL] == 0;
	m->electronic += n_electronic > 0;
	m->optical += used[LOOM_OTIS_OPTICAL];
}

static struct moves count_moves(const struct run *run, bool measured)
{
	uint32_t n = loom_topo_channels(&run->plan.topo);
	uint32_t *worms = calloc(n, sizeof *worms);
	struct moves m = {0};
	if (!worms)
		abort();
	for (uint32_t pass = 0; pass < run->plan.n_passes; pass++) {
		for (uint32_t c = 0; c < n; c++)
			worms[c] = measured ? run->trace.counts[(size_t)pass * n + c].worms
			                    : run->plan.load[(size_t)pass * n + c];
		count_pass(&m, &run->plan.topo, worms);
	}
	free(worms);
	return m;
}

// The verdict says whether all that was to be delivered was, and intact. Returns the optical moves.
static unsigned run_moves(struct e2e *t, struct rig *rig, const char *spec, uint64_t seed, enum loom_machine machine)
{
	struct run run = {0};
	unsigned optical = 0;
	if (parse(t, &run, rig, spec, 1 + (uint32_t)(seed % 9), seed) && plan(t, &run, rig, "otis", "identity") &&
	    check(t, rig_run_plan(rig, &run, machine, seed), "%s does not run on %s", spec, rig->fabric)) {
		struct moves planned = count_moves(&run, false), measured = count_moves(&run, true);
		check_verdict(t, &run, spec, seed);
		check(t, run.verdict.blocked_cycles == 0, "%s on %s: headers waited", spec, rig->fabric);
		check(t, planned.wrong == 0 && measured.wrong == 0, "%s on %s: %u passes are no moves", spec,
		      rig->fabric, measured.wrong);
		check(t, measured.idle == 0 || run.plan.n_passes == 1, "%s on %s: nothing moves in %u passes", spec,
		      rig->fabric, measured.idle);
		check(t, planned.electronic == measured.electronic && planned.optical == measured.optical,
		      "%s on %s: %u electronic and %u optical moves instead of %u and %u", spec, rig->fabric,
		      measured.electronic, measured.optical, planned.electronic, planned.optical);
		const struct loom_move_counts *told = &run.verdict.measured_moves;
		check(t, told->electronic == measured.electronic && told->otis == measured.optical,
		      "%s on %s: the verdict tells of %u and %u moves", spec, rig->fabric, told->electronic,
		      told->otis);
		optical = measured.optical;
	}
	run_free(&run);
	return optical;
}

static void write_bpc(char out[80], const uint32_t *bit, uint32_t signs, unsigned n)
{
	size_t used = (size_t)sprintf(out, "bpc:[");
	for (unsigned k = 0; k < n; k++)
		used += (size_t)sprintf(out + used, "%s%s%u", k ? "," : "", signs >> k & 1 ? "-" : "", bit[k]);
	(void)sprintf(out + used, "]");
}

static void test_bpc(struct e2e *t, struct rig *rig, struct loom_rng *rng)
{
	uint32_t bit[BITS_MOST];
	unsigned n = rig->topo.label_bits, n_run = 0;
	bool every = t->all && n == 4;
	char spec[80];
	for (uint32_t k = 0; k < n; k++)
		bit[k] = k;
	for (bool more = true; more && n_run < (every ? 384 : t->lccs);) {
		if (!every)
			shuffle(rng, bit, n);
		for (uint32_t signs = 0; signs < (every ? 16u : 1u); signs++, n_run++) {
			write_bpc(spec, bit, every ? signs : (uint32_t)loom_rng_below(rng, UINT64_C(1) << n), n);
			(void)run_moves(t, rig, spec, n_run, any_machine(rng));
		}
		more = !every || next_permutation(bit, n);
	}
	check(t, !every || n_run == 384, "%s: %u BPC permutations", rig->fabric, n_run);
	fprintf(stderr, "e2e: %s, moves: %u BPC permutations\n", rig->fabric, n_run);
}

// Three local permutations with light between them: two optical moves at most.
static void test_any(struct e2e *t, struct rig *rig, struct loom_rng *rng)
{
	for (unsigned i = 0; i < t->perms; i++) {
		unsigned optical = run_moves(t, rig, "random-perm", loom_rng_next(rng) >> 1, any_machine(rng));
		check(t, optical <= 2, "%s: %u optical moves", rig->fabric, optical);
	}
}

const struct subject otis_bpc = {"BPC permutations by moves", is_otis_for_moves, test_bpc};
const struct subject otis_any = {"random permutations by moves", is_otis_for_moves, test_any};
