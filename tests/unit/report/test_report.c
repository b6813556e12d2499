// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Reports as text, JSON and table.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ctype.h>
#include <unistd.h>
#include <jansson.h>
#include <cmocka.h>

#include <flitloom/report.h>
#include <flitloom/version.h>

#include "base/rng.h"
#include "base/text.h"
#include "report/report_table.h"
#include "unit/help/report_by_hand.h"

static void test_text(void **state)
{
	(void)state;
	char out[64], tight[4];
	loom_text_show(out, sizeof out, NASTY);
	assert_string_equal(out, "a<b>&\"c\"'??[31m?\xc3\xa9???");
	loom_text_show(out, sizeof out, "");
	assert_string_equal(out, "");
	loom_text_show(tight, sizeof tight, "ab\xc3\xa9z"); // the character does not fit whole
	assert_string_equal(tight, "ab");
	loom_text_show(tight, sizeof tight, "\xe2\x82");
	assert_string_equal(tight, "??");
	loom_text_show(out, sizeof out, "\xc0\x80|\xed\xa0\x80|\xf4\x90\x80\x80|\xc2\x9b|\xe0\x80\x80");
	assert_string_equal(out, "??|\?\?\?|\?\?\?\?|??|\?\?\?");
	loom_text_show(out, sizeof out, "\xf0\x9f\x98\x80\xe2\x82\xac");
	assert_string_equal(out, "\xf0\x9f\x98\x80\xe2\x82\xac");
}

static void test_request(void **state)
{
	(void)state;
	const char *const command[] = {"flitloom", "plan", "a\xff"};
	const struct loom_report_value values[] = {
		{.name = "fabric", .kind = LOOM_VALUE_TEXT, .text = "cube:2"},
		{.name = "seed", .kind = LOOM_VALUE_NUMBER, .number = UINT64_MAX},
		{.name = "flits", .kind = LOOM_VALUE_NUMBER, .number = 17},
		{.name = "preset", .kind = LOOM_VALUE_BOOLEAN, .number = 1},
		{.name = "map", .kind = LOOM_VALUE_NULL},
	};
	const struct loom_report_request request = {.command = command,
	                                            .n_command = 3,
	                                            .values = values,
	                                            .n_values = 5},
					 without = {.command = command, .n_command = 1};
	char *text = loom_report_request_text(&request);
	assert_string_equal(text, "{\"version\":\"" LOOM_VERSION "\",\"command\":[\"flitloom\",\"plan\",\"a?\"],"
	                          "\"fabric\":\"cube:2\",\"seed\":\"18446744073709551615\",\"flits\":17,"
	                          "\"preset\":true,\"map\":null}");
	free(text);
	text = loom_report_request_text(&without);
	assert_string_equal(text, "{\"version\":\"" LOOM_VERSION "\",\"command\":[\"flitloom\"]}");
	free(text);
}

static json_t *report(const struct hand *h, bool measured)
{
	char *text = NULL;
	size_t size = 0;
	FILE *stream = open_memstream(&text, &size);
	assert_non_null(stream);
	assert_int_equal(loom_report_json(stream, &h->plan, &h->verdict, measured, NULL, NULL), 0);
	assert_int_equal(fclose(stream), 0);
	assert_int_equal(strcspn(text, "\n"), size - 1); // one line, ended
	json_error_t error;
	json_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &error);
	if (!root)
		fail_msg("%s: %s", error.text, text);
	free(text);
	return root;
}

static long long number(const json_t *root, const char *path)
{
	char copy[64], *rest = NULL;
	(void)snprintf(copy, sizeof copy, "%s", path);
	for (char *key = strtok_r(copy, ".", &rest); key; key = strtok_r(NULL, ".", &rest))
		root = isdigit((unsigned char)*key) ? json_array_get(root, strtoul(key, NULL, 10))
		                                    : json_object_get(root, key);
	if (!json_is_integer(root))
		fail_msg("%s is no number", path);
	return json_integer_value(root);
}

