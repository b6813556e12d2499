// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Finds the nodes of a stuck fabric whose programs wait.
#include <stdlib.h>

#include <flitloom/link/regmap.h>

#include "device/device_internal.h"

// Reads from the programs of the first n nodes the messages for which they wait.
static int read_entries(struct loom_device *d, struct loom_waiting_program *w, size_t n, struct loom_err *err)
{
	uint32_t(*words)[2] = calloc(n + 1, sizeof *words);
	struct loom_transfer *list = calloc(n + 1, sizeof *list);
	int code = words && list ? 0 : loom_fail(err, LOOM_ENOMEM, "no memory for the programs of %zu nodes", n);
	for (size_t i = 0; code == 0 && i < n; i++)
		list[i] = (struct loom_transfer){.address = LOOM_WINDOW_PROGRAM | w[i].node << LOOM_INDEX_LOW |
		                                            2 * w[i].entry,
		                                 .n_words = 2,
		                                 .read = words[i]};
	if (code == 0 && n)
		code = loom_device_transfer(d, list, n, err);
	for (size_t i = 0; code == 0 && i < n; i++) {
		w[i].count = FIELD(words[i][0], PROGRAM0_FLITS);
		w[i].source = FIELD(words[i][1], PROGRAM1_DESTINATION);
	}
	free(words);
	free(list);
	return code;
}

int loom_device_waiting_programs(struct loom_device *d, struct loom_waiting_program *out, size_t max, size_t *n_out,
                                 struct loom_err *err)
{
	uint32_t n_nodes = d->chip.timing & LOOM_CHIP_TIMED ? d->chip.n_nodes : 0;
	uint32_t *words = calloc(n_nodes + 1, sizeof *words);
	struct loom_transfer *list = calloc(n_nodes + 1, sizeof *list);
	size_t found = 0;
	int code = words && list ? 0 : loom_fail(err, LOOM_ENOMEM, "no memory for the state of %u nodes", n_nodes);
	for (uint32_t u = 0; code == 0 && u < n_nodes; u++)
		list[u] = (struct loom_transfer){
			.address = LOOM_WINDOW_WAITING | u << LOOM_INDEX_LOW, .n_words = 1, .read = &words[u]};
	if (code == 0 && n_nodes)
		code = loom_device_transfer(d, list, n_nodes, err);
	for (uint32_t u = 0; code == 0 && u < n_nodes; u++) {
		if (!FIELD(words[u], WAITING_WAITS))
			continue;
		if (found < max)
			out[found] = (struct loom_waiting_program){.node = u, .entry = FIELD(words[u], WAITING_INDEX)};
		found++;
	}
	if (code == 0)
		code = read_entries(d, out, found < max ? found : max, err);
	free(words);
	free(list);
	if (code == 0)
		*n_out = found;
	return code;
}
