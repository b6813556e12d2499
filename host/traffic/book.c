// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "traffic/book.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/routes/choice.h>
#include <flitloom/routes/route_tables.h>

#include "base/room.h"
#include "plan/light.h"
#include "plan/rule_ways.h"

int loom_book_begin(struct loom_book *out, const struct loom_routing *routing, const struct loom_routing *of_replies,
                    const struct loom_chip *chip, uint32_t payload_seed, struct loom_err *err)
{
	const size_t n = routing->topo->n_nodes;
	*out = (struct loom_book){.topo = routing->topo,
	                          .routing = {*routing, *of_replies},
	                          .payload = {.seed = payload_seed,
	                                      .flit_bits = chip->flit_bits,
	                                      .label_bits = chip->label_bits,
	                                      .state_bits = chip->payload_bits,
	                                      .signature_bits = chip->signature_bits},
	                          .program_depth = chip->program_depth,
	                          .n_rules = routing->rule == of_replies->rule ? 1 : 2,
	                          .has_light = loom_light_matters(routing->topo)};
	LOOM_ARRAY(&out->arrays, out->source, n);
	LOOM_ARRAY(&out->arrays, out->pair, n * n * out->n_rules);
	if (loom_routing_has_via(routing))
		LOOM_ARRAY(&out->arrays, out->due, loom_topo_channels(routing->topo));
	return out->arrays.is_short ? loom_fail(err, LOOM_ENOMEM, "no memory for the messages of %zu nodes", n) : 0;
}

void loom_book_free(struct loom_book *b)
{
	for (uint32_t v = 0; b->source && v < b->topo->n_nodes; v++)
		free(b->source[v].entry);
	loom_arrays_free(&b->arrays);
	*b = (struct loom_book){0};
}

static void __attribute__((format(printf, 2, 3))) differ(struct loom_book *b, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	if (b->n_mismatches++ == 0)
		(void)vsnprintf(b->mismatch, sizeof b->mismatch, format, list);
	va_end(list);
}

static struct loom_book_pair *pair(const struct loom_book *b, uint32_t source, uint32_t destination, unsigned rule)
{
	return &b->pair[((size_t)source * b->topo->n_nodes + destination) * b->n_rules + rule];
}

// Returns the index of the rule by which a message goes.
static unsigned rule_of(const struct loom_book *b, bool is_reply)
{
	return b->n_rules == 2 && is_reply;
}

// Adds a message whose way was drawn to the channels on its way.
static void add_due(struct loom_book *b, uint32_t source, const struct loom_queued *m)
{
	struct loom_route route;
	uint32_t channel;
	loom_routing_begin(&route, &b->routing[0], source, m->destination, m->via);
	while (loom_route_next(&route, &channel)) {
		b->due[channel].worms++;
		b->due[channel].flits += m->flits;
	}
}

int loom_book_offer(struct loom_book *b, uint32_t source, const struct loom_queued *message, struct loom_err *err)
{
	struct loom_book_pair *of_pair = pair(b, source, message->destination, rule_of(b, message->is_reply));
	struct loom_book_source *s = &b->source[source];
	if (s->first > 0 && s->first + s->n == s->size) {
		memmove(s->entry, s->entry + s->first, s->n * sizeof *s->entry);
		s->first = 0;
	}
	if (!LOOM_ROOM(s->entry, s->size, s->n + 1))
		return loom_fail(err, LOOM_ENOMEM, "no memory for %zu messages of node %" PRIu32, s->n + 1, source);
	s->entry[s->first + s->n++] =
		(struct loom_book_entry){.destination = message->destination,
	                                 .release = message->release,
	                                 .flits = message->flits,
	                                 .without_wait = loom_book_without_wait(b, source, message),
	                                 .is_reply = message->is_reply,
	                                 .of_class = message->of_class,
	                                 .via = message->via,
	                                 .number = s->n_offered};
	s->n_offered++;
	of_pair->sent++;
	of_pair->flits += message->flits;
	if (b->due)
		add_due(b, source, message);
	b->n_offered++;
	b->n_outstanding++;
	return 0;
}

