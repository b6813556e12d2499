// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "ref_min.h"

#include <stdlib.h>
#include <string.h>

// A line number as [Yang00] writes it: the most significant bit first.
static void to_text(char *text, uint32_t x, unsigned m)
{
	for (unsigned i = 0; i < m; i++)
		text[i] = x & UINT32_C(1) << (m - 1 - i) ? '1' : '0';
	text[m] = '\0';
}

static uint32_t move(const char *name, unsigned m, unsigned s, uint32_t x)
{
	char text[33], moved[33];
	to_text(text, x, m);
	memcpy(moved, text, sizeof moved);
	if (!strcmp(name, "baseline")) {
		// pi_i keeps the i most significant bits; of the others the last goes to the front.
		if (s > 0 && s < m) {
			unsigned i = s - 1;
			moved[i] = text[m - 1];
			memcpy(moved + i + 1, text + i, m - i - 1);
		}
	} else if (!strcmp(name, "omega")) {
		if (s < m) {
			memcpy(moved, text + 1, m - 1);
			moved[m - 1] = text[0];
		}
	} else if (!strcmp(name, "icube")) {
		// tau_i exchanges p_0 and p_(i+1).
		if (s > 0 && s < m) {
			unsigned i = s - 1;
			moved[m - 1] = text[m - 1 - (i + 1)];
			moved[m - 1 - (i + 1)] = text[m - 1];
		}
	} else {
		abort();
	}
	return (uint32_t)strtoul(moved, NULL, 2);
}

void ref_min_build(struct ref_min *out, const char *name, unsigned m)
{
	bool reverse = name[0] == 'r';
	out->m = m;
	out->n = 1u << m;
	for (unsigned s = 0; s <= m; s++)
		for (uint32_t x = 0; x < out->n; x++) {
			uint32_t y = move(name + reverse, m, s, x);
			if (reverse) {
				out->wire[m - s][y] = x;
				out->unwire[m - s][x] = y;
			} else {
				out->wire[s][x] = y;
				out->unwire[s][y] = x;
			}
		}
}

void ref_min_evaluate(uint32_t *destination_of, const struct ref_min *net, bool crossed[][REF_MIN_N_MAX / 2])
{
	for (uint32_t x = 0; x < net->n; x++) {
		uint32_t line = x;
		for (unsigned s = 0; s < net->m; s++) {
			line = net->wire[s][line];
			if (crossed[s][line / 2])
				line = line % 2 ? line - 1 : line + 1;
		}
		destination_of[x] = net->wire[net->m][line];
	}
}

bool ref_min_path(uint32_t *line, const struct ref_min *net, uint32_t source, uint32_t destination)
{
	static bool back[REF_MIN_M_MAX][REF_MIN_N_MAX];
	bool forth[REF_MIN_N_MAX] = {false};
	memset(back, 0, sizeof back);
	back[net->m - 1][net->unwire[net->m][destination]] = true;
	for (unsigned s = net->m - 1; s > 0; s--)
		for (uint32_t x = 0; x < net->n; x++)
			if (back[s][x])
				for (uint32_t in = x - x % 2; in < x - x % 2 + 2; in++)
					back[s - 1][net->unwire[s][in]] = true;
	forth[source] = true;
	for (unsigned s = 0; s < net->m; s++) {
		bool next[REF_MIN_N_MAX] = {false};
		unsigned both = 0;
		for (uint32_t x = 0; x < net->n; x++)
			if (forth[x])
				for (uint32_t out = net->wire[s][x] & ~1u, end = out + 2; out < end; out++)
					next[out] = true;
		for (uint32_t x = 0; x < net->n; x++)
			if (next[x] && back[s][x]) {
				line[s] = x;
				both++;
			}
		if (both != 1)
			return false;
		memcpy(forth, next, sizeof forth);
	}
	return true;
}