static const char *string(const json_t *root, const char *key)
{
	const char *text = json_string_value(json_object_get(root, key));
	if (!text)
		fail_msg("%s is no string", key);
	return text;
}

static void test_json(void **state)
{
	(void)state;
	struct hand h;
	report_by_hand(&h);
	h.verdict.n_mismatches = 1;
	(void)strcpy(h.verdict.mismatches[0], "message 0 never \"arrived\"");
	json_t *root = report(&h, true);
	assert_string_equal(string(root, "fabric"), "pair:1");
	assert_string_equal(string(root, "pattern"), "by hand");
	assert_string_equal(string(root, "planner"), "nobody");
	assert_string_equal(string(root, "verdict"), "fail");
	static const struct {
		const char *path;
		long long value;
	} expected[] = {
		{"nodes", 2},
		{"passes", 2},
		{"messages", 3},
		{"flits", 12},
		{"map.0", 1},
		{"map.1", 0},
		{"predicted.contention", 2},
		{"predicted.lower_bound", 1},
		{"predicted.groups.1.max", 2},
		{"predicted.groups.2.sum", 3},
		{"predicted.members.0.contention", 2},
		{"predicted.members.1.contention", 1},
		{"measured.contention", 3},
		{"measured.cycles", 18},
		{"measured.groups.1.max", 3},
		{"measured.groups.1.sum", 4},
		{"measured.delivered_messages", 2},
		{"measured.delivered_flits", 7},
		{"measured.corrupt_flits", 1},
		{"measured.blocked_cycles", 6},
		{"mismatch_count", 1},
	};
	for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
		if (number(root, expected[i].path) != expected[i].value)
			fail_msg("%s is %lld", expected[i].path, number(root, expected[i].path));
	const json_t *predicted = json_object_get(root, "predicted");
	assert_true(json_is_null(json_object_get(predicted, "cycles")));
	assert_null(json_object_get(predicted, "objective"));
	assert_int_equal(json_array_size(json_object_get(predicted, "groups")), 4);
	assert_string_equal(string(json_array_get(json_object_get(predicted, "groups"), 0), "name"), "<+x>");
	assert_string_equal(json_string_value(json_array_get(json_object_get(root, "mismatches"), 0)),
	                    "message 0 never \"arrived\"");
	json_decref(root);
}

static void test_json_other_shapes(void **state)
{
	(void)state;
	struct hand h;
	report_by_hand(&h);
	h.plan.n_order = 1;
	h.plan.order[0] = 0;
	h.verdict.predicted_cycles = 12;
	(void)strcpy(h.plan.objective, "maxsum");
	h.plan.objective_value = 3;
	(void)strcpy(h.plan.pattern, NASTY);
	json_t *root = report(&h, false);
	assert_true(json_is_null(json_object_get(root, "measured")));
	assert_true(json_is_null(json_object_get(root, "verdict")));
	assert_int_equal(number(root, "mismatch_count"), 0);
	assert_int_equal(json_array_size(json_object_get(root, "map")), 1);
	assert_int_equal(number(root, "predicted.cycles"), 12);
	assert_int_equal(number(root, "predicted.objective.value"), 3);
	assert_string_equal(string(json_object_get(json_object_get(root, "predicted"), "objective"), "name"), "maxsum");
	assert_non_null(strstr(string(root, "pattern"), "\xc3\xa9"));
	json_decref(root);

	root = report(&h, true);
	assert_string_equal(string(root, "verdict"), "pass");
	json_decref(root);

	h.verdict.n_mismatches = 1000; // more than are kept
	root = report(&h, true);
	assert_int_equal(number(root, "mismatch_count"), 1000);
	assert_int_equal(json_array_size(json_object_get(root, "mismatches")), LOOM_MISMATCHES_KEPT);
	json_decref(root);

	h.plan.objective[0] = '\0';
	h.plan.n_members = 1;
	root = report(&h, true);
	assert_null(json_object_get(json_object_get(root, "predicted"), "members"));
	json_decref(root);
}

