// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef RIG_H
#define RIG_H

#include <flitloom/run.h>

// One verilated fabric, opened once and used for many runs.
struct rig {
	char fabric[LOOM_TOPO_NAME];
	struct loom_topo topo;
	struct loom_link link;
	struct loom_device *device;
};

// The inputs of a run and its results. run_free frees everything.
struct run {
	struct loom_pattern pattern;
	struct loom_plan plan;
	struct loom_trace trace;
	struct loom_verdict verdict;
};

// Prints the reason and returns false on failure. trace_file: for a waveform, or NULL.
bool rig_open(struct rig *rig, const char *fabric, const char *trace_file);
// The ways in which routers find where messages go.
enum routers { ROUTERS_USUAL, ROUTERS_THAT_CHOOSE, ROUTERS_BY_WAY, ROUTERS_BY_TURNS };
bool rig_open_with(struct rig *rig, const char *fabric, enum routers routers);
void rig_close(struct rig *rig);

// Plans run->pattern (taken over) under `map`, runs it on the rig, and makes the verdict. False: it could not be run at
// all.
bool rig_run(struct rig *rig, struct run *run, const char *map, enum loom_machine machine, uint64_t seed);
// Run run->plan, which the caller has made, with other options of the image or with the usual ones.
bool rig_run_image(struct rig *rig, struct run *run, const struct loom_image_options *options);
bool rig_run_plan(struct rig *rig, struct run *run, enum loom_machine machine, uint64_t seed);
void run_free(struct run *run);

#endif
