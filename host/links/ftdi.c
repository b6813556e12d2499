// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Drives an FTDI chip by libftdi1, without a kernel driver. libftdi's own asynchronous reads share one buffer, so
// only one can be in flight. Here several libusb transfers are in flight, each with its own buffer.
#include <ftdi.h>

#include <libusb.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include <flitloom/link/pipe.h>
#include <flitloom/link/session.h>

#include "base/clock.h"
#include "links/ftdi_find.h"
#include "links/links.h"

#define N_READS 4
#define N_WRITES 4
#define BYTES 4096        // of a transfer: whole packets, whichever size they have
#define STATUS_BYTES 2u   // of the chip's line, before the data of every packet
#define LINE_ERRORS 0x1eu // second status byte: overrun, parity, framing, break
#define CLOSE_MS 500u
#define QUEUE (N_READS * BYTES)

enum use { IDLE, IN_FLIGHT, DONE };

struct usb_transfer {
	struct ftdi *owner;
	struct libusb_transfer *usb;
	enum use use;
	unsigned serial; // order of submission
	uint8_t bytes[BYTES];
};

struct ftdi {
	struct ftdi_context *ftdi;
	struct loom_pipe *pipe; // during an exchange
	struct usb_transfer reads[N_READS], writes[N_WRITES];
	unsigned serial;
	bool gone;
	int event; // set by every completion
	size_t n, used;
	uint8_t queue[QUEUE];
};

// --- Bytes ---------------------------------------------------------------------------------------------------------

static void LIBUSB_CALL completed(struct libusb_transfer *usb)
{
	struct usb_transfer *t = usb->user_data;
	t->use = DONE;
	t->owner->event = 1;
}

static bool submit(struct ftdi *f, struct usb_transfer *t, unsigned char endpoint, int length)
{
	libusb_fill_bulk_transfer(t->usb, f->ftdi->usb_dev, endpoint, t->bytes, length, completed, t, 0);
	t->serial = f->serial++;
	t->use = libusb_submit_transfer(t->usb) == 0 ? IN_FLIGHT : IDLE;
	f->gone |= t->use == IDLE;
	return t->use == IN_FLIGHT;
}

// Returns the read that was submitted first, if it is done: bytes come in the order of submission.
static struct usb_transfer *oldest_read(struct ftdi *f)
{
	struct usb_transfer *oldest = NULL;
	for (unsigned i = 0; i < N_READS; i++)
		if (f->reads[i].use != IDLE && (!oldest || (int)(f->reads[i].serial - oldest->serial) < 0))
			oldest = &f->reads[i];
	return oldest && oldest->use == DONE ? oldest : NULL;
}

// Moves the data of finished reads to the queue, while it has room, and submits each read again.
static void reap_reads(struct ftdi *f)
{
	size_t packet = f->ftdi->max_packet_size;
	struct usb_transfer *t;
	if (f->used == f->n)
		f->used = f->n = 0;
	while (!f->gone && f->n + BYTES <= QUEUE && (t = oldest_read(f))) {
		size_t length = (size_t)t->usb->actual_length;
		if (t->usb->status != LIBUSB_TRANSFER_COMPLETED && t->usb->status != LIBUSB_TRANSFER_TIMED_OUT) {
			f->gone = true;
			return;
		}
		for (size_t at = 0; at + STATUS_BYTES <= length; at += packet) {
			size_t n = length - at < packet ? length - at : packet;
			f->pipe->damaged += (t->bytes[at + 1] & LINE_ERRORS) != 0;
			memcpy(f->queue + f->n, t->bytes + at + STATUS_BYTES, n - STATUS_BYTES);
			f->n += n - STATUS_BYTES;
		}
		(void)submit(f, t, (unsigned char)f->ftdi->out_ep, BYTES);
	}
}

