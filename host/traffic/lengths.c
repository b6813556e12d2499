// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <flitloom/traffic.h>

#include <math.h>
#include <string.h>

#include "base/text.h"

#define SUM_OFF 1e-6 // the most by which each probability, such as 0.333, may make the sum miss 1

static int fail_entry(const char *at, size_t length, struct loom_err *err)
{
	char shown[40];
	return loom_fail(
		err, LOOM_EINPUT,
		"lengths: \"%s\" is not a number of flits, 1..%u, or two with a dash, and a probability; such as "
		"1:0.6,5:0.4 or 2-8",
		loom_text_quote(shown, sizeof shown, at, length), LOOM_FLITS_MOST);
}

// An entry: a range of lengths that share a probability.
struct entry {
	uint64_t first, last;
	double probability;
};

// Reads FIRST or FIRST-LAST, and then :PROBABILITY or nothing, which stands for 1.
static bool read_entry(struct entry *out, const char *at, size_t length)
{
	const char *colon = memchr(at, ':', length);
	const size_t n_flits = colon ? (size_t)(colon - at) : length;
	const char *dash = memchr(at, '-', n_flits);
	const size_t n_first = dash ? (size_t)(dash - at) : n_flits;
	out->probability = 1;
	if (!loom_text_number(&out->first, at, n_first))
		return false;
	out->last = out->first;
	if (dash && !loom_text_number(&out->last, dash + 1, n_flits - n_first - 1))
		return false;
	if (colon && !loom_text_real(&out->probability, colon + 1, length - n_flits - 1))
		return false;
	return out->first >= 1 && out->first <= out->last && out->last <= LOOM_FLITS_MOST && out->probability <= 1;
}

static int put_length(struct loom_lengths *out, uint32_t flits, double probability, struct loom_err *err)
{
	for (uint32_t i = 0; i < out->n; i++)
		if (out->flits[i] == flits)
			return loom_fail(err, LOOM_EINPUT, "lengths: %u flits are there twice", flits);
	if (out->n == LOOM_LENGTHS_MOST)
		return loom_fail(err, LOOM_EINPUT, "lengths: more than %d", LOOM_LENGTHS_MOST);
	if (probability <= 0)
		return 0;
	out->flits[out->n] = flits;
	out->probability[out->n++] = probability;
	return 0;
}

static int put_entry(struct loom_lengths *out, const char *at, size_t length, struct loom_err *err)
{
	struct entry e;
	int rc = 0;
	if (!read_entry(&e, at, length))
		return fail_entry(at, length, err);
	const double n = (double)(e.last - e.first) + 1;
	for (uint64_t flits = e.first; rc == 0 && flits <= e.last; flits++)
		rc = put_length(out, (uint32_t)flits, e.probability / n, err);
	return rc;
}

int loom_lengths_parse(struct loom_lengths *out, const char *text, struct loom_err *err)
{
	struct loom_lengths lengths = {0};
	double sum = 0;
	int rc = 0;
	for (const char *at = text; rc == 0; at++) {
		const size_t length = strcspn(at, ",");
		rc = put_entry(&lengths, at, length, err);
		at += length;
		if (*at == '\0')
			break;
	}
	for (uint32_t i = 0; i < lengths.n; i++)
		sum += lengths.probability[i];
	if (rc == 0 && !(fabs(sum - 1) <= SUM_OFF * (lengths.n + 1)))
		rc = loom_fail(err, LOOM_EINPUT,
		               "lengths: the probabilities add up to %g, not to 1; such as 1:0.6,5:0.4", sum);
	if (rc != 0)
		return rc;
	for (uint32_t i = 0; i < lengths.n; i++)
		lengths.probability[i] /= sum;
	*out = lengths;
	return 0;
}

double loom_lengths_mean(const struct loom_lengths *lengths)
{
	double mean = 0;
	for (uint32_t i = 0; i < lengths->n; i++)
		mean += lengths->probability[i] * lengths->flits[i];
	return mean;
}
