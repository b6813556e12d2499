// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "ftdi_chip.h"

#include <errno.h>
#include <string.h>

#include "links/pins.h"

#define PACKET 512u       // bytes of a bulk packet
#define STATUS 2u         // of these, in each that comes in
#define FIFO 4096u        // of a channel, towards the board
#define OUT_ENDPOINT 0x04 // of channel B
#define IN_ENDPOINT 0x83
#define CHANNEL_B 2u
#define MICROFRAMES 8u
#define MODEM_STATUS 0x32u // CTS, DSR; high speed
#define LINE_STATUS 0x60u  // transmitter empty
#define FRAMING_ERROR 0x08u
#define LATENCY_MS 16u // after a reset

// Requests to the chip, by their numbers.
enum { RESET, MODEM_CONTROL, FLOW, BAUD, DATA, POLL_MODEM, EVENT_CHAR, ERROR_CHAR, LATENCY = 9, GET_LATENCY, BIT_MODE };

static const uint8_t device_descriptor[] = {18,
                                            1,
                                            0x00,
                                            0x02,
                                            0,
                                            0,
                                            0,
                                            64,
                                            CHIP_VENDOR & 0xff,
                                            CHIP_VENDOR >> 8,
                                            CHIP_PRODUCT & 0xff,
                                            CHIP_PRODUCT >> 8,
                                            0x00,
                                            0x07,
                                            1,
                                            2,
                                            3,
                                            1};
#define INTERFACE(n, in, out)                                                                                          \
	9, 4, n, 0, 2, 0xff, 0xff, 0xff, 2, 7, 5, in, 2, PACKET & 0xff, PACKET >> 8, 0, 7, 5, out, 2, PACKET & 0xff,   \
		PACKET >> 8, 0
static const uint8_t configuration[] = {
	9, 2, 55, 0, 2, 1, 0, 0x80, 250, INTERFACE(0, 0x81, 0x02), INTERFACE(1, 0x83, 0x04)};
static const char *const strings[] = {NULL, "FTDI", "Dual RS232-HS", "LOOM0001"};

size_t ftdi_chip_descriptors(uint8_t *out, size_t max)
{
	if (max < sizeof device_descriptor + sizeof configuration)
		return 0;
	memcpy(out, device_descriptor, sizeof device_descriptor);
	memcpy(out + sizeof device_descriptor, configuration, sizeof configuration);
	return sizeof device_descriptor + sizeof configuration;
}

void ftdi_chip_init(struct ftdi_chip *chip, struct loom_vline *board, unsigned clock_hz)
{
	*chip = (struct ftdi_chip){.board = board,
	                           .clock_hz = clock_hz,
	                           .cycles = loom_vline_cycles(board),
	                           .latency_ms = LATENCY_MS,
	                           .bytes_left = UINT64_MAX};
}

// --- Control requests ----------------------------------------------------------------------------------------------

static int give(uint8_t *out, const void *from, size_t n, size_t max)
{
	n = n < max ? n : max;
	memcpy(out, from, n);
	return (int)n;
}

static int descriptor(uint8_t *out, unsigned value, size_t max)
{
	uint8_t text[64] = {4, 3, 9, 4};
	unsigned i = value & 0xff, n = 4;
	switch (value >> 8) {
	case 1: return give(out, device_descriptor, sizeof device_descriptor, max);
	case 2: return give(out, configuration, sizeof configuration, max);
	case 3:
		if (i >= sizeof strings / sizeof strings[0])
			return -EPIPE;
		if (i) {
			n = 2;
			for (const char *c = strings[i]; *c; c++, n += 2) {
				text[n] = (uint8_t)*c;
				text[n + 1] = 0;
			}
			text[0] = (uint8_t)n;
		}
		return give(out, text, n, max);
	default: return -EPIPE;
	}
}

