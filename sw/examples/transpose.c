// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// A pattern of one's own (a matrix transpose, as a list of messages), planned, run on the simulated RTL, and checked.
//
//   cc transpose.c -o transpose $(pkg-config --cflags --libs flitloom)
//   ./transpose cube:4        (or ./transpose cube:2 ftdi: with a board)
#include <stdio.h>
#include <stdlib.h>

#include <flitloom.h>

#define FLITS 17 // of each message, header included

// Processor (r, c) of a square of them sends to (c, r).
static int make_pattern(struct loom_pattern *out, uint32_t n_nodes, struct loom_err *err)
{
	struct loom_message *messages = calloc(n_nodes, sizeof *messages);
	uint32_t side = 1;
	if (!messages)
		return loom_fail(err, LOOM_ENOMEM, "no memory for %u messages", n_nodes);
	while (side * side < n_nodes)
		side++;
	for (uint32_t i = 0; i < n_nodes; i++)
		messages[i] =
			(struct loom_message){.source = i, .destination = i % side * side + i / side, .flits = FLITS};
	int code = side * side == n_nodes
	                   ? loom_pattern_from_messages(out, "my transpose", n_nodes, messages, n_nodes, err)
	                   : loom_fail(err, LOOM_EINPUT, "%u nodes are no square", n_nodes);
	free(messages);
	return code;
}

static void say(void *user, const char *text)
{
	(void)user;
	(void)fprintf(stderr, "%s\n", text);
}

int main(int argc, char **argv)
{
	const char *fabric = argc > 1 ? argv[1] : "cube:4", *where = argc > 2 ? argv[2] : "sim";
	struct loom_topo topo = {0};
	struct loom_pattern pattern = {0};
	struct loom_run run = {0};
	struct loom_err err = {0};
	int code, status = 3;

	// In order: where; who sends to whom; and all the rest, from the plan to whether the chip did what it promises.
	const struct loom_run_request request = {.topo = &topo,
	                                         .pattern = &pattern,
	                                         .link = where,
	                                         .link_options = {.progress = say},
	                                         .image = {.machine = LOOM_MACHINE_FAST, .seed = 1}};
	if ((code = loom_topo_parse(&topo, fabric, &err)) == 0 &&
	    (code = make_pattern(&pattern, topo.n_nodes, &err)) == 0 && (code = loom_run(&run, &request, &err)) == 0) {
		const struct loom_trace *trace = &run.trace;
		for (size_t i = 0; i < trace->n_arrivals; i++)
			printf("node %u to node %u: header in cycle %u, tail in cycle %u\n", trace->arrivals[i].source,
			       trace->arrivals[i].node, trace->arrivals[i].first_cycle, trace->arrivals[i].last_cycle);
		code = loom_report_table(stdout, &run.plan, &run.verdict, true, false, &err);
		status = run.verdict.n_mismatches ? 1 : 0;
	}
	if (code) {
		(void)fprintf(stderr, "transpose: %s\n", err.text);
		status = loom_code_status(code);
	}
	loom_run_free(&run);
	loom_pattern_free(&pattern);
	loom_topo_free(&topo);
	return status;
}
