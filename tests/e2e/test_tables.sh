#!/bin/bash
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# Tests tables and routes of the user's own: they are written, checked and run, and each fault is reported in one
# line. FLITLOOM: the program. Ends in "N passed, N failed".
set -u
cd "$(dirname "$0")/../.." || exit 2
flitloom=${FLITLOOM:-build/flitloom}
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
passed=0 failed=0

fail() {
	failed=$((failed + 1))
	echo "FAIL: $*"
}

# Checks that the output has all of these lines, and the status.
says() { # status, lines, arguments...
	local wanted=$1 lines=$2 out status line
	shift 2
	out=$("$flitloom" "$@" 2>&1)
	status=$?
	if [ $status != "$wanted" ]; then
		fail "$*: status $status: $out"
		return
	fi
	while read -r line; do
		grep -qxF -e "$line" < <(tr -s ' ' <<<"$out" | sed 's/^ //') || { fail "$*: no line \"$line\": $out"; return; }
	done <<<"$lines"
	passed=$((passed + 1))
}

refused() { # text, arguments...
	local text=$1 out status
	shift
	out=$("$flitloom" "$@" 2>&1 >"$folder/out" </dev/null)
	status=$?
	if [ $status = 2 ] && [ "$(wc -l <<<"$out")" = 1 ] && [ ! -s "$folder/out" ] && grep -qF -e "$text" <<<"$out"; then
		passed=$((passed + 1))
	else
		fail "$*: status $status, $out"
	fi
}

tables() { # lines...
	printf '%s\n' "$@" >"$folder/tables.csv"
}
fabric=table-mesh:4x4

# flitloom accepts the tables that it writes.
for planner in reroute xy routes+passes direct; do
	"$flitloom" plan $fabric transpose --planner $planner --tables-out "$folder/written.csv" >"$folder/out" || fail "tables-out of $planner"
	says 0 "pairs reached 40 of 240
longest way 6 links
circle of channels none: no deadlock is possible" check $fabric --tables "$folder/written.csv"
done
[ "$("$flitloom" plan $fabric transpose --tables-out - | head -n 2 | tail -n 1)" = node,network,label,port ] || fail "--tables-out -"

# Each fault is reported in one line.
tables node,network,label,port 3,0,0,+x 0,0,1,+x 0,0,2,+x 1,0,2,-x 4,0,3,9 1,1,0,local 1,0,64,local
says 1 "node 3, network 0, label 0: leaves the network: there is no link +x (port 1)
node 1, network 0, label 1: no entry, and node 0 sends messages there
node 0, network 0, label 2: goes round for ever: 0, 1, 0
node 4, network 0, label 3: there is no port 9; a router has ports 0 (local) to 4
node 1, network 0, label 64: a table has room for labels 0..63: of the 5 labels 4 fit
node 1, network 1, label 0: there is no such network: links of table-mesh:4x4 have 1 lane, and a network is a lane" \
	check $fabric --tables "$folder/tables.csv"
tables 0,0,+x 1,0,+y 5,0,0 1,1,+y 5,1,-x 4,1,0 5,2,-x 4,2,-y 0,2,0 4,3,-y 0,3,+x 1,3,0
says 1 "circle of channels 4: messages by these tables can lock
0->1 (+x) held by a message with label 0
1->5 (+y) held by a message with label 1
5->4 (-x) held by a message with label 2
4->0 (-y) held by a message with label 3" check $fabric --tables "$folder/tables.csv"

# Runs messages: each takes the lowest label that leads to its destination. A run that sent nothing would have status 0, too.
run() { # messages, arguments...
	says 0 "delivered $1 $1 messages" run "${@:2}"
}
"$flitloom" plan $fabric transpose --planner reroute --tables-out "$folder/reroute.csv" -q || fail "tables-out"
run 16 $fabric transpose --tables "$folder/reroute.csv"
for ((seed = 1; seed <= ${SEEDS:-6}; seed++)); do
	"$flitloom" plan $fabric uniform:60 --planner reroute --seed $seed --tables-out "$folder/written.csv" -q || fail "tables-out"
	run 60 $fabric uniform:60 --seed $seed --tables "$folder/written.csv"
