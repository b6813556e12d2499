// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <flitloom/traffic.h>

#include <math.h>
#include <string.h>

#include "base/text.h"

#define SUM_OFF 1e-6 // by which probabilities such as 0.333 may miss 1, each

static int fail_entry(const char *at, size_t length, struct loom_err *err)
{
	char shown[40];
	return loom_fail(err, LOOM_EINPUT,
	                 "lengths: \"%s\" is not a number of flits, 1..%u, and its probability; such as 1:0.6,5:0.4",
	                 loom_text_quote(shown, sizeof shown, at, length), LOOM_FLITS_MOST);
}

static int read_entry(struct loom_lengths *out, const char *at, size_t length, struct loom_err *err)
{
	const char *colon = memchr(at, ':', length);
	uint64_t flits;
	double probability;
	if (!colon || !loom_text_number(&flits, at, (size_t)(colon - at)) || flits < 1 || flits > LOOM_FLITS_MOST ||
	    !loom_text_real(&probability, colon + 1, length - (size_t)(colon + 1 - at)) || probability > 1)
		return fail_entry(at, length, err);
	for (uint32_t i = 0; i < out->n; i++)
		if (out->flits[i] == flits)
			return loom_fail(err, LOOM_EINPUT, "lengths: %u flits are there twice", out->flits[i]);
	if (out->n == LOOM_LENGTHS_MOST)
		return loom_fail(err, LOOM_EINPUT, "lengths: more than %d", LOOM_LENGTHS_MOST);
	if (probability <= 0)
		return 0;
	out->flits[out->n] = (uint32_t)flits;
	out->probability[out->n++] = probability;
	return 0;
}

int loom_lengths_parse(struct loom_lengths *out, const char *text, struct loom_err *err)
{
	struct loom_lengths lengths = {0};
	double sum = 0;
	int rc = 0;
	for (const char *at = text; rc == 0; at++) {
		const size_t length = strcspn(at, ",");
		rc = read_entry(&lengths, at, length, err);
		at += length;
		if (*at == '\0')
			break;
	}
	for (uint32_t i = 0; i < lengths.n; i++)
		sum += lengths.probability[i];
	if (rc == 0 && !(fabs(sum - 1) <= SUM_OFF * (lengths.n + 1)))
		rc = loom_fail(err, LOOM_EINPUT, "lengths: the probabilities add up to %g, not to 1", sum);
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
