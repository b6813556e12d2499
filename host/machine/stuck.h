// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_MACHINE_STUCK_H
#define LOOM_MACHINE_STUCK_H

#include "machine/play.h"

// Reports a pass that came to a standstill. Fails with LOOM_ESTUCK, and names the last cycle in which a flit moved, a
// circle of messages that wait for one another, and the programs that wait for messages that never come. To learn all
// this, it runs the pass once more on the engine that moves flits. LOOM_ENOMEM.
int loom_machine_fail_stuck(const struct loom_plan *plan, struct loom_play *play, const struct loom_engine_net *net,
                            bool paper, uint32_t pass, struct loom_err *err);

#endif
