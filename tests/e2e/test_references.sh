#!/bin/bash
# SPDX-FileCopyrightText: 2026 The flitloom authors
# SPDX-License-Identifier: Apache-2.0
#
# Checks citations: docs/references.md names every key that is used, once, and no text mentions a paper without a key.
# ROOT: the tree to check, default this one. Ends in "N passed, N failed".
set -u
cd "${ROOT:-$(dirname "$0")/../..}" || exit 2
list=docs/references.md
passed=0 failed=0

verdict() { # what, the lines that are wrong
	if [ -z "$2" ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL: $1"
		head -n 12 <<<"$2"
	fi
}

# Searches what people read: every text file but this one, build output and the corpora of the fuzzers.
look() {
	grep -rI --exclude-dir=build --exclude-dir=.git --exclude-dir=corpus --exclude="$(basename "$0")" "$@" -- *
}

verdict 'a paper that nobody can find: cite it by its key in docs/references.md' "$(
	look -niE "facts\.md|\bpapers? (00)?[0-9]\b|\b(the|this|that|these|those|its|own|whose|which) papers?\b|\bpaper's\b|\bpapers' " |
		cut -c1-160
)"

key='\[[A-Z][A-Za-z]+[0-9]{2}[],]'
bare() { grep -oE '[A-Z][A-Za-z]+[0-9]{2}'; }
listed=$(grep -oE '^\| \[[A-Z][A-Za-z]+[0-9]{2}\] \|' "$list" | bare | LC_ALL=C sort)
[ -n "$listed" ] || { echo "FAIL: no keys in $list"; exit 1; }
verdict "keys twice in $list" "$(uniq -d <<<"$listed")"
cited=$(look -ohE "$key" | bare | LC_ALL=C sort -u)
verdict "keys that $list does not have" "$(comm -13 <(uniq <<<"$listed") <(echo "$cited"))"
# A row of a key that no file cites is stale.
elsewhere=$(look -ohE --exclude=references.md "$key" | bare | LC_ALL=C sort -u)
verdict "keys of $list that nothing cites" "$(comm -23 <(echo "$listed") <(echo "$elsewhere"))"

verdict "golden vectors whose source is no key of $list" "$(
	for file in tests/golden/*.json; do
		source=$(head -c 400 "$file" | grep -oE '"source":"\[[A-Z][A-Za-z]+[0-9]{2}\]' | bare)
		grep -qx "${source:-none}" <<<"$listed" || echo "$file"
	done
)"
echo "$passed passed, $failed failed"
[ $failed = 0 ]
