// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Long lists: what is taken out is what was put in, whatever the order of the file; runs of them against plans of the same list; a chip that
// goes wrong; files that are none.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include <flitloom/long_list.h>
#include <flitloom/run.h>

#include "base/rng.h"
#include "traffic/long_list.h"
#include "unit/help/stream_link.h"

static char *write_text(const char *text, size_t length)
{
	static char path[] = "/tmp/loom_long_XXXXXX";
	memcpy(path + sizeof path - 7, "XXXXXX", 6);
	const int fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, length), (ssize_t)length);
	close(fd);
	return path;
}

struct sent {
	uint32_t source;
	struct loom_long_message message;
};

// A list in one of three orders: at random, by source, by source from behind. Blocks of both whole and odd numbers.
static struct sent *make_list(char **path, size_t n, uint32_t n_nodes, unsigned order, struct loom_rng *rng)
{
	struct sent *list = calloc(n + 1, sizeof *list);
	char *text = malloc(n * 48 + 64);
	size_t used = (size_t)sprintf(text, "source,destination,flits,release\n");
	for (size_t i = 0; i < n; i++) {
		const uint32_t by_order = (uint32_t)(i * n_nodes / n);
		list[i] = (struct sent){.source = order == 0   ? (uint32_t)loom_rng_below(rng, n_nodes)
		                                  : order == 1 ? by_order
		                                               : n_nodes - 1 - by_order,
		                        .message = {(uint32_t)loom_rng_below(rng, n_nodes),
		                                    1 + (uint32_t)loom_rng_below(rng, 4),
		                                    (uint32_t)loom_rng_below(rng, 3 * n)}};
		used += (size_t)sprintf(text + used, "%u,%u,%u,%u\n", list[i].source, list[i].message.destination,
		                        list[i].message.flits, list[i].message.release);
		if (loom_rng_below(rng, 20) == 0)
			used += (size_t)sprintf(text + used, "# a comment, and a line without anything\n\n");
	}
	*path = write_text(text, used);
	free(text);
	return list;
}

static void test_take(void **unused)
{
	(void)unused;
	static const size_t sizes[] = {1, 511, 512, 513, 1024, 5000, 60000}; // the last: more than a piece
	for (size_t k = 0; k < 3 * sizeof sizes / sizeof sizes[0]; k++) {
		const size_t n = sizes[k / 3];
		const uint32_t n_nodes = 1 + (uint32_t)(k % 5);
		struct loom_rng rng;
		struct loom_err err = {0};
		char *path;
		loom_rng_init(&rng, k);
		struct sent *list = make_list(&path, n, n_nodes, (unsigned)(k % 3), &rng);
		struct loom_long_list *l;
		if (loom_long_list_open(&l, path, n_nodes, 9, &err) != 0)
			fail_msg("%s", err.text);
		unlink(path);
		assert_int_equal(loom_long_list_facts(l)->n_messages, n);
		assert_true(loom_long_list_facts(l)->has_releases);
		size_t *next = calloc(n_nodes, sizeof *next);
		for (size_t taken = 0; taken < n;) {
			const uint32_t v = (uint32_t)loom_rng_below(&rng, n_nodes);
			struct loom_long_message m;
			int rc = 0;
			while (next[v] < n && list[next[v]].source != v)
				next[v]++;
			const bool has = loom_long_list_take(&m, l, v, &rc, &err);
			assert_int_equal(rc, 0);
			assert_int_equal(has, next[v] < n);
			if (!has)
				continue;
			assert_memory_equal(&m, &list[next[v]].message, sizeof m);
			assert_true(loom_long_list_has(l, v, m.destination));
			next[v]++;
			taken++;
		}
		free(next);
		loom_long_list_free(l);
		free(list);
	}
}

// The same list as a plan, which the machine computes: as many cycles, and as many messages and flits.
static void test_against_plan(void **unused)
{
	(void)unused;
	static const struct {
		const char *fabric;
		enum loom_rule rule;
	} cases[] = {{"cube:3", LOOM_RULE_ASCENDING},          {"mesh:3x3", LOOM_RULE_DESCENDING},
	             {"omega:8", LOOM_RULE_ASCENDING},         {"ring:5v2", LOOM_RULE_ONE_WAY},
	             {"table-cube:2v2", LOOM_RULE_DESCENDING}, {"otis-mesh:4l4v2", LOOM_RULE_ASCENDING}};
	for (unsigned k = 0; k < 12; k++) {
		struct loom_rng rng;
		struct loom_err err = {0};
		struct loom_topo topo;
		struct loom_long_list *l;
		char *path, spec[80];
		loom_rng_init(&rng, 100 + k);
		assert_int_equal(loom_topo_parse(&topo, cases[k / 2].fabric, &err), 0);
		struct sent *list = make_list(&path, 3000, topo.n_nodes, k % 3, &rng);
		assert_int_equal(loom_long_list_open(&l, path, topo.n_nodes, 9, &err), 0);
		(void)snprintf(spec, sizeof spec, "messages:%s", path);
		const struct loom_plan_options plan_options = {
			.planner = "direct", .map = "identity", .rule = loom_rule_name(cases[k / 2].rule)};
		const struct loom_run_request request = {
			.topo = &topo,
			.spec = spec,
			.link = "model",
			.plan = &plan_options,
			.image = {.machine = k % 2 ? LOOM_MACHINE_PAPER : LOOM_MACHINE_FAST}};
		struct loom_run run;
		if (loom_run(&run, &request, &err) != 0)
			fail_msg("%s: %s", topo.name, err.text);
		unlink(path);
		uint32_t map[16];
		for (uint32_t v = 0; v < topo.n_nodes; v++)
			map[v] = v;
		const struct loom_long_options options = {.rule = cases[k / 2].rule, .machine = request.image.machine};
		struct loom_long_result result;
		if (loom_long_compute(&result, l, &topo, map, &options, &err) != 0)
			fail_msg("%s: %s", topo.name, err.text);
		uint64_t last = 0;
		for (size_t i = 0; i < run.trace.n_arrivals; i++)
			last = run.trace.arrivals[i].last_cycle > last ? run.trace.arrivals[i].last_cycle : last;
		assert_int_equal(result.cycles, last);
		assert_int_equal(result.n_delivered, 3000);
		assert_int_equal(result.n_flits, run.verdict.delivered_flits);
		assert_int_equal(result.n_mismatches, 0);
		loom_run_free(&run);
		loom_long_list_free(l);
		loom_topo_free(&topo);
		free(list);
	}
}

