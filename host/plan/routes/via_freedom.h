// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_VIA_FREEDOM_H
#define LOOM_VIA_FREEDOM_H

#include <flitloom/routes/rule_freedom.h>

// Proves that messages through drawn nodes (flitloom/routes/via.h) cannot lock, or finds a circle. If messages go from
// the first half of their ways to the second, all lanes of the first half have lower numbers than those of the second.
// adaptiveness is set to NAN. Otherwise as loom_rule_freedom_find.
int loom_via_freedom_find(struct loom_rule_freedom *out, const struct loom_topo *t, unsigned rule,
                          struct loom_err *err);
// Writes the proof, with all parts of ways, as loom_rule_certify does. There must be no circle.
int loom_via_certify(const struct loom_rule_freedom *freedom, const struct loom_topo *t, unsigned rule,
                     const char *path, struct loom_err *err);

#endif
