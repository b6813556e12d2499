#!/bin/sh
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# usage: model.sh FABRIC [clock=HZ baud=N] [trace] [coverage]
#        model.sh NETLIST.v [clock=HZ baud=N] [trace] [coverage]
# Verilates the RTL of a fabric ("cube:8") into a shared object, unless that was done before with the same sources,
# parameters and tools, and prints its path. With clock and baud it is a board with that fabric and a UART
# (rtl/boards/sim_pins.sv); NETLIST.v is a board which tools/netlist.py got back from its bitstream, at clock and baud of
# its own. One line of progress per step on standard error.
# FLITLOOM_CACHE: where the models go; default build/models, or ~/.cache/flitloom for an installed flitloom.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
fabric=$1
shift
options= top=sim_top pins= netlist=
for option in "$@"; do
	case $option in
	clock=*) top=sim_pins pins="$pins -GCLOCK_HZ=${option#*=}" ;;
	baud=*) top=sim_pins pins="$pins -GBAUD=${option#*=}" ;;
	*) options="$options $option" ;;
	esac
done

kind=${fabric%%:*}
size=${fabric#*:}
case $fabric in
*.v)
	[ -r "$fabric" ] || { echo "model.sh: cannot read $fabric" >&2; exit 2; }
	netlist=$(realpath "$fabric") kind=netlist size=0 top=sim_pins pins=
	fabric=$(basename "$fabric")
	;;
esac
case $size in '' | *[!0-9]*) echo "model.sh: \"$fabric\" is no fabric" >&2; exit 2 ;; esac
share=share.vlt # which ports keep the tiles alike
case $kind in
cube)
	if [ "$size" -lt 1 ] || [ "$size" -gt 10 ]; then
		echo "model.sh: no RTL for $fabric: there is cube:1 to cube:10" >&2
		exit 2
	fi
	# The header of a message leaves 9 bits of a 32-bit flit for its number when a node's label has 10.
	depth=1024
	[ "$size" -lt 10 ] || depth=512
	# Loops over the ports of a router and the channels of a tile are unrolled, those over the tiles stay loops.
	unroll=
	[ "$size" -lt 7 ] || unroll="--unroll-count $((size + 2))"
	parameters="$unroll -GKIND=1 -GSIZE=$size -GPROGRAM_DEPTH=$depth"
	if [ $top = sim_pins ]; then parameters="$unroll -GDIM=$size -GPROGRAM_DEPTH=$depth"; fi
	;;
baseline | omega | icube | rbaseline | romega | ricube | benes)
	if [ $top = sim_pins ]; then
		echo "model.sh: no board carries $fabric: boards carry cubes" >&2
		exit 2
	fi
	share=share_min.vlt
	# In the order of the register KIND, from 2 on.
	code=2 stages=0
	for other in baseline omega icube rbaseline romega ricube benes; do
		[ "$other" != "$kind" ] || break
		code=$((code + 1))
	done
	while [ $((1 << stages)) -lt "$size" ] && [ $stages -lt 10 ]; do stages=$((stages + 1)); done
	if [ "$size" -lt 2 ] || [ $((1 << stages)) -ne "$size" ]; then
		echo "model.sh: $fabric: a multistage network has 2, 4, 8, ... 1024 nodes" >&2
		exit 2
	fi
	# The header of a message leaves 9 bits of a 32-bit flit for its number when a node's label has 10.
	depth=1024
	[ $stages -lt 10 ] || depth=512
	unroll=
	[ $stages -lt 7 ] || unroll="--unroll-count $stages"
	parameters="$unroll -GKIND=$code -GSIZE=$stages -GPROGRAM_DEPTH=$depth -GPRESET_DEPTH=256 -GHISTORY_RUNS=512"
	;;
netlist)
	command -v yosys-config >/dev/null || { echo "model.sh: yosys, whose cells a netlist is made of, is not installed (apt-get install yosys)" >&2; exit 3; }
	cells=$(yosys-config --datdir)/ice40/cells_sim.v
	parameters="-GNETLIST=1 +define+NO_ICE40_DEFAULT_ASSIGNMENTS"
	;;
*)
	echo "model.sh: no RTL for fabrics of kind \"$kind\"" >&2
	exit 2
	;;
esac
parameters="$parameters -GFLIT_W=32 -GLENGTH_W=16 -GLOG_DEPTH=4096 -GSLOTS=3 -GSLOT_FLITS=2048"

command -v verilator >/dev/null || { echo "model.sh: verilator is not installed (apt-get install verilator)" >&2; exit 3; }
command -v g++ >/dev/null || { echo "model.sh: g++ is not installed (apt-get install g++)" >&2; exit 3; }

