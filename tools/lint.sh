#!/bin/bash
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# usage: lint.sh [--list] [--short|--rest] [ITEM...]
# Checks every RTL module alone by verilator -Wall and Icarus; small chips by Yosys' synthesis for iCE40; the layout of
# C by clang-format; Markdown no wider than 118 columns; no circles between files and no long file without a reason
# (tools/circles.py). An item is the name of a module, or one of `others`. --list runs nothing and prints the items as
# those of a suite (tools/test_rules.py). --short leaves out the syntheses, --rest everything else. Ends in "N passed, N
# failed".
set -u
cd "$(dirname "$0")/.." || exit 2
mkdir -p build/lint
passed=0 failed=0
paths=()
for folder in rtl/*/; do
	paths+=(-y "${folder%/}")
done

verdict() { # what, status, log
	if [ "$2" = 0 ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL $1"
		head -n 12 "$3"
	fi
}

packages=$(grep -l '^package ' rtl/*/*.sv)
modules=$(grep -L '^package ' rtl/*/*.sv)
slow='synth-1 synth-3'
others="format circles status markdown names $slow"

# Prints what an item depends on, for tools/test_rules.py.
inputs() { # ITEM
	case $1 in
	format) echo Makefile mk .clang-format host include sw tests tools tool:clang-format tool:clang-format-14 ;;
	circles) echo tools Makefile mk host include sw tests rtl tool:python3 tool:nm tool:gcc ;;
	status) echo tools/lost_status.py tests tools tb sw debian .ci tool:python3 ;;
	markdown) echo tools/markdown_width.py README.md CONTRIBUTING.md CHANGELOG.md docs tool:python3 ;;
	names) echo tools/lint.sh rtl tool:yosys ;;
	synth-*) echo tools/lint.sh tools/node_parameter.sh rtl tool:yosys ;;
	*) echo tools/lint.sh "sv:$(echo rtl/*/"$1".sv)" tool:verilator tool:verilator_bin tool:iverilog ;;
	esac
}

lint_module() { # MODULE
	local module=$1 file log=build/lint/$1.log small
	file=$(echo rtl/*/"$module".sv)
	small=$(sed -n 's/.*parameter integer \(SIZE\) = .*/\1=2/p' "$file" | head -n 1)
	verilator --lint-only -Wall ${small:+-G"$small"} --top-module "$module" "${paths[@]}" +libext+.sv $packages "$file" \
		>"$log" 2>&1
	verdict "$module: verilator --lint-only -Wall" $? "$log"
	# Icarus does not know DPI, which the tops for simulation use.
	case $module in sim_*) return ;; esac
	iverilog -g2012 -t null ${small:+-P"$module.$small"} -s "$module" "${paths[@]}" -Y .sv $packages "$file" \
		>"$log" 2>&1
	verdict "$module: iverilog" $? "$log"
}

# Verilator 5.032 asks for names of generate blocks, 5.006 does not: Yosys shows them. An `else if` is a block without a name.
generate_names() {
	local log=build/lint/names.log
	yosys -p "read_verilog -defer -sv ${packages//$'\n'/ }; read_verilog -sv -defer -dump_ast1 $(grep -v /sim_ <<<"$modules" | tr '\n' ' ')" |
		awk '/AST_GENBLOCK/ {n++} block && !/AST_GENIF/ {print block} {block = /AST_GENBLOCK [^ ]* [^ ]*$/ ? $2 ": a generate block without a name" : ""}
			END {if (!n) print "no generate block seen"}' >"$log"
	test ! -s "$log"
	verdict "names of generate blocks: yosys" $? "$log"
}

synthesize() { # KIND: 1 a direct network; 3 the omega network for all multistage ones
	local kind=$1 log=build/lint/synth-$1.log
	yosys -q -l "$log" -p "read_verilog -defer -sv ${packages//$'\n'/ } $(grep -v /sim_ <<<"$modules" | tr '\n' ' ');
		hierarchy -top fabric_top -chparam KIND $kind -chparam LINKS $((kind == 1 ? 1 : 0)) \
			-chparam NODE $(tools/node_parameter.sh FLIT_W=16 LENGTH_W=8 PROGRAM_DEPTH=16 LOG_DEPTH=16 SLOTS=1 SLOT_FLITS=16 COUNT_W=8) \
			-chparam PRESET_DEPTH 1 -chparam HISTORY_RUNS $((kind == 1 ? 0 : 2));
		synth_ice40; check -assert" >/dev/null 2>&1
	verdict "fabric_top, kind $kind: yosys synth_ice40" $? <(tail -n 5 "$log")
	echo "lint: $(grep -oE 'SB_LUT4 +[0-9]+' "$log" | tail -n1 | tr -s ' ') of a chip of 2 nodes, kind $kind"
}

lint() { # ITEM
	local log=build/lint/$1.log
	case $1 in
	format)
		make -s check-format >"$log" 2>&1
		verdict "C: make check-format" $? "$log"
		;;
	circles)
		make -s build/flitloom >"$log" 2>&1 && tools/circles.py >"$log" 2>&1
		verdict "circles and long files: tools/circles.py" $? "$log"
		;;
	status)
		tools/lost_status.py >"$log" 2>&1
		verdict "shell: tools/lost_status.py" $? "$log"
		;;
	markdown)
		tools/markdown_width.py --check ./*.md docs/*.md >"$log" 2>&1
		verdict "Markdown of 118 columns: tools/markdown_width.py" $? "$log"
		;;
	names) generate_names ;;
	synth-*) synthesize "${1#synth-}" ;;
	*)
		if [ -e "$(echo rtl/*/"$1".sv)" ]; then
			lint_module "$1"
		else
			verdict "$1 is no module, and none of $others" 1 /dev/null
		fi
		;;
	esac
}

list=
if [ "${1-}" = --list ]; then
	list=1
	shift
fi
# shellcheck disable=SC2086,SC2046 # words
case ${1-} in
--short) set -- ${others% "$slow"} $(for file in $modules; do basename "$file" .sv; done) ;;
--rest) set -- $slow ;;
esac
# shellcheck disable=SC2086,SC2046 # the same
[ $# != 0 ] || set -- $others $(for file in $modules; do basename "$file" .sv; done)
for item in "$@"; do
	# Status 3: there is no clang-format of the release that is wanted.
	if [ "$item" = format ] && { tools/clang_format.sh --version >/dev/null 2>&1; [ $? = 3 ]; }; then
		echo "lint leaves out make check-format" >&2
		continue
	fi
	if [ -n "$list" ]; then
		printf '%s\t%s\t%s\n' "$item" "$(inputs "$item")" "tools/lint.sh $item"
	else
		lint "$item"
	fi
done
[ -z "$list" ] || exit 0
echo "$passed passed, $failed failed"
[ $failed = 0 ]
