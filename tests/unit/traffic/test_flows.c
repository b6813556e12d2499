// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Traffic of files and sums: checks the shares that are read, and the texts of refusals.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "unit/help/flows.h"
#include "traffic/shares.h"

enum { NODES = 8 };

// Returns the sum of all shares from v to w.
static double share_of(const struct loom_traffic *t, uint32_t v, uint32_t w)
{
	struct loom_shares shares;
	struct loom_share share;
	double sum = 0;
	for (loom_shares_begin(&shares, t, v); loom_shares_next(&shares, &share);)
		sum += share.destination == w ? share.rate : 0;
	return sum;
}

// --- What is read ---------------------------------------------------------------------------------------------------

struct row {
	const char *text;
	double own_load; // below 0: none
	struct {
		uint32_t source, destination;
		double share;
	} shares[4];
};

static void test_read(void **unused)
{
	(void)unused;
	static const struct row rows[] = {
		// Two senders, each of rate 1; 3 of 4 messages of the first go to 1.
		{"source,destination,weight\n0,1,3\n0,2,1\n3,4,2\n", -1, {{0, 1, 0.75}, {0, 2, 0.25}, {3, 4, 1}}},
		// The same, of lengths: flits 9 to 1.
		{"# first\nweight, flits,destination,source # c\n\n3,3,1,0\n1,1,2,0 # d\n2,1,4,3\n",
	         -1,
	         {{0, 1, 0.9}, {0, 2, 0.1}, {3, 4, 1}}},
		// Rates are flits: 0.4 and 0.2, mean 0.3.
		{"Source,Destination,Rate\r\n0,1,0.3\r\n0,2,1e-1\r\n3,4,.2\r\n",
	         0.3,
	         {{0, 1, 1.0}, {0, 2, 1.0 / 3}, {3, 4, 2.0 / 3}}},
		{"source,destination,rate,flits\n0,1,0.3,7\n0,2,0.1,3\n3,4,0.2,5\n",
	         0.3,
	         {{0, 1, 1.0}, {0, 2, 1.0 / 3}, {3, 4, 2.0 / 3}}},
		{"class,source,destination,rate,flits\n9,0,1,0.3,7\n0,0,2,0.1,3\n255,3,4,0.2,5\n",
	         0.3,
	         {{0, 1, 1.0}, {0, 2, 1.0 / 3}, {3, 4, 2.0 / 3}}},
		// A pair may be there twice, a share may be 0, and what is to oneself stays at home.
		{"source,destination,rate\n0,1,1\n0,1,2\n2,2,9\n3,4,0\n1,0,1\n", 2, {{0, 1, 1.5}, {1, 0, 0.5}}},
		// Noxim's: messages of 10 flits, 0.04 and 0.02 a cycle.
		{"% table\n0 1 0.03\n0 2 0.01 0.01\n3 4 0.02 0.02 0 999 1000 % more\n",
	         0.3,
	         {{0, 1, 1.0}, {0, 2, 1.0 / 3}, {3, 4, 2.0 / 3}}},
		{"0 1\n0 2\n3 4\n", -1, {{0, 1, 2.0 / 3}, {0, 2, 2.0 / 3}, {3, 4, 2.0 / 3}}},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct loom_traffic t;
		double sum = 0;
		flows_write(rows[i].text, strlen(rows[i].text));
		flows_parse_good(&t, "cube:3", "traffic:FILE");
		for (uint32_t v = 0; v < NODES; v++) {
			double rate = 0;
			for (uint32_t w = 0; w < NODES; w++) {
				double wanted = 0;
				for (size_t k = 0; k < 4; k++)
					if (rows[i].shares[k].source == v && rows[i].shares[k].destination == w)
						wanted += rows[i].shares[k].share;
				assert_real(rows[i].text, share_of(&t, v, w), wanted);
				rate += wanted;
			}
			assert_real(rows[i].text, loom_traffic_rate(&t, v), rate);
			sum += rate;
		}
		assert_real(rows[i].text, sum, 2);
		const double own = loom_traffic_own_load(&t, 10);
		if (rows[i].own_load < 0)
			assert_true(isnan(own));
		else
			assert_real(rows[i].text, own, rows[i].own_load);
		loom_traffic_free(&t);
	}
}

