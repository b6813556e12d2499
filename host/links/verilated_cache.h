// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_VERILATED_CACHE_H
#define LOOM_VERILATED_CACHE_H

#include <limits.h>

#include <flitloom/link.h>

#include "links/rtl.h"

// The path of a model that is whole: found in the cache, or built. In the cache a model is NAME-SOURCES-TOOLS.so, where
// the latter two are hashes of what it was made of and by which tools; where the tools are not installed, a model by
// any tools is taken. Besides models the cache holds NAME-....lock and NAME-....work while one is built, and
// NAME-....log, which the tools wrote, from a build that failed until the model is built. LOOM_EFILE: the cache cannot
// be made or written, or no space is left; LOOM_ELINK: no RTL, or no model can be built; LOOM_EINPUT: a netlist.
int loom_verilated_find(char out[PATH_MAX], const struct loom_rtl *rtl, const struct loom_link_options *options,
                        struct loom_err *err);

#endif
