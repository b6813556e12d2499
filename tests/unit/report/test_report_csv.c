// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The tables of messages and channels: what nodes logged and counted, beside what was predicted.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <flitloom/report.h>

#include "base/file.h"
#include "unit/help/played.h"

static char *written(int (*write_it)(const char *, const struct loom_plan *, const struct loom_trace *,
                                     struct loom_err *),
                     const struct played *p)
{
	char path[] = "/tmp/loom_csv_XXXXXX", *text = NULL;
	size_t length = 0;
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(close(fd), 0);
	assert_int_equal(write_it(path, &p->plan, &p->trace, NULL), 0);
	assert_int_equal(loom_file_read(&text, &length, path, 1 << 20, NULL), 0);
	assert_int_equal(unlink(path), 0);
	text = realloc(text, length + 1);
	assert_non_null(text);
	text[length] = '\0';
	return text;
}

static void test_messages_table(void **state)
{
	(void)state;
	struct played p;
	const struct ref_message message[] = {{0, 3, 5}, {1, 3, 5}, {1, 1, 4}, {0, 1, 2}};
	struct ref_message sent[4];
	size_t n = 0;
	for (size_t i = 0; i < 4; i++)
		if (message[i].source != message[i].destination)
			sent[n++] = message[i];
	played_make(&p, 2, REF_FAST, sent, n);
	char *text = written(loom_report_messages, &p);
	// The first waits at node 1 for the second's tail. Its own flits then stand in three buffers of two, all but the
	// tail, so that the third message is offered between the cycle after five flits and two before its header comes.
	assert_string_equal(text,
	                    "message,pass,source,destination,source_node,destination_node,flits,hops,offered,header,"
	                    "tail,waited,state,offered_earliest,offered_latest,latency,predicted_offered,"
	                    "predicted_header,predicted_tail,predicted_waited\n"
	                    "0,0,0,3,0,3,5,2,1,8,12,4,delivered,1,1,12,1,8,12,4\n"
	                    "1,0,1,3,1,3,5,1,1,3,7,0,delivered,1,1,7,1,3,7,0\n"
	                    "2,0,0,1,0,1,2,1,,12,13,,delivered,6,10,,10,12,13,0\n");
	free(text);
	played_tell_releases(&p);
	text = written(loom_report_messages, &p);
	assert_non_null(strstr(text, "\n0,0,0,3,0,3,5,2,1,8,12,4,delivered,1,1,12,1,8,12,4\n"));
	assert_non_null(strstr(text, "\n2,0,0,1,0,1,2,1,10,12,13,0,delivered,10,10,4,10,12,13,0\n"));
	free(text);
	p.trace.arrivals[0].intact = false;
	p.trace.n_arrivals = 2;
	text = written(loom_report_messages, &p);
	assert_non_null(strstr(text, "\n0,0,0,3,0,3,5,2,1,8,12,4,corrupt,1,1,12,1,8,12,4\n"));
	assert_non_null(strstr(text, "\n2,0,0,1,0,1,2,1,,,,,missing,6,10,,10,12,13,0\n"));
	free(text);
	p.trace.arrivals[0].first_cycle++; // the measured value may differ
	p.trace.machine = LOOM_MACHINE_PAPER;
	text = written(loom_report_messages, &p);
	assert_non_null(strstr(text, "\n0,0,0,3,0,3,5,2,1,9,12,5,corrupt,1,1,12,1,9,13,5\n"));
	free(text);
	played_free(&p);
}

