#!/bin/bash
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# usage: run_tests.sh SUITE...
# Runs test suites, which tools/test_rules.py describes and turns into rules for make. As many run at a time as there
# are cores (JOBS), or as the calling make has jobs, each into build/log/NAME.log. Prints a line for each suite that has
# ended, what failed, and at the end the sum: "N passed, N failed". Suites that have not changed since they passed are counted and
# not run again, unless CI is set. Long suites come first in the list, so that at the end no core waits for one.
# SUITES="NAME..." in the environment: these alone.
set -u
here=$(cd "$(dirname "$0")" && pwd)
if [ -n "${SUITES-}" ]; then
	chosen=()
	for one in "$@"; do
		[[ " $SUITES " != *" ${one%%[@:=]*} "* ]] || chosen+=("$one")
	done
	set -- "${chosen[@]}"
fi
[ $# != 0 ] || { echo "run_tests.sh: there is no such suite${SUITES+ as $SUITES}" >&2 && exit 2; }
mkdir -p build/log
results=$(mktemp -d build/run.XXXXXX) || exit 2
# Ends what still runs, which a signal to this shell alone would leave at work.
end() {
	local children=''
	[ ! -r "/proc/$$/task/$$/children" ] || read -r children <"/proc/$$/task/$$/children"
	# shellcheck disable=SC2086 # several numbers
	[ -z "$children" ] || kill $children 2>/dev/null
	rm -rf "$results"
}
trap end EXIT
touch "$results/begin"
"$here/test_rules.py" "$results" "$@" >"$results/rules.mk" || exit 2

case ${MAKEFLAGS-} in *--jobserver*) jobs='' ;; *) jobs=-j${JOBS:-$(nproc)} ;; esac
SUITE_MAKEFLAGS=$(sed -E 's/(^| )(-j[0-9]*|--jobserver-[a-z]+=[^ ]*)//g' <<<"${MAKEFLAGS-}")
export SUITE_MAKEFLAGS
# shellcheck disable=SC2086 # perhaps no word
make -s -r --no-print-directory $jobs -f "$results/rules.mk" all
flags=${MAKEFLAGS-}
case ${flags%% *} in *=* | -*) ;; *n*) exit 0 ;; esac # make -n: nothing was run

passed=0 failed=0 unchanged=0
for one in "$@"; do
	p=0 f=1 u=0 # of a suite that did not come to its end
	sum=$results/${one%%[@:=]*}.sum
	[ ! -s "$sum" ] || read -r p f u <"$sum"
	passed=$((passed + p)) failed=$((failed + f)) unchanged=$((unchanged + u))
done
[ $unchanged = 0 ] || echo "$unchanged of $passed were not run again: nothing has changed since they passed (CI=1 runs them)"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
