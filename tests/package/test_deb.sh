#!/bin/bash
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# Tests the Debian packages of `make deb` on a machine without flitloom: an empty Debian root (mmdebstrap), `apt
# install` of the packages, and there the command, and the examples compiled by pkg-config alone. It needs root. KEEP:
# a tarball that keeps the empty root, by default build/debian-root. Ends in "N passed, N failed".
set -u
cd "$(dirname "$0")/../.." || exit 2
keep=${KEEP:-$PWD/build/debian-root}
debs=$(ls build/deb/*.deb) || { echo "make deb first" >&2; exit 2; }
[ "$(id -u)" = 0 ] || { echo "test_deb.sh wants root, for chroot" >&2; exit 2; }
mkdir -p "$keep"
n_passed=0
n_failed=0

# The machine's own Debian and mirror, and the settings by which its apt gets there.
if [ ! -f "$keep/base.tar" ]; then
	echo "making an empty Debian root, once" >&2
	apt-config dump | grep -iE '^Acquire::[a-z]+::(proxy|.*verify)|^Acquire::Retries|^Acquire::https' >"$keep/apt.conf"
	mmdebstrap --mode=root --variant=minbase --aptopt="$keep/apt.conf" \
		"$(. /etc/os-release && echo "$VERSION_CODENAME")" "$keep/base.part.tar" \
		$(find /etc/apt/sources.list /etc/apt/sources.list.d -name '*.list' -o -name '*.sources' 2>/dev/null) >"$keep/mmdebstrap.log" 2>&1 ||
		{ tail -n 3 "$keep/mmdebstrap.log" >&2; exit 3; }
	mv "$keep/base.part.tar" "$keep/base.tar"
fi
root=$(mktemp -d "$keep/root.XXXXXX") || exit 2
leave() {
	for m in sys dev proc; do umount -l "$root/$m" 2>/dev/null; done
	mountpoint -q "$root/proc" || mountpoint -q "$root/dev" || rm -rf --one-file-system "$root"
}
trap leave EXIT
trap 'exit 130' INT TERM
tar -C "$root" -xf "$keep/base.tar" || exit 3
for file in /etc/resolv.conf /etc/hosts; do [ ! -e $file ] || cp -L $file "$root/etc/"; done
for m in proc dev sys; do mount --rbind /$m "$root/$m" && mount --make-rslave "$root/$m"; done
mkdir "$root/debs"
# shellcheck disable=SC2086
cp $debs "$root/debs/"

# there WHAT COMMAND [WANTED]: the command, in the root, succeeds, and prints the line WANTED (an extended regular expression).
there() {
	chroot "$root" /usr/bin/env -i HOME=/root LANG=C.UTF-8 TERM=dumb DEBIAN_FRONTEND=noninteractive \
		PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin bash -c "cd /root && $2" >"$root/log" 2>&1 &&
		grep -qxE "${3:-.*|}" <(cat "$root/log"; echo)
	if [ $? = 0 ]; then
		n_passed=$((n_passed + 1))
		[ -z "${3:-}" ] || grep -m 1 -xE "$3" "$root/log"
	else
		n_failed=$((n_failed + 1))
		echo "FAIL $1: $2"
		tail -n 5 "$root/log"
	fi
}

version=$(sed -n 's/^#define LOOM_VERSION "\(.*\)".*/\1/p' include/flitloom/version.h)
there "the root is empty" '! command -v gcc && ! command -v verilator && ! command -v flitloom'
there "apt update" 'apt-get update -qq'
there "apt install" 'apt-get install -y -qq --no-install-recommends /debs/*.deb'
there "version" 'flitloom --version' "flitloom $version"
there "a run" 'flitloom run cube:3 bit-reverse' 'verdict +PASS .*'
there "a run" 'flitloom run cube:4 transpose' 'verdict +PASS .*'
there "a multistage network" 'flitloom run omega:8 all-to-all' 'verdict +PASS .*'
there "pkg-config" 'apt-get install -y -qq --no-install-recommends pkg-config'
there "a network as a module" 'flitloom rtl mesh:3x2 -o net.sv --files net.f && verilator --lint-only -f net.f net.sv --top-module mesh_3x2_open'
there "the C example" 'cp /usr/share/flitloom/examples/own_pattern.c . && cc own_pattern.c -o own_pattern $(pkg-config --cflags --libs flitloom)'
there "the C example runs" './own_pattern cube:3' 'cube:3: 8 messages in 1 passes by direct, PASS'
there "it uses the shared object" 'ldd own_pattern' '.*libflitloom\.so\.[0-9.]+ => /lib/.*|.*libflitloom\.so\.[0-9.]+ => /usr/lib/.*'
there "the archive" 'cc own_pattern.c -o static $(pkg-config --cflags flitloom) /usr/lib/*/libflitloom.a \
	$(pkg-config --libs jansson libftdi1 libusb-1.0 zlib) $(pkg-config --variable=libs_private flitloom) && ./static omega:8' '.* PASS'
there "a SystemC platform" 'printf "#include <flitloom/systemc.hpp>\nint sc_main(int, char **) { sc_core::sc_start(); return 0; }\n" >sc.cpp &&
	g++ -std=c++17 sc.cpp -o sc $(pkg-config --cflags --libs flitloom-systemc) && ./sc'
there "the SystemC example" 'g++ -std=c++17 /usr/share/flitloom/examples/dma.cpp -o dma $(pkg-config --cflags --libs flitloom-systemc) &&
	./dma cube:3' '.*messages of 17 flits, each whole.*'
there "Python" 'python3 -c "import flitloom; r = flitloom.run(\"cube:3\", \"bit-reverse\"); print(flitloom.__version__, r.passed, r.cycles)"' "$version True 20"
there "Python, without pandas" 'python3 -c "import flitloom; print(len(flitloom.sweep(\"cube:3\", \"uniform\", load=0.2).rows))"' 1
there "MPI" 'mpirun --allow-run-as-root --oversubscribe -n 3 flitloom-mpi sweep cube:3 uniform --load 0.1:0.3:0.1 -q'
there "manual pages" 'ls /usr/share/man/man3/loom_plan_make.3* /usr/share/man/man3/flitloom.3* || grep -q path-exclude /etc/dpkg/dpkg.cfg.d/*'
there "nothing tells of the tree it was built in" "! grep -rl '$PWD' /usr/bin/flitloom /usr/lib/*/libflitloom* /usr/lib/*/pkgconfig/flitloom* /usr/share/flitloom"
there "purge" 'apt-get purge -y -qq flitloom python3-flitloom "libflitloom*" && test ! -e /usr/share/flitloom && ! ls /usr/lib/*/libflitloom*'
echo "$n_passed passed, $n_failed failed"
[ $n_failed = 0 ]
