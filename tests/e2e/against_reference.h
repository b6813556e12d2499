// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef AGAINST_REFERENCE_H
#define AGAINST_REFERENCE_H

#include <stddef.h>

#include "rig.h"

// The differences between a run and the slow reference machine's run of the same messages, pass by pass.
struct disagreement {
	int code;                  // returned by the reference; not 0: it could not compute the run
	size_t messages, channels; // messages at other cycles, channels with other counts
};

// Compares a run of a plan that relays no messages.
struct disagreement against_reference(const struct run *run, enum loom_machine machine);
// Compares a run on adaptive routers, which were reset before the run.
struct disagreement against_adaptive(const struct run *run, enum loom_machine machine);

#endif
