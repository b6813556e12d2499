// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
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

// A flit is wider than the state only where the state then begins again.
static uint64_t flit_of(const struct loom_payload *p, uint32_t state)
{
	uint64_t flit = 0;
	for (uint32_t at = 0; at < p->flit_bits; at += p->state_bits)
		flit |= (uint64_t)state << at;
	return flit & mask(p->flit_bits);
}

static uint32_t sign(const struct loom_payload *p, uint32_t signature, uint64_t flit)
{
	const uint32_t bits = p->signature_bits;
	const uint32_t taps = bits == 12 ? 0xca0u : bits == 16 ? 0xd008u : 0xedb88320u;
	uint64_t next = signature >> 1 ^ (signature & 1u ? taps : 0);
	for (; flit; flit >>= bits)
		next ^= flit;
	return (uint32_t)(next & mask(bits));
}

uint32_t loom_payload_signature(const struct loom_payload *p, uint32_t source, uint32_t number, uint32_t flits)
{
	if (p->signature_bits == 0)
		return 0;
	uint32_t signature = (uint32_t)mask(p->signature_bits), state = first_state(p, source, number);
	for (uint32_t k = 1; k < flits; k++) {
		state = next_state(p, state);
		signature = sign(p, signature, flit_of(p, state));
	}
	return signature;
}
