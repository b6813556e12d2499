// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Compares random destinations and lengths with the shares, by chi-square, and the gaps of all arrivals and the
// capacities of files and sums with formulas.
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
#include "traffic/injection.h"
#include "traffic/shares.h"

enum { NODES_MOST = 64 };

// --- What is drawn --------------------------------------------------------------------------------------------------

enum { DRAWS = 100000, LENGTHS = 16 };

// The value that chi-square with `degrees` degrees of freedom exceeds once in 10^5 (Wilson and Hilferty).
static double limit_of(double degrees)
{
	const double z = 4.265, a = 2 / (9 * degrees);
	return degrees * pow(1 - a + z * sqrt(a), 3);
}

// Draws from every source of the traffic, and compares destinations and lengths together with the shares.
static void hold_draws(const char *fabric, const char *format, const struct loom_load_options *o)
{
	struct loom_traffic t;
	flows_parse_good(&t, fabric, format);
	for (uint32_t v = 0; v < t.n_nodes; v++) {
		static unsigned drawn[NODES_MOST][LENGTHS];
		static double wanted[NODES_MOST][LENGTHS];
		struct loom_injection_of a;
		struct loom_shares shares;
		struct loom_share share;
		double all = 0, square = 0, degrees = -1;
		memset(drawn, 0, sizeof drawn);
		memset(wanted, 0, sizeof wanted);
		for (loom_shares_begin(&shares, &t, v); loom_shares_next(&shares, &share);) {
			const uint32_t n = share.flits || !o->lengths ? 1 : o->lengths->n;
			const double mean = share.flits  ? share.flits
			                    : o->lengths ? loom_lengths_mean(o->lengths)
			                                 : o->flits;
			for (uint32_t k = 0; k < n; k++) {
				const uint32_t flits = share.flits  ? share.flits
				                       : o->lengths ? o->lengths->flits[k]
				                                    : o->flits;
				const double part = n > 1 ? o->lengths->probability[k] : 1;
				wanted[share.destination][flits] += part * share.rate / mean;
			}
			all += share.rate / mean;
		}
		if (loom_traffic_rate(&t, v) <= 0) {
			assert_true(all == 0);
			continue;
		}
		assert_real(format, loom_shares_gap(&t, o, v), 1 / (all * o->load));
		loom_injection_begin(&a, o, 5, v);
		for (size_t i = 0; i < DRAWS; i++) {
			const struct loom_drawn m = loom_injection_draw(&a, &t, o, v);
			assert_true(m.destination < t.n_nodes && m.flits < LENGTHS);
			drawn[m.destination][m.flits]++;
		}
		for (uint32_t w = 0; w < t.n_nodes; w++)
			for (uint32_t f = 0; f < LENGTHS; f++) {
				const double expected = DRAWS * wanted[w][f] / all;
				if (expected <= 0 && drawn[w][f])
					fail_msg("%s: %u messages from %u to %u of %u flits", format, drawn[w][f], v, w,
					         f);
				if (expected <= 0)
					continue;
				square += (drawn[w][f] - expected) * (drawn[w][f] - expected) / expected;
				degrees++;
			}
		if (degrees > 0 && square > limit_of(degrees))
			fail_msg("%s on %s from %u: chi-square %g of %g degrees", format, fabric, v, square, degrees);
	}
	loom_traffic_free(&t);
}

static void test_draws(void **unused)
{
	(void)unused;
	static const char flows[] = "source,destination,weight\n0,1,3\n0,2,1\n3,4,2\n3,5,0.5\n3,6,7\n3,0,1e-1\n",
			  lengths[] = "source,destination,rate,flits\n0,1,3,2\n0,1,1,7\n3,4,2,1\n3,5,0.5,9\n7,6,1,3\n";
	struct loom_lengths mixed, thirds;
	struct loom_err err;
	assert_int_equal(loom_lengths_parse(&mixed, "1:0.6,5:0.3,12:0.1", &err), 0);
	assert_int_equal(loom_lengths_parse(&thirds, "2:0.333333,4:0.333333,6:0.333333", &err), 0);
	const struct loom_load_options ways[] = {{.load = 0.3, .flits = 4, .seed = 11},
	                                         {.load = 0.1, .flits = 1, .lengths = &mixed, .seed = 12},
	                                         {.load = 1, .flits = 1, .lengths = &thirds, .seed = 13}};
	for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
		flows_write(flows, strlen(flows));
		hold_draws("cube:3", "traffic:FILE", &ways[i]);
		hold_draws("cube:3", "0.7*uniform+0.3*complement", &ways[i]);
		hold_draws("mesh:4x4", "2*transpose+1*hotspot:3:0.5+.5*shift:1", &ways[i]);
		hold_draws("cube:3", "0.5*traffic:FILE+0.25*unshuffle+0.25*hotspot:5", &ways[i]);
		flows_write(lengths, strlen(lengths));
		hold_draws("cube:3", "traffic:FILE", &ways[i]);
		hold_draws("cube:3", "0.5*traffic:FILE+0.5*uniform", &ways[i]);
	}
}

