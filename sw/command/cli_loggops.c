// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Computes the times that the LogGOPS model gives a program, beside a run of it or a plan.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/goal.h>
#include <flitloom/pattern.h>

#include "base/file.h"
#include "cli.h"

#define GOAL "goal:"

int cli_loggops_find(uint64_t **finish, struct loom_loggops *with, const struct cli_request *request,
                     const struct loom_goal *goal, struct loom_err *err)
{
	*finish = calloc(goal->n_ranks, sizeof **finish);
	if (!*finish)
		return loom_fail(err, LOOM_ENOMEM, "no memory for the times of %" PRIu32 " ranks", goal->n_ranks);
	int rc = loom_loggops_parse(with, request->loggops, err);
	return rc == 0 ? loom_goal_loggops(*finish, NULL, goal, with, err) : rc;
}

int cli_goal_read(struct loom_goal *out, const char *path, struct loom_err *err)
{
	char *text = NULL;
	size_t length = 0;
	int rc = loom_file_read(&text, &length, path, LOOM_GOAL_FILE_MAX, err);
	if (rc == 0)
		rc = loom_goal_parse(out, text, length, path, err);
	free(text);
	return rc;
}

static int make_collective(struct loom_goal *out, const struct cli_request *request, struct loom_err *err)
{
	struct loom_topo topo = {0};
	const char *spec = request->words[1];
	int rc = cli_fabric_parse(&topo, request, request->words[0], err);
	if (rc == 0)
		rc = loom_goal_collective(out, spec, loom_topo_hosts(&topo),
		                          cli_given(request, CLI_BYTES) ? request->bytes : LOOM_GOAL_BYTES, err);
	loom_topo_free(&topo);
	return rc;
}

static int read_goal(struct loom_goal *out, const struct cli_request *request, struct loom_err *err)
{
	const char *spec = request->words[1];
	if (strncmp(spec, GOAL, strlen(GOAL)) == 0)
		return cli_goal_read(out, spec + strlen(GOAL), err);
	if (loom_pattern_is_program(spec))
		return make_collective(out, request, err);
	return loom_fail(
		err, LOOM_EINPUT,
		"--loggops: %.60s is no program of ranks, as goal:FILE and collectives are, such as allreduce:ring",
		spec);
}

int cli_loggops_beside(const struct cli_request *request,
                       int (*run)(const struct cli_request *request, struct loom_err *err), struct loom_err *err)
{
	struct cli_request with = *request;
	struct loom_goal goal = {0};
	struct loom_report_loggops found = {0};
	uint64_t *finish = NULL;
	if (!request->loggops || cli_is_file(request) || request->stages) // the rest refuses it
		return run(request, err);
	int rc = read_goal(&goal, request, err);
	if (rc == 0)
		rc = cli_loggops_find(&finish, &found.with, request, &goal, err);
	found.n_ranks = goal.n_ranks;
	found.finish = finish;
	with.found_loggops = &found;
	loom_goal_free(&goal);
	if (rc == 0)
		rc = run(&with, err);
	free(finish);
	return rc;
}

void cli_loggops_say(FILE *out, const struct cli_request *request)
{
	const struct loom_report_loggops *l = request->found_loggops;
	uint32_t last = 0;
	if (!l)
		return;
	for (uint32_t r = 1; r < l->n_ranks; r++)
		last = l->finish[r] > l->finish[last] ? r : last;
	(void)fprintf(out,
	              "loggops         %" PRIu64 "  units of time until rank %" PRIu32
	              ", the last, has finished: L=%" PRIu64 ",o=%" PRIu64 ",g=%" PRIu64 ",G=%" PRIu64 ",O=%" PRIu64
	              ",S=%" PRIu64 "\n",
	              l->finish[last], last, l->with.L, l->with.o, l->with.g, l->with.G, l->with.O, l->with.S);
}
