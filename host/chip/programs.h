// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_PROGRAMS_H
#define LOOM_PROGRAMS_H

#include <flitloom/plan.h>

// The nodes' programs, entry by entry, for a plan that is not free-running: a node's messages, and the gates between
// them as a chip has them. An AT is part of the entry that follows it, or an entry of one cycle if none follows. A
// long delay takes several entries. A message that does not use the network has no entry.
enum loom_entry_kind { LOOM_ENTRY_SEND, LOOM_ENTRY_DELAY, LOOM_ENTRY_WAIT };

struct loom_entry {
	enum loom_entry_kind kind;
	uint32_t at; // the entry begins in this cycle of the pass at the earliest; 0: no such limit
	// DELAY: cycles, 1 to LOOM_ENTRY_CYCLES_MOST; WAIT: the number of the message from `source`, from 1
	uint32_t value;
	uint32_t source; // WAIT: virtual processor
	// SEND: the message's index in the plan; WAIT: that of the message it waits for, SIZE_MAX: the plan sends fewer
	// messages than it waits for
	size_t message;
};

#define LOOM_ENTRY_CYCLES_MOST 65535u

// Entries of virtual processor v: entry[first[v]] .. entry[first[v + 1] - 1]. Both are owned.
struct loom_programs {
	struct loom_entry *entry;
	size_t *first; // n_nodes + 1
};

// Makes the words PROGRAM of an entry. label: by message of the plan, if routes were chosen; else NULL.
void loom_entry_words(uint32_t word[2], const struct loom_entry *entry, const struct loom_plan *plan,
                      const uint32_t *label);

// Makes the programs of a plan. LOOM_EFIT: more entries than any chip holds.
int loom_programs_make(struct loom_programs *out, const struct loom_plan *plan, struct loom_err *err);
// True if some node sends more than one message in a pass, so that the plan alone does not fix when the second one is
// offered. For plans without timing, whose entries are all messages.
bool loom_programs_send_several(const struct loom_programs *programs, const struct loom_plan *plan);
void loom_programs_free(struct loom_programs *programs); // NULL allowed; leaves it zeroed

#endif
