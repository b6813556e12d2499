// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Plan files of all kinds, in which each value is left out or changed in turn: what is said of each is what it was.
// All that is said of a kind is made one number of; after a change that is meant, the numbers below are those that the
// test prints, and LOOM_SAID=1 prints every line. That what is wrong is refused, test_plan_tampered says.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <jansson.h>
#include <unistd.h>
#include <cmocka.h>

#include <flitloom/plan.h>

#include "unit/help/scratch_folder.h"

enum { FIRST = 2 }; // items of a list that are changed, and the last one

struct kind {
	const char *fabric, *pattern;
	struct loom_plan_options options;
	uint64_t digest;
};

struct said {
	uint64_t digest;
	unsigned n_refused, n_taken;
};

static void add(struct said *s, const char *path, const char *text)
{
	if (getenv("LOOM_SAID"))
		print_message("%s: %s\n", path, text);
	for (const char *c = text; *c; c++)
		s->digest = (s->digest ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
}

static void ask(struct said *s, const json_t *root, const char *path)
{
	char *text = json_dumps(root, JSON_COMPACT);
	struct loom_plan plan;
	struct loom_err err = {0};
	assert_non_null(text);
	if (loom_plan_parse(&plan, text, strlen(text), "FILE", &err) == 0) {
		s->n_taken++;
		add(s, path, "taken");
		loom_plan_free(&plan);
	} else {
		s->n_refused++;
		add(s, path, err.text);
	}
	free(text);
}

// Makes the value that replaces one of the file: of another type, or another number, text or list.
static size_t others_of(json_t **out, const json_t *value)
{
	size_t n = 0;
	out[n++] = json_null();
	out[n++] = json_pack("{s:i}", "x", 1);
	if (json_is_integer(value)) {
		const json_int_t was = json_integer_value(value);
		const json_int_t numbers[] = {was + 1, was - 1, -1, 0, 1 << 20, (json_int_t)1 << 33};
		for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
			if (numbers[k] != was)
				out[n++] = json_integer(numbers[k]);
	} else
		out[n++] = json_integer(3);
	if (!json_is_string(value))
		out[n++] = json_string("x");
	else
		out[n++] = json_string("");
	if (json_is_array(value) && json_array_size(value)) { // one item less, and the first one twice
		json_t *less = json_copy((json_t *)value), *more = json_copy((json_t *)value);
		assert_int_equal(json_array_remove(less, json_array_size(less) - 1), 0);
		assert_int_equal(json_array_insert(more, 0, json_array_get(more, 0)), 0);
		out[n++] = less, out[n++] = more;
	}
	return n;
}

static void change_below(struct said *s, json_t *root, json_t *node, const char *path)
{
	const bool is_list = json_is_array(node);
	const size_t n = is_list ? json_array_size(node) : json_object_size(node);
	void *iterator = is_list ? NULL : json_object_iter(node);
	for (size_t i = 0; i < n; i++) {
		const char *key = is_list ? "" : json_object_iter_key(iterator);
		json_t *child = is_list ? json_array_get(node, i) : json_object_iter_value(iterator), *others[16];
		char below[160];
		if (is_list)
			(void)snprintf(below, sizeof below, "%s/%zu", path, i);
		else
			(void)snprintf(below, sizeof below, "%s/%s", path, key);
		if (!is_list || i < FIRST || i + 1 == n) {
			json_incref(child);
			const size_t n_others = others_of(others, child);
			for (size_t k = 0; k < n_others; k++) {
				(void)(is_list ? json_array_set_new(node, i, others[k])
				               : json_object_iter_set_new(node, iterator, others[k]));
				ask(s, root, below);
			}
			(void)(is_list ? json_array_set_new(node, i, child)
			               : json_object_iter_set_new(node, iterator, child));
			if (json_is_object(child) || json_is_array(child))
				change_below(s, root, child, below);
		}
		iterator = is_list ? NULL : json_object_iter_next(node, iterator);
	}
	if (is_list)
		return;
	json_t *whole = json_copy(node); // its keys do not change while they are left out
	const char *key;
	json_t *child;
	json_object_foreach(whole, key, child) {
		assert_int_equal(json_object_del(node, key), 0);
		ask(s, root, key);
		assert_int_equal(json_object_set(node, key, child), 0);
	}
	json_decref(whole);
}

static void make(struct loom_plan *out, const struct kind *k)
{
	struct loom_topo topo;
	struct loom_pattern pattern;
	struct loom_err err = {0};
	if (loom_topo_parse(&topo, k->fabric, &err))
		fail_msg("%s: %s", k->fabric, err.text);
	const struct loom_pattern_options options = {
		.flits = 5, .seed = 3, .n_dims = topo.n_dims, .extent = topo.extent};
	if (loom_pattern_parse(&pattern, k->pattern, topo.n_nodes, &options, &err) ||
	    loom_plan_make(out, &topo, &pattern, &k->options, &err))
		fail_msg("%s %s: %s", k->fabric, k->pattern, err.text);
	loom_pattern_free(&pattern);
	loom_topo_free(&topo);
}

static void test_all_kinds(void **state)
{
	(void)state;
	static const struct kind kinds[] = {
		{"cube:3", "set:bit-reverse+shuffle", {.objective = "sumsum"}, 0x29a8a05173584740},
		{"cube:2", "all-to-all", {.planner = "exchange"}, 0x947f7383a94d9921},
		{"cube:3", "perm:3,1,0,2,7,6,4,5", {.planner = "two_pass"}, 0xa804e67d455fdb7a},
		{"omega:4", "all-to-all", {.planner = "latin"}, 0x8268df5f7e47e6e1},
		{"romega:8", "uniform:9", {.planner = "min_passes"}, 0x9bccc4f2fcf9f9b4},
		{"mesh:2x3", "uniform:9", {.planner = "mesh"}, 0xf66e0fa9cebdaea7},
		{"ring:5", "random-perm", {.planner = "greedy"}, 0xbd82fba7dc7dcf9d},
		{"line:5", "uniform:5", {.planner = "line", .half_duplex = true}, 0xfb9f4b2ea1658758},
		{"table-mesh:2x3v2", "uniform:6", {.planner = "reroute"}, 0x3616d4fdcc171a9c},
		{"table-mesh:2x3", "shift:1,-1", {.planner = "routes+passes"}, 0xe2c9d6d0650ae7cb},
		{"mesh:3x3", "uniform:6", {.rule = "odd-even", .select = 1}, 0x611208441da2c87b},
		{"mesh:2x3v2", "uniform:6", {.rule = "valiant"}, 0xef5c2de7ed371f1a},
		{"mesh:2x2d1.2", "transpose", {.map = "identity"}, 0x197b8af72cb31b4a},
		{"random:6,3,1", "uniform:6", {.planner = "reroute"}, 0xf835e95069afb44e},
		{"otis-mesh:4", "random-perm", {.planner = "otis"}, 0xa17e9a80aa10d346},
		{"ocs:4", "uniform:6", {.planner = "light", .relay = true}, 0x97afa073005a9ad9},
		{"cube:2", "allreduce:ring", {.planner = "direct"}, 0xe2dfb851e190f261},
	};
	bool is_same = true;
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		struct loom_plan plan;
		struct said s = {0};
		make(&plan, &kinds[i]);
		assert_int_equal(loom_plan_write(&plan, scratch_path("json"), NULL), 0);
		json_t *root = json_load_file(scratch_path("json"), 0, NULL);
		assert_non_null(root);
		assert_int_equal(unlink(scratch_path("json")), 0);
		ask(&s, root, "as it is");
		assert_int_equal(s.n_taken, 1);
		change_below(&s, root, root, "");
		ask(&s, root, "as it was");
		is_same = is_same && s.digest == kinds[i].digest;
		print_message("%s %s: %u refused, %u taken: 0x%016" PRIx64 "\n", kinds[i].fabric, kinds[i].pattern,
		              s.n_refused, s.n_taken, s.digest);
		json_decref(root);
		loom_plan_free(&plan);
	}
	assert_true(is_same);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_all_kinds, scratch_make, scratch_remove),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
