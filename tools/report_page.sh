#!/bin/sh
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# usage: report_page.sh SCRIPT.js STYLE.css
# Prints a C header with both, a string for each line, and what a Content-Security-Policy calls them: their SHA-256. Comments that are
# lines of their own, and what lines are indented by, are left out.
set -eu

short() {
	sed -E 's,^[\t ]+,,; \,^(//|/\*.*\*/$),d; /^$/d' "$1"
}

hash_of() {
	printf 'sha256-'
	short "$1" | sha256sum | cut -c -64 | tr a-f A-F | basenc --base16 -d | base64
}

lines_of() {
	short "$1" | sed 's/\\/\\\\/g; s/"/\\"/g; s/?/\\?/g; s/.*/\t"&\\n",/'
}

echo "#define REPORT_SCRIPT_HASH \"$(hash_of "$1")\""
echo "#define REPORT_STYLE_HASH \"$(hash_of "$2")\""
echo "static const char *const report_script[] = {"
lines_of "$1"
printf '\tNULL,\n};\nstatic const char *const report_style[] = {\n'
lines_of "$2"
printf '\tNULL,\n};\n'
