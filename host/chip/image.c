// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Makes the image of a plan: the words that are written to a chip before a run. Over 400 lines because one place counts
// all blocks of an image and fills them in the same order.
#include <flitloom/link/image.h>

#include <stdlib.h>
#include <string.h>

#include <flitloom/routes/deadlock.h>
#include <flitloom/link/regmap.h>

#include "chip/chosen_labels.h"
#include "chip/circuit_words.h"
#include "chip/image_fit.h"
#include "chip/turn_words.h"
#include "chip/programs.h"
#include "plan/circuit_slots.h"
#include "plan/plan_tables.h"
#include "plan/schedule.h"
#include "plan/switch_settings.h"
#include "plan/turns.h"
#include "topo/topo_ocs.h"

#define SETTINGS_STRIDE 16u // words of a pass in the window of a stage
#define SETTINGS_MAX (32 * SETTINGS_STRIDE)

int loom_image_numbers(uint32_t *out, const struct loom_plan *plan, struct loom_err *err)
{
	struct loom_programs programs;
	for (size_t i = 0; i < plan->n_messages; i++)
		out[i] = loom_plan_uses_network(plan, &plan->messages[i]) ? plan->messages[i].pass : UINT32_MAX;
	if (plan->free_running) // a program has an entry for each pass
		return 0;
	int code = loom_programs_make(&programs, plan, err);
	if (code)
		return code;
	for (uint32_t v = 0; v < plan->topo.n_nodes; v++)
		for (size_t e = programs.first[v]; e < programs.first[v + 1]; e++)
			if (programs.entry[e].kind == LOOM_ENTRY_SEND)
				out[programs.entry[e].message] = (uint32_t)(e - programs.first[v]);
	loom_programs_free(&programs);
	return 0;
}

struct builder {
	struct loom_image image;
	size_t n_words;
};

static uint32_t *add(struct builder *b, uint32_t address, uint32_t n_words, bool read_back)
{
	uint32_t *words = b->image.pool + b->n_words;
	b->image.blocks[b->image.n_blocks++] = (struct loom_block){address, n_words, words, read_back};
	b->n_words += n_words;
	return words;
}

static void add_word(struct builder *b, uint32_t address, uint32_t word, bool read_back)
{
	*add(b, address, 1, read_back) = word;
}

// The words that the plan needs on each node.
struct demand {
	struct loom_programs programs; // not for a free run, whose programs have n_passes entries
	uint32_t *sent, *received;     // by processor: entries of its program, messages of its log
	uint64_t flits;
};

static int measure(struct demand *d, const struct loom_plan *plan, struct loom_err *err)
{
	d->sent = calloc(plan->topo.n_nodes, sizeof *d->sent);
	d->received = calloc(plan->topo.n_nodes, sizeof *d->received);
	if (!d->sent || !d->received)
		return loom_fail(err, LOOM_ENOMEM, "no memory for the image of %zu messages", plan->n_messages);
	int code = loom_programs_make(&d->programs, plan, err);
	for (uint32_t v = 0; code == 0 && v < plan->topo.n_nodes; v++)
		d->sent[v] = (uint32_t)(d->programs.first[v + 1] - d->programs.first[v]);
	for (size_t i = 0; code == 0 && i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		if (!loom_plan_uses_network(plan, m))
			continue;
		d->received[m->destination]++;
		d->flits += m->flits;
	}
	return code;
}

// Adds the programs of a free run. A node that sends nothing in a pass is silent for as long as a message takes.
static void add_free_programs(struct builder *b, const struct loom_plan *plan, const uint32_t *label,
                              uint32_t **program)
{
	const struct loom_entry silent = {.kind = LOOM_ENTRY_DELAY, .value = plan->messages[0].flits};
	for (uint32_t v = 0; v < plan->topo.n_nodes; v++) {
		uint32_t node = plan->map[v] << LOOM_INDEX_LOW;
		program[v] = add(b, LOOM_WINDOW_PROGRAM | node, 2 * plan->n_passes, true);
		for (uint32_t pass = 0; pass < plan->n_passes; pass++) {
			loom_entry_words(program[v] + 2 * pass, &silent, plan, NULL);
			program[v][2 * pass] |= pass << LOOM_PROGRAM0_PASS_LOW;
		}
		add_word(b, LOOM_WINDOW_PROGRAM_LENGTH | node, plan->n_passes, true);
	}
	for (size_t i = 0; i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		const struct loom_entry entry = {.kind = LOOM_ENTRY_SEND, .message = i};
		if (loom_plan_uses_network(plan, m))
			loom_entry_words(program[m->source] + 2 * m->pass, &entry, plan, label);
	}
}

