#!/bin/bash
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# Tests which lines of shell tools/lost_status.py refuses, and which it accepts.
set -u

tool=$PWD/tools/lost_status.py
. "$(dirname "$0")/scratch.sh"

# found WANT LINE...: lines of one script, of which WANT are refused.
found() {
	local want=$1
	shift
	printf '%s\n' "$@" >script.sh
	"$tool" script.sh >out
	check "$*: $(wc -l <out) finds, not $want" test "$(wc -l <out)" -eq "$want"
}

# shellcheck disable=SC2016 # nothing is expanded here
{
	found 1 'check "it says: $(cat err)" test $? -eq 0'
	found 1 'check "it says: `cat err`" test $? -eq 0'
	found 1 'check "it says: $(cat err)" \' '	test "$?" -eq 0'
	found 1 'test $(wc -l <"$(cat name)") -gt $?'
	found 1 'verdict "a; b | $(tail -n 1 log)" $?'
	found 1 'if check $(cat err) $?; then :; fi'
	found 1 'echo "$(cat err): $?"'
	found 1 'echo "${name:-$(cat err)} $?"'
	found 1 'f() { echo $(cat err) $?; }'
	found 2 'a $(b) $?' 'c $?' 'd "$(e)" "$?"'
	found 1 "cat <<'end'" 'check "$(cat err)" $?' 'end' 'check "$(cat err)" $?'

	found 0 'check "status $?: $(cat err)" test -s err'
	found 0 'out=$(cat err); status=$?'
	found 0 'out=$(cat err)' 'test $? -eq 0'
	found 0 'a $(b) && test $? -eq 0' 'a $(b) || exit $?' 'a $(b) | c $?'
	found 0 'echo $(false; echo $?)' 'echo "$(cat err)$(echo $?)"'
	found 0 "echo \$(cat err) '\$?'" 'echo $(cat err) \$?'
	found 0 '# check "$(cat err)" test $? -eq 0'
	found 0 'echo $((1 + 2)) $?' 'check "it took $((SECONDS - began)) s" test $? -eq 0'
	found 0 'case $x in' 'a) b=$(c) ;;' 'd) e $? ;;' 'esac'
	found 0 'cat <<-end' '	$(cat err) $?' '	end' 'test $? -eq 0'
}
"$tool" script.sh >out
status=$?
check "a script without a find: status $status" test "$status" -eq 0
# shellcheck disable=SC2016
echo 'check "$(cat err)" test $? -eq 0' >script.sh
"$tool" script.sh >out
status=$?
check "a script with a find: status $status" test "$status" -eq 1
check "where it is: $(cat out)" grep -q '^script.sh:1: ' out
finish
