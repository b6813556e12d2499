// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_TRAFFIC_LOAD_IMAGE_H
#define LOOM_TRAFFIC_LOAD_IMAGE_H

#include <flitloom/link/image.h>
#include <flitloom/topo.h>

// Makes the image with which a chip is loaded before messages are streamed: settings, map and tables alone. map:
// physical node of each processor. Of options machine, seed, tables and select are looked at. As loom_image_make otherwise.
int loom_load_image_make(struct loom_image *out, const struct loom_topo *topo, const uint32_t *map,
                         const struct loom_chip *chip, const struct loom_image_options *options, struct loom_err *err);

#endif
