#!/bin/bash
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# `flitloom run --trace FILE`: a waveform is whole or not there, and what was there before stays until then. FLITLOOM: the
# program. Ends in "N passed, N failed".
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
check 'something is left' alone err old.fst out

echo kept >old.fst
"$flitloom" serve cube:1 no/such/socket --trace old.fst -q 2>err >out
check "serve without a folder for its socket: status $?" test $? -ne 0
check 'serve wrote a waveform of nothing' grep -qx kept old.fst

ln -s old.fst link.fst
echo kept >old.fst
run 0 link.fst complement
check 'a link was replaced' test -L link.fst
check 'no waveform behind a link' is_fst old.fst

run 3 failed.fst complement --max-cycles 1
check 'no waveform of a run that failed' is_fst failed.fst
rm failed.fst link.fst

echo kept >old.fst
(ulimit -f 8; run 2 old.fst complement --flits 60000; echo "$n_passed $n_failed" >counts)
read -r n_passed n_failed <counts
rm counts
check 'a waveform for which there was no room' grep -qx kept old.fst
check 'something is left of a waveform without room' alone err old.fst out

# Ended by a signal, amid the run.
(ulimit -f 1000000 && exec "$flitloom" run cube:1 uniform:900 --flits 60000 --trace old.fst -q) 2>err >out &
child=$!
for _ in $(seq 300); do
	[ "$(find . -name 'old.fst.*.tmp' -size +0 | wc -l)" = 0 ] || break
	sleep 0.1
done
kill -TERM "$child"
wait "$child"
status=$?
child=
check "ended by SIGTERM: status $status" test $status = 143
check 'a run that was ended wrote a waveform' grep -qx kept old.fst
check 'something is left of a run that was ended' alone err old.fst out

echo "$n_passed passed, $n_failed failed"
[ "$n_failed" = 0 ]
