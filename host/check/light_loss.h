// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_LIGHT_LOSS_H
#define LOOM_LIGHT_LOSS_H

#include <flitloom/trace.h>

// Describes the losses of a circuit switch, for a person.
#define LOOM_LIGHT_LOSS_TEXT 160
void loom_light_loss_tell(char out[LOOM_LIGHT_LOSS_TEXT], const struct loom_topo *topo, uint32_t on,
                          const struct loom_light_loss *loss);

#endif
