// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <string.h>

#include <flitloom/link.h>
#include <flitloom/link/regmap.h>
#include <flitloom/link/session.h>
#include <flitloom/topo.h>

#include "cli.h"

#define RATE_WORDS 4096u // read to see how fast the line is; fewer where it is slow
#define RATE_WORDS_LEAST 64u

static void print_chip(const struct loom_chip *chip, bool json) // json: behind the request
{
	struct loom_topo topo;
	struct loom_err why = {0};
	const struct {
		const char *key, *text;
		uint32_t value;
	} rows[] = {
		{"map_version", "version of the register map", LOOM_MAP_VERSION_IS},
		{"nodes", "which send and receive", chip->n_nodes},
		{"tiles", "tiles (a router and what sits on it)", chip->n_tiles},
		{"channels", "channels of a tile", chip->n_channels},
		{"flit_bits", "bits of a flit", chip->flit_bits},
		{"label_bits", "bits of a node's label in a header", chip->label_bits},
		{"rule_bits", "bits of a message's rule in a header", chip->rule_bits},
		{"n_vcs", "virtual channels of a link between routers", chip->n_vcs ? chip->n_vcs : 1},
		{"buffers", "flits of the buffer at the end of a channel", chip->buffers ? chip->buffers : 2},
		{"link_delay", "cycles by which links are slower than usual", chip->link_delay},
		{"link_delays", "links differ: a number that follows from all delays", chip->link_delays},
		{"router_delay", "cycles by which routers are, towards links", chip->router_delay},
		{"light_cycles", "cycles by which light is slower than a wire", chip->light_cycles},
		{"light_ratio", "cycles that light takes for a flit, 0: there is none", chip->light_ratio},
		{"length_bits", "a message has fewer than 2^this flits", chip->length_bits},
		{"count_bits", "bits of a counter", chip->count_bits},
		{"cycle_bits", "bits of a cycle in the logs", chip->cycle_bits},
		{"pass_bits", "bits of a pass", chip->pass_bits},
		{"program_depth", "messages that a node can send in a run", chip->program_depth},
		{"log_depth", "messages that a node can receive in a run", chip->log_depth},
		{"preset_passes", "passes for which switches can be set, 0: it has none", chip->preset_passes},
		{"history_runs", "passes of a free run that a channel can tell apart", chip->history_runs},
		{"store_slots", "messages that a node can keep for a later pass", chip->store_slots},
		{"slot_flits", "flits of the longest of these", chip->slot_flits},
		{"user_nodes", "1: the nodes are the user's, of an open fabric", chip->user_nodes},
	};
	const char *fabric = loom_chip_topo(&topo, chip, &why) == 0 ? topo.name : why.text;
	(void)printf(json ? ",\"fabric\":\"%s\"" : "%-14s            what is on the chip\n", fabric);
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if (rows[i].value == 0 && strcmp(rows[i].key, "link_delays") == 0)
			continue; // links are all the same
		else if (json)
			(void)printf(",\"%s\":%" PRIu32, rows[i].key, rows[i].value);
		else
			(void)printf("%-14s %10" PRIu32 " %s\n", rows[i].key, rows[i].value, rows[i].text);
}

// The contents of the link's own registers (docs/protocol.md), and what the host has seen of the line.
struct line {
	bool there;
	uint32_t registers[LOOM_LINK_REG_UNANSWERED - LOOM_LINK_REG_MAGIC + 1];
	struct loom_link_stats stats;
	double bytes_per_s; // of words read, several at a time
};

static int read_line(struct line *out, struct loom_link *link, struct loom_err *err)
{
	static const struct line none = {0};
	uint32_t words[RATE_WORDS];
	*out = none;
	if (!link->kind->stats)
		return 0;
	enum { N = sizeof out->registers / sizeof out->registers[0] };
	int rc = loom_link_read(link, LOOM_LINK_REG_MAGIC, out->registers, N, link->timeout_ms, err);
	if (rc == 0 && out->registers[0] != LOOM_LINK_MAGIC_IS)
		return loom_fail(err, LOOM_EHARDWARE, "the link's first register is 0x%08" PRIx32 ", not 0x%08x",
		                 out->registers[0], LOOM_LINK_MAGIC_IS);
	uint32_t half_second = out->registers[LOOM_LINK_REG_BAUD - LOOM_LINK_REG_MAGIC] / 80, n = RATE_WORDS;
	if (half_second && half_second < n)
		n = half_second < RATE_WORDS_LEAST ? RATE_WORDS_LEAST : half_second;
	const struct loom_transfer again = {.address = 0, .n_words = n, .read = words, .fixed = true};
	link->kind->stats(link, &out->stats);
	uint64_t begin = out->stats.now_us;
	if (rc == 0)
		rc = link->kind->transfer(link, &again, 1, link->timeout_ms, err);
	link->kind->stats(link, &out->stats);
	if (out->stats.now_us > begin)
		out->bytes_per_s = 4e6 * n / (double)(out->stats.now_us - begin);
	out->there = true;
	return rc;
}

static void print_line(const struct line *line, bool json)
{
	const uint32_t *r = line->registers;
	const struct {
		const char *key, *text;
		double value;
	} rows[] = {
		{"link_version", "version of the link protocol", r[LOOM_LINK_REG_VERSION - LOOM_LINK_REG_MAGIC]},
		{"clock_hz", "frequency of the chip's clock", r[LOOM_LINK_REG_CLOCK_HZ - LOOM_LINK_REG_MAGIC]},
		{"baud", "symbols per second of the line, 0: no UART", r[LOOM_LINK_REG_BAUD - LOOM_LINK_REG_MAGIC]},
		{"damaged", "frames that came damaged to the chip since its reset",
	         r[LOOM_LINK_REG_DAMAGED - LOOM_LINK_REG_MAGIC]},
		{"refused", "frames that it refused: out of order, malformed",
	         r[LOOM_LINK_REG_REFUSED - LOOM_LINK_REG_MAGIC]},
		{"lost", "bytes that it lost, or that broke on the line", r[LOOM_LINK_REG_LOST - LOOM_LINK_REG_MAGIC]},
		{"unanswered", "accesses that the chip's registers did not answer",
	         r[LOOM_LINK_REG_UNANSWERED - LOOM_LINK_REG_MAGIC]},
		{"host_damaged", "answers that came damaged to this program", (double)line->stats.damaged},
		{"host_repeated", "requests that it had to repeat", (double)line->stats.repeated},
		{"round_trip_us", "microseconds from a request to its answer", line->stats.round_trip_us},
		{"bytes_per_s", "bytes of words read in a second of the line", line->bytes_per_s},
	};
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		(void)printf(json ? ",\"%s\":%.0f" : "%-14s %10.0f %s\n", rows[i].key, rows[i].value, rows[i].text);
}

int cli_probe(const struct cli_request *request, struct loom_err *err)
{
	struct loom_link link = {0};
	struct loom_device *device = NULL;
	struct line line = {0};
	int rc = cli_open_link(&link, request, err);
	if (rc == 0)
		rc = loom_device_open(&device, &link, err);
	if (rc == 0)
		rc = read_line(&line, &link, err);
	if (rc == 0 && request->json) {
		(void)putchar('{');
		rc = cli_put_asked(stdout, request, err);
	}
	if (rc == 0 && !(request->quiet && !request->json)) {
		print_chip(loom_device_chip(device), request->json);
		if (line.there)
			print_line(&line, request->json);
		if (request->json)
			(void)puts("}");
	}
	loom_device_close(device);
	loom_link_close(&link);
	return rc;
}
