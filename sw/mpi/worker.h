// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef FLITLOOM_MPI_WORKER_H
#define FLITLOOM_MPI_WORKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// A flitloom of one's own that runs the points whose numbers it is told: flitloom sweep ... --take FOLDER. It first says how many points
// there are and, longest first, which of them FOLDER has not; then the number of each that is done.
struct worker {
	char **argv; // of this process: what the sweep is
	int argc;
	const char *folder;
	pid_t process;
	int in, out;   // the ends of its pipes here; -1: none
	bool is_ready; // it has said which points there are
	char *said;    // owned: what it has said and is not yet looked at
	size_t n_said;
	size_t n_points;
	uint64_t *order; // owned: points to be handed out; of a worker that was begun again as before
	size_t next, n_order;
	unsigned n_died; // since it last did a point
};

// Begins it; or again, after it died.
void worker_begin(struct worker *w);
// FAILED: it ended by itself, or dies again and again; DIED: by a signal.
enum worker_word { WORKER_NOTHING, WORKER_READY, WORKER_DONE, WORKER_FAILED, WORKER_DIED };
// Waits for a word of it. *point: of DONE.
enum worker_word worker_hear(struct worker *w, uint64_t *point, int timeout_ms);
void worker_give(struct worker *w, uint64_t point);
void worker_end(struct worker *w);
// Runs the sweep itself, with `folder` as its journal, unless it is NULL. Returns its exit status.
int worker_finish(const struct worker *w, const char *folder);

#endif
