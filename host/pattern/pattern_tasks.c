// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
// Makes the messages between the tasks of well-known applications. There may be fewer tasks than processors: task i is
// processor i.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/pattern.h>

#include "base/text.h"
#include "pattern/pattern_internal.h"

struct tasks {
	uint32_t n;
	uint32_t flits_each; // flits of an element that is sent; 0: all messages have the length of the options
};

static int fail_argument(const struct loom_pattern_request *rq, const char *text, size_t length, const char *what,
                         uint32_t least, uint32_t most, struct loom_err *err)
{
	char shown[48];
	return loom_fail(err, LOOM_EINPUT, "pattern %s: \"%s\" is not a number of %s: %" PRIu32 "..%" PRIu32,
	                 rq->row->name, loom_text_quote(shown, sizeof shown, text, length), what, least, most);
}

// TASKS, or TASKS/FLITS, where an element's flits make no message longer than there can be.
static int read_tasks(struct tasks *out, const struct loom_pattern_request *rq, uint32_t usual, uint32_t least,
                      struct loom_err *err)
{
	struct tasks t = {.n = usual};
	uint64_t value;
	if (rq->n_nodes < least)
		return loom_fail(err, LOOM_EINPUT, "pattern %s needs at least %" PRIu32 " processors, not %" PRIu32,
		                 rq->row->name, least, rq->n_nodes);
	if (rq->argument) {
		size_t length = strcspn(rq->argument, "/");
		if (!loom_text_number(&value, rq->argument, length) || value < least || value > rq->n_nodes)
			return fail_argument(rq, rq->argument, length, "tasks", least, rq->n_nodes, err);
		t.n = (uint32_t)value;
		if (rq->argument[length] == '/') {
			const char *each = rq->argument + length + 1;
			uint32_t most = (LOOM_FLITS_MOST - 1) / t.n;
			if (!strchr(rq->row->argument, '/') || !loom_text_number(&value, each, strlen(each)) ||
			    value < 1 || value > most)
				return fail_argument(rq, each, strlen(each), "flits for each element", 1, most, err);
			t.flits_each = (uint32_t)value;
		}
	}
	*out = t;
	return 0;
}

// Header included.
static uint32_t flits_of(const struct loom_pattern_request *rq, const struct tasks *t, uint32_t n_elements)
{
	return t->flits_each ? 1 + n_elements * t->flits_each : rq->options->flits;
}

// Allocates room for n messages, if a pattern can have n.
static int begin(struct loom_message **out, const struct loom_pattern_request *rq, uint64_t n, struct loom_err *err)
{
	int code = loom_pattern_check_messages(rq, n, err);
	if (code)
		return code;
	*out = malloc((size_t)n * sizeof **out);
	return *out ? 0 : loom_pattern_no_memory(err);
}

static int end(struct loom_pattern *out, const struct loom_pattern_request *rq, const struct tasks *t,
               struct loom_message *messages, size_t n, struct loom_err *err)
{
	int code = loom_pattern_from_messages(out, rq->spec, rq->n_nodes, messages, n, err);
	free(messages);
	if (code == 0)
		out->own_lengths = t->flits_each != 0;
	return code;
}

// Gauss elimination: task i has row i of the matrix, and sends the rest of it, the pivot first, to all tasks that
// eliminate by it.
static int make_gaussian(struct loom_pattern *out, const struct loom_pattern_request *rq, struct loom_err *err)
{
	struct tasks t;
	struct loom_message *messages, *m;
	int code = read_tasks(&t, rq, rq->n_nodes > 2 ? rq->n_nodes - 1 : 2, 2, err);
	if (!code)
		code = begin(&messages, rq, (uint64_t)t.n * (t.n - 1) / 2, err);
	if (code)
		return code;
	m = messages;
	for (uint32_t i = 0; i < t.n; i++)
		for (uint32_t j = i + 1; j < t.n; j++)
			*m++ = (struct loom_message){.source = i, .destination = j, .flits = flits_of(rq, &t, t.n - i)};
	return end(out, rq, &t, messages, (size_t)(m - messages), err);
}

// The bodies travel half-way round the ring and gather forces on the way; the chord brings them home.
static int make_nbody(struct loom_pattern *out, const struct loom_pattern_request *rq, struct loom_err *err)
{
	struct tasks t;
	struct loom_message *messages, *m;
	int code = read_tasks(&t, rq, rq->n_nodes, 3, err);
	if (!code)
		code = begin(&messages, rq, 2 * (uint64_t)t.n, err);
	if (code)
		return code;
	m = messages;
	for (uint32_t i = 0; i < t.n; i++) {
		*m++ = (struct loom_message){.source = i, .destination = (i + 1) % t.n, .flits = rq->options->flits};
		*m++ = (struct loom_message){
			.source = i, .destination = (i + (t.n + 1) / 2) % t.n, .flits = rq->options->flits};
	}
	return end(out, rq, &t, messages, (size_t)(m - messages), err);
}

// In step k every task sends the items that it has by then, 2^k of them or as many as are still missing there, to the
// task 2^k further round.
static int make_perfect_broadcast(struct loom_pattern *out, const struct loom_pattern_request *rq, struct loom_err *err)
{
	struct tasks t;
	struct loom_message *messages, *m;
	uint32_t steps = 0;
	int code = read_tasks(&t, rq, rq->n_nodes, 2, err);
	while (!code && UINT32_C(1) << steps < t.n)
		steps++;
	if (!code)
		code = begin(&messages, rq, (uint64_t)t.n * steps, err);
	if (code)
		return code;
	m = messages;
	for (uint32_t known = 1; known < t.n; known *= 2)
		for (uint32_t i = 0; i < t.n; i++)
			*m++ = (struct loom_message){
				.source = i,
				.destination = (i + known) % t.n,
				.flits = flits_of(rq, &t, known < t.n - known ? known : t.n - known)};
	return end(out, rq, &t, messages, (size_t)(m - messages), err);
}

// clang-format off
const struct loom_pattern_row loom_pattern_rows_tasks[] = {
	{"gaussian", "TASKS[/FLITS]", "Gaussian elimination: each task to all after it; FLITS: of an element, where a message is "
		"what is left of the row [one task fewer than processors]", MAKER_WITHOUT_ARGUMENT_TOO(make_gaussian)},
	{"nbody", "TASKS", "n bodies: each task of a ring to the next and to the one half-way round",
		MAKER_WITHOUT_ARGUMENT_TOO(make_nbody)},
	{"perfect-broadcast", "TASKS[/FLITS]", "each task of a ring to those 1, 2, 4, 8, ... further; FLITS: of an item, where all "
		"that is known is sent on", MAKER_WITHOUT_ARGUMENT_TOO(make_perfect_broadcast)},
	{"stencil", "AxB,wrap,corners", "each task to its neighbours in every dimension; each of these may be left out: AxB: of "
		"such a grid [the network's]; wrap: around the edges too; corners: diagonally too",
		MAKER_WITHOUT_ARGUMENT_TOO(loom_pattern_make_stencil)},
	{.name = NULL},
};
// clang-format on
