// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// usage: umockdev-wrapper board_ftdi [unplug=BYTES|silent=BYTES] BOARD COMMAND...
// Runs COMMAND with one FTDI chip on USB, behind which is a simulated board (as sim-uart's argument). COMMAND's
// libusb makes its usual kernel calls, and this program answers them. The board's time passes while COMMAND waits for
// USB, and is its monotonic clock (simclock.so, beside this program). After a given number of bytes in either direction the
// device is unplugged, or becomes silent. Ends with COMMAND's status, and a line about the chip on standard error.
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <inttypes.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <umockdev.h>
#include <unistd.h>

#include "ftdi_chip.h"

#define NODE "/dev/bus/usb/001/002"
#define IDLE_LOOKS 2      // a program that looks so often, and finds nothing, and asks for nothing else, is waiting
#define FRAMES_AT_ONCE 50 // then time passes until something is done, or so long

extern char **environ;

struct usb {
	struct loom_vline_settings settings;
	struct loom_vline *board; // opened by the thread that serves: a model's functions belong to a thread
	struct ftdi_chip chip;
	unsigned long long bytes_left;
	bool silent, failed;
	unsigned looks;
	uint64_t *clock_ns, begin_cycles, gone_ns;
	struct loom_err err;
};

static bool open_board(struct usb *usb)
{
	if (usb->board || usb->failed)
		return !usb->failed;
	usb->failed = loom_vline_open(&usb->board, &usb->settings, NULL, &usb->err) != 0;
	if (usb->failed) {
		(void)fprintf(stderr, "board_ftdi: %s\n", usb->err.text);
		return false;
	}
	ftdi_chip_init(&usb->chip, usb->board, usb->settings.clock_hz);
	usb->chip.bytes_left = usb->bytes_left;
	usb->chip.silent = usb->silent;
	usb->begin_cycles = loom_vline_cycles(usb->board);
	return true;
}

static void pass_time(struct usb *usb)
{
	ftdi_chip_frame(&usb->chip);
	uint64_t cycles = loom_vline_cycles(usb->board) - usb->begin_cycles + usb->chip.blind_cycles;
	*usb->clock_ns = 1000000000u + (uint64_t)((double)cycles * 1e9 / usb->settings.clock_hz);
	if (usb->chip.gone && usb->gone_ns == 0)
		usb->gone_ns = *usb->clock_ns;
}

static void submit(struct usb *usb, UMockdevIoctlClient *client, UMockdevIoctlData *arg)
{
	UMockdevIoctlData *urb_data = umockdev_ioctl_data_resolve(arg, 0, sizeof(struct usbdevfs_urb), NULL);
	struct usbdevfs_urb *urb = (struct usbdevfs_urb *)(void *)urb_data->data;
	UMockdevIoctlData *buffer = umockdev_ioctl_data_resolve(urb_data, G_STRUCT_OFFSET(struct usbdevfs_urb, buffer),
	                                                        (gsize)urb->buffer_length, NULL);
	int code = ftdi_chip_submit(&usb->chip, urb, urb_data);
	if (buffer)
		umockdev_ioctl_data_unref(buffer);
	if (code)
		umockdev_ioctl_data_unref(urb_data);
	umockdev_ioctl_client_complete(client, code ? -1 : 0, -code);
}

static void reap(struct usb *usb, UMockdevIoctlClient *client, UMockdevIoctlData *arg)
{
	UMockdevIoctlData *urb_data = ftdi_chip_take(&usb->chip);
	if (!urb_data && ++usb->looks >= IDLE_LOOKS)
		for (int i = 0; i < FRAMES_AT_ONCE && !urb_data; i++) {
			pass_time(usb);
			urb_data = ftdi_chip_take(&usb->chip);
			if (usb->chip.n_urbs == 0)
				break;
		}
	if (!urb_data) {
		umockdev_ioctl_client_complete(client, -1, usb->chip.gone && !usb->silent ? ENODEV : EAGAIN);
		return;
	}
	usb->looks = 0;
	UMockdevIoctlData *pointer = umockdev_ioctl_data_resolve(arg, 0, sizeof(gpointer), NULL);
	(void)umockdev_ioctl_data_set_ptr(pointer, 0, urb_data);
	umockdev_ioctl_client_complete(client, 0, 0);
	umockdev_ioctl_data_unref(pointer);
	umockdev_ioctl_data_unref(urb_data);
}

