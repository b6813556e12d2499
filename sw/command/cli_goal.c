// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/goal.h>

#include "base/file.h"
#include "base/text.h"
#include "cli.h"

struct text {
	char *at;
	size_t length;
};

static int put_text(FILE *stream, const void *user)
{
	const struct text *text = user;
	(void)fwrite(text->at, 1, text->length, stream);
	return 0;
}

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
	char *text = NULL;
	size_t length = 0;
	if (request->n_words > 1 || cli_given(request, CLI_BYTES) || !request->loggops)
		return loom_fail(err, LOOM_EINPUT,
		                 "goal: of a file there is --loggops alone, as in goal goal:FILE --loggops usual");
	int rc = loom_file_read(&text, &length, path, LOOM_GOAL_FILE_MAX, err);
	if (rc == 0)
		rc = loom_goal_parse(out, text, length, path, err);
	free(text);
	return rc;
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

static int write_finish(const struct cli_request *request, const struct loom_goal *goal, struct loom_err *err)
{
	struct loom_loggops with;
	uint64_t *at = calloc(goal->n_ranks, sizeof *at);
	int rc = at ? loom_loggops_parse(&with, request->loggops, err)
	            : loom_fail(err, LOOM_ENOMEM, "no memory for the times of %" PRIu32 " ranks", goal->n_ranks);
	if (rc == 0)
		rc = loom_goal_loggops(at, NULL, goal, &with, err);
	const struct finish finish = {at, goal->n_ranks};
	if (rc == 0)
		rc = loom_file_write(request->output ? request->output : "-", put_finish, &finish, err);
	free(at);
	return rc;
}

static int write_text(const struct cli_request *request, const struct loom_goal *goal, struct loom_err *err)
{
	struct text text = {0};
	int rc = loom_goal_write(&text.at, &text.length, goal, err);
	if (rc == 0)
		rc = loom_file_write(request->output ? request->output : "-", put_text, &text, err);
	free(text.at);
	return rc;
}

int cli_goal(const struct cli_request *request, struct loom_err *err)
{
	struct loom_goal goal = {0};
	const bool is_file = strncmp(request->words[0], "goal:", 5) == 0;
	int rc = is_file ? read_goal(&goal, request, request->words[0] + 5, err) : make_collective(&goal, request, err);
	if (rc == 0)
		rc = cli_check_outputs(request, err);
	if (rc == 0)
		rc = request->loggops ? write_finish(request, &goal, err) : write_text(request, &goal, err);
	loom_goal_free(&goal);
	return rc;
}