uint32_t loom_book_without_wait(struct loom_book *b, uint32_t source, const struct loom_queued *m)
{
	const unsigned rule = rule_of(b, m->is_reply);
	uint16_t *known = &pair(b, source, m->destination, rule)->without_wait;
	if (b->has_light || b->due)
		return loom_routing_without_wait(&b->routing[rule], m->flits, source, m->destination, m->via);
	if (*known)
		return *known + m->flits - 1;
	const uint32_t cycles = loom_routing_without_wait(&b->routing[rule], 1, source, m->destination, 0);
	if (cycles <= UINT16_MAX)
		*known = (uint16_t)cycles;
	return cycles + m->flits - 1;
}

static bool is_from_to(const struct loom_book_entry *e, uint32_t destination)
{
	return !e->arrived && e->destination == destination;
}

// Returns the index of the oldest outstanding message to the same node with the same rule as message i. Messages of
// different rules may overtake one another. There is always one: message i itself.
static size_t oldest(const struct loom_book *b, const struct loom_book_source *s, size_t i)
{
	const struct loom_book_entry *e = &s->entry[s->first + i];
	size_t k = 0;
	while (k < i && !(is_from_to(&s->entry[s->first + k], e->destination) &&
	                  rule_of(b, s->entry[s->first + k].is_reply) == rule_of(b, e->is_reply)))
		k++;
	return k;
}

// Returns the number that message i carries.
static uint32_t number_of(const struct loom_book *b, const struct loom_book_source *s, size_t i)
{
	return (uint32_t)(s->entry[s->first + i].number % b->program_depth);
}

static void cross_out(struct loom_book *b, struct loom_book_source *s, size_t i)
{
	s->entry[s->first + i].arrived = true;
	b->n_outstanding--;
	while (s->n > 0 && s->entry[s->first].arrived) {
		s->first++;
		s->n--;
	}
}

// Returns the destination that an arrival must have in its header. If messages carry the labels of their ways, it is
// the node number that the label stands for.
static uint32_t destination_of(const struct loom_book *b, const struct loom_arrival *a)
{
	const uint32_t n = b->topo->n_nodes;
	if (!loom_routing_tables(&b->routing[0]))
		return a->node;
	const uint32_t label = loom_routing_label(&b->routing[0], a->source, a->node);
	return label < n ? label : n + label; // see node_of in host/device/device_logs.c
}

static void compare(struct loom_book *b, const struct loom_arrival *a, const struct loom_book_entry *e)
{
	const uint32_t wanted =
		loom_payload_signature(&b->payload, loom_topo_label(b->topo, a->source), a->number, e->flits);
	const uint64_t earliest = (uint64_t)e->release + e->without_wait - 1;
	if (a->flits != e->flits)
		differ(b,
		       "message %" PRIu32 " from %" PRIu32 " to %" PRIu32 " arrived with %" PRIu32 " flits of %" PRIu32,
		       a->number, a->source, a->node, a->flits, e->flits);
	else if (a->destination != destination_of(b, a))
		differ(b, "message %" PRIu32 " from %" PRIu32 " to %" PRIu32 " arrived with a label of another way",
		       a->number, a->source, a->node);
	else if (a->via != e->via)
		differ(b,
		       "message %" PRIu32 " from %" PRIu32 " to %" PRIu32 " went through %" PRIu32 " and not %" PRIu32,
		       a->number, a->source, a->node, a->via, e->via);
	else if (!a->intact || a->signature != wanted)
		differ(b,
		       "message %" PRIu32 " from %" PRIu32 " to %" PRIu32 " arrived damaged: signature 0x%08" PRIx32
		       ", not 0x%08" PRIx32,
		       a->number, a->source, a->node, a->signature, wanted);
	else if (a->last_cycle < earliest || (uint64_t)a->first_cycle + a->flits > (uint64_t)a->last_cycle + 1)
		differ(b,
		       "message %" PRIu32 " from %" PRIu32 " to %" PRIu32 ", released in cycle %" PRIu32
		       ", arrived in cycle %" PRIu32 "; it takes until %" PRIu64 " at least",
		       a->number, a->source, a->node, e->release, a->last_cycle, earliest);
}

