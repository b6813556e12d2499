// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_LINKS_H
#define LOOM_LINKS_H

#include <flitloom/link.h>

extern const struct loom_link_kind loom_link_model;
extern const struct loom_link_kind loom_link_sim;
extern const struct loom_link_kind loom_link_sim_uart;
extern const struct loom_link_kind loom_link_uart;
extern const struct loom_link_kind loom_link_ftdi;
extern const struct loom_link_kind loom_link_fault;

#endif
