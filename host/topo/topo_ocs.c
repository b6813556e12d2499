// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Optical circuit switches: N computers, and K switches with a port for each computer. A node of the fabric is such a
// port, with a program and a receiver: node k*N + u is the port of computer u on switch k. Only the first N nodes,
// those on switch 0, are hosts of a pattern. The planners of flitloom/circuits.h divide its messages among the
// switches. `ocs` has crossbars of mirrors. `ocs-benes` has networks of 2x2 switches, which carry the same matchings.
//
//   k = 0: from the switch to the node (ejection)   k = 1: from the node to the switch (injection)
#include "topo/topo_ocs.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <flitloom/math/benes.h>

#include "topo/topo_defaults.h"
#include "topo/topo_kinds.h"
#include "topo/topo_size.h"

bool loom_topo_has_circuits(const struct loom_topo *t)
{
	return t->kind->router == LOOM_ROUTER_CIRCUITS;
}

int loom_topo_refuse_circuits(const struct loom_topo *t, const char *what, struct loom_err *err)
{
	if (!loom_topo_has_circuits(t))
		return 0;
	return loom_fail(err, LOOM_EINPUT,
	                 "%s: on %.60s a message leaves when there is light for it, by a schedule that is made for all "
	                 "of them beforehand",
	                 what, t->name);
}

static bool is_of_2x2(const struct loom_topo *t)
{
	return t->kind == &loom_topo_kind_ocs_benes;
}

unsigned loom_topo_circuit_stages(const struct loom_topo *t)
{
	return is_of_2x2(t) ? loom_benes_stages(t->extent[0]) : 0;
}

// Checks the number of nodes: a network of 2x2 switches has a power of two of inputs.
static int check_ports(const struct loom_topo *t, uint32_t n, struct loom_err *err)
{
	uint32_t above = 2;
	while (above < n)
		above *= 2;
	if (!is_of_2x2(t) || above == n)
		return 0;
	return loom_fail(err, LOOM_EINPUT,
	                 "%" PRIu32 " nodes: 2x2 switches join a power of two of them, such as %" PRIu32 " or %" PRIu32
	                 "; ocs:%" PRIu32 " has a crossbar",
	                 n, above / 2, above, n);
}

static int read_size(struct loom_topo *t, const char *size, struct loom_err *err)
{
	char ports[16];
	uint32_t n, k = 1;
	const char *x = strchr(size, 'x');
	(void)snprintf(ports, sizeof ports, "%.*s", x ? (int)(x - size) : (int)sizeof ports - 1, size);
	int rc = x && x - size >= (ptrdiff_t)sizeof ports
	                 ? LOOM_EINPUT
	                 : loom_size_number(&n, t, x ? ports : size, 2, LOOM_TOPO_OCS_PORTS, err);
	if (rc == 0 && x && loom_size_number(&k, t, x + 1, 2, LOOM_TOPO_OCS_SWITCHES, NULL) != 0)
		rc = LOOM_EINPUT;
	if (rc != 0 && x)
		return loom_fail(err, LOOM_EINPUT,
		                 "the size of %s is its nodes, 2 to %d, and behind an x its switches, 2 to %d, such as "
		                 "%s:8x2",
		                 t->kind->name, LOOM_TOPO_OCS_PORTS, LOOM_TOPO_OCS_SWITCHES, t->kind->name);
	if (rc == 0)
		rc = check_ports(t, n, err);
	if (rc != 0)
		return rc;
	t->extent[0] = n;
	t->extent[1] = k > 1 ? k : 0;
	t->n_dims = k > 1 ? 2 : 1;
	t->n_nodes = t->n_tiles = n * k;
	t->ports = 1;
	return 0;
}

static void write_size(const struct loom_topo *t, char out[40])
{
	if (t->n_dims > 1)
		(void)snprintf(out, 40, "%" PRIu32 "x%" PRIu32, t->extent[0], t->extent[1]);
	else
		(void)snprintf(out, 40, "%" PRIu32, t->extent[0]);
}

static void size_near(char out[40], uint32_t n_nodes)
{
	uint32_t n = n_nodes < 2 ? 2 : n_nodes > LOOM_TOPO_OCS_PORTS ? LOOM_TOPO_OCS_PORTS : n_nodes;
	(void)snprintf(out, 40, "%" PRIu32, n);
}

static void size_near_2x2(char out[40], uint32_t n_nodes)
{
	uint32_t n = 2;
	while (n < LOOM_TOPO_OCS_PORTS && n < n_nodes)
		n *= 2;
	(void)snprintf(out, 40, "%" PRIu32, n);
}

static bool route_next(struct loom_route *route, uint32_t *channel)
{
	route->arrived = route->step > 0;
	*channel = route->step > 0 ? 2 * route->destination : 2 * route->source + 1;
	return true;
}

static unsigned groups(const struct loom_topo *t)
{
	(void)t;
	return 2;
}

static unsigned group_of(const struct loom_topo *t, uint32_t channel)
{
	(void)t;
	return channel % 2 ? 0 : 1;
}

static void group_name(const struct loom_topo *t, unsigned group, char out[16])
{
	(void)t;
	(void)snprintf(out, 16, "%s", group == 0 ? "inject" : "eject");
}

static void channel_name(const struct loom_topo *t, uint32_t channel, char out[48])
{
	const char *way = channel % 2 ? "inject" : "eject";
	const uint32_t node = channel / 2, n = t->extent[0];
	if (t->n_dims > 1)
		(void)snprintf(out, 48, "%s %" PRIu32 " (switch %" PRIu32 ")", way, node % n, node / n);
	else
		(void)snprintf(out, 48, "%s %" PRIu32, way, node);
}

// The bound is 0, because there are only the nodes' own channels.
static int bound(uint32_t *out, const struct loom_topo *t, const uint32_t *source, const uint32_t *destination,
                 size_t n, struct loom_err *err)
{
	(void)t, (void)source, (void)destination, (void)n, (void)err;
	*out = 0;
	return 0;
}

#define KIND(id, name_, code_, size_near_, size_is_, help_)                                                            \
	const struct loom_topo_kind loom_topo_kind_##id = {                                                            \
		.name = (name_),                                                                                       \
		.code = (code_),                                                                                       \
		.sizes = "N[xK]",                                                                                      \
		.size_is = (size_is_),                                                                                 \
		.help = (help_),                                                                                       \
		.read_size = read_size,                                                                                \
		.write_size = write_size,                                                                              \
		.size_near = (size_near_),                                                                             \
		.router = LOOM_ROUTER_CIRCUITS,                                                                        \
		.dims_of_coordinate = 1,                                                                               \
		.rule_of = loom_default_rule_of,                                                                       \
		.route_next = route_next,                                                                              \
		.groups = groups,                                                                                      \
		.group_of = group_of,                                                                                  \
		.group_name = group_name,                                                                              \
		.channel_name = channel_name,                                                                          \
		.bound = bound,                                                                                        \
	};
KIND(ocs, "ocs", 18, size_near, "nodes",
     "K optical circuit switches (1 if not said) with a port of each of N nodes on each, dark while they "
     "turn")
KIND(ocs_benes, "ocs-benes", 32, size_near_2x2, "nodes, a power of two",
     "the same, each switch a Benes network of 2x2 switches instead of a crossbar")
#undef KIND
