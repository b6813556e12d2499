// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_REPORT_TABLE_H
#define LOOM_REPORT_TABLE_H

#include <stdbool.h>
#include <stdio.h>

#include <flitloom/plan.h>
#include <flitloom/verdict.h>

#include "report/report_facts.h"

// Declarations shared by the files that write the table.

struct loom_table {
	FILE *stream;
	bool measured, colour;
	int column; // the column reached in the present line
};

enum loom_style { LOOM_PLAIN, LOOM_BOLD, LOOM_FAINT, LOOM_GOOD, LOOM_BAD };

// Returns the text that begins or ends a style: empty without colour.
const char *loom_table_start(const struct loom_table *t, enum loom_style style);
const char *loom_table_end(const struct loom_table *t);

// Writes a word and, before it, two blanks or a new line indented by `indent`.
void loom_table_word(struct loom_table *t, int indent, const char *word, enum loom_style style);
void loom_table_words(struct loom_table *t, int indent, enum loom_style style, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
// Writes a text, broken into lines, from this column on; it does not end the line.
void loom_table_text(struct loom_table *t, int column, const char *text);
void loom_table_end_line(struct loom_table *t);
const char *loom_table_plural(uint64_t n); // "s", or "" for one

// Prints a row: name, predicted, measured, unit or meaning. If both values are known and differ, the row says so.
enum loom_known { LOOM_BOTH, LOOM_NO_PREDICTION, LOOM_NO_MEASUREMENT };
void loom_table_sum(struct loom_table *t, const char *what, uint64_t predicted, uint64_t measured,
                    enum loom_known known, const char *unit);

// Prints the rows of sums (report_sums.c), from contention to blocked cycles.
void loom_table_sums(struct loom_table *t, const struct loom_plan *plan, const struct loom_verdict *v,
                     const struct loom_report_facts *facts);
// Prints the rules by which one pass suffices for a permutation, so that it needs no planner.
void loom_table_one_pass(struct loom_table *t, unsigned rules);

#endif
