#!/bin/sh
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# Tests the command and its files: plans, pictures, maps of registers, bitstreams; check, list and probe; the examples
# of the documentation. Most of the requests are wrong: exit status, one line on standard error, nothing on standard
# output. It needs no simulator. FLITLOOM: the command; default build/flitloom.
set -u

. "$(dirname "$0")/cli_checks.sh"

mkdir folder
: >empty
printf '1,2\0003\377\n\0' >noise

# --- Plan files ---
accepted '' plan cube:4 transpose -o plan.json
check 'plan -o: no file' test -s plan.json
accepted '"fabric":"cube:4"' plan plan.json --json
refused 'no/such.json' plan no/such.json
refused '--map: the plan plan.json has settled that' plan plan.json --map best
refused '--flits: the plan' run plan.json --flits 3
refused '--compare: the plan' plan plan.json --compare
sed 's/cube:4/cube:3/' plan.json >smaller.json
refused 'smaller.json' plan smaller.json
refused 'smaller.json' run smaller.json
sed 's/cube:4/cube:5/' plan.json >larger.json
refused 'larger.json' plan larger.json
sed 's/cube:4/mess:4/' plan.json >other.json
refused 'other.json' plan other.json
sed 's/"contention": 1/"contention": 2/' plan.json >boast.json
refused 'boast.json' plan boast.json
sed 's/"version": [0-9]*/"version": 99/' plan.json >version.json
refused 'version.json' plan version.json
head -c 200 plan.json >half.json
refused 'half.json' plan half.json
refused 'empty' plan empty
refused 'noise' plan noise
refused 'folder' plan folder
refused '--output and --compare' plan cube:4 transpose --compare -o x.json

# --- Files to be written ---
before=$(ls)
refused 'there is no such folder' plan cube:4 transpose --svg no/such/x.svg
refused 'it is a folder' plan cube:4 transpose --svg folder
refused 'it is a folder' plan cube:4 transpose -o folder
refused 'it is a folder' plan cube:4 transpose -o new/
refused 'Not a directory' plan cube:4 transpose -o empty/x
refused 'takes one run' run cube:4 transpose --compare --trace-json x
refused '--trace-json: folder cannot be written' run cube:4 transpose --trace-json folder
refused 'it is an option of: run' plan cube:4 transpose --trace-json x
refused 'both write x' plan cube:4 transpose -o x --svg x
refused 'there is no such folder' run cube:4 transpose --trace no/x.fst
check "a refused request left a file" test "$(ls)" = "$before"
if [ -w /dev/full ]; then
	refused 'No space left' plan cube:4 transpose -q --svg /dev/full
	refused 'No space left' plan cube:4 transpose -o /dev/full
	for words in 'list' 'plan cube:4 transpose' 'plan cube:4 transpose --json'; do
		# shellcheck disable=SC2086 # several words
		"$flitloom" $words >/dev/full 2>err
		check "$words >/dev/full: status 2" test $? -eq 2
		check "$words >/dev/full: $(cat err)" grep -q '^flitloom: .*No space left' err
	done
fi
"$flitloom" list >&- 2>err
check "list >&-: status 2" test $? -eq 2
check "list >&-: $(cat err)" grep -q '^flitloom: standard output: ' err
"$flitloom" plan cube:4 transpose -q --svg closed.svg >&- 2>err
check 'a picture while standard output is closed' grep -q '^</svg>' closed.svg
"$flitloom" list 2>&- >out
check "list 2>&-: status 0" test $? -eq 0
"$flitloom" lits 2>&-
check "lits 2>&-: status 2" test $? -eq 2
(trap '' PIPE; "$flitloom" plan cube:10 random-lcc:3 --json --map identity; echo $? >status) 2>err | true
check "a reader that leaves: status $(cat status), $(cat err)" test "$(cat status)" = 0 -o "$(cat status)" = 2
check 'a reader that leaves: one line' test "$(wc -l <err)" -le 1

accepted '' plan cube:8 transpose --compare --quiet --svg two.svg
check 'no svg' grep -q '^</svg>' two.svg
check 'quiet, yet there is output' test ! -s out
accepted 'met: no order of the address bits' plan cube:8 transpose --compare
check 'compare prints both' test "$(grep -c '^contention' out)" -eq 2
if command -v xmllint >/dev/null; then
	accepted '' plan cube:3 perm:0,1,2,3,4,5,7,6 -q --svg '<&>.svg'
	check 'svg is not well-formed' xmllint --noout two.svg '<&>.svg'
