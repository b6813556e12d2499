// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Verilated fabrics against formulas, golden vectors and the slow reference machine: usage
//   e2e [all] [seed=N] [lccs=N] [lists=N] [perms=N] [others=N] [two=N] [programs=N] [reference=N] [SET|FABRIC|FABRIC,adaptive|FABRIC,turns|FABRIC,via|FABRIC,PLANNER[,half][,one-way]...]
// A set is cubes, stages, programs, direct (the networks that are direct but no cubes), delays (random lists where links differ), heavy (random lists under heavy load, by the verdict alone), networks and networks-heavy (the same two of those that others study), adaptive (random lists by each rule and selection), via (random lists through drawn nodes), otis, otis-16,
// otis-heavy, otis-heavy-16, otis-moves, circuits (optical switches), goals (collectives), passes or rows; without one, all of them. On each fabric each subject is tested that it can do: lccs, lists, perms: the number of random linear-complement communications,
// message lists and permutations; others: permutations that do not pass a multistage network in one pass; two: permutations
// in two passes; programs: random programs, each in both timings. Where a planner is named (omega:64,greedy), as in the sets passes and rows, lists and permutations are cut
// into passes by it: passes.c. reference: the slow machine is asked about fabrics of up to N nodes (64).
// all: also the fabrics and cases that take minutes. Prints what fails, then "N passed, N failed".
#include <ctype.h>
#include <inttypes.h>
#include <time.h>

#include "e2e.h"
#include "machine_check.h"

enum when { ALWAYS, SHORT, LONG };

