// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_VERILATED_HOME_H
#define LOOM_VERILATED_HOME_H

#include <limits.h>
#include <stdbool.h>

#include <flitloom/err.h>

// Finds the folder with rtl/ and tools/model.sh, as an absolute path. *is_tree: it is the source tree in which this
// code was built. LOOM_ELINK: there is none.
int loom_verilated_home(char out[PATH_MAX], bool *is_tree, struct loom_err *err);

#endif
