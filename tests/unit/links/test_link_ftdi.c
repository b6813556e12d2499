// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The link ftdi on a libusb and a libftdi that the test simulates: packets with two status bytes, a round trip of a
// millisecond in the time of the machine, devices that refuse, are busy or vanish. Behind it the reference device.
#include <ftdi.h>
#include <libusb.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include <flitloom/link.h>

#include "reference/link_device.h"
#include "base/rng.h"

enum { WORDS = 1 << 16, PACKET = 512, FLYING = 16 };

static struct {
	unsigned n_devices, product, bcd;
	int open_result, open_error; // of ftdi_usb_open_dev, of libusb_open
	int baud_result;
	enum ftdi_interface interface;
	unsigned latency, baud;
	unsigned long long bytes_left; // until it is unplugged
	unsigned n_allocated, n_reads_most;
	struct libusb_transfer *flying[FLYING];
	unsigned n_flying;
	struct link_device device;
	uint32_t memory[WORDS];
} usb;

static uint32_t board_read(void *user, uint32_t address)
{
	(void)user;
	return usb.memory[address % WORDS];
}

static void board_write(void *user, uint32_t address, uint32_t word)
{
	(void)user;
	usb.memory[address % WORDS] = word;
}

static void reset(void)
{
	memset(&usb, 0, sizeof usb);
	usb.n_devices = 1;
	usb.product = 0x6010;
	usb.bcd = 0x700;
	usb.bytes_left = ~0ull;
	usb.device = (struct link_device){.read = board_read, .write = board_write, .version = 1};
	link_device_reset(&usb.device);
}

// --- What the link calls -------------------------------------------------------------------------------------------

struct ftdi_context *ftdi_new(void)
{
	return calloc(1, sizeof(struct ftdi_context));
}

void ftdi_free(struct ftdi_context *ftdi)
{
	free(ftdi);
}

int ftdi_usb_find_all(struct ftdi_context *ftdi, struct ftdi_device_list **list, int vendor, int product)
{
	(void)ftdi;
	int n = 0;
	for (; vendor == 0x0403 && product == (int)usb.product && n < (int)usb.n_devices; n++) {
		struct ftdi_device_list *one = calloc(1, sizeof *one);
		one->next = *list;
		*list = one;
	}
	return n;
}

void ftdi_list_free(struct ftdi_device_list **list)
{
	while (*list) {
		struct ftdi_device_list *next = (*list)->next;
		free(*list);
		*list = next;
	}
}

int ftdi_usb_get_strings2(struct ftdi_context *ftdi, struct libusb_device *dev, char *maker, int n_maker, char *product,
                          int n_product, char *serial, int n_serial)
{
	(void)ftdi, (void)dev, (void)maker, (void)n_maker, (void)product, (void)n_product;
	return snprintf(serial, (size_t)n_serial, "FT1");
}

int ftdi_set_interface(struct ftdi_context *ftdi, enum ftdi_interface interface)
{
	(void)ftdi;
	usb.interface = interface;
	return 0;
}

int ftdi_usb_open_dev(struct ftdi_context *ftdi, struct libusb_device *dev)
{
	(void)dev;
	ftdi->usb_dev = usb.open_result ? NULL : (struct libusb_device_handle *)&usb;
	ftdi->max_packet_size = PACKET;
	ftdi->in_ep = 4;
	ftdi->out_ep = 0x83;
	return usb.open_result;
}

int ftdi_usb_close(struct ftdi_context *ftdi)
{
	ftdi->usb_dev = NULL;
	return 0;
}

int ftdi_usb_reset(struct ftdi_context *ftdi)
{
	return ftdi->usb_dev ? 0 : -1;
}

int ftdi_set_bitmode(struct ftdi_context *ftdi, unsigned char mask, unsigned char mode)
{
	(void)ftdi, (void)mask;
	return mode == BITMODE_RESET ? 0 : -1;
}

int ftdi_set_line_property(struct ftdi_context *ftdi, enum ftdi_bits_type bits, enum ftdi_stopbits_type stop,
                           enum ftdi_parity_type parity)
{
	(void)ftdi;
	return bits == BITS_8 && stop == STOP_BIT_1 && parity == NONE ? 0 : -1;
}

int ftdi_setflowctrl(struct ftdi_context *ftdi, int flow)
{
	(void)ftdi, (void)flow;
	return 0;
}

int ftdi_set_latency_timer(struct ftdi_context *ftdi, unsigned char ms)
{
	(void)ftdi;
	usb.latency = ms;
	return 0;
}

int ftdi_tcioflush(struct ftdi_context *ftdi)
{
	(void)ftdi;
	return 0;
}

int ftdi_set_baudrate(struct ftdi_context *ftdi, int baud)
{
	(void)ftdi;
	usb.baud = (unsigned)baud;
	return usb.baud_result;
}

