// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
// The named patterns. A new one is a row of the table at the end, and a maker or a bit rule if none here serves.
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/pattern.h>

#include "base/rng.h"
#include "base/text.h"
#include "pattern/pattern_internal.h"

#define BITS_MAX 10
_Static_assert(LOOM_NODES_MAX == 1 << BITS_MAX, "address bits of the largest fabric");

// ---- Patterns on address bits ----

// The number of address bits, which must be a multiple of `multiple`.
static int address_bits(unsigned *out, const struct loom_pattern_request *rq, unsigned multiple, struct loom_err *err)
{
	unsigned n = 0;
	while (n < BITS_MAX && (UINT32_C(2) << n) <= rq->n_nodes)
		n++;
	uint32_t below = UINT32_C(1) << n;
	if (below != rq->n_nodes)
		return loom_fail(err, LOOM_EINPUT,
		                 "pattern %s needs a power of two of processors, %" PRIu32 " or %" PRIu32
		                 ", not %" PRIu32,
		                 rq->row->name, below, below * 2, rq->n_nodes);
	if (n == 0)
		return loom_fail(err, LOOM_EINPUT, "pattern %s needs at least 2 processors, not 1", rq->row->name);
	if (n % multiple != 0)
		return loom_fail(err, LOOM_EINPUT,
		                 "pattern %s needs a number of address bits that is a multiple of %u; "
		                 "%" PRIu32 " processors have %u",
		                 rq->row->name, multiple, rq->n_nodes, n);
	*out = n;
	return 0;
}

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
	// A rule without all bits cannot be a function of the source onto the destinations: it tells where data comes
	// from.
	out->kind = full ? LOOM_LCC_PERMUTATION : LOOM_LCC_SCATTER;
}

static int make_rule(struct loom_pattern *out, const struct loom_pattern_request *rq, struct loom_err *err)
{
	unsigned n;
	struct loom_lcc lcc;
	int code = address_bits(&n, rq, rq->row->multiple, err);
	if (code)
		return code;
	lcc_of_rule(&lcc, n, rq->row->bit, rq->row->flip);
	return loom_pattern_make_from_lccs(out, rq, &lcc, 1, err);
}

// The argument as a number in least..most, whose meaning is `what`.
static int number_argument(uint32_t *out, const struct loom_pattern_request *rq, uint32_t least, uint32_t most,
                           const char *what, struct loom_err *err)
{
	uint64_t value;
	size_t length = strlen(rq->argument);
	if (!loom_text_number(&value, rq->argument, length) || value < least || value > most) {
		char shown[48];
		return loom_fail(err, LOOM_EINPUT, "pattern %s: \"%s\" is not %s: %" PRIu32 "..%" PRIu32, rq->row->name,
		                 loom_text_quote(shown, sizeof shown, rq->argument, length), what, least, most);
	}
	*out = (uint32_t)value;
	return 0;
}

static int make_neighbor(struct loom_pattern *out, const struct loom_pattern_request *rq, struct loom_err *err)
{
	unsigned n;
	uint32_t k;
	struct loom_lcc lcc;
	int code = address_bits(&n, rq, 1, err);
	if (!code)
		code = number_argument(&k, rq, 0, n - 1, "an address bit", err);
	if (code)
		return code;
	lcc_of_rule(&lcc, n, same, LOOM_FLIP_NONE);
	lcc.b = UINT64_C(1) << k;
	return loom_pattern_make_from_lccs(out, rq, &lcc, 1, err);
}

static int make_fft(struct loom_pattern *out, const struct loom_pattern_request *rq, struct loom_err *err)
{
	unsigned n;
	struct loom_lcc lccs[1 + BITS_MAX];
	int code = address_bits(&n, rq, 1, err);
	if (code)
		return code;
	lcc_of_rule(&lccs[0], n, reverse, LOOM_FLIP_NONE);
	for (unsigned k = 0; k < n; k++) {
		lcc_of_rule(&lccs[1 + k], n, same, LOOM_FLIP_NONE);
		lccs[1 + k].b = UINT64_C(1) << k;
	}
	return loom_pattern_make_from_lccs(out, rq, lccs, 1 + n, err);
}