// Adds the cycles before which entries do not begin. A program that is written starts without such cycles.
static void add_cycles(struct builder *b, uint32_t node, const struct loom_entry *entry, uint32_t n)
{
	uint32_t first = 0;
	while (first < n && entry[first].at == 0)
		first++;
	if (first == n)
		return;
	uint32_t *at = add(b, LOOM_WINDOW_AT | node << LOOM_INDEX_LOW, n, true);
	for (uint32_t i = 0; i < n; i++)
		at[i] = entry[i].at;
}

// Adds the programs. label: the label of each message if routes were chosen, with a map that leaves labels unchanged;
// else NULL.
static void add_programs(struct builder *b, const struct loom_plan *plan, const struct loom_programs *programs,
                         const uint32_t *label)
{
	for (uint32_t v = 0; v < plan->topo.n_nodes; v++) {
		const struct loom_entry *entry = programs->entry + programs->first[v];
		uint32_t node = plan->map[v], n = (uint32_t)(programs->first[v + 1] - programs->first[v]);
		if (n) {
			uint32_t *word = add(b, LOOM_WINDOW_PROGRAM | node << LOOM_INDEX_LOW, 2 * n, true);
			for (uint32_t i = 0; i < n; i++)
				loom_entry_words(word + 2 * (size_t)i, &entry[i], plan, label);
		}
		add_cycles(b, node, entry, n);
		add_word(b, LOOM_WINDOW_PROGRAM_LENGTH | node << LOOM_INDEX_LOW, n, true);
		if (b->image.entries)
			b->image.entries[node] = n;
	}
}

static void add_generators(struct builder *b, const struct loom_plan *plan, const struct loom_schedule *s)
{
	for (uint32_t v = 0; v < plan->topo.n_nodes; v++) {
		uint32_t node = plan->map[v] << LOOM_INDEX_LOW;
		add_word(b, LOOM_WINDOW_SCHEDULE | node,
		         s->first[v] << LOOM_SCHEDULE_FIRST_LOW | s->flits << LOOM_SCHEDULE_FLITS_LOW, true);
		add_word(b, LOOM_WINDOW_PROGRAM_LENGTH | node, plan->n_passes, true);
	}
}

static void add_routes(struct builder *b, const struct loom_plan *plan, const struct loom_route_tables *chosen,
                       uint32_t label_bits)
{
	uint32_t n_networks, n_words = loom_route_words(&n_networks, plan, chosen);
	for (uint32_t here = 0; here < plan->topo.n_nodes; here++)
		for (uint32_t v = 0; v < n_networks; v++) {
			uint32_t at = LOOM_WINDOW_ROUTE | here << LOOM_INDEX_LOW | v << label_bits;
			loom_route_words_fill(add(b, at, n_words, true), plan, chosen, v, here);
		}
}

// Adds the tables of routers that go by turns.
static void add_turns(struct builder *b, const struct loom_topo *t)
{
	const uint32_t n_words = loom_turn_words_count(t), label_bits = loom_turn_words_label_bits(t);
	for (uint32_t here = 0; here < t->n_nodes; here++)
		for (unsigned came = 0; came <= loom_topo_links(t); came++) {
			const uint32_t at = LOOM_WINDOW_ROUTE | here << LOOM_INDEX_LOW | came << label_bits;
			loom_turn_words_fill(add(b, at, n_words, true), t, here, came);
		}
}

