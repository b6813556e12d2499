// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "played.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include <flitloom/planner.h>

void played_plan_on(struct loom_plan *out, const char *fabric, const struct ref_message *message, size_t n)
{
	struct loom_topo topo;
	char list[8192] = "source,destination,flits\n", path[] = "/tmp/loom_played_XXXXXX", spec[64];
	struct loom_pattern pattern;
	const struct loom_pattern_options options = {.flits = 17, .seed = 1};
	const struct loom_plan_options direct = {.map = "identity", .planner = "direct"};
	assert_int_equal(loom_topo_parse(&topo, fabric, NULL), 0);
	size_t used = 0;
	for (size_t i = 0; i < n; i++)
		used += (size_t)snprintf(list + used, sizeof list - used, "%u,%u,%u\n", message[i].source,
		                         message[i].destination, message[i].n_flits);
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, list, used), used);
	assert_int_equal(close(fd), 0);
	(void)snprintf(spec, sizeof spec, "messages:%s", path);
	assert_int_equal(loom_pattern_parse(&pattern, spec, topo.n_nodes, &options, NULL), 0);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(loom_plan_make(out, &topo, &pattern, &direct, NULL), 0);
	loom_pattern_free(&pattern);
	assert_int_equal(out->n_messages, n);
	assert_int_equal(out->n_passes, 1);
}

void played_plan(struct loom_plan *out, unsigned dims, const struct ref_message *message, size_t n)
{
	char name[16];
	(void)snprintf(name, sizeof name, "cube:%u", dims);
	played_plan_on(out, name, message, n);
}

void played_make(struct played *p, unsigned dims, enum ref_timing timing, const struct ref_message *message, size_t n)
{
	const struct ref_machine machine = {
		.n_dims = dims, .n_slots = 2, .order = REF_ASCENDING, .timing = timing, .tie = REF_TIE_SOURCE};
	uint32_t sent[1u << REF_DIMS_MAX] = {0};
	assert_true(n <= PLAYED_MESSAGES_MAX);
	played_plan(&p->plan, dims, message, n);
	assert_int_equal(ref_machine_run(p->truth, NULL, &machine, message, n), 0);
	p->trace = (struct loom_trace){.n_nodes = p->plan.topo.n_nodes,
	                               .n_channels = loom_topo_channels(&p->plan.topo),
	                               .n_passes = 1,
	                               .n_arrivals = n};
	p->trace.arrivals = calloc(n + 1, sizeof *p->trace.arrivals);
	assert_non_null(p->trace.arrivals);
	for (size_t i = 0; i < n; i++)
		p->trace.arrivals[i] = (struct loom_arrival){.node = message[i].destination,
		                                             .source = message[i].source,
		                                             .number = sent[message[i].source]++,
		                                             .destination = message[i].destination,
		                                             .flits = message[i].n_flits,
		                                             .first_cycle = (uint32_t)p->truth[i].first_cycle,
		                                             .last_cycle = (uint32_t)p->truth[i].done_cycle,
		                                             .intact = true};
}

void played_tell_releases(struct played *p)
{
	struct loom_trace *t = &p->trace;
	uint32_t number[1u << REF_DIMS_MAX] = {0};
	const size_t n = p->plan.n_messages;
	t->first_entry = calloc((size_t)t->n_nodes + 1, sizeof *t->first_entry);
	t->released = calloc(n + 1, sizeof *t->released);
	assert_true(t->first_entry && t->released);
	for (uint32_t u = 0; u < t->n_nodes; u++) {
		t->first_entry[u + 1] = t->first_entry[u];
		for (size_t i = 0; i < n; i++)
			t->first_entry[u + 1] += p->plan.map[p->plan.messages[i].source] == u;
	}
	for (size_t i = 0; i < n; i++) {
		const uint32_t u = p->plan.map[p->plan.messages[i].source];
		t->released[t->first_entry[u] + number[u]++] = (uint32_t)p->truth[i].offer_cycle;
	}
}

void played_free(struct played *p)
{
	free(p->trace.released);
	free(p->trace.first_entry);
	free(p->trace.arrivals);
	loom_plan_free(&p->plan);
}

struct loom_arrival played_unhindered(const struct loom_plan_message *m, uint32_t number, uint32_t offered,
                                      uint32_t hops)
{
	return (struct loom_arrival){.node = m->destination,
	                             .source = m->source,
	                             .number = number,
	                             .destination = m->destination,
	                             .flits = m->flits,
	                             .first_cycle = offered + hops + 1,
	                             .last_cycle = offered + hops + m->flits,
	                             .intact = true};
}
