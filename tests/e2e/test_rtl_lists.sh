#!/bin/bash
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# Tests the file lists rtl/*.f, which users take for designs of their own: each list is sufficient for Verilator,
# Icarus and Yosys, and every file of it is necessary. The examples in the modules' header comments must name existing
# ports and parameters. The commands of docs/using-the-rtl.md and docs/open-fabric.md must work as described. Wrong
# parameters: test_rtl_parameters.sh. test_rtl_lists.sh [MODULE...], all lists by default; RTL=dir takes lists and
# modules from elsewhere. Ends in "N passed, N failed".
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "${RTL:-$root/rtl}" || exit 2
. "$root/tests/e2e/rtl_tools.sh"
page=$root/docs/using-the-rtl.md
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
n_passed=0
n_failed=0

# verdict WHAT STATUS
verdict() {
	if [ "$2" = 0 ]; then
		n_passed=$((n_passed + 1))
	else
		n_failed=$((n_failed + 1))
		echo "FAIL $1"
		grep -v "^Warning: Replacing memory" "$work/log" | head -n 8
	fi
}

# Parameters (and macros, -D) with which a module is elaborated, a line each: small sizes, and together every branch that
# needs a module.
configurations() {
	case $1 in
	fabric_top)
		echo NODES=2
		echo NODE.SMALL=1 NODE.COUNT_W=14
		echo NODE.TIMED=1
		echo NODE.ADAPTIVE=1 NODE.RULE_W=4
		echo NODE.ADAPTIVE=2 NODE.RULE_W=4
		echo V=2 NODE.RULE_W=5 NODE.PASS_W=4
		echo FAILING=1
		echo TABLE=1 KIND=15
		echo "KIND=10 NODES=2 LINKS=2 LINKS_PER_DIM=2 WRAP=1 V=2 WIRES=96'h000000800000000000800001"
		echo "$otis"
		echo LINKS=0 KIND=8 PRESET_DEPTH=2 HISTORY_RUNS=2
		echo LINKS=0 KIND=18 NODES=4 PRESET_DEPTH=2
		echo LINKS=0 KIND=32 NODES=4 PRESET_DEPTH=2
		echo -DLOOM_WAVES NODES=2
		echo -DLOOM_WAVES LINKS=0 KIND=3
		;;
	fabric_open)
		echo NODE.SMALL=1 NODE.COUNT_W=14
		echo TABLE=1 KIND=15
		echo "KIND=10 NODES=2 LINKS=2 LINKS_PER_DIM=2 WRAP=1 V=2 WIRES=96'h000000800000000000800001"
		echo "$otis"
		echo -DLOOM_WAVES LINKS=0 KIND=8 NODES=4
		;;
	min_network)
		echo SIZE=2 PRESET_DEPTH=2 HISTORY_RUNS=2
		echo -DLOOM_WAVES SIZE=2
		echo -DLOOM_WAVES SIZE=2 FLIT_W=2
		;;
	ocs_switch)
		echo DEPTH=2 BENES=1
		;;
	ocs_network)
		echo NODES=4 SWITCHES=2 DEPTH=2
		echo NODES=4 SWITCHES=2 DEPTH=2 BENES=1
		;;
	node_tile)
		echo NODE.SMALL=0
		echo NODE.SMALL=1 NODE.COUNT_W=14
		echo NODE.TIMED=1
		echo -DLOOM_WAVES
		;;
	node)
		echo NODE.TIMED=0
		echo NODE.TIMED=1
		;;
	board_core)
		echo NODES=2
		echo NODE.SMALL=1 NODE.COUNT_W=14
		echo NODE.TIMED=1
		echo NODE.ADAPTIVE=1 NODE.RULE_W=4
		echo NODE.ADAPTIVE=2 NODE.RULE_W=4
		echo V=2 NODE.RULE_W=5 NODE.PASS_W=4
		echo TABLE=1 KIND=15
		echo "KIND=10 NODES=2 LINKS=2 LINKS_PER_DIM=2 WRAP=1 V=2 WIRES=96'h000000800000000000800001"
		echo "$otis"
		echo NODE.FLIT_W=32
		echo -DLOOM_WAVES NODES=2
		;;
	net_router)
		echo LINKS=2 DIMS=2 LABEL_W=2
		echo LINKS=2 DIMS=2 LABEL_W=2 SMALL=1
		echo LINKS=2 LABEL_W=2 TABLE=1
		echo LINKS=5 DIMS=4 LABEL_W=4 LINKS_PER_DIM=2 OTIS=1
		echo LINKS=2 DIMS=2 LABEL_W=2 ADAPTIVE=1 RULE_W=4
		echo LINKS=2 DIMS=2 LABEL_W=2 ADAPTIVE=2 RULE_W=4
		echo LINKS=2 DIMS=2 LABEL_W=2 V=2 VIA=1 RULE_W=6
		echo "LINKS=2 DIMS=1 LABEL_W=1 DIGITS=16'h0100 LINKS_PER_DIM=2 WRAP=1 V=2"
		;;
	wh_router)
		echo PORTS=3
		echo PORTS=3 SMALL=1
		echo PORTS=3 V=2 SINGLE=1
		echo PORTS=3 ADAPTIVE=1
		echo PORTS=3 ADAPTIVE=1 ESCAPE=0 APART=1
		echo PORTS=3 V=2 SINGLE=1 SMALL=1
		;;
	*) echo ;;
	esac
}

