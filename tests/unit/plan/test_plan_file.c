// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Plans written to files and read again.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include <jansson.h>

#include <flitloom/plan.h>
#include <flitloom/routes/failures.h>

#include "base/rng.h"
#include "unit/help/plans_by_hand.h"
#include "unit/help/scratch_folder.h"

static void assert_same_plan(const struct loom_plan *a, const struct loom_plan *b)
{
	uint32_t n_channels = loom_topo_channels(&a->topo);
	assert_ptr_equal(a->topo.kind, b->topo.kind);
	assert_string_equal(a->topo.name, b->topo.name);
	assert_int_equal(a->topo.n_nodes, b->topo.n_nodes);
	assert_int_equal(a->topo.ports, b->topo.ports);
	assert_string_equal(a->pattern, b->pattern);
	assert_string_equal(a->planner, b->planner);
	assert_int_equal(a->n_passes, b->n_passes);
	assert_int_equal(a->n_messages, b->n_messages);
	for (size_t i = 0; i < a->n_messages; i++) {
		const struct loom_plan_message *x = &a->messages[i], *y = &b->messages[i];
		assert_int_equal(x->pass, y->pass);
		assert_int_equal(x->source, y->source);
		assert_int_equal(x->destination, y->destination);
		assert_int_equal(x->flits, y->flits);
		assert_int_equal(x->rule, y->rule);
		assert_int_equal(x->from_slot, y->from_slot);
		assert_int_equal(x->keep_slot, y->keep_slot);
		assert_int_equal(x->origin, y->origin);
	}
	assert_memory_equal(a->map, b->map, a->topo.n_nodes * sizeof *a->map);
	assert_int_equal(a->n_order, b->n_order);
	assert_memory_equal(a->order, b->order, a->n_order * sizeof *a->order);
	assert_memory_equal(a->load, b->load, (size_t)a->n_passes * n_channels * sizeof *a->load);
	assert_memory_equal(a->cycles, b->cycles, a->n_passes * sizeof *a->cycles);
	assert_int_equal(a->lower_bound, b->lower_bound);
	assert_string_equal(a->objective, b->objective);
	assert_int_equal(a->objective_value, b->objective_value);
	assert_int_equal(a->n_members, b->n_members);
	assert_memory_equal(a->member_contention, b->member_contention, a->n_members * sizeof *a->member_contention);
	assert_memory_equal(a->member_of_pass, b->member_of_pass, a->n_passes * sizeof *a->member_of_pass);
	assert_int_equal(a->n_theory, b->n_theory);
	if (a->n_theory)
		assert_memory_equal(a->theory, b->theory, a->n_theory * sizeof *a->theory);
}

static void round_trip(const struct loom_plan *plan)
{
	struct loom_plan back;
	struct loom_err err = {0};
	const char *path = scratch_path("plan.json");
	if (loom_plan_write(plan, path, &err) != 0 || loom_plan_read(&back, path, &err) != 0)
		fail_msg("%s", err.text);
	assert_same_plan(plan, &back);
	assert_int_equal(scratch_files(), 1);
	assert_int_equal(unlink(path), 0);
	loom_plan_free(&back);
}

