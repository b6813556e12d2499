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

struct loom_failures;

// A chip behind a link.
struct loom_device;

// Reads the discovery registers. The link stays the caller's and must outlive the device. LOOM_EHARDWARE: there is no
// flitloom chip, or one of another map version.
int loom_device_open(struct loom_device **out, struct loom_link *link, struct loom_err *err);
void loom_device_close(struct loom_device *device); // NULL allowed
const struct loom_chip *loom_device_chip(const struct loom_device *device);

// The stage of a call. Progress counts the words of its transfers and, in a run, the passes.
enum loom_stage { LOOM_STAGE_LOAD, LOOM_STAGE_VERIFY, LOOM_STAGE_RUN, LOOM_STAGE_HISTORIES, LOOM_STAGE_LOGS };
// The progress of a call, for its watcher.
struct loom_progress {
	enum loom_stage stage;
	uint64_t done, total;
	uint64_t cycle;    // the cycle of the present pass, or of the free run, which counts as pass 0
	bool back_to_back; // true in the run of all passes from one start
};

// Makes load and run call `watch` after every few thousand words or cycles. If it returns true, they end with
// LOOM_ETIMEOUT; the chip may then be in the middle of a run, and the next load resets it. NULL: ends the calls.
void loom_device_watch(struct loom_device *device, bool (*watch)(void *user, const struct loom_progress *progress),
                       void *user);

// Resets the chip, writes the image and reads back all words that can be read. LOOM_EHARDWARE names the first word
// that differs.
int loom_device_load(struct loom_device *device, const struct loom_image *image, struct loom_err *err);

// Options of a run.
struct loom_run_options {
	uint64_t max_cycles; // per pass, to its last tail; beyond it LOOM_ELIMIT; 0: no limit but the watchdog's
	unsigned timeout_ms; // per pass without any progress of the cycle counter; 0: 10 s
	// Runs all passes from one start, and measures the time that they take together (trace.h). The histories of
	// the chip record what each pass did; if it has none, or too few, the passes are also run one by one. Has no
	// effect on a plan for which loom_back_to_back_possible returns false.
	bool back_to_back;
	// Links that fail during the run, in each pass from cycle in_cycle on; the passes are then run one by one.
	// Only loom_run_plan takes them, on a link sim that was opened for it. NULL: none.
	const struct loom_failures *failing;
};

// Runs every pass of the image last loaded and reads the results. LOOM_ESTUCK: the watchdog's limit was reached. The
// message names the first channels on which headers wait, as tile and channel number, and the first nodes whose
// programs wait. LOOM_EHARDWARE: log or store overflow. LOOM_EFIT: a counter reached its maximum, or a pass took more
// cycles than logs can count. LOOM_EINPUT: the image has no pass, or the number of nodes of another chip. *out is
// then untouched.
int loom_device_run(struct loom_device *device, const struct loom_image *image, const struct loom_run_options *options,
                    struct loom_trace *out, struct loom_err *err);

// Reads the messages that every node has received and sent so far, also while a pass runs or after it was given up:
// the trace of a run without counts (n_channels is 0). *pass is the present pass, or the last one. It serves to
// diagnose a run that failed.
int loom_device_logs(struct loom_device *device, const struct loom_image *image, uint32_t *pass, struct loom_trace *out,
                     struct loom_err *err);

// Reads the counts of every channel in the present pass, or in the last one; *pass is the number of that pass.
int loom_device_counts(struct loom_device *device, uint32_t *pass, struct loom_count *out, struct loom_err *err);

// Reads the channels (tile * channels + k) on which a header waits now; at most max of them. It serves to diagnose a
// stuck fabric.
int loom_device_waiting(struct loom_device *device, uint32_t *out, size_t max, size_t *n_out, struct loom_err *err);

// A program that has stopped at a wait: its entry `entry` waits for the count-th message from virtual processor
// `source`, which has not arrived.
struct loom_waiting_program {
	uint32_t node, entry, source, count;
};

// Reads the waits at which programs have stopped, in ascending order of node; at most max of them. There are none if
// programs cannot wait. It serves only to diagnose a stuck fabric: load the chip anew afterwards.
int loom_device_waiting_programs(struct loom_device *device, struct loom_waiting_program *out, size_t max,
                                 size_t *n_out, struct loom_err *err);

// Reads the losses of each circuit switch in the present pass, or the last one: *out has *n elements, malloc'ed; NULL
// and 0 on other fabrics.
int loom_device_lost(struct loom_device *device, struct loom_light_loss **out, uint32_t *n, struct loom_err *err);

// Checks that link and chip have stream ports. LOOM_EFIT: they have none.
int loom_device_stream_possible(const struct loom_device *device, struct loom_err *err);

LOOM_API_END

#endif
