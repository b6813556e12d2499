// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_VERILATED_BUILD_H
#define LOOM_VERILATED_BUILD_H

#include <flitloom/link.h>

#include "links/rtl.h"

// tools/model.sh, run.

struct loom_verilated_key {
	char sources[20], tools[12]; // hashes; tools empty: one is missing,
	char missing[200];           // and this says which
};

int loom_verilated_key(struct loom_verilated_key *out, const char *home, const struct loom_rtl *rtl,
                       const struct loom_link_options *options, struct loom_err *err);

#define LOOM_VERILATED_REMIND_MS 30000u // how often a build says that it goes on

// Leaves model.so in `folder`, which is empty before. The script and all that it starts hold `lock`, a file descriptor.
// They end when this program does, however that comes about, and folder and lock are then removed. A signal whose
// handler lets system calls be interrupted stops the build. LOOM_ELINK: it was stopped, or a tool failed; LOOM_EFILE:
// no space; LOOM_EINPUT: a netlist that cannot be read. Every remind_ms the step that it is at is told again.
int loom_verilated_build(const char *home, const char *folder, int lock, const struct loom_rtl *rtl,
                         const struct loom_link_options *options, unsigned remind_ms, struct loom_err *err);

#endif
