// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_DEVICE_STREAM_H
#define LOOM_DEVICE_STREAM_H

#include <flitloom/device.h>

// A run whose programs are fed while it goes on, and whose logs are taken out meanwhile (flitloom/link/stream.h).
struct loom_device_stream;

// A message of a streamed run.
struct loom_device_message {
	uint32_t at;          // the cycle of its release
	uint32_t flits;       // header included
	uint32_t destination; // virtual processor: the image's map has its node
	uint32_t rule;
	uint32_t via; // the label of the node through which it goes; 0 if the rule has none (flitloom/routes/via.h)
};

// Begins a streamed run. Loads the image, whose programs are empty, and starts pass 0, which lasts until
// loom_device_stream_end. Its cycle 1 is among the first cycles that loom_device_stream_run runs. LOOM_EFIT: link or
// chip have no stream ports. The device stays the caller's, and does nothing else until the stream is closed.
int loom_device_stream_begin(struct loom_device_stream **out, struct loom_device *device,
                             const struct loom_image *image, struct loom_err *err);
// Appends a message to the program of a node. Message k of a node (from 0) bears the number k modulo the chip's
// program_depth.
int loom_device_stream_send(struct loom_device_stream *stream, uint32_t node, const struct loom_device_message *message,
                            struct loom_err *err);
// Appends an entry of any kind to the program of a node, by its words (chip/programs.h).
int loom_device_stream_put(struct loom_device_stream *stream, uint32_t node, uint32_t at, const uint32_t word[2],
                           struct loom_err *err);
// The entries that a node was given and has not taken yet.
size_t loom_device_stream_queued(const struct loom_device_stream *stream, uint32_t node);
// Runs n_cycles cycles. *arrivals: the messages that arrived in them, in the order of arrival at each node; valid
// until the next call.
int loom_device_stream_run(struct loom_device_stream *stream, uint64_t n_cycles, const struct loom_arrival **arrivals,
                           size_t *n_arrivals, struct loom_err *err);
// Checks that messages still move. LOOM_ESTUCK, with the first channels on which headers wait: the watchdog's limit was
// reached.
int loom_device_stream_check(struct loom_device_stream *stream, struct loom_err *err);
// Ends a streamed run after the last arrival: lets the pass end. Afterwards loom_device_counts reads the loads of the
// channels. LOOM_EHARDWARE: the pass does not end, or a log or store overflowed.
int loom_device_stream_end(struct loom_device_stream *stream, struct loom_err *err);
// Counts of each node: messages that it sent, flits that it found damaged.
int loom_device_read_sent(struct loom_device *device, uint32_t *sent, uint32_t *corrupt, struct loom_err *err);
// Tells whoever watches the device. LOOM_ETIMEOUT if that asked to stop.
int loom_device_tell_of(struct loom_device *device, const struct loom_progress *progress, struct loom_err *err);
void loom_device_stream_close(struct loom_device_stream *stream); // NULL allowed

#endif
