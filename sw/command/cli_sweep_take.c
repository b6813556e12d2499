// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs the rows of a sweep that another process, such as flitloom-mpi, hands out one by one.
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli_sweep.h"
#include "cli_terminal.h"

static int tell_nothing(const struct sweep *s, const struct sweep_row *row, struct loom_err *err)
{
	(void)s;
	(void)row;
	(void)err;
	return 0;
}

// Runs one row, or with --merge only checks that the journal has it.
static int run_one(struct sweep *s, size_t i, const struct cli_request *request, struct loom_err *err)
{
	struct sweep one = *s;
	one.request = request;
	one.rows = &s->rows[i];
	one.n_rows = 1;
	return sweep_run(&one, tell_nothing, err);
}

static bool is_there(struct sweep *s, size_t i)
{
	struct cli_request looking = *s->request;
	struct loom_err missing;
	looking.merge = true;
	if (sweep_row_is_over(&s->rows[i]) || run_one(s, i, &looking, &missing) == 0)
		return true;
	sweep_runs_free(&s->rows[i]);
	s->rows[i].state = SWEEP_WAITS;
	return false;
}

static int say_points(struct sweep *s, struct loom_err *err)
{
	size_t *order;
	int rc = sweep_order(&order, s, false, err);
	if (rc != 0)
		return rc;
	(void)printf("points %zu", s->n_rows);
	for (size_t at = 0; at < s->n_rows; at++)
		if (!is_there(s, order[at]))
			(void)printf(" %zu", order[at]);
	(void)putchar('\n');
	free(order);
	return cli_flush(err);
}

// Reads the number of a row from a line.
static int read_number(size_t *out, const struct sweep *s, const char *line, struct loom_err *err)
{
	uint64_t number;
	if (!loom_text_number(&number, line, strcspn(line, "\n")) || number >= s->n_rows)
		return loom_fail(err, LOOM_EINPUT, "--take: \"%.40s\" is not the number of a point, 0 to %zu", line,
		                 s->n_rows - 1);
	*out = number;
	return 0;
}

int sweep_take(struct sweep *s, struct loom_err *err)
{
	char *line = NULL;
	size_t size = 0;
	if (s->request->merge || s->request->standard_map)
		return loom_fail(err, LOOM_EINPUT,
		                 s->request->merge
		                         ? "--take: it runs points, and --merge runs none"
		                         : "--take: standard input has the numbers of points; --map from a file");
	int rc = say_points(s, err);
	while (rc == 0 && getline(&line, &size, stdin) > 0) {
		size_t i = 0;
		rc = read_number(&i, s, line, err);
		if (rc == 0)
			rc = sweep_row_is_over(&s->rows[i]) ? 0 : run_one(s, i, s->request, err);
		if (rc == 0) {
			(void)printf("%zu\n", i);
			rc = cli_flush(err);
		}
	}
	free(line);
	return rc;
}
