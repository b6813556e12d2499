#!/bin/sh
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# usage: boards_def.sh constraints/NAME.mk...
# Prints one row of C for each board, for `flitloom list boards` and `flitloom program` (struct cli_board).
set -eu

field() {
	value=$(sed -n "s/^$1 [:?]= //p" "$file")
	[ -n "$value" ] || { echo "boards_def.sh: $file says no $1" >&2; exit 1; }
	echo "$value"
}

for file in "$@"; do
	name=$(basename "$file" .mk)
	title=$(field TITLE)
	loader=$(field LOADER)
	usb=$(field USB)
	fabric=$(field FABRIC | tr -d :)
	case $(field FLOW) in
	ice40) fabric=$fabric.bin ;;
	ecp5) fabric=$fabric.bit ;;
	*) echo "boards_def.sh: $file: FLOW is not ice40 or ecp5" >&2; exit 1 ;;
	esac
	echo "{\"$name\", \"$loader\", \"$fabric\", 0x${usb%:*}, 0x${usb#*:}, \"$title\"},"
done
