#!/bin/sh
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# Checks the command's answers to requests, mainly to wrong ones: exit status, one line on standard error that says
# what would be right, nothing on standard output. It needs no simulator. FLITLOOM: the command; default
# build/flitloom.
set -u

. "$(dirname "$0")/cli_checks.sh"

# `has` compares the whole text, with its white space.
printf 'one\n  two  three\nfour\n' >lines
for text in one 'two  three' "one$newline  two" "two  three${newline}four" "${newline}one$newline" "four$newline"; do
	check "\"$text\" is not found" has "$text" lines
done
for text in 'two three' 'one two' "one${newline}two" "one${newline}four" "two$newline" "${newline}two" 'on*e' five; do
	check "\"$text\" is found" eval '! has "$text" lines'
done

# --- Commands and help ---
refused 'there is: run, plan, check, sweep, list, goal, rtl, from-booksim, probe'
refused 'did you mean "plan"?' plam cube:3 identity
refused 'did you mean "list"?' lits
refused 'did you mean "--version"?' --versoin
refused 'unknown command "xyzzy"; there is:' xyzzy
refused 'unknown command ""' ''
accepted 'flitloom 0.' --version
accepted 'Usage: flitloom run' --help
accepted 'Usage: flitloom run' -h
accepted 'flitloom probe' --usage
for command in run plan check sweep list probe peek poke; do
	accepted "Usage: flitloom $command" "$command" --help
	accepted "Usage: flitloom $command" "$command" --usage
done
accepted 'Usage: flitloom plan' plan cube:3 transpose --help
accepted 'the machine of [Hou01]' run --help

# --- Options ---
refused 'unknown option --mpa; did you mean --map?' plan cube:4 transpose --mpa best
refused 'unknown option --xyzzy; see: flitloom plan --help' plan cube:4 transpose --xyzzy
refused 'unknown option --xyzzy' plan cube:4 transpose --xyzzy=3
refused 'unknown option -z' plan cube:4 transpose -z
refused 'unknown option -z' plan cube:4 transpose -qz
refused '--m may be --map or --machine' plan cube:4 transpose --m=best
refused '--map: its MAP is missing' plan cube:4 transpose --map
refused '-m: its value is missing' plan cube:4 transpose -m
refused '--map: its MAP is empty' plan cube:4 transpose --map=
refused '--json takes no value' plan cube:4 transpose --json=yes
refused 'it is an option of: run' plan cube:4 transpose --link sim
refused 'it is an option of: plan' run cube:4 transpose --output x
refused 'it is an option of: list' plan cube:4 transpose --names
refused 'it is an option of: probe' plan cube:4 transpose --fabric cube:4
for value in 0 -1 '' ' 1' 1x 0x10 +1 1e3 16777216 18446744073709551617 99999999999999999999999999; do
	[ -n "$value" ] && refused 'is not a whole number in 1..16777215' plan cube:4 transpose "--flits=$value"
done
refused '"" is not a whole number in 1..16777215' plan cube:4 transpose --flits=
refused '0..18446744073709551615' plan cube:4 transpose --seed 18446744073709551616
refused '0..18446744073709551615' plan cube:4 transpose --seed -1
accepted 'random-perm' plan cube:4 random-perm --seed 18446744073709551615
refused '"0" is not a whole number in 1..' run cube:4 transpose --max-cycles 0
refused 'did you mean "paper"?' run cube:4 transpose --machine papre
refused 'there is: fast, paper' run cube:4 transpose --machine 7
refused 'too little: it takes FABRIC PATTERN' plan
refused '"three" is too much' plan cube:4 transpose three
refused 'no pattern for cube:4; such as' plan cube:4
accepted '"passes":1' plan cube:4 transpose --json --flits 1
accepted '"flits":68' plan --flits=17 cube:2 --json -- complement

# --- Fabrics ---
refused 'did you mean "cube"?' plan cub:4 transpose
refused 'unknown kind "xyzzy"; there is: cube' plan xyzzy:4 transpose
for size in 0 -1 4x ' 4' ''; do
	refused 'cube:1 to cube:20' plan "cube:$size" transpose
