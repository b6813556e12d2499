// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Linear-complement communications on cubes, for which theory gives the number of messages on each channel.
#include <flitloom/math/lcc.h>

#include "e2e.h"

static bool has_theory(const struct loom_topo *topo)
{
	return is_cube(topo) && topo->n_dims >= 2;
}

static void test_random(struct e2e *t, struct rig *rig, struct loom_rng *rng)
{
	unsigned n = rig->topo.n_dims;
	for (unsigned i = 0; i < t->lccs; i++) {
		unsigned rank = loom_rng_below(rng, 2) ? n : (unsigned)loom_rng_below(rng, n);
		bool scatter = loom_rng_below(rng, 3) == 0;
		enum loom_machine machine = any_machine(rng);
		uint32_t flits = 1 + (uint32_t)loom_rng_below(rng, 40);
		uint64_t seed = loom_rng_next(rng) >> 1;
		char spec[32];
		(void)snprintf(spec, sizeof spec, "random-%s:%u", scatter ? "lcs" : "lcc", rank);
		for (int best = 0; best < 2; best++) {
			struct run run = {0};
			if (parse(t, &run, rig, spec, flits, seed) &&
			    check(t, rig_run(rig, &run, best ? "best" : "identity", machine, seed),
			          "%s seed %" PRIu64 " does not run", spec, seed)) {
				check_verdict(t, &run, best ? "LCC, best map" : "LCC, identity", seed);
				check_reference(t, &run, machine, "LCC", seed);
				uint64_t optimum = loom_lcc_optimum(&run.pattern.lccs[0]);
				if (best)
					check(t, run.verdict.measured_contention == optimum,
					      "%s seed %" PRIu64 ": contention %u, optimum %" PRIu64, spec, seed,
					      run.verdict.measured_contention, optimum);
			}
			run_free(&run);
		}
	}
}

static bool is_cube_of_16(const struct loom_topo *topo)
{
	return is_cube(topo) && topo->n_dims == 4;
}

static void test_sets(struct e2e *t, struct rig *rig, struct loom_rng *rng)
{
	static const char *const names[] = {"fft", "example5"};
	(void)rng;
	for (size_t i = 0; i < 2 * sizeof names / sizeof names[0]; i++) {
		struct run run = {0};
		if (parse(t, &run, rig, names[i / 2], 7, 1) &&
		    check(t, rig_run(rig, &run, i % 2 ? "best" : "identity", LOOM_MACHINE_PAPER, i), "%s does not run",
		          names[i / 2]))
			check_verdict(t, &run, "set", i);
		run_free(&run);
	}
}

const struct subject random_lccs = {"random LCCs", has_theory, test_random};
const struct subject lcc_sets = {"sets", is_cube_of_16, test_sets};