// True if the rule of the arrival is that of this message. If all messages have one rule, a wrong rule in the header is
// not noticed here.
static bool goes_by(const struct loom_book *b, const struct loom_arrival *a, const struct loom_book_entry *e)
{
	return b->n_rules == 1 ||
	       a->rule == loom_routing_rule(&b->routing[rule_of(b, e->is_reply)], a->source, a->node);
}

bool loom_book_arrive(struct loom_book *b, const struct loom_arrival *a, struct loom_book_entry *out)
{
	if (!loom_routing_tables(&b->routing[0]) && a->destination != a->node) {
		differ(b, "node %" PRIu32 " received a message from %" PRIu32 " to %" PRIu32, a->node, a->source,
		       a->destination);
		return false;
	}
	if (a->source >= b->topo->n_nodes) {
		differ(b, "node %" PRIu32 " received a message from no node (%" PRIu32 ")", a->node, a->source);
		return false;
	}
	struct loom_book_source *s = &b->source[a->source];
	size_t i = 0;
	while (i < s->n && !(is_from_to(&s->entry[s->first + i], a->node) && number_of(b, s, i) == a->number &&
	                     goes_by(b, a, &s->entry[s->first + i])))
		i++;
	if (i == s->n) {
		differ(b,
		       "node %" PRIu32 " received message %" PRIu32 " from %" PRIu32
		       ": it was never sent, or had arrived",
		       a->node, a->number, a->source);
		return false;
	}
	// If routers choose, or ways are drawn, messages may overtake one another.
	const size_t first = loom_routing_chooses(&b->routing[0]) || b->due ? i : oldest(b, s, i);
	if (i != first)
		differ(b, "node %" PRIu32 " received message %" PRIu32 " from %" PRIu32 " before message %" PRIu32,
		       a->node, a->number, a->source, number_of(b, s, first));
	*out = s->entry[s->first + i];
	compare(b, a, out);
	cross_out(b, s, i);
	return true;
}

void loom_book_close(struct loom_book *b)
{
	for (uint32_t v = 0; v < b->topo->n_nodes; v++) {
		const struct loom_book_source *s = &b->source[v];
		for (size_t i = 0; i < s->n; i++)
			if (!s->entry[s->first + i].arrived)
				differ(b, "message %" PRIu32 " from %" PRIu32 " to %" PRIu32 " never arrived",
				       number_of(b, s, i), v, s->entry[s->first + i].destination);
	}
}

// Bounds of the messages on each channel, if routers choose.
struct may {
	uint64_t sent, flits;                              // by the present pair
	uint64_t *least, *most, *flits_least, *flits_most; // by channel
};

static void add(void *user, uint32_t channel, bool is_only)
{
	const struct may *may = user;
	may->most[channel] += may->sent;
	may->flits_most[channel] += may->flits;
	may->least[channel] += is_only ? may->sent : 0;
	may->flits_least[channel] += is_only ? may->flits : 0;
}

