#!/bin/bash
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# Tests graph:FILE: every command that accepts a fabric, plan files whose graph no longer exists, and refused files.
# FLITLOOM: the program. Ends in "N passed, N failed".
set -u
cd "$(dirname "$0")/../.." || exit 2
root=$PWD
flitloom=$(realpath "${FLITLOOM:-build/flitloom}")
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
passed=0 failed=0

fail() {
	failed=$((failed + 1))
	echo "FAIL: $*"
}

# says TEXT STATUS ARGUMENTS...: the command ends with STATUS, and its output or the one line of its error has TEXT.
says() {
	local text=$1 wanted=$2 out status
	shift 2
	out=$("$flitloom" "$@" 2>"$folder/err" </dev/null)
	status=$?
	[ "$wanted" = 0 ] || out=$(<"$folder/err")
	if [ $status = "$wanted" ] && grep -qF -e "$text" <<<"$out" && { [ "$wanted" = 0 ] || [ "$(wc -l <<<"$out")" = 1 ]; }; then
		passed=$((passed + 1))
	else
		fail "$*: status $status, $(tail -n 3 <<<"$out") $(tail -n 2 "$folder/err")"
	fi
}

cp tests/e2e/graphs/* "$folder" && cd "$folder" || exit 2
for lanes in "" :v2; do
	says "verdict         PASS" 0 run graph:chords.txt$lanes uniform:200 --machine paper
	says "verdict         PASS" 0 run graph:chords.txt$lanes random-perm --planner greedy --map 7,6,5,4,3,2,1,0
	says "verdict         PASS" 0 run graph:chords.txt$lanes uniform:30 --planner routes+passes
	says "none: no deadlock is possible" 0 check graph:chords.txt$lanes
done
for planner in block reroute; do
	says "verdict         PASS" 0 run graph:chords.txt:v2 uniform:60 --planner $planner
done
says "up-down" 0 check graph:chords.txt
says "shortest" 0 check graph:chords.txt:v2
says "FILE[:vN]" 0 list fabrics

# The plan stays the same, and runs, when its graph file is gone or another file has its name.
says "" 0 plan graph:chords.txt:v2 uniform:30 -o plan.json -q
mv chords.txt elsewhere.txt
says "verdict         PASS" 0 run plan.json
echo "a b" >chords.txt
says "verdict         PASS" 0 run plan.json
says "graph of 8 nodes, links " 0 probe sim --fabric graph:elsewhere.txt:v2
says "but the chip holds graph of 2 nodes, links " 2 run plan.json --link sim-uart:graph:chords.txt:v2,baud=3000000
mv elsewhere.txt chords.txt
says "hub->east" 0 run graph:chords.txt:v2 uniform:90 --channels - --quiet
says "graph:chords.txt:v2" 0 sweep graph:chords.txt,graph:chords.txt:v2 uniform:20 --link sim --flits 5:20:5
says '"routing":"shortest"' 0 run graph:chords.txt:v2 uniform:9 --json
says "" 0 run graph:chords.txt:v2 uniform:20 --svg loads.svg -q
says "" 0 plan graph:petersen.dot uniform:20 --picture paths --svg paths.svg -q
says "" 0 run graph:chords.txt:v2 uniform:20 --picture chart --svg chart.svg -q
if xmllint --noout loads.svg paths.svg chart.svg && [ "$(grep -c '<title>node ' loads.svg)" = 8 ]; then
	passed=$((passed + 1))
else
	fail "pictures"
fi

# Delays of links, in a plan as well; RTL and model agree.
printf 'a -> b delay=3\nb -> a delay=5\nb c delay=2\nc a x2\n' >delays.txt
says "" 0 plan graph:delays.txt:v2 all-to-all -o delays.json -q
if tr -d ' \n\t' <delays.json | grep -qF '"delays":[3,2,0,0],"delays_back":[5,2,0,0]'; then
	passed=$((passed + 1))
else
	fail "delays.json: $(grep delays delays.json)"
fi
printf '0,1,4\n' >there.csv
printf '1,0,4\n' >back.csv
says ",1,1,6,15,0,delivered" 0 run graph:delays.txt:v2 messages:there.csv --link model --map identity --messages - -q
says ",1,1,8,21,0,delivered" 0 run graph:delays.txt:v2 messages:back.csv --link model --map identity --messages - -q
mv delays.txt gone.txt
says "" 0 run delays.json --link model --messages by-plan.csv -q
mv gone.txt delays.txt
says "" 0 run graph:delays.txt:v2 all-to-all --link model --messages by-file.csv -q
says "" 0 run graph:delays.txt:v2 all-to-all --messages on-rtl.csv -q
if cmp -s by-plan.csv by-file.csv && cmp -s by-file.csv on-rtl.csv; then
	passed=$((passed + 1))
else
	fail "delays: the plan, the file and the RTL differ"
fi
printf 'a b\nb c delay=64\n' >late.txt
says "late.txt: line 2: \"64\" is no delay; 0 to 63 cycles are possible" 2 check graph:late.txt
says "says the delays of its links itself" 2 plan graph:delays.txt:v2 all-to-all --link-delay 3
says "" 0 run graph:delays.txt:v2 all-to-all --fail "b->c" --link model -q

# A graph through a pipe, which is read once for each plan.
for other in "--before direct --svg before.svg --planner reroute" --compare; do
	# shellcheck disable=SC2002,SC2086 # a pipe, and options in words
	if cat chords.txt | "$flitloom" plan graph:-:v2 uniform:20 $other -q 2>err; then
		passed=$((passed + 1))
	else
		fail "graph:- $other: $(cat err)"
	fi
done

# Requests that are refused.
says "the fabric and the pattern both come from standard input" 2 plan graph:- messages:-
says "the fabric and --tables both come from standard input" 2 check graph:- --tables -
printf 'a b\nb c\nd e\n' >apart.txt
for i in {1..64}; do echo "hub x$i"; done >star.txt
: >empty.txt
printf 'a b c\n' >three.txt
printf 'a->b\nb->c\nc->a\n' >round.txt
head -c 2000 /dev/urandom | tr -d '{\000' >garbage.txt
says "there is no way from node d to node a" 2 plan graph:apart.txt uniform:4
says "star.txt: line 64: node hub has 63 links, and this is one more; up to 63 are possible" 2 plan graph:star.txt uniform:4
says "empty.txt: there is no edge in it" 2 plan graph:empty.txt uniform:4
says "three.txt: line 1: \"a b c\" is no edge" 2 run graph:three.txt uniform:4
says "round.txt: without deadlocks its shortest routes need 2 lanes" 2 run graph:round.txt uniform:4
says "garbage.txt: line 1: " 2 check graph:garbage.txt
says "none.txt: cannot be read: No such file or directory" 2 plan graph:none.txt uniform:4
says "a directory, not a file" 2 plan graph:"$root" uniform:4
says "graph: of which file?" 2 plan graph: uniform:4
says "a graph has no sizes to choose from" 2 sweep graph uniform:4 --nodes 2:8
says "9 lanes of each link; 1 to 8 (v8) are possible" 2 plan graph:chords.txt:v9 uniform:4
says "the lane of a message follows from its ends" 2 plan graph:chords.txt uniform:4 --rule ascending
says "the lane of a message follows from its ends" 2 check graph:chords.txt --rule mixed

# Without GraphViz edge lists are read, and drawn on a circle; GraphViz files are not read.
mkdir bin
PATH=$folder/bin "$flitloom" plan graph:chords.txt uniform:9 --svg circle.svg -q </dev/null
PATH=$folder/bin "$flitloom" plan graph:petersen.dot uniform:9 >out 2>err </dev/null
if [ $? = 2 ] && grep -qF "petersen.dot: a GraphViz file, and GraphViz is not installed (apt-get install graphviz)" err &&
	grep -q "nodes lie on a circle" circle.svg; then
	passed=$((passed + 1))
else
	fail "without GraphViz: $(cat err)"
fi

echo "$passed passed, $failed failed"
[ $failed = 0 ]
