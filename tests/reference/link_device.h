// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LINK_DEVICE_H
#define LINK_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The board's side of docs/protocol.md, written from that page alone, byte by byte and slow. Two functions are its
// register port.
enum { LINK_DEVICE_MAX_WORDS = 64, LINK_DEVICE_RX_BYTES = 512, LINK_DEVICE_OUT_BYTES = 1 << 16 };

struct link_device {
	void *user;
	uint32_t (*read)(void *user, uint32_t address);
	void (*write)(void *user, uint32_t address, uint32_t word);
	unsigned version; // the words of a hello
	uint32_t clock_hz, baud;

	bool in_session;
	uint32_t nonce;
	uint8_t expected;
	uint32_t n_damaged, n_refused, n_lost;

	size_t n_in; // above LINK_DEVICE_RX_BYTES - 1 there was no room
	uint8_t in[LINK_DEVICE_RX_BYTES];
	size_t n_out, out_at; // bytes out[out_at .. n_out) wait to be sent; the caller that takes them moves out_at
	uint8_t out[LINK_DEVICE_OUT_BYTES];
};

// Puts the device into the state after power-up or reset: no session. Fields above the gap keep their values.
void link_device_reset(struct link_device *device);
void link_device_take(struct link_device *device, uint8_t byte);

#endif
