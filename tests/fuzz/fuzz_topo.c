// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The name of a fabric, and for one that is taken, a route between nodes of the fuzzer's choice.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/topo.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition)
{
	if (!condition)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint32_t ends[2] = {0, 0};
	if (size < sizeof ends)
		return 0;
	memcpy(ends, data, sizeof ends);
	char *text = malloc(size - sizeof ends + 1);
	require(text != NULL);
	memcpy(text, data + sizeof ends, size - sizeof ends);
	text[size - sizeof ends] = '\0';

	if (strncmp(text, "graph:", 6) == 0) { // would read a file: fuzz_graph
		free(text);
		return 0;
	}
	struct loom_topo t, before;
	struct loom_err err = {0};
	memset(&t, 0xa5, sizeof t);
	memcpy(&before, &t, sizeof t);
	int rc = loom_topo_parse(&t, text, &err);
	free(text);
	if (rc != 0) {
		require(rc == LOOM_EINPUT && err.text[0] && memcmp(&t, &before, sizeof t) == 0);
		return 0;
	}
	struct loom_topo again;
	require(loom_topo_parse(&again, t.name, &err) == 0 && again.n_nodes == t.n_nodes);

	uint32_t source = ends[0] % t.n_nodes, destination = ends[1] % t.n_nodes, channel, bound = 0;
	uint32_t length = 0, label = 0;
	for (unsigned rule = 0; rule < loom_topo_rules_count(&t); rule++) {
		struct loom_route route;
		length = loom_route_length(&t, source, destination, (enum loom_rule)rule);
		require(length >= 2 && length <= t.n_nodes + 1 + t.ports);
		loom_route_begin(&route, &t, source, destination, (enum loom_rule)rule);
		for (uint32_t k = 0; loom_route_next(&route, &channel); k++) {
			char name[48], group[16];
			require(k < length && channel < loom_topo_channels(&t));
			require(loom_topo_channel_exists(&t, channel));
			require(!loom_topo_is_local(&t, channel) == (k > 0 && k + 1 < length));
			require(loom_topo_group_of(&t, channel) < loom_topo_groups(&t));
			loom_topo_channel_name(&t, channel, name);
			loom_topo_group_name(&t, loom_topo_group_of(&t, channel), group);
			require(strlen(name) < sizeof name && strlen(group) < sizeof group);
		}
	}
	require(loom_topo_bound(&bound, &t, &source, &destination, 1, &err) == 0);
	require(bound == (length > 2)); // one message, on any channel between
	require(loom_topo_label(&t, source) >> t.label_bits == 0);
	require(loom_topo_node_of_label(&label, &t, loom_topo_label(&t, source)) && label == source);
	return 0;
}
