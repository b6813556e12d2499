#!/bin/bash
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# Tests `flitloom run --trace FILE`: a waveform is whole or absent, and an earlier file stays until it is replaced.
# FLITLOOM: the program. Ends in "N passed, N failed".
set -u
cd "$(dirname "$0")/../.." || exit 2
flitloom=$(realpath "${FLITLOOM:-build/flitloom}")
folder=$(mktemp -d) || exit 2
cd "$folder" || exit 2
child=
trap '[ -z "$child" ] || kill "$child" 2>/dev/null; rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
n_passed=0
n_failed=0
passed() { n_passed=$((n_passed + 1)); }
failed() {
	n_failed=$((n_failed + 1))
	echo "FAIL: $*"
}
# check WHAT COMMAND...
check() {
	if "${@:2}"; then passed; else failed "$1: $(head -c 300 err)"; fi
}
# run STATUS FILE WORDS...: a run with --trace FILE ends in STATUS, with one line on standard error if that is not 0.
run() {
	"$flitloom" run cube:1 "${@:3}" --trace "$2" -q 2>err >out
	local status=$?
	check "${*:3}: status $status, not $1" test $status = "$1"
	check "${*:3}: not one line" test "$(grep -c '^flitloom: ' err)" = $(($1 != 0))
}
is_fst() { [ "$(head -c 9 "$1" | od -An -tx1 | tr -d ' ')" = 000000000000000149 ]; }
alone() { [ "$(ls -A | tr '\n' ' ')" = "$* " ]; }

echo kept >old.fst
run 2 old.fst complement --flits 70000
check 'a refused run wrote a waveform' grep -qx kept old.fst
run 0 old.fst complement
check 'no waveform' is_fst old.fst
check 'something is left' alone err old.fst old.gtkw out

# The save file makes GTKWave show the waveform, with the fields of every channel's message, and no signal twice.
check 'not for this waveform' grep -qx '\[dumpfile\] "old.fst"' old.gtkw
for group in 'tile 0' 'tile 1' 'tile 0, link 0' 'tile 1, inject' 'tile 1, eject'; do
	check "$group is not a group that begins and ends" test "$(grep -cx -- "-$group" old.gtkw)" = 2
