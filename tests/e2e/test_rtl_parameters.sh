#!/bin/bash
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# Tests that illegal parameters fail at elaboration, as docs/using-the-rtl.md says, in Verilator, Icarus and Yosys,
# and that each error names illegal_ and the parameter: some parameters for every module that has a list rtl/*.f. A
# fabric's KIND must be that of its network: each network of the list below must be elaborated with its own parameters,
# and refused with any other KIND. Right parameters of all modules: test_rtl_lists.sh. test_rtl_parameters.sh
# [MODULE|kinds...], all by default; RTL=dir takes lists and modules from elsewhere. Ends in "N passed, N failed".
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
make -s -C "$root" build/flitloom || exit 2
cd "${RTL:-$root/rtl}" || exit 2
. "$root/tests/e2e/rtl_tools.sh"
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
n_passed=0
n_failed=0

verdict() { # WHAT STATUS
	if [ "$2" = 0 ]; then
		n_passed=$((n_passed + 1))
	else
		n_failed=$((n_failed + 1))
		echo "FAIL $1"
		head -n 8 "$work/log"
	fi
}

# The parameters of a fabric, as words for `instance`.
parameters() { # FABRIC
	(cd "$root" && build/flitloom rtl "$1" --form parameters) | tr '\n' ' '
}

# Networks, and the right KIND for each; two KINDs if two names mean the same network.
networks() {
	cat <<-END
		cube:2 1
		baseline:4 2 3 4 5 6 7 8 18 32
		benes:4 2 3 4 5 6 7 8 18 32
		line:3 9 11
		ring:3 10 12
		mesh:3x2 11
		mesh:2x2 11
		mesh:3 9 11
		torus:3x2 12
		torus:3 10 12
		table-mesh:3x2 13
		table-mesh:2x2 13
		table-mesh:2x2v5 13
		table-torus:3x2v2 14
		table-cube:2 15
		graph:tests/e2e/graphs/petersen.dot 16
		otis-mesh:4l2v2 17
		ocs:3x2 18
		ocs-benes:4x2 2 3 4 5 6 7 8 18 32
	END
}

