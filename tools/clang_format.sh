#!/bin/bash
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# usage: clang_format.sh [ARGUMENT...]
# Runs clang-format of the one release that .clang-format is for, because others lay out some C differently. It uses a
# program of that release in PATH, or else PyPI's (tools/pypi.sh). Status 3 and one line on standard error if there is
# neither.
set -u
cd "$(dirname "$0")/.." || exit 2
release=14

found() { # PROGRAM
	[[ $("$1" --version 2>/dev/null) =~ version\ $release\. ]]
}

while read -r program; do
	! found "$program" || exec "$program" "$@"
done < <(compgen -c clang-format | grep -x 'clang-format\(-[0-9]*\)\?' | sort -u)
if ! tools/pypi.sh clang-format 2>/dev/null; then
	echo "no clang-format $release: none is in PATH, and PyPI gave none, see build/venv-clang-format.log" >&2
	exit 3
fi
exec build/venv-clang-format/bin/clang-format "$@"
