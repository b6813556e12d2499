// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Figures by a key: the options for them, and their way from the process of a run to that of the command.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli_sweep.h"

#define WINDOW_USUAL 1024u

enum loom_load_key sweep_by_key(const struct cli_request *r)
{
	unsigned key = 0;
	while (strcmp(loom_load_key_name(key), r->by) != 0)
		key++;
	return (enum loom_load_key)key;
}

struct loom_load_groups sweep_by_none(const struct cli_request *r)
{
	return (struct loom_load_groups){.key = r->by ? sweep_by_key(r) : LOOM_LOAD_BY_SOURCE,
	                                 .window_cycles = r->window_cycles ? r->window_cycles : WINDOW_USUAL};
}

int sweep_by_check(const struct sweep *s, struct loom_err *err)
{
	const struct cli_request *r = s->request;
	const enum cli_option outputs[] = {CLI_BY_CSV, CLI_BY_SVG, CLI_WINDOW};
	for (size_t i = 0; !r->by && i < sizeof outputs / sizeof outputs[0]; i++)
		if (cli_given(r, outputs[i]))
			return loom_fail(err, LOOM_EINPUT, "--%s goes with --by KEY", cli_option_name(outputs[i]));
	if (!r->by)
		return 0;
	const enum loom_load_key key = sweep_by_key(r);
	if (r->window_cycles && key != LOOM_LOAD_BY_CHANNEL)
		return loom_fail(err, LOOM_EINPUT, "--window: it is of --by channel");
	if (key >= LOOM_LOAD_BY_LATENCY && !r->json && !r->html && !r->by_csv && !r->by_svg && !r->journal)
		return loom_fail(err, LOOM_EINPUT,
		                 "--by %s: its rows are too many to print; write them with --json, --html FILE, "
		                 "--by-csv FILE or --by-svg FILE",
		                 r->by);
	if (key == LOOM_LOAD_BY_CHANNEL && r->by_svg && s->n_rows > 1)
		return loom_fail(err, LOOM_EINPUT, "--by-svg: channels over time are drawn of one point; here are %zu",
		                 s->n_rows);
	return 0;
}

static bool put(FILE *file, const void *list, size_t size, size_t n)
{
	return n == 0 || fwrite(list, size, n, file) == n;
}

int sweep_by_write(FILE *file, const struct loom_load_groups *g, struct loom_err *err)
{
	const bool good = put(file, g, sizeof *g, 1) && put(file, g->group, sizeof *g->group, g->n) &&
	                  put(file, g->latency, sizeof *g->latency, g->n_latencies) && fflush(file) == 0;
	return good ? 0 : loom_fail(err, LOOM_EFILE, "a temporary file cannot be written: %s", strerror(errno));
}

// Reads n elements of a size, malloc'ed; NULL: it cannot.
static void *get(FILE *file, size_t size, size_t n)
{
	void *list = malloc((n + 1) * size);
	if (list && n > 0 && fread(list, size, n, file) != n) {
		free(list);
		return NULL;
	}
	return list;
}

int sweep_by_read(struct loom_load_groups *out, FILE *file, const struct cli_request *r, struct loom_err *err)
{
	struct loom_load_groups there, g = sweep_by_none(r);
	rewind(file);
	if (fread(&there, sizeof there, 1, file) == 1) {
		g.n_runs = there.n_runs;
		g.cycles = there.cycles;
		g.n = g.size = there.n;
		g.n_latencies = g.latencies_size = there.n_latencies;
		g.group = get(file, sizeof *g.group, g.n);
		g.latency = get(file, sizeof *g.latency, g.n_latencies);
	}
	if (g.group && g.latency) {
		*out = g;
		return 0;
	}
	loom_load_groups_free(&g);
	return loom_fail(err, LOOM_EFILE, "what a point found cannot be read: %s", strerror(errno));
}

void sweep_runs_free(struct sweep_row *row)
{
	for (uint32_t k = 0; row->runs && k < row->n_runs; k++) {
		if (row->runs[k].file)
			(void)fclose(row->runs[k].file);
		loom_load_groups_free(&row->runs[k].groups);
	}
	free(row->runs);
	row->runs = NULL;
	row->n_runs = row->n_begun = 0;
}
