#!/bin/bash
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# Every RTL module alone through verilator -Wall and Icarus; small chips through Yosys' synthesis for iCE40;
# the C as clang-format lays it out; no circles between files, no long file without a reason (tools/circles.py).
# Ends in "N passed, N failed".
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
for file in $(grep -L '^package ' rtl/*/*.sv); do
	module=$(basename "$file" .sv)
	log=build/lint/$module.log
	small=$(sed -n 's/.*parameter integer \(SIZE\) = .*/\1=2/p' "$file" | head -n 1)
	verilator --lint-only -Wall ${small:+-G"$small"} --top-module "$module" "${paths[@]}" +libext+.sv $packages "$file" \
		>"$log" 2>&1
	verdict "$module: verilator --lint-only -Wall" $? "$log"
	# Icarus does not know DPI, which the tops for simulation use.
	case $module in sim_*) continue ;; esac
	iverilog -g2012 -t null ${small:+-P"$module.$small"} -s "$module" "${paths[@]}" -Y .sv $packages "$file" \
		>"$log" 2>&1
	verdict "$module: iverilog" $? "$log"
done

# Verilator 5.032 asks for names of generate blocks, 5.006 does not: Yosys shows them. An `else if` is a block without a name.
log=build/lint/names.log
yosys -p "read_verilog -defer -sv ${packages//$'\n'/ }; read_verilog -sv -defer -dump_ast1 $(grep -L '^package ' rtl/*/*.sv | grep -v /sim_ | tr '\n' ' ')" |
	awk '/AST_GENBLOCK/ {n++} block && !/AST_GENIF/ {print block} {block = /AST_GENBLOCK [^ ]* [^ ]*$/ ? $2 ": a generate block without a name" : ""}
		END {if (!n) print "no generate block seen"}' >"$log"
test ! -s "$log"
verdict "names of generate blocks: yosys" $? "$log"

# Status 3: there is none of the release that is wanted.
log=build/lint/format.log
tools/clang_format.sh --version >"$log" 2>&1
if [ $? = 3 ]; then
	echo "lint leaves out make check-format: $(cat "$log")"
else
	make -s check-format >"$log" 2>&1
	verdict "C: make check-format" $? "$log"
fi

log=build/lint/circles.log
make -s build/flitloom >"$log" 2>&1 && tools/circles.py >"$log" 2>&1
verdict "circles and long files: tools/circles.py" $? "$log"

log=build/lint/status.log
tools/lost_status.py >"$log" 2>&1
verdict "shell: tools/lost_status.py" $? "$log"

modules=$(grep -L '^package ' rtl/*/*.sv | grep -v /sim_ | tr '\n' ' ')
for kind in 1 3; do # a direct network; the omega network for all multistage ones
	log=build/lint/synth-$kind.log
	yosys -q -l "$log" -p "read_verilog -defer -sv ${packages//$'\n'/ } $modules;
		hierarchy -top fabric_top -chparam KIND $kind -chparam LINKS $((kind == 1 ? 1 : 0)) \
			-chparam NODE $(tools/node_parameter.sh FLIT_W=16 LENGTH_W=8 PROGRAM_DEPTH=16 LOG_DEPTH=16 SLOTS=1 SLOT_FLITS=16 COUNT_W=8) \
			-chparam PRESET_DEPTH 1 -chparam HISTORY_RUNS $((kind == 1 ? 0 : 2));
		synth_ice40; check -assert" >/dev/null 2>&1
	verdict "fabric_top, kind $kind: yosys synth_ice40" $? <(tail -n 5 "$log")
	echo "lint: $(grep -oE 'SB_LUT4 +[0-9]+' "$log" | tail -n1 | tr -s ' ') of a chip of 2 nodes, kind $kind"
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]
