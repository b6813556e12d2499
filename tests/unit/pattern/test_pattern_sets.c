// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
// Sets by name, sets of one, the 2-D FFT, and the names of other simulators.
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <flitloom/math/lcc_set.h>
#include <flitloom/plan.h>

#include "unit/help/patterns.h"

// ---- Sets by name ----

// Member by member what the names give alone, with the seeds S, S + 1, ...
static void check_set(const char *const names[], uint32_t n_nodes)
{
	char spec[256] = "set:";
	for (size_t i = 0; names[i]; i++)
		(void)snprintf(spec + strlen(spec), sizeof spec - strlen(spec), "%s%s", i ? "+" : "", names[i]);
	struct loom_pattern set = parse(spec, n_nodes);
	check_invariants(&set, spec);
	assert_string_equal(set.name, spec);
	uint32_t member = 0;
	size_t message = 0;
	for (size_t i = 0; names[i]; i++) {
		struct loom_pattern_options options = defaults;
		options.seed += i;
		struct loom_pattern alone = parse_with(names[i], n_nodes, &options);
		for (uint32_t r = 0; r < alone.n_lccs; r++, member++) {
			assert_in_range(member, 0, set.n_lccs - 1);
			assert_int_equal(set.lccs[member].kind, alone.lccs[r].kind);
			assert_int_equal(set.lccs[member].b, alone.lccs[r].b);
			assert_memory_equal(&set.lccs[member].a, &alone.lccs[r].a, sizeof alone.lccs[r].a);
		}
		for (size_t m = 0; m < alone.n_messages; m++, message++) {
			assert_int_equal(set.messages[message].source, alone.messages[m].source);
			assert_int_equal(set.messages[message].destination, alone.messages[m].destination);
			assert_int_equal(set.messages[message].flits, 17);
		}
		loom_pattern_free(&alone);
	}
	assert_int_equal(member, set.n_members);
	assert_int_equal(message, set.n_messages);
	loom_pattern_free(&set);
}

static void test_sets_by_name(void **state)
{
	(void)state;
	check_set(PARTS("transpose", "bit-reverse"), 16);
	check_set(PARTS("bit-reverse", "transpose", "bit-reverse"), 1024);
	check_set(PARTS("transpose"), 64);
	check_set(PARTS("fft"), 8);
	check_set(PARTS("scale", "fft", "neighbor:3", "gather:1/4", "scatter:5", "hotspot:2"), 16);
	check_set(PARTS("bpc:[-0,1]", "perm:3,2,1,0", "shift:-2", "identity"), 4);
	check_set(PARTS("random-lcc:4", "random-lcc:4", "random-lcs:2"), 16);

	struct loom_pattern p = parse("set:random-lcc:4+random-lcc:4", 16);
	assert_memory_not_equal(&p.lccs[0], &p.lccs[1], sizeof p.lccs[0]);
	loom_pattern_free(&p);
}

static void test_errors_name_the_member(void **state)
{
	(void)state;
	static const struct {
		const char *spec, *parts[3];
	} cases[] = {
		{"set:transpose+bit-revrse", {"member 1 \"bit-revrse\"", "did you mean \"bit-reverse\"?"}},
		{"set:bitrev+transpose", {"member 0 \"bitrev\"", "flitloom calls it \"bit-reverse\""}},
		{"set:transpose+shift:1", {"member 1 \"shift:1\"", "not linear-complement", "16 processors"}},
		{"set:all-to-all+transpose", {"member 0 \"all-to-all\"", "not linear-complement"}},
		{"set:transpose+neighbor:4", {"member 1 \"neighbor:4\"", "0..3"}},
		{"set:transpose+neighbor", {"member 1", "neighbor:BIT"}},
		{"set:transpose:1", {"member 0", "takes no argument"}},
		{"set:transpose+", {"member 1 \"\"", "missing"}},
		{"set:+transpose", {"member 0 \"\"", "missing"}},
		{"set:+", {"member 0", "missing"}},
		{"set:transpose+set:fft", {"member 1", "a set in a set"}},
		{"set:transpose+set", {"member 1", "a set in a set"}},
		{"set:transpose+lcc:/nonexistent/file", {"member 1", "No such file"}},
		{"set:a+b.json", {"member 0 \"a\"", "set:./FILE"}},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		int code = strstr(cases[i].spec, "nonexistent") ? LOOM_EFILE : LOOM_EINPUT;
		parse_fails(cases[i].spec, 16, code, PARTS(cases[i].parts[0], cases[i].parts[1], cases[i].parts[2]));
	}
	parse_fails("set:transpose+bit-reverse", 12, LOOM_EINPUT, PARTS("member 0", "power of two"));
	parse_fails("set:identity", 12, LOOM_EINPUT, PARTS("member 0", "not linear-complement", "12 processors"));

	const char *path = write_file("0,1,5\n1,0,5\n", 12); // a permutation, but of messages of 5 flits
	char spec[600];
	(void)snprintf(spec, sizeof spec, "set:neighbor:0+messages:%s", path);
	parse_fails(spec, 2, LOOM_EINPUT, PARTS("member 1", "lengths of their own"));
}

