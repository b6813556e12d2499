// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef AGAINST_REFERENCE_H
#define AGAINST_REFERENCE_H

#include <stddef.h>

#include "rig.h"

// Compares a run on a direct network with the slow reference machine's run of the same messages, pass by pass.
struct disagreement {
	int code;                  // of ref_machine_run: not 0: it could not say
	size_t messages, channels; // at other cycles, with other counts
};

// Compares a run of a plan that relays no messages.
struct disagreement against_reference(const struct run *run, enum loom_machine machine);
// The same on adaptive routers, which were reset before the run.
struct disagreement against_adaptive(const struct run *run, enum loom_machine machine);

#endif
