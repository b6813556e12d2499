// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include "links/ftdi_find.h"

#include <libusb.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <flitloom/link.h>

#include "links/line_settings.h"

#define VENDOR 0x0403u

static const unsigned products[] = {0x6010, 0x6014, 0x6001, 0x6015};
enum { N_PRODUCTS = sizeof products / sizeof products[0] };

int loom_ftdi_parse(struct loom_ftdi_request *out, const char *text, struct loom_err *err)
{
	struct loom_ftdi_request r = {.vendor = VENDOR, .baud = LOOM_BAUD_DEFAULT, .latency_ms = 1};
	const struct loom_line_setting settings[] = {
		{.name = "serial", .text = r.serial, .size = sizeof r.serial},
		{.name = "index", .most = 99, .number = &r.index},
		{.name = "baud", .least = 300, .most = 12000000, .number = &r.baud},
		{.name = "latency", .least = 1, .most = 255, .number = &r.latency_ms},
		{.name = "interface", .text = r.interface, .size = sizeof r.interface},
	};
	size_t length = strcspn(text, ",");
	if (length && !memchr(text, '=', length)) {
		static const char hex[] = "0123456789abcdefABCDEF";
		if (length != 9 || strspn(text, hex) != 4 || text[4] != ':' || strspn(text + 5, hex) != 4)
			return loom_fail(err, LOOM_EINPUT,
			                 "link ftdi: \"%.40s\" is no VID:PID in hexadecimal, such as 0403:6010", text);
		r.vendor = (unsigned)strtoul(text, NULL, 16);
		r.product = (unsigned)strtoul(text + 5, NULL, 16);
		text += length + (text[length] == ',');
	}
	int code = loom_line_settings_parse(settings, sizeof settings / sizeof settings[0], "ftdi", text, err);
	if (code)
		return code;
	if (r.interface[0] && (r.interface[1] || r.interface[0] < 'A' || r.interface[0] > 'D'))
		return loom_fail(err, LOOM_EINPUT, "link ftdi: interface=%s is not A, B, C or D", r.interface);
	*out = r;
	return 0;
}

static int fail_permission(const char *name, struct loom_err *err)
{
	return loom_fail(err, LOOM_ELINK,
	                 "no permission for %s: install " LOOM_UDEV_RULE " in /etc/udev/rules.d and plug it in again",
	                 name);
}

// True if the USB library may not open the device.
static bool is_forbidden(struct libusb_device *device)
{
	struct libusb_device_handle *probe = NULL;
	bool forbidden = libusb_open(device, &probe) == LIBUSB_ERROR_ACCESS;
	if (probe)
		libusb_close(probe);
	return forbidden;
}

static int n_channels(struct libusb_device *device)
{
	struct libusb_device_descriptor descriptor;
	if (libusb_get_device_descriptor(device, &descriptor) != 0)
		return 1;
	switch (descriptor.bcdDevice) {
	case 0x500: // FT2232C, D
	case 0x700: // FT2232H
		return 2;
	case 0x800: // FT4232H
		return 4;
	default: return 1;
	}
}

// A search for a device that fits.
struct search {
	struct ftdi_context *ftdi;
	const struct loom_ftdi_request *request;
	char *name; // the name of the present device, for a person
	size_t name_size;
	unsigned n_seen; // devices with one of the products
	unsigned n_fit;  // of these, with the serial number
	bool opened;
};

// Opens the index-th device that fits, if it is of this product.
static int open_one(struct search *s, unsigned product, struct loom_err *err)
{
	struct ftdi_context *ftdi = s->ftdi;
	const struct loom_ftdi_request *r = s->request;
	char *name = s->name;
	const size_t size = s->name_size;
	struct ftdi_device_list *list = NULL;
	int code = 0, found = ftdi_usb_find_all(ftdi, &list, (int)r->vendor, (int)product);
	if (found < 0)
		return loom_fail(err, LOOM_ELINK, "cannot look for USB devices: %.200s", ftdi_get_error_string(ftdi));
	for (struct ftdi_device_list *d = list; d && code == 0 && !s->opened; d = d->next) {
		char serial[64] = "";
		(void)snprintf(name, size, "USB %03u:%03u (%04x:%04x)", libusb_get_bus_number(d->dev),
		               libusb_get_device_address(d->dev), r->vendor, product);
		s->n_seen++;
		if (r->serial[0] && ftdi_usb_get_strings2(ftdi, d->dev, NULL, 0, NULL, 0, serial, sizeof serial) < 0) {
			if (is_forbidden(d->dev))
				code = fail_permission(name, err);
			continue;
		}
		if (r->serial[0] && strcmp(serial, r->serial) != 0)
			continue;
		if (s->n_fit++ < r->index)
			continue;
		// A chip with two channels is programmed by the first and talks by the second.
		int channels = n_channels(d->dev), channel = r->interface[0] ? r->interface[0] - 'A' : channels > 1;
		(void)snprintf(name, size, "the board on USB %03u:%03u (%04x:%04x, channel %c)",
		               libusb_get_bus_number(d->dev), libusb_get_device_address(d->dev), r->vendor, product,
		               'A' + channel);
		if (channel >= channels) {
			code = loom_fail(err, LOOM_EINPUT, "link ftdi: %s: the last channel of this chip is %c", name,
			                 'A' + channels - 1);
			break;
		}
		(void)ftdi_set_interface(ftdi, (enum ftdi_interface)(INTERFACE_A + channel));
		int rc = ftdi_usb_open_dev(ftdi, d->dev);
		if (rc == 0) {
			s->opened = true;
		} else if (rc == -8 ||
		           (rc == -4 && is_forbidden(d->dev))) { // -8: may not take it from the kernel's driver
			code = fail_permission(name, err);
		} else if (rc == -5) {
			code = loom_fail(err, LOOM_ELINK, "%s is busy, used by another program: end that first", name);
		} else {
			code = loom_fail(err, LOOM_ELINK, "cannot open %s: %.150s", name, ftdi_get_error_string(ftdi));
		}
	}
	ftdi_list_free(&list);
	return code;
}

static int fail_none(const struct loom_ftdi_request *r, unsigned n_seen, struct loom_err *err)
{
	if (n_seen)
		return loom_fail(err, LOOM_ELINK,
		                 "no such device: %u FTDI chip%s here, but none with %s%s and index %u", n_seen,
		                 n_seen > 1 ? "s are" : " is", r->serial[0] ? "serial number " : "any serial number",
		                 r->serial, r->index);
	if (r->product)
		return loom_fail(err, LOOM_ELINK,
		                 "no such device: no %04x:%04x on USB; is the board plugged in? (lsusb)", r->vendor,
		                 r->product);
	return loom_fail(
		err, LOOM_ELINK,
		"no such device: no FTDI chip (0403:6010, 6014, 6001, 6015) on USB; is the board plugged in? (lsusb)");
}

int loom_ftdi_find(struct ftdi_context *ftdi, const struct loom_ftdi_request *r, char *name, size_t size,
                   struct loom_err *err)
{
	struct search s = {.ftdi = ftdi, .request = r, .name = name, .name_size = size};
	int code = 0;
	for (unsigned i = 0; code == 0 && !s.opened && i < (r->product ? 1 : N_PRODUCTS); i++)
		code = open_one(&s, r->product ? r->product : products[i], err);
	return code == 0 && !s.opened ? fail_none(r, s.n_seen, err) : code;
}
