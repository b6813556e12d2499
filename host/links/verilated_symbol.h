// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_VERILATED_SYMBOL_H
#define LOOM_VERILATED_SYMBOL_H

#include <flitloom/err.h>

struct loom_verilated;

// A function which the RTL exports. *missing keeps the first name that there is not.
void loom_verilated_symbol(const struct loom_verilated *model, const char *name, void (**out)(void),
                           const char **missing);
#define LOOM_VERILATED_SYMBOL(model, name, out, missing)                                                               \
	loom_verilated_symbol(model, name, (void (**)(void)) & (out), missing)
int loom_verilated_fail_symbol(const char *missing, struct loom_err *err);

#endif
