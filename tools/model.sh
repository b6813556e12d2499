#!/bin/sh
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# usage: model.sh key|build top=MODULE [share=FILE.vlt]... [netlist=FILE.v] [trace] [coverage] [VERILATOR-OPTION...]
# The RTL under MODULE as a shared object which host/links/verilated.c loads. share: files in rtl/ that say which ports
# keep the tiles alike. netlist: a board which tools/netlist.py got back from its bitstream, under MODULE in place of the RTL.
#
# key: prints two lines, on which the model's name in the cache depends: a hash of sources and options, and one of the
# versions of the tools. The second is empty where a tool is missing: a model can then be loaded, but not built.
#
# build: leaves ./model.so in the current folder, which is empty before. It makes all other files there, too. Paths are
# relative to it, for Verilator's makefile bears no spaces. One line "model N/3: ..." of progress per step, and one line
# "model.sh: ..." if it fails, on standard error; the whole output of the tools in ./log. It stops, with all that it
# started, and removes the folder X.work and the lock X.lock beside it when its standard input ends: that is a pipe, whose
# other end is held by whoever wants the model. It runs in a process group of its own. Of a small model most of the time goes
# into Verilator's run-time, which is the same in all: it is kept beside the folder, as runtime-HASH with the sums of its files.
#
# Its status says what failed; host/links/verilated_build.c knows the same numbers, which no shell and no tool uses by itself.
set -eu
not_input=81 no_tool=82 tool_fails=83 full_disk=84 full_quota=85 large_file=86
export LC_ALL=C # what tools say of a failure is looked at

root=$(cd "$(dirname "$0")/.." && pwd)
action=$1
shift
top= share= netlist= parameters= tool_files= missing= traced= covered=
# The numbering of temporary tables and of inlined functions differs between instances and would keep Verilator from
# sharing one body among all nodes: no tables. No assertions: formal proofs have them.
flags="-O3 -fno-table --x-assign fast --x-initial fast --noassert -Wno-fatal -Wno-lint"
optimise=-O2
for option in "$@"; do
	case $option in
	top=*) top=${option#*=} ;;
	share=*) share="$share rtl/${option#*=}" ;;
	netlist=*) netlist=${option#*=} ;;
	trace) flags="$flags --trace-fst +define+LOOM_WAVES" traced=yes ;;
	coverage) flags="$flags --coverage-line --coverage-toggle" optimise=-O1 covered=yes ;;
	*) parameters="$parameters $option" ;;
	esac
done

fail() { # STATUS TEXT
	echo "model.sh: $2" >&2
	exit "$1"
}

need() { # TOOL PACKAGE
	command -v "$1" >/dev/null || missing=${missing:-"$1 is not installed (apt-get install $2)"}
}
# The package of Python has it under a name of its own, unless its folder bin/ is in PATH.
verilator=$(command -v verilator || command -v verilator-cli || echo verilator)
need "$verilator" verilator
need g++ g++
need make make
if [ -n "$netlist" ]; then
	[ -r "$netlist" ] || fail $not_input "cannot read $netlist"
	netlist=$(realpath "$netlist")
	need yosys yosys
	# The cells lie beside yosys; yosys-config, which would say so, is in a package of its own.
	[ -n "$missing" ] || tool_files=$(dirname "$(dirname "$(realpath "$(command -v yosys)")")")/share/yosys/ice40/cells_sim.v
fi

