// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Slim Fly [Besta14]: the graphs of McKay, Miller and Siran of diameter 2, as written by [Hafner04]. q = 4w + delta is
// a prime power, and delta is -1, 0 or 1. There are 2 q^2 nodes with (3q - delta) / 2 links each. Node q^2 s + q x + y,
// with s 0 or 1 and x, y of the field of q elements, has these links:
//
//     (0, x, y) - (0, x, z)     if y - z is in X          (0, x, y) - (1, m, c)     if y = m x + c
//     (1, m, c) - (1, m, d)     if c - d is in X'
//
// Let e be a primitive element. For delta 1 and 0, X has its even powers and X' its odd powers, up to the power q - 1.
// For delta -1, X has its even powers below 2w - 1 and its odd powers from there on, and X' is e X.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "topo/made.h"
#include "topo/topo_size.h"

#define Q_MOST 22

// Classes of links: within a half, and between the halves.
enum { LOCAL, GLOBAL, N_CLASSES };
static const char *const classes[N_CLASSES] = {"local", "global"};

// A finite field. An element's number has the coefficients of its polynomial as digits in base p.
struct field {
	uint32_t p, m, q;
	uint32_t power[Q_MOST]; // the q - 1 powers of the primitive element
	uint32_t log[Q_MOST];
};

static uint32_t add(const struct field *f, uint32_t a, uint32_t b)
{
	uint32_t sum = 0;
	for (uint32_t i = 0, unit = 1; i < f->m; i++, unit *= f->p, a /= f->p, b /= f->p)
		sum += (a % f->p + b % f->p) % f->p * unit;
	return sum;
}

static uint32_t subtract(const struct field *f, uint32_t a, uint32_t b)
{
	for (uint32_t n = 1; n < f->p; n++)
		a = add(f, a, b);
	return a;
}

static uint32_t multiply(const struct field *f, uint32_t a, uint32_t b)
{
	return a == 0 || b == 0 ? 0 : f->power[(f->log[a] + f->log[b]) % (f->q - 1)];
}

// Computes the powers of x if x^m is the element x_m. Returns true if x is primitive: its powers are all elements but
// 0.
static bool take_powers(struct field *f, uint32_t x_m)
{
	const uint32_t high = f->q / f->p;
	uint32_t value = 1;
	bool seen[Q_MOST] = {false};
	for (uint32_t i = 0; i + 1 < f->q; i++) {
		if (value == 0 || seen[value])
			return false;
		seen[value] = true;
		f->power[i] = value;
		f->log[value] = i;
		uint32_t top = value / high;
		for (value = value % high * f->p; top > 0; top--)
			value = add(f, value, x_m);
	}
	return true;
}

static bool make_field(struct field *f, uint32_t q)
{
	*f = (struct field){.p = 2, .m = 1, .q = q};
	while (q % f->p != 0)
		f->p++;
	for (uint32_t product = f->p; product != q; product *= f->p, f->m++)
		if (q % product != 0 || product > q)
			return false;
	for (uint32_t x_m = 1; x_m < q; x_m++)
		if (take_powers(f, x_m))
			return true;
	return false;
}

// Makes the two sets as masks: in[0] is X, in[1] is X'.
static void make_sets(bool in[2][Q_MOST], const struct field *f)
{
	const uint32_t q = f->q, w = (q + 1) / 4;
	memset(in, 0, 2 * sizeof in[0]);
	in[1][1] = q % 2 == 0; // the power q - 1, which is odd
	for (uint32_t i = 0; i + 1 < q; i++) {
		if (q % 4 != 3) {
			in[i % 2][f->power[i]] = true;
		} else if (i % 2 == (i >= 2 * w - 1)) {
			in[0][f->power[i]] = true;
			in[1][f->power[(i + 1) % (q - 1)]] = true;
		}
	}
}

static void add_links(struct loom_graph_wires *out, const struct field *f)
{
	const uint32_t q = f->q;
	bool in[2][Q_MOST];
	make_sets(in, f);
	for (uint32_t u = 0; u < 2 * q * q; u++) {
		const uint32_t s = u / (q * q), x = u / q % q, y = u % q;
		for (uint32_t z = y + 1; z < q; z++)
			if (in[s][subtract(f, y, z)])
				loom_made_add(out, u, u - y + z, LOCAL);
		for (uint32_t m = 0; s == 0 && m < q; m++)
			loom_made_add(out, u, q * q + q * m + subtract(f, y, multiply(f, m, x)), GLOBAL);
	}
}

static int make(struct loom_graph_wires *out, char usual[LOOM_TOPO_SIZE], const struct loom_topo_kind *kind,
                const char *size, struct loom_err *err)
{
	uint32_t q;
	unsigned n;
	struct field field;
	const char *end = loom_made_numbers(&q, &n, 1, size, ',');
	if (!end || *end || q < 3 || q > Q_MOST || q % 4 == 2 || !make_field(&field, q))
		return loom_made_fail_size(kind, "5", err);
	const uint64_t degree = (3 * q + (q % 4 == 3) - (q % 4 == 1)) / 2;
	int rc = loom_made_begin(out, 2 * (uint64_t)q * q, (uint64_t)q * q * degree, err);
	if (rc != 0)
		return rc;
	add_links(out, &field);
	out->n_link_classes = N_CLASSES;
	loom_made_add_extent(out, q);
	loom_made_add_extent(out, q);
	loom_made_add_extent(out, 2);
	(void)snprintf(usual, LOOM_TOPO_SIZE, "%" PRIu32, q);
	return 0;
}

const struct loom_topo_kind loom_topo_kind_slim_fly = {
	.name = "slim-fly",
	.sizes = "3|4|5|7|8|9|11|13|16|17|19[v2..v8]",
	.size_is = "q, a prime power from 3 to 19",
	.help = "2 q^2 nodes, of which any two are two links apart at most, with about 1.5 q links each",
	.make = make,
	.link_classes = classes,
	LOOM_MADE_DEFAULTS,
};
