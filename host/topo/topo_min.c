// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The multistage networks of min.h as fabrics. Tile j has no router of its own; it owns the channels on line j:
//
//   k < m-1: the link on which line j leaves stage k   k = m-1: from the last stage to node j   k = m: from node j
//
// Every message takes the only path, and a message to its sender passes all stages as well. The switches of `benes`, an
// omega network, can also be passed backward, pass by pass, as an inverse omega network. With one pass of each, and
// relayed data, it carries any permutation (Benes).
#include <inttypes.h>
#include <stdio.h>

#include "base/numbers.h"
#include "topo/topo_defaults.h"
#include "topo/topo_kinds.h"
#include "topo/topo_min.h"
#include "topo/topo_size.h"

#define CODE_FIRST 2
#define CODE_BENES 8
#define STAGES_MAX 10

static const enum loom_min_kind kind_of_code[] = {
#define X(upper, lower, code, help) [code] = LOOM_MIN_##upper,
	LOOM_MIN_LIST(X)
#undef X
};

bool loom_topo_min(struct loom_min *out, const struct loom_topo *t, enum loom_rule rule)
{
	uint32_t code = t->kind->code;
	if (code == CODE_BENES)
		*out = (struct loom_min){rule == LOOM_RULE_ASCENDING ? LOOM_MIN_ROMEGA : LOOM_MIN_OMEGA, t->label_bits};
	else if (code >= CODE_FIRST && code < sizeof kind_of_code / sizeof kind_of_code[0])
		*out = (struct loom_min){kind_of_code[code], t->label_bits};
	else
		return false;
	return true;
}

static struct loom_min net_of(const struct loom_topo *t, enum loom_rule rule)
{
	struct loom_min net = {0};
	(void)loom_topo_min(&net, t, rule);
	return net;
}

static uint32_t channel_of(const struct loom_topo *t, uint32_t tile, uint32_t k)
{
	return tile * loom_topo_channels_per_tile(t) + k;
}

static int read_size(struct loom_topo *t, const char *size, struct loom_err *err)
{
	uint32_t n, below = 1;
	int rc = loom_size_number(&n, t, size, 2, LOOM_TOPO_MIN_NODES, err);
	if (rc != 0)
		return rc;
	while (below * 2 < n)
		below *= 2;
	if (n != below * 2)
		return loom_fail(err, LOOM_EINPUT, "%" PRIu32 " is not a power of two; %" PRIu32 " and %" PRIu32 " are",
		                 n, below, below * 2);
	t->n_nodes = t->n_tiles = t->extent[0] = n;
	t->n_dims = 1;
	t->ports = loom_bits_for(n);
	return 0;
}

static bool route_next(struct loom_route *route, uint32_t *channel)
{
	const struct loom_topo *t = route->topo;
	struct loom_min net = net_of(t, route->rule);
	if (route->step == 0) {
		*channel = channel_of(t, route->source, t->ports);
	} else if (route->step < net.m) {
		unsigned s = route->step - 1;
		route->at = loom_min_step(&net, s, route->at, route->destination);
		*channel = channel_of(t, route->at, s);
	} else {
		*channel = channel_of(t, route->destination, t->ports - 1);
		route->arrived = true;
	}
	return true;
}

// Returns the number of groups: stage0 .. stage(m-2), inject, eject.
static unsigned groups(const struct loom_topo *t)
{
	return t->ports + 1;
}

static unsigned group_of(const struct loom_topo *t, uint32_t channel)
{
	uint32_t k = channel % loom_topo_channels_per_tile(t);
	if (k + 1 < t->ports)
		return k;
	return k == t->ports ? t->ports - 1 : t->ports;
}

static void group_name(const struct loom_topo *t, unsigned group, char out[16])
{
	if (group + 1 < t->ports)
		(void)snprintf(out, 16, "stage%u", group);
	else
		(void)snprintf(out, 16, "%s", group + 1 == t->ports ? "inject" : "eject");
}

static void channel_name(const struct loom_topo *t, uint32_t channel, char out[48])
{
	uint32_t tile = channel / loom_topo_channels_per_tile(t), k = channel % loom_topo_channels_per_tile(t);
	if (k + 1 < t->ports)
		(void)snprintf(out, 48, "stage %u line %u", k, tile);
	else
		(void)snprintf(out, 48, "%s %u", k == t->ports ? "inject" : "eject", tile);
}

static uint32_t largest_load(const struct loom_min *net, const uint32_t *source, const uint32_t *destination, size_t n)
{
	uint32_t load[STAGES_MAX][LOOM_TOPO_MIN_NODES] = {{0}}, line[LOOM_MIN_M_MAX], most = 0;
	for (size_t i = 0; i < n; i++) {
		loom_min_path(line, net, source[i], destination[i]);
		for (unsigned s = 0; s + 1 < net->m; s++)
			if (++load[s][line[s]] > most)
				most = load[s][line[s]];
	}
	return most;
}

// Computes the bound. There is one path (or one forward and one backward), so its load is that of any routing.
static int bound(uint32_t *out, const struct loom_topo *t, const uint32_t *source, const uint32_t *destination,
                 size_t n, struct loom_err *err)
{
	(void)err;
	struct loom_min net = net_of(t, LOOM_RULE_ASCENDING), other = net_of(t, LOOM_RULE_DESCENDING);
	uint32_t most = largest_load(&net, source, destination, n);
	uint32_t backward = t->kind->two_directions ? largest_load(&other, source, destination, n) : most;
	*out = most < backward ? most : backward;
	return 0;
}

static void size_near(char out[40], uint32_t n_nodes)
{
	uint32_t n = 2;
	while (n < LOOM_TOPO_MIN_NODES && n < n_nodes)
		n *= 2;
	(void)snprintf(out, 40, "%" PRIu32, n);
}

#define KIND(lower, code_, help_, ...)                                                                                 \
	const struct loom_topo_kind loom_topo_kind_##lower = {.name = #lower,                                          \
	                                                      .code = (code_),                                         \
	                                                      .sizes = "2..1024",                                      \
	                                                      .router = LOOM_ROUTER_STAGES,                            \
	                                                      .read_size = read_size,                                  \
	                                                      .write_size = loom_default_write_size,                   \
	                                                      .size_near = size_near,                                  \
	                                                      .dims_of_coordinate = 1,                                 \
	                                                      .self_uses_network = true,                               \
	                                                      .size_is = "nodes, a power of two",                      \
	                                                      .help = (help_),                                         \
	                                                      .rule_of = loom_default_rule_of,                         \
	                                                      .route_next = route_next,                                \
	                                                      .groups = groups,                                        \
	                                                      .group_of = group_of,                                    \
	                                                      .group_name = group_name,                                \
	                                                      .channel_name = channel_name,                            \
	                                                      .bound = bound,                                          \
	                                                      __VA_ARGS__};
#define X(upper, lower, code, help) KIND(lower, code, help, .two_directions = false)
LOOM_MIN_LIST(X)
KIND(benes, CODE_BENES, "omega network that can be passed backward too: any permutation in two passes",
     .two_directions = true)
#undef X
#undef KIND