// Building models takes the most time, so the short run has small ones.
static const struct fabric {
	const char *set, *name;
	enum when when;
	const struct subject *only; // NULL: all that it can do
} fabrics[] = {
	{"cubes", "cube:8", ALWAYS, NULL},
	{"cubes", "cube:7", LONG, NULL},
	{"cubes", "cube:6", ALWAYS, NULL},
	{"cubes", "cube:5", ALWAYS, NULL},
	{"cubes", "cube:4", ALWAYS, NULL},
	{"cubes", "cube:3", ALWAYS, NULL},
	{"cubes", "cube:2", ALWAYS, NULL},
	{"cubes", "cube:1", ALWAYS, NULL},
	{"stages", "baseline:2", ALWAYS, NULL},
	{"stages", "baseline:4", ALWAYS, NULL},
	{"stages", "baseline:8", ALWAYS, NULL},
	{"stages", "baseline:16", LONG, NULL},
	{"stages", "baseline:32", LONG, NULL},
	{"stages", "baseline:64", LONG, NULL},
	{"stages", "baseline:256", LONG, &random_lists},
	{"stages", "omega:2", ALWAYS, NULL},
	{"stages", "omega:4", ALWAYS, NULL},
	{"stages", "omega:8", ALWAYS, NULL},
	{"stages", "omega:16", LONG, NULL},
	{"stages", "omega:32", LONG, NULL},
	{"stages", "omega:64", LONG, NULL},
	{"stages", "omega:128", LONG, &all_to_all},
	{"stages", "omega:256", LONG, &all_to_all},
	{"stages", "icube:2", ALWAYS, NULL},
	{"stages", "icube:4", ALWAYS, NULL},
	{"stages", "icube:8", ALWAYS, NULL},
	{"stages", "icube:16", LONG, NULL},
	{"stages", "icube:32", LONG, NULL},
	{"stages", "icube:64", LONG, NULL},
	{"stages", "icube:256", LONG, &random_lists},
	{"stages", "rbaseline:2", ALWAYS, NULL},
	{"stages", "rbaseline:4", ALWAYS, NULL},
	{"stages", "rbaseline:8", ALWAYS, NULL},
	{"stages", "rbaseline:16", LONG, NULL},
	{"stages", "rbaseline:32", LONG, NULL},
	{"stages", "rbaseline:64", LONG, NULL},
	{"stages", "rbaseline:256", LONG, &random_lists},
	{"stages", "romega:2", ALWAYS, NULL},
	{"stages", "romega:4", ALWAYS, NULL},
	{"stages", "romega:8", ALWAYS, NULL},
	{"stages", "romega:16", LONG, NULL},
	{"stages", "romega:32", LONG, NULL},
	{"stages", "romega:64", LONG, NULL},
	{"stages", "romega:256", LONG, &random_lists},
	{"stages", "ricube:2", ALWAYS, NULL},
	{"stages", "ricube:4", ALWAYS, NULL},
	{"stages", "ricube:8", ALWAYS, NULL},
	{"stages", "ricube:16", LONG, NULL},
	{"stages", "ricube:32", LONG, NULL},
	{"stages", "ricube:64", LONG, NULL},
	{"stages", "ricube:256", LONG, &random_lists},
	{"stages", "benes:8", SHORT, NULL},
	{"stages", "benes:64", LONG, NULL},
	{"direct", "line:2", ALWAYS, NULL},
	{"direct", "line:64", LONG, NULL},
	{"direct", "mesh:3x5", ALWAYS, NULL},
	{"direct", "mesh:4x3x2", ALWAYS, NULL},
	{"direct", "mesh:16x16", LONG, NULL},
	{"direct", "cube:3v3", SHORT, &random_lists},
	{"direct", "mesh:4x4v4", SHORT, &random_lists},
	{"direct", "torus:4x4v4", LONG, &random_lists},
	{"direct", "ring:5v3", SHORT, &random_lists},
	{"direct", "line:9v5", LONG, &random_lists},
	{"direct", "cube:4v8", LONG, &random_lists},
	{"direct", "torus:5x3v7", LONG, &random_lists},
	{"direct", "table-mesh:4x4v2", ALWAYS, &chosen_lists},
	{"direct", "table-torus:4x4v2", LONG, &chosen_lists},
	{"direct", "table-cube:4", LONG, &chosen_lists},
	{"direct", "table-torus:3x4v4", LONG, &chosen_lists},
	{"direct", "table-mesh:3x3v3", SHORT, &chosen_lists},
	{"direct", "table-torus:3x3v6", LONG, &chosen_lists},
	{"direct", "table-cube:3v8", LONG, &chosen_lists},
	{"direct", "graph:tests/e2e/graphs/chords.txt:v7", LONG, NULL},
	{"heavy", "ring:16v2", LONG, &heavy_lists},
	{"heavy", "torus:4x4v2", LONG, &heavy_lists},
	{"heavy", "torus:4x4v3", LONG, &heavy_lists},
	{"heavy", "mesh:4x4v6", LONG, &heavy_lists},
	{"heavy", "table-mesh:4x4v2", LONG, &heavy_lists},
	{"otis-heavy", "otis-mesh:4v2", LONG, &heavy_lists},
	{"otis-heavy", "otis-mesh:4l3v2", LONG, &heavy_lists},
	{"otis-heavy", "otis-mesh:4l5w3v2", LONG, &heavy_lists},
	{"otis-heavy-16", "otis-mesh:16l4w2v2", LONG, &heavy_lists},
	{"otis-heavy-16", "otis-mesh:16v2", LONG, &heavy_lists},
	{"otis", "otis-mesh:4", ALWAYS, NULL},
	{"otis", "otis-mesh:4l17w3v2", ALWAYS, NULL},
	{"otis", "otis-mesh:4l5w3v2", LONG, NULL},
	{"otis", "otis-mesh:4l63w16", LONG, NULL},
	{"otis", "otis-mesh:4v2", LONG, NULL},
	{"otis", "otis-mesh:4l3v2", LONG, NULL},
	{"otis", "otis-mesh:4w2", LONG, NULL},
	{"otis-16", "otis-mesh:16l4w2v2", LONG, &random_lists},
	{"otis-16", "otis-mesh:16l4w2v2", LONG, &otis_at_once},
	{"otis-16", "otis-mesh:16v2", LONG, &random_lists},
	{"otis-16", "otis-mesh:16v2", LONG, &otis_at_once},
	{"otis-16", "otis-mesh:16v2", LONG, &otis_distances},
	{"otis-moves", "otis-mesh:4", LONG, &otis_bpc},
	{"otis-moves", "otis-mesh:4", LONG, &otis_any},
	{"otis-moves", "otis-mesh:16", LONG, &otis_bpc},
	{"otis-moves", "otis-mesh:16", LONG, &otis_any},
	{"direct", "ring:3", ALWAYS, NULL},
	{"direct", "ring:8", SHORT, NULL},
	{"direct", "ring:8v2", SHORT, NULL},
	{"direct", "torus:4x4v2", SHORT, NULL},
	{"direct", "graph:tests/e2e/graphs/chords.txt:v2", SHORT, NULL},
	{"direct", "ring:16v2", LONG, NULL},
	{"direct", "graph:tests/e2e/graphs/chords.txt:v4", LONG, NULL},
	{"direct", "graph:tests/e2e/graphs/petersen.dot", LONG, NULL},
	{"direct", "graph:tests/e2e/graphs/petersen.dot:v2", LONG, NULL},
	{"direct", "torus:5x3v2", LONG, NULL},
	{"direct", "torus:4x4x4v2", LONG, NULL},
	{"direct", "ring:64", LONG, NULL},
	{"direct", "torus:2x2", ALWAYS, NULL},
	{"direct", "torus:5x3", ALWAYS, NULL},
	{"direct", "torus:8x8", LONG, NULL},
	{"direct", "torus:4x4x4", LONG, NULL},
	{"delays", "mesh:2x3b4d2.5", SHORT, &random_lists},
	{"delays", "mesh:3x3v3d0.3r2", SHORT, &random_lists},
	{"delays", "mesh:2x2x3d1.2.3", LONG, &random_lists},
	{"delays", "torus:3x3v2d0.0.4", LONG, &random_lists},
	{"delays", "torus:3x4v2b3d1.2.7", SHORT, &random_lists},
	{"delays", "cube:3d1.0.3r1", SHORT, &random_lists},
	{"delays", "cube:4v2b5d0.1.2.3", LONG, &random_lists},
	{"delays", "ring:5v2d1.7", LONG, &random_lists},
	{"delays", "table-mesh:3x3v2b4d3.1", SHORT, &random_lists},
	{"delays", "table-torus:3x4v4b2d5.0.1", LONG, &random_lists},
	{"delays", "graph:tests/e2e/graphs/slow.txt:v2:b3", SHORT, &random_lists},
	{"delays", "graph:tests/e2e/graphs/slow.txt:v4:b5:r1", LONG, &random_lists},
	{"delays", "dragonfly:2,1,1v2d1.5.2", SHORT, &random_lists},
	{"delays", "fat-tree:2,2b3d1.4", SHORT, &random_lists},
	{"delays", "hyperx:2x3b4d2.5r1", LONG, &random_lists},
	{"delays", "twisted-torus:2x3v4d1.3", LONG, &random_lists},
	{"delays", "slim-fly:3v2d1.4", LONG, &random_lists},
	{"networks", "twisted-torus:4x4v2", LONG, &random_lists},
	{"networks", "twisted-torus:4x4x4v2", LONG, &random_lists},
	{"networks", "hyperx:4x4", LONG, &random_lists},
	{"networks", "hyperx:3x3x3v2", LONG, &random_lists},
	{"networks", "dragonfly:4,2", LONG, &random_lists},
	{"networks", "dragonfly:2,1,2v2", LONG, &random_lists},
	{"networks", "fat-tree:2,3", LONG, &random_lists},
	{"networks", "fat-tree:3,2v2", LONG, &random_lists},
	{"networks", "slim-fly:3v2", LONG, &random_lists},
	{"networks", "slim-fly:5", LONG, &random_lists},
	{"networks", "random:16,3,1v2", LONG, &random_lists},
	{"networks", "random:64,4,1v2", LONG, &random_lists},
	{"networks", "graph:tests/e2e/graphs/switches.txt:v2", LONG, &random_lists},
	{"networks-heavy", "twisted-torus:4x4v2", LONG, &heavy_lists},
	{"networks-heavy", "dragonfly:2,1,2v2", LONG, &heavy_lists},
	{"networks-heavy", "slim-fly:3v2", LONG, &heavy_lists},
	{"networks-heavy", "fat-tree:2,3", LONG, &heavy_lists},
	{"adaptive", "mesh:4x4d1.3", LONG, &adaptive_lists},
	{"adaptive", "cube:3", ALWAYS, &adaptive_lists},
	{"adaptive", "mesh:4x4v2", SHORT, &adaptive_lists},
	{"adaptive", "cube:4", LONG, &adaptive_lists},
	{"adaptive", "cube:3v2", LONG, &adaptive_lists},
	{"adaptive", "mesh:4x4", LONG, &adaptive_lists},
	{"adaptive", "mesh:3x5b4", LONG, &adaptive_lists},
	{"adaptive", "mesh:4x4d2", LONG, &adaptive_lists},
	{"adaptive", "mesh:3x2x3", LONG, &adaptive_lists},
	{"adaptive", "torus:4x4v2", LONG, &adaptive_lists},
	{"adaptive", "torus:5x3v3", LONG, &adaptive_lists},
	{"adaptive", "line:6v2", LONG, &adaptive_lists},
	{"adaptive", "ring:6v4", LONG, &adaptive_lists},
	{"turns", "mesh:3x3", ALWAYS, &turn_lists},
	{"turns", "random:8,3,1", SHORT, &turn_lists},
	{"turns", "cube:3v2", LONG, &turn_lists},
	{"turns", "cube:4", LONG, &turn_lists},
	{"turns", "mesh:4x4v2", LONG, &turn_lists},
	{"turns", "mesh:3x5b4", LONG, &turn_lists},
	{"turns", "mesh:3x2x3d2", LONG, &turn_lists},
	{"turns", "torus:4x4", LONG, &turn_lists},
	{"turns", "table-mesh:3x4v2", LONG, &turn_lists},
	{"turns", "random:16,4,1v2", LONG, &turn_lists},
	{"via", "mesh:4x4v2", SHORT, &via_lists},
	{"via", "cube:3v2", LONG, &via_lists},
	{"via", "cube:4v4", LONG, &via_lists},
	{"via", "mesh:3x5v4b3", LONG, &via_lists},
	{"via", "mesh:4x4v2d2", LONG, &via_lists},
	{"via", "mesh:3x2x3v2", LONG, &via_lists},
	{"via", "torus:4x4v4", LONG, &via_lists},
	{"via", "torus:5x3v6", LONG, &via_lists},
	{"via", "line:6v2", LONG, &via_lists},
	{"via", "ring:6v4", LONG, &via_lists},
	{"circuits", "ocs:8", ALWAYS, &circuits},
	{"circuits", "ocs:8x2", ALWAYS, &circuits},
	{"circuits", "ocs-benes:8", ALWAYS, &circuits},
	{"circuits", "ocs-benes:4x2", LONG, &circuits},
	{"circuits", "ocs-benes:16", LONG, &circuits},
	{"circuits", "ocs-benes:64", LONG, &circuits},
	{"circuits", "ocs:16", LONG, &circuits},
	{"circuits", "ocs:64", LONG, &circuits},
	{"goals", "cube:3", ALWAYS, &collectives},
	{"goals", "cube:4", LONG, &collectives},
	{"goals", "mesh:4x4", LONG, &collectives},
	{"goals", "omega:16", LONG, &collectives},
	{"goals", "cube:6", LONG, &collectives},
	{"passes", "mesh:3x5,mesh", SHORT, NULL},
	{"passes", "torus:5x3,torus", SHORT, NULL},
	{"passes", "torus:2x2,greedy", SHORT, NULL},
	{"passes", "cube:3,greedy", SHORT, NULL},
	{"passes", "omega:8,greedy", SHORT, NULL},
	{"passes", "mesh:8x8,mesh", LONG, &perms_in_passes},
	{"passes", "mesh:5x8,mesh", LONG, &perms_in_passes},
	{"passes", "mesh:16x16,mesh", LONG, &perms_in_passes},
	{"passes", "torus:8x8,torus", LONG, &perms_in_passes},
	{"passes", "torus:8x16,torus", LONG, &perms_in_passes},
	{"passes", "mesh:8x8,greedy", LONG, NULL},
	{"passes", "torus:8x8,greedy", LONG, NULL},
	{"passes", "cube:6,greedy", LONG, NULL},
	{"passes", "cube:8,greedy", LONG, &perms_in_passes},
	{"passes", "omega:64,greedy", LONG, &lists_in_passes},
	{"programs", "cube:4", ALWAYS, &programs},
	{"programs", "omega:8", SHORT, &programs},
	{"programs", "omega:16", LONG, &programs},
	{"programs", "mesh:3x5", LONG, &programs},
	{"programs", "ring:8v2", LONG, &programs},
	{"programs", "otis-mesh:4l4v2", LONG, &programs},
	{"rows", "line:7,line", SHORT, &perms_in_passes},
	{"rows", "line:7,line,half", SHORT, &perms_in_passes},
	{"rows", "ring:7,ring", SHORT, &perms_in_passes},
	{"rows", "ring:7,ring,one-way", SHORT, &perms_in_passes},
	{"rows", "line:7,line", LONG, &all_perms_in_passes},
	{"rows", "line:7,line,half", LONG, &all_perms_in_passes},
	{"rows", "ring:7,ring", LONG, &all_perms_in_passes},
	{"rows", "ring:7,ring,one-way", LONG, &all_perms_in_passes},
	{"rows", "line:64,line", LONG, &perms_in_passes},
	{"rows", "line:64,line,half", LONG, &perms_in_passes},
	{"rows", "ring:64,ring", LONG, &perms_in_passes},
	{"rows", "ring:64,ring,one-way", LONG, &perms_in_passes},
};

