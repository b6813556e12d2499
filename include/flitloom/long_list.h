// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_LONG_LIST_H
#define LOOM_LONG_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <flitloom/api.h>
#include <flitloom/device.h>
#include <flitloom/err.h>
#include <flitloom/plan.h>
#include <flitloom/topo.h>

LOOM_API_BEGIN

// Lists of messages that are longer than a plan can be. They are not planned. They go from their file through a
// fabric, and only the messages under way are kept in memory. A list has the format of messages:FILE; each processor
// sends its messages in the order of the lines.
struct loom_long_list;

// Facts about a list.
struct loom_long_facts {
	uint64_t n_messages, n_flits;
	uint64_t most_sent; // the most messages that one processor sends
	uint32_t least_flits, most_flits;
	bool has_releases;
};

// Reads a file, and writes the messages of each processor together into a temporary file. So the order of the
// processors in the file does not matter. default_flits: the length of messages whose line does not give it.
// LOOM_EINPUT, with the line; LOOM_EFILE: unreadable, no text, or no room for the temporary file. Free with
// loom_long_list_free.
int loom_long_list_open(struct loom_long_list **out, const char *path, uint32_t n_nodes, uint32_t default_flits,
                        struct loom_err *err);
void loom_long_list_free(struct loom_long_list *list); // NULL allowed
const struct loom_long_facts *loom_long_list_facts(const struct loom_long_list *list);

// Options of a run; zeroed: all defaults.
struct loom_long_options {
	enum loom_rule rule;
	unsigned select; // the rule of preference, if `rule` lets routers choose (struct loom_load_options)
	enum loom_machine machine;
	uint64_t seed;       // the seed of the payload
	uint64_t max_cycles; // 0: as many as can be counted
	// Called after every few hundred cycles. When it returns true, the run ends with LOOM_ETIMEOUT. NULL allowed.
	bool (*watch)(void *user, uint64_t n_arrived, uint64_t n_messages, uint64_t cycle);
	void *user;
};

// The result of a run.
struct loom_long_result {
	uint64_t n_delivered, n_flits; // with messages to oneself that do not use the network
	uint64_t cycles;               // cycles until the last tail
	// Cycles from the release that the list gives, or from cycle 1, to the tail, both included. They include the
	// wait for earlier messages of the same processor.
	double mean_latency;
	uint64_t most_latency;
	size_t n_mismatches;
	char mismatch[200]; // the first
};

// Checks what loom_long_compute and loom_long_run check first. LOOM_EINPUT.
int loom_long_check(struct loom_long_list *list, const struct loom_topo *topo, const uint32_t *map,
                    const struct loom_long_options *options, struct loom_err *err);
// Computes a run of a list; map: physical node of each processor. A list can be run once. LOOM_EINPUT: messages could
// wait for one another for ever. LOOM_ESTUCK: they do. LOOM_ELIMIT: it takes more than max_cycles. LOOM_EFIT: it
// takes more cycles than can be counted.
int loom_long_compute(struct loom_long_result *out, struct loom_long_list *list, const struct loom_topo *topo,
                      const uint32_t *map, const struct loom_long_options *options, struct loom_err *err);
// Runs a list on a chip with stream ports, and computes the run beside it. In both, each message must arrive in the
// same cycles, and each channel must count the same. LOOM_EFIT, too: the chip has no such ports, or the messages are
// too long for it.
int loom_long_run(struct loom_long_result *out, struct loom_device *device, struct loom_long_list *list,
                  const struct loom_topo *topo, const uint32_t *map, const struct loom_long_options *options,
                  struct loom_err *err);

LOOM_API_END

#endif