// The report names the settings of a multistage network's switches: settings drawn at random make a permutation, which passes.
// On an omega network a line goes to where its number's bits are turned left by one, then straight through a switch or across.
static void test_json_admissible(void **state)
{
	(void)state;
	enum { M = 3, N = 8 };
	struct loom_rng rng;
	loom_rng_init(&rng, 8);
	for (unsigned round = 0; round < 40; round++) {
		bool crossed[M][N / 2];
		char spec[40] = "perm:";
		struct loom_topo topo;
		struct loom_pattern pattern;
		struct hand h = {0};
		for (unsigned s = 0; s < M; s++)
			for (unsigned q = 0; q < N / 2; q++)
				crossed[s][q] = loom_rng_below(&rng, 2);
		for (unsigned x = 0; x < N; x++) {
			unsigned line = x;
			for (unsigned s = 0; s < M; s++) {
				line = (line << 1 | line >> (M - 1)) & (N - 1);
				line ^= crossed[s][line / 2];
			}
			(void)snprintf(spec + strlen(spec), sizeof spec - strlen(spec), "%s%u", x ? "," : "", line);
		}
		assert_int_equal(loom_topo_parse(&topo, "omega:8", NULL), 0);
		assert_int_equal(
			loom_pattern_parse(&pattern, spec, N, &(struct loom_pattern_options){.flits = 4}, NULL), 0);
		assert_int_equal(loom_plan_make(&h.plan, &topo, &pattern,
		                                &(struct loom_plan_options){.planner = "direct"}, NULL),
		                 0);
		assert_int_equal(loom_verdict_predict(&h.verdict, &h.plan, LOOM_MACHINE_FAST, NULL), 0);
		json_t *root = report(&h, false), *admissible = json_object_get(root, "admissible");
		assert_true(json_is_true(json_object_get(admissible, "passes")));
		const json_t *settings = json_object_get(admissible, "settings");
		assert_int_equal(json_array_size(settings), M);
		for (unsigned s = 0; s < M; s++) {
			const char *stage = json_string_value(json_array_get(settings, s));
			assert_true(stage && strlen(stage) == N / 2);
			for (unsigned q = 0; q < N / 2; q++)
				if ((stage[q] == '1') != crossed[s][q] || !strchr("01", stage[q]))
					fail_msg("%s: stage %u, switch %u: %s", spec, s, q, stage);
		}
		json_decref(root);
		loom_verdict_free(&h.verdict);
		loom_plan_free(&h.plan);
		loom_pattern_free(&pattern);
	}
}

// Words side by side, two blanks between them: a word is on the line if it fits there, else on the next one.
static void test_words(void **state)
{
	(void)state;
	struct loom_rng rng;
	loom_rng_init(&rng, 10);
	for (unsigned round = 0; round < 60; round++) {
		char *text = NULL, word[64], wanted[4000] = "";
		size_t size = 0, column = 0;
		const int indent = (int)(round % 20);
		FILE *stream = open_memstream(&text, &size);
		assert_non_null(stream);
		struct loom_table t = {.stream = stream, .column = indent};
		for (unsigned i = 0; i < 40; i++) {
			size_t n = 1 + loom_rng_below(&rng, round % 2 ? 5 : 40), at = strlen(wanted);
			memset(word, 'a' + (int)(i % 26), n);
			word[n] = '\0';
			bool fits = i == 0 || (size_t)indent + column + 2 + n <= LOOM_TEXT_WIDTH;
			column = i == 0 || !fits ? n : column + 2 + n;
			(void)snprintf(wanted + at, sizeof wanted - at, "%s%*s%s", fits ? "" : "\n",
			               i == 0 ? 0
			               : fits ? 2
			                      : indent,
			               "", word);
			loom_table_word(&t, indent, word, LOOM_PLAIN);
		}
		assert_int_equal(t.column, (size_t)indent + column);
		assert_int_equal(fclose(stream), 0);
		assert_string_equal(text, wanted);
		free(text);
	}
}

