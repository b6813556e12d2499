// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef FTDI_CHIP_H
#define FTDI_CHIP_H

#include <linux/usbdevice_fs.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "links/vline.h"

// An FT2232H whose channel B is wired to a simulated board, as its USB host sees it. The host gets its answers at the
// end of a USB frame of a millisecond; packets go every eighth of it. Time is the board's.
#define CHIP_VENDOR 0x0403u
#define CHIP_PRODUCT 0x6010u
#define CHIP_URBS 64u

struct chip_urb {
	struct usbdevfs_urb *urb; // the caller's, with its buffer, until it is given back
	void *user;
	int done;   // bytes moved
	int status; // -EINPROGRESS, until the host may have it back
	bool active, complete;
};

struct ftdi_chip {
	struct loom_vline *board;
	unsigned clock_hz;
	uint64_t cycles;                 // the board's, at the last microframe
	struct chip_urb urbs[CHIP_URBS]; // in the order of submission
	unsigned n_urbs;
	unsigned latency_ms, microframe; // of 8
	unsigned since_packet;           // microframes since the last packet in
	unsigned baud;
	uint64_t damaged;             // of the board's line, as reported so far
	uint64_t bytes_out, bytes_in; // data, to and from the board
	uint64_t bytes_left;          // until the plug is pulled
	bool silent;                  // pulled means: it says nothing any more
	bool gone;
	uint64_t blind_cycles; // passed since then: nobody can see what the board does, so it does nothing
};

void ftdi_chip_init(struct ftdi_chip *chip, struct loom_vline *board, unsigned clock_hz);
size_t ftdi_chip_descriptors(uint8_t *out, size_t max); // device, then configuration
// 0 or a negative errno. The chip holds `urb` until ftdi_chip_take or ftdi_chip_discard gives its `user` back.
int ftdi_chip_submit(struct ftdi_chip *chip, struct usbdevfs_urb *urb, void *user);
void *ftdi_chip_take(struct ftdi_chip *chip);               // the next that is done, or NULL
bool ftdi_chip_discard(struct ftdi_chip *chip, void *user); // true: take gives it next, as cancelled
void ftdi_chip_frame(struct ftdi_chip *chip);               // lets a millisecond pass

#endif
