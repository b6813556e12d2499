// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// A run from end to end on a chip of registers, and the messages of runs that are stuck or take too long.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/link/regmap.h>
#include <flitloom/run.h>

#include "unit/help/networks.h"
#include "unit/help/random_plans.h"
#include "unit/help/trace_chip.h"

enum { RUNNING = 1, STUCK = 3 };

// A chip of registers, and the state in which a run on it stays; 0: it ends.
struct held {
	struct loom_link inner;
	struct trace_chip *chip;
	uint32_t state;
	struct loom_chip expected; // what the link says before it is opened; zeroed: nothing
	unsigned n_open, n_opened;
};

static int held_open(struct loom_link *link, const char *argument, const struct loom_link_options *options,
                     struct loom_err *err)
{
	(void)argument, (void)err;
	assert_string_equal(options->fabric, "cube:3");
	struct held *h = link->state = options->user;
	h->n_open++, h->n_opened++;
	return 0;
}

static int held_transfer(struct loom_link *link, const struct loom_transfer *list, size_t n, unsigned timeout_ms,
                         struct loom_err *err)
{
	struct held *h = link->state;
	int code = h->inner.kind->transfer(&h->inner, list, n, timeout_ms, err);
	for (size_t i = 0; i < n; i++)
		if (h->state && trace_chip_starts(h->chip) && list[i].read && list[i].address == LOOM_REG_STATUS)
			list[i].read[0] = h->state;
	return code;
}

static int held_run(struct loom_link *link, uint64_t n_cycles, struct loom_err *err)
{
	struct held *h = link->state;
	return h->inner.kind->run(&h->inner, n_cycles, err);
}

static void held_close(struct loom_link *link)
{
	struct held *h = link->state;
	h->n_open--;
}

static int held_expect(struct loom_chip *out, const char *argument, const struct loom_link_options *options,
                       struct loom_err *err)
{
	(void)argument, (void)err;
	assert_string_equal(options->topo->name, "cube:3");
	*out = ((const struct held *)options->user)->expected;
	return 0;
}

static const struct loom_link_kind held_kind = {.name = "held",
                                                .open = held_open,
                                                .transfer = held_transfer,
                                                .run = held_run,
                                                .close = held_close,
                                                .expect = held_expect};
static const struct loom_link_kind *const kinds[] = {&held_kind, NULL};

// The plan, and the trace that the chip will leave.
struct scene {
	struct held held;
	struct loom_plan plan;
	struct loom_trace trace;
	struct loom_run_request request;
	struct loom_plan_options plan_options;
	struct loom_run run;
	struct loom_err err;
};

static void set_up(struct scene *s)
{
	memset(s, 0, sizeof *s);
	plan_on(&s->plan, "cube:3", "bit-reverse", "direct", "identity", 6, 1);
	flawless_trace(&s->trace, &s->plan, LOOM_MACHINE_FAST);
	s->held = (struct held){.chip = trace_chip_new(&s->plan, &s->trace)};
	s->held.inner = trace_chip_link(s->held.chip);
	s->plan_options = (struct loom_plan_options){.planner = "direct", .map = "identity"};
	s->request = (struct loom_run_request){.fabric = "cube:3",
	                                       .spec = "bit-reverse",
	                                       .pattern_options = {.flits = 6},
	                                       .plan = &s->plan_options,
	                                       .link = "held",
	                                       .link_options = {.kinds = kinds, .user = &s->held}};
}

static void tear_down(struct scene *s)
{
	assert_int_equal(s->held.n_open, 0);
	trace_chip_free(s->held.chip);
	loom_trace_free(&s->trace);
	loom_plan_free(&s->plan);
}

