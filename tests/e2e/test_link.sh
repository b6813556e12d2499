#!/bin/bash
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# Tests the command with a board on a pseudo-terminal (board_pty): the same verdict and trace as by --link sim, bad
# lines, and unplugging at random bytes. PULLS: how many times (20). FLITLOOM, BOARD_PTY: the programs.
set -u -o pipefail
cd "$(dirname "$0")/../.." || exit 2
flitloom=$(realpath "${FLITLOOM:-build/flitloom}")
board_pty=$(realpath "${BOARD_PTY:-build/board_pty}")
folder=$(mktemp -d) || exit 2
cd "$folder" || exit 2
n_passed=0
n_failed=0
passed() { n_passed=$((n_passed + 1)); }
failed() {
	n_failed=$((n_failed + 1))
	echo "FAIL: $*"
}
board=
plug_in() { # fabric [bytes]
	exec {stop}> >(exec "$board_pty" "$1" "$folder/tty" "${@:2}")
	board=$!
	for _ in $(seq 600); do
		[ -e tty ] && return
		sleep 0.1
	done
	failed "no board within a minute"
}
unplug() {
	exec {stop}>&-
	wait "$board" 2>/dev/null
	rm -f tty
}
trap 'rm -rf "$folder"' EXIT
seed=${SEED:-$RANDOM}
RANDOM=$seed

answer() { sed 's/"request":{[^}]*},//'; }

# same WORDS...: the board's JSON equals the simulation's.
# The request names the link and is left out.
same() {
	"$flitloom" run "$@" --json --link sim 2>err | answer >sim.json && [ -s sim.json ] || failed "run $* by sim: $(cat err)"
	for link in uart:tty fault:seed=3,flip=1e-4:uart:tty fault:drop=0.002,truncate=0.01:uart:tty \
		"fault:seed=$RANDOM,drop=0.01,duplicate=0.01,truncate=0.01:uart:tty"; do
		# With some seeds a line as bad as the last one loses everything for more than 2 s, the default
		# time-out.
		if "$flitloom" run "$@" --json --link "$link" --timeout 20000 2>err | answer >board.json && cmp -s sim.json board.json; then
			passed
		else
			failed "run $* --link $link: status $?, $(cat err); $(diff sim.json board.json | head -c 300)"
		fi
	done
}

plug_in cube:3
"$flitloom" probe uart:tty >out 2>err && grep -qx 'cube:3  *what is on the chip' out &&
	grep -qx "clock_hz  *1000000 frequency of the chip's clock" out && passed || failed "probe: $(cat out err)"
"$flitloom" probe uart:tty --json >out 2>err && python3 -c 'import json; r = json.load(open("out"))
assert r["clock_hz"] == 1000000 and r["nodes"] == 8 and r["damaged"] == 0 and r["link_version"] == 1' && passed || failed "probe --json"
"$flitloom" poke uart:tty SEED 0x12345 2>err && "$flitloom" peek uart:tty seed --json >out 2>err &&
	grep -q '"words":\[74565\]' out && passed || failed "poke, peek: $(cat err)"
same cube:3 bit-reverse
same cube:3 all-to-all --machine paper
"$flitloom" run cube:3 identity --machine paper >out 2>err && grep -q '^machine  *paper .*\[Hou01\]' out && passed || failed "whose machine: $(cat err)"
same cube:3 random-lcc:2 --seed 7
"$flitloom" run cube:4 transpose --link uart:tty >out 2>err
[ $? -eq 2 ] && grep -qx 'flitloom: the plan is for cube:4, but the chip holds cube:3' err && passed || failed "larger plan: $(cat err)"
unplug

# pulled BYTES: the run ends with status 3 and one line, quickly.
pulled=0
for _ in $(seq "${PULLS:-20}"); do
	bytes=$((RANDOM % 900))
	plug_in cube:3 "$bytes"
	begin=$(date +%s%N)
	"$flitloom" run cube:3 all-to-all -q --link uart:tty --timeout 1000 >out 2>err
	status=$?
	took=$((($(date +%s%N) - begin) / 1000000))
	if [ "$status" -eq 0 ]; then
		: # the run had ended before the board was unplugged
	elif [ "$status" -eq 3 ] && [ "$(wc -l <err)" -eq 1 ] && [ "$took" -lt 5000 ]; then
		pulled=$((pulled + 1))
		passed
	else
		failed "plug pulled after $bytes bytes (seed $seed): status $status after $took ms: $(cat err)"
	fi
	unplug
done
[ "$pulled" -gt 0 ] && passed || failed "the plug was never pulled in time"

# After a run that is killed the next run can use the board.
plug_in cube:3
for _ in 1 2 3 4 5; do
	"$flitloom" run cube:3 all-to-all --flits 2000 -q --link uart:tty >/dev/null 2>&1 &
	sleep "0.0$((RANDOM % 9))"
	kill -9 $! 2>/dev/null
	wait $! 2>/dev/null
	"$flitloom" run cube:3 bit-reverse -q --link uart:tty 2>err && passed || failed "after a kill: $(cat err)"
done
unplug

echo "$n_passed passed, $n_failed failed"
[ "$n_failed" -eq 0 ]
