#!/bin/bash
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# usage: accept.sh FABRIC FOLDER LINK LCCS LISTS
# Runs the acceptance programs through a link: transpose, bit-reverse, random LCCs, random message lists. Every
# verdict must be pass, and every trace must be, to the cycle, the one that LINK "sim" has left in FOLDER. Sized for
# the smallest boards. Ends in "N passed, N failed".
set -u
fabric=$1 folder=$2 link=$3 lccs=$4 lists=$5
flitloom=${FLITLOOM:-build/flitloom}
n_nodes=$("$flitloom" plan "$fabric" complement --json | sed 's/.*"nodes":\([0-9]*\).*/\1/')
# Messages that can lock are cut into passes; a board has few of these.
each=12 planner=
if ! "$flitloom" check "$fabric" >"$folder/check"; then
	each=3 planner=--planner=greedy
fi
n_passed=0
n_failed=0

# message_list SEED: up to 12 (3) messages of a node, at most 16 to a node, of up to 60 flits.
message_list() {
	awk -v n="$n_nodes" -v seed="$1" -v each="$each" 'BEGIN {
		srand(seed)
		for (s = 0; s < n; s++) {
			m = int(rand() * (each + 1))
			for (i = 0; i < m; i++) {
				d = int(rand() * n)
				if (d != s && got[d]++ < 16)
					print s "," d "," 1 + int(rand() * 60)
			}
		}
		print "0," n - 1 ",5"
	}'
}

# A board's payload and signatures may have other widths than those of sim, and its nodes do not keep the cycles of release.
comparable() { sed '/^"payload":/d; s/,"signature":[0-9]*//; s/,"release":[0-9]*//' "$1"; }

check() { # NAME PATTERN OPTION...
	local name=$1
	shift
	for machine in fast paper; do
		local trace=$folder/$name-$machine
		if ! "$flitloom" run "$fabric" "$@" --machine $machine --json --link "$link" --trace-json "$trace.now" \
			>"$folder/report" 2>"$folder/err" || ! grep -q '"verdict":"pass"' "$folder/report"; then
			n_failed=$((n_failed + 1))
			echo "FAIL: $* --machine $machine --link $link: $(cat "$folder/err"; grep -o '"mismatches":.*' "$folder/report")"
		elif [ "$link" = sim ]; then
			mv "$trace.now" "$trace.json"
			n_passed=$((n_passed + 1))
		elif [ "$(comparable "$trace.json")" = "$(comparable "$trace.now")" ]; then
			n_passed=$((n_passed + 1))
		else
			n_failed=$((n_failed + 1))
			echo "FAIL: $* --machine $machine --link $link: the trace differs from that of sim: $(diff <(comparable "$trace.json") <(comparable "$trace.now") | head -c 400)"
		fi
	done
}

if "$flitloom" plan "$fabric" transpose >"$folder/check" 2>&1; then
	check transpose transpose
fi
# shellcheck disable=SC2086 # no word, or one
check bit-reverse bit-reverse --flits 40 $planner
# shellcheck disable=SC2086
check complement complement --map identity $planner
for seed in $(seq "$lccs"); do
	# shellcheck disable=SC2086
	check "lcc$seed" random-lcc:1 --seed "$seed" --flits $((1 + seed * 37 % 100)) $planner
done
for seed in $(seq "$lists"); do
	[ "$link" != sim ] || message_list "$seed" >"$folder/list$seed.csv"
	# shellcheck disable=SC2086
	check "list$seed" "messages:$folder/list$seed.csv" --seed "$seed" $planner
done
echo "$n_passed passed, $n_failed failed"
[ "$n_failed" -eq 0 ]
