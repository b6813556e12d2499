// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
// Patterns that are rules on the address bits, one by one and in sets.
#include <stdbool.h>
#include <string.h>

#include <flitloom/pattern.h>

#include "base/suggest.h"
#include "base/text.h"
#include "pattern/pattern_internal.h"

static unsigned same(unsigned i, unsigned n)
{
	(void)n;
	return i;
}

static unsigned reverse(unsigned i, unsigned n)
{
	return n - 1 - i;
}

static unsigned reverse_low(unsigned i, unsigned n)
{
	return i < n / 2 ? n / 2 - 1 - i : i;
}

static unsigned reverse_high(unsigned i, unsigned n)
{
	return i < n / 2 ? i : n / 2 + (n - 1 - i);
}

static unsigned swap_halves(unsigned i, unsigned n)
{
	return (i + n / 2) % n;
}

static unsigned swap_middle_quarters(unsigned i, unsigned n)
{
	if (i < n / 4 || i >= n - n / 4)
		return i;
	return i < n / 2 ? i + n / 4 : i - n / 4;
}

static unsigned swap_ends(unsigned i, unsigned n)
{
	return i == 0 ? n - 1 : i == n - 1 ? 0 : i;
}

static unsigned from_below(unsigned i, unsigned n) // destination = source rotated left
{
	return (i + n - 1) % n;
}

static unsigned from_above(unsigned i, unsigned n) // destination = source rotated right
{
	return (i + 1) % n;
}

static unsigned interleave(unsigned i, unsigned n) // the high half goes to the odd bits, the low half to the even ones
{
	return i / 2 + (i % 2 ? n / 2 : 0);
}

static unsigned separate(unsigned i, unsigned n) // the inverse
{
	return i < n / 2 ? 2 * i : 2 * (i - n / 2) + 1;
}

static unsigned halve(unsigned i, unsigned n) // each half of the bits, as a number, divided by two
{
	return (i + 1) % (n / 2) == 0 ? n : i + 1;
}

static void lcc_of_rule(struct loom_lcc *out, unsigned n, loom_bit_rule *bit, enum loom_flip flip)
{
	uint64_t low = loom_gf2_mask(n / 2), all = loom_gf2_mask(n);
	const uint64_t b[] = {
		[LOOM_FLIP_NONE] = 0, [LOOM_FLIP_LOW] = low, [LOOM_FLIP_HIGH] = all & ~low, [LOOM_FLIP_ALL] = all};
	bool full = true;

	memset(out, 0, sizeof *out);
	out->a.n = n;
	for (unsigned i = 0; i < n; i++) {
		unsigned j = bit(i, n);
		if (j < n)
			out->a.row[i] = UINT64_C(1) << j;
		else
			full = false;
	}
	out->b = b[flip];
	// If the rule leaves out some bits, not every destination has a source of its own: the rule then says from
	// which source each destination gets its data, which is a scatter.
	out->kind = full ? LOOM_LCC_PERMUTATION : LOOM_LCC_SCATTER;
}

static int make_rule(struct loom_pattern *out, const struct loom_pattern_request *rq, struct loom_err *err)
{
	unsigned n;
	struct loom_lcc lcc;
	int code = loom_pattern_address_bits(&n, rq, rq->row->multiple, err);
	if (code)
		return code;
	lcc_of_rule(&lcc, n, rq->row->bit, rq->row->flip);
	return loom_pattern_make_from_lccs(out, rq, &lcc, 1, err);
}

static const struct loom_pattern_row *bpc_row(size_t i)
{
	for (const struct loom_pattern_row *row = loom_pattern_rows_bits; row->name; row++)
		if (row->bit && row->bit != halve && i-- == 0)
			return row;
	return NULL;
}

static const char *bpc_name(size_t i)
{
	const struct loom_pattern_row *row = bpc_row(i);
	return row ? row->name : NULL;
}

