// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef FLITLOOM_MPI_WORKER_H
#define FLITLOOM_MPI_WORKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// A flitloom of this rank's own that runs the points whose numbers it gets: flitloom sweep ... --take FOLDER. It
// first reports the number of points and, longest first, those that FOLDER lacks; then the number of each point that
// is done.
struct worker {
	char **argv; // the words of this process, which define the sweep
	int argc;
	const char *folder;
	pid_t process;
	int in, out;   // the ends of its pipes here; -1: none
	bool is_ready; // it has reported the points
	char *said;    // owned: its output that has not been read yet
	size_t n_said;
	size_t n_points;
	uint64_t *order; // owned: points to hand out; the same for a worker that was started again
	size_t next, n_order;
	unsigned n_died; // deaths since its last finished point
};

// Starts it, for the first time or again after it died.
void worker_begin(struct worker *w);
// FAILED: it ended by itself, or dies again and again; DIED: by a signal.
enum worker_word { WORKER_NOTHING, WORKER_READY, WORKER_DONE, WORKER_FAILED, WORKER_DIED };
// Waits for a report from it. *point: the point of DONE.
enum worker_word worker_hear(struct worker *w, uint64_t *point, int timeout_ms);
void worker_give(struct worker *w, uint64_t point);
void worker_end(struct worker *w);
// Runs the sweep itself, with `folder` as its journal, unless it is NULL. Returns its exit status.
int worker_finish(const struct worker *w, const char *folder);

#endif