static const struct subject *const subjects[] = {
	&golden_tables, &golden_lccs,  &golden_wormhole, &lcc_sets,       &random_lccs,  &random_lists,
	&random_perms,  &chosen_lists, &relays,          &two_passes,     &all_to_all,   &admissible,
	&back_to_back,  &waveform,     &many_links,      &otis_distances, &otis_at_once, &otis_one_lane,
	&otis_again,    &otis_bpc,     &otis_any,        &streams,        &circuits,
};

// The subjects if a planner is named.
static const struct subject *const subjects_by_planner[] = {&perms_in_passes, &lists_in_passes};

// Makes a seed from the seed of the run, the fabric and the subject: the same three give the same tests, whatever else
// is run.
static uint64_t seed_of(uint64_t seed, const char *fabric, const char *subject)
{
	for (const char *c = fabric; *c; c++)
		seed = (seed ^ (uint8_t)*c) * UINT64_C(0x100000001b3);
	for (const char *c = subject; *c; c++)
		seed = (seed ^ (uint8_t)*c) * UINT64_C(0x100000001b3);
	return seed;
}

static void test_subject(struct e2e *t, struct rig *rig, const char *name, const struct subject *s)
{
	struct loom_rng rng;
	time_t start = time(NULL);
	unsigned passed = t->passed;
	// On circuit switches only subject `circuits` runs: messages of other subjects have no schedule.
	if (!s->serves(&rig->topo) || (circuits.serves(&rig->topo) && s != &circuits))
		return;
	loom_rng_init(&rng, seed_of(t->seed, name, s->name));
	s->test(t, rig, &rng);
	fprintf(stderr, "e2e: %s, %s: %u checks passed, %u failed, %ld s\n", name, s->name, t->passed - passed,
	        t->failed, (long)(time(NULL) - start));
}

