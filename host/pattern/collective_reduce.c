// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
// All-reduce: every rank begins with a vector, and ends with the sum of all vectors.
#include "pattern/collective.h"

static uint64_t piece(const struct collective *c, uint32_t i)
{
	return loom_collective_pieces(c->bytes, i, i + (uint64_t)1, c->n);
}

// Cuts the vector into n pieces. In n - 1 steps each piece goes round the ring and is summed up; in n - 1 more the
// sums go round.
void loom_collective_ring(struct collective *c)
{
	uint32_t n = c->n, r = c->rank, to = (r + 1) % n, from = (r + n - 1) % n;
	for (uint32_t step = 0; step + 1 < n; step++) {
		uint32_t out = (r + n - step) % n, in = (r + n - step - 1) % n;
		loom_collective_send(c, to, piece(c, out), out);
		loom_collective_recv(c, from, piece(c, in), in);
		loom_collective_next_step(c);
		loom_collective_calc(c, piece(c, in));
		loom_collective_next_step(c);
	}
	for (uint32_t step = 0; step + 1 < n; step++) {
		uint32_t out = (r + 1 + n - step) % n, in = (r + n - step) % n;
		loom_collective_send(c, to, piece(c, out), out);
		loom_collective_recv(c, from, piece(c, in), in);
		loom_collective_next_step(c);
	}
}

// The ranks that take part. The other algorithms are for 2^k ranks. With n ranks, n - 2^k even ones first send their
// vector to their odd neighbour, and receive the sum from it at the end; those that take part are numbered anew.
struct part {
	uint32_t size; // 2^k
	uint32_t rest; // n - 2^k
	uint32_t self; // UINT32_MAX: takes no part
};

static struct part begin(struct collective *c)
{
	struct part p = {.size = 1};
	while (p.size <= c->n / 2)
		p.size *= 2;
	p.rest = c->n - p.size;
	if (c->rank >= 2 * p.rest) {
		p.self = c->rank - p.rest;
	} else if (c->rank % 2 == 0) {
		p.self = UINT32_MAX;
		loom_collective_send(c, c->rank + 1, c->bytes, 0);
		loom_collective_next_step(c);
	} else {
		p.self = c->rank / 2;
		loom_collective_recv(c, c->rank - 1, c->bytes, 0);
		loom_collective_next_step(c);
		loom_collective_calc(c, c->bytes);
		loom_collective_next_step(c);
	}
	return p;
}

static void end(struct collective *c, const struct part *p)
{
	if (c->rank >= 2 * p->rest)
		return;
	if (c->rank % 2 == 0)
		loom_collective_recv(c, c->rank + 1, c->bytes, 0);
	else
		loom_collective_send(c, c->rank - 1, c->bytes, 0);
	loom_collective_next_step(c);
}

static uint32_t rank_of(const struct part *p, uint32_t self)
{
	return self < p->rest ? 2 * self + 1 : self + p->rest;
}

// Exchanges in step k the whole vector with the rank at distance 2^k.
void loom_collective_recursive_doubling(struct collective *c)
{
	struct part p = begin(c);
	for (uint32_t mask = 1; p.self != UINT32_MAX && mask < p.size; mask *= 2) {
		uint32_t other = rank_of(&p, p.self ^ mask);
		loom_collective_send(c, other, c->bytes, 0);
		loom_collective_recv(c, other, c->bytes, 0);
		loom_collective_next_step(c);
		loom_collective_calc(c, c->bytes);
		loom_collective_next_step(c);
	}
	end(c, &p);
}

static uint64_t pieces(const struct collective *c, const struct part *p, uint32_t first, uint32_t last)
{
	return loom_collective_pieces(c->bytes, first, last, p->size);
}

// Cuts the vector into 2^k pieces. In step k each rank sends half of its part to the rank at distance 2^k, and goes
// on with the other half, until one piece is left. Then the sums go back the same ways.
void loom_collective_rabenseifner(struct collective *c)
{
	struct part p = begin(c);
	uint32_t first = 0, last = p.size, mask = 1;
	for (; p.self != UINT32_MAX && mask < p.size; mask *= 2) {
		uint32_t other = rank_of(&p, p.self ^ mask), middle = first + (last - first) / 2;
		bool low = !(p.self & mask);
		uint32_t give = low ? middle : first, give_end = low ? last : middle;
		first = low ? first : middle;
		last = low ? middle : last;
		loom_collective_send(c, other, pieces(c, &p, give, give_end), give);
		loom_collective_recv(c, other, pieces(c, &p, first, last), first);
		loom_collective_next_step(c);
		loom_collective_calc(c, pieces(c, &p, first, last));
		loom_collective_next_step(c);
	}
	while (p.self != UINT32_MAX && (mask /= 2) > 0) {
		uint32_t other = rank_of(&p, p.self ^ mask), n = last - first;
		uint32_t take = p.self & mask ? first - n : last;
		loom_collective_send(c, other, pieces(c, &p, first, last), first);
		loom_collective_recv(c, other, pieces(c, &p, take, take + n), take);
		loom_collective_next_step(c);
		first = take < first ? take : first;
		last = first + 2 * n;
	}
	end(c, &p);
}
