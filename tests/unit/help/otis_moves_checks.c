// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "otis_moves_checks.h"
#include "pattern/pattern_internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static uint32_t one_step(uint32_t side, uint32_t node, unsigned direction)
{
	uint32_t n = side * side, g = node / n, p = node % n, x = p % side, y = p / side;
	if (direction == LOOM_OTIS_LIGHT) {
		assert_int_not_equal(g, p);
		return p * n + g;
	}
	x = direction == LOOM_OTIS_RIGHT ? x + 1 : direction == LOOM_OTIS_LEFT ? x - 1 : x;
	y = direction == LOOM_OTIS_DOWN ? y + 1 : direction == LOOM_OTIS_UP ? y - 1 : y;
	assert_true(x < side && y < side);
	return g * n + y * side + x;
}

void otis_check_moves(const struct loom_otis_moves *m, const uint32_t *source, const uint32_t *destination)
{
	uint32_t n_nodes = m->side * m->side * m->side * m->side, electronic = 0, otis = 0;
	uint32_t *at = calloc(m->n_items + 1, sizeof *at), *sent = calloc(n_nodes, sizeof *sent);
	assert_true(at && sent);
	for (uint32_t i = 0; i < m->n_items; i++)
		at[i] = source ? source[i] : i;
	assert_int_equal(m->first[0], 0);
	for (uint32_t s = 0; s < m->n_steps; s++) {
		assert_true(m->first[s + 1] > m->first[s]);
		*(m->direction[s] == LOOM_OTIS_LIGHT ? &otis : &electronic) += 1;
		for (size_t k = m->first[s]; k < m->first[s + 1]; k++) {
			const struct loom_otis_hop *hop = &m->hop[k];
			assert_true(hop->item < m->n_items);
			assert_int_equal(at[hop->item], hop->from);
			if (sent[hop->from] == s + 1)
				fail_msg("step %u: two items leave node %u", s, hop->from);
			sent[hop->from] = s + 1;
		}
		for (size_t k = m->first[s]; k < m->first[s + 1]; k++)
			at[m->hop[k].item] = one_step(m->side, m->hop[k].from, m->direction[s]);
	}
	assert_int_equal(m->electronic, electronic);
	assert_int_equal(m->otis, otis);
	assert_memory_equal(at, m->at, m->n_items * sizeof *at);
	for (uint32_t i = 0; destination && i < m->n_items; i++)
		if (at[i] != destination[i])
			fail_msg("%s: item %u is on node %u, not %u", m->by, i, at[i], destination[i]);
	free(at);
	free(sent);
}

static const char *word_at(const json_t *vector, size_t i, char out[16])
{
	const json_t *value = json_array_get(vector, i);
	if (json_is_string(value))
		return json_string_value(value);
	(void)snprintf(out, 16, "%d", (int)json_integer_value(value));
	return out;
}

void otis_bpc_of_json(struct loom_lcc *out, const json_t *vector)
{
	char text[256] = "", word[16];
	struct loom_err err = {0};
	for (size_t i = 0; i < json_array_size(vector); i++) {
		size_t used = strlen(text);
		(void)snprintf(text + used, sizeof text - used, "%s%s", i ? "," : "", word_at(vector, i, word));
	}
	if (loom_bpc_parse(out, text, strlen(text), "golden", &err) != 0)
		fail_msg("%s: %s", text, err.text);
}

uint32_t otis_bpc_image(const json_t *vector, uint32_t x)
{
	size_t n = json_array_size(vector);
	uint32_t y = 0;
	for (size_t k = 0; k < n; k++) {
		char word[16];
		const char *text = word_at(vector, k, word);
		uint32_t bit = x >> (n - 1 - k) & 1;
		y |= (bit ^ (*text == '-')) << atoi(text + (*text == '-'));
	}
	return y;
}