// Runs the subjects on a fabric. `name`: the fabric, with or without a planner or a sort of routers after it.
static void test_fabric(struct e2e *t, const char *name, const struct subject *only)
{
	const char *comma = strchr(name, ',');
	while (comma && isdigit((unsigned char)comma[1])) // a comma of the fabric's name: dragonfly:4,2
		comma = strchr(comma + 1, ',');
	const struct subject *const *all = comma ? subjects_by_planner : subjects;
	size_t n = comma ? sizeof subjects_by_planner / sizeof *all : sizeof subjects / sizeof *all;
	char fabric[LOOM_TOPO_NAME];
	struct rig rig;
	if (comma && strcmp(comma, ",adaptive") == 0)
		only = &adaptive_lists;
	if (comma && strcmp(comma, ",via") == 0)
		only = &via_lists;
	if (comma && strcmp(comma, ",turns") == 0)
		only = &turn_lists;
	const enum routers routers = only == &adaptive_lists ? ROUTERS_THAT_CHOOSE
	                             : only == &via_lists    ? ROUTERS_BY_WAY
	                             : only == &turn_lists   ? ROUTERS_BY_TURNS
	                                                     : ROUTERS_USUAL;
	(void)snprintf(fabric, sizeof fabric, "%.*s", comma ? (int)(comma - name) : (int)strlen(name), name);
	t->by = comma && routers == ROUTERS_USUAL ? comma + 1 : NULL;
	if (!rig_open_with(&rig, fabric, routers)) {
		t->failed++;
		return;
	}
	if (only)
		test_subject(t, &rig, name, only);
	for (size_t i = 0; i < n && !only; i++)
		test_subject(t, &rig, name, all[i]);
	rig_close(&rig);
}