# A module, the parameter that is refused, and parameters.
refused() {
	cat <<-END
		fabric_open KIND KIND=99
		fabric_open KIND KIND=3
		fabric_open KIND KIND=11
		fabric_open KIND LINKS=0 KIND=1
		fabric_open KIND LINKS=0 KIND=99
		fabric_open NODES LINKS=0 KIND=3 NODES=6
		fabric_open EXTENTS NODES=3
		fabric_open CYCLE_W NODE.CYCLE_W=7
		fabric_open SMALL LINKS=0 KIND=3 NODE.SMALL=1
		fabric_open LABEL_W LABEL_W=2
		fabric_open WIRES WIRES=48'h800000_800002
		fabric_open LIGHT_CYCLES LIGHT_CYCLES=1
		fabric_open V V=9
		fabric_top KIND KIND=99
		fabric_top KIND KIND=9
		fabric_top KIND LINKS=0 KIND=1
		fabric_top NODES LINKS=0 KIND=3 NODES=6
		fabric_top EXTENTS NODES=3
		fabric_top LINKS KIND=15 TABLE=1 NODES=4 LINKS=3 DIMS=2 WIRES=288'h0
		fabric_top CYCLE_W NODE.CYCLE_W=33
		fabric_top SMALL LINKS=0 KIND=3 NODE.SMALL=1
		fabric_top GATED GATED=2
		fabric_top GATED GATED=1 NODE.SMALL=1 NODE.COUNT_W=14
		fabric_top FAILING FAILING=2
		fabric_top FAILING FAILING=1 LINKS=0 KIND=3
		fabric_top FAILING FAILING=1 NODE.LINK_DELAY=1
		fabric_top WIRES WIRES=48'h800000_000000
		fabric_top FLIT_W NODE.FLIT_W=513
		node FLIT_W NODE.FLIT_W=129 NODE.STATE_W=16
		node LENGTH_W NODE.LENGTH_W=17
		node PROGRAM_DEPTH NODE.PROGRAM_DEPTH=24
		node LOG_DEPTH NODE.LOG_DEPTH=24
		node SLOTS NODE.SLOTS=16
		node SLOT_FLITS NODE.SLOT_FLITS=24
		fabric_top COUNT_W NODE.COUNT_W=33
		node PASS_W NODE.PASS_W=17
		node STATE_W NODE.STATE_W=64
		node SIGNATURE_W NODE.SIGNATURE_W=13
		node STREAM NODE.STREAM=1
		fabric_top DEPTH LINKS=0 KIND=3 PRESET_DEPTH=3
		fabric_top DEPTH LINKS=0 KIND=18 PRESET_DEPTH=3
		fabric_top EXTENTS LINKS=0 KIND=18 NODES=6 DIMS=2 EXTENTS=32'h00020002
		fabric_top EXTENTS LINKS=0 KIND=32 NODES=6 DIMS=2 EXTENTS=32'h00020003
		fabric_open OPEN LINKS=0 KIND=18 NODES=4
		fabric_open OPEN LINKS=0 KIND=32 NODES=4
		fabric_top BUFFERS NODE.BUFFERS=65
		fabric_top ADAPTIVE NODE.ADAPTIVE=1
		fabric_top ADAPTIVE LINKS=0 KIND=3 NODE.ADAPTIVE=1
		fabric_top ADAPTIVE NODE.ADAPTIVE=2
		fabric_top ADAPTIVE LINKS=0 KIND=3 NODE.ADAPTIVE=2 NODE.RULE_W=4
		fabric_open ADAPTIVE NODE.ADAPTIVE=1 NODE.RULE_W=4
		fabric_top RULE_W LINKS=0 KIND=3 NODE.RULE_W=12 NODE.PASS_W=4
		fabric_top LINK_DELAY NODE.LINK_DELAY=64
		fabric_top LINK_DELAY LINKS=0 KIND=3 NODE.LINK_DELAY=1
		fabric_top LINK_DELAYS NODE.LINK_DELAYS=1
		fabric_top LINK_DELAYS LINKS=0 KIND=3 NODE.LINK_DELAYS=1
		fabric_top DELAYS NODE.LINK_DELAYS=1 NODE.LINK_DELAY=2 DELAYS=16'h0103
		fabric_top ROUTER_DELAY NODE.ROUTER_DELAY=16
		fabric_top ROUTER_DELAY LINKS=0 KIND=3 NODE.ROUTER_DELAY=1
		board_core KIND KIND=99
		board_core BAUD CLOCK_HZ=3
		board_core EXTENTS NODES=3
		node TALLY_W NODE.TALLY_W=6
		node FREE FREE=2
		node RULE_W NODE.RULE_W=17 NODE.FLIT_W=64
		node PASS_W NODE.RULE_W=12
		node_tile LABEL_W LABEL_W=13
		node_tile CHANNELS CHANNELS=64
		node_tile COUNT_W NODE.SMALL=1 NODE.COUNT_W=32
		net_router LINKS LINKS=7
		net_router LABEL_W LABEL_W=13
		net_router RULE_W RULE_W=0
		net_router FLIT_W FLIT_W=16
		net_router TABLE TABLE=2
		net_router OTIS OTIS=1
		net_router V V=9
		net_router RULE_W TABLE=1 V=3
		net_router RULE_W TABLE=1 V=5 RULE_W=2
		net_router V V=3 VIA=1 RULE_W=12 FLIT_W=32
		net_router VIA VIA=2 V=2
		net_router VIA VIA=1 V=2
		net_router VIA VIA=1 ADAPTIVE=1 RULE_W=12 FLIT_W=32 V=2
		net_router ADAPTIVE ADAPTIVE=3 RULE_W=4
		net_router ADAPTIVE ADAPTIVE=1 RULE_W=4 TABLE=1
		net_router ADAPTIVE ADAPTIVE=2 RULE_W=1
		net_router EXTENTS EXTENTS=128'h3
		net_router SMALL SMALL=2
		net_router BUFFERS BUFFERS=1
		wh_router PORTS PORTS=1
		wh_router SMALL SMALL=2
		wh_router V V=9
		wh_router V V=8
		wh_router SINGLE SINGLE=10
		wh_router FLIT_W FLIT_W=0
		wh_router BUFFERS BUFFERS=65
		wh_router ADAPTIVE ADAPTIVE=2
		wh_router ESCAPE ADAPTIVE=1 ESCAPE=2
		wh_router APART ADAPTIVE=1 APART=65
		min_network KIND KIND=9
		min_network KIND KIND=1
		min_network FLIT_W FLIT_W=2
		min_network DEPTH PRESET_DEPTH=3
		min_network RUNS HISTORY_RUNS=3
		ocs_network SWITCHES SWITCHES=17 NODES=34
		ocs_network NODES NODES=7 SWITCHES=2
		ocs_network DEPTH DEPTH=3
		ocs_network FLIT_W FLIT_W=2
		ocs_network BENES BENES=2
		ocs_network PORTS BENES=1 NODES=6
		ocs_switch PORTS PORTS=6 BENES=1
		ocs_switch BENES BENES=2
		ocs_switch DEPTH DEPTH=3
		ocs_switch LABEL_W LABEL_W=13
		ocs_switch LABEL_W FIRST=1
		ocs_switch FLIT_W FLIT_W=1
		min_switch SWITCHES SWITCHES=3
		min_switch SPAN SPAN=3
		min_switch TAG TAG=32
		min_switch BUFFERS BUFFERS=1
		async_fifo DATA_W DATA_W=0
		async_fifo WORDS WORDS=12
		async_fifo SPARE SPARE=16
		ft245_fifo BURST BURST=12
		ft245_fifo WORDS WORDS=8
		link_frame MAX_WORDS MAX_WORDS=65 TX_BYTES=1024
		link_frame BYTES RX_BYTES=600
		link_frame RX_BYTES RX_BYTES=8
		link_frame TX_BYTES TX_BYTES=256
		link_frame TIMEOUT TIMEOUT=100
		uart_rx BAUD BAUD=100
		uart_rx BAUD BAUD=3000001
		uart_tx BAUD CLOCK_HZ=100 BAUD=51
		stream_buffer FLIT_W FLIT_W=0
		stream_buffer LANES LANES=0
		stream_buffer DEPTH DEPTH=1
		stream_buffer DEPTH DEPTH=65
		axil_wishbone ADDR_W ADDR_W=2
		axil_wishbone ADDR_W ADDR_W=35
		axis_packetiser LABEL_W LABEL_W=13
		axis_packetiser FLIT_W FLIT_W=6
		axis_packetiser RULE_W RULE_W=5
		axis_depacketiser LABEL_W LABEL_W=13
		axis_depacketiser FLIT_W FLIT_W=5
	END
}

