// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef REF_MIN_H
#define REF_MIN_H

#include <stdbool.h>
#include <stdint.h>

#define REF_MIN_M_MAX 10
#define REF_MIN_N_MAX (1 << REF_MIN_M_MAX)

// A multistage network as tables, made from the figures and formulas of [Yang00], section 2, written as strings of
// bits; reverse networks by running the original from its outputs to its inputs. No code is shared with the library.
struct ref_min {
	unsigned m;
	uint32_t n;
	// wire[s][x]: where line x goes in front of stage s; wire[m] is behind the last stage.
	uint32_t wire[REF_MIN_M_MAX + 1][REF_MIN_N_MAX];
	uint32_t unwire[REF_MIN_M_MAX + 1][REF_MIN_N_MAX]; // the inverse
};

void ref_min_build(struct ref_min *out, const char *name, unsigned m); // m <= REF_MIN_M_MAX; aborts on an unknown name

// Gives the destination of each source: crossed[s][q] is for switch q of stage s.
void ref_min_evaluate(uint32_t *destination_of, const struct ref_min *net, bool crossed[][REF_MIN_N_MAX / 2]);

// Lines on which a message leaves each stage, found by going back from the destination and forth from the source and
// taking what both reach. False unless there is exactly one such line at every stage.
bool ref_min_path(uint32_t *line, const struct ref_min *net, uint32_t source, uint32_t destination);

#endif
