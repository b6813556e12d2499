// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

#include <flitloom/report.h>

#include "report_by_hand.h"

#include "topo/topo_direct.h"

static unsigned pair_groups(const struct loom_topo *t)
{
	(void)t;
	return 4;
}

static unsigned pair_group_of(const struct loom_topo *t, uint32_t channel)
{
	(void)t;
	return channel % 3 ? channel % 3 + 1 : channel / 3;
}

static void pair_group_name(const struct loom_topo *t, unsigned group, char out[16])
{
	static const char *const names[] = {"<+x>", "-x & y", "eject", "inject"};
	(void)t;
	(void)snprintf(out, 16, "%s", names[group]);
}

static void pair_channel_name(const struct loom_topo *t, uint32_t channel, char out[48])
{
	(void)t;
	(void)snprintf(out, 48, "%u->%u", channel / 3, 1 - channel / 3);
}

static bool pair_link(const struct loom_topo *t, uint32_t u, unsigned p, uint32_t *v, unsigned *q)
{
	(void)t;
	*v = 1 - u;
	*q = 0;
	return p == 0;
}

static unsigned pair_next(const struct loom_topo *t, uint32_t here, uint32_t destination, enum loom_rule rule)
{
	(void)t, (void)here, (void)destination, (void)rule;
	return 0;
}

static const struct loom_topo_kind pair_kind = {
	.name = "pair",
	.link = pair_link,
	.next = pair_next,
	.dims_of_coordinate = 1,
	.one_way = loom_default_one_way,
	.rule_of = loom_default_rule_of,
	.bound = loom_direct_bound,
	.route_next = loom_direct_route_next,
	.groups = pair_groups,
	.group_of = pair_group_of,
	.group_name = pair_group_name,
	.channel_name = pair_channel_name,
};

void report_by_hand(struct hand *h)
{
	*h = (struct hand){
		.messages = {{.pass = 0, .source = 0, .destination = 1, .flits = 3},
	                     {.pass = 0, .source = 0, .destination = 1, .flits = 4, .origin = 1},
	                     {.pass = 1, .source = 1, .destination = 0, .flits = 5, .origin = 2}},
		.map = {1, 0},
		.load = {0, 2, 0, 2, 0, 2, 1, 0, 1, 0, 1, 0},
		.member_contention = {2, 1},
		.member_of_pass = {0, 1},
		.cycles = {LOOM_CYCLES_UNKNOWN, 7},
		.arrivals = {{.last_cycle = 5}, {.last_cycle = 11}, {.last_cycle = 7, .pass = 1}},
		.predicted = {{"<+x>", 1, 1}, {"-x & y", 2, 2}, {"eject", 2, 3}, {"inject", 2, 3}},
		.measured = {{"<+x>", 1, 1}, {"-x & y", 3, 4}, {"eject", 2, 3}, {"inject", 2, 3}},
	};
	h->plan = (struct loom_plan){
		.topo = {.kind = &pair_kind,
	                 .name = "pair:1",
	                 .n_nodes = 2,
	                 .n_tiles = 2,
	                 .n_dims = 1,
	                 .extent = {2},
	                 .ports = 2,
	                 .n_vcs = 1,
	                 .label_bits = 1},
		.pattern = "by hand",
		.planner = "nobody",
		.n_passes = 2,
		.n_messages = 3,
		.messages = h->messages,
		.map = h->map,
		.load = h->load,
		.cycles = h->cycles,
		.lower_bound = 1,
		.n_members = 2,
		.member_contention = h->member_contention,
		.member_of_pass = h->member_of_pass,
	};
	for (size_t i = 0; i < 12; i++)
		h->counts[i].worms = h->load[i];
	h->trace = (struct loom_trace){.n_nodes = 2,
	                               .n_channels = 6,
	                               .n_passes = 2,
	                               .n_arrivals = 3,
	                               .arrivals = h->arrivals,
	                               .counts = h->counts};
	h->verdict = (struct loom_verdict){
		.n_groups = 4,
		.predicted = h->predicted,
		.measured = h->measured,
		.predicted_contention = 2,
		.measured_contention = 3,
		.predicted_cycles = LOOM_CYCLES_UNKNOWN,
		.measured_cycles = 18,
		.nodes = 2,
		.messages = 3,
		.flits = 12,
		.delivered_messages = 2,
		.delivered_flits = 7,
		.corrupt_flits = 1,
		.blocked_cycles = 6,
	};
}
