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

int cli_goal(const struct cli_request *request, struct loom_err *err)
{
	struct loom_goal goal = {0};
	struct text text = {0};
	uint64_t n_ranks = 0;
	const char *word = request->words[1];
	if (!loom_text_number(&n_ranks, word, strlen(word)) || n_ranks < 2 || n_ranks > LOOM_NODES_MAX)
		return loom_fail(err, LOOM_EINPUT, "goal: \"%.60s\" is not a number of ranks: 2..%d", word,
		                 LOOM_NODES_MAX);
	int rc = cli_check_outputs(request, err);
	if (rc == 0)
		rc = loom_goal_collective(&goal, request->words[0], (uint32_t)n_ranks,
		                          cli_given(request, CLI_BYTES) ? request->bytes : LOOM_GOAL_BYTES, err);
	if (rc == 0)
		rc = loom_goal_write(&text.at, &text.length, &goal, err);
	if (rc == 0)
		rc = loom_file_write(request->output ? request->output : "-", put_text, &text, err);
	loom_goal_free(&goal);
	free(text.at);
	return rc;
}
