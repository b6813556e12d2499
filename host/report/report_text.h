// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_REPORT_TEXT_H
#define LOOM_REPORT_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include <flitloom/plan.h>

// Declarations that the kinds of report share.

// "identity", a bit order "0,4,2,6", or the first numbers of a map and how many there are.
void loom_report_map(char *out, size_t size, const struct loom_plan *plan);

// Injection or ejection channels: they do not count as contention.
bool loom_report_group_is_local(const struct loom_topo *topo, unsigned group);

#endif