static void add_circuits(struct builder *b, const struct loom_circuit_words *w)
{
	for (size_t i = 0; i < w->n_blocks; i++)
		memcpy(add(b, w->block[i].address, w->block[i].n_words, true), w->word + w->block[i].first,
		       w->block[i].n_words * sizeof *w->word);
}

static int add_presets(struct builder *b, const struct loom_plan *plan, struct loom_err *err)
{
	size_t per_stage = loom_switch_settings_words_per_stage(&plan->topo), n_stages = plan->topo.label_bits;
	uint32_t settings[SETTINGS_MAX];
	for (uint32_t pass = 0; pass < plan->n_passes; pass++) {
		int code = loom_switch_settings_of_pass(settings, plan, pass, err);
		if (code)
			return code;
		for (uint32_t s = 0; s < n_stages; s++)
			memcpy(add(b, LOOM_WINDOW_SETTINGS | s << LOOM_INDEX_LOW | pass * SETTINGS_STRIDE,
			           (uint32_t)per_stage, true),
			       settings + s * per_stage, per_stage * sizeof *settings);
	}
	return 0;
}

// Sets the direction in CONFIG: in *config or, if the chip cannot change it by itself, for each pass. On a fabric with
// two directions all messages of a pass go one way, which loom_plan_check_turns has checked.
static int set_configs(struct loom_image *image, const struct loom_plan *plan, uint32_t *config, struct loom_err *err)
{
	bool backward;
	uint32_t common = *config;
	if (!plan->topo.kind->two_directions)
		return 0;
	enum loom_turns turns = loom_plan_turns(&backward, plan);
	if (turns != LOOM_TURNS_OTHERWISE) {
		*config |= (backward ? 1u : 0u) << LOOM_CONFIG_BACKWARD_LOW | (turns == LOOM_TURNS_EACH_PASS ? 1u : 0u)
		                                                                      << LOOM_CONFIG_ALTERNATE_LOW;
		return 0;
	}
	image->configs = calloc(plan->n_passes, sizeof *image->configs);
	if (!image->configs)
		return loom_fail(err, LOOM_ENOMEM, "no memory for %u passes", plan->n_passes);
	for (uint32_t pass = 0; pass < plan->n_passes; pass++)
		image->configs[pass] = common;
	for (size_t i = 0; i < plan->n_messages; i++)
		if (plan->messages[i].rule == LOOM_RULE_ASCENDING)
			image->configs[plan->messages[i].pass] |= UINT32_C(1) << LOOM_CONFIG_BACKWARD_LOW;
	return 0;
}

int loom_image_check(const struct loom_plan *plan, const struct loom_image_options *options, struct loom_err *err)
{
	struct loom_schedule schedule;
	uint32_t settings[SETTINGS_MAX];
	int code = loom_plan_tables_check(plan, err);
	if (code)
		return code;
	if (options->schedule == LOOM_SCHEDULE_GENERATED && !loom_schedule_recognise(&schedule, plan))
		return loom_fail(err, LOOM_EINPUT,
		                 "no generated schedule for planner %s's plan of %.60s: the nodes make up only a "
		                 "free run in which processor v sends to first[v] xor gray(pass) in every "
		                 "pass; planner latin makes one with --map identity",
		                 plan->planner, plan->pattern);
	if (options->machine == LOOM_MACHINE_PAPER && plan->free_running)
		return loom_fail(
			err, LOOM_EINPUT,
			"a run that goes freely from pass to pass is timed for machine fast: on machine paper its "
			"worms would meet (planner min_passes makes a plan with a barrier between passes)");
	if (options->preset && plan->free_running)
		return loom_fail(err, LOOM_EINPUT,
		                 "preset switches change between passes, which takes a barrier; the plan runs "
		                 "freely from pass to pass (planner min_passes makes one that does not)");
	const bool has_circuits = loom_topo_has_circuits(&plan->topo);
	code = loom_plan_check_machine(plan, options->machine, err);
	if (code)
		return code;
	for (uint32_t pass = 0; options->preset && !has_circuits && pass < plan->n_passes; pass++) {
		code = loom_switch_settings_of_pass(settings, plan, pass, err);
		if (code)
			return code;
	}
	code = loom_plan_check_turns(plan, err);
	return code || options->may_lock ? code : loom_deadlock_check(plan, err);
}

