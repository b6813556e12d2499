#!/bin/sh
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# usage: board_fit.sh BOARD FABRIC...
# Builds bitstreams of the fabrics of a kind in the given order, smallest first, until one does not fit or is too slow
# for the board's clock. Prints the size of each, and at the end the largest fabric of each kind.
set -eu
cd "$(dirname "$0")/.."
board=$1
shift
largest= full=
for fabric in "$@"; do
	kind=${fabric%%:*}
	case " $full " in *" $kind "*) continue ;; esac
	out=build/boards/$board/$(echo "$fabric" | tr -d :)
	if said=$(make -s bitstream BOARD="$board" FABRIC="$fabric" 2>&1); then
		tools/board_timing.py "$board" "$fabric" "$out.json.report"
		kept=
		for other in $largest; do [ "${other%%:*}" = "$kind" ] || kept="$kept $other"; done
		largest="$kept $fabric"
	else
		echo "$board $fabric: $(echo "$said" | grep -v '^make' | tail -n 1)"
		full="$full $kind"
	fi
done
echo "the largest fabric of $board, kind by kind:${largest:- none}"
