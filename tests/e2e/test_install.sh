#!/bin/bash
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# Tests the library as a new user gets it: installed under a prefix of its own; every public header compiled alone in
# C and in C++; the examples built by pkg-config against the shared object and the archive, and run; the exported
# symbols, all of which must be declared and in the list debian/libflitloom*.symbols; and no file left by `make
# uninstall`.
set -u
cd "$(dirname "$0")/../.." || exit 2
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
prefix=$folder/usr
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig FLITLOOM_CACHE=${FLITLOOM_CACHE:-$PWD/build/models}
n_passed=0
n_failed=0

# check NAME COMMAND...: the command succeeds.
check() {
	local name=$1
	shift
	if "$@" >"$folder/log" 2>&1; then
		n_passed=$((n_passed + 1))
	else
		n_failed=$((n_failed + 1))
		echo "FAIL: $name: $(tail -n 5 "$folder/log" | head -c 600)"
	fi
}

check "make install" make -s install PREFIX="$prefix"
# Make prints a line for each step, with V=1 the commands, with -s nothing.
says() { # FILE ARGUMENT...: writes to FILE what make prints when an object is compiled again and the install step is done again
	rm -rf "$folder/build"
	env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u V make "${@:2}" BUILD="$folder/build" OPT=-O0 "$folder/build/obj/host/base/err.o" \
		>"$1" 2>&1 &&
		env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u V make "${@:2}" install PREFIX="$prefix" >>"$1" 2>&1
}
check "make install, aloud" says "$folder/steps"
check "make: a line is no step: $(grep -vE '^  [A-Z]+ [^ ]+$' "$folder/steps" | head -n 2)" \
	test -z "$(grep -vE '^  [A-Z]+ [^ ]+$' "$folder/steps")"
for step in 'CC host/base/err.c' 'CC host/links/verilated_home.c' "INSTALL $prefix"; do
	check "make does not say once: $step" test "$(grep -cxF "  $step" "$folder/steps")" = 1
done
check "make V=1 install" says "$folder/commands" V=1
for command in '-c host/base/err.c -o' "install -d $prefix/bin" "ln -sf libflitloom.so"; do
	check "make V=1 does not show: $command" grep -qF -e "$command" "$folder/commands"
done
check "make V=1 shows steps" test "$(grep -c '^  [A-Z]* ' "$folder/commands")" = 0
check "make -s install" says "$folder/silence" -s
check "make -s says: $(head -n 2 "$folder/silence")" test ! -s "$folder/silence"
version=$(sed -n 's/^#define LOOM_VERSION "\(.*\)".*/\1/p' include/flitloom/version.h)
check "one version: flitloom.pc" test "$(pkg-config --modversion flitloom)" = "$version"
check "one version: debian/changelog" grep -q "^flitloom ($version)" debian/changelog
check "one version: debian/control" grep -qx "Package: libflitloom${version%.*}" debian/control
check "one version: the command" test "$("$prefix/bin/flitloom" --version)" = "flitloom $version"
check "one version: the soname" sh -c "objdump -p '$prefix/lib/libflitloom.so' | grep -q 'SONAME *libflitloom.so.${version%.*}\$'"

# A module of a network needs what was installed, and no more.
check "flitloom rtl" "$prefix/bin/flitloom" rtl mesh:3x2 -o "$folder/net.sv" --files "$folder/net.f"
check "its files are installed" test -z "$(grep -v "^$prefix/share/flitloom/rtl/" "$folder/net.f")"
check "it elaborates" iverilog -g2012 -t null -f "$folder/net.f" -s mesh_3x2_open "$folder/net.sv"

# FuseSoC finds what the cores name.
for core in "$prefix"/share/flitloom/*.core; do
	missing=$(cd "${core%/*}" && sed -n 's/^      - \([a-z][^:]*\).*/\1/p' "$core" | while read -r file; do [ -e "$file" ] || echo "$file"; done)
	check "$(basename "$core") without $(head -n 3 <<<"$missing" | tr '\n' ' ')" test -z "$missing"
done
check "there are cores" test "$(ls "$prefix"/share/flitloom/*.core | wc -l)" -ge 5

# Each header needs no other before it; the umbrella has them all.
for header in "$prefix"/include/flitloom/*.h "$prefix"/include/flitloom/{link,math,routes}/*.h; do
	name=${header#"$prefix/include/"}
	printf '#include <%s>\nextern int one;\n' "$name" >"$folder/one.c"
	check "$name in C" gcc -std=c11 -Wall -Wextra -Wpedantic -Werror -I"$prefix/include" -fsyntax-only "$folder/one.c"
	for standard in 11 17; do
		check "$name in C++$standard" g++ -std=c++$standard -x c++ -Wall -Wextra -Wpedantic -Werror -I"$prefix/include" \
			-fsyntax-only "$folder/one.c"
	done
	case $name in
	*/api.h) ;; # only other headers use it
	*) check "flitloom.h has $name" grep -qF "#include <$name>" "$prefix/include/flitloom.h" ;;
	esac
done

