// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs traffic at one load on a chip, and feeds its programs during the run. A book records the messages sent, and
// checks the arrivals.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/traffic.h>

#include "base/room.h"
#include "device/device_stream.h"
#include "traffic/book.h"
#include "traffic/drive.h"
#include "traffic/load_exchange.h"
#include "traffic/load_beside.h"
#include "traffic/load_carry.h"
#include "traffic/load_image.h"
#include "traffic/load_log.h"
#include "traffic/shares.h"

struct on_chip {
	const struct loom_topo *topo;
	const uint32_t *map;
	const struct loom_load_options *options;
	struct loom_routing routing, of_replies;
	struct loom_device_stream *stream;
	struct loom_book book;
	struct loom_load_beside *beside; // owned; NULL if it is not asked for
	size_t n_differ;                 // messages that differ
	char difference[160];            // the first difference
	uint32_t *processor_on;          // owned, by node
	uint64_t now;                    // the cycles that the chip has run
	uint32_t lead_cycles;            // cycles that the chip runs ahead of the reports
	// Owned, each with room for `size`: arrivals. The first n_told came in the last block, the others in the lead.
	struct loom_carried *arrived;
	size_t n_told, n, size;
};

static int offer(void *self, uint32_t source, const struct loom_queued *message, struct loom_err *err)
{
	struct on_chip *c = self;
	const uint32_t node = c->map[source], to = c->map[message->destination];
	const struct loom_routing *routing = message->is_reply ? &c->of_replies : &c->routing;
	const uint32_t via = loom_routing_draw(routing, node, to, loom_book_offered(&c->book, node));
	const struct loom_device_message m = {.at = message->release,
	                                      .flits = message->flits,
	                                      .destination = loom_routing_tables(routing)
	                                                             ? loom_routing_label(routing, node, to)
	                                                             : message->destination,
	                                      .rule = loom_routing_rule(routing, node, to),
	                                      .via = loom_topo_label(c->topo, via)};
	const struct loom_queued there = {to, message->release, message->flits, message->is_reply, message->of_class,
	                                  via};
	int rc = loom_device_stream_send(c->stream, node, &m, err);
	if (rc == 0 && c->beside)
		rc = loom_load_beside_offer(c->beside, source, message, err);
	return rc == 0 ? loom_book_offer(&c->book, node, &there, err) : rc;
}

static void swap(struct loom_carried *a, struct loom_carried *b)
{
	const struct loom_carried kept = *a;
	*a = *b;
	*b = kept;
}

// Moves the messages that have arrived by the end of cycle `until` to the front. Those of the last lead are reported in
// any case, so that a faulty log cannot hold a message back for ever.
static void sort_out(struct on_chip *c, size_t n_kept, uint64_t until)
{
	c->n_told = n_kept;
	for (size_t i = n_kept; i < c->n; i++)
		if (c->arrived[i].tail <= until)
			swap(&c->arrived[i], &c->arrived[c->n_told++]);
}

// Runs the machine up to the same cycle, and compares its arrivals.
static int compute_beside(struct on_chip *c, uint64_t until, struct loom_err *err)
{
	char first[sizeof c->difference];
	size_t n;
	int rc = loom_load_beside_run(c->beside, until, c->arrived, c->n_told, &n, first, sizeof first, err);
	if (rc == 0 && n > 0 && c->n_differ == 0)
		memcpy(c->difference, first, sizeof first);
	c->n_differ += rc == 0 ? n : 0;
	return rc;
}

static int run(void *self, uint64_t until, const struct loom_carried **out, size_t *n_out, struct loom_err *err)
{
	struct on_chip *c = self;
	const struct loom_arrival *a;
	size_t n = 0, n_kept = c->n - c->n_told;
	if (n_kept)
		memmove(c->arrived, c->arrived + c->n_told, n_kept * sizeof *c->arrived);
	c->n = n_kept;
	c->n_told = 0;
	int rc = loom_device_stream_run(c->stream, until + c->lead_cycles - c->now, &a, &n, err);
	c->now = until + c->lead_cycles;
	if (rc == 0 && !LOOM_ROOM(c->arrived, c->size, c->n + n))
		rc = loom_fail(err, LOOM_ENOMEM, "no memory for %zu arrivals", c->n + n);
	for (size_t i = 0; rc == 0 && i < n; i++) {
		struct loom_book_entry sent;
		if (!loom_book_arrive(&c->book, &a[i], &sent))
			continue;
		c->arrived[c->n++] = (struct loom_carried){.source = c->processor_on[a[i].source],
		                                           .destination = c->processor_on[sent.destination],
		                                           .flits = sent.flits,
		                                           .without_wait = sent.without_wait,
		                                           .number = sent.number,
		                                           .release = sent.release,
		                                           .header = a[i].first_cycle,
		                                           .tail = a[i].last_cycle,
		                                           .is_reply = sent.is_reply,
		                                           .of_class = sent.of_class};
	}
	if (rc != 0)
		return rc;
	sort_out(c, n_kept, until);
	*out = c->arrived;
	*n_out = c->n_told;
	return c->beside ? compute_beside(c, until, err) : 0;
}

static int check(void *self, struct loom_err *err)
{
	struct on_chip *c = self;
	return loom_device_stream_check(c->stream, err);
}

static int begin(struct on_chip *c, struct loom_device *device, const struct loom_image *image, struct loom_err *err)
{
	c->processor_on = calloc(c->topo->n_nodes, sizeof *c->processor_on);
	if (!c->processor_on)
		return loom_fail(err, LOOM_ENOMEM, "no memory for %" PRIu32 " sources", c->topo->n_nodes);
	for (uint32_t v = 0; v < c->topo->n_nodes; v++)
		c->processor_on[c->map[v]] = v;
	int rc = loom_book_begin(&c->book, &c->routing, &c->of_replies, loom_device_chip(device), image->seed, err);
	if (rc == 0 && c->options->beside)
		rc = loom_load_beside_open(&c->beside, c->topo, c->map, c->options, err);
	return rc == 0 ? loom_device_stream_begin(&c->stream, device, image, err) : rc;
}

