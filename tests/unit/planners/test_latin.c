// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <flitloom/math/latin.h>

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include <jansson.h>

#include <flitloom/report.h>

#include "reference/ref_min.h"
#include "report/report_latin.h"
#include "unit/help/golden_file.h"
#include "unit/help/networks.h"

static struct ref_min ref;
static bool crossed[REF_MIN_M_MAX][REF_MIN_N_MAX / 2];

static uint16_t *square_of(const struct loom_min *net)
{
	size_t n = loom_min_nodes(net);
	uint16_t *row0 = malloc(n * sizeof *row0), *out = malloc(n * n * sizeof *out);
	assert_non_null(row0);
	assert_non_null(out);
	loom_latin_row0(row0, net);
	loom_latin_rows(out, row0, net->m, 0, n);
	free(row0);
	return out;
}

static struct loom_min net_named(const char *name, uint32_t n)
{
	struct loom_min net = {.m = 0};
	while (strcmp(loom_min_name(net.kind), name) != 0) {
		net.kind++;
		assert_true(net.kind < LOOM_MIN_KINDS);
	}
	while (1u << net.m < n)
		net.m++;
	return net;
}

static void test_golden(void **state)
{
	(void)state;
	json_t *root = golden_json("002_latin_square.json"), *item;
	size_t c, n_rows = 0;
	json_array_foreach(json_object_get(root, "cases"), c, item) {
		// The file calls the indirect cube "cube" and its reverse "rcube".
		const char *name = json_string_value(json_object_get(item, "network"));
		name = !strcmp(name, "cube") ? "icube" : !strcmp(name, "rcube") ? "ricube" : name;
		uint32_t n = (uint32_t)json_integer_value(json_object_get(item, "n"));
		struct loom_min net = net_named(name, n);
		const json_t *rows = json_object_get(item, "rows"), *row0 = json_object_get(item, "row0");
		uint16_t *square = square_of(&net);
		assert_int_equal(json_array_size(rows), n);
		assert_int_equal(json_array_size(row0), n);
		for (uint32_t j = 0; j < n; j++)
			assert_int_equal(square[j], json_integer_value(json_array_get(row0, j)));
		for (uint32_t i = 0; i < n; i++, n_rows++) {
			char text[17] = "";
			for (uint32_t j = 0; j < n; j++)
				text[j] = "0123456789abcdef"[square[i * n + j]];
			assert_string_equal(text, json_string_value(json_array_get(rows, i)));
		}
		free(square);
	}
	assert_int_equal(n_rows, 6 * 8 + 6 * 16);
	json_decref(root);
}

// --- The whole square as [Yang00] constructs it, from any row 0

// Applies phi_k to every entry.
static void flip_bit(uint16_t *out, const uint16_t *in, size_t n, unsigned k)
{
	for (size_t j = 0; j < n; j++)
		out[j] = (uint16_t)(in[j] ^ 1u << (k - 1));
}

static void construct_first(uint16_t *out, const uint16_t *row0, unsigned m)
{
	size_t n = (size_t)1 << m;
	for (size_t i = 0; i < n; i++) {
		memcpy(out + i * n, row0, n * sizeof *out);
		for (unsigned k = 1; k <= m; k++)
			if (loom_latin_gray((uint32_t)i) >> (k - 1) & 1)
				flip_bit(out + i * n, out + i * n, n, k);
	}
}

static void construct_second(uint16_t *out, const uint16_t *row0, unsigned m)
{
	uint8_t list[1 << LOOM_LATIN_M_MAX];
	size_t n = (size_t)1 << m, length = 0;
	for (unsigned k = 1; k <= m; k++) {
		list[length] = (uint8_t)k;
		memcpy(list + length + 1, list, length);
		length = 2 * length + 1;
	}
	memcpy(out, row0, n * sizeof *out);
	for (size_t i = 1; i < n; i++)
		flip_bit(out + i * n, out + (i - 1) * n, n, list[i - 1]);
}

static void test_constructions_agree(void **state)
{
	(void)state;
	for (unsigned k = 0; k < LOOM_MIN_KINDS; k++)
		for (unsigned m = 1; m <= 9; m++) {
			struct loom_min net = {.kind = (enum loom_min_kind)k, .m = m};
			size_t n = loom_min_nodes(&net), bytes = n * n * sizeof(uint16_t);
			uint16_t *square = square_of(&net), *other = malloc(bytes);
			assert_non_null(other);
			construct_first(other, square, m);
			assert_memory_equal(square, other, bytes);
			memset(other, 0xa5, bytes);
			construct_second(other, square, m);
			assert_memory_equal(square, other, bytes);
			free(square);
			free(other);
		}
}

