#!/bin/bash
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# Checks that the runners of tests report their results: tools/unit_tests.sh and tools/run_tests.sh on programs that
# pass, fail, die or never end.
set -u
. "$(dirname "$0")/scratch.sh"

# program NAME LINE...: a test program.
program() {
	local name=$1
	shift
	printf '%s\n' '#!/bin/bash' "$@" >"$name"
	chmod +x "$name"
}

program good 'echo "[  PASSED  ] 3 test(s)."'
program bad 'echo "[  PASSED  ] 1 test(s)."' 'echo "[  FAILED  ] 1 test(s), listed below:"' 'echo "[  FAILED  ] it"' 'exit 1'
program dies 'kill -SEGV $$'
program hangs 'exec sleep 100'

LIMIT=1 "$home/tools/unit_tests.sh" ./good ./good >out 2>&1
check 'good programs' test $? -eq 0
check 'nothing is wrong with them' eval '! grep -q FAIL out'
LIMIT=1 "$home/tools/unit_tests.sh" ./hangs ./dies ./bad ./good >out 2>&1
check 'programs that fail' test $? -eq 1
check 'the one that hangs' grep -qx 'FAIL hangs: not done after 1 s' out
check 'the one that died' grep -qx 'FAIL dies: status 139' out
check 'the one that failed' grep -qx 'FAIL bad: status 1' out
check 'the good one has run all the same' grep -q 'PASSED  . 3' out

# As in `make test`: a program that hangs or dies beside a good one is a failure, which the runner names.
for one in hangs dies; do
	LIMIT=1 "$home/tools/run_tests.sh" "unit=$home/tools/unit_tests.sh ./$one ./good" >out 2>&1
	check "a suite in which one $one" test $? -eq 1
	check "the suite names what $one: $(cat out)" grep -q "FAIL $one" out
	check "the sum: $(tail -n 1 out)" test "$(tail -n 1 out)" = '3 passed, 1 failed'
done
"$home/tools/run_tests.sh" "unit=$home/tools/unit_tests.sh ./good" >out 2>&1
check 'a suite that passes' test "$(tail -n 1 out)" = '3 passed, 0 failed'


# Some suites by name; a name that no suite has.
SUITES='b c' "$home/tools/run_tests.sh" 'a=false' 'b=echo 1 passed, 0 failed' 'c=echo 2 passed, 0 failed' >out 2>&1
check "SUITES: $(cat out)" test "$(tail -n 1 out)" = '3 passed, 0 failed'
SUITES=d "$home/tools/run_tests.sh" 'a=true' >out 2>&1
check 'no such suite' test $? -eq 2
# A suite gets MAKEFLAGS without the jobs of the make that calls the runner.
printf 'all:\n\t+@%s\n' "'$home/tools/run_tests.sh' 'a=echo \"flags \$\$MAKEFLAGS.\"; echo 1 passed, 0 failed'" >rules
make -s -j2 -f rules X=1 >out 2>&1
check "under make: $(cat out)" test "$(tail -n 1 out)" = '1 passed, 0 failed'
check "the flags of a suite: $(cat build/log/a.log)" eval '! grep -q jobserver build/log/a.log'
check "the variables of a suite: $(cat build/log/a.log)" grep -q '^flags .*X=1\.$' build/log/a.log
finish
