// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// A pattern of one's own in 50 lines: everybody sends to the third one after him; planned, run, and judged.
//   cc own_pattern.c -o own_pattern $(pkg-config --cflags --libs flitloom) && ./own_pattern cube:3
#include <stdio.h>

#include <flitloom.h>

enum { NODES_MOST = 1024, FLITS = 9, STEP = 3 };

int main(int argc, char **argv)
{
	struct loom_link_options where = {.fabric = argc > 1 ? argv[1] : "cube:3"};
	struct loom_image_options how = {.seed = 1};
	struct loom_run_options run = {0};
	struct loom_message list[NODES_MOST];
	struct loom_topo topo = {0};
	struct loom_pattern pattern = {0};
	struct loom_plan plan = {0};
	struct loom_link link = {0};
	struct loom_device *device = NULL;
	struct loom_image image = {0};
	struct loom_trace trace = {0};
	struct loom_verdict verdict = {0};
	struct loom_err err = {0};

	int code = loom_topo_parse(&topo, where.fabric, &err);
	uint32_t n = topo.n_nodes < NODES_MOST ? topo.n_nodes : NODES_MOST;
	for (uint32_t i = 0; i < n; i++)
		list[i] = (struct loom_message){.source = i, .destination = (i + STEP) % n, .flits = FLITS};
	if (code || (code = loom_pattern_from_messages(&pattern, "three on", topo.n_nodes, list, n, &err)) ||
	    (code = loom_plan_make(&plan, &topo, &pattern, NULL, &err)) ||
	    (code = loom_link_open(&link, argc > 2 ? argv[2] : "sim", &where, &err)) ||
	    (code = loom_device_open(&device, &link, &err)) ||
	    (code = loom_image_make(&image, &plan, loom_device_chip(device), &how, &err)) ||
	    (code = loom_device_load(device, &image, &err)) ||
	    (code = loom_device_run(device, &image, &run, &trace, &err)) ||
	    (code = loom_verdict_make(&verdict, &plan, &trace, &err)))
		(void)fprintf(stderr, "own_pattern: %s\n", err.text);
	else
		printf("%s: %zu messages in %u passes by %s, %s\n", topo.name, plan.n_messages, plan.n_passes,
		       plan.planner, verdict.n_mismatches ? verdict.mismatches[0] : "PASS");
	int status = code ? loom_code_status(code) : verdict.n_mismatches != 0;
	loom_verdict_free(&verdict), loom_trace_free(&trace), loom_image_free(&image);
	loom_device_close(device), loom_link_close(&link);
	loom_plan_free(&plan), loom_pattern_free(&pattern), loom_topo_free(&topo);
	return status;
}
