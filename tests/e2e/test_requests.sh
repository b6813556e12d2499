#!/bin/bash
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# Tests wrong requests for schedules and pictures (status 2 and one line each); the effect of --budget on a sweep; and
# the completions of bash and zsh. Nothing is run. FLITLOOM: the command; default build/flitloom.
set -u

flitloom=$(realpath "${FLITLOOM:-build/flitloom}")
. "$(dirname "$0")/scratch.sh"

# refused TEXT ARGUMENT...: status 2 and one line with TEXT, at once.
refused() {
	local text=$1 status
	shift
	timeout 10 "$flitloom" "$@" >out 2>err </dev/null
	status=$?
	check "$*: status $status: $(head -c 300 err)" test "$status" -eq 2
	check "$*: not one line: $(head -c 300 err)" test "$(wc -l <err)" -eq 1
	check "$*: not \"$text\": $(cat err)" grep -qF -e "$text" err
	check "$*: it printed something" test ! -s out
}

# --- Patterns of the wrong length, and repeated destinations ---
while read -r fabric planner; do
	refused 'destinations for 16 processors' plan "$fabric" perm:0,1,2 --planner "$planner"
	refused 'more than 16 destinations' plan "$fabric" "perm:$(seq -s, 0 16)" --planner "$planner"
	refused 'destination 3 is repeated' plan "$fabric" "perm:3,$(seq -s, 1 15)" --planner "$planner"
done <<-end
	line:16 line
	ring:16 ring
	mesh:4x4 mesh
	torus:4x4 torus
	cube:4 two_pass
	mesh:4x4 greedy
	ring:16 exact
	mesh:4x4 ad_hoc
	torus:4x4 best
end
printf '0,1,0\n' >short.csv
refused 'flits "0" is out of range' plan mesh:4x4 messages:short.csv --planner greedy
printf '0,1,16777216\n' >long.csv
refused 'flits "16777216" is out of range' plan mesh:4x4 messages:long.csv --planner greedy
printf '0,16,5\n' >far.csv
refused 'destination "16" is out of range' plan mesh:4x4 messages:far.csv --planner greedy
: >none.csv
refused 'no message' plan mesh:4x4 messages:none.csv --planner greedy

# --- Half duplex on fabrics without it, or with planners that ignore it ---
for fabric in omega:8 benes:8 ricube:8; do
	refused "$fabric has no links with two directions" plan $fabric bit-reverse --half-duplex
done
for planner in mesh direct ad_hoc; do
	refused "planner $planner heeds no half duplex" plan mesh:4x4 random-perm --planner $planner --half-duplex
done
refused 'planner two_pass heeds no half duplex' plan cube:4 random-perm --planner two_pass --half-duplex
refused 'name one of those that can: exact, greedy' plan cube:4 transpose --half-duplex

# --- Budgets ---
for budget in 0 0.0 -1 nan inf '' ' ' 1e3 0x1 5s 1,5 . .5 5. +1 86401 99999999999; do
	for planner in best ring greedy; do
		refused "--budget: \"$budget\" is not a number of seconds above 0" \
			plan ring:8 random-perm --planner $planner "--budget=$budget"
	done
	refused "--budget: \"$budget\"" sweep ring random-perm -n 8 --plan-only --planner ring "--budget=$budget"
done
refused '--budget: its SECONDS is missing' plan ring:8 random-perm --budget
check 'no plan to read' "$flitloom" plan ring:8 random-perm --planner ring -o plan.json
refused '--budget: the plan plan.json has settled that' plan plan.json --budget 1

# On rings of this size the search alone would take much longer.
began=$SECONDS
"$flitloom" sweep ring random-perm -n 256:512 --plan-only --planner ring --budget 0.2 --json >out 2>err
status=$?
check "a sweep within a budget: $(cat err)" test "$status" -eq 0
check "it took $((SECONDS - began)) s" test $((SECONDS - began)) -lt 30
check 'two rows, and the command with its budget' python3 -c 'import json
r = json.load(open("out"))
assert [x["fabric"] for x in r["runs"]] == ["ring:256", "ring:512"]
c = r["request"]["command"]
assert c[c.index("--budget") + 1] == "0.2", c'

# The first Ctrl-C or SIGTERM ends the search and the sweep.
began=$SECONDS
setsid "$flitloom" sweep ring random-perm -n 256:1024 --plan-only --planner ring --budget 100 >out 2>err </dev/null &
child=$!
sleep 1
kill -TERM $child
wait $child
check 'a sweep that was stopped' test $? -eq 3
check "it stopped after $((SECONDS - began)) s" test $((SECONDS - began)) -lt 30
check "it says: $(cat err)" grep -q 'interrupted' err