static int make_example5(struct loom_pattern *out, const struct loom_pattern_request *rq, struct loom_err *err)
{
	// In the order of the paper, whose "clockwise" comes first and is rotate-ccw when y points up (facts.md, 000).
	static const char *const names[] = {
		"transpose",        "reflect-antidiagonal", "rotate-ccw",    "rotate-cw",
		"reflect-vertical", "reflect-horizontal",   "rotate-180",    "scale",
		"bit-reverse",      "fft2d-rows",           "fft2d-columns",
	};
	enum { N_NAMES = sizeof names / sizeof names[0] };
	unsigned n;
	struct loom_lcc lccs[N_NAMES];
	int code = address_bits(&n, rq, 2, err);
	if (code)
		return code;
	for (unsigned i = 0; i < N_NAMES; i++) {
		const struct loom_pattern_row *row = loom_pattern_find(names[i], strlen(names[i]));
		lcc_of_rule(&lccs[i], n, row->bit, row->flip);
	}
	return loom_pattern_make_from_lccs(out, rq, lccs, N_NAMES, err);
}

static void random_matrix(struct loom_gf2 *out, unsigned n, struct loom_rng *rng)
{
	memset(out, 0, sizeof *out);
	out->n = n;
	for (unsigned i = 0; i < n; i++)
		out->row[i] = loom_rng_next(rng) & loom_gf2_mask(n);
}

// More than a quarter of all square matrices are nonsingular, whatever their size: a few trials do.
static void random_nonsingular(struct loom_gf2 *out, unsigned n, struct loom_rng *rng)
{
	do
		random_matrix(out, n, rng);
	while (loom_gf2_rank(out) != n);
}

// P D Q with P, Q nonsingular and D the first `rank` of the diagonal: every matrix of that rank is equally likely.
static int make_random(struct loom_pattern *out, const struct loom_pattern_request *rq, enum loom_lcc_kind deficient,
                       struct loom_err *err)
{
	unsigned n;
	uint32_t rank;
	struct loom_lcc lcc;
	struct loom_gf2 right;
	struct loom_rng rng;
	int code = address_bits(&n, rq, 1, err);
	if (!code)
		code = number_argument(&rank, rq, 0, n, "a rank", err);
	if (code)
		return code;

	memset(&lcc, 0, sizeof lcc);
	loom_rng_init(&rng, rq->options->seed);
	random_nonsingular(&lcc.a, n, &rng);
	random_nonsingular(&right, n, &rng);
	for (unsigned i = rank; i < n; i++)
		right.row[i] = 0;
	loom_gf2_product(&lcc.a, &lcc.a, &right);
	lcc.b = loom_rng_next(&rng) & loom_gf2_mask(n);
	lcc.kind = deficient == LOOM_LCC_GATHER && rank == n ? LOOM_LCC_PERMUTATION : deficient;
	return loom_pattern_make_from_lccs(out, rq, &lcc, 1, err);
}

static int make_random_lcc(struct loom_pattern *out, const struct loom_pattern_request *rq, struct loom_err *err)
{
	return make_random(out, rq, LOOM_LCC_GATHER, err);
}

static int make_random_lcs(struct loom_pattern *out, const struct loom_pattern_request *rq, struct loom_err *err)
{
	return make_random(out, rq, LOOM_LCC_SCATTER, err);
}

// ---- Patterns for any number of processors ----

static int make_shifted(struct loom_pattern *out, const struct loom_pattern_request *rq, uint32_t by,
                        struct loom_err *err)
{
	uint32_t map[LOOM_NODES_MAX];
	for (uint32_t x = 0; x < rq->n_nodes; x++)
		map[x] = (x + by) % rq->n_nodes;
	return loom_pattern_make_from_map(out, rq, map, err);
}

static int make_identity(struct loom_pattern *out, const struct loom_pattern_request *rq, struct loom_err *err)
{
	return make_shifted(out, rq, 0, err);
}

static int make_shift(struct loom_pattern *out, const struct loom_pattern_request *rq, struct loom_err *err)
{
	uint32_t by;
	int code = number_argument(&by, rq, 0, rq->n_nodes - 1, "a distance", err);
	return code ? code : make_shifted(out, rq, by, err);
}

// Just under half way round: all of it in the one direction, if a ring takes the shorter.
static int make_tornado(struct loom_pattern *out, const struct loom_pattern_request *rq, struct loom_err *err)
{
	return make_shifted(out, rq, (rq->n_nodes + 1) / 2 - 1, err);
}

