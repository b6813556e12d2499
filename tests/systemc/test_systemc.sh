#!/bin/bash
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# Tests flitloom in SystemC: the same plans by link sim, by flitloom::link to flitloom::chip, and by a chip in front of
# a simulated board on a pseudo-terminal, with good and bad lines, and unplugged; random transactions, good and bad; the
# checker of TLM's rules with models that break them; the statements of docs/systemc.md about both classes, its program,
# and the example. LISTS: how many plans (10) on each fabric. SHOTS: how many thousand transactions (20) of each sort.
# DMA: the example's fabric (cube:3). SEED.
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

# expect NAME STATUS TEXT COMMAND...: it ends with this status, and TEXT is in what it says.
expect() {
	"${@:4}" >"$folder/out" 2>&1
	local status=$?
	if [ "$status" -eq "$2" ] && grep -q -e "$3" "$folder/out"; then
		n_passed=$((n_passed + 1))
	else
		n_failed=$((n_failed + 1))
		echo "FAIL: $1: status $status, not $2: $(grep -v '^$' "$folder/out" | tail -n 5 | head -c 600)"
	fi
}

board=
plug_in() { # fabric [bytes]
	exec {stop}> >(exec "$build/board_pty" "$1" "$folder/tty" "${@:2}")
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
counted "$build/systemc_behaviour"
counted "$build/systemc_phases"
expect "the example" 0 "messages of 17 flits, each whole" "$build/dma" "${DMA:-cube:3}"
expect "the example on no cube" 1 "^cubes only" "$build/dma" omega:8
expect "the example on nothing" 1 "cube:99" "$build/dma" cube:99
# The program in docs/systemc.md is as it stands there.
sed -n '/^```cpp$/,/^```$/{/^```/!p}' docs/systemc.md >"$folder/platform.cpp"
expect "docs/systemc.md" 0 "^16 messages, PASS$" sh -c "make -s build/of_docs OF_DOCS='$folder/platform.cpp' && build/of_docs"
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

# The RTL of a board's UART, with a line that is as slow as a real one.
exec {serve}< <(exec "$build/flitloom" serve cube:2 2>/dev/null)
server=$!
read -r -u "$serve" tty
counted "$build/systemc_plans" cube:2 1 "$seed" "at=uart:$tty"
kill "$server"

# The plug is pulled: an error by the rules of TLM, and one line that says what.
for bytes in 100 600 1200; do
	plug_in cube:3 $((bytes + RANDOM % 300))
	expect "the plug pulled" 1 "to uart.*TLM_GENERIC_ERROR_RESPONSE\|speaks" "$build/systemc_plans" cube:3 20 "$seed" "lt=uart:$folder/tty"
	unplug
done

echo "$n_passed passed, $n_failed failed"
[ "$n_failed" -eq 0 ]