int loom_pattern_bpc_of_name(struct loom_lcc *out, const struct loom_pattern_request *rq, const char *name,
                             struct loom_err *err)
{
	unsigned n;
	size_t i = 0;
	char shown[48];
	while (bpc_row(i) && strcmp(bpc_row(i)->name, name) != 0)
		i++;
	struct loom_pattern_request named = *rq; // so that errors call it by its name
	named.row = bpc_row(i);
	if (!named.row) {
		const char *near = loom_suggest(loom_text_quote(shown, sizeof shown, name, strlen(name)), bpc_name);
		return loom_fail(err, LOOM_EINPUT,
		                 "bpc: \"%s\" is no list like [-0,1,2,-3] and the name of no bit permutation%s%s%s",
		                 shown, near ? "; did you mean \"" : " such as shuffle", near ? near : "",
		                 near ? "\"?" : "");
	}
	int code = loom_pattern_address_bits(&n, &named, named.row->multiple, err);
	if (code == 0)
		lcc_of_rule(out, n, named.row->bit, named.row->flip);
	return code;
}

static void lcc_of_exchange(struct loom_lcc *out, unsigned n, unsigned k)
{
	lcc_of_rule(out, n, same, LOOM_FLIP_NONE);
	out->b = UINT64_C(1) << k;
}

static int make_transpose(struct loom_pattern *out, const struct loom_pattern_request *rq, struct loom_err *err)
{
	return loom_pattern_has_coordinates(rq) ? loom_pattern_make_transposed(out, rq, err) : make_rule(out, rq, err);
}

static int make_neighbor(struct loom_pattern *out, const struct loom_pattern_request *rq, struct loom_err *err)
{
	unsigned n;
	uint32_t k;
	struct loom_lcc lcc;
	if (!rq->argument && (rq->options->n_dims == 1 || loom_pattern_has_coordinates(rq)))
		return loom_pattern_make_next(out, rq, err);
	if (!rq->argument)
		return loom_fail(err, LOOM_EINPUT,
		                 "pattern %s needs an argument where no extent is above 2, as on a cube: %s:%s",
		                 rq->row->name, rq->row->name, rq->row->argument);
	int code = loom_pattern_address_bits(&n, rq, 1, err);
	if (!code)
		code = loom_pattern_number(&k, rq, 0, n - 1, "an address bit", err);
	if (code)
		return code;
	lcc_of_exchange(&lcc, n, k);
	return loom_pattern_make_from_lccs(out, rq, &lcc, 1, err);
}

static int make_fft(struct loom_pattern *out, const struct loom_pattern_request *rq, struct loom_err *err)
{
	unsigned n;
	struct loom_lcc lccs[1 + LOOM_PATTERN_DIMS_MAX];
	int code = loom_pattern_address_bits(&n, rq, 1, err);
	if (code)
		return code;
	lcc_of_rule(&lccs[0], n, reverse, LOOM_FLIP_NONE);
	for (unsigned k = 0; k < n; k++)
		lcc_of_exchange(&lccs[1 + k], n, k);
	return loom_pattern_make_from_lccs(out, rq, lccs, 1 + n, err);
}

// A 2-D FFT of the image, in the order of the program: the bit reversal and the exchanges of the FFT of every row, a
// transpose, the same once more for what were the columns, the transpose back. 4 + n communications (docs/patterns.md).
static int make_fft2d(struct loom_pattern *out, const struct loom_pattern_request *rq, struct loom_err *err)
{
	unsigned n, m = 0;
	struct loom_lcc lccs[4 + LOOM_PATTERN_DIMS_MAX];
	int code = loom_pattern_address_bits(&n, rq, 2, err);
	if (code)
		return code;
	for (unsigned half = 0; half < 2; half++) {
		lcc_of_rule(&lccs[m++], n, reverse_low, LOOM_FLIP_NONE);
		for (unsigned k = 0; k < n / 2; k++)
			lcc_of_exchange(&lccs[m++], n, k);
		lcc_of_rule(&lccs[m++], n, swap_halves, LOOM_FLIP_NONE);
	}
	return loom_pattern_make_from_lccs(out, rq, lccs, m, err);
}

static int make_example5(struct loom_pattern *out, const struct loom_pattern_request *rq, struct loom_err *err)
{
	// In the order of [Hou01], whose "clockwise" comes first and is rotate-ccw when y points up.
	static const char *const names[] = {
		"transpose",        "reflect-antidiagonal", "rotate-ccw",    "rotate-cw",
		"reflect-vertical", "reflect-horizontal",   "rotate-180",    "scale",
		"bit-reverse",      "fft2d-rows",           "fft2d-columns",
	};
	enum { N_NAMES = sizeof names / sizeof names[0] };
	unsigned n;
	struct loom_lcc lccs[N_NAMES];
	int code = loom_pattern_address_bits(&n, rq, 2, err);
	if (code)
		return code;
	for (unsigned i = 0; i < N_NAMES; i++) {
		const struct loom_pattern_row *row = loom_pattern_rows_bits;
		while (strcmp(row->name, names[i]) != 0)
			row++;
		lcc_of_rule(&lccs[i], n, row->bit, row->flip);
	}
	return loom_pattern_make_from_lccs(out, rq, lccs, N_NAMES, err);
}

