#!/bin/bash
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# Tests the example in Amaranth, sw/examples/amaranth_fabric.py, on a cube and on an omega network: Amaranth writes
# Verilog, and Icarus runs it with the open fabric. Amaranth comes from PyPI (tools/pypi.sh). Needs build/flitloom. Ends
# in "N passed, N failed".
set -u
cd "$(dirname "$0")/../.." || exit 2
tools/pypi.sh amaranth || exit 1
out=build/amaranth
mkdir -p $out
n_passed=0 n_failed=0
for fabric in cube:3 omega:8; do
	if build/venv-amaranth/bin/python sw/examples/amaranth_fabric.py $fabric >$out/demo.v 2>$out/log &&
		sed 's|^|rtl/|' rtl/fabric_open.f >$out/files &&
		iverilog -g2012 -f $out/files -s demo_tb -o $out/demo.vvp $out/demo.v tests/amaranth/demo_tb.sv >>$out/log 2>&1 &&
		vvp -n $out/demo.vvp >>$out/log 2>&1 && grep '^PASS amaranth ' $out/log; then
		n_passed=$((n_passed + 1))
	else
		n_failed=$((n_failed + 1))
		echo "FAIL $fabric: $(grep -v sorry $out/log | tail -n 1)"
	fi
done
echo "$n_passed passed, $n_failed failed"
[ $n_failed = 0 ]
