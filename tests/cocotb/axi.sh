#!/bin/bash
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# usage: axi.sh [FRAMES [FABRIC...]]
# Tests the open fabric under cocotb, with the AXI-Stream and AXI4-Lite models of cocotbext-axi: see open_fabric.py.
# They come from PyPI (tools/pypi.sh). Needs build/flitloom. Ends in "N passed, N failed".
set -eu
cd "$(dirname "$0")/../.."
tools/pypi.sh cocotb
frames=${1:-150}
shift || true
(($#)) || set -- cube:2 omega:4 mesh:3x2 cube:2,small
exec build/venv-cocotb/bin/python -W ignore::UserWarning tests/cocotb/run.py "$frames" "$@"
