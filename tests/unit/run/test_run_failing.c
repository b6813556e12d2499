// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// A run that was given up names the link that failed and the messages that hold it or wait for it: random plans,
// failures and missing messages, against a version that compares names of links.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/routes/failures.h>

#include "base/rng.h"
#include "run/run_failing.h"
#include "unit/help/random_plans.h"

enum { SEEDS = 400 };
static const char *const fabrics[] = {"mesh:3x4", "cube:4", "ring:9v2", "torus:3x4v2", "table-mesh:4x4", "mesh:5x2"};

struct ends {
	uint32_t u, v; // u < v
};

static struct ends ends_of(const struct loom_topo *t, uint32_t channel)
{
	char name[48];
	uint32_t a, b;
	loom_topo_channel_name(t, channel, name);
	if (sscanf(name, "%" SCNu32 "->%" SCNu32, &a, &b) != 2) // of no link
		return (struct ends){UINT32_MAX, UINT32_MAX};
	return a < b ? (struct ends){a, b} : (struct ends){b, a};
}

static bool has_failed(const struct loom_topo *t, const struct loom_failures *f, struct ends at)
{
	if (at.u == UINT32_MAX)
		return false;
	for (size_t i = 0; i < f->n_nodes; i++)
		if (f->node[i] == at.u || f->node[i] == at.v)
			return true;
	for (size_t i = 0; i < f->n_links; i++) {
		const struct ends is = ends_of(t, f->link[i]);
		if (is.u == at.u && is.v == at.v)
			return true;
	}
	return false;
}

// Finds the first failed link on a message's way; false: there is none.
static bool find_failed(uint32_t *out, const struct loom_plan *plan, const struct loom_failures *f, size_t message)
{
	struct loom_route route;
	const struct loom_plan_message *m = &plan->messages[message];
	if (m->source == m->destination)
		return false;
	for (loom_plan_route_begin(&route, plan, message); loom_route_next(&route, out);)
		if (has_failed(&plan->topo, f, ends_of(&plan->topo, *out)))
			return true;
	return false;
}

// Writes the expected text; false: no missing message uses a failed link.
static bool slow_text(char *out, size_t size, const struct loom_plan *plan, const struct loom_failures *f,
                      const size_t *missing, size_t n_missing)
{
	struct ends first = {0};
	size_t n = 0;
	int at = 0;
	for (size_t i = 0; i < n_missing; i++) {
		const struct loom_plan_message *m = &plan->messages[missing[i]];
		uint32_t channel;
		char name[48];
		if (!find_failed(&channel, plan, f, missing[i]))
			continue;
		const struct ends here = ends_of(&plan->topo, channel);
		if (n == 0) {
			first = here;
			loom_topo_channel_name(&plan->topo, channel, name);
			at += snprintf(out + at, size - (size_t)at,
			               "link %s failed in cycle %" PRIu64 "; hold it or wait for it: ", name,
			               f->in_cycle);
		}
		if (here.u != first.u || here.v != first.v)
			continue;
		if (n++ < 3)
			at += snprintf(out + at, size - (size_t)at, "%smessage %zu (%u to %u)", n == 1 ? "" : ", ",
			               missing[i], m->source, m->destination);
	}
	if (n > 3)
		at += snprintf(out + at, size - (size_t)at, " and %zu more", n - 3);
	(void)snprintf(out + at, size - (size_t)at, "; pass 0 is stuck");
	return n > 0;
}

static void draw_failures(struct loom_failures *f, const struct loom_topo *t, struct loom_rng *rng)
{
	struct loom_err err;
	const unsigned kind = (unsigned)loom_rng_below(rng, 3);
	if (kind == 0) {
		char text[40];
		(void)snprintf(text, sizeof text, "%u", (unsigned)loom_rng_below(rng, t->n_nodes));
		assert_int_equal(loom_failures_parse(f, t, text, &err), 0);
	} else
		assert_int_equal(loom_failures_random(f, t, kind == 1 ? 0 : 0.2, loom_rng_next(rng), &err), 0);
	f->in_cycle = 1 + loom_rng_below(rng, 1000);
}

static void test_names(void **state)
{
	(void)state;
	unsigned n_named = 0, n_more = 0;
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		struct loom_rng rng;
		struct loom_plan plan;
		struct loom_failures f;
		char wanted[1000];
		loom_rng_init(&rng, seed);
		random_plan_on(&plan, RANDOM_BARRIER, fabrics[seed % (sizeof fabrics / sizeof *fabrics)], seed);
		draw_failures(&f, &plan.topo, &rng);
		size_t *missing = malloc((plan.n_messages + 1) * sizeof *missing), n = 0;
		assert_non_null(missing);
		for (size_t i = 0; i < plan.n_messages; i++)
			if (loom_rng_below(&rng, 2 + seed % 5))
				missing[n++] = i;
		struct loom_err err;
		(void)loom_fail(&err, LOOM_ESTUCK, "pass 0 is stuck");
		loom_run_name_failed(&plan, &f, missing, n, &err);
		assert_int_equal(err.code, LOOM_ESTUCK);
		if (slow_text(wanted, sizeof wanted, &plan, &f, missing, n)) {
			assert_string_equal(err.text, wanted);
			n_named++;
		} else
			assert_string_equal(err.text, "pass 0 is stuck");
		n_more += strstr(err.text, " more; ") != NULL;
		free(missing);
		loom_failures_free(&f);
		loom_plan_free(&plan);
	}
	assert_true(n_named > SEEDS / 4 && n_more > SEEDS / 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_names)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
