#!/bin/bash
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# Runs the lines of docs/load.md that lead from a matrix in pandas to a plot with bands, exactly as printed. Ends in "N
# passed, N failed".
set -u
cd "$(dirname "$0")/../.." || exit 2
root=$PWD
tools/pypi.sh python || exit 3
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/build"
ln -s "${FLITLOOM:-$root/build/flitloom}" "$folder/build/flitloom"
n_passed=0
n_failed=0

check() { # WHAT COMMAND...
	local what=$1
	shift
	if "$@"; then
		n_passed=$((n_passed + 1))
	else
		n_failed=$((n_failed + 1))
		echo "FAIL: $what"
	fi
}

awk '/^```/ { if (on) exit; n = NR } !/^```/ && NR == n + 1 && /^import subprocess$/ { on = 1 } on' docs/load.md >"$folder/example.py"
check 'docs/load.md has ten such lines' test "$(wc -l <"$folder/example.py")" = 10
status=0
(cd "$folder" && "$root/build/venv-python/bin/python" example.py >said 2>err) || status=$?
check "the lines run: $(tail -n 2 "$folder/err")" test "$status" = 0
check 'a table of latencies by load and fabric' grep -Eq '^load +' "$folder/said"
check 'both fabrics are in it' grep -Eq 'cube:4 +mesh:4x4' "$folder/said"
check 'a row for each load and fabric' test "$(grep -c '' "$folder/load.csv")" = 41
check 'half widths in CSV' grep -q 'latency_half_width' "$folder/load.csv"
check 'bands in the plot' grep -q "fill-opacity = '0.2" "$folder/load.svg"
echo "$n_passed passed, $n_failed failed"
[ "$n_failed" = 0 ]
