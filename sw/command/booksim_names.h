// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef FLITLOOM_BOOKSIM_NAMES_H
#define FLITLOOM_BOOKSIM_NAMES_H

#include <stdbool.h>
#include <stddef.h>

// The settings of BookSim2, by their treatment.

struct booksim_name {
	const char *name,
		*value;   // value: if it is not given; of those that are wanted: the only one that is taken over
	const char *same; // of those that are left: with this value both do alike; NULL: with none
	const char *why;  // what is so here
};

// Settings that change the network: a configuration is refused unless they have this value. NULL after the last.
const struct booksim_name *booksim_wanted_at(size_t i);
// Settings that change figures, and that have no counterpart here. NULL after the last.
const struct booksim_name *booksim_left_at(size_t i);
// Returns the value of a setting that is not given; "": the setting is not known here.
const char *booksim_default(const char *name);
bool booksim_is_known(const char *name); // taken over, wanted or left
// Settings for files and texts that BookSim2 writes, and for stopping early; they do not change figures.
bool booksim_is_beside(const char *name);

#endif
