#!/bin/bash
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# Checks that every test belongs to exactly one of `make test` and `make test-all`, except those that take longer and
# have a target of their own; and that .ci/run runs both and adds up their counts.
set -u
. "$(dirname "$0")/scratch.sh"
unset CI MAKEFLAGS MFLAGS MAKELEVEL

make -s -C "$home" suites >suites || exit 2
check "suites: $(wc -l <suites)" test "$(wc -l <suites)" -gt 40
check "each name once: $(cut -d' ' -f2 suites | sort | uniq -d)" test -z "$(cut -d' ' -f2 suites | sort | uniq -d)"
check 'of two sorts' test "$(cut -d' ' -f1 suites | sort -u | tr '\n' ' ')" = 'test test-all '
check "each command once: $(cut -d' ' -f3- suites | sort | uniq -d)" test -z "$(cut -d' ' -f3- suites | sort | uniq -d)"

# once WHAT TEXT: the text, a regular expression, is in the command of exactly one suite.
once() { check "$1: suites: $(grep -cE -e "$2" suites)" test "$(grep -cE -e "$2" suites)" -eq 1; }

# A script of tests is called by one suite, or by a target of its own.
own=' tests/package/test_deb.sh tests/amaranth/test_amaranth.sh '
for script in $(cd "$home" && ls tests/*/test_*.sh tests/*/test_*.py tests/cocotb/axi.sh); do
	case $own in
	*" $script "*) check "$script: a target" grep -q "^	@$script" "$home"/mk/*.mk ;;
	*) once "$script" "(^| )$script( |$)" ;;
	esac
done
once 'faults' ' tests/e2e/faults.sh$'
once 'the other faults' ' tests/e2e/faults.sh rest$'

# Each set of networks that has any for the short run.
for set in $(sed -n 's/^	{"\([a-z0-9-]*\)", .*\(ALWAYS\|SHORT\).*/\1/p' "$home/tests/e2e/e2e.c" | sort -u); do
	once "e2e $set" "build/e2e .*\b$set\$"
done

# Benches, proofs, modules, unit tests: one item each, of one suite.
for suite in 'test tb tb/run.sh --list --short' 'test formal tb/formal/prove.sh --list --short' 'test-all formal-rest tb/formal/prove.sh --list --rest' \
	'test lint tools/lint.sh --list --short' 'test-all synthesis tools/lint.sh --list --rest' 'test-all tb-rest tb/run.sh --list --rest' \
	'test unit tools/unit_tests.sh --list' 'test-all unit-rest tools/unit_tests.sh --list'; do
	once "suite $suite" "^$suite"
done
# same WHAT LISTED WANTED: two texts have the same lines.
same() { check "$1: $(diff <(sort <<<"$2") <(sort <<<"$3") | grep '^[<>]' | tr '\n' ' ')" test "$(sort <<<"$2")" = "$(sort <<<"$3")"; }
listed() { (cd "$home" && "$@" | cut -f1); }
for form in --short --rest; do
	same "benches $form" "$(listed tb/run.sh --list $form)" "$(cd "$home"/tb && ls -- */*_tb.sv | sed 's#.*/##; s/_tb.sv//')"
done
rows=$home/tb/formal/modules.txt
same 'proofs' "$(listed tb/formal/prove.sh --list --short | sed 's/\..*//')" "$(awk '$1 == "short" { print $2 }' "$rows")"
same 'proofs, the rest' "$(listed tb/formal/prove.sh --list --rest | sed 's/\..*//')" "$(awk '$1 == "rest" { print $2 }' "$rows")"
same 'proofs, all' "$(listed tb/formal/prove.sh --list | sed 's/\..*//')" "$(awk '/^(short|rest|long) / { print $2 }' "$rows")"
same 'lint' "$(listed tools/lint.sh --list)" "$(listed tools/lint.sh --list --short && listed tools/lint.sh --list --rest)"
same 'modules' "$(listed tools/lint.sh --list | grep -vE '^(format|circles|status|markdown|names|synth-[13])$')" \
	"$(cd "$home" && grep -L '^package ' rtl/*/*.sv | sed 's#.*/##; s/\.sv//')"
same 'unit tests' "$(grep -E '^test(-all)? unit(-rest)? ' suites | grep -oE 'build/tests/[a-z0-9_]+')" \
	"$(cd "$home"/tests/unit && ls */test_*.c | sed 's#.*/\(.*\)\.c#build/tests/\1#')"

# Tests .ci/run with targets whose end the test sets.
mkdir -p ci/.ci bin
cp "$home/.ci/run" ci/.ci
printf '%s\n' '#!/bin/sh' 'for last; do :; done' 'echo "$CI $last" >>ran' 'cat "$last.says"; exit $(cat "$last.status")' >bin/make
chmod +x bin/make
# ci STATUS LAST-LINE TEST TEST-ALL: what the two print and, after a slash, how they end.
ci() {
	printf '%b' "${3%/*}" >ci/test.says
	printf '%b' "${4%/*}" >ci/test-all.says
	echo "${3##*/}" >ci/test.status
	echo "${4##*/}" >ci/test-all.status
	rm -f ci/ran
	PATH=$PWD/bin:$PATH ci/.ci/run >out
	check "CI of $3 and $4: status" test $? -eq "$1"
	check "CI of $3 and $4: $(cat out)" test "$(tail -n 1 out)" = "$2"
	check "CI of $3 and $4: one sum" test "$(grep -c '^[0-9]* passed, [0-9]* failed$' out)" -eq 1
	check "CI of $3 and $4: all run" test "$(cat ci/ran)" = $'true test\ntrue test-all'
}
ci 0 '12 passed, 0 failed' 'a\n5 passed, 0 failed\n/0' '7 passed, 0 failed\n/0'
check "what went before: $(cat out)" grep -qx a out
ci 1 '11 passed, 1 failed' '4 passed, 1 failed\n/1' '7 passed, 0 failed\n/0'
ci 1 '11 passed, 2 failed' '5 passed, 0 failed\n/0' '6 passed, 2 failed\n/1'
ci 1 '7 passed, 1 failed' 'make: *** no rule\n/2' '7 passed, 0 failed\n/0'
ci 1 '5 passed, 1 failed' '5 passed, 0 failed\n/0' '/2'
ci 1 '12 passed, 1 failed' '5 passed, 0 failed\n/2' '7 passed, 0 failed\n/0'
ci 1 '5 passed, 1 failed' '5 passed, 0 failed\n/0' 'dead\n/0'
finish
