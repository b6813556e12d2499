#!/bin/sh
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# usage: report_page.sh STYLE.css SCRIPT.js...
# Prints a C header with the style and the script (all its files as one function), a string for each line, and their
# SHA-256, by which a Content-Security-Policy names them. It leaves out comments that are whole lines, and the
# indentation of lines.
set -eu

short() {
	sed -E 's,^[\t ]+,,; \,^(//|/\*.*\*/$),d; /^$/d' "$@"
}

script() {
	echo '(function () {'
	echo '"use strict";'
	short "$@"
	echo '})();'
}

# The hash of standard input.
hash_of() {
	printf 'sha256-'
	sha256sum | cut -c -64 | tr a-f A-F | basenc --base16 -d | base64
}

lines_of() {
	sed 's/\\/\\\\/g; s/"/\\"/g; s/?/\\?/g; s/.*/\t"&\\n",/'
}

style=$1
shift
echo "#define REPORT_SCRIPT_HASH \"$(script "$@" | hash_of)\""
echo "#define REPORT_STYLE_HASH \"$(short "$style" | hash_of)\""
echo "static const char *const report_script[] = {"
script "$@" | lines_of
printf '\tNULL,\n};\nstatic const char *const report_style[] = {\n'
short "$style" | lines_of
printf '\tNULL,\n};\n'
