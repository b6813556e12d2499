// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_VIA_FREEDOM_H
#define LOOM_VIA_FREEDOM_H

#include <flitloom/routes/rule_freedom.h>

// Proves that messages by way of drawn nodes (flitloom/routes/via.h) cannot lock, or finds a circle. The numbers of all lanes of the first half
// are below those of the second where messages go from one to the other; adaptiveness is not a number. As loom_rule_freedom_find.
int loom_via_freedom_find(struct loom_rule_freedom *out, const struct loom_topo *t, unsigned rule,
                          struct loom_err *err);
// Writes it, with all parts of ways: as loom_rule_certify, of a proof without a circle.
int loom_via_certify(const struct loom_rule_freedom *freedom, const struct loom_topo *t, unsigned rule,
                     const char *path, struct loom_err *err);

#endif
