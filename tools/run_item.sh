#!/bin/bash
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# usage: run_item.sh RESULTS SUITE [ITEM STAMP COMMAND]
# The rules of tools/test_rules.py call this. With an item it runs the item into build/log/SUITE/ITEM.log
# (build/log/SUITE.log if the suite is one item), and counts by the item's last line "N passed, N failed", or by
# cmocka's. If the item has passed, and none of the files of STAMP has changed meanwhile, it leaves the stamp, with the
# numbers and the log in it. The line of a suite names what has changed since its items passed last and made them run
# again. Without an item it prints the line of the suite, and what failed. The status is 0 whatever failed; RESULTS has
# the numbers: passed, failed, hundredths of seconds of processor time. build/log/SUITE/seconds has the items by their
# processor time, longest first.
set -u
results=$1 suite=$2
# Number of stamps of an item that are kept, the newest: one may come back to an older state of the tree.
kept=4

counted() { # STATUS LOG: passed and failed
	local last p f
	last=$(grep -aE '^[0-9]+ passed, [0-9]+ failed$' "$2" | tail -n 1)
	if [ -n "$last" ]; then
		p=${last%% *}
		f=$(echo "$last" | sed 's/.*, \([0-9]*\) failed/\1/')
	else
		p=$(grep -aoE '^\[  PASSED  \] [0-9]+' "$2" | awk '{n += $4} END {print n + 0}')
		f=$(grep -aoE '^\[  FAILED  \] [0-9]+' "$2" | awk '{n += $4} END {print n + 0}')
	fi
	# A test that died, or that ran nothing, has failed whatever it counted.
	if [ "$1" != 0 ] && [ "$f" = 0 ] || [ "$p" = 0 ] && [ "$f" = 0 ]; then
		f=1
	fi
	echo "$p $f"
}

log_of() { # ITEM
	if [ "$1" = "$suite" ]; then echo "build/log/$suite.log"; else echo "build/log/$suite/$1.log"; fi
}

# True if nothing that the item depends on was written, moved or removed after the hashes were taken.
inputs_are_still() { # ITEM
	local files
	mapfile -t files <"$results/$suite/$1.files"
	[ ${#files[@]} = 0 ] ||
		[ -z "$(find "${files[@]}" -type f ! -path '*/__pycache__/*' -newercm "$results/begin" -print -quit 2>&1)" ]
}

run() { # ITEM STAMP COMMAND
	local log status numbers cpu facts=$results/$suite/$1.facts passed_with=build/stamps/$suite/$1.facts
	log=$(log_of "$1")
	mkdir -p "$(dirname "$log")"
	[ ! -e "$facts" ] || [ ! -e "$passed_with" ] || diff "$passed_with" "$facts" | sed -n 's/^[<>] \(.*\)\t.*/\1/p' | sort -u >"$results/$suite/$1.changed"
	rm -f "$2"
	TIMEFORMAT='%U %S'
	# Ctrl-C does its work in a suite even where it is ignored here, as in jobs in the background: suites send it to what they start.
	# The jobs of the make around are not for the makes that a suite calls.
	{
		time MAKEFLAGS=${SUITE_MAKEFLAGS-} env -u MFLAGS -u SUITES --default-signal=INT,QUIT bash -c "$3" >"$log" 2>&1 </dev/null
		status=$?
	} 2>"$results/$suite/$1.time"
	cpu=$(awk 'END { printf "%.0f", 100 * ($1 + $2) }' "$results/$suite/$1.time")
	numbers=$(counted "$status" "$log")
	echo "$numbers $cpu" >"$results/$suite/$1.result"
	if [ -n "$2" ] && [ "${numbers#* }" = 0 ] && inputs_are_still "$1"; then
		mkdir -p "$(dirname "$2")"
		{ echo "$numbers" && cat "$log"; } >"$2.new" && mv "$2.new" "$2"
		cp "$facts" "$passed_with"
		ls -t "${2%-*}"-* | tail -n +$((kept + 1)) | xargs -r rm -f
	fi
}

sum() {
	local item stamp p f cpu passed=0 failed=0 unchanged=0 all=0 place=build/log/$suite/
	while read -r item stamp; do
		all=$((all + 1))
		[ "$item" != "$suite" ] || place=build/log/$suite.log
		p=0 f=1 cpu=0 # of one that did not come to its end
		if [ -s "$results/$suite/$item.result" ]; then
			read -r p f cpu <"$results/$suite/$item.result"
		elif [ -n "$stamp" ] && [ -s "$stamp" ]; then
			read -r p f <"$stamp"
			unchanged=$((unchanged + p))
			mkdir -p "$(dirname "$(log_of "$item")")"
			tail -n +2 "$stamp" >"$(log_of "$item")"
		fi
		passed=$((passed + p)) failed=$((failed + f)) total=$((${total:-0} + cpu))
		[ "$item" = "$suite" ] || echo "$cpu $item"
		[ "$f" = 0 ] || echo "$item" >>"$results/$suite/failed"
	done <"$results/$suite/items" >"$results/$suite/seconds"
	[ "$place" != "build/log/$suite/" ] || sort -rn "$results/$suite/seconds" | awk '{ printf "%8.2f %s\n", $1 / 100, $2 }' >"${place}seconds"
	echo "$passed $failed $unchanged" >"$results/$suite.sum"
	{
		printf '%-10s %6d passed %4d failed  %5d CPU s  %s' "$suite" "$passed" "$failed" $(((total + 50) / 100)) "$place"
		[ "$unchanged" = 0 ] || printf '  (%d unchanged)' "$unchanged"
		cat "$results/$suite/"*.changed 2>/dev/null | sort | uniq -c | sort -rn |
			awk 'NR <= 3 { sub(/^ *[0-9]+ /, ""); printf "%s%s", NR == 1 ? "  again: " : ", ", $0 } END { if (NR > 3) printf " and %d more", NR - 3 }'
		echo
		[ ! -e "$results/$suite/failed" ] || while read -r item; do
			grep -aE 'FAIL|[Ee]rror|ERROR' "$(log_of "$item")" | head -n 20
		done <"$results/$suite/failed"
	} >"$results/$suite/line"
	cat "$results/$suite/line"
}

if [ $# = 2 ]; then sum; else run "$3" "$4" "$5"; fi
