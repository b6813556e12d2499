#!/bin/bash
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# usage: run_tests.sh NAME=COMMAND...
# Runs the suites, as many at a time as there are cores (JOBS), each into build/log/NAME.log, and prints a line for each
# that has ended, what failed, and last the sum: "N passed, N failed". A suite counts by its own last line of that form, or by
# cmocka's. Long suites come first in the
# list, so that at the end no core waits for one. Ctrl-C does its work in a suite even where it is ignored here, as in jobs in the
# background: suites send it to what they start.
set -u
jobs=${JOBS:-$(nproc)}
sums=$(mktemp -d) || exit 2
trap 'rm -rf "$sums"' EXIT
mkdir -p build/log

suite() { # NAME COMMAND
	local name=$1 log=build/log/$1.log start=$SECONDS status last p f
	env --default-signal=INT,QUIT bash -c "$2" >"$log" 2>&1 </dev/null
	status=$?
	last=$(grep -aE '^[0-9]+ passed, [0-9]+ failed$' "$log" | tail -n 1)
	if [ -n "$last" ]; then
		p=${last%% *}
		f=$(echo "$last" | sed 's/.*, \([0-9]*\) failed/\1/')
	else
		p=$(grep -aoE '^\[  PASSED  \] [0-9]+' "$log" | awk '{n += $4} END {print n + 0}')
		f=$(grep -aoE '^\[  FAILED  \] [0-9]+' "$log" | awk '{n += $4} END {print n + 0}')
	fi
	# A suite that died, or that ran nothing, has failed whatever it counted.
	if [ $status != 0 ] && [ "$f" = 0 ] || [ "$p" = 0 ] && [ "$f" = 0 ]; then
		f=1
	fi
	echo "$p $f" >"$sums/$name"
	{
		printf '%-10s %6d passed %4d failed  %4d s  %s\n' "$name" "$p" "$f" $((SECONDS - start)) "$log"
		[ "$f" = 0 ] || grep -aE 'FAIL|[Ee]rror|ERROR' "$log" | head -n 20
	} >"$sums/$name.out"
	cat "$sums/$name.out"
}

for one in "$@"; do
	while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do
		wait -n
	done
	suite "${one%%=*}" "${one#*=}" &
done
wait
passed=0 failed=0
for one in "$@"; do
	p=0 f=1 # of a suite that did not come to its end
	[ ! -s "$sums/${one%%=*}" ] || read -r p f <"$sums/${one%%=*}"
	passed=$((passed + p))
	failed=$((failed + f))
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
