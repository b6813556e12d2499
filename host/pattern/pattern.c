// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
// Patterns as data: made from matrices or messages, recognised, freed. pattern_parse.c has their names.
#include <flitloom/pattern.h>

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "pattern/pattern_internal.h"
#include "pattern/timing_check.h"

int loom_pattern_no_memory(struct loom_err *err)
{
	return loom_fail(err, LOOM_ENOMEM, "out of memory for the pattern");
}

void loom_pattern_free(struct loom_pattern *p)
{
	if (!p)
		return;
	free(p->messages);
	free(p->lccs);
	loom_timing_free(p->timing);
	memset(p, 0, sizeof *p);
}

uint64_t loom_lcc_apply(const struct loom_lcc *lcc, uint64_t v)
{
	return loom_gf2_apply(&lcc->a, v) ^ lcc->b;
}

// The name is shown to people and written to JSON: one line, cut between characters, valid UTF-8.
static void set_name(char out[128], const char *name)
{
	size_t length = strnlen(name, 128);
	if (length < 128) {
		memcpy(out, name, length + 1);
	} else {
		length = 124;
		while (length > 0 && ((unsigned char)name[length] & 0xc0) == 0x80)
			length--;
		memcpy(out, name, length);
		strcpy(out + length, "...");
	}
	loom_text_clean(out);
}

// log2 of a power of two from 2 on, otherwise 0.
static unsigned address_bits(uint32_t n_nodes)
{
	unsigned n = 0;
	while (n < 31 && (UINT32_C(2) << n) <= n_nodes)
		n++;
	return (UINT32_C(1) << n) == n_nodes ? n : 0;
}

static int check_lcc(const struct loom_lcc *lcc, uint32_t r, struct loom_err *err)
{
	if (!loom_gf2_is_valid(&lcc->a))
		return loom_fail(err, LOOM_EINPUT,
		                 "communication %" PRIu32 ": not a square matrix of 1..%d rows with "
		                 "nothing beyond column n-1",
		                 r, LOOM_GF2_MAX);
	if (lcc->b & ~loom_gf2_mask(lcc->a.n))
		return loom_fail(err, LOOM_EINPUT,
		                 "communication %" PRIu32 ": b = 0x%" PRIx64 " has bits at or above n = %u", r, lcc->b,
		                 lcc->a.n);
	if (lcc->kind == LOOM_LCC_PERMUTATION && loom_gf2_rank(&lcc->a) != lcc->a.n)
		return loom_fail(err, LOOM_EINPUT,
		                 "communication %" PRIu32 ": a permutation needs a nonsingular A; this one "
		                 "has rank %u of %u",
		                 r, loom_gf2_rank(&lcc->a), lcc->a.n);
	return 0;
}

int loom_pattern_of_matrices(struct loom_pattern *out, const char *name, const struct loom_lcc *lccs, uint32_t n_lccs,
                             struct loom_err *err)
{
	if (n_lccs == 0)
		return loom_fail(err, LOOM_EINPUT, "a pattern needs at least one communication");
	for (uint32_t r = 0; r < n_lccs; r++) {
		int code = check_lcc(&lccs[r], r, err);
		if (code)
			return code;
		if (lccs[r].a.n != lccs[0].a.n)
			return loom_fail(err, LOOM_EINPUT,
			                 "communication %" PRIu32 " has n = %u, communication 0 has n = %u: all "
			                 "of a set have the same",
			                 r, lccs[r].a.n, lccs[0].a.n);
	}
	struct loom_pattern p = {.n_members = n_lccs, .n_lccs = n_lccs, .lccs = malloc(n_lccs * sizeof *p.lccs)};
	if (!p.lccs)
		return loom_pattern_no_memory(err);
	memcpy(p.lccs, lccs, n_lccs * sizeof *p.lccs);
	set_name(p.name, name);
	*out = p;
	return 0;
}

static int fits(const struct loom_lcc *lccs, uint32_t n_lccs, struct loom_err *err)
{
	unsigned n = lccs[0].a.n;
	if (n >= 32 || (UINT32_C(1) << n) > LOOM_NODES_MAX)
		return loom_fail(err, LOOM_EINPUT, "n = %u is for 2^%u processors: a pattern has at most %d", n, n,
		                 LOOM_NODES_MAX);
	uint32_t n_nodes = UINT32_C(1) << n;
	if (n_lccs > LOOM_MESSAGES_MAX / n_nodes)
		return loom_fail(err, LOOM_EINPUT,
		                 "%" PRIu32 " communications of %" PRIu32 " messages: a pattern has at most "
		                 "%d messages",
		                 n_lccs, n_nodes, LOOM_MESSAGES_MAX);
	return 0;
}

