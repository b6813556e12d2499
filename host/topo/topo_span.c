// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "topo/topo_span.h"

#include <flitloom/routes/choice.h>
#include <flitloom/routes/via.h>

#include "topo/grid.h"

uint32_t loom_topo_most_links(const struct loom_topo *t)
{
	uint32_t n = 0;
	for (unsigned d = 0; d < t->n_dims; d++)
		n += t->extent[d];
	return n ? n : loom_topo_links(t) ? t->n_nodes : t->ports;
}

bool loom_topo_has_spans(const struct loom_topo *t)
{
	return t->kind->link == loom_grid_link && t->n_dims == 1;
}

bool loom_topo_span(struct loom_span *out, const struct loom_topo *t, uint32_t source, uint32_t destination,
                    enum loom_rule rule)
{
	uint32_t n = t->n_nodes, up = (destination + n - source) % n;
	if (!loom_topo_has_spans(t) || loom_rule_is_adaptive(rule) || loom_rule_has_via(rule))
		return false;
	if (up == 0)
		*out = (struct loom_span){0, source, 0};
	else if (t->kind->next(t, source, destination, rule) == 0)
		*out = (struct loom_span){0, source, up};
	else
		*out = (struct loom_span){1, (destination + 1) % n, n - up};
	return true;
}
