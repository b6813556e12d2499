#!/bin/sh
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# Builds every board's bitstream (or those named) and writes what came out between the markers of docs/boards.md.
set -eu
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || set -- $(ls constraints/*.mk | sed 's/.*\///; s/\.mk$//')
table=build/boards/table.md
mkdir -p build/boards
printf '| board | fabric | used | clock | at most | slack |\n| --- | --- | --- | --- | --- | --- |\n' >$table
for board in "$@"; do
	make -s bitstream BOARD="$board" >/dev/null
	fabric=$(sed -n 's/^FABRIC ?= //p' "constraints/$board.mk")
	tools/board_timing.py "$board" "$fabric" "build/boards/$board/$(echo "$fabric" | tr -d :).json.report" --markdown >>$table
done
awk -v table=$table '/<!-- table -->/ { print; while ((getline line < table) > 0) print line; skip = 1; next }
	/<!-- end -->/ { skip = 0 } !skip' docs/boards.md >build/boards/boards.md
mv build/boards/boards.md docs/boards.md
