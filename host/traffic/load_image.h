// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_TRAFFIC_LOAD_IMAGE_H
#define LOOM_TRAFFIC_LOAD_IMAGE_H

#include <flitloom/link/image.h>
#include <flitloom/topo.h>

// Makes the image for a chip whose messages are streamed: only settings, map and tables. map: physical node of each
// processor. Reads machine, seed, tables and select from options. Otherwise as loom_image_make.
int loom_load_image_make(struct loom_image *out, const struct loom_topo *topo, const uint32_t *map,
                         const struct loom_chip *chip, const struct loom_image_options *options, struct loom_err *err);

#endif