// --- Traces ----------------------------------------------------------------------------------------------------------

static void expect_numbers(const json_t *list, const uint32_t *wanted, size_t n)
{
	assert_int_equal(json_array_size(list), n);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(json_integer_value(json_array_get(list, i)), wanted[i]);
}

static void expect_run(const json_t *run, const struct loom_trace *t, uint32_t n_passes)
{
	expect_numbers(json_object_get(run, "sent"), t->sent, t->n_nodes);
	expect_numbers(json_object_get(run, "corrupt"), t->corrupt, t->n_nodes);
	const json_t *arrivals = json_object_get(run, "arrivals"), *counts = json_object_get(run, "counts");
	assert_int_equal(json_array_size(arrivals), t->n_arrivals);
	for (size_t i = 0; i < t->n_arrivals; i++) {
		const struct loom_arrival *a = &t->arrivals[i];
		const json_t *is = json_array_get(arrivals, i);
		const struct {
			const char *name;
			uint32_t value;
		} fields[] = {{"node", a->node},
		              {"source", a->source},
		              {"number", a->number},
		              {"destination", a->destination},
		              {"pass", a->pass},
		              {"flits", a->flits},
		              {"first_cycle", a->first_cycle},
		              {"last_cycle", a->last_cycle},
		              {"logged_pass", a->logged_pass},
		              {"signature", a->signature},
		              {"release", a->release}};
		for (size_t k = 0; k < sizeof fields / sizeof fields[0] - !t->released; k++)
			assert_int_equal(number(is, fields[k].name), fields[k].value);
		assert_int_equal(json_object_get(is, "release") != NULL, t->released != NULL);
		assert_int_equal(json_is_true(json_object_get(is, "intact")), a->intact);
	}
	assert_int_equal(json_array_size(counts), n_passes);
	for (uint32_t pass = 0; pass < n_passes; pass++) {
		const json_t *row = json_array_get(counts, pass);
		assert_int_equal(json_array_size(row), t->n_channels);
		for (uint32_t c = 0; c < t->n_channels; c++) {
			const struct loom_count *n = &t->counts[(size_t)pass * t->n_channels + c];
			expect_numbers(json_array_get(row, c),
			               (const uint32_t[]){n->worms, n->flits, n->blocked_cycles}, 3);
		}
	}
}

