#!/bin/bash
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# usage: boards_table.sh [BOARD|BOARD=FABRIC...]
# Builds the bitstreams of constraints/*.mk (FABRIC and ALSO), or those named, and writes a table of sizes and timing
# between the markers of docs/boards.md. For a bitstream that was not named the table uses what was built here before;
# if there is none, it keeps the row that it has.
set -eu
cd "$(dirname "$0")/.."
boards=$(ls constraints/*.mk | sed 's/.*\///; s/\.mk$//')
table=build/boards/table.md
mkdir -p build/boards

fabrics() { sed -n 's/^\(FABRIC\|ALSO\) [?:]= //p' "constraints/$1.mk"; } # BOARD

# shellcheck disable=SC2086 # several words
[ $# -gt 0 ] || set -- $boards
for asked in "$@"; do
	board=${asked%%=*}
	[ -e "constraints/$board.mk" ] || { echo "boards_table.sh: \"$board\" is none of" $boards >&2; exit 2; }
	wanted=$(fabrics "$board")
	[ "$board" = "$asked" ] || wanted=${asked#*=}
	for fabric in $wanted; do
		begin=$SECONDS
		make -s bitstream BOARD="$board" FABRIC="$fabric" >/dev/null
		echo "$board $fabric: $((SECONDS - begin)) s" >&2
	done
done

printf '| board | fabric | used | clock | at most | slack |\n| --- | --- | --- | --- | --- | --- |\n' >$table
for board in $boards; do
	for fabric in $(fabrics "$board"); do
		report=build/boards/$board/$(echo "$fabric" | tr -d :).json.report
		if [ -f "$report" ]; then
			tools/board_timing.py "$board" "$fabric" "$report" --markdown >>$table
		else
			grep -F "| $board | $fabric |" docs/boards.md >>$table || echo "boards_table.sh: $board $fabric has not been built" >&2
		fi
	done
done
awk -v table=$table '/<!-- table -->/ { print; while ((getline line < table) > 0) print line; skip = 1; next }
	/<!-- end -->/ { skip = 0 } !skip' docs/boards.md >build/boards/boards.md
mv build/boards/boards.md docs/boards.md
