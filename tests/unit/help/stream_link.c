// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <flitloom/link/regmap.h>

#include "reference/reference.h"
#include "chip/header.h"
#include "chips.h"
#include "stream_link.h"

enum { RUNNING = 1, DONE, STUCK };

static uint32_t node_of_label(const struct stream_link *s, uint32_t label)
{
	uint32_t node = 0;
	assert_true(loom_topo_node_of_label(&node, &s->topo, label));
	return node;
}

// --- Registers -----------------------------------------------------------------------------------------------------

static void put_discovery(struct stream_link *s)
{
	const struct loom_chip *c = &s->chip;
	uint32_t *r = s->global;
	r[LOOM_REG_MAGIC] = 0x4d4f4f4c;
	r[LOOM_REG_MAP_VERSION] = LOOM_MAP_VERSION_IS;
	r[LOOM_REG_KIND] = c->kind;
	r[LOOM_REG_SIZE] = c->n_dims;
	r[LOOM_REG_NODES] = c->n_nodes;
	r[LOOM_REG_TILES] = c->n_tiles;
	r[LOOM_REG_CHANNELS] = c->n_channels;
	r[LOOM_REG_FLIT_BITS] = c->flit_bits;
	r[LOOM_REG_LABEL_BITS] = c->label_bits;
	r[LOOM_REG_RULE_BITS] = c->rule_bits;
	r[LOOM_REG_PROGRAM_DEPTH] = c->program_depth;
	r[LOOM_REG_LOG_DEPTH] = c->log_depth;
	r[LOOM_REG_STORE_SLOTS] = c->store_slots;
	r[LOOM_REG_SLOT_FLITS] = c->slot_flits;
	r[LOOM_REG_LENGTH_BITS] = c->length_bits;
	r[LOOM_REG_COUNT_BITS] = c->count_bits;
	r[LOOM_REG_CYCLE_BITS] = c->cycle_bits;
	r[LOOM_REG_PASS_BITS] = c->pass_bits;
	r[LOOM_REG_PAYLOAD_BITS] = c->payload_bits;
	r[LOOM_REG_SIGNATURE_BITS] = c->signature_bits;
	r[LOOM_REG_TIMING] = c->timing;
	r[LOOM_REG_VIRTUAL_CHANNELS] = c->n_vcs;
	r[LOOM_REG_FIRST_PASS] = 7; // of a run before
	r[LOOM_REG_LAST_PASS] = 9;
	for (unsigned d = 0; d < LOOM_CHIP_DIMS; d++)
		r[LOOM_REG_SHAPE + d] = c->extent[d];
}

static bool is_open(const struct stream_link *s)
{
	return s->global[LOOM_REG_CONFIG] >> LOOM_CONFIG_OPEN_LOW & 1;
}

// A word of a router's table, or NULL.
static uint32_t *table_word(const struct stream_link *s, uint32_t address)
{
	const uint32_t index = address >> LOOM_INDEX_LOW & LOOM_ALL_NODES,
		       at = address - (LOOM_WINDOW_ROUTE | index << LOOM_INDEX_LOW);
	return index < s->chip.n_nodes && at < STREAM_TABLE ? &s->table[(size_t)index * STREAM_TABLE + at] : NULL;
}

static void write_word(struct stream_link *s, uint32_t address, uint32_t word)
{
	const uint32_t offset = address & 0xffff;
	uint32_t *to = table_word(s, address);
	if (to) {
		*to = word;
	} else if (address < 256) {
		s->global[address] = word;
		if (address == LOOM_REG_CONFIG && s->fault == STREAM_CLOSED)
			s->global[address] &= ~(UINT32_C(1) << LOOM_CONFIG_OPEN_LOW);
		if (address == LOOM_REG_CONTROL && word >> LOOM_CONTROL_START_LOW & 1) {
			s->bad |= !is_open(s) || s->global[LOOM_REG_FIRST_PASS] || s->global[LOOM_REG_LAST_PASS];
			s->global[LOOM_REG_STATUS] = RUNNING;
		}
	} else if ((address & 0xf0000000u) == LOOM_SPACE_NODE && offset >= (LOOM_WINDOW_MAP & 0xffff)) {
		s->map[offset - (LOOM_WINDOW_MAP & 0xffff)] = word;
	} else if ((address & ~(LOOM_ALL_NODES << LOOM_INDEX_LOW)) == LOOM_WINDOW_PROGRAM_LENGTH) {
		s->bad |= word != 0;
	} else {
		s->bad = 1;
	}
}