const char *ftdi_get_error_string(struct ftdi_context *ftdi)
{
	(void)ftdi;
	return "played error";
}

int libusb_get_device_descriptor(libusb_device *dev, struct libusb_device_descriptor *out)
{
	(void)dev;
	memset(out, 0, sizeof *out);
	out->bcdDevice = (uint16_t)usb.bcd;
	return 0;
}

uint8_t libusb_get_bus_number(libusb_device *dev)
{
	(void)dev;
	return 1;
}

uint8_t libusb_get_device_address(libusb_device *dev)
{
	(void)dev;
	return 7;
}

int libusb_open(libusb_device *dev, libusb_device_handle **out)
{
	(void)dev, (void)out;
	return usb.open_error;
}

void libusb_close(libusb_device_handle *handle)
{
	(void)handle;
}

struct libusb_transfer *libusb_alloc_transfer(int n)
{
	(void)n;
	usb.n_allocated++;
	return calloc(1, sizeof(struct libusb_transfer));
}

void libusb_free_transfer(struct libusb_transfer *t)
{
	usb.n_allocated -= t != NULL;
	free(t);
}

int libusb_submit_transfer(struct libusb_transfer *t)
{
	if (usb.bytes_left == 0)
		return LIBUSB_ERROR_NO_DEVICE;
	assert_true(usb.n_flying < FLYING);
	usb.flying[usb.n_flying++] = t;
	return 0;
}

int libusb_cancel_transfer(struct libusb_transfer *t)
{
	t->status = LIBUSB_TRANSFER_CANCELLED;
	return 0;
}

static void land(unsigned i, enum libusb_transfer_status status, int length)
{
	struct libusb_transfer *t = usb.flying[i];
	memmove(usb.flying + i, usb.flying + i + 1, (--usb.n_flying - i) * sizeof *usb.flying);
	t->status = status;
	t->actual_length = length;
	t->callback(t);
}

// A read ends with what there is: packets, each with its status; an idle line gives a packet of status alone.
static int fill(struct libusb_transfer *t)
{
	struct link_device *d = &usb.device;
	int n = 0;
	do {
		t->buffer[n++] = 0x01;
		t->buffer[n++] = 0x60;
		for (int k = 2; k < PACKET && d->out_at < d->n_out; k++)
			t->buffer[n++] = d->out[d->out_at++];
	} while (n % PACKET == 0 && n < t->length);
	return n;
}

// One look at the bus takes half a millisecond.
int libusb_handle_events_timeout_completed(libusb_context *ctx, struct timeval *timeout, int *completed)
{
	const struct timespec half = {.tv_nsec = 500000};
	unsigned reads = 0;
	(void)ctx;
	if (timeout->tv_sec || timeout->tv_usec)
		(void)nanosleep(&half, NULL);
	for (unsigned i = 0; i < usb.n_flying; i++)
		reads += usb.flying[i]->endpoint & 0x80 ? 1 : 0;
	if (reads > usb.n_reads_most)
		usb.n_reads_most = reads;
	for (unsigned i = 0; i < usb.n_flying;) {
		struct libusb_transfer *t = usb.flying[i];
		if (t->status == LIBUSB_TRANSFER_CANCELLED) {
			land(i, LIBUSB_TRANSFER_CANCELLED, 0);
		} else if (usb.bytes_left == 0) {
			land(i, LIBUSB_TRANSFER_NO_DEVICE, 0);
		} else if (!(t->endpoint & 0x80)) {
			for (int k = 0; k < t->length && usb.bytes_left; k++, usb.bytes_left--)
				link_device_take(&usb.device, t->buffer[k]);
			land(i, LIBUSB_TRANSFER_COMPLETED, t->length);
		} else {
			i++;
		}
	}
	for (unsigned i = 0; i < usb.n_flying; i++)
		if (usb.flying[i]->endpoint & 0x80) { // the first one alone
			land(i, LIBUSB_TRANSFER_COMPLETED, fill(usb.flying[i]));
			break;
		}
	return *completed >= 0 ? 0 : 1;
}

// --- Tests ---------------------------------------------------------------------------------------------------------

static void assert_fails(int code, int expected, const struct loom_err *err, const char *says)
{
	if (!strstr(err->text, says))
		fail_msg("\"%s\" does not say \"%s\"", err->text, says);
	assert_int_equal(code, expected);
	assert_int_equal(usb.n_allocated, 0);
}

