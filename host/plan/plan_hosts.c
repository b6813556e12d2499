// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Patterns on networks that have switches: the processors of a pattern are the nodes that send and receive, and a plan has a
// processor for each node.
#include "plan/plan_hosts.h"

#include <inttypes.h>
#include <string.h>

// The last processors have no gates.
static struct loom_timing *longer_timing(const struct loom_pattern *pattern, uint32_t n_nodes)
{
	const size_t n_places = pattern->n_messages + pattern->n_nodes, n_gates = pattern->timing->first[n_places];
	struct loom_timing *t = loom_timing_new(pattern->n_messages, n_nodes, n_gates);
	if (!t)
		return NULL;
	memcpy(t->gate, pattern->timing->gate, n_gates * sizeof *t->gate);
	memcpy(t->first, pattern->timing->first, (n_places + 1) * sizeof *t->first);
	for (size_t place = n_places; place < pattern->n_messages + n_nodes; place++)
		t->first[place + 1] = n_gates;
	t->n_serialised = pattern->timing->n_serialised;
	return t;
}

static int check_messages(const struct loom_pattern *pattern, const struct loom_topo *topo, struct loom_err *err)
{
	const uint32_t n_hosts = loom_topo_hosts(topo);
	for (size_t i = 0; i < pattern->n_messages; i++) {
		const struct loom_message *m = &pattern->messages[i];
		const uint32_t at = m->source >= n_hosts ? m->source : m->destination;
		if (at >= n_hosts)
			return loom_fail(err, LOOM_EINPUT,
			                 "%.60s: message %zu is of node %" PRIu32
			                 ", which is a switch of %.100s; nodes 0..%" PRIu32 " send and receive",
			                 pattern->name, i, at, topo->name, n_hosts - 1);
	}
	return 0;
}

int loom_plan_hosts_begin(struct loom_pattern *out, const struct loom_pattern *pattern, const struct loom_topo *topo,
                          struct loom_err *err)
{
	const uint32_t n_hosts = loom_topo_hosts(topo);
	*out = *pattern;
	out->timing = NULL;
	if (pattern->n_nodes == topo->n_nodes) {
		int rc = check_messages(pattern, topo, err);
		if (rc == 0 && pattern->timing &&
		    !(out->timing = loom_timing_copy(pattern->timing, pattern->n_messages, pattern->n_nodes)))
			rc = loom_fail(err, LOOM_ENOMEM, "out of memory for the timing of %" PRIu32 " nodes",
			               topo->n_nodes);
		return rc;
	}
	if (pattern->n_nodes != n_hosts)
		return loom_fail(err, LOOM_EINPUT,
		                 "%.60s is a pattern of %" PRIu32 " processors, but %s has %" PRIu32
		                 " nodes that send and receive: the numbers must agree",
		                 pattern->name, pattern->n_nodes, topo->name, n_hosts);
	out->n_nodes = topo->n_nodes;
	out->n_lccs = 0; // its matrices are of fewer nodes
	out->lccs = NULL;
	if (pattern->timing && !(out->timing = longer_timing(pattern, topo->n_nodes)))
		return loom_fail(err, LOOM_ENOMEM, "out of memory for the timing of %" PRIu32 " nodes", topo->n_nodes);
	return 0;
}

void loom_plan_hosts_end(struct loom_pattern *pattern)
{
	loom_timing_free(pattern->timing);
	pattern->timing = NULL;
}