static int make_random_perm(struct loom_pattern *out, const struct loom_pattern_request *rq, struct loom_err *err)
{
	uint32_t map[LOOM_NODES_MAX];
	struct loom_rng rng;

	loom_rng_init(&rng, rq->options->seed);
	for (uint32_t x = 0; x < rq->n_nodes; x++) {
		uint32_t other = (uint32_t)loom_rng_below(&rng, x + 1);
		map[x] = x;
		map[x] = map[other];
		map[other] = x;
	}
	return loom_pattern_make_from_map(out, rq, map, err);
}

static int at_least_two(const struct loom_pattern_request *rq, struct loom_err *err)
{
	if (rq->n_nodes < 2)
		return loom_fail(err, LOOM_EINPUT, "pattern %s needs at least 2 processors, not 1", rq->row->name);
	return 0;
}

static int make_pairs(struct loom_pattern *out, const struct loom_pattern_request *rq, bool with_self,
                      struct loom_err *err)
{
	int code = at_least_two(rq, err);
	if (code)
		return code;
	size_t n = (size_t)rq->n_nodes * (rq->n_nodes - !with_self);
	struct loom_message *messages = malloc(n * sizeof *messages), *m = messages;
	if (!messages)
		return loom_pattern_no_memory(err);
	for (uint32_t source = 0; source < rq->n_nodes; source++)
		for (uint32_t destination = 0; destination < rq->n_nodes; destination++)
			if (with_self || source != destination)
				*m++ = (struct loom_message){
					.source = source, .destination = destination, .flits = rq->options->flits};
	code = loom_pattern_from_messages(out, rq->spec, rq->n_nodes, messages, n, err);
	free(messages);
	return code;
}

static int make_all_to_all(struct loom_pattern *out, const struct loom_pattern_request *rq, struct loom_err *err)
{
	return make_pairs(out, rq, true, err);
}

static int make_all_to_others(struct loom_pattern *out, const struct loom_pattern_request *rq, struct loom_err *err)
{
	return make_pairs(out, rq, false, err);
}

static int make_uniform(struct loom_pattern *out, const struct loom_pattern_request *rq, struct loom_err *err)
{
	uint32_t n;
	struct loom_rng rng;
	int code = at_least_two(rq, err);
	if (!code)
		code = number_argument(&n, rq, 1, LOOM_MESSAGES_MAX, "a number of messages", err);
	if (code)
		return code;
	struct loom_message *messages = malloc(n * sizeof *messages);
	if (!messages)
		return loom_pattern_no_memory(err);
	loom_rng_init(&rng, rq->options->seed);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t source = (uint32_t)loom_rng_below(&rng, rq->n_nodes);
		uint32_t destination = (uint32_t)loom_rng_below(&rng, rq->n_nodes - 1);
		messages[i] = (struct loom_message){.source = source,
		                                    .destination = destination + (destination >= source),
		                                    .flits = rq->options->flits};
	}
	code = loom_pattern_from_messages(out, rq->spec, rq->n_nodes, messages, n, err);
	free(messages);
	return code;
}

// A gather of rank 0 where there are address bits; the hot spot's message to itself uses no channel.
static int make_hotspot(struct loom_pattern *out, const struct loom_pattern_request *rq, struct loom_err *err)
{
	unsigned n;
	uint32_t map[LOOM_NODES_MAX], hot;
	int code = number_argument(&hot, rq, 0, rq->n_nodes - 1, "a processor", err);
	if (code)
		return code;
	if (address_bits(&n, rq, 1, NULL) == 0) {
		struct loom_lcc lcc = {.kind = LOOM_LCC_GATHER, .a = {.n = n}, .b = hot};
		return loom_pattern_make_from_lccs(out, rq, &lcc, 1, err);
	}
	for (uint32_t x = 0; x < rq->n_nodes; x++)
		map[x] = hot;
	return loom_pattern_make_from_map(out, rq, map, err);
}

// ---- The table ----

#define RULE(bit, flip, multiple) make_rule, bit, LOOM_FLIP_##flip, multiple
#define MAKER(make) make, NULL, LOOM_FLIP_NONE, 1