// Hands bytes to free transfers; returns how many.
static size_t start_writes(struct ftdi *f, const uint8_t *bytes, size_t n)
{
	size_t taken = 0;
	for (unsigned i = 0; i < N_WRITES; i++) {
		struct usb_transfer *t = &f->writes[i];
		if (t->use == DONE) {
			// If the chip took only a part, the rest cannot be put back in its place: it is lost, and the
			// session repeats it.
			f->gone |= t->usb->status != LIBUSB_TRANSFER_COMPLETED;
			t->use = IDLE;
		}
		if (t->use != IDLE || taken == n || f->gone)
			continue;
		size_t part = n - taken < BYTES ? n - taken : BYTES;
		memcpy(t->bytes, bytes + taken, part);
		if (submit(f, t, (unsigned char)f->ftdi->in_ep, (int)part))
			taken += part;
	}
	return taken;
}

static void handle_events(struct ftdi *f, uint64_t timeout_us)
{
	struct timeval t = {.tv_sec = (time_t)(timeout_us / 1000000u), .tv_usec = (suseconds_t)(timeout_us % 1000000u)};
	f->event = 0;
	int code = libusb_handle_events_timeout_completed(f->ftdi->usb_ctx, &t, &f->event);
	f->gone |= code != 0 && code != LIBUSB_ERROR_INTERRUPTED && code != LIBUSB_ERROR_TIMEOUT;
}

static int ftdi_exchange(struct loom_pipe *pipe, struct loom_pipe_bytes *bytes, uint64_t timeout_us,
                         struct loom_err *err)
{
	struct ftdi *f = pipe->state;
	uint64_t end = loom_clock_us() + timeout_us;
	f->pipe = pipe;
	bytes->n_sent = bytes->n_came = 0;
	handle_events(f, 0);
	for (;;) {
		reap_reads(f);
		bytes->n_sent = start_writes(f, bytes->out, bytes->n_out);
		bytes->n_came = f->n - f->used < bytes->in_room ? f->n - f->used : bytes->in_room;
		memcpy(bytes->in, f->queue + f->used, bytes->n_came);
		f->used += bytes->n_came;
		if (f->gone && bytes->n_came == 0)
			return loom_fail(err, LOOM_ELINK, "%s is gone (the USB device does not answer)", pipe->name);
		uint64_t now = loom_clock_us();
		if (bytes->n_sent || bytes->n_came || now >= end)
			return 0;
		handle_events(f, end - now); // the chip sends a packet of status alone every few milliseconds
	}
}

static void ftdi_discard(struct loom_pipe *pipe)
{
	struct ftdi *f = pipe->state;
	f->used = f->n = 0;
}

static bool any_in_flight(const struct ftdi *f)
{
	for (unsigned i = 0; i < N_READS; i++)
		if (f->reads[i].use == IN_FLIGHT)
			return true;
	for (unsigned i = 0; i < N_WRITES; i++)
		if (f->writes[i].use == IN_FLIGHT)
			return true;
	return false;
}

static void free_ftdi(struct ftdi *f)
{
	if (!f)
		return;
	for (unsigned i = 0; i < N_READS; i++)
		if (f->reads[i].use == IN_FLIGHT)
			(void)libusb_cancel_transfer(f->reads[i].usb);
	for (unsigned i = 0; i < N_WRITES; i++)
		if (f->writes[i].use == IN_FLIGHT)
			(void)libusb_cancel_transfer(f->writes[i].usb);
	for (uint64_t end = loom_clock_us() + CLOSE_MS * 1000u; any_in_flight(f) && loom_clock_us() < end;)
		handle_events(f, 10000);
	bool lost = any_in_flight(f); // libusb still holds their buffers: better a leak than a write to freed memory
	for (unsigned i = 0; i < N_READS && !lost; i++)
		libusb_free_transfer(f->reads[i].usb);
	for (unsigned i = 0; i < N_WRITES && !lost; i++)
		libusb_free_transfer(f->writes[i].usb);
	if (f->ftdi && !lost) {
		if (f->ftdi->usb_dev)
			(void)ftdi_usb_close(f->ftdi);
		ftdi_free(f->ftdi);
	}
	if (!lost)
		free(f);
}