static void discard(struct usb *usb, UMockdevIoctlClient *client, const UMockdevIoctlData *arg)
{
	gulong address = *(const gulong *)(const void *)arg->data;
	for (unsigned i = 0; i < usb->chip.n_urbs; i++) {
		UMockdevIoctlData *urb_data = usb->chip.urbs[i].user;
		if (urb_data->client_addr == address && ftdi_chip_discard(&usb->chip, urb_data)) {
			umockdev_ioctl_client_complete(client, 0, 0);
			return;
		}
	}
	umockdev_ioctl_client_complete(client, -1, EINVAL);
}

static gboolean handle(UMockdevIoctlBase *handler, UMockdevIoctlClient *client, struct usb *usb)
{
	UMockdevIoctlData *arg = umockdev_ioctl_client_get_arg(client);
	gulong request = umockdev_ioctl_client_get_request(client);
	(void)handler;
	if (!open_board(usb)) {
		umockdev_ioctl_client_complete(client, -1, ENODEV);
		return TRUE;
	}
	if (request != USBDEVFS_REAPURB && request != USBDEVFS_REAPURBNDELAY)
		usb->looks = 0;
	switch (request) {
	case USBDEVFS_GET_CAPABILITIES: {
		UMockdevIoctlData *word = umockdev_ioctl_data_resolve(arg, 0, sizeof(guint32), NULL);
		*(guint32 *)(void *)word->data = USBDEVFS_CAP_BULK_CONTINUATION | USBDEVFS_CAP_NO_PACKET_SIZE_LIM;
		umockdev_ioctl_client_complete(client, 0, 0);
		umockdev_ioctl_data_unref(word);
		break;
	}
	case USBDEVFS_GETDRIVER: // no kernel driver holds it
	case USBDEVFS_IOCTL: umockdev_ioctl_client_complete(client, -1, ENODATA); break;
	case USBDEVFS_CLAIMINTERFACE:
	case USBDEVFS_RELEASEINTERFACE:
	case USBDEVFS_CLEAR_HALT:
	case USBDEVFS_RESET:
	case USBDEVFS_SETCONFIGURATION:
	case USBDEVFS_SETINTERFACE:
		umockdev_ioctl_client_complete(client, usb->chip.gone && !usb->silent ? -1 : 0, ENODEV);
		break;
	case USBDEVFS_SUBMITURB: submit(usb, client, arg); break;
	case USBDEVFS_REAPURB:
	case USBDEVFS_REAPURBNDELAY: reap(usb, client, arg); break;
	case USBDEVFS_DISCARDURB: discard(usb, client, arg); break;
	default: return FALSE;
	}
	return TRUE;
}

static UMockdevTestbed *make_bed(struct usb *usb, GError **error)
{
	uint8_t descriptors[128];
	size_t n = ftdi_chip_descriptors(descriptors, sizeof descriptors);
	UMockdevTestbed *bed = umockdev_testbed_new();
	UMockdevIoctlBase *handler = umockdev_ioctl_base_new();
	GString *text = g_string_new("P: /devices/usb1/1-1\nN: bus/usb/001/002\nE: SUBSYSTEM=usb\nE: DRIVER=usb\n"
	                             "E: BUSNUM=001\nE: DEVNUM=002\nE: DEVNAME=" NODE "\nE: DEVTYPE=usb_device\n"
	                             "A: bConfigurationValue=1\\n\nA: busnum=1\\n\nA: devnum=2\\n\nA: speed=480\\n\n"
	                             "H: descriptors=");
	for (size_t i = 0; i < n; i++)
		g_string_append_printf(text, "%02x", descriptors[i]);
	g_string_append_c(text, '\n');
	g_object_connect(handler, "signal-after::handle-ioctl", G_CALLBACK(handle), usb, NULL);
	if (!umockdev_testbed_attach_ioctl(bed, NODE, handler, error) ||
	    !umockdev_testbed_add_from_string(bed, text->str, error))
		bed = NULL;
	(void)g_string_free(text, TRUE);
	return bed;
}