static void test_lengths(void **unused)
{
	(void)unused;
	static const struct {
		const char *text, *says;
	} bad[] = {
		{"1:0.6,5:0.5", "add up to 1.1"},
		{"1:0.6", "add up to 0.6"},
		{"", "not a number of flits"},
		{"1:0.6,", "not a number of"},
		{"0:0.6,5:0.4", "\"0:0.6\""},
		{"1:0.6,1:0.4", "1 flits are there twice"},
		{"1:-1,5:2", "\"1:-1\""},
		{"1:nan,2:1", "\"1:nan\""},
		{"16777216:1.0", "\"16777216:1.0\""},
		{"3,5", "add up to 2"},
		{"5-3", "\"5-3\""},
		{"0-3", "\"0-3\""},
		{"2-", "\"2-\""},
		{"-2", "\"-2\""},
		{"2-4-6", "\"2-4-6\""},
		{"1-65", "more than 64"},
		{"1-16777216", "\"1-16777216\""},
		{"2-5:0.5,4:0.5", "4 flits are there twice"},
		{"1:0.5:0.5", "\"1:0.5:0.5\""},
		{"1:1.5", "\"1:1.5\""},
	};
	struct loom_lengths lengths;
	struct loom_err err;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		assert_int_equal(loom_lengths_parse(&lengths, bad[i].text, &err), LOOM_EINPUT);
		if (!strstr(err.text, bad[i].says))
			fail_msg("%s: \"%s\" does not say \"%s\"", bad[i].text, err.text, bad[i].says);
	}
	assert_int_equal(loom_lengths_parse(&lengths, "1:0.6,5:0.4", &err), 0);
	assert_int_equal(lengths.n, 2);
	assert_real("mean", loom_lengths_mean(&lengths), 2.6);
	assert_int_equal(loom_lengths_parse(&lengths, "7:1.0,9:0", &err), 0);
	assert_int_equal(lengths.n, 1);
	assert_real("mean", loom_lengths_mean(&lengths), 7);
	assert_int_equal(loom_lengths_parse(&lengths, "1-64", &err), 0);
	assert_int_equal(lengths.n, 64);
	assert_real("mean", loom_lengths_mean(&lengths), 32.5);
	assert_int_equal(loom_lengths_parse(&lengths, "2-5:0.2,20:0.8", &err), 0);
	assert_int_equal(lengths.n, 5);
	assert_int_equal(lengths.flits[3], 5);
	assert_real("one of four", lengths.probability[3], 0.05);
	assert_real("mean", loom_lengths_mean(&lengths), 0.2 * 3.5 + 0.8 * 20);
}

// --- Times of messages ----------------------------------------------------------------------------------------------

