// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "ref_cut.h"

#include <errno.h>

struct state {
	unsigned n, n_passes;
	bool meets[REF_CUT_MAX][REF_CUT_MAX];
	const uint64_t *length;
	unsigned pass[REF_CUT_MAX];
	struct ref_cut best;
};

// Tries message i in each existing pass and in a new one. Messages before it have their passes.
static void place(struct state *s, unsigned i)
{
	if (i == s->n) {
		uint64_t sum = 0;
		for (unsigned p = 0; p < s->n_passes; p++) {
			uint64_t longest = 0;
			for (unsigned k = 0; k < s->n; k++)
				if (s->pass[k] == p && s->length[k] > longest)
					longest = s->length[k];
			sum += longest;
		}
		s->best.passes = s->n_passes < s->best.passes ? s->n_passes : s->best.passes;
		s->best.length = sum < s->best.length ? sum : s->best.length;
		return;
	}
	unsigned n_passes = s->n_passes;
	for (unsigned p = 0; p <= n_passes; p++) {
		bool fits = true;
		for (unsigned k = 0; k < i; k++)
			fits = fits && !(s->pass[k] == p && s->meets[i][k]);
		if (!fits)
			continue;
		s->pass[i] = p;
		s->n_passes = p == n_passes ? n_passes + 1 : n_passes;
		place(s, i + 1);
		s->n_passes = n_passes;
	}
}

int ref_cut_best(struct ref_cut *out, const struct ref_net *net, const struct ref_way *way, const uint64_t *length,
                 unsigned n)
{
	static size_t channel[REF_CUT_MAX][REF_NODES_MAX + 2];
	size_t n_channels[REF_CUT_MAX];
	struct state s = {.n = n, .length = length, .best = {n + 1, UINT64_MAX}};
	if (n > REF_CUT_MAX || !ref_net_is_legal(net, way, n))
		return -EINVAL;
	for (unsigned i = 0; i < n; i++) {
		n_channels[i] = ref_net_walk(channel[i], net, &way[i]);
		for (unsigned k = 0; k < i; k++)
			for (size_t a = 0; a < n_channels[i]; a++)
				for (size_t b = 0; b < n_channels[k]; b++)
					s.meets[i][k] = s.meets[i][k] || channel[i][a] == channel[k][b];
	}
	place(&s, 0);
	*out = s.best;
	return 0;
}