// The divisor counts eighths; 12 MHz or, without the bit for high speed, 3 MHz are divided by it.
static int set_baud(struct ftdi_chip *chip, unsigned value, unsigned index)
{
	static const unsigned eighths[] = {0, 4, 2, 1, 3, 5, 6, 7};
	unsigned whole = value & 0x3fff, part = eighths[(value >> 14 | (index >> 8 & 1) << 2) & 7];
	bool fast = index >> 9 & 1;
	unsigned divisor = 8 * whole + part;
	if (!fast && whole == 0 && part == 0)
		chip->baud = 3000000;
	else if (!fast && whole == 1 && part == 0)
		chip->baud = 2000000;
	else if (divisor < 8)
		return -EPIPE;
	else
		chip->baud = (fast ? 12000000u : 3000000u) * 8 / divisor;
	loom_vline_set_baud(chip->board, chip->baud);
	return 0;
}

static int control(struct ftdi_chip *chip, uint8_t *packet)
{
	unsigned type = packet[0], request = packet[1];
	unsigned value = packet[2] | (unsigned)packet[3] << 8, index = packet[4] | (unsigned)packet[5] << 8;
	size_t length = packet[6] | (size_t)packet[7] << 8;
	const uint8_t latency = (uint8_t)chip->latency_ms, modem[] = {MODEM_STATUS, LINE_STATUS},
		      erased[] = {0xff, 0xff};
	if (type == 0x80 && request == 6)
		return descriptor(packet + 8, value, length);
	if (type == 0x00 || type == 0x01)
		return 0;
	if (type == 0xc0 && request == 0x90) // the EEPROM is empty
		return give(packet + 8, erased, sizeof erased, length);
	if ((index & 0xff) != CHANNEL_B) // nothing is wired to channel A
		return type == 0x40 ? 0 : -EPIPE;
	if (type == 0xc0 && request == POLL_MODEM)
		return give(packet + 8, modem, sizeof modem, length);
	if (type == 0xc0 && request == GET_LATENCY)
		return give(packet + 8, &latency, 1, length);
	if (type != 0x40)
		return -EPIPE;
	switch (request) {
	case RESET: loom_vline_discard(chip->board); return 0;
	case BAUD: return set_baud(chip, value, index);
	case LATENCY:
		if (value < 1 || value > 255)
			return -EPIPE;
		chip->latency_ms = value;
		return 0;
	case MODEM_CONTROL:
	case FLOW:
	case DATA:
	case EVENT_CHAR:
	case ERROR_CHAR:
	case BIT_MODE: return 0;
	default: return -EPIPE;
	}
}

// --- What the host asks for ----------------------------------------------------------------------------------------

int ftdi_chip_submit(struct ftdi_chip *chip, struct usbdevfs_urb *urb, void *user)
{
	if (chip->gone && !chip->silent)
		return -ENODEV;
	if (chip->n_urbs == CHIP_URBS)
		return -ENOMEM;
	bool known = urb->type == USBDEVFS_URB_TYPE_CONTROL ||
	             (urb->type == USBDEVFS_URB_TYPE_BULK &&
	              (urb->endpoint == OUT_ENDPOINT || urb->endpoint == IN_ENDPOINT));
	if (!known)
		return -ENOENT;
	// Nothing is written to *urb before it is given back: umockdev then hands over what has changed since.
	chip->urbs[chip->n_urbs++] = (struct chip_urb){.urb = urb, .user = user, .status = -EINPROGRESS};
	return 0;
}

static void *give_back(struct ftdi_chip *chip, unsigned i)
{
	void *user = chip->urbs[i].user;
	chip->urbs[i].urb->actual_length = chip->urbs[i].done;
	chip->urbs[i].urb->status = chip->urbs[i].status;
	memmove(&chip->urbs[i], &chip->urbs[i + 1], (--chip->n_urbs - i) * sizeof chip->urbs[0]);
	return user;
}

void *ftdi_chip_take(struct ftdi_chip *chip)
{
	for (unsigned i = 0; i < chip->n_urbs; i++)
		if (chip->urbs[i].complete && chip->urbs[i].status != -EINPROGRESS)
			return give_back(chip, i);
	return NULL;
}

bool ftdi_chip_discard(struct ftdi_chip *chip, void *user)
{
	for (unsigned i = 0; i < chip->n_urbs; i++)
		if (chip->urbs[i].user == user && chip->urbs[i].status == -EINPROGRESS) {
			chip->urbs[i].status = -ENOENT;
			chip->urbs[i].complete = true;
			return true;
		}
	return false;
}

// --- Packets -------------------------------------------------------------------------------------------------------