// A name with a . or / before the first + or : is a file's, whatever else is in it.
static void test_files_with_plus(void **state)
{
	(void)state;
	static const char text[] = "[{\"n\":1,\"kind\":\"permutation\",\"A\":[1],\"b\":1}]";
	static const char *const files[] = {"./transpose+x", "./transpose", "a.b+c", "./set:x+y"};
	char folder[] = "/tmp/loom_set_XXXXXX", before[512];
	assert_non_null(getcwd(before, sizeof before));
	assert_non_null(mkdtemp(folder));
	assert_int_equal(chdir(folder), 0);
	for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
		char spec[64];
		FILE *file = fopen(files[i], "w");
		assert_non_null(file);
		assert_int_equal(fputs(text, file) >= 0, 1);
		assert_int_equal(fclose(file), 0);
		(void)snprintf(spec, sizeof spec, "set:%s", files[i]);
		struct loom_pattern p = parse(spec, 2);
		assert_int_equal(p.n_lccs, 1);
		assert_int_equal(p.lccs[0].b, 1);
		loom_pattern_free(&p);
		assert_int_equal(unlink(files[i]), 0);
	}
	assert_int_equal(chdir(before), 0);
	assert_int_equal(rmdir(folder), 0);
}

// ---- A set of one ----

static void plan_one(struct loom_plan *out, const char *spec, const char *fabric, const char *planner,
                     const char *objective)
{
	struct loom_topo topo;
	struct loom_err err = {.code = 0};
	assert_int_equal(loom_topo_parse(&topo, fabric, &err), 0);
	struct loom_pattern p = parse(spec, topo.n_nodes);
	const struct loom_plan_options options = {.planner = planner, .objective = objective};
	if (loom_plan_make(out, &topo, &p, &options, &err) != 0)
		fail_msg("%s on %s: %s", spec, fabric, err.text);
	assert_int_equal(out->n_members, 1);
	loom_pattern_free(&p);
}

static void test_set_of_one(void **state)
{
	(void)state;
	static const char *const objectives[] = {"maxmax", "maxsum", "sumsum"};
	static const char *const specs[] = {"set:bit-reverse", "bit-reverse", "random-lcc:2", "random-lcs:3"};
	for (size_t s = 0; s < 4; s++)
		for (size_t o = 0; o < 3; o++) {
			struct loom_pattern p = parse(specs[s], 32);
			struct loom_set_result best;
			assert_int_equal(
				loom_lcc_set_optimize(&best, p.lccs, 1, (enum loom_objective)o,
			                              &(struct loom_set_limits){.max_bytes = UINT64_C(1) << 30}, NULL),
				0);
			for (unsigned named = 0; named < 2; named++) {
				struct loom_plan plan;
				plan_one(&plan, specs[s], "cube:5", named ? "lcc_set" : NULL, objectives[o]);
				assert_string_equal(plan.planner, "lcc_set");
				assert_string_equal(plan.objective, objectives[o]);
				assert_int_equal(plan.objective_value, best.value);
				loom_plan_free(&plan);
			}
			loom_pattern_free(&p);
		}

	struct loom_plan plan;
	plan_one(&plan, "set:bit-reverse", "cube:5", NULL, NULL); // nothing to weigh: as the same pattern alone
	assert_string_equal(plan.planner, "lcc");
	assert_string_equal(plan.objective, "");
	loom_plan_free(&plan);
	plan_one(&plan, "set:bit-reverse", "cube:5", "direct", "sumsum");
	assert_string_equal(plan.objective, "sumsum");
	uint64_t direct = plan.objective_value;
	loom_plan_free(&plan);
	plan_one(&plan, "set:bit-reverse", "cube:5", NULL, "sumsum");
	assert_true(plan.objective_value < direct);
	loom_plan_free(&plan);
	plan_one(&plan, "set:bit-reverse", "omega:8", NULL, "maxsum");
	assert_string_equal(plan.objective, "maxsum");
	loom_plan_free(&plan);

	struct loom_topo topo;
	struct loom_err err = {.code = 0};
	struct loom_pattern p = parse("bit-reverse", 8);
	const struct loom_plan_options options = {.planner = "two_pass", .objective = "maxsum"};
	assert_int_equal(loom_topo_parse(&topo, "cube:3", NULL), 0);
	assert_int_equal(loom_plan_make(&plan, &topo, &p, &options, &err), LOOM_EINPUT);
	assert_non_null(strstr(err.text, "two_pass weighs no objective"));
	loom_pattern_free(&p);
}

// ---- The 2-D FFT ----

struct point {
	double re, im;
};

static struct point add_turned(struct point a, struct point b, double angle, double sign)
{
	double c = cos(angle), s = sin(angle);
	return (struct point){a.re + sign * (c * b.re - s * b.im), a.im + sign * (c * b.im + s * b.re)};
}