// Every row is what the network does with the stages set as row i says, and no entry is twice in a row or column.
static void test_rows_are_the_network(void **state)
{
	(void)state;
	for (unsigned k = 0; k < LOOM_MIN_KINDS; k++)
		for (unsigned m = 1; m <= 9; m++) {
			struct loom_min net = {.kind = (enum loom_min_kind)k, .m = m};
			uint32_t n = loom_min_nodes(&net);
			uint16_t *square = square_of(&net);
			bool *seen_in_column = calloc((size_t)n * n, sizeof *seen_in_column);
			assert_non_null(seen_in_column);
			ref_min_build(&ref, loom_min_name(net.kind), m);
			for (uint32_t i = 0; i < n; i++) {
				uint32_t to[REF_MIN_N_MAX];
				bool seen[REF_MIN_N_MAX] = {false};
				for (unsigned s = 0; s < m; s++)
					for (uint32_t q = 0; q < n / 2; q++)
						crossed[s][q] = loom_latin_crosses(&net, i, s);
				ref_min_evaluate(to, &ref, crossed);
				for (uint32_t j = 0; j < n; j++) {
					uint32_t entry = square[(size_t)i * n + j];
					assert_int_equal(entry, to[j]);
					assert_false(seen[entry] || seen_in_column[(size_t)j * n + entry]);
					seen[entry] = seen_in_column[(size_t)j * n + entry] = true;
				}
			}
			free(seen_in_column);
			free(square);
		}
}

// Streamed or not, aligned or not, from any row on: the closed form. 2^11 rows of 2^11 are more than the cache's share.
static void test_streamed_rows(void **state)
{
	(void)state;
	enum { M = 11, N = 1 << M };
	struct loom_min net = {.kind = LOOM_MIN_RICUBE, .m = M};
	size_t bytes = (size_t)N * N * sizeof(uint16_t);
	uint16_t *row0 = malloc(N * sizeof *row0), *room = aligned_alloc(64, bytes + 128);
	assert_non_null(row0);
	assert_non_null(room);
	loom_latin_row0(row0, &net);
	for (unsigned offset = 0; offset < 64; offset += 31)
		for (uint32_t first = 0; first <= 1; first++) {
			uint16_t *out = room + offset;
			uint32_t n_rows = N - first;
			memset(room, 0xa5, bytes + 128);
			loom_latin_rows(out, row0, M, first, n_rows);
			for (uint32_t i = 0; i < n_rows; i++)
				for (uint32_t j = 0; j < N; j++)
					if (out[(size_t)i * N + j] != (row0[j] ^ (i + first) ^ (i + first) / 2))
						fail_msg("offset %u, row %u, column %u", offset, i + first, j);
			for (size_t b = 0; b < offset; b++)
				assert_int_equal(room[b], 0xa5a5);
			assert_int_equal(out[(size_t)n_rows * N], 0xa5a5);
		}
	free(row0);
	free(room);
}

static char *read_file(const char *path, size_t *size)
{
	FILE *file = fopen(path, "rb");
	assert_non_null(file);
	assert_int_equal(fseek(file, 0, SEEK_END), 0);
	*size = (size_t)ftell(file);
	rewind(file);
	char *text = malloc(*size + 1);
	assert_non_null(text);
	assert_int_equal(fread(text, 1, *size, file), *size);
	text[*size] = '\0';
	(void)fclose(file);
	return text;
}

