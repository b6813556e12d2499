// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef LOOM_LINE_SETTINGS_H
#define LOOM_LINE_SETTINGS_H

#include <stddef.h>

#include <flitloom/err.h>

// The settings of a line, "NAME=VALUE,NAME=VALUE", and constants of all serial lines.
#define LOOM_BAUD_DEFAULT 3000000u
#define LOOM_BAUD_MOST 30000000u
#define LOOM_UDEV_RULE "udev/70-flitloom.rules"

struct loom_line_setting {
	const char *name;
	unsigned least, most;
	unsigned *number; // either this
	char *text;       // or this
	size_t size;
};

// Reads settings. LOOM_EINPUT names the setting and its legal values, or all settings. `link` is for the error's
// text.
int loom_line_settings_parse(const struct loom_line_setting *settings, size_t n, const char *link, const char *text,
                             struct loom_err *err);

#endif
