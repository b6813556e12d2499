#!/bin/bash
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# Tests user models on the nodes of flitloom::fabric (frames.cpp): all that they send arrives, by FIFOs and by TLM, and
# every error is found; also the example sw/examples/accelerator.cpp. WORDS: how many words on cube:4 (20000). SEED.
# Ends in "N passed, N failed".
set -u -o pipefail
cd "$(dirname "$0")/../.." || exit 2
build=$(realpath "${BUILD:-build}")
frames=$build/systemc_frames
words=${WORDS:-20000}
seed=${SEED:-$RANDOM}
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
n_passed=0
n_failed=0

# right WORDS ARGUMENT...: it passes, and says that it had all words.
right() {
	timeout 600 "$frames" "${@:2}" "words=$1" "seed=$seed" >"$folder/out" 2>&1
	local status=$?
	if [ $status = 0 ] && grep -q "^PASS .*: $1 words in" "$folder/out"; then
		n_passed=$((n_passed + 1))
		grep "^PASS" "$folder/out"
	else
		n_failed=$((n_failed + 1))
		echo "FAIL ${*:2}, seed $seed, status $status: $(grep -v '^$' "$folder/out" | tail -n 5)"
	fi
}

# found FAULT TEXT: it fails, and says this.
found() {
	timeout 60 "$frames" omega:8 words=3000 "seed=$seed" "fault=$1" >"$folder/out" 2>&1
	local status=$?
	if [ $status = 1 ] && grep -q "^FAIL: .*$2" "$folder/out" && ! grep -q "^PASS" "$folder/out"; then
		n_passed=$((n_passed + 1))
	else
		n_failed=$((n_failed + 1))
		echo "FAIL fault $1, seed $seed, was not found, status $status: $(grep -v '^$' "$folder/out" | tail -n 5)"
	fi
}

right "$words" cube:4
right "$words" cube:4 sockets
right 3000 omega:8 sockets
right 3000 omega:8
# reported TEXT ARGUMENT...: the fabric itself reports this, and the simulation is over.
reported() {
	timeout 60 "$frames" words=3000 "seed=$seed" "${@:2}" >"$folder/out" 2>&1
	local status=$?
	if [ $status = 1 ] && grep -q "^Error: /flitloom/fabric: .*$1" "$folder/out" && ! grep -q "^PASS" "$folder/out"; then
		n_passed=$((n_passed + 1))
	else
		n_failed=$((n_failed + 1))
		echo "FAIL ${*:2}, seed $seed, was not reported, status $status: $(grep -v '^$' "$folder/out" | tail -n 5)"
	fi
}

found drop "another word"
found flip "another word"
found swap "another word"
found twice "another word"
found end "another end"
found elsewhere "another word\|that nobody sent\|another end"
found deaf "missing: 2999 words of 3000 have come"

reported "a frame to node 99; omega:8 has nodes 0 to 7" omega:8 fault=nowhere
reported "data 0x100.* in a beat of 32 bits" omega:8 fault=wide
reported "node 1: a frame from node .*, and port out is not bound" omega:8 fault=unbound
reported "omega" omeg:8

# Programs that end in "N passed, M failed".
for program in fabric_behaviour node_behaviour; do
	if timeout 60 "$build/systemc_$program" >"$folder/out" 2>&1 && grep -q "^[1-9][0-9]* passed, 0 failed$" "$folder/out"; then
		n_passed=$((n_passed + 1))
	else
		n_failed=$((n_failed + 1))
		echo "FAIL $program: $(grep -m 5 '^FAIL' "$folder/out")"
	fi
done

# The example: seven accelerators are faster than one, and the product is right, as it says itself.
cycles() { # ACCELERATORS
	"$build/accelerator" "$1" 2>/dev/null | sed -n "s/^42 rows of 16 elements, accelerators: $1, cycles: //p"
}
one=$(cycles 1) seven=$(cycles 7)
if [ "${one:-0}" -gt 0 ] && [ "${seven:-0}" -gt 0 ] && [ "$one" -gt $((3 * seven)) ]; then
	n_passed=$((n_passed + 1))
else
	n_failed=$((n_failed + 1))
	echo "FAIL the example: ${one:-no} cycles with one accelerator, ${seven:-no} with seven"
fi

echo "$n_passed passed, $n_failed failed"
[ "$n_failed" -eq 0 ]