static uint32_t read_word(const struct stream_link *s, uint32_t address)
{
	const uint32_t offset = address & 0xffff, index = address >> LOOM_INDEX_LOW & LOOM_ALL_NODES;
	if (table_word(s, address))
		return *table_word(s, address);
	if (address < 256)
		return s->global[address];
	if ((address & ~(LOOM_ALL_NODES << LOOM_INDEX_LOW)) == LOOM_WINDOW_LOG_COUNT + 1) // SENT
		return (uint32_t)s->n_sent[index];
	if ((address & 0xf0000000u) == LOOM_SPACE_NODE)
		return offset >= (LOOM_WINDOW_MAP & 0xffff) ? s->map[offset - (LOOM_WINDOW_MAP & 0xffff)] : 0;
	const struct loom_count *c = &s->counts[index * s->chip.n_channels + offset / 4];
	const uint32_t words[4] = {c->worms, c->flits, c->blocked_cycles,
	                           s->fault == STREAM_STUCK && index == 1 && offset < 4};
	return words[offset % 4];
}

static int transfer(struct loom_link *link, const struct loom_transfer *list, size_t n, unsigned timeout_ms,
                    struct loom_err *err)
{
	struct stream_link *s = link->state;
	(void)err;
	// While messages are under way only a look at STATUS and counters, of a chip that does not go on, is harmless.
	for (size_t k = 0; k < n; k++)
		s->bad |= timeout_ms == 0 || (s->n_under_way > 0 && s->fault == STREAM_GOOD);
	for (size_t k = 0; k < n; k++)
		for (uint32_t i = 0; i < list[k].n_words; i++) {
			if (list[k].write)
				write_word(s, list[k].address + i, list[k].write[i]);
			else
				list[k].read[i] = read_word(s, list[k].address + i);
		}
	return 0;
}

static int run(struct loom_link *link, uint64_t n_cycles, struct loom_err *err)
{
	struct stream_link *s = link->state;
	(void)err;
	(void)n_cycles;
	s->bad |= is_open(s);
	if (s->fault == STREAM_LOG_FULL)
		s->global[LOOM_REG_STATUS] |= 1u << LOOM_STATUS_LOG_FULL_LOW;
	if (s->fault == STREAM_STORE_FULL)
		s->global[LOOM_REG_STATUS] |= 1u << LOOM_STATUS_STORE_FULL_LOW;
	if (s->fault != STREAM_ENDLESS)
		s->global[LOOM_REG_STATUS] += DONE - RUNNING;
	return 0;
}

// --- Messages ------------------------------------------------------------------------------------------------------

static void put_log(struct stream_link *s, struct loom_stream *out, const struct stream_message *m,
                    enum stream_fault fault)
{
	const uint32_t n = s->chip.n_nodes, label = s->chip.label_bits;
	uint32_t node = m->end, to = m->destination, number = m->number, flits = m->flits;
	uint32_t source = loom_topo_label(&s->topo, m->source);
	bool intact = fault != STREAM_CORRUPT;
	if (fault == STREAM_ELSEWHERE || fault == STREAM_READDRESSED)
		node = (m->destination + 1) % n == m->source ? (m->destination + 2) % n : (m->destination + 1) % n;
	if (fault == STREAM_READDRESSED)
		to = node;
	if (fault == STREAM_OVERTAKEN)
		number = (number + 1) % s->chip.program_depth;
	uint32_t signature = ref_payload_signature(s->global[LOOM_REG_SEED], s->chip.flit_bits, label,
	                                           s->chip.payload_bits, s->chip.signature_bits, source, number, flits);
	if (fault == STREAM_SHORT)
		flits--;
	if (fault == STREAM_SIGNATURE)
		signature ^= 0x10;
	if (fault == STREAM_NO_SOURCE)
		source = n; // a label that no node of a mesh has
	if (out->n_logs == out->logs_size) {
		const size_t size = out->logs_size ? 2 * out->logs_size : 16;
		struct loom_stream_log *log = realloc(out->log, size * sizeof *log);
		s->out_of_memory = s->out_of_memory || !log;
		if (!log)
			return;
		out->log = log;
		out->logs_size = size;
	}
	out->log[out->n_logs++] = (struct loom_stream_log){
		.node = node,
		.word = {loom_topo_label(&s->topo, to) | source << label | number << loom_header_number_low(&s->chip),
	                 flits << LOOM_LOG1_FLITS_LOW | (uint32_t)(node == to) << LOOM_LOG1_HERE_LOW |
	                         (uint32_t)intact << LOOM_LOG1_INTACT_LOW,
	                 fault == STREAM_SQUEEZED ? m->last - m->flits + 2 : m->soonest - m->flits,
	                 fault == STREAM_EARLY ? m->soonest - 1 : m->last},
		.signature = signature};
}

