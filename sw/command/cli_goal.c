// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/goal.h>

#include "base/file.h"
#include "base/text.h"
#include "cli_html.h"

static int make_collective(struct loom_goal *out, const struct cli_request *request, struct loom_err *err)
{
	uint64_t n_ranks = 0;
	if (request->n_words < 2)
		return loom_fail(err, LOOM_EINPUT,
		                 "goal: too little: it takes COLLECTIVE RANKS, or goal:FILE with --loggops");
	const char *word = request->words[1];
	if (!loom_text_number(&n_ranks, word, strlen(word)) || n_ranks < 2 || n_ranks > LOOM_NODES_MAX)
		return loom_fail(err, LOOM_EINPUT, "goal: \"%.60s\" is not a number of ranks: 2..%d", word,
		                 LOOM_NODES_MAX);
	return loom_goal_collective(out, request->words[0], (uint32_t)n_ranks,
	                            cli_given(request, CLI_BYTES) ? request->bytes : LOOM_GOAL_BYTES, err);
}

static int read_goal(struct loom_goal *out, const struct cli_request *request, const char *path, struct loom_err *err)
{
	if (request->n_words > 1 || cli_given(request, CLI_BYTES) || !request->loggops)
		return loom_fail(err, LOOM_EINPUT,
		                 "goal: goal:FILE needs --loggops and takes nothing else, as in goal "
		                 "goal:FILE --loggops usual");
	return cli_goal_read(out, path, err);
}

struct finish {
	const uint64_t *at;
	uint32_t n;
};

static int put_finish(FILE *stream, const void *user)
{
	const struct finish *finish = user;
	(void)fputs("rank,finish\n", stream);
	for (uint32_t r = 0; r < finish->n; r++)
		(void)fprintf(stream, "%" PRIu32 ",%" PRIu64 "\n", r, finish->at[r]);
	return 0;
}

// *out: when each rank has finished, malloc'ed; NULL without --loggops.
static int find_finish(uint64_t **out, const struct cli_request *request, const struct loom_goal *goal,
                       struct loom_err *err)
{
	struct loom_loggops with;
	if (!request->loggops)
		return 0;
	return cli_loggops_find(out, &with, request, goal, err);
}

static int write_text(const char *path, const struct loom_goal *goal, struct loom_err *err)
{
	char *text = NULL;
	size_t length = 0;
	int rc = loom_goal_write(&text, &length, goal, err);
	if (rc == 0)
		rc = loom_file_write_text(path, text, length, err);
	free(text);
	return rc;
}

// --- The document of --html -----------------------------------------------------------------------------------------

#define OPS_MOST 5000 // that it lists

struct printed {
	const struct cli_request *request;
	const struct loom_goal *goal;
	const uint64_t *finish; // NULL: nobody asked
};

// The work of a rank.
struct sums {
	uint64_t sends, receives, calcs, bytes, units;
};

static void sum_up(struct sums *of_rank, const struct loom_goal *goal)
{
	for (size_t i = 0; i < goal->n_ops; i++) {
		const struct loom_goal_op *op = &goal->ops[i];
		struct sums *s = &of_rank[op->rank];
		s->sends += op->kind == LOOM_GOAL_SEND;
		s->receives += op->kind == LOOM_GOAL_RECV;
		s->calcs += op->kind == LOOM_GOAL_CALC;
		s->bytes += op->kind == LOOM_GOAL_SEND ? op->size : 0;
		s->units += op->kind == LOOM_GOAL_CALC ? op->size : 0;
	}
}

static void print_rank(FILE *out, const struct printed *it, uint32_t rank, struct sums s)
{
	(void)fprintf(out,
	              "%s{\"rank\":%" PRIu32 ",\"sends\":%" PRIu64 ",\"receives\":%" PRIu64 ",\"calcs\":%" PRIu64
	              ",\"bytes_sent\":%" PRIu64 ",\"calc_units\":%" PRIu64,
	              rank ? "," : "", rank, s.sends, s.receives, s.calcs, s.bytes, s.units);
	if (it->finish)
		(void)fprintf(out, ",\"finish\":%" PRIu64, it->finish[rank]);
	(void)fputc('}', out);
}

