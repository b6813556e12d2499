// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Two logs of a run at a load: every difference is counted once, and the first is told, against a comparison of all with all.
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "traffic/load_log.h"

enum { N = 40 };

static struct loom_topo topo;

// Messages of 4 nodes in any order, and counts.
static void fill(struct loom_load_log *log, size_t n, struct loom_rng *rng)
{
	uint64_t number[4] = {0};
	*log = (struct loom_load_log){0};
	for (size_t i = 0; i < n; i++) {
		struct loom_carried m = {.source = (uint32_t)loom_rng_below(rng, 4),
		                         .destination = (uint32_t)loom_rng_below(rng, 8),
		                         .flits = 1 + (uint32_t)loom_rng_below(rng, 9),
		                         .release = i,
		                         .header = i + 3,
		                         .tail = i + 9};
		m.number = number[m.source]++;
		assert_int_equal(loom_load_log_add(log, &m, NULL), 0);
	}
	assert_int_equal(loom_load_log_count(log, loom_topo_channels(&topo), NULL), 0);
	for (uint32_t c = 0; c < loom_topo_channels(&topo); c++)
		log->counts[c] = (struct loom_load_count){loom_rng_below(rng, 9), loom_rng_below(rng, 99),
		                                          loom_rng_below(rng, 9)};
}

static struct loom_load_log copy_of(const struct loom_load_log *log, struct loom_rng *rng)
{
	struct loom_load_log out = {0};
	for (size_t i = 0; i < log->n_messages; i++) {
		const struct loom_load_message *m = &log->messages[i];
		const struct loom_carried same = {.source = m->source,
		                                  .destination = m->destination,
		                                  .flits = m->flits,
		                                  .number = m->number,
		                                  .release = m->release,
		                                  .header = m->header,
		                                  .tail = m->tail};
		assert_int_equal(loom_load_log_add(&out, &same, NULL), 0);
	}
	for (size_t i = out.n_messages; i > 1; i--) { // in another order
		size_t k = loom_rng_below(rng, i);
		struct loom_load_message other = out.messages[k];
		out.messages[k] = out.messages[i - 1];
		out.messages[i - 1] = other;
	}
	assert_int_equal(loom_load_log_count(&out, log->n_channels, NULL), 0);
	memcpy(out.counts, log->counts, log->n_channels * sizeof *out.counts);
	return out;
}

static size_t compare(char first[400], struct loom_load_log *is, struct loom_load_log *should)
{
	(void)strcpy(first, "nothing");
	return loom_load_log_compare(first, 400, is, should, &topo);
}

static void test_same(void **state)
{
	(void)state;
	struct loom_rng rng;
	char first[400];
	loom_rng_init(&rng, 1);
	for (size_t n = 0; n <= N; n++) {
		struct loom_load_log a, b;
		fill(&a, n, &rng);
		b = copy_of(&a, &rng);
		assert_int_equal(compare(first, &a, &b), 0);
		assert_string_equal(first, "nothing");
		loom_load_log_free(&a);
		loom_load_log_free(&b);
	}
	struct loom_load_log none = {0}, nothing = {0};
	assert_int_equal(compare(first, &none, &nothing), 0);
}

// Each field of a message alone.
static void test_a_field(void **state)
{
	(void)state;
	struct loom_rng rng;
	char first[400], wanted[400];
	loom_rng_init(&rng, 2);
	for (unsigned field = 0; field < 5; field++) {
		struct loom_load_log a, b;
		fill(&a, N, &rng);
		b = copy_of(&a, &rng);
		struct loom_load_message *m = &a.messages[field * 9 + 3], was = *m;
		m->destination += field == 0;
		m->release += field == 1;
		m->header += field == 2;
		m->tail += field == 3;
		m->flits += field == 4;
		(void)snprintf(wanted, sizeof wanted,
		               "message %" PRIu64 " from %" PRIu32 " to %" PRIu32 ", %" PRIu32
		               " flits, released in cycle %" PRIu64 ", arrived in %" PRIu64 " to %" PRIu64
		               "; should be to %" PRIu32 ", %" PRIu32 " flits, released in %" PRIu64 ", in %" PRIu64
		               " to %" PRIu64,
		               m->number, m->source, m->destination, m->flits, m->release, m->header, m->tail,
		               was.destination, was.flits, was.release, was.header, was.tail);
		assert_int_equal(compare(first, &a, &b), 1);
		assert_string_equal(first, wanted);
		loom_load_log_free(&a);
		loom_load_log_free(&b);
	}
}

static bool has(const struct loom_load_log *log, const struct loom_load_message *m)
{
	for (size_t i = 0; i < log->n_messages; i++)
		if (log->messages[i].source == m->source && log->messages[i].number == m->number)
			return true;
	return false;
}