done
for field in source destination number header crosses slot rule; do
	check "$field of every channel" test "$(grep -cE "view_[a-z]+\.$field(\[|\$)" old.gtkw)" = 6
done
check 'a signal twice' test -z "$(grep '^[a-z]' old.gtkw | sort | uniq -d)"
check 'no cycle of the run' grep -qx 'loom.sim_top.run_cycle\[31:0\]' old.gtkw

# flitloom keeps files beside the waveform that it did not write.
echo mine >mine.gtkw
run 2 mine.fst complement
check 'it does not say what is in the way' grep -q 'mine.gtkw cannot be written: it is there' err
check 'a file that flitloom did not write was replaced' grep -qx mine mine.gtkw
check 'a waveform all the same' test ! -e mine.fst
ln -s mine.fst link.fst
echo kept >mine.fst
run 2 link.fst complement
check 'behind a link' grep -qx mine mine.gtkw
rm mine.* link.fst
run 2 both.fst complement --messages both.gtkw
check 'it does not say that both are one' grep -q -- '--trace and --messages both write both.gtkw' err
check 'one of them was written' test ! -e both.fst -a ! -e both.gtkw
mkdir both.gtkw
run 2 both.fst complement
rmdir both.gtkw

# A window of cycles: the file's header has its first and last moment in half cycles.
moment() { echo $((0x$(od -An -tx1 -j "$2" -N 8 "$1" | tr -d ' \n'))); }
run 0 window.fst complement --trace-from 4 --trace-cycles 10
from=$(moment window.fst 9)
check 'a window of 10 cycles' test $(($(moment window.fst 17) - from)) = 20
run 0 window.fst complement --trace-from 7
check 'the window begins three cycles later' test $(($(moment window.fst 9) - from)) = 6
run 0 window.fst complement --trace-cycles 2
check 'the window begins with the run' test $((from - $(moment window.fst 9))) = 6
check 'and has two cycles' test $(($(moment window.fst 17) - $(moment window.fst 9))) = 4
rm window.fst window.gtkw
run 2 window.fst complement --trace-from 1000
check 'a waveform of nothing' test ! -e window.fst
check 'it does not say why' grep -q 'ended before cycle 1000' err
"$flitloom" run cube:1 complement --trace-from 3 -q 2>err >out
check "--trace-from without --trace: $?" grep -q 'there is no --trace' err

rm old.gtkw
echo kept >old.fst
"$flitloom" serve cube:1 no/such/socket --trace old.fst -q 2>err >out
check "serve without a folder for its socket: status $?" test $? -ne 0
check 'serve wrote a waveform of nothing' grep -qx kept old.fst
check "the folder is looked for before a model is built: $(cat err)" \
	test "$(cat err)" = 'flitloom: cannot make the socket no/such/socket: No such file or directory'
FLITLOOM_CACHE=$folder/unbuilt "$flitloom" serve cube:1 no/such/socket 2>err >out
check 'serve without a folder for its socket built a model' test ! -e unbuilt

ln -s old.fst link.fst
echo kept >old.fst
run 0 link.fst complement
check 'a link was replaced' test -L link.fst
check 'no waveform behind a link' is_fst old.fst

run 3 failed.fst complement --max-cycles 1
check 'no waveform of a run that failed' is_fst failed.fst
rm failed.* link.fst old.gtkw

echo kept >old.fst
(ulimit -f 8; run 2 old.fst complement --flits 60000; echo "$n_passed $n_failed" >counts)
read -r n_passed n_failed <counts
rm counts
check 'a waveform for which there was no room' grep -qx kept old.fst
check 'something is left of a waveform without room' alone err old.fst out

# A signal ends the run in its middle, or on a busy machine before it starts. Two signals in a row, as timeout(1) sends
# them, count as one.
for signals in INT TERM 'INT TERM' 'TERM TERM'; do
	(trap - INT && ulimit -f 1000000 && exec "$flitloom" run cube:1 uniform:900 --flits 60000 --trace old.fst -q) 2>err >out &
	child=$!
	for _ in $(seq 300); do
		[ "$(find . -name 'old.fst.*.tmp' -size +0 | wc -l)" = 0 ] || break
		sleep 0.1
	done
	for signal in $signals; do
		kill "-$signal" "$child"
	done
	wait "$child"
	status=$?
	child=
	check "ended by $signals: status $status, not 3" test $status = 3
	check "$signals: one line" grep -qxE "flitloom: interrupted: given up (in pass 0 at cycle [1-9][0-9]*|while [a-z' ]+, at word [0-9]+ of [0-9]+)" err
	check "$signals: a run that was ended wrote a waveform" grep -qx kept old.fst
	check "$signals: something is left of a run that was ended" alone err old.fst out
done

# A second signal ends at once what the first does not: here a build that never ends, beside an earlier waveform.
mkdir -p home/tools home/rtl
printf '#!/bin/sh\n: >"%s/old.fst.$PPID.tmp"\nexec sleep 10 2>&1\n' "$folder" >home/tools/model.sh
chmod +x home/tools/model.sh
for signal in INT TERM; do
	(trap - INT && FLITLOOM_HOME=$folder/home exec "$flitloom" run cube:1 complement --trace old.fst -q) 2>err >out &
	child=$!
	for _ in $(seq 100); do
		[ -z "$(find . -name 'old.fst.*.tmp')" ] || break
		sleep 0.1
	done
	kill "-$signal" "$child"
	sleep 1
	check "the first $signal ended it" kill "-$signal" "$child"
	wait "$child" 2>err
	status=$?
	child=
	check "a second $signal: status $status" test $status = $((128 + $(kill -l $signal)))
	check "a second $signal: a waveform" grep -qx kept old.fst
	check "a second $signal: something is left" alone err home old.fst out
done

echo "$n_passed passed, $n_failed failed"
[ "$n_failed" = 0 ]
