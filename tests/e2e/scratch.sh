# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# Shell tests source this file first. It changes to a temporary folder ($folder, removed at the end; $home is the folder
# before) and has the functions that count checks; a test ends with `finish`.
home=$PWD
folder=$(mktemp -d) || exit 2
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 2
n_passed=0
n_failed=0

# check WHAT COMMAND...: the command succeeds.
check() {
	local what=$1
	shift
	if "$@"; then n_passed=$((n_passed + 1)); else n_failed=$((n_failed + 1)) && echo "FAIL: $what"; fi
}

# The last line, "N passed, N failed", and the status of the test.
finish() {
	echo "$n_passed passed, $n_failed failed"
	[ "$n_failed" = 0 ]
}
