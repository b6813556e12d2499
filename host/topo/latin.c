// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <flitloom/math/latin.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

// Rows of at least this size are written past the cache, because they would not stay in it.
#define STREAM_BYTES ((size_t)4 << 20)

uint32_t loom_latin_gray(uint32_t i)
{
	return i ^ i >> 1;
}

static uint32_t reverse(uint32_t x, unsigned m)
{
	uint32_t out = 0;
	for (unsigned b = 0; b < m; b++)
		out |= (x >> b & 1) << (m - 1 - b);
	return out;
}

void loom_latin_row0(uint16_t *out, const struct loom_min *net)
{
	unsigned m = net->m;
	uint32_t n = loom_min_nodes(net);
	for (uint32_t j = 0; j < n; j++) {
		uint32_t to = j;
		switch (net->kind) {
		case LOOM_MIN_BASELINE:
		case LOOM_MIN_RBASELINE: to = reverse(j, m); break;
		case LOOM_MIN_OMEGA:
		case LOOM_MIN_ROMEGA: break;
		case LOOM_MIN_ICUBE: to = (j << 1 & (n - 1)) | j >> (m - 1); break;
		case LOOM_MIN_RICUBE: to = j >> 1 | (j & 1) << (m - 1); break;
		}
		out[j] = (uint16_t)to;
	}
}

bool loom_latin_crosses(const struct loom_min *net, uint32_t i, unsigned s)
{
	return loom_latin_gray(i) >> loom_min_tag_bit(net, s) & 1;
}

// Writes a row that stays in the cache, with the widest stores of the processor.
#if defined __x86_64__ && defined __GNUC__ && !defined __clang__
__attribute__((target_clones("avx2", "default"), optimize("O3")))
#endif
static void
row(uint16_t *restrict out, const uint16_t *restrict row0, size_t n, uint16_t flip)
{
	for (size_t j = 0; j < n; j++)
		out[j] = row0[j] ^ flip;
}

#ifdef __SSE2__
// Writes a row past the cache, in whole cache lines: `out` is on a 64-byte boundary, and n is a multiple of 32.
static void stream_row(uint16_t *restrict out, const uint16_t *restrict row0, size_t n, uint16_t flip)
{
	__m128i by = _mm_set1_epi16((short)flip);
	for (size_t j = 0; j < n; j += 32)
		for (size_t k = j; k < j + 32; k += 8)
			_mm_stream_si128((__m128i *)(void *)(out + k),
			                 _mm_xor_si128(_mm_loadu_si128((const __m128i *)(const void *)(row0 + k)), by));
}
#endif

void loom_latin_rows(uint16_t *out, const uint16_t *row0, unsigned m, uint32_t first, size_t n_rows)
{
	size_t n = (size_t)1 << m;
#ifdef __SSE2__
	if (n_rows * n * sizeof *out >= STREAM_BYTES && n % 32 == 0 && (uintptr_t)out % 64 == 0) {
		for (size_t i = 0; i < n_rows; i++)
			stream_row(out + i * n, row0, n, (uint16_t)loom_latin_gray(first + (uint32_t)i));
		_mm_sfence();
		return;
	}
#endif
	for (size_t i = 0; i < n_rows; i++)
		row(out + i * n, row0, n, (uint16_t)loom_latin_gray(first + (uint32_t)i));
}
