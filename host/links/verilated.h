// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_VERILATED_H
#define LOOM_VERILATED_H

#include <stdint.h>

#include <flitloom/link.h>

#include "links/rtl.h"

// A waveform of some cycles of the run. Verilator ignores $dumpoff: recording begins late, and ends when the file is
// closed.
struct loom_verilated_window {
	uint64_t from, n_cycles; // n_cycles 0: to the end
	const char *file;
	void (*begin)(const char *file);
	void (*end)(void *scope);
	unsigned (*run_cycle)(void); // 1 in the first cycle of the run
	enum { LOOM_WINDOW_AHEAD, LOOM_WINDOW_OPEN, LOOM_WINDOW_OVER } state;
};

// A verilated model in a shared object: taken from the cache or built, then loaded and clocked. Everything but its
// clock is reached through the C functions that the top of the RTL exports. Each model has its own state, even two of
// one fabric.
struct loom_verilated {
	void *object, *chip;
	int copy; // the object's file, a copy in memory: its descriptor + 1; 0: none
	void *scope, *(*set_scope)(void *scope);
	void (*seq_update)(void *chip, unsigned char clk);
	void (*final)(void *chip);
	double *half_cycles; // the model's time, for waveforms
	void (*cover)(const char *file);
	char coverage_file[4096];             // empty: no coverage is written
	struct loom_verilated_window *window; // owned: the cycles of a waveform; NULL: all
};

// Close with loom_verilated_close. LOOM_ELINK; LOOM_EFILE: no space for it.
int loom_verilated_open(struct loom_verilated *out, const struct loom_rtl *rtl, const struct loom_link_options *options,
                        struct loom_err *err);
void loom_verilated_close(struct loom_verilated *model); // allowed on a zeroed one

// Finds a function that the RTL exports. *missing keeps the first name that does not exist.
void loom_verilated_symbol(const struct loom_verilated *model, const char *name, void (**out)(void),
                           const char **missing);
#define LOOM_VERILATED_SYMBOL(model, name, out, missing)                                                               \
	loom_verilated_symbol(model, name, (void (**)(void)) & (out), missing)
int loom_verilated_fail_symbol(const char *missing, struct loom_err *err);

// Call it before the first of the calls below, or of a function that the RTL exports, whenever another thread may
// have made the last one: for each thread, Verilator remembers the model to which its calls go.
static inline void loom_verilated_enter(struct loom_verilated *m)
{
	m->set_scope(m->scope);
}

// Call it after each cycle of a model that has a window.
void loom_verilated_window_step(struct loom_verilated *model);

static inline void loom_verilated_fall(struct loom_verilated *m)
{
	*m->half_cycles += 1;
	m->seq_update(m->chip, 0);
}

static inline void loom_verilated_rise(struct loom_verilated *m)
{
	*m->half_cycles += 1;
	m->seq_update(m->chip, 1);
	if (m->window)
		loom_verilated_window_step(m);
}

static inline void loom_verilated_cycle(struct loom_verilated *m)
{
	// The falling edge comes first: clocks that stand still check there whether they are needed at the rising
	// edge.
	loom_verilated_fall(m);
	loom_verilated_rise(m);
}

#endif
