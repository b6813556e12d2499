// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/flows.h"

#include <math.h>
#include <stdlib.h>

#include "base/room.h"
#include "base/text.h"

int loom_flow_list_add(struct loom_flow_list *list, const struct loom_flow *flow, struct loom_err *err)
{
	if (flow->share <= 0)
		return 0;
	if (list->n == LOOM_TRAFFIC_FLOWS_MOST)
		return loom_fail(err, LOOM_EINPUT, "traffic has more than %d flows", LOOM_TRAFFIC_FLOWS_MOST);
	if (!LOOM_ROOM(list->flow, list->size, list->n + 1))
		return loom_fail(err, LOOM_ENOMEM, "no memory for %zu flows", list->n + 1);
	list->flow[list->n++] = *flow;
	return 0;
}

static bool uses_network(const struct loom_flow *f, const struct loom_topo *topo)
{
	return f->source != f->destination || topo->kind->self_uses_network;
}

// Returns the messages of a flow per unit of its share, up to a factor that all flows of a source share.
static double messages_of(const struct loom_flow *f, enum loom_flow_unit unit)
{
	const bool of_flits = unit == LOOM_FLOW_SIZE || unit == LOOM_FLOW_FLITS;
	return of_flits && f->flits ? f->share / f->flits : f->share;
}

static double flits_of(const struct loom_flow *f, enum loom_flow_unit unit)
{
	return messages_of(f, unit) * (f->flits ? f->flits : 1);
}

static struct loom_flows *new_flows(size_t n, uint32_t n_nodes, bool has_flits, bool has_classes)
{
	struct loom_flows *flows = calloc(1, sizeof *flows);
	if (!flows)
		return NULL;
	*flows = (struct loom_flows){.n = n};
	LOOM_ARRAY(&flows->arrays, flows->first, (size_t)n_nodes + 2);
	LOOM_ARRAY(&flows->arrays, flows->destination, n + 1);
	LOOM_ARRAY(&flows->arrays, flows->upto, n + 1);
	LOOM_ARRAY(&flows->arrays, flows->rate, n_nodes);
	if (has_classes)
		LOOM_ARRAY(&flows->arrays, flows->class_of, n + 1);
	if (has_flits) {
		LOOM_ARRAY(&flows->arrays, flows->flits, n + 1);
		LOOM_ARRAY(&flows->arrays, flows->mean_flits, n_nodes);
	}
	if (!flows->arrays.is_short)
		return flows;
	loom_flows_free(flows);
	return NULL;
}

void loom_flows_free(struct loom_flows *flows)
{
	if (!flows)
		return;
	loom_arrays_free(&flows->arrays);
	free(flows);
}

// Sorts the flows by source; those of a source keep the order of the list. rate[v] becomes the flits of source v, and
// upto[i] the source's messages up to flow i.
static void sort(struct loom_flows *out, const struct loom_flow_list *list, enum loom_flow_unit unit,
                 const struct loom_topo *topo)
{
	size_t *next = out->first + 1; // first[v + 1] is the place of the next flow of v, until all are there
	for (size_t i = 0; i < list->n; i++)
		if (uses_network(&list->flow[i], topo))
			out->first[list->flow[i].source + 2]++;
	for (uint32_t v = 0; v < topo->n_nodes; v++)
		next[v + 1] += next[v];
	for (size_t i = 0; i < list->n; i++) {
		const struct loom_flow *f = &list->flow[i];
		if (!uses_network(f, topo))
			continue;
		const size_t at = next[f->source]++;
		const double before = at > out->first[f->source] ? out->upto[at - 1] : 0;
		out->destination[at] = f->destination;
		out->upto[at] = before + messages_of(f, unit);
		if (out->flits)
			out->flits[at] = f->flits;
		if (out->class_of)
			out->class_of[at] = f->of_class;
		out->rate[f->source] += flits_of(f, unit);
	}
}

// Scales the messages of each source to a sum of 1, and the rates to a mean of 1 over all senders.
static bool scale(struct loom_flows *out, enum loom_flow_unit unit, uint32_t n_nodes)
{
	double sum = 0;
	uint32_t n_senders = 0;
	for (uint32_t v = 0; v < n_nodes; v++) {
		const size_t first = out->first[v], after = out->first[v + 1];
		if (first == after)
			continue;
		const double messages = out->upto[after - 1];
		if (out->mean_flits)
			out->mean_flits[v] = out->rate[v] / messages;
		if (!(messages > 0) || !isfinite(messages) || !isfinite(out->rate[v]))
			return false;
		for (size_t i = first; i < after; i++)
			out->upto[i] /= messages;
		out->rate[v] = unit == LOOM_FLOW_WEIGHT ? 1 : out->rate[v];
		sum += out->rate[v];
		n_senders++;
	}
	const double mean = sum / n_senders;
	for (uint32_t v = 0; v < n_nodes; v++)
		out->rate[v] /= mean;
	out->in_messages = unit == LOOM_FLOW_MESSAGES;
	out->own_load = unit == LOOM_FLOW_FLITS || unit == LOOM_FLOW_MESSAGES ? mean : NAN;
	return mean > 0 && isfinite(mean);
}

int loom_flows_make(struct loom_flows **out, const struct loom_flow_list *list, enum loom_flow_unit unit,
                    const struct loom_topo *topo, const char *path, struct loom_err *err)
{
	char where[96];
	size_t n = 0;
	bool has_classes = false;
	loom_text_where(where, sizeof where, path);
	for (size_t i = 0; i < list->n; i++) {
		n += uses_network(&list->flow[i], topo);
		has_classes = has_classes || list->flow[i].of_class > 0;
	}
	if (n == 0)
		return loom_fail(err, LOOM_EINPUT, "%s on %s: %s", where, topo->name,
		                 list->n ? "all messages are to oneself, and none uses the network"
		                         : "no flow has a share above 0");
	struct loom_flows *flows = new_flows(n, topo->n_nodes, list->flow[0].flits != 0, has_classes);
	if (!flows)
		return loom_fail(err, LOOM_ENOMEM, "no memory for %zu flows", n);
	sort(flows, list, unit, topo);
	if (!scale(flows, unit, topo->n_nodes)) {
		loom_flows_free(flows);
		return loom_fail(err, LOOM_EINPUT, "%s: the shares add up to more than a number can say", where);
	}
	*out = flows;
	return 0;
}
