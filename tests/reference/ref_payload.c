// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Payload and signature bit by bit, from the register map's text (PAYLOAD_BITS and SIGNATURE in docs/registers.md).
#include "reference.h"

static void shift(bool out[32], const bool in[32], int by) // up; down if by < 0
{
	for (int i = 0; i < 32; i++)
		out[i] = i - by >= 0 && i - by < 32 && in[i - by];
}

static void xorshift(bool x[32])
{
	static const int steps[] = {13, -17, 5};
	for (int s = 0; s < 3; s++) {
		bool moved[32];
		shift(moved, x, steps[s]);
		for (int i = 0; i < 32; i++)
			x[i] ^= moved[i];
	}
}

// Multiplies v by x, modulo the polynomial whose terms below x^n are set in `terms`.
static void times_x(bool v[32], unsigned n, uint32_t terms)
{
	bool top = v[n - 1];
	for (unsigned i = n - 1; i > 0; i--)
		v[i] = v[i - 1];
	v[0] = false;
	for (unsigned i = 0; i < n; i++)
		v[i] ^= top && (terms >> i & 1u);
}

// Shifts down by one; if a 1 is shifted out, inverts the bits of the polynomial.
static void next_sum(bool v[32], unsigned n)
{
	static const unsigned turn_12[] = {11, 10, 7, 5}, turn_16[] = {15, 14, 12, 3};
	static const unsigned turn_32[] = {31, 30, 29, 27, 26, 24, 23, 21, 20, 19, 15, 9, 8, 5};
	const unsigned *turn = n == 12 ? turn_12 : n == 16 ? turn_16 : turn_32;
	bool out = v[0];
	for (unsigned i = 0; i + 1 < n; i++)
		v[i] = v[i + 1];
	v[n - 1] = false;
	for (unsigned k = 0; out && k < (n == 32 ? 14 : 4); k++)
		v[turn[k]] = !v[turn[k]];
}

// Returns the bit of the state that a flit has at i: a wide flit repeats the state, each time rotated up by one bit more.
static unsigned shown_bit(unsigned i, unsigned flit_bits, unsigned state_bits)
{
	unsigned again = 2 * flit_bits > 3 * state_bits ? i / state_bits : 0;
	return (i + state_bits * (again + 1) - again) % state_bits;
}

uint32_t ref_payload_signature(uint32_t seed, unsigned flit_bits, unsigned label_bits, unsigned state_bits,
                               unsigned signature_bits, uint32_t source, uint32_t number, unsigned n_flits)
{
	bool state[32] = {false}, sum[32] = {false};
	uint32_t out = 0;
	for (unsigned i = 0; i < state_bits; i++) {
		bool of_name = i < label_bits ? source >> i & 1u : number >> (i - label_bits) & 1u;
		state[i] = i == state_bits - 1 || (seed >> i & 1u) != of_name;
	}
	for (unsigned i = 0; i < signature_bits; i++)
		sum[i] = true;
	for (unsigned k = 1; k < n_flits; k++) {
		if (state_bits == 32)
			xorshift(state);
		else
			times_x(state, 16, 1u << 5 | 1u << 3 | 1u << 2 | 1u);
		next_sum(sum, signature_bits);
		for (unsigned i = 0; i < flit_bits; i++)
			sum[i % signature_bits] ^= state[shown_bit(i, flit_bits, state_bits)];
	}
	for (unsigned i = 0; i < signature_bits; i++)
		out |= (uint32_t)sum[i] << i;
	return out;
}
