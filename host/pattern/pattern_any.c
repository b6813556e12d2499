// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
// Patterns for any number of processors, of any shape.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/pattern.h>

#include "base/text.h"
#include "pattern/pattern_internal.h"

static int make_pairs(struct loom_pattern *out, const struct loom_pattern_request *rq, bool with_self,
                      struct loom_err *err)
{
	int code = loom_pattern_at_least_two(rq, err);
	if (code)
		return code;
	uint64_t pairs = (uint64_t)rq->n_nodes * (rq->n_nodes - !with_self);
	code = loom_pattern_check_messages(rq, pairs, err);
	if (code)
		return code;
	size_t n = (size_t)pairs;
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

// Gather and scatter: `n_groups` groups of consecutive processors. In each group, all processors send to the root-th
// one (gather) or receive from it (scatter). The root's message to itself uses no channel.
struct grouping {
	enum loom_lcc_kind kind; // gather or scatter
	uint32_t root;
	uint64_t n_groups; // divides the processors; root is less than what results
};

static int make_grouped_messages(struct loom_pattern *out, const struct loom_pattern_request *rq,
                                 const struct grouping *g, struct loom_err *err)
{
	uint32_t size = rq->n_nodes / (uint32_t)g->n_groups;
	struct loom_message *messages = malloc(rq->n_nodes * sizeof *messages);
	if (!messages)
		return loom_pattern_no_memory(err);
	for (uint32_t v = 0; v < rq->n_nodes; v++) {
		uint32_t root = v / size * size + g->root;
		messages[v] = (struct loom_message){.source = g->kind == LOOM_LCC_SCATTER ? root : v,
		                                    .destination = g->kind == LOOM_LCC_SCATTER ? v : root,
		                                    .flits = rq->options->flits};
	}
	int code = loom_pattern_from_messages(out, rq->spec, rq->n_nodes, messages, rq->n_nodes, err);
	free(messages);
	return code;
}

// Makes a grouped pattern. If there are address bits, the high ones name a group: these are kept, the low ones become
// the root's.
static int make_grouped(struct loom_pattern *out, const struct loom_pattern_request *rq, const struct grouping *g,
                        struct loom_err *err)
{
	unsigned n;
	if (loom_pattern_address_bits(&n, rq, 1, NULL) != 0)
		return make_grouped_messages(out, rq, g, err);
	struct loom_lcc lcc = {.kind = g->kind, .a = {.n = n}, .b = g->root};
	uint64_t size = loom_pattern_processors(rq) / g->n_groups;
	for (unsigned i = 0; i < n; i++)
		if (size <= UINT64_C(1) << i)
			lcc.a.row[i] = UINT64_C(1) << i;
	if (size == 1)
		lcc.kind = LOOM_LCC_PERMUTATION; // groups of one: the identity
	return loom_pattern_make_from_lccs(out, rq, &lcc, 1, err);
}

// ROOT or ROOT/GROUPS.
static int read_grouping(struct grouping *out, const struct loom_pattern_request *rq, struct loom_err *err)
{
	size_t length = strcspn(rq->argument, "/");
	const char *slash = rq->argument[length] ? rq->argument + length : NULL;
	char shown[48];
	uint64_t root, n_groups = 1, processors = loom_pattern_processors(rq);

	if (slash && (!loom_text_number(&n_groups, slash + 1, strlen(slash + 1)) || n_groups == 0 ||
	              n_groups > processors || processors % n_groups != 0))
		return loom_fail(
			err, LOOM_EINPUT,
			"pattern %s: \"%s\" is not a number of groups: it must divide the %" PRIu64 " processors",
			rq->row->name, loom_text_quote(shown, sizeof shown, slash + 1, strlen(slash + 1)), processors);
	uint64_t size = processors / n_groups;
	if (!loom_text_number(&root, rq->argument, length) || root >= size)
		return loom_fail(err, LOOM_EINPUT, "pattern %s: \"%s\" is not a processor%s: 0..%" PRIu64,
		                 rq->row->name, loom_text_quote(shown, sizeof shown, rq->argument, length),
		                 slash ? "'s place in its group" : "", size - 1);
	out->root = (uint32_t)root;
	out->n_groups = n_groups;
	return 0;
}

static int make_gather(struct loom_pattern *out, const struct loom_pattern_request *rq, struct loom_err *err)
{
	struct grouping g = {.kind = LOOM_LCC_GATHER};
	int code = read_grouping(&g, rq, err);
	return code ? code : make_grouped(out, rq, &g, err);
}

static int make_scatter(struct loom_pattern *out, const struct loom_pattern_request *rq, struct loom_err *err)
{
	struct grouping g = {.kind = LOOM_LCC_SCATTER};
	int code = read_grouping(&g, rq, err);
	return code ? code : make_grouped(out, rq, &g, err);
}

static int make_hotspot(struct loom_pattern *out, const struct loom_pattern_request *rq, struct loom_err *err)
{
	struct grouping g = {.kind = LOOM_LCC_GATHER, .n_groups = 1};
	uint32_t last = (uint32_t)(loom_pattern_processors(rq) - 1);
	int code = loom_pattern_number(&g.root, rq, 0, last, "a processor", err);
	return code ? code : make_grouped(out, rq, &g, err);
}

// clang-format off
const struct loom_pattern_row loom_pattern_rows_any[] = {
	{"gather", "ROOT[/GROUPS]", "everybody to ROOT, or to the ROOT-th of its own group of consecutive processors",
		LINEAR_MAKER(make_gather)},
	{"scatter", "ROOT[/GROUPS]", "the messages of that gather the other way", LINEAR_MAKER(make_scatter)},
	{"hotspot", "PROCESSOR", "everybody to one processor: a gather", LINEAR_MAKER(make_hotspot)},
	{"all-to-all", NULL, "every processor to everybody, itself included", MAKER(make_all_to_all)},
	{"all-to-others", NULL, "every processor to every other", MAKER(make_all_to_others)},
	{.name = NULL},
};
// clang-format on
