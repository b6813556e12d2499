// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "topo/topo_defaults.h"

#include <inttypes.h>
#include <stdio.h>

void loom_default_write_size(const struct loom_topo *t, char out[40])
{
	size_t used = 0;
	out[0] = '\0';
	for (unsigned d = t->n_dims; d-- > 0 && used < 40;)
		used += (size_t)snprintf(out + used, 40 - used, "%" PRIu32 "%s", t->extent[d], d ? "x" : "");
}

bool loom_default_one_way(const struct loom_topo *t, uint32_t u, unsigned p, uint32_t *v, unsigned *q)
{
	(void)t, (void)u, (void)p, (void)v, (void)q;
	return false;
}

unsigned loom_default_rule_of(const struct loom_topo *t, uint32_t source, uint32_t destination, unsigned rule)
{
	(void)t, (void)source, (void)destination;
	return rule;
}