// Each node of a cube sends across dimension 0 alone: the chip of the test, which knows no network, does what the machine says but that
// its headers are early.
static void run_fault(enum stream_fault fault)
{
	struct stream_link chip;
	struct loom_link link;
	struct loom_device *device;
	struct loom_err err = {0};
	struct loom_long_list *l;
	struct loom_long_result result;
	uint32_t map[8];
	char *text = malloc(8 * 1500 * 16), *path;
	size_t used = 0;
	for (uint32_t i = 0; i < 8 * 1500; i++)
		used += (size_t)sprintf(text + used, "%u,%u,1\n", i % 8, (i % 8) ^ 1);
	path = write_text(text, used);
	free(text);
	stream_link_set_up(&chip, &link, "cube:3");
	assert_int_equal(loom_device_open(&device, &link, &err), 0);
	chip.fault = fault;
	chip.fault_at = 2000;
	for (uint32_t v = 0; v < 8; v++)
		map[v] = v;
	assert_int_equal(loom_long_list_open(&l, path, 8, 9, &err), 0);
	unlink(path);
	const int rc = loom_long_run(&result, device, l, &chip.topo, map, NULL, &err);
	if (fault != STREAM_GOOD && rc == 0 && !strstr(result.mismatch, "never arrived") && result.n_mismatches == 0)
		fail_msg("fault %d is not noticed", (int)fault);
	if (fault == STREAM_GOOD) {
		assert_int_equal(rc, 0);
		assert_int_equal(result.n_delivered, 8 * 1500);
	}
	loom_long_list_free(l);
	loom_device_close(device);
	stream_link_tear_down(&chip);
}

static void test_chip(void **unused)
{
	(void)unused;
	for (enum stream_fault f = STREAM_GOOD; f <= STREAM_BROKEN; f++)
		run_fault(f);
}

static void refuse(const char *text, size_t length, int code, const char *says)
{
	struct loom_err err = {0};
	struct loom_long_list *l;
	char *path = write_text(text, length);
	const int rc = loom_long_list_open(&l, path, 4, 9, &err);
	unlink(path);
	if (rc != code || !strstr(err.text, says))
		fail_msg("%d %s, not %s", rc, err.text, says);
}

static void test_refused(void **unused)
{
	(void)unused;
	struct loom_err err = {0};
	struct loom_long_list *l;
	refuse("0,1\n0,4\n", 8, LOOM_EINPUT, "line 2");
	refuse("# nothing\n", 10, LOOM_EINPUT, "no message");
	refuse("0,1\n\0,2\n", 8, LOOM_EFILE, "byte 0");
	assert_int_equal(loom_long_list_open(&l, "/no/such/file", 4, 9, &err), LOOM_EFILE);
	assert_int_equal(loom_long_list_open(&l, "/tmp", 4, 9, &err), LOOM_EFILE);
	char *text = malloc((size_t)2 << 20);
	memset(text, ' ', (size_t)2 << 20);
	refuse(text, (size_t)2 << 20, LOOM_EINPUT, "a line of more than");
	// A line that two pieces share, behind a mark that some editors write.
	size_t used = (size_t)sprintf(text, "\xef\xbb\xbfsource,destination\n");
	while (used < ((size_t)1 << 20) + 5)
		used += (size_t)sprintf(text + used, "1,2\n");
	char *path = write_text(text, used);
	assert_int_equal(loom_long_list_open(&l, path, 4, 9, &err), 0);
	assert_int_equal(loom_long_list_facts(l)->n_messages, (used - 22) / 4);
	assert_int_equal(loom_long_list_facts(l)->least_flits, 9);
	assert_false(loom_long_list_facts(l)->has_releases);
	assert_false(loom_long_list_has(l, 2, 1));
	loom_long_list_free(l);
	unlink(path);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_take), cmocka_unit_test(test_against_plan),
	                                   cmocka_unit_test(test_chip), cmocka_unit_test(test_refused)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
