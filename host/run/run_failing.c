// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "run/run_failing.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <flitloom/link/regmap.h>

#include "base/err_add.h"
#include "device/device_internal.h"

#define MESSAGES_NAMED 3

// Marks a link by one of its channels: both directions of it.
static void mark(bool *fails, const struct loom_topo *t, uint32_t channel)
{
	const uint32_t per_tile = loom_topo_channels_per_tile(t);
	uint32_t v, w;
	unsigned q, back;
	fails[channel] = true;
	if (t->kind->link(t, channel / per_tile, channel % per_tile, &v, &q) && t->kind->link(t, v, q, &w, &back))
		fails[v * per_tile + q] = true;
}

// Marks all channels that fail: of links, and of nodes that do; of these also what leads to them.
static bool *mark_all(const struct loom_topo *t, const struct loom_failures *f)
{
	const uint32_t per_tile = loom_topo_channels_per_tile(t);
	bool *fails = calloc((size_t)loom_topo_channels(t) + 1, sizeof *fails);
	uint32_t v;
	unsigned q;
	for (size_t i = 0; fails && i < f->n_links; i++)
		mark(fails, t, f->link[i]);
	for (size_t i = 0; fails && i < f->n_nodes; i++)
		for (unsigned p = 0; p < loom_topo_links(t); p++) {
			if (t->kind->link(t, f->node[i], p, &v, &q))
				mark(fails, t, f->node[i] * per_tile + p);
			if (t->kind->one_way(t, f->node[i], p, &v, &q))
				fails[v * per_tile + q] = true;
		}
	return fails;
}

static int check(const struct loom_topo *t, const struct loom_failures *f, struct loom_err *err)
{
	if (f->in_cycle == 0)
		return loom_fail(err, LOOM_EINPUT,
		                 "%.60s: links that never worked are none that fail during a run; such as 0->1@100",
		                 f->text ? f->text : "");
	return loom_failures_check_later(t, err);
}

int loom_run_fail_links(struct loom_device *d, const struct loom_topo *t, const struct loom_failures *f,
                        struct loom_err *err)
{
	const uint32_t n = t->n_nodes, per_tile = loom_topo_channels_per_tile(t), from = (uint32_t)f->in_cycle;
	int code = check(t, f, err);
	if (code)
		return code;
	bool *fails = mark_all(t, f);
	uint32_t *words = calloc(2 * (size_t)n + 2, sizeof *words);
	struct loom_transfer *list = calloc(2 * (size_t)n + 2, sizeof *list);
	if (!fails || !words || !list)
		code = loom_fail(err, LOOM_ENOMEM, "no memory for the links of %u nodes", n);
	for (uint32_t u = 0; code == 0 && u < n; u++) {
		for (unsigned p = 0; p < loom_topo_links(t); p++)
			words[u] |= (uint32_t)fails[u * per_tile + p] << p;
		list[u] = (struct loom_transfer){
			.address = LOOM_WINDOW_FAILS | u << LOOM_INDEX_LOW, .n_words = 1, .write = &words[u]};
		list[n + 1 + u] = (struct loom_transfer){
			.address = LOOM_WINDOW_FAILS | u << LOOM_INDEX_LOW, .n_words = 1, .read = &words[n + 1 + u]};
	}
	if (code == 0) {
		words[n] = from;
		list[n] = (struct loom_transfer){.address = LOOM_WINDOW_FAILS_FROM, .n_words = 1, .write = &words[n]};
		list[2 * n + 1] = (struct loom_transfer){
			.address = LOOM_WINDOW_FAILS_FROM, .n_words = 1, .read = &words[2 * n + 1]};
		code = loom_device_transfer(d, list, 2 * (size_t)n + 2, err);
	}
	for (uint32_t i = 0; code == 0 && i <= n; i++)
		if (words[i] != words[n + 1 + i])
			code = loom_fail(
				err, LOOM_EFIT,
				"the links of this chip cannot fail during a run; those of a simulation can that is "
				"built for it");
	free(fails);
	free(words);
	free(list);
	return code;
}

// Finds the first channel that failed on the way of a message; UINT32_MAX: there is none.
static uint32_t failed_on_way(const struct loom_plan *plan, size_t message, const bool *fails)
{
	struct loom_route route;
	uint32_t channel;
	if (!loom_plan_uses_network(plan, &plan->messages[message]))
		return UINT32_MAX;
	for (loom_plan_route_begin(&route, plan, message); loom_route_next(&route, &channel);)
		if (fails[channel])
			return channel;
	return UINT32_MAX;
}

void loom_run_name_failed(const struct loom_plan *plan, const struct loom_failures *f, const size_t *missing,
                          size_t n_missing, struct loom_err *err)
{
	struct loom_err text = {0};
	const struct loom_err before = *err;
	const size_t n_channels = loom_topo_channels(&plan->topo);
	bool *fails = mark_all(&plan->topo, f),
	     *first = calloc(n_channels + 1, sizeof *first); // both ways of the first link
	size_t n = 0;
	for (size_t i = 0; fails && first && i < n_missing; i++) {
		const struct loom_plan_message *m = &plan->messages[missing[i]];
		const uint32_t channel = failed_on_way(plan, missing[i], fails);
		char name[48];
		if (channel == UINT32_MAX || (n > 0 && !first[channel]))
			continue;
		if (n == 0) {
			mark(first, &plan->topo, channel);
			loom_topo_channel_name(&plan->topo, channel, name);
			loom_err_add(&text, "link %s failed in cycle %" PRIu64 "; hold it or wait for it: ", name,
			             f->in_cycle);
		}
		if (n++ < MESSAGES_NAMED)
			loom_err_add(&text, "%smessage %zu (%" PRIu32 " to %" PRIu32 ")", n > 1 ? ", " : "", missing[i],
			             m->source, m->destination);
	}
	free(fails);
	free(first);
	if (n == 0)
		return;
	loom_err_add_more(&text, n, MESSAGES_NAMED);
	(void)loom_fail(err, before.code, "%.240s; %s", text.text, before.text);
}