// Runs the communications in their order on one value a processor: a permutation moves the values; an exchange, which
// is recognised by A = I and b other than 0, is followed by the butterfly on the processor's place in its row.
static void run_fft2d(struct point *value, const struct loom_pattern *p, unsigned n)
{
	struct loom_gf2 identity;
	struct point got[64], next[64];
	uint32_t side = 1u << n / 2;
	loom_gf2_identity(&identity, n);
	for (uint32_t member = 0; member < p->n_members; member++) {
		for (size_t i = 0; i < p->n_messages; i++)
			if (p->messages[i].member == member)
				got[p->messages[i].destination] = value[p->messages[i].source];
		uint32_t b = (uint32_t)p->lccs[member].b;
		bool is_exchange = b != 0 && memcmp(&p->lccs[member].a, &identity, sizeof identity) == 0;
		for (uint32_t x = 0; is_exchange && x < p->n_nodes; x++) {
			double angle = -3.14159265358979323846 * (x % side % b) / b;
			next[x] = x & b ? add_turned(got[x], value[x], angle, -1)
			                : add_turned(value[x], got[x], angle, 1);
		}
		memcpy(value, is_exchange ? next : got, p->n_nodes * sizeof *value);
	}
}

static void test_fft2d(void **state)
{
	(void)state;
	for (unsigned n = 2; n <= 6; n += 2) {
		uint32_t side = 1u << n / 2, n_nodes = 1u << n;
		struct point in[64], out[64];
		struct loom_pattern p = parse("fft2d", n_nodes);
		check_invariants(&p, "fft2d");
		assert_int_equal(p.n_members, 4 + n);
		for (uint32_t x = 0; x < n_nodes; x++)
			in[x] = (struct point){(x * 37 + 11) % 23, (x * 17 + 5) % 19};
		memcpy(out, in, sizeof in);
		run_fft2d(out, &p, n);
		for (uint32_t k = 0; k < n_nodes; k++) { // the sum that defines the transform
			struct point sum = {0, 0};
			for (uint32_t x = 0; x < n_nodes; x++)
				sum = add_turned(sum, in[x],
				                 -2 * 3.14159265358979323846 *
				                         ((k % side) * (x % side) + (k / side) * (x / side)) / side,
				                 1);
			if (fabs(sum.re - out[k].re) > 1e-9 || fabs(sum.im - out[k].im) > 1e-9)
				fail_msg("n = %u: frequency %" PRIu32 " is (%g, %g), not (%g, %g)", n, k, out[k].re,
				         out[k].im, sum.re, sum.im);
		}
		loom_pattern_free(&p);
	}
	struct loom_pattern p = parse("fft2d", 256);
	assert_int_equal(p.n_members, 12);
	loom_pattern_free(&p);
	p = parse("fft2d", 1024);
	assert_int_equal(p.n_members, 14);
	loom_pattern_free(&p);
	parse_fails("fft2d", 8, LOOM_EINPUT, PARTS("fft2d", "multiple of 2"));
}

// ---- Names of other simulators ----

static void test_foreign_names(void **state)
{
	(void)state;
	static const char *const names[][3] = {
		{"bitcomp", "BookSim2", "complement"},         {"bitrev", "BookSim2", "bit-reverse"},
		{"randperm", "BookSim2", "random-perm"},       {"bit_complement", "Garnet", "complement"},
		{"bit_reverse", "Garnet", "bit-reverse"},      {"bit_rotation", "Garnet", "unshuffle"},
		{"bit-rotation", "Garnet", "unshuffle"},       {"BIT_ROTATION", "Garnet", "unshuffle"},
		{"uniform_random", "Garnet", "uniform:COUNT"}, {"bitreversal", "Noxim", "bit-reverse"},
		{"random:3", "Noxim", "uniform:COUNT"},        {"transpose1", "Noxim", "reflect-antidiagonal"},
		{"transpose2", "Noxim", "transpose"},
	};
	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		char calls[64];
		(void)snprintf(calls, sizeof calls, "flitloom calls it \"%s\"", names[i][2]);
		parse_fails(names[i][0], 16, LOOM_EINPUT, PARTS(names[i][1], calls));
		// The suggested name exists.
		char ours[32];
		(void)snprintf(ours, sizeof ours, "%s", names[i][2]);
		char *colon = strchr(ours, ':');
		if (colon)
			(void)snprintf(colon, 3, ":1");
		struct loom_pattern p = parse(ours, 16);
		loom_pattern_free(&p);
	}
	static const char *const without[] = {"diagonal",   "asymmetric", "taper64",
	                                      "background", "bad_dragon", "badperm_yarc"};
	for (size_t i = 0; i < sizeof without / sizeof without[0]; i++)
		parse_fails(without[i], 64, LOOM_EINPUT, PARTS("BookSim2", "none like it", "messages:FILE"));
	// Neither the beginning of such a name nor more than the whole of it.
	parse_fails("bitco", 16, LOOM_EINPUT, PARTS("unknown pattern \"bitco\": \"flitloom list"));
	parse_fails("bitcompX", 16, LOOM_EINPUT, PARTS("unknown pattern \"bitcompX\": \"flitloom list"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sets_by_name),    cmocka_unit_test(test_errors_name_the_member),
		cmocka_unit_test(test_files_with_plus), cmocka_unit_test(test_set_of_one),
		cmocka_unit_test(test_fft2d),           cmocka_unit_test(test_foreign_names),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