static size_t npy(char *out, unsigned version, const char *header, const void *data, size_t n)
{
	const size_t length = strlen(header), width = version == 1 ? 2 : 4;
	memcpy(out, "\x93NUMPY", 6);
	out[6] = (char)version;
	out[7] = 0;
	for (size_t i = 0; i < width; i++)
		out[8 + i] = (char)(length >> 8 * i);
	memcpy(out + 8 + width, header, length);
	memcpy(out + 8 + width + length, data, n);
	return 8 + width + length + n;
}

#define HEADER(type) "{'descr': '" type "', 'fortran_order': False, 'shape': (4, 4), }          \n"

// The same matrix in every form: rows of 3, 0, 1 and 4 flits.
static void test_matrix(void **unused)
{
	(void)unused;
	static const double f8[16] = {5, 2, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 1, 1, 2, 0};
	float f4[16];
	double by_columns[16];
	int64_t i8[16];
	int32_t i4[16];
	char file[1024], *csv = "5,2,1,0 # c\n# d\n0 0 0 0\n\n0,1,0,0\n1,1,2,0";
	for (size_t i = 0; i < 16; i++) {
		f4[i] = (float)f8[i];
		by_columns[4 * (i % 4) + i / 4] = f8[i];
		i8[i] = (int64_t)f8[i];
		i4[i] = (int32_t)f8[i];
	}
	const struct {
		unsigned version; // 0: CSV
		const char *header;
		const void *data;
		size_t n;
	} forms[] = {{0, NULL, csv, strlen(csv)},
	             {1, HEADER("<f8"), f8, sizeof f8},
	             {2, HEADER("<f8"), f8, sizeof f8},
	             {1, HEADER("<f4"), f4, sizeof f4},
	             {1, "{'shape': (4, 4), 'fortran_order': True, 'descr': '<f8'}", by_columns, sizeof by_columns},
	             {1, HEADER("<i8"), i8, sizeof i8},
	             {2, HEADER("<i4"), i4, sizeof i4}};
	for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
		struct loom_traffic t;
		if (forms[i].version)
			flows_write(file, npy(file, forms[i].version, forms[i].header, forms[i].data, forms[i].n));
		else
			flows_write(forms[i].data, forms[i].n);
		flows_parse_good(&t, "cube:2", "matrix:FILE");
		for (uint32_t v = 0; v < 4; v++)
			for (uint32_t w = 0; w < 4; w++)
				assert_real("matrix", share_of(&t, v, w), v == w ? 0 : f8[4 * v + w] * 3 / 8);
		loom_traffic_free(&t);
		flows_parse_good(&t, "omega:4", "matrix:FILE"); // messages to oneself use this network
		assert_real("omega", share_of(&t, 0, 0), 5.0 * 3 / 13);
		loom_traffic_free(&t);
	}
}

// --- What is refused ------------------------------------------------------------------------------------------------

static void refuse(const char *fabric, const char *format, const char *says)
{
	struct loom_traffic t;
	struct loom_topo topo;
	struct loom_err err = {0};
	const int rc = flows_parse(&t, &topo, fabric, format, &err);
	loom_topo_free(&topo);
	if ((rc != LOOM_EINPUT && rc != LOOM_EFILE) || !strstr(err.text, says) || strchr(err.text, '\n'))
		fail_msg("%s: %d \"%s\" does not say \"%s\"", format, rc, err.text, says);
}