// The state of a message is the first word that applies.
static void test_states(void **state)
{
	(void)state;
	static const struct ref_message message[] = {{0, 1, 5}, {1, 1, 4}, {1, 0, 3}};
	struct loom_plan plan;
	played_plan(&plan, 1, message, 3);
	static const struct {
		const char *state;
		uint32_t node, flits;
		bool intact;
		unsigned n;
	} rows[] = {{"missing", 1, 5, true, 0}, {"delivered", 1, 5, true, 1},  {"corrupt", 1, 5, false, 1},
	            {"cut", 1, 4, false, 1},    {"elsewhere", 0, 4, false, 1}, {"repeated", 1, 4, false, 2}};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct loom_arrival first = played_unhindered(&plan.messages[0], 0, 1, 1);
		first.node = rows[i].node;
		first.flits = rows[i].flits;
		first.intact = rows[i].intact;
		struct loom_arrival arrivals[] = {first, first};
		struct played p = {.plan = plan,
		                   .trace = {.n_nodes = 2,
		                             .n_channels = loom_topo_channels(&plan.topo),
		                             .n_passes = 1,
		                             .arrivals = arrivals,
		                             .n_arrivals = rows[i].n}};
		char *text = written(loom_report_messages, &p), word[40];
		(void)snprintf(word, sizeof word, ",%s,", rows[i].state);
		char *line = strstr(text, "\n0,0,0,1,");
		assert_true(line && strstr(line, word) && strstr(line, word) < strstr(line + 1, "\n"));
		assert_non_null(strstr(text, "\n1,0,1,1,1,1,4,0,,,,,local,,,,,,,\n"));
		assert_non_null(strstr(strstr(text, "\n2,0,1,0,"), ",missing,"));
		free(text);
	}
	loom_plan_free(&plan);
}

static void test_channels_table(void **state)
{
	(void)state;
	struct played p;
	const struct ref_message message[] = {{0, 1, 5}};
	played_make(&p, 1, REF_FAST, message, 1);
	struct loom_count counts[6] = {{1, 5, 0}, {0, 0, 0}, {1, 5, 7}};
	p.trace.counts = counts;
	char *text = written(loom_report_channels, &p);
	assert_non_null(strstr(text, "pass,channel,group,messages,flits,blocked,predicted_messages,predicted_flits,"
	                             "predicted_blocked\n0,0->1 (dim 0),dim0,1,5,0,1,5,0\n"));
	assert_non_null(strstr(text, "\n0,inject 0,inject,1,5,7,1,5,0\n"));
	free(text);
	p.trace.n_passes = 2;
	assert_int_equal(loom_report_channels("/dev/null", &p.plan, &p.trace, NULL), LOOM_EINTERNAL);
	p.trace.n_passes = 1;
	played_free(&p);
}

static int predicted_messages(const char *path, const struct loom_plan *plan, const struct loom_trace *trace,
                              struct loom_err *err)
{
	return loom_report_predicted_messages(path, plan, trace->machine, err);
}

static int predicted_channels(const char *path, const struct loom_plan *plan, const struct loom_trace *trace,
                              struct loom_err *err)
{
	return loom_report_predicted_channels(path, plan, trace->machine, err);
}

// A plan alone, in both timings: what is measured is empty.
static void test_predicted_tables(void **state)
{
	(void)state;
	struct played p;
	const struct ref_message message[] = {{0, 3, 5}, {1, 3, 5}, {0, 1, 2}};
	played_make(&p, 2, REF_FAST, message, 3);
	char *text = written(predicted_messages, &p);
	assert_non_null(strstr(text, "\n0,0,0,3,0,3,5,2,,,,,,,,,1,8,12,4\n1,0,1,3,1,3,5,1,,,,,,,,,1,3,7,0\n"));
	assert_non_null(strstr(text, "\n2,0,0,1,0,1,2,1,,,,,,,,,10,12,13,0\n"));
	free(text);
	p.trace.machine = LOOM_MACHINE_PAPER;
	text = written(predicted_messages, &p);
	assert_non_null(strstr(text, "\n0,0,0,3,0,3,5,2,,,,,,,,,1,9,13,5\n1,0,1,3,1,3,5,1,,,,,,,,,1,3,7,0\n"));
	free(text);
	p.trace.machine = LOOM_MACHINE_FAST;
	text = written(predicted_channels, &p);
	assert_non_null(strstr(text, "\n0,0->1 (dim 0),dim0,,,,2,7,0\n"));
	assert_non_null(strstr(text, "\n0,1->3 (dim 1),dim1,,,,2,10,4\n"));
	free(text);
	played_free(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_messages_table),
		cmocka_unit_test(test_states),
		cmocka_unit_test(test_channels_table),
		cmocka_unit_test(test_predicted_tables),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