# In the order of their names, relative to the root.
sources() {
	case $top-$netlist in
	sim_top-) (cd "$root" && find rtl -name '*.sv' ! -path 'rtl/boards/*' ! -path 'rtl/link/*' ! -path 'rtl/axi/*' ! -name '*open*.sv' | sort) ;;
	sim_open-) (cd "$root" && find rtl -name '*.sv' ! -path 'rtl/boards/*' ! -path 'rtl/link/*' ! -name 'sim_top.sv' | sort) ;;
	sim_pins-) (cd "$root" && find rtl -name '*.sv' ! -path 'rtl/axi/*' ! -name '*open*.sv' ! -name 'sim_top.sv' ! -name 'board_[!c]*.sv' | sort) ;;
	*) (cd "$root" && grep -l '^package ' rtl/*/*.sv && echo "rtl/boards/$top.sv") ;;
	esac
}

hash() { sha256sum | cut -c1-"$1"; }

tools() {
	verilator_bin --version 2>/dev/null || "$verilator" --version
	g++ --version
}

key() {
	# Proofs are not part of a model: a change of theirs builds nothing anew.
	# shellcheck disable=SC2046 # names in rtl/ have no spaces
	{
		(cd "$root" && sed '/^`ifdef FORMAL/,/^`endif/d' $(sources) && cat $share tools/model.sh tools/model_*.c)
		[ -z "$netlist" ] || cat "$netlist"
		echo "$top $parameters $flags $(uname -m)"
	} | hash 16
	if [ -n "$missing" ]; then
		echo
		echo "model.sh: $missing" >&2
		return
	fi
	{
		tools
		[ -z "$tool_files" ] || cat "$tool_files"
	} | hash 8
}

# Puts the tools' words about a failure into one line. The first sort of failure that the log has is the cause of the rest.
tool_failed() { # WHAT STATUS
	status=$tool_fails said=
	[ "$2" != 153 ] || status=$large_file # 128 + SIGXFSZ
	for cause in "$full_disk:No space left on device" "$full_quota:Disk quota exceeded" \
		"$large_file:File size limit exceeded" "$large_file:File too large" "$large_file:signal 25"; do
		[ -z "$said" ] || break
		said=$(grep -m1 -F -e "${cause#*:}" log) && status=${cause%%:*}
	done
	[ -n "$said" ] || said=$(grep -m1 -E '%Error|error:|Error' log) || said=$(tail -n 1 log) || said="status $2"
	case $2-$said in
	137-* | *Killed* | *'out of memory'* | *bad_alloc*) said="$said (memory ran out: take a smaller fabric, or end other programs)" ;;
	*lz4.h*) said="$said (apt-get install liblz4-dev)" ;;
	*zlib.h*) said="$said (apt-get install zlib1g-dev)" ;;
	esac
	fail $status "$1 failed: $said"
}

# step WHAT COMMAND...: in the background, so that a signal is heard at once.
step() {
	what=$1 at=$1
	shift
	"$@" >>log 2>&1 </dev/null &
	wait $! || tool_failed "$what" $?
}

# That what is kept there belongs to the user or root, and nobody else could write it. No link is followed.
is_safe() { # FOLDER
	[ ! -h "$1" ] && [ -d "$1" ] && [ -z "$(find "$1" ! -type d ! -type f -o ! -user 0 ! -user "$(id -u)" -o -perm /022)" ]
}

# The run-time compiled earlier, by the same tools with the same options, if there is one and it is whole. One that is not goes if
# it is the user's.
fetch_runtime() {
	runtime_parts=$(sed -n '/^VM_GLOBAL/,/^$/s/^[[:space:]]*\(verilated[a-z_]*\).*/\1.o/p' "V$top.mk" "V${top}_classes.mk")
	# shellcheck disable=SC2086 # several words
	runtime=../runtime-$({ tools; echo $(uname -m) $flags $runtime_parts; } | hash 16)
	# shellcheck disable=SC2086 # several words
	is_safe "$runtime" && (cd "$runtime" && cp $runtime_parts sums "$folder" && cd "$folder" && sha256sum -c sums) >/dev/null 2>&1 && return
	# shellcheck disable=SC2086 # several words
	rm -rf $runtime_parts
	[ -h "$runtime" ] || [ ! -d "$runtime" ] || [ ! -O "$runtime" ] || rm -rf "$runtime"
}

# Moved, which takes no room on the disk. Another program may have been faster.
keep_runtime() {
	[ ! -e "$runtime" ] && [ ! -h "$runtime" ] || return 0
	# shellcheck disable=SC2086 # several words
	mkdir runtime && mv $runtime_parts runtime && (cd runtime && sha256sum $runtime_parts >sums) && mv -T runtime "$runtime"
}

# function MACRO WORDS: defines MACRO as the name that the compiled model has for a function of Verilator. WORDS: what c++filt makes
# of that name, from its beginning.
function() {
	symbol=$(awk -F '\t' -v wanted="$2" 'index($2, wanted) == 1 && $1 !~ /[.]/ { print $1; exit }' symbols)
	[ -n "$symbol" ] || fail $tool_fails "$("$verilator" --version) has no function $2, which waveforms and coverage need: use Verilator 5.006, 5.032 or 5.048"
	echo "#define FUNCTION_$1 \"$symbol\""
}

# The functions that model_verilator.c calls.
functions() {
	[ -n "$traced$covered" ] || return 0
	# shellcheck disable=SC2086 # several words
	nm --defined-only --format=posix "V${top}__ALL.a" $runtime_parts | awk 'NF > 1 { print $1 }' | sort -u >mangled
	c++filt <mangled | paste mangled - >symbols
	if [ -n "$traced" ]; then
		function CONTEXT 'Verilated::threadContextp()'
		function TRACE_ON 'VerilatedContext::calcUnusedSigs(bool)'
		function TRACE_CLOSE "V${top}__Syms::_traceDumpClose()"
	fi
	if [ -n "$covered" ]; then
		function COVERAGE 'VerilatedCov::threadCovp()'
		function COVERAGE_WRITE 'VerilatedCovContext::write('
		! grep -q 'VerilatedCovContext::write(std::' symbols || echo "#define COVERAGE_TAKES_STRING"
	fi
}

