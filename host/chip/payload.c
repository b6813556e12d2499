// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <stdbool.h>

#include <flitloom/math/payload.h>

static uint64_t mask(uint32_t bits)
{
	return bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX;
}

static uint32_t first_state(const struct loom_payload *p, uint32_t source, uint32_t number)
{
	uint32_t top = UINT32_C(1) << (p->state_bits - 1);
	return top | ((p->seed ^ (number << p->label_bits | source)) & (top - 1));
}

static uint32_t next_state(const struct loom_payload *p, uint32_t x)
{
	if (p->state_bits == 16)
		return (x << 1 & 0xffffu) ^ (x >> 15 ? 0x2du : 0);
	x ^= x << 13;
	x ^= x >> 17;
	return x ^ x << 5;
}

// Returns the state, rotated to the left.
static uint32_t turned(const struct loom_payload *p, uint32_t state, uint32_t by)
{
	by %= p->state_bits;
	return by ? (uint32_t)((state << by | state >> (p->state_bits - by)) & mask(p->state_bits)) : state;
}

// Adds a part of a flit, which begins at bit `at`, to a signature.
static uint64_t add_part(uint64_t signature, uint64_t part, uint32_t at, uint32_t bits)
{
	for (part <<= at % bits; part; part >>= bits)
		signature ^= part;
	return signature;
}

// Returns the next signature. In a flit that is wider than the state, the state is repeated. If the flit is wider than
// one and a half states, each repetition is rotated by one bit more.
static uint32_t sign(const struct loom_payload *p, uint32_t signature, uint32_t state)
{
	const uint32_t bits = p->signature_bits;
	const uint32_t taps = bits == 12 ? 0xca0u : bits == 16 ? 0xd008u : 0xedb88320u;
	const bool turns = 2 * p->flit_bits > 3 * p->state_bits;
	uint64_t next = signature >> 1 ^ (signature & 1u ? taps : 0);
	for (uint32_t at = 0, j = 0; at < p->flit_bits; at += p->state_bits, j++)
		next = add_part(next, turned(p, state, turns ? j : 0) & mask(p->flit_bits - at), at, bits);
	return (uint32_t)(next & mask(bits));
}

uint32_t loom_payload_signature(const struct loom_payload *p, uint32_t source, uint32_t number, uint32_t flits)
{
	if (p->signature_bits == 0)
		return 0;
	uint32_t signature = (uint32_t)mask(p->signature_bits), state = first_state(p, source, number);
	for (uint32_t k = 1; k < flits; k++) {
		state = next_state(p, state);
		signature = sign(p, signature, state);
	}
	return signature;
}
