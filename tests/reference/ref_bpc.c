// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Bit permutations as [Sahni97] defines and prints them.
#include "ref_otis.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint32_t ref_bpc_destination(const struct ref_bpc *a, uint32_t source)
{
	uint32_t destination = 0;
	for (unsigned i = 0; i < a->bits; i++) {
		unsigned m = source >> i & 1, d = a->minus[i] ? 1 - m : m;
		destination |= (uint32_t)d << a->to[i];
	}
	return destination;
}

void ref_bpc_text(char out[128], const struct ref_bpc *a)
{
	size_t used = 0;
	for (unsigned i = a->bits; i-- > 0;)
		used += (size_t)snprintf(out + used, 128 - used, "%s%s%u", i + 1 == a->bits ? "[" : ",",
		                         a->minus[i] ? "-" : "", a->to[i]);
	(void)snprintf(out + used, 128 - used, "]");
}

// Appends the entries from `first` down to `last` (or up to it), in steps of `by`; entries are printed A_(p-1) first.
static void run(struct ref_bpc *out, unsigned *left, unsigned first, unsigned last, unsigned by)
{
	int step = first > last ? -(int)by : (int)by;
	for (int value = (int)first;; value += step) {
		out->to[--*left] = (unsigned)value;
		if (value == (int)last)
			break;
	}
}

const char *ref_bpc_table3(struct ref_bpc *out, unsigned k, unsigned p)
{
	static const char *const names[] = {"transpose",      "shuffle",     "unshuffle",          "bit-reverse",
	                                    "vector-reverse", "bit-shuffle", "shuffled-row-major", "gypx-swap"};
	unsigned left = p;
	if (k >= sizeof names / sizeof names[0])
		return NULL;
	*out = (struct ref_bpc){.bits = p};
	switch (k) {
	case 0: // [p/2-1, ..., 0, p-1, ..., p/2]
		run(out, &left, p / 2 - 1, 0, 1);
		run(out, &left, p - 1, p / 2, 1);
		break;
	case 1: // [0, p-1, p-2, ..., 1]
		run(out, &left, 0, 0, 1);
		run(out, &left, p - 1, 1, 1);
		break;
	case 2: // [p-2, p-3, ..., 0, p-1]
		run(out, &left, p - 2, 0, 1);
		run(out, &left, p - 1, p - 1, 1);
		break;
	case 3: // [0, 1, ..., p-1]
		run(out, &left, 0, p - 1, 1);
		break;
	case 4: // [-(p-1), -(p-2), ..., -0]
		run(out, &left, p - 1, 0, 1);
		memset(out->minus, 1, p * sizeof out->minus[0]);
		break;
	case 5: // [p-1, p-3, ..., 1, p-2, p-4, ..., 0]
		run(out, &left, p - 1, 1, 2);
		run(out, &left, p - 2, 0, 2);
		break;
	case 6: // [p-1, p/2-1, p-2, p/2-2, ..., p/2, 0]
		for (unsigned i = 0; i < p / 2; i++) {
			run(out, &left, p - 1 - i, p - 1 - i, 1);
			run(out, &left, p / 2 - 1 - i, p / 2 - 1 - i, 1);
		}
		break;
	default: // [p-1, ..., 3p/4, p/2-1, ..., p/4, 3p/4-1, ..., p/2, p/4-1, ..., 0]
		run(out, &left, p - 1, 3 * p / 4, 1);
		run(out, &left, p / 2 - 1, p / 4, 1);
		run(out, &left, 3 * p / 4 - 1, p / 2, 1);
		run(out, &left, p / 4 - 1, 0, 1);
	}
	if (left != 0)
		abort();
	return names[k];
}

void ref_bpc_number(struct ref_bpc *out, unsigned bits, uint64_t k)
{
	unsigned free_place[REF_BPC_BITS_MAX];
	*out = (struct ref_bpc){.bits = bits};
	for (unsigned i = 0; i < bits; i++, k /= 2) {
		out->minus[i] = k % 2;
		free_place[i] = i;
	}
	for (unsigned i = 0, n = bits; i < bits; i++, n--) {
		unsigned pick = (unsigned)(k % n);
		k /= n;
		out->to[i] = free_place[pick];
		free_place[pick] = free_place[n - 1];
	}
}