check_module() { # MODULE
	local module parameter words tool rows=0
	while read -r module parameter words; do
		[ "$module" = "$1" ] || continue
		rows=$((rows + 1))
		# shellcheck disable=SC2086 # words
		instance "$module" $words
		for tool in verilator icarus yosys; do
			! "with_$tool" "$module.f" && grep -q "illegal_$parameter\b" "$work/log"
			verdict "$module ($words): $tool does not say illegal_$parameter" $?
		done
	done < <(refused)
	echo "no row says what $1 refuses" >"$work/log"
	verdict "$1" $((rows == 0))
}

# Checks each network with each KIND, by the module in which fabric_top and fabric_open check a network.
check_kinds() {
	local fabric right words kind list=$work/shape.f
	echo chip/fabric_shape.sv >"$list"
	while read -r fabric right; do
		words=$(parameters "$fabric" | tr ' ' '\n' | grep -vE '^(KIND|WIRES|LABEL_W|V|LIGHT_[A-Z]*)=' | tr '\n' ' ')
		for kind in {0..18} 32 33 99; do
			# shellcheck disable=SC2086 # words
			instance fabric_shape KIND=$kind $words
			with_icarus "$list"
			if [[ " $right " == *" $kind "* ]]; then
				[ $? = 0 ]
			else
				[ $? != 0 ] && grep -q illegal_ "$work/log"
			fi
			verdict "$fabric with KIND=$kind" $?
		done
	done < <(networks)
}

# Elaborates each network whole, with its own parameters.
check_networks() { # MODULE
	local fabric rest
	while read -r fabric rest; do
		[[ $1 == fabric_open && $fabric == ocs*:* ]] && continue # it has none
		# Beside tables of more than four lanes headers have a rule of three bits.
		# shellcheck disable=SC2046 # words
		instance "$1" $(parameters "$fabric") $([[ $fabric != table-*v[5-8] ]] || echo NODE.RULE_W=3)
		with_icarus "$1.f"
		verdict "$1: $fabric" $?
	done < <(networks)
}

names=("$@")
((${#names[@]})) || names=(kinds $(basename -s .f -a ./*.f))
for name in "${names[@]}"; do
	case $name in
	kinds) check_kinds ;;
	fabric_top | fabric_open) check_networks "$name" ;;&
	*) check_module "$name" ;;
	esac
done

echo "$n_passed passed, $n_failed failed"
[ $n_failed = 0 ]
