#!/bin/sh
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# usage: setup.sh WHAT...     WHAT: build, test, board, qemu, opensm, fuzz, plot, ice40, ecp5, systemc, mpi, package, axi, browser, deb, deb-test
# Installs what is missing with apt, as root or by sudo; otherwise says in one line what to install.
set -eu

has() { command -v "$1" >/dev/null 2>&1; }
header() { echo "#include <$1>" | cc -E -x c - >/dev/null 2>&1; }
library() { echo 'int main(void){return 0;}' | cc -x c - -o /dev/null "-l$1" >/dev/null 2>&1; }
module() { /usr/bin/python3 -c "import $1" 2>/dev/null; } # of Debian's Python, whatever other stands before it in PATH
# That of the Python from which cocotb is started.
shared_python() { ldconfig -p | grep -q "libpython$(/usr/bin/python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')\.so"; }
# A clang with libFuzzer.
fuzzes() { echo 'int LLVMFuzzerTestOneInput(const unsigned char *d, unsigned long n){return !d+!n;}' | clang -fsanitize=fuzzer,address -x c - -o /dev/null >/dev/null 2>&1; }
static() { has "$1" && ! ldd "$(command -v "$1")" >/dev/null 2>&1; }

missing=
need() { # package, test...
	package=$1
	shift
	"$@" || missing="$missing $package"
}

for what in "$@"; do
	case $what in
	build)
		need gcc has gcc
		need g++ has g++
		need make has make
		need pkg-config has pkg-config
		need verilator has verilator
		need libc6-dev header stdlib.h
		need libjansson-dev header jansson.h
		need libftdi1-dev header libftdi1/ftdi.h
		need libscotch-dev header scotch/scotch.h
		need libexpat1-dev header expat.h
		need zlib1g-dev header zlib.h
		;;
	test)
		need iverilog has iverilog
		need yosys has yosys-smtbmc
		need z3 has z3
		need libcmocka-dev library cmocka
		need python3 has python3
		need python3-jsonschema module jsonschema
		need python3-cffi module cffi
		need python3-numpy module numpy
		need python3-venv module ensurepip # clang-format comes from PyPI where this machine has another release
		need libxml2-utils has xmllint
		need graphviz has dot
		;;
	axi) # cocotb, which itself comes from PyPI into build/venv-cocotb
		need iverilog has iverilog
		need python3 has python3
		need python3-venv module ensurepip
		need libpython3-dev shared_python
		;;
	plot)
		need gnuplot-nox has gnuplot
		need librsvg2-bin has rsvg-convert
		need graphviz has neato
		;;
	opensm) # subnet manager, and a simulated fabric for it
		need opensm has opensm
		need ibsim-utils has ibsim
		need libumad2sim0 test -e "/usr/lib/$(uname -m)-linux-gnu/umad2sim/libumad2sim.so"
		;;
	fuzz)
		need clang has clang
		need libclang-rt-dev fuzzes
		;;
	board) # the virtual board
		need libumockdev-dev test -e /usr/include/umockdev-1.0/umockdev.h
		need umockdev has umockdev-wrapper
		;;
	qemu) # the guest's kernel is fetched by tests/board/qemu.sh
		need qemu-system-x86 has qemu-system-x86_64
		need busybox-static static busybox
		;;
	ice40)
		need yosys has yosys
		need nextpnr-ice40 has nextpnr-ice40
		need fpga-icestorm has icepack
		need python3 has python3
		;;
	browser) # reports in HTML are looked at
		need chromium has chromium
		need chromium-driver has chromedriver
		need python3-selenium module selenium
		;;
	mpi) # flitloom-mpi
		need libopenmpi-dev has mpicc
		need openmpi-bin has mpirun
		;;
	systemc)
		need g++ has g++
		need pkg-config has pkg-config
		need libsystemc-dev pkg-config --exists systemc
		;;
	ecp5)
		need yosys has yosys
		need python3 has python3
		need python3-venv module ensurepip
		;;
	deb)
		need debhelper has dh
		need dpkg-dev has dpkg-buildpackage
		need fakeroot has fakeroot
		need libscotch-dev header scotch/scotch.h
		need libexpat1-dev header expat.h
		need python3 has python3
		need python3-cffi module cffi
		need dh-python has dh_python3
		;;
	deb-test)
		need mmdebstrap has mmdebstrap
		;;
	package) # FuseSoC comes from PyPI (mk/package.mk)
		need python3 has python3
		need python3-venv module ensurepip
		need mandoc has mandoc
		need groff-base has groff
		need bsdextrautils has col
		;;
	*)
		echo "setup.sh: \"$what\" is none of $(sed -n 's/^# usage.*WHAT: //p' "$0")" >&2
		exit 2
		;;
	esac
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" = 0 ]; then
	sudo=
elif has sudo && sudo -n true 2>/dev/null; then
	sudo=sudo
else
	echo "flitloom needs these packages: apt-get install$missing" >&2
	exit 3
fi
if ! has apt-get; then
	echo "flitloom needs, by Debian's names:$missing" >&2
	exit 3
fi
echo "installing$missing" >&2
export DEBIAN_FRONTEND=noninteractive
$sudo apt-get update -qq >/dev/null
# shellcheck disable=SC2086
$sudo apt-get install -y -qq --no-install-recommends $missing >/dev/null
