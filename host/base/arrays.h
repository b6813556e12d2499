// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0

// Arrays that live together, and are freed together.
#ifndef LOOM_ARRAYS_H
#define LOOM_ARRAYS_H

#include <stdbool.h>
#include <stddef.h>

// The owner of arrays; zeroed, it has none. It may be copied: the copy then owns them in its place.
struct loom_arrays {
	struct loom_arrays_link *newest;
	bool is_short; // there was no memory for one of them
};

// Allocates n zeroed items for the variable `array`. NULL, with is_short set: there was no memory for it, or for an
// array before it.
#define LOOM_ARRAY(arrays, array, n) ((array) = loom_arrays_take((arrays), (n), sizeof *(array)))

// The same for an array of items of `size` bytes, by its address.
void *loom_arrays_take(struct loom_arrays *arrays, size_t n, size_t size);

// Frees them all; leaves *arrays zeroed.
void loom_arrays_free(struct loom_arrays *arrays);

#endif