// The mean gap of every process; of periodic ones each gap, and phases over the whole of a period; of bursts the part of time in
// which a node is on, by whether messages follow one another.
static void test_arrivals(void **unused)
{
	(void)unused;
	static const double gaps[] = {1, 1.25, 3, 66.7};
	for (size_t i = 0; i < sizeof gaps / sizeof gaps[0]; i++) {
		unsigned below[4] = {0};
		for (uint32_t v = 0; v < 4000; v++) {
			struct loom_injection_of a;
			const struct loom_load_options o = {.injection = LOOM_INJECTION_PERIODIC, .seed = 3};
			loom_injection_begin(&a, &o, gaps[i], v);
			const uint64_t first = loom_injection_next(&a);
			uint64_t last = first;
			assert_true(first >= 1 && (double)(first - 1) < gaps[i]);
			for (int k = 1; k < 50; k++) {
				const uint64_t next = loom_injection_next(&a);
				assert_true(fabs((double)(next - last) - gaps[i]) < 1);
				assert_true(fabs((double)(next - first) - k * gaps[i]) < 1 + 1e-9);
				last = next;
			}
			below[(int)(4 * (double)(first - 1) / gaps[i])]++;
		}
		for (int q = 0; gaps[i] > 60 && q < 4; q++)
			assert_true(below[q] > 880 && below[q] < 1120);
	}
	static const struct {
		uint32_t on, off;
		double gap;
	} bursts[] = {{1, 1, 2}, {20, 80, 5}, {20, 80, 50}, {3, 1, 7.5}, {1000, 10, 4}};
	for (size_t i = 0; i < sizeof bursts / sizeof bursts[0]; i++) {
		const double on = bursts[i].on, off = bursts[i].off, p = (on + off) / on / bursts[i].gap;
		const struct loom_load_options o = {.injection = LOOM_INJECTION_BURST,
		                                    .on_cycles = bursts[i].on,
		                                    .off_cycles = bursts[i].off,
		                                    .seed = 5};
		uint64_t last = 0, n_next = 0, n_first = 0;
		enum { MESSAGES = 400000 };
		struct loom_injection_of a;
		loom_injection_begin(&a, &o, bursts[i].gap, 3);
		for (int k = 0; k < MESSAGES; k++) {
			const uint64_t at = loom_injection_next(&a);
			assert_true(at > last);
			n_next += at == last + 1;
			last = at;
		}
		if (fabs((double)last / MESSAGES / bursts[i].gap - 1) > 0.03)
			fail_msg("bursts %zu: mean gap %g instead of %g", i, (double)last / MESSAGES, bursts[i].gap);
		// After a message a node is on in the next cycle with 1 - 1/on, and makes one then with p.
		const double follows = p * (1 - 1 / on);
		if (fabs((double)n_next / MESSAGES - follows) > 0.004)
			fail_msg("bursts %zu: %g follow at once instead of %g", i, (double)n_next / MESSAGES, follows);
		// A node begins as if it had been on and off for ever: in cycle 1 it makes a message with 1 / gap.
		for (uint32_t v = 0; v < 40000; v++) {
			loom_injection_begin(&a, &o, bursts[i].gap, v);
			n_first += loom_injection_next(&a) == 1;
		}
		if (fabs((double)n_first / 40000 - 1 / bursts[i].gap) > 0.012)
			fail_msg("bursts %zu: %g in cycle 1 instead of %g", i, (double)n_first / 40000,
			         1 / bursts[i].gap);
	}
}

static void test_arrivals_parse(void **unused)
{
	(void)unused;
	enum loom_injection kind;
	uint32_t on = 9, off = 9;
	struct loom_err err;
	for (unsigned k = 0; k < LOOM_INJECTION_BURST; k++) {
		assert_int_equal(loom_injection_parse(&kind, &on, &off, loom_injection_name(k), &err), 0);
		assert_true(kind == k && on == 0 && off == 0);
	}
	assert_int_equal(loom_injection_parse(&kind, &on, &off, "burst:20:80", &err), 0);
	assert_true(kind == LOOM_INJECTION_BURST && on == 20 && off == 80);
	static const struct {
		const char *text, *says;
	} bad[] = {{"burst", "such as burst:20:80"},
	           {"burst:0:1", "1..1000000"},
	           {"burst:1", "such as"},
	           {"burst:1:2:3", "such as"},
	           {"burst:1:1000001", "1..1000000"},
	           {"poisson:3", "poisson:3"},
	           {"periodical", "did you mean \"periodic\""},
	           {"", "there is:"}};
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		assert_int_equal(loom_injection_parse(&kind, &on, &off, bad[i].text, &err), LOOM_EINPUT);
		if (!strstr(err.text, bad[i].says))
			fail_msg("%s: \"%s\" does not say \"%s\"", bad[i].text, err.text, bad[i].says);
	}
}

// --- Capacity -------------------------------------------------------------------------------------------------------

