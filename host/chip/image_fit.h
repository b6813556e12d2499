// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_IMAGE_FIT_H
#define LOOM_IMAGE_FIT_H

#include <stdint.h>

#include <flitloom/link/chip.h>
#include <flitloom/link/image.h>
#include <flitloom/plan.h>

// Checks that a chip can hold a plan; if not, one line names the part that does not fit.

// Checks network, passes and messages. sent, received: how many messages each processor sends and receives.
// LOOM_EHARDWARE: the chip has another network; LOOM_EFIT: it is too small.
int loom_image_check_chip(const struct loom_plan *plan, const struct loom_chip *chip, const uint32_t *sent,
                          const uint32_t *received, struct loom_err *err);
// Checks a plan as loom_image_fits does, but its programs and logs are streamed during the run: their lengths are not
// checked.
int loom_image_fits_streamed(const struct loom_plan *plan, const struct loom_chip *chip,
                             const struct loom_image_options *options, struct loom_err *err);
// Fails with LOOM_EHARDWARE if the chip's nodes are the user's, so that nothing can be loaded into them.
int loom_image_check_nodes(const struct loom_chip *chip, struct loom_err *err);
// Fails with LOOM_EFIT if the plan is free of deadlock only on virtual channels that the chip does not have.
int loom_image_check_vcs(const struct loom_plan *plan, const struct loom_chip *chip, struct loom_err *err);

#endif
