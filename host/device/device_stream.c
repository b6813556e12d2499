// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs a stream: feeds programs and takes out logs while the pass goes on. Does not touch the registers meanwhile. When
// everything has arrived, the pass ends by CONFIG.OPEN.
#include "device/device_stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/link/regmap.h>
#include <flitloom/link/stream.h>

#include "base/room.h"
#include "chip/image_fit.h"
#include "device/device_internal.h"

#define END_CYCLES 1024u // the longest that an empty pass takes
#define END_STEP_CYCLES 64u
#define WAITING_NAMED 4

enum { STATE_RUNNING = 1, STATE_DONE, STATE_STUCK }; // values of STATUS

struct loom_device_stream {
	struct loom_device *device;
	struct loom_stream stream;
	size_t arrivals_size;
	struct loom_arrival *arrivals; // owned
	uint32_t config;               // without OPEN
};

static int write_word(struct loom_device *d, uint32_t address, uint32_t word, struct loom_err *err)
{
	const struct loom_transfer one = {.address = address, .n_words = 1, .write = &word};
	return loom_device_transfer(d, &one, 1, err);
}

int loom_device_stream_possible(const struct loom_device *d, struct loom_err *err)
{
	int code = loom_image_check_nodes(&d->chip, err);
	if (code)
		return code;
	if (!d->link->kind->stream)
		return loom_fail(err, LOOM_EFIT,
		                 "link \"%s\" cannot feed messages to a chip while it runs: that takes the link sim",
		                 d->link->kind->name);
	if (!(d->chip.timing & LOOM_CHIP_STREAM))
		return loom_fail(
			err, LOOM_EFIT,
			"the chip behind link \"%s\" has no stream ports: messages cannot be fed to it while it runs",
			d->link->kind->name);
	return 0;
}

// Sets OPEN in CONFIG.
static int open_pass(struct loom_device_stream *s, struct loom_err *err)
{
	struct loom_device *d = s->device;
	const uint32_t open = UINT32_C(1) << LOOM_CONFIG_OPEN_LOW, first = 0;
	uint32_t kept = 0;
	int rc = loom_device_get(d, LOOM_REG_CONFIG, &s->config, 1, err);
	s->config &= ~open;
	if (rc == 0)
		rc = write_word(d, LOOM_REG_CONFIG, s->config | open, err);
	if (rc == 0)
		rc = loom_device_get(d, LOOM_REG_CONFIG, &kept, 1, err);
	if (rc == 0 && kept != (s->config | open))
		rc = loom_fail(err, LOOM_EHARDWARE, "CONFIG.OPEN stays 0 on a chip that says that it has stream ports");
	if (rc == 0)
		rc = write_word(d, LOOM_REG_FIRST_PASS, first, err);
	if (rc == 0)
		rc = write_word(d, LOOM_REG_LAST_PASS, first, err);
	if (rc == 0)
		rc = write_word(d, LOOM_REG_CONTROL, UINT32_C(1) << LOOM_CONTROL_START_LOW, err);
	return rc;
}

int loom_device_stream_begin(struct loom_device_stream **out, struct loom_device *device,
                             const struct loom_image *image, struct loom_err *err)
{
	int rc = loom_device_stream_possible(device, err);
	if (rc != 0)
		return rc;
	struct loom_device_stream *s = calloc(1, sizeof *s);
	if (s)
		s->stream.queue = calloc(device->chip.n_nodes, sizeof *s->stream.queue);
	if (!s || !s->stream.queue) {
		loom_device_stream_close(s);
		return loom_fail(err, LOOM_ENOMEM, "no memory for the streams of %u nodes", device->chip.n_nodes);
	}
	s->device = device;
	s->stream.n_nodes = device->chip.n_nodes;
	rc = loom_device_load(device, image, err);
	if (rc == 0)
		rc = open_pass(s, err);
	if (rc != 0) {
		loom_device_stream_close(s);
		return rc;
	}
	*out = s;
	return 0;
}

size_t loom_device_stream_queued(const struct loom_device_stream *s, uint32_t node)
{
	return s->stream.queue[node].n;
}

int loom_device_tell_of(struct loom_device *device, const struct loom_progress *progress, struct loom_err *err)
{
	return loom_device_tell(device, progress, err);
}

int loom_device_stream_send(struct loom_device_stream *s, uint32_t node, const struct loom_device_message *m,
                            struct loom_err *err)
{
	const uint32_t word[2] = {m->flits << LOOM_PROGRAM0_FLITS_LOW | m->via << LOOM_PROGRAM0_VIA_LOW,
	                          m->destination << LOOM_PROGRAM1_DESTINATION_LOW | m->rule << LOOM_PROGRAM1_RULE_LOW};
	return loom_device_stream_put(s, node, m->at, word, err);
}

