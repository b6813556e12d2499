// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// What messages by a rule that lets routers choose can put on channels.
#include <stdlib.h>

#include "plan/routes/rule_internal.h"

// All ways of a message by one of these rules are as long as one another. So it takes one link of each of these layers, which are the links
// that it may take after so many others; and it must take a link that is the only one of its layer.
struct layers {
	struct loom_states states;
	uint32_t *here, *behind; // owned: states
	bool *is_there;          // owned: of each state, that it is in `behind`
	bool *is_taken;          // owned: of each channel, that the message may take it now
};

static int init(struct layers *l, const struct loom_topo *t, unsigned rule, struct loom_err *err)
{
	*l = (struct layers){0};
	int rc = loom_states_init(&l->states, t, rule, NULL, err);
	if (rc != 0)
		return rc;
	const size_t n = loom_states_count(&l->states);
	l->here = malloc(n * sizeof *l->here);
	l->behind = malloc(n * sizeof *l->behind);
	l->is_there = calloc(n, sizeof *l->is_there);
	l->is_taken = calloc(loom_topo_channels(t), sizeof *l->is_taken);
	return l->here && l->behind && l->is_there && l->is_taken
	               ? 0
	               : loom_fail(err, LOOM_ENOMEM, "out of memory for loads of %.120s", t->name);
}

static void free_layers(struct layers *l)
{
	free(l->here);
	free(l->behind);
	free(l->is_there);
	free(l->is_taken);
	loom_states_free(&l->states);
}

// The states of the next layer. Returns how many; *n_taken, *first: the channels that lead there.
static uint32_t go_on(struct layers *l, uint32_t n, struct loom_rule_loads *loads)
{
	const struct loom_states *s = &l->states;
	const uint32_t per_tile = loom_topo_channels_per_tile(s->topo);
	uint32_t n_behind = 0, n_taken = 0, first = 0;
	for (uint32_t i = 0; i < n; i++) {
		const uint64_t lanes = s->choice(s, l->here[i]).lanes;
		for (unsigned p = 0; p < loom_topo_links(s->topo); p++) {
			if (!loom_states_lanes(s, lanes, p))
				continue;
			const uint32_t to = loom_states_next(s, l->here[i], p);
			const uint32_t channel = loom_states_node(s, l->here[i]) * per_tile + p;
			if (!l->is_taken[channel]) {
				l->is_taken[channel] = true;
				loads->most[channel]++;
				first = n_taken++ ? first : channel;
			}
			if (!l->is_there[to] && loom_states_node(s, to) != s->destination) {
				l->is_there[to] = true;
				l->behind[n_behind++] = to;
			}
		}
	}
	loads->least[first] += n_taken == 1;
	// The marks go again.
	for (uint32_t i = 0; i < n; i++)
		for (unsigned p = 0; p < loom_topo_links(s->topo); p++)
			l->is_taken[loom_states_node(s, l->here[i]) * per_tile + p] = false;
	for (uint32_t i = 0; i < n_behind; i++)
		l->is_there[l->behind[i]] = false;
	return n_behind;
}

static void add_message(struct layers *l, struct loom_rule_loads *loads, uint32_t source, uint32_t destination)
{
	const struct loom_topo *t = l->states.topo;
	const uint32_t per_tile = loom_topo_channels_per_tile(t);
	const uint32_t inject = source * per_tile + t->ports, eject = destination * per_tile + t->ports - 1;
	uint32_t n = 0;
	if (l->states.destination != destination)
		loom_states_turn_to(&l->states, destination);
	l->here[n++] = loom_states_start(&l->states, source);
	while (n > 0) {
		uint32_t *was = l->here;
		n = go_on(l, n, loads);
		l->here = l->behind;
		l->behind = was;
	}
	loads->least[inject]++;
	loads->most[inject]++;
	loads->least[eject]++;
	loads->most[eject]++;
}

int loom_rule_add_loads(struct loom_rule_loads *loads, const struct loom_topo *t, unsigned rule, const uint32_t *source,
                        const uint32_t *destination, size_t n, struct loom_err *err)
{
	struct layers l;
	int rc = init(&l, t, rule, err);
	for (size_t i = 0; rc == 0 && i < n; i++)
		if (source[i] != destination[i])
			add_message(&l, loads, source[i], destination[i]);
	free_layers(&l);
	return rc;
}