done
refused 'cube:1 to cube:20' plan cube transpose
refused 'fabric ""' plan '' transpose

# --- Patterns ---
refused 'did you mean "transpose"?' plan cube:4 trasnpose
refused 'did you mean "bit-reverse"?' plan cube:4 bitreverse
refused 'xyzzy' plan cube:4 xyzzy
refused 'multiple of 2' plan cube:3 transpose
refused 'such as 3x3, not 3x5' plan mesh:3x5 transpose
refused 'one for each extent of 4x4' plan mesh:4x4 shift:1,2,3
refused 'needs an argument where no extent is above 2' plan cube:4 neighbour
accepted '225 messages' plan mesh:15x15 transpose
accepted '44 messages' plan mesh:3x5 stencil
accepted 'by greedy; row' plan mesh:3x5 nbody --planner xy --place greedy
accepted 'by search; row' plan mesh:3x5 nbody --planner xy --place search --budget 0.1
accepted 'more time never puts more on the busiest link' plan mesh:3x5 nbody --planner xy --place search
accepted 'more time never puts more on the busiest link' plan table-mesh:3x3 nbody --planner reroute --place search
"$flitloom" plan mesh:3x5 nbody --planner xy --place search --objective cycles | grep -q 'busiest link$' && failed 'a search for cycles promises flits'
"$flitloom" plan mesh:3x5 nbody --planner xy --place search --budget 0.1 | grep -q -e '--budget' && failed 'a budget was given, and is spoken of'
refused '--map and --place: these are two names of one option' plan mesh:3x5 nbody --map identity --place greedy
refused 'did you mean "search"' plan mesh:3x5 nbody --place serch
refused 'direct networks' plan omega:8 nbody --place greedy
accepted '60 messages' plan torus:3x5 stencil:wrap
refused '0..3' plan cube:4 neighbor:4
refused '0..4' plan cube:4 random-lcc:5
refused '0..15' plan cube:4 hotspot:16
refused '0..15' plan cube:4 gather:16
refused '0..3' plan cube:4 scatter:4/4
refused 'must divide the 16 processors' plan cube:4 gather:0/3
refused '"-16" is not a distance: -15..15' plan cube:4 shift:-16
for pattern in gather:5 gather:1/4 scatter:5 scatter:1/4 shift:-1 set:transpose set:transpose+bit-reverse fft2d; do
	accepted "cube:4  $pattern " plan cube:4 "$pattern"
	accepted "omega:16  $pattern " plan omega:16 "$pattern"