// Names or structs, one link is opened and closed, and the verdict is that of the trace.
static void test_runs(void **state)
{
	(void)state;
	for (unsigned way = 0; way < 3; way++) {
		struct scene s;
		struct loom_topo topo;
		struct loom_pattern pattern;
		set_up(&s);
		const struct loom_pattern_options options = {.flits = 6};
		assert_int_equal(loom_topo_parse(&topo, "cube:3", NULL), 0);
		assert_int_equal(loom_pattern_parse(&pattern, "bit-reverse", 8, &options, NULL), 0);
		if (way == 1) {
			s.request.topo = &topo;
			s.request.fabric = NULL;
			s.request.pattern = &pattern;
			s.request.spec = NULL;
		}
		if (way == 2)
			s.trace.counts[1].flits++;
		assert_int_equal(loom_run(&s.run, &s.request, &s.err), 0);
		assert_int_equal(s.held.n_opened, 1);
		assert_int_equal(s.run.plan.n_messages, s.plan.n_messages);
		assert_int_equal(s.run.trace.n_arrivals, s.trace.n_arrivals);
		assert_int_equal(s.run.verdict.n_mismatches, way == 2);
		loom_run_free(&s.run);
		loom_run_free(&s.run);
		loom_run_free(NULL);
		loom_pattern_free(&pattern);
		loom_topo_free(&topo);
		tear_down(&s);
	}
}

static void assert_fails(struct scene *s, int code, const char *says)
{
	struct loom_run before;
	memset(&before, 0xa5, sizeof before);
	s->run = before;
	assert_int_equal(loom_run(&s->run, &s->request, &s->err), code);
	assert_string_equal(s->err.text, says);
	assert_memory_equal(&s->run, &before, sizeof before);
	assert_int_equal(loom_run(&s->run, &s->request, NULL), code);
	assert_int_equal(s->held.n_open, 0);
}

static void test_refusals(void **state)
{
	(void)state;
	struct scene s;
	set_up(&s);
	s.request.fabric = NULL;
	assert_fails(&s, LOOM_EINPUT, "no fabric; such as: cube:4");
	s.request.fabric = "cube:3";
	s.request.spec = NULL;
	assert_fails(&s, LOOM_EINPUT, "no pattern for cube:3; such as: bit-reverse");
	s.request.spec = "bit-reverse";
	s.request.image.preset = true;
	assert_int_equal(loom_run(&s.run, &s.request, &s.err), LOOM_EINPUT);
	assert_int_equal(s.held.n_opened, 0); // it is refused before
	tear_down(&s);
}

// A link that tells its chip beforehand: the one behind it is that, or is not used. A plan that does not fit is refused before.
static void test_expected(void **state)
{
	(void)state;
	static const char other[] =
		"the discovery registers behind link held are not those of the chip that it simulates";
	struct scene s;
	struct loom_device *device;
	set_up(&s);
	assert_int_equal(loom_device_open(&device, &s.held.inner, NULL), 0);
	s.held.expected = *loom_device_chip(device);
	loom_device_close(device);
	assert_int_equal(loom_run(&s.run, &s.request, &s.err), 0);
	loom_run_free(&s.run);
	s.held.expected.signature_bits = 16;
	assert_fails(&s, LOOM_EHARDWARE, other);
	s.held.n_opened = 0;
	s.held.expected.program_depth = 0;
	assert_int_equal(loom_run(&s.run, &s.request, &s.err), LOOM_EFIT);
	assert_int_equal(s.held.n_opened, 0);
	tear_down(&s);
}

// The message names the first four channels for which headers wait.
static void test_waiting(void **state)
{
	(void)state;
	static const char *const says[] = {
		"; by name: 0->1 (dim 0)", "; by name: 0->1 (dim 0), 1->0 (dim 0)",
		"; by name: 0->1 (dim 0), 1->0 (dim 0), 2->3 (dim 0)",
		"; by name: 0->1 (dim 0), 1->0 (dim 0), 2->3 (dim 0), 3->2 (dim 0)",
		"; by name: 0->1 (dim 0), 1->0 (dim 0), 2->3 (dim 0), 3->2 (dim 0) and 1 more"};
	for (uint32_t n = 1; n <= 5; n++) {
		struct scene s;
		const uint32_t waits = 1;
		set_up(&s);
		s.held.state = STUCK;
		for (uint32_t tile = 0; tile < n; tile++) {
			const struct loom_transfer write = {.address = LOOM_WINDOW_COUNTS | tile << LOOM_INDEX_LOW | 3,
			                                    .n_words = 1,
			                                    .write = &waits};
			assert_int_equal(s.held.inner.kind->transfer(&s.held.inner, &write, 1, 1, NULL), 0);
		}
		assert_int_equal(loom_run(&s.run, &s.request, &s.err), LOOM_ESTUCK);
		assert_non_null(strstr(s.err.text, "stuck in pass 0"));
		assert_string_equal(strstr(s.err.text, "; by name"), says[n - 1]);
		tear_down(&s);
	}
}

