// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_RUN_STREAMED_H
#define LOOM_RUN_STREAMED_H

#include <flitloom/device.h>
#include <flitloom/link/image.h>
#include <flitloom/plan.h>
#include <flitloom/trace.h>

// Plans whose programs or logs are longer than a chip's: the programs are fed while the pass goes on, and the logs taken out, where link and
// chip have stream ports. One pass, no chosen routes, no preset switches.

// True if a plan that does not fit such a chip (LOOM_EFIT of loom_image_fits) does so when it is streamed. is_streamed: the link can.
bool loom_run_streams(const struct loom_plan *plan, const struct loom_chip *chip, bool is_streamed,
                      const struct loom_image_options *options);
// Runs it. The trace is as that of loom_device_run, but that the cycles in which entries of programs began, of which a chip keeps the last
// ones alone, are those that the machine computes. Errors as loom_device_run.
int loom_run_streamed(struct loom_trace *out, struct loom_device *device, const struct loom_plan *plan,
                      const struct loom_image_options *image, const struct loom_run_options *run, struct loom_err *err);

#endif
