#!/bin/bash
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# Measures RTL line, branch and toggle coverage of the end-to-end tests on small cubes (1 to 4 dimensions), a row per
# module. A point counts as reached if it was reached in any instance on any of the cubes. build/coverage/rtl has the
# annotated sources, build/coverage/missed the points that nothing reached.
set -eu
cd "$(dirname "$0")/.."
make -s build/e2e
out=build/coverage
export FLITLOOM_CACHE=$PWD/$out/models
(umask 077 && mkdir -p "$FLITLOOM_CACHE")
rm -rf "$FLITLOOM_CACHE"/*.cov $out/rtl
RTL_COVERAGE=1 build/e2e lccs=6 lists=5 cube:1 cube:2 cube:3 cube:4
verilator_coverage --annotate $out/rtl --annotate-min 1 --annotate-all "$FLITLOOM_CACHE"/*.cov >/dev/null

# A line of a .cov file: C 'KEY VALUE KEY VALUE ...' COUNT, keys after ^A, values after ^B: f file, l line, n column,
# page kind/module, o what.
awk -v missed=$out/missed '
	function percent(kind, name) {
		n = n_points[kind, name]
		return n ? sprintf("%5.1f (%4d of %4d)", 100 * n_reached[kind, name] / n, n_reached[kind, name], n) : ""
	}
	/^C / {
		count = $NF
		n_parts = split($0, part, "\001")
		delete value
		for (i = 1; i <= n_parts; i++)
			if (at = index(part[i], "\002"))
				value[substr(part[i], 1, at - 1)] = substr(part[i], at + 1)
		kind = value["page"]
		sub(/^v_/, "", kind)
		sub(/\/.*/, "", kind)
		point = kind SUBSEP value["f"] SUBSEP value["l"] SUBSEP value["n"] SUBSEP value["o"]
		reached[point] += count
	}
	END {
		for (point in reached) {
			split(point, key, SUBSEP)
			module = key[2]
			sub(/.*\//, "", module)
			sub(/\.sv$/, "", module)
			modules[module] = 1
			n_points[key[1], module]++
			n_points[key[1], "all"]++
			if (reached[point]) {
				n_reached[key[1], module]++
				n_reached[key[1], "all"]++
			} else {
				printf "%s:%d: %s %s\n", key[2], key[3], key[1], key[5] | ("sort -t: -k1,1 -k2,2n >" missed)
			}
		}
		printf "%-16s %-20s %-20s %s\n", "module", "  line %", "branch %", "toggle %"
		for (module in modules)
			printf "%-16s %-20s %-20s %s\n", module, percent("line", module), percent("branch", module),
			       percent("toggle", module) | "LC_ALL=C sort"
		close("LC_ALL=C sort")
		printf "%-16s %-20s %-20s %s\n", "all", percent("line", "all"), percent("branch", "all"),
		       percent("toggle", "all")
	}' "$FLITLOOM_CACHE"/*.cov | tee $out/summary
echo "annotated sources: $out/rtl (%000000: not reached); what was not reached: $out/missed"
