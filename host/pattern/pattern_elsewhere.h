// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_PATTERN_ELSEWHERE_H
#define LOOM_PATTERN_ELSEWHERE_H

// The name that flitloom has for a pattern as another simulator calls it, "uniform:COUNT"; NULL: it is no such name, or
// flitloom has none like it.
const char *loom_pattern_elsewhere(const char *spec);

#endif
