// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_WHY_STUCK_H
#define LOOM_WHY_STUCK_H

#include <flitloom/device.h>
#include <flitloom/plan.h>

// Adds to err, the message of a run of this plan that failed with `code`, what the chip tells of it. Other codes than
// LOOM_ESTUCK and LOOM_ELIMIT leave it as it is. err NULL: nothing.
void loom_why_stuck(struct loom_device *device, const struct loom_plan *plan, const struct loom_image *image, int code,
                    struct loom_err *err);

#endif