done
accepted '256 nodes  12 passes' plan cube:8 fft2d
accepted '   maxsum' plan cube:4 set:transpose --objective maxsum
refused 'flitloom calls it "bit-reverse"' plan cube:4 bitrev
refused 'flitloom calls it "complement"' plan cube:4 bitcomp
refused 'flitloom calls it "unshuffle"' plan cube:4 bit_rotation
refused 'flitloom has none like it' plan cube:4 diagonal
refused 'set, member 1 "bit-revrse"' plan cube:4 set:transpose+bit-revrse
refused 'set, member 0 "shift:1"' plan cube:4 set:shift:1+transpose
refused 'set:./FILE' plan cube:4 set:a+b.json
refused './a+b.json' plan cube:4 set:./a+b.json
refused 'uniform' plan cube:4 uniform:0
refused 'bpc' plan cube:4 'bpc:[0,1,2]'
refused 'bpc' plan cube:4 'bpc:[0,1,2,2]'
refused 'perm' plan cube:2 perm:0,1,2
refused 'perm' plan cube:2 perm:0,1,2,2
refused 'perm' plan cube:2 perm:0,1,2,4
refused 'perm' plan cube:2 perm:0,1,2,3,0
refused 'no/such/file' plan cube:4 lcc:no/such/file
refused 'no/such/file' plan cube:4 set:no/such/file
refused 'no/such/file' plan cube:4 messages:no/such/file
mkdir folder
refused 'folder' plan cube:4 lcc:folder
: >empty
refused 'empty' plan cube:4 lcc:empty
refused 'empty' plan cube:4 set:empty
refused 'empty' plan cube:4 messages:empty
printf '010\n101\n' >not_square
refused 'not_square' plan cube:3 lcc:not_square
printf '01\n10\n001\n' >ragged
refused 'ragged' plan cube:3 lcc:ragged
printf '012\n101\n001\n' >not_binary
refused 'not_binary' plan cube:3 lcc:not_binary
printf '010\n100\n001\n' >three
refused 'lcc:three' plan cube:4 lcc:three
accepted '"contention":1' plan cube:3 lcc:three --json
printf '{"n":3,"kind":"permutation","A":[1,2,3],"b":0}' >singular.json
refused 'singular.json' plan cube:3 lcc:singular.json
printf '{"n":3,"kind":"gather","A":[1,2,8],"b":0}' >wide.json
refused 'wide.json' plan cube:3 lcc:wide.json
printf '{"n":3,"kind":"gather","A":[1,2,4],"b":9}' >wide_b.json
refused 'wide_b.json' plan cube:3 lcc:wide_b.json
printf '{"n":3,"kind":"gathre","A":[1,2,4],"b":0}' >kind.json
refused 'gather' plan cube:3 lcc:kind.json
printf '{"n":3,"kind":"gather","A":[1,2,4]' >cut.json
refused 'cut.json' plan cube:3 lcc:cut.json
printf '[{"n":3,"A":[1,2,4]},{"n":4,"A":[1,2,4,8]}]' >mixed.json
refused 'mixed.json' plan cube:3 set:mixed.json
printf '[]' >none.json
refused 'none.json' plan cube:3 set:none.json
printf 'source,destination,flits\n0,1,5\n0,8,5\n' >far.csv
refused 'far.csv' plan cube:3 messages:far.csv
printf '0,1,0\n' >no_flits.csv
refused 'no_flits.csv' plan cube:3 messages:no_flits.csv
printf '0,1\n2\n' >short.csv
refused 'short.csv' plan cube:3 messages:short.csv
printf '1,2\0003\377\n\0' >noise
refused 'noise' plan cube:3 lcc:noise
refused 'noise' plan cube:3 set:noise
refused 'noise' plan cube:3 messages:noise
refused 'noise' plan cube:3 perm:noise

# --- Maps, planners, objectives ---
refused 'did you mean "identity"?' plan cube:4 transpose --map idenity
refused 'map: 3 numbers, but cube:4 takes 4 (a bit order) or 16' plan cube:4 transpose --map 0,1,2
refused 'is repeated' plan cube:4 transpose --map 0,1,2,2
refused 'out of range' plan cube:4 transpose --map 0,1,2,4
refused 'no number at character' plan cube:4 transpose --map 0,1,,2
refused 'no number at character' plan cube:4 transpose --map -1,0,1,2
accepted '"map":[1,0]' plan cube:2 complement --map 1,0 --json
accepted '"map":[3,2,1,0]' plan cube:2 complement --map 3,2,1,0 --json
refused 'did you mean "direct"?' plan cube:4 transpose --planner dierct
refused 'there is: lcc' plan cube:4 transpose --planner xyzzy
refused 'planners that can: ' plan cube:4 all-to-all --planner lcc
refused 'maxsum' plan cube:4 fft --objective maxsun
refused 'is no set' plan cube:4 all-to-all --objective maxmax
accepted '"objective":{"name":"sumsum"' plan cube:4 fft --objective sumsum --json
accepted '"objective":{"name":"cycles"' plan cube:2 uniform:9 --objective cycles --json
accepted 'met, no' plan cube:4 transpose --objective cycles
refused 'a plan by formula has no messages' plan cube:24 transpose --objective cycles
refused 'fabric table-mesh:4x4' plan mesh:4x4 transpose --planner reroute --objective cycles
refused '--map and --compare' plan cube:4 transpose --compare --map identity

