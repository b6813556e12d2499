#!/bin/bash
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# Follows docs/adding-a-planner.md and docs/adding-a-topology.md: their code compiles without a warning, plans, and
# the routers confirm the plans.
set -u
cd "$(dirname "$0")/../.." || exit 2
build=${BUILD:-build}
folder=$(mktemp -d "$build/planner.XXXXXX") || exit 2 # in build/: a program there finds the RTL
trap 'rm -rf "$folder"' EXIT
n_passed=0
n_failed=0
check() { # WHAT COMMAND...
	if "${@:2}" >"$folder/log" 2>&1; then
		n_passed=$((n_passed + 1))
	else
		n_failed=$((n_failed + 1))
		echo "FAIL: $1: $(head -c 600 "$folder/log")"
	fi
}
# Prints the n-th piece of C on a page.
piece() { awk -v n="$2" '/^```$/ { inside = 0 } inside && count == n { print } /^```c$/ { inside = 1; count++ }' "docs/$1.md"; }

mkdir -p "$folder/host/plan/planners" "$folder/host/topo"
planners=$folder/host/plan/planners
piece adding-a-planner 1 >"$planners/waves.c"
piece adding-a-planner 3 >"$planners/by_lot.c"
rows=$({ piece adding-a-planner 2 && piece adding-a-planner 4; } | sed -n 's/.*X(\([a-z_]*\)).*/X(\1)/p' | tr '\n' ' ')
sed "s/^\(#define LOOM_PLANNERS(X) *\)\\\\$/\1 $rows \\\\/" host/plan/planners/planners.h >"$planners/planners.h"
cp host/plan/planners/planners.c "$planners/"
piece adding-a-topology 1 >"$folder/host/topo/topo_chord.c"
sed 's/X(torus) /X(torus) X(chord) /' host/topo/topo_kinds.h >"$folder/host/topo/topo_kinds.h"
cp host/topo/topo_kinds.c "$folder/host/topo/"

flags="-std=c11 -D_GNU_SOURCE -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wmissing-prototypes -Werror"
flags="$flags -I$folder/host -Ihost -Iinclude -I$build/gen"
for source in plan/planners/{waves,by_lot,planners}.c topo/topo_{chord,kinds}.c; do
	# shellcheck disable=SC2086 # several words
	check "$source compiles" gcc $flags -c "$folder/host/$source" -o "$folder/$(basename "$source" .c).o"
done
libraries=$(make -s ldlibs)
# shellcheck disable=SC2086 # several words
check "it links" gcc "$folder"/*.o "$build"/obj/sw/command/*.o \
	"$build/libflitloom.a" $libraries -o "$folder/flitloom"
check "the list has both" sh -c "'$folder/flitloom' list planners --names | grep -cx 'waves\|by-lot' | grep -qx 2"
check "it plans 28 passes" sh -c "'$folder/flitloom' plan cube:3 all-to-all --planner waves | grep -q '^8 nodes  28 passes  64 messages '"
check "the routers confirm it" sh -c "'$folder/flitloom' run cube:3 all-to-all --planner waves | tee /dev/stderr | grep -qx 'verdict         PASS  every message and every channel as predicted'"
confirms='s/^verdict         PASS  every message and every channel as predicted$/&/p'
for seed in 1 2 3; do
	for words in 'cube:3 bit-reverse' 'cube:3 random-perm' 'cube:3 all-to-all'; do
		command="'$folder/flitloom' run $words --planner by-lot --seed $seed"
		check "the routers confirm $words by lot, seed $seed" sh -c "$command | tee /dev/stderr | sed -n '$confirms' | grep -q ."
	done
done
check "another seed, another plan" sh -c "'$folder/flitloom' plan cube:3 bit-reverse --planner by-lot --output '$folder/1.json' &&
	'$folder/flitloom' plan cube:3 bit-reverse --planner by-lot --seed 2 --output '$folder/2.json' && ! cmp '$folder/1.json' '$folder/2.json'"
check "a topology is planned" sh -c "'$folder/flitloom' plan chord:8 tornado | tee /dev/stderr | grep -q '^8 nodes  1 pass '"
check "the routers confirm it" sh -c "'$folder/flitloom' run chord:8 uniform:60 | tee /dev/stderr | sed -n '$confirms' | grep -q ."
check "its routing can lock" sh -c "'$folder/flitloom' check chord:8 | tee /dev/stderr | grep -q '^ascending *8: a pass with contention can lock$'"
echo "$n_passed passed, $n_failed failed"
[ $n_failed = 0 ]