# reroute shows on a terminal what it has found, and searches as long as the budget; the first Ctrl-C or SIGTERM ends it
# with the best routes so far, for all messages.
began=$SECONDS
script -qec "'$flitloom' plan mesh:64x64 uniform:10000 --planner reroute --budget 2 -q -o budget.json" /dev/null >out </dev/null
check 'reroute within a budget' test $? -eq 0
check "it took $((SECONDS - began)) s" test $((SECONDS - began)) -lt 20
script -qec "'$flitloom' plan mesh:20x20 uniform:500 --planner reroute --budget 9 -o budget.json" /dev/null >out </dev/null
check "progress on a terminal: $(tr '\r' '\n' <out | tail -n 1)" grep -q '8 messages on the busiest link, at least 8' out
setsid "$flitloom" plan mesh:64x64 uniform:10000 --planner reroute --budget 600 -q -o stopped.json >out 2>err </dev/null &
child=$!
sleep 2
kill -TERM $child
wait $child
status=$?
check "reroute that was stopped: $(cat err)" test "$status" -eq 0
"$flitloom" plan stopped.json --json >out 2>err
check "its routes: $(cat err)" python3 -c 'import json
p = json.load(open("out"))["predicted"]
assert 41 <= p["contention"] <= 71 and p["lower_bound"] <= 41, p
assert len(json.load(open("stopped.json"))["routes"]) == 10000'

# Checks that best compares plans in which messages wait, too: by the cycles that they take.
"$flitloom" plan cube:13 random-lcc:12 --planner best >out 2>err
check 'best of plans in which messages wait' grep -q 'runner-up  *52  *cycles with barriers, by planner linear_map, the' out

# --- Lengths in bytes and in flits ---
refused '--bytes: for goal:FILE and collectives such as allreduce:ring; messages of transpose have flits' plan cube:4 transpose --bytes 5
refused '--flit-bytes: for goal:FILE and collectives' plan cube:4 uniform:20 --flit-bytes 8
refused '--calc-cycles: for goal:FILE and collectives' plan cube:3 complement --calc-cycles 3
refused '--bytes: goal:some.goal says itself how many there are' plan cube:3 goal:some.goal --bytes 3

# --- Pictures ---
refused '--before: it chooses what --svg draws, and there is no --svg' plan mesh:3x3 transpose --planner reroute --before xy
refused '--before and --compare: each draws a comparison' plan mesh:3x3 transpose --before xy --compare --svg x.svg
refused 'unknown planner "zy"' plan mesh:3x3 transpose --planner reroute --before zy --svg x.svg
refused '--tables-out: routers of mesh:16x16 have no tables' plan mesh:16x16 uniform:2000 --planner reroute --detours 2 --budget 60 --tables-out x.csv
refused 'planner lcc' plan mesh:16x16 uniform:2000 --planner reroute --detours 2 --budget 60 --before lcc --svg x.svg # not after a minute
refused 'flitloom run takes no --before; it is an option of: plan' run mesh:3x3 transpose --before xy --svg x.svg
refused '--picture: it chooses what --svg draws, and there is no --svg' plan line:7 random-perm --picture chart
refused 'did you mean "chart"?' plan line:7 random-perm --svg x.svg --picture chrt
refused 'there is: loads, paths, chart, moves' plan line:7 random-perm --svg x.svg --picture 7
refused 'it is an option of: run, plan' sweep line random-perm -n 4 --picture chart
refused 'messages of pass 0 wait for each other' plan mesh:4x4 transpose -q --svg x.svg --picture chart
refused 'paths of 16384 nodes could not be told apart' plan cube:14 complement -q --svg x.svg --picture paths
refused 'this is no plan of moves' plan mesh:4x4 transpose -q --svg x.svg --picture moves
refused 'this is no plan of moves' plan otis-mesh:4v2 random-perm --planner direct -q --svg x.svg --picture moves
check 'a refused picture left a file' test ! -e x.svg