// Images: 2^(n/2) x 2^(n/2) pixels, pixel (px, py) on processor py 2^(n/2) + px, y pointing up.
// A row a line, or two.
// clang-format off
static const struct loom_pattern_row rows[] = {
	{"identity", NULL, "every processor to itself", MAKER(make_identity)},
	{"transpose", NULL, "matrix transpose: the halves of the address change places", RULE(swap_halves, NONE, 2)},
	{"bit-reverse", NULL, "the address read backwards", RULE(reverse, NONE, 1)},
	{"reverse-flip", NULL, "the address read backwards and complemented", RULE(reverse, ALL, 1)},
	{"complement", NULL, "the address complemented (vector reversal)", RULE(same, ALL, 1)},
	{"shuffle", NULL, "perfect shuffle: the address rotated left by one bit", RULE(from_below, NONE, 1)},
	{"unshuffle", NULL, "the address rotated right by one bit", RULE(from_above, NONE, 1)},
	{"butterfly", NULL, "the first and the last address bit change places", RULE(swap_ends, NONE, 1)},
	{"bit-shuffle", NULL, "high half of the address to the odd bits, low half to the even",
		RULE(interleave, NONE, 2)},
	{"shuffled-row-major", NULL, "inverse of bit-shuffle", RULE(separate, NONE, 2)},
	{"gypx-swap", NULL, "the two middle quarters of the address change places",
		RULE(swap_middle_quarters, NONE, 4)},
	{"neighbor", "BIT", "one address bit complemented", MAKER(make_neighbor)},
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
	{"fft", NULL, "set: bit-reverse and the neighbor exchange of every bit", MAKER(make_fft)},
	{"example5", NULL, "set: the eleven image communications of paper 000, Example 5", MAKER(make_example5)},
	{"shift", "K", "x to x + K modulo the number of processors", MAKER(make_shift)},
	{"tornado", NULL, "shift by just under half the processors", MAKER(make_tornado)},
	{"hotspot", "PROCESSOR", "everybody to one processor", MAKER(make_hotspot)},
	{"all-to-all", NULL, "every processor to everybody, itself included", MAKER(make_all_to_all)},
	{"all-to-others", NULL, "every processor to every other", MAKER(make_all_to_others)},
	{"random-perm", NULL, "a random permutation (seed)", MAKER(make_random_perm)},
	{"random-lcc", "RANK", "a random linear-complement gather of this rank; full rank: permutation (seed)",
	 MAKER(make_random_lcc)},
	{"random-lcs", "RANK", "a random linear-complement scatter of this rank (seed)", MAKER(make_random_lcs)},
	{"uniform", "COUNT", "this many messages with random source and destination (seed)", MAKER(make_uniform)},
	{"bpc", "[-0,1,2,-3]", "bit permutation: destination of each source bit, highest first; minus: complemented",
	 MAKER(loom_pattern_make_bpc)},
	{"perm", "3,1,0,2 or FILE", "a permutation: destination of processor 0, 1, 2, ...",
		MAKER(loom_pattern_make_perm)},
	{"lcc", "FILE", "y = A x + b from JSON {n, kind, A, b}, or as n lines of 0/1 and one for b",
	 MAKER(loom_pattern_make_lcc)},
	{"set", "FILE", "JSON list of such objects, planned together", MAKER(loom_pattern_make_set)},
	{"messages", "FILE", "CSV lines source,destination[,flits]", MAKER(loom_pattern_make_messages)},
};
// clang-format on
enum { N_ROWS = sizeof rows / sizeof rows[0] };

const struct loom_pattern_row *loom_pattern_find(const char *name, size_t length)
{
	for (size_t i = 0; i < N_ROWS; i++)
		if (strlen(rows[i].name) == length && memcmp(rows[i].name, name, length) == 0)
			return &rows[i];
	return NULL;
}

const char *loom_pattern_name(size_t i)
{
	return i < N_ROWS ? rows[i].name : NULL;
}

void loom_pattern_list(FILE *stream)
{
	for (size_t i = 0; i < N_ROWS; i++) {
		char spec[64];
		(void)snprintf(spec, sizeof spec, "%s%s%s", rows[i].name, rows[i].argument ? ":" : "",
		               rows[i].argument ? rows[i].argument : "");
		(void)fprintf(stream, "%-21s %s\n", spec, rows[i].text);
	}
}
