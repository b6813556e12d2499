// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_NAMED_NUMBERS_H
#define LOOM_NAMED_NUMBERS_H

#include <stddef.h>

#include <flitloom/err.h>

// A text such as "electronic=1,otis=4".
struct loom_named_numbers {
	const char *what;        // in messages: "cost"
	const char *example;     // in messages: a legal text
	const char *const *name; // n of them, at most LOOM_NAMED_NUMBERS_MAX
	size_t n;
	double most; // the largest legal number; the least is 0
};

#define LOOM_NAMED_NUMBERS_MAX 16

// Reads "name=value,..." : value[i] becomes the number given for name[i], and stays if none is. LOOM_EINPUT: an
// unknown name, one given twice, no decimal number, or one above `most`; value is then undefined.
int loom_named_numbers_parse(double *value, const struct loom_named_numbers *names, const char *text,
                             struct loom_err *err);

#endif