fi
if command -v python3 >/dev/null; then
	"$flitloom" plan cube:6 example5 --json >out
	check 'JSON' python3 -c 'import json,sys
r = json.load(open("out"))
assert r["fabric"] == "cube:6" and r["pattern"] == "example5" and r["passes"] == 11 and r["measured"] is None
assert len(r["predicted"]["members"]) == 11 and r["verdict"] is None and r["mismatches"] == []
assert r["predicted"]["contention"] == max(m["contention"] for m in r["predicted"]["members"])'
	"$flitloom" plan mesh:4x4 shift:1,-1 --json >out
	check 'JSON does not repeat what was asked' python3 -c 'import json,sys
r = json.load(open("out"))
assert r["pattern"] == "shift:1,-1" and r["request"]["pattern"] == "shift:1,-1"'
fi

# --- Check ---
# can_lock TEXT ARGUMENT...: status 1, TEXT on standard output.
can_lock() {
	text=$1
	shift
	"$flitloom" "$@" >out 2>err </dev/null
	status=$?
	if [ "$status" -ne 1 ] || [ -s err ]; then
		failed "$* : status $status: $(cat err)"
	elif [ -n "$text" ] && ! grep -qF -e "$text" out; then
		failed "$* : no \"$text\": $(head -c 300 out)"
	else
		passed
	fi
}
accepted 'mixed                4: a pass with messages of several rules can lock' check cube:3
accepted 'ascending            none: no deadlock is possible' check cube:3
accepted 'none: no deadlock is possible' check cube:3 --rule descending
accepted 'mixed                none: no deadlock is possible' check omega:16
can_lock '0->1 (dim 0)             held by a message from 0 to 3, ascending' check cube:2 --rule mixed
can_lock '"channel":"2->0 (dim 1)"' check cube:2 --rule mixed --json
can_lock '' check cube:2 --rule mixed --quiet
check 'check --quiet prints' [ ! -s out ]
can_lock '3->0 (+x)                held by a message from 3 to 1, ascending' check ring:4
can_lock 'and 49 more' check ring:64
accepted 'one-way              none: no deadlock is possible' check ring:64v2
accepted 'descending           none: no deadlock is possible' check torus:8x8v2
can_lock '"virtual":1' check torus:4x4v2 --rule mixed --json
accepted 'ascending            none: no deadlock is possible' check mesh:4x4
accepted 'ascending            none: no deadlock is possible' check ring:3
accepted 'one-way              3: a pass with contention can lock' check ring:3
can_lock '2->0 (+x)                held by a message from 2 to 1, one-way' check ring:3 --rule one-way
can_lock 'one-way              8: a pass with contention can lock' check ring:8
can_lock 'descending: the same as ascending' check ring:8
refused 'line:4 has no rule one-way' check line:4 --rule one-way
refused '3->0 (+x) held by message 3; send them in different passes' plan ring:4 perm:2,3,0,1
refused 'pass 0 can lock' run torus:1x4 perm:2,3,0,1
accepted '4 nodes  1 pass  4 messages' plan ring:4v2 perm:2,3,0,1
refused '9 virtual channels of each link; a ring has 1 to 8 (v8)' plan ring:4v9 perm:2,3,0,1
accepted '' plan ring:4 perm:2,1,0,3
refused 'up to 16384 nodes' check mesh:256x256
refused 'all messages of a pass go by one rule' check benes:4 --rule mixed
refused 'did you mean "mixed"?' check cube:3 --rule mixd
refused 'did you mean "cube"?' check cbue:3
refused 'too little: it takes FABRIC' check
refused 'unknown rule "mixed"; there is: ascending, descending, one-way' plan cube:4 transpose --rule mixed
refused 'did you mean "one-way"?' plan ring:4 shift:1 --rule oneway
refused 'cube:4 has no rule one-way, as it has no rings; it has: ascending, descending' plan cube:4 transpose --rule one-way
refused 'planner lcc settles by which rule messages go' plan cube:4 transpose --rule descending --planner lcc
accepted 'planner direct  map identity  rule descending' plan cube:4 transpose --rule descending
accepted 'rule one-way' plan ring:7 random-perm --rule one-way --planner greedy
refused 'can lock' plan ring:7 shift:-1 --rule one-way
accepted '4294967296 nodes  1 pass  4294967296 messages' plan cube:32 transpose
accepted 'contention           32768' plan cube:32 transpose --map identity
accepted '"cycles":50' plan cube:32 transpose --json
accepted 'the same plan as' plan cube:22 complement --compare
refused 'formulas plan those of up to 32' plan cube:33 transpose
refused 'formulas plan those of up to 32' plan cube:99999999999 transpose
refused 'all-to-all is a list of messages' plan cube:32 all-to-all
refused '--output: a cube of 32 dimensions is planned by formula' plan cube:32 transpose -o plan32.json
refused '--messages: a cube of 32 dimensions is planned by formula' plan cube:32 transpose --messages plan32.csv
refused '--channels and --compare: the file takes one plan' plan cube:4 transpose --compare --channels c.csv
refused '--svg: a cube of 32 dimensions is planned by formula' plan cube:32 transpose --svg plan32.svg
refused 'without messages that could be run' run cube:32 transpose
refused 'without messages that could be run' run cube:21 complement --messages m.csv
refused '--rule: the plan' plan build/no-such-plan.json --rule one-way

