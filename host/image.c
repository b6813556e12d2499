// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "image.h"

#include <stdlib.h>
#include <string.h>

#include "regmap.h"

#define INDEX_SHIFT 16
#define PASS_BITS_MAX 14u // that the log keeps

int loom_image_numbers(uint32_t *out, const struct loom_plan *plan, struct loom_err *err)
{
	// Programs are in the order of the plan's messages, node by node.
	uint32_t *next = calloc(plan->topo.n_nodes, sizeof *next);
	if (!next)
		return loom_fail(err, LOOM_ENOMEM, "no memory to number %zu messages", plan->n_messages);
	for (size_t i = 0; i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		out[i] = m->source == m->destination ? UINT32_MAX : next[m->source]++;
	}
	free(next);
	return 0;
}

// What the chip cannot hold of this plan, named.
static int check(const struct loom_plan *plan, const struct loom_chip *chip, const uint32_t *sent,
                 const uint32_t *received, struct loom_err *err)
{
	const struct loom_topo *t = &plan->topo;
	const struct loom_topo_kind *kind = loom_topo_kind_by_code(chip->kind);
	if (chip->kind != t->kind->code || chip->size != t->size)
		return loom_fail(err, LOOM_EFIT, "the plan is for %s, but the board holds %s:%u", t->name,
		                 kind ? kind->name : "a fabric of unknown kind", chip->size);
	if (chip->n_nodes != t->n_nodes || chip->n_tiles != t->n_tiles ||
	    chip->n_channels != loom_topo_channels_per_tile(t) || chip->label_bits != t->label_bits)
		return loom_fail(err, LOOM_EFIT, "the chip calls itself %s but has %u nodes, %u tiles of %u channels",
		                 t->name, chip->n_nodes, chip->n_tiles, chip->n_channels);
	uint32_t passes =
		chip->pass_bits < PASS_BITS_MAX ? UINT32_C(1) << chip->pass_bits : UINT32_C(1) << PASS_BITS_MAX;
	if (plan->n_passes > passes)
		return loom_fail(err, LOOM_EFIT, "the plan has %u passes; the board holds %u", plan->n_passes, passes);
	uint64_t cycles = (UINT64_C(1) << chip->cycle_bits) - 1;
	for (uint32_t p = 0; p < plan->n_passes; p++)
		if (plan->cycles && plan->cycles[p] != LOOM_CYCLES_UNKNOWN && plan->cycles[p] > cycles)
			return loom_fail(err, LOOM_EFIT,
			                 "pass %u takes %llu cycles; the board's logs hold cycles up to %llu: send "
			                 "shorter messages",
			                 p, (unsigned long long)plan->cycles[p], (unsigned long long)cycles);
	for (uint32_t v = 0; v < t->n_nodes; v++) {
		if (sent[v] > chip->program_depth)
			return loom_fail(err, LOOM_EFIT,
			                 "processor %u is to send %u messages; the board holds %u in a node's program",
			                 v, sent[v], chip->program_depth);
		if (received[v] > chip->log_depth)
			return loom_fail(err, LOOM_EFIT,
			                 "processor %u is to receive %u messages; the board holds %u in a node's log",
			                 v, received[v], chip->log_depth);
	}
	uint32_t longest = (UINT32_C(1) << chip->length_bits) - 1;
	for (size_t i = 0; i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		if (m->source == m->destination)
			continue;
		if (m->flits > longest)
			return loom_fail(err, LOOM_EFIT,
			                 "message %zu (%u to %u) has %u flits; the board holds messages of at most %u",
			                 i, m->source, m->destination, m->flits, longest);
		if (m->from_slot > chip->store_slots || m->keep_slot > chip->store_slots)
			return loom_fail(err, LOOM_EFIT,
			                 "message %zu (%u to %u) uses slot %u of the store; the board holds %u", i,
			                 m->source, m->destination,
			                 m->from_slot > m->keep_slot ? m->from_slot : m->keep_slot, chip->store_slots);
		if (m->keep_slot && m->flits > chip->slot_flits)
			return loom_fail(
				err, LOOM_EFIT,
				"message %zu (%u to %u) is to be kept and has %u flits; a slot of the board holds %u",
				i, m->source, m->destination, m->flits, chip->slot_flits);
	}
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

int loom_image_make(struct loom_image *out, const struct loom_plan *plan, const struct loom_chip *chip,
                    const struct loom_image_options *options, struct loom_err *err)
{
	uint32_t n = plan->topo.n_nodes;
	int code = LOOM_ENOMEM;
	uint64_t flits = 0;
	size_t n_networked = 0;
	struct builder b = {.image = {.n_nodes = n, .n_passes = plan->n_passes}};
	uint32_t *sent = calloc(n, sizeof *sent), *received = calloc(n, sizeof *received);
	uint32_t **program = calloc(n, sizeof *program);
	if (!sent || !received || !program)
		goto no_memory;
	for (size_t i = 0; i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		if (m->source == m->destination)
			continue;
		sent[m->source]++;
		received[m->destination]++;
		flits += m->flits;
		n_networked++;
	}
	code = check(plan, chip, sent, received, err);
	if (code)
		goto out;

	// Settings, the map table for everybody, then per node the program and its length.
	b.image.blocks = calloc(4 + 2 * (size_t)n, sizeof *b.image.blocks);
	b.image.pool = calloc(4 + 2 * (size_t)n + 2 * n_networked, sizeof *b.image.pool);
	if (!b.image.blocks || !b.image.pool)
		goto no_memory;
	uint64_t patience = 4096 + 4 * flits; // every flit of the plan through one channel, and then some
	uint64_t most = (UINT64_C(1) << chip->cycle_bits) - 1; // a pass that is longer is refused anyway
	uint64_t wanted = options->watchdog_cycles ? options->watchdog_cycles : patience;
	uint32_t watchdog = (uint32_t)(wanted < most ? wanted : most);
	add_word(&b, LOOM_REG_CONFIG, (options->machine == LOOM_MACHINE_PAPER ? 1u : 0u) << LOOM_CONFIG_PAPER_LOW,
	         true);
	add_word(&b, LOOM_REG_SEED, (uint32_t)(options->seed ^ options->seed >> 32), true);
	add_word(&b, LOOM_REG_WATCHDOG, watchdog, true);
	memcpy(add(&b, LOOM_WINDOW_MAP | LOOM_ALL_NODES << INDEX_SHIFT, n, true), plan->map, n * sizeof *plan->map);
	for (uint32_t v = 0; v < n; v++) {
		uint32_t node = plan->map[v] << INDEX_SHIFT;
		if (sent[v])
			program[v] = add(&b, LOOM_WINDOW_PROGRAM | node, 2 * sent[v], true);
		add_word(&b, LOOM_WINDOW_PROGRAM_LENGTH | node, sent[v], true);
	}
	for (size_t i = 0; i < plan->n_messages; i++) {
		const struct loom_plan_message *m = &plan->messages[i];
		if (m->source == m->destination)
			continue;
		uint32_t *word = program[m->source];
		word[0] = m->flits << LOOM_PROGRAM0_FLITS_LOW | m->pass << LOOM_PROGRAM0_PASS_LOW;
		word[1] = m->destination << LOOM_PROGRAM1_DESTINATION_LOW |
		          (uint32_t)m->rule << LOOM_PROGRAM1_RULE_LOW |
		          (uint32_t)m->from_slot << LOOM_PROGRAM1_FROM_LOW |
		          (uint32_t)m->keep_slot << LOOM_PROGRAM1_KEEP_LOW;
		program[m->source] += 2;
	}
	*out = b.image;
	b.image = (struct loom_image){0};
	code = 0;
	goto out;
no_memory:
	code = loom_fail(err, LOOM_ENOMEM, "no memory for the image of %zu messages", plan->n_messages);
out:
	loom_image_free(&b.image);
	free(program);
	free(received);
	free(sent);
	return code;
}

void loom_image_free(struct loom_image *image)
{
	if (!image)
		return;
	free(image->blocks);
	free(image->pool);
	*image = (struct loom_image){0};
}
