// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads an edge list and, if it is accepted, makes the fabric and all its routes. Inputs with a brace, which go to
// GraphViz, are left out.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <flitloom/routes/graph.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition)
{
	if (!condition)
		abort();
}

static void check_fabric(const struct loom_graph_wires *wires, unsigned n_vcs)
{
	struct loom_topo t;
	struct loom_err err = {0};
	uint32_t channel;
	char name[48];
	if (loom_topo_of_graph(&t, "graph:fuzz", wires, n_vcs, &err) != 0) {
		require(err.code == LOOM_EINPUT && err.text[0] && !strchr(err.text, '\n'));
		return;
	}
	for (uint32_t s = 0; s < t.n_nodes; s++)
		for (uint32_t d = 0; d < t.n_nodes; d++) {
			struct loom_route route;
			unsigned rule = loom_topo_rule(&t, s, d, 0);
			uint32_t n = 0;
			require(rule < n_vcs);
			loom_route_begin(&route, &t, s, d, (enum loom_rule)rule);
			while (s != d && loom_route_next(&route, &channel))
				require(++n <= t.n_nodes + 1 && loom_topo_channel_exists(&t, channel));
		}
	for (uint32_t c = 0; c < loom_topo_channels(&t); c++) {
		loom_topo_channel_name(&t, c, name);
		require(strlen(name) < sizeof name);
	}
	loom_topo_free(&t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char path[64];
	struct loom_graph_wires wires = {0};
	struct loom_err err = {0};
	if (size > 4096 || memchr(data, '{', size))
		return 0;
	int fd = memfd_create("graph", 0);
	require(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	(void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	int rc = loom_graph_read(&wires, path, &err);
	(void)close(fd);
	if (rc != 0) {
		require(rc == LOOM_EINPUT && err.text[0] && !strchr(err.text, '\n') && !wires.name && !wires.link);
		return 0;
	}
	for (unsigned n_vcs = 1; n_vcs <= 4 && wires.n_nodes <= 64; n_vcs *= 2)
		check_fabric(&wires, n_vcs);
	loom_graph_wires_free(&wires);
	return 0;
}