# The numbering of temporary tables and of inlined functions differs between instances and would keep Verilator from
# sharing one body among all nodes: no tables. No assertions: formal proofs have them.
flags="-O3 -fno-table --x-assign fast --x-initial fast --noassert -Wno-fatal -Wno-lint"
optimise="-O2"
for option in $options; do
	case $option in
	trace) flags="$flags --trace-fst +define+LOOM_WAVES" ;;
	coverage) flags="$flags --coverage-line --coverage-toggle" optimise="-O1" ;;
	*) echo "model.sh: unknown option \"$option\" (trace, coverage)" >&2; exit 2 ;;
	esac
done

if [ -n "${FLITLOOM_CACHE:-}" ]; then
	cache=$FLITLOOM_CACHE
elif [ -f "$root/Makefile" ] && [ -w "$root" ]; then
	cache=$root/build/models
else
	cache=${XDG_CACHE_HOME:-$HOME/.cache}/flitloom
fi
case $cache in
/*) ;;
*) cache=$PWD/$cache ;;
esac
case $cache in *[[:space:]]*)
	echo "model.sh: make cannot work in \"$cache\": set FLITLOOM_CACHE to a folder without spaces in its name" >&2
	exit 2
	;;
esac

parameters="$parameters$pins"
if [ -n "$netlist" ]; then
	sources="rtl/boards/sim_pins.sv $netlist $cells"
elif [ $top = sim_pins ]; then
	sources=$(cd "$root" && find rtl -name '*.sv' ! -name 'sim_top.sv' ! -name 'board_[!c]*.sv' | LC_ALL=C sort)
else
	sources=$(cd "$root" && find rtl -name '*.sv' ! -path 'rtl/boards/*' ! -path 'rtl/link/*' | LC_ALL=C sort)
fi
# Proofs are not part of a model: a change of theirs builds nothing anew.
key=$({ cd "$root" && sed '/^`ifdef FORMAL/,/^`endif/d' $sources && cat rtl/$share tools/model.sh tools/model_time.c; echo "$parameters $flags"; verilator --version; g++ --version; } |
	sha256sum | cut -c1-16)
name=$kind$size$([ $top = sim_top ] || echo -pins)$(printf '%s' "$options" | sed 's/ *\([a-z][a-z]*\)/-\1/g')-$key
so=$cache/$name.so

if [ ! -f "$so" ]; then
	if ! mkdir -p "$cache" 2>/dev/null || [ ! -w "$cache" ]; then
		echo "model.sh: cannot write in $cache: set FLITLOOM_CACHE to a folder of yours" >&2
		exit 3
	fi
	# Two programs which want the same model: one builds, the other waits.
	exec 9>"$cache/$name.lock"
	flock 9
fi
if [ ! -f "$so" ]; then
	work=$cache/$name.work
	rm -rf "$work"
	mkdir -p "$work"
	trap 'rm -rf "$work"' EXIT
	fail() {
		echo "model.sh: $1 failed for $fabric: $(grep -m1 -E '%Error|error:|Error' "$work/log" || tail -n1 "$work/log")" >&2
		cp "$work/log" "$cache/$name.log"
		echo "model.sh: the whole log is $cache/$name.log" >&2
		exit 3
	}
	echo "model $fabric: Verilator translates the RTL (1/3)" >&2
	(cd "$root" && verilator --cc --lib-create loomsim --top-module $top $parameters $flags --Mdir "$work" \
		-CFLAGS -fno-gnu-unique $([ -n "$netlist" ] || echo rtl/$share rtl/chip/regmap.sv) \
		$(echo "$sources" | grep -v -e chip/regmap.sv)) >"$work/log" 2>&1 || fail Verilator
	echo "model $fabric: the C++ compiler compiles it (2/3)" >&2
	make -s -C "$work" -f V$top.mk -j"$(nproc)" OPT_FAST="$optimise" OPT_SLOW=-O0 OPT_GLOBAL=-O2 libloomsim.a >"$work/log" 2>&1 ||
		fail "the C++ compiler"
	echo "model $fabric: the linker makes it a shared object (3/3)" >&2
	{ gcc -O2 -fPIC -c "$root/tools/model_time.c" -o "$work/model_time.o" &&
		g++ -shared -o "$work/model.so" "$work/model_time.o" -Wl,--whole-archive "$work/libloomsim.a" -Wl,--no-whole-archive -pthread -latomic -lz; } \
		>"$work/log" 2>&1 || fail "the linker"
	mv "$work/model.so" "$so"
fi
echo "$so"
