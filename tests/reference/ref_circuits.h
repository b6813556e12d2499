// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef REF_CIRCUITS_H
#define REF_CIRCUITS_H

#include <stdbool.h>
#include <stdint.h>

#define REF_CIRCUITS_NODES 8

// The least makespan of one circuit switch that carries flits[i * n + j], each 0, 1 or 2, without relays. Slots last one cycle or two, as
// no entry needs more; a slots of two and b of one are enough exactly if some entries can be chosen, no more than a of a line,
// so that the flits of the others are no more than b in a line: the chosen ones make a matchings, the others b (König).
uint64_t ref_circuits_least(const uint32_t *flits, unsigned n, uint32_t dark);

// Computes the same by trying all sequences of matchings and durations, for n up to 3.
uint64_t ref_circuits_tried(const uint32_t *flits, unsigned n, uint32_t dark);

#endif
