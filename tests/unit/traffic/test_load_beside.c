// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The machine beside a chip: what a second machine says of the same messages is accepted, with the cycles in which headers entered;
// any message that arrives otherwise, twice, or not at all is told.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "traffic/load_beside.h"
#include "traffic/load_machine.h"

enum { NODES = 8, EACH = 5, UNTIL = 200, N = NODES * EACH };

struct scene {
	struct loom_topo topo;
	uint32_t map[NODES];
	struct loom_load_options options;
	struct loom_load_beside *beside;
	struct loom_carried arrived[N + 1];
	size_t n;
	char first[160];
	struct loom_err err;
};

// Messages of 3 flits, several a node, all at once; what arrives of them by a machine of its own.
static void set_up(struct scene *s)
{
	struct loom_load_machine *machine;
	struct loom_carrier carrier;
	const struct loom_carried *arrived;
	memset(s, 0, sizeof *s);
	assert_int_equal(loom_topo_parse(&s->topo, "cube:3", &s->err), 0);
	for (uint32_t v = 0; v < NODES; v++)
		s->map[v] = v ^ 5;
	assert_int_equal(loom_load_beside_open(&s->beside, &s->topo, s->map, &s->options, &s->err), 0);
	assert_int_equal(loom_load_machine_open(&machine, &carrier, &s->topo, s->map, &s->options, &s->err), 0);
	for (uint32_t k = 0; k < EACH; k++)
		for (uint32_t v = 0; v < NODES; v++) {
			const struct loom_queued m = {.destination = (v + 1 + k) % NODES, .release = 1 + k, .flits = 3};
			assert_int_equal(loom_load_beside_offer(s->beside, v, &m, &s->err), 0);
			assert_int_equal(carrier.offer(carrier.self, v, &m, &s->err), 0);
		}
	assert_int_equal(carrier.run(carrier.self, UNTIL, &arrived, &s->n, &s->err), 0);
	assert_int_equal(s->n, N);
	memcpy(s->arrived, arrived, N * sizeof *arrived);
	loom_load_machine_close(machine);
}

static size_t compare(struct scene *s)
{
	size_t n_differ;
	assert_int_equal(
		loom_load_beside_run(s->beside, UNTIL, s->arrived, s->n, &n_differ, s->first, sizeof s->first, &s->err),
		0);
	return n_differ;
}

static void tear_down(struct scene *s)
{
	loom_load_beside_close(s->beside);
	loom_topo_free(&s->topo);
}

static void test_same(void **unused)
{
	(void)unused;
	struct scene s;
	uint64_t entered[N];
	set_up(&s);
	for (size_t i = 0; i < N; i++) {
		entered[i] = s.arrived[i].entered;
		s.arrived[i].entered = 0;
	}
	assert_int_equal(compare(&s), 0);
	for (size_t i = 0; i < N; i++) {
		assert_int_equal(s.arrived[i].entered, entered[i]);
		assert_true(entered[i] >= s.arrived[i].release && entered[i] < s.arrived[i].header);
	}
	tear_down(&s);
	loom_load_beside_close(NULL);
}

static void test_different(void **unused)
{
	(void)unused;
	for (int way = 0; way < 6; way++) {
		struct scene s;
		set_up(&s);
		struct loom_carried *m = &s.arrived[17];
		const char *text = "; computed: ";
		size_t wanted = 1;
		switch (way) {
		case 0: m->tail++; break;
		case 1: m->header--; break;
		case 2: m->flits++; break;
		case 3: m->destination ^= 1; break;
		case 4: // one that was never sent
			s.arrived[s.n] = *m;
			s.arrived[s.n++].number = 99;
			text = "; computed: not yet";
			break;
		case 5: // one is missing
			s.arrived[17] = s.arrived[--s.n];
			text = "has not arrived; computed: ";
			break;
		}
		const size_t n = compare(&s);
		if (n != wanted || !strstr(s.first, text))
			fail_msg("way %d: %zu differences, %s", way, n, s.first);
		tear_down(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_same), cmocka_unit_test(test_different)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
