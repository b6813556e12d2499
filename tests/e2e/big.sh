#!/bin/bash
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# usage: big.sh FABRIC PERMUTATION
# Runs the permutation under two maps, and 2,000 random messages, on the verilated fabric. FLITLOOM: the command, by
# default build/flitloom. LIMIT_S, by default 7200: the most seconds of the first run, in which the model is built.
# Ends in "N passed, N failed".
set -u
cd "$(dirname "$0")/../.." || exit 2
[ $# = 2 ] || { echo "usage: big.sh FABRIC PERMUTATION" >&2; exit 2; }
fabric=$1
nodes=$((1 << ${fabric#cube:}))
passed=0 failed=0

run() { # messages, pattern, map
	local out
	out=$(timeout "${LIMIT_S:-7200}" "${FLITLOOM:-build/flitloom}" run "$fabric" "$2" --map "$3" 2>&1)
	local status=$?
	# A run that sent nothing would have status 0, too.
	if [ $status = 0 ] && grep -qE '^verdict +PASS ' <<<"$out" && grep -qE "^delivered +$1 +$1 " <<<"$out"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL $fabric $2 --map $3: status $status, $(tail -n 1 <<<"$out")"
	fi
}

run "$nodes" "$2" best
run "$nodes" "$2" identity
run 2000 uniform:2000 identity
echo "$passed passed, $failed failed"
[ $failed = 0 ]
