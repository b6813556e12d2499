#!/bin/bash
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# Tests that the C++ of a tile does not grow with the number of tiles. Verilator shares one body among all tiles as long
# as no two of them differ. A function declared in a tile, or a port that rtl/share*.vlt does not name, is enough for a
# copy for each; small fabrics then still work, but a model of 256 nodes cannot be built. Only Verilator runs here, no
# compiler. test_tile_sharing.sh [all]: `all` adds OTIS-Meshes; the next one after 16 nodes has 256 and takes a minute.
# RTL=dir reads the modules from another folder. Ends in "N passed, N failed".
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
rtl=$(realpath "${RTL:-$root/rtl}")
make -s -C "$root" build/flitloom || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
ln -s "$rtl" rtl
n_passed=0 n_failed=0

# parameters FABRIC: a line each; of FABRIC@choosing those of the same with routers that choose
parameters() {
	"$root/build/flitloom" rtl "${1%@*}" --form parameters
	[[ $1 != *@choosing ]] || echo "NODE=$("$root/tools/node_parameter.sh" ADAPTIVE=1 RULE_W=4)"
}

# size FABRIC TILE: bytes of C++ in the functions of the module TILE
size() {
	local folder=${1/:/}
	# As tools/model.sh calls it.
	# shellcheck disable=SC2046 # words without spaces
	[ -d "$folder" ] || verilator --cc --top-module sim_top $(parameters "$1" | sed 's/^/-G/') \
		-O3 -fno-table --x-assign fast --x-initial fast --noassert -Wno-fatal -Wno-lint --Mdir "$folder" rtl/share.vlt \
		$(grep -l '^package ' rtl/*/*.sv) $(grep -L '^package ' rtl/{axi,cells,chip,min,net,node,otis,wh}/*.sv) \
		>"$folder.log" 2>&1 || { tail -n 3 "$folder.log" >&2; return; }
	cat "$folder"/*_"$2"_*.cpp | wc -c
}

# check TILE SMALL LARGE: two fabrics whose tiles are alike
check() {
	local small large
	small=$(size "$2" "$1") large=$(size "$3" "$1")
	# Numbers of instances in names have more digits in the larger one.
	if [ "${small:-0}" -gt 1000 ] && [ "${large:-0}" -gt 1000 ] && [ $((large * 100)) -lt $((small * 110)) ]; then
		n_passed=$((n_passed + 1))
	else
		n_failed=$((n_failed + 1))
		echo "FAIL the C++ of $1 has ${small:-no} bytes in $2 and ${large:-no} in $3"
	fi
}

check fabric_tile mesh:3x3 mesh:4x4
check fabric_tile torus:3x3 torus:4x4
check fabric_tile mesh:3x3@choosing mesh:4x4@choosing
if [ "${1:-}" = all ]; then
	check fabric_tile otis-mesh:4l2v2 otis-mesh:16l2v2
	check otis_link otis-mesh:4l2v2 otis-mesh:16l2v2
fi
echo "$n_passed passed, $n_failed failed"
[ $n_failed = 0 ]