link() {
	libraries="-latomic -lz"
	# shellcheck disable=SC2086 # several words
	[ -z "$(nm -u $runtime_parts | grep -m1 LZ4_)" ] || libraries="$libraries -llz4"
	# shellcheck disable=SC2086 # several words
	gcc -O2 -fPIC -include functions.h -c model_time.c model_stream.c model_verilator.c &&
		g++ -shared -o model.so model_time.o model_stream.o model_verilator.o $runtime_parts \
			-Wl,--whole-archive "V${top}__ALL.a" -Wl,--no-whole-archive -pthread -Wl,--as-needed $libraries
}

# Makes the C functions that reach a model (loomsim_protectlib_*), which Verilator writes for libraries. They depend only on
# the module having a clock and no other port, so they are made from a module that has nothing else and does something at
# its edge: Verilator 5.048 cannot make a library of one that records a waveform and exports functions. They are compiled with
# the class that they call: of a small model half a second goes into headers.
interface() {
	mkdir interface
	printf 'module %s (input bit clk); always_ff @(posedge clk) $stop; endmodule\n' "$top" >interface/top.sv
	"$verilator" --cc --lib-create loomsim --top-module "$top" -Wno-fatal --Mdir interface interface/top.sv && cat interface/loomsim.cpp >>"V$top.cpp"
}

build() {
	[ -z "$missing" ] || fail $no_tool "$missing"
	folder=$(pwd)
	# shellcheck disable=SC2154 # folder is set above
	trap 'trap "" TERM; kill -TERM 0; wait; cd / && rm -rf "$folder" "${folder%.work}.lock"; exit 143' TERM
	exec 3<&0 </dev/null
	{ cd / && while read -r _; do :; done <&3; kill -TERM $$; } >/dev/null 2>&1 9>&- &
	watcher=$!
	exec 3<&-
	umask 022 # what is kept, nobody else may write
	echo "The model of $top:" >log # with room behind it for the tools to say that the disk is full
	export TMPDIR="$folder" # what the compilers leave there goes with the folder
	ln -s "$root/rtl" rtl
	ln -s "$root"/tools/model_*.c .
	files=
	if [ -n "$netlist" ]; then
		ln -s "$netlist" netlist.v
		ln -s "$tool_files" cells.v
		files="netlist.v cells.v"
	fi
	# Packages come first.
	# shellcheck disable=SC2046 # names in rtl/ have no spaces
	files="$share $(grep -l "^package " $(sources)) $(grep -L "^package " $(sources)) $files"
	echo "model 1/3: Verilator translates the RTL" >&2
	# shellcheck disable=SC2086 # several words
	step Verilator "$verilator" --cc --top-module "$top" --prefix "V$top" $parameters $flags --Mdir . \
		-CFLAGS -fno-gnu-unique -CFLAGS -fPIC $files
	step Verilator interface
	echo "model 2/3: the C++ compiler compiles it" >&2
	fetch_runtime
	# Verilator refuses folders with spaces, where its makefile would work with paths from the root; here it has none.
	# The tools that make what Verilator wrote are those looked for above, whatever it was built with itself; the package of
	# Python does not know how g++ takes a header that is compiled.
	# shellcheck disable=SC2086 # several words
	step "the C++ compiler" make -s -f "V$top.mk" -j"$(nproc)" CURDIR=. CXX=g++ AR=ar PYTHON3=python3 CFG_CXXFLAGS_PCH_I=-include \
		OPT_FAST="$optimise" OPT_SLOW=-O0 OPT_GLOBAL=-O2 "V${top}__ALL.a" $runtime_parts
	functions >functions.h
	echo "model 3/3: the linker makes it a shared object" >&2
	step "the linker" link
	keep_runtime 2>>log || rm -rf runtime
}

# Reports an end other than by fail, too: a missing command, or one that failed where none was expected to.
ended() {
	status=$?
	[ -z "${watcher-}" ] || kill "$watcher" 2>/dev/null || :
	case $status in
	0 | 8[1-6] | 143) ;;
	*) echo "model.sh: tools/model.sh ended with status $status at: $at; awk, sed, grep, find, sha256sum, nm and c++filt must be in PATH" >&2 ;;
	esac
	exit $status
}
at=$action
trap ended EXIT

case $action in
key) key ;;
build) build ;;
*) fail $not_input "\"$action\" is not key or build" ;;
esac