done
map=$(seq -s, 15 -1 0)
"$flitloom" plan $fabric uniform:40 --map "$map" --planner yx --tables-out "$folder/written.csv" -q || fail "tables-out"
run 40 $fabric uniform:40 --map "$map" --tables "$folder/written.csv"
# A route that is longer than a shortest one, with the tables from a file.
tables 0,0,+x 1,0,+y 5,0,+y 9,0,-x 8,0,local
echo 0,8 >"$folder/list.csv"
"$flitloom" plan $fabric "messages:$folder/list.csv" --tables "$folder/tables.csv" -o "$folder/plan.json" || fail "plan -o"
run 1 "$folder/plan.json"
# Two virtual networks: what would be a circle on one lane is none on two.
lane=("" "")
for ((n = 0; n < 2; n++)); do
	lane[n]="0,$n,0,+x 1,$n,0,+y 5,$n,0,local 1,$((1 - n)),1,+y 5,$((1 - n)),1,-x 4,$((1 - n)),1,local
		5,$n,2,-x 4,$n,2,-y 0,$n,2,local 4,$((1 - n)),3,-y 0,$((1 - n)),3,+x 1,$((1 - n)),3,local"
done
printf '%s\n' 0,5 1,4 5,0 4,1 >"$folder/list.csv"
for ((n = 0; n < 2; n++)); do
	# shellcheck disable=SC2086 # words
	tables ${lane[n]}
	says 0 "circle of channels none: no deadlock is possible" check ${fabric}v2 --tables "$folder/tables.csv"
	run 4 ${fabric}v2 "messages:$folder/list.csv" --tables "$folder/tables.csv" --flits 100
done
"$flitloom" plan ${fabric}v2 uniform:100 --planner block --tables-out "$folder/written.csv" -q || fail "tables-out"
grep -q '^[0-9]*,1,' "$folder/written.csv" || fail "no entry for network 1"
run 100 ${fabric}v2 uniform:100 --tables "$folder/written.csv"
# A graph: by the names of its nodes, and round the long way.
printf '%s\n' 'a b' 'b c' 'c d' 'd a' 'a c' >"$folder/graph.txt"
graph=graph:$folder/graph.txt
tables node,label,port 'a,0,->b' 'b,0,->c' c,0,local 'd,0,->a' 3,1,local 2,1,2
printf '%s\n' 0,2 3,2 1,2 2,3 >"$folder/list.csv"
says 0 "pairs reached 4 of 12
longest way 3 links
busiest channel b->c, 3 of the ways
circle of channels none: no deadlock is possible" check "$graph" --tables "$folder/tables.csv"
run 4 "$graph" "messages:$folder/list.csv" --tables "$folder/tables.csv"
"$flitloom" plan "$graph" all-to-others --planner reroute --tables-out "$folder/written.csv" -q || fail "tables-out"
run 12 "$graph" all-to-others --tables "$folder/written.csv"
tables 'a,0,->b' 'b,0,->d'
refused "tables.csv, line 2, column 5: no link leads from b to d" check "$graph" --tables "$folder/tables.csv"
# The way round the other side of the square: no planner would take it.
tables 0,0,+y 4,0,local 0,1,+x 1,1,+y 5,1,local 0,2,+y 4,2,+x 5,2,local
printf '%s\n' 0,5 0,4 4,4 >"$folder/list.csv"
"$flitloom" plan $fabric "messages:$folder/list.csv" --tables "$folder/tables.csv" -o "$folder/plan.json" || fail "plan -o"
tr -d '\n\t' <"$folder/plan.json" | grep -qF '"routes": [[0, 8],[2],[]]' || fail "not the lowest label: $(grep -A 4 routes "$folder/plan.json")"
grep -q '"labels": \[1, 0, 0\]' "$folder/plan.json" || fail "labels: $(grep labels "$folder/plan.json")"
run 3 "$folder/plan.json"
sed 's/"labels": \[1, 0, 0\]/"labels": [0, 64, 0]/' "$folder/plan.json" >"$folder/labelled.json"
refused "labelled.json: message 1 has label 64, and a router's table has room for labels 0..63" run "$folder/labelled.json"
sed 's/"labels": \[1, 0, 0\]/"labels": [0, 0, 0]/' "$folder/plan.json" >"$folder/labelled.json"
refused "labelled.json: message 1 has label 0, as one before it that goes on by another link where they meet" run "$folder/labelled.json"
run 16 $fabric transpose --tables - <"$folder/reroute.csv"
"$flitloom" plan $fabric transpose --tables "$folder/reroute.csv" --before xy --svg "$folder/before.svg" -q || fail "xy before own tables"

