// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_IMAGE_H
#define LOOM_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <flitloom/api.h>
#include <flitloom/link/chip.h>
#include <flitloom/err.h>
#include <flitloom/plan.h>

LOOM_API_BEGIN

struct loom_route_tables;

// Words for consecutive register addresses.
struct loom_block {
	uint32_t address;
	uint32_t n_words;
	uint32_t *words; // within the image's pool
	// reading them must give the same words; of words written to all nodes, those of the first and the last node
	// are read
	bool read_back;
};

// A plan as words of registers and tables, for one chip. The blocks are written in order; then the passes are started
// one by one.
struct loom_image {
	uint32_t n_nodes, n_passes;
	uint32_t seed; // the seed of the payload, as in the register
	enum loom_machine machine;
	bool free_running; // one start runs all passes, without a barrier between them
	size_t n_blocks;
	struct loom_block *blocks; // owned
	uint32_t *pool;            // owned; the words of all blocks
	uint32_t watchdog_cycles;  // the value of WATCHDOG
	uint32_t *configs;         // owned, n_passes: CONFIG in each pass; NULL: CONFIG stays as loaded
	// Owned, n_nodes: the number of entries of each node's program that the chip is asked for, to learn when they
	// began. NULL: the chip cannot report it, or the plan determines it (it has no timing, and no node sends more
	// than one message in a pass).
	uint32_t *entries;
};

// The source of a node's list of messages in a free run.
enum loom_image_schedule {
	LOOM_SCHEDULE_BEST,      // the node generates it if it can; else the table
	LOOM_SCHEDULE_TABLE,     // the program loaded into the node
	LOOM_SCHEDULE_GENERATED, // the node generates it: first xor gray(pass)
};

// Options of an image.
struct loom_image_options {
	enum loom_machine machine;
	uint64_t seed;            // the seed of the payload
	uint32_t watchdog_cycles; // 0: the default, which no legal wait of this plan reaches
	enum loom_image_schedule schedule;
	bool preset; // the host sets the switches for each pass; headers route nothing
	// For a plan whose messages are streamed: the route tables. The entries of the programs then have their
	// labels in place of processors. NULL: messages go by the rules.
	const struct loom_route_tables *tables;
	unsigned
		// The rule of preference of adaptive routers, enum loom_select (flitloom/routes/choice.h), if the
		// plan does not have one.
		select;
	bool may_lock; // accepts a pass whose messages could wait for one another for ever: the watchdog ends it
};

// Refuses a plan that no chip of any size can run. LOOM_EINPUT: a preset that the switches cannot have, a schedule
// that no generator makes, or a pass that can lock (flitloom/routes/deadlock.h). LOOM_EFIT: a pass with messages in
// both directions on a fabric all of whose switches point one way at a time. loom_image_make calls it first; a
// program that would have to wait for a chip can call it earlier.
int loom_image_check(const struct loom_plan *plan, const struct loom_image_options *options, struct loom_err *err);

// Checks that this chip can hold the plan: gives loom_image_make's answer, without making anything.
int loom_image_fits(const struct loom_plan *plan, const struct loom_chip *chip,
                    const struct loom_image_options *options, struct loom_err *err);

// Makes programs, map tables and settings. For a plan without messages, whose messages are streamed later
// (flitloom/traffic.h), it makes the route tables of all rules. LOOM_EFIT, naming the node or message, the limit and
// what would fit: the plan needs a larger fabric of the same kind; a program, log, message or relayed message is too
// long; a processor number is too large; or the plan has timing, which the chip's programs do not support.
// LOOM_EHARDWARE: the chip is another fabric than the plan is for. Also whatever loom_image_check refuses.
int loom_image_make(struct loom_image *out, const struct loom_plan *plan, const struct loom_chip *chip,
                    const struct loom_image_options *options, struct loom_err *err);
void loom_image_free(struct loom_image *image); // NULL allowed; leaves *image zeroed

// Finds the number of each message in its sender's program, which is also in its header: out[i], n_messages of them;
// UINT32_MAX for a message to oneself. Waits and delays have numbers, too. An arrival has the number of the message
// whose data it carries (loom_plan_root).
int loom_image_numbers(uint32_t *out, const struct loom_plan *plan, struct loom_err *err);

LOOM_API_END

#endif