# --- Multistage networks ---
refused '12 is not a power of two; 8 and 16 are' plan omega:12 all-to-all
refused 'omega:2 to omega:1024' run omega:2048 all-to-all
refused 'did you mean "omega"?' run omgea:8 all-to-all
refused 'switch 0 of stage 0 would have to be straight for message 0 and crossed for message 4' \
	run omega:8 bit-reverse --planner direct --preset
refused 'is timed for machine fast' run omega:8 all-to-all --machine paper
refused 'which takes a barrier' run omega:8 all-to-all --preset
refused 'cube:3 has no switches' run cube:3 identity --preset
refused 'planner latin makes one' run omega:8 bit-reverse --schedule generated
refused 'did you mean "generated"?' run omega:8 all-to-all --schedule genrated
refused 'there is: best, table, generated' run omega:8 all-to-all --schedule 7
refused 'it is an option of: run' plan omega:8 all-to-all --preset
refused '--pass: there is no pass 8; the plan has 8: 0..7' plan omega:8 all-to-all --svg x.svg --pass 8
refused 'there is no --svg' plan omega:8 all-to-all --pass 7
accepted_lines 'passes                  64   at least 64 needed on these routes without
                             contention: optimal; no barrier between them
cycles                1094   until the last tail has arrived' plan omega:64 all-to-all
accepted '"passes":64,"passes_bound":64,"free_running":true' plan rbaseline:64 all-to-all --json
accepted '"passes":63,"passes_bound":63,"free_running":false' plan cube:6 all-to-all --json
accepted_lines 'passes                   1   at least 2 would be needed on these routes without
                             contention' plan omega:8 bit-reverse --planner direct
accepted '7 nodes  2 passes  7 messages' plan line:7 perm:1,5,3,6,4,2,0
accepted '7 nodes  4 passes  half duplex  7 messages' plan line:7 perm:1,5,3,6,4,2,0 --half-duplex
accepted '"half_duplex":true,"passes_least":4,"passes_least_by":"load","optimal":true,"one_pass_rules":[]' \
	plan line:7 perm:1,5,3,6,4,2,0 --half-duplex --json
accepted '"passes_least":7,"passes_least_by":"search","optimal":true' \
	plan ring:8 perm:4,6,7,2,3,1,5,0 --planner ring --rule one-way --json
accepted 'free of contention by rule ascending, one-way' plan ring:8 shift:1 --planner ring
accepted 'optimal' plan mesh:3x3 uniform:20 --planner exact
refused 'omega:8 has no links with two directions' plan omega:8 bit-reverse --half-duplex
refused 'planner direct heeds no half duplex; planners of identity on line:4 that do: line' \
	plan line:4 identity --half-duplex --planner direct
refused '262469 passes on line:1048576: 1 to 32 is possible' plan line:1048576 random-perm
accepted '' plan line:4 perm:1,0,3,2 --half-duplex -o half.json
refused '--half-duplex: the plan half.json has settled that' plan half.json --half-duplex
sed 's/"half_duplex": true/"half_duplex": false/' half.json >full.json
refused 'passes_bound' plan full.json
accepted_lines 'lower bound              2   messages; met: no order of the address bits does
                             better' plan cube:3 random-lcc:1
accepted 'messages, of any order of the address bits' plan cube:4 transpose --map identity --planner lcc
accepted_lines 'lower bound              1   messages; met: in this placement no route does
                             better' plan cube:3 random-lcc:1 --map 0,7,1,6,2,5,4,3
accepted 'messages, of any route in this placement' plan cube:4 transpose --planner direct
accepted_lines 'admissible      no: at stage 0, switch 0, messages 0 to 0 and 4 to 1 both need
                    line 0' plan omega:8 bit-reverse --planner direct
accepted '"admissible":{"passes":false,"stage":0,"switch":0,"messages":[{"source":0,"destination":0},{"source":4,"d' \
	plan omega:8 bit-reverse --planner direct --json