static void preload(const char *program)
{
	char own[PATH_MAX], all[PATH_MAX + 200];
	const char *before = getenv("LD_PRELOAD"), *slash = strrchr(program, '/');
	(void)snprintf(own, sizeof own, "%.*s/simclock.so", slash ? (int)(slash - program) : 1, slash ? program : ".");
	(void)snprintf(all, sizeof all, "%s%s%s", own, before ? ":" : "", before ? before : "");
	(void)setenv("LD_PRELOAD", all, 1);
}

static int usage(void)
{
	(void)fputs("usage: umockdev-wrapper board_ftdi [unplug=BYTES|silent=BYTES] BOARD COMMAND...\n", stderr);
	return 2;
}

int main(int argc, char **argv)
{
	static struct usb usb;
	char clock_file[] = "/tmp/loom-simclock-XXXXXX";
	GError *error = NULL;
	int at = 1, status = 0;
	pid_t child = 0;
	usb.bytes_left = UINT64_MAX;
	for (; at < argc && (strncmp(argv[at], "unplug=", 7) == 0 || strncmp(argv[at], "silent=", 7) == 0); at++) {
		usb.bytes_left = strtoull(argv[at] + 7, NULL, 10);
		usb.silent = argv[at][0] == 's';
	}
	if (argc - at < 2)
		return usage();
	if (loom_vline_parse(&usb.settings, argv[at], NULL, &usb.err) != 0) {
		(void)fprintf(stderr, "board_ftdi: %s\n", usb.err.text);
		return 2;
	}
	int fd = mkstemp(clock_file);
	void *page = fd >= 0 && ftruncate(fd, sizeof *usb.clock_ns) == 0
	                     ? mmap(NULL, sizeof *usb.clock_ns, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0)
	                     : MAP_FAILED;
	if (page == MAP_FAILED)
		return 3;
	usb.clock_ns = page;
	*usb.clock_ns = 1000000000u;
	UMockdevTestbed *bed = make_bed(&usb, &error);
	if (!bed) {
		(void)fprintf(stderr, "board_ftdi: %s\n", error ? error->message : "no test bed");
		return 3;
	}
	(void)setenv("LOOM_SIMCLOCK", clock_file, 1);
	preload(argv[0]);
	int failed = posix_spawnp(&child, argv[at + 1], NULL, NULL, argv + at + 1, environ);
	if (failed)
		(void)fprintf(stderr, "board_ftdi: cannot run %s: %s\n", argv[at + 1], strerror(failed));
	while (!failed && waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	(void)umockdev_testbed_detach_ioctl(bed, NODE, NULL);
	g_object_unref(bed);
	(void)unlink(clock_file);
	(void)fprintf(stderr,
	              "board_ftdi: %" PRIu64 " bytes to the board, %" PRIu64
	              " from it, %u baud, latency %u ms, %.3f ms\n",
	              usb.chip.bytes_out, usb.chip.bytes_in, usb.chip.baud, usb.chip.latency_ms,
	              (double)(*usb.clock_ns - 1000000000u) / 1e6);
	if (usb.gone_ns)
		(void)fprintf(stderr, "board_ftdi: the plug was pulled; since then %.3f ms\n",
		              (double)(*usb.clock_ns - usb.gone_ns) / 1e6);
	return failed || usb.failed ? 3 : WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
