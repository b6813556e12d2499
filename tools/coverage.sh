#!/bin/bash
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# RTL line and toggle coverage of the end-to-end tests on small cubes: annotated sources in build/coverage.
set -eu
cd "$(dirname "$0")/.."
make -s build/e2e_rtl
export FLITLOOM_CACHE=$PWD/build/coverage/models
mkdir -p "$FLITLOOM_CACHE"
rm -f "$FLITLOOM_CACHE"/*.cov
RTL_COVERAGE=1 build/e2e_rtl dims=4 lccs=20 lists=20
verilator_coverage --annotate build/coverage/rtl --annotate-min 1 --annotate-all "$FLITLOOM_CACHE"/*.cov | tee build/coverage/total
echo "annotated sources: build/coverage/rtl (a line that starts with % was not reached)"
