// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef FLITLOOM_BOOKSIM_RULE_H
#define FLITLOOM_BOOKSIM_RULE_H

#include <flitloom/topo.h>

// The rule here for messages that go by a routing function of BookSim2.
struct booksim_rule {
	const char *options; // " --rule valiant"; "": ascending dimensions, which is the usual rule
	char note[400];      // how the rule differs; "": it does not
};

// Takes ascending dimensions if no rule is like the function on that fabric with its lanes; the note then says why.
void booksim_rule_of(struct booksim_rule *out, const char *routing, const struct loom_topo *t);

#endif