static void test_round_trips(void **state)
{
	(void)state;
	static char map[1024 * 6];
	struct loom_rng rng;
	uint64_t seed = 7;
	print_message("seed %llu\n", (unsigned long long)seed);
	loom_rng_init(&rng, seed);
	for (unsigned n = 1; n <= 10; n++) {
		struct loom_topo t = cube_of(n);
		for (unsigned round = 0; round < 4; round++) {
			uint32_t n_members = 1 + round % 2;
			size_t n_messages = round ? 2u << (3 * round) : 0;
			struct loom_pattern p = pattern_by_hand(&rng, t.n_nodes, n_messages, n_members);
			map_by_chance(&rng, &t, map);
			const char *objective = round == 3 ? "sumsum" : NULL;
			struct loom_plan plan = make_plan(&t, &p, round < 2 ? map : NULL, "direct", objective);
			round_trip(&plan);
			loom_plan_free(&plan);
			loom_pattern_free(&p);
		}
		if (n >= 2) {
			struct loom_plan relays = relay_plan(n);
			round_trip(&relays);
			loom_plan_free(&relays);
		}
	}
	// With an order, theory and a bound of its own: what the planner of linear-complement communications makes.
	static const char *const specs[] = {"bit-reverse", "transpose", "random-lcc:3", "random-lcc:5", "identity"};
	struct loom_lcc set[sizeof specs / sizeof specs[0]];
	for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
		struct loom_pattern p;
		struct loom_err err = {0};
		struct loom_topo t = cube_of(6);
		if (loom_pattern_parse(&p, specs[i], 64, &(struct loom_pattern_options){.flits = 17, .seed = 5},
		                       &err) != 0)
			fail_msg("%s: %s", specs[i], err.text);
		assert_int_equal(p.n_lccs, 1);
		set[i] = p.lccs[0];
		struct loom_plan plan = make_plan(&t, &p, "best", "lcc", NULL);
		assert_true(plan.n_theory > 0);
		check_prediction(&plan, i);
		round_trip(&plan);
		loom_plan_free(&plan);
		loom_pattern_free(&p);
	}
	static const char *const objectives[] = {"maxmax", "maxsum", "sumsum"};
	for (size_t i = 0; i < 3; i++) {
		struct loom_pattern p;
		struct loom_topo t = cube_of(6);
		assert_int_equal(loom_pattern_from_lccs(&p, "a set", set, sizeof set / sizeof set[0], 17, NULL), 0);
		struct loom_plan plan = make_plan(&t, &p, "best", NULL, objectives[i]);
		assert_string_equal(plan.planner, "lcc_set");
		assert_string_equal(plan.objective, objectives[i]);
		check_prediction(&plan, i);
		round_trip(&plan);
		struct loom_plan direct = make_plan(&t, &p, NULL, "direct", objectives[i]);
		assert_true(direct.objective_value >= plan.objective_value);
		loom_plan_free(&direct);
		loom_plan_free(&plan);
		loom_pattern_free(&p);
	}
}

static void test_strange_names(void **state)
{
	(void)state;
	static const char *const names[][2] = {
		{"quote \" and \\", "quote \" and \\"},
		{"caf\xc3\xa9", "caf\xc3\xa9"},
		{"caf\xe9", "caf?"},
		{"cut caf\xc3", "cut caf?"},
		{"line\nfeed\x1b[31m\x7f", "line?feed?[31m?"},
		{"", ""},
	};
	struct loom_plan plan = relay_plan(3), back;
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		(void)snprintf(plan.pattern, sizeof plan.pattern, "%s", names[i][0]);
		assert_int_equal(loom_plan_write(&plan, scratch_path("name.json"), NULL), 0);
		assert_int_equal(loom_plan_read(&back, scratch_path("name.json"), NULL), 0);
		assert_string_equal(back.pattern, names[i][1]);
		loom_plan_free(&back);
	}
	assert_int_equal(unlink(scratch_path("name.json")), 0);
	loom_plan_free(&plan);
}