// If no header waits, the message names channels with too few messages.
static void test_short(void **state)
{
	(void)state;
	for (uint32_t n = 0; n <= 5; n++) {
		struct scene s;
		set_up(&s);
		s.held.state = STUCK;
		for (uint32_t tile = 0; tile < n; tile++)
			s.trace.counts[5 * tile].flits += 1 + tile;
		assert_int_equal(loom_run(&s.run, &s.request, &s.err), LOOM_ESTUCK);
		const char *said = strstr(s.err.text, "headers wait for no channel");
		assert_non_null(said);
		unsigned n_named = 0;
		for (const char *at = said; (at = strstr(at, " carried ")); at++)
			n_named++;
		assert_int_equal(n_named, n < 4 ? n : 4);
		assert_int_equal(strstr(said, "; 0->1 (dim 0) carried ") != NULL, n > 0);
		assert_int_equal(strstr(said, " and 1 more") != NULL, n == 5);
		tear_down(&s);
	}
}

// The message names messages that have not arrived in time.
static void test_missing(void **state)
{
	(void)state;
	for (size_t n = 0; n <= 4; n++) {
		struct scene s;
		set_up(&s);
		s.held.state = RUNNING;
		s.request.run.max_cycles = 20; // the chip is at cycle 100
		assert_true(s.trace.n_arrivals >= 4);
		s.trace.n_arrivals -= n;
		assert_int_equal(loom_run(&s.run, &s.request, &s.err), LOOM_ELIMIT);
		const char *said = strstr(s.err.text, "; not arrived: message ");
		assert_int_equal(said != NULL, n > 0);
		unsigned n_named = 0;
		for (const char *at = s.err.text; (at = strstr(at, "message ")); at++)
			n_named++;
		assert_int_equal(n_named, n < 3 ? n : 3);
		assert_int_equal(strstr(s.err.text, " and 1 more") != NULL, n == 4);
		tear_down(&s);
	}
}

// --- Streams ---------------------------------------------------------------------------------------------------------

static int inner_expect(struct loom_chip *out, const char *argument, const struct loom_link_options *options,
                        struct loom_err *err)
{
	return loom_link_expect(out, argument, options, err);
}

static int never_streams(struct loom_link *link, struct loom_stream *stream, uint64_t n_cycles, struct loom_err *err)
{
	(void)link, (void)stream, (void)n_cycles;
	return loom_fail(err, LOOM_EINTERNAL, "a check opens no link");
}

// A program longer than a node's memory runs on a link of the caller's own that streams, and on no other.
static void test_own_streams(void **state)
{
	(void)state;
	struct loom_link_kind around = {.name = "around", .expect = inner_expect};
	const struct loom_link_kind *const own[] = {&around, NULL};
	const struct loom_link_options options = {.kinds = own};
	const struct loom_image_options image = {.seed = 1};
	struct loom_plan plan;
	struct loom_err err;
	plan_on(&plan, "cube:2", "uniform:9000", "direct", "identity", 2, 1);
	assert_int_equal(loom_run_check(&plan, "around:sim", &options, &image, &err), LOOM_EFIT);
	assert_non_null(strstr(err.text, "the chip holds 1024"));
	around.stream = never_streams;
	assert_int_equal(loom_run_check(&plan, "around:sim", &options, &image, &err), 0);
	loom_plan_free(&plan);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_runs),        cmocka_unit_test(test_expected), cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_waiting),     cmocka_unit_test(test_short),    cmocka_unit_test(test_missing),
		cmocka_unit_test(test_own_streams),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