static void count(struct stream_link *s, uint32_t channel, uint32_t flits)
{
	s->counts[channel].worms++;
	s->counts[channel].flits += flits;
}

// Returns the node to which the routers' tables lead a message, and the number of links.
static uint32_t go_by_tables(struct stream_link *s, uint32_t node, uint32_t label, uint32_t rule, uint32_t flits,
                             uint32_t *hops)
{
	const uint32_t n_links = loom_topo_links(&s->topo), at = rule << s->chip.label_bits | label;
	uint32_t port;
	count(s, node * s->chip.n_channels + n_links + 1, flits);
	while ((port = s->table[(size_t)node * STREAM_TABLE + at]) != 0 && *hops < s->chip.n_nodes) {
		count(s, node * s->chip.n_channels + port - 1, flits);
		node = loom_topo_wire(&s->topo, node, port - 1) & 0xfff;
		++*hops;
	}
	count(s, node * s->chip.n_channels + n_links, flits);
	return node;
}

static uint32_t go_by_rule(struct stream_link *s, uint32_t node, uint32_t to, enum loom_rule rule, uint32_t flits,
                           uint32_t *hops)
{
	struct loom_route route;
	uint32_t channel;
	loom_route_begin(&route, &s->topo, node, to, rule);
	while (loom_route_next(&route, &channel)) {
		*hops += !loom_topo_is_local(&s->topo, channel);
		count(s, channel, flits);
	}
	return to;
}

static void offer(struct stream_link *s, uint32_t node, const struct loom_stream_entry *e)
{
	const uint32_t virtual_to = e->word[1] & 0xffff, flits = e->word[0] & 0xffff, rule = e->word[1] >> 16 & 0xf;
	uint32_t hops = 0;
	s->bad |= virtual_to >= s->chip.n_nodes || flits == 0 || e->word[0] >> 16 ||
	          e->word[1] >> (16 + s->chip.rule_bits);
	const uint32_t to = node_of_label(s, s->map[virtual_to]);
	const uint32_t end = s->topo.kind->router == LOOM_ROUTER_TABLE
	                             ? go_by_tables(s, node, s->map[virtual_to], rule, flits, &hops)
	                             : go_by_rule(s, node, to, (enum loom_rule)rule, flits, &hops);
	if (s->n_under_way == s->size) {
		s->size = 2 * s->size;
		s->under_way = realloc(s->under_way, s->size * sizeof *s->under_way);
		assert_non_null(s->under_way);
	}
	s->under_way[s->n_under_way++] = (struct stream_message){node,
	                                                         to,
	                                                         end,
	                                                         (uint32_t)(s->n_sent[node]++ % s->chip.program_depth),
	                                                         flits,
	                                                         e->at + flits + hops,
	                                                         (uint32_t)s->cycle + flits + hops};
	s->free_from[node] = s->cycle + flits + s->pause + (node == 0 ? s->slow_pause : 0);
}

static void arrive(struct stream_link *s, struct loom_stream *out)
{
	size_t kept = 0;
	for (size_t i = 0; i < s->n_under_way; i++) {
		const struct stream_message m = s->under_way[i];
		bool chosen = s->n_messages == s->fault_at;
		if (m.last > s->cycle || (s->fault == STREAM_STUCK && s->n_messages >= s->fault_at)) {
			s->under_way[kept++] = m;
			continue;
		}
		s->n_messages++;
		if (chosen && s->fault == STREAM_WORM_MORE)
			s->counts[s->chip.n_channels - 1].worms++;
		if (chosen && s->fault == STREAM_FLIT_LESS)
			s->counts[s->chip.n_channels - 1].flits--;
		if (chosen && s->fault == STREAM_LOSE)
			continue;
		put_log(s, out, &m, chosen ? s->fault : STREAM_GOOD);
		if (chosen && s->fault == STREAM_TWICE)
			put_log(s, out, &m, STREAM_GOOD);
	}
	s->n_under_way = kept;
}

