#!/bin/bash
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# flitloom in SystemC: the same plans by link sim, by flitloom::link to flitloom::chip, and by that in front of a simulated board on a
# pseudo-terminal, good and bad lines; random transactions, good and bad; the checker of TLM's rules against those who break them.
# LISTS: how many plans (10) on each fabric; SHOTS: how many thousand transactions (20) of each sort. SEED.
set -u -o pipefail
cd "$(dirname "$0")/../.." || exit 2
build=$(realpath "${BUILD:-build}")
lists=${LISTS:-10}
shots=${SHOTS:-20}000
seed=${SEED:-$RANDOM}
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
n_passed=0
n_failed=0

# counted PROGRAM ARGUMENT...: a program that ends in "N passed, M failed".
counted() {
	local p f
	"$@" >"$folder/out" 2>"$folder/err"
	local status=$?
	read -r p f < <(sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$folder/out")
	n_passed=$((n_passed + ${p:-0}))
	if [ "$status" -ne 0 ] || [ "${p:-0}" -eq 0 ] || [ "${f:-1}" -ne 0 ]; then
		n_failed=$((n_failed + ${f:-0} + (${f:-0} == 0)))
		echo "FAIL: ${*##*/}: status $status: $(grep -m 5 -v '^$' "$folder/out" | head -c 900) $(tail -n 3 "$folder/err")"
	fi
}

board=
plug_in() { # fabric
	exec {stop}> >(exec "$build/board_pty" "$1" "$folder/tty")
	board=$!
	for _ in $(seq 600); do
		[ -e "$folder/tty" ] && return
		sleep 0.1
	done
	echo "FAIL: no board within a minute"
	n_failed=$((n_failed + 1))
}
unplug() {
	exec {stop}>&-
	wait "$board" 2>/dev/null
	rm -f "$folder/tty"
}

counted "$build/systemc_wrong"
for sort in memory cube:3 any; do
	counted "$build/systemc_random" "$sort" "$shots" "$seed"
done

for fabric in cube:3 omega:8; do
	plug_in "$fabric"
	counted "$build/systemc_plans" "$fabric" "$lists" "$seed" "lt=uart:$folder/tty"
	counted "$build/systemc_plans" "$fabric" "$lists" "$seed" "at=uart:$folder/tty"
	counted "$build/systemc_plans" "$fabric" 2 "$seed" "lt=fault:seed=$seed,drop=0.002,truncate=0.005:uart:$folder/tty"
	unplug
done

echo "$n_passed passed, $n_failed failed"
[ "$n_failed" -eq 0 ]