accepted 'yes: it passes in one pass' plan omega:8 shift:3 --planner direct
accepted '"settings":["0111","1100","1111"]}' plan omega:8 shift:3 --planner direct --json
accepted '"admissible":null' plan omega:8 all-to-all --json
accepted '"admissible":null' plan cube:4 transpose --planner direct --json
square='0,1,2,3 1,0,3,2 3,2,1,0 2,3,0,1'
for option in --out --output -o; do
	accepted '' plan omega:4 all-to-all --planner latin $option square.csv
	# shellcheck disable=SC2046 # lines become words
	check "$option square.csv" test "$(echo $(cat square.csv))" = "$square"
done
accepted '' plan omega:4 all-to-others --map 2,0,3,1 -o square.csv # the square of the nodes, under any map of processors
# shellcheck disable=SC2046
check "square.csv with a map" test "$(echo $(cat square.csv))" = "$square"
accepted '' plan icube:16 all-to-all -o square.npy
check 'square.npy' test "$(wc -c <square.npy)" -eq $((128 + 2 * 16 * 16))
accepted 'OTIS: no moves cost less; taken: one OTIS move' plan otis-mesh:16 bit-reverse
accepted '"moves_by":"section 4.6.1, rotations","moves_bound":{"electronic":28,"otis":2}' \
	plan otis-mesh:64 gypx-swap --cost otis=100 --json
refused 'cost: "otis=dear" is not otis= and a number' plan otis-mesh:16 shuffle --cost otis=dear
refused 'planner direct does not choose by the cost of moves' plan otis-mesh:16 shuffle --cost otis=2 --planner direct
refused '--budget: "0" is not a number of seconds above 0' plan mesh:3x3 random-perm --planner best --budget 0
accepted 'runner-up ' plan mesh:3x3 random-perm --planner best --budget 5
# The first Ctrl-C or SIGTERM ends the search with the best plan so far.
setsid "$flitloom" plan ring:256 random-perm --planner best --budget 600 --json >best.json 2>/dev/null </dev/null &
child=$!
sleep 1
kill -TERM $child # a shell has its background jobs ignore SIGINT
wait $child
check 'Ctrl-C ends a search with a plan' test $? -eq 0
check 'Ctrl-C keeps the best plan so far' grep -q '"best_of":{"tried":1,' best.json
refused "would hold a Latin square, and planner min_passes's plan" \
	plan omega:4 all-to-all --planner min_passes -o other.csv
refused 'would hold a Latin square' plan cube:2 all-to-all -o other.npy
check 'a refused square left a file' test ! -e other.csv -a ! -e other.npy
accepted '' plan omega:4 all-to-all -o latin.json
accepted '"planner":"latin"' plan latin.json --json
refused '--cost: the plan latin.json has settled that' plan latin.json --cost otis=2
accepted '' plan latin.json -o again.csv
check 'the square of a plan file' cmp -s square.csv again.csv
accepted '' plan omega:4 all-to-all --planner min_passes -o lie.json
sed 's/"min_passes"/"latin"/' lie.json >lie2.json
refused 'would hold a Latin square' plan lie2.json -o lie.csv

for fabric in omega:8 benes:16 rbaseline:128; do
	accepted '' plan $fabric random-perm --planner direct -q --svg network.svg
	check "the picture of $fabric" grep -q '^</svg>' network.svg
	if command -v xmllint >/dev/null; then
		check "the picture of $fabric is not well-formed" xmllint --noout network.svg
	fi
done

# --- Sweeps ---
refused 'of how many nodes? such as --nodes 2:64' sweep omega all-to-all
for nodes in 1 0:8 8:4 3:3 5:7 2:2097152 a:b 2: :8 2:4:8 ''; do
	refused '--nodes' sweep omega all-to-all "--nodes=$nodes"
done
refused 'did you mean "omega"?' sweep cube,omgea all-to-all --nodes 2:4
refused 'a fabric is missing' sweep omega,,cube all-to-all --nodes 2:4
refused 'is there twice' sweep omega,cube,omega all-to-all --nodes 2:4
refused 'is there twice' sweep cube:3,omega:8,cube:3 all-to-all --plan-only
refused '--nodes: "omega:4" has its sizes' sweep omega:4 all-to-all --nodes 2:4
refused 'multiple of 2' sweep omega transpose --nodes 2 --plan-only
for flits in 0 5: :5 5:4 5:6:0 5:9:1:1 5:x 5:20:y 20,30 5:99999999999; do
	refused '--flits' sweep cube:3 transpose --plan-only "--flits=$flits"
