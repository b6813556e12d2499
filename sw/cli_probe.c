// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <string.h>

#include "cli.h"
#include "link.h"
#include "topo.h"

static void print_chip(const struct loom_chip *chip, bool json)
{
	const struct loom_topo_kind *kind = loom_topo_kind_by_code(chip->kind);
	char fabric[48];
	const struct {
		const char *key, *text;
		uint32_t value;
	} rows[] = {
		{"nodes", "which send and receive", chip->n_nodes},
		{"tiles", "tiles (a router and what sits on it)", chip->n_tiles},
		{"channels", "channels of a tile", chip->n_channels},
		{"flit_bits", "bits of a flit", chip->flit_bits},
		{"label_bits", "bits of a node number in a header", chip->label_bits},
		{"length_bits", "a message has fewer than 2^this flits", chip->length_bits},
		{"count_bits", "bits of a counter", chip->count_bits},
		{"cycle_bits", "bits of a cycle in the logs", chip->cycle_bits},
		{"pass_bits", "bits of a pass", chip->pass_bits},
		{"program_depth", "messages that a node can send in a run", chip->program_depth},
		{"log_depth", "messages that a node can receive in a run", chip->log_depth},
		{"store_slots", "messages that a node can keep for a later pass", chip->store_slots},
		{"slot_flits", "flits of the longest of these", chip->slot_flits},
	};
	if (kind)
		(void)snprintf(fabric, sizeof fabric, "%s:%" PRIu32, kind->name, chip->size);
	else
		(void)snprintf(fabric, sizeof fabric, "unknown kind %" PRIu32 ", size %" PRIu32, chip->kind,
		               chip->size);
	(void)printf(json ? "{\"fabric\":\"%s\"" : "%-14s            what is on the chip\n", fabric);
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if (json)
			(void)printf(",\"%s\":%" PRIu32, rows[i].key, rows[i].value);
		else
			(void)printf("%-14s %10" PRIu32 " %s\n", rows[i].key, rows[i].value, rows[i].text);
	if (json)
		(void)puts("}");
}

int cli_probe(const struct cli_request *request, struct loom_err *err)
{
	struct loom_topo topo;
	struct loom_link link = {0};
	struct loom_device *device = NULL;
	struct cli_progress progress;
	int rc = request->fabric ? loom_topo_parse(&topo, request->fabric, err) : 0;
	if (rc != 0)
		return rc;
	cli_progress_init(&progress, request);
	const struct loom_link_options options = {
		.fabric = request->fabric ? topo.name : NULL, .progress = cli_progress_text, .user = &progress};
	rc = loom_link_open(&link, request->words[0], &options, err);
	if (rc == 0)
		rc = loom_device_open(&device, &link, err);
	cli_progress_end(&progress);
	if (rc == 0 && !(request->quiet && !request->json))
		print_chip(loom_device_chip(device), request->json);
	loom_device_close(device);
	loom_link_close(&link);
	return rc;
}