// Checks that the plan fits, and computes its demand. The caller frees *demand, on failure too.
static int fit(struct demand *demand, const struct loom_plan *plan, const struct loom_chip *chip,
               const struct loom_image_options *options, bool is_streamed, struct loom_err *err)
{
	int code = loom_image_check(plan, options, err);
	if (code == 0)
		code = measure(demand, plan, err);
	if (code == 0 && is_streamed) {
		memset(demand->sent, 0, plan->topo.n_nodes * sizeof *demand->sent);
		memset(demand->received, 0, plan->topo.n_nodes * sizeof *demand->received);
	}
	if (code == 0)
		code = loom_image_check_chip(plan, chip, demand->sent, demand->received, err);
	if (code == 0 && !options->may_lock)
		code = loom_image_check_vcs(plan, chip, err);
	struct loom_circuit_words circuits = {0};
	if (code == 0)
		code = loom_circuit_words_of_plan(&circuits, plan, chip, err);
	loom_circuit_words_free(&circuits);
	if (code == 0 && options->preset && plan->n_passes > chip->preset_passes)
		code = loom_fail(err, LOOM_EFIT, "the plan has %u passes; this chip's switches can be set for %u",
		                 plan->n_passes, chip->preset_passes);
	return code;
}

static void free_demand(struct demand *demand)
{
	loom_programs_free(&demand->programs);
	free(demand->received);
	free(demand->sent);
}

int loom_image_fits(const struct loom_plan *plan, const struct loom_chip *chip,
                    const struct loom_image_options *options, struct loom_err *err)
{
	struct demand demand = {0};
	int code = fit(&demand, plan, chip, options, false, err);
	free_demand(&demand);
	return code;
}

int loom_image_fits_streamed(const struct loom_plan *plan, const struct loom_chip *chip,
                             const struct loom_image_options *options, struct loom_err *err)
{
	struct demand demand = {0};
	int code = fit(&demand, plan, chip, options, true, err);
	free_demand(&demand);
	return code;
}