// The first on this endpoint that is not done yet.
static struct chip_urb *first(struct ftdi_chip *chip, unsigned char endpoint)
{
	for (unsigned i = 0; i < chip->n_urbs; i++) {
		struct chip_urb *u = &chip->urbs[i];
		if (u->active && !u->complete && u->urb->type == USBDEVFS_URB_TYPE_BULK && u->urb->endpoint == endpoint)
			return u;
	}
	return NULL;
}

static void count(struct ftdi_chip *chip, uint64_t *bytes, size_t n)
{
	*bytes += n;
	if (chip->bytes_left != UINT64_MAX)
		chip->bytes_left -= n < chip->bytes_left ? n : chip->bytes_left;
	chip->gone |= chip->bytes_left == 0;
}

static void packets_out(struct ftdi_chip *chip)
{
	struct chip_urb *u;
	while (!chip->gone && (u = first(chip, OUT_ENDPOINT))) {
		size_t n = (size_t)(u->urb->buffer_length - u->done);
		n = n < PACKET ? n : PACKET;
		size_t used = LOOM_PINS_FIFO - loom_vline_room(chip->board);
		if (used + n > FIFO)
			return;
		(void)loom_vline_put(chip->board, (const uint8_t *)u->urb->buffer + u->done, n);
		u->done += (int)n;
		count(chip, &chip->bytes_out, n);
		u->complete = u->done == u->urb->buffer_length;
	}
}

// A full packet as soon as there is one; what there is, be it nothing, when the latency timer says so.
static void packets_in(struct ftdi_chip *chip)
{
	struct chip_urb *u;
	while (!chip->gone && (u = first(chip, IN_ENDPOINT))) {
		size_t room = (size_t)(u->urb->buffer_length - u->done), n = loom_vline_waiting(chip->board);
		bool late = chip->since_packet >= MICROFRAMES * chip->latency_ms;
		if (n < PACKET - STATUS && !late)
			return;
		if (room < PACKET) {
			u->complete = true;
			continue;
		}
		n = n < PACKET - STATUS ? n : PACKET - STATUS;
		uint8_t *packet = (uint8_t *)u->urb->buffer + u->done;
		uint64_t damaged = loom_vline_damaged(chip->board);
		packet[0] = MODEM_STATUS;
		packet[1] = (uint8_t)(LINE_STATUS | (damaged != chip->damaged ? FRAMING_ERROR : 0));
		chip->damaged = damaged;
		(void)loom_vline_get(chip->board, packet + STATUS, n);
		u->done += (int)(n + STATUS);
		count(chip, &chip->bytes_in, n);
		chip->since_packet = 0;
		u->complete = n + STATUS < PACKET || u->done == u->urb->buffer_length;
	}
}

static void unplug(struct ftdi_chip *chip)
{
	for (unsigned i = 0; i < chip->n_urbs && !chip->silent; i++)
		if (chip->urbs[i].status == -EINPROGRESS) {
			chip->urbs[i].status = -ESHUTDOWN;
			chip->urbs[i].complete = true;
		}
}

void ftdi_chip_frame(struct ftdi_chip *chip)
{
	for (unsigned i = 0; i < chip->n_urbs; i++)
		chip->urbs[i].active = true;
	for (unsigned m = 0; m < MICROFRAMES; m++) {
		packets_out(chip);
		packets_in(chip);
		if (chip->gone)
			chip->blind_cycles += chip->clock_hz / (1000 * MICROFRAMES);
		else
			loom_vline_run(chip->board, chip->clock_hz / (1000 * MICROFRAMES), 0, false);
		chip->since_packet++;
	}
	if (chip->gone) {
		unplug(chip);
		return;
	}
	for (unsigned i = 0; i < chip->n_urbs; i++) {
		struct chip_urb *u = &chip->urbs[i];
		if (u->status != -EINPROGRESS)
			continue;
		if (u->urb->type == USBDEVFS_URB_TYPE_CONTROL) {
			int code = control(chip, u->urb->buffer);
			u->complete = true;
			u->done = code < 0 ? 0 : code;
			u->status = code < 0 ? code : 0;
		} else if (u->complete) {
			u->status = 0;
		}
	}
}
