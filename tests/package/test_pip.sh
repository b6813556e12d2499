#!/bin/bash
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# Tests the Python package as a new user gets it: `pip install .` into an empty environment, away from the tree; the
# same from an installed library; the lines of docs/python.md, the notebook docs/python.ipynb cell by cell, and the
# annotations under mypy. Needs PyPI. Ends in "N passed, N failed".
set -u
cd "$(dirname "$0")/../.." || exit 2
root=$PWD
tools/pypi.sh python || exit 3
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
export FLITLOOM_CACHE=${FLITLOOM_CACHE:-$PWD/build/models} PIP_DISABLE_PIP_VERSION_CHECK=1 HOME=$folder
unset MAKEFLAGS MFLAGS MAKELEVEL FLITLOOM_LIBRARY FLITLOOM_HOME PYTHONPATH
their=$root/build/venv-python/bin
n_passed=0
n_failed=0

check() { # WHAT COMMAND...
	local what=$1
	shift
	if (cd "$folder" && "$@") >"$folder/log" 2>&1; then
		n_passed=$((n_passed + 1))
	else
		n_failed=$((n_failed + 1))
		echo "FAIL: $what: $(tail -n 3 "$folder/log" | head -c 600)"
	fi
}

one_run='import flitloom, sys
assert flitloom.__file__.startswith(sys.argv[1]), flitloom.__file__
for link in sys.argv[2:]:
    result = flitloom.run("cube:3", "bit-reverse", link=link)
    assert result.passed and result.cycles == 20 and len(result.messages) == 8, result'

before=$(git status --porcelain)
check 'an environment' /usr/bin/python3 -m venv "$folder/venv"
check 'pip install .' "$folder/venv/bin/pip" install -q "$root"
check 'model and RTL, from the wheel alone' "$folder/venv/bin/python" -c "$one_run" "$folder/venv" model sim
check 'pip knows the version' sh -c "'$folder/venv/bin/pip' show flitloom | grep -qx 'Version: $(build/flitloom --version | cut -d' ' -f2)'"
check 'pip uninstall' "$folder/venv/bin/pip" uninstall -q -y flitloom
check 'nothing is left' sh -c "! ls -d '$folder'/venv/lib/python*/site-packages/flitloom*"
check "the tree is as it was: $(diff <(echo "$before") <(git status --porcelain))" test "$before" = "$(git status --porcelain)"
check 'pip install --no-build-isolation' "$their/pip" install -q --no-build-isolation --no-deps --target "$folder/site" "$root"

# From an installed library, without compiling anything.
check 'make install' make -s -C "$root" install PREFIX="$folder/usr"
export PKG_CONFIG_PATH=$folder/usr/lib/pkgconfig
check 'pip install from the system' env FLITLOOM_SYSTEM=1 "$their/pip" install -q --no-build-isolation --no-deps --target "$folder/system" "$root"
check 'it has no library in it' test ! -e "$folder/system/flitloom/lib"
check 'it takes the installed one' env PYTHONPATH="$folder/system" LD_LIBRARY_PATH="$folder/usr/lib" "$their/python" -c "$one_run" "$folder/system" model sim
check 'without it, one line says so' sh -c "PYTHONPATH='$folder/system' '$their/python' -c 'import flitloom' 2>&1 | tail -n 1 | grep -q '^ImportError: flitloom: .*libflitloom.so'"

# Runs what docs/python.md shows. The first block of Python is the plot, ten lines at most behind the imports' first.
export PYTHONPATH=$folder/site MPLBACKEND=Agg
awk '/^```python$/ { on = 1; n++; next } /^```$/ { on = 0 } on { print > ("'"$folder"'/block" n ".py") }' docs/python.md
check 'two blocks of Python' test "$(ls "$folder"/block*.py | wc -l)" = 2
check "the plot has ten lines: $(wc -l <"$folder/block1.py")" test "$(wc -l <"$folder/block1.py")" -le 10
check 'the plot' "$their/python" "$folder/block1.py"
check 'it is there' grep -q '</svg>' "$folder/latency.svg"
{ echo 'import flitloom'; cat "$folder/block2.py"; echo 'assert (result.passed, result.cycles, result.planner) == (True, 29, "lcc") and len(late) and busy["dim0"] == 1'; } >"$folder/shown.py"
check 'the run' "$their/python" "$folder/shown.py"

cat >"$folder/notebook.py" <<'END'
import sys

import nbformat
from nbclient import NotebookClient

notebook = nbformat.read(sys.argv[1], as_version=4)
nbformat.validate(notebook)
code = [cell for cell in notebook.cells if cell.cell_type == "code"]
assert not any(cell.outputs or cell.execution_count for cell in code), "it is kept without outputs"
NotebookClient(notebook, timeout=300).execute()
kinds = [kind for cell in code for output in cell.outputs for kind in output.get("data", {})]
assert kinds.count("image/svg+xml") == 2 and "image/png" in kinds and "text/html" in kinds, kinds
assert all(cell.outputs for cell in code), "a cell shows nothing"
END
check 'the notebook' "$their/python" "$folder/notebook.py" "$root/docs/python.ipynb"

printf '%s\n' 'import flitloom' 'cycles: int = flitloom.run("cube:3", "bit-reverse").cycles' 'free: bool | None = flitloom.check("cube:3").deadlock_free' >"$folder/good.py"
printf '%s\n' 'import flitloom' 'flitloom.run("cube:3", 5)' >"$folder/bad.py"
types=("$their/mypy" --strict --no-warn-return-any --disable-error-code=import-untyped --cache-dir "$folder/mypy")
check 'annotations of the package' "${types[@]}" "$folder/site/flitloom"
check 'of what uses it' env MYPYPATH="$folder/site" "${types[@]}" "$folder/good.py"
check 'a wrong type is seen' sh -c "! MYPYPATH='$folder/site' '$their/mypy' --cache-dir '$folder/mypy' '$folder/bad.py'"
echo "$n_passed passed, $n_failed failed"
[ "$n_failed" = 0 ]
