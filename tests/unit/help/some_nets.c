// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "some_nets.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint64_t random_state;

void random_start(uint64_t seed)
{
	random_state = seed;
	(void)random_below(2); // neighbouring seeds begin alike
}

unsigned random_below(unsigned n)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)((random_state >> 33) % n);
}

struct ref_net net_of(const char *name)
{
	struct ref_net net = {0};

	if (ref_net_parse(&net, name) != 0)
		fail_msg("%s is not read", name);
	return net;
}

void random_net(struct ref_net *out)
{
	unsigned n_nodes;

	do {
		*out = (struct ref_net){.kind = (enum ref_kind)random_below(5)};
		out->n_extents = out->kind == REF_LINE || out->kind == REF_RING ? 1 : 1 + random_below(4);
		n_nodes = 1;
		for (unsigned d = 0; d < out->n_extents; d++) {
			out->extent[d] = out->kind == REF_CUBE ? 2
			                 : out->n_extents == 1 ? 2 + random_below(15)
			                                       : 1 + random_below(7);
			n_nodes *= out->extent[d];
		}
	} while (n_nodes < 2 || n_nodes > NODES_MAX);
}

unsigned distance_by_search(const struct ref_net *net, unsigned from, unsigned to)
{
	bool reached[NODES_MAX] = {false};
	unsigned n = 0;

	reached[from] = true;
	while (!reached[to]) {
		bool before[NODES_MAX];

		memcpy(before, reached, sizeof(before));
		n++;
		assert_true(n <= NODES_MAX);
		for (unsigned u = 0; u < ref_net_nodes(net); u++) {
			for (unsigned p = 0; before[u] && p < ref_net_links(net); p++) {
				unsigned v;
				unsigned q;

				if (ref_net_link(&v, &q, net, u, p))
					reached[v] = true;
			}
		}
	}
	return n;
}

size_t circle_of(const struct ref_net *net, const struct ref_way *way, size_t n)
{
	static size_t circle[CHANNELS_MAX];
	size_t length = 12345;

	assert_int_equal(ref_circle_find(circle, &length, net, way, n), 0);
	if (length > 0)
		assert_int_equal(ref_circle_is(circle, length, net, way, n), 1);
	return length;
}