static void test_carry(void **state)
{
	(void)state;
	static uint32_t words[20000], back[20000];
	static const char *const specs[] = {"ftdi", "ftdi:", "ftdi:0403:6010,baud=2000000,latency=2",
	                                    "ftdi:serial=FT1,interface=A", "fault:flip=1e-5:ftdi:"};
	struct loom_rng rng;
	loom_rng_init(&rng, 1);
	for (size_t k = 0; k < sizeof specs / sizeof specs[0]; k++) {
		struct loom_link link = {0};
		struct loom_err err = {0};
		reset();
		for (size_t i = 0; i < 20000; i++)
			words[i] = (uint32_t)loom_rng_next(&rng);
		if (loom_link_open(&link, specs[k], NULL, &err) ||
		    loom_link_write(&link, 0, words, 20000, 2000, &err) ||
		    loom_link_read(&link, 0, back, 20000, 2000, &err))
			fail_msg("%s: %s", specs[k], err.text);
		assert_memory_equal(words, back, sizeof words);
		assert_memory_equal(words, usb.memory, sizeof words);
		assert_int_equal(usb.baud, k == 2 ? 2000000 : 3000000);
		assert_int_equal(usb.latency, k == 2 ? 2 : 1);
		assert_int_equal(usb.interface, k == 3 ? INTERFACE_A : INTERFACE_B);
		assert_true(usb.n_reads_most > 1); // several in flight
		loom_link_close(&link);
		assert_int_equal(usb.n_allocated, 0);
		assert_int_equal(usb.n_flying, 0);
	}
}

static void test_refused(void **state)
{
	(void)state;
	struct loom_link link = {0};
	struct loom_err err = {0};
	reset();
	usb.n_devices = 0;
	assert_fails(loom_link_open(&link, "ftdi", NULL, &err), LOOM_ELINK, &err, "no FTDI chip (0403:6010");
	assert_fails(loom_link_open(&link, "ftdi:0403:6014", NULL, &err), LOOM_ELINK, &err, "no 0403:6014 on USB");
	static const char *const wrong[] = {"ftdi:0403x6010",  "ftdi:0403:601g", "ftdi:040g:6010", "ftdi:4036010",
	                                    "ftdi:0403:60100", "ftdi:403:06010", "ftdi:0403:"};
	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
		assert_fails(loom_link_open(&link, wrong[i], NULL, &err), LOOM_EINPUT, &err,
		             "is no VID:PID in hexadecimal, such as 0403:6010");
	reset();
	assert_fails(loom_link_open(&link, "ftdi:serial=FT2", NULL, &err), LOOM_ELINK, &err,
	             "1 FTDI chip is here, but none with serial number FT2 and index 0");
	assert_fails(loom_link_open(&link, "ftdi:serial=F", NULL, &err), LOOM_ELINK, &err,
	             "none with serial number F and index 0");
	assert_fails(loom_link_open(&link, "ftdi:index=1", NULL, &err), LOOM_ELINK, &err,
	             "none with any serial number and index 1");
	usb.open_result = -4;
	usb.open_error = LIBUSB_ERROR_ACCESS;
	assert_fails(loom_link_open(&link, "ftdi", NULL, &err), LOOM_ELINK, &err,
	             "no permission for the board on USB 001:007");
	usb.open_result = -5;
	assert_fails(loom_link_open(&link, "ftdi", NULL, &err), LOOM_ELINK, &err, "is busy");
	usb.open_result = -9;
	assert_fails(loom_link_open(&link, "ftdi", NULL, &err), LOOM_ELINK, &err, "cannot open the board on USB");
	reset();
	usb.product = 0x6014;
	usb.bcd = 0x900;
	assert_fails(loom_link_open(&link, "ftdi:interface=B", NULL, &err), LOOM_EINPUT, &err,
	             "the last channel of this chip is A");
	usb.baud_result = -1;
	assert_fails(loom_link_open(&link, "ftdi", NULL, &err), LOOM_ELINK, &err, "does not do 3000000 baud");
	reset();
	usb.device.version = 9;
	assert_fails(loom_link_open(&link, "ftdi", NULL, &err), LOOM_ELINK, &err, "speaks version 9");
}

static void test_unplugged(void **state)
{
	(void)state;
	static uint32_t words[3000];
	struct loom_rng rng;
	loom_rng_init(&rng, 2);
	for (int k = 0; k < 50; k++) {
		struct loom_link link = {0};
		struct loom_err err = {0};
		reset();
		assert_int_equal(loom_link_open(&link, "ftdi", NULL, &err), 0);
		usb.bytes_left = loom_rng_below(&rng, 12000);
		int code = loom_link_write(&link, 0, words, 3000, 1000, &err);
		loom_link_close(&link);
		assert_fails(code, LOOM_ELINK, &err, "is gone (the USB device does not answer) after ");
		assert_int_equal(usb.n_flying, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_carry), cmocka_unit_test(test_refused),
	                                   cmocka_unit_test(test_unplugged)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
