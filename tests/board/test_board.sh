#!/bin/bash
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# usage: test_board.sh BOARD
# Tests a virtual board (as sim-uart's argument: the netlist of a bitstream, or a fabric) by the pins of its UART,
# behind a pseudo-terminal and behind an emulated FTDI chip for the real libftdi and libusb: the acceptance programs,
# and unplugging at random moments. LCCS (4), LISTS (4), PULLS (6): how many; SEED; FLITLOOM, BOARD_FTDI: the
# programs.
set -u
cd "$(dirname "$0")/../.." || exit 2
board=$1
export FLITLOOM=${FLITLOOM:-build/flitloom}
board_ftdi=${BOARD_FTDI:-build/board_ftdi}
lccs=${LCCS:-4} lists=${LISTS:-4} pulls=${PULLS:-6}
seed=${SEED:-$RANDOM}
RANDOM=$seed
folder=$(mktemp -d) || exit 2
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null; rm -rf "$folder"' EXIT
n_passed=0
n_failed=0
passed() { n_passed=$((n_passed + 1)); }
failed() {
	n_failed=$((n_failed + 1))
	echo "FAIL: $*"
}
sum() { # LOG: adds what a program counted
	local last
	grep FAIL "$1"
	last=$(grep -E '^[0-9]+ passed, [0-9]+ failed$' "$1" | tail -n 1)
	[ -n "$last" ] || { failed "$1: $(tail -n 1 "$1")"; return; }
	n_passed=$((n_passed + ${last%% *}))
	n_failed=$((n_failed + $(echo "$last" | sed 's/.*, \([0-9]*\) failed/\1/')))
	echo "$2: $last"
}
plug_in() {
	rm -f "$folder/tty" # the one of the board before
	"$FLITLOOM" serve "sim-uart:$board" >"$folder/tty" 2>"$folder/serve.err" &
	server=$!
	for _ in $(seq 3000); do
		[ -s "$folder/tty" ] && return
		kill -0 "$server" 2>/dev/null || break
		sleep 0.1
	done
	failed "no board: $(cat "$folder/serve.err")"
	exit 1
}

