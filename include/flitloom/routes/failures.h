// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_FAILURES_H
#define LOOM_FAILURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <flitloom/api.h>
#include <flitloom/err.h>
#include <flitloom/topo.h>

LOOM_API_BEGIN

// Links and nodes of a direct network that failed, and the network that is left. docs/failures.md is for users.

#define LOOM_FAILURES_NODES_MAX 1024 // nodes of the whole network

// Links and nodes that failed. A link fails with both of its directions; a node with all of its links.
struct loom_failures {
	char *text; // owned: the text that named them; NULL: there was none
	size_t n_links, n_nodes;
	uint32_t *link;    // owned, ascending: for each link the lower number of its two channels
	uint32_t *node;    // owned, ascending
	uint64_t in_cycle; // nothing crosses them from this cycle on; 0: they never worked
};

// Reads failures of a network. They are names with commas between: "5->7" or "5--7" for a link, or "5->7 (+x)" if
// several lead there; "5" or "node 5" for a node; "random:P%:SEED", this share of the links, rounded and at least
// one; "@FILE", or FILE with a . or / in its name, has one in a line; "none": nothing. "@CYCLE" behind a name gives
// the cycle, the same behind each. LOOM_EINPUT: the name of no link or node of the network, or a name that occurs
// twice.
int loom_failures_parse(struct loom_failures *out, const struct loom_topo *topo, const char *text,
                        struct loom_err *err);
// Chooses links at random, `part` of them from 0 to 1, rounded, and at least one unless part is 0. The same seed with
// a larger part adds to them.
int loom_failures_random(struct loom_failures *out, const struct loom_topo *topo, double part, uint64_t seed,
                         struct loom_err *err);
// Checks that links can fail during a run, so that in_cycle may be above 0. LOOM_EINPUT: this is no direct network, or
// it has delays.
int loom_failures_check_later(const struct loom_topo *topo, struct loom_err *err);
void loom_failures_free(struct loom_failures *failures); // NULL allowed; leaves *failures zeroed

// Makes the network without the failed links and nodes: a graph with tables, whose nodes, ports, channels and their
// names, and the coordinates that patterns take, are those of `topo`. Messages go as on any graph
// (docs/any-graph.md), on n_vcs lanes of each link; 0: as many as topo has. If the network falls apart, the largest
// part is left (of equal ones, that with the lowest node); the other nodes take no part. LOOM_EINPUT: a network that
// has no such links, or no two nodes are left.
int loom_topo_without(struct loom_topo *out, const struct loom_topo *topo, const struct loom_failures *failures,
                      unsigned n_vcs, struct loom_err *err);

// Facts about a network with failures.
struct loom_failure_facts {
	const struct loom_topo *whole; // not to be freed; valid as long as the fabric, as is `failures`
	const struct loom_failures *failures;
	uint32_t n_links;   // links that carry nothing: those that failed, and those of nodes that failed
	uint32_t n_cut_off; // nodes that did not fail, but that the rest cannot reach, or that cannot reach the rest
};

// Finds the facts. False: the network has no failures.
bool loom_topo_failure_facts(struct loom_failure_facts *out, const struct loom_topo *topo);
// True if messages from and to a node have routes: it did not fail, and is not cut off.
bool loom_topo_takes_part(const struct loom_topo *topo, uint32_t node);
// Checks that messages between two nodes have routes. LOOM_EINPUT names the node that takes no part, and why.
int loom_topo_check_part(const struct loom_topo *topo, uint32_t source, uint32_t destination, struct loom_err *err);
// Counts the nodes that take part.
uint32_t loom_topo_parts_count(const struct loom_topo *topo);
// Describes the failures in a line for a person: "3 links carry nothing; cut off: node 0 by 0->1 (+x), 0->8 (+y)".
// Empty: there are none.
void loom_topo_failed_text(char *out, size_t size, const struct loom_topo *topo);
// Names the nodes that are cut off, and the failed links that do it, for a person. Empty: no node is.
void loom_topo_cut_off_text(char *out, size_t size, const struct loom_topo *topo);

LOOM_API_END

#endif