static void test_files(void **state)
{
	(void)state;
	char folder[] = "/tmp/loom_latin_XXXXXX", csv[64], npy[64];
	struct loom_err err = {0};
	size_t size;
	assert_non_null(mkdtemp(folder));
	(void)snprintf(csv, sizeof csv, "%s/square.csv", folder);
	(void)snprintf(npy, sizeof npy, "%s/square.npy", folder);
	for (unsigned m = 1; m <= 8; m++) {
		struct loom_min net = {.kind = LOOM_MIN_ICUBE, .m = m};
		uint32_t n = loom_min_nodes(&net);
		uint16_t *square = square_of(&net);
		assert_int_equal(loom_report_latin_write(csv, &net, &err), 0);
		char *text = read_file(csv, &size), *at = text;
		for (uint32_t i = 0; i < n; i++)
			for (uint32_t j = 0; j < n; j++) {
				assert_true(*at >= '0' && *at <= '9');
				assert_int_equal(strtoul(at, &at, 10), square[i * n + j]);
				assert_int_equal(*at++, j + 1 < n ? ',' : '\n');
			}
		assert_int_equal(at - text, size);
		free(text);

		assert_int_equal(loom_report_latin_write(npy, &net, &err), 0);
		text = read_file(npy, &size);
		const unsigned char *bytes = (const unsigned char *)text;
		char shape[64];
		size_t header = 10u + bytes[8] + 256u * bytes[9];
		assert_memory_equal(text, "\x93NUMPY\x01\x00", 8);
		assert_int_equal(header % 64, 0);
		assert_int_equal(text[header - 1], '\n');
		(void)snprintf(shape, sizeof shape, "'shape': (%u, %u)", n, n);
		text[header - 1] = '\0';
		assert_non_null(strstr(text + 10, shape));
		assert_non_null(strstr(text + 10, "'descr': '<u2'"));
		assert_int_equal(size, header + 2 * n * n);
		for (uint32_t i = 0; i < n * n; i++)
			assert_int_equal(bytes[header + 2 * i] + 256 * bytes[header + 2 * i + 1], square[i]);
		free(text);
		free(square);
	}
	struct loom_min net = {.kind = LOOM_MIN_OMEGA, .m = 3};
	// A name that is an ending alone.
	int here = open(".", O_RDONLY | O_DIRECTORY);
	assert_true(here >= 0);
	assert_int_equal(chdir(folder), 0);
	assert_int_equal(loom_report_latin_write(".csv", &net, &err), 0);
	assert_int_equal(unlink(".csv"), 0);
	assert_int_equal(fchdir(here), 0);
	assert_int_equal(close(here), 0);
	assert_int_equal(loom_report_latin_write("square.txt", &net, &err), LOOM_EINPUT);
	assert_string_equal(err.text, "square.txt: a Latin square is written as .csv or .npy");
	assert_int_equal(loom_report_latin_write("csv", &net, &err), LOOM_EINPUT);
	assert_int_equal(loom_report_latin_write("/nonexistent/a.csv", &net, &err), LOOM_EFILE);

	// A plan whose passes are the rows gives the same file.
	struct loom_plan plan;
	char *of_plan, *of_net;
	plan_on(&plan, "omega:8", "all-to-all", "latin", NULL, 5, 1);
	assert_int_equal(loom_report_latin_write(csv, &net, &err), 0);
	of_net = read_file(csv, &size);
	assert_int_equal(loom_report_latin(csv, &plan, &err), 0);
	of_plan = read_file(csv, &size);
	assert_string_equal(of_plan, of_net);
	free(of_plan);
	free(of_net);
	assert_int_equal(loom_report_latin("square.txt", &plan, &err), LOOM_EINPUT);
	plan.messages[0].pass ^= 1;
	assert_int_equal(loom_report_latin(csv, &plan, &err), LOOM_EINPUT);
	assert_non_null(strstr(err.text, "planner latin's plan of all-to-all on omega:8 has none"));
	loom_plan_free(&plan);
	assert_int_equal(unlink(csv), 0);
	assert_int_equal(unlink(npy), 0);
	assert_int_equal(rmdir(folder), 0); // so nothing else was left there
}

// It is the default planner of all-to-all patterns, except for two nodes that only send to each other and need no square.
static void test_volunteers(void **state)
{
	(void)state;
	static const struct {
		const char *fabric, *pattern;
		bool latin;
	} rows[] = {{"omega:2", "complement", false}, {"omega:2", "all-to-others", false},
	            {"omega:2", "all-to-all", true},  {"omega:4", "all-to-others", true},
	            {"icube:8", "all-to-all", true},  {"icube:8", "complement", false}};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct loom_plan plan;
		plan_on(&plan, rows[i].fabric, rows[i].pattern, NULL, NULL, 5, 1);
		if ((strcmp(plan.planner, "latin") == 0) != rows[i].latin)
			fail_msg("%s %s: planner %s", rows[i].fabric, rows[i].pattern, plan.planner);
		loom_plan_free(&plan);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_volunteers),          cmocka_unit_test(test_golden),
		cmocka_unit_test(test_constructions_agree), cmocka_unit_test(test_rows_are_the_network),
		cmocka_unit_test(test_streamed_rows),       cmocka_unit_test(test_files),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
