# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# Elaborates modules of the RTL by three tools, for tests that source this file in the folder of the lists rtl/*.f. They
# set `work` to a temporary folder; the tool's output is in $work/log.

# An OTIS-Mesh of which there is the light between nodes 1 and 4 alone.
otis="KIND=17 NODES=16 LINKS=5 DIMS=4 LINKS_PER_DIM=2 OTIS=1 LIGHT_CYCLES=1 V=2 WIRES=1920'h804001<<576|1920'h804004<<216"

# instance MODULE WORD...: in a module of its own, so that the tools set the parameters alike. A word NODE.FIELD=VALUE
# sets a field of NODE.
macros=()
instance() {
	local set= node= word name
	macros=()
	for word in "${@:2}"; do
		case $word in
		-D*) macros+=("$word") ;;
		NODE.*)
			name=${word#NODE.}
			node="node_config::set(${node:-node_config::DEFAULT}, node_config::${name%%=*}, ${name#*=})"
			;;
		*) set+="${set:+, }.${word%%=*}(${word#*=})" ;;
		esac
	done
	[ -z "$node" ] || set+="${set:+, }.NODE($node)"
	{
		echo "module probe;"
		echo "  // verilator lint_off PINMISSING"
		echo "  $1 ${set:+#($set) }u_probe ();"
		echo "  // verilator lint_on PINMISSING"
		echo "endmodule"
	} >"$work/probe.sv"
}
# with_verilator LIST; the other two alike
with_verilator() {
	verilator --lint-only "${macros[@]}" -f "$1" "$work/probe.sv" --top-module probe >"$work/log" 2>&1
}
with_icarus() {
	iverilog -g2012 -t null "${macros[@]}" -f "$1" -s probe "$work/probe.sv" >"$work/log" 2>&1
}
with_yosys() {
	(ulimit -t 120 # of processor time
		yosys -q -p "read_verilog -defer -sv ${macros[*]} $(tr '\n' ' ' <"$1") $work/probe.sv; hierarchy -check -top probe") \
		>"$work/log" 2>&1
}
