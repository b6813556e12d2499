// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <flitloom/math/admissible.h>

#include <stdlib.h>
#include <string.h>

#define IDLE LOOM_ADMISSIBLE_IDLE

size_t loom_admissible_words_per_stage(const struct loom_min *net)
{
	return (loom_min_nodes(net) / 2 + 63) / 64;
}

bool loom_admissible_crossed(const uint64_t *settings, const struct loom_min *net, unsigned stage, uint32_t q)
{
	return settings[stage * loom_admissible_words_per_stage(net) + q / 64] >> q % 64 & 1;
}

// Moves the messages over the wires behind a stage. A message has the number of its source; a line may have none.
static void through_wire(uint32_t *out, const uint32_t *in, const struct loom_min *net, unsigned s)
{
	for (uint32_t x = 0, n = loom_min_nodes(net); x < n; x++)
		out[loom_min_wire(net, s, x)] = in[x];
}

// Checks the destinations. seen: scratch, n words.
static int check_input(uint32_t *seen, const struct loom_min *net, const uint32_t *to, struct loom_err *err)
{
	uint32_t n = loom_min_nodes(net);
	memset(seen, 0xff, n * sizeof *seen);
	for (uint32_t x = 0; x < n; x++) {
		if (to[x] == IDLE)
			continue;
		if (to[x] >= n)
			return loom_fail(err, LOOM_EINPUT, "node %u sends to %u; a network of %u has 0 to %u", x, to[x],
			                 n, n - 1);
		if (seen[to[x]] != IDLE)
			return loom_fail(err, LOOM_EINPUT, "not a permutation: nodes %u and %u both send to %u",
			                 seen[to[x]], x, to[x]);
		seen[to[x]] = x;
	}
	return 0;
}

// Moves the messages of a stage to its outputs. at[line]: the source of the message that enters there. Returns false at
// a conflict.
static bool pass_stage(uint32_t *at, uint64_t *crossed, struct loom_admissible_conflict *conflict, const uint32_t *to,
                       uint32_t n, unsigned s, unsigned tag)
{
	for (uint32_t q = 0; q < n / 2; q++) {
		uint32_t a = at[2 * q], b = at[2 * q + 1];
		bool a_down = a != IDLE && (to[a] >> tag & 1), b_up = b != IDLE && !(to[b] >> tag & 1);
		if (a != IDLE && b != IDLE && a_down != b_up) {
			*conflict = (struct loom_admissible_conflict){
				.stage = s, .line = 2 * q + a_down, .source = {a < b ? a : b, a < b ? b : a}};
			return false;
		}
		if (a_down || b_up) {
			crossed[q / 64] |= UINT64_C(1) << q % 64;
			at[2 * q] = b;
			at[2 * q + 1] = a;
		}
	}
	return true;
}

int loom_admissible_check(bool *out, uint64_t *settings, struct loom_admissible_conflict *conflict,
                          const struct loom_min *net, const uint32_t *to, struct loom_err *err)
{
	uint32_t n = loom_min_nodes(net);
	size_t words = loom_admissible_words_per_stage(net);
	uint32_t *before = malloc(n * sizeof *before), *at = malloc(n * sizeof *at);
	uint64_t *crossed = calloc(net->m * words, sizeof *crossed);
	struct loom_admissible_conflict found;
	bool passes = true;
	int rc = before && at && crossed ? check_input(at, net, to, err)
	                                 : loom_fail(err, LOOM_ENOMEM, "out of memory for a network of %u nodes", n);
	if (rc != 0)
		goto out;
	for (uint32_t x = 0; x < n; x++)
		before[x] = to[x] == IDLE ? IDLE : x;
	for (unsigned s = 0; passes && s < net->m; s++) {
		through_wire(at, before, net, s);
		passes = pass_stage(at, crossed + s * words, &found, to, n, s, loom_min_tag_bit(net, s));
		uint32_t *swap = before;
		before = at;
		at = swap;
	}
	*out = passes;
	if (passes && settings)
		memcpy(settings, crossed, net->m * words * sizeof *crossed);
	if (!passes && conflict)
		*conflict = found;
out:
	free(before);
	free(at);
	free(crossed);
	return rc;
}
