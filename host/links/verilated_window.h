// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_VERILATED_WINDOW_H
#define LOOM_VERILATED_WINDOW_H

#include <stdint.h>

#include <flitloom/link.h>

struct loom_verilated;

// A waveform of some cycles of the run alone. Verilator ignores $dumpoff: recording begins late, and ends when the file is
// closed.
struct loom_verilated_window {
	uint64_t from, n_cycles; // n_cycles 0: to the end
	const char *file;
	void (*begin)(const char *file);
	void (*end)(void *scope);
	unsigned (*run_cycle)(void); // 1 in the first cycle of the run
	enum { LOOM_WINDOW_AHEAD, LOOM_WINDOW_OPEN, LOOM_WINDOW_OVER } state;
};

// Gives the model a window, as the options ask for one. LOOM_ELINK, LOOM_EINPUT, LOOM_ENOMEM: the model has none. loom_verilated_window_free takes it away; a model without one is allowed.
int loom_verilated_window_make(struct loom_verilated *model, const char *top, const struct loom_link_options *options,
                               struct loom_err *err);
void loom_verilated_window_free(struct loom_verilated *model);

// Call it after each cycle of a model that has one.
void loom_verilated_window_step(struct loom_verilated *model);

#endif
