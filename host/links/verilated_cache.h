// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_VERILATED_CACHE_H
#define LOOM_VERILATED_CACHE_H

#include <limits.h>

#include <flitloom/link.h>

#include "links/rtl.h"

struct loom_verilated_found {
	int fd; // of the model's file, to read; the caller closes it
	char path[PATH_MAX];
};

// A model that is whole, and that nobody but the user or root can have written: found in the cache, or built. It is to be
// loaded from the descriptor, which is the file that was looked at. In the cache a model is NAME-SOURCES-TOOLS.so, where
// the latter two are hashes of what it was made of and by which tools; where the tools are not installed, a model by
// any tools is taken. Besides models the cache holds NAME-....lock and NAME-....work while one is built, and
// NAME-....log, which the tools wrote, from a build that failed until the model is built. LOOM_EFILE: the cache cannot
// be made or written, others may write in it, or no space is left; LOOM_ELINK: no RTL, or no model can be built; LOOM_EINPUT: a netlist.
int loom_verilated_find(struct loom_verilated_found *out, const struct loom_rtl *rtl,
                        const struct loom_link_options *options, struct loom_err *err);

#endif