int loom_image_make(struct loom_image *out, const struct loom_plan *plan, const struct loom_chip *chip,
                    const struct loom_image_options *options, struct loom_err *err)
{
	uint32_t n = plan->topo.n_nodes;
	struct builder b = {.image = {.n_nodes = n,
	                              .n_passes = plan->n_passes,
	                              .free_running = plan->free_running,
	                              .machine = options->machine}};
	struct demand demand = {0};
	struct loom_schedule schedule;
	bool generated = options->schedule != LOOM_SCHEDULE_TABLE && chip->history_runs != 0 &&
	                 loom_schedule_recognise(&schedule, plan);
	uint32_t **program = calloc(n, sizeof *program);
	struct loom_circuit_words circuits = {0};
	struct loom_route_tables made = {0}; // without labels if no routes were chosen
	const struct loom_route_tables *chosen = options->tables ? options->tables : &made;
	int code = program ? fit(&demand, plan, chip, options, false, err)
	                   : loom_fail(err, LOOM_ENOMEM, "no memory for the programs of %u nodes", n);
	if (code == 0 && plan->routes.n)
		code = loom_chosen_labels_make(&made, plan, err);
	if (code == 0)
		code = loom_circuit_words_of_plan(&circuits, plan, chip, err);
	if (code)
		goto out;
	const bool presets = options->preset && circuits.n_blocks == 0;

	// Blocks: the settings, the map table for all nodes, for each node the route table and the program or
	// generator, and for each pass the switches.
	size_t n_entries = plan->free_running ? (size_t)n * plan->n_passes : demand.programs.first[n];
	size_t n_preset_blocks = presets ? (size_t)plan->n_passes * plan->topo.label_bits : 0;
	const bool by_turns = chip->adaptive == LOOM_CHIP_TURNS;
	uint32_t n_networks = loom_topo_links(&plan->topo) + 1, n_map = chosen->port ? chosen->n_labels : n,
		 n_route_words =
			 by_turns ? loom_turn_words_count(&plan->topo) : loom_route_words(&n_networks, plan, chosen);
	size_t n_routes = (size_t)n * n_networks;
	b.image.blocks =
		calloc(4 + 3 * (size_t)n + n_routes + n_preset_blocks + circuits.n_blocks, sizeof *b.image.blocks);
	b.image.pool =
		calloc(3 + (size_t)n + n_map + 3 * n_entries + n_routes * n_route_words +
	                       n_preset_blocks * loom_switch_settings_words_per_stage(&plan->topo) + circuits.n_words,
	               sizeof *b.image.pool);
	bool asks = plan->timing || (chip->timing & LOOM_CHIP_TIMED && !plan->free_running &&
	                             loom_programs_send_several(&demand.programs, plan));
	b.image.entries = asks ? calloc(n, sizeof *b.image.entries) : NULL;
	if (!b.image.blocks || !b.image.pool || (asks && !b.image.entries)) {
		code = loom_fail(err, LOOM_ENOMEM, "no memory for the image of %zu messages", plan->n_messages);
		goto out;
	}
	uint64_t patience = 4096 + 4 * demand.flits;           // more than all flits of the plan take on one channel
	uint64_t most = (UINT64_C(1) << chip->cycle_bits) - 1; // a longer pass is refused in any case
	uint64_t wanted = options->watchdog_cycles ? options->watchdog_cycles : patience;
	uint32_t watchdog = (uint32_t)(wanted < most ? wanted : most);
	uint32_t config = (options->machine == LOOM_MACHINE_PAPER ? 1u : 0u) << LOOM_CONFIG_PAPER_LOW |
	                  (options->preset ? 1u : 0u) << LOOM_CONFIG_PRESET_LOW |
	                  (!chip->adaptive ? 0u
	                   : plan->select  ? plan->select
	                                   : options->select)
	                          << LOOM_CONFIG_SELECT_LOW |
	                  (plan->free_running ? 1u : 0u) << LOOM_CONFIG_FREE_LOW |
	                  (generated && schedule.skips_self ? 1u : 0u) << LOOM_CONFIG_SKIP_SELF_LOW;
	code = set_configs(&b.image, plan, &config, err);
	if (code)
		goto out;
	add_word(&b, LOOM_REG_CONFIG, config, true);
	b.image.seed = (uint32_t)(options->seed ^ options->seed >> 32);
	b.image.watchdog_cycles = watchdog;
	add_word(&b, LOOM_REG_SEED, b.image.seed, true);
	add_word(&b, LOOM_REG_WATCHDOG, watchdog, true);
	uint32_t *map = add(&b, LOOM_WINDOW_MAP | LOOM_ALL_NODES << LOOM_INDEX_LOW, n_map, true);
	for (uint32_t v = 0; v < n_map; v++)
		map[v] = chosen->port ? v : loom_topo_label(&plan->topo, plan->map[v]);
	if (by_turns)
		add_turns(&b, &plan->topo);
	else if (n_routes)
		add_routes(&b, plan, chosen, chip->label_bits);
	if (generated)
		add_generators(&b, plan, &schedule);
	else if (plan->free_running)
		add_free_programs(&b, plan, chosen->label, program);
	else
		add_programs(&b, plan, &demand.programs, chosen->label);
	add_circuits(&b, &circuits);
	if (presets)
		code = add_presets(&b, plan, err);
	if (code)
		goto out;
	*out = b.image;
	b.image = (struct loom_image){0};
out:
	loom_image_free(&b.image);
	loom_circuit_words_free(&circuits);
	loom_route_tables_free(&made);
	free(program);
	free_demand(&demand);
	return code;
}

void loom_image_free(struct loom_image *image)
{
	if (!image)
		return;
	free(image->blocks);
	free(image->pool);
	free(image->configs);
	free(image->entries);
	*image = (struct loom_image){0};
}
