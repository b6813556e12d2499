// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
// Functions by which makers read a request and make its result.
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "pattern/pattern_internal.h"

uint64_t loom_pattern_processors(const struct loom_pattern_request *rq)
{
	return rq->n_bits ? UINT64_C(1) << rq->n_bits : rq->n_nodes;
}

// Refuses a number of processors that is no power of two, and names the sizes below and above that would do. n: the
// address bits of the power of two below.
static int refuse_size(const struct loom_pattern_request *rq, unsigned n, unsigned multiple, struct loom_err *err)
{
	const unsigned least = n - n % multiple;
	char below[32] = "";
	if (least > 0)
		(void)snprintf(below, sizeof below, "%" PRIu64 " or ", UINT64_C(1) << least);
	return loom_fail(err, LOOM_EINPUT, "pattern %s needs a power of two of processors, %s%" PRIu64 ", not %" PRIu32,
	                 rq->row->name, below, UINT64_C(1) << (least + multiple), rq->n_nodes);
}

int loom_pattern_address_bits(unsigned *out, const struct loom_pattern_request *rq, unsigned multiple,
                              struct loom_err *err)
{
	unsigned n = rq->n_bits;
	while (!rq->n_bits && n < LOOM_PATTERN_BITS_MAX && (UINT32_C(2) << n) <= rq->n_nodes)
		n++;
	if (!rq->n_bits && UINT32_C(1) << (n & 31) != rq->n_nodes)
		return refuse_size(rq, n, multiple, err);
	if (n == 0)
		return loom_fail(err, LOOM_EINPUT, "pattern %s needs at least 2 processors, not 1", rq->row->name);
	if (n % multiple != 0)
		return loom_fail(err, LOOM_EINPUT,
		                 "pattern %s needs a number of address bits that is a multiple of %u; "
		                 "%" PRIu64 " processors have %u",
		                 rq->row->name, multiple, loom_pattern_processors(rq), n);
	*out = n;
	return 0;
}

int loom_pattern_at_least_two(const struct loom_pattern_request *rq, struct loom_err *err)
{
	if (rq->n_nodes < 2)
		return loom_fail(err, LOOM_EINPUT, "pattern %s needs at least 2 processors, not 1", rq->row->name);
	return 0;
}

int loom_pattern_check_messages(const struct loom_pattern_request *rq, uint64_t n_messages, struct loom_err *err)
{
	if (n_messages > LOOM_MESSAGES_MAX)
		return loom_fail(err, LOOM_EINPUT,
		                 "pattern %s of %" PRIu32 " processors has %" PRIu64
		                 " messages; a pattern has at most %d",
		                 rq->row->name, rq->n_nodes, n_messages, LOOM_MESSAGES_MAX);
	return 0;
}

int loom_pattern_number(uint32_t *out, const struct loom_pattern_request *rq, uint32_t least, uint32_t most,
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

int loom_pattern_distance(uint32_t *out, const struct loom_pattern_request *rq, const char *text, size_t length,
                          uint32_t extent, struct loom_err *err)
{
	uint64_t value;
	bool minus = length > 0 && text[0] == '-';
	if (!loom_text_number(&value, text + minus, length - minus) || value >= extent) {
		char shown[48];
		return loom_fail(err, LOOM_EINPUT, "pattern %s: \"%s\" is not a distance: -%" PRIu32 "..%" PRIu32,
		                 rq->row->name, loom_text_quote(shown, sizeof shown, text, length), extent - 1,
		                 extent - 1);
	}
	*out = minus && value ? extent - (uint32_t)value : (uint32_t)value;
	return 0;
}

int loom_pattern_make_from_lccs(struct loom_pattern *out, const struct loom_pattern_request *request,
                                const struct loom_lcc *lccs, uint32_t n_lccs, struct loom_err *err)
{
	unsigned n = lccs[0].a.n;
	uint64_t processors = loom_pattern_processors(request);
	if (n > LOOM_PATTERN_DIMS_MAX || UINT64_C(1) << n != processors) {
		char shown[48];
		loom_text_quote(shown, sizeof shown, request->spec, strlen(request->spec));
		return loom_fail(err, LOOM_EINPUT,
		                 "pattern %s has n = %u, which is for 2^%u processors, not for %" PRIu64, shown, n, n,
		                 processors);
	}
	if (request->n_bits)
		return loom_pattern_of_matrices(out, request->spec, lccs, n_lccs, err);
	return loom_pattern_from_lccs(out, request->spec, lccs, n_lccs, request->options->flits, err);
}

int loom_pattern_make_from_map(struct loom_pattern *out, const struct loom_pattern_request *request,
                               const uint32_t *map, struct loom_err *err)
{
	struct loom_message *messages = malloc(request->n_nodes * sizeof *messages);
	if (!messages)
		return loom_pattern_no_memory(err);
	for (uint32_t x = 0; x < request->n_nodes; x++)
		messages[x] =
			(struct loom_message){.source = x, .destination = map[x], .flits = request->options->flits};
	int code = loom_pattern_from_messages(out, request->spec, request->n_nodes, messages, request->n_nodes, err);
	free(messages);
	return code;
}
