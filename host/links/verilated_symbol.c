// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "links/verilated_symbol.h"

#include <dlfcn.h>
#include <string.h>

#include "links/verilated.h"

// ISO C knows no cast from void * to a function.
void loom_verilated_symbol(const struct loom_verilated *model, const char *name, void (**out)(void),
                           const char **missing)
{
	void *p = dlsym(model->object, name);
	if (!p && !*missing)
		*missing = name;
	memcpy(out, &p, sizeof p);
}

int loom_verilated_fail_symbol(const char *missing, struct loom_err *err)
{
	return loom_fail(
		err, LOOM_ELINK,
		"the model lacks %s: another flitloom built it; remove it from the cache, and it is built anew",
		missing);
}
