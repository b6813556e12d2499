// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Reads the logs of all nodes, which list the messages that each received.
#include <stdlib.h>
#include <string.h>

#include <flitloom/link/regmap.h>

#include "chip/header.h"
#include "device/device_internal.h"

#define WORDS_PER_ARRIVAL 4u

// Returns the node of a label. For a label that no node has it returns a number that no node has.
static uint32_t node_of(const struct loom_device *d, uint32_t label)
{
	uint32_t node = label;
	if (d->topo.kind && !loom_topo_node_of_label(&node, &d->topo, label))
		node = d->topo.n_nodes + label;
	return node;
}

struct loom_arrival loom_device_arrival(const struct loom_device *d, uint32_t node,
                                        const uint32_t words[WORDS_PER_ARRIVAL])
{
	const struct loom_header header = loom_header_read(&d->chip, FIELD(words[0], LOG0_HEADER));
	return (struct loom_arrival){
		.node = node,
		.destination = node_of(d, header.destination),
		.source = node_of(d, header.source),
		.number = header.number,
		.rule = header.rule,
		.via = loom_chip_has_via(&d->chip) ? node_of(d, header.via) : 0,
		.keep_slot = header.slot,
		.pass = FIELD(words[1], LOG1_PASS),
		.logged_pass = FIELD(words[1], LOG1_PASS),
		.flits = FIELD(words[1], LOG1_FLITS),
		.intact = FIELD(words[1], LOG1_INTACT),
		.first_cycle = words[2],
		.last_cycle = words[3],
	};
}

// Reads the logs and counts of every node: first their lengths, then the entries.
static int read_nodes(struct loom_device *d, struct loom_trace *trace, struct loom_err *err)
{
	enum { LOGGED, SENT, STATUS, CORRUPT, N_COUNTS };
	uint32_t n_nodes = d->chip.n_nodes, *words = NULL;
	struct loom_transfer *list = calloc(2 * (size_t)n_nodes, sizeof *list);
	uint32_t(*counts)[N_COUNTS] = calloc(n_nodes, sizeof *counts);
	const uint32_t *signatures;
	size_t n = 0, n_all, n_lists = 0;
	int code = list && counts ? 0 : loom_fail(err, LOOM_ENOMEM, "no memory for the counts of %u nodes", n_nodes);
	for (uint32_t v = 0; code == 0 && v < n_nodes; v++)
		list[v] = (struct loom_transfer){
			.address = LOOM_WINDOW_LOG_COUNT | v << LOOM_INDEX_LOW, .n_words = N_COUNTS, .read = counts[v]};
	if (code == 0)
		code = loom_device_transfer(d, list, n_nodes, err);
	for (uint32_t v = 0; code == 0 && v < n_nodes; v++) {
		if (counts[v][LOGGED] > d->chip.log_depth)
			code = loom_fail(err, LOOM_EHARDWARE, "node %u received %u messages; its log holds %u", v,
			                 counts[v][LOGGED], d->chip.log_depth);
		n += counts[v][LOGGED];
		trace->sent[v] = counts[v][SENT];
		trace->corrupt[v] = counts[v][CORRUPT];
	}
	if (code == 0 && n) {
		words = calloc(n * (WORDS_PER_ARRIVAL + 1), sizeof *words); // all logs, then all signatures
		trace->arrivals = calloc(n, sizeof *trace->arrivals);
		if (!words || !trace->arrivals)
			code = loom_fail(err, LOOM_ENOMEM, "no memory for %zu arrivals", n);
	}
	n_all = n;
	n = 0;
	for (uint32_t v = 0; code == 0 && v < n_nodes; v++) {
		uint32_t logged = counts[v][LOGGED];
		if (logged)
			list[n_lists++] = (struct loom_transfer){.address = LOOM_WINDOW_LOG | v << LOOM_INDEX_LOW,
			                                         .n_words = (size_t)logged * WORDS_PER_ARRIVAL,
			                                         .read = words + n * WORDS_PER_ARRIVAL};
		if (logged && d->chip.signature_bits)
			list[n_lists++] = (struct loom_transfer){.address = LOOM_WINDOW_SIGNATURE | v << LOOM_INDEX_LOW,
			                                         .n_words = logged,
			                                         .read = words + n_all * WORDS_PER_ARRIVAL + n};
		n += logged;
	}
	if (code == 0)
		code = loom_device_transfer_told(d, LOOM_STAGE_LOGS, list, n_lists, err);
	signatures = words + n_all * WORDS_PER_ARRIVAL;
	for (uint32_t v = 0; code == 0 && v < n_nodes; v++) {
		for (uint32_t i = 0; i < counts[v][LOGGED]; i++, trace->n_arrivals++) {
			struct loom_arrival *a = &trace->arrivals[trace->n_arrivals];
			*a = loom_device_arrival(d, v, words + trace->n_arrivals * WORDS_PER_ARRIVAL);
			a->signature = signatures[trace->n_arrivals];
		}
	}
	free(words);
	free(counts);
	free(list);
	return code;
}

