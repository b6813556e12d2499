// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_SWITCH_SETTINGS_H
#define LOOM_SWITCH_SETTINGS_H

#include <stddef.h>
#include <stdint.h>

#include <flitloom/err.h>
#include <flitloom/plan.h>

// Settings of a multistage network's switches as the chip takes them (register map, SETTINGS): for each stage this many
// words, bit b of word w for switch 32 w + b: 0 straight, 1 crossed.
size_t loom_switch_settings_words_per_stage(const struct loom_topo *topo);

// Makes the settings that the messages of a pass need: out[stage * words per stage + w]; a switch that no message
// passes is straight. LOOM_EINPUT: the fabric has no switches, or two messages need one switch both ways; names the
// switch and both.
int loom_switch_settings_of_pass(uint32_t *out, const struct loom_plan *plan, uint32_t pass, struct loom_err *err);

#endif
