#!/bin/bash
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# usage: axi.sh [FRAMES [FABRIC...]]
# The open fabric under cocotb, with the AXI-Stream and AXI4-Lite models of cocotbext-axi: see open_fabric.py. They come
# from PyPI into build/venv-cocotb, once. Wants build/rtl_parameters. Ends in "N passed, N failed".
set -eu
cd "$(dirname "$0")/../.."
venv=build/venv-cocotb wanted=tests/cocotb/requirements.txt
if ! cmp -s "$wanted" "$venv/installed.txt"; then
	rm -rf "$venv"
	if ! { /usr/bin/python3 -m venv "$venv" && "$venv/bin/pip" install -q --disable-pip-version-check -r "$wanted"; } >build/venv-cocotb.log 2>&1; then
		echo "axi.sh: cannot install cocotb into $venv: $(tail -n 1 build/venv-cocotb.log)" >&2
		exit 1
	fi
	cp "$wanted" "$venv/installed.txt"
fi
frames=${1:-150}
shift || true
(($#)) || set -- cube:2 omega:4 mesh:3x2 cube:2,small
exec "$venv/bin/python" -W ignore::UserWarning tests/cocotb/run.py "$frames" "$@"
