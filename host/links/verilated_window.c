// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "links/verilated_window.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "links/verilated.h"

int loom_verilated_window_make(struct loom_verilated *model, const char *top, const struct loom_link_options *options,
                               struct loom_err *err)
{
	const char *missing = NULL;
	bool (*ends)(void *scope, void *chip) = NULL;
	if (strcmp(top, "sim_pins") == 0)
		return loom_fail(
			err, LOOM_EINPUT,
			"--trace-from, --trace-cycles: a board's model does not tell the cycles of a run; link sim "
			"does");
	struct loom_verilated_window *w = calloc(1, sizeof *w);
	if (!w)
		return loom_fail(err, LOOM_ENOMEM, "no memory for a waveform");
	w->from = options->trace_from;
	w->n_cycles = options->trace_cycles;
	w->file = options->trace_file;
	LOOM_VERILATED_SYMBOL(model, "loom_sim_trace_end", w->end, &missing);
	LOOM_VERILATED_SYMBOL(model, "loom_sim_trace_ends", ends, &missing);
	LOOM_VERILATED_SYMBOL(model, "loom_sim_trace", w->begin, &missing);
	LOOM_VERILATED_SYMBOL(model, "loom_sim_run_cycle", w->run_cycle, &missing);
	if (missing) {
		int code = loom_verilated_fail_symbol(missing, err);
		free(w);
		return code;
	}
	if (w->n_cycles && !ends(model->scope, model->chip)) {
		free(w);
		return loom_fail(
			err, LOOM_ELINK,
			"--trace-cycles: no waveform can be closed before the end of the run by the Verilator that "
			"built this model; versions 5.006, 5.032 and 5.048 can");
	}
	model->window = w;
	return 0;
}

void loom_verilated_window_step(struct loom_verilated *m)
{
	struct loom_verilated_window *w = m->window;
	uint64_t now = w->run_cycle();
	if (w->state == LOOM_WINDOW_AHEAD && now >= w->from) {
		w->begin(w->file);
		w->state = LOOM_WINDOW_OPEN;
		m->seq_update(m->chip, 1); // the same state again, now recorded
	}
	if (w->state == LOOM_WINDOW_OPEN && w->n_cycles && now - w->from >= w->n_cycles) {
		w->end(m->scope);
		w->state = LOOM_WINDOW_OVER;
	}
}

void loom_verilated_window_free(struct loom_verilated *m)
{
	free(m->window);
	m->window = NULL;
}
