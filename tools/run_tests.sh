#!/bin/bash
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# usage: run_tests.sh NAME=COMMAND...
# Runs the suites one after the other, each into build/log/NAME.log, prints a line for each, what failed, and last the
# sum: "N passed, N failed". A suite counts by its own last line of that form, or by cmocka's.
set -u
mkdir -p build/log
passed=0 failed=0
for suite in "$@"; do
	name=${suite%%=*}
	log=build/log/$name.log
	start=$SECONDS
	bash -c "${suite#*=}" >"$log" 2>&1
	status=$?
	last=$(grep -E '^[0-9]+ passed, [0-9]+ failed$' "$log" | tail -n 1)
	if [ -n "$last" ]; then
		p=${last%% *}
		f=$(echo "$last" | sed 's/.*, \([0-9]*\) failed/\1/')
	else
		p=$(grep -oE '^\[  PASSED  \] [0-9]+' "$log" | awk '{n += $4} END {print n + 0}')
		f=$(grep -oE '^\[  FAILED  \] [0-9]+' "$log" | awk '{n += $4} END {print n + 0}')
	fi
	# A suite that died, or that ran nothing, has failed whatever it counted.
	if [ $status != 0 ] && [ "$f" = 0 ] || [ "$p" = 0 ] && [ "$f" = 0 ]; then
		f=1
	fi
	passed=$((passed + p))
	failed=$((failed + f))
	printf '%-10s %6d passed %4d failed  %4d s  %s\n' "$name" "$p" "$f" $((SECONDS - start)) "$log"
	[ "$f" = 0 ] || grep -E 'FAIL|[Ee]rror|ERROR' "$log" | head -n 20
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