static void ftdi_pipe_close(struct loom_pipe *pipe)
{
	free_ftdi(pipe->state);
	pipe->state = NULL;
}

static const struct loom_pipe_kind ftdi_pipe = {
	.exchange = ftdi_exchange, .discard = ftdi_discard, .close = ftdi_pipe_close};

// --- Opening -------------------------------------------------------------------------------------------------------

static int set_up(struct ftdi *f, const struct loom_ftdi_request *r, const char *name, struct loom_err *err)
{
	struct ftdi_context *c = f->ftdi;
	// The oldest chips may refuse to leave modes that they do not have.
	bool has_modes = c->type != TYPE_AM && c->type != TYPE_BM;
	if (ftdi_usb_reset(c) < 0 || (ftdi_set_bitmode(c, 0, BITMODE_RESET) < 0 && has_modes) ||
	    ftdi_set_line_property(c, BITS_8, STOP_BIT_1, NONE) < 0 || ftdi_setflowctrl(c, SIO_DISABLE_FLOW_CTRL) < 0 ||
	    ftdi_set_latency_timer(c, (unsigned char)r->latency_ms) < 0 || ftdi_tcioflush(c) < 0)
		return loom_fail(err, LOOM_ELINK, "cannot set up %s: %.150s", name, ftdi_get_error_string(c));
	if (ftdi_set_baudrate(c, (int)r->baud) < 0)
		return loom_fail(err, LOOM_ELINK, "%s does not do %u baud: %.150s", name, r->baud,
		                 ftdi_get_error_string(c));
	if (c->max_packet_size <= STATUS_BYTES || BYTES % c->max_packet_size)
		return loom_fail(err, LOOM_ELINK, "%s has USB packets of %u bytes: no FTDI chip has", name,
		                 c->max_packet_size);
	for (int i = 0; i < N_READS + N_WRITES; i++) {
		struct usb_transfer *t = i < N_READS ? &f->reads[i] : &f->writes[i - N_READS];
		t->owner = f;
		t->usb = libusb_alloc_transfer(0);
		if (!t->usb)
			return loom_fail(err, LOOM_ENOMEM, "no memory for USB transfers");
	}
	for (int i = 0; i < N_READS; i++)
		if (!submit(f, &f->reads[i], (unsigned char)c->out_ep, BYTES))
			return loom_fail(err, LOOM_ELINK, "%s takes no USB transfer", name);
	return 0;
}

static int ftdi_open_pipe(struct loom_pipe *out, const char *argument, const struct loom_link_options *options,
                          struct loom_err *err)
{
	struct loom_ftdi_request r;
	char name[120] = "";
	if (options && options->trace_file)
		return loom_fail(err, LOOM_EINPUT, "link ftdi records no waveform: --trace is for sim and sim-uart");
	int code = loom_ftdi_parse(&r, argument, err);
	if (code)
		return code;
	struct ftdi *f = calloc(1, sizeof *f);
	if (f)
		f->ftdi = ftdi_new();
	if (!f || !f->ftdi) {
		free(f);
		return loom_fail(err, LOOM_ELINK, "no USB here, or no memory for it");
	}
	if (options && options->timeout_ms)
		f->ftdi->usb_read_timeout = f->ftdi->usb_write_timeout = (int)options->timeout_ms;
	code = loom_ftdi_find(f->ftdi, &r, name, sizeof name, err);
	if (code == 0)
		code = set_up(f, &r, name, err);
	if (code) {
		free_ftdi(f);
		return code;
	}
	*out = (struct loom_pipe){.kind = &ftdi_pipe, .state = f, .bytes_per_s = r.baud / 10.0};
	(void)snprintf(out->name, sizeof out->name, "%s", name);
	return 0;
}

const struct loom_link_kind loom_link_ftdi = {
	.name = "ftdi",
	.argument = "[VID:PID][,serial=S][,index=N][,baud=N][,latency=MS][,interface=A|B|C|D]",
	.help = "a board behind an FTDI chip on USB, by libftdi",
	.pipe = ftdi_open_pipe,
	LOOM_SESSION_LINK,
};
