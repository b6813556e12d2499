// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_VERILATED_CACHE_H
#define LOOM_VERILATED_CACHE_H

#include <limits.h>

#include <flitloom/link.h>

#include "links/rtl.h"

struct loom_verilated_found {
	int fd; // the model's file, open for reading; the caller closes it
	char path[PATH_MAX];
};

// Finds a whole model in the cache, or builds it. Only the user or root can have written it. It is to be loaded from
// the descriptor, which is the file that was checked. In the cache a model is NAME-SOURCES-TOOLS.so; the latter two
// are hashes of its sources and of the tools that made it. If the tools are not installed, a model by any tools is
// taken. Besides models the cache holds NAME-....lock and NAME-....work during a build, and NAME-....log, the output
// of the tools, from a build that failed until the model is built. LOOM_EFILE: the cache cannot be made or written,
// others may write in it, or no space is left; LOOM_ELINK: no RTL, or no model can be built; LOOM_EINPUT: a netlist.
int loom_verilated_find(struct loom_verilated_found *out, const struct loom_rtl *rtl,
                        const struct loom_link_options *options, struct loom_err *err);

#endif