# --- OTIS-Meshes ---
refused 'bit 0 is given twice: each of 0..3 occurs once' plan otis-mesh:4 'bpc:[-0,1,0,2]'
refused 'bit "4" is out of range: 4 elements name the bits 0..3' plan otis-mesh:4 'bpc:[0,1,2,4]'
refused 'has n = 8, which is for 2^8 processors, not for 16' plan otis-mesh:4 'bpc:[0,1,2,3,4,5,6,7]'
refused 'did you mean "shuffle"?' plan otis-mesh:4 bpc:shufle
refused 'did you mean "group-row"?' plan otis-mesh:4 transpose --map group-rows
refused 'map group-submesh: it is for an otis-mesh, such as otis-mesh:16, not for mesh:4x4' plan mesh:4x4 transpose --map group-submesh
refused 'its number of groups, a power of four' plan otis-mesh:8 transpose

# --- Completion ---
complete_line() { # LINE: what bash offers at its end, on one line
	COMP_LINE=$1 COMP_POINT=${#1} _flitloom
	echo "${COMPREPLY[*]}"
}
compopt() { :; }
mkdir bin && ln -s "$flitloom" bin/flitloom && PATH=$folder/bin:$PATH
# shellcheck source=/dev/null
. "$home/sw/completion/flitloom.bash"
check 'bash: --picture' test "$(complete_line 'flitloom plan line:7 random-perm --picture ')" = 'loads paths chart moves'
check 'bash: --picture=c' test "$(complete_line 'flitloom run line:7 random-perm --picture=c')" = chart
check 'bash: --form' test "$(complete_line 'flitloom rtl cube:3 --form r')" = router
check 'bash: --budget has no names' test -z "$(complete_line 'flitloom plan line:7 random-perm --budget ')"
check 'bash: --planner be' test "$(complete_line 'flitloom sweep line random-perm --planner be')" = best
check 'bash: --rule' test "$(complete_line 'flitloom plan ring:8 random-perm --rule one-way-')" = one-way-descending
check 'bash: options' test "$(complete_line 'flitloom sweep line random-perm --bud')" = --budget
check 'bash: options of plan' test "$(complete_line 'flitloom plan line:7 x --half')" = --half-duplex
check 'bash: help' test "$(complete_line 'flitloom help sw')" = sweep
# After an option with a value the shell completes no pattern; after a switch it does.
for command in run plan sweep; do
	while read -r option; do
		offered=$(complete_line "flitloom $command line:7 ${option%=} bit-rev")
		case $option in
		*=) check "bash: $command $option: \"$offered\"" test "$offered" != bit-reverse ;;
		--help | --usage) ;;
		*) check "bash: $command $option: \"$offered\"" test "$offered" = bit-reverse ;;
		esac
	done < <("$flitloom" $command --help | grep -oE '^ {2}(-[a-z], | {4})--[a-z-]+=?' | grep -oE -e '--[a-z-]+=?')
done
check 'bash: a pattern after a value' test "$(complete_line 'flitloom plan line:7 --cost electronic=1 bit-rev')" = bit-reverse
# A switch before the words does not count as one of them.
check 'bash: a pattern after a switch' test "$(complete_line 'flitloom plan line:7 --half-duplex ad-hoc-')$(
	complete_line 'flitloom plan line:7 --half-duplex bit-rev')" = bit-reverse
# Both shells get the options from `list options`, which must name those of --help for every command.
for command in $("$flitloom" list commands --names); do
	check "bash: $command" test "$(complete_line "flitloom help $command")" = "$command"
	"$flitloom" list options "$command" --names >options
	while IFS= read -r row; do
		IFS=$'\x1f' read -r long letter argument names help <<<"${row//$'\t'/$'\x1f'}"
		text="$(printf '  %-3s %s' "${letter:+$letter,}" "$long${argument:+=$argument}")"
		check "list options $command: $text" eval '"$flitloom" $command --help | grep -qF -e "$text"'
		check "list options $command: help of $long" test -n "$help"
		check "bash: $command $long" test "$(complete_line "flitloom $command $long")" = "$long" -o -n "$argument"
		[[ -z $names ]] || check "bash: $command $long takes $names" eval \
			'case $argument in PLANNER | LINK | FABRIC | FILE*) false ;; *) [[ "$(complete_line "flitloom $command $long ") " == "$names "* ]] ;; esac'
		[[ $argument != NAME ]] || check "$command $long has names to offer" test -n "$names"
	done <options
	check "list options $command: one row an option" test "$(wc -l <options)" = "$("$flitloom" $command --help | grep -cE '^ {2}(-[a-z],|   ) --')"
done
if command -v zsh >/dev/null; then
	check 'zsh takes the file' zsh -n "$home/sw/completion/_flitloom"
fi

finish
