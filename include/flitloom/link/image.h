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
	bool read_back;  // reading them must give the same words; written to all nodes: from the first and the last
};

// A plan as words of registers and tables, for one chip. Written in order; then the passes are started one by one.
struct loom_image {
	uint32_t n_nodes, n_passes;
	uint32_t seed; // of the payload, as in the register
	enum loom_machine machine;
	bool free_running; // one start runs all passes, without a barrier between them
	size_t n_blocks;
	struct loom_block *blocks; // owned
	uint32_t *pool;            // owned: all words
	uint32_t watchdog_cycles;  // as in WATCHDOG
	uint32_t *configs;         // owned, n_passes: CONFIG in each pass; NULL: as loaded
	// Owned, n_nodes: entries of each node's program, of which the chip is asked when they began; NULL: it cannot tell, or that
	// follows from the plan, which has no timing, and of each node one message a pass at most.
	uint32_t *entries;
};

// The source of the list of messages that a node sends in a free run.
enum loom_image_schedule {
	LOOM_SCHEDULE_BEST,      // the node where it can, else the table
	LOOM_SCHEDULE_TABLE,     // the program loaded into the node
	LOOM_SCHEDULE_GENERATED, // the node: first xor gray(pass)
};

// Options of an image.
struct loom_image_options {
	enum loom_machine machine;
	uint64_t seed;            // of the payload
	uint32_t watchdog_cycles; // 0: the default, which no legal wait of this plan can reach
	enum loom_image_schedule schedule;
	bool preset; // switches are set by the host, per pass; headers route nothing
	// For a plan whose messages are streamed: the route tables. The entries of the programs then name their
	// labels in place of processors. NULL: messages go by the rules.
	const struct loom_route_tables *tables;
	unsigned
		select; // enum loom_select (flitloom/routes/choice.h): which of the free lanes adaptive routers take, where the plan does not say it
	bool may_lock; // a pass whose messages could wait for one another for ever is not refused: the watchdog ends it
};

// Refuses a plan that no chip of any size could run. LOOM_EINPUT: a preset that the switches cannot have, a schedule
// that no generator makes, a pass that can lock (flitloom/routes/deadlock.h). LOOM_EFIT: a pass of messages both ways
// on a fabric all of whose switches point one way at a time. loom_image_make calls it first; a program that would
// have to wait for a chip can call it earlier.
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

// The number that message i has in its sender's program, hence in its header: out[i], n_messages of them; UINT32_MAX
// for a message to oneself. Waits and delays have numbers, too. An arrival bears the number of the message whose data
// it is (loom_plan_root).
int loom_image_numbers(uint32_t *out, const struct loom_plan *plan, struct loom_err *err);

LOOM_API_END

#endif