refused "message 1: in the tables no label leads from node 0 to node 1; of node 0: its labels lead to 4, 5" \
	run $fabric all-to-all --tables "$folder/tables.csv"
refused "planner block would not heed the tables" run $fabric transpose --planner block --tables "$folder/tables.csv"
refused "planner tables: there are no tables; --tables FILE gives them" run $fabric transpose --planner tables
refused "the pattern and --tables both come from standard input" run $fabric messages:- --tables -
refused "--tables: the plan $folder/plan.json has settled that" run "$folder/plan.json" --tables "$folder/tables.csv"
tables 0,0,+x 1,0,+y 5,0,-x 4,0,-x
refused "tables.csv: tables: node 4, network 0, label 0: leaves the network: there is no link -x (port 2)" \
	run $fabric transpose --tables "$folder/tables.csv"

# Routes of the user's own, in a plan's file.
echo 0,2 >"$folder/list.csv"
"$flitloom" plan $fabric "messages:$folder/list.csv" --planner reroute -o "$folder/plan.json" || fail "plan -o"
route() { # channels: of the one message, from 0 to 2
	sed "s/^\t\t\[0, 6\]$/\t\t[$1]/" "$folder/plan.json" >"$folder/routed.json"
}
refused_route() { # channels, text
	route "$1"
	grep -qF "[$1]" "$folder/routed.json" || fail "no route $1 in the file"
	for command in plan run; do
		refused "$2" $command "$folder/routed.json"
	done
}
route "0, 6"
run 1 "$folder/routed.json"
refused_route "0, 9" "the route of message 0 (0 to 2) leaves the network at node 1"
refused_route "0, 12" "the route of message 0 (0 to 2) is not connected: it has no link that leaves node 1"
refused_route "6, 12" "the route of message 0 (0 to 2) is not connected: it has no link that leaves node 0"
refused_route "0, 7, 0, 6" "the route of message 0 (0 to 2) passes a node twice: node 0"
refused_route "0, 8" "the route of message 0 (0 to 2) ends at node 5"
refused_route "0" "the route of message 0 (0 to 2) ends at node 1"
refused_route "0, 11" "the route of message 0 (0 to 2) leaves the network at node 1"
refused_route "0, 96" "routes[0]"
refused_route "0, \"x\"" "routes[0]"
"$flitloom" plan $fabric uniform:1500 --planner routes+passes -o "$folder/plan.json" || fail "plan -o"
refused "labels, and a router's table has room for 64: " run "$folder/plan.json"
grep -qE 'the routes of 1500 messages need [0-9]+ labels, .* [0-9]+ of the messages fit' < <("$flitloom" run "$folder/plan.json" 2>&1) || fail "how many fit"

# Requests that cannot be read.
refused "have none to fill" check mesh:4x4 --tables "$folder/tables.csv"
refused "nothing/here.csv: cannot be read" check $fabric --tables "$folder/nothing/here.csv"
refused "--rule and --tables" check $fabric --tables "$folder/tables.csv" --rule mixed
refused "--tables-out and --compare" plan $fabric transpose --compare --tables-out "$folder/written.csv"
refused "--tables-out: routers of mesh:4x4 have no tables" plan mesh:4x4 transpose --tables-out "$folder/written.csv" -q
tables 0,0,+x 1,0,+q
refused "tables.csv, line 2, column 5: port \"+q\": it must be local, a link such as +x, or a number" check $fabric --tables "$folder/tables.csv"
tables 0,0,+x 0,0,-x
refused "tables.csv, line 2, column 1: node 0, network 0, label 0: line 1 has it already" check $fabric --tables "$folder/tables.csv"
tables 16,0,+x
refused "node \"16\" is out of range: 0..15" check $fabric --tables "$folder/tables.csv"
tables "# nothing"
refused "no entry: a line is node,network,label,port" check $fabric --tables "$folder/tables.csv"

echo "$passed passed, $failed failed"
[ $failed = 0 ]