// Messages that one has and the other has not, by looking for each in all; the first is that of the lowest source and number.
static void test_missing(void **state)
{
	(void)state;
	struct loom_rng rng;
	char first[400], wanted[400];
	loom_rng_init(&rng, 3);
	for (unsigned round = 0; round < 200; round++) {
		struct loom_load_log log[2];
		const struct loom_load_message *lowest = NULL;
		size_t n = 0, of = 0;
		fill(&log[0], loom_rng_below(&rng, N), &rng);
		log[1] = copy_of(&log[0], &rng);
		for (unsigned k = 0; k < 2; k++)
			for (uint64_t gone = loom_rng_below(&rng, 4); gone && log[k].n_messages; gone--) {
				struct loom_load_message *last = &log[k].messages[log[k].n_messages - 1];
				log[k].messages[loom_rng_below(&rng, log[k].n_messages)] = *last;
				log[k].n_messages--;
			}
		for (unsigned k = 0; k < 2; k++)
			for (size_t i = 0; i < log[k].n_messages; i++) {
				const struct loom_load_message *m = &log[k].messages[i];
				if (has(&log[!k], m))
					continue;
				n++;
				if (lowest && (lowest->source < m->source ||
				               (lowest->source == m->source && lowest->number < m->number)))
					continue;
				lowest = m;
				of = k;
			}
		(void)strcpy(wanted, "nothing");
		if (lowest)
			(void)snprintf(wanted, sizeof wanted,
			               "message %" PRIu64 " from %" PRIu32 " to %" PRIu32 ", released in cycle %" PRIu64
			               ", is not in %s",
			               lowest->number, lowest->source, lowest->destination, lowest->release,
			               of ? "what is" : "what should be");
		assert_int_equal(compare(first, &log[0], &log[1]), n);
		assert_string_equal(first, wanted);
		loom_load_log_free(&log[0]);
		loom_load_log_free(&log[1]);
	}
}

static void test_counts(void **state)
{
	(void)state;
	struct loom_rng rng;
	char first[400];
	loom_rng_init(&rng, 4);
	struct loom_load_log a, b;
	fill(&a, 5, &rng);
	b = copy_of(&a, &rng);
	for (unsigned field = 0; field < 3; field++) {
		struct loom_load_count *n = &a.counts[1];
		const struct loom_load_count was = *n;
		n->messages += field == 0;
		n->flits += field == 1;
		n->blocked += field == 2;
		char name[48], wanted[400];
		loom_topo_channel_name(&topo, 1, name);
		(void)snprintf(wanted, sizeof wanted,
		               "channel %s carried %" PRIu64 " messages, %" PRIu64 " flits, and headers waited %" PRIu64
		               " cycles; should be %" PRIu64 ", %" PRIu64 ", %" PRIu64,
		               name, n->messages, n->flits, n->blocked, was.messages, was.flits, was.blocked);
		assert_int_equal(compare(first, &a, &b), 1);
		assert_string_equal(first, wanted);
		a.counts[2].flits++;
		assert_int_equal(compare(first, &a, &b), 2);
		assert_string_equal(first, wanted);
		a.counts[2].flits--;
		*n = was;
	}
	a.n_channels--;
	assert_int_equal(compare(first, &a, &b), 1);
	assert_non_null(strstr(first, "; should be "));
	assert_int_equal(strncmp(first, "counts of ", 10), 0);
	a.n_channels++;
	loom_load_log_free(&a);
	loom_load_log_free(&b);
}

// A log that is not requested takes no messages and no memory.
static void test_none(void **state)
{
	(void)state;
	const struct loom_carried m = {.source = 1};
	assert_int_equal(loom_load_log_add(NULL, &m, NULL), 0);
	assert_int_equal(loom_load_log_count(NULL, 5, NULL), 0);
	loom_load_log_free(NULL);
	struct loom_load_log log = {0};
	for (unsigned i = 0; i < 10000; i++) { // beyond the room at first
		struct loom_carried another = {.source = i};
		assert_int_equal(loom_load_log_add(&log, &another, NULL), 0);
	}
	assert_int_equal(log.n_messages, 10000);
	for (unsigned i = 0; i < 10000; i++)
		assert_int_equal(log.messages[i].source, i);
	loom_load_log_free(&log);
	assert_true(log.messages == NULL && log.n_messages == 0 && log.counts == NULL && log.size == 0);
}

static int begin(void **state)
{
	(void)state;
	return loom_topo_parse(&topo, "cube:3", NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_same), cmocka_unit_test(test_a_field),
	                                   cmocka_unit_test(test_missing), cmocka_unit_test(test_counts),
	                                   cmocka_unit_test(test_none)};
	return cmocka_run_group_tests(tests, begin, NULL);
}