static double capacity(const char *fabric, const char *format)
{
	struct loom_topo topo;
	struct loom_traffic t;
	struct loom_err err = {0};
	uint32_t map[NODES_MOST];
	double out = 0;
	for (uint32_t v = 0; v < NODES_MOST; v++)
		map[v] = v;
	if (flows_parse(&t, &topo, fabric, format, &err) != 0)
		fail_msg("%s: %s", format, err.text);
	assert_int_equal(loom_traffic_capacity(&out, &t, &topo, map, &(struct loom_load_options){0}, &err), 0);
	loom_traffic_free(&t);
	loom_topo_free(&topo);
	return out;
}

// Checks the capacity of flows over one channel, of a node that sends more than the mean, and of sums, whose loads add
// up.
static void test_capacity(void **unused)
{
	(void)unused;
	// Rates 4, 2, 0 flits: mean 3, so 4/3 and 2/3; both cross 1 to 2 on the line: 2 flits at load 1.
	static const char line[] = "source,destination,rate,flits\n0,2,4,3\n1,2,2,9\n";
	flows_write(line, strlen(line));
	assert_real("line", capacity("line:4", "traffic:FILE"), 0.5);
	// The first alone sends more than a flit in a cycle.
	static const char apart[] = "source,destination,rate\n0,1,4\n3,2,2\n";
	flows_write(apart, strlen(apart));
	assert_real("apart", capacity("line:4", "traffic:FILE"), 0.75);
	// Transpose on 4x4 has 12 senders, uniform 16: the sum's mean rate is (16 * 0.6 + 12 * 0.4) / 16 = 0.9.
	const double uniform = 1 / capacity("cube:3", "uniform"), own = 1 / capacity("cube:3", "hotspot:0");
	assert_real("uniform", uniform, 1);
	assert_real("hotspot", own, 7);
	assert_real("sum", 1 / capacity("cube:3", "0.5*uniform+0.5*hotspot:0"), (0.5 * 1 + 0.5 * 7) / ((8 + 7) / 16.0));
	struct loom_traffic t;
	flows_parse_good(&t, "mesh:4x4", "0.6*uniform+0.4*transpose");
	assert_real("diagonal", loom_traffic_rate(&t, 5), 0.6 / 0.9);
	assert_real("others", loom_traffic_rate(&t, 1), 1 / 0.9);
	loom_traffic_free(&t);
	char most[LOOM_TRAFFIC_TERMS_MOST * 20] = "0.0625*transpose"; // of as many terms as there may be
	for (int k = 1; k < LOOM_TRAFFIC_TERMS_MOST; k++)
		strcat(most, "+0.0625*transpose");
	flows_parse_good(&t, "mesh:4x4", most);
	assert_int_equal(t.n_terms, LOOM_TRAFFIC_TERMS_MOST);
	for (uint32_t v = 0; v < 16; v++)
		assert_real("most terms", loom_traffic_rate(&t, v), v % 5 ? 1 : 0);
	loom_traffic_free(&t);
}

// The highest load at which nodes make their messages.
static void test_most(void **unused)
{
	(void)unused;
	static const char apart[] = "source,destination,rate\n0,1,4\n3,2,2\n";
	struct loom_traffic t;
	struct loom_load_options o = {.flits = 1, .injection = LOOM_INJECTION_POISSON, .on_cycles = 1, .off_cycles = 3};
	flows_write(apart, strlen(apart));
	flows_parse_good(&t, "line:4", "traffic:FILE");
	assert_real("poisson", loom_load_most(&t, &o), 1);
	o.injection = LOOM_INJECTION_BERNOULLI;
	assert_real("bernoulli", loom_load_most(&t, &o), 0.75);
	o.injection = LOOM_INJECTION_PERIODIC;
	assert_real("periodic", loom_load_most(&t, &o), 0.75);
	o.injection = LOOM_INJECTION_BURST;
	assert_real("burst", loom_load_most(&t, &o), 0.75 / 4);
	o.flits = 3;
	assert_real("burst", loom_load_most(&t, &o), 0.75 * 3 / 4);
	loom_traffic_free(&t);
}

int main(void)
{
	flows_begin();
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_draws),          cmocka_unit_test(test_lengths),  cmocka_unit_test(test_arrivals),
		cmocka_unit_test(test_arrivals_parse), cmocka_unit_test(test_capacity), cmocka_unit_test(test_most),
	};
	const int failed = cmocka_run_group_tests(tests, NULL, NULL);
	flows_end();
	return failed;
}