// Random words: every number is at its place in the JSON, for any number of them.
static void test_trace_json(void **state)
{
	(void)state;
	struct loom_rng rng;
	loom_rng_init(&rng, 9);
	for (unsigned round = 0; round < 16; round++) {
		enum { NODES = 3, CHANNELS = 4, PASSES = 3, ARRIVALS = 5 };
		uint32_t words[2][2 * NODES];
		struct loom_count counts[2][PASSES * CHANNELS];
		struct loom_arrival arrivals[2][ARRIVALS];
		struct loom_trace t[2];
		for (unsigned k = 0; k < 2; k++) {
			for (size_t i = 0; i < 2 * NODES; i++)
				words[k][i] = (uint32_t)loom_rng_below(&rng, UINT64_C(1) << 32);
			for (size_t i = 0; i < PASSES * CHANNELS; i++)
				counts[k][i] = (struct loom_count){(uint32_t)loom_rng_below(&rng, 99),
				                                   (uint32_t)loom_rng_below(&rng, UINT64_C(1) << 32),
				                                   (uint32_t)loom_rng_below(&rng, 999)};
			for (size_t i = 0; i < ARRIVALS; i++) {
				uint32_t v[11];
				for (size_t f = 0; f < 11; f++)
					v[f] = (uint32_t)loom_rng_below(&rng, UINT64_C(1) << 32);
				arrivals[k][i] = (struct loom_arrival){.node = v[0],
				                                       .source = v[1],
				                                       .number = v[2],
				                                       .destination = v[3],
				                                       .pass = v[4],
				                                       .flits = v[5],
				                                       .first_cycle = v[6],
				                                       .last_cycle = v[7],
				                                       .intact = v[8] % 2,
				                                       .logged_pass = v[8],
				                                       .signature = v[9],
				                                       .release = v[10]};
			}
			t[k] = (struct loom_trace){.n_nodes = NODES,
			                           .n_channels = round % 2 ? 1 : CHANNELS,
			                           .n_passes = k ? 1 : 1 + round % PASSES,
			                           .n_arrivals = (round + k) % (ARRIVALS + 1),
			                           .arrivals = arrivals[k],
			                           .counts = counts[k],
			                           .sent = words[k],
			                           .corrupt = words[k] + NODES,
			                           .payload = {1 + round, 2, 3, 4, 5},
			                           .released = round % 4 > 1 ? words[k] : NULL,
			                           .began = UINT32_MAX + (uint64_t)round};
		}
		t[0].back_to_back = round % 8 > 3 ? &t[1] : NULL;
		char path[] = "/tmp/test_report_XXXXXX";
		int fd = mkstemp(path);
		assert_true(fd >= 0);
		assert_int_equal(close(fd), 0);
		assert_int_equal(loom_report_trace(path, &t[0], NULL), 0);
		json_error_t error;
		json_t *root = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
		if (!root)
			fail_msg("%s, line %d", error.text, error.line);
		assert_int_equal(unlink(path), 0);
		assert_int_equal(number(root, "nodes"), t[0].n_nodes);
		assert_int_equal(number(root, "channels"), t[0].n_channels);
		assert_int_equal(number(root, "passes"), t[0].n_passes);
		static const char *const of_payload[] = {"payload.seed", "payload.flit_bits", "payload.label_bits",
		                                         "payload.state_bits", "payload.signature_bits"};
		for (unsigned i = 0; i < 5; i++)
			assert_int_equal(number(root, of_payload[i]), i ? i + 1 : 1 + round);
		expect_run(root, &t[0], t[0].n_passes);
		const json_t *b = json_object_get(root, "back_to_back");
		assert_int_equal(json_is_null(b), t[0].back_to_back == NULL);
		if (t[0].back_to_back) {
			assert_int_equal(number(b, "began"), t[1].began);
			expect_run(b, &t[1], 1);
		}
		json_decref(root);
	}
}

static void test_json_lost(void **state)
{
	(void)state;
	struct hand h;
	struct loom_err err = {0};
	report_by_hand(&h);
	FILE *full = fopen("/dev/full", "w");
	if (!full)
		skip();
	assert_int_equal(loom_report_json(full, &h.plan, &h.verdict, true, NULL, &err), LOOM_EFILE);
	assert_non_null(strstr(err.text, "space"));
	(void)fclose(full);
}

static void test_table_lost(void **state)
{
	(void)state;
	struct hand h;
	struct loom_err err = {0};
	report_by_hand(&h);
	FILE *full = fopen("/dev/full", "w");
	if (!full)
		skip();
	(void)setvbuf(full, NULL, _IONBF, 0);
	assert_int_equal(loom_report_table(full, &h.plan, &h.verdict, true, false, &err), LOOM_EFILE);
	assert_non_null(strstr(err.text, "table"));
	(void)fclose(full);
}

static char *table(const struct hand *h, bool measured, bool colour)
{
	char *text = NULL;
	size_t size = 0;
	FILE *stream = open_memstream(&text, &size);
	assert_non_null(stream);
	assert_int_equal(loom_report_table(stream, &h->plan, &h->verdict, measured, colour, NULL), 0);
	assert_int_equal(fclose(stream), 0);
	for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
		if (!colour && strcspn(line, "\n") > 80)
			fail_msg("more than 80 columns: %.*s", (int)strcspn(line, "\n"), line);
	return text;
}

