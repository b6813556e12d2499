// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_TRAFFIC_LOAD_IMAGE_H
#define LOOM_TRAFFIC_LOAD_IMAGE_H

#include <flitloom/link/image.h>
#include <flitloom/topo.h>

// Makes the image with which a chip is loaded before messages are streamed: settings, map and tables alone. map:
// physical node of each processor. tables: NULL: messages go by rules. As loom_image_make otherwise.
int loom_load_image_make(struct loom_image *out, const struct loom_topo *topo, const uint32_t *map,
                         const struct loom_chip *chip, enum loom_machine machine, uint64_t seed,
                         const struct loom_route_tables *tables, struct loom_err *err);

#endif