check_list() { # MODULE
	local module=$1 list=$1.f file words needed tool
	while read -r -a words; do
		instance "$module" "${words[@]}"
		for tool in verilator icarus yosys; do
			"with_$tool" "$list"
			verdict "$list (${words[*]}): $tool" $?
		done
	done < <(configurations "$module")
	while read -r file; do
		grep -vxF "$file" "$list" >"$work/short.f"
		needed=1
		while read -r -a words; do
			instance "$module" "${words[@]}"
			with_icarus "$work/short.f" || {
				needed=0
				break
			}
		done < <(configurations "$module")
		echo "without $file it is elaborated as well" >"$work/log"
		verdict "$list: a superfluous file" $needed
	done <"$list"
	grep -qF "\`$list\`" "$page"
	verdict "$list is not in docs/using-the-rtl.md" $?
}

# Puts the lines between "// Example:" and the end of a header comment into a module in which every name is a wire.
check_example() { # FILE
	local list
	macros=()
	list=$(basename "$1" .sv).f
	{
		echo "module probe;"
		sed -n '/^\/\/ Example:$/,/^`default_nettype/{/^\/\/   /s/^\/\/   //p}' "$1"
		echo "endmodule"
	} >"$work/probe.sv"
	verilator --lint-only -Wno-lint -Wno-style -Wwarn-PINMISSING -f "$list" "$work/probe.sv" --top-module probe \
		>"$work/log" 2>&1 && with_icarus "$list"
	verdict "$1: the example in its header comment" $?
}

names=("$@")
((${#names[@]})) || names=($(basename -s .f -a ./*.f))
for name in "${names[@]}"; do
	check_list "$name"
done

if (($# == 0)); then
	make -s -C "$root" build/flitloom || exit 2
	for file in $(grep -lx '// Example:' ./*/*.sv); do
		check_example "$file"
	done
	# Runs the commands of the pages in the repository, each block in a separate shell. They write below build/.
	mkdir -p "$root/build"
	for page in using-the-rtl open-fabric; do
		awk -v out="$work/$page" '/^```sh$/ { n++; on = 1; next } /^```$/ { on = 0 } on { print >(out n ".sh") }' "$root/docs/$page.md"
		for block in "$work/$page"*.sh; do
			(cd "$root" && bash -e "$block") >"$work/log" 2>&1
			status=$?
			verdict "docs/$page.md: $(tail -n 1 "$block")" $status
			cat "$work/log" >>"$work/$page.said"
		done
		said=$(sed -n 's/^It prints `\(PASS [a-z_]* [^`]*\)`.*/\1/p' "$root/docs/$page.md")
		grep -qxF "${said:-nothing}" "$work/$page.said"
		verdict "docs/$page.md: what the example prints" $?
	done
fi

echo "$n_passed passed, $n_failed failed"
[ $n_failed = 0 ]