int loom_pattern_from_lccs(struct loom_pattern *out, const char *name, const struct loom_lcc *lccs, uint32_t n_lccs,
                           uint32_t flits, struct loom_err *err)
{
	struct loom_pattern p = {0};
	if (n_lccs && flits == 0)
		return loom_fail(err, LOOM_EINPUT, "0 flits: a message has at least 1, its header");
	int code = loom_pattern_of_matrices(&p, name, lccs, n_lccs, err);
	if (code == 0)
		code = fits(lccs, n_lccs, err);
	if (code) {
		loom_pattern_free(&p);
		return code;
	}
	uint32_t n_nodes = p.n_nodes = UINT32_C(1) << lccs[0].a.n;
	p.n_messages = (size_t)n_lccs * n_nodes;
	p.messages = malloc(p.n_messages * sizeof *p.messages);
	if (!p.messages) {
		loom_pattern_free(&p);
		return loom_pattern_no_memory(err);
	}
	struct loom_message *m = p.messages;
	for (uint32_t r = 0; r < n_lccs; r++)
		for (uint32_t v = 0; v < n_nodes; v++, m++) {
			uint32_t image = (uint32_t)loom_lcc_apply(&lccs[r], v);
			bool scatter = lccs[r].kind == LOOM_LCC_SCATTER;
			*m = (struct loom_message){.source = scatter ? image : v,
			                           .destination = scatter ? v : image,
			                           .flits = flits,
			                           .member = r};
		}
	*out = p;
	return 0;
}

// If the messages are a permutation y = A x + b of 2^n processors, sorts them by source, sets p->lccs.
static int recognise(struct loom_pattern *p, struct loom_err *err)
{
	unsigned n = address_bits(p->n_nodes);
	if (n == 0 || p->n_messages != p->n_nodes)
		return 0;

	int code = 0;
	struct loom_message *sorted = calloc(p->n_nodes, sizeof *sorted); // flits 0: no message from there yet
	struct loom_lcc *lcc = calloc(1, sizeof *lcc);
	if (!sorted || !lcc) {
		code = loom_pattern_no_memory(err);
		goto out;
	}
	for (size_t i = 0; i < p->n_messages; i++) {
		struct loom_message *place = &sorted[p->messages[i].source];
		if (place->flits)
			goto out; // two messages from one source
		*place = p->messages[i];
	}
	lcc->kind = LOOM_LCC_PERMUTATION;
	lcc->a.n = n;
	lcc->b = sorted[0].destination;
	for (unsigned j = 0; j < n; j++) {
		uint64_t column = sorted[UINT32_C(1) << j].destination ^ lcc->b;
		for (unsigned i = 0; i < n; i++)
			lcc->a.row[i] |= (column >> i & 1) << j;
	}
	if (loom_gf2_rank(&lcc->a) != n)
		goto out; // not linear, or two sources share a destination
	for (uint32_t x = 0; x < p->n_nodes; x++)
		if (loom_lcc_apply(lcc, x) != sorted[x].destination)
			goto out;

	free(p->messages);
	p->messages = sorted;
	p->lccs = lcc;
	p->n_lccs = 1;
	return 0;
out:
	free(sorted);
	free(lcc);
	return code;
}

// Makes a pattern of the messages as they are.
static int copy_messages(struct loom_pattern *out, const char *name, uint32_t n_nodes,
                         const struct loom_message *messages, size_t n, struct loom_err *err)
{
	if (n_nodes < 1 || n_nodes > LOOM_NODES_MAX)
		return loom_fail(err, LOOM_EINPUT, "%" PRIu32 " processors: a pattern has 1 to %d", n_nodes,
		                 LOOM_NODES_MAX);
	if (n < 1 || n > LOOM_MESSAGES_MAX)
		return loom_fail(err, LOOM_EINPUT, "%zu messages: a pattern has 1 to %d", n, LOOM_MESSAGES_MAX);
	for (size_t i = 0; i < n; i++) {
		if (messages[i].source >= n_nodes || messages[i].destination >= n_nodes)
			return loom_fail(err, LOOM_EINPUT,
			                 "message %zu, from %" PRIu32 " to %" PRIu32 ": the processors are "
			                 "0..%" PRIu32,
			                 i, messages[i].source, messages[i].destination, n_nodes - 1);
		if (messages[i].flits == 0)
			return loom_fail(err, LOOM_EINPUT,
			                 "message %zu has 0 flits: a message has at least 1, its header", i);
	}

	struct loom_pattern p = {.n_nodes = n_nodes, .n_messages = n, .n_members = 1};
	p.messages = malloc(n * sizeof *p.messages);
	if (!p.messages)
		return loom_pattern_no_memory(err);
	for (size_t i = 0; i < n; i++) {
		p.messages[i] = messages[i];
		p.messages[i].member = 0;
	}
	set_name(p.name, name);
	*out = p;
	return 0;
}

int loom_pattern_from_messages(struct loom_pattern *out, const char *name, uint32_t n_nodes,
                               const struct loom_message *messages, size_t n, struct loom_err *err)
{
	struct loom_pattern p;
	int code = copy_messages(&p, name, n_nodes, messages, n, err);
	if (code)
		return code;
	code = recognise(&p, err);
	if (code)
		loom_pattern_free(&p);
	else
		*out = p;
	return code;
}

int loom_pattern_from_timed_messages(struct loom_pattern *out, const char *name, uint32_t n_nodes,
                                     const struct loom_message *messages, size_t n, const struct loom_timing *timing,
                                     struct loom_err *err)
{
	struct loom_pattern p;
	int code = copy_messages(&p, name, n_nodes, messages, n, err);
	if (code == 0 && timing)
		code = loom_timing_check_values(timing, n_nodes, messages, n, err);
	else if (code)
		return code;
	if (code == 0 && timing && !(p.timing = loom_timing_copy(timing, n, n_nodes)))
		code = loom_pattern_no_memory(err);
	if (code)
		loom_pattern_free(&p);
	else
		*out = p;
	return code;
}
