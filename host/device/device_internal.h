// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_DEVICE_INTERNAL_H
#define LOOM_DEVICE_INTERNAL_H

#include <flitloom/device.h>

// Declarations that the files of a device share. device.c opens, loads and resets; device_run.c runs; device_counts.c
// and device_logs.c read the results.
struct loom_device {
	struct loom_link *link; // the caller's
	struct loom_chip chip;
	struct loom_topo topo; // the chip's; without a kind if this program knows none such
	bool (*watch)(void *user, const struct loom_progress *progress); // NULL: there is no watcher
	void *user;
};

uint32_t loom_device_field(uint32_t word, unsigned low, unsigned width);
#define FIELD(word, name) loom_device_field(word, LOOM_##name##_LOW, LOOM_##name##_WIDTH)

// Calls `watch`, if it is set. LOOM_ETIMEOUT: it asked to stop.
int loom_device_tell(struct loom_device *d, const struct loom_progress *progress, struct loom_err *err);

// Make `n` transfers, in this order. loom_device_transfer_told makes them in portions, and after each reports the
// number of words as progress of `stage`.
int loom_device_transfer(struct loom_device *d, const struct loom_transfer *list, size_t n, struct loom_err *err);
int loom_device_transfer_told(struct loom_device *d, enum loom_stage stage, const struct loom_transfer *list, size_t n,
                              struct loom_err *err);
int loom_device_get(struct loom_device *d, uint32_t address, uint32_t *out, size_t n_words, struct loom_err *err);

// Returns the chip to its state after loading, without writing programs and tables again: logs and counters are
// empty.
int loom_device_reset(struct loom_device *d, const struct loom_image *image, struct loom_err *err);

// Reads the counters of the present pass or the last one, n_tiles * n_channels of them.
int loom_device_read_counts(struct loom_device *d, struct loom_count *out, struct loom_err *err);
// Reads the load of each channel in each pass of the finished run from one start, and adds it to trace->counts.
// *full: the index there of a count that may have stopped at its largest value.
#define LOOM_NONE_FULL SIZE_MAX
int loom_device_read_histories(struct loom_device *d, struct loom_trace *trace, size_t *full, struct loom_err *err);
// Does the same for a free run. Its passes cannot be run one by one, so a full history is an error. LOOM_EFIT: a
// count may have stopped.
int loom_device_read_free_histories(struct loom_device *d, struct loom_trace *trace, struct loom_err *err);
// Reads the four words of a log's entry, without the signature.
struct loom_arrival loom_device_arrival(const struct loom_device *d, uint32_t node, const uint32_t words[4]);
// Reads what every node received and counts: the trace's payload, arrivals, sent and corrupt.
int loom_device_read_logs(struct loom_device *d, const struct loom_image *image, struct loom_trace *trace,
                          struct loom_err *err);
// Copies the same from another trace of this chip, if there was no other run.
int loom_device_copy_logs(struct loom_trace *t, const struct loom_trace *b, struct loom_err *err);

#endif
