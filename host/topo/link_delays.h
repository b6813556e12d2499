// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_LINK_DELAYS_H
#define LOOM_LINK_DELAYS_H

#include <flitloom/topo.h>

#define LOOM_LINK_DELAYS_TEXT 96

// Sets the delays of links in a suffix: one for each class or, with n = 1, one for all. -1: there are too many.
int loom_link_delays_set(struct loom_topo_suffix *out, const unsigned *of, unsigned n);
// Writes the part of a name: "d3", "d1.2.5".
void loom_link_delays_write(char out[LOOM_LINK_DELAYS_TEXT], const struct loom_link_delays *delays,
                            unsigned link_delay);
// Checks that the fabric has as many classes of links. LOOM_EINPUT.
int loom_link_delays_check(const struct loom_topo *t, const struct loom_link_delays *delays, struct loom_err *err);

#endif