plug_in
tty=$(cat "$folder/tty")
fabric=$("$FLITLOOM" probe "uart:$tty" | sed -n 's/^\([a-z]*:[0-9x]*\) .*/\1/p')
[ -n "$fabric" ] || { failed "no fabric"; exit 1; }
planner=direct # whose one pass takes long enough to be cut
"$FLITLOOM" plan "$fabric" all-to-all --planner direct >"$folder/out" 2>&1 || planner=greedy
case $fabric in
cube:*) larger=cube:$((${fabric#*:} + 1)) planner=exchange ;;
*) larger=${fabric%%:*}:16 ;;
esac
case $larger in mesh:* | torus:*) larger=${larger}x16 ;; esac
mkdir "$folder/traces"
tests/board/accept.sh "$fabric" "$folder/traces" sim "$lccs" "$lists" >"$folder/sim.log" 2>&1
sum "$folder/sim.log" "$fabric, sim"
tests/board/accept.sh "$fabric" "$folder/traces" "uart:$tty" "$lccs" "$lists" >"$folder/pty.log" 2>&1
sum "$folder/pty.log" "$fabric, pty"
kill "$server"
wait "$server"
umockdev-wrapper "$board_ftdi" "$board" tests/board/accept.sh "$fabric" "$folder/traces" ftdi: "$lccs" "$lists" \
	>"$folder/ftdi.log" 2>"$folder/ftdi.err"
sum "$folder/ftdi.log" "$fabric, ftdi"
tail -n 1 "$folder/ftdi.err"

# A plan that is too large for the board: status 2, and what would fit.
plug_in
tty=$(cat "$folder/tty")
"$FLITLOOM" run "$larger" complement --planner greedy --link "uart:$tty" >"$folder/out" 2>"$folder/err"
if [ $? -eq 2 ] && [ "$(wc -l <"$folder/err")" -eq 1 ] && grep -q "chip holds $fabric" "$folder/err"; then
	passed
else
	failed "larger plan: $(cat "$folder/err")"
fi

# A socket: clients come and go; what is in use, or no socket, is refused; a signal ends it and takes the socket away.
"$FLITLOOM" serve "sim-uart:$board" "$folder/socket" >"$folder/out" 2>"$folder/err" &
second=$!
for _ in $(seq 600); do
	[ -s "$folder/out" ] && break
	sleep 0.1
done
for _ in 1 2; do
	tests/board/hello.py "$folder/socket" 2>"$folder/err" && passed || failed "a client of a socket: $(tail -n 1 "$folder/err")"
done
"$FLITLOOM" serve "sim-uart:$board" "$folder/socket" >"$folder/out" 2>"$folder/err"
[ $? -eq 2 ] && grep -q 'is in use by another program' "$folder/err" && passed || failed "a socket in use: $(cat "$folder/err")"
"$FLITLOOM" serve "sim-uart:$board" "$folder/err" >"$folder/out" 2>"$folder/err2"
[ $? -eq 2 ] && grep -q 'is no socket' "$folder/err2" && passed || failed "no socket: $(cat "$folder/err2")"
kill -TERM "$second"
wait "$second"
[ $? -eq 0 ] && [ ! -e "$folder/socket" ] && passed || failed "serve, ended by a signal"

# Programming a board on USB, with a script of ours in the place of openFPGALoader.
mkdir "$folder/bin"
printf '#!/bin/sh\necho "$*" >%s/loaded\n[ ! -s %s/refuse ] || { echo "no such chip" >&2; exit 5; }\n' "$folder" "$folder" >"$folder/bin/openFPGALoader"
chmod +x "$folder/bin/openFPGALoader"
echo bits >"$folder/bits.bin"
if PATH=$folder/bin:$PATH umockdev-wrapper "$board_ftdi" "$board" "$FLITLOOM" program hx8k "$folder/bits.bin" 2>"$folder/err" &&
	[ "$(cat "$folder/loaded")" = "-b ice40_generic $folder/bits.bin" ]; then
	passed
else
	failed "program: $(cat "$folder/err")"
fi
echo 1 >"$folder/refuse"
PATH=$folder/bin:$PATH umockdev-wrapper "$board_ftdi" "$board" "$FLITLOOM" program hx8k "$folder/bits.bin" 2>"$folder/err"
if [ $? -eq 3 ] && grep -q '^flitloom: .*failed with status 5' "$folder/err"; then
	passed
else
	failed "program: $(cat "$folder/err")"
fi

# ended WHAT STATUS MS: a run whose plug was pulled ends with status 3 and one line, in time.
cut=0
ended() {
	if [ "$2" -eq 0 ]; then
		: # it was done before
	elif [ "$2" -eq 3 ] && [ "$(grep -c '^flitloom: ' "$folder/err")" -eq 1 ] && [ "${3%.*}" -lt $((timeout + 600)) ]; then
		cut=$((cut + 1))
		passed
	else
		failed "$1 (seed $seed): status $2 after $3 ms: $(cat "$folder/err")"
	fi
}
timeout=1000
work=(run "$fabric" all-to-all --flits 60 --planner "$planner" -q --timeout)

# The time that a whole run takes tells when it can be cut.
begin=$(date +%s%N)
"$FLITLOOM" "${work[@]}" $timeout --link "uart:$tty" 2>"$folder/err" && passed || failed "before the pulls: $(cat "$folder/err")"
whole=$((($(date +%s%N) - begin) / 1000000))
for _ in $(seq $((5 * pulls))); do
	[ "$cut" -lt "$pulls" ] || break
	"$FLITLOOM" "${work[@]}" $timeout --link "uart:$tty" >"$folder/out" 2>"$folder/err" &
	run=$!
	sleep "$(printf '0.%03d' $((RANDOM % (whole < 999 ? whole : 999))))"
	kill -9 "$server"
	wait "$server" 2>/dev/null
	killed=$(date +%s%N)
	wait "$run"
	ended "the pseudo-terminal closed" $? $((($(date +%s%N) - killed) / 1000000))
	rm -f "$folder/tty"
	plug_in
	tty=$(cat "$folder/tty")
	"$FLITLOOM" run "$fabric" bit-reverse -q --link "uart:$tty" 2>"$folder/err" && passed || failed "the next run: $(cat "$folder/err")"
done
kill "$server"
wait "$server"
server=

umockdev-wrapper "$board_ftdi" "$board" "$FLITLOOM" "${work[@]}" $timeout --link ftdi: >"$folder/out" 2>"$folder/err" && passed || failed "ftdi, before the pulls: $(cat "$folder/err")"
whole=$(sed -n 's/^board_ftdi: \([0-9]*\) bytes to the board, \([0-9]*\) from it.*/\1 + \2/p' "$folder/err")
timeout=200
for i in $(seq $((5 * pulls))); do
	[ "$cut" -lt $((2 * pulls)) ] || break
	how=unplug
	[ $((i % 2)) = 0 ] || how=silent
	bytes=$((1 + (RANDOM * 32768 + RANDOM) % (whole)))
	umockdev-wrapper "$board_ftdi" $how=$bytes "$board" "$FLITLOOM" "${work[@]}" $timeout --link ftdi: >"$folder/out" 2>"$folder/err"
	ended "ftdi: $how after $bytes bytes" $? "$(sed -n 's/.*since then \([0-9.]*\) ms$/\1/p' "$folder/err")"
done
umockdev-wrapper "$board_ftdi" "$board" "$FLITLOOM" run "$fabric" bit-reverse -q --link ftdi: 2>"$folder/err" && passed || failed "ftdi, the next run: $(cat "$folder/err")"
[ "$cut" -eq $((2 * pulls)) ] && passed || failed "only $cut of $((2 * pulls)) pulls cut a run"

echo "$n_passed passed, $n_failed failed"
[ "$n_failed" -eq 0 ]