// Returns the line that begins with `start`, in a static buffer.
static const char *line_of(const char *text, const char *start)
{
	static char line[256];
	for (const char *at = text; *at; at += strcspn(at, "\n") + 1)
		if (strncmp(at, start, strlen(start)) == 0) {
			(void)snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\n"), at);
			return line;
		}
	fail_msg("no line \"%s\" in:\n%s", start, text);
	return NULL;
}

static void test_table(void **state)
{
	(void)state;
	struct hand h;
	unsigned long long n[4];
	report_by_hand(&h);
	char *text = table(&h, true, false);
	assert_int_equal(sscanf(line_of(text, "-x & y") + 6, "%llu %llu %llu %llu", &n[0], &n[1], &n[2], &n[3]), 4);
	assert_true(n[0] == 2 && n[1] == 3 && n[2] == 2 && n[3] == 4);
	assert_non_null(strstr(line_of(text, "-x & y"), "differs"));
	assert_null(strstr(line_of(text, "<+x>"), "differs"));
	assert_non_null(strstr(line_of(text, "inject"), "own"));
	assert_null(strstr(line_of(text, "<+x>"), "own"));
	assert_non_null(strstr(line_of(text, "contention"), "differs"));
	assert_int_equal(sscanf(line_of(text, "cycles") + 6, " - %llu", &n[0]), 1);
	assert_int_equal(n[0], 18);
	assert_non_null(strstr(line_of(text, "delivered"), "differs"));
	assert_non_null(strstr(line_of(text, "corrupt"), "differs"));
	assert_null(strstr(line_of(text, "blocked"), "differs"));
	assert_non_null(strstr(line_of(text, "verdict"), "PASS")); // only the list of mismatches decides
	assert_null(strchr(text, '\033'));
	free(text);

	text = table(&h, true, true);
	assert_non_null(strchr(text, '\033'));
	free(text);

	text = table(&h, false, false);
	assert_null(strstr(text, "measured"));
	assert_null(strstr(text, "verdict"));
	free(text);
}

static void test_table_crowded(void **state)
{
	(void)state;
	struct hand h;
	report_by_hand(&h);
	uint32_t *members = calloc(500, sizeof *members);
	assert_non_null(members);
	h.plan.member_contention = members;
	h.plan.n_members = 500;
	(void)strcpy(h.plan.objective, "sumsum");
	memset(h.plan.pattern, 'p', sizeof h.plan.pattern - 1);
	h.verdict.n_mismatches = 70;
	for (size_t i = 0; i < LOOM_MISMATCHES_KEPT; i++) {
		(void)snprintf(h.verdict.mismatches[i], sizeof h.verdict.mismatches[i], "difference %zu \033[2J", i);
		for (size_t k = strlen(h.verdict.mismatches[i]); k < sizeof h.verdict.mismatches[i] - 1; k++)
			h.verdict.mismatches[i][k] = k % 8 ? 'w' : ' ';
	}
	char *text = table(&h, true, false);
	assert_non_null(strstr(line_of(text, "verdict"), "FAIL  70 differences"));
	assert_non_null(strstr(text, "  difference 0 ?[2J"));
	assert_non_null(strstr(text, "and 62 more"));
	assert_null(strchr(text, '\033'));
	free(text);
	free(members);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text),
		cmocka_unit_test(test_request),
		cmocka_unit_test(test_json),
		cmocka_unit_test(test_json_other_shapes),
		cmocka_unit_test(test_json_admissible),
		cmocka_unit_test(test_trace_json),
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_json_lost),
		cmocka_unit_test(test_table_lost),
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_table_crowded),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