done
refused 'is not a whole number in 1..16777215' plan cube:4 transpose --flits 5:20
refused 'more than 1000 lengths' sweep cube:3 transpose --plan-only --flits 5:2000:1
refused '2000 at most' sweep cube:2,cube:4,omega:4 transpose --plan-only --flits 5:904:1
for seeds in 0 -1 x 10001; do refused '--seeds' sweep cube:4 uniform:9 --plan-only "--seeds=$seeds"; done
refused 'there is: fast, paper' sweep cube:4 transpose --plan-only --machine 7,8
refused 'it is an option of: sweep' run cube:4 uniform:9 --seeds 3
refused 'there is no such folder' sweep cube:4 transpose --plan-only --csv no/such.csv
refused '--svg and --csv both write one' sweep cube:4 transpose --plan-only --csv one --svg one
refused 'planner latin makes one' sweep cube all-to-all --nodes 2:4 --schedule generated
refused 'it is an option of: sweep' plan omega:4 all-to-all --nodes 2:4
refused 'too little: it takes KIND|FABRIC' sweep omega --nodes 2:4
refused 'there is no such folder' sweep omega all-to-all --nodes 2:4 --plan-only --svg no/such.svg
accepted 'predicted, not run' sweep omega all-to-all --nodes 2:4 --plan-only
accepted '"fabric":"cube:3","nodes":8,"planner":"exchange","passes":7' sweep cube all-to-all -n 8 --plan-only --json
accepted '"predicted_cycles":37' sweep omega bit-reverse -n 8 --plan-only --planner direct --json
accepted '' sweep omega all-to-all -n 8 --plan-only --quiet
check 'a quiet sweep, yet there is output' test ! -s out
if command -v gnuplot >/dev/null; then
	accepted '' sweep omega,cube all-to-all -n 2:64 --plan-only -q --svg plot.svg
	check 'no plot' grep -q '</svg>' plot.svg
	check 'not a curve for omega, and two for cubes' test "$(grep -c '<title>.*_plot_[0-9]*</title>' plot.svg)" -eq 3
	accepted '' sweep omega,baseline all-to-all -n 2:64 --plan-only -q --svg plot.svg
	check 'equal curves are not one' test "$(grep -c '<title>.*_plot_[0-9]*</title>' plot.svg)" -eq 1
	accepted '' sweep omega bit-reverse -n 8:16 --plan-only --planner direct -q --svg plot.svg
	check 'no curve where messages wait' test "$(grep -c '<title>.*_plot_[0-9]*</title>' plot.svg)" -eq 1
fi
mkdir without
ln -s "$flitloom" without/flitloom
PATH=$folder/without "$flitloom" sweep omega all-to-all -n 8 --plan-only -q --svg none.svg 2>err
check "no gnuplot: status 2" test $? -eq 2
check "no gnuplot: $(cat err)" grep -q '^flitloom: .*gnuplot-nox' err
if command -v python3 >/dev/null; then
	"$flitloom" sweep baseline,omega,icube,rbaseline,romega,ricube,cube all-to-all -n 2:128 --flits 20 --plan-only \
		--json >out
	check 'cycles of a sweep are not the formulas of docs/all-to-all.md' python3 -c 'import json
runs = json.load(open("out"))["runs"]
assert len(runs) == 7 * 7
for r in runs:
    n, flits, bits = r["nodes"], 20, r["nodes"].bit_length() - 1
    cube = r["fabric"].startswith("cube:")
    assert r["predicted_cycles"] == ((n - 1) * (flits + 1) + bits * n // 2 if cube else n * flits + bits), r
    assert r["passes"] == n - cube and r["contention"] == (cube or n > 2), r'
fi

echo "$n_passed passed, $n_failed failed"
[ "$n_failed" -eq 0 ]
