#!/bin/bash
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# usage: unit_tests.sh [--list INPUTS] PROGRAM...
# Runs test programs one after the other. One that fails, dies, or is not done after LIMIT seconds (600) is named, and
# the others still run. Exit status 0: all passed. --list runs nothing and prints the programs as items of a suite
# (tools/test_rules.py), which depend on INPUTS, too.
set -u
limit=${LIMIT:-600}
failed=0

if [ "${1-}" = --list ]; then
	inputs=$2
	shift 2
	for program in "$@"; do
		printf '%s\t%s\t%s\n' "$(basename "$program")" "tools/unit_tests.sh $program $inputs" "tools/unit_tests.sh $program"
	done
	exit
fi
for program in "$@"; do
	# In the foreground: Ctrl-C reaches it, too.
	timeout --foreground -k 10 "$limit" "$program"
	status=$?
	case $status in
	0) continue ;;
	124 | 137) echo "FAIL $(basename "$program"): not done after $limit s" ;;
	*) echo "FAIL $(basename "$program"): status $status" ;;
	esac
	failed=$((failed + 1))
done
[ "$failed" = 0 ]
