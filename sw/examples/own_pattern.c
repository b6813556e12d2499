// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// A pattern of one's own in 35 lines: everybody sends to the third one after him; planned, run, and judged.
//   cc own_pattern.c -o own_pattern $(pkg-config --cflags --libs flitloom) && ./own_pattern cube:3
#include <stdio.h>

#include <flitloom.h>

enum { NODES_MOST = 1024, FLITS = 9, STEP = 3 };

int main(int argc, char **argv)
{
	struct loom_message list[NODES_MOST];
	struct loom_topo topo = {0};
	struct loom_pattern pattern = {0};
	struct loom_run run = {0};
	struct loom_err err = {0};
	const struct loom_run_request request = {
		.topo = &topo, .pattern = &pattern, .link = argc > 2 ? argv[2] : "sim", .image = {.seed = 1}};

	int code = loom_topo_parse(&topo, argc > 1 ? argv[1] : "cube:3", &err);
	uint32_t n = topo.n_nodes < NODES_MOST ? topo.n_nodes : NODES_MOST;
	for (uint32_t i = 0; i < n; i++)
		list[i] = (struct loom_message){.source = i, .destination = (i + STEP) % n, .flits = FLITS};
	if (code || (code = loom_pattern_from_messages(&pattern, "three on", topo.n_nodes, list, n, &err)) ||
	    (code = loom_run(&run, &request, &err)))
		(void)fprintf(stderr, "own_pattern: %s\n", err.text);
	else
		printf("%s: %zu messages in %u passes by %s, %s\n", topo.name, run.plan.n_messages, run.plan.n_passes,
		       run.plan.planner, run.verdict.n_mismatches ? run.verdict.mismatches[0] : "PASS");
	int status = code ? loom_code_status(code) : run.verdict.n_mismatches != 0;
	loom_run_free(&run), loom_pattern_free(&pattern), loom_topo_free(&topo);
	return status;
}
