# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# The beginning of shell tests, sourced: they go on in a folder of their own ($folder, gone at the end; $home is where they
# came from), count what they check, and end with `finish`.
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