static void test_files(void **state)
{
	(void)state;
	struct loom_plan plan = relay_plan(10), back;
	struct loom_err err = {0};
	struct stat info;
	char link_path[256], good[256];
	(void)snprintf(good, sizeof good, "%s", scratch_path("good.json"));
	(void)snprintf(link_path, sizeof link_path, "%s", scratch_path("link.json"));

	memset(&back, 0xa5, sizeof back);
	assert_int_equal(loom_plan_read(&back, scratch_path("none.json"), &err), LOOM_EFILE);
	assert_non_null(strstr(err.text, "No such file"));
	assert_int_equal(loom_plan_read(&back, scratch_folder(), &err), LOOM_EFILE);
	assert_int_equal(loom_plan_read(&back, "/dev/null", &err), LOOM_EINPUT);
	assert_int_equal(loom_plan_write(&plan, scratch_path("none/plan.json"), &err), LOOM_EFILE);
	assert_int_equal(loom_plan_write(&plan, scratch_folder(), &err), LOOM_EFILE);
	assert_int_equal(loom_plan_write(&plan, "/dev/full", &err), LOOM_EFILE);
	assert_non_null(strstr(err.text, "No space left"));
	assert_int_equal(loom_plan_write(&plan, "/dev/null", &err), 0);
	assert_int_equal(stat("/dev/null", &info), 0);
	assert_true(S_ISCHR(info.st_mode)); // written to, not replaced
	assert_int_equal(scratch_files(), 0);

	// Replaced as a whole, also behind a link, with the access rights it had.
	assert_int_equal(loom_plan_write(&plan, good, &err), 0);
	assert_int_equal(chmod(good, 0640), 0);
	assert_int_equal(symlink("good.json", link_path), 0);
	plan.lower_bound = 0;
	assert_int_equal(loom_plan_write(&plan, link_path, &err), 0);
	assert_int_equal(lstat(link_path, &info), 0);
	assert_true(S_ISLNK(info.st_mode));
	assert_int_equal(stat(good, &info), 0);
	assert_int_equal(info.st_mode & 0777, 0640);
	assert_int_equal(loom_plan_read(&back, good, &err), 0);
	assert_int_equal(back.lower_bound, 0);
	loom_plan_free(&back);
	assert_int_equal(unlink(link_path), 0);

	// The disk is full half way: the old file is as it was, and nothing else is left.
	struct rlimit limit, small;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	small = limit;
	small.rlim_cur = 5000;
	void (*handler)(int) = signal(SIGXFSZ, SIG_IGN);
	plan.lower_bound = 1;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	int rc = loom_plan_write(&plan, good, &err);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	(void)signal(SIGXFSZ, handler);
	assert_int_equal(rc, LOOM_EFILE);
	assert_non_null(strstr(err.text, "too large"));
	assert_int_equal(scratch_files(), 1);
	assert_int_equal(loom_plan_read(&back, good, &err), 0);
	assert_int_equal(back.lower_bound, 0);
	loom_plan_free(&back);
	assert_int_equal(unlink(good), 0);
	loom_plan_free(&plan);
}

// The links that failed come back in ascending order, and are read in no other.
static void test_failed(void **state)
{
	(void)state;
	struct loom_topo whole, t;
	struct loom_failures f;
	struct loom_pattern pattern;
	struct loom_plan plan, back;
	struct loom_err err = {0};
	const struct loom_pattern_options options = {.flits = 3, .seed = 5};
	assert_int_equal(loom_topo_parse(&whole, "table-mesh:4x4v2", &err), 0);
	assert_int_equal(loom_failures_parse(&f, &whole, "0->1,5->6,9->10", &err), 0);
	assert_int_equal(loom_topo_without(&t, &whole, &f, 0, &err), 0);
	assert_int_equal(loom_pattern_parse(&pattern, "uniform:20", 16, &options, &err), 0);
	if (loom_plan_make(&plan, &t, &pattern, NULL, &err) != 0)
		fail_msg("%s", err.text);
	round_trip(&plan);
	const char *path = scratch_path("failed.json");
	assert_int_equal(loom_plan_write(&plan, path, &err), 0);
	json_t *root = json_load_file(path, 0, NULL),
	       *links = json_object_get(json_object_get(root, "failed"), "links");
	assert_int_equal(json_array_size(links), 3);
	json_t *second = json_incref(json_array_get(links, 1));
	assert_int_equal(json_array_set(links, 1, json_array_get(links, 0)), 0); // two alike do not rise
	assert_int_equal(json_dump_file(root, path, 0), 0);
	assert_int_equal(loom_plan_read(&back, path, &err), LOOM_EINPUT);
	assert_non_null(strstr(err.text, "links of \"failed\" do not rise"));
	assert_int_equal(json_array_set_new(links, 1, second), 0);
	assert_int_equal(json_dump_file(root, path, 0), 0);
	assert_int_equal(loom_plan_read(&back, path, &err), 0);
	loom_plan_free(&back);
	assert_int_equal(unlink(path), 0);
	json_decref(root);
	loom_plan_free(&plan);
	loom_pattern_free(&pattern);
	loom_failures_free(&f);
	loom_topo_free(&t);
	loom_topo_free(&whole);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trips),
		cmocka_unit_test(test_strange_names),
		cmocka_unit_test(test_files),
		cmocka_unit_test(test_failed),
	};
	return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
