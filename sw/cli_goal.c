// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/goal.h>

#include "base/file.h"
#include "base/text.h"
#include "cli.h"

#define BYTES 1024

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

int cli_goal_calc_cycles(struct cli_request *r, const char *text, struct loom_err *err)
{
	uint64_t cycles = 0, units = 1;
	size_t first = strcspn(text, "/");
	bool good = loom_text_number(&cycles, text, first);
	if (text[first])
		good = good && loom_text_number(&units, text + first + 1, strlen(text + first + 1));
	if (!good || cycles < 1 || units < 1 || cycles > UINT32_MAX || units > UINT32_MAX)
		return loom_fail(err, LOOM_EINPUT,
		                 "--calc-cycles: \"%.60s\" is neither a number of cycles nor a ratio of two whole "
		                 "numbers; such as 3 or 1/1000",
		                 text);
	r->calc = text;
	r->calc_cycles = (uint32_t)cycles;
	r->calc_units = (uint32_t)units;
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
		                          request->given & CLI_BIT(CLI_BYTES) ? request->bytes : BYTES, err);
	if (rc == 0)
		rc = loom_goal_write(&text.at, &text.length, &goal, err);
	if (rc == 0)
		rc = loom_file_write(request->output ? request->output : "-", put_text, &text, err);
	loom_goal_free(&goal);
	free(text.at);
	return rc;
}
