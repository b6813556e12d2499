// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_DEMAND_H
#define LOOM_DEMAND_H

#include <stdint.h>

#include <flitloom/api.h>
#include <flitloom/err.h>
#include <flitloom/pattern.h>

LOOM_API_BEGIN

#define LOOM_DEMAND_NODES_MAX 4096u
#define LOOM_DEMAND_LINE_MOST 2147483648u // the most flits that a node sends, or receives, in all

// The flits that each node sends to each other node.
struct loom_demand {
	uint32_t n;      // nodes, 1 .. LOOM_DEMAND_NODES_MAX
	uint32_t *flits; // owned; n * n, a row for each source, headers included; the diagonal is 0
};

// Makes a demand without flits. LOOM_EINPUT: an illegal number of nodes. loom_demand_free frees it.
int loom_demand_init(struct loom_demand *out, uint32_t n, struct loom_err *err);
void loom_demand_free(struct loom_demand *demand); // NULL allowed; leaves *demand zeroed

// Checks a demand. LOOM_EINPUT: a row or column of more than LOOM_DEMAND_LINE_MOST flits, or a node that sends to
// itself.
int loom_demand_check(const struct loom_demand *demand, struct loom_err *err);

// Makes the demand that a specification names, for n nodes: matrix:FILE, demand:..., or any pattern. The flits of a
// pattern's messages are summed, and its waits are ignored. Messages of a node to itself are left out. LOOM_EINPUT,
// LOOM_EFILE: as loom_pattern_parse; or the check.
int loom_demand_parse(struct loom_demand *out, const char *spec, uint32_t n, const struct loom_pattern_options *options,
                      struct loom_err *err);
// Makes the demand of a pattern: adds up the flits of its messages.
int loom_demand_of_pattern(struct loom_demand *out, const struct loom_pattern *pattern, struct loom_err *err);

LOOM_API_END

#endif
