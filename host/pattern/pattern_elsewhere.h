// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_PATTERN_ELSEWHERE_H
#define LOOM_PATTERN_ELSEWHERE_H

// Returns flitloom's name for a pattern that another simulator names so, "uniform:COUNT"; NULL: it is no such name,
// or flitloom has no such pattern.
const char *loom_pattern_elsewhere(const char *spec);

#endif
