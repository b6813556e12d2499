// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Plan files changed in every place, or cut: refused, unless it is a plan all the same.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <jansson.h>
#include <unistd.h>
#include <cmocka.h>

#include <flitloom/plan.h>

#include "unit/help/plans_by_hand.h"
#include "unit/help/scratch_folder.h"

static json_t *load_json(const struct loom_plan *plan)
{
	assert_int_equal(loom_plan_write(plan, scratch_path("json"), NULL), 0);
	json_t *root = json_load_file(scratch_path("json"), 0, NULL);
	assert_non_null(root);
	assert_int_equal(unlink(scratch_path("json")), 0);
	return root;
}

// Returns the message with which the file is refused; NULL if it is accepted.
static const char *verdict_on(const char *text, size_t length)
{
	static struct loom_err err;
	struct loom_plan plan, before;
	memset(&plan, 0xa5, sizeof plan);
	memcpy(&before, &plan, sizeof plan);
	memset(&err, 0, sizeof err);
	int rc = loom_plan_parse(&plan, text, length, "FILE", &err);
	if (rc == 0) {
		loom_plan_free(&plan);
		return NULL;
	}
	assert_int_equal(rc, LOOM_EINPUT);
	assert_int_equal(err.code, LOOM_EINPUT);
	assert_memory_equal(err.text, "FILE:", 5);
	assert_memory_equal(&plan, &before, sizeof plan);
	return err.text;
}

static const char *verdict_on_json(const json_t *root)
{
	char *text = json_dumps(root, JSON_COMPACT);
	assert_non_null(text);
	const char *verdict = verdict_on(text, strlen(text));
	free(text);
	return verdict;
}

// `path` is keys and indices: "predicted/load/3/2".
static json_t *at(json_t *root, const char *path)
{
	char copy[128], *rest = copy;
	(void)snprintf(copy, sizeof copy, "%s", path);
	for (char *key; root && (key = strsep(&rest, "/"));)
		root = json_is_array(root) ? json_array_get(root, (size_t)atoi(key)) : json_object_get(root, key);
	return root;
}

static void put(json_t *root, const char *path, json_t *value)
{
	char parent[128];
	(void)snprintf(parent, sizeof parent, "%s", path);
	char *slash = strrchr(parent, '/'), *key = slash ? slash + 1 : parent;
	json_t *into = root;
	if (slash) {
		*slash = '\0';
		into = at(root, parent);
	}
	assert_non_null(into);
	if (json_is_array(into))
		assert_int_equal(json_array_set_new(into, (size_t)atoi(key), value), 0);
	else
		assert_int_equal(json_object_set_new(into, key, value), 0);
}

// Every leaf and branch below `node` in turn becomes something of a wrong type; every number, one more and -1.
static unsigned tamper_below(json_t *root, json_t *node, char *path, size_t used)
{
	// Numbers that no prediction can tell: the flits of a message which is not the longest of its pass, the rule of
	// one that takes a single hop or none, a slot that nobody reads from.
	static const char *const free_numbers[] = {
		"messages/3/6", "messages/4/4", "messages/4/6", "messages/5/3", "messages/5/4", "messages/5/6",
	};
	unsigned n = 0;
	const char *key;
	json_t *child;
	size_t i;
	if (json_is_object(node))
		json_object_foreach(node, key, child) {
			(void)snprintf(path + used, 128 - used, "%s%s", used ? "/" : "", key);
			n += tamper_below(root, child, path, strlen(path));
		}
	if (json_is_array(node))
		json_array_foreach(node, i, child) {
			(void)snprintf(path + used, 128 - used, "/%zu", i);
			n += tamper_below(root, child, path, strlen(path));
		}
	path[used] = '\0';
	if (used == 0)
		return n;
	json_t *others[8];
	size_t n_others = 0;
	others[n_others++] = json_true();
	others[n_others++] = json_pack("{s:i}", "x", 1);
	others[n_others++] = json_pack("[[i]]", 1);
	others[n_others++] = json_real(1.0);
	if (!json_is_null(node) && strcmp(path, "predicted/objective") != 0 && strcmp(path, "predicted/theory") != 0)
		others[n_others++] = json_null();
	if (!json_is_string(node))
		others[n_others++] = json_string("1");
	if (json_is_integer(node)) {
		bool is_free = false;
		for (size_t k = 0; k < sizeof free_numbers / sizeof free_numbers[0]; k++)
			is_free = is_free || strcmp(path, free_numbers[k]) == 0;
		if (!is_free)
			others[n_others++] = json_integer(json_integer_value(node) + 1);
		others[n_others++] = json_integer(-1);
	}
	json_incref(node);
	for (size_t k = 0; k < n_others; k++) {
		put(root, path, others[k]);
		if (!verdict_on_json(root))
			fail_msg("taken, although %s is %s", path, json_dumps(at(root, path), JSON_ENCODE_ANY));
		n++;
	}
	put(root, path, node);
	return n;
}

