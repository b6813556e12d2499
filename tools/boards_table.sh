#!/bin/sh
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# Builds the bitstreams of all boards, or of those named, and writes a table of sizes and timing between the markers of
# docs/boards.md; boards that were not named are in it with what was built of them before.
set -eu
cd "$(dirname "$0")/.."
boards=$(ls constraints/*.mk | sed 's/.*\///; s/\.mk$//')
# shellcheck disable=SC2086 # several words
[ $# -gt 0 ] || set -- $boards
table=build/boards/table.md
mkdir -p build/boards
printf '| board | fabric | used | clock | at most | slack |\n| --- | --- | --- | --- | --- | --- |\n' >$table
for board in "$@"; do
	make -s bitstream BOARD="$board" >/dev/null
done
for board in $boards; do
	fabric=$(sed -n 's/^FABRIC ?= //p' "constraints/$board.mk")
	report=build/boards/$board/$(echo "$fabric" | tr -d :).json.report
	[ ! -f "$report" ] || tools/board_timing.py "$board" "$fabric" "$report" --markdown >>$table
done
awk -v table=$table '/<!-- table -->/ { print; while ((getline line < table) > 0) print line; skip = 1; next }
	/<!-- end -->/ { skip = 0 } !skip' docs/boards.md >build/boards/boards.md
mv build/boards/boards.md docs/boards.md