static void end(struct on_chip *c)
{
	free(c->processor_on);
	free(c->arrived);
	loom_load_beside_close(c->beside);
	if (c->book.topo)
		loom_book_free(&c->book);
	loom_device_stream_close(c->stream);
}

// Checks the loads of the channels. They are final only if the pass ended by itself.
static int check_counts(struct on_chip *c, struct loom_device *device, struct loom_err *err)
{
	const uint32_t n_channels = loom_topo_channels(c->topo);
	struct loom_load_log *log = c->options->log;
	struct loom_count *counts = calloc(n_channels, sizeof *counts);
	uint32_t pass;
	int rc = counts ? 0 : loom_fail(err, LOOM_ENOMEM, "no memory for the counts of %s", c->topo->name);
	loom_book_close(&c->book);
	if (rc == 0 && c->book.n_outstanding == 0)
		rc = loom_device_stream_end(c->stream, err);
	if (rc == 0)
		rc = loom_device_counts(device, &pass, counts, err);
	if (rc == 0)
		rc = loom_book_compare(&c->book, counts, err);
	if (rc == 0)
		rc = loom_load_log_count(log, n_channels, err);
	for (uint32_t i = 0; rc == 0 && log && i < n_channels; i++)
		log->counts[i] = (struct loom_load_count){counts[i].worms, counts[i].flits, counts[i].blocked_cycles};
	free(counts);
	return rc;
}

static int check_lengths(const struct loom_chip *chip, const struct loom_traffic *traffic,
                         const struct loom_load_options *o, struct loom_err *err)
{
	const uint32_t of_chip = (UINT32_C(1) << chip->length_bits) - 1;
	uint32_t least, most;
	loom_shares_lengths(&least, &most, traffic, o);
	most = o->closed.reply_flits > most ? o->closed.reply_flits : most;
	if (most > of_chip)
		return loom_fail(err, LOOM_EFIT, "messages of %" PRIu32 " flits; the chip takes %" PRIu32 " at most",
		                 most, of_chip);
	// Registers are read only after many cycles without an arrival. Meanwhile the chip goes on, so its nodes would
	// get messages late.
	if (loom_exchange_is_wanted(o) && most > LOOM_EXCHANGE_FLITS_MOST)
		return loom_fail(err, LOOM_EFIT,
		                 "messages of %" PRIu32 " flits; with replies or a window a chip takes %u at most, "
		                 "link model computes longer ones",
		                 most, LOOM_EXCHANGE_FLITS_MOST);
	return 0;
}

int loom_drive_chip(size_t *n_mismatches, char *mismatch, struct loom_device *device, const struct loom_topo *topo,
                    const uint32_t *map, const struct loom_load_options *options, loom_drive *drive, void *user,
                    struct loom_err *err)
{
	const struct loom_chip *chip = loom_device_chip(device);
	struct on_chip c = {.options = options,
	                    .routing = loom_routing_of(topo, options),
	                    .of_replies = loom_routing_of_replies(topo, options),
	                    .topo = topo,
	                    .map = map,
	                    .lead_cycles = loom_exchange_is_wanted(options) ? LOOM_EXCHANGE_LEAD_CYCLES
	                                                                    : LOOM_CARRIER_LEAD_CYCLES};
	const struct loom_carrier carrier = {
		.self = &c,
		.offer = offer,
		.run = run,
		.check = check,
		// While registers are read some cycles pass that are not counted here. A margin of an eighth is safe.
		.most_cycles = (UINT64_C(7) << chip->cycle_bits) / 8};
	struct loom_image image = {0};
	const struct loom_image_options of_image = {.machine = options->machine,
	                                            .seed = options->seed,
	                                            .tables = loom_routing_tables(&c.routing),
	                                            .select = options->select};
	int rc = loom_load_image_make(&image, topo, map, chip, &of_image, err);
	if (rc == 0)
		rc = begin(&c, device, &image, err);
	if (rc == 0)
		rc = drive(user, &carrier, err);
	if (rc == 0)
		rc = check_counts(&c, device, err);
	if (rc == 0) {
		*n_mismatches = c.book.n_mismatches + c.n_differ;
		(void)snprintf(mismatch, sizeof c.book.mismatch, "%s",
		               c.book.n_mismatches ? c.book.mismatch : c.difference);
	}
	end(&c);
	loom_image_free(&image);
	return rc;
}

int loom_load_run(struct loom_load_point *out, struct loom_device *device, const struct loom_topo *topo,
                  const struct loom_traffic *traffic, const uint32_t *map, const struct loom_load_options *options,
                  struct loom_err *err)
{
	struct loom_load_drive load = {
		.topo = topo, .traffic = traffic, .map = map, .options = options, .is_chip = true};
	size_t n_mismatches = 0;
	char mismatch[sizeof out->mismatch] = "";
	int rc = loom_load_check(topo, traffic, map, options, err);
	if (rc == 0)
		rc = check_lengths(loom_device_chip(device), traffic, options, err);
	if (rc == 0)
		rc = loom_drive_chip(&n_mismatches, mismatch, device, topo, map, options, loom_load_drive, &load, err);
	if (rc != 0)
		return rc;
	load.point.n_mismatches = n_mismatches;
	memcpy(load.point.mismatch, mismatch, sizeof mismatch);
	rc = loom_load_carry_check(&load.point, options, err);
	if (rc == 0)
		*out = load.point;
	return rc;
}
