#!/bin/bash
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# Tests that a test is run again whenever something that its verdict depends on has changed, and only then
# (tools/test_rules.py, tools/run_item.sh). It compares the stamps of real benches, proofs and lint before and after
# changes of a copy of the sources; made-up suites pass, fail and change while they run.
set -u
. "$(dirname "$0")/scratch.sh"
unset CI MAKEFLAGS

mkdir tree
cp -R "$home/rtl" "$home/tb" "$home/tools" tree
cd tree || exit 2
mkdir -p programs bin
printf '#!/bin/sh\necho 1\n' | tee bin/iverilog >bin/yosys
chmod +x bin/*
PATH=$PWD/bin:$PATH
echo 'int shared(void); int shared(void) { return 1; }' | gcc -shared -o programs/libshared.so -x c -
echo 'int shared(void); int main(void) { return shared(); }' >main.c
gcc main.c -o programs/first -Lprograms -lshared -Wl,-rpath,"$PWD/programs"
echo one >programs/data
rm -f main.c

# stamps FILE: writes the stamps of all items, in the order in which they run.
stamps() {
	rm -rf results
	mkdir results
	tools/test_rules.py results "tb@tb/run.sh --list --short xorshift payload wh_input net_router" \
		"formal@tb/formal/prove.sh --list --short xorshift payload wh_input" "lint@tools/lint.sh --list xorshift payload wh_input synth-1" \
		"unit@tools/unit_tests.sh --list programs/data programs/first" "e2e:prog:programs/first rtl=programs/first all" \
		"always=true" >rules.mk || exit 2
	grep -o '^build/stamps/[^:]*' rules.mk | sed 's#build/stamps/##' >"$1"
}

# after WHAT CHANGE ITEM...: the change, a command, changes the stamps of these items and of no others. Then it undoes
# the change.
after() {
	local what=$1 change=$2
	shift 2
	rm -rf ../saved
	cp -Rp . ../saved
	eval "$change"
	stamps after
	rm -rf ../kept
	mkdir ../kept
	cp after ../kept
	find . -mindepth 1 -delete
	cp -Rp ../saved/. .
	join -v 1 <(sort ../kept/after) <(sort before) | sed 's/-[0-9a-f]*$//' >../changed
	check "$what: $(diff ../changed <(printf '%s\n' "$@" | sed '/^$/d' | sort) | tr '\n' ' ')" cmp -s ../changed <(printf '%s\n' "$@" | sed '/^$/d' | sort)
}

stamps before
all=$(sed 's/-[0-9a-f]*$//' before)
of() { grep "^$1/" <<<"$all"; }
check "items: $(wc -l <before)" test "$(wc -l <before)" -eq 18
stamps again
check 'nothing changed, no stamp changed' cmp -s before again
# shellcheck disable=SC2046 # a list of names
{
	after 'nothing' true ''
	after 'another module' 'echo "// x" >>rtl/link/uart_tx.sv' lint/synth-1 e2e/e2e
	after 'a module' 'echo "// x" >>rtl/node/payload.sv' tb/payload formal/payload formal/payload.2 formal/payload.3 formal/payload.4 lint/payload lint/synth-1 \
		e2e/e2e
	after 'a module within others' 'echo "// x" >>rtl/node/xorshift.sv' tb/xorshift tb/payload formal/xorshift formal/payload formal/payload.2 formal/payload.3 formal/payload.4 \
		lint/xorshift lint/payload lint/synth-1 e2e/e2e
	after 'a package' 'echo "// x" >>rtl/chip/node_config.sv' $(of tb) $(of formal) $(of lint) e2e/e2e
	after 'a new package' 'printf "package new;\nendpackage\n" >rtl/node/new.sv' $(of tb) $(of formal) $(of lint) e2e/e2e
	after 'what benches share' 'echo "// x" >>tb/help/bench.sv' tb/wh_input tb/net_router
	after 'a helper of a bench' 'echo "// x" >>tb/help/stream_sink.sv' tb/wh_input
	after 'a file that is included' 'echo "// x" >>tb/help/net_wires.svh' tb/net_router
	after 'a bench' 'echo "// x" >>tb/wh/wh_input_tb.sv' tb/wh_input
	after 'a bench that is gone' 'rm tb/wh/wh_input_tb.sv' tb/wh_input
	after 'a row' 'sed -i "s/NAME_W=11/NAME_W=12/" tb/formal/modules.txt' formal/payload.2 formal/payload.4
	after 'rows of others' 'sed -i "/ watchdog /s/12/13/" tb/formal/modules.txt' ''
	after 'the script of the proofs' 'echo "# x" >>tb/formal/prove.sh' $(of formal)
	after 'a script that it calls' 'echo "# x" >>tools/node_parameter.sh' $(of formal) lint/synth-1
	after 'the script of the benches' 'echo "# x" >>tb/run.sh' $(of tb)
	after 'the script of lint' 'echo "# x" >>tools/lint.sh' $(of lint)
	after 'the script of the unit tests' 'echo "# x" >>tools/unit_tests.sh' unit/first
	after 'the way stamps are made' 'echo "# x" >>tools/test_rules.py' $all
	after 'the way items are run' 'echo "# x" >>tools/run_item.sh' $all
	after 'the version of Icarus' 'echo "echo 2" >>bin/iverilog' $(of tb) lint/xorshift lint/payload lint/wh_input
	after 'the version of Yosys' 'echo "echo 2" >>bin/yosys' $(of formal) lint/synth-1
	after 'another program' 'gcc -shared -O2 -g -o programs/other.so -x c - <<<"int x;"' ''
	after 'a shared object' 'gcc -shared -o programs/libshared.so -x c - <<<"int shared(void); int shared(void) { return 2; }"' e2e/e2e
	after 'a program' 'echo >>programs/first' unit/first e2e/e2e
	after 'a file that unit tests read' 'echo two >programs/data' unit/first
	after 'a file less' 'rm programs/data' unit/first
	after 'a setting' 'export LIMIT_S=7' $all
	unset LIMIT_S
	after 'CI, which is for make to obey' 'export CI=1' ''
	unset CI
}
cd "$folder" || exit 2

# The file `runs` has a line for each time they ran.
printf '%s\n' '#!/bin/bash' 'echo "$1" >>runs' '. ./during' 'cat answer' '! grep -q FAIL answer' >suite
chmod +x suite
: >during
echo 1 >input
echo '2 passed, 0 failed' >answer
run() { "$home/tools/run_tests.sh" "whole:input suite=./suite whole" "plain=./suite plain" "items@printf '%s\t%s\t%s\n' one input './suite one' two suite './suite two'" >out 2>&1; }
# ran WHAT SUM NAME...: of the suites and items above these were run, and the last line is the sum.
ran() {
	local what=$1 wanted=$2
	shift 2
	check "$what, what ran: $(sort runs 2>&1 | tr '\n' ' ')" test "$(sort runs)" = "$(printf '%s\n' "$@" | sort)"
	check "$what, the sum: $(cat out)" test "$(tail -n 1 out)" = "$wanted"
	rm -f runs
}
run
ran 'at first' '8 passed, 0 failed' whole plain one two
run
check 'a run with nothing to do' test $? -eq 0
ran 'nothing changed' '8 passed, 0 failed' plain
check "what it says: $(cat out)" grep -q '^6 of 8 were not run again' out
check 'of a suite, too' grep -q '^items  *4 passed  *0 failed .*(4 unchanged)$' out
CI=true run
ran 'CI' '8 passed, 0 failed' whole plain one two
echo 2 >input
run
ran 'an input changed' '8 passed, 0 failed' whole plain one
check "why it ran: $(cat out)" eval 'grep -q "^whole .*build/log/whole.log  again: input$" out && grep -q "^items .*(2 unchanged)  again: input$" out'
LC_ALL=C.UTF-8 TZ=UTC run
ran 'settings changed' '8 passed, 0 failed' whole plain one two
check "the settings are named: $(cat out)" grep -q '^items .*  again: .*TZ' out
echo 1 >input
run
ran 'and back: what passed then' '8 passed, 0 failed' plain

# A failure leaves no stamp, and its log is shown, until it passes.
echo 3 >input
printf 'FAIL it is broken\n1 passed, 1 failed\n' >answer
for time in first second; do
	run
	check "a failure, the $time time" test $? -eq 1
	check "a failure is shown: $(cat out)" grep -q '^FAIL it is broken' out
	ran "a failure, the $time time" '5 passed, 3 failed' whole plain one
done
echo '2 passed, 0 failed' >answer
run
ran 'mended' '8 passed, 0 failed' whole plain one
for time in first second; do
	echo 'exit 1' >during
	echo $RANDOM$RANDOM >input
	run
	ran "death, the $time time" '2 passed, 3 failed' whole plain one
done
: >during
run
ran 'alive' '8 passed, 0 failed' whole plain one

# An input that changes while the suite runs: what was tested is neither the one nor the other.
echo 4 >input
echo 'echo 5 >input' >during
run
ran 'changed meanwhile' '8 passed, 0 failed' whole plain one
: >during
echo 4 >input
run
ran 'after a change meanwhile' '8 passed, 0 failed' whole plain one
run
ran 'after that' '8 passed, 0 failed' plain

# A suite whose items cannot be listed has failed; so has one without any.
for list in false true 'echo one'; do
	"$home/tools/run_tests.sh" "items@$list" >out 2>&1
	check "items by $list" test $? -eq 1
	check "items by $list: $(cat out)" test "$(tail -n 1 out)" = '0 passed, 1 failed'
done
finish