static void test_tampered(void **state)
{
	(void)state;
	struct loom_plan plan = relay_plan(3);
	json_t *root = load_json(&plan);
	char path[128] = "";
	assert_null(verdict_on_json(root));
	plan.lower_bound = loom_plan_contention(&plan);
	put(root, "predicted/lower_bound", json_integer(plan.lower_bound));
	assert_null(verdict_on_json(root));
	unsigned n = tamper_below(root, root, path, 0);
	print_message("%u changes refused\n", n);
	assert_true(n > 400);
	assert_null(verdict_on_json(root)); // all put back

	static const struct {
		const char *path, *value, *says;
	} cases[] = {
		{"flitloom", "\"image\"", "not a plan"},
		{"version", "3", "version 3"},
		{"fabric", "\"cube:4\"", "\"map\" is not a list of 16"},
		{"fabric", "\"cub:3\"", "did you mean \"cube\"?"},
		{"pattern", "\"a\\nb\"", "control character"},
		{"planner", "\"12345678901234567890123456789012\"", "less than 32"},
		{"map", "[1,0,2,3,4,5,6,7]", "the bit order is not that of the map"},
		{"map", "[0,2,1,3,4,6,5,7]", "the bit order is not that of the map"},
		{"map", "[0,1,2,3,4,5,6,6]", "6 is repeated"},
		{"map", "[0,1,2,3,4,5,6,8]", "out of range"},
		{"map", "[0,1,2,3,4,5,6]", "8 numbers"},
		{"order", "null", "the bit order"},
		{"order", "[0,1]", "the bit order"},
		{"order", "[]", "\"order\""},
		{"passes", "0", "passes"},
		{"passes", "1048577", "passes"},
		{"passes", "1048576", "member_of_pass"},
		{"member_of_pass", "[1,1,1]", "member 0 of 2 has no pass"},
		{"member_of_pass", "[0,0,2]", "member 1 of 3 has no pass"},
		{"messages", "[]", "3 passes for 0 messages"},
		{"messages/0", "[0,0,7,9,0,0,3]", "list of 8"},
		{"messages/0", "[0,0,7,9,0,0,3,0,0]", "list of 8"},
		{"messages/0/4", "13", "rule of messages[0]"},
		{"messages/0/4", "4", "all messages of a plan go by one rule"},
		{"messages/0/4", "2", "has no rings"},
		{"messages/0/6", "256", "keep_slot of messages[0]"},
		{"messages/0/3", "4294967296", "flits of messages[0]"},
		{"messages/0/3", "0", "no flits"},
		{"messages/2/7", "1", "slot 3 of processor 7"},
		{"messages/5/4", "1", NULL}, // to itself: no rule shows
		{"predicted/objective", "{\"name\":\"minmax\",\"value\":1}", "maxmax"},
		{"predicted/objective/name", "\"maxmax\"", "the objective"},
		{"predicted/objective", "null", NULL}, // a plan may have no objective
		{"predicted/contention", "7", "contention is predicted as 7"},
		{"predicted/cycles/0", "14", "cycles[0] is predicted as 14, but the messages come to 13"},
		{"predicted/cycles", "[13,13]", "list of 3"},
		{"predicted/members", "[1]", "list of 2"},
		{"predicted/lower_bound", "3", "lower_bound"},
		{"predicted/load", "[]", "\"load\" ends before pass 0, channel 0 (0->1 (dim 0))"},
		{"predicted/load/0/2", "2", "channel 0->1 (dim 0)"},
		{"predicted/theory", "[[0,0,0,0,0],[0,0,0,0,0],[0,0,0,0,0]]", "theory gives channel"},
		{"predicted/theory", "[[1,1,1,1,1],[1,1,1,1,1],[1,1,0,1,1]]", "no channel of it is used"},
		{"predicted/theory", "[[1,1,1,1,1],[1,1,1,1,1]]", "row per pass"},
		{"predicted/theory", "[[1,1,1,1,1],[1,1,1,1,1],[1,0,0,1]]", "list of 5"},
		{"predicted/theory", "[[1,1,1,1,1],[1,1,1,1,1],[1,0,0,1,4294967295]]", "theory[2][4]"},
		{"predicted/theory", "[[1,1,1,1,1],[1,null,1,1,1],[1,0,0,1,1]]", NULL},
		{"extra", "1", "unknown key \"extra\""},
		{"predicted/extra", "1", "unknown key \"extra\""},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		json_t *copy = json_deep_copy(root), *value = json_loads(cases[i].value, JSON_DECODE_ANY, NULL);
		assert_non_null(value);
		put(copy, cases[i].path, value);
		const char *verdict = verdict_on_json(copy);
		if (!verdict != !cases[i].says || (verdict && !strstr(verdict, cases[i].says)))
			fail_msg("%s = %s: \"%s\" instead of \"%s\"", cases[i].path, cases[i].value,
			         verdict ? verdict : "taken", cases[i].says ? cases[i].says : "taken");
		json_decref(copy);
	}
	// Every key is required, except those that files of older programs lack.
	const char *const newest[] = {"half_duplex", "optimal", "passes_proved"};
	const char *const branches[] = {"", "predicted"};
	for (size_t i = 0; i < 2; i++) {
		const char *key;
		json_t *value;
		json_object_foreach(i ? at(root, branches[i]) : root, key, value) {
			json_t *copy = json_deep_copy(root);
			(void)json_object_del(i ? at(copy, branches[i]) : copy, key);
			bool is_new = false;
			for (size_t k = 0; k < sizeof newest / sizeof newest[0]; k++)
				is_new = is_new || strcmp(key, newest[k]) == 0;
			const char *without = verdict_on_json(copy);
			if (!without != is_new)
				fail_msg("without %s: %s", key, without ? without : "taken");
			json_decref(copy);
		}
	}
	json_array_append_new(at(root, "predicted/load"), json_pack("[iii]", 2, 39, 1));
	const char *verdict = verdict_on_json(root);
	assert_non_null(verdict);
	assert_non_null(strstr(verdict, "rows"));
	json_decref(root);
	loom_plan_free(&plan);
}

// Every beginning of a file is no plan; nor is one byte too many, nor a key given twice.
static void test_truncated(void **state)
{
	(void)state;
	struct loom_plan plan = relay_plan(2);
	json_t *root = load_json(&plan);
	char *text = json_dumps(root, JSON_COMPACT);
	size_t length = strlen(text);
	for (size_t n = 0; n < length; n++)
		assert_non_null(verdict_on(text, n));
	assert_null(verdict_on(text, length));
	assert_non_null(verdict_on(text, length + 1)); // the '\0'
	text[length - 1] = ',';
	char *twice = malloc(length + 32);
	assert_non_null(twice);
	(void)sprintf(twice, "%s\"version\":1}", text);
	const char *verdict = verdict_on(twice, strlen(twice));
	assert_non_null(verdict);
	assert_non_null(strstr(verdict, "duplicate"));
	assert_non_null(verdict_on("[]", 2));
	assert_non_null(verdict_on("null", 4));
	assert_non_null(verdict_on("\"plan\"", 6));
	free(twice);
	free(text);
	json_decref(root);
	loom_plan_free(&plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tampered),
		cmocka_unit_test(test_truncated),
	};
	return cmocka_run_group_tests(tests, scratch_make, scratch_remove);
}