// Compares the counts with the choices of the routers: each channel carries between the least and the most that the
// rule allows, and all channels together as much as shortest ways need.
static int compare_chosen(struct loom_book *b, const struct loom_count *counts, struct loom_err *err)
{
	const uint32_t n = b->topo->n_nodes, n_channels = loom_topo_channels(b->topo);
	struct loom_rule_ways ways = {0};
	uint64_t *sums = calloc(4 * (size_t)n_channels, sizeof *sums), wanted = 0, carried = 0;
	struct may may = {.least = sums,
	                  .most = sums + n_channels,
	                  .flits_least = sums + 2 * (size_t)n_channels,
	                  .flits_most = sums + 3 * (size_t)n_channels};
	int rc = sums ? loom_rule_ways_begin(&ways, b->topo, err)
	              : loom_fail(err, LOOM_ENOMEM, "no memory for the loads of %" PRIu32 " channels", n_channels);
	for (size_t at = 0; rc == 0 && at < (size_t)n * n * b->n_rules; at++) {
		const struct loom_book_pair *of = &b->pair[at];
		const uint32_t v = (uint32_t)(at / b->n_rules / n), w = (uint32_t)(at / b->n_rules % n);
		const unsigned rule = loom_routing_rule(&b->routing[at % b->n_rules], v, w);
		may.sent = of->sent;
		may.flits = of->flits;
		if (of->sent == 0)
			continue;
		loom_rule_ways_visit(&ways, rule, v, w, add, &may);
		wanted += of->flits * loom_route_length(b->topo, v, w, (enum loom_rule)rule);
	}
	for (uint32_t c = 0; rc == 0 && c < n_channels; c++) {
		char name[48];
		carried += counts[c].flits;
		if (!loom_topo_channel_exists(b->topo, c) ||
		    (counts[c].worms >= may.least[c] && counts[c].worms <= may.most[c] &&
		     counts[c].flits >= may.flits_least[c] && counts[c].flits <= may.flits_most[c]))
			continue;
		loom_topo_channel_name(b->topo, c, name);
		differ(b,
		       "channel %s carried %" PRIu32 " messages, %" PRIu32 " flits; by the rule %" PRIu64 " to %" PRIu64
		       ", %" PRIu64 " to %" PRIu64,
		       name, counts[c].worms, counts[c].flits, may.least[c], may.most[c], may.flits_least[c],
		       may.flits_most[c]);
	}
	if (rc == 0 && carried != wanted)
		differ(b, "all channels carried %" PRIu64 " flits; by shortest ways it is %" PRIu64, carried, wanted);
	loom_rule_ways_end(&ways);
	free(sums);
	return rc;
}

int loom_book_compare(struct loom_book *b, const struct loom_count *counts, struct loom_err *err)
{
	if (loom_routing_chooses(&b->routing[0]))
		return compare_chosen(b, counts, err);
	const uint32_t n = b->topo->n_nodes, n_channels = loom_topo_channels(b->topo);
	uint64_t *worms = calloc(2 * (size_t)n_channels, sizeof *worms), *flits = worms + n_channels;
	uint32_t channel;
	if (!worms)
		return loom_fail(err, LOOM_ENOMEM, "no memory for the loads of %" PRIu32 " channels", n_channels);
	for (uint32_t c = 0; b->due && c < n_channels; c++) {
		worms[c] = b->due[c].worms;
		flits[c] = b->due[c].flits;
	}
	for (uint32_t v = 0; !b->due && v < n; v++)
		for (uint32_t w = 0; w < n; w++) {
			for (unsigned rule = 0; rule < b->n_rules; rule++) {
				const struct loom_book_pair *of = pair(b, v, w, rule);
				struct loom_route route;
				if (of->sent == 0)
					continue;
				loom_routing_begin(&route, &b->routing[rule], v, w, 0);
				while (loom_route_next(&route, &channel)) {
					worms[channel] += of->sent;
					flits[channel] += of->flits;
				}
			}
		}
	for (uint32_t c = 0; c < n_channels; c++)
		if (loom_topo_channel_exists(b->topo, c) &&
		    (counts[c].worms != worms[c] || counts[c].flits != flits[c])) {
			char name[48];
			loom_topo_channel_name(b->topo, c, name);
			differ(b,
			       "channel %s carried %" PRIu32 " messages, %" PRIu32 " flits; the routes say %" PRIu64
			       ", %" PRIu64,
			       name, counts[c].worms, counts[c].flits, worms[c], flits[c]);
		}
	free(worms);
	return 0;
}
