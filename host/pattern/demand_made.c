// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "pattern/demand_made.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "base/text.h"

#define SKEW "skew:"
#define MOE "moe:"
#define TOKENS 1024u // tokens of a node
#define FLITS_MOST 16777215u
#define EXPERTS_MOST 65536u

bool loom_demand_is_made(const char *spec)
{
	return strncmp(spec, SKEW, strlen(SKEW)) == 0 || strncmp(spec, MOE, strlen(MOE)) == 0;
}

// Numbers separated by commas, `least` to `most` of them; the others stay as they are.
static int read_numbers(uint64_t *out, const char *spec, unsigned least, unsigned most, const char *form,
                        struct loom_err *err)
{
	char shown[48];
	const char *at = strchr(spec, ':') + 1;
	unsigned n = 0;
	bool good = true;
	for (; good && n < most; n++) {
		const size_t length = strcspn(at, ",");
		good = loom_text_number(&out[n], at, length);
		at += length;
		if (*at != ',')
			break;
		at++;
	}
	if (!good || *at || n + 1 < least || n == most)
		return loom_fail(err, LOOM_EINPUT, "demand: \"%s\" is not %s",
		                 loom_text_quote(shown, sizeof shown, spec, strlen(spec)), form);
	return 0;
}

static int check(uint64_t value, uint64_t least, uint64_t most, const char *what, struct loom_err *err)
{
	if (value < least || value > most)
		return loom_fail(err, LOOM_EINPUT, "demand: %" PRIu64 " %s: there can be %" PRIu64 "..%" PRIu64, value,
		                 what, least, most);
	return 0;
}

static uint32_t other_than(struct loom_rng *rng, uint32_t node, uint32_t n)
{
	const uint32_t k = (uint32_t)loom_rng_below(rng, n - 1);
	return k + (k >= node);
}

// Divides the flits of a node into `parts` parts, each between half and one and a half of their mean, and sends them
// to random other nodes.
static void spread(struct loom_demand *d, uint32_t node, uint64_t parts, uint64_t flits, struct loom_rng *rng)
{
	for (uint64_t k = 0; k < parts; k++) {
		const uint64_t mean = flits / (parts - k), half = mean / 2;
		const uint64_t part = k + 1 == parts ? flits : half + loom_rng_below(rng, mean + 1);
		const uint64_t taken = part < flits ? part : flits;
		d->flits[(size_t)node * d->n + other_than(rng, node, d->n)] += (uint32_t)taken;
		flits -= taken;
	}
}

// A demand as in clusters, in which a few large flows carry most flits: LARGE flows of a node have 70% of its flits,
// SMALL ones the rest [Liu15].
static int add_skew(struct loom_demand *d, const char *spec, uint64_t seed, struct loom_err *err)
{
	uint64_t v[3];
	struct loom_rng rng;
	int rc = read_numbers(v, spec, 3, 3, "skew:LARGE,SMALL,FLITS: flows of a node and its flits in all", err);
	if (rc == 0)
		rc = check(v[0], 1, LOOM_DEMAND_NODES_MAX, "large flows of a node", err);
	if (rc == 0)
		rc = check(v[1], 0, LOOM_DEMAND_NODES_MAX, "small flows of a node", err);
	if (rc == 0)
		rc = check(v[2], 1, FLITS_MOST, "flits of a node", err);
	if (rc != 0)
		return rc;
	loom_rng_init(&rng, seed);
	const uint64_t small = v[1] > 0 ? v[2] * 3 / 10 : 0;
	for (uint32_t i = 0; d->n > 1 && i < d->n; i++) {
		spread(d, i, v[0], v[2] - small, &rng);
		spread(d, i, v[1], small, &rng);
	}
	return 0;
}

// Fills in upto[e], the part of all draws that choose expert e or an earlier one. Popularity falls as 1 / rank; ranks
// are random.
static double *popularity(uint32_t experts, struct loom_rng *rng)
{
	double *upto = malloc(experts * sizeof *upto), sum = 0;
	if (!upto)
		return NULL;
	for (uint32_t e = 0; e < experts; e++) {
		const uint32_t k = (uint32_t)loom_rng_below(rng, e + 1);
		upto[e] = upto[k];
		upto[k] = 1.0 / (e + 1.0);
	}
	for (uint32_t e = 0; e < experts; e++)
		upto[e] = sum += upto[e];
	for (uint32_t e = 0; e < experts; e++)
		upto[e] /= sum;
	return upto;
}

static uint32_t draw(const double *upto, uint32_t experts, struct loom_rng *rng)
{
	const double at = loom_rng_part(rng);
	uint32_t low = 0, high = experts - 1;
	while (low < high) {
		const uint32_t middle = low + (high - low) / 2;
		if (upto[middle] < at)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

// Chooses `top` different experts for a token; an expert drawn twice is drawn again.
static void send_token(struct loom_demand *d, uint32_t node, const double *upto, uint32_t experts, uint32_t *chosen,
                       uint32_t top, struct loom_rng *rng)
{
	for (uint32_t k = 0; k < top; k++) {
		bool again = true;
		for (unsigned tries = 0; again; tries++) {
			chosen[k] = tries < 64 ? draw(upto, experts, rng) : (chosen[k] + 1) % experts;
			again = false;
			for (uint32_t i = 0; i < k; i++)
				again = again || chosen[i] == chosen[k];
		}
		const uint32_t to = chosen[k] % d->n;
		if (to != node)
			d->flits[(size_t)node * d->n + to]++;
	}
}

// A mixture of experts: expert e is on node e mod n; each node sends each of its tokens, a flit, to the TOP experts
// that a gate chooses.
static int add_moe(struct loom_demand *d, const char *spec, struct loom_err *err)
{
	uint64_t v[4] = {0, 0, 0, TOKENS};
	struct loom_rng rng;
	int rc = read_numbers(v, spec, 3, 4, "moe:EXPERTS,TOP,SEED[,TOKENS]: tokens of a node, a flit each", err);
	if (rc == 0)
		rc = check(v[0], 1, EXPERTS_MOST, "experts", err);
	if (rc == 0)
		rc = check(v[1], 1, v[0] < 64 ? v[0] : 64, "experts of a token", err);
	if (rc == 0)
		rc = check(v[3], 1, 1000000, "tokens of a node", err);
	if (rc != 0)
		return rc;
	const uint32_t experts = (uint32_t)v[0], top = (uint32_t)v[1];
	uint32_t chosen[64] = {0};
	loom_rng_init(&rng, v[2]);
	double *upto = popularity(experts, &rng);
	if (!upto)
		return loom_fail(err, LOOM_ENOMEM, "no memory for %" PRIu32 " experts", experts);
	for (uint32_t i = 0; i < d->n; i++)
		for (uint64_t t = 0; t < v[3]; t++)
			send_token(d, i, upto, experts, chosen, top, &rng);
	free(upto);
	return 0;
}

int loom_demand_add_made(struct loom_demand *d, const char *spec, uint64_t seed, struct loom_err *err)
{
	return strncmp(spec, SKEW, strlen(SKEW)) == 0 ? add_skew(d, spec, seed, err) : add_moe(d, spec, err);
}
