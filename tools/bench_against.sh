#!/bin/bash
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# usage: bench_against.sh OLD [FABRIC...]        default cube:8
# Compares the speed of the simulation with an earlier state. OLD is a commit, or a folder with another checkout. It
# runs build/bench_sim of both in turn, ROUNDS (9) times each, over the same messages, and prints microseconds of
# processor time for a cycle, the median and the least. Other work on the machine changes these by some percent, so it
# also counts the machine instructions that the models execute for a cycle, which do not vary (valgrind; COUNT=no leaves
# them out). Both are for the clocked cycles alone, without planning, loading and checking. A ratio above 1 means that
# this tree takes more than OLD. The status is 1 if any pattern takes more than MOST (3) percent more instructions or,
# without them, more time (the least).
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -ge 1 ] || { echo "usage: bench_against.sh COMMIT|FOLDER [FABRIC...]" >&2; exit 2; }
old=$1
shift
[ $# -gt 0 ] || set -- cube:8
rounds=${ROUNDS:-9} most=${MOST:-3} count=${COUNT:-yes}
[ "$count" = no ] || command -v valgrind >/dev/null || { echo "valgrind is not installed (apt-get install valgrind); COUNT=no does without" >&2; exit 2; }
work=$PWD/build/against
mkdir -p "$work"
if [ ! -d "$old" ]; then
	commit=$(git rev-parse --verify -q "$old^{commit}") || { echo "bench_against.sh: \"$old\" is no commit and no folder" >&2; exit 2; }
	old=$work/$commit
	[ -d "$old" ] || { mkdir "$old.new" && git archive "$commit" | tar x -C "$old.new" && mv "$old.new" "$old"; }
fi
old=$(cd "$old" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

bench() { (cd "$1" && shift && "$@"); } # TREE COMMAND...

for tree in "$old" "$PWD"; do
	make -s -C "$tree" build/bench_sim >&2
	for fabric in "$@"; do
		bench "$tree" build/bench_sim "$fabric" >"$folder/first" || { cat "$folder/first" >&2; exit 1; }
	done
done

# Reads each line "PATTERN FABRIC N cycles R cycles/s ...": file time-TREE-PATTERN gets microseconds for a cycle, the file
# cycles-TREE-PATTERN the number of cycles. They differ by some idle ones, which each tree has as often as it looks.
run() { # TREE NAME FABRIC
	bench "$1" build/bench_sim "$3" | awk -v folder="$folder" -v name="$2" '/ cycles\/s / && $1 != "at" { # "at load" is streamed: no verdict ends it
		print 1e6 / $5 >>(folder "/time-" name "-" $1)
		print $3 >(folder "/cycles-" name "-" $1)
		print $1
	}'
}
median() { sort -g "$1" | awk '{ a[NR] = $1 } END { print (a[int((NR + 1) / 2)] + a[int(NR / 2) + 1]) / 2 }'; }
least() { sort -g "$1" | head -n 1; }

# Instructions within the calls that run the clock: a part for each pattern, cut where its verdict is made.
instructions() { # TREE NAME FABRIC PATTERN...
	local tree=$1 name=$2 fabric=$3 n=1
	shift 3
	bench "$tree" valgrind -q --tool=callgrind --toggle-collect=metered_run --dump-before=loom_verdict_make \
		--callgrind-out-file="$folder/calls-$name" build/bench_sim "$fabric" >/dev/null 2>"$folder/valgrind" ||
		{ cat "$folder/valgrind" >&2; exit 1; }
	for pattern in "$@"; do
		sed -n 's/^\(summary\|totals\): \([0-9]*\).*/\2/p' "$folder/calls-$name.$n" | head -n 1 >"$folder/count-$name-$pattern"
		grep -q '[1-9]' "$folder/count-$name-$pattern" || { echo "bench_against.sh: valgrind counted nothing of $fabric $pattern" >&2; exit 1; }
		n=$((n + 1))
	done
}

printf '%-10s %-12s %26s %26s %28s\n' '' '' 'us/cycle, median' 'us/cycle, least' 'instructions/cycle'
printf '%-10s %-12s %9s %9s %6s %9s %9s %6s %10s %10s %6s\n' fabric pattern old new ratio old new ratio old new ratio
slower=0
for fabric in "$@"; do
	rm -f "$folder"/time-* "$folder"/count-*
	for _ in $(seq "$rounds"); do
		patterns=$(run "$old" old "$fabric")
		run "$PWD" new "$fabric" >/dev/null
	done
	if [ "$count" != no ]; then
		# shellcheck disable=SC2086 # several words
		instructions "$old" old "$fabric" $patterns
		# shellcheck disable=SC2086
		instructions "$PWD" new "$fabric" $patterns
	fi
	for pattern in $patterns; do
		of() { cat "$folder/$1-$pattern" 2>/dev/null || echo 0; }
		awk -v f="$fabric" -v p="$pattern" -v most="$most" \
			-v a="$(median "$folder/time-old-$pattern")" -v b="$(median "$folder/time-new-$pattern")" \
			-v c="$(least "$folder/time-old-$pattern")" -v d="$(least "$folder/time-new-$pattern")" \
			-v i="$(of count-old)" -v k="$(of count-new)" -v m="$(of cycles-old)" -v n="$(of cycles-new)" 'BEGIN {
			printf "%-10s %-12s %9.2f %9.2f %6.3f %9.2f %9.2f %6.3f", f, p, a, b, b / a, c, d, d / c
			if (i > 0) printf " %10.0f %10.0f %6.3f", i / m, k / n, k / n / (i / m)
			print ""
			exit (i > 0 ? k / n / (i / m) : d / c) > 1 + most / 100
		}' || slower=1
	done
done
exit $slower