static void test_refused(void **unused)
{
	(void)unused;
	static const struct {
		const char *text, *says;
	} files[] = {
		{"", "is empty"},
		{"# only this\n", "is empty"},
		{"source,destination,weight\n", "no flow has a share above 0"},
		{"source,destination,weight\n0,1,0\n", "no flow has a share above 0"},
		{"source,destination,weight\n1,1,2\n", "all messages are to oneself"},
		{"source,destination\n0,1\n", "line 1, column 19: the heading is not complete"},
		{"source,destination,weight,rate\n0,1,1,1\n", "says two things"},
		{"source,destination,wait\n0,1,1\n", "line 1, column 20: \"wait\" in the heading"},
		{"source,destination,source,rate\n0,1,1,1\n", "\"source\" in the heading"},
		{"source,destination,weight\n0,8,1\n",
	         "line 2, column 3: destination \"8\" is no node of cube:3: 0..7"},
		{"source,destination,weight\n-1,1,1\n", "source \"-1\" is no node"},
		{"source,destination,weight\n0,1,-1\n", "line 2, column 5: weight \"-1\" is not a number of 0 or more"},
		{"source,destination,weight\n0,1,nan\n", "\"nan\""},
		{"source,destination,rate\n0,1,inf\n", "rate \"inf\""},
		{"source,destination,rate\n0,1,1e999\n", "\"1e999\""},
		{"source,destination,rate\n0,1,0x1p3\n", "\"0x1p3\""},
		{"source,destination,rate\n0,1\n", "a line has 3 fields"},
		{"source,destination,rate\n0,1,1,5\n", "a line has 3 fields"},
		{"source,destination,rate\n0 1 1\n", "a line has 3 fields"},
		{"source,destination,rate,flits\n0,1,1,0\n", "flits \"0\""},
		{"source,destination,rate,flits\n0,1,1,16777216\n", "flits \"16777216\""},
		{"source,destination,rate,class\n0,1,1,256\n", "line 2, column 7: class \"256\" is no class: 0..255"},
		{"source,destination,rate,class\n0,1,1,a\n", "class \"a\""},
		{"source,destination,rate\n0,1,1e308\n0,2,1e308\n", "more than a number can say"},
		{"0 1 0.1 0.2\n", "POR is not PIR"},
		{"0 1 0.1 0.1 10\n", "switch this flow off"},
		{"0 1 0.1 0.1 0 10\n", "switch this flow off"},
		{"0 1 0.1 0.1 0 10 20\n", "switch this flow off"},
		{"0 1 1.5\n", "PIR 1.5 is more than a message"},
		{"0 1 0.1\n0 2\n", "line 2, column 4: some lines have a PIR"},
		{"% c\n0 9 0.1\n", "line 2, column 3: destination \"9\""},
		{"0 1 x\n", "PIR \"x\""},
	};
	for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
		flows_write(files[i].text, strlen(files[i].text));
		refuse("cube:3", "traffic:FILE", files[i].says);
	}
	static const struct {
		const char *text, *says;
	} matrices[] = {
		{"", "0 rows; the network has 4 nodes"},
		{"0,1,1,1\n1,0,1,1\n1,1,0,1\n", "3 rows"},
		{"0,1,1,1\n1,0,1,1\n1,1,0,1\n1,1,1,0\n0,0,0,0\n", "line 5, column 1: more than 4 rows"},
		{"0,1,1\n", "row 0 has 3 numbers of 4"},
		{"0,1,1,1\n1,0,1,1,2\n", "row 1 has more than 4 numbers"},
		{",0,1,2,3\n0,0,1,1,1\n", "pandas: to_csv"},
		{"0,1,1,-1\n", "\"-1\" is not a number of 0 or more"},
		{"0,nan,1,1\n", "\"nan\""},
		{"0,0,0,0\n0,0,0,0\n0,0,0,0\n0,0,0,0\n", "no flow has a share above 0"},
	};
	for (size_t i = 0; i < sizeof matrices / sizeof matrices[0]; i++) {
		flows_write(matrices[i].text, strlen(matrices[i].text));
		refuse("cube:2", "matrix:FILE", matrices[i].says);
	}
	flows_end();
	refuse("cube:3", "traffic:FILE", "cannot be read: No such file");
	refuse("cube:3", "matrix:FILE", "cannot be read: No such file");
	refuse("cube:3", "matrix:/dev/zero", "more than 64 MiB");
	refuse("cube:3", "traffic:/dev/zero", "byte 0 is 0");
	refuse("cube:3", "matrix:/", "a directory");
}

