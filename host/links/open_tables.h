// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_OPEN_TABLES_H
#define LOOM_OPEN_TABLES_H

#include <flitloom/link.h>
#include <flitloom/topo.h>

// Check and write the tables of the routers of an open fabric, those of rule 0, by which its messages go. They do
// nothing if routers work without tables. LOOM_EINPUT: the fabric's routes need messages of other rules.
int loom_open_tables_check(const struct loom_topo *topo, struct loom_err *err);
int loom_open_tables_load(struct loom_link *link, const struct loom_topo *topo, struct loom_err *err);

#endif