# --- List and probe ---
for topic in fabrics patterns planners links boards registers; do
	accepted '' list "$topic"
	accepted '' list "$topic" --names
	check "list $topic --names: not names" test -z "$(tr -d 'a-zA-Z0-9_+\n-' <out)"
done
accepted 'cube' list fabrics
accepted 'hx8k' list boards
accepted 'transpose' list
refused 'did you mean "planners"?' list planers
refused 'there is: fabrics' list xyzzy
refused 'is too much' list fabrics patterns
refused 'too little: it takes LINK' probe
refused 'unknown link "xyzzy"' probe xyzzy
refused 'did you mean "cube"?' probe sim --fabric cbue:3
refused 'sim' probe sim:argument --fabric cube:3
# failed_link TEXT ARGUMENT...: as refused, but with status 3.
failed_link() {
	text=$1
	shift
	"$flitloom" "$@" >out 2>err </dev/null
	status=$?
	check "$* : status $status, not 3: $(cat err)" test "$status" -eq 3
	check "$* : not \"$text\" in one line: $(cat err)" test "$(grep -cF -e "$text" err)" = 1 -a "$(wc -l <err)" = 1 -a ! -s out
}
refused 'too little: it takes LINK ADDRESS|REGISTER [N]' peek sim
refused 'too little: it takes LINK ADDRESS|REGISTER WORD...' poke sim SEED
refused 'did you mean "STATUS"?' peek sim stauts --fabric cube:3
refused 'of which node or tile? LOG.0' peek sim log --fabric cube:3
refused 'there is one SEED' peek sim seed.1 --fabric cube:3
refused 'a number in 0..4094, or all' peek sim log.4095 --fabric cube:3
refused 'a number of words in 0..65535' peek sim log.1+x --fabric cube:3
refused 'is no number of words in 1..65536' peek sim seed 0 --fabric cube:3
refused 'is no word in 0..4294967295' poke sim seed 0x100000000 --fabric cube:3
refused 'is no word in 0..4294967295' poke sim seed abc --fabric cube:3
refused 'which fabric?' peek sim seed
refused 'is not a whole number in 1..3600000' run cube:4 transpose --timeout 0
refused 'it is an option of: run, probe, peek, poke' plan cube:4 transpose --timeout 5
refused 'which device?' probe uart:
refused 'there is: baud=' probe uart:/dev/null,speed=3
refused 'baud=0 is not a whole number' probe uart:/dev/null,baud=0
refused 'no VID:PID' probe ftdi:1234
refused 'it takes SETTINGS:LINK' probe fault:flip=1
refused 'these do: sim-uart, uart, ftdi, fault' run cube:4 transpose --link fault:flip=1e-3:sim
failed_link 'no such device: /dev/no-such-tty' run cube:4 transpose --link uart:/dev/no-such-tty
failed_link '/dev/null is no serial line' probe uart:/dev/null
failed_link 'is no serial line' peek "uart:$folder/empty" MAGIC
failed_link 'no such device: no dead:beef on USB' probe ftdi:dead:beef
refused 'unknown link "smi"' run cube:4 transpose --link smi


