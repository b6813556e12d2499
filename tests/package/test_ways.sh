#!/bin/bash
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# Tests docs/in-your-system.md: its code blocks compile exactly as printed; its programs run, with the expected
# output; its links have targets; its pictures are well-formed. Ends in "N passed, N failed".
set -u
cd "$(dirname "$0")/../.." || exit 2
page=docs/in-your-system.md
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
export SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1
export FLITLOOM_HOME=$PWD FLITLOOM_CACHE=${FLITLOOM_CACHE:-$PWD/build/models}
n_passed=0
n_failed=0

check() { # NAME COMMAND...
	if "${@:2}" >"$work/log" 2>&1; then
		n_passed=$((n_passed + 1))
	else
		n_failed=$((n_failed + 1))
		echo "FAIL $1: $(grep -E 'rror|arning' "$work/log" | head -n 3) $(head -n 2 "$work/log")"
	fi
}
says() { # WANTED COMMAND...: the last line that it prints
	local last
	last=$("${@:2}" 2>"$work/err" | tail -n 1)
	[ "$last" = "$1" ] || { echo "it says \"$last\", not \"$1\""; tail -n 3 "$work/err"; return 1; }
}

# block1.c, block2.cpp, ...: the blocks of the page, in its order
awk -v out="$work/block" '/^```(c|cpp|verilog)$/ { n++; file = out n "." substr($0, 4); on = 1; next } /^```$/ { on = 0 } on { print >file }' "$page"

make -s build/libflitloom.a build/libflitloom-systemc.a
# shellcheck disable=SC2046
check "the C library: compile" gcc -std=c11 -Wall -Wextra -Werror -Iinclude -Ibuild/gen "$work/block1.c" -o "$work/ways" build/libflitloom.a $(make -s ldlibs)
check "the C library: run" says "1 passes, at most 1 messages on a channel" "$work/ways"

wanted=("" "" "cube" "0x2a (3) last by cycle 100")
for i in 2 3; do
	# shellcheck disable=SC2046
	check "SystemC, program $((i - 1)): compile" g++ -std=c++17 -Wall -Wextra -Werror -O0 -Isw/systemc/include -Iinclude -Ibuild/gen \
		$(pkg-config --cflags systemc) "$work/block$i.cpp" -o "$work/ways$i" build/libflitloom-systemc.a build/libflitloom.a \
		$(pkg-config --libs systemc) $(make -s ldlibs)
	check "SystemC, program $((i - 1)): run" says "${wanted[$i]}" "$work/ways$i"
done

# All symbols that the SystemC library defines for others are in its namespace (weak ones are of templates, the standard
# library's or SystemC's).
nm -gC --defined-only build/libflitloom-systemc.a | awk 'NF >= 3 && $2 ~ /[TDBR]/' >"$work/symbols"
check "no symbol outside flitloom:: $(grep -v 'flitloom::' "$work/symbols" | head -n 3)" test -z "$(grep -v 'flitloom::' "$work/symbols")"
check "it has symbols" test "$(wc -l <"$work/symbols")" -gt 20

cp "$work/block4.verilog" "$work/block4.v"
# Warnings within fabric_open are those of tools/lint.sh; here what belongs to the block counts: pins, widths, names.
check "RTL" verilator --lint-only -Wno-lint -Wno-style -Wwarn-PINMISSING -Wwarn-IMPLICIT -Wwarn-WIDTH -F rtl/fabric_open.f "$work/block4.v" --top-module eight_modules
check "four blocks" test "$(grep -cE '^```(c|cpp|verilog)$' "$page")" = 4

for picture in $(grep -oE '\]\([a-z-]+\.svg\)' "$page" | sed 's/](//; s/)//'); do
	check "picture $picture" xmllint --noout "docs/$picture"
done
check "four pictures" test "$(grep -c '^!\[' "$page")" = 4
for link in $(sed '/^```/,/^```/d' "$page" | grep -oE '\]\([^)#]+\)' | sed 's/](//; s/)//'); do
	check "link $link" test -e "docs/$link"
done
echo "$n_passed passed, $n_failed failed"
[ $n_failed = 0 ]
