#!/bin/bash
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# Tests chosen routes on the RTL: on networks whose routers have tables, with one lane of each link or more, the counts
# of every channel are as predicted; other networks refuse them in one line. FLITLOOM: the program; SEEDS: random lists,
# default 10; FABRIC: default table-mesh:4x4. Ends in "N passed, N failed".
set -u
cd "$(dirname "$0")/../.." || exit 2
flitloom=${FLITLOOM:-build/flitloom}
fabric=${FABRIC:-table-mesh:4x4}
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
passed=0 failed=0

fail() {
	failed=$((failed + 1))
	echo "FAIL: $*"
}

# Checks that the run is as predicted and delivers all messages. A run that sent nothing would have status 0, too.
run() { # what it delivers, arguments...
	local messages=$1 out status
	shift
	out=$("$flitloom" run "$@" 2>&1 </dev/null)
	status=$?
	if [ $status = 0 ] && grep -qE '^verdict +PASS ' <<<"$out" && grep -qE "^delivered +$messages +$messages " <<<"$out"; then
		passed=$((passed + 1))
	else
		fail "run $*: status $status, $(tail -n 1 <<<"$out")"
	fi
}

refused() { # text, arguments...
	local text=$1 out status
	shift
	out=$("$flitloom" "$@" 2>&1 >"$folder/out" </dev/null)
	status=$?
	if [ $status = 2 ] && [ "$(wc -l <<<"$out")" = 1 ] && grep -qF -e "$text" <<<"$out"; then
		passed=$((passed + 1))
	else
		fail "$*: status $status, $out"
	fi
}

size=${fabric#*:}
nodes=$((${size/x/*}))
for planner in xy yx block reroute routes+passes direct greedy; do
	run $nodes "$fabric" transpose --planner $planner
done
for ((seed = 1; seed <= ${SEEDS:-10}; seed++)); do
	run $((3 * nodes)) "$fabric" uniform:$((3 * nodes)) --planner reroute --seed $seed
	run $((9 * nodes)) "$fabric" uniform:$((9 * nodes)) --planner routes+passes --seed $seed
	run $((3 * nodes)) "$fabric" uniform:$((3 * nodes)) --planner yx --seed $seed --machine paper
done
run $((2 * nodes)) "$fabric" set:complement+reverse-flip --planner reroute --flits 3
"$flitloom" plan "$fabric" transpose --planner block -o "$folder/plan.json" >"$folder/out" || fail "plan -o"
run $nodes "$folder/plan.json"
# With a map, processors and nodes have different numbers.
run $nodes "$fabric" transpose --planner reroute --map "$(seq -s, $((nodes - 1)) -1 0)"

# With two lanes a mesh takes any shortest routes, of a mapping by rule as well: both rules have a lane.
for ((seed = 1; seed <= ${SEEDS:-10}; seed += 3)); do
	for planner in xy yx block reroute; do
		run $((5 * nodes)) "${fabric}v2" uniform:$((5 * nodes)) --planner $planner --seed $seed
	done
done
run $nodes "${fabric}v2" transpose
run $((3 * nodes)) "${fabric}v2" uniform:$((3 * nodes)) --rule descending --machine paper
run $((3 * nodes)) "${fabric}v2" uniform:$((3 * nodes)) --planner best --budget 1
run 16 table-torus:16v2 tornado --planner xy
run 60 table-torus:16v2 uniform:60 --planner reroute
run 64 table-cube:4v2 uniform:64 --planner reroute
run 16 table-cube:4v2 bit-reverse --planner block

# On a network without coordinates. Longer routes than shortest ones: where they lower the load, and where there are too few lanes.
net=graph:tests/e2e/graphs/chords.txt
for planner in block reroute "reroute --detours 1" routes+passes; do
	# shellcheck disable=SC2086
	run 200 $net:v2 uniform:200 --planner $planner
done
run 200 $net uniform:200 --planner reroute
run 200 $net uniform:200 --planner "routes+passes"
run 60 $net uniform:60 --planner reroute --detours 2 --machine paper
printf '4,6\n5,7\n' >"$folder/list.csv"
run 2 table-mesh:4x4 messages:"$folder/list.csv" --planner reroute --detours 2 --flits 3
run 48 table-mesh:4x4 uniform:48 --planner reroute --detours 2 --load flits
run 48 table-mesh:4x4v2 uniform:48 --planner reroute --detours 4

refused "these routes need 2 lanes of each link, and fabric graph:tests/e2e/graphs/chords.txt:v2 has them" run $net uniform:200 --planner block
refused "these routes need 2 lanes of each link, and fabric table-mesh:4x4v2 has them" run table-mesh:4x4 uniform:160 --planner block
refused "and chosen routes on fabric table-torus:8v2" run ring:8 tornado --planner block
refused "a router's table has room for 64" run table-mesh:4x4 uniform:1500 --planner routes+passes
refused "chosen routes on fabric table-mesh" run mesh:4x4 transpose --planner reroute
echo "$passed passed, $failed failed"
[ $failed = 0 ]
