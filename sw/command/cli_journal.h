// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef FLITLOOM_CLI_JOURNAL_H
#define FLITLOOM_CLI_JOURNAL_H

#include "cli_sweep.h"

// A folder in which sweeps keep their results, a file for each run of a point. The file's name is a checksum of all
// that the result depends on, which the file repeats in words. So sweeps that have points in common share them, and a
// sweep that was ended continues where it was. A file is first written under another name. A run that is under way has
// a lock file, which its process holds with flock and which is free when the process ends in any way. So processes with
// the same folder, on one machine or several, share the work.

// A figure of a result, and its name in the file.
struct sweep_field {
	const char *name;
	enum { FIELD_REAL, FIELD_COUNT, FIELD_COUNT_32, FIELD_FLAG, FIELD_TEXT } is;
	size_t at, size; // in the structure; size: that of a text
};

// A result that is written or read.
struct sweep_record {
	const struct sweep_field *fields;
	size_t n_fields;
	void *at;                        // the structure
	struct loom_load_groups *groups; // figures by a key; NULL: none are requested
};
struct sweep_record sweep_record_of_run(struct sweep_run *run, const struct cli_request *request);
struct sweep_record sweep_record_of_row(struct sweep_row *row); // for sweeps over sizes; LEFT_OUT is a result, too

// The state of a run in the folder. NONE: there is no folder.
enum sweep_place { JOURNAL_NONE, JOURNAL_HAS_IT, JOURNAL_IS_OURS, JOURNAL_IS_ELSEWHERE };

// Makes the folder, if needed, and the words that tell this sweep's runs from others. Does nothing without --journal.
int sweep_journal_begin(struct sweep *s, struct loom_err *err);
void sweep_journal_end(struct sweep *s);
// Keeps only the rows of --shard I/N: each N-th, from the I-th on. Does nothing without it.
int sweep_journal_shard(struct sweep *s, struct loom_err *err);

// Reads a run's result into the record, if it is there; else takes its lock, unless another process has it. With
// --merge, LOOM_EINPUT: it is missing.
int sweep_journal_take(enum sweep_place *place, int *lock, const struct sweep *s, const struct sweep_row *row,
                       uint32_t run, const struct sweep_record *into, struct loom_err *err);
// Writes the result of a run whose lock this process has.
int sweep_journal_keep(const struct sweep *s, const struct sweep_row *row, uint32_t run,
                       const struct sweep_record *from, struct loom_err *err);
// Releases the lock of a run, after its result was kept or if it failed; -1 is none.
void sweep_journal_leave(const struct sweep *s, const struct sweep_row *row, uint32_t run, int lock);

#endif