static bool number(const char *text, const char *name, unsigned *out)
{
	size_t length = strlen(name);
	if (strncmp(text, name, length) != 0 || text[length] != '=')
		return false;
	*out = (unsigned)strtoul(text + length + 1, NULL, 0);
	return true;
}

// Tests a set or a fabric; NULL: everything.
static void test_named(struct e2e *t, const char *name)
{
	bool is_set = !name;
	for (size_t i = 0; i < sizeof fabrics / sizeof fabrics[0]; i++)
		if (!name || !strcmp(name, fabrics[i].set)) {
			is_set = true;
			if (fabrics[i].when != (t->all ? SHORT : LONG))
				test_fabric(t, fabrics[i].name, fabrics[i].only);
		}
	if (!is_set)
		test_fabric(t, name, NULL);
}

int main(int argc, char **argv)
{
	uint64_t compared[3];
	struct e2e t = {.seed = 1,
	                .lccs = 6,
	                .lists = 20,
	                .perms = 20,
	                .others = 50,
	                .two = 40,
	                .programs = 40,
	                .reference = 64};
	unsigned seed = 1;
	int n_names = 0;
	(void)setvbuf(stdout, NULL, _IOLBF, 0);
	for (int i = 1; i < argc; i++) {
		bool is_option = number(argv[i], "seed", &seed) || number(argv[i], "lccs", &t.lccs) ||
		                 number(argv[i], "lists", &t.lists) || number(argv[i], "perms", &t.perms) ||
		                 number(argv[i], "others", &t.others) || number(argv[i], "two", &t.two) ||
		                 number(argv[i], "programs", &t.programs) || number(argv[i], "reference", &t.reference);
		if (!strcmp(argv[i], "all"))
			t.all = true;
		else if (!is_option)
			argv[n_names++] = argv[i];
	}
	t.seed = seed;
	for (int i = 0; i < (n_names ? n_names : 1); i++)
		test_named(&t, n_names ? argv[i] : NULL);
	printf("e2e: seed %u; on each fabric %u LCCs, %u lists, %u permutations, %u that do not pass, %u in two "
	       "passes\n",
	       seed, t.lccs, t.lists, t.perms, t.others, t.two);
	machine_compared(compared);
	fprintf(stderr,
	        "e2e: the machine and the RTL: %" PRIu64 " runs, %" PRIu64 " messages, %" PRIu64 " counts compared\n",
	        compared[0], compared[1], compared[2]);
	printf("%u passed, %u failed\n", t.passed, t.failed);
	return t.failed ? 1 : 0;
}