// Reads the cycle in which each entry of the programs began, and with it the release of each message that arrived.
static int read_releases(struct loom_device *d, const uint32_t *entries, struct loom_trace *t, struct loom_err *err)
{
	uint32_t n_nodes = d->chip.n_nodes;
	struct loom_transfer *list = calloc(n_nodes, sizeof *list);
	size_t n_lists = 0;
	t->first_entry = calloc((size_t)n_nodes + 1, sizeof *t->first_entry);
	for (uint32_t u = 0; t->first_entry && u < n_nodes; u++)
		t->first_entry[u + 1] = t->first_entry[u] + entries[u];
	t->released = t->first_entry ? calloc(t->first_entry[n_nodes] + 1, sizeof *t->released) : NULL;
	int code = list && t->released ? 0
	                               : loom_fail(err, LOOM_ENOMEM, "no memory for the programs of %u nodes", n_nodes);
	for (uint32_t u = 0; code == 0 && u < n_nodes; u++)
		if (entries[u])
			list[n_lists++] = (struct loom_transfer){.address = LOOM_WINDOW_RELEASED | u << LOOM_INDEX_LOW,
			                                         .n_words = entries[u],
			                                         .read = t->released + t->first_entry[u]};
	if (code == 0)
		code = loom_device_transfer_told(d, LOOM_STAGE_LOGS, list, n_lists, err);
	for (size_t i = 0; code == 0 && i < t->n_arrivals; i++) {
		struct loom_arrival *a = &t->arrivals[i];
		if (a->source < n_nodes && a->number < entries[a->source])
			a->release = t->released[t->first_entry[a->source] + a->number];
	}
	free(list);
	return code;
}

// Reads all logs. In a free run a message's number is its pass, because each pass has one message (image.h).
int loom_device_read_logs(struct loom_device *d, const struct loom_image *image, struct loom_trace *t,
                          struct loom_err *err)
{
	t->payload = (struct loom_payload){.seed = image->seed,
	                                   .flit_bits = d->chip.flit_bits,
	                                   .label_bits = d->chip.label_bits,
	                                   .state_bits = d->chip.payload_bits,
	                                   .signature_bits = d->chip.signature_bits};
	int code = read_nodes(d, t, err);
	for (size_t i = 0; code == 0 && image->free_running && i < t->n_arrivals; i++)
		t->arrivals[i].pass = t->arrivals[i].number;
	if (code == 0 && image->entries)
		code = read_releases(d, image->entries, t, err);
	return code;
}

static int copy_releases(struct loom_trace *t, const struct loom_trace *b, struct loom_err *err)
{
	const size_t n = b->first_entry[b->n_nodes];
	t->first_entry = malloc(((size_t)b->n_nodes + 1) * sizeof *t->first_entry);
	t->released = malloc((n + 1) * sizeof *t->released);
	if (!t->first_entry || !t->released)
		return loom_fail(err, LOOM_ENOMEM, "no memory for the programs of %u nodes", b->n_nodes);
	memcpy(t->first_entry, b->first_entry, ((size_t)b->n_nodes + 1) * sizeof *t->first_entry);
	memcpy(t->released, b->released, n * sizeof *t->released);
	return 0;
}

int loom_device_copy_logs(struct loom_trace *t, const struct loom_trace *b, struct loom_err *err)
{
	t->arrivals = calloc(b->n_arrivals + 1, sizeof *t->arrivals);
	if (!t->arrivals)
		return loom_fail(err, LOOM_ENOMEM, "no memory for %zu messages", b->n_arrivals);
	if (b->n_arrivals)
		memcpy(t->arrivals, b->arrivals, b->n_arrivals * sizeof *t->arrivals);
	t->n_arrivals = b->n_arrivals;
	memcpy(t->sent, b->sent, t->n_nodes * sizeof *t->sent);
	memcpy(t->corrupt, b->corrupt, t->n_nodes * sizeof *t->corrupt);
	t->payload = b->payload;
	return b->released ? copy_releases(t, b, err) : 0;
}

int loom_device_logs(struct loom_device *d, const struct loom_image *image, uint32_t *pass, struct loom_trace *out,
                     struct loom_err *err)
{
	struct loom_trace t = {.n_nodes = d->chip.n_nodes, .n_passes = image->n_passes, .machine = image->machine};
	uint32_t under_way = 0;
	t.sent = calloc(t.n_nodes, sizeof *t.sent);
	t.corrupt = calloc(t.n_nodes, sizeof *t.corrupt);
	int code = t.sent && t.corrupt ? loom_device_get(d, LOOM_REG_PASS, &under_way, 1, err)
	                               : loom_fail(err, LOOM_ENOMEM, "no memory for the logs of %u nodes", t.n_nodes);
	if (code == 0)
		code = loom_device_read_logs(d, image, &t, err);
	if (code) {
		loom_trace_free(&t);
		return code;
	}
	*pass = under_way;
	*out = t;
	return 0;
}