static void feed(struct stream_link *s, uint32_t node, struct loom_stream_queue *q)
{
	const uint32_t depth = s->chip.program_depth;
	if (q->n == 0 || s->ring_n[node] == depth)
		return;
	const struct loom_stream_entry *e = &q->entry[q->first];
	s->bad |= e->at < s->last_at[node] || e->at == 0;
	s->last_at[node] = e->at;
	s->ring[(size_t)node * depth + (s->ring_first[node] + s->ring_n[node]++) % depth] = *e;
	s->n_fed[node]++;
	q->first++;
	q->n--;
}

static int stream(struct loom_link *link, struct loom_stream *out, uint64_t n_cycles, struct loom_err *err)
{
	struct stream_link *s = link->state;
	const uint32_t depth = s->chip.program_depth;
	s->bad |= !is_open(s) || out->n_nodes != s->chip.n_nodes || n_cycles == 0 || s->global[LOOM_REG_STATUS] == DONE;
	if (s->fault == STREAM_BROKEN && s->n_streamed++ == 3)
		return loom_fail(err, LOOM_ELINK, "the stream link is broken");
	for (uint64_t end = s->cycle + n_cycles; s->cycle < end;) {
		s->cycle++;
		for (uint32_t v = 0; v < s->chip.n_nodes; v++) {
			const struct loom_stream_entry *e = &s->ring[(size_t)v * depth + s->ring_first[v] % depth];
			if (s->ring_n[v] > 0 && e->at <= s->cycle && s->free_from[v] <= s->cycle) {
				offer(s, v, e);
				s->ring_first[v]++;
				s->ring_n[v]--;
			}
			feed(s, v, &out->queue[v]);
		}
		arrive(s, out);
	}
	if (s->fault == STREAM_STUCK && s->n_messages >= s->fault_at)
		s->global[LOOM_REG_STATUS] = STUCK;
	if (s->out_of_memory)
		return loom_fail(err, LOOM_ENOMEM, "no memory for the logs of a stream");
	return 0;
}

static const struct loom_link_kind kind = {.name = "stream", .transfer = transfer, .run = run, .stream = stream};

void stream_link_set_up(struct stream_link *s, struct loom_link *link, const char *fabric)
{
	struct loom_err err;
	memset(s, 0, sizeof *s);
	s->fault_at = UINT64_MAX;
	assert_int_equal(loom_topo_parse(&s->topo, fabric, &err), 0);
	s->chip = chip_for(&s->topo);
	s->chip.rule_bits = loom_topo_rules_count(&s->topo) > 4 ? 3 : loom_topo_rules_count(&s->topo) > 2 ? 2 : 1;
	s->chip.n_vcs = s->topo.n_vcs;
	s->chip.payload_bits = 32;
	s->chip.signature_bits = 16;
	s->chip.timing = LOOM_CHIP_TIMED | LOOM_CHIP_STREAM;
	const size_t n = s->chip.n_nodes;
	s->map = calloc(n, sizeof *s->map);
	s->table = calloc(n * STREAM_TABLE, sizeof *s->table);
	s->counts = calloc((size_t)s->chip.n_tiles * s->chip.n_channels, sizeof *s->counts);
	s->ring = calloc(n * s->chip.program_depth, sizeof *s->ring);
	s->ring_first = calloc(n, sizeof *s->ring_first);
	s->ring_n = calloc(n, sizeof *s->ring_n);
	s->n_fed = calloc(n, sizeof *s->n_fed);
	s->n_sent = calloc(n, sizeof *s->n_sent);
	s->free_from = calloc(n, sizeof *s->free_from);
	s->last_at = calloc(n, sizeof *s->last_at);
	assert_true(s->map && s->table && s->counts && s->ring && s->ring_first && s->ring_n && s->n_fed && s->n_sent &&
	            s->free_from && s->last_at);
	s->size = 1024;
	s->under_way = calloc(s->size, sizeof *s->under_way);
	assert_non_null(s->under_way);
	put_discovery(s);
	*link = (struct loom_link){.kind = &kind, .state = s};
}

void stream_link_tear_down(struct stream_link *s)
{
	assert_false(s->bad);
	free(s->map);
	free(s->table);
	free(s->counts);
	free(s->ring);
	free(s->ring_first);
	free(s->ring_n);
	free(s->n_fed);
	free(s->n_sent);
	free(s->free_from);
	free(s->last_at);
	free(s->under_way);
	loom_topo_free(&s->topo);
}
