// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_DEVICE_H
#define LOOM_DEVICE_H

#include <stdbool.h>

#include <flitloom/api.h>
#include <flitloom/link/chip.h>
#include <flitloom/link/image.h>
#include <flitloom/link.h>
#include <flitloom/trace.h>

LOOM_API_BEGIN

// A chip behind a link.
struct loom_device;

// Reads the discovery registers. The link stays the caller's and must outlive the device. LOOM_EHARDWARE: there is no
// flitloom chip, or one of another map version.
int loom_device_open(struct loom_device **out, struct loom_link *link, struct loom_err *err);
void loom_device_close(struct loom_device *device); // NULL allowed
const struct loom_chip *loom_device_chip(const struct loom_device *device);

// The stage that a call is at. Progress counts the words of its transfers, and in a run the passes.
enum loom_stage { LOOM_STAGE_LOAD, LOOM_STAGE_VERIFY, LOOM_STAGE_RUN, LOOM_STAGE_HISTORIES, LOOM_STAGE_LOGS };
// The progress of a call, for its watcher.
struct loom_progress {
	enum loom_stage stage;
	uint64_t done, total;
	uint64_t cycle;    // of the pass under way, or of the free run, which counts as pass 0
	bool back_to_back; // the run is the one from one start
};

// From now on `watch` is called by load and run, after every few thousand words and cycles. When it returns other than
// 0 they end with LOOM_ETIMEOUT; the chip may then be in the middle of something, and the next load resets it. NULL: no
// more.
void loom_device_watch(struct loom_device *device, int (*watch)(void *user, const struct loom_progress *progress),
                       void *user);

// Resets the chip, writes the image and reads back what can be. LOOM_EHARDWARE names the first word that differs.
int loom_device_load(struct loom_device *device, const struct loom_image *image, struct loom_err *err);

// Options of a run.
struct loom_run_options {
	uint64_t max_cycles; // per pass, to its last tail; beyond it LOOM_ELIMIT; 0: no limit but the watchdog's
	unsigned timeout_ms; // per pass without any progress of the cycle counter; 0: 10 s
	// Runs all passes from one start, which brings the time that they take together (trace.h). The chip's histories
	// tell what each of them did; if it has none, or not enough of them, the passes are run one by one, too.
	// Without effect on a plan for which loom_back_to_back_possible says no.
	bool back_to_back;
};

// Runs every pass of the image last loaded and brings back what happened. LOOM_ESTUCK: the watchdog's limit was
// reached (the message names the first channels on which headers wait, as tile and channel number, and the first nodes whose
// programs wait). LOOM_EHARDWARE: log
// or store overflow. LOOM_EFIT: a counter stopped at the most that it holds, or a pass took more cycles than logs can tell.
// LOOM_EINPUT: the image has no pass, or as many nodes as another chip. *out is then untouched.
int loom_device_run(struct loom_device *device, const struct loom_image *image, const struct loom_run_options *options,
                    struct loom_trace *out, struct loom_err *err);

// Reads what every node has received and sent up to now, also while a pass runs or after it was given up: the trace of
// a run without counts (n_channels is 0); *pass is the one under way, or the last one. For the diagnosis of a run that
// failed.
int loom_device_logs(struct loom_device *device, const struct loom_image *image, uint32_t *pass, struct loom_trace *out,
                     struct loom_err *err);

// Reads what every channel has carried in the pass under way, or the last one; *pass is the number of that pass.
int loom_device_counts(struct loom_device *device, uint32_t *pass, struct loom_count *out, struct loom_err *err);

// Channels (tile * channels + k) on which a header waits now; at most max of them. For the diagnosis of a stuck fabric.
int loom_device_waiting(struct loom_device *device, uint32_t *out, size_t max, size_t *n_out, struct loom_err *err);

// A program that stands at a wait for a message that is not there. Its entry `entry` waits for the count-th message from
// virtual processor `source`.
struct loom_waiting_program {
	uint32_t node, entry, source, count;
};

// Reads where programs wait now, in ascending order of node; at most max of them. There are none if programs cannot
// wait. Only for the diagnosis of a stuck fabric: it has to be loaded anew afterwards.
int loom_device_waiting_programs(struct loom_device *device, struct loom_waiting_program *out, size_t max,
                                 size_t *n_out, struct loom_err *err);

// A run whose programs are fed while it goes on, and whose logs are taken out meanwhile (flitloom/link/stream.h).
struct loom_device_stream;

// Checks that link and chip have stream ports. LOOM_EFIT: they have none.
int loom_device_stream_possible(const struct loom_device *device, struct loom_err *err);

// A message of a streamed run.
struct loom_device_message {
	uint32_t at;          // the cycle of its release
	uint32_t flits;       // header included
	uint32_t destination; // virtual processor: the image's map has its node
	uint32_t rule;
};

// Begins a streamed run. Loads the image, whose programs are empty, and starts pass 0, which is not over before
// loom_device_stream_end. Cycle 1 of it is one of the first that loom_device_stream_run runs. LOOM_EFIT: link or chip
// have no stream ports. The device stays the caller's, and does nothing else until the stream is closed.
int loom_device_stream_begin(struct loom_device_stream **out, struct loom_device *device,
                             const struct loom_image *image, struct loom_err *err);
// Another message for a node's program, behind those that it was given before. Message k of a node (from 0) bears the number
// k modulo the chip's program_depth.
int loom_device_stream_send(struct loom_device_stream *stream, uint32_t node, const struct loom_device_message *message,
                            struct loom_err *err);
// Runs so many cycles. *arrivals is what arrived in them, in the order of arrival at each node; valid until the next call.
int loom_device_stream_run(struct loom_device_stream *stream, uint64_t n_cycles, const struct loom_arrival **arrivals,
                           size_t *n_arrivals, struct loom_err *err);
// Checks that messages still move. LOOM_ESTUCK, with the first channels on which headers wait: the watchdog's limit was
// reached.
int loom_device_stream_check(struct loom_device_stream *stream, struct loom_err *err);
// Ends a streamed run, after the last arrival: lets the pass end. Then loom_device_counts has what the channels carried.
// LOOM_EHARDWARE: the pass does not end, or a log or store overflowed.
int loom_device_stream_end(struct loom_device_stream *stream, struct loom_err *err);
void loom_device_stream_close(struct loom_device_stream *stream); // NULL allowed

LOOM_API_END

#endif