static void test_refused_arrays(void **unused)
{
	(void)unused;
	static const double good[16] = {0, 1}, negative[16] = {0, -1}, none[16] = {0, NAN}, endless[16] = {0, INFINITY};
	static const int64_t below[16] = {0, -3};
	static const struct {
		unsigned version;
		const char *header;
		const void *data;
		size_t n, cut;
		const char *says;
	} rows[] = {
		{1, HEADER("<f8"), good, sizeof good, 1, "127 bytes of numbers, not 128"},
		{1, HEADER("<f8"), good, sizeof good - 8, 0, "120 bytes of numbers, not 128"},
		{1, HEADER("<f8"), good, sizeof good, 130, "it ends in its header"},
		{2, HEADER("<f8"), good, 0, 75, "it ends in its header"},
		{3, HEADER("<f8"), good, sizeof good, 0, "version 3 of the format"},
		{1, HEADER(">f8"), good, sizeof good, 0, "type '>f8'"},
		{1, HEADER("<c16"), good, sizeof good, 0, "type '<c16'"},
		{1, "{'descr': '<f8', 'fortran_order': Maybe, 'shape': (4, 4), }\n", good, sizeof good, 0,
	         "neither True nor False"},
		{1, "{'descr': '<f8', 'fortran_order': False, 'shape': (16,), }\n", good, sizeof good, 0,
	         "its shape is (16,), not (4, 4)"},
		{1, "{'descr': '<f8', 'fortran_order': False, 'shape': (4, 40), }\n", good, sizeof good, 0,
	         "its shape"},
		{1, "{'descr': '<f8'}\n", good, sizeof good, 0, "no descr, fortran_order and shape"},
		{1, HEADER("<f8"), negative, sizeof negative, 0, "row 0, column 1: -1 is not"},
		{1, HEADER("<f8"), none, sizeof none, 0, "row 0, column 1: nan is not"},
		{1, HEADER("<f8"), endless, sizeof endless, 0, "row 0, column 1: inf is not"},
		{1, HEADER("<i8"), below, sizeof below, 0, "row 0, column 1: -3 is not"},
	};
	char file[1024];
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		flows_write(file, npy(file, rows[i].version, rows[i].header, rows[i].data, rows[i].n) - rows[i].cut);
		refuse("cube:2", "matrix:FILE", rows[i].says);
	}
	for (size_t n = 6; n < 8 + 2 + sizeof HEADER("<f8") - 1 + sizeof good; n++) { // cut anywhere
		(void)npy(file, 1, HEADER("<f8"), good, sizeof good);
		flows_write(file, n);
		refuse("cube:2", "matrix:FILE", "");
	}
}

static void test_sums_refused(void **unused)
{
	(void)unused;
	static const struct {
		const char *spec, *says;
	} rows[] = {
		{"0*uniform+1*shift:1", "a term of a sum has a weight above 0"},
		{"0.5*uniform+0.5*", "pattern"},
		{"0.5*0.5*uniform", "has one weight"},
		{"1..5*uniform", "has a weight above 0"},
		{"0.5*uniform+0.5*matrix:-", "a file with a name"},
		{"0.5*uniform+shift:1", "unknown pattern \"uniform+shift\""},
		{"0.5*uniform+0.5*all-to-all", "sends more than one message"},
		{"0.5*identity+0.5*identity", "no message uses the network"},
		{"1*uniform+1*uniform+1*uniform+1*uniform+1*uniform+1*uniform+1*uniform+1*uniform+1*uniform+1*uniform+"
	         "1*uniform+"
	         "1*uniform+1*uniform+1*uniform+1*uniform+1*uniform+1*uniform",
	         "more than 16"},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		refuse("cube:3", rows[i].spec, rows[i].says);
}

int main(void)
{
	flows_begin();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_read),         cmocka_unit_test(test_matrix),
		cmocka_unit_test(test_refused),      cmocka_unit_test(test_refused_arrays),
		cmocka_unit_test(test_sums_refused),
	};
	const int failed = cmocka_run_group_tests(tests, NULL, NULL);
	flows_end();
	return failed;
}
