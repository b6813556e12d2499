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

// The settings of the 2x2 switches in a slot. Each stage begins a new word.
struct settings {
	uint32_t stages, half, words; // words of a stage
	uint8_t *crossed;             // NULL if there are none
};

static void add_settings(struct loom_circuit_words *w, const struct settings *set, uint32_t address)
{
	const uint32_t n_words = set->stages * set->words;
	add(w, address, n_words);
	for (uint32_t i = 0; i < set->stages * set->half; i++)
		if (set->crossed[i])
			w->word[w->n_words - n_words + i / set->half * set->words + i % set->half / 32] |=
				UINT32_C(1) << i % set->half % 32;
}

static int add_switch(struct loom_circuit_words *w, const struct loom_circuit_schedule *s, uint32_t on,
                      uint32_t n_slots, const struct settings *set, struct loom_err *err)
{
	const struct loom_circuit_switch *sw = &s->on[on];
	int code = 0;
	add_word(w, LOOM_WINDOW_CIRCUIT_DARK | on << SWITCH_LOW, s->dark);
	for (uint32_t k = 0; code == 0 && k < sw->n_slots; k++) {
		const uint32_t at = on << SWITCH_LOW | k << SLOT_LOW;
		add(w, LOOM_WINDOW_CIRCUIT_TO | at, s->n_nodes);
		for (uint32_t p = 0; p < s->n_nodes; p++)
			if (sw->slot[k].to[p] != LOOM_CIRCUIT_NO_PORT)
				w->word[w->n_words - s->n_nodes + p] = UINT32_C(1) << LOOM_CIRCUIT_TO_LIT_LOW |
				                                       sw->slot[k].to[p] << LOOM_CIRCUIT_TO_PORT_LOW;
		add_word(w, LOOM_WINDOW_CIRCUIT_CYCLES | at, sw->slot[k].cycles);
		if (set->crossed && !(code = loom_circuit_settings(set->crossed, sw->slot[k].to, s->n_nodes, err)))
			add_settings(w, set, LOOM_WINDOW_CIRCUIT_SETTING | at);
	}
	if (sw->n_slots < n_slots)
		add_word(w, LOOM_WINDOW_CIRCUIT_CYCLES | on << SWITCH_LOW | (uint32_t)sw->n_slots << SLOT_LOW, 0);
	return code;
}

static int make(struct loom_circuit_words *out, const struct loom_circuit_schedule *schedule, unsigned stages,
                const struct loom_chip *chip, struct loom_err *err)
{
	struct settings set = {.stages = stages, .half = schedule->n_nodes / 2};
	size_t n_blocks = 0, n_words = 0;
	int code = 0;
	set.words = (set.half + 31) / 32;
	for (uint32_t on = 0; on < schedule->n_switches; on++) {
		const size_t n = schedule->on[on].n_slots;
		if (n > chip->preset_passes)
			return loom_fail(err, LOOM_EFIT,
			                 "the schedule of switch %u has %zu slots; the chip holds %u for each", on, n,
			                 chip->preset_passes);
		n_blocks += 3 * n + 2;
		n_words += n * (schedule->n_nodes + 1 + stages * set.words) + 2;
	}
	struct loom_circuit_words w = {.block = calloc(n_blocks, sizeof *w.block),
	                               .word = calloc(n_words, sizeof *w.word)};
	if (stages > 0)
		set.crossed = malloc((size_t)stages * set.half);
	if (!w.block || !w.word || (stages > 0 && !set.crossed))
		code = loom_fail(err, LOOM_ENOMEM, "no memory for the schedules of %u circuit switches",
		                 schedule->n_switches);
	for (uint32_t on = 0; code == 0 && on < schedule->n_switches; on++)
		code = add_switch(&w, schedule, on, chip->preset_passes, &set, err);
	free(set.crossed);
	if (code)
		loom_circuit_words_free(&w);
	else
		*out = w;
	return code;
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
	code = make(out, &s, loom_topo_circuit_stages(&plan->topo), chip, err);
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