// ---- The table ----

#define RULE(bit, flip, multiple) make_rule, bit, LOOM_FLIP_##flip, multiple, false, true, NULL

// Images: 2^(n/2) x 2^(n/2) pixels, pixel (px, py) on processor py 2^(n/2) + px, y pointing up.
// A row a line, or two.
// clang-format off
const struct loom_pattern_row loom_pattern_rows_bits[] = {
	{"transpose", NULL, "matrix transpose, (y,x) to (x,y): coordinates in reversed order; on a cube, or where there is "
		"one extent, the halves of the address change places; on an OTIS-Mesh group and processor",
		make_transpose, swap_halves, LOOM_FLIP_NONE, 2, false, true, NULL},
	{"bit-reverse", NULL, "the address read backwards", RULE(reverse, NONE, 1)},
	{"reverse-flip", NULL, "the address read backwards and complemented", RULE(reverse, ALL, 1)},
	{"complement", NULL, "the address complemented (vector reversal)", RULE(same, ALL, 1)},
	{"vector-reverse", NULL, "another name of complement", RULE(same, ALL, 1)},
	{"shuffle", NULL, "perfect shuffle: the address rotated left by one bit", RULE(from_below, NONE, 1)},
	{"unshuffle", NULL, "the address rotated right by one bit", RULE(from_above, NONE, 1)},
	{"butterfly", NULL, "the first and the last address bit change places", RULE(swap_ends, NONE, 1)},
	{"bit-shuffle", NULL, "high half of the address to the odd bits, low half to the even",
		RULE(interleave, NONE, 2)},
	{"shuffled-row-major", NULL, "inverse of bit-shuffle", RULE(separate, NONE, 2)},
	{"gypx-swap", NULL, "the two middle quarters of the address change places",
		RULE(swap_middle_quarters, NONE, 4)},
	{"neighbor", "BIT", "one address bit complemented; without BIT: plus one in every dimension modulo its extent",
		LINEAR_MAKER_WITHOUT_ARGUMENT_TOO(make_neighbor)},
	{"neighbour", "BIT", "another spelling of neighbor", LINEAR_MAKER_WITHOUT_ARGUMENT_TOO(make_neighbor)},
	{"reflect-diagonal", NULL, "image reflected on the line py = px (transpose)", RULE(swap_halves, NONE, 2)},
	{"reflect-antidiagonal", NULL, "image reflected on the other diagonal", RULE(swap_halves, ALL, 2)},
	{"reflect-vertical", NULL, "image reflected on a vertical line", RULE(same, LOW, 2)},
	{"reflect-horizontal", NULL, "image reflected on a horizontal line", RULE(same, HIGH, 2)},
	{"rotate-cw", NULL, "image turned 90 degrees clockwise", RULE(swap_halves, HIGH, 2)},
	{"rotate-ccw", NULL, "image turned 90 degrees counter-clockwise", RULE(swap_halves, LOW, 2)},
	{"rotate-180", NULL, "image turned by 180 degrees", RULE(same, ALL, 2)},
	{"scale", NULL, "lower left quarter of the image doubled in width and height (a scatter)",
		RULE(halve, NONE, 2)},
	{"fft2d-rows", NULL, "bit reversal within the rows of the image", RULE(reverse_low, NONE, 2)},
	{"fft2d-columns", NULL, "bit reversal within the columns of the image", RULE(reverse_high, NONE, 2)},
	{"fft", NULL, "set: bit-reverse and the neighbor exchange of every bit", LINEAR_MAKER(make_fft)},
	{"fft2d", NULL, "set: 2-D FFT of the image: twice the rows' bit reversal and exchanges, then a transpose",
		LINEAR_MAKER(make_fft2d)},
	{"example5", NULL, "set: the eleven image communications of [Hou01], Example 5", LINEAR_MAKER(make_example5)},
	{.name = NULL},
};
// clang-format on