static void print_op(FILE *out, const struct loom_goal_op *op, bool first)
{
	static const char *const kinds[] = {
		[LOOM_GOAL_CALC] = "calc", [LOOM_GOAL_SEND] = "send", [LOOM_GOAL_RECV] = "receive"};
	(void)fprintf(out, "%s{\"rank\":%" PRIu32 ",\"does\":\"%s\",", first ? "" : ",", op->rank, kinds[op->kind]);
	if (op->kind == LOOM_GOAL_CALC || op->peer == LOOM_GOAL_ANY_RANK)
		(void)fputs("\"peer\":null,", out);
	else
		(void)fprintf(out, "\"peer\":%" PRIu32 ",", op->peer);
	if (op->kind == LOOM_GOAL_CALC || op->tag == LOOM_GOAL_ANY_TAG)
		(void)fputs("\"tag\":null,", out);
	else
		(void)fprintf(out, "\"tag\":%" PRIu32 ",", op->tag);
	(void)fprintf(out, "\"size\":%" PRIu64 "}", op->size);
}

static int put_goal(FILE *out, const struct loom_goal *goal, struct loom_err *err)
{
	char *text = NULL;
	size_t length = 0;
	int rc = loom_goal_write(&text, &length, goal, err);
	if (rc == 0)
		(void)fwrite(text, 1, length, out);
	free(text);
	return rc;
}

static int print(FILE *out, const void *user, bool json, struct loom_err *err)
{
	const struct printed *it = user;
	if (!json)
		return put_goal(out, it->goal, err);
	(void)fputc('{', out);
	int rc = cli_put_asked(out, it->request, err);
	if (rc != 0)
		return rc;
	struct sums *sums = calloc(it->goal->n_ranks, sizeof *sums);
	if (!sums)
		return loom_fail(err, LOOM_ENOMEM, "out of memory for a report");
	sum_up(sums, it->goal);
	(void)fprintf(out, ",\"ranks\":%" PRIu32 ",\"operations\":%zu,\"needs\":%zu,\"each_rank\":[", it->goal->n_ranks,
	              it->goal->n_ops, it->goal->n_needs);
	for (uint32_t rank = 0; rank < it->goal->n_ranks; rank++)
		print_rank(out, it, rank, sums[rank]);
	free(sums);
	(void)fprintf(out, "],\"%s\":[", it->goal->n_ops > OPS_MOST ? "first_operations" : "all_operations");
	for (size_t i = 0; i < it->goal->n_ops && i < OPS_MOST; i++)
		print_op(out, &it->goal->ops[i], i == 0);
	(void)fputs("]}\n", out);
	return 0;
}

int cli_goal(const struct cli_request *request, struct loom_err *err)
{
	struct loom_goal goal = {0};
	const bool is_file = strncmp(request->words[0], "goal:", 5) == 0;
	int rc = is_file ? read_goal(&goal, request, request->words[0] + 5, err) : make_collective(&goal, request, err);
	uint64_t *at = NULL;
	if (rc == 0)
		rc = cli_check_outputs(request, err);
	if (rc == 0)
		rc = find_finish(&at, request, &goal, err);
	const struct finish finish = {at, goal.n_ranks};
	const char *path = request->output ? request->output : request->standard_output ? NULL : "-";
	if (rc == 0 && path)
		rc = at ? loom_file_write(path, put_finish, &finish, err) : write_text(path, &goal, err);
	if (rc == 0)
		rc = cli_html_write(request, request->words[0], print, goal.n_ops <= OPS_MOST,
		                    &(struct printed){request, &goal, at}, NULL, err);
	free(at);
	loom_goal_free(&goal);
	return rc;
}
