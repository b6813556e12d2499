// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The queue of messages against a plain list: random puts and takes, from a ring that is lent to rings that have grown
// while their first entry stood anywhere in them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/rng.h"
#include "traffic/load_queue.h"

enum { RUNS = 200, STEPS = 400 };

static void queues_like_a_list(void **state)
{
	struct loom_rng rng;
	uint32_t n_grown = 0;
	(void)state;
	loom_rng_init(&rng, 11);
	for (int run = 0; run < RUNS; run++) {
		struct loom_queued lent[LOOM_LOAD_QUEUE_LENT];
		struct loom_load_queue q;
		uint32_t n_put = 0, n_taken = 0;
		const uint64_t puts_of_8 = 3 + loom_rng_below(&rng, 4); // 3 empties the queue often, 6 makes it grow
		loom_load_queue_begin(&q, lent);
		for (int step = 0; step < STEPS; step++) {
			if (loom_rng_below(&rng, 8) < puts_of_8) {
				const struct loom_queued m = {
					.destination = n_put, .release = 3 * n_put, .flits = n_put % 7, .via = ~n_put};
				assert_int_equal(loom_load_queue_put(&q, &m, NULL), 0);
				n_put++;
			} else if (q.n > 0) {
				const struct loom_queued m = loom_load_queue_take(&q);
				assert_int_equal(m.destination, n_taken);
				assert_int_equal(m.release, 3 * n_taken);
				assert_int_equal(m.flits, n_taken % 7);
				assert_int_equal(m.via, ~n_taken);
				n_taken++;
			}
			assert_int_equal(q.n, n_put - n_taken);
		}
		n_grown += q.size > 2 * LOOM_LOAD_QUEUE_LENT;
		for (; q.n > 0; n_taken++)
			assert_int_equal(loom_load_queue_take(&q).destination, n_taken);
		assert_int_equal(n_taken, n_put);
		loom_load_queue_free(&q);
	}
	assert_true(n_grown > 10); // some have grown twice
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(queues_like_a_list)};
	return cmocka_run_group_tests_name("queued", tests, NULL, NULL);
}
