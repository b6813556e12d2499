// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "link_device.h"

#include <string.h>

enum { DAMAGED = 1, OUT_OF_ORDER, MALFORMED, NO_ROOM };

static uint32_t crc(const uint8_t *bytes, size_t n)
{
	uint32_t c = 0xFFFFFFFFu;
	for (size_t bit = 0; bit < 8 * n; bit++) {
		uint32_t in = ((uint32_t)bytes[bit / 8] >> bit % 8 & 1u) ^ (c & 1u);
		c = c >> 1 ^ (in ? 0xEDB88320u : 0);
	}
	return ~c;
}

static uint32_t number32(const uint8_t *b)
{
	return b[0] + 256u * b[1] + 65536u * b[2] + 16777216u * b[3];
}

static void send(struct link_device *d, const uint8_t *body, size_t n)
{
	uint8_t all[4 * 256 + 16];
	memcpy(all, body, n);
	for (uint32_t c = crc(body, n), i = 0; i < 4; i++, c /= 256)
		all[n++] = (uint8_t)(c % 256);
	if (d->out_at == d->n_out)
		d->out_at = d->n_out = 0;
	if (d->n_out + n + n / 254 + 2 > sizeof d->out) {
		d->n_lost++;
		return;
	}
	// Encodes block by block: a block has the bytes before the next zero, at most 254.
	for (size_t at = 0;;) {
		size_t run = 0;
		while (at + run < n && run < 254 && all[at + run] != 0)
			run++;
		d->out[d->n_out++] = (uint8_t)(run + 1);
		memcpy(d->out + d->n_out, all + at, run);
		d->n_out += run;
		at += run;
		if (at == n)
			break;
		if (run < 254)
			at++; // the block's length stands for the zero
		if (at == n && run < 254) {
			d->out[d->n_out++] = 1; // it was the last byte
			break;
		}
	}
	d->out[d->n_out++] = 0;
}

static void refuse(struct link_device *d, uint8_t reason)
{
	const uint8_t body[] = {0x84, d->expected, reason};
	uint32_t *count = reason == DAMAGED ? &d->n_damaged : reason == NO_ROOM ? &d->n_lost : &d->n_refused;
	if (*count < 65535)
		(*count)++;
	send(d, body, sizeof body);
}

static uint32_t read_word(struct link_device *d, uint32_t address)
{
	const uint32_t own[] = {0x4b4e494c, 1, d->clock_hz, d->baud, d->n_damaged, d->n_refused, d->n_lost};
	if (address < 0xF0000000u)
		return d->read(d->user, address);
	return address - 0xF0000000u < sizeof own / sizeof own[0] ? own[address - 0xF0000000u] : 0;
}

// Reads the commands and, with `act`, carries them out. Returns the number of words; 0: malformed.
static unsigned commands(struct link_device *d, const uint8_t *b, size_t n, bool act, uint8_t *answer)
{
	bool write = b[0] == 2;
	unsigned total = 0;
	size_t at = 2;
	if (n == 2)
		return 0;
	while (at < n) {
		if (n - at < 5 || (b[at] & 0x40))
			return 0;
		unsigned words = (b[at] & 0x3fu) + 1;
		bool fixed = b[at] & 0x80;
		uint32_t address = number32(b + at + 1);
		at += 5;
		if (total + words > LINK_DEVICE_MAX_WORDS || (write && n - at < 4 * words))
			return 0;
		for (unsigned i = 0; i < words; i++, total++) {
			uint32_t a = fixed ? address : address + i;
			if (act && write && a < 0xF0000000u)
				d->write(d->user, a, number32(b + at));
			if (act && !write)
				for (uint32_t w = read_word(d, a), k = 0; k < 4; k++, w /= 256)
					answer[2 + 4 * total + k] = (uint8_t)(w % 256);
			at += write ? 4 : 0;
		}
	}
	return total;
}

static void hello(struct link_device *d, const uint8_t *b)
{
	if (!d->in_session || d->nonce != number32(b + 2)) {
		d->in_session = true;
		d->nonce = number32(b + 2);
		d->expected = (uint8_t)(b[1] + 1);
	}
	const uint8_t body[] = {0x83,
	                        b[1],
	                        b[2],
	                        b[3],
	                        b[4],
	                        b[5],
	                        (uint8_t)d->version,
	                        LINK_DEVICE_MAX_WORDS,
	                        LINK_DEVICE_RX_BYTES % 256,
	                        LINK_DEVICE_RX_BYTES / 256};
	send(d, body, sizeof body);
}

static void request(struct link_device *d, const uint8_t *b, size_t n)
{
	uint8_t answer[2 + 4 * LINK_DEVICE_MAX_WORDS];
	if (b[0] == 3 && n == 6) {
		hello(d, b);
		return;
	}
	if (b[0] != 1 && b[0] != 2) {
		refuse(d, MALFORMED);
		return;
	}
	unsigned words = commands(d, b, n, false, answer);
	if (words == 0) {
		refuse(d, MALFORMED);
		return;
	}
	uint8_t behind = (uint8_t)(d->expected - b[1]);
	if (!d->in_session || behind > 128) {
		refuse(d, OUT_OF_ORDER);
		return;
	}
	if (b[0] == 1 || behind == 0)
		commands(d, b, n, true, answer);
	if (behind == 0)
		d->expected++;
	answer[0] = (uint8_t)(0x80 + b[0]);
	answer[1] = b[1];
	send(d, answer, b[0] == 1 ? 2 + 4 * words : 2);
}

void link_device_reset(struct link_device *d)
{
	d->in_session = false;
	d->nonce = 0;
	d->expected = 0;
	d->n_damaged = d->n_refused = d->n_lost = 0;
	d->n_in = d->n_out = d->out_at = 0;
}

void link_device_take(struct link_device *d, uint8_t byte)
{
	uint8_t plain[LINK_DEVICE_RX_BYTES];
	size_t n = 0;
	if (byte) {
		if (d->n_in < LINK_DEVICE_RX_BYTES - 1)
			d->in[d->n_in] = byte;
		if (d->n_in < LINK_DEVICE_RX_BYTES)
			d->n_in++;
		return;
	}
	size_t n_in = d->n_in;
	d->n_in = 0;
	if (n_in == 0)
		return;
	if (n_in == LINK_DEVICE_RX_BYTES) {
		refuse(d, NO_ROOM);
		return;
	}
	for (size_t at = 0; at < n_in;) {
		uint8_t code = d->in[at++];
		for (uint8_t k = 1; k < code; k++) {
			if (at == n_in) {
				refuse(d, DAMAGED);
				return;
			}
			plain[n++] = d->in[at++];
		}
		if (code != 255 && at != n_in)
			plain[n++] = 0;
	}
	if (n < 6 || crc(plain, n - 4) != number32(plain + n - 4)) {
		refuse(d, DAMAGED);
		return;
	}
	request(d, plain, n - 4);
}
