// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_REPORT_TEXT_H
#define LOOM_REPORT_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include <flitloom/plan.h>

// Declarations that all reports share.

// Writes a map: "identity", a bit order "0,4,2,6", or its first numbers and their count.
void loom_report_map(char *out, size_t size, const struct loom_plan *plan);

// True if the group is that of injection or ejection channels, which do not count as contention.
bool loom_report_group_is_local(const struct loom_topo *topo, unsigned group);

#endif