int loom_device_stream_put(struct loom_device_stream *s, uint32_t node, uint32_t at, const uint32_t word[2],
                           struct loom_err *err)
{
	struct loom_stream_queue *q = &s->stream.queue[node];
	if (q->first > 0 && q->first + q->n == q->size) {
		memmove(q->entry, q->entry + q->first, q->n * sizeof *q->entry);
		q->first = 0;
	}
	if (!LOOM_ROOM(q->entry, q->size, q->n + 1))
		return loom_fail(err, LOOM_ENOMEM, "no memory for %zu messages of node %u", q->n + 1, node);
	q->entry[q->first + q->n++] = (struct loom_stream_entry){.at = at, .word = {word[0], word[1]}};
	return 0;
}

int loom_device_read_sent(struct loom_device *d, uint32_t *sent, uint32_t *corrupt, struct loom_err *err)
{
	enum { LOGGED, SENT, STATUS, CORRUPT, N_COUNTS };
	int rc = 0;
	for (uint32_t u = 0; rc == 0 && u < d->chip.n_nodes; u++) {
		uint32_t counts[N_COUNTS];
		rc = loom_device_get(d, LOOM_WINDOW_LOG_COUNT | u << LOOM_INDEX_LOW, counts, N_COUNTS, err);
		if (rc != 0)
			break;
		sent[u] = counts[SENT];
		corrupt[u] = counts[CORRUPT];
	}
	return rc;
}

int loom_device_stream_run(struct loom_device_stream *s, uint64_t n_cycles, const struct loom_arrival **arrivals,
                           size_t *n_arrivals, struct loom_err *err)
{
	struct loom_link *link = s->device->link;
	s->stream.n_logs = 0;
	int rc = link->kind->stream(link, &s->stream, n_cycles, err);
	if (rc != 0)
		return rc;
	if (!LOOM_ROOM(s->arrivals, s->arrivals_size, s->stream.n_logs))
		return loom_fail(err, LOOM_ENOMEM, "no memory for %zu arrivals", s->stream.n_logs);
	for (size_t i = 0; i < s->stream.n_logs; i++) {
		const struct loom_stream_log *log = &s->stream.log[i];
		s->arrivals[i] = loom_device_arrival(s->device, log->node, log->word);
		s->arrivals[i].signature = log->signature;
	}
	*arrivals = s->arrivals;
	*n_arrivals = s->stream.n_logs;
	return 0;
}

int loom_device_stream_check(struct loom_device_stream *s, struct loom_err *err)
{
	uint32_t status = 0, waiting[WAITING_NAMED];
	size_t n = 0, used = 0;
	char names[WAITING_NAMED * 24] = "";
	int rc = loom_device_get(s->device, LOOM_REG_STATUS, &status, 1, err);
	if (rc != 0 || FIELD(status, STATUS_STATE) != STATE_STUCK)
		return rc;
	rc = loom_device_waiting(s->device, waiting, WAITING_NAMED, &n, err);
	if (rc != 0)
		return rc;
	for (size_t i = 0; i < n; i++)
		used += (size_t)snprintf(names + used, sizeof names - used, "%s%u.%u", i ? ", " : "",
		                         waiting[i] / s->device->chip.n_channels,
		                         waiting[i] % s->device->chip.n_channels);
	return loom_fail(err, LOOM_ESTUCK, "stuck: messages are under way and no flit moves; headers wait for %s%s",
	                 n ? "channels (tile.channel) " : "no channel", names);
}

int loom_device_stream_end(struct loom_device_stream *s, struct loom_err *err)
{
	struct loom_device *d = s->device;
	uint32_t status = 0;
	int rc = write_word(d, LOOM_REG_CONFIG, s->config, err);
	for (uint32_t cycles = 0; rc == 0 && cycles < END_CYCLES; cycles += END_STEP_CYCLES) {
		rc = d->link->kind->run(d->link, END_STEP_CYCLES, err);
		if (rc == 0)
			rc = loom_device_get(d, LOOM_REG_STATUS, &status, 1, err);
		if (rc == 0 && FIELD(status, STATUS_STATE) != STATE_RUNNING)
			break;
	}
	if (rc == 0 && FIELD(status, STATUS_STATE) != STATE_DONE)
		rc = loom_fail(err, LOOM_EHARDWARE,
		               "the streamed pass does not end after its last message: the chip is in state %u",
		               FIELD(status, STATUS_STATE));
	if (rc == 0 && (FIELD(status, STATUS_LOG_FULL) || FIELD(status, STATUS_STORE_FULL)))
		rc = loom_fail(err, LOOM_EHARDWARE, "a %s overflowed in a streamed run",
		               FIELD(status, STATUS_LOG_FULL) ? "node's log" : "slot of a node's store");
	return rc;
}

void loom_device_stream_close(struct loom_device_stream *s)
{
	if (!s)
		return;
	for (uint32_t v = 0; s->stream.queue && v < s->stream.n_nodes; v++)
		free(s->stream.queue[v].entry);
	free(s->stream.queue);
	free(s->stream.log);
	free(s->arrivals);
	free(s);
}
