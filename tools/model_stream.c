// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Linked into every model: the functions by which nodes stream (rtl/node/sim_tap.sv) call those of whoever loaded the
// model, links/sim.c, or nobody. The model knows them by their C++ names.
#include <stdbool.h>

struct loom_sim_user {
	void *self;
	bool (*next)(void *self, unsigned node, unsigned word[3]);
	void (*take)(void *self, unsigned node, const unsigned word[5]);
} loom_sim_user;

static unsigned entry[3];

bool loom_sim_next(unsigned node) __asm__("_Z13loom_sim_nextj");
unsigned loom_sim_word(unsigned which) __asm__("_Z13loom_sim_wordj");
void loom_sim_take(unsigned node, unsigned log0, unsigned log1, unsigned log2, unsigned log3,
                   unsigned signature) __asm__("_Z13loom_sim_takejjjjjj");

// True if the node's program goes on; then loom_sim_word has the entry: PROGRAM0, PROGRAM1, AT.
bool loom_sim_next(unsigned node)
{
	return loom_sim_user.next && loom_sim_user.next(loom_sim_user.self, node, entry);
}

unsigned loom_sim_word(unsigned which)
{
	return entry[which];
}

void loom_sim_take(unsigned node, unsigned log0, unsigned log1, unsigned log2, unsigned log3, unsigned signature)
{
	const unsigned word[5] = {log0, log1, log2, log3, signature};
	if (loom_sim_user.take)
		loom_sim_user.take(loom_sim_user.self, node, word);
}