# --- GOAL ---
accepted '' goal allreduce:ring 5 --bytes 12 -o ring.goal
check 'goal: five ranks' grep -qx 'num_ranks 5' ring.goal
accepted '8 nodes  1 pass  40 messages  80 flits' plan cube:3 goal:ring.goal
"$flitloom" goal allreduce:ring 5 --bytes 12 >again.goal
check 'goal: a file and standard output are the same' cmp -s ring.goal again.goal
refused 'did you mean "allreduce:ring"?' goal allreduce:rign 8
refused 'is not a number of ranks: 2..1048576' goal allreduce:ring eight
refused 'a grid 3x3 is not of 2 to 8 ranks' plan cube:3 stencil2d:3x3
refused 'alltoall:pairwise|bruck' plan cube:3 alltoall
refused 'neither a number of cycles nor a ratio' plan cube:3 allreduce:ring --calc-cycles 1/0
refused 'is not a whole number in 1..65535' plan cube:3 allreduce:ring --flit-bytes 0
refused '5 ranks are more than the 4 processors' plan cube:2 goal:ring.goal
sed 's/^l1: send/l1: sned/' ring.goal >bad.goal
refused 'bad.goal, line 4, column 5: "sned", where there should be send, recv or calc' plan cube:3 goal:bad.goal
accepted '' plan cube:3 allreduce:ring -o ring.json
refused '--bytes: the plan ring.json has settled that' plan ring.json --bytes 3

# --- Examples in the documentation that need no model ---
mkdir -p build
mkdir -p docs
for page in README.md docs/command.md docs/multistage.md docs/patterns.md docs/goal.md docs/all-to-all.md docs/routes.md docs/otis.md docs/otis-use.md docs/otis-worms.md; do
	[ -e "$home/$page" ] || continue
	# Examples in blocks, and those in tables that need no file of the reader.
	{
		grep -E '^build/flitloom (plan|list|check|sweep .*--plan-only)' "$home/$page" | sed 's/ *#.*//'
		grep -E '^\|' "$home/$page" | grep -oE '`build/flitloom (plan|check)[^`]*`' | tr -d '`' | grep -v FILE
	} >examples
	check "$page has no examples" test -s examples
	while read -r line; do
		eval "set -- ${line#build/flitloom }" # its words, as a shell reads them
		accepted '' "$@"
	done <examples
done

