// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "chip/circuit_words.h"

#include <stdlib.h>

#include <flitloom/circuits.h>
#include <flitloom/link/regmap.h>

#include "topo/topo_ocs.h"

#define SWITCH_LOW 24 // of an address
#define SLOT_LOW 12

static void add(struct loom_circuit_words *w, uint32_t address, uint32_t n_words)
{
	w->block[w->n_blocks++] = (struct loom_circuit_block){address, n_words, w->n_words};
	w->n_words += n_words;
}

static void add_word(struct loom_circuit_words *w, uint32_t address, uint32_t word)
{
	add(w, address, 1);
	w->word[w->n_words - 1] = word;
}

static void add_switch(struct loom_circuit_words *w, const struct loom_circuit_schedule *s, uint32_t on,
                       uint32_t n_slots)
{
	const struct loom_circuit_switch *sw = &s->on[on];
	add_word(w, LOOM_WINDOW_CIRCUIT_DARK | on << SWITCH_LOW, s->dark);
	for (uint32_t k = 0; k < sw->n_slots; k++) {
		const uint32_t at = on << SWITCH_LOW | k << SLOT_LOW;
		add(w, LOOM_WINDOW_CIRCUIT_TO | at, s->n_nodes);
		for (uint32_t p = 0; p < s->n_nodes; p++)
			if (sw->slot[k].to[p] != LOOM_CIRCUIT_NO_PORT)
				w->word[w->n_words - s->n_nodes + p] = UINT32_C(1) << LOOM_CIRCUIT_TO_LIT_LOW |
				                                       sw->slot[k].to[p] << LOOM_CIRCUIT_TO_PORT_LOW;
		add_word(w, LOOM_WINDOW_CIRCUIT_CYCLES | at, sw->slot[k].cycles);
	}
	if (sw->n_slots < n_slots)
		add_word(w, LOOM_WINDOW_CIRCUIT_CYCLES | on << SWITCH_LOW | (uint32_t)sw->n_slots << SLOT_LOW, 0);
}

static int make(struct loom_circuit_words *out, const struct loom_circuit_schedule *schedule,
                const struct loom_chip *chip, struct loom_err *err)
{
	size_t n_blocks = 0, n_words = 0;
	for (uint32_t on = 0; on < schedule->n_switches; on++) {
		const size_t n = schedule->on[on].n_slots;
		if (n > chip->preset_passes)
			return loom_fail(err, LOOM_EFIT,
			                 "the schedule of switch %u has %zu slots; the chip holds %u for each", on, n,
			                 chip->preset_passes);
		n_blocks += 2 * n + 2;
		n_words += n * (schedule->n_nodes + 1) + 2;
	}
	struct loom_circuit_words w = {.block = calloc(n_blocks, sizeof *w.block),
	                               .word = calloc(n_words, sizeof *w.word)};
	if (!w.block || !w.word) {
		loom_circuit_words_free(&w);
		return loom_fail(err, LOOM_ENOMEM, "no memory for the schedules of %u circuit switches",
		                 schedule->n_switches);
	}
	for (uint32_t on = 0; on < schedule->n_switches; on++)
		add_switch(&w, schedule, on, chip->preset_passes);
	*out = w;
	return 0;
}

int loom_circuit_words_of_plan(struct loom_circuit_words *out, const struct loom_plan *plan,
                               const struct loom_chip *chip, struct loom_err *err)
{
	struct loom_circuit_schedule s;
	*out = (struct loom_circuit_words){0};
	if (!loom_topo_has_circuits(&plan->topo))
		return 0;
	int code = loom_plan_circuits(&s, plan, err);
	if (code)
		return code;
	code = make(out, &s, chip, err);
	loom_circuit_schedule_free(&s);
	return code;
}

void loom_circuit_words_free(struct loom_circuit_words *words)
{
	if (!words)
		return;
	free(words->block);
	free(words->word);
	*words = (struct loom_circuit_words){0};
}
