// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef TEST_TRACE_CHIP_H
#define TEST_TRACE_CHIP_H

#include <flitloom/link.h>
#include <flitloom/plan.h>
#include <flitloom/trace.h>

// A chip that is nothing but registers (docs/registers.md) and keeps what is written to it; a start leaves in its logs,
// counters and histories what a given trace says.
struct trace_chip;

// Makes a chip that is large enough for the plan. It uses plan and trace until it is freed.
struct trace_chip *trace_chip_new(const struct loom_plan *plan, const struct loom_trace *trace);
unsigned trace_chip_starts(const struct trace_chip *chip); // up to now
void trace_chip_free(struct trace_chip *chip);
struct loom_link trace_chip_link(struct trace_chip *chip);

#endif
