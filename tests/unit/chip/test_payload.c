// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Signatures of generated payload: against the reference, by hand, and that messages which differ have different ones.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <flitloom/math/payload.h>

#include "reference/reference.h"
#include "base/rng.h"

static void test_by_hand(void **state)
{
	(void)state;
	// Start 0x80000005; its successor 0x8a5154a1 by xorshift 13-17-5. All ones shifted and fed back: 0x92477cdf.
	struct loom_payload p = {.seed = 5, .flit_bits = 32, .label_bits = 4, .state_bits = 32, .signature_bits = 32};
	uint32_t x = 0x80000005u;
	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	assert_int_equal(loom_payload_signature(&p, 0, 0, 1), 0xffffffffu);
	assert_int_equal(loom_payload_signature(&p, 0, 0, 2), 0x92477cdfu ^ x);
	// Start 0x8000 ^ (3 << 2 | 1) = 0x800d; its successor 0x0037; 11 bits of it. 0xfff shifted and fed back: 0xb5f.
	p = (struct loom_payload){.flit_bits = 11, .label_bits = 2, .state_bits = 16, .signature_bits = 12};
	assert_int_equal(loom_payload_signature(&p, 1, 3, 1), 0xfff);
	assert_int_equal(loom_payload_signature(&p, 1, 3, 2), 0xb5f ^ 0x037);
	p.signature_bits = 0;
	assert_int_equal(loom_payload_signature(&p, 1, 3, 2), 0);
}

static void test_reference(void **state)
{
	(void)state;
	static const uint32_t widths[] = {12, 16, 32}, states[] = {16, 32};
	struct loom_rng rng;
	loom_rng_init(&rng, 20261121);
	for (int i = 0; i < 3000; i++) {
		struct loom_payload p = {.seed = (uint32_t)loom_rng_below(&rng, UINT64_C(1) << 32),
		                         .label_bits = 1 + (uint32_t)loom_rng_below(&rng, 10),
		                         .state_bits = states[loom_rng_below(&rng, 2)],
		                         .signature_bits = widths[loom_rng_below(&rng, 3)]};
		p.flit_bits =
			2 * p.label_bits + 4 + (uint32_t)loom_rng_below(&rng, i % 2 ? 24 : 480); // past 32 as well
		uint32_t source = (uint32_t)loom_rng_below(&rng, UINT64_C(1) << p.label_bits);
		uint32_t number = (uint32_t)loom_rng_below(&rng, 1 + (UINT64_C(1) << (15 - p.label_bits)));
		uint32_t flits = 1 + (uint32_t)loom_rng_below(&rng, 70);
		assert_int_equal(loom_payload_signature(&p, source, number, flits),
		                 ref_payload_signature(p.seed, p.flit_bits, p.label_bits, p.state_bits,
		                                       p.signature_bits, source, number, flits));
	}
}

// Flits as wide as can be, and as wide as one state or a few: nothing is shifted beyond a word.
static void test_whole_states(void **state)
{
	(void)state;
	static const uint32_t states[] = {16, 32}, signatures[] = {12, 16, 32};
	for (unsigned s = 0; s < 2; s++)
		for (uint32_t bits = states[s]; bits <= 512; bits += states[s])
			for (unsigned k = 0; k < 3; k++) {
				const struct loom_payload p = {.seed = 77,
				                               .flit_bits = bits,
				                               .label_bits = 3,
				                               .state_bits = states[s],
				                               .signature_bits = signatures[k]};
				for (uint32_t flits = 1; flits < 20; flits++)
					assert_int_equal(loom_payload_signature(&p, 5, 9, flits),
					                 ref_payload_signature(77, bits, 3, states[s], signatures[k], 5,
					                                       9, flits));
			}
}

// Another number, source, seed or length gives another signature, except once in 2^32.
static void tell_apart(uint32_t flit_bits)
{
	const struct loom_payload p = {
		.seed = 7, .flit_bits = flit_bits, .label_bits = 3, .state_bits = 32, .signature_bits = 32};
	struct loom_payload other = p;
	other.seed = 6;
	for (uint32_t flits = 2; flits < 50; flits++) {
		uint32_t signature = loom_payload_signature(&p, 2, 9, flits);
		assert_int_not_equal(signature, loom_payload_signature(&p, 3, 9, flits));
		assert_int_not_equal(signature, loom_payload_signature(&p, 2, 8, flits));
		assert_int_not_equal(signature, loom_payload_signature(&p, 2, 9, flits + 1));
		assert_int_not_equal(signature, loom_payload_signature(&other, 2, 9, flits));
	}
}

static void test_tells_apart(void **state)
{
	static const uint32_t widths[] = {32, 48, 49, 64, 65, 96, 128, 256, 512};
	(void)state;
	for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++)
		tell_apart(widths[i]);
}

// Payload of another message, under a good header: the two shift registers must not cancel each other's differences,
// whatever the length. (Of two that shift the same way every second length hides a bit.)
static void test_shift_registers(void **state)
{
	(void)state;
	static const uint32_t widths[] = {12, 16};
	for (int w = 0; w < 2; w++) {
		const struct loom_payload p = {.flit_bits = w ? 19 : 11,
		                               .label_bits = w ? 4 : 2,
		                               .state_bits = 16,
		                               .signature_bits = widths[w]};
		uint32_t n_same = 0, n_all = 0;
		for (uint32_t flits = 2; flits < 60; flits++)
			for (uint32_t number = 1; number < 16; number++, n_all++)
				n_same += loom_payload_signature(&p, 1, number, flits) ==
				          loom_payload_signature(&p, 1, 0, flits);
		assert_true(n_same * 200 < n_all);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_by_hand),         cmocka_unit_test(test_reference),
		cmocka_unit_test(test_whole_states),    cmocka_unit_test(test_tells_apart),
		cmocka_unit_test(test_shift_registers),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
