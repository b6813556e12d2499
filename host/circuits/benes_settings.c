// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Sets the 2x2 switches of a Benes network for a matching. The looping algorithm gives each message a middle line
// (loom_benes_two_pass). From its sender to that line, and from there to its receiver, a message has only one path.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/circuits.h>
#include <flitloom/math/benes.h>

// Copies a matching, and joins the senders without light to the receivers without light.
static int complete(uint32_t *f, uint8_t *taken, const uint32_t *to, uint32_t n, struct loom_err *err)
{
	uint32_t spare = 0;
	memset(taken, 0, n);
	for (uint32_t i = 0; i < n; i++) {
		if (to[i] == LOOM_CIRCUIT_NO_PORT)
			continue;
		if (to[i] >= n || taken[to[i]])
			return loom_fail(err, LOOM_EINPUT,
			                 "not a matching: node %" PRIu32 " sends to node %" PRIu32 "%s", i, to[i],
			                 to[i] >= n ? ", which does not exist" : ", as another one does");
		taken[to[i]] = 1;
	}
	for (uint32_t i = 0; i < n; i++) {
		f[i] = to[i];
		if (to[i] != LOOM_CIRCUIT_NO_PORT)
			continue;
		while (taken[spare])
			spare++;
		f[i] = spare++;
	}
	return 0;
}

// Returns the number of the switch that a line enters: the line number without bit b.
static uint32_t switch_of(uint32_t line, unsigned b)
{
	return line >> (b + 1) << b | (line & ((UINT32_C(1) << b) - 1));
}

// Sets the switches on the path of one message, stage by stage. Up to the middle, each stage replaces one bit of the
// line by that of the middle line, the lowest bit first. From there on, each stage replaces one bit by that of the
// receiver, the highest bit first. The middle stage does both for the highest bit.
static void set_way(uint8_t *crossed, uint32_t half, unsigned k, uint32_t sender, uint32_t middle, uint32_t receiver)
{
	uint32_t line = sender;
	for (unsigned s = 0; s < 2 * k - 1; s++) {
		const unsigned b = s < k ? s : 2 * k - 2 - s;
		const uint32_t turn = (line ^ (s + 1 < k ? middle : receiver)) & UINT32_C(1) << b;
		crossed[(size_t)s * half + switch_of(line, b)] = turn != 0;
		line ^= turn;
	}
}

int loom_circuit_settings(uint8_t *crossed, const uint32_t *to, uint32_t n_nodes, struct loom_err *err)
{
	const size_t n = n_nodes;
	uint32_t *f = calloc(3 * n, sizeof *f);
	uint8_t *taken = malloc(n);
	const unsigned k = (loom_benes_stages(n_nodes) + 1) / 2;
	int rc = f && taken ? complete(f, taken, to, n_nodes, err)
	                    : loom_fail(err, LOOM_ENOMEM, "out of memory for the switches between %" PRIu32 " nodes",
	                                n_nodes);
	if (rc == 0)
		rc = loom_benes_two_pass(f + n, f + 2 * n, f, k, err);
	for (uint32_t i = 0; rc == 0 && i < n_nodes; i++)
		set_way(crossed, n_nodes / 2, k, i, f[n + i], f[i]);
	free(f);
	free(taken);
	return rc;
}

int loom_circuit_count_turns(uint64_t *out, const struct loom_circuit_schedule *schedule, struct loom_err *err)
{
	const size_t n = (size_t)loom_benes_stages(schedule->n_nodes) * (schedule->n_nodes / 2);
	uint8_t *now = malloc(2 * n), *before = now ? now + n : NULL, *both = now;
	int rc = now ? 0
	             : loom_fail(err, LOOM_ENOMEM, "out of memory for the switches between %" PRIu32 " nodes",
	                         schedule->n_nodes);
	*out = 0;
	for (uint32_t on = 0; rc == 0 && on < schedule->n_switches; on++)
		for (size_t k = 0; rc == 0 && k < schedule->on[on].n_slots; k++) {
			uint8_t *other = before;
			rc = loom_circuit_settings(now, schedule->on[on].slot[k].to, schedule->n_nodes, err);
			for (size_t i = 0; rc == 0 && k > 0 && i < n; i++)
				*out += now[i] != before[i];
			before = now;
			now = other;
		}
	free(both);
	return rc;
}