# --- Boards ---
echo bits >bits
refused 'empty is no bitstream: it is empty' program hx8k empty
refused 'folder is no bitstream: it is a folder' program hx8k folder
refused "there is: $("$flitloom" list boards --names | paste -sd , | sed 's/,/, /g')" program foo
refused "there is: $("$flitloom" list links --names | paste -sd , | sed 's/,/, /g')" probe foo
refused 'no board carries omega:4' run cube:1 complement --link sim-uart:omega:4
refused 'cannot read no.v' probe sim-uart:no.v
refused 'waveforms are in the format FST' run cube:1 complement --trace x.vcd
refused 'it is no regular file' run cube:1 complement --trace /dev/null
mkdir -p build/boards/icebreaker
echo bits >build/boards/icebreaker/cube1.bin
PATH=/nowhere "$flitloom" program icebreaker >out 2>err
check "program: an icebreaker's other bitstream: $(cat err)" grep -q 'openFPGALoader is not installed' err
rm -r build
refused 'did you mean "hx8k"?' program hx8
refused 'too little: it takes BOARD [FILE]' program
refused 'cannot read no-such.bin' program hx8k no-such.bin
refused 'make bitstream BOARD=icebreaker' program icebreaker
refused 'no bitstream build/boards/ulx3s/cube4.bit' program ulx3s
refused 'did you mean "cube"?' serve cbue:2
refused 'sim carries no bytes' serve sim
refused 'cube:1 to cube:20' serve cube:99
refused 'it takes FABRIC|LINK [SOCKET|pty]' serve
for mk in "$home"/constraints/*.mk; do
	board=$(basename "$mk" .mk)
	loader=$(sed -n 's/^LOADER := //p' "$mk") usb=$(sed -n 's/^USB := //p' "$mk")
	check "list boards lacks $board" test "$("$flitloom" list boards --names | grep -cx "$board")" = 1
	mkdir -p bin
	printf '#!/bin/sh\n[ "$*" = "-b %s bits" ]\n' "$loader" >bin/openFPGALoader
	chmod +x bin/openFPGALoader
	path=/nowhere
	for text in 'openFPGALoader is not installed' "there is no $usb;"; do
		env PATH="$path" "$flitloom" program "$board" bits >out 2>err
		check "program $board: status 3" test $? -eq 3
		check "program $board: not \"$text\" in one line: $(cat err)" test "$(grep -cF "$text" err)" = 1 -a "$(wc -l <err)" = 1
		path=$PWD/bin:$PATH
	done
done

# --- Byte order marks ---
# with_mark FILE TEXT ARGUMENT...: the request gives the same with and without a mark at the beginning of FILE, which
# holds TEXT.
with_mark() {
	file=$1 content=$2
	shift 2
	printf '%s\n' "$content" >"$file"
	"$flitloom" "$@" >plain 2>&1 </dev/null
	check "$*: $(head -c 200 plain)" grep -qv '^flitloom: ' plain
	printf '\357\273\277%s\n' "$content" >"$file"
	"$flitloom" "$@" >marked 2>&1 </dev/null
	check "$*: the mark of $file: $(head -c 200 marked)" cmp -s plain marked
}
with_mark g.txt "a b${newline}b c${newline}c a" plan graph:g.txt uniform:3
with_mark g.dot 'graph { a -- b; b -- c; c -- a }' plan graph:g.dot uniform:3
with_mark g.graphml "$(cat "$home/tests/e2e/graphs/switches.graphml")" plan graph:g.graphml uniform:3
with_mark m.csv '0,1,5' plan cube:2 messages:m.csv
with_mark p.txt '3,2,1,0' plan cube:2 perm:p.txt
with_mark lcc.json '{"n": 2, "kind": "permutation", "A": [1, 2], "b": 3}' plan cube:2 lcc:lcc.json
with_mark goal.txt "num_ranks 2${newline}rank 0 { send 8b to 1 }${newline}rank 1 { recv 8b from 0 }" plan line:2 goal:goal.txt
with_mark goal.txt "num_ranks 2${newline}rank 0 { send 8b to 1 }${newline}rank 1 { recv 8b from 0 }" goal goal:goal.txt --loggops usual
with_mark x.csv "0,2${newline}3,0" plan line:2 matrix:x.csv
with_mark x.csv "0,2${newline}3,0" sweep line:2 matrix:x.csv --load 0.1 --measure 500
with_mark flows.csv "source,destination,weight${newline}0,1,2${newline}1,0,1" sweep line:2 traffic:flows.csv --load 0.1 --measure 500
with_mark map.txt '3,2,1,0' plan cube:2 transpose --map ./map.txt
with_mark fail.txt '0->1' plan mesh:3x3 uniform:3 --fail ./fail.txt
with_mark turns.txt "+y -x${newline}-y -x" plan mesh:3x3 uniform:3 --rule turns:turns.txt
with_mark tables.csv "node,network,label,port${newline}0,0,0,local${newline}1,0,0,-x${newline}0,0,1,+x${newline}1,0,1,local" plan table-mesh:1x2 uniform:3 --tables tables.csv
with_mark plan.json "$("$flitloom" plan cube:2 transpose -o -)" plan plan.json
with_mark booksim.cfg "topology = mesh;${newline}k = 4;${newline}n = 2;${newline}traffic = transpose;${newline}injection_rate = 0.01;" from-booksim booksim.cfg

# --- Characters in names ---
refused '?[31m' plan cube:4 "$(printf '\033[31m')"
refused '' plan cube:4 "$(printf 'a\nb')"
refused '' plan cube:4 "$(head -c 5000 /dev/zero | tr '\0' a)"
refused '' plan "$(head -c 5000 /dev/zero | tr '\0' a)" transpose
refused '' plan cube:4 transpose --svg "$(head -c 5000 /dev/zero | tr '\0' a)"
refused '' "$(head -c 5000 /dev/zero | tr '\0' a)"

echo "$n_passed passed, $n_failed failed"
[ "$n_failed" -eq 0 ]
