#!/bin/bash
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# Tests flitloom(1), and the manual pages of section 3, which are made from the public headers: each symbol of the kept
# list has a page that gives its name, its header and its parameters; mandoc and groff have no complaint; no line is
# wider than a terminal; every reference has a target. Ends in "N passed, N failed".
set -u
cd "$(dirname "$0")/../.." || exit 2
pages=$(mktemp -d) || exit 2
trap 'rm -rf "$pages"' EXIT
export GROFF_NO_SGR=1 # groff 1.23 marks letters by escape sequences, which col does not take away
n_passed=0
n_failed=0

# none WHAT LINES: there are none.
none() {
	if [ -z "$2" ]; then
		n_passed=$((n_passed + 1))
	else
		n_failed=$((n_failed + 1))
		echo "FAIL $1"
		head -n 8 <<<"$2"
	fi
}

manual=$PWD/docs/flitloom.1
make -s build/gen/flitloom/link/regmap.h
none "tools/gen_man3.py complains of a comment" "$(tools/gen_man3.py "$pages/man3" include/flitloom/*.h include/flitloom/*/*.h 2>&1)"
cd "$pages/man3" || exit 2
for symbol in $(sed -n 's/^ \(loom_[a-z0-9_]*\)@.*/\1/p' "$OLDPWD"/debian/libflitloom*.symbols); do
	if [ ! -e "$symbol.3" ]; then
		none "a public call has no page" "$symbol"
	elif ! grep -qx "\.Fo $symbol" "$symbol.3" || ! grep -q "^\.Nm $symbol\( ,\)\?$" "$symbol.3"; then
		none "a page does not say how a call is called" "$symbol"
	fi
done
none "there are so few pages" "$([ "$(ls | wc -l)" -gt 300 ] || ls | wc -l)"
none "no description" "$(grep -L '^\.Sh DESCRIPTION' -- *.3; awk '/^\.Sh/ {if (last ~ /^\.Sh/) print FILENAME ": " last; } {last = $0}' *.3)"
none "mandoc -Tlint" "$(mandoc -Tlint -Wwarning -- *.3 "$manual" 2>&1 | grep -v 'outdated mandoc.db')"
none "groff" "$({ find . -type f -print0 | sort -z; printf '%s\0' "$manual"; } | xargs -0 groff -ww -mandoc -Tutf8 -z 2>&1)"
# As readers show them, on a terminal of 80 columns.
for reader in "mandoc -Tutf8" "groff -mandoc -Tutf8"; do
	find . -type f -name '*.3' -print0 | sort -z | xargs -0 sh -c '"$@"' sh $reader "$manual" 2>/dev/null | col -bx >read
	none "$reader: a line of more than 80 columns" "$(python3 -c 'import sys
print(*(line for line in sys.stdin.read().split("\n") if len(line) > 80), sep="\n")' <read)"
	none "$reader: so few lines" "$([ "$(wc -l <read)" -gt 10000 ] || wc -l <read)"
	# In what may be left out there is nothing else that may be.
	$reader "$manual" | col -bx >read
	none "$reader flitloom.1: brackets in brackets" "$(grep -E '\[[^]]*\[' read)"
	none "$reader flitloom.1: the spellings of gather" "$(grep -qxE ' *gather:root\[/groups\], scatter:root\[/groups\]' read || echo none)"
done
rm read
none "a reference to a page that is not there" "$(grep -ohE '^\.(It )?Xr [a-z0-9_]+ 3' -- *.3 | awk '{print $(NF - 1)}' | sort -u |
	while read -r name; do [ -e "$name.3" ] || echo "$name"; done)"
# As a reader has it.
none "man flitloom: no loom_plan_make" "$(mandoc -Tutf8 flitloom.3 | grep -q 'loom_plan_make(3)' || echo flitloom.3)"
none "man loom_plan_free: not the page of loom_plan_make" "$(mandoc -Tutf8 loom_plan_free.3 | col -b | grep -q '^ *loom_plan_make(struct loom_plan \*out' || echo loom_plan_free.3)"
none "the footer is not flitloom's own" "$(for page in loom_plan_make.3 "$OLDPWD"/docs/flitloom.1; do
	for reader in "mandoc -Tutf8" "groff -mandoc -Tutf8"; do $reader "$page" | col -b | tail -n 1 | grep -v '^flitloom[[:space:]]'; done
done)"
# Nothing is given back by a cycle: its ports are changed by some failures, and the page says by which.
none "what a failure leaves as it was: said of too few or too many calls" "$(grep -L '^Arguments for results' loom_plan_make.3 loom_link_read.3; grep -l '^Arguments for results' loom_open_fabric_cycle.3)"
echo "$n_passed passed, $n_failed failed"
[ $n_failed = 0 ]