# The shared object exports what the headers declare; a type before (* is that of a function in a struct.
gcc -I"$prefix/include" -E "$prefix/include/flitloom.h" | grep -oE '\bloom_[a-z0-9_]+ *\(([^*]|$)' | sed 's/ *(.*//' | sort -u >"$folder/declared"
nm -D --defined-only "$prefix/lib/libflitloom.so" | awk '$2 ~ /[TDBR]/ {print $3}' | sort -u >"$folder/versioned"
sed 's/@.*//' "$folder/versioned" >"$folder/exported"
check "exported is declared" diff "$folder/declared" "$folder/exported"
check "in one version, that of the soname" test -z "$(grep -v -F "@@FLITLOOM_${version%.*}" "$folder/versioned")"
check "something is exported" test "$(wc -l <"$folder/exported")" -gt 50
# A change that adds or removes a public call must also change this list.
list=debian/libflitloom${version%.*}.symbols
check "$list is there, as the soname says" test -s "$list"
tools/symbols.sh "$prefix/lib/libflitloom.so" "$version" "$list" >"$folder/symbols"
diff "$list" "$folder/symbols" >"$folder/changed"
check "public calls have changed: $(grep '^[<>]' "$folder/changed" | sed 's/^</gone:/; s/^>/new:/' | head -n 5 |
	tr '\n' ' ')- if that is meant, \`make symbols\` writes them into $list" test ! -s "$folder/changed"
# The archive also shows symbols that are for other files of the library: they have the prefix, so that they clash with nothing.
strange=$(nm -g --defined-only "$prefix/lib/libflitloom.a" 2>/dev/null | awk 'NF == 3 && $3 !~ /^loom_/ {print $3}')
check "in the archive without the prefix loom_: $(echo "$strange" | head -n 5 | tr '\n' ' ')" test -z "$strange"
check "the archive has symbols" test "$(nm -g --defined-only "$prefix/lib/libflitloom.a" 2>/dev/null | grep -c ' T loom_')" -gt 50

# The examples: shared, static, and the umbrella header from C++.
verdict_of() { # EXAMPLE: the line in which it says that all was as predicted
	case $1 in
	extend) echo 'bit-reverse by one-by-one: 4 passes, PASS' ;;
	own_pattern) echo 'cube:2: 4 messages in 1 passes by lcc, PASS' ;;
	transpose) echo 'verdict         PASS  every message and every channel as predicted' ;;
	*) echo "nothing that this test knows of $1" ;;
	esac
}
flags=$(pkg-config --cflags --libs flitloom)
static="$(pkg-config --cflags flitloom) $prefix/lib/libflitloom.a $(pkg-config --libs jansson libftdi1 libusb-1.0 zlib) $(pkg-config --variable=libs_private flitloom)"
for source in "$prefix"/share/flitloom/examples/*.c; do
	example=$folder/$(basename "$source" .c)
	# shellcheck disable=SC2086
	check "$(basename "$source")" gcc -Wall -Wextra -Wpedantic -Werror "$source" -o "$example" $flags
	# shellcheck disable=SC2086
	check "$(basename "$source") static" gcc "$source" -o "$example-static" $static
	for program in "$example" "$example-static"; do
		name=$(basename "$program")
		check "run of $name" env LD_LIBRARY_PATH="$prefix/lib" sh -c "'$program' cube:2 >'$folder/says'"
		# Arrivals are listed by the nodes that received them.
		[ "$(basename "$example")" != transpose ] || check "$name says: $(head -n 2 "$folder/says")" \
			test "$(head -n 1 "$folder/says")" = 'node 2 to node 1: header in cycle 4, tail in cycle 20'
		check "$name says: $(tail -n 2 "$folder/says")" grep -qxF "$(verdict_of "$(basename "$example")")" "$folder/says"
	done
done
cat >"$folder/cxx.cc" <<'END'
#include <cstdio>
#include <flitloom.h>
int main() { loom_topo topo; loom_err err; return loom_topo_parse(&topo, "cube:3", &err) || topo.n_nodes != 8; }
END
# shellcheck disable=SC2086
check "C++ links" g++ "$folder/cxx.cc" -o "$folder/cxx" $flags
check "C++ runs" env LD_LIBRARY_PATH="$prefix/lib" "$folder/cxx"

# The library for SystemC, where SystemC is there.
if pkg-config --exists systemc; then
	check "make install-systemc" make -s install-systemc PREFIX="$prefix"
	for header in "$prefix"/include/flitloom/systemc/*.hpp; do
		printf '#include <flitloom/systemc/%s>\nextern int one;\n' "$(basename "$header")" >"$folder/one.cc"
		check "$(basename "$header")" g++ -std=c++17 -Wall -Wextra -Werror -I"$prefix/include" -fsyntax-only "$folder/one.cc"
	done
	# shellcheck disable=SC2046
	check "dma.cpp" g++ -std=c++17 -Wall -Wextra -Werror "$prefix/share/flitloom/examples/dma.cpp" -o "$folder/dma" \
		$(pkg-config --cflags --libs flitloom-systemc)
	check "run of dma" env LD_LIBRARY_PATH="$prefix/lib" "$folder/dma" cube:2
fi

check "make uninstall" make -s uninstall PREFIX="$prefix"
check "nothing is left" test -z "$(find "$prefix" ! -type d)"
echo "$n_passed passed, $n_failed failed"
[ $n_failed = 0 ]
