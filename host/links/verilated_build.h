// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_VERILATED_BUILD_H
#define LOOM_VERILATED_BUILD_H

#include <flitloom/link.h>

#include "links/rtl.h"

// Runs tools/model.sh.

struct loom_verilated_key {
	char sources[20], tools[12]; // hashes; `tools` is empty if one is missing
	char missing[200];           // the tool that is missing
};

int loom_verilated_key(struct loom_verilated_key *out, const char *home, const struct loom_rtl *rtl,
                       const struct loom_link_options *options, struct loom_err *err);

#define LOOM_VERILATED_REMIND_MS 30000u // the time between two reports of a build that goes on

// Builds model.so in `folder`, which is empty before. The script and all processes that it starts hold `lock`, a file
// descriptor. They end when this program ends, for whatever reason, and folder and lock are then removed. A signal
// whose handler lets system calls be interrupted stops the build. LOOM_ELINK: it was stopped, or a tool failed;
// LOOM_EFILE: no space; LOOM_EINPUT: a netlist that cannot be read. Every remind_ms it reports the present step
// again.
int loom_verilated_build(const char *home, const char *folder, int lock, const struct loom_rtl *rtl,
                         const struct loom_link_options *options, unsigned remind_ms, struct loom_err *err);

#endif
